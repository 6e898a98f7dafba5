// The time axis of a program: calls and regions expanded in place, every leaf op one step.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/ir/program.h"

#include <span>
#include <vector>

namespace stowage::lowering {

using InstanceId = std::int32_t;
using PathId = std::int32_t; ///< into `Expansion::paths`

/// The steps of one branch of one case, or (number 0) the whole axis. A run goes through at most one branch of a case.
struct Path {
    PathId parent = none; ///< the path that the case lies on
    std::int32_t depth = 0;
    Interval steps;
    Interval caseSteps; ///< of all branches of the case
};

/// One expansion of a function: the entry, or one call in one expansion of its caller.
struct Instance {
    FunctionId function = none;
    InstanceId caller = none;
    OpId callSite = none;
    std::size_t firstOp = 0;     ///< where its ops begin in the arrays by op
    std::size_t firstRegion = 0; ///< … its regions in the arrays by region
    std::size_t firstTensor = 0; ///< … its tensors in arrays by tensor
};

/// The origin of a step.
struct StepPlace {
    InstanceId instance = none;
    OpId op = none; ///< none at step 0; for a region or callee without an op, the op that holds or calls it
    PathId path = 0;
    LoopId loop = none; ///< innermost
};

/// The expanded program. Arrays by op (region) hold an entry for each op (region) of each instance.
struct Expansion {
    const Program* program = nullptr;
    std::vector<Instance> instances; ///< callers before callees; [0] is the entry
    std::vector<StepPlace> steps;
    std::vector<Path> paths;
    std::vector<Loop> loops;
    std::vector<PathId> loopPaths;     ///< by loop: the path that it lies on
    std::vector<Interval> opSteps;     ///< by op; never empty
    std::vector<InstanceId> callees;   ///< by op: the instance of a call; none for other ops
    std::vector<Interval> regionSteps; ///< by region; never empty
    std::vector<LoopId> regionLoops;   ///< by region: innermost loop around its ops
    std::vector<PathId> regionPaths;   ///< by region: innermost path that its ops are on
    std::size_t tensors = 0;           ///< of all instances

    [[nodiscard]] const Function& function(InstanceId instance) const
    {
        return program->functions[static_cast<std::size_t>(instances[static_cast<std::size_t>(instance)].function)];
    }
    [[nodiscard]] Step horizon() const { return static_cast<Step>(steps.size()); }

    /// The steps at which control can enter (leave) a region: one, or one for each branch where it begins (ends) with a case.
    /// Appended to `to`. Linear in their number and the depth of the nesting.
    void entries(InstanceId instance, RegionId region, std::vector<Step>& to) const { ends(instance, region, true, to); }
    void exits(InstanceId instance, RegionId region, std::vector<Step>& to) const { ends(instance, region, false, to); }

private:
    void ends(InstanceId instance, RegionId region, bool first, std::vector<Step>& to) const;
};

/// Expands a verified program from its entry in listed order. A region or callee without any step gives the op that holds or
/// calls it a step of its own. An error when the result is too large to be handled. Linear in the result; no recursion.
Expected<Expansion> expand(const Program& program);

} // namespace stowage::lowering
