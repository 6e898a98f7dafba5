"""Problems, plans, and the functions of the module."""

from __future__ import annotations

import ctypes
import operator
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, Optional, SupportsIndex, Union

from ._library import CANCELLED, PROGRESS, Options, library

Interval = tuple[int, int]

_FITTING = (0, 1)  # STOWAGE_OPTIMAL, STOWAGE_FEASIBLE
_INFEASIBLE = 3  # STOWAGE_INFEASIBLE
_INT64 = (-(1 << 63), (1 << 63) - 1)
_COUNT = (0, (1 << 63) - 1)  # bytes and steps: the library has tighter limits of its own
_UINT32 = (0, (1 << 32) - 1)
_UINT64 = (0, (1 << 64) - 1)


class Error(ValueError):
    """An error of the library. `code` is a stable word: "unknown-planner"."""

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(message)
        self.code = code


class Cancelled(Exception):
    """Raise it in a callback of `plan` to stop: the best plan so far is the answer."""


@dataclass(frozen=True)
class Window:
    """Steps in a hole between live ranges of a buffer in which only its bytes [low, high) stay occupied."""

    live: Interval
    low: int
    high: int


@dataclass(frozen=True)
class Buffer:
    """A buffer of `size` bytes. It needs live ranges, or conflicts, its own or another buffer's with it."""

    name: str
    size: int
    live: Sequence[Interval] = ()
    alignment: int = 1
    conflicts: Sequence[str] = ()  #: names of buffers that it may not share bytes with, whatever their live ranges
    pools: Sequence[str] = ()  #: candidates in order of preference; none: all pools
    offset: Optional[int] = None  #: a pin: its offset
    windows: Sequence[Window] = ()


@dataclass(frozen=True)
class Pool:
    """A pool. Without a capacity it is unbounded."""

    name: str
    capacity: Optional[int] = None
    alignment: int = 1


@dataclass(frozen=True)
class Progress:
    """A better plan during planning: its size in bytes, the lower bound, and the count of placements tried."""

    size: int
    bound: int
    work: int


def _raise() -> None:
    raise Error(library.stowage_error_text().decode(), library.stowage_error_code().decode())


def _checked(result: int) -> int:
    if result < 0:
        _raise()
    return result


def _whole(value: SupportsIndex, what: str, bounds: tuple[int, int] = _COUNT) -> int:
    """A whole number in `bounds`, also one of NumPy. ctypes would cut off the bits that do not fit."""
    number = operator.index(value)
    low, high = bounds
    if not low <= number <= high:
        raise Error(f"{what} is {number}, outside {low} to {high}", "bad-argument")
    return number


class _Handle:
    """Owner of an object of the library. Two owners would free it twice; as the object does not change, a copy is the owner itself.
    Another process cannot use its address."""

    _elsewhere: str  #: the remedy: how another process gets an equal object

    def __copy__(self) -> _Handle:
        return self

    def __deepcopy__(self, _: object) -> _Handle:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"an object of libstowage cannot leave its process, and cannot be pickled: {self._elsewhere}")


