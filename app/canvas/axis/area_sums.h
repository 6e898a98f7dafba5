// Sums over the buffers in an area of a map. No Qt.
#pragma once

#include "app/canvas/axis/map_data.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

struct AreaSums {
    std::vector<BufferId> buffers; ///< buffers that overlap the area, ascending, each once; empty if they are only counted
    std::size_t count = 0;         ///< count of these buffers
    Bytes bytes = 0;               ///< sum of their sizes
    /// Bytes x steps that they occupy inside the area, counted twice where buffers overlap; exact below 2^53.
    double occupied = 0;
    double area = 0; ///< bytes x steps of the whole area

    /// Adds the sums of another area, which has no buffer in common with this one.
    void add(const AreaSums& other);
};

/// The sums of `box`. `shown`: by buffer, whether it counts; null: all. O(n log n) for n rectangles in it.
[[nodiscard]] AreaSums sumsIn(const MapData& map, const Problem& problem, const StepBytes& box,
                              const std::vector<bool>* shown = nullptr);

/// The sums of a box while it is dragged out. Each move visits only the rectangles over which the box grew or shrank: all
/// rectangles of a box over a million buffers would be too many for each move of the pointer.
class AreaTally {
public:
    /// All must outlive it, unchanged. `shown`: as for `sumsIn`.
    AreaTally(const MapData& map, const Problem& problem, const std::vector<bool>* shown = nullptr);

    /// O(rectangles that overlap the difference of this box and the one before). The first box, and one that has nothing in
    /// common with the one before, take O(buffers + rectangles in it).
    void moveTo(const StepBytes& box);
    /// The sums of the box, as by `sumsIn`, with the buffers counted and not listed.
    [[nodiscard]] const AreaSums& sums() const { return sums_; }
    [[nodiscard]] const MapData& map() const { return *map_; }
    [[nodiscard]] std::size_t visited() const { return visited_; } ///< count of visited rectangles, for tests

private:
    void recount(const StepBytes& box);
    /// The box grows by `part` beyond `before`.
    void add(const StepBytes& part, const StepBytes& before);
    /// The box shrinks by `part` to `after`.
    void remove(const StepBytes& part, const StepBytes& after);

    const MapData* map_;
    const Problem* problem_;
    const std::vector<bool>* shown_;
    StepBytes box_;                   ///< the last one; empty at first
    std::vector<std::uint32_t> hits_; ///< by buffer: count of its rectangles that overlap the box
    AreaSums sums_;
    bool exact_ = true; ///< false: a sum was rounded or clamped, so that differences would add up the error
    std::size_t visited_ = 0;
};

} // namespace stowage
