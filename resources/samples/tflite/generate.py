#!/usr/bin/env python3
"""Writes doorbell.tflite and doorbell.log, the samples of the guide's chapter on TensorFlow Lite Micro.

The model has the shapes of a MobileNet with a quarter of the channels for colour pictures of 96x96 pixels (a conv, 13 depthwise and
13 pointwise convs, the head); its weights are cut to one number each, so it plans like the real one and runs nowhere. The log is
what the runtime prints for it: the plan of its greedy planner (largest first, of equals the later one, lowest gap), with scratch
as the kernels of Cortex-M cores ask for it, and the totals of a recording interpreter. Needs nothing but Python.
"""
import pathlib
import struct

CONV_2D, DEPTHWISE, MEAN, RESHAPE, SOFTMAX = 3, 4, 40, 22, 25
INT8 = 9
TAIL = 26400


class Tables:
    """A flatbuffer written front to back: tables first, what they point to behind them."""

    def __init__(self):
        self.out = bytearray(8)
        self.out[4:8] = b"TFL3"

    def align(self, unit):
        self.out += bytes(-len(self.out) % unit)

    def point(self, at):
        """Makes the offset at `at` lead to the end of what is there."""
        struct.pack_into("<I", self.out, at, len(self.out) - at)

    def table(self, fields, at=0):
        """`fields`: id -> number or a function that writes what the field points to."""
        size = max(fields) + 1 if fields else 0
        self.align(4)
        vtable = len(self.out)
        slots = [4 + 4 * sorted(fields).index(i) if i in fields else 0 for i in range(size)]
        self.out += struct.pack("<%dH" % (2 + size), 4 + 2 * size, 4 + 4 * len(fields), *slots)
        self.align(4)
        self.point(at)
        start = len(self.out)
        self.out += struct.pack("<i", start - vtable)
        later = []
        for i in sorted(fields):
            if callable(fields[i]):
                later.append((len(self.out), fields[i]))
                self.out += bytes(4)
            else:
                self.out += struct.pack("<i", fields[i])
        for place, write in later:
            write(place)

    def text(self, text):
        def write(at):
            self.align(4)
            self.point(at)
            self.out += struct.pack("<I", len(text)) + text.encode() + b"\0"
        return write

    def numbers(self, numbers):
        def write(at):
            self.align(4)
            self.point(at)
            self.out += struct.pack("<I%di" % len(numbers), len(numbers), *numbers)
        return write

    def bytes(self, data):
        def write(at):
            self.out += bytes(-(len(self.out) + 4) % 16)
            self.point(at)
            self.out += struct.pack("<I", len(data)) + data
        return write

    def tables(self, each):
        def write(at):
            self.align(4)
            self.point(at)
            first = len(self.out) + 4
            self.out += struct.pack("<I", len(each)) + bytes(4 * len(each))
            for i, fields in enumerate(each):
                self.table(fields(), first + 4 * i)
        return write


def layers():
    """(name, op, output's shape) from the picture to the answer."""
    yield "conv0", CONV_2D, [1, 48, 48, 8]
    side, channels = 48, 8
    for i, (step, wider) in enumerate([(1, 16), (2, 32), (1, 32), (2, 64), (1, 64), (2, 128), (1, 128), (1, 128), (1, 128),
                                       (1, 128), (1, 128), (2, 256), (1, 256)], 1):
        side //= step
        yield f"dw{i}", DEPTHWISE, [1, side, side, channels]
        channels = wider
        yield f"pw{i}", CONV_2D, [1, side, side, channels]
    yield "pool", MEAN, [1, 1, 1, 256]
    yield "answer", CONV_2D, [1, 1, 1, 2]
    yield "flat", RESHAPE, [1, 2]
    yield "person", SOFTMAX, [1, 2]


def volume(shape):
    product = 1
    for extent in shape:
        product *= extent
    return product


def model(chain):
    fb = Tables()
    codes = [CONV_2D, DEPTHWISE, MEAN, RESHAPE, SOFTMAX]
    tensors = [("picture", [1, 96, 96, 3], 0)]
    operators = []
    for name, op, shape in chain:
        inputs = [next(i for i in range(len(tensors) - 1, -1, -1) if tensors[i][2] == 0)]
        if op in (CONV_2D, DEPTHWISE):
            tensors.append((name + "/weights", [4], 1))
            inputs.append(len(tensors) - 1)
        tensors.append((name, shape, 0))
        operators.append((codes.index(op), inputs, len(tensors) - 1))
    graph = {
        0: fb.tables([lambda t=t: {0: fb.numbers(t[1]), 1: INT8, 2: t[2], 3: fb.text(t[0])} for t in tensors]),
        1: fb.numbers([0]),
        2: fb.numbers([len(tensors) - 1]),
        3: fb.tables([lambda o=o: {0: o[0], 1: fb.numbers(o[1]), 2: fb.numbers([o[2]])} for o in operators]),
        4: fb.text("main"),
    }
    fb.table({
        0: 3,
        1: fb.tables([lambda c=c: {0: c, 2: 1, 3: c} for c in codes]),
        2: fb.tables([lambda: graph]),
        3: fb.text("doorbell: shapes of a person detector, weights cut out"),
        4: fb.tables([lambda: {}, lambda: {0: fb.bytes(bytes([1, 2, 3, 4]))}]),
    })
    return bytes(fb.out)


def log(chain):
    """Sizes rounded to 16, first and last use; tensors first, then one request of scratch for each conv."""
    buffers = [(96 * 96 * 3, 0, 1)]
    for i, (_, _, shape) in enumerate(chain, 1):
        buffers.append((-(-volume(shape) // 16) * 16, i, min(i + 1, len(chain))))
    for i in range(1, 28):
        buffers.append(({26: 18432, 10: 4608, 12: 4608, **{k: 9216 for k in range(14, 26, 2)}}.get(i, 64 if i % 2 else 2304), i, i))
    offsets, placed = {}, []
    for i in sorted(range(len(buffers)), key=lambda i: (-buffers[i][0], -i)):
        size, first, last = buffers[i]
        low = 0
        for begin, end in sorted((b, e) for b, e, f, l in placed if f <= last and first <= l):
            if begin - low >= size:
                break
            low = max(low, end)
        offsets[i] = low
        placed.append((low, low + size, first, last))
    marks = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    lines = ["I (318) doorbell: planning"]
    for i, (size, first, last) in enumerate(buffers):
        mark = "*" if first == last else marks[i % len(marks)]
        lines.append(f"{mark} (id={i}): size={size}, offset={offsets[i]}, first_used={first} last_used={last}")
    head = max(offsets[i] + buffers[i][0] for i in offsets)
    for name, value in (("total", head + TAIL), ("head", head), ("tail", TAIL)):
        lines.append(f"[RecordingMicroAllocator] Arena allocation {name} {value} bytes")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    here = pathlib.Path(__file__).parent
    chain = list(layers())
    (here / "doorbell.tflite").write_bytes(model(chain))
    (here / "doorbell.log").write_text(log(chain))
