// What tests of layouts of pieces compare with.
#pragma once

#include "core/planners/rectangles/perfect_fill.h"

#include <algorithm>
#include <vector>

namespace stowage::test {

/// The most bytes live at one step. By brute force, O(n^2).
inline Bytes mostLive(const std::vector<exact::Piece>& pieces)
{
    Bytes most = 0;
    for (const exact::Piece& at : pieces) {
        Bytes live = 0;
        for (const exact::Piece& piece : pieces) live += piece.begin <= at.begin && at.begin < piece.end ? piece.size : 0;
        most = std::max(most, live);
    }
    return most;
}

} // namespace stowage::test
