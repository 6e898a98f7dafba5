"""Measures the figures that the README claims, and tells which no longer hold.

A claim is a figure that must not be exceeded. Sizes and counts are exact. Ratios and times may be half as much again: other machines, and
what else runs on this one, count for that; the table says how much equal runs differed here. Times of other programs are quoted, not
measured, unless their program is given.
"""
import argparse
import dataclasses
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time

SLACK = 1.5


@dataclasses.dataclass
class Claim:
    what: str
    command: list  # the program in build/bin, and its arguments
    limit: float
    unit: str
    find: object  # a figure from the output: a pattern with one group, or (benchmark, counter)
    exact: bool = False
    slow: bool = False  # takes more than half a minute
    least: bool = False  # must not be below the limit, instead of not above it


def bench(name, counter):
    return name, counter


EXACT_ROW = r"^{}\s+(?:\S+\s+){{{}}}(\S+)"


def row(letter, column):
    """The column (from 0) after the first word of a line that begins with `letter`."""
    return re.compile(EXACT_ROW.format(letter, column), re.M)


PLANNERS = ["bench_planners", "--benchmark_format=json"]
PIPELINE = ["bench_pipeline", "--benchmark_format=json"]
FRAMES = ["bench_frames", "--benchmark_format=json", "--benchmark_filter=(pan|zoom|point|hit)/1000000"]
FOLD = ["bench_fold", "--benchmark_format=json", "--benchmark_filter=^small|^module|^literal"]
CLAIMS = [
    Claim("1,000,000 buffers, greedy-by-size", PLANNERS + ["--benchmark_filter=^greedy-by-size/even/1000000"], 9.8, "x sorting them",
          bench("greedy-by-size/even/1000000", "sorts")),
    Claim("A to K into 1,048,576 B, exact: MiniMalloc's published seconds", ["bench_exact", "fit"], 138, "x (mean)",
          re.compile(r"geometric mean of the ratios: (\d+)"), least=True),
    Claim("A to K, hill-climb", ["bench_exact", "--seconds", "2", "peers"], 1.185, "x bound (mean)", row("mean", 0), exact=True),
    Claim("A to K, boxing", ["bench_exact", "--seconds", "2", "peers"], 1.365, "x bound (mean)", row("mean", 2), exact=True),
    Claim("J, auto in 2 s", ["bench_exact", "--seconds", "2", "peers"], 1.0, "x bound", row("J", 3), exact=True),
    Claim("smallest size of D, exact", ["bench_exact", "--seconds", "60", "smallest"], 986_112, "B", row("D", 0), exact=True, slow=True),
    Claim("smallest size of J, exact, 60 s", ["bench_exact", "--seconds", "60", "smallest"], 1_013_760, "B", row("J", 0), exact=True, slow=True),
    Claim("idealloc's Y (62,185 buffers), auto, 5 s", ["bench_exact", "--seconds", "5", "large"], 1.0, "x bound",
          re.compile(r"^\S*[Yy]\S*\s+62185\s+\d+\s+(\S+)", re.M), exact=True, slow=True),
    Claim("frame, pan, 1,000,000 buffers", FRAMES, 35, "x a memset of it", bench("pan/1000000", "memsets")),
    Claim("frame, zoom, 1,000,000 buffers", FRAMES, 41, "x a memset of it", bench("zoom/1000000", "memsets")),
    Claim("frame, pan, 1,000,000 buffers", FRAMES, 16, "ms", bench("pan/1000000", "median_ms")),
    Claim("frame, zoom, 1,000,000 buffers", FRAMES, 16, "ms", bench("zoom/1000000", "median_ms")),
    Claim("hit test, 1,000,000 buffers", FRAMES, 0.0025, "ms", bench("hit/1000000", "median_ms")),
    Claim("fold of a small MLIR module, start to end", FOLD, 26, "ms (CPU)", bench("smallModule", "processor_ms")),
    Claim("fold of a small program, start to end", FOLD, 17, "ms (CPU)", bench("smallProgram", "processor_ms")),
    Claim("fold of an MLIR module of 20,000 ops", FOLD, 750, "ms (CPU)", bench("moduleOfOps/20000", "processor_ms")),
    Claim("fold of a literal of 64 MiB", FOLD, 480, "ms (CPU)", bench("literal/64", "processor_ms")),
    Claim("fold of a literal of 64 MiB, the process that asks", FOLD, 24, "MB", bench("literal/64", "own_MB")),
    Claim("1,000,000 frames of 8 stages simulated", PIPELINE + ["--benchmark_filter=simulateChain"], 5, "s",
          bench("simulateChain/1000000/8", "real_time")),
    Claim("1,000,000 frames of 8 stages simulated: events", PIPELINE + ["--benchmark_filter=simulateChain"], 15_000_000, "events",
          bench("simulateChain/1000000/8", "events"), exact=True),
    Claim("graphs of libnnc, nnc-size-first above it", ["bench_nnc"], 0, "graphs", "libnnc", exact=True, slow=True),
]


