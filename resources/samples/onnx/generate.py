#!/usr/bin/env python3
"""Writes decoder_step.onnx: one step of a decoder of two layers whose caches grow by one position.

Attention is GroupQueryAttention of the domain com.microsoft, as the exporters of ONNX Runtime write it. ONNX's shape inference does
not know that operator: the shapes of the new caches stand in the graph's outputs only, those of what was attended to beside the
graph. The hidden state is 1 x 1 x 128 numbers of f32, a cache 1 x 2 x 128 x 32, of which 127 positions are filled before the step.
There are no weights: the file plans like a decoder and computes nothing of use. Needs nothing but Python.
"""
import pathlib

FLOAT, INT32 = 1, 6
LAYERS, HIDDEN, HEADS, PAST, WIDTH = 2, [1, 1, 128], 2, 127, 32


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, value):
    """A field of a protobuf message: an integer, a text or a message that is written already."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def value_info(name, shape, kind=FLOAT):
    dimensions = b"".join(field(1, field(1, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dimensions)))


def node(op, inputs, outputs, domain="", **integers):
    out = b"".join(field(1, name) for name in inputs) + b"".join(field(2, name) for name in outputs)
    out += field(3, outputs[0]) + field(4, op)
    out += b"".join(field(5, field(1, name) + field(3, value) + field(20, 2)) for name, value in integers.items())
    return out + (field(7, domain) if domain else b"")


def decoder():
    nodes, values = [], []
    inputs = [value_info("hidden", HIDDEN), value_info("seqlens_k", [1], INT32), value_info("total_length", [1], INT32)]
    outputs = []
    before = "hidden"
    for layer in range(LAYERS):
        here = "layers.%d." % layer
        for name in ("query", "key", "value"):
            size = HIDDEN if name == "query" else HIDDEN[:2] + [HEADS * WIDTH]
            inputs.append(value_info(here + name + ".bias", size))
            narrow = before if name == "query" else here + name + ".slice"
            if name != "query":
                nodes.append(node("Split", [before], [narrow, here + name + ".rest"], axis=2, num_outputs=2))
                values.append(value_info(narrow, size))
                values.append(value_info(here + name + ".rest", size))
            nodes.append(node("Add", [narrow, here + name + ".bias"], [here + name]))
        for name in ("key", "value"):
            inputs.append(value_info(here + "past." + name, [1, HEADS, PAST, WIDTH]))
            outputs.append(value_info(here + "present." + name, [1, HEADS, PAST + 1, WIDTH]))
        nodes.append(node("GroupQueryAttention",
                          [here + "query", here + "key", here + "value", here + "past.key", here + "past.value", "seqlens_k",
                           "total_length"],
                          [here + "attended", here + "present.key", here + "present.value"], "com.microsoft",
                          num_heads=HIDDEN[2] // WIDTH, kv_num_heads=HEADS))
        values.append(value_info(here + "attended", HIDDEN))
        after = "logits" if layer == LAYERS - 1 else here + "hidden"
        nodes.append(node("Add", [before, here + "attended"], [after]))
        before = after
    outputs.append(value_info("logits", HIDDEN))
    graph = b"".join(field(1, each) for each in nodes) + field(2, "decoder_step")
    graph += b"".join(field(11, each) for each in inputs) + b"".join(field(12, each) for each in outputs)
    graph += b"".join(field(13, each) for each in values)
    opsets = field(8, field(1, "") + field(2, 18)) + field(8, field(1, "com.microsoft") + field(2, 1))
    return field(1, 8) + field(2, "stowage sample") + field(7, graph) + opsets


pathlib.Path(__file__).with_name("decoder_step.onnx").write_bytes(decoder())
