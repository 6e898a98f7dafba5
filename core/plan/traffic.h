// Estimates the time to move the bytes of buffers, by pool.
#pragma once

#include "core/plan/plan.h"

#include <optional>
#include <vector>

namespace stowage {

/// The traffic of a buffer in one run: as stated in the input; otherwise every byte is written once and read once (a constant:
/// only read).
[[nodiscard]] Traffic trafficOf(const Buffer& buffer);

/// Estimated time of this traffic in `pool`, in nanoseconds: (bytes / bytes per cycle + latency * transfers) / clock. A transfer
/// is the access of one op, or a burst if the pool has bursts (the smallest burst of all devices, because it is unknown which one
/// moves the data). No value if the clock or bandwidth of the pool is unknown. Ignores caches, contention and overlap with
/// computation. The model uses the pool properties of TVM (clock, bandwidth, latency, burst).
[[nodiscard]] std::optional<double> transferTime(const Pool& pool, const Traffic& traffic);

/// The same for all buffers in each pool of `plan`, by pool id; no value for a pool with unknown properties. O(buffers).
[[nodiscard]] std::vector<std::optional<double>> transferTimes(const Problem& problem, const Plan& plan);

} // namespace stowage
