// The current order of a hill climb: the order accepted last, and an exchange of two buffers that can be undone. Used by
// hill_climb and vela_hill_climb, which differ in the buffers that they exchange and in the orders that they accept.
#pragma once

#include "core/planners/climb/order_search.h"

#include <cstddef>
#include <string>
#include <vector>

namespace stowage {

/// Maximum number of conflicting pairs for which a climb builds the conflict graph.
inline constexpr std::size_t maxClimbPairs = std::size_t{16} << 20;

/// The note for problems with more pairs: "more than 16 million pairs of buffers conflict: " and `consequence`.
[[nodiscard]] Diagnostic tooManyToClimb(const std::string& consequence);

class ClimbingOrder {
public:
    explicit ClimbingOrder(std::size_t buffers) : place_(buffers) {}

    /// Makes `order`, which `search` tried last, the accepted order. O(buffers).
    void begin(const std::vector<BufferId>& order, const OrderSearch& search);
    /// Accepts the current order, which `search` tried last. O(buffers).
    void accept(const OrderSearch& search);
    /// Exchanges the buffers at two places of the order. O(1).
    void exchange(std::size_t first, std::size_t second);
    /// Undoes the last exchange. O(1).
    void takeBack() { exchange(first_, second_); }

    /// May be changed; `accept` or `begin` must follow.
    [[nodiscard]] std::vector<BufferId>& order() { return order_; }
    [[nodiscard]] std::size_t placeOf(BufferId buffer) const { return place_[static_cast<std::size_t>(buffer)]; }
    [[nodiscard]] const Objective& size() const { return size_; }               ///< of the order accepted last
    [[nodiscard]] const OrderSearch::Layout& layout() const { return layout_; } ///< of that order

private:
    std::vector<BufferId> order_;
    std::vector<std::size_t> place_; ///< by buffer: its position in the order accepted last
    Objective size_;
    OrderSearch::Layout layout_;
    std::size_t first_ = 0;
    std::size_t second_ = 0;
};

} // namespace stowage
