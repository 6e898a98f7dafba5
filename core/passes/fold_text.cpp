#include "core/passes/fold.h"

#include "core/ir/digits.h"

#include <fmt/format.h>

namespace stowage {

std::string_view toText(ConstLevel level)
{
    switch (level) {
    case ConstLevel::unknown: return "unknown";
    case ConstLevel::compileTime: return "compile-time";
    case ConstLevel::runTime: return "run-time";
    case ConstLevel::notConstant: break;
    }
    return "not-constant";
}

std::string_view toText(FoldMode mode)
{
    switch (mode) {
    case FoldMode::runTime: return "run-time";
    case FoldMode::split: return "split";
    case FoldMode::evaluate: break;
    }
    return "evaluate";
}

std::optional<FoldMode> foldMode(std::string_view text)
{
    for (const FoldMode mode : {FoldMode::runTime, FoldMode::split, FoldMode::evaluate})
        if (toText(mode) == text) return mode;
    return std::nullopt;
}

std::string_view toText(FoldReason reason)
{
    switch (reason) {
    case FoldReason::folded: return "folded";
    case FoldReason::notConstant: return "not-constant";
    case FoldReason::literal: return "literal";
    case FoldReason::noRoot: return "no-root";
    case FoldReason::grows: return "grows";
    case FoldReason::postponed: return "postponed";
    case FoldReason::notPure: return "not-pure";
    case FoldReason::notCovered: return "not-covered";
    case FoldReason::controlFlow: return "control-flow";
    case FoldReason::unknownSize: return "unknown-size";
    case FoldReason::operandNotFolded: return "operand-not-folded";
    case FoldReason::unused: return "unused";
    case FoldReason::limit: break;
    }
    return "limit";
}

std::string explain(const OpFold& op, double threshold)
{
    const auto growth = [&] {
        const double ratio = op.rootBytes > 0 ? static_cast<double>(op.resultBytes) / static_cast<double>(op.rootBytes) : 0;
        return fmt::format("grows to {} bytes, {:.4g} times its roots; the threshold is {:.4g}", grouped(op.resultBytes), ratio,
                           threshold);
    };
    switch (op.reason) {
    case FoldReason::folded: return op.place == FoldPlace::evaluated ? "computed now: its value is a literal" : "runs once";
    case FoldReason::notConstant: return "an operand changes from run to run";
    case FoldReason::literal: return "it gives a literal: nothing to compute";
    case FoldReason::noRoot: return "made of scalars only: it depends on no constant tensor";
    case FoldReason::grows: return growth();
    case FoldReason::postponed: return growth() + "; moved after its element-wise users, which are folded";
    case FoldReason::notPure: return "it has effects, or its result depends on more than its operands or is overwritten";
    case FoldReason::notCovered: return "its dialect is not folded";
    case FoldReason::controlFlow: return "a loop, a case or a call";
    case FoldReason::unknownSize: return "the size of a result is not known";
    case FoldReason::operandNotFolded: return "an operand is constant, but is made by an op that is not folded";
    case FoldReason::unused: return "its results are not used";
    case FoldReason::limit: break;
    }
    return "it depends on too many constant tensors";
}

} // namespace stowage
