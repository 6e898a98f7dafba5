// The storages of an expanded program, and their live ranges.
#pragma once

#include "core/lower/carries.h"
#include "core/lower/expansion.h"
#include "core/lower/lowering.h"
#include "core/lower/partial_order.h"
#include "core/lower/phi.h"
#include "core/lower/sharing.h"
#include "core/lower/touches.h"

#include <set>
#include <vector>

namespace stowage::lowering {

/// Bytes that one or more tensors share by the semantics of the program. Each storage becomes a buffer, unless an optional rule
/// merges it into another one.
struct Storage {
    InstanceId instance = none; ///< first instance of the function that owns it
    TensorId tensor = none;     ///< the tensor that owns it
    std::vector<Interval> live; ///< ascending, disjoint
    std::vector<Step> writes;   ///< ascending ticks (`tickOf`); filled on request only
    std::vector<Interval>
        needs; ///< ascending, disjoint: steps after whose ops it is needed (`StorageNeed`); filled on request only
    /// With a partial order: the points that touch it, ascending. There is one list for each time over which its contents have to
    /// be kept: for each call of its function, and for each use as scratch.
    std::vector<std::vector<Point>> segments;
    std::vector<Point> pointWrites; ///< with a partial order, on request
    std::vector<Early> early =
        {}; ///< steps of `live` that count in one iteration only; for carried values, steps in addition to `live`
};

/// A value that is carried without a copy: storage `kept`, of a body's input or of a result, is the `made` of `distance`
/// iterations ago; in the first iterations, one of `initials`. `kept` is no buffer of its own.
struct StorageCarry {
    struct Place {
        std::int32_t storage = none;
        Bytes delta = 0;
    };
    std::int32_t made = none;
    std::int32_t kept = none;
    std::int32_t distance = 1;   ///< iterations of `loop`
    std::vector<Place> initials; ///< by iteration, `distance` entries
    LoopId loop = none;
    bool after = false;      ///< `kept` is a result: iterations are counted from the end of the loop
    bool othersMove = false; ///< `kept` is a result, and other results of the loop are copied when it ends
    std::size_t source = 0;  ///< index into `Carries::precise`
};

/// A loop's result that lies where the body makes it; when no iteration runs, it lies in the loop's input.
struct StorageResult {
    std::size_t element = 0; ///< a tensor of an instance, as in `Storages::of`
    StorageCarry carry;      ///< `kept` is the storage itself
};

/// A phi view. Its storage is chosen at run time: that of one of `values`, or its own (`none`).
struct StoragePhi {
    std::size_t element = 0; ///< of the view, which owns its storage
    Choice by;
    std::vector<Element> values;
};

/// All storages that an execution touches, and the positions of tensors in them. Arrays by tensor hold a tensor of instance i at
/// index `instances[i].firstTensor` plus its id.
struct Storages {
    std::vector<Storage> all;     ///< by first instance, then by tensor
    std::vector<std::int32_t> of; ///< by tensor: index into `all`; none when nothing touches its storage
    std::vector<Bytes> delta;     ///< by tensor: offset in its storage
    std::vector<StorageCarry> carries;
    std::vector<StorageResult> results;
    std::vector<StoragePhi> phis;
    std::vector<Element> owner; ///< by tensor: the tensor that owns its storage
    std::vector<Copying> copies;
    std::set<LoopId> tested; ///< the loops of `carries` that have a condition and may run no iteration
};

/// Finds the storages. `sharing` is indexed by function; `order` may be null. A tensor that a function makes for itself has one
/// storage for all calls of the function, with the live ranges of all of them; if it rotates with a loop, each call has a storage
/// of its own. `carries` holds the values to carry without a copy; those for which this is impossible are moved to
/// `Carries::moved`, with the reason. Near-linear in the expanded program.
Storages findStorages(const Expansion& expansion, const std::vector<Sharing>& sharing, const PartialOrder* order,
                      Carries& carries, const std::vector<PhiView>& phis, bool withWrites);

} // namespace stowage::lowering
