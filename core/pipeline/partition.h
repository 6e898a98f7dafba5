// Splits a chain of ops into stages on devices, best and with proof.
//
// The ops are cut into intervals, one for each stage, and each stage goes to a device of its own. The period is the largest time
// of a stage or of a transfer between neighbours; the latency is the sum of all of them. Equal devices form a class: for one
// class this is the partition of a chain (Bokhari 1988), decided for a given period by which prefixes can be reached; for
// different devices the same over multisets of classes, exact as long as there are at most 2^12 of them (12 different devices).
#pragma once

#include "core/pipeline/ticks.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace stowage::pipeline {

enum class Objective : std::uint8_t { period, latency };

/// Whether a stage fits into the memory of a device.
enum class Fit : std::uint8_t {
    yes,
    no,      ///< proved
    unknown, ///< it was not found to fit, and may
};

struct PartitionProblem {
    std::size_t ops = 0;
    std::vector<bool> cutAllowed;           ///< by cut 0 … ops; those at the ends are not looked at
    std::vector<std::vector<Ticks>> prefix; ///< by device: time of ops [0, i), for i = 0 … ops
    std::vector<std::int32_t> classes;      ///< by device: devices of one class are interchangeable; 0, 1, …
    std::size_t maxStages = 0;              ///< 0: as many as there are devices
    std::size_t minStages = 1;              ///< at least 1
    /// Time of a transfer at a cut from a device of one class to one of another. Null: no time.
    std::function<Ticks(std::int32_t from, std::int32_t to, std::size_t cut)> transfer;
    /// Whether ops [begin, end) may fit into the memory of a device of a class, without much work: never false for a stage that
    /// fits. Null: always. Asked at most once for each.
    std::function<bool(std::int32_t deviceClass, std::size_t begin, std::size_t end)> fits;
    /// Whether they do fit. Asked for the stages of answers alone, once for each: an answer with a stage that does not fit is
    /// searched anew without that stage. Null: what may fit fits.
    std::function<Fit(std::int32_t deviceClass, std::size_t begin, std::size_t end)> confirms;
    /// Bytes that the stage takes on a device of a class, for the trade-off with memory; only of stages that fit. A lower bound
    /// may be given first: `exact` says whether it has to be the true number.
    std::function<std::int64_t(std::int32_t deviceClass, std::size_t begin, std::size_t end, bool exact)> bytes;
};

struct PartitionStage {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::int32_t deviceClass = 0;
    std::int32_t device = 0; ///< the first free one of the class

    friend bool operator==(const PartitionStage&, const PartitionStage&) = default;
};

enum class PartitionStatus : std::uint8_t {
    optimal,    ///< proved: no split has a smaller objective
    feasible,   ///< a split, and a bound below it
    infeasible, ///< proved: none fits
    undecided,  ///< stopped, or none found and none excluded
};

struct Partition {
    PartitionStatus status = PartitionStatus::undecided;
    std::vector<PartitionStage> stages;
    Ticks period = 0;
    Ticks latency = 0;        ///< of one frame: all stages and transfers
    Ticks bound = 0;          ///< no split has a smaller objective
    std::int64_t bytes = 0;   ///< of all stages, where `PartitionProblem::bytes` is there and the trade-off was asked for
    std::uint64_t probes = 0; ///< periods that were decided
};

/// Period and latency of given stages; devices as given.
void measure(const PartitionProblem& problem, Partition& partition);

/// The best split. For the period: of those with the smallest period one with the smallest latency. Where stages are left out
/// that were not confirmed and may fit, the bound is that of splits with them. O(log(T) · states · ops²) at most for each
/// round, for as many states as there are multisets of classes; a round ends with stages that are not confirmed, or with the
/// answer.
Partition partition(const PartitionProblem& problem, Objective objective, const std::stop_token& cancel = {});

/// Points that no other one beats in both: the period, and latency or bytes; from the largest period to the smallest.
struct TradeOff {
    std::vector<Partition> points;
    bool complete = false; ///< there is no further point
};
/// Finds both ends first, then points in the widest gaps, until all are found or `limit` of them. `found` hears of the points so
/// far whenever there is a new one; a later one may still beat some of them. Stopped by `cancel` with the points so far.
TradeOff tradeOff(const PartitionProblem& problem, bool byBytes, std::size_t limit, const std::stop_token& cancel = {},
                  const std::function<void(const std::vector<Partition>&)>& found = {});

/// True when `partition` is exact for this number of devices and classes.
bool isExact(const PartitionProblem& problem);

} // namespace stowage::pipeline
