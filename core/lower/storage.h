// The storages of an expanded program, and when each is live.
#pragma once

#include "core/lower/carries.h"
#include "core/lower/expansion.h"
#include "core/lower/lower.h"
#include "core/lower/partial_order.h"
#include "core/lower/phi.h"
#include "core/lower/sharing.h"
#include "core/lower/touches.h"

#include <set>
#include <vector>

namespace stowage::lowering {

/// Bytes that one or more tensors share by the meaning of the program: a buffer, unless an optional rule merges it into another.
struct Storage {
    InstanceId instance = none; ///< first instance of the function that owns it
    TensorId tensor = none;     ///< the tensor that owns it
    std::vector<Interval> live; ///< ascending, disjoint
    std::vector<Step> writes;   ///< ascending ticks (`tickOf`); filled on request only
    std::vector<Interval>
        needs; ///< ascending, disjoint: steps after whose ops it is needed (`StorageNeed`); filled on request only
    /// With a partial order: the points that touch it, ascending, apart for what does not keep its contents from one to the other
    /// (calls of its function, uses as scratch).
    std::vector<std::vector<Point>> segments;
    std::vector<Point> pointWrites; ///< with a partial order, on request
    std::vector<Early> early =
        {}; ///< steps of `live` that count in one iteration only; of what is carried: in addition to `live`
};

/// What is carried without being moved: storage `kept`, of a body's input or of a result, is the `made` of `distance` iterations
/// ago; in the first iterations, one of `initials`. It is no buffer of its own.
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
    bool after = false;      ///< a result: counted from the end of the loop
    bool othersMove = false; ///< a result, beside others of the loop that are moved to their places when it ends
    std::size_t source = 0;  ///< into the carries that it is one of
};

/// A result that lies where the body makes it, but in the loop's input where no iteration is run.
struct StorageResult {
    std::size_t element = 0; ///< a tensor of an instance, as in `Storages::of`
    StorageCarry carry;      ///< `kept` is the storage itself
};

/// A phi view: where it lies is chosen from what other elements are, or its own storage (none).
struct StoragePhi {
    std::size_t element = 0; ///< of the view, which owns its storage
    Choice by;
    std::vector<Element> values;
};

/// All storages that a run touches, and where the tensors lie in them. A tensor of instance i is at `instances[i].firstTensor`
/// plus its id.
struct Storages {
    std::vector<Storage> all;     ///< by first instance, then by tensor
    std::vector<std::int32_t> of; ///< by tensor: into `all`; none when nothing touches its storage
    std::vector<Bytes> delta;     ///< by tensor: from the storage's begin
    std::vector<StorageCarry> carries;
    std::vector<StorageResult> results;
    std::vector<StoragePhi> phis;
    std::vector<Element> owner; ///< by tensor: the one that owns its storage
    std::vector<Copying> copies;
    std::set<LoopId> tested; ///< of the loops of `carries`: those with a condition, which may run no iteration
};

/// `sharing` is by function. What a function makes for itself lies in one storage for all calls of it, with the live ranges of
/// each, except where it rotates with a loop (then each call has its own). `order` may be null. Near-linear in the expanded
/// program. `carries`: values that are not moved; those for which that turns out to be impossible are taken out of the list, with
/// the reason.
Storages findStorages(const Expansion& expansion, const std::vector<Sharing>& sharing, const PartialOrder* order,
                      Carries& carries, const std::vector<PhiView>& phis, bool withWrites);

} // namespace stowage::lowering
