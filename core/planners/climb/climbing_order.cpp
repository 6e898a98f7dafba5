#include "core/planners/climb/climbing_order.h"

#include <utility>

namespace stowage {

Diagnostic tooManyToClimb(const std::string& consequence)
{
    return {Severity::note, Code::tooManyConflicts, "more than 16 million pairs of buffers conflict: " + consequence, {}, {}};
}

void ClimbingOrder::begin(const std::vector<BufferId>& order, const OrderSearch& search)
{
    if (&order != &order_) order_ = order;
    accept(search);
}

void ClimbingOrder::accept(const OrderSearch& search)
{
    size_ = search.size();
    layout_ = search.layout();
    for (std::size_t i = 0; i < order_.size(); ++i) place_[static_cast<std::size_t>(order_[i])] = i;
}

void ClimbingOrder::exchange(std::size_t first, std::size_t second)
{
    std::swap(order_[first], order_[second]);
    first_ = first;
    second_ = second;
}

} // namespace stowage
