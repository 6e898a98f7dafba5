// The arena size that a model needs with each planner of its runtime and with a plan in its file, the buffers of the peak, and
// changes that lower it.
#pragma once

#include "app/session/session.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// The runtime that will run the model.
enum class Runtime : std::uint8_t {
    unknown,    ///< unknown: every built-in planner
    tflm,       ///< TensorFlow Lite Micro: one arena; offsets and sizes are multiples of 16 bytes
    executorch, ///< ExecuTorch: its greedy and naive planners, and a plan by Stowage
};
[[nodiscard]] std::string_view toText(Runtime runtime); ///< the word in JSON: "tflm"

/// The runtime that the target names, otherwise that of the model's format.
[[nodiscard]] Runtime runtimeOf(const Model& model, const Target& target);

/// The bytes that one planner needs. Fields without a value are unknown.
struct FitRow {
    /// "tflm-greedy", "offline"; "in-file": the plan in the model's file; "recorded": the runtime's figures from a log.
    std::string planner;
    Bytes tensors = 0;              ///< top of the plan of the tensors alone
    std::optional<Bytes> scratch;   ///< bytes that kernels' scratch adds to `tensors`; from a log
    std::optional<Bytes> tail;      ///< tail of the arena; from a log
    Bytes arena = 0;                ///< sum of the known ones of these
    double overBound = 0;           ///< (tensors + scratch) / bound - 1; without a runtime, of the row's own bound
    std::optional<bool> fits;       ///< whether `arena` is within the capacity; no value: unbounded
    bool partial = false;           ///< tensors of unknown size are left out
    std::shared_ptr<const Run> run; ///< plan of the tensors and the known scratch; for "recorded" null without a plan
};

struct FitChange {
    std::string text;                    ///< "run the ops in another order"
    Bytes arena = 0;                     ///< arena with the best plan found, with known scratch and tail
    bool proved = false;                 ///< no plan of the changed model is smaller
    std::vector<std::string> names = {}; ///< buffers that `text` quotes, in its order
};

/// A buffer that is live at the peak.
struct FitPart {
    std::string name;
    Bytes bytes = 0;
    bool scratch = false; ///< scratch of a kernel, from a log
};

/// Figures of a runtime's log that the model does not have.
struct FitLog {
    std::size_t tensors = 0; ///< count of buffers of the log that are tensors of the model
    std::size_t scratch = 0; ///< count of buffers that kernels requested
    std::optional<Bytes> head, tail, total;
    bool matchesGreedy = false; ///< the runtime's greedy planner, computed here, gives the recorded head
};

struct Fit {
    Runtime runtime = Runtime::unknown;
    std::string function;          ///< the function that is planned, as `Session::functions` names it
    std::string memory;            ///< name of the pool that is the arena
    std::optional<Bytes> capacity; ///< the sum of its memories; no value: one is unbounded
    Bytes bound = 0;               ///< lower bound of the tensors and known scratch, for every choice of pools
    std::vector<FitRow> rows;      ///< the runtime's own planners first
    /// Index of the row of the smallest plan that the runtime can use; the runtime's own planner wins ties.
    std::size_t answer = 0;
    Step peakStep = -1;
    std::vector<FitPart> peak; ///< buffers that prove the bound, largest first
    /// Smallest arena first, at most three. With known scratch, changes whose effect on it is unknown are left out.
    std::vector<FitChange> changes;
    std::optional<FitLog> log;
    /// The plan that `rewrite` writes: the tensors as in the row "offline", lowered from the program. Null for `unknown`.
    std::shared_ptr<const Run> plan;

    /// The runtime's default planner, which the answer is compared with.
    [[nodiscard]] const FitRow& runtimes() const { return rows.front(); }
    [[nodiscard]] const FitRow& best() const { return rows[answer]; }
    /// Fraction of the runtime's arena that the answer saves: 0.25 for a quarter.
    [[nodiscard]] double saved() const;
};

/// Plans `model` with each planner of its runtime. `request` gives the function, the lowering, the pools (the first workspace
/// pool is the arena) and the planner of the row "offline". `log`: the runtime's log of this model, or null. Capacities do not
/// guide the planners; each gives its smallest plan. Without a runtime every planner of Stowage has a row, and so has the planner
/// of the request if it is a plug-in's. Errors: those of planning; a log of another model.
[[nodiscard]] Expected<Fit> fit(const Session& session, const Model& model, const PlanRequest& request,
                                const Model* log = nullptr, const std::stop_token& cancel = {});

/// Whether `row.arena` is only a part of the arena: the runtime's own parts, or tensors of unknown size, come on top.
[[nodiscard]] bool isMinimum(const Fit& fit, const FitRow& row);
/// `row.fits` if it is certain: a minimum within the capacity decides nothing.
[[nodiscard]] std::optional<bool> certainFit(const Fit& fit, const FitRow& row);
/// The parts that `row.arena` lacks: "scratch and the tail", "tensors of unknown size"; empty if it is no minimum.
[[nodiscard]] std::string missingParts(const Fit& fit, const FitRow& row);
/// The parts that the figures of the answer lack, in front of a sentence with them: "Tensors alone: ", "Without the tail: ";
/// empty if the answer is no minimum.
[[nodiscard]] std::string minimumHead(const Fit& fit);

/// The gain in one sentence: "TFLM's greedy planner needs 73,728 B, a plan in the file 55,296 B: 25.0 % less".
[[nodiscard]] std::string gainLine(const Fit& fit);

} // namespace stowage
