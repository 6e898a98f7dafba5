// Constant tensor folding of a model: the decision, the plans of what comes out, and what the cache does in the first runs.
#pragma once

#include "app/session/session.h"
#include "core/io/fold_json.h"

#include <memory>
#include <vector>

namespace stowage {

struct FoldRequest {
    FoldOptions options;
    CacheScope cache = CacheScope::process;
    std::optional<Bytes> cacheCapacity; ///< nothing: unbounded

    friend bool operator==(const FoldRequest&, const FoldRequest&) = default;
};

/// The plans of one function before and after; null where there is no such function.
struct FoldPlans {
    std::shared_ptr<const Run> before, after, compileTimeFold, runTimeFold;
};

struct Folding {
    FoldRequest request;
    std::shared_ptr<const FoldedProgram> folded; ///< not null
    std::vector<FoldPlans> plans;                ///< by function of `folded`; empty when nothing was planned
    std::vector<io::FoldRuns> runs;              ///< by function: the first `shownRuns` executions
};

/// Executions that a report tells of: the first, and enough later ones to see whether the cache holds.
inline constexpr int shownRuns = 4;

/// Decides and splits; plans nothing. Of a model with a chosen function, that one is folded, else all that may be. Errors:
/// "no-program", and those of `foldProgram`.
Expected<Folding> foldModel(const Model& model, const FoldRequest& request);
/// Plans the arenas of all functions, `base` saying how. Errors: those of the session.
std::optional<Error> planFolding(const Session& session, const Model& model, const PlanRequest& base, Folding& folding,
                                 const std::stop_token& cancel = {});
/// What `stowage.fold/1` is written from. Points into `folding`.
io::FoldReport reportOf(const Folding& folding);

/// The options of a rewriter's pass "constant-fold" that mean `options` for this model.
OptionValues foldPassOptions(const Model& model, const FoldOptions& options);

} // namespace stowage
