// The interface of all planners.
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
    bool slots = true; ///< buffers with several slots
    bool capacities = true;
    bool carried = true; ///< carried values that are live together with a newer value of the same buffer
};

/// Options of the lowering that a planner asks for, as in `--lower KEY=VALUE`.
using LoweringDefaults = OptionValues;

struct PlannerInfo {
    std::string name;    ///< kebab-case, unique
    std::string summary; ///< one sentence
    std::string source;  ///< system or paper of the algorithm
    std::vector<OptionSpec> options;
    Capabilities takes;
    LoweringDefaults lowering;
    bool anytime = false; ///< publishes incumbents while it runs, so a time limit is useful
    bool deterministic = true;
};

/// A better plan that a running planner has found.
struct Incumbent {
    Plan plan;
    Bytes bound = 0;        ///< lower bound of the total size known so far, in bytes
    std::uint64_t work = 0; ///< work so far, as in `Plan::work`
};

/// Limits and outputs of one planning. All fields are optional.
struct PlanContext {
    std::stop_token cancel;
    std::optional<std::chrono::steady_clock::time_point> deadline;
    std::uint64_t workLimit = 0; ///< as in `Plan::work`; 0: the default of the planner
    std::uint64_t seed = 0;
    unsigned threads = 1;
    std::function<void(const Incumbent&)> publish; ///< called on the planner's thread; must return quickly
    StepRecorder* recorder = nullptr;

    /// The reason to stop now; no value: continue. It reads the clock, so call it every few hundred nodes, not at every node.
    [[nodiscard]] std::optional<StoppedBy> shouldStop(std::uint64_t work) const;
    /// The work limit for the next part of a planner whose parts so far took `spent`: the rest, at least 1; 0 without a limit.
    [[nodiscard]] std::uint64_t workLeft(std::uint64_t spent) const
    {
        return workLimit == 0 ? 0 : workLimit > spent ? workLimit - spent : 1;
    }
};

class Planner {
public:
    virtual ~Planner() = default;
    [[nodiscard]] virtual const PlannerInfo& info() const = 0;
    /// Plans a checked problem. A capacity that is too small is not an error: the plan exceeds it, and the report has the status
    /// `doesNotFit`. Stopped early, it returns the best plan found, with `Plan::stoppedBy` set. Errors: options out of range,
    /// properties of the problem that it does not support.
    [[nodiscard]] virtual Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                              const PlanContext& context) const = 0;
};

/// The value of an option: the last one given, otherwise the default; empty for an unknown option.
[[nodiscard]] std::string_view optionValue(const PlannerInfo& info, const OptionValues& values, std::string_view name);
/// The same as a value of the option's type. Require options that `checkOptions` accepts. Booleans are true, on, yes, 1, or
/// false, off, no, 0.
[[nodiscard]] bool optionFlag(const PlannerInfo& info, const OptionValues& values, std::string_view name);
[[nodiscard]] std::int64_t optionInteger(const PlannerInfo& info, const OptionValues& values, std::string_view name);
[[nodiscard]] double optionNumber(const PlannerInfo& info, const OptionValues& values, std::string_view name);
/// The first error: an unknown option, or a value out of range; no value if all options are correct.
[[nodiscard]] std::optional<Error> checkOptions(const PlannerInfo& info, const OptionValues& values);
/// The bounds of a number: "1 to 64", "at least 1", "at most 64"; empty without bounds.
[[nodiscard]] std::string boundsText(const OptionSpec& spec);
/// An error that names a property of the problem that the planner does not accept; no value if it accepts the problem.
[[nodiscard]] std::optional<Error> checkCapabilities(const PlannerInfo& info, const Problem& problem);

} // namespace stowage
