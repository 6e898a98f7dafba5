#include "app/desktop/panels/support_pile.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/buffer_colours.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/selection_model.h"
#include "app/desktop/widgets/spoken_role.h"

#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>

namespace stowage {

namespace {

constexpr int levelHeight = 36;
constexpr int groundHeight = 18;
constexpr std::size_t maxLevels = 9; ///< of deeper piles the first ones and the last are told

QString stepsText(const Interval& together)
{
    if (together.length() == 1) return SupportPile::tr("both live at %1").arg(together.begin);
    return SupportPile::tr("both live %1 to %2").arg(together.begin).arg(together.end - 1);
}

} // namespace

SupportPile::SupportPile(const std::shared_ptr<const Run>& run, const SupportChain& chain, const NumberFormat& numbers,
                         BufferColours& colours, SelectionModel& selection, const Look& look, QWidget* parent)
    : QWidget(parent), colours_(colours), selection_(selection), look_(look)
{
    const auto& buffers = run->problem().buffers;
    const auto name = [&](BufferId id) { return nameText(buffers[std::size_t(id)].name); };
    for (std::size_t i = 0; i < chain.links.size(); ++i) {
        if (chain.links.size() > maxLevels && i == maxLevels - 2) {
            const std::size_t skipped = chain.links.size() - maxLevels + 1;
            levels_.push_back({none, tr("%1 more levels").arg(skipped), {}, {}, {}});
            i += skipped - 1;
            continue;
        }
        const SupportLink& link = chain.links[i];
        Level level{link.buffer, name(link.buffer), {}, addressText(link.offset, numbers), {}};
        if (i + 1 < chain.links.size()) {
            const SupportLink& below = chain.links[i + 1];
            level.below = name(below.buffer);
            const bool own = below.buffer == link.buffer;
            level.reason = own ? tr("rests on its own other slot") : tr("rests on %1").arg(level.below);
            if (!below.together.empty()) level.reason += QStringLiteral(", ") + stepsText(below.together);
            if (below.gap > 0) level.reason += tr(", %1 lost to alignment").arg(bytesText(below.gap, numbers));
        } else {
            const QString size = bytesText(buffers[std::size_t(link.buffer)].size, numbers);
            switch (chain.end) {
            case SupportEnd::ground: level.reason = tr("%1, nothing below").arg(size); break;
            case SupportEnd::pinned: level.reason = tr("%1, pinned here").arg(size); break;
            case SupportEnd::nothing: level.reason = tr("%1, could move down").arg(size); break;
            }
        }
        levels_.push_back(std::move(level));
    }
    QStringList shown;
    for (const SupportLink& link : chain.links) shown << name(link.buffer);
    names_ = NameFit(shown);
    if (chain.end == SupportEnd::ground) ground_ = addressText(0, numbers);
    setFixedHeight(sizeHint().height());
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus); // a click leaves the focus in the picture
    setSpokenRole(*this, QAccessible::List);
    setAccessibleName(tr("What it rests on"));
    QStringList told;
    for (const Level& level : levels_) told << words(level);
    setAccessibleDescription(told.join(QStringLiteral("; ")));
}

QString SupportPile::words(const Level& level)
{
    return level.buffer == none ? level.name : tr("%1 at %2, %3").arg(level.name, level.address, level.reason);
}

QSize SupportPile::sizeHint() const
{
    return {metrics::inspector, int(levels_.size()) * levelHeight + (ground_.isEmpty() ? 0 : groundHeight) + 2};
}

int SupportPile::levelAt(double y) const
{
    const int level = int(y) / levelHeight;
    return level >= 0 && level < int(levels_.size()) && levels_[std::size_t(level)].buffer != none ? level : -1;
}

