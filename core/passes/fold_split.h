// The program that a fold decision describes: a new entry and the functions that run once.
#pragma once

#include "core/lower/lower.h"
#include "core/passes/fold.h"

namespace stowage {

/// What folding changes in one function, and what it costs. Bytes moved count each operand and result of an op once, views not at
/// all; a view whose result is a folded tensor is copied there in the fold function. Ops are those that move bytes: views and
/// literals are not counted; an op inside a loop counts once.
struct FoldCosts {
    std::int64_t opsBefore = 0, opsAfter = 0;
    Bytes movedBefore = 0, movedAfter = 0;              ///< in one run of the entry
    Bytes movedByFold = 0;                              ///< in the first run besides, by `runtime_fold`
    Bytes peakBefore = 0, peakAfter = 0;                ///< most bytes of workspace live at a step of the entry
    Bytes compileTimeFoldPeak = 0, runTimeFoldPeak = 0; ///< the same of the one-time arenas
    /// Smallest number of runs after which the folded form has moved fewer bytes than, or as many as, the original; nothing when
    /// nothing is saved.
    std::optional<std::int64_t> breakEvenRuns;

    [[nodiscard]] std::int64_t savedOps() const { return opsBefore - opsAfter; }
    [[nodiscard]] Bytes savedBytes() const { return movedBefore - movedAfter; }
    friend bool operator==(const FoldCosts&, const FoldCosts&) = default;
};

/// One function before and after.
struct SplitFunction {
    FunctionFold fold;
    FunctionId entry = none;           ///< in `FoldedProgram::program`: the same id as before
    FunctionId compileTimeFold = none; ///< none when there is nothing in it
    FunctionId runTimeFold = none;
    FoldCosts costs;
};

struct FoldedProgram {
    Program before; ///< as given, but with constant results of ops planned like others: what runs without folding
    Program program;
    std::vector<SplitFunction> functions; ///< those of `foldableFunctions`, or the one asked for
};

/// Folds the given functions. In the new entry, folded tensors are variables of the persistent pool at pinned offsets and follow
/// the remaining arguments; literals that were computed are constants. A pool named "persistent" is added where the program has
/// none of that kind, and "arena" where it has no pool. Fold functions are named `runtime_fold` and `compiletime_fold`, with the
/// function's name and '_' in front when several functions are folded. Requires a verified program; the result verifies. Errors:
/// those of `decideFolds` and of `lower`.
Expected<FoldedProgram> foldProgram(const Program& program, std::span<const FunctionId> functions, const FoldOptions& options);

/// Bytes that a run moves besides when the folded tensors of these ids (ascending) have to be made again, and all others are
/// there. Linear in the fold functions.
[[nodiscard]] Bytes refoldBytes(const FoldedProgram& folded, const SplitFunction& split, std::span<const std::int64_t> ids);

/// Bytes that one run of a function moves, and its ops that do so. With `copiesViews`, views that the function returns are
/// copies.
struct FunctionTraffic {
    std::int64_t ops = 0;
    Bytes bytes = 0;
};
[[nodiscard]] FunctionTraffic functionTraffic(const Function& function, bool copiesViews);

} // namespace stowage
