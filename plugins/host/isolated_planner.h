// Planners of libraries. They run in the worker, so that a crash or a hang ends only one run; or in this process, if the author
// of the library and the user permit it.
#pragma once

#include "core/plan/planner.h"
#include "plugins/external/external_planner.h"

#include <QString>

#include <chrono>
#include <functional>
#include <memory>

namespace stowage {

class Plugin;

/// A library, and the worker that loads it.
struct IsolatedLibrary {
    QString id;
    QString path;
    QString worker; ///< path of stowage-worker
    /// Maximum time of a planning; the planner is then asked to stop. STOWAGE_WORKER_TIMEOUT_S (`userLimits`) can raise it.
    std::chrono::milliseconds timeout = external::defaultTimeout;
};

/// A planner that runs in the worker. `info` is from the metadata of the library. Errors of planning: a code of `RunFailure` if
/// the run fails. A plan that was cut because `IsolatedLibrary::timeout` was over has a warning that names this limit. Search
/// certificates become claims; cliques stay, because the core rechecks them.
[[nodiscard]] std::shared_ptr<const Planner> isolatedPlanner(IsolatedLibrary library, PlannerInfo info,
                                                             external::OutcomeSink outcome);

/// Loads a library into this process; an error when it is refused or does not load. Thread-safe.
using LibraryLoader = std::function<Expected<Plugin*>()>;

/// Calls `load` at each planning, from the thread that plans, and runs the planner of this name in this process.
[[nodiscard]] std::shared_ptr<const Planner> inProcessPlanner(LibraryLoader load, PlannerInfo info);

} // namespace stowage
