#include "app/desktop/view.h"

#include "app/desktop/widgets/canvas.h"

namespace stowage {

void View::zoomToFit()
{
    if (Canvas* shown = canvas()) shown->zoomToFit();
}

void View::zoomToSelection()
{
    if (Canvas* shown = canvas()) shown->zoomToSelection();
}

void View::zoomToPeak()
{
    if (Canvas* shown = canvas()) shown->zoomToPeak();
}

bool View::perform(ViewCommand command)
{
    Canvas* shown = canvas();
    return shown && shown->perform(command);
}

bool View::performs(ViewCommand command)
{
    if (needsAddresses(command)) {
        const Canvas* shown = canvas();
        return shown && shown->hasAddresses();
    }
    if (command == ViewCommand::sumArea) {
        const Canvas* shown = canvas();
        return shown && shown->hasAreas();
    }
    return command != ViewCommand::widerNames && command != ViewCommand::narrowerNames && command != ViewCommand::borderBack &&
           command != ViewCommand::borderForward;
}

} // namespace stowage
