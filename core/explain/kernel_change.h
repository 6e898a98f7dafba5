// Plans a kernel with one change: the slots of a buffer dropped, halved or doubled, or a buffer or a tile halved or doubled.
#pragma once

#include "core/explain/pipe_report.h"
#include "core/ir/change.h"
#include "core/plan/planner.h"
#include "core/plan/report.h"

#include <vector>

namespace stowage {

/// The changes that the window offers for a buffer of a kernel: one slot, half the slots and twice the slots, as far as these
/// differ from its present number; half and twice its size; half and twice the tile of its loop.
[[nodiscard]] std::vector<Change> changesOf(const Problem& problem, BufferId buffer);

/// The result of planning a problem with one change.
struct ChangeOutcome {
    Change change;
    Problem problem; ///< the changed problem; ids are unchanged
    Plan plan;
    Report report;    ///< sizes, excess and validity
    PipeReport pipes; ///< a halved tile needs twice the iterations: compare `timeForAll`, not times in here
    bool fits = false;
    /// Time for the work of one unchanged iteration: a tile of half the size needs two.
    double timeForAll = 0;
};

/// Plans the changed problem with `planner` and `options`. If costs count bytes, the costs of ops that touch a changed buffer are
/// scaled with its size. Errors: a change with a value out of range; those of the planner.
[[nodiscard]] Expected<ChangeOutcome> tryChange(const Problem& problem, const PipeModel& model, const Change& change,
                                                const Planner& planner, const OptionValues& options, const PlanContext& context,
                                                const PipeOptions& pipes = {});

} // namespace stowage
