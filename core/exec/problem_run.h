// Executes a plan of a problem without a program, from the live ranges alone.
#pragma once

#include "core/exec/arena_memory.h"
#include "core/exec/iterations.h"

#include <span>

namespace stowage::executing {

/// Walks the time axis, loops included. When a buffer becomes live, or the bytes of a window begin to be occupied, these bytes
/// are filled. They are checked when the occupation ends or a rotation moves the buffer. The check finds each write of another
/// buffer in between.
///
/// A buffer with several slots fills all of them. A rotating buffer fills the slot of the current iteration; before its loop that
/// of iteration 0, and after it that of the last iteration. A carried value is the value made `distance` iterations ago, and
/// exists from iteration `distance` on. When two buffers may share, the bytes that the second one fills no longer belong to the
/// first. With `Axis::dag`, steps order the values of a single buffer only.
class ProblemRun {
public:
    /// `watch`: a byte whose last writer is recorded. The references have to outlive the run.
    ProblemRun(const Problem& problem, const Plan& plan, const ExecuteOptions& options, ArenaMemory& memory,
               std::optional<Address> watch);

    /// Executes the problem once. Call it at least `wantedRuns` times: each run uses another iteration of the loops that the
    /// problem does not name. False when it stopped early.
    bool run();

    [[nodiscard]] const std::optional<Corruption>& corruption() const { return corruption_; }
    [[nodiscard]] Address corruptedAt() const { return corruptedAt_; }
    [[nodiscard]] std::int64_t eventsExecuted() const { return events_; }
    [[nodiscard]] bool cancelled() const { return cancelled_; }
    [[nodiscard]] bool exhausted() const { return exhausted_; }
    /// Whether the iterations of loops in which some pair of buffers meets were too many to go through all.
    [[nodiscard]] bool leftIterations() const { return leftIterations_; }
    [[nodiscard]] std::int64_t wantedRuns() const { return wantedRuns_; }

private:
    /// A stretch of time in which some bytes of a buffer are occupied.
    struct Stretch {
        BufferId buffer = none;
        Interval steps;
        Bytes low = 0;
        Bytes high = 0;
        std::int32_t distance = 0; ///< carried values: number of iterations since the value was made
        LoopId round = none;       ///< carried values: the loop round which it is carried
        LoopIteration when = {};   ///< occupied in this iteration only
    };
    /// The bytes with which an occupied stretch was filled.
    struct Filling {
        Stamp stamp = 0;               ///< 0: not occupied
        std::size_t index = 0;         ///< number of the offset
        std::size_t place = 0;         ///< index in `occupied_`
        std::vector<Interval> givenUp; ///< addresses that a buffer with permission to share has filled since
    };
    struct Event {
        Step step = 0;
        bool ends = false;
        std::int32_t stretch = 0;
    };
    /// A loop that is being executed (without a loop: the whole axis), with its events and inner loops.
    struct Frame {
        LoopId loop = none;
        std::int64_t iteration = 0;
        std::size_t firstEvent = 0;
        std::size_t lastEvent = 0;
        std::size_t nextEvent = 0;
        std::size_t nextInner = 0;
    };

    void collectStretches();
    void nestLoops();
    [[nodiscard]] std::int64_t iterationsOf(LoopId loop) const;
    [[nodiscard]] bool walk(std::span<const std::int32_t> stretches, bool together);
    [[nodiscard]] std::size_t eventAt(Step step) const;
    [[nodiscard]] bool nextIteration(LoopId loop, std::int64_t iteration, std::span<const std::int32_t> stretches);
    [[nodiscard]] bool present(const Stretch& stretch) const;
    [[nodiscard]] std::size_t indexNow(const Stretch& stretch) const;
    void fill(std::int32_t stretch);
    [[nodiscard]] bool release(std::int32_t stretch, Step step);
    [[nodiscard]] bool walkSelves();
    [[nodiscard]] bool runConflicts();
    [[nodiscard]] bool runConflict(BufferId a, BufferId b);
    [[nodiscard]] bool runUnique();
    [[nodiscard]] bool runPair(BufferId a, Bytes offsetOfA, BufferId b, Bytes offsetOfB);
    template <typename Visit>
    void eachPlace(const Stretch& stretch, std::size_t index, Visit&& visit) const;
    [[nodiscard]] bool intact(BufferId buffer, Address from, Bytes length, Stamp stamp, Bytes stream, Step step);
    void put(BufferId buffer, Address to, Bytes length, Stamp stamp, Bytes stream);
    [[nodiscard]] Stamp nextStamp() { return (options_.seed << 40U) + ++writes_; }
    [[nodiscard]] bool mayStop();

    const Problem& problem_;
    const Plan& plan_;
    const ExecuteOptions& options_;
    ArenaMemory& memory_;
    std::optional<Address> watch_;
    BufferId lastWriter_ = none;

    std::vector<Stretch> stretches_;        ///< by buffer
    std::vector<std::size_t> firstStretch_; ///< by buffer, and one past the last
    std::vector<Filling> fillings_;         ///< by stretch
    std::vector<std::int32_t> occupied_;    ///< stretches
    std::vector<Event> sorted_;             ///< events of the current walk
    bool together_ = true; ///< true: all slots are occupied at once, as other buffers see them; false: one value at a time
    std::vector<std::vector<LoopId>> inner_; ///< by loop + 1: the loops directly inside it; [0] those inside none
    Iterations iterations_;
    std::int64_t unnamed_ = 0; ///< iteration of loops that the problem does not name
    std::int64_t wantedRuns_ = 1;
    std::uint64_t writes_ = 0;
    std::int64_t events_ = 0;
    bool cancelled_ = false;
    bool exhausted_ = false;
    bool leftIterations_ = false;
    std::optional<Corruption> corruption_;
    Address corruptedAt_;
};

} // namespace stowage::executing
