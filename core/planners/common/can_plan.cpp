#include "core/planners/common/can_plan.h"

namespace stowage {

std::optional<Error> cannotPlan(const PlannerInfo& info, const Problem& problem, const OptionValues& options)
{
    if (auto error = checkOptions(info, options)) return error;
    return checkCapabilities(info, problem);
}

} // namespace stowage
