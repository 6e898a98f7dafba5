// The execution of a plan for a problem that has no program: live ranges are all that is known.
#pragma once

#include "core/exec/arena_memory.h"

namespace stowage::executing {

/// Walks the time axis, loops included. Whenever a buffer (or the part of it that a window keeps) becomes live its bytes are
/// filled, and at the last step of the range they are checked, so that any write in between by somebody else shows. A
/// multi-buffered one fills all of its copies; what is carried into later iterations is kept and checked there. Buffers that
/// conflict explicitly are filled in turn.
class ProblemRun {
public:
    /// `watch`: the byte whose last writer is wanted. The references have to outlive the run.
    ProblemRun(const Problem& problem, const Plan& plan, const ExecuteOptions& options, ArenaMemory& memory,
               std::optional<Address> watch);

    /// Runs once. False when it stopped early.
    bool run();

    [[nodiscard]] const std::optional<Corruption>& corruption() const { return corruption_; }
    [[nodiscard]] Address corruptedAt() const { return corruptedAt_; }
    [[nodiscard]] std::int64_t eventsExecuted() const { return events_; }
    [[nodiscard]] bool cancelled() const { return cancelled_; }
    [[nodiscard]] bool exhausted() const { return exhausted_; }
    [[nodiscard]] bool loopsIgnored() const { return loopsIgnored_; }

private:
    /// A stretch of time in which some bytes of a buffer are occupied.
    struct Piece {
        BufferId buffer = none;
        Interval steps;
        Bytes low = 0;
        Bytes high = 0;
        std::int32_t distance = 0; ///< of a carried one: occupied by the copy made that many iterations ago
    };
    /// What a piece was filled with, while it is occupied.
    struct Filling {
        Stamp stamp = 0; ///< 0: not occupied
        Bytes offset = 0;
    };
    struct Event {
        Step step = 0;
        bool ends = false;
        std::int32_t piece = 0;
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

    void collectPieces();
    void nestLoops();
    [[nodiscard]] std::int64_t iterationsOf(LoopId loop) const;
    [[nodiscard]] std::size_t eventAt(Step step) const;
    [[nodiscard]] bool runAxis();
    [[nodiscard]] bool runEvent(const Event& event);
    void fill(std::int32_t piece);
    void handOver(BufferId to);
    [[nodiscard]] bool check(std::int32_t piece, Step step);
    [[nodiscard]] bool runConflicts();
    [[nodiscard]] bool runPair(BufferId a, BufferId b);
    [[nodiscard]] bool runUnique();
    template <typename Visit>
    void eachPlace(const Piece& piece, Bytes offset, Visit&& visit) const;
    void write(const Piece& piece, Bytes offset, Stamp stamp);
    [[nodiscard]] bool intact(const Piece& piece, const Filling& filling, Step step);
    [[nodiscard]] Bytes offsetNow(const Piece& piece) const;
    [[nodiscard]] bool mayStop();

    const Problem& problem_;
    const Plan& plan_;
    const ExecuteOptions& options_;
    ArenaMemory& memory_;
    std::optional<Address> watch_;
    BufferId lastWriter_ = none;

    std::vector<Piece> pieces_;           ///< by buffer
    std::vector<std::size_t> firstPiece_; ///< by buffer, and one past the last
    std::vector<Filling> fillings_;       ///< by piece
    std::vector<Event> sorted_;
    std::vector<std::vector<LoopId>> inner_; ///< by loop + 1: the loops directly inside it; [0] those inside none
    std::vector<std::int64_t> iterations_;   ///< by loop: the current one
    std::vector<std::int64_t> usual_;        ///< by loop: when the problem does not say
    std::uint64_t writes_ = 0;
    std::int64_t events_ = 0;
    bool cancelled_ = false;
    bool exhausted_ = false;
    bool loopsIgnored_ = false;
    std::optional<Corruption> corruption_;
    Address corruptedAt_;
};

} // namespace stowage::executing
