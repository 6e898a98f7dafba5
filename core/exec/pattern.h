// Bytes that say who wrote them: a stream of pseudo-random bytes for every write, so that a byte of another write, or of the
// same write at another place, almost never looks right.
#pragma once

#include "core/ir/types.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace stowage::executing {

/// Names one write. Two writes never have the same stamp.
using Stamp = std::uint64_t;

/// Fills `bytes` with bytes [from, from + bytes.size()) of the stamp's stream. About a nanosecond a word.
void fillPattern(std::span<std::byte> bytes, Stamp stamp, Bytes from);

/// The index of the first byte that differs from bytes [from, …) of the stamp's stream; bytes.size() when none does.
[[nodiscard]] std::size_t checkPattern(std::span<const std::byte> bytes, Stamp stamp, Bytes from);

} // namespace stowage::executing
