#include "app/desktop/widgets/pane_head.h"

#include "app/canvas/axis/difference_colours.h"
#include "app/desktop/look/look.h"
#include "app/desktop/widgets/spoken_role.h"

#include <QMouseEvent>
#include <QPainter>

namespace stowage {

namespace {

constexpr int legendHeight = 26;

} // namespace

PaneHeadStrip::PaneHeadStrip(const Look& look, QWidget* parent) : QWidget(parent), look_(look)
{
    setFixedHeight(int(paneHeadHeight));
    setSpokenRole(*this, QAccessible::Button);
    setCursor(Qt::PointingHandCursor);
}

void PaneHeadStrip::setHead(PaneHead head, bool current)
{
    head_ = std::move(head);
    current_ = current;
    QString words = head_.title + QStringLiteral(", ") + verdictText(head_.verdict);
    for (const PaneHead::Figure& figure : head_.figures) words += QStringLiteral(", %1 %2").arg(figure.label, figure.value);
    setAccessibleName(words);
    setToolTip(head_.remark.isEmpty() ? words : words + QStringLiteral("\n") + head_.remark);
    update();
}

void PaneHeadStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    DrawList list(shaper_, devicePixelRatioF());
    paintPaneHead(list, look_.theme(), QRectF(rect()), head_);
    if (current_) list.fill({0, 0, double(width()), 2}, look_.theme().accent);
    replay(list, painter);
}

void PaneHeadStrip::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) Q_EMIT chosen();
}

DifferenceLegend::DifferenceLegend(const Look& look, QWidget* parent) : QWidget(parent), look_(look)
{
    setFixedHeight(legendHeight);
    setSpokenRole(*this, QAccessible::StaticText);
    setMinimumWidth(0);
}

void DifferenceLegend::setDifference(std::optional<PlanDifference> difference)
{
    difference_ = std::move(difference);
    setVisible(difference_.has_value());
    setAccessibleName(text());
    setToolTip(difference_ && difference_->byName ? tr("The lowerings differ: buffers are matched by name.") : QString());
    update();
}

void DifferenceLegend::setTitle(const QString& title)
{
    if (title_ == title) return;
    title_ = title;
    setAccessibleName(text());
    update();
}

QString DifferenceLegend::summary() const
{
    return title_.isEmpty() ? moved() : tr("%1: %2").arg(title_, moved());
}

QString DifferenceLegend::moved() const
{
    return tr("%1 of %2 moved")
        .arg(countText(std::int64_t(difference_->moved())), countText(std::int64_t(difference_->of.size())));
}

QString DifferenceLegend::text() const
{
    if (!difference_) return {};
    QString words = summary();
    for (const DifferenceCount& entry : differenceCounts(*difference_))
        words += QStringLiteral(", %1 %2").arg(QString::fromStdString(entry.name), countText(std::int64_t(entry.buffers)));
    return words;
}

void DifferenceLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = look_.theme();
    DrawList list(shaper_, devicePixelRatioF());
    list.fill(QRectF(rect()), theme.panel);
    list.horizontal(0, width(), height() - 1, theme.line);
    if (difference_) {
        const double y = height() / 2.0;
        double x = 12;
        const QString told = list.width(Face::labelStrong, summary()) <= width() - 20 ? summary() : moved();
        list.text(Face::labelStrong, x, y, told, theme.text);
        x += list.width(Face::labelStrong, told) + 14;
        const Palette palette = paletteOf(theme, ColourBy::difference);
        for (const DifferenceCount& entry : differenceCounts(*difference_)) {
            const QString words =
                QStringLiteral("%1 %2").arg(QString::fromStdString(entry.name), countText(std::int64_t(entry.buffers)));
            const double needed = 15 + list.width(Face::label, words);
            if (x + needed > width() - 8) break;
            list.fill(list.snapped({x, y - 5, 10, 10}), palette.fills[std::size_t(entry.shown)], 2);
            list.text(Face::label, x + 15, y, words, theme.text2);
            x += needed + 14;
        }
    }
    replay(list, painter);
}

} // namespace stowage
