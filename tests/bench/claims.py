"""Measures the figures that the README claims, and tells which no longer hold.

A claim is a figure that must not be exceeded. Sizes, counts and figures by work are exact. Ratios and times may be half as much again:
other machines, and what else runs on this one, count for that; the table says how much equal runs differed here. Peak memory of a process
may be a tenth more: it is claimed in two or three digits, and depends on what its threads hold at the same time. Times of other programs
are quoted, not measured.

A claim that was not measured does not hold, unless the reference models are absent (STOWAGE_SHARED_DIR, `../shared`).

`--check` measures nothing: it compares the claims with the README's table. Every figure in the column "measured" belongs to a claim, or
is quoted from elsewhere, and the column "repeat with" has the command of each claim; a test runs it.
"""
import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time

from claim_list import (CLAIMS, QUOTED, ROOT, SHARED, arenas_of_tflite_micro, environment, movenet_on_ranks, movenet_on_threads,
                        nested_csv, other_seeds, start_ups)

SLACK = 1.5
SLACK_OF_MEMORY = 1.1
UNITS_OF_MEMORY = ("MB", "MiB", "GB")


def measured_table(path):
    """The rows of the README's table: first cell, second cell."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rows = []
    for line in text[text.index("## Measured"):].split("\n## ")[0].splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if cells[0] not in ("what", "---"):
                rows.append(cells)
    return rows


def words_to_type(command):
    """The words of a command of a benchmark without its form of output and its default time."""
    words, rest = [], list(command)
    while rest:
        word = rest.pop(0)
        if word == "--seconds":
            rest.pop(0)
        elif not word.startswith("--benchmark_"):
            words.append(os.path.basename(word))
    return words


def faults_of(path):
    """What claims and README do not say alike."""
    faults, rows = [], measured_table(path)
    repeats = {nested_csv: "run.sh --only nested", arenas_of_tflite_micro: "run.sh --only \"public TFLite\"", other_seeds: "--seed 1",
               movenet_on_threads: "--frames 60", movenet_on_ranks: "--engine mpi", start_ups: "--measure-startup"}
    for claim in CLAIMS:
        matching = [cells for cells in rows if claim.row and cells[0].startswith(claim.row)]
        if claim.row and len(matching) != 1:
            faults.append(f"{claim.what}: {len(matching)} rows begin with '{claim.row}'")
        elif claim.row and claim.said not in matching[0][1]:
            faults.append(f"{claim.what}: its row does not say '{claim.said}'")
        elif claim.row:
            words = [repeats[claim.command[0]]] if callable(claim.command[0]) else words_to_type(claim.command)
            faults += [f"{claim.what}: its row does not repeat it with '{word}'" for word in words if word not in matching[0][2]]
    for cells in rows:
        rest = cells[1]
        names = [row for row in {claim.row for claim in CLAIMS} if row and cells[0].startswith(row)]
        words = [claim.said for claim in CLAIMS if claim.row in names] + [quote for row in names for quote in QUOTED.get(row, [])]
        for word in sorted(set(words), key=len, reverse=True):
            rest = rest.replace(word, " ", 1)
        rest = re.sub(r"`[^`]*`|[A-Za-z]+\d+", " ", rest)  # names
        for figure in re.findall(r"\d[\d.,]*", rest):
            faults.append(f"'{cells[0]}': no claim for {figure} in '{cells[1]}'")
    return faults


def output_of(build, command, cache, reasons):
    """What the command prints. Where it prints nothing, `reasons` says why, by the command."""
    if command not in cache:
        cache[command] = ""
        if callable(command[0]):
            try:
                cache[command] = command[0](build)
            except (OSError, ValueError, KeyError):
                reasons[command] = "an input is absent, or a program is not built"
        else:
            try:
                run = subprocess.run([os.path.join(build, "bin", command[0]), *command[1:]], capture_output=True, text=True,
                                     env=environment())
                if run.returncode in (0, 1):  # 1: the program finds a claim of its own broken
                    cache[command] = run.stdout
                else:
                    reasons[command] = f"{command[0]} ended with status {run.returncode}"
            except OSError as error:
                reasons[command] = f"{command[0]} does not start: {error.strerror}"
    return cache[command]


def figure(claim, text):
    """The measured figure, or None where the output has none (an input is absent, a program failed)."""
    try:
        if isinstance(claim.find, tuple):
            name, key = claim.find
            found = [b[key] for b in json.loads(text)["benchmarks"] if b["name"].startswith(name) and key in b]
            return float(found[0]) if found else None
        if callable(claim.find):
            value = claim.find(text)
            return None if value is None else float(value)
        found = claim.find.search(text)
        return float(found.group(1)) if found else None
    except (ValueError, KeyError, IndexError):
        return None


def verdict_of(claim, measured):
    if measured is None:
        return "not measured"
    slack = 1 if claim.exact else SLACK_OF_MEMORY if claim.unit in UNITS_OF_MEMORY else SLACK
    if claim.least:
        return "holds" if measured >= claim.limit / slack - claim.plus else "FAILS"
    return "holds" if measured <= claim.limit * slack + claim.plus + 1e-9 else "FAILS"


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
    parser.add_argument("--build", help="build folder")
    parser.add_argument("--quick", action="store_true", help="leave out what takes more than half a minute")
    parser.add_argument("--only", metavar="PART", default="", help="only claims whose text or row has this part")
    parser.add_argument("--json", metavar="FILE", help="write the rows to a file as well")
    parser.add_argument("--check", action="store_true", help="measure nothing; say which figures of the README have no claim")
    options = parser.parse_args()
    if options.check:
        faults = faults_of(os.path.join(ROOT, "README.md"))
        print("\n".join(faults) if faults else f"Every figure of the README's table has one of {len(CLAIMS)} claims.")
        return 1 if faults else 0
    if not options.build:
        parser.error("--build is missing")
    chosen = [claim for claim in CLAIMS if options.only in claim.row + " " + claim.what and not (claim.slow and options.quick)]
    if not chosen:
        parser.error(f"no claim{' that takes less than half a minute' if options.quick else ''} has the part '{options.only}'")
    rows, cache, reasons = [], {}, {}
    print(f"Machine: {machine()}; equal runs differ by {noise():.0%} before", flush=True)
    print(f"{'verdict':13} {'what':70} {'claimed':>16} {'measured':>12} {'ratio':>6} unit")
    for claim in chosen:
        measured = figure(claim, output_of(options.build, claim.command, cache, reasons))
        verdict = verdict_of(claim, measured)
        command = claim.command[0].__name__ if callable(claim.command[0]) else " ".join(claim.command)
        rows.append({"what": claim.what, "claimed": claim.limit, "measured": measured, "unit": claim.unit, "verdict": verdict,
                     "command": command})
        shown = "-" if measured is None else f"{measured:,.6g}"
        ratio = "" if measured is None or claim.limit == 0 else f"{measured / claim.limit:.2f}"
        bound = ("at least " if claim.least else "") + f"{claim.limit:,.10g}"
        print(f"{verdict:13} {claim.what:70} {bound:>16} {shown:>12} {ratio:>6} {claim.unit}", flush=True)
    print(f"Equal runs differ by {noise():.0%} after; ratios and times may be {SLACK} times the claim, peak memory {SLACK_OF_MEMORY} times, "
          "sizes, counts and figures by work may not")
    if options.json:
        with open(options.json, "w") as out:
            json.dump({"machine": machine(), "rows": rows}, out, indent=1)
    failed = [r for r in rows if r["verdict"] == "FAILS"]
    absent = [r for r in rows if r["verdict"] == "not measured"]
    excused = not os.path.isdir(SHARED)
    if absent:
        print(f"{len(absent)} of {len(rows)} claims were not measured: " + "; ".join(r["what"] for r in absent))
        for reason in sorted(set(reasons.values())):
            print(f"  {reason}")
        if excused:
            print(f"  there is no folder {SHARED} with the reference models: this counts as no failure")
    if failed:
        print(f"{len(failed)} of {len(rows)} claims no longer hold: " + "; ".join(r["what"] for r in failed))
    return 1 if failed or (absent and not excused) else 0


if __name__ == "__main__":
    sys.exit(main())
