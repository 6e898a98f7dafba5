#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace stowage {

namespace {

/// The code point at the beginning of `text`, or a byte that is not valid UTF-8.
struct Character {
    std::size_t bytes = 1;
    std::uint32_t point = 0;
    bool valid = false;
};

Character characterAt(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {1, lead, true};
    const std::size_t length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead >= 0xF5 || text.size() < length) return {1, lead, false};
    std::uint32_t point = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80U) return {1, lead, false};
        point = point << 6U | (byte(i) & 0x3FU);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    if (overlong || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return {1, lead, false};
    return {length, point, true};
}

/// True for characters that move the cursor, break the line, or change the direction of text, and for those that XML cannot hold.
bool mustBeEscaped(std::uint32_t point)
{
    return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029 || point == 0x200E ||
           point == 0x200F || (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) || point == 0xFEFF ||
           point == 0xFFFE || point == 0xFFFF;
}

void append(std::string& out, std::string_view text, const Character& character)
{
    if (character.valid && !mustBeEscaped(character.point))
        out += text.substr(0, character.bytes);
    else if (character.point == '\n')
        out += "\\n";
    else if (character.point == '\t')
        out += "\\t";
    else if (character.point == '\r')
        out += "\\r";
    else if (!character.valid || character.point < 0x80)
        out += fmt::format("\\x{:02x}", character.point);
    else
        out += fmt::format("\\u{:04x}", character.point);
}

/// Appends at most the first `count` characters. Returns the number of their bytes.
std::size_t appendFirst(std::string& out, std::string_view text, std::size_t count)
{
    std::size_t at = 0;
    for (; count > 0 && at < text.size(); --count) {
        const Character character = characterAt(text.substr(at));
        append(out, text.substr(at), character);
        at += character.bytes;
    }
    return at;
}

/// The position of the last `count` characters. Continuation bytes do not count as characters.
std::size_t beginOfLast(std::string_view text, std::size_t count)
{
    std::size_t at = text.size();
    for (; count > 0 && at > 0; --count) {
        --at;
        for (int i = 0; i < 3 && at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U; ++i) --at;
    }
    return at;
}

} // namespace

std::string shownName(std::string_view name, std::size_t maxLength)
{
    std::string out;
    const std::size_t all = appendFirst(out, name, maxLength);
    if (all == name.size()) return out;
    if (maxLength < 3) return "…";
    out.clear();
    const std::size_t front = maxLength * 2 / 3;
    const std::size_t head = appendFirst(out, name, front);
    out += "…";
    const std::size_t tail = std::max(head, beginOfLast(name, maxLength - front - 1));
    appendFirst(out, name.substr(tail), maxLength);
    return out;
}

namespace {

/// Escapes and shortens word by word; approximately `maxLength` characters.
std::string shown(std::string_view text, std::size_t maxLength)
{
    std::string out;
    std::size_t written = 0;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find_first_of(" \n", from), text.size());
        const std::string_view word = text.substr(from, end - from);
        // A word counts with its shortened length, so that a long name leaves space for the rest of the text.
        if (written + std::min(word.size(), maxShownName) > maxLength) return out + "…";
        out += shownName(word);
        written += std::min(word.size(), maxShownName) + 1;
        if (end < text.size()) out += text[end];
        from = end + 1;
    }
    return out;
}

} // namespace

std::string shownMessage(std::string_view message)
{
    return shown(message, maxShownMessage);
}

std::string shownText(std::string_view text)
{
    return shown(text, text.size());
}

} // namespace stowage
