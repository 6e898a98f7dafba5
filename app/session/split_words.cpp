#include "app/session/split_words.h"

#include "app/session/number_words.h"

#include <fmt/format.h>

#include <cmath>

namespace stowage {

using namespace pipeline;

VerdictKind verdictKind(const Split& split)
{
    switch (split.status) {
    case PartitionStatus::optimal: return VerdictKind::optimal;
    case PartitionStatus::infeasible: return VerdictKind::infeasible;
    case PartitionStatus::feasible:
    case PartitionStatus::undecided: break;
    }
    return split.stages.empty() ? VerdictKind::undecided : VerdictKind::valid;
}

std::string splitVerdict(const Split& split)
{
    const VerdictKind kind = verdictKind(split);
    const auto us = [](Ticks ticks) { return microsecondsText(toMicroseconds(ticks)); };
    const auto told = [kind](const std::string& what) { return fmt::format("{}: {}.", verdictWord(kind), what); };
    if (kind == VerdictKind::infeasible)
        return told(split.fixedCuts ? "these stages do not fit into the memories of the devices"
                                    : "no split fits into the memories of these devices");
    if (kind == VerdictKind::undecided) return told("no split was found before the stop");
    const bool byPeriod = split.objective == Objective::period;
    const Ticks value = byPeriod ? split.period : split.latency;
    std::string text = told(fmt::format("period {} µs, latency {} µs, {}", us(split.period), us(split.latency),
                                        counted(static_cast<std::int64_t>(split.stages.size()), "stage")));
    if (kind == VerdictKind::optimal)
        text += fmt::format(" No split has a smaller {}.", byPeriod ? "period" : "latency");
    else if (split.bound && *split.bound > 0)
        text += fmt::format(" No split is below {} µs (gap {}).", us(*split.bound),
                            percent(static_cast<double>(value) / static_cast<double>(*split.bound) - 1));
    return text;
}

std::vector<std::string> misfitLines(const Split& split, const CutMap& map, const DeviceSet& devices,
                                     const std::function<std::string(Bytes)>& size)
{
    std::vector<std::string> lines;
    for (const Misfit& misfit : split.misfits) {
        const std::string what =
            misfit.end - misfit.begin == 1
                ? fmt::format("op {} ('{}')", misfit.begin, map.function().ops[std::size_t(map.ops()[misfit.begin])].name)
                : fmt::format("the stage of ops {} to {}", misfit.begin, misfit.end - 1);
        lines.push_back(fmt::format("{} needs {}; the nearest is {} with {}", what, size(misfit.needed),
                                    devices.devices[std::size_t(misfit.device)].name, size(misfit.memory)));
    }
    return lines;
}

std::string microsecondsText(double microseconds)
{
    const double tenths = std::round(microseconds * 10);
    const auto whole = static_cast<std::int64_t>(tenths / 10);
    return fmt::format("{}.{}", grouped(whole), static_cast<std::int64_t>(tenths) - whole * 10);
}

} // namespace stowage
