#include "app/desktop/workspace/planner_choice.h"

#include "app/session/targets.h"

#include <algorithm>
#include <utility>

namespace stowage {

void assignOption(OptionValues& values, const std::string& name, const std::optional<std::string>& value)
{
    std::erase_if(values, [&](const auto& option) { return option.first == name; });
    if (value) values.emplace_back(name, *value);
    std::ranges::sort(values);
}

PlannerChoice::PlannerChoice(Session& session, QObject* parent) : QObject(parent), session_(session)
{
    // Ticked at first: the default, and quick ones of several systems to compare it with. Their results are there before anyone
    // has chosen.
    for (const std::string& name : {session_.defaultPlanner(), std::string("greedy-by-size"), std::string("greedy-by-breadth"),
                                    std::string("tflm-greedy"), std::string("best-fit-decreasing"), std::string("naive")})
        if (session_.planners().find(name)) ticked_.insert(name);
    if (!session_.planners().all().empty()) focus_ = session_.planners().all().front()->info().name;
}

std::vector<std::string> PlannerChoice::tickedPlanners() const
{
    std::vector<std::string> names;
    for (const auto& planner : session_.planners().all())
        if (ticked(planner->info().name)) names.push_back(planner->info().name);
    return names;
}

void PlannerChoice::setTicked(const std::string& planner, bool on)
{
    if (planner == kernelPlanner) {
        kernelTickSettled_ = true;
        tickedForKernel_ = false;
    }
    if (on ? !ticked_.insert(planner).second : ticked_.erase(planner) == 0) return;
    Q_EMIT changed();
}

void PlannerChoice::setAllTicked(bool on)
{
    ticked_.clear();
    kernelTickSettled_ = true;
    tickedForKernel_ = false;
    if (on)
        for (const auto& planner : session_.planners().all()) ticked_.insert(planner->info().name);
    Q_EMIT changed();
}

void PlannerChoice::tickFor(const Model* model)
{
    if (kernelTickSettled_ || !model || !session_.planners().find(kernelPlanner)) return;
    const bool kernel = isAscendKernel(*model);
    if (kernel && ticked_.insert(kernelPlanner).second)
        tickedForKernel_ = true;
    else if (!kernel && std::exchange(tickedForKernel_, false))
        ticked_.erase(kernelPlanner);
    else
        return;
    Q_EMIT changed();
}

std::vector<std::string> PlannerChoice::chosenPlanners() const
{
    std::vector<std::string> names = tickedPlanners();
    if (tickedForKernel_) std::erase(names, kernelPlanner);
    return names;
}

void PlannerChoice::putTicked(const std::vector<std::string>& planners, bool settled)
{
    ticked_.clear();
    for (const std::string& planner : planners)
        if (session_.planners().find(planner)) ticked_.insert(planner);
    kernelTickSettled_ = settled;
    tickedForKernel_ = !settled && ticked(kernelPlanner);
}

void PlannerChoice::restoreTicked(const std::vector<std::string>& planners, bool settled)
{
    putTicked(planners, settled);
    Q_EMIT changed();
}

void PlannerChoice::setFocus(const std::string& planner)
{
    if (planner == focus_) return;
    focus_ = planner;
    Q_EMIT changed();
}

const OptionValues& PlannerChoice::options(const std::string& planner) const
{
    static const OptionValues defaults;
    const auto found = options_.find(planner);
    return found == options_.end() ? defaults : found->second;
}

void PlannerChoice::applyOption(const std::string& planner, const std::string& name, const std::optional<std::string>& value)
{
    assignOption(options_[planner], name, value);
    Q_EMIT changed();
}

void PlannerChoice::setTimeLimitSeconds(double seconds)
{
    timeLimit_ = seconds;
    Q_EMIT changed();
}

void PlannerChoice::setSeed(std::uint64_t seed)
{
    seed_ = seed;
    Q_EMIT changed();
}

void PlannerChoice::restore(const std::vector<std::string>& ticked, bool settled,
                            const std::vector<std::pair<std::string, OptionValues>>& options, double timeLimitSeconds,
                            std::uint64_t seed)
{
    putTicked(ticked, settled);
    options_.clear();
    for (const auto& [planner, values] : options)
        if (const auto found = session_.planners().find(planner); found && !checkOptions(found->info(), values))
            options_[planner] = values;
    timeLimit_ = timeLimitSeconds;
    seed_ = seed;
    Q_EMIT changed();
}

} // namespace stowage
