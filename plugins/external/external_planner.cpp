#include "plugins/external/external_planner.h"

#include "core/plan/run_failure.h"
#include "plugins/external/one_shot.h"
#include "plugins/external/rpc_run.h"

#include <fmt/format.h>

#include <utility>

namespace stowage::external {

namespace {

PlannerInfo infoOf(const Manifest& manifest)
{
    PlannerInfo info = plannerInfo(manifest);
    if (manifest.transport == Transport::dsaOneshot)
        info.options.push_back(
            {.name = "pipe-aware",
             .type = OptionType::choice,
             .defaultValue = "price",
             .description = "Ascend: reuse across pipes is a penalty (price), a separation (forbid), or not told (ignore).",
             .choices = {"price", "forbid", "ignore"}});
    return info;
}

class ExternalPlanner final : public Planner {
public:
    ExternalPlanner(Manifest manifest, OutcomeSink outcome)
        : manifest_(std::move(manifest)), info_(infoOf(manifest_)), outcome_(std::move(outcome))
    {
    }

    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        if (auto error = checkOptions(info_, options)) return *std::move(error);
        if (auto error = checkCapabilities(info_, problem)) return *std::move(error);
        if (auto error = unsupported(manifest_, manifest_.takes, problem)) return *std::move(error);
        if (context.cancel.stop_requested())
            return runFailed(RunFailure::cancelled, fmt::format("{}: it was cancelled", manifest_.id));
        const bool rpc = manifest_.transport == Transport::stdioRpc;
        auto plan = problem.buffers.empty() ? Expected<Plan>(Plan{}) // nothing to ask for
                    : rpc                   ? planByRpc(manifest_, problem, options, context)
                                            : planOnce(manifest_, problem, options, context);
        if (outcome_) outcome_(plan ? std::nullopt : std::optional<Error>(plan.error()));
        if (!plan) {
            Error error = std::move(plan).error();
            error.message = fmt::format("{}: {}", manifest_.id, error.message);
            return error;
        }
        plan->planner = manifest_.id;
        plan->options = options;
        plan->seed = context.seed;
        return plan;
    }

private:
    Manifest manifest_;
    PlannerInfo info_;
    OutcomeSink outcome_;
};

} // namespace

std::shared_ptr<const Planner> externalPlanner(Manifest manifest, OutcomeSink outcome)
{
    return std::make_shared<ExternalPlanner>(std::move(manifest), std::move(outcome));
}

} // namespace stowage::external
