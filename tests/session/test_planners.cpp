#include "tests/session/test_planners.h"

#include <functional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace stowage::test {

namespace {

using Body = std::function<Expected<Plan>(const Problem&, const PlanContext&)>;

class TestPlanner final : public Planner {
public:
    TestPlanner(PlannerInfo info, Body body) : info_(std::move(info)), body_(std::move(body)) {}
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues&, const PlanContext& context) const override
    {
        return body_(problem, context);
    }

private:
    PlannerInfo info_;
    Body body_;
};

std::shared_ptr<const Planner> made(std::string name, bool anytime, Body body)
{
    PlannerInfo info;
    info.name = std::move(name);
    info.anytime = anytime;
    return std::make_shared<TestPlanner>(std::move(info), std::move(body));
}

/// All buffers one after the other in the first pool, from `start` on.
Plan endToEnd(const Problem& problem, Bytes start)
{
    Plan plan;
    Bytes top = start;
    for (const Buffer& buffer : problem.buffers) {
        Placement placement;
        placement.pool = 0;
        placement.offset = top;
        plan.placements.push_back(placement);
        top += buffer.size;
    }
    return plan;
}

} // namespace

std::atomic<int>& improvingRoundsDone()
{
    static std::atomic<int> rounds = 0;
    return rounds;
}

std::shared_ptr<const Planner> improvingPlanner(std::chrono::milliseconds pause, int rounds)
{
    return made("test-improving", true, [pause, rounds](const Problem& problem, const PlanContext& context) -> Expected<Plan> {
        Plan best = endToEnd(problem, rounds);
        for (int round = 0; round < rounds; ++round) {
            if (const auto why = context.shouldStop(static_cast<std::uint64_t>(round))) {
                best.stoppedBy = *why;
                return best;
            }
            ++improvingRoundsDone();
            best = endToEnd(problem, rounds - round - 1);
            best.work = static_cast<std::uint64_t>(round) + 1;
            if (context.publish) context.publish({best, 0, best.work});
            std::this_thread::sleep_for(pause);
        }
        return best;
    });
}

std::shared_ptr<const Planner> deafPlanner(std::chrono::milliseconds time)
{
    return made("test-deaf", false, [time](const Problem& problem, const PlanContext& context) -> Expected<Plan> {
        std::this_thread::sleep_for(time);
        Plan plan = endToEnd(problem, 0);
        if (context.cancel.stop_requested()) plan.stoppedBy = StoppedBy::cancelled;
        return plan;
    });
}

std::shared_ptr<const Planner> lyingPlanner()
{
    return made("test-lying", true, [](const Problem& problem, const PlanContext& context) -> Expected<Plan> {
        Plan wrong = endToEnd(problem, 0);
        for (Placement& placement : wrong.placements) placement.offset = 0;
        if (context.publish) context.publish({wrong, 0, 1});
        std::this_thread::sleep_for(std::chrono::milliseconds(100)); // time enough to be found out
        return endToEnd(problem, 0);
    });
}

std::shared_ptr<const Planner> growingPlanner(std::chrono::milliseconds pause, bool lies)
{
    return made(lies ? "test-growing-lie" : "test-growing", true,
                [pause, lies](const Problem& problem, const PlanContext& context) -> Expected<Plan> {
                    const Plan whole = endToEnd(problem, 0);
                    Plan part = whole;
                    for (Placement& placement : part.placements) placement = {};
                    for (std::size_t i = 0; i + 1 < whole.placements.size(); ++i) {
                        part.placements[i] = whole.placements[i];
                        if (lies) part.placements[i].offset = 0;
                        if (context.publish && i + 2 >= whole.placements.size()) context.publish({part, 0, i + 1});
                        std::this_thread::sleep_for(pause);
                    }
                    return whole;
                });
}

std::shared_ptr<const Planner> throwingPlanner()
{
    return made("test-throwing", false,
                [](const Problem&, const PlanContext&) -> Expected<Plan> { throw std::runtime_error("the moon is full"); });
}

std::shared_ptr<const Planner> forgetfulPlanner()
{
    return made("test-forgetful", false, [](const Problem& problem, const PlanContext&) -> Expected<Plan> {
        Plan plan = endToEnd(problem, 0);
        plan.placements.pop_back();
        return plan;
    });
}

std::shared_ptr<const Planner> choosyPlanner()
{
    PlannerInfo info;
    info.name = "test-choosy";
    info.takes.pins = false;
    return std::make_shared<TestPlanner>(
        std::move(info), [](const Problem& problem, const PlanContext&) -> Expected<Plan> { return endToEnd(problem, 0); });
}

} // namespace stowage::test
