// Pieces that end and pieces that begin at one step, and which of them have equal sums of bytes.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <span>
#include <vector>

namespace stowage::exact {

/// The bytes of some of up to 63 pieces together.
struct SetSum {
    Bytes bytes = 0;
    std::uint64_t members = 0; ///< bits: places in the list
};

/// The sums of all sets of one, two, … pieces, as long as they are at most `most`, ascending; `complete` becomes false when there
/// are more. O(most log most).
std::vector<SetSum> setSums(std::span<const Bytes> sizes, std::size_t most, bool& complete);

/// In how many ways k of n things can be chosen.
double binomial(std::size_t n, std::size_t k);

/// Of pieces that end at a step and pieces that begin there: some with as many bytes as some others. Places in the two lists,
/// ascending.
struct EqualSums {
    std::vector<std::int32_t> ends, begins;
    Bytes bytes = 0;
    /// How many such pairs of sets one would expect by chance: pairs of sets of these numbers of pieces, each byte of the sum as
    /// likely as another. Far below 1: no chance.
    double chance = 0;
};

struct EqualSumsFound {
    std::vector<EqualSums> sums; ///< small ones first
    bool complete = true;        ///< all sets were looked at
};

/// The pairs of sets of equal sums of which no part has equal sums. `ends` and `begins` are sizes in bytes, of equal sum
/// together. Sets of one, two, … pieces are looked at as long as they are at most `mostSums` on a side; with 64 or more on a side
/// nothing is found. O(mostSums log mostSums + what is found squared).
EqualSumsFound findEqualSums(std::span<const Bytes> ends, std::span<const Bytes> begins, std::size_t mostSums);

} // namespace stowage::exact
