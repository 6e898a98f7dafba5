// The data of a running program: what each tensor ought to hold, and the bytes that hold it.
#pragma once

#include "core/exec/arena_memory.h"
#include "core/exec/iterations.h"
#include "core/exec/value.h"
#include "core/ir/views.h"

#include <span>
#include <unordered_map>

namespace stowage::executing {

using InstanceId = std::int32_t; ///< into `Lowering::instances`

/// A tensor in one expansion of its function.
struct Variable {
    InstanceId instance = none;
    TensorId tensor = none;
};

/// The op on whose behalf something happens; none before the first step and after the last.
struct Actor {
    InstanceId instance = 0;
    OpId op = none;
};

/// Data that goes from one tensor to another, as the program means it.
struct Transfer {
    Variable from;
    Variable to;
    LoopId nextIterationOf = none; ///< the target belongs to the next iteration of that loop
    Bytes part = 0;                ///< where in the target it goes
    bool keeps = false;            ///< the rest of the target keeps what it holds; else it holds nothing after that
};

/// Expected contents follow the program's meaning alone; addresses come from bindings, placements and the iterations of loops
/// alone. Where the two disagree, the plan is wrong.
class ProgramState {
public:
    /// `watch`: the byte whose last writer is wanted. The references have to outlive the state.
    ProgramState(const Program& program, const Lowering& lowering, const Plan& plan, ArenaMemory& memory,
                 const ExecuteOptions& options, std::optional<Address> watch);

    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] const Lowering& lowering() const { return lowering_; }
    [[nodiscard]] const Function& function(InstanceId instance) const;
    [[nodiscard]] const Tensor& tensor(Variable v) const
    {
        return function(v.instance).tensors[static_cast<std::size_t>(v.tensor)];
    }
    [[nodiscard]] TensorBinding binding(Variable v) const;
    /// From now on what a case or loop chose is this: a branch, or the number of an exit (0: the loop's end).
    void choose(Actor by, std::size_t choice) { chosen_[keyOf(by)] = choice; }
    /// A tensor's binding as chosen.
    [[nodiscard]] const TensorBinding& chosenBinding(Variable v) const;
    [[nodiscard]] TensorId root(Variable v) const;

    /// The op that runs now.
    void setCurrent(Actor leaf) { current_ = leaf; }
    Iterations& iterations() { return iterations_; }
    [[nodiscard]] const ArenaMemory& memory() const { return memory_; }

    /// True when both lie at the same address by their bindings, or neither is planned.
    [[nodiscard]] bool sameBytes(Variable a, Variable b) const;
    /// `inner` stands for `outer`: what is written to one is written to the other.
    void refer(Variable inner, Variable outer);
    /// `v` stands for itself again, holding nothing.
    void detach(Variable v);
    /// `v` holds nothing; what surrounds it, where it is a view, stays.
    void forget(Variable v);
    /// The tensors that a region makes anew hold nothing yet.
    void forgetLocals(InstanceId instance, RegionId region);
    /// Gives a tensor new contents.
    void make(Variable v, Actor writer);
    /// Gives a tensor contents from outside. `bytes` is what they are, or empty where they follow from the contents.
    void give(Variable v, const std::vector<Segment>& contents, std::span<const std::byte> bytes);
    /// The bytes of a tensor as they are in the arena; nothing when it lies in none.
    [[nodiscard]] std::optional<std::vector<std::byte>> copy(Variable v) const;
    /// What is written from now on follows from `seed`, whatever was written before.
    void continueFrom(std::uint64_t seed)
    {
        base_ = seed;
        writes_ = 0;
    }
    /// What a tensor ought to hold.
    [[nodiscard]] Value expected(Variable v) const;
    /// The variable `kept` now holds what `v` holds, which was written in its place.
    void update(Variable kept, Variable v);
    /// Fills bytes that no op will read (scratch); returns their new contents.
    Value scribble(Variable v, Actor writer);
    /// Checks all bytes of a tensor that were ever written. False when one is wrong: see `corruption`.
    [[nodiscard]] bool read(Variable v, Actor reader);
    [[nodiscard]] bool check(Variable v, const Value& expected, Actor reader);
    /// Takes what `writer` has written over `v` out of `contents`, which are those of `v`.
    void leaveOut(Value& contents, Variable v, Variable written) const;
    /// True when the two are parts of one tensor by the program's meaning.
    [[nodiscard]] bool oneTensor(Variable a, Variable b) const { return cell(a).value == cell(b).value; }
    /// Does all transfers at once: reads everything, then writes. Nothing is moved where source and target are one place.
    [[nodiscard]] bool transfer(std::span<const Transfer> transfers, Actor actor);
    /// Checks the guard bytes around the pools.
    [[nodiscard]] bool checkGuards(Actor actor);

    [[nodiscard]] const std::optional<Corruption>& corruption() const { return corruption_; }
    [[nodiscard]] Address corruptedAt() const { return corruptedAt_; }
    [[nodiscard]] std::int64_t transfers() const { return transfers_; }
    [[nodiscard]] Bytes bytesTransferred() const { return bytesTransferred_; }

private:
    /// Where expected contents are kept: in `values_`, from an offset.
    struct Cell {
        std::size_t value = 0;
        Bytes offset = 0;
    };

    [[nodiscard]] std::size_t rootIndex(Variable v) const
    {
        return first_[static_cast<std::size_t>(v.instance)] + static_cast<std::size_t>(root(v));
    }
    [[nodiscard]] Cell cell(Variable v) const;
    static std::uint64_t keyOf(Actor actor)
    {
        return static_cast<std::uint64_t>(actor.instance) << 32U | static_cast<std::uint32_t>(actor.op);
    }
    [[nodiscard]] const TensorBinding& chosenOf(const TensorBinding& bound) const;
    /// Where a tensor lies now: its buffer, and the iterations since its value was made.
    [[nodiscard]] const TensorBinding& bindingNow(Variable v, LoopId nextIterationOf = none) const;
    [[nodiscard]] std::int64_t countFor(const TensorBinding& bound, LoopId nextIterationOf) const;
    [[nodiscard]] std::optional<Address> address(Variable v, LoopId nextIterationOf = none) const;
    [[nodiscard]] bool intact(Variable v, const Value& expected, Address at, Actor reader);
    void store(Variable v, const Value& value, Address at, Actor writer);
    [[nodiscard]] Stamp nextStamp();
    Corruption& report(const Wrong& wrong, Actor reader);

    const Program& program_;
    const Lowering& lowering_;
    const Plan& plan_;
    ArenaMemory& memory_;
    std::uint64_t base_; ///< of the stamps
    std::uint64_t writes_ = 0;
    std::int64_t transfers_ = 0;
    Bytes bytesTransferred_ = 0;
    std::vector<std::vector<ViewOrigin>> origins_; ///< by function; empty where it is not run
    std::vector<std::size_t> first_;               ///< by instance: its first tensor in the arrays over all of them
    std::vector<Value> values_;                    ///< by tensor of an instance; used for roots
    std::vector<Cell> cells_;                      ///< by tensor of an instance, for roots: where their contents are kept
    std::vector<std::vector<std::vector<TensorId>>>
        locals_; ///< by function and region: tensors that it makes, no views, no inputs
    Iterations iterations_;
    std::unordered_map<std::uint64_t, std::size_t> chosen_; ///< by case or loop
    std::optional<Address> watch_;
    BufferId lastBuffer_ = none; ///< last write of the watched byte
    Actor lastWriter_;
    Actor current_;
    std::optional<Corruption> corruption_;
    Address corruptedAt_;
};

} // namespace stowage::executing
