#!/usr/bin/env python3
"""Writes memory snapshots in the form of torch.cuda.memory._dump_snapshot: training_step.pickle, a made-up training step, and
two_streams.pickle, which copies each batch by a stream of its own while another stream computes.

The tensors are those of a small multi-layer network: weights, activations kept for the backward pass, gradients, and the
optimiser's state. The allocator is a model of PyTorch's: requests are rounded up to 512 bytes, taken by best fit from segments
of 2 MiB (requests up to 1 MiB) or of at least 20 MiB (larger ones), split, and merged when they are free again. So the snapshot
shows what such an allocator reserves beyond what is live: its fragmentation.
"""
import pathlib
import pickle

MIB = 1 << 20


class Allocator:
    def __init__(self):
        self.events, self.segments, self.live = [], [], {}
        self.next_address = 0x7F0000000000

    def event(self, action, address, size, frames=(), stream=0):
        self.events.append({"action": action, "addr": address, "size": size, "stream": stream, "frames": list(frames)})

    def alloc(self, requested, line, stream=0):
        rounded = max(512, -(-requested // 512) * 512)
        small = rounded <= MIB
        best = None
        for segment in self.segments:
            if segment["small"] != small or segment["stream"] != stream:
                continue
            for block in segment["blocks"]:
                if block["state"] == "inactive" and block["size"] >= rounded and (best is None or block["size"] < best[1]["size"]):
                    best = (segment, block)
        if best is None:
            total = 2 * MIB if small else max(20 * MIB, -(-rounded // (2 * MIB)) * 2 * MIB) if rounded < 10 * MIB else -(-rounded // (2 * MIB)) * 2 * MIB
            segment = {"small": small, "stream": stream, "address": self.next_address, "total_size": total,
                       "blocks": [{"address": self.next_address, "size": total, "state": "inactive", "requested_size": 0}]}
            self.next_address += total + 4 * MIB
            self.segments.append(segment)
            self.event("segment_alloc", segment["address"], total, stream=stream)
            best = (segment, segment["blocks"][0])
        segment, block = best
        rest = block["size"] - rounded
        if rest >= (512 if small else MIB):
            at = segment["blocks"].index(block)
            segment["blocks"].insert(at + 1, {"address": block["address"] + rounded, "size": rest, "state": "inactive", "requested_size": 0})
            block["size"] = rounded
        block["state"], block["requested_size"] = "active_allocated", requested
        self.event("alloc", block["address"], requested, [{"name": line[0], "filename": "/home/user/train.py", "line": line[1]}], stream)
        self.live[block["address"]] = (segment, block)
        return block["address"]

    def let_go(self, address):
        """Another stream may still use it: it is free for reuse once that one is through."""
        segment, block = self.live[address]
        self.event("free_requested", address, block["requested_size"], stream=segment["stream"])

    def free(self, address):
        self.let_go(address)
        self.complete(address)

    def complete(self, address):
        segment, block = self.live.pop(address)
        self.event("free_completed", address, block["requested_size"], stream=segment["stream"])
        block["state"], block["requested_size"] = "inactive", 0
        merged = []
        for each in segment["blocks"]:
            if merged and merged[-1]["state"] == each["state"] == "inactive":
                merged[-1]["size"] += each["size"]
            else:
                merged.append(each)
        segment["blocks"] = merged

    def snapshot(self):
        segments = [{"device": 0, "address": s["address"], "total_size": s["total_size"], "stream": s["stream"],
                     "segment_type": "small" if s["small"] else "large", "segment_pool_id": (0, 0), "is_expandable": False,
                     "allocated_size": sum(b["size"] for b in s["blocks"] if b["state"] == "active_allocated"),
                     "active_size": sum(b["size"] for b in s["blocks"] if b["state"] != "inactive"), "blocks": s["blocks"]}
                    for s in self.segments]
        return {"segments": segments, "device_traces": [self.events]}


def train(memory):
    widths = [768, 3072, 1536, 3000, 1024, 640, 2048, 256]
    weights = [memory.alloc(4 * a * b, ("__init__", 11)) for a, b in zip(widths, widths[1:])]
    moments = [memory.alloc(8 * a * b, ("optimizer", 14)) for a, b in zip(widths, widths[1:])]
    for batch in (512, 640, 448):
        kept = [memory.alloc(4 * batch * widths[0], ("batch", 21))]
        for layer, width in enumerate(widths[1:]):
            scratch = memory.alloc(4 * batch * width + 4 * 64 * widths[layer], ("linear", 25))
            kept.append(memory.alloc(4 * batch * width, ("relu", 26)))
            memory.free(scratch)
        gradient = memory.alloc(4 * batch * widths[-1], ("loss", 30))
        gradients = []
        for layer in reversed(range(len(widths) - 1)):
            gradients.append(memory.alloc(4 * widths[layer] * widths[layer + 1], ("backward", 31)))
            below = memory.alloc(4 * batch * widths[layer], ("backward", 31))
            memory.free(gradient)
            memory.free(kept.pop())
            gradient = below
        memory.free(gradient)
        memory.free(kept.pop())
        for each in gradients:
            update = memory.alloc(memory.live[each][1]["requested_size"], ("step", 33))
            memory.free(update)
            memory.free(each)
    return weights, moments


def infer(memory, copies=7, layers=(24, 12, 6, 3), batch=8 * MIB):
    """Batches are copied by stream `copies`, through a staging area, while stream 0 computes on the batch before."""
    used = None
    for _ in range(4):
        staging = memory.alloc(batch // 2 + 3000, ("stage", 12), copies)
        inputs = memory.alloc(batch, ("copy", 14), copies)
        memory.free(staging)
        below = None
        for layer in layers:
            above = memory.alloc(layer * MIB + 700, ("layer", 21))
            if below is not None:
                memory.free(below)
            below = above
        if used is not None:
            memory.complete(used)  # stream 0 is through with it
        memory.let_go(inputs)  # but stream 0 uses it
        used = inputs
        memory.free(below)
    memory.complete(used)


if __name__ == "__main__":
    for name, run in (("training_step", train), ("two_streams", infer)):
        allocator = Allocator()
        run(allocator)
        path = pathlib.Path(__file__).with_name(name + ".pickle")
        path.write_bytes(pickle.dumps(allocator.snapshot(), protocol=4))
        print(path, len(allocator.events), "events")
