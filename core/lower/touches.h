// The steps that touch each storage: by ops, and by the copies that core/lower/sharing.h requires.
#pragma once

#include "core/lower/carries.h"
#include "core/lower/expansion.h"
#include "core/lower/live_ranges.h"
#include "core/lower/partial_order.h"
#include "core/lower/phi.h"
#include "core/lower/sharing.h"

#include <vector>

namespace stowage::lowering {

/// A tensor of an instance, in arrays over all of them.
using Element = std::int32_t;

/// Where the tensors of all instances lie, callees' inputs and outputs followed to their callers.
struct Elements {
    std::vector<Element> owner;    ///< owns the storage; itself for owners
    std::vector<Bytes> delta;      ///< from the storage's begin
    std::vector<LoopId> homeLoops; ///< innermost loop inside which its bytes are made anew

    /// The owners and offsets of the tensors of all instances of `expansion`; `sharing` by function of its program. Callers come
    /// before callees in the expansion.
    static Elements of(const Expansion& expansion, const std::vector<Sharing>& sharing);
};

/// A touch of the storage that `owner` owns.
struct StorageTouch {
    Element owner = none;
    Touch touch;
    bool scratch = false; ///< contents are not kept from one such touch to the next
};

/// When something is written at a step: by copies into a region that begins there, by the op, by copies out of a region that
/// ends.
enum class Phase : std::uint8_t { before, op, after };

/// Steps and phases as one number, in the order of time.
constexpr Step tickOf(Step step, Phase phase)
{
    return 3 * step + static_cast<Step>(phase);
}

struct StorageWrite {
    Element owner = none;
    Step tick = 0;
};

/// What a storage holds is needed after the ops at these steps, although it may not be live at the next one: it is copied from
/// where a region ends, read by the caller, or found there by the next iteration.
struct StorageNeed {
    Element owner = none;
    Interval steps;
};

/// A touch where no order is given: from one point to another, the two ends of a loop, or of an op for its scratch.
struct PointTouch {
    Element owner = none;
    Point first = none;
    Point last = none;
    bool scratch = false;
};

struct PointWrite {
    Element owner = none;
    Point point = none;
};

/// Bytes that are moved where a region begins or ends.
struct Copying {
    InstanceId instance = none;
    OpId op = none; ///< that holds the region, or calls
    Element from = none;
    Element to = none;
};

struct Touches {
    std::vector<StorageTouch> touches;
    std::vector<StorageWrite> writes;    ///< on request only
    std::vector<StorageNeed> needs;      ///< on request only
    std::vector<PointTouch> points;      ///< with a partial order only
    std::vector<PointWrite> pointWrites; ///< with a partial order, and on request
    std::vector<Copying> copies;
};

/// Loops are taken conservatively: what is made outside a loop and touched inside, and what is carried round it, is touched over
/// the whole loop. So are a loop's results when it has a condition, which is tested once more after the last iteration. A loop
/// that may run no iteration writes its results when it ends, one with exits at each of them too. What touches a phi view touches
/// all that it may be. `order` may be null. What is carried in place is touched where the body makes and uses it, and to the end
/// of the iteration.
Touches collectTouches(const Expansion& expansion, const std::vector<Sharing>& sharing, const Elements& elements,
                       const PartialOrder* order, const Carries& carries, const std::vector<PhiView>& phis, bool withWrites);

} // namespace stowage::lowering
