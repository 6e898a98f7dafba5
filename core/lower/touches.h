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

/// A tensor of an instance, as an index into arrays over all tensors of all instances.
using Element = std::int32_t;

/// The owners of the tensors of all instances. Inputs and outputs of callees are followed to their callers.
struct Elements {
    std::vector<Element> owner;    ///< the tensor that owns its storage; an owner owns itself
    std::vector<Bytes> delta;      ///< offset in the storage
    std::vector<LoopId> homeLoops; ///< innermost loop that makes its bytes anew in each iteration

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

/// Moment of a write within a step: `before` for copies into a region that begins there, `op` for the op, `after` for copies out
/// of a region that ends there.
enum class Phase : std::uint8_t { before, op, after };

/// A step and a phase as one number, ascending in time.
constexpr Step tickOf(Step step, Phase phase)
{
    return 3 * step + static_cast<Step>(phase);
}

struct StorageWrite {
    Element owner = none;
    Step tick = 0;
};

/// Steps after whose ops the contents of a storage are still needed, although it may not be live at the next step: they are
/// copied when a region ends, read by the caller, or used by the next iteration.
struct StorageNeed {
    Element owner = none;
    Interval steps;
};

/// A touch in a program without an order: from point `first` to point `last`. The two differ for a loop, and for the scratch of
/// an op.
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

/// A copy at the begin or end of a region.
struct Copying {
    InstanceId instance = none;
    OpId op = none; ///< the op that holds the region, or calls the function
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

/// Collects the touches of an expanded program; `order` may be null. Loops are treated conservatively: a tensor that is made
/// outside a loop and touched inside, or carried by a copy, counts as touched over the whole loop. So do the results of a loop
/// with a condition, because the condition is tested once more after the last iteration. A loop that may run no iteration writes
/// its results when it ends; a loop with exits also at each exit. A touch of a phi view touches each storage that the view may
/// have. A value that is carried in place is touched where the body makes and uses it, until the end of the iteration.
Touches collectTouches(const Expansion& expansion, const std::vector<Sharing>& sharing, const Elements& elements,
                       const PartialOrder* order, const Carries& carries, const std::vector<PhiView>& phis, bool withWrites);

} // namespace stowage::lowering
