#include "app/worker/plan_command.h"

#include "core/plan/run_failure.h"
#include "plugins/api/plugin.h"
#include "plugins/host/plan_messages.h"
#include "plugins/host/plugin_host.h"

#include <exception>
#include <mutex>
#include <thread>

namespace stowage::worker {
namespace {

Expected<Plan> carryOut(const PlanOrder& order, const PlanContext& context)
{
    auto plugin = loadPlugin(QString::fromStdString(order.plugin), LoadedIn::worker);
    if (!plugin) return std::move(plugin).error();
    for (const auto& planner : (*plugin)->planners()) {
        if (planner->info().name != order.planner) continue;
        if (auto error = checkOptions(planner->info(), order.options)) return *std::move(error);
        if (auto error = checkCapabilities(planner->info(), order.problem)) return *std::move(error);
        return planner->plan(order.problem, order.options, context);
    }
    return failure(Code::unknownPlanner,
                   "the library does not bring the planner '" + order.planner + "' that its metadata names");
}

} // namespace

void plan(Channel& channel, std::string_view archivedOrder)
{
    const auto order = fromArchive<PlanOrder>(archivedOrder);
    if (!order) return channel.send(failure(Code::noOrder, "the order is damaged"));
    std::stop_source stop;
    // Ends with the process: it waits for input most of the time.
    std::thread([&channel, stop]() mutable {
        (void)channel.receive();
        stop.request_stop();
    }).detach();

    std::mutex sending; // planners may publish from several threads
    PlanContext context;
    context.cancel = stop.get_token();
    context.seed = order->seed;
    context.workLimit = order->workLimit;
    context.threads = order->threads;
    if (order->deadlineMs > 0) context.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(order->deadlineMs);
    context.publish = [&](const Incumbent& incumbent) {
        const std::lock_guard lock(sending);
        channel.send(frame::incumbent, toArchive(incumbent));
    };
    const auto sendCrash = [&](const std::string& message) { // threads of the planner may still publish
        const std::lock_guard lock(sending);
        channel.send(runFailed(RunFailure::crashed, message));
    };
    try {
        const auto plan = carryOut(*order, context);
        const std::lock_guard lock(sending);
        if (plan)
            channel.send(frame::planned, toArchive(*plan));
        else
            channel.send(plan.error());
    } catch (const std::exception& error) {
        sendCrash(std::string("it threw an exception: ") + error.what());
    } catch (...) {
        sendCrash("it threw an exception");
    }
    std::_Exit(EXIT_SUCCESS); // not through destructors that the waiting thread still uses
}

} // namespace stowage::worker
