// The commands that menu, palette and keys give to the shown view.
#pragma once

#include <cstdint>

namespace stowage {

enum class ViewCommand : std::uint8_t {
    zoomIn,
    zoomOut,
    panLeft,
    panRight,
    back, ///< to the previous visible range
    forward,
    neighbourLeft, ///< selects that neighbour of the selected buffer
    neighbourRight,
    neighbourUp,
    neighbourDown,
    play,     ///< plays or pauses a replay
    stepBack, ///< one step of a replay
    stepForward,
    note, ///< adds a note at the pointer, or opens the one there
    next, ///< next item of the view (an iteration); in other views the next buffer
    previous,
};

} // namespace stowage
