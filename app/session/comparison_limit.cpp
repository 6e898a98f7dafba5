#include "app/session/comparison_limit.h"

#include <algorithm>

namespace stowage {

PlanRequest limitedForComparison(const Session& session, const Model& model, PlanRequest request)
{
    if (request.planner != "exact" || request.workLimit != 0 || request.timeLimitSeconds > 0) return request;
    request.workLimit = comparedWork;
    if (const auto lowering = session.lowerNow(model, request)) { // it is kept for the planning
        const double share = std::min(1.0, double(easilyCompared) / std::max(1.0, double((*lowering)->problem.buffers.size())));
        request.workLimit = std::max(minComparedWork, static_cast<std::uint64_t>(double(comparedWork) * share * share * share));
    }
    return request;
}

} // namespace stowage
