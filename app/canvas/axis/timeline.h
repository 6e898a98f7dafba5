// Rows of the liveness timeline: buffers in groups that open and close. No Qt.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/axis/run_scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

struct TimelineGroup {
    std::string name;
    Bytes bytes = 0;               ///< sum of sizes
    std::vector<BufferId> members; ///< by first live step, then id, after the group was opened; before that by id
    bool open = true;
    bool sorted = false;
    StepFunction live;           ///< count of live buffers by step
    std::vector<Interval> calls; ///< for operators: the steps at which the operator runs
};

/// A row of the timeline: the head of a group, or one of its buffers.
struct TimelineRow {
    std::size_t group = 0;
    BufferId buffer = none; ///< `none`: the head of the group
    double top = 0;         ///< logical pixels from the top of all rows
    double height = 0;

    friend bool operator==(const TimelineRow&, const TimelineRow&) = default;
};

/// Groups with their rows. Rows are computed when they are visible, so that a million rows cost nothing.
class Timeline {
public:
    static constexpr double headHeight = 14;
    static constexpr double rowHeight = 12;         ///< minimum, and the height until `fitRows`
    static constexpr double tallestRow = 20;        ///< names and bars are easy to read, and rows still a list
    static constexpr std::size_t openAtMost = 2000; ///< maximum count of buffers for which all groups are open at first
    /// The same for a single group, without whose rows there is nothing to see.
    static constexpr std::size_t openAloneAtMost = 100'000;

    Timeline() = default;
    /// Groups of `run` by op kind, kind, pool, or the operator whose scope they belong to (in the order of its first call, after
    /// buffers of no scope). O(n log n); members are sorted when their group is opened.
    Timeline(const Run& run, ColourBy by);

    [[nodiscard]] const std::vector<TimelineGroup>& groups() const { return groups_; }
    [[nodiscard]] double height() const; ///< of all rows
    void setOpen(std::size_t group, bool open);
    /// Sets, by group, which are open; groups beyond the list keep their state. O(groups), and the sorting of those opened first.
    void setOpen(const std::vector<bool>& open);
    void setAllOpen(bool open);
    /// Rows that overlap [top, bottom), in order. O(groups + rows found).
    [[nodiscard]] std::vector<TimelineRow> rowsIn(double top, double bottom) const;
    [[nodiscard]] std::optional<TimelineRow> rowAt(double y) const;
    /// The row of a buffer; no value if its group is closed (see `reveal`).
    [[nodiscard]] std::optional<TimelineRow> rowOf(BufferId buffer) const;
    /// The index of a buffer's group; no value for an unknown buffer.
    [[nodiscard]] std::optional<std::size_t> groupOf(BufferId buffer) const;
    void reveal(BufferId buffer);
    /// Makes the rows as high as `room` allows when all groups are open, in whole logical pixels: opening and closing a group
    /// does not change them. O(groups).
    void fitRows(double room);

private:
    void sortMembers(TimelineGroup& group);
    void layOut();
    [[nodiscard]] TimelineRow row(std::size_t group, std::size_t member) const;

    std::vector<TimelineGroup> groups_;
    std::vector<Step> beginOf_;         ///< by buffer: first live step
    std::vector<std::int32_t> groupOf_; ///< by buffer
    std::vector<std::uint32_t> rankOf_; ///< by buffer: position among the members
    std::vector<double> tops_;          ///< by group; one more at the end
    double each_ = rowHeight;           ///< height of a buffer's row
};

/// The default grouping of rows: operators if buffers belong to scopes, else op kinds, else kinds.
[[nodiscard]] ColourBy defaultGrouping(const Run& run);

} // namespace stowage
