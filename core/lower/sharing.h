// Tensors of one function that share bytes by the semantics of the program, before any option is applied.
//
// The rules:
//  - A view lies in the tensor whose storage it shares.
//  - A callee's inputs and outputs are its caller's buffers. An output cannot be one if it is also an input, a constant, a
//    variable, a view of one of these, or is listed twice: it is copied to the caller's buffer when the callee ends.
//  - Inputs of branches, inputs of conditions, and inputs of a loop's body that no carry writes share the outer tensor.
//  - A carried input of a body shares the loop's input if the loop is its last use and the function may overwrite it.
//    Otherwise it is a buffer of its own, and the initial value is copied when the loop begins. A condition's input shares the
//    body's input at the same position. All carries are copied at once when an iteration ends.
//  - An output of a branch or body shares the op's output if it is made inside and is no view of a part. Otherwise the op's
//    output is a buffer of its own, and the value is copied when the region ends.
//  - If sizes, alignments, pools, pins or numbers of slots differ, the value is copied.
#pragma once

#include "core/ir/program.h"
#include "core/ir/region_tree.h"
#include "core/lower/move_reason.h"

#include <map>
#include <vector>

namespace stowage::lowering {

/// Begin of a tensor's bytes: `delta` bytes into the storage of `owner`, a tensor of the same function.
struct Spot {
    TensorId owner = none;
    Bytes delta = 0;

    friend bool operator==(const Spot&, const Spot&) = default;
};

/// The tensor of the caller for which a tensor of a called function stands: an input or an output of the call, by position.
struct Formal {
    enum class Kind : std::uint8_t { none, input, output };
    Kind kind = Kind::none;
    std::int32_t position = 0;
};

/// The sharing inside one function.
struct Sharing {
    std::vector<Spot> spots;       ///< by tensor; an owner's spot is itself at 0
    std::vector<TensorId> homes;   ///< by tensor: the tensor whose declaration determines where its bytes count as made
    std::vector<Formal> formals;   ///< by tensor; all `none` in the entry
    std::vector<OpId> regionLoops; ///< by region: the loop op around its ops, innermost; none outside loops
    std::vector<bool>
        mayShow; ///< by tensor: an output of a case or of a loop with exits that may be a phi view (core/lower/phi.h)
    std::map<TensorId, MoveReason>
        notShown; ///< outputs of a case or of a loop with exits that may not be a phi view, with the reason

    /// The sharing of a function of a verified program. `anyOrder`: the order of ops is not known, so that no use counts as the
    /// last one and a loop never overwrites its input. `precise`: a value that may be carried in place (core/lower/carries.h)
    /// does not share its loop's input either. O(function).
    static Sharing of(const Program& program, FunctionId function, bool anyOrder = false, bool precise = false);

    [[nodiscard]] bool shared(TensorId a, TensorId b) const
    {
        return spots[static_cast<std::size_t>(a)] == spots[static_cast<std::size_t>(b)];
    }
};

} // namespace stowage::lowering
