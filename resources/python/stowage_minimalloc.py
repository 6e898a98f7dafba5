"""Stowage behind MiniMalloc's Python interface (minimalloc 0.1.0): a program that says `import stowage_minimalloc as minimalloc`
plans with Stowage's exact search."""

from __future__ import annotations

import csv
import io
import pathlib
import threading
from dataclasses import dataclass, field
from typing import Any, Optional

import stowage

GOOD, BAD_SOLUTION, BAD_FIXED, BAD_OFFSET, BAD_OVERLAP, BAD_ALIGNMENT, BAD_HEIGHT = range(7)


@dataclass(order=True)
class Lifespan:
    lower: int
    upper: int  # exclusive


Window = Lifespan  # of bytes, from the buffer's offset


@dataclass
class Gap:
    lifespan: Lifespan
    window: Optional[Window] = None


@dataclass
class Buffer:
    id: str
    lifespan: Lifespan
    size: int
    alignment: int = 1
    gaps: list[Gap] = field(default_factory=list)
    offset: Optional[int] = None
    hint: Optional[int] = None  # not used: the search needs none

    def as_stowage(self) -> stowage.Buffer:
        gaps = sorted((gap.lifespan.lower, gap.lifespan.upper, gap.window) for gap in self.gaps)
        edges = [self.lifespan.lower, *(step for gap in gaps for step in gap[:2]), self.lifespan.upper]
        live = [(begin, end) for begin, end in zip(edges[::2], edges[1::2]) if begin < end]
        windows = [stowage.Window((begin, end), part.lower, part.upper) for begin, end, part in gaps if part]
        return stowage.Buffer(self.id, self.size, live, self.alignment, offset=self.offset, windows=windows)


@dataclass
class Problem:
    buffers: list[Buffer]
    capacity: int = 0

    def as_stowage(self, capacity: Optional[int]) -> stowage.Problem:
        return stowage.Problem([buffer.as_stowage() for buffer in self.buffers], [stowage.Pool("arena", capacity)])


@dataclass
class Solution:
    offsets: list[int]
    height: int


class SolverParams:
    # `timeout` in seconds, or with total_seconds(). The switches of MiniMalloc's search mean nothing to this one.
    def __init__(self, timeout: Any = None, minimize_capacity: bool = False, **switches: Any) -> None:
        self.timeout, self.minimize_capacity, self.switches = timeout, minimize_capacity, switches


class Solver:
    def __init__(self, params: Optional[SolverParams] = None) -> None:
        self._params, self._cancelled, self._work = params or SolverParams(), threading.Event(), 0

    def solve(self, problem: Problem) -> Optional[Solution]:
        """None: infeasible, timed out, or cancelled."""
        def told(progress: stowage.Progress) -> None:
            self._work = progress.work
            if self._cancelled.is_set():
                raise stowage.Cancelled
        self._cancelled.clear()
        limit = getattr(self._params.timeout, "total_seconds", lambda: self._params.timeout)()
        subject = problem.as_stowage(None if self._params.minimize_capacity else problem.capacity)
        plan = stowage.plan(subject, planner="exact" if problem.buffers else "naive", time_limit=limit, progress=told)
        good = plan.fits and not self._cancelled.is_set()
        return Solution([plan.offsets[buffer.id] for buffer in problem.buffers], plan.size) if good else None

    def cancel(self) -> None:
        self._cancelled.set()

    def get_backtracks(self) -> int:
        return self._work  # the nearest figure that this search has: placements tried until its last better plan

    def compute_irreducible_infeasible_subset(self, problem: Problem) -> list[Buffer]:
        # They do not fit together, while they do without any one of them.
        if self.solve(problem) is not None:
            return []
        kept = problem.buffers
        for buffer in problem.buffers:
            without = [other for other in kept if other is not buffer]
            kept = without if self.solve(Problem(without, problem.capacity)) is None else kept
        return kept


def validate(problem: Problem, solution: Solution) -> int:
    """GOOD, or the first thing that is wrong. The height has to be exact."""
    if len(solution.offsets) != len(problem.buffers):
        return BAD_SOLUTION
    for buffer, offset in zip(problem.buffers, solution.offsets):
        if buffer.offset not in (None, offset):
            return BAD_FIXED
        if offset < 0 or offset + buffer.size > problem.capacity:
            return BAD_OFFSET
        if offset % buffer.alignment:
            return BAD_ALIGNMENT
    judged = stowage.check(problem.as_stowage(None), dict(zip((b.id for b in problem.buffers), solution.offsets)))
    return BAD_OVERLAP if not judged.valid else GOOD if judged.size == solution.height else BAD_HEIGHT


def from_csv(text: str) -> Problem:
    def pair(text: str, separator: str) -> Lifespan:
        return Lifespan(*map(int, text.split(separator)))
    buffers = []
    for row in csv.DictReader(io.StringIO(text)):
        words = [word.partition("@") for word in (row.get("gaps") or "").split()]
        gaps = [Gap(pair(steps, "-"), pair(window, ":") if window else None) for steps, _, window in words]
        offset, hint = (None if (row.get(key) or "-1") == "-1" else int(row[key]) for key in ("offset", "hint"))
        lower, upper, size, alignment = (int(row.get(key) or 1) for key in ("lower", "upper", "size", "alignment"))
        buffers.append(Buffer(row["id"], Lifespan(lower, upper), size, alignment, gaps, offset, hint))
    return Problem(buffers)


def to_csv(problem: Problem, solution: Optional[Solution] = None) -> str:
    writer = csv.writer(out := io.StringIO(), lineterminator="\n")
    writer.writerow(["id", "lower", "upper", "size", "alignment", "gaps", *(["offset"] if solution else [])])
    for index, buffer in enumerate(problem.buffers):
        gaps = [f"{g.lifespan.lower}-{g.lifespan.upper}" + (f"@{g.window.lower}:{g.window.upper}" if g.window else "") for g in buffer.gaps]
        row = [buffer.id, buffer.lifespan.lower, buffer.lifespan.upper, buffer.size, buffer.alignment, " ".join(gaps)]
        writer.writerow([*row, solution.offsets[index]] if solution else row)
    return out.getvalue()


def from_csv_file(path: str) -> Problem:
    return from_csv(pathlib.Path(path).read_text(encoding="utf-8"))


def to_csv_file(path: str, problem: Problem, solution: Optional[Solution] = None) -> None:
    pathlib.Path(path).write_text(to_csv(problem, solution), encoding="utf-8")
