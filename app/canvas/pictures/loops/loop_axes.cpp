// The axes of the strips below an unrolled body: which addresses they show, and how far they zoom.
#include "app/canvas/pictures/loops/loop_sheet.h"
#include "core/ir/checked.h"
#include "core/ir/occupied.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double stripHead = 12; ///< free above the highest byte

} // namespace

LoopRange loopRange(const LoopState& state, std::size_t strip)
{
    const LoopPicture& picture = *state.picture;
    const PoolId pool = picture.pools[strip];
    if (state.close) {
        Bytes low = maxBytes, high = 0;
        for (const LoopRow& row : picture.rows)
            for (const std::int32_t place : row.places) {
                const auto& [in, offset] = picture.places[std::size_t(place)];
                if (in != pool) continue;
                low = std::min(low, offset);
                high = std::max(high, offset + std::max<Bytes>(1, row.bytes));
            }
        if (high > low) {
            const Bytes room = (high - low) / 8 + 1;
            return {std::max<Bytes>(0, low - room), high + room};
        }
    }
    const Problem& problem = state.scene->run->problem();
    const Interval& inside = picture.story.live;
    Bytes top = 1;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const Placement& placement = state.scene->run->plan.placements[b];
        if (placement.pool != pool) continue;
        const Buffer& buffer = problem.buffers[b];
        if (!anyOccupied(buffer, [&](const Occupied& it) { return it.by != Occupying::window && it.steps.overlaps(inside); }))
            continue;
        top = std::max(top, placement.offset + buffer.size);
        for (const Bytes offset : placement.offsets) top = std::max(top, offset + buffer.size);
    }
    return {0, top};
}

void fitViewport(LoopState& state, const LoopLayout& layout)
{
    const auto device = [&](double logical) { return std::max(1, int(std::lround(logical * state.ratio))); };
    const auto fit = [](PixelAxis& axis, std::int64_t low, std::int64_t high, double least, int pixels) {
        if (axis.low() != low || axis.high() != high)
            axis = PixelAxis(low, high, least, pixels);
        else if (axis.pixels() != pixels)
            axis.resize(pixels);
    };
    const Interval& live = state.picture->story.live;
    fit(state.viewport.steps, live.begin, std::max(live.begin + 1, live.end), 2, device(layout.plotRight - layout.plotLeft));
    state.viewport.addresses.resize(layout.strips.size());
    for (std::size_t i = 0; i < layout.strips.size(); ++i) {
        const LoopRange range = loopRange(state, i);
        const double room = std::max(1.0, layout.strips[i].height());
        // The title's row stays free above the highest byte.
        const double share = room / std::max(1.0, room - stripHead);
        const Bytes high = range.low + std::max<Bytes>(range.high - range.low, Bytes(double(range.high - range.low) * share));
        fit(state.viewport.addresses[i], range.low, std::min(high, maxBytes), 16, device(room));
    }
}

} // namespace stowage
