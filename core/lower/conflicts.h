// Explicit conflicts between storages for programs without an order.
#pragma once

#include "core/lower/partial_order.h"
#include "core/lower/storage.h"

namespace stowage::lowering {

/// Fills the explicit conflicts of the problem's buffers. Two buffers do not conflict in two cases: in every order and on every
/// path through the branches, all touches of one come before all touches of the other; or the touches of each lie inside a single
/// op of a region, and these ops differ. All other pairs conflict. Constants and variables conflict with every buffer. `bufferOf`
/// is indexed by storage; none: not planned. The idea is the interference of NNC's tensor allocation, which keeps the earliest
/// and the latest ops of each tensor. Errors: more than 2^25 pairs. O(storages^2 * touches); memory storages * points / 8 bytes.
std::optional<Error> addConflicts(const PartialOrder& order, const Storages& storages, const std::vector<BufferId>& bufferOf,
                                  Problem& problem);

} // namespace stowage::lowering
