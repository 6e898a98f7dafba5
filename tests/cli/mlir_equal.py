#!/usr/bin/env python3
"""Runs a module and its folded forms in MLIR's JIT and in Stowage's interpreter on the same data and compares all bit for bit.

usage: mlir_equal.py BIN STOWAGE_CLI INTERPRETER READER MODULE MODE ...

BIN has mlir-opt and mlir-cpu-runner; INTERPRETER is mlir_interpreter of the tests, READER the library that it loads. Each MODE of
fold gives one folded form, in which the fold functions run first and hand their tensors to the new entry, as a run-time does in the
first execution. Prints for each mode the number of elements compared; status 0: equal, 1: not equal, 2: it did not run.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

LOWER_PACKS = """module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %packs = transform.structured.match ops{["tensor.pack"]} in %m : (!transform.any_op) -> !transform.op<"tensor.pack">
    %a, %b, %c = transform.structured.lower_pack %packs : (!transform.op<"tensor.pack">)
      -> (!transform.op<"tensor.pad">, !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    %unpacks = transform.structured.match ops{["tensor.unpack"]} in %m : (!transform.any_op) -> !transform.op<"tensor.unpack">
    %d, %e, %f, %g = transform.structured.lower_unpack %unpacks : (!transform.op<"tensor.unpack">)
      -> (!transform.op<"tensor.empty">, !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">,
          !transform.op<"tensor.extract_slice">)
    transform.yield
  }
}
"""
PASSES = ["--canonicalize=region-simplify=disabled", "--convert-elementwise-to-linalg", "--empty-tensor-to-alloc-tensor",
          "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map",
          "--convert-linalg-to-loops", "--arith-expand=include-bf16", "--expand-strided-metadata", "--lower-affine",
          "--convert-scf-to-cf", "--convert-math-to-llvm", "--convert-math-to-libm", "--convert-index-to-llvm",
          "--convert-arith-to-llvm", "--finalize-memref-to-llvm", "--convert-func-to-llvm", "--convert-cf-to-llvm",
          "--reconcile-unrealized-casts"]


class DidNotRun(Exception):
    pass


def run(command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise DidNotRun(f"{command[0]}: {done.stderr[:2000]}")
    return done.stdout


def split(text):
    """At commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        if c in "<([{":
            depth += 1
        elif c in ">)]}" and text[i - 1] != "-":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in parts + [text[start:]] if p.strip()]


def signature(text, name):
    found = re.search(r"func\.func (?:private |public )?@%s\((.*?)\)(?: -> (\(.*?\)|tensor<[^>]*>))?(?: attributes \{.*?\})? \{" % name, text)
    if not found:
        return None
    arguments = [re.sub(r"\s*\{.*\}$", "", part.split(":", 1)[1].strip()) for part in split(found[1])]
    results = (found[2] or "").strip()
    return arguments, split(results[1:-1]) if results.startswith("(") else [results] if results else []


def element(tensor):
    return re.match(r"tensor<(?:\d+x)*([a-z0-9]+)>$", tensor)[1]


def dims(tensor):
    return [int(n) for n in re.findall(r"(\d+)x", tensor)]


class Driver:
    """The text of a main function."""

    def __init__(self):
        self.lines, self.count = [], 0

    def new(self, text):
        self.count += 1
        self.lines.append(f"    %v{self.count} = {text}")
        return f"%v{self.count}"

    def data(self, position, tensor):
        """Small numbers of both signs that differ from element to element and from argument to argument."""
        rank, kind = len(dims(tensor)), element(tensor)
        names = ", ".join(f"%i{d}: index" for d in range(rank))
        body = [f"^bb0({names}):", f"%s = arith.constant {position * 29 + 11} : index"]
        last = "%s"
        for d in range(rank):
            body += [f"%c{d} = arith.constant {(37, 11, 5, 3)[d % 4]} : index", f"%m{d} = arith.muli %i{d}, %c{d} : index",
                     f"%a{d} = arith.addi {last}, %m{d} : index"]
            last = f"%a{d}"
        body += ["%n = arith.constant 127 : index", f"%r = arith.andi {last}, %n : index", "%x = arith.index_cast %r : index to i32",
                 "%h = arith.constant 64 : i32", "%y = arith.subi %x, %h : i32"]
        if kind.startswith("i"):
            width = 64 if kind == "index" else int(kind[1:])
            body += [f"%z = arith.{'trunci' if width < 32 else 'extsi'} %y : i32 to {kind}"] if width != 32 else []
            value = "%y" if width == 32 else "%z"
        else:
            body += ["%f = arith.sitofp %y : i32 to f32", "%q = arith.constant 0.0390625 : f32", "%g = arith.mulf %f, %q : f32"]
            value = "%g"
            if kind != "f32":
                body += [f"%z = arith.{'extf' if kind == 'f64' else 'truncf'} %g : f32 to {kind}"]
                value = "%z"
        body.append(f"tensor.yield {value} : {kind}")
        return self.new("tensor.generate {\n      " + "\n      ".join(body) + f"\n    }} : {tensor}")

    def call(self, name, arguments, types, results):
        if not results:
            return []
        self.count += 1
        base = f"%v{self.count}"
        self.lines.append(f"    {base}:{len(results)} = func.call @{name}({', '.join(arguments)}) : ({', '.join(types)}) -> ({', '.join(results)})")
        return [f"{base}#{i}" for i in range(len(results))]

    def show(self, value, tensor):
        kind, shape = element(tensor), "x".join(map(str, dims(tensor)))
        width = {"f32": 32, "bf16": 16, "f16": 16}.get(kind) or int(kind[1:])
        bits = f"tensor<{shape}xi{width}>"
        if not kind.startswith("i"):
            value = self.new(f"arith.bitcast {value} : {tensor} to {bits}")
        if width < 32:
            value = self.new(f"arith.extui {value} : {bits} to tensor<{shape}xi32>")
        wide = self.new(f"tensor.cast {value} : tensor<{shape}xi32> to tensor<*xi32>")
        self.lines.append(f"    func.call @printMemrefI32({wide}) : (tensor<*xi32>) -> ()")


