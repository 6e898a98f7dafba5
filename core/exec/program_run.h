// One execution of a planned program, op by op.
#pragma once

#include "core/exec/program_state.h"

#include <unordered_map>

namespace stowage::executing {

/// Walks the program as its ops would run. Regions and calls hand data in and out by the rules of core/lower/sharing.h: where
/// inner and outer tensor are one place nothing moves, elsewhere the bytes are copied.
class ProgramRun {
public:
    ProgramRun(ProgramState& state, const ExecuteOptions& options);

    /// Runs the program once; to be called again for other choices of branches. False when it stopped early: a corruption (see
    /// the state), cancelled, or too many ops.
    bool run();

    /// The same with contents that live on from run to run: `fillKept` once fills constants and variables; each `runGiven` runs
    /// with inputs that were given (`ProgramState::give`).
    void fillKept();
    bool runGiven();

    [[nodiscard]] std::int64_t opsExecuted() const { return opsExecuted_; }
    [[nodiscard]] bool cancelled() const { return cancelled_; }
    [[nodiscard]] bool exhausted() const { return exhausted_; }
    /// Branches that no run so far has taken.
    [[nodiscard]] std::int64_t branchesLeft() const { return branchesLeft_; }
    /// True when runs differ: cases, or loops whose number of iterations is not known.
    [[nodiscard]] bool varies() const { return varies_; }

private:
    void countChoices();
    void fillBeforeStart();
    [[nodiscard]] bool checkAtEnd();
    [[nodiscard]] bool runRegion(InstanceId instance, RegionId region);
    [[nodiscard]] bool runOp(Actor actor);
    [[nodiscard]] bool runLeaf(Actor actor, const Op& op);
    void makeOutput(Actor actor, const Op& op, std::size_t index);
    [[nodiscard]] bool mayOverwrite(Actor actor, const Op& op, TensorId input, TensorId output) const;
    [[nodiscard]] std::size_t choose(Actor actor, std::size_t count);
    void skipLoops(InstanceId instance, RegionId region);
    [[nodiscard]] bool runCase(Actor actor, const Op& op);
    [[nodiscard]] bool runCall(Actor actor, const Op& op);
    [[nodiscard]] bool runLoop(Actor actor, const Op& op);
    [[nodiscard]] bool runIterations(Actor actor, const Op& op, LoopId loop, std::int64_t count);
    [[nodiscard]] bool runExit(Actor actor, const Op& op);
    [[nodiscard]] bool leaveLoop(Actor actor, const Op& op);
    void chooseExit(Actor actor, const Op& op, std::int64_t count);
    [[nodiscard]] bool enterLoop(Actor actor, const Op& op);
    [[nodiscard]] bool testCondition(Actor actor, const Op& op);
    [[nodiscard]] bool endIteration(Actor actor, const Op& op, LoopId loop, std::int64_t iteration);
    [[nodiscard]] bool skipLoop(Actor actor, const Op& op);
    void makeOwnInputs(Actor actor, const Op& op, bool first);
    [[nodiscard]] bool bindInput(Actor actor, TensorId inner, TensorId outer);
    [[nodiscard]] bool copyOut(Actor actor, InstanceId inside, const std::vector<TensorId>& from,
                               const std::vector<TensorId>& to);
    [[nodiscard]] std::int64_t iterationsOf(const Op& op, LoopId loop);
    [[nodiscard]] LoopId loopOf(Actor actor) const;
    [[nodiscard]] bool mayStop();

    [[nodiscard]] const Region& region(InstanceId instance, RegionId id) const
    {
        return state_.function(instance).regions[static_cast<std::size_t>(id)];
    }
    /// A key for what belongs to an op of an instance.
    static std::uint64_t key(Actor actor)
    {
        return static_cast<std::uint64_t>(actor.instance) << 32U | static_cast<std::uint32_t>(actor.op);
    }

    ProgramState& state_;
    const ExecuteOptions& options_;
    std::unordered_map<std::uint64_t, InstanceId> callees_;
    std::unordered_map<std::uint64_t, std::uint64_t> visits_; ///< of cases, over all runs
    std::int64_t branchesLeft_ = 0;
    bool varies_ = false;
    std::int64_t runs_ = 0;
    std::int64_t opsExecuted_ = 0;
    bool cancelled_ = false;
    bool exhausted_ = false;
    std::vector<Transfer> transfers_;
    /// Where the loops under way will be left, the innermost last.
    struct Leaving {
        OpId exit = none; ///< none: at the end
        std::int64_t iteration = 0;
        bool now = false;
    };
    std::vector<Leaving> leaving_;
};

} // namespace stowage::executing
