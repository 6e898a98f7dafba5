// A planner that is another program, described by a manifest.
#pragma once

#include "core/plan/planner.h"
#include "plugins/external/manifest.h"

#include <functional>
#include <memory>
#include <optional>

namespace stowage::external {

/// Told after each run how it went; nothing: well. Called on the thread that planned.
using OutcomeSink = std::function<void(const std::optional<Error>& failure)>;

/// Plans by running the manifest's program: blocks, may be called from several threads at once. A run that fails is an error with
/// a code of `RunFailure`; what it claims is a `ForeignClaim` of the plan.
[[nodiscard]] std::shared_ptr<const Planner> externalPlanner(Manifest manifest, OutcomeSink outcome = {});

} // namespace stowage::external
