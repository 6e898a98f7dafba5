#!/usr/bin/env python3
"""Writes a made-up network in the forms in which other compilers and runtimes tell about their memory, each from the facts of the
format: XLA's buffer assignment and live ranges, an ExecuTorch memory profile and program, IREE's slices, and a DSA problem.

The network is a chain of convolutions with two residual branches. Its places are those of a planner that takes the largest tensor first
and the lowest gap that is wide enough, as most runtimes do.
The program (.pte) is made by flatc from the schema of the reader: generate.py PATH/OF/program.fbs
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ALIGNMENT = 64
STEPS = 9
# name, f32 elements, first step, last step (inclusive)
TENSORS = [
    ("image", 3 * 32 * 32, 0, 1),
    ("conv1", 8 * 32 * 32, 1, 2),
    ("conv2", 16 * 16 * 16, 2, 5),
    ("conv3", 16 * 16 * 16, 3, 4),
    ("conv4", 24 * 16 * 16, 4, 5),
    ("sum1", 16 * 16 * 16, 5, 8),
    ("wide", 56 * 16 * 8, 6, 7),
    ("narrow", 16 * 16 * 16, 7, 8),
    ("sum2", 16 * 16 * 16, 8, 8),
]


def rounded(size, multiple=ALIGNMENT):
    return -(-size // multiple) * multiple


def first_fit():
    """Offsets by name, the largest tensor first, and the bytes that they take."""
    placed = []
    for name, elements, first, last in sorted(TENSORS, key=lambda it: -it[1]):
        size = rounded(4 * elements)
        offset = 0
        for other, begin, end, low, high in sorted(placed, key=lambda it: it[3]):
            if begin <= last and first <= end and offset < high and low < offset + size:
                offset = high
        placed.append((name, first, last, offset, offset + size))
    return {it[0]: it[3] for it in placed}, max(it[4] for it in placed)


def xla(folder, offsets, total):
    lines = ["BufferAssignment:", f"allocation 0: size {total}, preallocated-temp:"]
    for number, (name, elements, _, _) in enumerate(TENSORS, 1):
        lines.append(f" value: <{number} {name} @0> (size={4 * elements},offset={offsets[name]}): f32[{elements}]{{0}}")
    lines += ["", f"Total bytes used: {total} ({total / 1024:.1f}KiB)", ""]
    (folder / "residual-buffer-assignment.txt").write_text("\n".join(lines))
    lines = [f"HloLiveRange (max {STEPS}):", "  InstructionSequence:"]
    lines += [f"    {step}:op{step}" for step in range(STEPS)] + ["  BufferLiveRange:"]
    lines += [f"    {name}{{}}:{first}-{last}" for name, _, first, last in TENSORS]
    (folder / "residual-live-range.txt").write_text("\n".join(lines) + "\n")


def profile(folder, offsets):
    events = []
    for step in range(STEPS):
        for name, elements, first, last in TENSORS:
            if first <= step <= last:
                events.append({"name": name, "cat": "memory_allocation", "ph": "X", "ts": offsets[name], "dur": 4 * elements, "pid": 1,
                               "tid": step, "args": {"op_name": name, "Memory ID": 1, "bytes": 4 * elements}})
    rows = ",\n".join("  " + json.dumps(event) for event in events)
    (folder / "residual_memory_profile.json").write_text('{"traceEvents": [\n' + rows + "\n]}\n")


def iree(folder):
    lines = ["util.func public @residual(%offset: index) -> index {"]
    sizes = sorted({4 * elements for _, elements, _, _ in TENSORS})
    lines += [f"  %c{size} = arith.constant {size} : index" for size in sizes]
    lines.append(f"  %t:{len(TENSORS) + 1} = stream.resource.pack offset(%offset) slices({{")
    lines += [f"    [{first}, {last}] = %c{4 * elements}," for _, elements, first, last in TENSORS]
    lines += ["  }) : index", "  util.return %t#0 : index", "}"]
    (folder / "residual_pack.mlir").write_text("\n".join(lines) + "\n")


def dsa(folder):
    buffers = [{"id": number, "name": name, "size": 4 * elements, "alignment": ALIGNMENT,
                "live_intervals": [{"lower": first, "upper": last + 1}], "allowed_pools": [0]}
               for number, (name, elements, first, last) in enumerate(TENSORS)]
    document = {"schema_version": 1, "profile": "pypto_research_v1", "instance": "residual", "metadata": {}, "problem": {
        "pools": [{"id": 0, "name": "arena", "capacity": None, "reserved_ranges": [], "bank_geometry": None}],
        "buffers": buffers,
        "constraints": {"colocations": [], "separations": [{"first": 0, "second": 8, "reasons": ["generic"]}],
                        "temporal_exclusions": [], "pinned_allocations": []},
        "cost_model": {"reuse_penalties": [{"first": 1, "second": 4, "cost": 4096, "reason": "cross_pipe"},
                                           {"first": 2, "second": 6, "cost": 1024, "reason": "cross_pipe"}]},
        "objective": {"aggregation": "lexicographic", "terms": ["total_peak", "reuse_cost"]}}}
    (folder / "residual.dsa.json").write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")


def executorch(folder, offsets, total, schema):
    """An instruction for each step but the first, whose tensor is the input."""
    number = {name: i for i, (name, _, _, _) in enumerate(TENSORS)}
    values = [{"value_type": "Tensor", "value": {
        "scalar_type": 6, "sizes": [elements],
        "allocation": {"memory_id": 1, "offset_low": offsets[name], "offset_high": 0}}} for name, elements, _, _ in TENSORS]
    instructions = []
    for step in range(1, STEPS):
        made = [name for name, _, first, _ in TENSORS if first == step]
        read = [name for name, _, first, last in TENSORS if first < step and last == step]
        args = [number[name] for name in read + made + made]
        instructions.append({"arguments_type": "KernelCall", "arguments": {"op": 0, "args": args}})
    program = {"execution_plan": [{
        "name": "forward", "values": values, "inputs": [number["image"]], "outputs": [number["sum2"]],
        "chains": [{"instructions": instructions}], "operators": [{"name": "sample::op", "overload": "out"}],
        "non_const_buffer_sizes": [0, total]}]}
    with tempfile.TemporaryDirectory() as temporary:
        text = pathlib.Path(temporary, "residual.json")
        text.write_text(json.dumps(program))
        fbs = pathlib.Path(temporary, "program.fbs") # the identifier changes with ExecuTorch's versions, so the reader's schema has none
        fbs.write_text(pathlib.Path(schema).read_text() + 'file_identifier "ET12";\n')
        subprocess.run(["flatc", "--binary", "-o", temporary, str(fbs), str(text)], check=True)
        (folder / "residual.pte").write_bytes(pathlib.Path(temporary, "residual.bin").read_bytes())


def main():
    folder = pathlib.Path(__file__).resolve().parent
    offsets, total = first_fit()
    xla(folder, offsets, total)
    profile(folder, offsets)
    iree(folder)
    dsa(folder)
    if len(sys.argv) > 1:
        executorch(folder, offsets, total, sys.argv[1])


if __name__ == "__main__":
    main()
