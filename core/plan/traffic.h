// Estimated time to move bytes, memory by memory.
#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <vector>

namespace stowage {

/// What one run moves through a buffer: as the input tells, else every byte once in and once out (of a constant: once out).
[[nodiscard]] Traffic trafficOf(const Buffer& buffer);

/// Nanoseconds that this traffic takes in `pool`: bytes over bytes per cycle, plus the latency for each transfer, over the clock.
/// A transfer is what one op moves, or a burst where the pool has bursts (of several targets' the smallest, as it is not known
/// who moves). Nothing when the pool's clock or bandwidth is not known. An estimate: caches, contention and overlap with
/// computing are left out. The model is that of TVM's pool properties (clock, bandwidth, latency, burst).
[[nodiscard]] std::optional<double> transferTime(const Pool& pool, const Traffic& traffic);

/// The same for all that `plan` puts into each pool, by pool id; nothing for a pool whose facts are not known. O(buffers).
[[nodiscard]] std::vector<std::optional<double>> transferTimes(const Problem& problem, const Plan& plan);

} // namespace stowage
