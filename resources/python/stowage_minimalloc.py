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

    def as_stowage(self) -> stowage.Buffer:
        """Without live ranges where its gaps leave no step: MiniMalloc's validator lets such a buffer overlap any other."""
        gaps = sorted(((gap.lifespan.lower, gap.lifespan.upper, gap.window) for gap in self.gaps), key=lambda gap: gap[:2])
        first, last = self.lifespan.lower, self.lifespan.upper
        while gaps and gaps[0][0] == first and not gaps[0][2]:
            first = gaps.pop(0)[1]
        while gaps and gaps[-1][1] == last and not gaps[-1][2]:
            last = gaps.pop()[0]
        # A window needs a live range on both sides: at an end of the lifespan all bytes stay occupied, which is safe.
        gaps = [gap for gap in gaps if not gap[2] or (gap[0] > first and gap[1] < last)]
        edges = [first, *(step for gap in gaps for step in gap[:2]), last]
        live = [(begin, end) for begin, end in zip(edges[::2], edges[1::2]) if begin < end]
        windows = [stowage.Window((begin, end), part.lower, part.upper) for begin, end, part in gaps if part]
        return stowage.Buffer(self.id, self.size, live, self.alignment, offset=self.offset, windows=windows)


@dataclass
class Problem:
    buffers: list[Buffer]
    capacity: int = 0

    def as_stowage(self, capacity: Optional[int]) -> stowage.Problem:
        """The buffers that are live at some step."""
        buffers = [buffer.as_stowage() for buffer in self.buffers]
        return stowage.Problem([buffer for buffer in buffers if buffer.live], [stowage.Pool("arena", capacity)])


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
        self._cancelled.clear()
        return self._search(problem, self._limit())[0]

    def cancel(self) -> None:
        """Ends the search that runs, within a tenth of a second."""
        self._cancelled.set()

    def _limit(self) -> Optional[float]:
        return getattr(self._params.timeout, "total_seconds", lambda: self._params.timeout)()

    def _search(self, problem: Problem, limit: Optional[float]) -> tuple[Optional[Solution], bool]:
        """A solution within `limit` seconds, or None; and whether it is proved that there is none."""
        def told(progress: stowage.Progress) -> None:
            self._work = progress.work
        capacity = None if self._params.minimize_capacity else problem.capacity
        subject = problem.as_stowage(capacity)
        live = set(subject.buffers)
        offsets = {buffer.id: buffer.offset or 0 for buffer in problem.buffers if buffer.id not in live}
        top = max((offsets[buffer.id] + buffer.size for buffer in problem.buffers if buffer.id not in live), default=0)
        if capacity is not None and top > capacity:
            return None, True
        plan = stowage.plan(subject, planner="exact" if live else "naive", time_limit=limit, progress=told, cancelled=self._cancelled)
        if not plan.fits or self._cancelled.is_set():
            return None, plan.infeasible
        offsets.update(plan.offsets)
        return Solution([offsets[buffer.id] for buffer in problem.buffers], max(plan.size, top)), False

    def get_backtracks(self) -> int:
        return self._work  # the nearest figure that this search has: placements tried until its last better plan

    def compute_irreducible_infeasible_subset(self, problem: Problem) -> list[Buffer]:
        """Buffers that do not fit together, while they do without any one of them; none if all fit.

        The time limit is that of all searches together. When it ends one, or `cancel` does, a `stowage.Error` is raised.
        """
        self._cancelled.clear()
        limit = self._limit()
        end = None if limit is None else time.monotonic() + limit

        def infeasible(buffers: list[Buffer]) -> bool:
            left = None if end is None else max(end - time.monotonic(), 1e-6)
            solution, proved = self._search(Problem(buffers, problem.capacity), left)
            if self._cancelled.is_set():
                raise stowage.Error("the search for an infeasible subset was cancelled", "cancelled")
            if solution is None and not proved:
                raise stowage.Error("the time limit ended the search for an infeasible subset; set a longer timeout", "timed-out")
            return proved

        kept = problem.buffers
        if not infeasible(kept):
            return []
        for buffer in problem.buffers:
            without = [other for other in kept if other is not buffer]
            kept = without if infeasible(without) else kept
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
    judged = stowage.check(subject, {name: offsets[name] for name in subject.buffers})
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
