#include "core/planners/placement/span_set.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage {

void SpanSet::add(Span span)
{
    if (span.high <= span.low) return;
    // The first span that the new one touches; everything up to `last` melts into it.
    const auto first =
        std::lower_bound(spans_.begin(), spans_.end(), span.low, [](const Span& s, Bytes low) { return s.high < low; });
    if (first == spans_.end() || first->low > span.high) {
        spans_.insert(first, span);
        return;
    }
    auto last = first + 1;
    while (last != spans_.end() && last->low <= span.high) ++last;
    first->low = std::min(first->low, span.low);
    first->high = std::max((last - 1)->high, span.high);
    spans_.erase(first + 1, last);
}

std::optional<GapAnswer> findGap(std::span<const Span> occupied, const GapQuery& query)
{
    const Bytes size = query.size;
    Bytes end = 0; // of everything seen so far
    if (query.rule == GapRule::above) {
        for (const Span& s : occupied) end = std::max(end, s.high);
    } else {
        Bytes bestGap = maxBytes;
        Bytes best = -1;
        for (const Span& s : occupied) {
            // Alignment costs a division, so it is looked at only where the bare gap is large enough; few are.
            if (s.low - end >= size) [[unlikely]] {
                const Bytes start = alignUp(end, query.alignment);
                const Bytes gap = s.low - start;
                if (gap >= size && gap < bestGap && start <= query.limit - size) {
                    best = start;
                    bestGap = gap;
                    if (query.rule == GapRule::first) break;
                }
            }
            end = std::max(end, s.high);
        }
        if (best >= 0) return GapAnswer{best, true};
    }
    if (end > maxBytes) return std::nullopt;
    const Bytes start = alignUp(end, query.alignment);
    if (start > query.limit - size) return std::nullopt;
    return GapAnswer{start, false};
}

} // namespace stowage
