// Finds the instructions between which each value of a method is in use.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace stowage::executorch {

/// A move of a tensor copies no bytes: from then on, `to` names the bytes of `from`.
struct Move {
    std::int32_t from = none;
    std::int32_t to = none;
};

/// The values that one instruction reads and writes, by index.
struct Touches {
    std::vector<std::int32_t> read; ///< without those that it names only as results
    std::vector<std::int32_t> written;
    Step jump = none;                        ///< the instruction that it may jump to; `none`: it does not jump
    std::optional<Move> move = std::nullopt; ///< of a tensor; its values are also in `read` and `written`
    bool opaque = false;                     ///< a delegate: nothing tells which of `read` it only writes
    bool writesBack = false;                 ///< `written` is state, which the next run reads
};

/// The use of a value.
struct Lifetime {
    Interval live;        ///< empty: no instruction and no interface names it
    bool written = false; ///< by an instruction, or as an input
    bool state = false;   ///< keeps its bytes from one run to the next
};

/// Lifetimes by value. `inputs` are live from the start, `outputs` to the end. A jump back makes a loop of the instructions from
/// its target to itself. A value that is live inside a loop and also outside of it, or that is read before it is first written,
/// is live in the whole loop. More than 256 different loops are joined into one, in which every value of theirs is live.
///
/// The source of a move is live as long as each value that moves lead to from it, directly or through others. The order of these
/// moves does not count, because in a loop a later one precedes an earlier one of the next iteration. A source that is moved in a
/// loop to a value that is live in the whole loop is live in the whole loop, too.
///
/// A value is state if an instruction reads it before any writes it, and another instruction or a write follows: a cache that a
/// kernel changes is only read, and scratch, also only read, has one instruction. A value that a delegate touches first is state
/// only if it is written back later. `live` is from the first to the last use also for state.
///
/// Requires values in [0, values) and jumps in [0, instructions]. O(touches + (values + moves * log(moves)) * loops).
std::vector<Lifetime> lifetimesOf(const std::vector<Touches>& instructions, std::size_t values,
                                  const std::vector<std::int32_t>& inputs, const std::vector<std::int32_t>& outputs);

} // namespace stowage::executorch
