// Text line by line, and the numbers in it.
#pragma once

#include "core/ir/parsed_number.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace stowage::dumps {

/// Visits the lines of a text, without their ends ("\n" or "\r\n"). Line numbers count from 1.
class Lines {
public:
    explicit Lines(std::string_view text) : rest_(text) {}

    /// Goes to the next line; false at the end.
    bool next()
    {
        if (rest_.empty()) return false;
        const auto end = rest_.find('\n');
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (line_.ends_with('\r')) line_.remove_suffix(1);
        ++number_;
        return true;
    }
    [[nodiscard]] std::string_view line() const { return line_; }
    [[nodiscard]] std::int32_t number() const { return number_; }

private:
    std::string_view rest_;
    std::string_view line_;
    std::int32_t number_ = 0;
};

inline std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The value of `text` if all of it is a decimal number that is not negative.
inline std::optional<std::int64_t> wholeNumber(std::string_view text)
{
    const auto value = parsedNumber<std::int64_t>(text);
    return value && *value >= 0 ? value : std::nullopt;
}

/// Removes `mark` and a decimal number after it from the front of `text`. No value, and `text` unchanged, if it does not begin
/// so.
inline std::optional<std::int64_t> takeNumber(std::string_view& text, std::string_view mark)
{
    if (!text.starts_with(mark)) return std::nullopt;
    const std::string_view from = text.substr(mark.size());
    const auto digits = from.find_first_not_of("0123456789");
    const auto value = wholeNumber(from.substr(0, digits));
    if (value) text = digits == std::string_view::npos ? std::string_view() : from.substr(digits);
    return value;
}

} // namespace stowage::dumps
