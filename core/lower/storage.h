// The storages of an expanded program, and when each is live.
#pragma once

#include "core/lower/expansion.h"
#include "core/lower/partial_order.h"
#include "core/lower/sharing.h"

#include <vector>

namespace stowage::lowering {

/// Bytes that one or more tensors share by the meaning of the program: a buffer, unless an optional rule merges it into another.
struct Storage {
    InstanceId instance = none; ///< first instance of the function that owns it
    TensorId tensor = none;     ///< the tensor that owns it
    std::vector<Interval> live; ///< ascending, disjoint
    std::vector<Step> writes;   ///< ascending ticks (`tickOf`); filled on request only
    std::vector<Interval> needs; ///< ascending, disjoint: steps after whose ops it is needed (`StorageNeed`); filled on request only
    /// With a partial order: the points that touch it, ascending, apart for what does not keep its contents from one to the other (calls
    /// of its function, uses as scratch).
    std::vector<std::vector<Point>> segments;
    std::vector<Point> pointWrites; ///< with a partial order, on request
};

/// What is carried in place: storage `kept`, of a body's input, is the copy of `made` of the iteration before, in the first iteration
/// `initial`. It is no buffer of its own.
struct StorageCarry {
    std::int32_t made = none;
    std::int32_t kept = none;
    std::int32_t initial = none;
    Bytes madeDelta = 0;
    Bytes initialDelta = 0;
    LoopId loop = none;
};

/// All storages that a run touches, and where the tensors lie in them. A tensor of instance i is at `instances[i].firstTensor`
/// plus its id.
struct Storages {
    std::vector<Storage> all;     ///< by first instance, then by tensor
    std::vector<std::int32_t> of; ///< by tensor: into `all`; none when nothing touches its storage
    std::vector<Bytes> delta;     ///< by tensor: from the storage's begin
    std::vector<StorageCarry> carries;
};

/// `sharing` is by function. What a function makes for itself lies in one storage for all calls of it, with the live ranges of
/// each, except where it rotates with a loop (then each call has its own). `order` may be null. Near-linear in the expanded program.
/// `precise`: values are carried in place where that can be done.
Storages findStorages(const Expansion& expansion, const std::vector<Sharing>& sharing, const PartialOrder* order, bool precise,
                      bool withWrites);

} // namespace stowage::lowering
