// Tensors of one function that share bytes by the meaning of the program, before any option is applied.
//
// The rules:
//  - A view lies in the tensor that it views.
//  - A callee's inputs and outputs are its caller's buffers. An output that is an input, a constant, a variable, a view of one,
//  or
//    listed twice cannot be: it is copied to the caller's buffer when the callee ends.
//  - Inputs of branches, of conditions, and those inputs of a loop's body that no carry writes share the outer tensor.
//  - A carried input of a body shares the loop's input when that is its last use and it is the function's to overwrite; else it
//  is a
//    buffer of its own, and the first value is copied when the loop is entered. A condition's input shares the body's input
//    at the same position. Carries are copied, all at once, when an iteration ends.
//  - An output of a branch or body shares the op's output when it is made inside and is no view of a part; else the op's output
//  is a
//    buffer of its own that is copied to when the region ends.
//  - Where sizes, alignments, pools, pins or numbers of slots differ, there is a copy.
#pragma once

#include "core/ir/program.h"
#include "core/ir/region_tree.h"
#include "core/lower/move_reason.h"

#include <map>
#include <vector>

namespace stowage::lowering {

/// Where a tensor's bytes begin: `delta` bytes into the storage of `owner`, a tensor of the same function.
struct Spot {
    TensorId owner = none;
    Bytes delta = 0;

    friend bool operator==(const Spot&, const Spot&) = default;
};

/// What a tensor of a called function stands for at each call.
struct Formal {
    enum class Kind : std::uint8_t { none, input, output };
    Kind kind = Kind::none;
    std::int32_t position = 0;
};

/// The sharing inside one function.
struct Sharing {
    std::vector<Spot> spots;       ///< by tensor; the owner's is itself at 0
    std::vector<TensorId> homes;   ///< by tensor: its bytes count as made where this tensor is declared
    std::vector<Formal> formals;   ///< by tensor; all `none` in the entry
    std::vector<OpId> regionLoops; ///< by region: the loop op around its ops, innermost; none outside loops
    std::vector<bool>
        mayShow; ///< by tensor: of a case, or a loop with exits, and may lie where what it stands for does (core/lower/phi.h)
    std::map<TensorId, MoveReason> notShown; ///< of a case, or a loop with exits: why it may not

    /// Requires a verified program. `anyOrder`: last uses in listed order say nothing, so a loop never takes its input over.
    /// O(function). `precise`: nor does a value that may be carried in place (core/lower/carries.h).
    static Sharing of(const Program& program, FunctionId function, bool anyOrder = false, bool precise = false);

    [[nodiscard]] bool shared(TensorId a, TensorId b) const
    {
        return spots[static_cast<std::size_t>(a)] == spots[static_cast<std::size_t>(b)];
    }
};

} // namespace stowage::lowering
