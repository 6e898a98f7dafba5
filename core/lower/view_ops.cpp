#include "core/lower/view_ops.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace stowage::lowering {

bool isView(const Op& op)
{
    static constexpr std::array<std::string_view, 7> kinds{"reshape", "squeeze", "unsqueeze", "expanddims",
                                                           "bitcast", "flatten", "identity"};
    if (op.control != Control::leaf || op.inputs.empty() || op.outputs.empty()) return false;
    std::string kind;
    for (const char c : op.kind)
        if (c != '_') kind.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

} // namespace stowage::lowering
