// What a file may not ask for more of.
#pragma once

#include <cstdint>

namespace stowage {

/// Most copies of a buffer that rotate with a loop. Hardware has two to eight; each copy is placed against all others, so a
/// number with some digits too many would keep a planner busy for hours.
inline constexpr std::int32_t maxSlots = 1024;

} // namespace stowage
