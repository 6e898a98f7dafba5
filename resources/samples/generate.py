#!/usr/bin/env python3
"""Writes the sample programs beside this file (stowage.program/1).

The networks follow their published architectures; weights are left out, as planning never needs them. Run it again
after a change: `python3 resources/samples/generate.py`. Needs nothing but Python's own library.
"""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).parent
WIDTH = {"i8": 1, "u8": 1, "f16": 2, "i32": 4, "f32": 4}


class Body:
    """Collects the tensors and ops of one function or region."""

    def __init__(self):
        self.tensors, self.ops = [], []

    def tensor(self, name, shape, dtype="i8", **more):
        self.tensors.append({"name": name, **more, "dtype": dtype, "shape": list(shape)})
        return name

    def weight(self, name, shape, dtype="i8"):
        return self.tensor(name, shape, dtype, kind="constant", available="compile-time")

    def op(self, name, kind, inputs, outputs, **more):
        self.ops.append({"name": name, "kind": kind, "inputs": inputs, "outputs": outputs, **more})
        return outputs[0] if outputs else None


def save(file, name, body, inputs, outputs, pools=None):
    program = {"format": "stowage.program/1", "name": name, "entry": "main"}
    if pools:
        program["pools"] = pools
    program["functions"] = [{"name": "main", "inputs": inputs, "outputs": outputs, "tensors": body.tensors, "ops": body.ops}]
    head = json.dumps({k: v for k, v in program.items() if k != "functions"})[:-1]
    function = program["functions"][0]
    lines = [head + ', "functions": [', '  {"name": "main", "inputs": %s, "outputs": %s,' % (json.dumps(inputs), json.dumps(outputs))]
    for key, last in (("tensors", ","), ("ops", "}]}")):
        rows = ",\n".join("     " + json.dumps(row) for row in function[key])
        lines.append('   "%s": [\n%s]%s' % (key, rows, last))
    (HERE / file).write_text("\n".join(lines) + "\n")


def mobilenet():
    """MobileNet v1, width 0.25, 128 x 128, int8 (Howard et al. 2017)."""
    b = Body()
    x = b.tensor("image", (1, 128, 128, 3), kind="input")
    side, channels = 64, 8
    b.weight("conv0/w", (channels, 3, 3, 3))
    x = b.op("conv0", "conv2d", [x, "conv0/w"], [b.tensor("conv0/out", (1, side, side, channels))])
    layers = [(16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2)] + [(128, 1)] * 5 + [(256, 2), (256, 1)]
    for i, (out, stride) in enumerate(layers, 1):
        side = math.ceil(side / stride)
        b.weight(f"block{i}/dw/w", (1, 3, 3, channels))
        x = b.op(f"block{i}/dw", "depthwise_conv2d", [x, f"block{i}/dw/w"], [b.tensor(f"block{i}/dw/out", (1, side, side, channels))])
        b.weight(f"block{i}/pw/w", (out, 1, 1, channels))
        x = b.op(f"block{i}/pw", "conv2d", [x, f"block{i}/pw/w"], [b.tensor(f"block{i}/pw/out", (1, side, side, out))])
        channels = out
    x = b.op("pool", "average_pool2d", [x], [b.tensor("pool/out", (1, 1, 1, channels))])
    b.weight("logits/w", (1001, channels))
    x = b.op("logits", "fully_connected", [x, "logits/w"], [b.tensor("logits/out", (1, 1001))])
    x = b.op("softmax", "softmax", [x], [b.tensor("probabilities", (1, 1001), kind="output")])
    save("mobilenet_v1_025.json", "MobileNet v1 0.25", b, ["image"], [x])


