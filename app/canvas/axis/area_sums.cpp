#include "app/canvas/axis/area_sums.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr double exactProducts = 9007199254740992.0; ///< 2^53: integers below are exact as `double`

void addSizes(AreaSums& sums, Bytes bytes)
{
    sums.bytes = checkedAdd(sums.bytes, bytes).value_or(maxBytes);
}

bool isShown(const std::vector<bool>* shown, BufferId buffer)
{
    return !shown || std::size_t(buffer) >= shown->size() || (*shown)[std::size_t(buffer)];
}

bool isEmpty(const StepBytes& box)
{
    return box.begin >= box.end || box.low >= box.high;
}

double areaOf(const StepBytes& box)
{
    return isEmpty(box) ? 0 : double(box.end - box.begin) * double(box.high - box.low);
}

/// Bytes x steps that two overlapping boxes have in common.
double commonArea(const StepBytes& a, const StepBytes& b)
{
    return double(std::min(a.end, b.end) - std::max(a.begin, b.begin)) *
           double(std::min(a.high, b.high) - std::max(a.low, b.low));
}

} // namespace

void AreaSums::add(const AreaSums& other)
{
    const auto middle = std::ptrdiff_t(buffers.size());
    buffers.insert(buffers.end(), other.buffers.begin(), other.buffers.end());
    std::inplace_merge(buffers.begin(), buffers.begin() + middle, buffers.end());
    count += other.count;
    addSizes(*this, other.bytes);
    occupied += other.occupied;
    area += other.area;
}

AreaSums sumsIn(const MapData& map, const Problem& problem, const StepBytes& box, const std::vector<bool>* shown)
{
    AreaSums sums;
    if (isEmpty(box)) return sums;
    sums.area = areaOf(box);
    map.rects.forEach(box, [&](std::size_t i) {
        if (!isShown(shown, map.buffer[i])) return true;
        sums.buffers.push_back(map.buffer[i]);
        sums.occupied += commonArea(map.rects[i], box);
        return true;
    });
    std::sort(sums.buffers.begin(), sums.buffers.end());
    sums.buffers.erase(std::unique(sums.buffers.begin(), sums.buffers.end()), sums.buffers.end());
    sums.count = sums.buffers.size();
    for (const BufferId buffer : sums.buffers) addSizes(sums, problem.buffers[std::size_t(buffer)].size);
    return sums;
}

// --- while the area is dragged out ----------------------------------------------------------------------------------------

AreaTally::AreaTally(const MapData& map, const Problem& problem, const std::vector<bool>* shown)
    : map_(&map), problem_(&problem), shown_(shown)
{
}

void AreaTally::moveTo(const StepBytes& box)
{
    if (isEmpty(box)) return recount({});
    if (!exact_ || !box.overlaps(box_)) return recount(box);
    // One side at a time: what the box gains or loses is then one box, and no box on the way is empty.
    StepBytes now = box_;
    const auto change = [&](const StepBytes& next, const StepBytes& part, bool grows) {
        if (grows)
            add(part, now);
        else
            remove(part, next);
        now = next;
    };
    if (const Step to = box.begin; to != now.begin)
        change({to, now.end, now.low, now.high}, {std::min(to, now.begin), std::max(to, now.begin), now.low, now.high},
               to < now.begin);
    if (const Step to = box.end; to != now.end)
        change({now.begin, to, now.low, now.high}, {std::min(to, now.end), std::max(to, now.end), now.low, now.high},
               to > now.end);
    if (const Bytes to = box.low; to != now.low)
        change({now.begin, now.end, to, now.high}, {now.begin, now.end, std::min(to, now.low), std::max(to, now.low)},
               to < now.low);
    if (const Bytes to = box.high; to != now.high)
        change({now.begin, now.end, now.low, to}, {now.begin, now.end, std::min(to, now.high), std::max(to, now.high)},
               to > now.high);
    if (!exact_) return recount(box);
    box_ = box;
    sums_.area = areaOf(box);
}

void AreaTally::recount(const StepBytes& box)
{
    sums_ = {};
    exact_ = true;
    hits_.assign(problem_->buffers.size(), 0);
    add(box, {});
    box_ = box;
    sums_.area = areaOf(box);
}

void AreaTally::add(const StepBytes& part, const StepBytes& before)
{
    map_->rects.forEach(part, [&](std::size_t i) {
        ++visited_;
        if (!isShown(shown_, map_->buffer[i])) return true;
        sums_.occupied += commonArea(map_->rects[i], part);
        if (map_->rects[i].overlaps(before)) return true;
        const auto buffer = std::size_t(map_->buffer[i]);
        if (hits_[buffer]++ > 0) return true;
        ++sums_.count;
        const auto bytes = checkedAdd(sums_.bytes, problem_->buffers[buffer].size);
        exact_ = exact_ && bytes;
        sums_.bytes = bytes.value_or(maxBytes);
        return true;
    });
    exact_ = exact_ && sums_.occupied < exactProducts;
}

void AreaTally::remove(const StepBytes& part, const StepBytes& after)
{
    map_->rects.forEach(part, [&](std::size_t i) {
        ++visited_;
        if (!isShown(shown_, map_->buffer[i])) return true;
        sums_.occupied -= commonArea(map_->rects[i], part);
        if (map_->rects[i].overlaps(after)) return true;
        const auto buffer = std::size_t(map_->buffer[i]);
        if (--hits_[buffer] > 0) return true;
        --sums_.count;
        sums_.bytes -= problem_->buffers[buffer].size;
        return true;
    });
}

} // namespace stowage
