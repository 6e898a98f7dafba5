// The dependencies between ops, which hold in every order of the ops of a region.
#pragma once

#include "core/lower/expansion.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace stowage::lowering {

/// A moment of an expanded program: a leaf op, the begin or end of an op that holds regions or calls, the entry or exit of a
/// region.
using Point = std::int32_t;

/// Which effects of ops count as dependencies. Some are uncertain, because a source may describe a view and an overwriting op in
/// the same form: an output that is an alias of a tensor that the op reads.
enum class Effects : std::uint8_t {
    certain,  ///< for plans that hold in every order: an uncertain effect does not limit the orders
    possible, ///< for choosing another order: an uncertain effect keeps the listed order
};

/// The dependencies of an expanded program. The ops of a region may run in any order that respects them; an op with its inner ops
/// ends before another op of the region begins. An op depends on the ops that write its inputs or make them as views. Ops keep
/// their listed order if one certainly overwrites bytes that the other reads or writes (`Effects::certain`; an obligatory
/// in-place output overwrites its input), if both touch handles of state outside the program (`Tensor::handle`), or if both call
/// functions with variables. No op moves past an exit of a loop.
class PartialOrder {
public:
    /// Points are numbered in listed order. An error when there are more than 32,768: the relation takes n^2 / 8 bytes.
    /// O(n^2 / 64 * edges / n) time.
    static Expected<PartialOrder> of(const Expansion& expansion);

    [[nodiscard]] Point begin(InstanceId instance, OpId op) const { return ops_[index(instance, op)].begin; }
    [[nodiscard]] Point end(InstanceId instance, OpId op) const { return ops_[index(instance, op)].end; }
    [[nodiscard]] Point entry(InstanceId instance, RegionId region) const;
    [[nodiscard]] Point exit(InstanceId instance, RegionId region) const;
    [[nodiscard]] Point loopBegin(LoopId loop) const { return loops_[static_cast<std::size_t>(loop)].begin; }
    [[nodiscard]] Point loopEnd(LoopId loop) const { return loops_[static_cast<std::size_t>(loop)].end; }

    /// True when `a` comes before `b` in every order in which both happen.
    [[nodiscard]] bool before(Point a, Point b) const
    {
        return (reach_[static_cast<std::size_t>(a) * words_ + static_cast<std::size_t>(b) / 64] >>
                    (static_cast<unsigned>(b) % 64) &
                1U) != 0;
    }
    /// One bit for each point, 64 in a word: set if the point comes after `a`.
    [[nodiscard]] std::span<const std::uint64_t> after(Point a) const
    {
        return std::span(reach_).subspan(static_cast<std::size_t>(a) * words_, words_);
    }
    /// True when they lie on different branches of one case, so that no execution reaches both. O(depth).
    [[nodiscard]] bool exclusive(Point a, Point b) const;
    /// True when the points [a, b] and [c, d] lie in two different ops of one region, so that one range ends before the other
    /// begins.
    [[nodiscard]] bool inSeparateOps(Point a, Point b, Point c, Point d) const;

private:
    using OpIndex = std::int32_t; ///< of an op of an instance, as in `Expansion::opSteps`; none outside all ops
    struct OpPlace {
        Point begin = none;
        Point end = none;
        OpIndex around = none; ///< the op that holds or calls its region
        std::int32_t depth = 0;
        std::int32_t region = 0; ///< the region that lists it, as in `Expansion::regionSteps`
    };
    struct PointPlace {
        OpIndex op = none;       ///< innermost op around it, or itself
        std::int32_t branch = 0; ///< into `branches_`; 0: on none
    };
    struct Branch {
        std::int32_t around = 0;
        std::int32_t depth = 0;
        OpIndex owner = none; ///< the case
    };
    struct Range {
        Point begin = none;
        Point end = none;
    };
    class Builder;

    [[nodiscard]] std::size_t index(InstanceId instance, OpId op) const
    {
        return expansion_->instances[static_cast<std::size_t>(instance)].firstOp + static_cast<std::size_t>(op);
    }
    [[nodiscard]] OpIndex home(Point low, Point high) const;

    const Expansion* expansion_ = nullptr;
    std::vector<OpPlace> ops_;
    std::vector<Range> regions_;
    std::vector<Range> loops_;
    std::vector<PointPlace> places_;
    std::vector<Branch> branches_;
    std::vector<std::uint64_t> reach_; ///< by point: a bit for each point that comes after it
    std::size_t words_ = 0;
};

/// For each region of a function: pairs (before, after) of its ops. Pairs that follow from other pairs may be missing.
/// `Effects::possible` adds to the rules of `PartialOrder`: an op whose output is an alias of a tensor that it reads overwrites
/// that tensor, unless its effect is `view`; an op overwrites its `overwrittenInputs` (core/ir/overwrites.h); an op with regions
/// and a call overwrite the inputs that their inner ops overwrite; ops with the effect `stateful` keep their listed order among
/// each other.
std::vector<std::vector<std::pair<OpId, OpId>>> dependencies(const Program& program, FunctionId function, Effects effects);

} // namespace stowage::lowering
