// Inputs whose bytes an op overwrites, for sources in which ops write to the same memory again and again (memrefs of MLIR): there
// the new value is no tensor of its own.
#pragma once

#include "core/ir/program.h"

#include <vector>

namespace stowage {

/// Attribute of an op: the positions of the inputs that it may overwrite, from 0, with a blank after each.
inline constexpr std::string_view overwritesAttribute = "overwrites";

/// By input: true if the op may overwrite it. All of them if the attribute cannot be read. Empty without the attribute. O(inputs
/// + length of the text).
[[nodiscard]] inline std::vector<bool> overwrittenInputs(const Op& op)
{
    const std::string* text = attribute(op.attributes, overwritesAttribute);
    if (!text) return {};
    std::vector<bool> overwritten(op.inputs.size());
    std::size_t position = 0;
    bool digits = false;
    for (const char c : *text) {
        if (c >= '0' && c <= '9' && position < op.inputs.size()) {
            position = position * 10 + static_cast<std::size_t>(c - '0');
            digits = true;
        } else if (c == ' ' && digits && position < op.inputs.size()) {
            overwritten[position] = true;
            position = 0;
            digits = false;
        } else {
            return std::vector<bool>(op.inputs.size(), true);
        }
    }
    if (digits) return std::vector<bool>(op.inputs.size(), true);
    return overwritten;
}

} // namespace stowage
