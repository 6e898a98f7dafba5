#include "app/session/verification.h"

#include <algorithm>
#include <utility>

namespace stowage {

std::string_view toText(Outcome outcome)
{
    switch (outcome) {
    case Outcome::clean: return "clean";
    case Outcome::corrupted: return "corrupted";
    case Outcome::noPlace: return "no-place";
    case Outcome::sizesUnknown: return "sizes-unknown";
    case Outcome::incomplete: break;
    }
    return "incomplete";
}

namespace {

/// Count of tensors, or of buffers of a problem, that would be planned if their size were known.
std::size_t unsizedTensors(const Run& run)
{
    if (!run.program) return run.problem().unknownSizes.size();
    return static_cast<std::size_t>(
        std::count_if(run.lowering->leftOut.begin(), run.lowering->leftOut.end(), [&](const LeftOut& left) {
            if (left.function == none || left.tensor == none) return false;
            const Tensor& tensor =
                run.program->functions[static_cast<std::size_t>(left.function)].tensors[static_cast<std::size_t>(left.tensor)];
            return tensor.planned && !tensor.bytes;
        }));
}

} // namespace

Expected<Verification> verifyRun(const Run& run, const ExecuteOptions& options)
{
    auto result =
        run.program ? execute(*run.program, *run.lowering, run.plan, options) : execute(run.problem(), run.plan, options);
    Verification verification;
    if (!result) {
        if (result.error().code != Code::badPlacement) return std::move(result).error();
        verification.outcome = Outcome::noPlace;
        verification.execution.complete = false;
        verification.obstacle = std::move(result).error();
        return verification;
    }
    verification.execution = *std::move(result);
    if (verification.execution.corruption)
        verification.outcome = Outcome::corrupted;
    else if (!verification.execution.complete)
        verification.outcome = Outcome::incomplete;
    verification.unsized = unsizedTensors(run);
    // Clean is said of a program of which at least half was run.
    if (verification.outcome == Outcome::clean && verification.unsized > run.problem().buffers.size())
        verification.outcome = Outcome::sizesUnknown;
    return verification;
}

} // namespace stowage
