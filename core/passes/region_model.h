// The part of a region that the order of its ops affects, as the search for an order needs it.
#pragma once

#include "core/lower/expansion.h"
#include "core/lower/lower.h"
#include "core/passes/op_order.h"

#include <vector>

namespace stowage {

/// A lowered program with its steps, and the bytes live at each of them.
struct LoweredProgram {
    const Program* program = nullptr;
    Lowering lowering; ///< in listed order, without optional in-place merging
    lowering::Expansion expansion;
    std::vector<Bytes> live; ///< by step: of all buffers that may lie in a workspace pool, with all slots

    /// Lowers `program` in listed order, whatever order and in-place mode `options` ask for; `program` must outlive the result.
    /// Errors: those of `lower` and of `lowering::expand`.
    static Expected<LoweredProgram> of(const Program& program, LowerOptions options);
};

/// Bytes of a buffer that count: 0 for those that only constant or persistent pools take.
Bytes countedBytes(const Problem& problem, const Buffer& buffer);
/// The most bytes live at one step, of what counts.
Bytes peakBytes(const Problem& problem);

struct RegionModel {
    OrderProblem problem; ///< node k is the k-th op of the region
    bool exact = true;    ///< what the model says of the listed order is what the lowered program has at every op
    Bytes atFirst = 0;    ///< live besides while the first op runs, whichever it is: a selector that the case itself reads
    Bytes listedPeak = 0; ///< the most bytes live in the lowered program while the region runs
};

/// The model of region `region` of expansion `instance`. A storage is what the lowering gives one buffer. Those that are declared
/// in the region or around it live as its order has it; those of inner regions and callees live at moments of the op that holds
/// or calls them. `overwrites`: permitted in-place pairs count. `relaxed`: of what is inside an op only what each of its steps
/// touches counts, so that the model holds for every order of inner regions. O(steps of the region * live buffers).
RegionModel regionModel(const LoweredProgram& lowered, lowering::InstanceId instance, RegionId region, bool overwrites,
                        bool relaxed);

} // namespace stowage
