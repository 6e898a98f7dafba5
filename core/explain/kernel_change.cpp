#include "core/explain/kernel_change.h"

#include "core/ir/checked.h"
#include "core/planners/hivm/variants.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

constexpr std::int32_t most = 64;

std::string factor(std::int32_t numerator, std::int32_t denominator)
{
    if (numerator == 1 && denominator == 2) return "halve";
    if (numerator == 2 && denominator == 1) return "double";
    return fmt::format("take {}/{} of", numerator, denominator);
}

bool inRange(const Problem& problem, const KernelChange& change)
{
    const auto fine = [](std::int32_t value) { return value >= 1 && value <= most; };
    if (!fine(change.slots) || !fine(change.numerator) || !fine(change.denominator)) return false;
    if (change.kind == KernelChange::Kind::tile)
        return change.loop >= 0 && static_cast<std::size_t>(change.loop) < problem.loops.size();
    return change.buffer >= 0 && static_cast<std::size_t>(change.buffer) < problem.buffers.size();
}

} // namespace

std::string describe(const Problem& problem, const KernelChange& change)
{
    const auto name = [&] { return problem.buffers[static_cast<std::size_t>(change.buffer)].name; };
    switch (change.kind) {
    case KernelChange::Kind::slots:
        return change.slots == 1 ? fmt::format("drop the multi-buffer of {}", name())
                                 : fmt::format("{} slots for {}", change.slots, name());
    case KernelChange::Kind::buffer: return fmt::format("{} {}", factor(change.numerator, change.denominator), name());
    case KernelChange::Kind::tile: break;
    }
    const std::string& loop = problem.loops[static_cast<std::size_t>(change.loop)].name;
    return fmt::format("{} the tile of loop {}", factor(change.numerator, change.denominator),
                       loop.empty() ? std::to_string(change.loop) : loop);
}

KernelChange changeOf(const hivm::Remedy& remedy)
{
    switch (remedy.kind) {
    case hivm::Remedy::Kind::dropMultiBuffer: return {KernelChange::Kind::slots, remedy.buffer, none, 1, 1, 1};
    case hivm::Remedy::Kind::halveBuffer: return {KernelChange::Kind::buffer, remedy.buffer, none, 1, 1, 2};
    case hivm::Remedy::Kind::halveTile: break;
    }
    return {KernelChange::Kind::tile, none, remedy.loop, 1, 1, 2};
}

SingleChange asSingleChange(const Problem& problem, const KernelChange& change)
{
    switch (change.kind) {
    case KernelChange::Kind::slots: return {.kind = ChangeKind::slots, .buffer = change.buffer, .slots = change.slots};
    case KernelChange::Kind::tile:
        return {.kind = ChangeKind::tile, .loop = change.loop, .numerator = change.numerator, .denominator = change.denominator};
    case KernelChange::Kind::buffer: break;
    }
    const Problem scaled = hivm::withScaledSizes(problem, std::span(&change.buffer, 1), change.numerator, change.denominator);
    return {
        .kind = ChangeKind::size, .buffer = change.buffer, .size = scaled.buffers[static_cast<std::size_t>(change.buffer)].size};
}

std::vector<KernelChange> changesOf(const Problem& problem, BufferId b)
{
    const Buffer& buffer = problem.buffers[static_cast<std::size_t>(b)];
    std::vector<KernelChange> changes;
    const auto slots = [&](std::int32_t count) {
        if (count != buffer.slots && count >= 1 && count <= most &&
            std::none_of(changes.begin(), changes.end(), [&](const KernelChange& c) { return c.slots == count; }))
            changes.push_back({KernelChange::Kind::slots, b, none, count, 1, 1});
    };
    if (buffer.loop != none) {
        if (buffer.slots > 1) slots(1);
        if (buffer.slots > 2) slots(buffer.slots / 2);
        slots(buffer.slots * 2);
    }
    for (const auto& [numerator, denominator] : {std::pair(1, 2), std::pair(2, 1)}) {
        changes.push_back({KernelChange::Kind::buffer, b, none, 1, numerator, denominator});
        if (buffer.loop != none) changes.push_back({KernelChange::Kind::tile, none, buffer.loop, 1, numerator, denominator});
    }
    return changes;
}

Expected<ChangeOutcome> tryChange(const Problem& problem, const PipeModel& model, const KernelChange& change,
                                  const Planner& planner, const OptionValues& options, const PlanContext& context,
                                  const PipeOptions& pipes)
{
    if (!inRange(problem, change))
        return failure(Code::badChange, "there is no such buffer or loop, or a factor is outside 1 to 64");
    ChangeOutcome outcome;
    outcome.change = change;
    std::vector<BufferId> scaled;
    switch (change.kind) {
    case KernelChange::Kind::slots: outcome.problem = hivm::withSlots(problem, change.buffer, change.slots); break;
    case KernelChange::Kind::buffer: scaled = {change.buffer}; break;
    case KernelChange::Kind::tile: scaled = hivm::tileOf(problem, change.loop); break;
    }
    if (change.kind != KernelChange::Kind::slots)
        outcome.problem = hivm::withScaledSizes(problem, scaled, change.numerator, change.denominator);
    const Diagnostics wrong = checkAndRepair(outcome.problem);
    for (const Diagnostic& told : wrong)
        if (told.severity == Severity::error) return told;

    auto plan = planner.plan(outcome.problem, options, context);
    if (!plan) return plan.error();
    outcome.plan = *std::move(plan);
    outcome.report = evaluate(outcome.problem, outcome.plan);
    outcome.fits = outcome.report.verdict.valid() && !outcome.report.verdict.overCapacity;

    PipeModel changed = model;
    if (changed.unit == CostUnit::bytes)
        for (PipeOp& op : changed.ops) {
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
    outcome.pipes = pipeReport(outcome.problem, outcome.plan, changed, pipes);
    const bool tile = change.kind == KernelChange::Kind::tile;
    outcome.timeForAll =
        static_cast<double>(outcome.pipes.time) * (tile ? static_cast<double>(change.denominator) / change.numerator : 1.0);
    return outcome;
}

} // namespace stowage
