"""The functions of libstowage, with their types.

ctypes rather than a compiled extension: one package serves every Python 3, calls release the interpreter's lock by themselves, and
what crosses the border are numbers and texts, so that nothing would be won by compiling.
"""

from __future__ import annotations

import ctypes as c
import os
import pathlib
import sys

API_MAJOR, API_MINOR = 1, 1  #: the oldest version of the C interface that has all functions below

PROGRESS = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_int64, c.c_int64, c.c_uint64)
CANCELLED = c.CFUNCTYPE(c.c_int, c.c_void_p)


class Options(c.Structure):
    """stowage_options."""

    _fields_ = [
        ("struct_size", c.c_size_t),
        ("planner", c.c_char_p),
        ("keys", c.POINTER(c.c_char_p)),
        ("values", c.POINTER(c.c_char_p)),
        ("option_count", c.c_size_t),
        ("time_limit_s", c.c_double),
        ("work_limit", c.c_uint64),
        ("seed", c.c_uint64),
        ("threads", c.c_uint32),
        ("progress", PROGRESS),
        ("user", c.c_void_p),
        ("cancelled", CANCELLED),
    ]


_handle, _index, _bytes, _text = c.c_void_p, c.c_int32, c.c_int64, c.c_char_p

_SIGNATURES = {
    "stowage_version": (_text, []),
    "stowage_api_version": (_index, []),
    "stowage_error_text": (_text, []),
    "stowage_error_code": (_text, []),
    "stowage_planner_count": (c.c_size_t, []),
    "stowage_planner_name": (_text, [c.c_size_t]),
    "stowage_planner_summary": (_text, [c.c_size_t]),
    "stowage_status_name": (_text, [_index]),
    "stowage_stop_name": (_text, [_index]),
    "stowage_problem_new": (_handle, [_text]),
    "stowage_problem_free": (None, [_handle]),
    "stowage_problem_read": (_index, [_text, c.c_size_t, c.POINTER(_handle)]),
    "stowage_problem_add_pool": (_index, [_handle, _text, _bytes, _bytes]),
    "stowage_problem_add_buffer": (_index, [_handle, _text, _bytes, _bytes]),
    "stowage_problem_add_live": (_index, [_handle, _index, _bytes, _bytes]),
    "stowage_problem_add_window": (_index, [_handle, _index, _bytes, _bytes, _bytes, _bytes]),
    "stowage_problem_add_conflict": (_index, [_handle, _index, _index]),
    "stowage_problem_add_candidate": (_index, [_handle, _index, _index]),
    "stowage_problem_pin": (_index, [_handle, _index, _bytes]),
    "stowage_problem_buffer_count": (c.c_size_t, [_handle]),
    "stowage_problem_pool_count": (c.c_size_t, [_handle]),
    "stowage_problem_buffer_name": (_text, [_handle, _index]),
    "stowage_problem_pool_name": (_text, [_handle, _index]),
    "stowage_problem_bound": (_bytes, [_handle]),
    "stowage_plan_problem": (_index, [_handle, c.POINTER(Options), c.POINTER(_handle)]),
    "stowage_plan_read": (_index, [_handle, _text, c.c_size_t, c.POINTER(_handle)]),
    "stowage_plan_from_offsets": (_index, [_handle, c.POINTER(_bytes), c.POINTER(_index), c.c_size_t, c.POINTER(_handle)]),
    "stowage_plan_free": (None, [_handle]),
    "stowage_plan_status": (_index, [_handle]),
    "stowage_plan_stopped_by": (_index, [_handle]),
    "stowage_plan_valid": (_index, [_handle]),
    "stowage_plan_planner": (_text, [_handle]),
    "stowage_plan_proof": (_text, [_handle]),
    "stowage_plan_violation": (_text, [_handle]),
    "stowage_plan_size": (_bytes, [_handle]),
    "stowage_plan_bound": (_bytes, [_handle]),
    "stowage_plan_pool_size": (_bytes, [_handle, _index]),
    "stowage_plan_pool_bound": (_bytes, [_handle, _index]),
    "stowage_plan_offset": (_bytes, [_handle, _index]),
    "stowage_plan_pool": (_index, [_handle, _index]),
    "stowage_plan_json": (_text, [_handle]),
    "stowage_plan_explain": (_text, [_handle, _index]),
    "stowage_plan_certificate": (_bytes, [_handle, _index, c.POINTER(_index), c.c_size_t]),
}


def _candidates() -> list[str]:
    """Where the library may be: named by the environment, in a wheel, in a build folder or a prefix, on the system."""
    name = f"libstowage.so.{API_MAJOR}"
    found = [os.environ["STOWAGE_LIBRARY"]] if os.environ.get("STOWAGE_LIBRARY") else []
    here = pathlib.Path(__file__)
    for folder in (here.parent, here.resolve().parent):
        found.append(str(folder / name))
        # prefix/lib/python3/dist-packages/stowage beside prefix/lib
        found += [str(parent / name) for parent in list(folder.parents)[:3] if parent.name.startswith("lib")]
    return [path for path in found if os.path.exists(path)] + [name]


def load() -> c.CDLL:
    """The library, or an ImportError that says where it was looked for."""
    tried = []
    for path in _candidates():
        try:
            library = c.CDLL(path)
        except OSError as error:
            tried.append(f"{path}: {error}")
            continue
        major, minor = divmod(library.stowage_api_version(), 1000)
        if major != API_MAJOR or minor < API_MINOR:
            needed = f"this module needs {API_MAJOR}.{API_MINOR} or a later {API_MAJOR}.x"
            raise ImportError(f"{path} has version {major}.{minor} of the interface, {needed}")
        for function, (result, arguments) in _SIGNATURES.items():
            entry = getattr(library, function)
            entry.restype, entry.argtypes = result, arguments
        return library
    raise ImportError("libstowage is not there. Install the package of Stowage, or name the file in STOWAGE_LIBRARY. " + "; ".join(tried))


if sys.byteorder != "little":
    raise ImportError("Stowage is built for little-endian machines")
library = load()
