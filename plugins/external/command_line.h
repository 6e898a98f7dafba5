// The command line of a manifest's program, with values in place of the placeholders. No shell reads it: a value stays one
// argument, or a part of one, whatever bytes it contains.
#pragma once

#include "plugins/external/manifest.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage::external {

/// The names in braces in one word of `argv`, in order. `{{` and `}}` stand for a brace.
[[nodiscard]] std::vector<std::string> placeholders(std::string_view word);
/// True if the host has a value for the placeholder `name`. Planners: in, out, dir, capacity, alignment, seed, time_limit_s,
/// threads, option:NAME. Importers: in, dir, option:NAME. Exporters: plan, problem, out, dir, option:NAME.
[[nodiscard]] bool knownPlaceholder(const Manifest& manifest, std::string_view name);
/// All known placeholders, in braces and separated by commas, for a message.
[[nodiscard]] std::string placeholderNames(const Manifest& manifest);
/// True if a word of the manifest's `argv` contains the placeholder `name`.
[[nodiscard]] bool uses(const Manifest& manifest, std::string_view name);

/// Values of placeholders, by name. A placeholder without a value is empty.
using PlaceholderValues = std::vector<std::pair<std::string, std::string>>;

/// The arguments, the program first. An argument in which a placeholder is empty is left out.
[[nodiscard]] std::vector<std::string> commandLine(const Manifest& manifest, const PlaceholderValues& values);

} // namespace stowage::external
