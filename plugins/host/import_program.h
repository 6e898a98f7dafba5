// Runs importers and exporters that are programs, described by manifests.
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

/// The evidence that a program reads a file, weakest first.
enum class ProgramClaim { nothing, bySuffix, byContents, byName };

/// The usable importer program for a file whose first bytes are `head`: the program named `wanted`; else a program whose magic is
/// in `head`; else a program for the suffix of `path`. Of several the first; null if there is none. Sets `claim` to the evidence.
[[nodiscard]] const PluginRow* importerProgram(const PluginHost& host, std::string_view head, const std::string& path,
                                               const std::string& wanted, ProgramClaim& claim);

/// Runs an importer. Returns its output, a document that a native importer reads. `bytes`: the contents of an input that has no
/// path. Blocks. Errors of `RunFailure`.
[[nodiscard]] Expected<std::string> runImporter(const PluginRow& row, const std::string& path,
                                                std::optional<std::string_view> bytes,
                                                const std::vector<std::pair<std::string, std::string>>& options,
                                                const std::stop_token& cancel);

/// Runs an exporter on a plan (`stowage.plan/1`) and its problem (`stowage.problem/1`). Returns the file `out` that it wrote, or
/// its standard output. Blocks. Errors of `RunFailure`.
[[nodiscard]] Expected<std::string> runExporter(const PluginRow& row, std::string_view plan, std::string_view problem,
                                                const std::vector<std::pair<std::string, std::string>>& options,
                                                const std::stop_token& cancel);

} // namespace stowage
