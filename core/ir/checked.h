// Arithmetic on sizes that come from files: overflow is detected, results never wrap silently.
#pragma once

#include "core/ir/types.h"

#include <numeric>
#include <optional>

namespace stowage {

/// The largest size or offset accepted anywhere, 2^62 bytes. The sum of two accepted values overflows 64 bits only if both equal
/// this limit.
inline constexpr Bytes maxBytes = Bytes{1} << 62;

/// a + b; no value on overflow of 64 bits.
[[nodiscard]] inline std::optional<Bytes> checkedAdd(Bytes a, Bytes b)
{
    Bytes sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
    return sum;
}

/// a * b; no value on overflow of 64 bits.
[[nodiscard]] inline std::optional<Bytes> checkedMultiply(Bytes a, Bytes b)
{
    Bytes product = 0;
    if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
    return product;
}

/// The smallest multiple of `alignment` at or above `value`. Requires 0 <= value <= maxBytes and 1 <= alignment <= maxBytes.
[[nodiscard]] constexpr Bytes alignUp(Bytes value, Bytes alignment)
{
    const Bytes rest = value % alignment;
    return rest == 0 ? value : value + (alignment - rest);
}

/// Least common multiple; no value above `maxBytes`. Requires a, b >= 1.
[[nodiscard]] inline std::optional<Bytes> checkedLcm(Bytes a, Bytes b)
{
    const auto product = checkedMultiply(a / std::gcd(a, b), b);
    if (!product || *product > maxBytes) return std::nullopt;
    return product;
}

} // namespace stowage
