// The memory that a stage needs: its planned arena, its constants and variables, and the frames that wait in front of it.
#pragma once

#include "core/lower/lower.h"
#include "core/pipeline/devices.h"
#include "core/pipeline/live_bounds.h"
#include "core/pipeline/partition.h"
#include "core/pipeline/stages.h"
#include "core/plan/planner.h"
#include "core/plan/report.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace stowage::pipeline {

struct StageMemory {
    Bytes arena = 0;
    Bytes arenaBound = 0; ///< lower bound on `arena`
    Bytes constants = 0;
    Bytes variables = 0;
    Bytes queued = 0; ///< bytes of frames that wait in front of it; 0 when waiting frames do not count

    [[nodiscard]] Bytes total() const { return arena + constants + variables + queued; }
};

/// The memory of a stage on its device, as far as both are known.
struct StageFit {
    std::optional<StageMemory> memory; ///< no value: the program of the stage is not known, or was not planned
    std::optional<Bytes> limit;        ///< of the device

    [[nodiscard]] bool tooLarge() const { return memory && limit && memory->total() > *limit; }
};

/// A planned stage.
struct StagePlan {
    std::shared_ptr<const Program> program;
    std::shared_ptr<const Lowering> lowering;
    Plan plan;
    Report report;
    Diagnostics diagnostics;
};

/// Work limit for the planning of a stage with the planner that the user chose. It is small because a split plans many stages.
inline constexpr std::uint64_t stageWork = 200'000;

/// Plans the arena of a stage: one unbounded workspace pool named "arena" with the device's alignment. Constants and variables
/// lie outside of it. Uses the planner's default lowering. Errors: those of the lowering and of the planner.
Expected<StagePlan> planStage(std::shared_ptr<const Program> program, Bytes alignment, const Planner& planner,
                              const PlanContext& context = {});

/// The memory of every possible stage of a program, computed on first use and kept.
class StageMemories {
public:
    /// `thorough` is used only when the plan of `quick` does not fit. The references have to outlive the table. `queue`: number
    /// of frames that wait at the cut in front of a stage and count as its memory; 0: none. `enough`: the largest memory of a
    /// device, in bytes.
    StageMemories(const Program& program, const CutMap& map, const Planner& quick, const Planner& thorough, std::int64_t queue,
                  Bytes enough, std::stop_token cancel);

    /// A lower bound in bytes, waiting frames included, computed without planning (core/pipeline/live_bounds.h).
    [[nodiscard]] Bytes bound(std::size_t begin, std::size_t end, Bytes alignment);
    /// Does the stage fit into `memory` bytes? Plans with `quick`, then with `thorough` if needed. `unknown`: no plan that fits
    /// was found, and there is no proof that none exists.
    Fit fits(std::size_t begin, std::size_t end, Bytes alignment, Bytes memory);
    /// The memory of the stage as `thorough` plans it, in bytes.
    const StageMemory& planned(std::size_t begin, std::size_t end, Bytes alignment);
    [[nodiscard]] std::size_t plannings() const { return plannings_; }
    [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }

private:
    struct Entry {
        StageMemory memory;
        bool quick = false;
        bool thorough = false;
    };
    void plan(Entry& entry, std::size_t begin, std::size_t end, Bytes alignment, bool thoroughly);

    const Program& program_;
    const CutMap& map_;
    const Planner& quick_;
    const Planner& thorough_;
    std::int64_t queue_;
    Bytes enough_;
    std::stop_token cancel_;
    bool inOrder_ = false;               ///< both planners lower stages in listed order and let no two storages share bytes
    std::map<Bytes, LiveBounds> bounds_; ///< by alignment
    std::map<std::tuple<std::size_t, std::size_t, Bytes>, Entry> entries_;
    std::size_t plannings_ = 0;
    Diagnostics diagnostics_;
};

} // namespace stowage::pipeline