class Problem(_Handle):
    """Buffers and pools in the library. Several threads may plan one problem at the same time. A problem does not change: its copy is
    the problem itself. It cannot be pickled."""

    _elsewhere = "pass the buffers and pools, or the text of the problem, and make the Problem in the other process"

    def __init__(self, buffers: Iterable[Buffer] = (), pools: Iterable[Pool] = (), *, alignment: int = 1, name: str = "") -> None:
        self._handle: Optional[int] = library.stowage_problem_new(name.encode())
        self.buffers: list[str] = []
        self.pools: list[str] = []
        given = list(pools) or [Pool("arena")]
        for pool in given:
            what = f"of pool '{pool.name}'"
            capacity = -1 if pool.capacity is None else _whole(pool.capacity, f"the capacity {what}")
            align = _whole(pool.alignment, f"the alignment {what}")
            _checked(library.stowage_problem_add_pool(self._handle, pool.name.encode(), capacity, align))
            self.pools.append(pool.name)
        listed = list(buffers)
        for buffer in listed:
            size = _whole(buffer.size, f"the size of '{buffer.name}'")
            align = _whole(alignment if buffer.alignment == 1 else buffer.alignment, f"the alignment of '{buffer.name}'")
            _checked(library.stowage_problem_add_buffer(self._handle, buffer.name.encode(), size, align))
            self.buffers.append(buffer.name)
        self._number()
        for position, buffer in enumerate(listed):
            self._complete(position, buffer)

    def _number(self) -> None:
        """The indices of buffers and pools, by name."""
        self._buffer_index = {name: index for index, name in enumerate(self.buffers)}
        self._pool_index = {name: index for index, name in enumerate(self.pools)}

    def _complete(self, position: int, buffer: Buffer) -> None:
        for begin, end in buffer.live:
            steps = (_whole(step, f"a step of '{buffer.name}'", _INT64) for step in (begin, end))
            _checked(library.stowage_problem_add_live(self._handle, position, *steps))
        for window in buffer.windows:
            limits = (_whole(limit, f"a window of '{buffer.name}'", _INT64) for limit in (*window.live, window.low, window.high))
            _checked(library.stowage_problem_add_window(self._handle, position, *limits))
        for other in buffer.conflicts:
            if other not in self._buffer_index:
                raise Error(f"'{buffer.name}' conflicts with '{other}', which is not a buffer of the problem", "unknown-buffer")
            _checked(library.stowage_problem_add_conflict(self._handle, position, self._buffer_index[other]))
        for pool in buffer.pools:
            if pool not in self._pool_index:
                raise Error(f"'{buffer.name}' may go to '{pool}', which is no pool of the problem", "unknown-pool")
            _checked(library.stowage_problem_add_candidate(self._handle, position, self._pool_index[pool]))
        if buffer.offset is not None:
            _checked(library.stowage_problem_pin(self._handle, position, _whole(buffer.offset, f"the offset of '{buffer.name}'")))

    @classmethod
    def read(cls, text: str) -> Problem:
        """A problem from a text: `stowage.problem/1` JSON, or MiniMalloc's CSV."""
        raw = text.encode()
        handle = ctypes.c_void_p()
        _checked(library.stowage_problem_read(raw, len(raw), ctypes.byref(handle)))
        problem = cls.__new__(cls)
        problem._handle = handle.value
        count = library.stowage_problem_buffer_count(handle)
        problem.buffers = [library.stowage_problem_buffer_name(handle, i).decode() for i in range(count)]
        problem.pools = [library.stowage_problem_pool_name(handle, i).decode() for i in range(library.stowage_problem_pool_count(handle))]
        problem._number()
        return problem

    @property
    def bound(self) -> int:
        """The lower bound: no plan has fewer bytes in all pools together."""
        return int(_checked(library.stowage_problem_bound(self._handle)))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            library.stowage_problem_free(self._handle)


@dataclass(frozen=True)
class Plan:
    """The placements of all buffers, with status, proof and sizes."""

    status: str  #: the word of stowage_status, as in plan files
    stopped_by: str  #: the word of stowage_stop, as in plan files
    planner: str
    proof: str  #: "bound", "search", "claim", or "" without any
    size: int  #: bytes of all pools together
    bound: int  #: no plan with the same choice of pools is smaller
    pool_sizes: Mapping[str, int]
    offsets: Mapping[str, int]  #: by buffer; without buffers that are not placed
    pools: Mapping[str, str]  #: by buffer: name of its pool
    valid: bool  #: no two buffers overlap; capacities do not count
    violation: str  #: the first violation in a sentence; "" for a valid plan
    _handle: _PlanHandle = field(repr=False, compare=False)

    @property
    def fits(self) -> bool:
        """Whether the plan is valid and inside every capacity."""
        return self._handle.status() in _FITTING

    @property
    def infeasible(self) -> bool:
        """Whether it is proved that no plan is inside every capacity."""
        return self._handle.status() == _INFEASIBLE

    def explain(self, buffer: str) -> list[str]:
        """The reason for the buffer's offset: the buffers that it rests on, down to the lowest address. One sentence each."""
        return self._handle.explain(buffer)

    def certificate(self, pool: str) -> list[str]:
        """The proof of a pool's lower bound: a clique, buffers that all conflict with each other."""
        return self._handle.certificate(pool)

    def to_json(self) -> str:
        """A `stowage.plan/1` document."""
        return self._handle.json()


