// What a planner sees: buffers, when they are live, and the pools they may go to.
#pragma once

#include "core/ir/borrowing_list.h"
#include "core/ir/buffer.h"
#include "core/ir/program.h"
#include "core/ir/types.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// A loop that offsets may rotate with.
struct Loop {
    std::string name;
    LoopId parent = none;                  ///< the loop around it
    Interval live;                         ///< steps of one pass through it
    std::optional<std::int64_t> tripCount; ///< iterations, when known

    friend bool operator==(const Loop&, const Loop&) = default;
};

/// The time in which a called function runs: its own buffers are live only there. Planners may plan inside each scope first.
struct Scope {
    std::string name;
    std::vector<Interval> live; ///< steps of its calls, ascending and disjoint

    friend bool operator==(const Scope&, const Scope&) = default;
};

/// Two buffers that may share bytes at a cost, e.g. of a synchronisation or a copy. Planners with the option `pipe-aware=price`
/// weigh the cost against the size.
struct ReusePenalty {
    BufferId first = none;
    BufferId second = none; ///< > first in a checked problem
    Bytes cost = 0;         ///< >= 0; in bytes of size

    friend bool operator==(const ReusePenalty&, const ReusePenalty&) = default;
};

/// What the steps of a problem count.
enum class Axis : std::uint8_t {
    ops,  ///< ops in listed order
    hivm, ///< Ascend's pre-order numbering
    dag,  ///< no order: conflicts are explicit; live ranges, where present, only illustrate one topological order
};

struct Problem {
    std::string name;
    Axis axis = Axis::ops;
    std::vector<Pool> pools; ///< at least one in a checked problem
    BorrowingList<Buffer> buffers;
    std::vector<Loop> loops;
    std::vector<Scope> scopes;
    std::vector<ReusePenalty> penalties; ///< in a checked problem ascending by buffers, one a pair

    friend bool operator==(const Problem&, const Problem&) = default;

    /// Candidate pools of a buffer in order of preference: its own, else all workspace pools.
    [[nodiscard]] std::vector<PoolId> candidates(const Buffer& buffer) const;
    /// lcm of the buffer's and the pool's alignment. Requires a checked problem.
    [[nodiscard]] Bytes effectiveAlignment(const Buffer& buffer, PoolId pool) const;
    /// One past the last live step of any buffer; 0 without buffers. O(buffers).
    [[nodiscard]] Step horizon() const;
};

/// The same problem, whose buffers stay those of `lender` until one of them is changed. O(1) in the number of buffers.
[[nodiscard]] Problem borrowed(const std::shared_ptr<const Problem>& lender);

/// Whether `loop` is `around` or nested in it, at any depth. False when `around` is none. O(depth). Requires a checked problem.
[[nodiscard]] bool isInside(const Problem& problem, LoopId loop, LoopId around);

/// True when the two may not share a byte: they are occupied in a common step, or conflict explicitly, or one is unique. False
/// for pairs that may share, and for buffers of size 0. Windows count as if they covered all bytes (the checker compares bytes).
/// An early range does not meet a carried value that cannot exist in the early range's iteration. With an axis of `dag` only
/// explicit conflicts and uniqueness count. O(ranges + log conflicts); O(entries a * entries b) when one has windows or is
/// carried. Requires a checked problem.
[[nodiscard]] bool conflict(const Problem& problem, BufferId a, BufferId b);

/// What is wrong with `problem`; errors keep it from being planned, warnings (a one-sided conflict) were repaired in place.
/// Checked: sizes, alignments, ranges and ids in range, sums at most 2^62, names unique, windows in gaps, pins aligned. Repaired,
/// with a warning: conflicts named by one side only; overlapping live ranges; a permission to share that a conflict or uniqueness
/// contradicts; with an axis of `dag` pairs that are live together in the order shown and have no conflict. Repaired silently:
/// the order of ranges and lists, ranges that touch, penalties of one pair added up. At most 100 messages, and one that counts
/// the rest. `where` gives the place of a buffer in its file, for the messages; may be empty. O(n log n); with `dag` plus pairs
/// live together.
Diagnostics checkAndRepair(Problem& problem, const std::function<Position(BufferId)>& where = {});

} // namespace stowage
