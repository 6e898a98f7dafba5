// The commands that menu, palette and keys give to the shown view.
#pragma once

#include <cstdint>

namespace stowage {

enum class ViewCommand : std::uint8_t {
    zoomIn,
    zoomOut,
    panLeft,
    panRight,
    addressZoomIn, ///< addresses only; in pictures of one scale both axes
    addressZoomOut,
    panDown, ///< to lower addresses
    panUp,
    sumArea,    ///< selects and sums up what is in view, as a drag over all of it does
    widerNames, ///< moves the edge between names and plot
    narrowerNames,
    borderBack,    ///< moves the border of the selected stage of a pipeline to the next allowed place before an earlier op
    borderForward, ///< the same, a later op
    back,          ///< to the previous visible range
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

/// Whether a command needs axes of addresses, or others that grow upwards.
[[nodiscard]] constexpr bool needsAddresses(ViewCommand command)
{
    return command == ViewCommand::addressZoomIn || command == ViewCommand::addressZoomOut || command == ViewCommand::panDown ||
           command == ViewCommand::panUp;
}

} // namespace stowage
