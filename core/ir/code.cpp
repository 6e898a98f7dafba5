#include "core/ir/code.h"

#include <algorithm>
#include <array>

namespace stowage {

namespace {

// The size is explicit, because clang does not deduce sizes above 256.
constexpr std::array<std::string_view, static_cast<std::size_t>(Code::count)> texts{
    std::string_view(), // foreign
#define CODE(name, text) std::string_view(text),
#include "core/ir/code_list.h"
#undef CODE
};

static_assert(std::is_sorted(texts.begin(), texts.end()), "code_list.h is in alphabetical order of the texts");
static_assert(std::adjacent_find(texts.begin(), texts.end()) == texts.end(), "no text stands for two codes");

} // namespace

std::string_view toText(Code code)
{
    return code < Code::count ? texts[static_cast<std::size_t>(code)] : std::string_view();
}

} // namespace stowage
