#include "app/charts/stacked_chart.h"

#include "app/canvas/kit/number_text.h"
#include "app/charts/chart_legend.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double stackShare = 0.56; ///< of the height that a bar has
constexpr double highestRow = 40;
constexpr double lowestRowOfText = 14; ///< below that numbers would lie on each other: there are none
constexpr double longestName = 104;
constexpr double shortestBar = 60; ///< the longest one, at least: names give way to it
constexpr double sideMargin = 12;
constexpr double textGap = 8;
constexpr double titleRow = 18;
constexpr double limitOver = 3; ///< by which a limit stands out above and below its bar

} // namespace

StackedChart::StackedChart(QWidget* parent) : QWidget(parent), theme_(&Theme::darkTheme())
{
    legend_ = new ChartLegend(this);
}

void StackedChart::setTheme(const Theme& theme)
{
    theme_ = &theme;
    legend_->setTheme(theme);
    update();
}

void StackedChart::setBars(QStringList names, std::vector<ChartPart> parts, std::vector<std::optional<double>> limits,
                           std::vector<QString> texts, const QString& title)
{
    title_ = title;
    names_ = std::move(names);
    parts_ = std::move(parts);
    limits_ = std::move(limits);
    texts_ = std::move(texts);
    highest_ = 0;
    for (qsizetype bar = 0; bar < names_.size(); ++bar) {
        double sum = 0;
        for (const ChartPart& part : parts_) sum += part.values[std::size_t(bar)];
        if (const auto& limit = limits_[std::size_t(bar)]) sum = std::max(sum, *limit);
        highest_ = std::max(highest_, sum);
    }
    if (highest_ <= 0) highest_ = 1;
    std::vector<std::pair<QString, QColor>> named;
    for (const ChartPart& part : parts_) named.emplace_back(part.name, part.colour);
    legend_->setEntries(named);
    describe();
    arrange();
    update();
}

void StackedChart::describe()
{
    // For screen readers: each bar with its text and the shares of its parts.
    QStringList texts;
    if (!title_.isEmpty() && !names_.isEmpty()) texts << title_;
    for (qsizetype bar = 0; bar < names_.size(); ++bar) {
        const auto at = std::size_t(bar);
        double sum = 0;
        for (const ChartPart& part : parts_) sum += part.values[at];
        QStringList words{QStringLiteral("%1: %2").arg(names_[bar], texts_[at])};
        for (const ChartPart& part : parts_)
            if (part.values[at] > 0) words << QStringLiteral("%1 %2").arg(part.name, shareText(part.values[at] / sum));
        if (limits_[at]) words << (sum > *limits_[at] ? tr("over its limit") : tr("within its limit"));
        texts << words.join(QStringLiteral(", "));
    }
    setAccessibleDescription(texts.join(QStringLiteral("; ")));
}

void StackedChart::arrange()
{
    legend_->setGeometry(0, 0, width(), legend_->heightFor(width()));
}

void StackedChart::resizeEvent(QResizeEvent*)
{
    arrange();
}

void StackedChart::paint(DrawList& list) const
{
    const Theme& theme = *theme_;
    list.fill({0, 0, double(width()), double(height())}, theme.well);
    if (names_.isEmpty()) return;
    const double top = legend_->height() + 4.0;
    const double below = title_.isEmpty() ? 4 : titleRow;
    const double row = std::min(highestRow, (height() - top - below) / double(names_.size()));
    const bool says = row >= lowestRowOfText;
    double left = sideMargin, right = width() - sideMargin;
    double nameRoom = 0;
    if (says) {
        double widest = 0;
        for (const QString& text : texts_) widest = std::max(widest, list.width(Face::number, text));
        right -= widest + textGap;
        for (const QString& name : names_) nameRoom = std::max(nameRoom, list.width(Face::label, name));
        nameRoom = std::min({nameRoom, longestName, right - left - textGap - shortestBar});
        if (nameRoom > 0) left += nameRoom + textGap;
    }
    const double scale = std::max(1.0, right - left) / highest_;
    for (qsizetype bar = 0; bar < names_.size(); ++bar) {
        const double middle = top + (double(bar) + 0.5) * row;
        const double half = row * stackShare / 2;
        double x = left;
        for (const ChartPart& part : parts_) {
            const double wide = part.values[std::size_t(bar)] * scale;
            if (wide > 0) list.fill(list.snapped({x, middle - half, wide, 2 * half}), part.colour);
            x += wide;
        }
        if (const auto& limit = limits_[std::size_t(bar)])
            list.vertical(left + *limit * scale, middle - half - limitOver, middle + half + limitOver, theme.bad, 1.5);
        if (!says) continue;
        if (nameRoom > 0)
            list.text(Face::label, left - textGap, middle, list.elided(Face::label, names_[bar], nameRoom + 0.5), theme.text2,
                      Align::right);
        list.text(Face::number, width() - sideMargin, middle, texts_[std::size_t(bar)], theme.text, Align::right);
    }
    const double bottom = top + double(names_.size()) * row;
    list.vertical(left - 1, top, bottom, theme.line2);
    if (says) list.text(Face::label, width() - sideMargin, bottom + titleRow / 2, title_, theme.text3, Align::right);
}

void StackedChart::paintEvent(QPaintEvent*)
{
    DrawList list(shaper_, devicePixelRatioF());
    paint(list);
    QPainter painter(this);
    replay(list, painter);
}

} // namespace stowage