def resnet():
    """ResNet-18 at 96 x 96, int8 (He et al. 2015); every addition may write over either operand."""
    b = Body()
    x = b.tensor("image", (1, 96, 96, 3), kind="input")

    def conv(name, source, side, out, inputs, k=3):
        b.weight(f"{name}/w", (out, k, k, inputs))
        return b.op(name, "conv2d", [source, f"{name}/w"], [b.tensor(f"{name}/out", (1, side, side, out))])

    x = conv("stem", x, 48, 64, 3, 7)
    x = b.op("stem/pool", "max_pool2d", [x], [b.tensor("stem/pool/out", (1, 24, 24, 64))])
    side, channels = 24, 64
    for stage, out in enumerate((64, 128, 256, 512), 1):
        for block in (1, 2):
            name = f"stage{stage}/block{block}"
            inner = side // 2 if stage > 1 and block == 1 else side
            y = conv(f"{name}/conv1", x, inner, out, channels)
            y = conv(f"{name}/conv2", y, inner, out, out)
            if inner != side:
                x = conv(f"{name}/project", x, inner, out, channels, 1)
            total = b.tensor(f"{name}/sum", (1, inner, inner, out))
            x = b.op(f"{name}/add", "add", [y, x], [total], inplace=[[y, total], [x, total]])
            side, channels = inner, out
    x = b.op("pool", "average_pool2d", [x], [b.tensor("pool/out", (1, 512))])
    b.weight("logits/w", (1000, 512))
    x = b.op("logits", "fully_connected", [x, "logits/w"], [b.tensor("logits/out", (1, 1000), kind="output")])
    save("resnet18.json", "ResNet-18 at 96 x 96", b, ["image"], [x])


