// Writes the addresses of tensors in generated C: of rotating buffers, and of values that a branch or an exit chooses at run
// time.
#pragma once

#include "core/io/c_model.h"
#include "core/io/c_obstacle.h"
#include "core/plan/run.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace stowage::io {

/// The loop iterations and choices that are known at the place in the code where an address is written.
struct CMoment {
    std::map<LoopId, std::int64_t> current;                      ///< current iterations of loops
    std::map<LoopId, std::int64_t> ran;                          ///< number of iterations that loops ran when they ended last
    std::map<std::pair<std::int32_t, OpId>, std::size_t> chosen; ///< number of the choice, by instance and op
    LoopId nextOf = none;                                        ///< the address is for the next iteration of this loop
};

/// Writes addresses as C expressions, which use these variables: `iteration_L`, the current iteration of loop L of the problem
/// (after the loop: its last one); `ran_L`, the number of iterations of its last execution; `chosen_I_O`, the choice of op O in
/// instance I. The table `NAME_views_B` holds the offsets of rotating buffer B.
class CViews {
public:
    CViews(const Run& run, const CModel& model) : run_(run), model_(model) {}

    /// False if no buffer rotates and no value is chosen at run time: then none of the variables is needed.
    [[nodiscard]] bool active() const;
    /// True if the address of the tensor depends on iterations or choices.
    [[nodiscard]] bool varies(const TensorBinding& binding) const;
    /// The address of a tensor; empty if it cannot be written as C, with the reason in `obstacle()`. O(places of the binding).
    [[nodiscard]] std::string address(const TensorBinding& binding, const CMoment& moment);
    [[nodiscard]] const std::optional<CObstacle>& obstacle() const { return obstacle_; }
    /// The hull [begin, end) of all addresses of a tensor of `length` bytes, and its pool; `none` if it may lie in several pools.
    void extent(const TensorBinding& binding, Bytes length, PoolId& pool, Bytes& begin, Bytes& end) const;

    [[nodiscard]] static std::string iterationOf(LoopId loop);
    [[nodiscard]] static std::string ranOf(LoopId loop);
    [[nodiscard]] static std::string chosenOf(std::int32_t instance, OpId op);
    /// Buffers whose table of offsets the addresses written so far use.
    [[nodiscard]] const std::set<BufferId>& tables() const { return tables_; }

private:
    struct Count; ///< a number of iterations: a known number, or a variable plus a number
    [[nodiscard]] Count countOf(const TensorBinding& binding, const CMoment& moment) const;
    [[nodiscard]] std::string carried(const TensorBinding& binding, const CMoment& moment);
    [[nodiscard]] std::string place(const TensorBinding& binding, const CMoment& moment);
    [[nodiscard]] std::string index(const TensorBinding& binding, const Placement& placement, const CMoment& moment);
    [[nodiscard]] bool isInside(LoopId loop, LoopId around) const;
    std::string refuse(CObstacle obstacle);

    const Run& run_;
    const CModel& model_;
    std::set<BufferId> tables_;
    std::optional<CObstacle> obstacle_;
};

/// Writes the lines that update these variables. They follow the rules of the arena executor (core/exec/iterations.h). Writes
/// nothing if `active` is false.
class CLoopState {
public:
    CLoopState(const Run& run, std::vector<CLine>& lines, bool active) : run_(run), lines_(lines), active_(active) {}

    /// The loop of the problem for a loop op of an instance.
    [[nodiscard]] LoopId loopOf(std::int32_t instance, OpId op) const;
    /// An iteration begins; the inner loops count as not begun.
    void begin(LoopId loop, const std::string& iteration, int depth);
    /// A loop ends after `count` iterations (a C expression; empty: none).
    void ended(LoopId loop, const std::string& count, int depth);
    /// A branch or an exit makes its choice.
    void chose(std::int32_t instance, OpId op, std::size_t choice, int depth);
    /// A region is not run. Values that its loops would have made are expected at the addresses of their last iterations, if the
    /// trip counts are known.
    void skipRegion(std::int32_t instance, RegionId region, int depth);
    /// Inserts the declarations of the variables before all lines.
    void declare();

private:
    void line(int depth, std::string text) { lines_.push_back({depth, std::nullopt, std::move(text)}); }
    [[nodiscard]] std::vector<LoopId> inside(LoopId around) const;
    void skip(LoopId loop, int depth);

    const Run& run_;
    std::vector<CLine>& lines_;
    bool active_;
    std::set<std::string> choices_;
};

} // namespace stowage::io
