#include "app/canvas/kit/legend.h"

#include "app/canvas/kit/palette.h"

namespace stowage {

void paintColourLegend(DrawList& list, const Theme& theme, const Colouring& colouring, double left, double right, double y)
{
    const Palette palette = paletteOf(theme, colouring.by);
    for (std::size_t i = colouring.classes.size(); i-- > 0;) {
        if (colouring.classes[i].buffers == 0) continue;
        const QString name = QString::fromStdString(colouring.classes[i].name);
        const double needed = 15 + list.width(Face::label, name);
        if (right - needed < left) break;
        list.text(Face::label, right, y, name, theme.text2, draw::Text::Align::right);
        list.fill(list.snapped({right - needed, y - 5, 10, 10}), palette.fills[i], 2);
        right -= needed + 12;
    }
}

} // namespace stowage
