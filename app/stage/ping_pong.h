// What a frame costs on its way between two ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stowage::stage {

/// Sends frames of these sizes to and fro between ranks 0 and 1, packed and unpacked as stages do, and returns the middle one of
/// the times measured one way, as JSON ({"format": "stowage.ping-pong/1", "points": [{"bytes", "us"}]}), on rank 0; else nothing.
std::string pingPong(const std::vector<std::int64_t>& sizes);

} // namespace stowage::stage
