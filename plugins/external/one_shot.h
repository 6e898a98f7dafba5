// Runs a program once: a planner that reads a problem and writes a plan, an importer or an exporter.
#pragma once

#include "core/plan/planner.h"
#include "plugins/external/manifest.h"

#include <QString>

namespace stowage::external {

/// Plans with the transports `csv-oneshot`, `json-oneshot` and `dsa-oneshot`. Blocks. Errors of `RunFailure`.
[[nodiscard]] Expected<Plan> planOnce(const Manifest& manifest, const Problem& problem, const OptionValues& options,
                                      const PlanContext& context);

/// The standard output of an importer or an exporter.
struct ProgramOutput {
    std::string text;
};
/// Runs the manifest's program with these values of its placeholders and an empty standard input. Blocks. Errors of `RunFailure`:
/// it exceeds a limit, or does not end with status 0.
[[nodiscard]] Expected<ProgramOutput> runProgram(const Manifest& manifest,
                                                 const std::vector<std::pair<std::string, std::string>>& values,
                                                 const std::stop_token& cancel);

/// The contents of the output file of a program. Errors of `RunFailure`: there is no file, or it has more than `limit` bytes.
[[nodiscard]] Expected<std::string> writtenFile(const QString& path, Bytes limit);

} // namespace stowage::external
