// One execution of a planned program, op by op.
#pragma once

#include "core/exec/program_state.h"

#include <unordered_map>

namespace stowage::executing {

/// Executes the ops of a program in order. Data enter and leave regions and calls by the rules of core/lower/sharing.h: when
/// inner and outer tensor have the same address nothing is copied, otherwise the bytes are.
class ProgramRun {
public:
    ProgramRun(ProgramState& state, const ExecuteOptions& options);

    /// Executes the program once. Each further call takes other branches. False when it stopped early: a corruption (see the
    /// state), cancelled, or too many ops.
    bool run();

    /// The same with contents that persist from run to run: call `fillKept` once, which fills constants and variables; each
    /// `runGiven` then executes the program on inputs that were set with `ProgramState::give`.
    void fillKept();
    bool runGiven();

    [[nodiscard]] std::int64_t opsExecuted() const { return opsExecuted_; }
    [[nodiscard]] bool cancelled() const { return cancelled_; }
    [[nodiscard]] bool exhausted() const { return exhausted_; }
    /// Number of branches that no run has taken yet.
    [[nodiscard]] std::int64_t branchesLeft() const { return branchesLeft_; }
    /// True when runs can differ: the program has cases, or loops of unknown trip count.
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
    /// A key for maps that are indexed by the op of an instance.
    static std::uint64_t key(Actor actor)
    {
        return static_cast<std::uint64_t>(actor.instance) << 32U | static_cast<std::uint32_t>(actor.op);
    }

    ProgramState& state_;
    const ExecuteOptions& options_;
    std::unordered_map<std::uint64_t, InstanceId> callees_;
    std::unordered_map<std::uint64_t, std::uint64_t> visits_; ///< number of visits of each case or loop with exits, over all runs
    std::int64_t branchesLeft_ = 0;
    bool varies_ = false;
    std::int64_t runs_ = 0;
    std::int64_t opsExecuted_ = 0;
    bool cancelled_ = false;
    bool exhausted_ = false;
    std::vector<Transfer> transfers_;
    /// The exits by which the loops in execution will be left, the innermost last.
    struct Leaving {
        OpId exit = none; ///< none: the loop runs to its end
        std::int64_t iteration = 0;
        bool now = false;
    };
    std::vector<Leaving> leaving_;
};

} // namespace stowage::executing
