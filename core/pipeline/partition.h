// Splits a chain of ops into stages on devices, optimally and with a proof.
//
// The ops are cut into intervals, one for each stage, and each stage runs on a device of its own. The period is the largest time
// of a stage or of a transfer between neighbours; the latency is the sum of these times. Equal devices form a class. For one
// class, the problem is the partition of a chain (Bokhari 1988): a given period is feasible when the whole chain is among the
// prefixes that can be reached with stages of at most that period. For several classes, prefixes are computed for each multiset
// of classes; this is exact up to 2^12 multisets (12 different devices).
#pragma once

#include "core/pipeline/partition_problem.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace stowage::pipeline {

enum class Objective : std::uint8_t { period, latency };

/// A split with the smallest objective. With the objective `period`, of the splits of the smallest period one with the smallest
/// latency. Stages of unknown fit are not used in the split, but count as fitting for the bound. At most O(log(T) · states ·
/// ops²) for each round, where T is the largest period and states is the number of multisets of classes. A round ends with the
/// answer, or with stages that do not fit and that the next round leaves out.
Partition partition(const PartitionProblem& problem, Objective objective, const std::stop_token& cancel = {});

/// The Pareto front of the period against the latency or the bytes, from the largest period to the smallest.
struct TradeOff {
    std::vector<Partition> points;
    bool complete = false; ///< there are no further points
};
/// Finds both ends of the front first, then points in the widest gaps, until all points or `limit` points are found. `found` is
/// called with the points so far whenever there is a new one; later points may dominate some of them. When `cancel` stops the
/// search, the points so far are returned.
TradeOff tradeOff(const PartitionProblem& problem, bool byBytes, std::size_t limit, const std::stop_token& cancel = {},
                  const std::function<void(const std::vector<Partition>&)>& found = {});

/// True when `partition` is exact for the devices of this problem: they have at most 2^12 multisets of classes.
bool isExact(const PartitionProblem& problem);

} // namespace stowage::pipeline
