"""A planner that misbehaves in one way: hostile.py TRANSPORT MISDEED [FILE]. For the tests of plug-ins."""
import csv
import json
import os
import signal
import sys
import time

transport, misdeed = sys.argv[1:3]
MARK = os.path.dirname(os.path.abspath(__file__))


def frames(*messages):
    """Writes all of them at once."""
    texts = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    sys.stdout.buffer.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(text), text) for text in texts))
    sys.stdout.buffer.flush()


def frame(message):
    frames(message)


def receive():
    length = 0
    while (line := sys.stdin.buffer.readline().strip()):
        name, value = line.split(b":", 1)
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length)) if length else sys.exit(0)


def start_orphan(program):
    """Starts a process that has neither parent nor group nor environment of this one."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-c", program], {})
        os._exit(0)
    os.wait()


def misbehave():
    """Deeds that have nothing to do with an answer."""
    if misdeed == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if misdeed == "reach-out":
        import socket
        socket.socket(socket.AF_UNIX).close() # of the machine itself: allowed
        try:
            socket.socket(socket.AF_INET)
        except PermissionError:
            sys.exit("no network here")
        sys.exit("the network was reached")
    if misdeed == "hang":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(3600)
    if misdeed == "leave-a-daemon":
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(3600)
            os._exit(0)
        time.sleep(3600)
    if misdeed == "eat-memory":
        hoard = []
        while True:
            hoard.append(bytearray(b"x") * (4 << 20))
    if misdeed == "children-eat-memory":
        for _ in range(3):
            if os.fork() == 0:
                hoard = bytearray(b"x") * (60 << 20)
                time.sleep(3600)
        time.sleep(3600)
    if misdeed == "many-children":
        import subprocess
        children = [subprocess.Popen(["sleep", "3600"]) for _ in range(700)]
        time.sleep(3600)
    if misdeed == "orphan-eats-memory":
        start_orphan("import time; hoard = bytearray(b'x') * (150 << 20); time.sleep(3600)")
        time.sleep(3600)
    if misdeed in ("leave-an-orphan", "leave-an-orphan-and-end"):
        start_orphan(f"import os, time; print(os.getpid(), file=open({sys.argv[3]!r}, 'w'), flush=True); time.sleep(3600)")
        while not os.path.exists(sys.argv[3]) or not open(sys.argv[3]).read():
            time.sleep(0.01)
        time.sleep(3600 if misdeed == "leave-an-orphan" else 0.5)
    if misdeed == "exit-early":
        sys.exit(3)
    if misdeed == "exit-silently":
        sys.exit(0)
    if misdeed == "flood":
        while True:
            if transport == "csv":
                sys.stdout.write("a,0,1,1,0\n" * 1000)
            else:
                frame({"method": "progress", "params": {"best": 1, "work": 1, "x-filler": "y" * 10000}})
    if misdeed == "flood-a-file":
        with open(sys.argv[3], "w") as out:
            while True:
                out.write("x" * 65536)
    if misdeed == "fifo-as-file":
        os.mkfifo(sys.argv[3])
        sys.exit(0)
    if misdeed == "device-as-file":
        os.symlink("/dev/zero", sys.argv[3])
        sys.exit(0)
    if misdeed == "garbage":
        sys.stdout.buffer.write(bytes(range(256)) * 20)
        sys.stdout.flush()
        sys.exit(0)


def offsets_of(names, sizes):
    """Buffers end to end, spoiled."""
    offsets, top = {}, 0
    for name, size in zip(names, sizes):
        offsets[name] = top
        top += size
    first = names[0]
    if misdeed == "unknown-id":
        offsets[first + "?"] = offsets.pop(first)
    if misdeed == "missing-id":
        offsets.pop(first)
    if misdeed == "overlap":
        offsets = dict.fromkeys(offsets, 0)
    if misdeed == "negative":
        offsets[first] = -8
    if misdeed == "huge":
        offsets[first] = 1 << 62
    if misdeed == "beyond-64-bits":
        offsets[first] = 1 << 80
    if misdeed == "half-a-byte":
        offsets[first] = 0.5
    return offsets


def csv_planner():
    rows = list(csv.DictReader(sys.stdin))
    misbehave()
    offsets = offsets_of([row["id"] for row in rows], [int(row["size"]) for row in rows])
    if misdeed == "twice":
        offsets = list(offsets.items()) * 2
    print("id,offset")
    for name, offset in offsets if misdeed == "twice" else offsets.items():
        print(f"{name},{offset}")


def rpc_planner():
    request = receive()
    capabilities = ["gaps", "windows", "pins", "pools", "conflicts", "slots", "partial", "cancel"]
    if misdeed == "no-capabilities":
        capabilities = []
    if misdeed in ("cannot-cancel", "ends-at-deadline"):
        capabilities.remove("cancel")
    frame({"id": request["id"], "result": {"protocol": 2 if misdeed == "protocol" else 1, "name": "hostile",
                                           "capabilities": capabilities}})
    request = receive()
    misbehave()
    if misdeed == "null-id":  # as of a message that it could not read
        frame({"id": None, "error": {"code": -32700, "message": "unbalanced brackets"}})
        time.sleep(3600)
    if misdeed == "other-id":
        frame({"id": 4711, "result": {}})
        time.sleep(3600)
    if misdeed == "own-error":
        frame({"id": request["id"], "error": {"code": -32000, "message": "too hard", "data": {"code": "too-hard"}}})
        return
    if misdeed == "known-error":
        frame({"id": request["id"], "error": {"code": -32000, "message": "no room", "data": {"code": "too-much-memory"}}})
        return
    if misdeed in ("gives-up", "says-cancelled"):  # when it is asked to stop
        receive()  # cancel
        code = {"data": {"code": "cancelled"}} if misdeed == "says-cancelled" else {}
        frame({"id": request["id"], "error": {"code": -32000, "message": "no plan yet", **code}})
        return
    if misdeed == "tells-its-deadline":
        frame({"id": request["id"], "error": {"code": -32000, "message": f"in {request['params'].get('deadline_ms', 0)} ms"}})
        return
    buffers = request["params"]["problem"]["buffers"]
    pool = request["params"]["problem"]["pools"][0]["name"]
    if misdeed == "unknown-pool":
        pool = "nowhere"
    offsets = offsets_of([b["name"] for b in buffers], [b["size"] for b in buffers])
    placements = [{"buffer": name, "pool": pool, "offset": offset} for name, offset in offsets.items()]
    if misdeed == "cannot-cancel":
        frame({"method": "partialPlan", "params": {"placements": placements}})
        time.sleep(3600)
    if misdeed == "ends-at-deadline":  # right after it, without an answer
        end = time.monotonic() + request["params"]["deadline_ms"] / 1000
        frame({"method": "partialPlan", "params": {"placements": placements}})
        time.sleep(max(0.0, end - time.monotonic()) + 0.005)
        os._exit(0)
    while misdeed == "endless-partials":  # whatever it is asked
        frame({"method": "partialPlan", "params": {"placements": placements}})
        time.sleep(0.01)
    if misdeed == "ends-on-cancel":
        frame({"method": "partialPlan", "params": {"placements": placements}})
        receive()  # cancel
        sys.exit(3)
    if misdeed in ("slow-cancel", "late-cancel"):
        frame({"method": "partialPlan", "params": {"placements": placements}})
        receive()  # cancel
        time.sleep(3600 if misdeed == "slow-cancel" else 0.3)
    if misdeed == "grows":  # no misdeed: it tells what it has so far, a buffer at a time and only what is new
        for placement in placements[:-1]:
            frame({"method": "partialPlan", "params": {"placements": [placement]}})
    if misdeed == "bad-partials":
        frame({"method": "partialPlan", "params": {"placements": [{**p, "offset": 0} for p in placements]}})
    if misdeed == "no-list":
        frame({"id": request["id"], "result": {"placements": 7}})
        return
    answer = {"id": request["id"], "result": {"placements": placements, "claim": {"status": "optimal", "lower_bound": 1 << 40}}}
    if misdeed == "all-at-once":  # no misdeed: a partial plan, and the answer right behind it
        frames({"method": "partialPlan", "params": {"placements": placements}}, answer)
    else:
        frame(answer)
    receive()


csv_planner() if transport == "csv" else rpc_planner()
