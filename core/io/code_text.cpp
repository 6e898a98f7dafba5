#include "core/io/code_text.h"

#include <algorithm>
#include <ranges>

namespace stowage::io {

std::optional<Code> codeOf(std::string_view text)
{
    // The codes are in the order of their texts: code_list.h.
    const auto numbers = std::views::iota(1, static_cast<int>(Code::count));
    const auto textOf = [](int number) { return toText(static_cast<Code>(number)); };
    const auto found = std::ranges::lower_bound(numbers, text, {}, textOf);
    if (found == numbers.end() || textOf(*found) != text) return std::nullopt;
    return static_cast<Code>(*found);
}

void setCode(Diagnostic& diagnostic, std::string_view text)
{
    const std::optional<Code> known = codeOf(text);
    diagnostic.code = known.value_or(Code::foreign);
    diagnostic.foreign.name = known ? std::string_view() : text;
}

} // namespace stowage::io
