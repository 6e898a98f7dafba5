#include "app/desktop/buffer_colours.h"

#include <algorithm>

namespace stowage {

QColor classColour(ColourBy by, std::size_t index, const Theme& theme)
{
    if (ordered(by)) return theme.rampAt(0.2 + 0.6 * double(index) / double(orderedClasses - 1));
    return theme.buffers[std::min(index, theme.buffers.size() - 1)];
}

void BufferColours::setRun(std::shared_ptr<const Run> run)
{
    if (run == run_) return;
    run_ = std::move(run);
    colouring_.reset();
}

QColor BufferColours::fill(BufferId buffer, const Theme& theme)
{
    if (!run_ || buffer < 0) return theme.buffers.back();
    if (!colouring_) colouring_ = std::make_unique<Colouring>(colouring(*run_, defaultColouring(*run_)));
    if (std::size_t(buffer) >= colouring_->of.size()) return theme.buffers.back();
    return classColour(colouring_->by, colouring_->of[std::size_t(buffer)], theme);
}

} // namespace stowage
