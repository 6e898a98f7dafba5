#include "app/canvas/axis/area_sums.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage {

namespace {

void addSizes(AreaSums& sums, Bytes bytes)
{
    sums.bytes = checkedAdd(sums.bytes, bytes).value_or(maxBytes);
}

} // namespace

void AreaSums::add(const AreaSums& other)
{
    const auto middle = std::ptrdiff_t(buffers.size());
    buffers.insert(buffers.end(), other.buffers.begin(), other.buffers.end());
    std::inplace_merge(buffers.begin(), buffers.begin() + middle, buffers.end());
    addSizes(*this, other.bytes);
    occupied += other.occupied;
    area += other.area;
}

AreaSums sumsIn(const MapData& map, const Problem& problem, const StepBytes& box)
{
    AreaSums sums;
    sums.area = double(std::max<Step>(0, box.end - box.begin)) * double(std::max<Bytes>(0, box.high - box.low));
    map.rects.forEach(box, [&](std::size_t i) {
        const StepBytes& r = map.rects[i];
        sums.buffers.push_back(map.buffer[i]);
        sums.occupied += double(std::min(r.end, box.end) - std::max(r.begin, box.begin)) *
                         double(std::min(r.high, box.high) - std::max(r.low, box.low));
        return true;
    });
    std::sort(sums.buffers.begin(), sums.buffers.end());
    sums.buffers.erase(std::unique(sums.buffers.begin(), sums.buffers.end()), sums.buffers.end());
    for (const BufferId buffer : sums.buffers) addSizes(sums, problem.buffers[std::size_t(buffer)].size);
    return sums;
}

} // namespace stowage
