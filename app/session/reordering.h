// How a program's ops are reordered by both programs, so that one model has one answer.
#pragma once

#include "app/session/session.h"
#include "core/passes/reorder.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace stowage {

/// The options of the `reorder` pass under which an order is judged: the lowering that planning `program` would use (what the
/// program is meant for, then what the request says), with the request's memories and alignment. An error when that lowering has
/// no listed order, or does not exist.
[[nodiscard]] Expected<ReorderOptions> reorderOptions(const PlanRequest& request, const Program& program);

/// Searches for a better order of the request's function (empty: the program's entry), judged by `reorderOptions`. The result's
/// program has the entry of `program`. `progress` is called on the calling thread. Errors: those of `reorderOptions` and of the
/// pass.
[[nodiscard]] Expected<Reordered> reorderFunction(const Program& program, const PlanRequest& request,
                                                  const OrderLimits& limits = {},
                                                  std::function<void(std::size_t done, std::size_t regions)> progress = {});

/// Count of ops that a region of `after` lists at another place than `before`.
[[nodiscard]] std::int64_t movedOps(const Program& before, const Program& after);

} // namespace stowage
