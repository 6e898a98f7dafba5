// The list of tensors in a plan file: where each planned tensor of a program lies, also one in the buffer of another.
#pragma once

#include "core/ir/checked.h"
#include "core/plan/run.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::io {

/// A planned tensor of a run. The views live as long as the run.
struct PlannedTensor {
    std::string_view name;
    std::string_view function; ///< that contains it
    std::int64_t call = 0;     ///< index of the function's instance; 0: the entry
    BufferId buffer = none;    ///< whose bytes it has
    PoolId pool = none;
    Bytes offset = 0; ///< of the tensor's first byte; of a rotating buffer the first of its places
    std::optional<Bytes> size;
};

/// Calls `visit` with each planned tensor, in the order of a plan file. None for a problem.
template <typename Visit>
void eachPlannedTensor(const Run& run, Visit&& visit)
{
    if (!run.program) return;
    const auto& instances = run.lowering->instances;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const Function& function = run.program->functions[static_cast<std::size_t>(instances[i].function)];
        for (std::size_t t = 0; t < std::min(function.tensors.size(), instances[i].bindings.size()); ++t) {
            const TensorBinding& binding = instances[i].bindings[t];
            if (binding.buffer == none || static_cast<std::size_t>(binding.buffer) >= run.plan.placements.size()) continue;
            const Placement& placement = run.plan.placements[static_cast<std::size_t>(binding.buffer)];
            if (!placement.placed() || static_cast<std::size_t>(placement.pool) >= run.problem().pools.size()) continue;
            visit(PlannedTensor{function.tensors[t].name, function.name, static_cast<std::int64_t>(i), binding.buffer,
                                placement.pool, checkedAdd(placement.offset, binding.delta).value_or(placement.offset),
                                function.tensors[t].bytes});
        }
    }
}

/// A tensor as a plan file lists it.
struct StatedTensor {
    std::string name;
    std::int64_t call = 0;
    std::string buffer;
    std::string pool;
    Bytes offset = 0;
};

/// The contradictions between the list of tensors in a plan file and its placements: a compiler may read either. None for an
/// empty list. O(tensors).
[[nodiscard]] std::vector<Mismatch> tensorMismatches(const Run& run, const std::vector<StatedTensor>& stated);

} // namespace stowage::io
