// Phi views: results of cases and loop exits that are not copied. Which of several buffers holds such a result is known only when
// the program runs.
//
// The idea is from NNC's tensor allocation for branches and loops with several exits: `x = if c then a else b` copies neither a
// nor b, but chooses a view. Both a and b are in use as long as x is.
#pragma once

#include "core/lower/expansion.h"
#include "core/lower/sharing.h"

#include <map>
#include <vector>

namespace stowage::lowering {

/// A phi view: an output of a case, with one value for each branch, or of a loop with exits, with a value for its end, then one
/// for each exit.
struct PhiView {
    InstanceId instance = none;
    OpId op = none;
    TensorId tensor = none;       ///< an output of the op
    std::vector<TensorId> values; ///< the tensor that it is for each choice; none: it lies in its own storage
};

/// An output of a case, or of a loop with exits, to which its values are copied.
struct CopiedChoice {
    FunctionId function = none;
    TensorId tensor = none;
    MoveReason reason = MoveReason::none;
};

struct PhiViews {
    std::vector<PhiView> views;
    std::vector<CopiedChoice> copied;
};

/// The phi views of all instances, ordered by instance and op. `sharing` is indexed by function. An output is a phi view if each
/// of its values has the size, the pools and the alignment of the output, and no op writes into it. Otherwise all its values are
/// copied. O(ops) for each value.
PhiViews findPhiViews(const Expansion& expansion, const std::vector<Sharing>& sharing);

} // namespace stowage::lowering
