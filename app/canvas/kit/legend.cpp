#include "app/canvas/kit/legend.h"

#include "app/canvas/axis/names_apart.h"
#include "app/canvas/kit/palette.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

namespace stowage {

std::vector<QString> legendNames(const std::vector<QString>& names, double room, const LegendSpacing& spacing,
                                 const std::function<double(const QString&)>& measure)
{
    constexpr double step = 6; // pixels of a name
    constexpr std::size_t firsts = 3;
    std::vector<std::string> texts;
    for (const QString& name : names) texts.push_back(name.toStdString());
    const NamesApart apart(std::vector<std::string_view>(texts.begin(), texts.end()));
    const auto measured = [&](std::string_view text, bool) {
        return measure(QString::fromUtf8(text.data(), qsizetype(text.size())));
    };
    const auto within = [&](double longest) {
        std::vector<QString> shown;
        double left = 0;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const QString text = QString::fromStdString(apart.fit(texts[i], longest, measured));
            const double right = left + spacing.sign + measure(text);
            if (text.isEmpty() || right > room - (i + 1 < texts.size() ? spacing.rest : 0)) break;
            shown.push_back(text);
            left = right + spacing.apart;
        }
        return shown;
    };
    std::vector<QString> shown = within(std::numeric_limits<double>::infinity());
    if (shown.size() < names.size()) shown = within(spacing.longest);
    const std::size_t wanted = std::min(firsts, names.size());
    if (shown.size() >= wanted || spacing.least >= spacing.longest) return shown;
    const std::size_t reached = std::min(wanted, within(spacing.least).size());
    // One name with what the row has: less than that says nothing.
    if (reached == 0) return within(room - spacing.sign - (names.size() > 1 ? spacing.rest : 0));
    for (double longest = std::min(spacing.longest, room); shown.size() < reached && longest >= spacing.least; longest -= step)
        shown = within(longest);
    return shown.size() < reached ? within(spacing.least) : shown;
}

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
    if (!ordered(colouring.by)) { // numbers are whole
        const auto measure = [&](const QString& text) { return list.width(Face::label, text); };
        const double rest = 12 + measure(QStringLiteral("+%1").arg(names.size()));
        const std::vector<QString> first =
            legendNames(names, right - left, {15, 12, rest, std::numeric_limits<double>::infinity()}, measure);
        std::ranges::copy(first, names.begin());
    }
    paintLegendEntries(list, theme, names, 10, left, right, y,
                       [&](std::size_t i, const QRectF& box) { list.fill(box, fills[i], 2); });
}

} // namespace stowage