def whole(text, driver):
    body = "\n".join(driver.lines)
    end = text.rstrip().rfind("}")
    return (text[:end] + "  func.func private @printMemrefI32(tensor<*xi32>) attributes {llvm.emit_c_interface}\n"
            "  func.func @main() {\n" + body + "\n    return\n  }\n}\n")


def compiled(tools, folder, module):
    (folder / "lower.mlir").write_text(LOWER_PACKS)
    lowered = run([f"{tools}/mlir-opt", f"--transform-preload-library=transform-library-paths={folder}/lower.mlir",
                   "--transform-interpreter", *PASSES, "-"], module)
    libraries = ",".join(f"{tools}/../lib/lib{name}.so" for name in ("mlir_runner_utils", "mlir_c_runner_utils"))
    out = run([f"{tools}/mlir-cpu-runner", "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries}", "-"], lowered)
    return [int(n) for n in re.findall(r"-?\d+", re.sub(r"(?m)^Unranked.*$", "", out))]


def interpreted(interpreter, reader, folder, module):
    (folder / "whole.mlir").write_text(module)
    return [int(n) for n in run([interpreter, reader, f"{folder}/whole.mlir"]).split()]


class Subject:
    """The original module of one file; it runs once, whatever the count of modes."""

    def __init__(self, tools, stowage, interpreter, reader, path, folder):
        self.tools, self.stowage, self.interpreter, self.reader, self.path, self.folder = tools, stowage, interpreter, reader, path, folder
        self.text = run([f"{tools}/mlir-opt", path])
        self.shown = {}  # by entry function

    def both(self, form, module):
        return [(f"the {form} module, compiled", compiled(self.tools, self.folder, module)),
                (f"the {form} module, interpreted", interpreted(self.interpreter, self.reader, self.folder, module))]

    def original(self, entry):
        if entry not in self.shown:
            driver = Driver()
            arguments, results = signature(self.text, entry)
            values = [driver.data(i, tensor) for i, tensor in enumerate(arguments)]
            for value, tensor in zip(driver.call(entry, values, arguments, results), results):
                driver.show(value, tensor)
            self.shown[entry] = self.both("original", whole(self.text, driver))
        return self.shown[entry]

    def folded(self, mode):
        """The name of the entry function, and what the folded form gives."""
        options = ["--planner", "greedy-by-size", "--mode", mode]
        report = json.loads(run([self.stowage, "fold", self.path, "--format", "json", *options]))
        run([self.stowage, "fold", self.path, "-o", f"{self.folder}/folded.mlir", *options])
        text = run([f"{self.tools}/mlir-opt", f"{self.folder}/folded.mlir"])
        function = report["functions"][0]
        entry = function["name"]
        arguments, results = signature(self.text, entry)
        driver = Driver()
        values = [driver.data(i, tensor) for i, tensor in enumerate(arguments)]
        made = {}
        for place in ("compiletime_fold", "runtime_fold"):
            found = signature(text, place)
            if not found:
                continue
            taken = [values[i] for i in function["arguments"][place]]
            taken += [made[t["id"]] for t in function["folded"]
                      if place == "runtime_fold" and t["made_by"] == "compiletime_fold" and "runtime_fold" in t["read_by"]]
            outputs = driver.call(place, taken, *found)
            made.update(zip((t["id"] for t in function["folded"] if t["made_by"] == place), outputs))
        given = [values[i] for i in function["arguments"]["entry"]]
        given += [made[t["id"]] for t in function["folded"] if t["made_by"] != "compiler" and "entry" in t["read_by"]]
        for value, tensor in zip(driver.call(entry, given, signature(text, entry)[0], results), results):
            driver.show(value, tensor)
        return entry, self.both("folded", whole(text, driver))

    def differs(self, mode):
        entry, folded = self.folded(mode)
        (first, expected), *others = self.original(entry) + folded
        print(f"{mode}: {len(expected)} elements compared")
        if not expected:
            raise DidNotRun(f"{mode}: there are no results")
        for name, numbers in others:
            if numbers == expected:
                continue
            at = next((i for i, pair in enumerate(zip(numbers, expected)) if pair[0] != pair[1]), min(len(numbers), len(expected)))
            print(f"{mode}: {name}, differs from {first} at element {at} of {len(numbers)}: {numbers[at:at + 3]} and {expected[at:at + 3]}")
            return True
        return False


def main():
    tools, stowage, interpreter, reader, path, *modes = sys.argv[1:]
    if not modes:
        raise DidNotRun("no mode is named")
    with tempfile.TemporaryDirectory() as name:
        subject = Subject(tools, stowage, interpreter, reader, path, pathlib.Path(name))
        return 1 if any([subject.differs(mode) for mode in modes]) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DidNotRun as error:
        print(error, file=sys.stderr)
        sys.exit(2)
