// The program that a fold decision describes: a new entry and the functions that run once.
#pragma once

#include "core/lower/lower.h"
#include "core/passes/fold.h"

namespace stowage {

/// Gains and costs of folding one function. Bytes moved are the sizes of all operands and results of ops; views move none, except
/// a view whose result is a folded tensor, which the fold function copies. Counted ops are those that move bytes, without views
/// and literals; an op inside a loop counts once.
struct FoldCosts {
    std::int64_t opsBefore = 0, opsAfter = 0;
    Bytes movedBefore = 0, movedAfter = 0;              ///< bytes moved in one run of the entry
    Bytes movedByFold = 0;                              ///< bytes that `runtime_fold` moves in the first run in addition
    Bytes peakBefore = 0, peakAfter = 0;                ///< largest number of workspace bytes live at a step of the entry
    Bytes compileTimeFoldPeak = 0, runTimeFoldPeak = 0; ///< the same for the functions that run once
    /// Smallest number of runs after which the folded program has moved at most as many bytes as the original. No value when a
    /// run saves nothing.
    std::optional<std::int64_t> breakEvenRuns;

    [[nodiscard]] std::int64_t savedOps() const { return opsBefore - opsAfter; }
    [[nodiscard]] Bytes savedBytes() const { return movedBefore - movedAfter; }
    friend bool operator==(const FoldCosts&, const FoldCosts&) = default;
};

/// The folding of one function.
struct SplitFunction {
    FunctionFold fold;
    FunctionId entry = none;           ///< in `FoldedProgram::program`: the same id as before
    FunctionId compileTimeFold = none; ///< none when it would be empty
    FunctionId runTimeFold = none;
    FoldCosts costs;
};

struct FoldedProgram {
    Program before; ///< the given program, with constant results of ops planned like other tensors: the program that runs without
                    ///< folding
    Program program;
    std::vector<SplitFunction> functions; ///< one for each function that was folded
};

/// Folds the given functions. In the new entry, folded tensors are variables of the persistent pool at pinned offsets, and follow
/// the remaining arguments; evaluated literals are constants. A pool named "persistent" is added to a program without a
/// persistent pool, and a pool named "arena" to one without any pool. Fold functions are named `runtime_fold` and
/// `compiletime_fold`, prefixed by the function's name and '_' when several functions are folded. Requires a verified program;
/// the result verifies. Errors: those of `decideFolds` and of `lower`.
Expected<FoldedProgram> foldProgram(const Program& program, std::span<const FunctionId> functions, const FoldOptions& options);

/// Bytes that a run moves in addition when the folded tensors `ids` (ascending) have left the cache and are computed again.
/// Linear in the fold functions.
[[nodiscard]] Bytes refoldBytes(const FoldedProgram& folded, const SplitFunction& split, std::span<const std::int64_t> ids);

/// Number of ops that move bytes in one run of a function, and the bytes that they move. With `copiesViews`, a view that the
/// function returns counts as a copy.
struct FunctionTraffic {
    std::int64_t ops = 0;
    Bytes bytes = 0;
};
[[nodiscard]] FunctionTraffic functionTraffic(const Function& function, bool copiesViews);

} // namespace stowage
