// The levels of reuse in Ascend's planner.
#pragma once

#include <cstdint>

namespace stowage::hivm {

/// The rule that allowed an offset. The numbers of 0 to 3 are those of the compiler since March 2026; its document of 2025 calls
/// 3 "Level2" and has no 2. Texts for it are made in core/explain/pipe_run.h.
enum class Level : std::int8_t {
    any = 0,        ///< on bytes of buffers that are not live at the same time
    upgraded = 1,   ///< on all slots of a multi-buffer of the same loop, alternating with it
    otherLoop = 2,  ///< not on bytes of buffers of the same loop
    samePipe = 3,   ///< not on bytes that another pipe touches
    sequential = 4, ///< end to end: everything fits without reuse
    pinned = 5,     ///< the input fixes it
};

} // namespace stowage::hivm
