// How a program's ops are reordered by both programs, so that one model has one answer.
#pragma once

#include "app/session/session.h"
#include "core/passes/reorder.h"

namespace stowage {

/// The options of the `reorder` pass under which an order is judged: the lowering that planning `program` would use (what the
/// program is meant for, then what the request says), with the request's memories and alignment. An error when that lowering has
/// no listed order, or does not exist.
[[nodiscard]] Expected<ReorderOptions> reorderOptions(const PlanRequest& request, const Program& program);

} // namespace stowage
