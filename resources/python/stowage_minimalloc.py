"""Stowage behind MiniMalloc's Python interface (minimalloc 0.1.0): a program that says `import stowage_minimalloc as minimalloc`
plans with Stowage's exact search."""

from __future__ import annotations

import csv
import io
import pathlib
import threading
import time
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

    def as_stowage(self, shift: int, before: int, after: int) -> stowage.Buffer:
        """Moves all steps by `shift`. The buffer may use the steps `before` and `after`, in which no other buffer is live.

        Stowage requires a live range, and one on each side of a window. Where the gaps leave none, one of the two steps is added:
        the buffer conflicts with no other there.
        """
        def moved(lifespan: Lifespan) -> tuple[int, int]:
            return lifespan.lower + shift, lifespan.upper + shift
        gaps = sorted(((moved(gap.lifespan), gap.window) for gap in self.gaps), key=lambda gap: gap[0])
        first, last = moved(self.lifespan)
        edges = [first, *(step for steps, _ in gaps for step in steps), last]
        live = [(begin, end) for begin, end in zip(edges[::2], edges[1::2]) if begin < end]
        windows = [stowage.Window(steps, part.lower, part.upper) for steps, part in gaps if part]
        if not live or (windows and windows[0].live < live[0]):
            live.insert(0, (before, before + 1))
        if windows and windows[-1].live > live[-1]:
            live.append((after, after + 1))
        return stowage.Buffer(self.id, self.size, live, self.alignment, offset=self.offset, windows=windows)


@dataclass
class Problem:
    buffers: list[Buffer]
    capacity: int = 0

    def as_stowage(self, capacity: Optional[int]) -> stowage.Problem:
        """Buffer i has the steps i and `after` + i to itself."""
        shift = len(self.buffers) - min((buffer.lifespan.lower for buffer in self.buffers), default=0)
        after = shift + max((buffer.lifespan.upper for buffer in self.buffers), default=0)
        buffers = [buffer.as_stowage(shift, index, after + index) for index, buffer in enumerate(self.buffers)]
        return stowage.Problem(buffers, [stowage.Pool("arena", capacity)])


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
        """None: infeasible, or stopped without a solution. With `minimize_capacity` a stopped search gives its best solution."""
        self._start()
        return self._search(problem, self._limit(), "minimise" if self._params.minimize_capacity else "fit")[0]

    def cancel(self) -> None:
        """Ends the search that runs, within a tenth of a second."""
        self._cancelled.set()

    def _start(self) -> None:
        self._cancelled.clear()
        self._work = 0

    def _limit(self) -> Optional[float]:
        return getattr(self._params.timeout, "total_seconds", lambda: self._params.timeout)()

    def _search(self, problem: Problem, limit: Optional[float], goal: str) -> tuple[Optional[Solution], bool]:
        """A solution within the capacity and `limit` seconds, or None; and whether it is proved that there is none."""
        before = self._work

        def told(progress: stowage.Progress) -> None:
            self._work = before + progress.work
        subject = problem.as_stowage(problem.capacity)
        options = {"goal": goal}
        plan = stowage.plan(subject, planner="exact", options=options, time_limit=limit, progress=told, cancelled=self._cancelled)
        if not plan.fits:
            self._work = max(self._work, before + 1)
            return None, plan.infeasible
        return Solution([plan.offsets[buffer.id] for buffer in problem.buffers], plan.size), False

    def get_backtracks(self) -> int:
        """The nearest figure that this search has: placements tried until its last better plan; at least 1 without a solution."""
        return self._work

    def compute_irreducible_infeasible_subset(self, problem: Problem) -> Optional[list[int]]:
        """Indices of buffers that do not fit together, while they do without any one of them; empty if all buffers fit.

        None: timed out, or cancelled. The time limit is that of all searches together.
        """
        self._start()
        limit = self._limit()
        end = None if limit is None else time.monotonic() + limit
        kept = list(range(len(problem.buffers)))
        for removed in (None, *kept):  # first all buffers, then without each one
            tried = [index for index in kept if index != removed]
            left = None if end is None else max(end - time.monotonic(), 1e-6)
            solution, proved = self._search(Problem([problem.buffers[index] for index in tried], problem.capacity), left, "fit")
            if self._cancelled.is_set() or (solution is None and not proved):
                return None
            if proved:
                kept = tried
            elif removed is None:
                return []
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
    subject = problem.as_stowage(None)
    offsets = dict(zip((buffer.id for buffer in problem.buffers), solution.offsets))
    judged = stowage.check(subject, offsets)
    height = max((offset + buffer.size for buffer, offset in zip(problem.buffers, solution.offsets)), default=0)
    return BAD_OVERLAP if not judged.valid else GOOD if height == solution.height else BAD_HEIGHT


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