class _PlanHandle(_Handle):
    """The library's plan, and the names of its problem."""

    _elsewhere = "pass the text of Plan.to_json, and give it to stowage.check in the other process"

    def __init__(self, handle: int, problem: Problem) -> None:
        self._handle = handle
        self.problem = problem

    def __del__(self) -> None:
        library.stowage_plan_free(self._handle)

    def explain(self, buffer: str) -> list[str]:
        if buffer not in self.problem._buffer_index:
            raise Error(f"there is no buffer '{buffer}'", "unknown-buffer")
        text = library.stowage_plan_explain(self._handle, self.problem._buffer_index[buffer])
        if text is None:
            _raise()
        return text.decode().splitlines()

    def certificate(self, pool: str) -> list[str]:
        if pool not in self.problem._pool_index:
            raise Error(f"there is no pool '{pool}'", "unknown-pool")
        index = self.problem._pool_index[pool]
        count = _checked(library.stowage_plan_certificate(self._handle, index, None, 0))
        members = (ctypes.c_int32 * count)()
        library.stowage_plan_certificate(self._handle, index, members, count)
        return [self.problem.buffers[member] for member in members]

    def json(self) -> str:
        text = library.stowage_plan_json(self._handle)
        if text is None:
            _raise()
        return text.decode()

    def status(self) -> int:
        return _checked(library.stowage_plan_status(self._handle))

    def value(self) -> Plan:
        handle, problem = self._handle, self.problem
        offsets, pools = {}, {}
        for index, name in enumerate(problem.buffers):
            pool = library.stowage_plan_pool(handle, index)
            if pool >= 0:
                offsets[name] = library.stowage_plan_offset(handle, index)
                pools[name] = problem.pools[pool]
        return Plan(
            status=library.stowage_status_name(self.status()).decode(),
            stopped_by=library.stowage_stop_name(_checked(library.stowage_plan_stopped_by(handle))).decode(),
            planner=library.stowage_plan_planner(handle).decode(),
            proof=library.stowage_plan_proof(handle).decode(),
            size=library.stowage_plan_size(handle),
            bound=library.stowage_plan_bound(handle),
            pool_sizes={name: library.stowage_plan_pool_size(handle, index) for index, name in enumerate(problem.pools)},
            offsets=offsets,
            pools=pools,
            valid=library.stowage_plan_valid(handle) == 1,
            violation=library.stowage_plan_violation(handle).decode(),
            _handle=self,
        )


def _texts(values: Iterable[str]) -> ctypes.Array[ctypes.c_char_p]:
    encoded = [value.encode() for value in values]
    return (ctypes.c_char_p * len(encoded))(*encoded)


def _option(value: Union[str, int, float, bool]) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def plan(
    buffers: Union[Problem, Iterable[Buffer]],
    pools: Iterable[Pool] = (),
    alignment: int = 1,
    *,
    planner: str = "auto",
    options: Optional[Mapping[str, Union[str, int, float, bool]]] = None,
    time_limit: Optional[float] = None,
    work_limit: int = 0,
    seed: int = 0,
    threads: int = 1,
    progress: Optional[Callable[[Progress], object]] = None,
    cancelled: Union[threading.Event, Callable[[], object], None] = None,
) -> Plan:
    """Plans buffers, or a problem. `alignment` is that of buffers without one.

    `time_limit` is in seconds. `progress` is called with each better plan. `cancelled` is an event or a function, asked ten times a
    second: once it is set, or returns something true, the best plan so far is the answer. Both are called on other threads; what they
    raise stops the planning: `Cancelled` gives the best plan so far, anything else is raised again. Other Python threads run
    meanwhile, and Ctrl-C stops.
    """
    problem = buffers if isinstance(buffers, Problem) else Problem(buffers, pools, alignment=alignment)
    stop = threading.Event()
    raised: list[BaseException] = []
    asked_to_stop = cancelled.is_set if isinstance(cancelled, threading.Event) else cancelled

    def answer(function: Callable[..., object], *arguments: object) -> object:
        """What a function of the caller returns. An exception stops: it cannot pass through the library."""
        try:
            return function(*arguments)
        except Cancelled:
            stop.set()
        except BaseException as error:
            raised.append(error)
            stop.set()
        return None

    def better(_: object, size: int, bound: int, work: int) -> int:
        if progress is not None and not stop.is_set():
            answer(progress, Progress(size, bound, work))
        return int(stop.is_set())

    def stopped(_: object) -> int:
        if asked_to_stop is not None and not stop.is_set() and answer(asked_to_stop):
            stop.set()
        return int(stop.is_set())

    given = options or {}
    keys, values = _texts(given), _texts(_option(value) for value in given.values())
    asked = Options(
        struct_size=ctypes.sizeof(Options),
        planner=planner.encode(),
        keys=keys,
        values=values,
        option_count=len(given),
        time_limit_s=float(time_limit or 0.0),
        work_limit=_whole(work_limit, "the work limit", _UINT64),
        seed=_whole(seed, "the seed", _UINT64),
        threads=_whole(threads, "the count of threads", _UINT32),
        progress=PROGRESS(better),
        user=None,
        cancelled=CANCELLED(stopped),
    )
    handle = ctypes.c_void_p()
    failure: list[Error] = []

    def run() -> None:  # the library keeps the last error for each thread
        if library.stowage_plan_problem(problem._handle, ctypes.byref(asked), ctypes.byref(handle)) < 0:
            failure.append(Error(library.stowage_error_text().decode(), library.stowage_error_code().decode()))

    worker = threading.Thread(target=run, name="stowage.plan")
    worker.start()
    try:
        while worker.is_alive():
            worker.join(0.1)
    except BaseException:  # Ctrl-C
        stop.set()
        worker.join()
        if handle.value:
            library.stowage_plan_free(handle)
        raise
    if failure:
        raise failure[0]
    made = _PlanHandle(handle.value or 0, problem)
    if raised:
        raise raised[0]
    return made.value()


