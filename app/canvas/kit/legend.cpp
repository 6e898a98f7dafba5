#include "app/canvas/kit/legend.h"

#include "app/canvas/kit/palette.h"

namespace stowage {

void paintLegendEntries(DrawList& list, const Theme& theme, const std::vector<QString>& names, double sign, double left,
                        double right, double y, const std::function<void(std::size_t, const QRectF&)>& paintSign)
{
    constexpr double beside = 5, apart = 12;
    const auto widthOf = [&](std::size_t i) { return sign + beside + list.width(Face::label, names[i]); };
    double all = -apart;
    for (std::size_t i = 0; i < names.size(); ++i) all += widthOf(i) + apart;
    // The first ones matter most: the last ones go, and are counted.
    std::size_t shown = names.size();
    const auto rest = [&] { return QStringLiteral("+%1").arg(names.size() - shown); };
    while (shown > 0 && all + (shown < names.size() ? apart + list.width(Face::label, rest()) : 0) > right - left)
        all -= widthOf(--shown) + apart;
    if (shown == 0) return;
    if (shown < names.size()) {
        list.text(Face::label, right, y, rest(), theme.text3, draw::Text::Align::right);
        right -= list.width(Face::label, rest()) + apart;
    }
    while (shown-- > 0) {
        list.text(Face::label, right, y, names[shown], theme.text2, draw::Text::Align::right);
        paintSign(shown, list.snapped({right - widthOf(shown), y - sign / 2, sign, sign}));
        right -= widthOf(shown) + apart;
    }
}

void paintColourLegend(DrawList& list, const Theme& theme, const Colouring& colouring, double left, double right, double y)
{
    std::vector<QString> names;
    std::vector<QColor> fills;
    const Palette palette = paletteOf(theme, colouring.by);
    for (std::size_t i = 0; i < colouring.classes.size(); ++i) {
        if (colouring.classes[i].buffers == 0) continue;
        names.push_back(QString::fromStdString(colouring.classes[i].name));
        fills.push_back(palette.fills[i]);
    }
    paintLegendEntries(list, theme, names, 10, left, right, y,
                       [&](std::size_t i, const QRectF& box) { list.fill(box, fills[i], 2); });
}

} // namespace stowage
