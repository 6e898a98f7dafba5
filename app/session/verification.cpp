#include "app/session/verification.h"

#include <utility>

namespace stowage {

std::string_view toText(Outcome outcome)
{
    switch (outcome) {
    case Outcome::clean: return "clean";
    case Outcome::corrupted: return "corrupted";
    case Outcome::noPlace: return "no-place";
    case Outcome::incomplete: break;
    }
    return "incomplete";
}

Expected<Verification> verifyRun(const Run& run, const ExecuteOptions& options)
{
    auto result = run.program ? execute(*run.program, *run.lowering, run.plan, options) : execute(run.problem(), run.plan, options);
    Verification verification;
    if (!result) {
        if (result.error().code != "bad-placement") return std::move(result).error();
        verification.outcome = Outcome::noPlace;
        verification.execution.complete = false;
        verification.obstacle = std::move(result).error();
        return verification;
    }
    verification.execution = *std::move(result);
    if (verification.execution.corruption) verification.outcome = Outcome::corrupted;
    else if (!verification.execution.complete) verification.outcome = Outcome::incomplete;
    return verification;
}

} // namespace stowage
