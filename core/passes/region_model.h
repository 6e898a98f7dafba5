// Builds the `OrderProblem` of one region: the bytes whose lifetimes depend on the order of the region's ops.
#pragma once

#include "core/lower/expansion.h"
#include "core/lower/lower.h"
#include "core/passes/op_order.h"

#include <functional>
#include <vector>

namespace stowage {

/// A lowered program with its steps, and the bytes live at each of them.
struct LoweredProgram {
    const Program* program = nullptr;
    Lowering lowering; ///< in listed order, without optional in-place merging
    lowering::Expansion expansion;
    std::vector<Bytes> live; ///< by step: bytes of all live buffers that may lie in a workspace pool, with all slots

    /// Lowers `program` in listed order, whatever order and in-place mode `options` ask for; `program` must outlive the result.
    /// Errors: those of `lower` and of `lowering::expand`.
    static Expected<LoweredProgram> of(const Program& program, LowerOptions options);
};

/// Bytes of a buffer that count for the peak: 0 for a buffer that only constant or persistent pools can hold.
Bytes countedBytes(const Problem& problem, const Buffer& buffer);
/// Largest number of counted bytes that are live at one step.
Bytes peakBytes(const Problem& problem);

struct RegionModel {
    OrderProblem problem; ///< node k is the k-th op of the region
    bool exact = true;    ///< in listed order, the model's live bytes equal those of the lowered program at every op
    Bytes atFirst =
        0; ///< bytes live in addition while the first op runs, whichever op that is: the selector that the enclosing case reads
    Bytes listedPeak = 0; ///< largest number of bytes live in the lowered program while the region runs
    bool stopped = false; ///< by `stop`: the model is not complete and must not be used
};

/// The model of region `region` in expansion `instance`. Each buffer of the lowering is a storage. The lifetimes of buffers that
/// are declared in the region or around it follow from the order of the region's ops. Buffers of inner regions and of callees are
/// live at moments of the op that holds or calls them. `overwrites`: use permitted in-place pairs. `relaxed`: inside an op, count
/// only the buffers that each of its steps uses, so that the model is a lower bound for every order of the inner regions. `stop`:
/// called before each op, may be empty; true stops. O(steps of the region * live buffers).
RegionModel regionModel(const LoweredProgram& lowered, lowering::InstanceId instance, RegionId region, bool overwrites,
                        bool relaxed, const std::function<bool()>& stop = {});

} // namespace stowage
