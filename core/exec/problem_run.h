// Executes a plan of a problem without a program, from the live ranges alone.
#pragma once

#include "core/exec/arena_memory.h"
#include "core/exec/iterations.h"

#include <span>

namespace stowage::executing {

/// Walks the time axis, loops included. Whenever a buffer (or the part of it that a window keeps) becomes live its bytes are
/// filled, and when that ends, or a rotation moves it, they are checked, which shows every write in between by another buffer.
///
/// A buffer with slots fills all of them; one that rotates fills the slot of the iteration: in front of its loop that of
/// iteration 0, after it that of the last one. What is carried is the value made some iterations ago, from the iteration on that
/// has one. Pairs that may share give up the bytes that the other one fills. With an axis of `dag` steps count between values of
/// one buffer only.
class ProblemRun {
public:
    /// `watch`: the byte whose last writer is wanted. The references have to outlive the run.
    ProblemRun(const Problem& problem, const Plan& plan, const ExecuteOptions& options, ArenaMemory& memory,
               std::optional<Address> watch);

    /// Runs once; to be called again for other iterations of loops that the problem does not name. False when it stopped early.
    bool run();

    [[nodiscard]] const std::optional<Corruption>& corruption() const { return corruption_; }
    [[nodiscard]] Address corruptedAt() const { return corruptedAt_; }
    [[nodiscard]] std::int64_t eventsExecuted() const { return events_; }
    [[nodiscard]] bool cancelled() const { return cancelled_; }
    [[nodiscard]] bool exhausted() const { return exhausted_; }
    [[nodiscard]] std::int64_t wantedRuns() const { return wantedRuns_; }

private:
    /// A stretch of time in which some bytes of a buffer are occupied.
    struct Stretch {
        BufferId buffer = none;
        Interval steps;
        Bytes low = 0;
        Bytes high = 0;
        std::int32_t distance = 0; ///< of a carried one: occupied by the value made that many iterations ago
        LoopId round = none;       ///< that it is carried round
        LoopIteration when = {};   ///< in use in that iteration only
    };
    /// What a stretch was filled with, while it is occupied.
    struct Filling {
        Stamp stamp = 0;               ///< 0: not occupied
        std::size_t index = 0;         ///< of the offset
        std::size_t place = 0;         ///< in `occupied_`
        std::vector<Interval> givenUp; ///< addresses: filled by one that may share them
    };
    struct Event {
        Step step = 0;
        bool ends = false;
        std::int32_t stretch = 0;
    };
    /// A loop under way (or, without a loop, the whole axis), and where its events and inner loops are.
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

    std::vector<Stretch> stretches_;         ///< by buffer
    std::vector<std::size_t> firstStretch_;  ///< by buffer, and one past the last
    std::vector<Filling> fillings_;          ///< by stretch
    std::vector<std::int32_t> occupied_;     ///< stretches
    std::vector<Event> sorted_;              ///< of the walk under way
    bool together_ = true;                   ///< all slots at once, as others see them; else one value at a time
    std::vector<std::vector<LoopId>> inner_; ///< by loop + 1: the loops directly inside it; [0] those inside none
    Iterations iterations_;
    std::int64_t unnamed_ = 0; ///< iteration of loops that the problem does not name
    std::int64_t wantedRuns_ = 1;
    std::uint64_t writes_ = 0;
    std::int64_t events_ = 0;
    bool cancelled_ = false;
    bool exhausted_ = false;
    std::optional<Corruption> corruption_;
    Address corruptedAt_;
};

} // namespace stowage::executing
