#!/usr/bin/env python3
"""First fit over random orders, each better plan sent as it is found: a planner that speaks the JSON-RPC transport.

Messages are JSON in frames: "Content-Length: N", an empty line, N bytes. They come on standard input and go to standard output.
"""
import json, math, queue, random, sys, threading


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


def neighbours(buffers):
    """The buffers that each buffer meets in time. A window counts as live: that wastes bytes, and is never wrong."""
    spans = sorted((begin, end, index) for index, buffer in enumerate(buffers)
                   for begin, end in buffer["live"] + [window["live"] for window in buffer.get("windows", [])])
    met, current = [set() for _ in buffers], []
    for begin, end, index in spans:
        current = [span for span in current if span[0] > begin]
        for _, other in current:
            met[index].add(other)
            met[other].add(index)
        current.append((end, index))
    return met


def first_fit(buffers, met, order, step):
    offsets, height = {}, 0
    for index in order:
        size, offset = buffers[index]["size"], 0
        taken = sorted((offsets[other], offsets[other] + buffers[other]["size"]) for other in met[index] if other in offsets)
        for low, high in taken if size else []:
            if offset + size <= low:
                break
            offset = max(offset, -(-high // step[index]) * step[index])
        offsets[index] = offset
        height = max(height, offset + size)
    return height, offsets


def plan(params, inbox):
    problem = params["problem"]
    buffers, pool = problem["buffers"], problem["pools"][0]
    step = [math.lcm(buffer.get("alignment", 1), pool.get("alignment", 1)) for buffer in buffers]
    met = neighbours(buffers)
    tries = params.get("work_limit", params["options"]["tries"])
    generator = random.Random(params["seed"])
    order = sorted(range(len(buffers)), key=lambda index: -buffers[index]["size"])
    best = None
    for work in range(1, tries + 1):
        height, offsets = first_fit(buffers, met, order, step)
        if best is None or height < best:
            best = height
            placements = [{"buffer": buffers[index]["name"], "pool": pool["name"], "offset": offset}
                          for index, offset in offsets.items()]
            send({"method": "partialPlan", "params": {"placements": placements}})
            send({"method": "progress", "params": {"best": best, "work": work}})
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
