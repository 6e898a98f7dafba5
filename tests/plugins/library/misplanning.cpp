// A planner of a library that misbehaves as its option says.
#include "plugins/api/plugin.h"

#include <QObject>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace stowage::test {

class Misplanning final : public Planner {
public:
    Misplanning()
    {
        info_.name = "test-misplanning";
        info_.options = {{"deed", OptionType::text, "none", "What it does."}};
        info_.takes.gaps = false;
    }
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options,
                                      const PlanContext& context) const override
    {
        const std::string deed(optionValue(info_, options, "deed"));
        if (deed == "crash") std::abort();
        if (deed == "throw") throw std::runtime_error("thrown");
        if (deed == "exit") std::_Exit(0);
        if (deed == "hang")
            for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
        if (deed == "eat-memory")
            for (std::vector<std::unique_ptr<char[]>> hoard;;) hoard.push_back(std::make_unique<char[]>(std::size_t{1} << 42));
        if (deed == "give-up" || deed == "say-cancelled") { // when it is asked to stop
            while (!context.shouldStop(0)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            return failure(deed == "give-up" ? Code::plannerFailed : Code::cancelled, "no plan yet");
        }
        if (deed == "tell-deadline") {
            const auto left = context.deadline.value_or(std::chrono::steady_clock::now()) - std::chrono::steady_clock::now();
            return failure(Code::plannerFailed,
                           std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(left).count()));
        }
        Plan plan;
        Bytes top = 0;
        for (const Buffer& buffer : problem.buffers) {
            plan.placements.push_back({0, deed == "overlap" ? 0 : top});
            top += buffer.size;
        }
        if (deed == "throw-while-publishing") { // the host of the test is busy with the small plan when the large one is sent
            context.publish({plan, 0, 0});
            Plan large;
            large.placements.resize(std::size_t{1} << 18);
            std::thread([publish = context.publish, large = std::move(large)] { publish({large, 0, 0}); }).detach();
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            throw std::runtime_error("thrown");
        }
        if (deed == "negative") plan.placements[0].offset = -8;
        if (deed == "huge") plan.placements[0].offset = Bytes{1} << 62;
        if (deed == "missing") plan.placements.pop_back();
        if (deed == "claim") plan.claims.emplace_back(SearchCertificate{none, top, false, "my word", 0, {}});
        if (deed == "long-word")
            plan.diagnostics.push_back({Severity::note, Code::notPlaced, std::string(std::size_t{65} << 20, 'x'), {}, {}});
        if (deed == "wait" || deed == "show-and-hang") { // shows its plan, then waits for the cancel, or for good
            if (context.publish) context.publish({plan, Bytes{1} << 50, 7});
            while (deed != "wait" || !context.shouldStop(0)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            plan.stoppedBy = *context.shouldStop(0);
        }
        return plan;
    }

private:
    PlannerInfo info_;
};

class MisplanningPlugin : public QObject, public Plugin {
    Q_OBJECT
    Q_PLUGIN_METADATA(IID STOWAGE_PLUGIN_IID FILE "misplanning.json")
    Q_INTERFACES(stowage::Plugin)

public:
    std::vector<std::shared_ptr<const Planner>> planners() const override { return {std::make_shared<Misplanning>()}; }
};

} // namespace stowage::test

#include "misplanning.moc"
