// The input and the result of a split: a chain of ops, the devices that run it, and the stages into which it is split.
//
// Ops are numbered from 0 in the order of the chain. Cut i is the place before op i: cut 0 is the begin of the chain, cut `ops`
// its end. A stage is the half-open range of ops [begin, end) between two cuts. All times are in picoseconds (`Ticks`).
#pragma once

#include "core/pipeline/ticks.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace stowage::pipeline {

/// Says whether a stage fits into the memory of a device.
enum class Fit : std::uint8_t {
    yes,     ///< there is a plan within the capacities
    no,      ///< proved: there is no plan within the capacities
    unknown, ///< neither a plan within the capacities nor a proof was found
};

/// The chain, the devices, and the conditions for stages. The functions may be called in any order, from the thread that
/// searches.
struct PartitionProblem {
    std::size_t ops = 0;                    ///< number of ops
    std::vector<bool> cutAllowed;           ///< by cut, `ops + 1` entries; the first and the last do not count. Empty: all
    std::vector<std::vector<Ticks>> prefix; ///< by device, then by cut: time of ops [0, cut) on that device, >= 0, ascending
    std::vector<std::int32_t> classes;      ///< by device: its class, from 0 without gaps. Devices of a class are interchangeable
    std::size_t maxStages = 0;              ///< maximum number of stages; 0: the number of devices
    std::size_t minStages = 1;              ///< minimum number of stages, >= 1
    /// Time of the transfer at `cut` from a device of class `from` to a device of class `to`, >= 0. Null: transfers take no time.
    std::function<Ticks(std::int32_t from, std::int32_t to, std::size_t cut)> transfer;
    /// A necessary condition that is cheap to test: false only if ops [begin, end) do not fit into the memory of a device of the
    /// class. Called at most once for each stage and class. Null: the condition holds for every stage.
    std::function<bool(std::int32_t deviceClass, std::size_t begin, std::size_t end)> fits;
    /// The exact test, which may plan the memory of the stage. Called only for the stages of a split that may become the answer,
    /// at most once for each stage and class. After `no` or `unknown` the search is repeated without this stage on this class.
    /// Null: every stage for which `fits` holds fits.
    std::function<Fit(std::int32_t deviceClass, std::size_t begin, std::size_t end)> confirms;
    /// Bytes of memory that the stage needs on a device of the class, >= 0; without `exact` a lower bound of them. Only the
    /// trade-off of period against bytes needs it, and calls it only for stages for which `fits` holds.
    std::function<std::int64_t(std::int32_t deviceClass, std::size_t begin, std::size_t end, bool exact)> bytes;
};

/// The ops [begin, end), on one device.
struct PartitionStage {
    std::size_t begin = 0;
    std::size_t end = 0;          ///< > `begin`
    std::int32_t deviceClass = 0; ///< class of `device`
    std::int32_t device = 0;      ///< index of a device that no other stage runs on: the first free one of its class

    friend bool operator==(const PartitionStage&, const PartitionStage&) = default;
};

/// The verdict about a split. The objective is the period or the latency, whichever the search minimises.
enum class PartitionStatus : std::uint8_t {
    optimal,    ///< proved: no split has a smaller objective
    feasible,   ///< the split fits; its objective is above the bound
    infeasible, ///< proved: no split fits
    undecided,  ///< neither a split nor a proof was found, or the search was stopped
};

/// A split of the chain.
struct Partition {
    PartitionStatus status = PartitionStatus::undecided;
    std::vector<PartitionStage> stages; ///< in the order of the chain, without gaps; empty if no split was found
    Ticks period = 0;                   ///< the largest time of a stage or of a transfer between neighbours
    Ticks latency = 0;                  ///< time of one frame: the sum of the times of all stages and transfers
    Ticks bound = 0;                    ///< lower bound: no split has a smaller objective
    std::int64_t bytes = 0;             ///< sum over the stages; only the trade-off of period against bytes sets it
    std::uint64_t probes = 0;           ///< number of periods for which the search tested whether a split exists
};

/// Sets the period and the latency of `partition` from its stages, which must be within `problem`. O(stages).
void measure(const PartitionProblem& problem, Partition& partition);

/// An upper bound of the period of every split: the largest time of the whole chain on one device, or of one transfer.
/// O(devices + classes² · ops).
[[nodiscard]] Ticks largestPeriod(const PartitionProblem& problem);

} // namespace stowage::pipeline