def output_of(build, command, cache):
    key = tuple(command)
    if key not in cache:
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
        run = subprocess.run([os.path.join(build, "bin", command[0]), *command[1:]], capture_output=True, text=True, env=environment)
        cache[key] = run.stdout if run.returncode == 0 else ""
    return cache[key]


def figure(claim, text):
    """The measured figure, or None where the output has none (an input is absent, a program failed)."""
    try:
        if claim.find == "libnnc":
            pairs = re.findall(r"figure is known of (\d+): nnc-size-first is no larger on (\d+)", text)
            return float(sum(int(all_) - int(good) for all_, good in pairs)) if pairs else None
        if isinstance(claim.find, tuple):
            name, counter = claim.find
            found = [b[counter] for b in json.loads(text)["benchmarks"] if b["name"].startswith(name) and counter in b]
            return float(found[0]) if found else None
        found = claim.find.search(text)
        return float(found.group(1)) if found else None
    except (ValueError, KeyError):
        return None


def noise():
    """How much five equal runs of a loop differ: (slowest - fastest) / median."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        sum(i * i for i in range(1_000_000))
        times.append(time.perf_counter() - start)
    return (max(times) - min(times)) / statistics.median(times)


def machine():
    name = platform.machine()
    try:
        with open("/proc/cpuinfo") as info:
            name = next(line.split(":", 1)[1].strip() for line in info if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", required=True, help="build folder")
    parser.add_argument("--quick", action="store_true", help="leave out what takes more than half a minute")
    parser.add_argument("--json", metavar="FILE", help="write the rows to a file as well")
    options = parser.parse_args()
    rows, cache = [], {}
    print(f"Machine: {machine()}; equal runs differ by {noise():.0%} before", flush=True)
    for claim in CLAIMS:
        if claim.slow and options.quick:
            continue
        measured = figure(claim, output_of(options.build, claim.command, cache))
        slack = 1 if claim.exact else SLACK
        if measured is None:
            verdict = "not measured"
        elif claim.least:
            verdict = "holds" if measured >= claim.limit / slack else "FAILS"
        else:
            verdict = "holds" if measured <= claim.limit * slack * (1 + 1e-3) else "FAILS"
        rows.append({"what": claim.what, "claimed": claim.limit, "measured": measured, "unit": claim.unit, "verdict": verdict,
                     "command": " ".join(claim.command)})
        shown = "-" if measured is None else f"{measured:,.6g}"
        bound = ("at least " if claim.least else "") + f"{claim.limit:,.10g}"
        print(f"{verdict:13} {claim.what:66} {bound:>16} {shown:>14} {claim.unit:16} {claim.command[0]}", flush=True)
    print(f"Equal runs differ by {noise():.0%} after; ratios and times may be {SLACK} times the claim, sizes and counts may not")
    if options.json:
        with open(options.json, "w") as out:
            json.dump({"machine": machine(), "rows": rows}, out, indent=1)
    failed = [r for r in rows if r["verdict"] == "FAILS"]
    if failed:
        print(f"{len(failed)} of {len(rows)} claims no longer hold: " + "; ".join(r["what"] for r in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
