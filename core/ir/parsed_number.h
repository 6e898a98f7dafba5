// Numbers in texts.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace stowage {

/// All of the text as a number, decimal unless another base is given (integers only), whatever the locale. Nothing when the text
/// is empty, something stands before or after the number (a space, a "+"), or it exceeds the type. Linear.
template <typename Number>
std::optional<Number> parsedNumber(std::string_view text, int base = 10)
{
    Number value{};
    const char* const last = text.data() + text.size();
    std::from_chars_result result{};
    if constexpr (std::integral<Number>)
        result = std::from_chars(text.data(), last, value, base);
    else
        result = std::from_chars(text.data(), last, value);
    if (result.ec != std::errc() || result.ptr != last) return std::nullopt;
    return value;
}

} // namespace stowage
