// The description of an option. Command line, forms of the window and the plug-in protocol are made from it.
#pragma once

#include <cstdint>
#include <limits>
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
    std::vector<std::string> choices; ///< allowed values, of a `choice`
    /// Of an `integer` or `number`, inclusive; infinite without a bound.
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();

    friend bool operator==(const OptionSpec&, const OptionSpec&) = default;
};

} // namespace stowage
