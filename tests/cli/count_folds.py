#!/usr/bin/env python3
"""Counts what constant folding saves in a program (stowage.program/1), by the rules of the specification and by nothing of Stowage.

usage: count_folds.py PROGRAM.json [THRESHOLD]   prints {"function": {"folded": [...], "ops": n, "bytes": n, "roots": n}, ...}

Postponing is not counted: compare with `fold --postpone off`.
"""
import json
import sys

BITS = {"f32": 32, "f64": 64, "f16": 16, "bf16": 16, "i1": 1, "bool": 8, "i8": 8, "u8": 8, "i16": 16, "u16": 16, "i32": 32, "u32": 32,
        "i64": 64, "u64": 64, "index": 64, "i4": 4, "u4": 4}
VIEWS = {"reshape", "squeeze", "unsqueeze", "expanddims", "bitcast", "flatten", "identity"}
IMPURE = {"randomnormal", "randomnormallike", "randomuniform", "randomuniformlike", "multinomial", "bernoulli",
          "varhandle", "readvariable", "assignvariable", "callonce"}


def size(tensor):
    if "bytes" in tensor:
        return tensor["bytes"]
    count = 1
    for extent in tensor.get("shape", []):
        if extent < 0:
            return None
        count *= extent
    return (count * BITS[tensor["dtype"]] + 7) // 8 if tensor.get("dtype") in BITS else None


def plain(kind):
    return kind.replace("_", "").lower()


class Count:
    def __init__(self, function, threshold):
        self.tensors, self.ops, self.outputs, self.changing = {}, [], set(), set()
        self.threshold, self.dead = threshold, set()
        self.region(function, outermost=True)

    def region(self, region, outermost=False):
        """Lists ops in order, those of inner regions after the op that holds them."""
        for tensor in region.get("tensors", []):
            self.tensors[tensor["name"]] = tensor
        if not outermost:
            self.changing.update(region.get("inputs", []))
        self.outputs.update(region.get("outputs", []))
        for op in region.get("ops", []):
            inner = [r for r in [op.get("cond"), op.get("body"), *op.get("branches", [])] if r]
            self.ops.append((op, bool(inner) or op["kind"] == "call"))
            for carry in op.get("carries", []):
                self.outputs.add(carry["from"])
            for each in inner:
                self.region(each)

    def run(self):
        roots, sources, folded = {}, {}, {}
        for name, tensor in self.tensors.items():
            if tensor.get("kind") == "constant" and name not in self.changing:
                roots[name] = {name}
        for op, control in self.ops:
            inputs, outputs = op.get("inputs", []), op.get("outputs", [])
            pure = not control and outputs and plain(op["kind"]) not in IMPURE and ":" not in op["kind"].replace("com.microsoft:", "")
            if not pure or any(i not in roots for i in inputs):
                continue
            if not inputs and "available" not in self.tensors[outputs[0]]:
                behind = set()
            elif not inputs:
                behind = set(outputs)
            else:
                behind = set().union(*(roots[i] for i in inputs))
            sizes = [size(self.tensors[o]) for o in outputs]
            if not inputs or not behind:
                sources[op["name"]] = op
                for o in outputs:
                    roots[o] = {o} if not inputs and behind else set()
                continue
            if None in sizes or max(sizes) > self.threshold * sum(size(self.tensors[r]) or 0 for r in behind):
                continue
            folded[op["name"]] = op
            for o in outputs:
                roots[o] = behind
        self.prune(folded, sources)
        moved = [op for op, _ in self.ops if op["name"] in folded and plain(op["kind"]) not in VIEWS]
        held = set()
        for op in folded.values():
            held.update(*(roots[i] for i in op["inputs"]))
        return {"folded": [op["name"] for op, _ in self.ops if op["name"] in folded and op["name"] not in sources],
                "ops": len([op for op in moved if op.get("inputs")]),
                "bytes": sum(self.traffic(op) for op in moved if op.get("inputs")),
                "roots": sum(size(self.tensors[r]) or 0 for r in held)}

    def prune(self, folded, sources):
        """What only dead ops read is not folded; a source moves when all its readers have."""
        readers = {}
        for op, _ in self.ops:
            for i in op.get("inputs", []):
                readers.setdefault(i, set()).add(op["name"])
        for op, _ in reversed(self.ops):
            if op["name"] not in folded and op["name"] not in sources:
                continue
            users = set().union(*(readers.get(o, set()) for o in op["outputs"]))
            out = any(o in self.outputs for o in op["outputs"])
            if op["name"] in sources:
                if users and not out and users <= set(folded):
                    folded[op["name"]] = op
            elif not out and all(u in self.dead for u in users):
                del folded[op["name"]]
                self.dead.add(op["name"])

    def traffic(self, op):
        return sum(size(self.tensors[t]) or 0 for t in [*set(op.get("inputs", [])), *op["outputs"]])


if __name__ == "__main__":
    program = json.load(open(sys.argv[1]))
    threshold = float(sys.argv[2]) if len(sys.argv) > 2 else 8.0
    called = {op.get("callee") for f in program["functions"] for op in f.get("ops", [])}
    print(json.dumps({f["name"]: Count(f, threshold).run() for f in program["functions"] if f["name"] not in called}))
