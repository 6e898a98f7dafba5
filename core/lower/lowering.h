// The result of lowering a program: the problem, and the binding map, which leads from its buffers and steps back to the tensors
// and ops of the program.
//
// Ids are indices into the lists of the program or of the problem, from 0. `none` (-1) stands for no entry.
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

/// Names a choice that the program makes while it runs. The value of the choice is a number. For a case: the branch that the case
/// took last, from 0. For a loop with exits: the exit at which the loop ended last, from 1 in listed order; 0 if the loop ended
/// without taking an exit.
struct Choice {
    std::int32_t instance = none; ///< index into `Lowering::instances`: the expansion that contains `op`
    OpId op = none;               ///< the case or the loop

    friend bool operator==(const Choice&, const Choice&) = default;
};

/// Where the bytes of a tensor are: in `buffer`, from the byte `delta` on. The binding has one of three forms:
///
/// - plain: `distance` is 0 and `choices` is empty.
/// - carried, only with `loops=precise`: `distance` >= 1. The tensor is the value that `buffer` received `distance` iterations of
///   `loop` ago; if inner loops write `buffer`, their last iteration counts. In iteration i < `distance` the tensor is the
///   initial value `first[i]` instead.
/// - chosen, only with `loops=precise`: `choices` has entries. The tensor is the result of a case or of a loop with exits, and
///   its bytes are those of `choices[n]`, where n is the value of `chosenBy`. All entries stay in use as long as the tensor.
///
/// The forms are from NNC, which calls a carried binding a multi-view tensor (type II if the initial values are in other buffers,
/// nested if `first` has carried bindings), and a chosen one a phi view.
struct TensorBinding {
    BufferId buffer = none; ///< none: the tensor is not planned; `Lowering::leftOut` has the reason. If chosen: the buffer of the
                            ///< first entry of `choices` that has one
    Bytes delta = 0;        ///< >= 0; from the offset of `buffer` to the first byte of the tensor
    std::int32_t distance = 0; ///< >= 0; in iterations of `loop`
    LoopId loop = none;        ///< none if `distance` is 0
    /// True for a result of `loop`, which is read after it: the number of iterations that the loop has run takes the place of the
    /// current iteration.
    bool after = false;
    std::vector<TensorBinding> first;   ///< `distance` entries, by iteration
    std::vector<TensorBinding> choices; ///< by the value of `chosenBy`
    Choice chosenBy;                    ///< without an op if `choices` is empty

    friend bool operator==(const TensorBinding&, const TensorBinding&) = default;
};

/// The op that runs at one step of the time axis.
struct StepInfo {
    FunctionId function = none; ///< the function that contains `op`
    OpId op = none;             ///< none at step 0, at which the inputs and constants become live
    std::int32_t instance = 0;  ///< index into `Lowering::instances`: the expansion of `function` that runs
};

/// One expansion of a function. The lowering expands the entry once, and each called function once for each call site in each
/// expansion of its caller. Each expansion has bindings of its own, because the inputs and outputs of a called function are
/// buffers of its caller.
struct FunctionInstance {
    FunctionId function = none;
    std::int32_t caller = none;                 ///< index into `Lowering::instances`; none for the entry
    OpId callSite = none;                       ///< the op of the caller's function that calls; none for the entry
    std::vector<TensorBinding> bindings;        ///< by tensor id
    std::vector<std::pair<OpId, LoopId>> loops; ///< each loop op with its loop in the problem, ascending by op
};

/// The tensors and ops that one buffer stands for. All ids are of `function`.
struct BufferOrigin {
    FunctionId function = none;
    TensorId tensor = none; ///< the tensor that owns the bytes
    OpId producer = none;   ///< of the ops with a member as output or temp, the one that ends first; none: an input, a constant
    std::vector<OpId> consumers;   ///< the ops that read `tensor` or a view of it, ascending
    std::vector<TensorId> members; ///< all tensors whose bytes are in the buffer: `tensor`, its views, results in place
};

/// A tensor that is not planned, and the reason.
struct LeftOut {
    FunctionId function = none; ///< the function that contains `tensor`
    TensorId tensor = none;
    Bytes bytes = 0; ///< size of the tensor, >= 0; 0 if it is not known
    lowering::LeftOutReason reason = lowering::LeftOutReason::none;
};

/// A copy that the program has to make because a value has two offsets: after each iteration of a loop, or at the begin or the
/// end of a loop, a case or a call.
struct DataTransfer {
    FunctionId function = none;                               ///< the function that contains `op`
    OpId op = none;                                           ///< the loop, case or call
    TensorId from = none;                                     ///< of `function` or of the called function
    TensorId to = none;                                       ///< of `function` or of the called function
    Bytes bytes = 0;                                          ///< for each copy, >= 0; 0 if the size is not known
    lowering::MoveReason reason = lowering::MoveReason::none; ///< why the copy is necessary
};

/// The problem and the binding map.
struct Lowering {
    Problem problem;
    LowerOptions options;                    ///< that the problem was made with
    std::vector<StepInfo> steps;             ///< by step
    std::vector<FunctionInstance> instances; ///< [0] is the expansion of the entry; a caller comes before its callees
    std::vector<BufferOrigin> origins;       ///< by buffer
    std::vector<LeftOut> leftOut;
    std::vector<DataTransfer> transfers; ///< copies of carried values are listed with `loops=precise` only
    Diagnostics diagnostics;             ///< warnings and notes about what was assumed or left out
    Fingerprint fingerprint;             ///< problems of one input are the same if their fingerprints are equal
};

} // namespace stowage
