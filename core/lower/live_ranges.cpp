#include "core/lower/live_ranges.h"

#include <algorithm>

namespace stowage::lowering {

namespace {

/// Touches of one path, and whether the storage is touched before and after that path is taken.
struct Task {
    PathId path;
    std::span<Touch> touches; ///< all on `path` or inside it
    bool before;
    bool after;
};

/// The branch directly on `path` that `inner`, a path inside it, goes through.
PathId branchToward(const Expansion& expansion, PathId inner, PathId path)
{
    const std::int32_t depth = expansion.paths[at(path)].depth + 1;
    while (expansion.paths[at(inner)].depth > depth) inner = expansion.paths[at(inner)].parent;
    return inner;
}

/// Sorts ascending and joins what overlaps or is adjacent.
void normalise(std::vector<Interval>& ranges)
{
    std::erase_if(ranges, [](const Interval& range) { return range.empty(); }); // of touches before a step
    if (ranges.empty()) return;
    std::sort(ranges.begin(), ranges.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        if (ranges[i].begin <= ranges[last].end)
            ranges[last].end = std::max(ranges[last].end, ranges[i].end);
        else
            ranges[++last] = ranges[i];
    }
    ranges.resize(last + 1);
}

class Solver {
public:
    explicit Solver(const Expansion& expansion) : expansion_(expansion) {}

    /// `touches` ascend by begin, the longer ones of one begin first. Gives ranges that are ascending and disjoint.
    std::vector<Interval> run(std::span<Touch> touches)
    {
        tasks_.push_back({0, touches, false, false});
        while (!tasks_.empty()) {
            const Task task = tasks_.back();
            tasks_.pop_back();
            solve(task);
        }
        if (std::all_of(ranges_.begin(), ranges_.end(), [](const Interval& range) { return range.empty(); }) && !ranges_.empty())
            ranges_.front().end = ranges_.front().begin + 1;
        normalise(ranges_);
        return std::move(ranges_);
    }

private:
    /// An item on a path: a touch on the path itself, or a case with the touches on its branches.
    struct Item {
        Interval steps;
        std::span<Touch> inside; ///< empty for a touch of the path's own
    };

    /// Adds the live ranges on the task's path, and makes a task of each branch that may be live in part only.
    void solve(const Task& task)
    {
        if (task.before && task.after) {
            ranges_.push_back(expansion_.paths[at(task.path)].steps);
            return;
        }
        collect(task);
        // All steps between the first and the last item are live, whichever branches are taken in between.
        const Interval own = expansion_.paths[at(task.path)].steps;
        const Interval reach{task.before ? own.begin : firstEnd(), task.after ? own.end : lastBegin()};
        if (!reach.empty()) ranges_.push_back(reach);
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const bool before = task.before || i > 0;
            const bool after = task.after || i + 1 < items_.size();
            if (items_[i].inside.empty() || (before && after))
                ranges_.push_back(items_[i].steps);
            else
                splitCase(task.path, items_[i], before, after);
        }
    }

    Step firstEnd() const { return items_.front().steps.end; }
    Step lastBegin() const { return items_.back().steps.begin; }

    /// Puts the task's touches into `items_`, in order; a case that a touch of the path covers to its end is left out.
    void collect(const Task& task)
    {
        items_.clear();
        Step covered = -1; // up to this step a touch on the path itself keeps the storage live
        for (std::size_t i = 0; i < task.touches.size();) {
            const Touch& touch = task.touches[i];
            if (touch.path == task.path) {
                covered = std::max<Step>(covered, touch.end);
                items_.push_back({{touch.begin, touch.end}, {}});
                ++i;
                continue;
            }
            const Interval steps = expansion_.paths[at(branchToward(expansion_, touch.path, task.path))].caseSteps;
            std::size_t j = i + 1;
            while (j < task.touches.size() && task.touches[j].path != task.path && task.touches[j].begin < steps.end) ++j;
            if (steps.end > covered) items_.push_back({steps, task.touches.subspan(i, j - i)});
            i = j;
        }
    }

    /// Makes a task of each branch of a case that is touched. `before`, `after`: as in Task.
    void splitCase(PathId path, const Item& item, bool before, bool after)
    {
        for (std::size_t i = 0; i < item.inside.size();) {
            const PathId branch = branchToward(expansion_, item.inside[i].path, path);
            std::size_t j = i + 1;
            while (j < item.inside.size() && item.inside[j].begin < expansion_.paths[at(branch)].steps.end) ++j;
            tasks_.push_back({branch, item.inside.subspan(i, j - i), before, after});
            i = j;
        }
    }

    const Expansion& expansion_;
    std::vector<Task> tasks_;
    std::vector<Item> items_;
    std::vector<Interval> ranges_;
};

} // namespace

std::vector<Interval> liveRanges(const Expansion& expansion, std::span<Touch> touches)
{
    const bool onePath =
        std::all_of(touches.begin(), touches.end(), [&](const Touch& t) { return t.path == touches.front().path; });
    if (onePath) {
        Interval hull{touches.front().begin, touches.front().end};
        for (const Touch& touch : touches) {
            hull.begin = std::min<Step>(hull.begin, touch.begin);
            hull.end = std::max<Step>(hull.end, touch.end);
        }
        if (hull.empty()) hull.end = hull.begin + 1; // the only touch is one before a step
        return {hull};
    }
    std::sort(touches.begin(), touches.end(),
              [](const Touch& a, const Touch& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
    return Solver(expansion).run(touches);
}

std::vector<Interval> unite(std::span<const Interval> a, std::span<const Interval> b)
{
    std::vector<Interval> both(a.begin(), a.end());
    both.insert(both.end(), b.begin(), b.end());
    if (!both.empty()) normalise(both);
    return both;
}

} // namespace stowage::lowering
