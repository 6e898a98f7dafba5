// Phi views: the result of a case or an exit is not copied, and which of several buffers holds it is known only when the program
// runs.
//
// The idea is that of NNC's tensor allocation for branches and loops with several exits: `x = if c then a else b` moves neither a
// nor b, but chooses a view. All that x may be is in use as long as x is.
#pragma once

#include "core/lower/expansion.h"
#include "core/lower/sharing.h"

#include <map>
#include <vector>

namespace stowage::lowering {

/// A tensor of a case (one value for each branch), or of a loop with exits (the first for its end, one for each exit after
/// that).
struct PhiView {
    InstanceId instance = none;
    OpId op = none;
    TensorId tensor = none;       ///< an output of the op
    std::vector<TensorId> values; ///< what it is then; none: it lies in its own storage
};

/// An output of a case, or of a loop with exits, that its values are copied to.
struct CopiedChoice {
    FunctionId function = none;
    TensorId tensor = none;
    MoveReason reason = MoveReason::none;
};

struct PhiViews {
    std::vector<PhiView> views;
    std::vector<CopiedChoice> copied;
};

/// The phi views of all instances, by instance and op. A value is shown when it has the size, the pools and the alignment of what
/// it stands for, and nothing writes into it; where one of several may not be, all are copied. `sharing` is by function. O(ops)
/// for each value.
PhiViews findPhiViews(const Expansion& expansion, const std::vector<Sharing>& sharing);

} // namespace stowage::lowering
