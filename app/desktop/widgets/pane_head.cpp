#include "app/desktop/widgets/pane_head.h"

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
    counts_ = difference_ ? differenceCounts(*difference_) : std::vector<DifferenceCount>();
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
    for (const DifferenceCount& entry : counts_)
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
        QString told; // whole or absent
        for (const QString& text : {summary(), moved()})
            if (told.isEmpty() && list.width(Face::labelStrong, text) <= width() - 20) told = text;
        list.text(Face::labelStrong, x, y, told, theme.text);
        x += list.width(Face::labelStrong, told) + 14;
        for (const DifferenceCount& entry : counts_) {
            const double needed = differenceEntryWidth(list, entry);
            if (x + needed > width() - 8) break;
            paintDifferenceEntry(list, theme, entry, x, y);
            x += needed + 14;
        }
    }
    replay(list, painter);
}

} // namespace stowage
