#include "app/session/comparison_limit.h"

#include <algorithm>

namespace stowage {

PlanRequest limitedForComparison(const Session& session, const Model& model, PlanRequest request)
{
    constexpr std::uint64_t maxWork = 5'000'000; // placements: seconds, not minutes
    constexpr std::uint64_t minWork = 1000;
    constexpr double easyBuffers = 500;
    if (request.planner != "exact" || request.workLimit != 0 || request.timeLimitSeconds > 0) return request;
    request.workLimit = maxWork;
    if (const auto lowering = session.lowerNow(model, request)) { // it is kept for the planning
        const double share = std::min(1.0, easyBuffers / std::max(1.0, double((*lowering)->problem.buffers.size())));
        request.workLimit = std::max(minWork, static_cast<std::uint64_t>(double(maxWork) * share * share * share));
    }
    return request;
}

} // namespace stowage
