// A complete planner: the largest buffer (or the one that lives longest) first, at the lowest address that is free.
#include "core/plan/planner.h"
#include "plugins/api/plugin.h"

#include <QObject>

#include <algorithm>
#include <numeric>

namespace {

using namespace stowage;

class TallestFirst final : public Planner {
public:
    TallestFirst()
    {
        info_.name = "tallest-first"; // as in the JSON file
        info_.options = {{"order", OptionType::choice, "size", "What is placed first.", {"size", "life"}}};
        info_.takes.multiplePools = false;
        info_.takes.slots = false;
        info_.takes.carried = false;
    }
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        const bool bySize = optionValue(info_, options, "order") == "size";
        const auto key = [&](BufferId id) {
            const Buffer& buffer = problem.buffers[at(id)];
            return std::pair(buffer.pin ? 0 : 1, bySize ? -buffer.size : -buffer.hull().length()); // pinned ones come first
        };
        std::vector<BufferId> order(problem.buffers.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) { return key(a) < key(b); });

        Plan plan;
        plan.placements.resize(problem.buffers.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            plan.work = i;
            if (const auto stopped = context.shouldStop(i)) // without a plan there is nothing to hand over
                return failure(*stopped == StoppedBy::cancelled ? Code::cancelled : Code::timedOut,
                               "stopped before all were placed");
            plan.placements[at(order[i])] = {0, lowest(problem, plan, {order.data(), i}, order[i])};
        }
        return plan;
    }

private:
    /// The lowest aligned offset at which `id` meets none of those that are placed.
    static Bytes lowest(const Problem& problem, const Plan& plan, std::span<const BufferId> placed, BufferId id)
    {
        const Buffer& buffer = problem.buffers[at(id)];
        if (buffer.pin) return *buffer.pin;
        std::vector<std::pair<Bytes, Bytes>> taken; // [low, high) of those that conflict
        for (const BufferId other : placed)
            if (conflict(problem, id, other)) {
                const Bytes low = plan.placements[at(other)].offset;
                taken.emplace_back(low, low + problem.buffers[at(other)].size);
            }
        std::sort(taken.begin(), taken.end());
        const Bytes step = problem.effectiveAlignment(buffer, 0);
        Bytes offset = 0;
        for (const auto& [low, high] : taken) {
            if (offset + buffer.size <= low) break;
            offset = std::max(offset, (high + step - 1) / step * step);
        }
        return offset;
    }

    PlannerInfo info_;
};

class ExamplePlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "example_planner.json")
    Q_INTERFACES(stowage::Plugin)

public:
    [[nodiscard]] std::vector<std::shared_ptr<const Planner>> planners() const override
    {
        return {std::make_shared<TallestFirst>()};
    }
};

} // namespace

#include "example_planner.moc"
