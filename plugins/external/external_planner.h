// A planner that is another program, described by a manifest.
#pragma once

#include "core/plan/planner.h"
#include "plugins/external/manifest.h"

#include <functional>
#include <memory>
#include <optional>

namespace stowage::external {

/// Is called after each run, on the thread that planned. `failure` has no value if the run gave a plan.
using OutcomeSink = std::function<void(const std::optional<Error>& failure)>;

/// A planner that runs the manifest's program. Planning blocks, and is possible on several threads at once. Errors: a code of
/// `RunFailure` if the run fails. A claim of the program becomes a `ForeignClaim` of the plan.
[[nodiscard]] std::shared_ptr<const Planner> externalPlanner(Manifest manifest, OutcomeSink outcome = {});

} // namespace stowage::external
