#include "app/charts/chart_legend.h"

#include <QPainter>

namespace stowage {

namespace {

constexpr double legendRow = 18;
constexpr double legendMargin = 8;
constexpr double swatch = 10;
constexpr double swatchGap = 5;
constexpr double entryGap = 12;

} // namespace

ChartLegend::ChartLegend(QWidget* parent) : QWidget(parent), theme_(&Theme::darkTheme())
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

void ChartLegend::setTheme(const Theme& theme)
{
    theme_ = &theme;
    update();
}

void ChartLegend::setEntries(const std::vector<std::pair<QString, QColor>>& entries)
{
    entries_.clear();
    for (const auto& entry : entries)
        if (!entry.first.isEmpty()) entries_.push_back(entry);
    update();
}

std::vector<QPointF> ChartLegend::places(DrawList& list, int width) const
{
    std::vector<QPointF> found;
    QPointF at(legendMargin, legendRow / 2 + 2);
    for (const auto& [name, colour] : entries_) {
        const double needed = swatch + swatchGap + list.width(Face::label, name);
        if (at.x() > legendMargin && at.x() + needed > width - legendMargin) at = {legendMargin, at.y() + legendRow};
        found.push_back(at);
        at.rx() += needed + entryGap;
    }
    return found;
}

int ChartLegend::heightFor(int width)
{
    if (entries_.empty()) return 0;
    DrawList measured(shaper_, 1);
    return int(places(measured, width).back().y() + legendRow / 2);
}

void ChartLegend::paint(DrawList& list) const
{
    list.fill({0, 0, double(width()), double(height())}, theme_->well);
    const std::vector<QPointF> at = places(list, width());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const auto& [name, colour] = entries_[i];
        list.fill(list.snapped({at[i].x(), at[i].y() - swatch / 2, swatch, swatch}), colour, 2);
        const double left = at[i].x() + swatch + swatchGap;
        list.text(Face::label, left, at[i].y(), list.elided(Face::label, name, width() - legendMargin - left), theme_->text2);
    }
}

void ChartLegend::paintEvent(QPaintEvent*)
{
    DrawList list(shaper_, devicePixelRatioF());
    paint(list);
    QPainter painter(this);
    replay(list, painter);
}

} // namespace stowage
