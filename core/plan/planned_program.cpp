#include "core/plan/planned_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace stowage {

Program plannedProgram(const Run& run)
{
    struct Place {
        PoolId pool = none;
        bool several = false; ///< calls of the function place it in different pools
    };
    Program program = *run.program;
    std::vector<std::vector<Place>> places(program.functions.size()); // by function, then tensor
    std::vector<std::set<PoolId>> handed(program.functions.size());
    for (std::size_t f = 0; f < places.size(); ++f) places[f].resize(program.functions[f].tensors.size());

    const auto& instances = run.lowering->instances;
    std::vector<std::set<PoolId>> used(instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const FunctionInstance& instance = instances[i];
        for (std::size_t t = 0; t < instance.bindings.size(); ++t) {
            const TensorBinding& binding = instance.bindings[t];
            if (binding.buffer == none) continue;
            const Placement& placement = run.plan.placements[at(binding.buffer)];
            if (!placement.placed()) continue;
            used[i].insert(placement.pool);
            Place& place = places[at(instance.function)][t];
            place.several |= place.pool != none && place.pool != placement.pool;
            place.pool = placement.pool;
        }
    }
    for (std::size_t i = instances.size(); i-- > 0;) { // callers precede the functions that they call
        handed[at(instances[i].function)].insert(used[i].begin(), used[i].end());
        if (instances[i].caller != none) used[at(instances[i].caller)].insert(used[i].begin(), used[i].end());
    }

    const std::vector<Pool>& pools = run.problem().pools;
    for (std::size_t f = 0; f < places.size(); ++f) {
        Function& function = program.functions[f];
        function.pools.clear();
        for (const PoolId pool : handed[f]) function.pools.push_back(pools[at(pool)].name);
        for (std::size_t t = 0; t < places[f].size(); ++t) {
            const Place& place = places[f][t];
            if (place.pool == none || place.several) continue;
            function.tensors[t].pools = {pools[at(place.pool)].name};
        }
    }
    // Only the tensor that owns the storage gets the offset, not its views: a second pin would mean a second storage.
    for (std::size_t b = 0; b < run.lowering->origins.size(); ++b) {
        const BufferOrigin& origin = run.lowering->origins[b];
        const Placement& placement = run.plan.placements[b];
        if (placement.placed() && !placement.rotating())
            program.functions[at(origin.function)].tensors[at(origin.tensor)].pinnedOffset = placement.offset;
    }
    program.pools = pools;
    return program;
}

std::optional<Error> notSaidByOffsets(const Run& run, bool program)
{
    const char* const remedy = "plan with --lower loops=conservative, or keep the plan beside the input: plan --format json";
    for (std::size_t b = 0; b < run.plan.placements.size(); ++b)
        if (run.plan.placements[b].rotating() && run.problem().buffers[b].slots == 1)
            return failure(Code::rotating,
                           fmt::format("'{}' rotates between several offsets, which one offset cannot express",
                                       run.problem().buffers[b].name),
                           {}, remedy);
    if (!program || !run.program) return std::nullopt;
    for (const FunctionInstance& instance : run.lowering->instances)
        for (std::size_t t = 0; t < instance.bindings.size(); ++t) {
            const TensorBinding& binding = instance.bindings[t];
            if (binding.distance == 0 && binding.choices.empty()) continue;
            const Tensor& tensor = run.program->functions[at(instance.function)].tensors[t];
            return failure(Code::rotating,
                           fmt::format("'{}' lies at the address {}: an offset of its own would move it", tensor.name,
                                       binding.choices.empty() ? "of a value of an earlier iteration"
                                                               : "of the value that it is chosen from"),
                           tensor.where, remedy);
        }
    return std::nullopt;
}

std::optional<Diagnostic> slotsNotSaid(const Run& run, bool program)
{
    const auto rotating = std::count_if(run.plan.placements.begin(), run.plan.placements.end(),
                                        [](const Placement& placement) { return placement.rotating(); });
    if (rotating == 0) return std::nullopt;
    const bool one = rotating == 1;
    const std::string buffers = fmt::format("{} {} with several slots", rotating, one ? "buffer" : "buffers");
    return warning(
        Code::rotating,
        program ? fmt::format("{} {} no offset in the program, which has one for each tensor", buffers, one ? "has" : "have")
                : fmt::format("{} {} pinned in the problem by the first slot only", buffers, one ? "is" : "are"),
        {}, "plan --format json writes the offsets of all slots");
}

} // namespace stowage
