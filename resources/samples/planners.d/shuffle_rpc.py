#!/usr/bin/env python3
"""First fit over random orders, each better plan sent as it is found: a planner that speaks the JSON-RPC transport.

Messages are JSON in frames: "Content-Length: N", an empty line, N bytes. They come on standard input and go to standard output.
"""
import json, queue, random, sys, threading


def receive():
    length = 0
    while (line := sys.stdin.buffer.readline().strip()):
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def send(message):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    sys.stdout.buffer.flush()


def first_fit(buffers, order):
    placed, offsets, height = [], {}, 0
    for index in order:
        buffer = buffers[index]
        size, step = buffer["size"], buffer.get("alignment", 1)
        offset = 0
        for low, high, live in sorted(placed, key=lambda other: other[:2]):
            if any(a < d and c < b for a, b in buffer["live"] for c, d in live):
                if offset + size <= low:
                    break
                offset = max(offset, -(-high // step) * step)
        placed.append((offset, offset + size, buffer["live"]))
        offsets[buffer["name"]] = offset
        height = max(height, offset + size)
    return height, offsets


def plan(params, inbox):
    problem = params["problem"]
    buffers, pool = problem["buffers"], problem["pools"][0]["name"]
    for buffer in buffers:  # the pool's alignment counts, too; both are powers of two in practice
        buffer["alignment"] = max(buffer.get("alignment", 1), problem["pools"][0].get("alignment", 1))
    tries = params.get("work_limit", params["options"]["tries"])
    generator = random.Random(params["seed"])
    order = sorted(range(len(buffers)), key=lambda index: -buffers[index]["size"])
    best = None
    for work in range(1, tries + 1):
        height, offsets = first_fit(buffers, order)
        if best is None or height < best[0]:
            best = (height, offsets)
            placements = [{"buffer": name, "pool": pool, "offset": offset} for name, offset in offsets.items()]
            send({"method": "partialPlan", "params": {"placements": placements}})
            send({"method": "progress", "params": {"best": height, "work": work}})
        if not inbox.empty():  # cancel, shutdown, or the end
            break
        a, b = generator.randrange(len(order)), generator.randrange(len(order))
        order[a], order[b] = order[b], order[a]
    return {"placements": placements, "claim": {"status": "feasible"}}


def main():
    inbox = queue.Queue()

    def listen():
        while (message := receive()) is not None:
            inbox.put(message)
        inbox.put(None)

    threading.Thread(target=listen, daemon=True).start()
    while (message := inbox.get()) is not None and message["method"] != "shutdown":
        if message["method"] == "initialize":
            capabilities = ["gaps", "windows", "partial", "cancel"]
            send({"id": message["id"], "result": {"protocol": 1, "name": "shuffle", "version": "1", "capabilities": capabilities}})
        elif message["method"] == "plan":
            send({"id": message["id"], "result": plan(message["params"], inbox)})


main()
