// The arguments of a manifest with its placeholders filled in. No shell ever sees them: a value is one argument, or a part of
// one, whatever bytes it has.
#pragma once

#include "plugins/external/manifest.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage::external {

/// The names in braces in one word of `argv`, in order. `{{` stands for a brace.
[[nodiscard]] std::vector<std::string> placeholders(std::string_view word);
/// Whether the host has a value for that name. Planners: in, out, dir, capacity, alignment, seed, time_limit_s, threads,
/// option:NAME. Importers: in, dir, option:NAME. Exporters: plan, problem, out, dir, option:NAME.
[[nodiscard]] bool knownPlaceholder(const Manifest& manifest, std::string_view name);
/// All known names, for a message.
[[nodiscard]] std::string placeholderNames(const Manifest& manifest);
/// Whether a word of the manifest has that placeholder.
[[nodiscard]] bool uses(const Manifest& manifest, std::string_view name);

/// Values by name of placeholder; what is missing is empty.
using PlaceholderValues = std::vector<std::pair<std::string, std::string>>;

/// The arguments, the program first. An argument with an empty value is left out.
[[nodiscard]] std::vector<std::string> commandLine(const Manifest& manifest, const PlaceholderValues& values);

} // namespace stowage::external
