// A chain of ops that is split into stages on devices, and such a split.
#pragma once

#include "core/pipeline/ticks.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace stowage::pipeline {

/// The answer to: does a stage fit into the memory of a device?
enum class Fit : std::uint8_t {
    yes,
    no,      ///< proved
    unknown, ///< no plan that fits was found, and none was excluded
};

struct PartitionProblem {
    std::size_t ops = 0;
    std::vector<bool> cutAllowed;           ///< by cut 0 … ops; the entries at both ends are ignored
    std::vector<std::vector<Ticks>> prefix; ///< by device: total time of ops [0, i), for i = 0 … ops
    std::vector<std::int32_t> classes;      ///< by device: its class, 0, 1, …; devices of one class are interchangeable
    std::size_t maxStages = 0;              ///< maximum number of stages; 0: the number of devices
    std::size_t minStages = 1;              ///< minimum number of stages, >= 1
    /// Time of the transfer at `cut` from a device of class `from` to one of class `to`. Null: transfers take no time.
    std::function<Ticks(std::int32_t from, std::int32_t to, std::size_t cut)> transfer;
    /// A cheap necessary condition: false only if ops [begin, end) do not fit into the memory of a device of the class. Called at
    /// most once for each stage and class. Null: every stage may fit.
    std::function<bool(std::int32_t deviceClass, std::size_t begin, std::size_t end)> fits;
    /// The exact answer, which may take long. Called for stages of candidate answers only, once for each stage and class. After
    /// another answer than `yes` the search is repeated without that stage. Null: every stage that may fit does fit.
    std::function<Fit(std::int32_t deviceClass, std::size_t begin, std::size_t end)> confirms;
    /// Bytes that a stage takes on a device of a class, for the trade-off with memory. Called for stages that fit only. Without
    /// `exact` a lower bound is enough.
    std::function<std::int64_t(std::int32_t deviceClass, std::size_t begin, std::size_t end, bool exact)> bytes;
};

struct PartitionStage {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::int32_t deviceClass = 0;
    std::int32_t device = 0; ///< index of the first free device of the class

    friend bool operator==(const PartitionStage&, const PartitionStage&) = default;
};

enum class PartitionStatus : std::uint8_t {
    optimal,    ///< proved: no split has a smaller objective
    feasible,   ///< a split was found; its objective is above the bound
    infeasible, ///< proved: no split fits
    undecided,  ///< no split was found, and none was excluded; or the search was stopped
};

struct Partition {
    PartitionStatus status = PartitionStatus::undecided;
    std::vector<PartitionStage> stages;
    Ticks period = 0;
    Ticks latency = 0;        ///< of one frame: the sum over all stages and transfers
    Ticks bound = 0;          ///< no split has a smaller objective
    std::int64_t bytes = 0;   ///< sum over the stages; set by `tradeOff` by bytes only
    std::uint64_t probes = 0; ///< number of periods that were tested
};

/// Sets the period and the latency from the stages and their device classes. O(stages).
void measure(const PartitionProblem& problem, Partition& partition);

/// An upper bound on the period of every split. O(devices + classes² · ops).
[[nodiscard]] Ticks largestPeriod(const PartitionProblem& problem);

} // namespace stowage::pipeline
