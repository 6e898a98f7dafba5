// How an option describes itself, so that command line, window form and plug-in protocol all come from one place.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stowage {

enum class OptionType : std::uint8_t { boolean, integer, number, text, choice };

/// One option of a planner or an importer.
struct OptionSpec {
    std::string name; ///< kebab-case
    OptionType type = OptionType::text;
    std::string defaultValue;
    std::string description;          ///< one sentence
    std::vector<std::string> choices; ///< choice
    double minimum = 0;               ///< integer, number
    double maximum = 0;               ///< integer, number; no bounds when both are 0

    friend bool operator==(const OptionSpec&, const OptionSpec&) = default;
};

} // namespace stowage
