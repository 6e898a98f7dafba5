#include "core/explain/kernel_change.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr std::int32_t maxSlots = 64;

} // namespace

std::vector<Change> changesOf(const Problem& problem, BufferId b)
{
    const Buffer& buffer = problem.buffers[static_cast<std::size_t>(b)];
    std::vector<Change> changes;
    const auto slots = [&](std::int32_t count) {
        if (count != buffer.slots && count >= 1 && count <= maxSlots &&
            std::none_of(changes.begin(), changes.end(), [&](const Change& c) { return c.slots == count; }))
            changes.push_back(Change::ofSlots(b, count));
    };
    if (buffer.loop != none) {
        if (buffer.slots > 1) slots(1);
        if (buffer.slots > 2) slots(buffer.slots / 2);
        slots(buffer.slots * 2);
    }
    for (const auto& [numerator, denominator] : {std::pair(1, 2), std::pair(2, 1)}) {
        changes.push_back(Change::scaled(b, numerator, denominator));
        if (buffer.loop != none) changes.push_back(Change::scaledTile(buffer.loop, numerator, denominator));
    }
    return changes;
}

Expected<ChangeOutcome> tryChange(const Problem& problem, const PipeModel& model, const Change& change, const Planner& planner,
                                  const OptionValues& options, const PlanContext& context, const PipeOptions& pipes)
{
    auto made = changed(problem, change);
    if (!made) return made.error();
    ChangeOutcome outcome;
    outcome.change = change;
    outcome.problem = *std::move(made);
    const std::vector<BufferId> scaled = scaledBuffers(problem, change);

    auto plan = planner.plan(outcome.problem, options, context);
    if (!plan) return plan.error();
    outcome.plan = *std::move(plan);
    outcome.report = evaluate(outcome.problem, outcome.plan);
    outcome.fits = outcome.report.verdict.valid() && !outcome.report.verdict.overCapacity;

    PipeModel costs = model;
    if (costs.unit == CostUnit::bytes)
        for (PipeOp& op : costs.ops) {
            bool touched = false;
            const auto scale = [&](const std::vector<BufferId>& buffers, std::vector<Bytes>& bytes) {
                for (std::size_t i = 0; i < std::min(buffers.size(), bytes.size()); ++i) {
                    if (!std::binary_search(scaled.begin(), scaled.end(), buffers[i])) continue;
                    touched = true;
                    const Bytes more = checkedMultiply(bytes[i], change.numerator).value_or(maxBytes);
                    bytes[i] = std::min(maxBytes, more / change.denominator + (more % change.denominator != 0 ? 1 : 0));
                }
            };
            scale(op.reads, op.readBytes);
            scale(op.writes, op.writeBytes);
            if (touched) op.cost = costInBytes(op);
        }
    outcome.pipes = pipeReport(outcome.problem, outcome.plan, costs, pipes);
    const bool tile = change.kind == Change::Kind::tile;
    outcome.timeForAll =
        static_cast<double>(outcome.pipes.time) * (tile ? static_cast<double>(change.denominator) / change.numerator : 1.0);
    return outcome;
}

} // namespace stowage
