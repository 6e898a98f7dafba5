// Planners of libraries: in the worker, so that a crash or a hang costs one run; or, where its author and the user want that, in
// this process.
#pragma once

#include "core/plan/planner.h"
#include "plugins/external/external_planner.h"

#include <QString>

#include <memory>

namespace stowage {

/// A library, and the worker that loads it.
struct IsolatedLibrary {
    QString id;
    QString path;
    QString worker; ///< path of stowage-worker
};

/// `info` as the metadata has it. A run that fails is an error with a code of `RunFailure`. Proofs that the planner says it has
/// become claims; cliques stay, as the core rechecks them.
[[nodiscard]] std::shared_ptr<const Planner> isolatedPlanner(IsolatedLibrary library, PlannerInfo info,
                                                             external::OutcomeSink outcome);

/// Loads the library at the first planning, into this process.
[[nodiscard]] std::shared_ptr<const Planner> inProcessPlanner(QString library, PlannerInfo info);

} // namespace stowage
