// Writes long numbers in texts.
#pragma once

#include <cstdint>
#include <string>

namespace stowage {

/// 1234567 as "1,234,567", whatever the locale.
[[nodiscard]] inline std::string grouped(std::int64_t value)
{
    std::string digits = std::to_string(value);
    const std::ptrdiff_t first = value < 0 ? 1 : 0;
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > first; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    return digits;
}

} // namespace stowage
