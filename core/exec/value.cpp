#include "core/exec/value.h"

#include <algorithm>

namespace stowage::executing {

Value Value::slice(Bytes begin, Bytes end) const
{
    Value part;
    for (const Segment& segment : segments_) {
        const Bytes low = std::max(begin, segment.begin);
        const Bytes high = std::min(end, segment.end);
        if (low < high)
            part.segments_.push_back({low - begin, high - begin, segment.stamp, segment.from + (low - segment.begin)});
    }
    return part;
}

std::size_t Value::cut(Bytes begin, Bytes end)
{
    const auto first = std::partition_point(segments_.begin(), segments_.end(), [&](const Segment& s) { return s.end <= begin; });
    const auto last = std::partition_point(first, segments_.end(), [&](const Segment& s) { return s.begin < end; });
    std::vector<Segment> edges; // the parts of cut segments outside [begin, end)
    if (first != last && first->begin < begin) edges.push_back({first->begin, begin, first->stamp, first->from});
    const std::size_t below = edges.size();
    if (first != last)
        if (const Segment& highest = *(last - 1); highest.end > end) {
            const Bytes low = std::max(highest.begin, end);
            edges.push_back({low, highest.end, highest.stamp, highest.from + (low - highest.begin)});
        }
    const auto place = segments_.insert(segments_.erase(first, last), edges.begin(), edges.end());
    return static_cast<std::size_t>(place - segments_.begin()) + below;
}

void Value::replace(Bytes begin, Bytes end, const Value& with)
{
    if (begin >= end) return;
    std::vector<Segment> inside = with.slice(0, end - begin).segments_; // a copy: `with` may be this value
    for (Segment& segment : inside) {
        segment.begin += begin;
        segment.end += begin;
    }
    const std::size_t place = cut(begin, end);
    segments_.insert(segments_.begin() + static_cast<std::ptrdiff_t>(place), inside.begin(), inside.end());
}

void Value::write(Bytes begin, Bytes end, Stamp stamp)
{
    if (begin >= end) return;
    const std::size_t place = cut(begin, end);
    segments_.insert(segments_.begin() + static_cast<std::ptrdiff_t>(place), {begin, end, stamp, 0});
}

} // namespace stowage::executing
