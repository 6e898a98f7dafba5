// What if: a multi-buffer dropped, doubled or halved, a buffer or a whole tile halved or doubled, and all planned anew.
#pragma once

#include "core/explain/counterfactual.h"
#include "core/explain/pipe_report.h"
#include "core/plan/planner.h"
#include "core/plan/report.h"
#include "core/planners/hivm/advice.h"

#include <string>

namespace stowage {

/// A change of an Ascend kernel.
struct KernelChange {
    enum class Kind : std::uint8_t {
        slots,  ///< `buffer` gets `slots` copies
        buffer, ///< `buffer` gets numerator / denominator of its size
        tile,   ///< so do all buffers of `loop` itself
    };
    Kind kind = Kind::slots;
    BufferId buffer = none;
    LoopId loop = none;
    std::int32_t slots = 1;       ///< 1 to 64
    std::int32_t numerator = 1;   ///< 1 to 64
    std::int32_t denominator = 1; ///< 1 to 64

    friend bool operator==(const KernelChange&, const KernelChange&) = default;
};

/// "drop the multi-buffer of s", "3 slots for s", "halve s", "double the tile of loop j".
[[nodiscard]] std::string describe(const Problem& problem, const KernelChange& change);

/// The change that a remedy of an overflow stands for.
[[nodiscard]] KernelChange changeOf(const hivm::Remedy& remedy);
/// The same as a change of the problem alone: a scaled buffer is one of another size. Requires ids of the problem.
[[nodiscard]] SingleChange asSingleChange(const Problem& problem, const KernelChange& change);

/// Those that a window offers for a buffer: drop, halve, double its slots where that is a change; halve and double it; halve and
/// double the tile of its loop.
[[nodiscard]] std::vector<KernelChange> changesOf(const Problem& problem, BufferId buffer);

/// What came of one.
struct ChangeOutcome {
    KernelChange change;
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
[[nodiscard]] Expected<ChangeOutcome> tryChange(const Problem& problem, const PipeModel& model, const KernelChange& change,
                                                const Planner& planner, const OptionValues& options, const PlanContext& context,
                                                const PipeOptions& pipes = {});

} // namespace stowage
