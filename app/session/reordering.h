// Reorders the ops of a program, with the same result in the window and on the command line; an order as names, which is saved.
#pragma once

#include "app/session/session.h"
#include "core/passes/reorder.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// The options of the `reorder` pass: orders are judged with the lowering options that planning `program` would use (see
/// `lowerOptions`), and with the pools and alignment of the request. Errors: a lowering without a listed order, a bad lowering
/// option.
[[nodiscard]] Expected<ReorderOptions> reorderOptions(const PlanRequest& request, const Program& program);

/// Searches for a better order of the request's function (empty: the program's entry), judged with `reorderOptions`. The result
/// has the entry of `program`; a partial one (`Reordered::partial`) has no bound and no proof. `progress` is called on the
/// calling thread. Errors: those of `reorderOptions` and of the pass.
[[nodiscard]] Expected<Reordered> reorderFunction(const Program& program, const PlanRequest& request,
                                                  const OrderLimits& limits = {},
                                                  std::function<void(std::size_t done, std::size_t regions)> progress = {});

/// Count of ops whose position in their region differs between `before` and `after`.
[[nodiscard]] std::int64_t movedOps(const Program& before, const Program& after);

/// The ops of one region by their names, in listed order.
struct ListedOps {
    std::string function;
    std::int64_t region = 0; ///< index in the regions of the function
    std::vector<std::string> ops;

    friend bool operator==(const ListedOps&, const ListedOps&) = default;
};

/// The regions of `after` that list the ops of `before` in another order. No value if ops, tensors, functions or regions differ.
/// O(program).
[[nodiscard]] std::optional<std::vector<ListedOps>> changedOrder(const Program& before, const Program& after);

/// The program with these regions in this order. Errors: a region that the program does not have, or that lists other ops; an
/// order in which an op reads a tensor before it is written, and the other errors of the verifier. O(program).
[[nodiscard]] Expected<Program> withOrder(Program program, std::span<const ListedOps> regions);

} // namespace stowage
