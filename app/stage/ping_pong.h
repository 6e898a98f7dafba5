// Measures the time of a frame between two ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stowage::stage {

/// Sends frames of these sizes, in bytes, back and forth between ranks 0 and 1, packed and unpacked as stages do. On rank 0
/// returns the median times one way, in µs, as JSON ({"format": "stowage.ping-pong/1", "points": [{"bytes", "us"}]}); on other
/// ranks an empty text.
std::string pingPong(const std::vector<std::int64_t>& sizes);

} // namespace stowage::stage
