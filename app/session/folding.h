// Constant tensor folding of a model: the decision, the plans of the folded functions, and the simulated cache of the first
// executions.
#pragma once

#include "app/session/session.h"
#include "core/io/fold_json.h"

#include <memory>
#include <vector>

namespace stowage {

struct FoldRequest {
    FoldOptions options;
    CacheSharing cache = CacheSharing::process;
    std::optional<Bytes> cacheCapacity; ///< no value: unbounded

    friend bool operator==(const FoldRequest&, const FoldRequest&) = default;
};

/// The plans of one function before and after folding, and of its fold functions; null if there is no such function.
struct FoldPlans {
    std::shared_ptr<const Run> before, after, compileTimeFold, runTimeFold;
};

struct Folding {
    FoldRequest request;
    std::shared_ptr<const FoldedProgram> folded; ///< not null
    std::vector<FoldPlans> plans;                ///< by function of `folded`; empty if not planned
    std::vector<io::FoldRuns> runs;              ///< by function: the first `shownRuns` executions
};

/// Count of executions that a report lists: the first, and enough later ones to show whether the cache keeps all tensors.
inline constexpr int shownRuns = 4;

/// Decides which ops are folded and splits the functions, without planning. If a function of the model is chosen, only that one
/// is folded, otherwise all that may be. Errors: "no-program", and those of `foldProgram`.
Expected<Folding> foldModel(const Model& model, const FoldRequest& request);
/// Plans the arenas of all functions with the settings of `base`. Errors: those of `Session::planNow`.
std::optional<Error> planFolding(const Session& session, const Model& model, const PlanRequest& base, Folding& folding,
                                 const std::stop_token& cancel = {});
/// Plans one function of a folded program like the run `like`: with its planner (`auto` if that is not a built-in one), options,
/// seed and pools. Views and accumulators share bytes, as the costs of folding assume. Errors: those of the lowering and of the
/// planner.
Expected<std::shared_ptr<const Run>> planLike(const Run& like, const std::shared_ptr<const Program>& program, FunctionId function,
                                              const std::stop_token& cancel);
/// Bytes of workspace that a run's plan takes in all pools.
[[nodiscard]] Bytes arenaBytes(const Run& run);
/// Simulates the cache while the functions run one after the other, `shownRuns` times. By function.
[[nodiscard]] std::vector<io::FoldRuns> simulateRuns(const FoldedProgram& folded, const FoldRequest& request);

/// The folded model as a file.
struct FoldedFile {
    std::string text;
    Diagnostics diagnostics;
};
/// Whether the plugin that read the model's file can write it folded.
[[nodiscard]] bool foldsInOwnForm(const Session& session, const Model& model);
/// The file that `fold -o` and the window write. Errors: those of the rewriter.
Expected<FoldedFile> foldedFile(const Session& session, const Model& model, const Folding& folding,
                                const std::stop_token& cancel = {});

/// The data of `stowage.fold/1`. Refers to `folding`, which must outlive it.
io::FoldReport reportOf(const Folding& folding);

/// The options of a rewriter's pass "constant-fold" that correspond to `options` for this model.
OptionValues foldPassOptions(const Model& model, const FoldOptions& options);

} // namespace stowage
