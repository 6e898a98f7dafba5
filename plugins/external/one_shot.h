// One run of a program that takes a problem and writes a plan.
#pragma once

#include "core/plan/planner.h"
#include "plugins/external/manifest.h"

#include <QString>

namespace stowage::external {

/// Transports `csv-oneshot`, `json-oneshot` and `dsa-oneshot`. Blocks.
[[nodiscard]] Expected<Plan> planOnce(const Manifest& manifest, const Problem& problem, const OptionValues& options,
                                      const PlanContext& context);

/// What the program of an importer or an exporter wrote to standard output.
struct ProgramOutput {
    std::string text;
};
/// Runs the manifest's program with those values of its placeholders, and nothing on its standard input. Blocks. An error of
/// `RunFailure` when it does not end well.
[[nodiscard]] Expected<ProgramOutput> runProgram(const Manifest& manifest,
                                                 const std::vector<std::pair<std::string, std::string>>& values,
                                                 const std::stop_token& cancel);

/// What a program wrote to its output file, `limit` bytes at most. An error of `RunFailure` when there is none, or more in it.
[[nodiscard]] Expected<std::string> writtenFile(const QString& path, Bytes limit);

} // namespace stowage::external
