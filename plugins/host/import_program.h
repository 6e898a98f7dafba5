// Readers and writers that are programs, by manifest.
#pragma once

#include "core/ir/expected.h"
#include "plugins/host/plugin_host.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// How surely a program reads a file.
enum class ProgramClaim { nothing, bySuffix, byContents, byName };

/// The usable importer program that reads a file whose first bytes are `head`: the one named `wanted`; else one whose magic is
/// there; else one of the file's suffix. Null without any; of equal ones the first.
[[nodiscard]] const PluginRow* importerProgram(const PluginHost& host, std::string_view head, const std::string& path,
                                               const std::string& wanted, ProgramClaim& claim);

/// What the program writes about the file: a document that a native importer reads. `bytes`: of a file that has no path. Blocks.
[[nodiscard]] Expected<std::string> runImporter(const PluginRow& row, const std::string& path,
                                                std::optional<std::string_view> bytes,
                                                const std::vector<std::pair<std::string, std::string>>& options,
                                                const std::stop_token& cancel);

/// Hands a plan (`stowage.plan/1`) and its problem (`stowage.problem/1`) to an exporter, which writes the file `out` or to
/// standard output. Returns what it wrote. Blocks.
[[nodiscard]] Expected<std::string> runExporter(const PluginRow& row, std::string_view plan, std::string_view problem,
                                                const std::vector<std::pair<std::string, std::string>>& options,
                                                const std::stop_token& cancel);

} // namespace stowage
