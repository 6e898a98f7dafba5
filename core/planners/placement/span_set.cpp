#include "core/planners/placement/span_set.h"

namespace stowage {

void SpanSet::add(Span span)
{
    if (span.high <= span.low) return;
    // The first span that the new one touches; all spans up to `last` are joined with it.
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

bool GapSearch::consider(Bytes start, Bytes gap)
{
    if (gap < query_.size || gap >= bestGap_ || start > query_.limit - query_.size) return false;
    best_ = start;
    bestGap_ = gap;
    return query_.rule == GapRule::first;
}

std::optional<GapAnswer> GapSearch::answer() const
{
    if (best_ >= 0) return GapAnswer{best_, true};
    if (end_ > maxBytes) return std::nullopt;
    const Bytes start = alignUp(end_, query_.alignment);
    if (start > query_.limit - query_.size) return std::nullopt;
    return GapAnswer{start, false};
}

std::optional<GapAnswer> findGap(std::span<const Span> occupied, const GapQuery& query)
{
    GapSearch search(query);
    for (const Span& s : occupied) {
        if (query.rule != GapRule::above && search.gapBefore(s.low)) break;
        search.raise(s.high);
    }
    return search.answer();
}

} // namespace stowage
