#include "app/canvas/axis/hit_test.h"

#include <cmath>
#include <tuple>

namespace stowage {

namespace {

/// Bytes x steps as a double: the order of two areas matters, not their last bit.
double area(const StepBytes& r)
{
    return double(r.end - r.begin) * double(r.high - r.low);
}

/// Distance from a point to a range of pixels; 0 inside.
double distance(double at, double low, double high)
{
    return at < low ? low - at : at > high ? at - high : 0.0;
}

} // namespace

std::optional<std::size_t> hitTest(const MapData& map, const PixelAxis& steps, const PixelAxis& addresses, double x, double y,
                                   double tolerance)
{
    const AxisPoint step = steps.at(x);
    const AxisPoint address = addresses.at(y);
    std::optional<std::size_t> best;
    std::tuple<double, BufferId, std::size_t> bestKey;
    map.rects.forEach({step.whole, step.whole + 1, address.whole, address.whole + 1}, [&](std::size_t i) {
        const std::tuple key(area(map.rects[i]), map.buffer[i], i);
        if (!best || key < bestKey) best = i, bestKey = key;
        return true;
    });
    if (best || tolerance <= 0) return best;

    // A box of values around the pixels of the tolerance; then exact distances in pixels.
    const StepBytes box{steps.at(x - tolerance).whole, steps.at(x + tolerance).whole + 1, addresses.at(y - tolerance).whole,
                        addresses.at(y + tolerance).whole + 1};
    std::tuple<double, double, BufferId, std::size_t> nearestKey;
    map.rects.forEach(box, [&](std::size_t i) {
        const StepBytes& r = map.rects[i];
        const double dx = distance(x, steps.toPixel(r.begin), steps.toPixel(r.end));
        const double dy = distance(y, addresses.toPixel(r.low), addresses.toPixel(r.high));
        const double squared = dx * dx + dy * dy;
        if (squared > tolerance * tolerance) return true;
        const std::tuple key(squared, area(r), map.buffer[i], i);
        if (!best || key < nearestKey) best = i, nearestKey = key;
        return true;
    });
    return best;
}

std::vector<BufferId> buffersIn(const MapData& map, const StepBytes& box)
{
    std::vector<BufferId> result;
    map.rects.forEach(box, [&](std::size_t i) {
        result.push_back(map.buffer[i]);
        return true;
    });
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

std::optional<std::size_t> neighbour(const MapData& map, std::size_t rect, Direction direction,
                                     const std::function<bool(BufferId)>& passes)
{
    const StepBytes from = map.rects[rect];
    const StepBytes all = map.rects.bounds();
    // First the strip beyond the edge, then the whole half plane.
    StepBytes strip = from;
    StepBytes half = all;
    switch (direction) {
    case Direction::left:
        strip.begin = half.begin = all.begin;
        strip.end = half.end = from.begin;
        break;
    case Direction::right:
        strip.begin = half.begin = from.end;
        strip.end = half.end = all.end;
        break;
    case Direction::down:
        strip.low = half.low = all.low;
        strip.high = half.high = from.low;
        break;
    case Direction::up:
        strip.low = half.low = from.high;
        strip.high = half.high = all.high;
        break;
    }
    const auto gap = [&](const StepBytes& r) {
        switch (direction) {
        case Direction::left: return from.begin - r.end;
        case Direction::right: return r.begin - from.end;
        case Direction::down: return from.low - r.high;
        case Direction::up: break;
        }
        return r.low - from.high;
    };
    const auto aside = [&](const StepBytes& r) {
        const bool along = direction == Direction::left || direction == Direction::right;
        return along ? std::abs(double(r.low - from.low) + double(r.high - from.high))
                     : std::abs(double(r.begin - from.begin) + double(r.end - from.end));
    };
    for (const StepBytes& box : {strip, half}) {
        std::optional<std::size_t> best;
        std::tuple<Bytes, double, BufferId, std::size_t> bestKey;
        map.rects.forEach(box, [&](std::size_t i) {
            const StepBytes& r = map.rects[i];
            if (i == rect || map.buffer[i] == map.buffer[rect] || gap(r) < 0) return true;
            const std::tuple key(gap(r), aside(r), map.buffer[i], i);
            if ((!best || key < bestKey) && (!passes || passes(map.buffer[i]))) best = i, bestKey = key;
            return true;
        });
        if (best) return best;
    }
    return std::nullopt;
}

} // namespace stowage