void SupportPile::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = look_.theme();
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr int barLeft = 18, barWidth = 12;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
        const Level& level = levels_[i];
        const int top = int(i) * levelHeight;
        const bool last = i + 1 == levels_.size();
        if (int(i) == hovered_) painter.fillRect(QRect(0, top, width(), levelHeight), theme.hover);
        if (hasFocus() && int(i) == current_) {
            painter.setPen(theme.accent);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(QRectF(2.5, top + 0.5, width() - 5, levelHeight - 1));
        }
        // the stem to the next level, or to the ground
        if (!last || !ground_.isEmpty())
            painter.fillRect(QRectF(barLeft + barWidth / 2.0 - 1, top + 28, 2, levelHeight - 24), theme.text2);
        if (level.buffer == none) {
            painter.setFont(uiFont(metrics::caption));
            painter.setPen(theme.text2);
            painter.fillRect(QRectF(barLeft + barWidth / 2.0 - 1, top, 2, levelHeight), theme.line2);
            painter.drawText(QRect(42, top, width() - 54, levelHeight), Qt::AlignLeft | Qt::AlignVCenter, level.name);
            continue;
        }
        const QRectF bar(barLeft, top + 5, barWidth, 23);
        if (i == 0) {
            painter.setPen(QPen(theme.sel, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(bar.adjusted(-2, -2, 2, 2), 2.5, 2.5);
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(colours_.fill(level.buffer, theme));
        painter.drawRoundedRect(bar, 1.5, 1.5);

        painter.setFont(monoFont(metrics::body));
        painter.setPen(theme.text2);
        painter.drawText(QRect(0, top + 3, width() - 12, 16), Qt::AlignRight | Qt::AlignVCenter, level.address);
        const int used = painter.fontMetrics().horizontalAdvance(level.address);
        painter.setFont(uiFont(metrics::body, QFont::Medium));
        painter.setPen(theme.text);
        const int room = width() - 42 - 12 - used - 8;
        painter.drawText(QRect(42, top + 3, room, 16), Qt::AlignLeft | Qt::AlignVCenter,
                         names_.fit(level.name, painter.fontMetrics(), room));
        painter.setFont(uiFont(metrics::caption));
        painter.setPen(theme.text2);
        const int full = width() - 42 - 12;
        painter.drawText(QRect(42, top + 18, full, 15), Qt::AlignLeft | Qt::AlignVCenter,
                         names_.fitSentence(level.reason, {level.below}, painter.fontMetrics(), full));
    }
    if (!ground_.isEmpty()) {
        const int top = int(levels_.size()) * levelHeight;
        painter.fillRect(QRectF(barLeft, top + 7, barWidth, 2), theme.text2);
        painter.setFont(monoFont(metrics::body));
        painter.setPen(theme.text2);
        painter.drawText(QRect(42, top, 120, groundHeight), Qt::AlignLeft | Qt::AlignVCenter, ground_);
    }
}

void SupportPile::mouseReleaseEvent(QMouseEvent* event)
{
    if (const int level = levelAt(event->position().y()); level >= 0) selection_.select(levels_[std::size_t(level)].buffer);
}

void SupportPile::mouseMoveEvent(QMouseEvent* event)
{
    const int level = levelAt(event->position().y());
    if (level == hovered_) return;
    hovered_ = level;
    setCursor(level >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    selection_.hover(level >= 0 ? levels_[std::size_t(level)].buffer : none);
    update();
}

void SupportPile::keyPressEvent(QKeyEvent* event)
{
    const auto isBuffer = [this](int level) { return levels_[std::size_t(level)].buffer != none; };
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int step = event->key() == Qt::Key_Down ? 1 : -1;
        int next = current_ + step;
        while (next >= 0 && next < int(levels_.size()) && !isBuffer(next)) next += step;
        if (next < 0 || next >= int(levels_.size())) break;
        current_ = next;
        setAccessibleDescription(words(levels_[std::size_t(next)]));
        update();
        break;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (current_ < int(levels_.size())) selection_.select(levels_[std::size_t(current_)].buffer);
        break;
    default: QWidget::keyPressEvent(event);
    }
}

void SupportPile::leaveEvent(QEvent*)
{
    hovered_ = -1;
    selection_.hover(none);
    update();
}

} // namespace stowage
