// The input of a planner: buffers with their live ranges, and the pools in which they may be placed.
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

/// A loop of the program. Offsets of its buffers may rotate with its iterations.
struct Loop {
    std::string name;
    LoopId parent = none;                  ///< the innermost loop around it
    Interval live;                         ///< steps of one pass through it
    std::optional<std::int64_t> tripCount; ///< iterations, when known

    friend bool operator==(const Loop&, const Loop&) = default;
};

/// The steps in which a called function (an operator) runs. Its own buffers are live only there. A planner may plan the buffers
/// of each scope first.
struct Scope {
    std::string name;
    std::vector<Interval> live; ///< steps of its calls, ascending and disjoint

    friend bool operator==(const Scope&, const Scope&) = default;
};

/// Two buffers that may share bytes at a cost, for example of a synchronisation or a copy. Planners with the option
/// `pipe-aware=price` add the cost to the size that they minimise.
struct ReusePenalty {
    BufferId first = none;
    BufferId second = none; ///< > first in a checked problem
    Bytes cost = 0;         ///< >= 0; in the unit of sizes

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
    /// Names of the buffers that are left out because the input does not state their size. With any, a plan is partial.
    std::vector<std::string> unknownSizes;

    friend bool operator==(const Problem&, const Problem&) = default;

    /// Candidate pools of a buffer in order of preference: those of the buffer; if it names none, all workspace pools.
    [[nodiscard]] std::vector<PoolId> candidates(const Buffer& buffer) const;
    /// The lcm of the alignments of the buffer and the pool, in bytes. Requires a checked problem.
    [[nodiscard]] Bytes effectiveAlignment(const Buffer& buffer, PoolId pool) const;
    /// One past the last step at which a buffer is live or holds a carried value; 0 without buffers. O(buffers).
    [[nodiscard]] Step horizon() const;
};

/// A copy that shares the buffers of `lender` until one of them is changed. O(1) in the number of buffers.
[[nodiscard]] Problem borrowed(const std::shared_ptr<const Problem>& lender);

/// True if `loop` is `around` or nested in it, at any depth. False if `around` is none. O(depth). Requires a checked problem.
[[nodiscard]] bool isInside(const Problem& problem, LoopId loop, LoopId around);

/// True if the two buffers may not share a byte: they are occupied at a common step, conflict explicitly, or one is unique. False
/// for pairs that may share, and for buffers of size 0. Windows count as if they covered all bytes; only the checker compares the
/// bytes of windows. An early range does not conflict with a carried value that cannot exist in the iteration of the early range.
/// With `Axis::dag` only explicit conflicts and uniqueness count. O(ranges + log conflicts); if a buffer has windows, carried
/// values or early ranges, O(entries of a * entries of b). Requires a checked problem.
[[nodiscard]] bool conflict(const Problem& problem, BufferId a, BufferId b);

/// Checks `problem` and repairs it in place. A problem with errors must not be planned. Checked: sizes, alignments, ranges and
/// ids are in range; sums are at most 2^62; names are unique; windows lie in gaps; pins are aligned. Repaired with a warning:
/// conflicts listed by one side only; overlapping live ranges; a permission to share that a conflict or uniqueness contradicts;
/// with `Axis::dag`, pairs without a conflict that are live together in the order shown. Repaired silently: the order of ranges
/// and lists; adjacent ranges are joined; penalties of one pair are added. Returns at most 100 messages, and one with the number
/// of the others. `where` gives the position of a buffer in its file for the messages; may be empty. O(n log n); with `dag` also
/// the pairs that are live together.
Diagnostics checkAndRepair(Problem& problem, const std::function<Position(BufferId)>& where = {});

} // namespace stowage
