// A plan as one C header: offsets and sizes as macros, and an array for each memory. For C11 and C++.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <string>
#include <string_view>

namespace stowage::io {

struct CHeader {
    std::string text;
    Diagnostics diagnostics; ///< names that clashed
};

/// For a model "m", a pool "p" and a buffer "b":
///  - `M_P_SIZE` and `M_P_ALIGNMENT`, and `M_P_CAPACITY` where the pool has one;
///  - `M_B_OFFSET` (from the pool's first byte), `M_B_SIZE`; of further copies that rotate with a loop `M_B_OFFSET_1` …; of a
///    buffer that is called like a pool `M_BUFFER_B_…`;
///  - `extern uint8_t m_p[M_P_SIZE]`. The one source that defines `M_DEFINE_POOLS` before it includes the header defines the
///    array, `alignas(M_P_ALIGNMENT)`, in the section `.bss.p`; a macro `M_P_SECTION` that is defined before takes the place of
///    the attribute (empty: none). Pools of constants, whose bytes are not in a plan, and pools that hold nothing have no array.
/// It includes `<stdalign.h>` and `<stdint.h>` only. Errors: a plan that is not valid; offsets that no constant says. O(buffers).
Expected<CHeader> writeCPlanHeader(std::string_view model, const Run& run);

} // namespace stowage::io
