// The formats in which the command line writes a run or an input.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace stowage::cli {

struct WriterEntry {
    std::string name;
    std::string suffixes; ///< ".dot .gv": the file name chooses
    std::string title;
    std::string command; ///< that writes it
};

/// All of them, those of `convert` first.
std::span<const WriterEntry> exporters();

/// The name that `convert` would take for a file by its suffix; empty when none does.
std::string exporterFor(std::string_view file);

/// Writes `run` (its plan counts when `planned`) as program, problem, csv, dot, or the dot of its interference or allocation
/// graph.
Expected<std::string> exportAs(std::string_view name, const Run& run, bool planned);

} // namespace stowage::cli
