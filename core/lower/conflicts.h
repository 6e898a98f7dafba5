// Explicit conflicts between storages for programs without an order.
#pragma once

#include "core/lower/partial_order.h"
#include "core/lower/storage.h"

namespace stowage::lowering {

/// Fills the explicit conflicts of the problem's buffers: two conflict unless in every order, on every way through the branches,
/// all that touches the one comes before all that touches the other, or either is touched inside one op of a region only, and not
/// the same one (ops run one after the other). What is live together at a step of the listed order conflicts too, and constants
/// and variables with all. `bufferOf` is by storage; none: not planned. The idea is the interference of NNC's tensor allocation,
/// which keeps the earliest and the latest ops of each tensor. An error when there are more than 2^25 pairs. O(storages^2 *
/// touches), memory storages * points / 8 bytes.
std::optional<Error> addConflicts(const PartialOrder& order, const Storages& storages, const std::vector<BufferId>& bufferOf,
                                  Problem& problem);

} // namespace stowage::lowering
