// Pieces as parts of a rectangle of steps and bytes.
#pragma once

#include "core/planners/rectangles/perfect_fill.h"

namespace stowage::exact {

/// Adds pieces for what is not live, so that all together fill a rectangle, in slices as long as they can be: one ends where more
/// is live than it leaves room for. False when there are too many of them, too many pieces live together, or numbers too large.
/// `height` becomes the most bytes live at one step. O(n log n).
bool fillUp(std::vector<Piece>& pieces, Bytes& height);

/// No two meet, none ends above `height`, all are aligned. O(n log n), with the pieces live now in order of offset.
bool isLayout(std::span<const Piece> pieces, const std::vector<Bytes>& offsets, Bytes height);

/// The steps at which a piece begins or ends, each once, ascending. O(n log n).
std::vector<Step> eventsOf(std::span<const Piece> pieces);

/// The number of an event among them. Requires that `step` is one. O(log n).
std::int32_t eventAt(const std::vector<Step>& events, Step step);

} // namespace stowage::exact
