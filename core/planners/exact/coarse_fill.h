// Layouts with little waste of thousands of pieces.
#pragma once

#include "core/planners/exact/perfect_fill.h"

namespace stowage::exact {

/// For the inputs of `fillPerfectly` when they are too large for it: offsets of a layout lower than `below`, the lowest that was
/// found within the limit. Several `CoarseGraph`s are melted, with other rules each; what is left of each is laid out by
/// `fillLowestSegments`. Then every piece drops as low as the pieces below it let it, to a multiple of its alignment, which
/// costs little as alignments are mostly far smaller than pieces; last, the small pieces that were left out go into what is free,
/// those of most bytes and steps first. Deterministic. Requires begin < end and size > 0. The work of one graph of n pieces:
/// about n * 3000.
std::optional<std::vector<Bytes>> fillCoarsely(std::span<const Piece> pieces, Bytes below, const FillLimits& limits,
                                               std::uint64_t& work);

} // namespace stowage::exact
