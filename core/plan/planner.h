// The interface that every planning algorithm implements, ours and others'.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/option_spec.h"
#include "core/plan/plan.h"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

class StepRecorder;

/// Properties of problems that a planner accepts. A problem with other properties is refused with a diagnostic before planning.
struct Capabilities {
    bool multiplePools = true;
    bool pins = true;
    bool gaps = true;
    bool windows = true;
    bool explicitConflicts = true;
    bool slots = true; ///< gives multi-buffered buffers all their slots
    bool capacities = true;
    bool carried = true; ///< carried values that are live beside a newer value of the same buffer
};

/// How the program should be lowered for it, as in `--lower KEY=VALUE`.
using LoweringDefaults = OptionValues;

struct PlannerInfo {
    std::string name;    ///< kebab-case, unique
    std::string summary; ///< one sentence
    std::string source;  ///< system or paper the idea is from
    std::vector<OptionSpec> options;
    Capabilities takes;
    LoweringDefaults lowering;
    bool anytime = false; ///< improves while it runs: publishes incumbents, is worth a time limit
    bool deterministic = true;
};

/// A better plan found while the planner goes on.
struct Incumbent {
    Plan plan;
    Bytes bound = 0;        ///< total lower bound known so far
    std::uint64_t work = 0; ///< as `Plan::work`, so far
};

/// Limits and outputs of a planning. Every field is optional.
struct PlanContext {
    std::stop_token cancel;
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::uint64_t workLimit = 0; ///< as `Plan::work`; 0: the planner's own
    std::uint64_t seed = 0;
    unsigned threads = 1;
    std::function<void(const Incumbent&)> publish; ///< called from the planner's thread; must be quick
    StepRecorder* recorder = nullptr;

    /// Why to stop now, if at all. Cheap enough for every few hundred nodes, not for every node (it reads the clock).
    [[nodiscard]] std::optional<StoppedBy> shouldStop(std::uint64_t work) const;
};

class Planner {
public:
    virtual ~Planner() = default;
    [[nodiscard]] virtual const PlannerInfo& info() const = 0;
    /// Plans `problem`, which has been checked. Never fails for lack of memory in a pool: a plan that exceeds a capacity is a
    /// plan (the report says that it does not fit). Stopped early, it returns the best it has and says so. An error means that it
    /// could not start (options out of range, something that it cannot take).
    [[nodiscard]] virtual Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                              const PlanContext& context) const = 0;
};

/// The value of an option: as given (the last one counts), else its default; empty for a name that the planner does not have.
[[nodiscard]] std::string_view optionValue(const PlannerInfo& info, const OptionValues& values, std::string_view name);
/// The same as a value of its type. Require options that `checkOptions` accepts. A boolean is true, on, yes or 1, or false, off,
/// no or 0.
[[nodiscard]] bool optionFlag(const PlannerInfo& info, const OptionValues& values, std::string_view name);
[[nodiscard]] std::int64_t optionInteger(const PlannerInfo& info, const OptionValues& values, std::string_view name);
[[nodiscard]] double optionNumber(const PlannerInfo& info, const OptionValues& values, std::string_view name);
/// Nothing when every value names an option of the planner and is inside its range, else the first error.
[[nodiscard]] std::optional<Error> checkOptions(const PlannerInfo& info, const OptionValues& values);
/// Nothing when the planner accepts the problem, else an error that names the property it does not accept.
[[nodiscard]] std::optional<Error> checkCapabilities(const PlannerInfo& info, const Problem& problem);

} // namespace stowage
