// Plans of a kernel with one change: a multi-buffer dropped, doubled or halved, a buffer or a tile halved or doubled.
#pragma once

#include "core/explain/pipe_report.h"
#include "core/ir/change.h"
#include "core/plan/planner.h"
#include "core/plan/report.h"

#include <vector>

namespace stowage {

/// The changes that a window offers for a buffer of a kernel: one slot, half and twice the slots, where these differ from the
/// slots that it has; half and twice its size; half and twice the tile of its loop.
[[nodiscard]] std::vector<Change> changesOf(const Problem& problem, BufferId buffer);

/// The plan of a problem with one change.
struct ChangeOutcome {
    Change change;
    Problem problem; ///< changed; ids as before
    Plan plan;
    Report report;    ///< sizes, what is too much, validity
    PipeReport pipes; ///< iterations of a halved tile are twice as many: compare `timeForAll`
    bool fits = false;
    /// Time for the work of one unchanged iteration: a tile of half the size needs two.
    double timeForAll = 0;
};

/// Plans the changed problem with the same planner and options. Costs of ops that touch a changed buffer follow its size where
/// costs count bytes. An error: a change that is none (out of range), or what the planner says.
[[nodiscard]] Expected<ChangeOutcome> tryChange(const Problem& problem, const PipeModel& model, const Change& change,
                                                const Planner& planner, const OptionValues& options, const PlanContext& context,
                                                const PipeOptions& pipes = {});

} // namespace stowage
