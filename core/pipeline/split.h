// Splits a program into stages on devices, by hand or automatically, and says what is proved about it.
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
    std::optional<std::vector<std::size_t>> cuts; ///< fixed cuts, ascending; nothing: chosen
    std::size_t stages = 0;                       ///< exact count, where possible; 0: any number
    std::int64_t queue = 0;                       ///< frames waiting in front of a stage that count as its memory; 0: none
    std::stop_token cancel;
    std::function<void(std::size_t plannings)> progress; ///< hears of each stage of a candidate that was planned; may be null
};

struct SplitStage {
    std::size_t begin = 0; ///< operators [begin, end)
    std::size_t end = 0;
    std::int32_t device = 0;
    Ticks cost = 0;
    Ticks transfer = 0;      ///< at the cut in front of it
    Bytes transferBytes = 0; ///< that cross it in a frame
    StageMemory memory;
};

/// A stage that fits nowhere.
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
    std::optional<Ticks> bound;  ///< of the objective over all splits on these devices; nothing: not looked for
    std::vector<Misfit> misfits; ///< `infeasible`: for each op that fits on no device, or each fixed stage, the nearest miss
    std::size_t plannings = 0;
    Diagnostics diagnostics;
};

/// A point of the trade-off.
struct TradeOffPoint {
    Ticks period = 0;
    Ticks latency = 0;
    Bytes bytes = 0; ///< arenas, constants and variables of all stages
    std::vector<SplitStage> stages;
};
struct TradeOffCurve {
    std::vector<TradeOffPoint> points; ///< from the largest period to the smallest
    bool complete = false;             ///< there is no further point
};

/// Costs and memories of one program on given devices. Kept, so that a second question is answered faster.
class Splitter {
public:
    /// `quick` plans candidates, `thorough` where that does not fit and the stages of the answer. The program has been lowered
    /// once without an error.
    Splitter(const Program& program, SplitRequest request, const Planner& quick, const Planner& thorough);

    /// An error only for a request that makes no sense: no device, more fixed stages than devices, nothing to split.
    Expected<Split> run();
    /// Each with the smallest bytes (or latency) for its period; at most `limit` points. `found` hears of the points so far.
    TradeOffCurve tradeOff(bool byBytes, std::size_t limit,
                           const std::function<void(const std::vector<TradeOffPoint>&)>& found = {});
    /// The same devices and costs with stages as given: what a border that is dragged would mean. Devices by stage.
    Split evaluate(std::span<const std::size_t> cuts, std::span<const std::int32_t> devices, bool plan);
    /// The times of stages as given, without their memories. May be called while another thread asks something else. O(stages).
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
    std::vector<std::int32_t> representatives_; ///< by class
    std::vector<std::vector<CostSource>> sources_;
    bool bounded_ = false; ///< some device has a memory limit
};

/// The configuration of a split, without files: `StageReference::program` is empty.
PipelineConfig configOf(const Split& split, const DeviceSet& devices, std::span<const Stage> stages);

/// Sets the costs of the stage's ops to those on its device.
void setCosts(Stage& stage, const Splitter& splitter, std::int32_t device);

} // namespace stowage::pipeline
