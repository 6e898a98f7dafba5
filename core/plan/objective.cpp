#include "core/plan/objective.h"

#include "core/ir/checked.h"
#include "core/ir/problem.h"
#include "core/plan/plan.h"

namespace stowage {

Bytes saturatedSum(Bytes a, Bytes b)
{
    return checkedAdd(a, b).value_or(Objective::saturated);
}

void Objective::add(Bytes size, std::optional<Bytes> capacity)
{
    total = saturatedSum(total, size);
    if (capacity && size > *capacity) excess = saturatedSum(excess, size - *capacity);
}

Objective objectiveOf(const Problem& problem, const Plan& plan)
{
    Objective objective;
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool)
        objective.add(plan.poolSize(problem, pool), problem.pools[static_cast<std::size_t>(pool)].capacity);
    return objective;
}

} // namespace stowage
