// The data of a program in execution: the expected contents of each tensor, and the bytes that should hold them.
#pragma once

#include "core/exec/arena_memory.h"
#include "core/exec/iterations.h"
#include "core/exec/value.h"
#include "core/ir/views.h"
#include "core/lower/lower.h"

#include <span>
#include <unordered_map>

namespace stowage::executing {

using InstanceId = std::int32_t; ///< into `Lowering::instances`

/// A tensor in one expansion of its function.
struct Variable {
    InstanceId instance = none;
    TensorId tensor = none;
};

/// The op that causes an access; none before the first step and after the last.
struct Actor {
    InstanceId instance = 0;
    OpId op = none;
};

/// A transfer of data from one tensor to another that the program's semantics demand.
struct Transfer {
    Variable from;
    Variable to;
    LoopId nextIterationOf = none; ///< the target belongs to the next iteration of this loop
    Bytes part = 0;                ///< offset in the target
    bool keeps = false;            ///< true: the rest of the target keeps its contents; false: the rest is undefined afterwards
};

/// Expected contents follow from the program's semantics alone; addresses follow from bindings, placements and iterations of
/// loops alone. If the two disagree, the plan is wrong.
class ProgramState {
public:
    /// `watch`: a byte whose last writer is recorded. The references have to outlive the state.
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
    /// Records the choice of a case or a loop: a branch, or the number of an exit (0: the loop's end). It holds until the next
    /// choice.
    void choose(Actor by, std::size_t choice) { chosen_[keyOf(by)] = choice; }
    /// A tensor's binding after the current choices.
    [[nodiscard]] const TensorBinding& chosenBinding(Variable v) const;
    [[nodiscard]] TensorId root(Variable v) const;

    /// Sets the op that is being executed.
    void setCurrent(Actor leaf) { current_ = leaf; }
    Iterations& iterations() { return iterations_; }
    [[nodiscard]] const ArenaMemory& memory() const { return memory_; }

    /// True when the bindings of both give the same address, or neither is planned.
    [[nodiscard]] bool sameBytes(Variable a, Variable b) const;
    /// Makes `inner` a reference to `outer`: a write to one is a write to the other.
    void refer(Variable inner, Variable outer);
    /// Ends a reference: `v` has contents of its own again, which are undefined.
    void detach(Variable v);
    /// Makes the contents of `v` undefined. If `v` is a view, the bytes around it keep their contents.
    void forget(Variable v);
    /// Makes the contents of all tensors that a region creates undefined.
    void forgetLocals(InstanceId instance, RegionId region);
    /// Gives a tensor new contents, and fills its bytes with them.
    void make(Variable v, Actor writer);
    /// Gives a tensor contents from outside the program. `bytes` are the bytes to write; when empty, they are generated from
    /// `contents`.
    void give(Variable v, const std::vector<Segment>& contents, std::span<const std::byte> bytes);
    /// The current bytes of a tensor in its arena; no value when it lies in none.
    [[nodiscard]] std::optional<std::vector<std::byte>> copy(Variable v) const;
    /// Makes the contents of all later writes depend on `seed` only, and not on earlier writes.
    void continueFrom(std::uint64_t seed)
    {
        base_ = seed;
        writes_ = 0;
    }
    /// The expected contents of a tensor.
    [[nodiscard]] Value expected(Variable v) const;
    /// Records that `v` was written over the variable `kept`: `kept` now has the contents of `v`.
    void update(Variable kept, Variable v);
    /// Fills scratch, which no later op reads; returns the new contents.
    Value scribble(Variable v, Actor writer);
    /// Checks all defined bytes of a tensor. False when one is wrong; see `corruption`.
    [[nodiscard]] bool read(Variable v, Actor reader);
    [[nodiscard]] bool check(Variable v, const Value& expected, Actor reader);
    /// Removes the bytes that `written` has overwritten from `contents`, the contents of `v`.
    void leaveOut(Value& contents, Variable v, Variable written) const;
    /// True when both are views of one tensor, or the same tensor, by the program's semantics.
    [[nodiscard]] bool oneTensor(Variable a, Variable b) const { return cell(a).value == cell(b).value; }
    /// Performs all transfers at once: reads all sources, then writes all targets. Nothing is copied when source and target have
    /// the same address.
    [[nodiscard]] bool transfer(std::span<const Transfer> transfers, Actor actor);
    /// Checks the guard bytes around the pools.
    [[nodiscard]] bool checkGuards(Actor actor);

    [[nodiscard]] const std::optional<Corruption>& corruption() const { return corruption_; }
    [[nodiscard]] Address corruptedAt() const { return corruptedAt_; }
    [[nodiscard]] std::int64_t transfers() const { return transfers_; }
    [[nodiscard]] Bytes bytesTransferred() const { return bytesTransferred_; }

private:
    /// Location of expected contents: an index into `values_`, and an offset there.
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
    /// The current binding of a tensor: its buffer, and the iterations since its value was made.
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
    std::vector<std::size_t> first_;               ///< by instance: index of its first tensor in the arrays over all instances
    std::vector<Value> values_;                    ///< by tensor of an instance; only entries of roots are used
    std::vector<Cell> cells_;                      ///< by tensor of an instance, for roots: location of their contents
    std::vector<std::vector<std::vector<TensorId>>>
        locals_; ///< by function and region: tensors that the region creates, without views and inputs
    Iterations iterations_;
    std::unordered_map<std::uint64_t, std::size_t> chosen_; ///< by case or loop
    std::optional<Address> watch_;
    BufferId lastBuffer_ = none; ///< of the last write of the watched byte
    Actor lastWriter_;
    Actor current_;
    std::optional<Corruption> corruption_;
    Address corruptedAt_;
};

} // namespace stowage::executing
