#include "core/pipeline/partition_problem.h"

#include <algorithm>

namespace stowage::pipeline {

Ticks largestPeriod(const PartitionProblem& problem)
{
    Ticks largest = 0;
    for (const auto& prefix : problem.prefix) largest = std::max(largest, prefix.back());
    const auto classes = static_cast<std::int32_t>(
        problem.classes.empty() ? 0 : *std::max_element(problem.classes.begin(), problem.classes.end()) + 1);
    if (problem.transfer)
        for (std::int32_t a = 0; a < classes; ++a)
            for (std::int32_t b = 0; b < classes; ++b)
                for (std::size_t cut = 1; cut < problem.ops; ++cut) largest = std::max(largest, problem.transfer(a, b, cut));
    return largest;
}

void measure(const PartitionProblem& problem, Partition& partition)
{
    partition.period = 0;
    partition.latency = 0;
    for (std::size_t s = 0; s < partition.stages.size(); ++s) {
        const PartitionStage& stage = partition.stages[s];
        const auto& prefix = problem.prefix[static_cast<std::size_t>(stage.device)];
        const Ticks cost = prefix[stage.end] - prefix[stage.begin];
        const Ticks moved =
            s > 0 && problem.transfer ? problem.transfer(partition.stages[s - 1].deviceClass, stage.deviceClass, stage.begin) : 0;
        partition.period = std::max({partition.period, cost, moved});
        partition.latency += cost + moved;
    }
}

} // namespace stowage::pipeline
