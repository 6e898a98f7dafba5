// Limits of numbers in files.
#pragma once

#include <cstdint>

namespace stowage {

/// Largest number of slots of a buffer. Hardware has two to eight; each slot is compared with all others, so a mistyped number
/// would keep a planner busy for hours.
inline constexpr std::int32_t maxSlots = 1024;

} // namespace stowage
