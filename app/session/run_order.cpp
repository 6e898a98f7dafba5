#include "app/session/run_order.h"

#include "core/explain/ranking.h"

#include <tuple>

namespace stowage {

bool sameSetup(const PlanRequest& a, const PlanRequest& b)
{
    return a.target.name == b.target.name && a.target.pools == b.target.pools && a.alignment == b.alignment &&
           a.lowering == b.lowering && a.pins == b.pins && a.changes == b.changes;
}

bool sameRequest(const PlanRequest& a, const PlanRequest& b)
{
    return a.model == b.model && a.planner == b.planner && a.options == b.options && sameSetup(a, b) && a.seed == b.seed &&
           a.workLimit == b.workLimit && a.timeLimitSeconds == b.timeLimitSeconds;
}

bool betterRun(const RunEntry& a, const RunEntry& b)
{
    if (isBetter(*a.run, *b.run)) return true;
    return !isBetter(*b.run, *a.run) && std::tie(a.request.planner, a.id) < std::tie(b.request.planner, b.id);
}

} // namespace stowage
