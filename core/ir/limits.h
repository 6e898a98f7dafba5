// Limits of numbers in files.
#pragma once

#include <cstdint>

namespace stowage {

/// Largest number of slots of a buffer. Hardware uses two to eight. Planners compare each slot with all others, so without this
/// limit a mistyped number would keep them busy for hours.
inline constexpr std::int32_t maxSlots = 1024;

} // namespace stowage
