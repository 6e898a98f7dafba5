// The commands that menu, palette and keys give to the view that is shown.
#pragma once

#include <cstdint>

namespace stowage {

enum class ViewCommand : std::uint8_t {
    zoomIn,
    zoomOut,
    panLeft,
    panRight,
    back, ///< to what was shown before
    forward,
    neighbourLeft, ///< of the selected buffer
    neighbourRight,
    neighbourUp,
    neighbourDown,
    play,     ///< a replay, or its pause
    stepBack, ///< of a replay
    stepForward,
    note, ///< leaves one where the pointer is, or opens the one that is there
    next, ///< of what the view goes through: an iteration; else the shell goes to the next buffer
    previous,
};

} // namespace stowage
