// Layouts with little waste of thousands of pieces.
#pragma once

#include "core/planners/rectangles/perfect_fill.h"

namespace stowage::exact {

/// For the inputs of `fillPerfectly` when they are too large for it: offsets of a layout lower than `below`, the lowest that was
/// found within the limit. Several `CoarseGraph`s are melted, with other rules each. What is left of one is few and large parts:
/// they are laid out by `fillLowestSegments` and by the search for single buffers (`minimise`), and the lower layout is taken.
/// Then `Restack` stacks the pieces, alignments and all, in the order that they have there, puts in the small ones that were left
/// out, and makes the whole lower. The last quarter of the work goes to the best one again. Deterministic. Requires begin < end
/// and size > 0. The work of one graph of n pieces: about n * 8000.
std::optional<std::vector<Bytes>> fillCoarsely(std::span<const Piece> pieces, Bytes below, const FillLimits& limits,
                                               std::uint64_t& work);

} // namespace stowage::exact
