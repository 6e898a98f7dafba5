// The memory that a stage needs: its planned arena, its constants and variables, and the frames that wait for it.
#pragma once

#include "core/lower/lower.h"
#include "core/pipeline/devices.h"
#include "core/pipeline/live_bounds.h"
#include "core/pipeline/partition.h"
#include "core/pipeline/stages.h"
#include "core/plan/planner.h"
#include "core/plan/report.h"

#include <functional>
#include <map>
#include <memory>
#include <tuple>

namespace stowage::pipeline {

struct StageMemory {
    Bytes arena = 0;
    Bytes arenaBound = 0; ///< no plan of the stage needs less
    Bytes constants = 0;
    Bytes variables = 0;
    Bytes queued = 0; ///< frames that wait on its connections, where they count

    [[nodiscard]] Bytes total() const { return arena + constants + variables + queued; }
};

/// A planned stage.
struct StagePlan {
    std::shared_ptr<const Program> program;
    std::shared_ptr<const Lowering> lowering;
    Plan plan;
    Report report;
    Diagnostics diagnostics;
};

/// Plans the arena of a program that is a stage: one workspace pool named "arena" with the device's alignment, unbounded;
/// constants and variables lie outside. The lowering is the planner's default.
Expected<StagePlan> planStage(std::shared_ptr<const Program> program, Bytes alignment, const Planner& planner,
                              const PlanContext& context = {});

/// The memory of every stage that a split may have, found when it is first asked for.
class StageMemories {
public:
    /// `quick` is tried first, `thorough` only where `quick` does not fit. The references have to outlive the table. `queue`:
    /// frames that wait at the cut in front of a stage and count; 0: none does. `enough`: the largest memory of a device.
    StageMemories(const Program& program, const CutMap& map, const Planner& quick, const Planner& thorough, std::int64_t queue,
                  Bytes enough, std::stop_token cancel);

    /// A lower bound in bytes without planning (core/pipeline/live_bounds.h), waiting frames included.
    [[nodiscard]] Bytes bound(std::size_t begin, std::size_t end, Bytes alignment);
    /// Whether the stage fits into that number of bytes; planned by `quick`, and by `thorough` when that does not suffice.
    /// Unknown: no plan was found that fits, and no proof that there is none.
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
    bool inOrder_ = false;               ///< both planners take stages in listed order, without storage that ops share
    std::map<Bytes, LiveBounds> bounds_; ///< by alignment
    std::map<std::tuple<std::size_t, std::size_t, Bytes>, Entry> entries_;
    std::size_t plannings_ = 0;
    Diagnostics diagnostics_;
};

} // namespace stowage::pipeline
