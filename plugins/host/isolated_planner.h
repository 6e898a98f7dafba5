// Planners of libraries: in the worker, so that a crash or a hang costs one run; or, where its author and the user want that, in
// this process.
#pragma once

#include "core/plan/planner.h"
#include "plugins/external/external_planner.h"

#include <QString>

#include <functional>
#include <memory>

namespace stowage {

class Plugin;

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

/// Loads a library into this process; an error when it is refused or does not load. Thread-safe.
using LibraryLoader = std::function<Expected<Plugin*>()>;

/// Calls `load` at each planning, from the thread that plans, and runs the planner of this name in this process.
[[nodiscard]] std::shared_ptr<const Planner> inProcessPlanner(LibraryLoader load, PlannerInfo info);

} // namespace stowage
