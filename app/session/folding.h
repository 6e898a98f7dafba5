// Constant tensor folding of a model: the decision, the plans of the folded functions, and the cache in the first runs.
#pragma once

#include "app/session/session.h"
#include "core/io/fold_json.h"

#include <memory>
#include <vector>

namespace stowage {

struct FoldRequest {
    FoldOptions options;
    CacheSharing cache = CacheSharing::process;
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

/// Executions that a report lists: the first, and enough later ones to see whether the cache keeps all tensors.
inline constexpr int shownRuns = 4;

/// Decides and splits; plans nothing. Of a model with a chosen function, that one is folded, else all that may be. Errors:
/// "no-program", and those of `foldProgram`.
Expected<Folding> foldModel(const Model& model, const FoldRequest& request);
/// Plans the arenas of all functions, `base` saying how. Errors: those of the session.
std::optional<Error> planFolding(const Session& session, const Model& model, const PlanRequest& base, Folding& folding,
                                 const std::stop_token& cancel = {});
/// Plans one function of a folded program as `like` was planned: by its planner (where that is one of ours, else by `auto`) with
/// its options and seed, in its memories. Views and accumulators share bytes, as the costs of folding count. Errors: those of
/// the lowering and of the planner.
Expected<std::shared_ptr<const Run>> planLike(const Run& like, const std::shared_ptr<const Program>& program, FunctionId function,
                                              const std::stop_token& cancel);
/// Bytes of workspace memory that a run's arenas take, of all its pools.
[[nodiscard]] Bytes arenaBytes(const Run& run);
/// Simulates the cache: the functions run one after the other, `shownRuns` times. By function.
[[nodiscard]] std::vector<io::FoldRuns> simulateRuns(const FoldedProgram& folded, const FoldRequest& request);

/// The folded model as a file.
struct FoldedFile {
    std::string text;
    Diagnostics diagnostics;
};
/// Whether the model's file can be given back folded, by the plugin that read it.
[[nodiscard]] bool foldsInOwnForm(const Session& session, const Model& model);
/// The file that `fold -o` and the window write. Errors: those of the rewriter.
Expected<FoldedFile> foldedFile(const Session& session, const Model& model, const Folding& folding,
                                const std::stop_token& cancel = {});

/// The data of `stowage.fold/1`. Points into `folding`.
io::FoldReport reportOf(const Folding& folding);

/// The options of a rewriter's pass "constant-fold" that mean `options` for this model.
OptionValues foldPassOptions(const Model& model, const FoldOptions& options);

} // namespace stowage
