// The result of lowering a program: the problem, and the tensors and ops that its buffers and steps stand for.
#pragma once

#include "core/ir/diagnostic.h"
#include "core/ir/problem.h"
#include "core/lower/fingerprint.h"
#include "core/lower/left_out_reason.h"
#include "core/lower/move_reason.h"
#include "core/lower/options.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace stowage {

/// A choice of the running program: of a case the branch that it took last; of a loop the exit at which it ended, counted from 1
/// in listed order, 0 at its normal end.
struct Choice {
    std::int32_t instance = none; ///< into `Lowering::instances`
    OpId op = none;

    friend bool operator==(const Choice&, const Choice&) = default;
};

/// The bytes of a tensor: in `buffer`, `delta` bytes from its offset.
struct TensorBinding {
    BufferId buffer = none; ///< none: not planned (a constant without a pool, a size not known, …)
    Bytes delta = 0;
    /// With `loops=precise`: the tensor is the value that was put into `buffer` `distance` iterations of `loop` ago (by the last
    /// iteration of loops inside). In the first `distance` iterations it is one of the loop's initial values, whose bindings are
    /// in `first`. NNC calls this a multi-view tensor, of type II where the initial values lie elsewhere, and nested where
    /// `first` has loops of its own.
    std::int32_t distance = 0;
    LoopId loop = none;
    bool after = false;               ///< a result of the loop: the number of iterations that it has run decides
    std::vector<TensorBinding> first; ///< `distance` entries
    /// With `loops=precise`: a phi view, the result of a case or of a loop with exits. `chosenBy` selects one of these bindings;
    /// all of them are in use as long as the view is. `buffer` and `delta` are those of the first entry with a buffer. Empty: no
    /// choice.
    std::vector<TensorBinding> choices;
    Choice chosenBy;

    friend bool operator==(const TensorBinding&, const TensorBinding&) = default;
};

/// The op at one step of the axis.
struct StepInfo {
    FunctionId function = none;
    OpId op = none;            ///< none at step 0 (the entry)
    std::int32_t instance = 0; ///< into `Lowering::instances`: which call of the function this is
};

/// One expansion of a function: the entry, or one call site in one expansion. Tensors are bound for each expansion, as a called
/// function's inputs and outputs are its caller's buffers.
struct FunctionInstance {
    FunctionId function = none;
    std::int32_t caller = none;                 ///< instance that calls it; none for the entry
    OpId callSite = none;                       ///< op of the caller
    std::vector<TensorBinding> bindings;        ///< by tensor id
    std::vector<std::pair<OpId, LoopId>> loops; ///< the problem's loop for each loop op, ascending
};

struct BufferOrigin {
    FunctionId function = none;
    TensorId tensor = none;        ///< the tensor that owns the storage
    OpId producer = none;          ///< first op that writes it; none for inputs and constants
    std::vector<OpId> consumers;   ///< ops of `function` that read it or a view of it, ascending
    std::vector<TensorId> members; ///< all tensors of `function` that live in it: views, in-place partners
};

/// A tensor that is not planned, and why.
struct LeftOut {
    FunctionId function = none;
    TensorId tensor = none;
    Bytes bytes = 0; ///< 0 when not known
    lowering::LeftOutReason reason = lowering::LeftOutReason::none;
};

/// Bytes that a run has to copy where a loop, case or call begins or ends, because inside they lie at another offset.
struct DataTransfer {
    FunctionId function = none;
    OpId op = none;       ///< the loop, case or call
    TensorId from = none; ///< of `function`, or of the callee
    TensorId to = none;
    Bytes bytes = 0;                                          ///< each time; 0 when not known
    lowering::MoveReason reason = lowering::MoveReason::none; ///< why it could not be avoided
};

/// The problem and the way back from it to the program.
struct Lowering {
    Problem problem;
    LowerOptions options;
    std::vector<StepInfo> steps;             ///< by step
    std::vector<FunctionInstance> instances; ///< [0] is the entry
    std::vector<BufferOrigin> origins;       ///< by buffer
    std::vector<LeftOut> leftOut;
    std::vector<DataTransfer> transfers; ///< that a run makes; of carried values with `loops=precise` only
    Diagnostics diagnostics;
    Fingerprint fingerprint; ///< which problem this is
};

} // namespace stowage
