// Bytes that identify their write: each write has its own stream of pseudo-random bytes, so that a byte of another write, or of
// another position of the same write, almost never matches.
#pragma once

#include "core/ir/types.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace stowage::executing {

/// Identifies a write. No two writes have the same stamp.
using Stamp = std::uint64_t;

/// Fills `bytes` with bytes [from, from + bytes.size()) of the stamp's stream. About 1 ns for 8 bytes.
void fillPattern(std::span<std::byte> bytes, Stamp stamp, Bytes from);

/// Index of the first byte that differs from bytes [from, from + bytes.size()) of the stamp's stream; bytes.size() when all are
/// equal.
[[nodiscard]] std::size_t checkPattern(std::span<const std::byte> bytes, Stamp stamp, Bytes from);

} // namespace stowage::executing
