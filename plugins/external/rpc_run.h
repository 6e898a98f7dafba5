// One planning over `stdio-jsonrpc`: JSON-RPC 2.0 messages, framed by Content-Length as in the language server protocol.
#pragma once

#include "core/plan/planner.h"
#include "plugins/external/manifest.h"

namespace stowage::external {

/// Starts the program, sends `initialize` and `plan`, and ends the program after its answer. Publishes the plan of each
/// `partialPlan` notification. Sends `cancel` when the context is cancelled, its deadline passes, or the time in the manifest is
/// over; then the result is the answer that the program gives within two seconds, or, for a program that cannot be cancelled or
/// ends, the last complete partial plan. When the time in the manifest is over, that plan is also the result for a program that
/// does not answer, and the result has a warning that names the limit. An answer that had arrived before the program was asked to
/// stop is complete, unless the program was told a deadline. Blocks. Errors of `RunFailure`: also "timed-out" or "cancelled" for
/// a program that answers `cancel` with an error, unless the error has another code of `RunFailure`.
[[nodiscard]] Expected<Plan> planByRpc(const Manifest& manifest, const Problem& problem, const OptionValues& options,
                                       const PlanContext& context);

} // namespace stowage::external
