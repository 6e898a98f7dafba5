#include "app/canvas/axis/viewport.h"

#include <algorithm>
#include <utility>

namespace stowage {

ViewRange between(const ViewRange& from, const ViewRange& to, double t)
{
    ViewRange result{between(from.steps, to.steps, t), to.addresses};
    for (std::size_t i = 0; i < std::min(from.addresses.size(), to.addresses.size()); ++i)
        result.addresses[i] = between(from.addresses[i], to.addresses[i], t);
    return result;
}

ViewRange Viewport::range() const
{
    ViewRange result{steps.range(), {}};
    for (const PixelAxis& axis : addresses) result.addresses.push_back(axis.range());
    return result;
}

void Viewport::show(const ViewRange& range)
{
    steps.show(range.steps);
    for (std::size_t i = 0; i < std::min(addresses.size(), range.addresses.size()); ++i) addresses[i].show(range.addresses[i]);
}

void ViewHistory::leave(const ViewRange& range, bool merge)
{
    forward_.clear();
    if (merge && !back_.empty()) return;
    if (!back_.empty() && back_.back() == range) return;
    if (back_.size() == limit) back_.erase(back_.begin());
    back_.push_back(range);
}

ViewRange ViewHistory::goBack(const ViewRange& now)
{
    forward_.push_back(now);
    ViewRange result = std::move(back_.back());
    back_.pop_back();
    return result;
}

ViewRange ViewHistory::goForward(const ViewRange& now)
{
    back_.push_back(now);
    ViewRange result = std::move(forward_.back());
    forward_.pop_back();
    return result;
}

void ViewHistory::clear()
{
    back_.clear();
    forward_.clear();
}

} // namespace stowage
