#include "plugins/external/manifest.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::external {

std::string_view toText(Capability capability)
{
    return capabilityNames[static_cast<std::size_t>(capability)];
}

std::optional<std::chrono::milliseconds> timeoutOf(double seconds)
{
    if (!(seconds >= 0.001 && seconds <= 604'800)) return std::nullopt;
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

PlannerInfo plannerInfo(const Manifest& manifest)
{
    const auto takes = [&](Capability capability) { return manifest.takes[static_cast<std::size_t>(capability)]; };
    PlannerInfo info;
    info.name = manifest.id;
    info.summary = manifest.description.empty() ? manifest.name : manifest.description;
    info.source = "plug-in " + manifest.path;
    info.options = manifest.options;
    info.takes = {.multiplePools = takes(Capability::pools),
                  .pins = takes(Capability::pins),
                  .gaps = takes(Capability::gaps),
                  .windows = takes(Capability::windows),
                  .explicitConflicts = takes(Capability::conflicts),
                  .slots = takes(Capability::slots),
                  .capacities = true,
                  .carried = false};
    info.anytime = manifest.transport == Transport::stdioRpc && takes(Capability::partial);
    info.deterministic = manifest.deterministic;
    return info;
}

std::optional<Error> unsupported(const Manifest& manifest, const CapabilitySet& takes, const Problem& problem)
{
    Manifest answered = manifest;
    answered.takes = takes;
    if (auto error = checkCapabilities(plannerInfo(answered), problem)) return error;
    const bool bounded =
        std::all_of(problem.pools.begin(), problem.pools.end(), [](const Pool& pool) { return pool.capacity.has_value(); });
    if (manifest.capacityRequired && !bounded)
        return failure(Code::notSupported, fmt::format("planner '{}' needs a capacity to plan into", manifest.id), {},
                       "give one with --capacity BYTES or --target NAME");
    return std::nullopt;
}

} // namespace stowage::external
