#include "core/plan/traffic.h"

#include <algorithm>

namespace stowage {

Traffic trafficOf(const Buffer& buffer)
{
    if (buffer.traffic.known()) return buffer.traffic;
    if (buffer.kind == BufferKind::constant) return {buffer.size, 0, 1, 0};
    return {buffer.size, buffer.size, 1, 1};
}

std::optional<double> transferTime(const Pool& pool, const Traffic& traffic)
{
    if (pool.clockHz <= 0) return std::nullopt;
    const std::int64_t burst = pool.smallestBurst();
    const auto cycles = [&](Bytes bytes, std::int64_t times, double perCycle, std::int64_t latency) -> std::optional<double> {
        if (bytes == 0) return 0.0;
        if (!(perCycle > 0)) return std::nullopt;
        std::int64_t transfers = times;
        if (burst > 0) transfers = std::max(transfers, bytes / burst + (bytes % burst > 0 ? 1 : 0));
        return static_cast<double>(bytes) / perCycle + static_cast<double>(transfers) * static_cast<double>(latency);
    };
    const auto in = cycles(traffic.read, traffic.reads, pool.readBytesPerCycle, pool.readLatencyCycles);
    const auto out = cycles(traffic.written, traffic.writes, pool.writeBytesPerCycle, pool.writeLatencyCycles);
    if (!in || !out) return std::nullopt;
    return (*in + *out) * 1e9 / static_cast<double>(pool.clockHz);
}

std::vector<std::optional<double>> transferTimes(const Problem& problem, const Plan& plan)
{
    std::vector<std::optional<double>> times;
    for (const Pool& pool : problem.pools) times.push_back(transferTime(pool, {1, 1, 1, 1}) ? std::optional(0.0) : std::nullopt);
    for (std::size_t b = 0; b < std::min(problem.buffers.size(), plan.placements.size()); ++b) {
        const Placement& placement = plan.placements[b];
        if (placement.pool < 0 || static_cast<std::size_t>(placement.pool) >= times.size()) continue;
        auto& sum = times[static_cast<std::size_t>(placement.pool)];
        if (sum)
            *sum +=
                transferTime(problem.pools[static_cast<std::size_t>(placement.pool)], trafficOf(problem.buffers[b])).value_or(0);
    }
    return times;
}

} // namespace stowage
