// The reuse levels of Ascend's planner.
#pragma once

#include <cstdint>

namespace stowage::hivm {

/// The rule that permitted an offset. The numbers 0 to 3 are those of the compiler since March 2026; its document of 2025 calls 3
/// "Level2" and has no 2. core/explain/pipe_run.h makes texts for levels.
enum class Level : std::int8_t {
    any = 0,        ///< may reuse bytes of all buffers that are not live at the same time
    upgraded = 1,   ///< reuses all slots of a buffer with several slots of the same loop, and alternates with it
    otherLoop = 2,  ///< does not reuse bytes of buffers of the same loop
    samePipe = 3,   ///< does not reuse bytes that another pipe accesses
    sequential = 4, ///< end to end: all buffers fit without reuse
    pinned = 5,     ///< the input fixes the offset
};

} // namespace stowage::hivm
