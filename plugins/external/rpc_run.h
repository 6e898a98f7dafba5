// One planning over `stdio-jsonrpc`: JSON-RPC 2.0 messages, framed by Content-Length as in the language server protocol.
#pragma once

#include "core/plan/planner.h"
#include "plugins/external/manifest.h"

namespace stowage::external {

/// Starts the program, asks `initialize`, then `plan`; publishes what `partialPlan` brings, sends `cancel` when the context says
/// so or its deadline passes, and ends it. Blocks. Stopped early it gives the program's best plan: its answer within two seconds,
/// or, from a program that cannot be cancelled, the last complete partial plan.
[[nodiscard]] Expected<Plan> planByRpc(const Manifest& manifest, const Problem& problem, const OptionValues& options,
                                       const PlanContext& context);

} // namespace stowage::external
