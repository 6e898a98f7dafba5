// Addresses in generated C of buffers that rotate with a loop or are chosen while the program runs.
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

/// What is known where an address is written down.
struct CMoment {
    std::map<LoopId, std::int64_t> current; ///< iterations that loops are in
    std::map<LoopId, std::int64_t> ran;     ///< iterations that they had when they ended last
    std::map<std::pair<std::int32_t, OpId>, std::size_t> chosen;
    LoopId nextOf = none; ///< as the next iteration of this loop will see it
};

/// Writes addresses as C expressions. `iteration_L` is the iteration that loop L of the problem is in (after it, its last one),
/// `ran_L` the iterations of its last execution, `chosen_I_O` the choice of op O of instance I; offsets of a buffer that rotates
/// are a table, `NAME_views_B`.
class CViews {
public:
    CViews(const Run& run, const CModel& model) : run_(run), model_(model) {}

    /// False for a plan in which nothing rotates and nothing is chosen: none of the variables is needed then.
    [[nodiscard]] bool active() const;
    /// Whether a binding is anything but one place.
    [[nodiscard]] bool varies(const TensorBinding& binding) const;
    /// The address of a tensor; empty, with the reason in `obstacle()`, where C cannot say it. O(places of the binding).
    [[nodiscard]] std::string address(const TensorBinding& binding, const CMoment& moment);
    [[nodiscard]] const std::optional<CObstacle>& obstacle() const { return obstacle_; }
    /// All bytes of a tensor of that length, wherever it is; no pool when it may be in several.
    void extent(const TensorBinding& binding, Bytes length, PoolId& pool, Bytes& begin, Bytes& end) const;

    [[nodiscard]] static std::string iterationOf(LoopId loop);
    [[nodiscard]] static std::string ranOf(LoopId loop);
    [[nodiscard]] static std::string chosenOf(std::int32_t instance, OpId op);
    /// Buffers whose table of offsets is used so far.
    [[nodiscard]] const std::set<BufferId>& tables() const { return tables_; }

private:
    struct Count; ///< a number of iterations: known, or a variable and something
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

/// Writes the lines that keep those variables, as the arena executor keeps its own (core/exec/iterations.h). Without anything
/// that varies it writes nothing.
class CLoopState {
public:
    CLoopState(const Run& run, std::vector<CLine>& lines, bool active) : run_(run), lines_(lines), active_(active) {}

    /// The loop of the problem that a loop op is.
    [[nodiscard]] LoopId loopOf(std::int32_t instance, OpId op) const;
    /// An iteration begins: the loops inside have not begun.
    void begin(LoopId loop, const std::string& iteration, int depth);
    /// A loop has ended after `count` iterations (empty: none).
    void ended(LoopId loop, const std::string& count, int depth);
    void chose(std::int32_t instance, OpId op, std::size_t choice, int depth);
    /// A region is not run: what its loops would have made is where their last iterations would have put it, if those are known.
    void skipRegion(std::int32_t instance, RegionId region, int depth);
    /// The variables, in front of all lines.
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