def transformer():
    """Two encoder layers, 128 tokens, width 256, 4 heads, f16 (Vaswani et al. 2017); reshapes are views."""
    b = Body()
    tokens, width, heads, hidden = 128, 256, 4, 1024
    x = b.tensor("tokens", (1, tokens, width), "f16", kind="input")

    def dense(name, source, inputs, out):
        b.weight(f"{name}/w", (inputs, out), "f16")
        return b.op(name, "matmul", [source, f"{name}/w"], [b.tensor(f"{name}/out", (1, tokens, out), "f16")])

    for layer in range(2):
        n = f"layer{layer}"
        shape = (1, heads, tokens, width // heads)
        y = b.op(f"{n}/norm1", "layer_norm", [x], [b.tensor(f"{n}/norm1/out", (1, tokens, width), "f16")])
        parts = []
        for part in ("query", "key", "value"):
            z = dense(f"{n}/{part}", y, width, width)
            view = b.tensor(f"{n}/{part}/split", (1, tokens, heads, width // heads), "f16", alias_of=z)
            z = b.op(f"{n}/{part}/transpose", "transpose", [view], [b.tensor(f"{n}/{part}/heads", shape, "f16")])
            parts.append(z)
        scores = b.op(f"{n}/scores", "matmul", parts[:2], [b.tensor(f"{n}/scores/out", (1, heads, tokens, tokens), "f16")])
        weights = b.tensor(f"{n}/softmax/out", (1, heads, tokens, tokens), "f16")
        weights = b.op(f"{n}/softmax", "softmax", [scores], [weights], inplace=[[scores, weights]])
        context = b.op(f"{n}/context", "matmul", [weights, parts[2]], [b.tensor(f"{n}/context/out", shape, "f16")])
        joined = b.op(f"{n}/merge", "transpose", [context], [b.tensor(f"{n}/merge/out", (1, tokens, width), "f16")])
        y = dense(f"{n}/project", joined, width, width)
        total = b.tensor(f"{n}/sum1", (1, tokens, width), "f16")
        x = b.op(f"{n}/add1", "add", [x, y], [total], inplace=[[y, total]])
        y = b.op(f"{n}/norm2", "layer_norm", [x], [b.tensor(f"{n}/norm2/out", (1, tokens, width), "f16")])
        y = dense(f"{n}/up", y, width, hidden)
        wide = b.tensor(f"{n}/gelu/out", (1, tokens, hidden), "f16")
        y = b.op(f"{n}/gelu", "gelu", [y], [wide], inplace=[[y, wide]])
        y = dense(f"{n}/down", y, hidden, width)
        total = b.tensor(f"{n}/sum2", (1, tokens, width), "f16", **({"kind": "output"} if layer == 1 else {}))
        x = b.op(f"{n}/add2", "add", [x, y], [total], inplace=[[y, total]])
    save("transformer_block.json", "Transformer encoder, two layers", b, ["tokens"], [x])


def loop():
    """A recurrent net: an LSTM cell run for 16 steps, state carried from one to the next, between a front and a back end."""
    b = Body()
    hidden, features = 256, 64
    b.tensor("audio", (1, 16, features), "f32", kind="input")
    b.weight("front/w", (features, hidden), "f32")
    b.op("front", "conv1d", ["audio", "front/w"], [b.tensor("frames", (16, hidden), "f32")])
    b.op("zero_h", "fill", [], [b.tensor("h0", (1, hidden), "f32")])
    b.op("zero_c", "fill", [], [b.tensor("c0", (1, hidden), "f32")])
    r = Body()
    for name in ("h", "c"):
        r.tensor(name, (1, hidden), "f32")
    b.weight("gates/w", (2 * hidden, 4 * hidden), "f32")
    r.op("slice", "slice", ["frames"], [r.tensor("frame", (1, hidden), "f32")])
    r.op("gates", "fully_connected", ["frame", "h", "gates/w"], [r.tensor("gates/out", (1, 4 * hidden), "f32")])
    parts = [r.tensor(f"gate_{g}", (1, hidden), "f32", alias_of="gates/out", alias_offset=4 * hidden * i) for i, g in enumerate("ifgo")]
    r.op("forget", "mul", ["c", parts[1]], [r.tensor("kept", (1, hidden), "f32")])
    r.op("input", "mul", [parts[0], parts[2]], [r.tensor("new", (1, hidden), "f32")])
    r.op("cell", "add", ["kept", "new"], [r.tensor("c_next", (1, hidden), "f32")], inplace=[["kept", "c_next"], ["new", "c_next"]])
    r.op("squash", "tanh", ["c_next"], [r.tensor("squashed", (1, hidden), "f32")])
    r.op("output", "mul", ["squashed", parts[3]], [r.tensor("h_next", (1, hidden), "f32")], inplace=[["squashed", "h_next"]])
    body = {"inputs": ["h", "c"], "outputs": ["h_next", "c_next"], "tensors": r.tensors, "ops": r.ops}
    b.tensor("h_last", (1, hidden), "f32")
    b.tensor("c_last", (1, hidden), "f32")
    b.op("lstm", "while", ["h0", "c0"], ["h_last", "c_last"], trip_count=16,
         carries=[{"from": "h_next", "to": "h"}, {"from": "c_next", "to": "c"}], body=body)
    b.weight("back/w", (hidden, 12), "f32")
    b.op("back", "fully_connected", ["h_last", "back/w"], [b.tensor("scores", (1, 12), "f32")])
    b.op("softmax", "softmax", ["scores"], [b.tensor("keyword", (1, 12), "f32", kind="output")])
    save("lstm_loop.json", "Keyword LSTM with a loop", b, ["audio"], ["keyword"])


def double_buffered():
    """A tiled matrix product with bias and ReLU: tiles come in by DMA into double buffers while the last ones are multiplied."""
    b = Body()
    b.tensor("bias", (128,), "f32", kind="input", planned=False)  # in global memory, like the result
    b.op("load_bias", "load", ["bias"], [b.tensor("bias_tile", (128,), "f32")], pipe="MTE2")
    b.op("clear", "vbrc", [], [b.tensor("accumulator", (128, 128), "f32")], pipe="V")
    r = Body()
    r.tensor("sum", (128, 128), "f32")
    r.op("load_a", "load", [], [r.tensor("a_tile", (128, 64), "f16", multi_buffer=2)], pipe="MTE2")
    r.op("load_b", "load", [], [r.tensor("b_tile", (64, 128), "f16", multi_buffer=2)], pipe="MTE2")
    r.op("multiply", "mmad", ["a_tile", "b_tile"], [r.tensor("product", (128, 128), "f32")], pipe="M")
    r.op("accumulate", "vadd", ["sum", "product"], [r.tensor("sum_next", (128, 128), "f32")], pipe="V",
         inplace=[["product", "sum_next"]])
    body = {"inputs": ["sum"], "outputs": ["sum_next"], "tensors": r.tensors, "ops": r.ops}
    b.tensor("total", (128, 128), "f32")
    b.op("tiles", "for", ["accumulator"], ["total"], trip_count=16, carries=[{"from": "sum_next", "to": "sum"}], body=body)
    b.op("add_bias", "vadd", ["total", "bias_tile"], [b.tensor("biased", (128, 128), "f32")], pipe="V", inplace=[["total", "biased"]])
    b.op("relu", "vrelu", ["biased"], [b.tensor("active", (128, 128), "f32")], pipe="V", inplace=[["biased", "active"]])
    b.op("narrow", "vcast", ["active"], [b.tensor("result_tile", (128, 128), "f16")], pipe="V")
    b.op("store", "store", ["result_tile"], [b.tensor("result", (128, 128), "f16", kind="output", planned=False)], pipe="MTE3")
    save("double_buffered_matmul.json", "Double-buffered matrix product", b, ["bias"], ["result"],
         pools=[{"name": "unified_buffer", "capacity": 512 * 1024, "alignment": 32}])


def microcontroller():
    """A DS-CNN keyword spotter (Zhang et al. 2017) with an int32 scratch for each layer, on a small fast and a larger slow memory."""
    b = Body()
    fast = {"pools": ["dtcm", "sram"]}
    x = b.tensor("mfcc", (1, 49, 10, 1), kind="input", **fast)
    b.weight("conv0/w", (64, 10, 4, 1))
    b.tensor("conv0/im2col", (40, 64), "i8", **fast)
    x = b.op("conv0", "conv2d", [x, "conv0/w"], [b.tensor("conv0/out", (1, 25, 5, 64), **fast)], temps=["conv0/im2col"])
    for i in range(1, 5):
        b.weight(f"block{i}/dw/w", (1, 3, 3, 64))
        b.tensor(f"block{i}/dw/scratch", (9, 64), "i32", **fast)
        x = b.op(f"block{i}/dw", "depthwise_conv2d", [x, f"block{i}/dw/w"], [b.tensor(f"block{i}/dw/out", (1, 25, 5, 64), **fast)],
                 temps=[f"block{i}/dw/scratch"])
        b.weight(f"block{i}/pw/w", (64, 1, 1, 64))
        x = b.op(f"block{i}/pw", "conv2d", [x, f"block{i}/pw/w"], [b.tensor(f"block{i}/pw/out", (1, 25, 5, 64), **fast)])
    b.tensor("history", (1, 16, 64), kind="variable", pools=["retained"])
    b.op("remember", "assign", [x], ["history"])
    x = b.op("pool", "average_pool2d", [x], [b.tensor("pool/out", (1, 64), **fast)])
    b.weight("logits/w", (12, 64))
    x = b.op("logits", "fully_connected", [x, "logits/w"], [b.tensor("logits/out", (1, 12), **fast)])
    x = b.op("softmax", "softmax", [x], [b.tensor("keyword", (1, 12), kind="output", **fast)])
    save("microcontroller_two_memories.json", "Keyword spotter in two memories", b, ["mfcc"], [x],
         pools=[{"name": "dtcm", "capacity": 16384, "alignment": 8}, {"name": "sram", "capacity": 65536, "alignment": 8},
                {"name": "retained", "capacity": 4096, "alignment": 8, "kind": "persistent"},
                {"name": "flash", "capacity": 1048576, "alignment": 16, "kind": "constant"}])


def numbers(count, step):
    """The data of a constant, 24 numbers in a line."""
    values = [str((i * step) % 97 - 48) for i in range(count)]
    rows = [", ".join(values[i:i + 24]) for i in range(0, count, 24)]
    return "[" + (",\n" + " " * 12).join(rows) + "]"


def unified():
    """TIR with the shape of the listing in the design document of TVM's unified static memory planner: two operators with buffers and
    constants of their own, each with the memories that it may lie in. The listing is pseudo code; here it has sizes and something to compute."""
    (HERE / "unified_planning.tir").write_text(f'''# Two operators before unified static memory planning: every buffer names the memories that it may lie in, best first.
# Memories of 1000 bytes (dtcm) and 5000 bytes (itcm) are too small for all: the rest goes to sram and flash.
from tvm.script import ir as I
from tvm.script import tir as T


@I.ir_module
class Module:
    @T.prim_func
    def main(input1: T.handle, output1: T.handle):
        T.func_attr({{"global_symbol": "main", "runner_function": True, "tir.noalias": True}})
        result = T.match_buffer(output1, [300], dtype="int8")
        # body
        my_model_fused_op1 = T.allocate([400], "int8", "global", pinned_memory=["dtcm", "sram"])
        my_model_fused_op2 = T.allocate([300], "int8", "global", pinned_memory=["sram"])
        T.evaluate(T.call_extern("my_model_fused_op1", input1, my_model_fused_op1, dtype="int32"))
        T.evaluate(T.call_extern("my_model_fused_op2", my_model_fused_op1, my_model_fused_op2, dtype="int32"))
        scores = T.decl_buffer([300], "int8", data=my_model_fused_op2)
        for i in T.serial(300):
            result[i] = scores[i]

    @T.prim_func
    def my_model_fused_op1(input: T.handle, output: T.handle):
        T.func_attr({{"global_symbol": "my_model_fused_op1", "tir.noalias": True}})
        source = T.match_buffer(input, [300], dtype="int8")
        target = T.match_buffer(output, [400], dtype="int8")
        weights = T.allocate_const({numbers(300, 31)}, "int64", [300], pinned_memory=["itcm", "flash"])
        biases = T.allocate_const({numbers(60, 7)}, "int64", [60], pinned_memory=["itcm", "flash"])
        intermediate_tensor_1 = T.allocate([300], "int8", "global", pinned_memory=["dtcm", "sram"])  # padded input
        padded = T.decl_buffer([300], "int8", data=intermediate_tensor_1)
        for i in T.serial(300):
            padded[i] = source[i]
        intermediate_tensor_2 = T.allocate([300], "int8", "global", pinned_memory=["dtcm", "sram"])  # sums
        sums = T.decl_buffer([300], "int8", data=intermediate_tensor_2)
        for i in T.serial(300):
            sums[i] = T.cast(T.cast(padded[i], "int64") * weights[i] + biases[i // 5], "int8")
        for i in T.serial(400):
            target[i] = sums[i % 300]

    @T.prim_func
    def my_model_fused_op2(input: T.handle, output: T.handle):
        T.func_attr({{"global_symbol": "my_model_fused_op2", "tir.noalias": True}})
        source = T.match_buffer(input, [400], dtype="int8")
        target = T.match_buffer(output, [300], dtype="int8")
        weights = T.allocate_const({numbers(250, 13)}, "int64", [250], pinned_memory=["itcm", "flash"])
        biases = T.allocate_const({numbers(50, 11)}, "int64", [50], pinned_memory=["itcm", "flash"])
        # The memories by their numbers, from 1 in the order in which they are given: dtcm, then sram.
        intermediate_tensor_1 = T.allocate([600], "int8", "global", pinned_memory=[1, 2])
        widened = T.decl_buffer([600], "int8", data=intermediate_tensor_1)
        for i in T.serial(600):
            widened[i] = source[i % 400]
        intermediate_tensor_2 = T.allocate([500], "int8", "global", pinned_memory=[1, 2])
        sums = T.decl_buffer([500], "int8", data=intermediate_tensor_2)
        for i in T.serial(500):
            sums[i] = T.cast(T.cast(widened[i + 100], "int64") * weights[i % 250] + biases[i % 50], "int8")
        for i in T.serial(300):
            target[i] = sums[i]
''')


def densenet():
    """DenseNet-121 at 224 x 224, f32 (Huang et al. 2016): every layer concatenates its result to all before it."""
    b = Body()
    x = b.tensor("image", (1, 224, 224, 3), "f32", kind="input", alignment=64)

    def op(name, kind, inputs, side, channels, inplace=False):
        out = b.tensor(f"{name}/out", (1, side, side, channels), "f32", alignment=64)
        return b.op(name, kind, inputs, [out], **({"inplace": [[inputs[0], out]]} if inplace else {}))

    x = op("stem", "conv2d", [x], 112, 64)
    x = op("stem/relu", "relu", [x], 112, 64, True)
    x = op("stem/pool", "max_pool2d", [x], 56, 64)
    side, channels = 56, 64
    for block, depth in enumerate((6, 12, 24, 16), 1):
        for layer in range(1, depth + 1):
            n = f"block{block}/layer{layer}"
            y = op(f"{n}/norm", "batch_norm_relu", [x], side, channels)
            y = op(f"{n}/bottleneck", "conv2d", [y], side, 128)
            y = op(f"{n}/relu", "relu", [y], side, 128, True)
            y = op(f"{n}/grow", "conv2d", [y], side, 32)
            channels += 32
            x = op(f"{n}/concat", "concat", [x, y], side, channels)
        x = op(f"block{block}/norm", "batch_norm_relu", [x], side, channels, True)
        if block < 4:
            channels //= 2
            x = op(f"transition{block}/conv", "conv2d", [x], side, channels)
            side //= 2
            x = op(f"transition{block}/pool", "average_pool2d", [x], side, channels)
    x = b.op("pool", "average_pool2d", [x], [b.tensor("pool/out", (1, channels), "f32", alignment=64)])
    x = b.op("logits", "fully_connected", [x], [b.tensor("logits/out", (1, 1000), "f32", kind="output", alignment=64)])
    save("imagenet_densenet121.json", "DenseNet-121", b, ["image"], [x])


def unet_training():
    """A U-Net of four levels at 128 x 128, f32 (Ronneberger et al. 2015, padded), with a loss and its gradients: what the way down made is
    kept for the way up, and all of it until the gradients come back."""
    b = Body()
    image = b.tensor("image", (1, 128, 128, 1), "f32", kind="input")
    target = b.tensor("target", (1, 128, 128, 2), "f32", kind="input")
    shapes, steps = {image: (128, 1)}, []

    def op(name, kind, inputs, side, channels, saved, inplace=False):
        out = b.tensor(f"{name}/out", (1, side, side, channels), "f32")
        b.op(name, kind, inputs, [out], **({"inplace": [[inputs[0], out]]} if inplace else {}))
        shapes[out] = (side, channels)
        steps.append((name, kind, inputs, out, saved(inputs, out), inplace))
        return out

    def conv(name, x, channels):
        y = op(name, "conv2d", [x], shapes[x][0], channels, lambda i, o: i)
        return op(f"{name}/relu", "relu", [y], shapes[x][0], channels, lambda i, o: [o], True)

    x, skips = image, []
    for level in range(3):
        x = conv(f"down{level}/conv2", conv(f"down{level}/conv1", x, 16 << level), 16 << level)
        skips.append(x)
        x = op(f"down{level}/pool", "max_pool2d", [x], shapes[x][0] // 2, shapes[x][1], lambda i, o: i + [o])
    x = conv("bottom/conv2", conv("bottom/conv1", x, 128), 128)
    for level in (2, 1, 0):
        x = op(f"up{level}/up", "conv2d_transpose", [x], shapes[x][0] * 2, 16 << level, lambda i, o: i)
        x = op(f"up{level}/concat", "concat", [skips[level], x], shapes[x][0], 32 << level, lambda i, o: [])
        x = conv(f"up{level}/conv2", conv(f"up{level}/conv1", x, 16 << level), 16 << level)
    x = op("classes", "conv2d", [x], 128, 2, lambda i, o: i)
    b.tensor("loss/out", (1,), "f32", kind="output")
    b.tensor("grad/classes", (1, 128, 128, 2), "f32")
    b.op("loss", "cross_entropy", [x, target], ["loss/out", "grad/classes"])
    grads = {x: ["grad/classes"]}
    for name, kind, inputs, out, saved, inplace in reversed(steps):
        parts = grads[out]
        while len(parts) > 1:
            total = b.tensor(f"grad/{out}/sum", (1, shapes[out][0], shapes[out][0], shapes[out][1]), "f32")
            parts = [b.op(f"grad/{name}/sum", "add", parts[:2], [total], inplace=[[parts[0], total], [parts[1], total]])] + parts[2:]
        makes = []
        for i in inputs:
            if i == image:
                continue
            made = b.tensor(f"grad/{name}/{i}", (1, shapes[i][0], shapes[i][0], shapes[i][1]), "f32")
            grads.setdefault(i, []).append(made)
            makes.append(made)
        if kind.startswith("conv"):
            k = 2 if kind == "conv2d_transpose" else 3
            makes.append(b.tensor(f"grad/{name}/w", (shapes[out][1], k, k, shapes[inputs[0]][1]), "f32"))
        b.op(f"grad/{name}", f"{kind}_grad", parts + [s for s in saved if s not in parts], makes,
             **({"inplace": [[parts[0], makes[0]]]} if inplace else {}))
        if kind.startswith("conv"):
            b.op(f"apply/{name}", "sgd", [makes[-1]], [])
    save("unet_training.json", "U-Net, a training step", b, ["image", "target"], ["loss/out"])


INDEX = [
    ("mobilenet_v1_025.json", "MobileNet v1 0.25", "image classifier, int8 chain", "five planners, one optimum"),
    ("resnet18.json", "ResNet-18", "residual net, 96 x 96, int8", "additions may write in place"),
    ("transformer_block.json", "Transformer", "two encoder layers, f16", "views and branches"),
    ("lstm_loop.json", "Keyword LSTM", "a loop of 16 steps, f32", "state carried round the loop"),
    ("double_buffered_matmul.json", "Tiled matmul", "kernel with double buffers", "DMA overlaps arithmetic"),
    ("microcontroller_two_memories.json", "Two memories", "keyword spotter, int8", "DTCM first, then SRAM; flash for weights"),
    ("unified_planning.tir", "Unified planning", "two operators in TVM's TIR", "buffers inside operators; what comes back is TIR"),
    ("imagenet_densenet121.json", "DenseNet-121", "dense net, 224 x 224, f32", "one planner in three wastes half"),
    ("unet_training.json", "U-Net training", "forward and gradients, f32", "skips, and activations kept for the way back"),
    ("mlp_packed_weights.json", "Packed weights", "two layers, f32", "constant folding packs them once"),
]

def packed_mlp():
    """Two f32 layers whose weights are packed into 32 x 32 tiles in every run: what constant folding moves out."""
    b = Body()
    scalar = {"dtype": "f32", "bytes": 4, "attributes": {"scalar": ""}, "kind": "constant", "available": "compile-time", "planned": False}
    b.tensors.append({"name": "zero", **scalar})
    b.tensor("x", (64, 128), "f32", kind="input")
    for name, shape in (("w1", (128, 1024)), ("b1", (1024,)), ("w2", (1024, 256)), ("b2", (256,))):
        b.tensor(name, shape, "f32", kind="constant", available="run-time")

    def layer(n, x, rows, columns):
        w = b.op(f"pack w{n}", "pack", [f"w{n}"], [b.tensor(f"w{n} packed", (columns, rows, 32, 32), "f32")])
        z = b.op("fill h" if n == 1 else "fill y", "fill", ["zero"], [b.tensor(f"zeros {n}", (2, columns, 32, 32), "f32")])
        h = b.op(f"mmt4d {n}", "mmt4d", [x, w, z], [b.tensor(f"product {n}", (2, columns, 32, 32), "f32")],
                 inplace=[[z, f"product {n}"]], inplace_required=True)
        return h, b.op(f"expand b{n}", "reshape", [f"b{n}"], [b.tensor(f"b{n} tiles", (columns, 32), "f32")])

    x = b.op("pack x", "pack", ["x"], [b.tensor("x packed", (2, 4, 32, 32), "f32")])
    h, bias = layer(1, x, 4, 32)
    h = b.op("add, relu", "add_relu", [h, bias], [b.tensor("hidden", (2, 32, 32, 32), "f32")])
    y, bias = layer(2, h, 32, 8)
    wide = b.op("broadcast b2", "broadcast", [bias], [b.tensor("b2 wide", (8, 32, 32), "f32")])
    y = b.op("add", "add", [y, wide], [b.tensor("sum", (2, 8, 32, 32), "f32")])
    b.op("unpack", "unpack", [y], [b.tensor("out", (64, 256), "f32", kind="output")])
    save("mlp_packed_weights.json", "mlp_packed_weights", b, ["x"], ["out"])


if __name__ == "__main__":
    for make in (mobilenet, resnet, transformer, loop, double_buffered, microcontroller, unified, densenet, unet_training,
                 packed_mlp):
        make()
    rows = [dict(zip(("file", "title", "subtitle", "note"), row)) for row in INDEX]
    (HERE / "index.json").write_text('{"samples": [\n' + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]}\n")
