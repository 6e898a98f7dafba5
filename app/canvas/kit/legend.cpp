#include "app/canvas/kit/legend.h"

#include "app/canvas/kit/palette.h"

#include <vector>

namespace stowage {

void paintColourLegend(DrawList& list, const Theme& theme, const Colouring& colouring, double left, double right, double y)
{
    constexpr double swatch = 15, apart = 12;
    struct Entry {
        std::size_t index;
        QString name;
        double width;
    };
    std::vector<Entry> entries;
    double all = -apart;
    for (std::size_t i = 0; i < colouring.classes.size(); ++i) {
        if (colouring.classes[i].buffers == 0) continue;
        const QString name = QString::fromStdString(colouring.classes[i].name);
        entries.push_back({i, name, swatch + list.width(Face::label, name)});
        all += entries.back().width + apart;
    }
    // The first ones are the most frequent: the last ones go, and are counted.
    const std::size_t count = entries.size();
    const auto rest = [&] { return QStringLiteral("+%1").arg(count - entries.size()); };
    const double room = right - left;
    while (!entries.empty() && all + (entries.size() < count ? apart + list.width(Face::label, rest()) : 0) > room) {
        all -= entries.back().width + apart;
        entries.pop_back();
    }
    if (entries.empty()) return;
    if (entries.size() < count) {
        list.text(Face::label, right, y, rest(), theme.text3, draw::Text::Align::right);
        right -= list.width(Face::label, rest()) + apart;
    }
    const Palette palette = paletteOf(theme, colouring.by);
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        list.text(Face::label, right, y, entry->name, theme.text2, draw::Text::Align::right);
        list.fill(list.snapped({right - entry->width, y - 5, 10, 10}), palette.fills[entry->index], 2);
        right -= entry->width + apart;
    }
}

} // namespace stowage
