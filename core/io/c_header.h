// Writes a plan as one header for C11 and C++: offsets and sizes as macros, and an array for each pool.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <string>
#include <string_view>
#include <vector>

namespace stowage::io {

struct CHeader {
    std::string text;
    std::vector<std::string> names; ///< macros and arrays that it defines, and the macros that it asks for
    Diagnostics diagnostics;        ///< names that were changed because they clashed
};

/// The header for a model "m" ("2m": "x2m"), a pool "p" and a buffer "b" contains:
///  - `M_P_SIZE` and `M_P_ALIGNMENT`, and `M_P_CAPACITY` if the pool has a capacity;
///  - `M_B_OFFSET` (from the pool's first byte) and `M_B_SIZE`; for further slots `M_B_OFFSET_1` …; for a buffer with the name of
///    a pool `M_BUFFER_B_…`;
///  - `extern uint8_t m_p[M_P_SIZE]`. One source defines `M_DEFINE_POOLS` before it includes the header; there the header defines
///    the array, with `alignas(M_P_ALIGNMENT)`, in the section `.bss.p`. A macro `M_P_SECTION`, if defined before, replaces the
///    section attribute (empty: none). Pools of constants and empty pools have no array.
/// It includes only `<stdalign.h>` and `<stdint.h>`. Errors: the plan is not valid; a buffer with one slot rotates between
/// several offsets; the alignment of an array is not a power of two. O(buffers).
Expected<CHeader> writeCPlanHeader(std::string_view model, const Run& run);

} // namespace stowage::io
