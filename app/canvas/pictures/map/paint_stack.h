// Paints a stack of bands: to the screen, into files, for tests.
#pragma once

#include "app/canvas/pictures/map/stack.h"

#include <QImage>

#include <span>

namespace stowage {

/// Paints everything but the overlay. Returns true if `vector` had to become a raster.
bool paintStack(DrawList& list, const StackState& state, const StackLayout& layout, BodyMode mode,
                std::span<const QImage> bodies = {});
/// Paints the marks of pointer and selection, on top. Fast.
void paintStackOverlay(DrawList& list, const StackState& state, const StackLayout& layout);

} // namespace stowage
