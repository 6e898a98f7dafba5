// The orders in which greedy planners place buffers. Ties that the comments do not mention are broken by buffer id.
#pragma once

#include "core/planners/common/buffer_table.h"

#include <cstdint>
#include <vector>

namespace stowage {

/// Which of two buffers with equal keys comes first.
enum class Ties : std::uint8_t { earlierFirst, laterFirst };

/// Bytes live at each rank, and 0 after the last rank. Modulo 2^64: overflow by a hostile file only changes the order.
/// O(buffers).
[[nodiscard]] std::vector<std::uint64_t> liveBytes(const BufferTable& table);
/// By size, descending.
[[nodiscard]] std::vector<BufferId> bySize(const BufferTable& table, Ties ties = Ties::earlierFirst);
/// By size, then by duration (steps from first to last live, gaps included), both descending.
[[nodiscard]] std::vector<BufferId> bySizeThenDuration(const BufferTable& table);
/// By alignment in the first candidate pool, descending, then by the padding from the end of the buffer to the next aligned
/// address, ascending, then by size, descending. For buffers that all conflict and have one alignment this gives the least
/// padding, because the buffer with the most padding comes last and needs none.
[[nodiscard]] std::vector<BufferId> byAlignment(const BufferTable& table);
/// By duration, then by size, both descending.
[[nodiscard]] std::vector<BufferId> byDurationThenSize(const BufferTable& table);
/// By size, then by number of conflicts, then by name, all descending: the order of Apache TVM.
[[nodiscard]] std::vector<BufferId> bySizeThenConflicts(const BufferTable& table);
/// By number of conflicts, then by size, then by name, all descending.
[[nodiscard]] std::vector<BufferId> byConflictsThenSize(const BufferTable& table);
/// By urgency (maximum of the bytes live at a step of the buffer's live ranges), descending, then by duration, descending, by
/// begin, ascending, and by size, descending: the order of Arm Vela. For a buffer without live ranges, the urgency is its size
/// and those of the buffers in conflict with it.
[[nodiscard]] std::vector<BufferId> byUrgency(const BufferTable& table);
/// By the fullest step of the buffer's live ranges: goes through the steps by their live bytes, descending, the earlier one first
/// on a tie, and at each step through the buffers live there by size, descending. A buffer without live ranges counts as a step
/// of its own, at which it and the buffers in conflict with it are live.
[[nodiscard]] std::vector<BufferId> byBreadth(const BufferTable& table);

} // namespace stowage
