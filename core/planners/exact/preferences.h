// Orders in which the search tries buffers.
#pragma once

#include "core/planners/exact/instance.h"

#include <cstdint>
#include <vector>

namespace stowage::exact {

/// One number for each buffer, larger is tried first. Run 0, 1, … of a restart sequence get the basic orders in turn (by the total
/// of the fullest section, by lifetime, by area, by end, by size, each broken by the others; after MiniMalloc's), and after one round the same with noise that
/// grows from round to round. The search's run time is heavy-tailed in the order, so many short runs beat one long one (Gomes, Selman, Kautz 1998).
/// Deterministic in (instance, seed).
class Preferences {
public:
    Preferences(const Instance& instance, const Problem& problem, std::uint64_t seed);
    [[nodiscard]] std::vector<double> forRun(std::uint64_t run) const;
    /// Runs in a round, each with another basic order.
    [[nodiscard]] std::uint64_t round() const { return basic_.size(); }

private:
    std::vector<std::vector<double>> basic_;
    std::uint64_t seed_;
};

} // namespace stowage::exact
