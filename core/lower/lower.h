// The only place where a program becomes a problem.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/ir/program.h"

#include <span>

namespace stowage {

enum class Order : std::uint8_t { linear, dag, hivm };
enum class LoopMode : std::uint8_t { conservative, precise };
enum class ViewMode : std::uint8_t { separate, merged };
enum class InPlaceMode : std::uint8_t { allowed, off };
/// What Ascend's pass plans: `memref.alloc` in memories on the chip, or `memref_ext.alloc_workspace` in global memory. The
/// compiler's pipeline runs it in either mode in turn; `both` does so in one planning.
enum class MemPlanMode : std::uint8_t { both, local, workspace };

/// `--lower KEY=VALUE`. Runs from different options carry different fingerprints and are not ranked together silently. `order`:
/// `linear`, the listed order; `dag`, any order that the data allow: explicit conflicts, and live ranges that show the listed one
/// (core/lower/partial_order.h, conflicts.h). `loops`: `conservative`, what is carried round a loop is copied and live over all
/// of it; `precise`, where that can be done it is never moved, live in its own part of the body (core/lower/carries.h), nor is
/// what a branch or an exit hands on (core/lower/phi.h).
struct LowerOptions {
    Order order = Order::linear;
    LoopMode loops = LoopMode::conservative;
    ViewMode views = ViewMode::separate;
    InPlaceMode inPlace = InPlaceMode::off;
    bool isaInPlace = false; ///< `restrict-inplace-as-isa=on`: with `order=hivm` only ops that the instruction set lets write
                             ///< over an input do so
    MemPlanMode memPlan = MemPlanMode::both; ///< `mem-plan-mode`: with `order=hivm` the other mode's buffers are left out
    Bytes simtBytes = Bytes{216} * 1024; ///< `simt-vf-dynamic-size`, there in KB: with `order=hivm` what a function of SIMT or
                                         ///< MIX mode has of a larger `ub`; >= 1
    bool coupledApart = false; ///< `disable-tightly-coupled-buffer-reuse`: with `order=hivm` a tightly coupled buffer in a memory
                               ///< of the function's own core is unique
    Bytes alignment = 1;       ///< `--alignment N`: raises all alignments and rounds sizes up to it; 0: element_alignment.h
    std::vector<Pool> pools;   ///< the target; empty: the program's own, else one unbounded workspace pool named "arena"

    friend bool operator==(const LowerOptions&, const LowerOptions&) = default;
    /// Sets one option from its textual form; an error names the choices.
    std::optional<Error> set(std::string_view key, std::string_view value);
};

/// What decides while a program runs: a case, by the number of the branch that it took last; or a loop, by the number of the exit
/// at which it was left, from 1 in listed order, 0 at its end.
struct Choice {
    std::int32_t instance = none; ///< into `Lowering::instances`
    OpId op = none;

    friend bool operator==(const Choice&, const Choice&) = default;
};

/// Where a tensor's bytes lie: in `buffer`, `delta` bytes from its offset.
struct TensorBinding {
    BufferId buffer = none; ///< none: not planned (a constant without a pool, a size not known, …)
    Bytes delta = 0;
    /// With `loops=precise`: it is in the copy of `buffer` that was made so many iterations of `loop` ago (of loops inside, by
    /// their last iteration then), and in the iterations before that where `first` says for each: in what the loop was given.
    /// With NNC's words a multi-view tensor, of type II where these places are others, and nested where `first` has loops of its
    /// own.
    std::int32_t distance = 0;
    LoopId loop = none;
    bool after = false;               ///< a result, seen when the loop has ended: the number of iterations that were run decides
    std::vector<TensorBinding> first; ///< `distance` entries
    /// With `loops=precise`: a phi view, of what a case or a loop with exits gives. It lies where the entry of `chosenBy` says;
    /// all of them are in use as long as it is. `buffer` is that of the first entry that has one, `delta` too. Empty: there is no
    /// choice.
    std::vector<TensorBinding> choices;
    Choice chosenBy;

    friend bool operator==(const TensorBinding&, const TensorBinding&) = default;
};

/// What happens at one step of the axis.
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

/// Bytes that were left out of planning, and why.
struct LeftOut {
    FunctionId function = none;
    TensorId tensor = none;
    Bytes bytes = 0; ///< 0 when not known
    std::string reason;
};

/// Bytes that have to be moved when the program runs: where a loop, case or call begins or ends, and what is inside lies
/// elsewhere.
struct DataTransfer {
    FunctionId function = none;
    OpId op = none;       ///< the loop, case or call
    TensorId from = none; ///< of `function`, or of the callee
    TensorId to = none;
    Bytes bytes = 0;    ///< each time; 0 when not known
    std::string reason; ///< why it could not be avoided
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
    std::string fingerprint; ///< "order=linear loops=conservative …": equal fingerprints may be ranked together
};

/// Lowers a program: verifies it, expands calls and regions into one axis, finds which tensors share storage (the rules are in
/// core/lower/sharing.h) and when each storage is live, and merges what the options allow (core/lower/merge.h). Errors: what the
/// verifier finds, an obligatory in-place pair that is impossible, a tensor that no pool may take, an option that is not
/// available, more than 2^24 steps. Near-linear in the expanded program.
Expected<Lowering> lower(const Program& program, const LowerOptions& options);

/// The same for an input that is a problem already (CSV, problem JSON): applies `options.alignment` and, where `options.pools` is
/// not empty, the target's pools (candidates are kept by name; an unknown name is an error). No bindings, no origins.
Expected<Lowering> lower(Problem problem, const LowerOptions& options);

} // namespace stowage
