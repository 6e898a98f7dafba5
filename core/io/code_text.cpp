#include "core/io/code_text.h"

#include <numeric>

namespace stowage::io {

std::optional<Code> codeOf(std::string_view text)
{
    // The codes are in the order of their texts: code_list.h.
    int low = 1, high = static_cast<int>(Code::count);
    while (low < high)
        if (const int middle = std::midpoint(low, high); toText(static_cast<Code>(middle)) < text)
            low = middle + 1;
        else
            high = middle;
    const auto found = static_cast<Code>(low);
    if (found == Code::count || toText(found) != text) return std::nullopt;
    return found;
}

void setCode(Diagnostic& diagnostic, std::string_view text)
{
    const std::optional<Code> known = codeOf(text);
    diagnostic.code = known.value_or(Code::foreign);
    diagnostic.foreign.name = known ? std::string_view() : text;
}

} // namespace stowage::io
