#include "core/planners/climb/order_search.h"

#include "core/plan/report.h"

#include <algorithm>

namespace stowage {

OrderSearch::OrderSearch(const PlannerInfo& info, const OptionValues& options, const BufferTable& table,
                         const PlanContext& context)
    : info_(info),
      options_(options),
      table_(table),
      context_(context),
      engine_(table, context, nullptr),
      bound_(lowerBound(table.problem(), none).bytes)
{
}

bool OrderSearch::tryOrder(std::span<const BufferId> order)
{
    improved_ = false;
    if (!first_) engine_.reset(nullptr);
    engine_.place(order, GapRule::first);
    const bool whole = !engine_.stopped();
    if (!whole && !first_) return false;
    size_ = engine_.size();
    improved_ = first_ || size_ < bestSize_;
    first_ = false;
    if (!improved_) return true;
    bestSize_ = size_;
    bestOrder_.assign(order.begin(), order.end());
    if (!whole) return false;
    best_ = engine_.layout();
    if (context_.publish)
        if (auto plan = engine_.finish(info_, options_)) context_.publish({*std::move(plan), bound_, engine_.work()});
    return true;
}

Bytes OrderSearch::endOf(const Layout& layout, BufferId b) const
{
    Bytes highest = layout.offsets[static_cast<std::size_t>(b)];
    if (table_.item(b).slots > 1)
        if (const auto slots = layout.slots.find(b); slots != layout.slots.end())
            for (const Bytes at : slots->second) highest = std::max(highest, at);
    return highest + table_.item(b).size;
}

Expected<Plan> OrderSearch::finish()
{
    if (best_) engine_.restore(*std::move(best_)); // else the first attempt was stopped, and is completed now
    // Only the best plan's steps are worth replaying, and which one that is has just become known.
    if (context_.recorder && best_) {
        PlanContext unlimited;
        PlacementEngine again(table_, unlimited, context_.recorder);
        again.place(bestOrder_, GapRule::first);
    }
    return engine_.finish(info_, options_);
}

} // namespace stowage
