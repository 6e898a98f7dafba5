#include "plugins/tflm/log_lines.h"

#include <algorithm>
#include <charconv>

namespace stowage::tflm {

std::optional<std::string_view> LogLines::next()
{
    if (text_.empty()) return std::nullopt;
    const auto end = std::min(text_.find('\n'), text_.size());
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return line;
}

LineReader& LineReader::skipBlanks()
{
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
    return *this;
}

LineReader& LineReader::text(std::string_view expected)
{
    ok_ = ok_ && rest_.starts_with(expected);
    if (ok_) rest_.remove_prefix(expected.size());
    return *this;
}

LineReader& LineReader::number(std::int64_t& to)
{
    skipBlanks();
    const bool hexadecimal = rest_.starts_with("0x");
    const std::string_view digits = rest_.substr(hexadecimal ? 2 : 0);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), to, hexadecimal ? 16 : 10);
    ok_ = ok_ && error == std::errc() && !(hexadecimal && digits.starts_with('-'));
    if (ok_) rest_ = digits.substr(static_cast<std::size_t>(end - digits.data()));
    return *this;
}

} // namespace stowage::tflm
