"""Static memory planning: where the buffers of a model lie, with proof.

    import stowage

    plan = stowage.plan([stowage.Buffer("a", 4096, live=[(0, 2)]), stowage.Buffer("b", 1024, live=[(1, 3)])], alignment=16)
    print(plan.status, plan.size, plan.offsets["a"])

Live ranges are half-open: (begin, end) has the steps begin … end - 1. Sizes and offsets are bytes. The module stands on the C
interface, libstowage, and needs nothing but Python's standard library.
"""

from ._api import (
    Buffer,
    Cancelled,
    Error,
    Plan,
    Pool,
    Problem,
    Progress,
    Window,
    check,
    explain,
    load,
    plan,
    planners,
    version,
)

__all__ = [
    "Buffer",
    "Cancelled",
    "Error",
    "Plan",
    "Pool",
    "Problem",
    "Progress",
    "Window",
    "check",
    "explain",
    "load",
    "plan",
    "planners",
    "version",
]
__version__ = version()
