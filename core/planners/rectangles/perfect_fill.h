// Layouts without a wasted byte, where sizes and lifetimes leave no room for one.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace stowage::exact {

/// Something that is live at [begin, end) and has `size` bytes at a multiple of `alignment`.
struct Piece {
    Step begin = 0, end = 0;
    Bytes size = 0;
    Bytes alignment = 1;
};

struct FillLimits {
    std::uint64_t work = 50'000'000; ///< nodes of trees looked at, some nanoseconds each
    std::function<bool()> stop;
    std::uint64_t seed = 0; ///< `fillPerfectly` looks elsewhere with another one
};

/// Offsets of a layout of the pieces that is as high as the most bytes live at one step, if it finds one. It looks for layouts
/// that fill the whole rectangle of that height over all steps; where fewer bytes are live, the rest is cut into pieces of its
/// own. So it is for inputs that are full at nearly all steps, which are the hardest for a search that places one buffer after
/// the other: a mistake shows late there.
///
/// A rectangle cut into rectangles is a planar graph (Brooks, Smith, Stone, Tutte 1940): the vertices are the maximal vertical
/// lines, on which pieces end and others begin, and each piece is an edge from the line where it begins to the one where it ends.
/// Pieces that end on a line have together as many bytes as those that begin there. The other way round each embedding of such a
/// graph, with begin and end of all things on the outside, is a layout. So the question is only which of the pieces that end and
/// begin at one step are on the same line, and sums of bytes leave little choice there: mostly a step has one line, or a few that
/// are told apart by their sums. Whether the graph is planar is seen step by step with an `OrderTree` of the pieces live
/// together: those that end on one line lie together, and those that begin there take their place. When that fails, another
/// grouping is tried at the latest step that has one. In the end orders are chosen backwards in time, each line in the place that
/// the later ones left it.
///
/// Alignment is a choice among embeddings: pieces between the same two lines may lie in any order. See `AlignedParts`.
///
/// Finds nothing when there is none, when groupings are too many to try, or at the limit; that is no proof of anything. Every
/// layout that it gives has been checked. Work, at least: steps * pieces live together. Deterministic. Requires begin < end and
/// size > 0.
std::optional<std::vector<Bytes>> fillPerfectly(std::span<const Piece> pieces, const FillLimits& limits, std::uint64_t& work);

/// For the same inputs, when they are too large for that: offsets of a layout lower than `below`, the lowest that
/// `fillLowestSegments` finds within the limit after all lines that are clear have been melted.
std::optional<std::vector<Bytes>> fillNearly(std::span<const Piece> pieces, Bytes below, const FillLimits& limits,
                                             std::uint64_t& work);

} // namespace stowage::exact
