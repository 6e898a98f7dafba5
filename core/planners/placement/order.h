// Orders in which greedy planners place buffers.
#pragma once

#include "core/planners/common/buffer_table.h"

#include <cstdint>
#include <vector>

namespace stowage {

/// Which of two buffers with equal keys comes first.
enum class Ties : std::uint8_t { earlierFirst, laterFirst };

/// Bytes live at each rank, and 0 after the last. Modulo 2^64: what a hostile file makes of it only changes an order. O(buffers).
[[nodiscard]] std::vector<std::uint64_t> liveBytes(const BufferTable& table);
/// Size descending.
[[nodiscard]] std::vector<BufferId> bySize(const BufferTable& table, Ties ties = Ties::earlierFirst);
/// Size descending, then steps from first to last live, gaps included, descending.
[[nodiscard]] std::vector<BufferId> bySizeThenDuration(const BufferTable& table);
/// Alignment in the first candidate pool descending, then the bytes from the end of the buffer to the next aligned address
/// ascending, then size descending. Buffers that all conflict then lie with the least padding if all have one alignment: what
/// is not a multiple of it comes last, and after the last buffer nothing is padded.
[[nodiscard]] std::vector<BufferId> byAlignment(const BufferTable& table);
[[nodiscard]] std::vector<BufferId> byDurationThenSize(const BufferTable& table);
/// Size descending, then number of conflicts descending, then name descending: Apache TVM's order.
[[nodiscard]] std::vector<BufferId> bySizeThenConflicts(const BufferTable& table);
/// Number of conflicts descending, then size descending, then name descending.
[[nodiscard]] std::vector<BufferId> byConflictsThenSize(const BufferTable& table);
/// The most bytes live at a step of a buffer's life ("urgency") descending, then steps from first to last live descending, the
/// earlier beginning, size descending: Arm Vela's order. A timeless buffer counts with those in conflict with it.
[[nodiscard]] std::vector<BufferId> byUrgency(const BufferTable& table);
/// Steps by the bytes live in them descending, earlier first on a tie; at each step the buffers live there by size
/// descending. So a buffer comes up at the fullest step of its life. A timeless one counts as a step of its own, with the buffers
/// in conflict with it.
[[nodiscard]] std::vector<BufferId> byBreadth(const BufferTable& table);

} // namespace stowage
