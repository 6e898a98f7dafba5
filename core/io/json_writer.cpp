#include "core/io/json_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace stowage::io {

namespace {

/// Length of the well-formed UTF-8 sequence at the begin of `text`; 0 if there is none. RFC 3629, table 3-7 of Unicode.
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return continues(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (lead == 0xE0 && byte(1) < 0xA0) return 0; // overlong
        if (lead == 0xED && byte(1) > 0x9F) return 0; // surrogate
        return continues(1) && continues(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if (lead == 0xF0 && byte(1) < 0x90) return 0; // overlong
        if (lead == 0xF4 && byte(1) > 0x8F) return 0; // above U+10FFFF
        return continues(1) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

} // namespace

void JsonWriter::separate()
{
    if (afterKey_) {
        afterKey_ = false;
        return;
    }
    if (!first_) text_ += ',';
    if (depth_ > 0) {
        if (compactFrom_ < 0) {
            text_ += '\n';
            text_.append(static_cast<std::size_t>(depth_), ' ');
        } else if (!first_) {
            text_ += ' ';
        }
    }
    first_ = false;
}

void JsonWriter::open(char bracket, Layout layout)
{
    separate();
    text_ += bracket;
    if (layout == compact && compactFrom_ < 0) compactFrom_ = depth_;
    ++depth_;
    first_ = true;
}

void JsonWriter::close(char bracket)
{
    --depth_;
    if (compactFrom_ < 0 && !first_) {
        text_ += '\n';
        text_.append(static_cast<std::size_t>(depth_), ' ');
    }
    if (compactFrom_ == depth_) compactFrom_ = -1;
    text_ += bracket;
    first_ = false;
}

void JsonWriter::key(std::string_view name)
{
    separate();
    quoted(name);
    text_ += ": ";
    afterKey_ = true;
}

void JsonWriter::quoted(std::string_view text)
{
    text_ += '"';
    std::size_t written = 0; // all bytes before it are written; runs of plain bytes are appended at once
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c < 0x80 && c != '"' && c != '\\') {
            ++i;
            continue;
        }
        if (c >= 0x80) {
            if (const std::size_t length = sequenceLength(text.substr(i)); length > 0) {
                i += length;
                continue;
            }
        }
        text_.append(text, written, i - written);
        switch (c) {
        case '"': text_ += "\\\""; break;
        case '\\': text_ += "\\\\"; break;
        case '\n': text_ += "\\n"; break;
        case '\r': text_ += "\\r"; break;
        case '\t': text_ += "\\t"; break;
        default:
            if (c < 0x20)
                fmt::format_to(std::back_inserter(text_), "\\u{:04x}", c);
            else
                text_ += "\xEF\xBF\xBD";
        }
        written = ++i;
    }
    text_.append(text, written);
    text_ += '"';
}

void JsonWriter::value(std::string_view text)
{
    separate();
    quoted(text);
}

void JsonWriter::value(bool flag)
{
    separate();
    text_ += flag ? "true" : "false";
}

void JsonWriter::value(double number)
{
    separate();
    if (std::isfinite(number))
        fmt::format_to(std::back_inserter(text_), "{}", number);
    else
        text_ += "null";
}

void JsonWriter::null()
{
    separate();
    text_ += "null";
}

void JsonWriter::raw(std::string_view json)
{
    separate();
    text_ += json;
}

void JsonWriter::integer(std::int64_t number)
{
    separate();
    const fmt::format_int digits(number);
    text_.append(digits.data(), digits.size());
}

void JsonWriter::unsignedInteger(std::uint64_t number)
{
    separate();
    const fmt::format_int digits(number);
    text_.append(digits.data(), digits.size());
}

std::string JsonWriter::text() &&
{
    text_ += '\n';
    return std::move(text_);
}

} // namespace stowage::io
