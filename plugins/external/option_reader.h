// Reads the descriptions of options: in a manifest, and in the metadata of a library.
//
//     {"name": "order", "type": "choice", "choices": ["size", "start"], "default": "size", "help": "…"}
//     {"name": "tries", "type": "int", "min": 1, "default": 8, "help": "…"}
#pragma once

#include "core/ir/expected.h"
#include "core/ir/option_spec.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace stowage::io {
class JsonReader;
}

namespace stowage::external {

/// Where an option is described.
enum class OptionSource : std::uint8_t {
    manifest,
    /// May leave out "type": the option is a choice if it has "choices", and a text otherwise. May say "description" for "help".
    library,
};

/// True for lower-case letters, digits and '-', at most 64 of them, without a '-' in front.
[[nodiscard]] bool isId(std::string_view text);

/// Reads the current value of `in` as an option, and appends it. "type" is flag, int, real, text or choice. "min" and "max" are
/// inclusive; each may be left out. Without "default": the first choice, false, the number nearest to 0, an empty text. Errors
/// are reported to `in`: an unknown field, a second option of the same name, a default that the option does not accept.
void readOption(io::JsonReader& in, OptionSource source, std::vector<OptionSpec>& options);

/// The options in a JSON array. O(text).
[[nodiscard]] Expected<std::vector<OptionSpec>> readOptions(std::string_view json, OptionSource source);

} // namespace stowage::external
