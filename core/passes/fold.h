// Constant tensor folding: which ops may run once instead of in every run, and why the others may not.
//
// The analysis follows the MLIR pass of the same name in Graph Compiler (its document is "Constant tensors folding pass"):
// const-ness spreads from the constant tensors through the ops, an op whose operands are all constant moves into a function that
// runs once, and its results are kept between runs in a persistent block. `decideFolds` only decides; `splitFolds` (fold_split.h)
// makes the program that the decision describes, and an importer's rewriter does the same to the file's own text.
#pragma once

#include "core/exec/folded_tensor.h"
#include "core/ir/expected.h"
#include "core/ir/program.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// What is known of a value, from the least. The value of an op is the largest of its operands'.
enum class ConstLevel : std::uint8_t {
    unknown,     ///< no op that runs makes it
    compileTime, ///< the same in all runs, and in the file
    runTime,     ///< the same in all runs, and known from the first run on
    notConstant,
};

enum class FoldMode : std::uint8_t {
    runTime,  ///< one function, `runtime_fold`, called in the first run
    split,    ///< `compiletime_fold`, called once by the compiler, and `runtime_fold`
    evaluate, ///< as `split`, but literals are computed now: their folded tensors are literals of the new entry
};

/// Why an op is where it is.
enum class FoldReason : std::uint8_t {
    folded,
    notConstant,      ///< an operand changes from run to run
    literal,          ///< it gives a literal: nothing to compute
    noRoot,           ///< made of scalars only: depends on no constant tensor
    grows,            ///< a result is larger than the threshold allows
    postponed,        ///< it grows, and was moved after its element-wise users, which are folded
    notPure,          ///< it has effects, or its result does not depend on its operands only
    notCovered,       ///< of a dialect that folding leaves alone
    controlFlow,      ///< a loop, a case or a call
    unknownSize,      ///< the size of a result is not known
    operandNotFolded, ///< an operand is constant, but made by an op that is not folded
    unused,           ///< nobody needs its results
    limit,            ///< depends on too many roots
};

struct FoldOptions {
    FoldMode mode = FoldMode::runTime;
    bool postpone = true;
    double threshold = 8; ///< largest ratio of a folded value's bytes to those of its roots; > 0, finite
    /// Arguments of the entry by position that are constants whatever the file says; all >= 0.
    std::vector<std::int32_t> compileTimeArguments;
    std::vector<std::int32_t> runTimeArguments;

    friend bool operator==(const FoldOptions&, const FoldOptions&) = default;
};

/// The decision for one op.
struct OpFold {
    ConstLevel level = ConstLevel::unknown;
    FoldPlace place = FoldPlace::entry;
    FoldReason reason = FoldReason::notConstant;
    bool view = false;        ///< moves no bytes, and is not counted as an op
    bool copied = false;      ///< a source that stays in the entry, and that a fold function needs as well
    std::int32_t move = none; ///< into `FunctionFold::postponed`: of the expanding op and of the ops of its chain
    Bytes rootBytes = 0;      ///< of all distinct constant tensors that it depends on
    Bytes resultBytes = 0;    ///< of its largest result; of a chain, at the small size
    [[nodiscard]] bool folded() const { return place != FoldPlace::entry; }
    /// Gives a value that depends on no constant tensor: a fold function that needs the value gets a copy of the op.
    [[nodiscard]] bool source() const { return reason == FoldReason::literal || reason == FoldReason::noRoot; }
    /// Of a chain that an expanding op was moved after: its result takes the small shape.
    [[nodiscard]] bool chained() const { return move != none && reason == FoldReason::folded; }

    friend bool operator==(const OpFold&, const OpFold&) = default;
};

/// A size-expanding op that was moved after a chain of element-wise ops.
struct Postponed {
    OpId expanding = none;
    std::vector<OpId> chain;         ///< in listed order; each is the only user of the one before
    std::vector<std::int64_t> shape; ///< of the chain's tensors from now on: that of the expanding op's operand

    friend bool operator==(const Postponed&, const Postponed&) = default;
};

/// The decision for one function.
struct FunctionFold {
    FunctionId function = none;
    std::vector<ConstLevel> tensors; ///< by tensor
    std::vector<OpFold> ops;         ///< by op
    std::vector<Postponed> postponed;
    std::vector<FoldedTensor> folded;           ///< by id
    std::vector<TensorId> entryArguments;       ///< of the original ones, those that the new entry takes, in order
    std::vector<TensorId> compileTimeArguments; ///< the same of `compiletime_fold`
    std::vector<TensorId> runTimeArguments;     ///< the same of `runtime_fold`; folded tensors follow
    Bytes persistentBytes = 0;                  ///< size of the block with all folded tensors but evaluated ones
    Bytes heldTwiceBytes = 0;                   ///< of roots that stay in memory beside what was made of them

    friend bool operator==(const FunctionFold&, const FunctionFold&) = default;
    [[nodiscard]] bool any() const { return !folded.empty(); }
};

/// The ops of the function that `place` stands for, in listed order, with the copies of sources that it needs. Linear.
[[nodiscard]] std::vector<OpId> opsIn(const Function& function, const FunctionFold& fold, FoldPlace place);
/// What an op reads afterwards, as tensors of the original function: an expanding op that was moved reads the last result of its
/// chain, and the chain's first op what the expanding op has read.
[[nodiscard]] std::vector<TensorId> inputsAfter(const Function& function, const FunctionFold& fold, OpId op);

/// Names of the functions that run once; with a prefix where several functions of a program are folded.
inline constexpr std::string_view runTimeFoldName = "runtime_fold";
inline constexpr std::string_view compileTimeFoldName = "compiletime_fold";

/// Functions that no other calls, the entry first: those that are folded. A called one keeps its arguments for its callers' sake,
/// and a function that folding has made runs once already.
[[nodiscard]] std::vector<FunctionId> foldableFunctions(const Program& program);

/// The decision for one function of a verified program. Errors: "bad-option" for a threshold or an argument that is out of range.
/// Deterministic; near-linear in the function, and in the number of roots where ops join many of them.
Expected<FunctionFold> decideFolds(const Program& program, FunctionId function, const FoldOptions& options);

/// "compile-time", "run-time", "not-constant", "unknown": words of `stowage.fold/1`.
[[nodiscard]] std::string_view toText(ConstLevel level);
/// "run-time", "split", "evaluate".
[[nodiscard]] std::string_view toText(FoldMode mode);
[[nodiscard]] std::optional<FoldMode> foldMode(std::string_view text);
/// One word for programs: "folded", "grows", "no-root", …
[[nodiscard]] std::string_view toText(FoldReason reason);
/// One sentence for people, with the figures of the op: "grows to 32,768 bytes, 32 times its roots; the threshold is 8".
[[nodiscard]] std::string explain(const OpFold& op, double threshold);

} // namespace stowage
