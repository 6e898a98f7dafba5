// Constant tensor folding, the analysis: decides for each op whether it may be executed once instead of in every run, and records
// the reason.
//
// The analysis follows the MLIR pass of the same name in Graph Compiler (its document is "Constant tensors folding pass").
// Const-ness spreads from the constant tensors through the ops. An op whose operands are all constant moves into a function that
// runs once, and its results are kept between runs in a persistent block. `decideFolds` only decides. `foldProgram`
// (fold_split.h) makes the program that the decision describes; an importer's rewriter makes the same change in the text of the
// file.
#pragma once

#include "core/exec/folded_tensor.h"
#include "core/ir/expected.h"
#include "core/ir/program.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// How constant a value is. The order is that of a lattice: the level of an op's result is the largest level of its operands.
enum class ConstLevel : std::uint8_t {
    unknown,     ///< made by no op that is executed
    compileTime, ///< equal in all runs; its bytes are in the file
    runTime,     ///< equal in all runs; its bytes are known from the first run on
    notConstant,
};

enum class FoldMode : std::uint8_t {
    runTime,  ///< one function, `runtime_fold`, called in the first run
    split,    ///< `compiletime_fold`, called once by the compiler, and `runtime_fold`
    evaluate, ///< as `split`, but ops on literals are evaluated by the pass: their folded tensors become literals of the new
              ///< entry
};

/// Why an op is folded or is not.
enum class FoldReason : std::uint8_t {
    folded,
    notConstant,      ///< an operand changes from run to run
    literal,          ///< it makes a literal, so that there is nothing to compute
    noRoot,           ///< its operands are scalars only: it depends on no constant tensor
    grows,            ///< a result is larger than the threshold allows
    postponed,        ///< it grows, and was moved after its element-wise users; the users are folded
    notPure,          ///< it has side effects, or its result depends on more than its operands or is overwritten
    notCovered,       ///< it belongs to a dialect that folding does not cover
    controlFlow,      ///< a loop, a case or a call
    unknownSize,      ///< the size of a result is unknown
    operandNotFolded, ///< an operand is constant, but is made by an op that is not folded
    unused,           ///< no op needs its results
    limit,            ///< it depends on more roots than the analysis keeps track of
};

struct FoldOptions {
    FoldMode mode = FoldMode::runTime;
    bool postpone = true;
    double threshold = 8; ///< largest ratio of a folded value's bytes to those of its roots; > 0, finite
    /// Positions of arguments of the entry that are treated as constants in addition to those that the file marks; all >= 0.
    std::vector<std::int32_t> compileTimeArguments;
    std::vector<std::int32_t> runTimeArguments;

    friend bool operator==(const FoldOptions&, const FoldOptions&) = default;
};

/// The decision for one op.
struct OpFold {
    ConstLevel level = ConstLevel::unknown;
    FoldPlace place = FoldPlace::entry;
    FoldReason reason = FoldReason::notConstant;
    bool view = false;        ///< a view: it moves no bytes, and is not counted as an op
    bool copied = false;      ///< a source (see `source`) that stays in the entry and is copied into a fold function as well
    std::int32_t move = none; ///< index into `FunctionFold::postponed`, set for the expanding op and for the ops of its chain
    Bytes rootBytes = 0;      ///< bytes of all distinct constant tensors that it depends on
    Bytes resultBytes = 0;    ///< bytes of its largest result; in a chain, at the size before the expansion
    [[nodiscard]] bool folded() const { return place != FoldPlace::entry; }
    /// True when its value depends on no constant tensor. A fold function that needs the value gets a copy of the op.
    [[nodiscard]] bool source() const { return reason == FoldReason::literal || reason == FoldReason::noRoot; }
    /// True for an op of a chain after which an expanding op was moved: its result gets the shape before the expansion.
    [[nodiscard]] bool chained() const { return move != none && reason == FoldReason::folded; }

    friend bool operator==(const OpFold&, const OpFold&) = default;
};

/// A size-expanding op that was moved after a chain of element-wise ops.
struct Postponed {
    OpId expanding = none;
    std::vector<OpId> chain;         ///< in listed order; each op is the only user of the op before it
    std::vector<std::int64_t> shape; ///< new shape of the chain's tensors: the shape of the expanding op's operand

    friend bool operator==(const Postponed&, const Postponed&) = default;
};

/// The decision for one function.
struct FunctionFold {
    FunctionId function = none;
    std::vector<ConstLevel> tensors; ///< by tensor
    std::vector<OpFold> ops;         ///< by op
    std::vector<Postponed> postponed;
    std::vector<FoldedTensor> folded;           ///< by id
    std::vector<TensorId> entryArguments;       ///< the original arguments that the new entry takes, in order
    std::vector<TensorId> compileTimeArguments; ///< the original arguments that `compiletime_fold` takes
    std::vector<TensorId> runTimeArguments;     ///< the original arguments that `runtime_fold` takes; folded tensors follow them
    Bytes persistentBytes = 0;                  ///< size of the block with all folded tensors except evaluated ones
    Bytes heldTwiceBytes = 0; ///< bytes of roots that stay in memory in addition to the folded tensors made from them

    friend bool operator==(const FunctionFold&, const FunctionFold&) = default;
    [[nodiscard]] bool any() const { return !folded.empty(); }
};

/// The ops that are executed in `place`, in listed order, including copies of the sources that they need. Linear in the function.
[[nodiscard]] std::vector<OpId> opsIn(const Function& function, const FunctionFold& fold, FoldPlace place);
/// The operands of an op after folding, as tensors of the original function. An expanding op that was moved reads the last result
/// of its chain, and the first op of the chain reads the former operand of the expanding op.
[[nodiscard]] std::vector<TensorId> inputsAfter(const Function& function, const FunctionFold& fold, OpId op);

/// Names of the functions that run once. They get a prefix when several functions of a program are folded.
inline constexpr std::string_view runTimeFoldName = "runtime_fold";
inline constexpr std::string_view compileTimeFoldName = "compiletime_fold";

/// The functions that can be folded: those that no other function calls, the entry first. Functions that folding made are left
/// out, since they run once already.
[[nodiscard]] std::vector<FunctionId> foldableFunctions(const Program& program);

/// The decision for one function of a verified program. Errors: a threshold or an argument that is out of range. Deterministic.
/// Near-linear in the function, times the number of roots where ops combine many of them.
Expected<FunctionFold> decideFolds(const Program& program, FunctionId function, const FoldOptions& options);

/// "compile-time", "run-time", "not-constant", "unknown": words of `stowage.fold/1`.
[[nodiscard]] std::string_view toText(ConstLevel level);
/// "run-time", "split", "evaluate".
[[nodiscard]] std::string_view toText(FoldMode mode);
[[nodiscard]] std::optional<FoldMode> foldMode(std::string_view text);
/// The reason in one word, as in `stowage.fold/1`: "folded", "grows", "no-root", …
[[nodiscard]] std::string_view toText(FoldReason reason);
/// The reason in one sentence for a user, with the figures of the op: "grows to 32,768 bytes, 32 times its roots; the threshold
/// is 8".
[[nodiscard]] std::string explain(const OpFold& op, double threshold);

} // namespace stowage