def _pool_of(problem: Problem, placed: Mapping[str, str], name: str) -> int:
    if name not in placed:
        raise Error(f"'placed' does not say which pool '{name}' is in", "missing-buffer")
    if placed[name] not in problem._pool_index:
        raise Error(f"'{name}' is in '{placed[name]}', which is no pool of the problem", "unknown-pool")
    return problem._pool_index[placed[name]]


def check(
    buffers: Union[Problem, Iterable[Buffer]],
    offsets: Union[str, Mapping[str, int]],
    pools: Iterable[Pool] = (),
    alignment: int = 1,
    *,
    placed: Optional[Mapping[str, str]] = None,
) -> Plan:
    """Checks a plan from any source: offsets by buffer, or a text (`stowage.plan/1` JSON, CSV with offsets).

    `placed` says which pool a buffer is in; without it, its first candidate. See `valid`, `violation` and `status` of the answer.
    """
    problem = buffers if isinstance(buffers, Problem) else Problem(buffers, pools, alignment=alignment)
    handle = ctypes.c_void_p()
    if isinstance(offsets, str):
        raw = offsets.encode()
        _checked(library.stowage_plan_read(problem._handle, raw, len(raw), ctypes.byref(handle)))
        return _PlanHandle(handle.value or 0, problem).value()
    for name in offsets:
        if name not in problem._buffer_index:
            raise Error(f"the plan places '{name}', which is not a buffer of the problem", "unknown-buffer")
    for name in problem.buffers:
        if name not in offsets:
            raise Error(f"the plan does not place '{name}'", "missing-buffer")
    count = len(problem.buffers)
    values = (ctypes.c_int64 * count)(*(_whole(offsets[name], f"the offset of '{name}'", _INT64) for name in problem.buffers))
    chosen = None
    if placed is not None:
        chosen = (ctypes.c_int32 * count)(*(_pool_of(problem, placed, name) for name in problem.buffers))
    _checked(library.stowage_plan_from_offsets(problem._handle, values, chosen, count, ctypes.byref(handle)))
    return _PlanHandle(handle.value or 0, problem).value()


def explain(made: Plan, buffer: str) -> list[str]:
    """The same as `made.explain(buffer)`."""
    return made.explain(buffer)


def load(path: str) -> Problem:
    """A problem from a file: `stowage.problem/1` JSON, or MiniMalloc's CSV."""
    with open(path, encoding="utf-8") as file:
        return Problem.read(file.read())


def planners() -> dict[str, str]:
    """Names of all planners, each with a summary."""
    count = library.stowage_planner_count()
    return {library.stowage_planner_name(i).decode(): library.stowage_planner_summary(i).decode() for i in range(count)}


def version() -> str:
    """The version of the library."""
    return library.stowage_version().decode()
