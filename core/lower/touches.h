// Which steps touch which storage: what ops do, and what the rules of core/lower/sharing.h copy.
#pragma once

#include "core/lower/expansion.h"
#include "core/lower/live_ranges.h"
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

    static Elements of(const Expansion& expansion, const std::vector<Sharing>& sharing);
};

/// A touch of the storage that `owner` owns.
struct StorageTouch {
    Element owner = none;
    Touch touch;
    bool scratch = false; ///< contents are not kept from one such touch to the next
};

struct StorageWrite {
    Element owner = none;
    std::int32_t step = 0;
};

struct Touches {
    std::vector<StorageTouch> touches;
    std::vector<StorageWrite> writes; ///< on request only
};

/// Loops are taken conservatively: what is made outside a loop and touched inside, and what is carried round it, is touched over
/// the whole loop. So are a loop's results when it has a condition, which is tested once more after the last iteration.
Touches collectTouches(const Expansion& expansion, const std::vector<Sharing>& sharing, const Elements& elements,
                       bool withWrites);

} // namespace stowage::lowering
