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

const std::set<std::string>& PlannerChoice::tickedFor(int model) const
{
    const auto brought = brought_.find(model);
    return brought == brought_.end() ? ticked_ : brought->second;
}

std::vector<std::string> PlannerChoice::inOrder(const std::set<std::string>& planners) const
{
    std::vector<std::string> names;
    for (const auto& planner : session_.planners().all())
        if (planners.contains(planner->info().name)) names.push_back(planner->info().name);
    return names;
}

std::vector<std::string> PlannerChoice::tickedPlanners() const
{
    return inOrder(inFront());
}

std::vector<std::string> PlannerChoice::tickedPlanners(int model) const
{
    std::set<std::string> planners = tickedFor(model);
    const Model* found = session_.model(model);
    if (model != front_ && found && !kernelTickSettled_ && !brought_.contains(model)) { // what `tickFor` will do
        if (isAscendKernel(*found))
            planners.insert(kernelPlanner);
        else if (tickedForKernel_)
            planners.erase(kernelPlanner);
    }
    return inOrder(planners);
}

void PlannerChoice::setTicked(const std::string& planner, bool on)
{
    if (planner == kernelPlanner) {
        kernelTickSettled_ = true;
        tickedForKernel_ = false;
    }
    const auto put = [&](std::set<std::string>& planners) {
        return on ? planners.insert(planner).second : planners.erase(planner) > 0;
    };
    bool any = put(ticked_);
    if (const auto brought = brought_.find(front_); brought != brought_.end()) any = put(brought->second) || any;
    if (any) Q_EMIT changed();
}

void PlannerChoice::setAllTicked(bool on)
{
    const bool wasOfUser = kernelTickSettled_ && ticked_.contains(kernelPlanner);
    tickedForKernel_ = on && kernelInFront_ && !wasOfUser;
    kernelTickSettled_ = !tickedForKernel_;
    brought_.erase(front_);
    ticked_.clear();
    if (on)
        for (const auto& planner : session_.planners().all()) ticked_.insert(planner->info().name);
    Q_EMIT changed();
}

void PlannerChoice::hand(int model, int successor)
{
    if (auto brought = brought_.extract(model)) {
        brought.key() = successor;
        brought_.insert(std::move(brought));
    }
}

void PlannerChoice::forget(int model)
{
    brought_.erase(model);
    if (model != front_) return;
    front_ = 0;
    kernelInFront_ = false;
}

void PlannerChoice::tickFor(int id, const Model* model)
{
    front_ = id;
    kernelInFront_ = model && isAscendKernel(*model);
    if (kernelTickSettled_ || !model || !session_.planners().find(kernelPlanner)) return;
    if (kernelInFront_ && ticked_.insert(kernelPlanner).second)
        tickedForKernel_ = true;
    else if (!kernelInFront_ && std::exchange(tickedForKernel_, false))
        ticked_.erase(kernelPlanner);
    else
        return;
    Q_EMIT changed();
}

std::vector<std::string> PlannerChoice::chosenPlanners() const
{
    std::vector<std::string> names = inOrder(ticked_);
    if (tickedForKernel_) std::erase(names, kernelPlanner);
    return names;
}

void PlannerChoice::putTicked(const std::vector<std::string>& planners, bool settled)
{
    brought_.clear();
    ticked_.clear();
    for (const std::string& planner : planners)
        if (session_.planners().find(planner)) ticked_.insert(planner);
    kernelTickSettled_ = settled;
    tickedForKernel_ = !settled && ticked_.contains(kernelPlanner);
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
