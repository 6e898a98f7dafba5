// Splits a program into stages on devices, at given cuts or at the best ones, with a bound.
#pragma once

#include "core/pipeline/config.h"
#include "core/pipeline/costs.h"
#include "core/pipeline/partition.h"
#include "core/pipeline/stage_memory.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage::pipeline {

struct SplitRequest {
    DeviceSet devices; ///< at least one
    Measurements measurements;
    Objective objective = Objective::period;
    std::optional<std::vector<std::size_t>> cuts; ///< fixed cuts, ascending; no value: the best cuts are searched
    std::size_t stages = 0; ///< wanted number of stages; fewer are used when that many do not fit or are slower; 0: any number
    std::int64_t queue = 0; ///< frames that wait in front of each stage and count as its memory; 0: none
    std::stop_token cancel;
    std::function<void(std::size_t plannings)>
        progress; ///< called after each stage that was planned, with the number of plannings so far; may be null
};

struct SplitStage {
    std::size_t begin = 0; ///< operators [begin, end)
    std::size_t end = 0;
    std::int32_t device = 0;
    Ticks cost = 0;
    Ticks transfer = 0;      ///< of the transfer at the cut in front of it
    Bytes transferBytes = 0; ///< that cross this cut in one frame
    StageMemory memory;
};

/// A stage that fits on no device, with the device that comes closest.
struct Misfit {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::int32_t device = 0;
    Bytes needed = 0;
    Bytes memory = 0;
};

struct Split {
    PartitionStatus status = PartitionStatus::undecided;
    Objective objective = Objective::period;
    bool fixedCuts = false;
    std::vector<SplitStage> stages;
    Ticks period = 0;
    Ticks latency = 0;
    std::optional<Ticks> bound;  ///< lower bound on the objective of every split on these devices; no value: not computed
    std::vector<Misfit> misfits; ///< with status `infeasible`: each operator, or each fixed stage, that fits on no device
    std::size_t plannings = 0;
    Diagnostics diagnostics;
};

/// A split on the trade-off curve.
struct TradeOffPoint {
    Ticks period = 0;
    Ticks latency = 0;
    Bytes bytes = 0; ///< arenas, constants and variables of all stages
    std::vector<SplitStage> stages;
};
struct TradeOffCurve {
    std::vector<TradeOffPoint> points; ///< from the largest period to the smallest
    bool complete = false;             ///< there are no further points
};

/// Splits one program on given devices. Costs and memories of stages are kept, so that further questions are answered faster.
class Splitter {
public:
    /// `quick` plans candidates; `thorough` plans the candidates that did not fit so, and the stages of the answer. Program and
    /// planners have to outlive the splitter. Requires a program that can be lowered without an error.
    Splitter(const Program& program, SplitRequest request, const Planner& quick, const Planner& thorough);

    /// The best split, or the best use of the devices for fixed cuts. Errors: no device, more fixed stages than devices, a
    /// program without operators.
    Expected<Split> run();
    /// The trade-off between the period and the bytes (or the latency): each point has the smallest bytes (latency) for its
    /// period. At most `limit` points. `found` is called with the points so far.
    TradeOffCurve tradeOff(bool byBytes, std::size_t limit,
                           const std::function<void(const std::vector<TradeOffPoint>&)>& found = {});
    /// The split with given cuts and one device for each stage, for example while the user drags a border. With `plan` the
    /// stages' arenas are planned; without it `SplitStage::memory` stays 0.
    Split evaluate(std::span<const std::size_t> cuts, std::span<const std::int32_t> devices, bool plan);
    /// The same without memory figures. May be called while another thread uses the splitter. O(stages).
    [[nodiscard]] Split timesOf(std::span<const std::size_t> cuts, std::span<const std::int32_t> devices) const;

    [[nodiscard]] const CutMap& map() const { return map_; }
    [[nodiscard]] const DeviceSet& devices() const { return request_.devices; }
    [[nodiscard]] Ticks opCost(std::int32_t device, std::size_t op) const
    {
        return problem_.prefix[at(device)][op + 1] - problem_.prefix[at(device)][op];
    }
    [[nodiscard]] CostSource costSource(std::int32_t device, std::size_t op) const { return sources_[at(device)][op]; }

private:
    void buildClasses();
    [[nodiscard]] std::int32_t deviceOf(std::int32_t deviceClass) const { return representatives_[at(deviceClass)]; }
    [[nodiscard]] SplitStage timed(std::size_t begin, std::size_t end, std::int32_t device, const SplitStage* before) const;
    [[nodiscard]] SplitStage stage(std::size_t begin, std::size_t end, std::int32_t device, const SplitStage* before, bool plan);
    [[nodiscard]] std::vector<SplitStage> stagesOf(const Partition& partition, bool plan);
    [[nodiscard]] std::vector<Misfit> findMisfits(std::span<const std::size_t> cuts);

    SplitRequest request_;
    CutMap map_;
    StageMemories memories_;
    PartitionProblem problem_;
    std::vector<std::int32_t> representatives_; ///< by class: one of its devices
    std::vector<std::vector<CostSource>> sources_;
    bool bounded_ = false; ///< true when some device has a memory limit
};

/// The configuration of a split. Programs are not written: `StageReference::program` is empty.
PipelineConfig configOf(const Split& split, const DeviceSet& devices, std::span<const Stage> stages);

/// Sets the costs of the stage's ops to those on its device.
void setCosts(Stage& stage, const Splitter& splitter, std::int32_t device);

} // namespace stowage::pipeline
