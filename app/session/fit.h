// The size of the arena that a model needs: with each planner of a runtime, with a plan given offline, which buffers make up the
// peak, and which changes lower it.
#pragma once

#include "app/session/session.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// The runtime that will run the model.
enum class Runtime : std::uint8_t {
    unknown,    ///< not known: every planner of ours
    tflm,       ///< TensorFlow Lite Micro: one arena, offsets and sizes in 16 bytes
    executorch, ///< ExecuTorch: its greedy planner, its naive one, and a plan of ours
};
[[nodiscard]] std::string_view toText(Runtime runtime); ///< as in JSON: "tflm"

/// The runtime of the target; of a target that names none, that of the model's format.
[[nodiscard]] Runtime runtimeOf(const Model& model, const Target& target);

/// The bytes that one planner needs. Fields without a value are unknown.
struct FitRow {
    /// "tflm-greedy", "offline"; "in-file": the plan that the file brings along; "recorded": the runtime's figures from a log.
    std::string planner;
    Bytes tensors = 0;              ///< of the tensors alone
    std::optional<Bytes> scratch;   ///< that scratch of kernels adds to `tensors`; from a log
    std::optional<Bytes> tail;      ///< that the runtime keeps for itself; from a log
    Bytes arena = 0;                ///< all of these that are known
    double overBound = 0;           ///< (tensors + scratch) / bound - 1
    std::optional<bool> fits;       ///< against the capacity
    bool partial = false;           ///< tensors of unknown size are left out
    std::shared_ptr<const Run> run; ///< of the tensors, with the scratch where it is known; of "recorded" null without a plan
};

struct FitChange {
    std::string text;                    ///< "run the ops in another order"
    Bytes arena = 0;                     ///< of the best plan found with it, and what is known besides
    bool proved = false;                 ///< no plan of the changed model has fewer bytes of tensors
    std::vector<std::string> names = {}; ///< of buffers, as `text` quotes them and in that order
};

/// A buffer that is live at the fullest step.
struct FitPart {
    std::string name;
    Bytes bytes = 0;
    bool scratch = false; ///< a kernel's, from a log
};

/// Figures of a runtime's log that the model does not have.
struct FitLog {
    std::size_t tensors = 0; ///< buffers of the log that are tensors of the model
    std::size_t scratch = 0; ///< buffers that kernels asked for
    std::optional<Bytes> head, tail, total;
    bool matchesGreedy = false; ///< the runtime's greedy planner, computed here, gives the recorded head
};

struct Fit {
    Runtime runtime = Runtime::unknown;
    std::string memory;            ///< name of the arena's memory
    std::optional<Bytes> capacity; ///< nothing: unbounded
    Bytes bound = 0;               ///< no plan's tensors and known scratch need less
    std::vector<FitRow> rows;      ///< the runtime's own planners first
    std::size_t answer = 0;        ///< row of the smallest plan that the runtime can use; of equals its own
    Step peakStep = -1;
    std::vector<FitPart> peak;      ///< the buffers of the bound, largest first
    std::vector<FitChange> changes; ///< smallest arena first, three at most
    std::optional<FitLog> log;
    /// The plan that `rewrite` writes: the tensors as the row "offline" has them, lowered from the program. Null for `unknown`.
    std::shared_ptr<const Run> plan;

    /// The runtime's default planner, which the answer is compared with.
    [[nodiscard]] const FitRow& runtimes() const { return rows.front(); }
    [[nodiscard]] const FitRow& best() const { return rows[answer]; }
    /// Part of the runtime's arena that the answer saves: 0.25 for a quarter.
    [[nodiscard]] double saved() const;
};

/// Plans `model` with each planner of its runtime. `request` says function, lowering and memories (the first workspace memory is
/// the arena), and which planner the plan given offline is made by. `log`: the runtime's log of this model, or null. Capacities
/// do not guide the planners: each gives its smallest plan. Errors: those of planning; a log of another model.
[[nodiscard]] Expected<Fit> fit(const Session& session, const Model& model, const PlanRequest& request,
                                const Model* log = nullptr, const std::stop_token& cancel = {});

/// The gain in one sentence: "TFLM's greedy planner needs 73,728 B, a plan in the file 55,296 B: 25.0 % less".
[[nodiscard]] std::string gainLine(const Fit& fit);

} // namespace stowage
