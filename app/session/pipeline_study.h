// Answers the window's questions about a program on devices: the best split, given stages, a dragged border, trade-offs.
#pragma once

#include "app/session/pipeline_data.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

struct StudyRequest {
    std::shared_ptr<const Program> program;
    std::string name; ///< of the model
    pipeline::DeviceSet devices;
    pipeline::Objective objective = pipeline::Objective::period;
    std::string planner = "auto";                        ///< planner of the stages' arenas
    std::stop_token cancel;                              ///< stops all of the study
    std::function<void(std::size_t plannings)> progress; ///< called on the study's thread after each planned stage; may be null
};

/// The cuts between stages, and the device of each stage.
struct StagePlacement {
    std::vector<std::size_t> cuts;     ///< ascending; one fewer than stages
    std::vector<std::int32_t> devices; ///< by stage

    friend bool operator==(const StagePlacement&, const StagePlacement&) = default;
};
[[nodiscard]] StagePlacement placementOf(std::span<const pipeline::SplitStage> stages);

/// The choices of the user for the split of a model.
struct PipelineSetup {
    pipeline::DeviceSet devices;
    pipeline::Objective objective = pipeline::Objective::period;
    std::optional<StagePlacement> placement; ///< stages chosen by the user; no value: the best ones

    friend bool operator==(const PipelineSetup&, const PipelineSetup&) = default;
};

/// A split, and the pipeline that it makes.
struct StudyAnswer {
    pipeline::Split split;
    std::shared_ptr<const PipelineData> data; ///< null if the split does not fit
    double milliseconds = 0;
};

/// Thread-safe. All functions but `timesOf` and the const accessors may take long, and wait while another thread is in one of
/// them.
class PipelineStudy {
public:
    explicit PipelineStudy(StudyRequest request);
    PipelineStudy(const PipelineStudy&) = delete;
    PipelineStudy& operator=(const PipelineStudy&) = delete;

    /// The best split, simulated with `frames` frames and queues of `queue` frames. Errors: no device, nothing to split,
    /// cancelled.
    Expected<StudyAnswer> best(std::int64_t frames, std::int64_t queue);
    /// The given stages, compared with the bound of the best split. If a stage does not fit, the split lists it as a misfit, and
    /// `data` is null.
    Expected<StudyAnswer> placed(const StagePlacement& placement, std::int64_t frames, std::int64_t queue);
    /// Bytes of each of the given stages.
    std::vector<pipeline::StageMemory> memoriesOf(const StagePlacement& placement);
    /// The Pareto front of the period against the latency, or with `byBytes` against the bytes: at most `limit` points, from the
    /// largest period to the smallest. `found` is called with the points found so far; later points may dominate some of them.
    pipeline::TradeOffCurve tradeOff(bool byBytes, std::size_t limit,
                                     const std::function<void(const std::vector<pipeline::TradeOffPoint>&)>& found = {});

    /// Costs and transfers of the given stages. Immediate; from any thread.
    [[nodiscard]] pipeline::Split timesOf(const StagePlacement& placement) const
    {
        return splitter_.timesOf(placement.cuts, placement.devices);
    }
    [[nodiscard]] const pipeline::CutMap& map() const { return splitter_.map(); }
    [[nodiscard]] const pipeline::DeviceSet& devices() const { return splitter_.devices(); }
    [[nodiscard]] const StudyRequest& request() const { return request_; }

private:
    Expected<StudyAnswer> answer(pipeline::Split split, std::int64_t frames, std::int64_t queue);

    StudyRequest request_;
    std::shared_ptr<const Planner> quick_;
    std::shared_ptr<const Planner> thorough_;
    pipeline::Splitter splitter_;
    std::mutex mutex_;                    ///< guards the caches of `splitter_`
    std::optional<pipeline::Split> best_; ///< no value: not computed yet
};

/// The placement, in a configuration, of the program that its stages make together (`joinStages`).
struct ConfiguredStages {
    pipeline::DeviceSet devices; ///< devices of the file, and one for each stage that names none
    StagePlacement placement;
};
/// Reads a configuration and places its stages. Errors: those of `readPipeline`.
Expected<ConfiguredStages> configuredStages(const QString& path);

} // namespace stowage
