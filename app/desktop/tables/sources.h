// The sources of the tables: buffers, ops, pools, diagnostics.
#pragma once

#include "app/desktop/tables/row_table.h"
#include "core/plan/run.h"

#include <memory>

namespace stowage {

[[nodiscard]] std::shared_ptr<const RowSource> bufferRows(std::shared_ptr<const Run> run);
/// Null without a program.
[[nodiscard]] std::shared_ptr<const RowSource> opRows(std::shared_ptr<const Run> run);
[[nodiscard]] std::shared_ptr<const RowSource> poolRows(std::shared_ptr<const Run> run);
/// The diagnostics of import, lowering, plan and checker, the most severe first.
[[nodiscard]] std::shared_ptr<const RowSource> diagnosticRows(const Diagnostics& imported, const std::shared_ptr<const Run>& run);

/// All diagnostics of a run and its input, the most severe first.
[[nodiscard]] Diagnostics allDiagnostics(const Diagnostics& imported, const Run* run);

} // namespace stowage
