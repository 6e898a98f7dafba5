// Paints a stack of bands: to the screen, into files, for tests.
#pragma once

#include "app/canvas/pictures/map/stack.h"

#include <QImage>

#include <span>

namespace stowage {

/// Paints everything but the overlay. Returns true when `vector` had to fall back to a raster.
bool paintStack(DrawList& list, const StackState& state, const StackLayout& layout, BodyMode mode,
                std::span<const QImage> bodies = {});
/// Paints what follows the pointer and the selection: cheap, and on top.
void paintStackOverlay(DrawList& list, const StackState& state, const StackLayout& layout);

} // namespace stowage
