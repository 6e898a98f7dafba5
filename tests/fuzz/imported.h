// What every importer's result has to stand: the program can be lowered, or is refused with a reason.
#pragma once

#include "core/lower/lower.h"
#include "plugins/api/importer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace stowage::test {

inline void lowerSafely(const Expected<Imported>& imported, const LowerOptions& options = {})
{
    if (!imported) {
        if (codeText(imported.error()).empty() || imported.error().message.empty()) std::abort();
        return;
    }
    const auto* program = std::get_if<Program>(&imported->content);
    if (!program) return;
    const auto lowering = lower(*program, options);
    if (!lowering && lowering.error().message.empty()) std::abort();
}

inline std::string_view textOf(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

} // namespace stowage::test
