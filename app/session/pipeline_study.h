// A program on devices, as the window asks about it: the best split, stages as given, a border that is dragged, the trade-offs.
#pragma once

#include "app/session/pipeline_data.h"

#include <functional>
#include <memory>
#include <mutex>
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
    std::string planner = "auto";                        ///< of the stages' arenas
    std::stop_token cancel;                              ///< of everything that the study does
    std::function<void(std::size_t plannings)> progress; ///< hears, in the study's thread, of each planned stage; may be null
};

/// Where the stages begin and which devices they are on.
struct StagePlacement {
    std::vector<std::size_t> cuts;     ///< ascending; one fewer than stages
    std::vector<std::int32_t> devices; ///< by stage

    friend bool operator==(const StagePlacement&, const StagePlacement&) = default;
};
[[nodiscard]] StagePlacement placementOf(std::span<const pipeline::SplitStage> stages);

/// An answer: a split, and what it is as a pipeline.
struct StudyAnswer {
    pipeline::Split split;
    std::shared_ptr<const PipelineData> data; ///< null where no split fits
    double milliseconds = 0;
};

/// All but `timesOf` and what only reads may take long and waits for what another thread asks.
class PipelineStudy {
public:
    explicit PipelineStudy(StudyRequest request);
    PipelineStudy(const PipelineStudy&) = delete;
    PipelineStudy& operator=(const PipelineStudy&) = delete;

    /// The best split, with `frames` frames through queues of `queue`. Errors: no device, nothing to split, cancelled.
    Expected<StudyAnswer> best(std::int64_t frames, std::int64_t queue);
    /// Stages as given, against the bound of the best split. A stage that does not fit is a misfit, and there is no pipeline.
    Expected<StudyAnswer> placed(const StagePlacement& placement, std::int64_t frames, std::int64_t queue);
    /// Bytes of each stage as given.
    std::vector<pipeline::StageMemory> memoriesOf(const StagePlacement& placement);
    /// Points that no split beats in both, from the largest period to the smallest. `found` hears of those so far.
    pipeline::TradeOffCurve tradeOff(bool byBytes, std::size_t limit,
                                     const std::function<void(const std::vector<pipeline::TradeOffPoint>&)>& found = {});

    /// Costs and transfers of stages as given; at once, from any thread.
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
    std::mutex mutex_;                    ///< guards what the splitter keeps
    std::optional<pipeline::Split> best_; ///< once it is known
};

/// How a configuration puts the program that its stages make together (`joinStages`).
struct ConfiguredStages {
    pipeline::DeviceSet devices; ///< those of the file, and one for each stage that names none
    StagePlacement placement;
};
/// Errors as for opening the configuration.
Expected<ConfiguredStages> configuredStages(const QString& path);

} // namespace stowage
