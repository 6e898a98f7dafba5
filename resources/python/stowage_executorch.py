"""ExecuTorch's memory planning by Stowage.

    from stowage_executorch import StowagePlanning
    MemoryPlanningPass(memory_planning_algo=MemoryPlanningAlgorithmSuite(algo_list=[greedy, StowagePlanning()]))

or alone, `MemoryPlanningPass(memory_planning_algo=StowagePlanning(alone=True))`: then it writes the specs itself and returns the
sizes. ExecuTorch's contract: lifetimes are inclusive node indices, arena 0 is unused, a spec with an `inplace_base` lies where its
base lies whatever the lifetimes, and what lies below `input_mem_buffer_sizes` of an arena belongs to sub-modules.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Iterable, Optional

import stowage

try:
    from executorch.exir.memory_planning import MemoryAlgoResult, SpecAllocResult
except ImportError:  # without the package: the same fields
    from dataclasses import dataclass

    @dataclass
    class SpecAllocResult:  # type: ignore[no-redef]
        mem_id: int
        mem_obj_id: int
        mem_offset: int

    @dataclass
    class MemoryAlgoResult:  # type: ignore[no-redef]
        spec_dict: dict[Any, SpecAllocResult]
        bufsizes: list[int]


def _root(spec: Any) -> Any:
    """The spec at the end of the chain of in-place bases."""
    seen = set()
    while getattr(spec, "inplace_base", None) is not None:
        if id(spec) in seen:
            raise ValueError("the in-place bases of a spec go round in a circle")
        seen.add(id(spec))
        spec = spec.inplace_base
    return spec


class StowagePlanning:
    """A `memory_planning_algo`. `options` go to stowage.plan (planner, time_limit, work_limit, seed, threads)."""

    def __init__(self, alone: bool = False, **options: Any) -> None:
        self.alone = alone
        self.options = options
        self.__name__ = "stowage"  # results of a suite are kept by this name

    def __call__(
        self,
        alignment: int,
        specs: Iterable[Any],
        graph_module: Any = None,
        graph_signature: Any = None,
        extra_padding: int = 0,
    ) -> Any:
        # A set in older versions: sorted, so that the plan is the same every time.
        listed = sorted(specs, key=lambda spec: (tuple(spec.lifetime), spec.allocated_memory, spec.mem_id or 0))
        for spec in listed:
            spec.realign(alignment)
        groups: dict[int, list[Any]] = defaultdict(list)
        roots: dict[int, Any] = {}
        for spec in listed:
            root = _root(spec)
            roots[id(root)] = root
            groups[id(root)].append(spec)
        arenas: dict[int, list[int]] = defaultdict(list)
        for key, root in roots.items():
            arena = next((spec.mem_id for spec in [root, *groups[key]] if spec.mem_id is not None), 1)
            arenas[arena].append(key)

        kept = list(getattr(graph_module, "input_mem_buffer_sizes", None) or [])
        sizes = [0] * (max(arenas, default=1) + 1)
        placed: dict[Any, SpecAllocResult] = {}
        for arena, keys in sorted(arenas.items()):
            bottom = kept[arena] if arena < len(kept) else 0
            bottom = -(-bottom // alignment) * alignment
            offsets = self._plan(keys, groups, alignment)
            top = 0
            for key in keys:
                for spec in groups[key]:
                    # One object id for all: specs that overlap have to have the same.
                    placed[spec] = SpecAllocResult(arena, 1, bottom + offsets[key])
                    top = max(top, offsets[key] + spec.allocated_memory)
            sizes[arena] = bottom + top + extra_padding
        for arena, size in enumerate(kept):
            if 0 < arena < len(sizes):
                sizes[arena] = max(sizes[arena], size)
        if not self.alone:
            return MemoryAlgoResult(placed, sizes)
        for spec, result in placed.items():
            spec.mem_id, spec.mem_obj_id, spec.mem_offset = result.mem_id, result.mem_obj_id, result.mem_offset
        return sizes

    def _plan(self, keys: list[int], groups: dict[int, list[Any]], alignment: int) -> dict[int, int]:
        """Offsets of the groups of one arena. A group is one buffer, as large as its largest spec, live as long as any of them."""
        buffers, empty = [], {}
        for number, key in enumerate(keys):
            size = max(spec.allocated_memory for spec in groups[key])
            first = min(spec.lifetime[0] for spec in groups[key])
            last = max(spec.lifetime[1] for spec in groups[key])
            if size == 0:
                empty[key] = 0
            else:
                buffers.append(stowage.Buffer(f"{number}", size, live=[(first, last + 1)], alignment=alignment))
        plan = stowage.plan(buffers, **self.options) if buffers else None
        if plan is not None and not plan.valid:
            raise ValueError(f"the plan is not valid: {plan.violation}")  # nobody else looks, unless the algorithm is 'greedy'
        found = plan.offsets if plan is not None else {}
        return {**{keys[int(name)]: offset for name, offset in found.items()}, **empty}


memory_planning_algo: Optional[StowagePlanning] = StowagePlanning()
