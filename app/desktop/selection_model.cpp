#include "app/desktop/selection_model.h"

#include <algorithm>
#include <utility>

namespace stowage {

void SelectionModel::setRun(std::shared_ptr<const Run> run)
{
    run_ = std::move(run);
}

void SelectionModel::select(BufferId buffer)
{
    selectMany(buffer == none ? std::vector<BufferId>{} : std::vector<BufferId>{buffer});
}

void SelectionModel::selectMany(std::vector<BufferId> buffers)
{
    // The one that was selected stays the main one when the new area holds it too.
    const BufferId main = buffers.empty()                                        ? none
                          : std::ranges::find(buffers, buffer_) != buffers.end() ? buffer_
                                                                                 : buffers.front();
    if (main == buffer_ && buffers == buffers_.list()) return;
    buffer_ = main;
    buffers_ = SharedBuffers(std::move(buffers));
    Q_EMIT selectionChanged();
}

void SelectionModel::hover(BufferId buffer)
{
    if (buffer == hovered_) return;
    hovered_ = buffer;
    Q_EMIT hoverChanged();
}

void SelectionModel::setCursor(std::optional<Step> step)
{
    if (step == cursor_) return;
    cursor_ = step;
    Q_EMIT cursorChanged();
}

void SelectionModel::setFilter(const BufferFilter& filter)
{
    if (filter == filter_) return;
    filter_ = filter;
    Q_EMIT filterChanged();
}

void SelectionModel::setMask(std::shared_ptr<const BufferMask> mask)
{
    if (mask == mask_) return;
    mask_ = std::move(mask);
    Q_EMIT maskChanged();
}

void SelectionModel::clear()
{
    select(none);
    hover(none);
    setCursor(std::nullopt);
}

} // namespace stowage
