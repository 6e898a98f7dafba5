#include "app/desktop/widgets/colour_legend.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/buffer_colours.h"
#include "app/desktop/look/metrics.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr int swatch = 10;
constexpr int nameGap = 5;    ///< between swatch and name
constexpr int spacing = 12;   ///< between classes
constexpr int longest = 150;  ///< pixels of a name
constexpr int restWidth = 34; ///< for "+12"
constexpr double hiddenOpacity = 0.45;

QFont legendFont()
{
    return uiFont(metrics::body);
}

} // namespace

ColourLegend::ColourLegend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setAccessibleName(tr("Legend"));
}

QSize ColourLegend::sizeHint() const
{
    int width = 0;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        if (classes_[i].buffers > 0) width += widthOf(i) + spacing;
    return {std::max(60, width), metrics::viewBar - 2};
}

QSize ColourLegend::minimumSizeHint() const
{
    return {restWidth, metrics::viewBar - 2};
}

void ColourLegend::setTheme(const Theme& theme)
{
    theme_ = &theme;
    update();
}

void ColourLegend::setClasses(const Colouring& colouring, unsigned hidden)
{
    by_ = colouring.by;
    classes_ = colouring.classes;
    hidden_ = hidden;
    QStringList names;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        if (classes_[i].buffers > 0) names << nameOf(i);
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QString ColourLegend::nameOf(std::size_t index) const
{
    return QString::fromStdString(classes_[index].name);
}

std::size_t ColourLegend::shown() const
{
    return std::size_t(std::ranges::count_if(classes_, [](const ColourClass& c) { return c.buffers > 0; }));
}

int ColourLegend::widthOf(std::size_t index) const
{
    return swatch + nameGap + std::min(longest, int(std::ceil(QFontMetricsF(legendFont()).horizontalAdvance(nameOf(index)))) + 1);
}

std::vector<ColourLegend::Entry> ColourLegend::entries() const
{
    std::vector<Entry> found;
    const std::size_t all = shown();
    int left = 0;
    for (std::size_t i = 0; i < classes_.size(); ++i) {
        if (classes_[i].buffers == 0) continue;
        const int needed = widthOf(i);
        const bool last = found.size() + 1 == all;
        if (left + needed > width() - (last ? 0 : restWidth)) break;
        found.push_back({i, QRect(left, 0, needed, height())});
        left += needed + spacing;
    }
    return found;
}

QRect ColourLegend::boxOf(std::size_t index) const
{
    for (const Entry& entry : entries())
        if (entry.index == index) return entry.box;
    return {};
}

void ColourLegend::toggle(std::size_t index)
{
    hidden_ ^= 1U << index;
    update();
    Q_EMIT hiddenChanged(hidden_);
}

void ColourLegend::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) return;
    const auto fitting = entries();
    for (const Entry& entry : fitting)
        if (entry.box.adjusted(-4, 0, 4, 0).contains(event->pos())) {
            toggle(entry.index);
            return;
        }
    if (fitting.size() == shown()) return;
    // The others, in a menu.
    QMenu menu;
    for (std::size_t i = fitting.empty() ? 0 : fitting.back().index + 1; i < classes_.size(); ++i) {
        if (classes_[i].buffers == 0) continue;
        QPixmap mark(swatch, swatch);
        mark.fill(classColour(by_, i, *theme_));
        QAction* action = menu.addAction(QIcon(mark), nameOf(i), this, [this, i] { toggle(i); });
        action->setCheckable(true);
        action->setChecked(!(hidden_ & 1U << i));
    }
    menu.exec(event->globalPosition().toPoint());
}

bool ColourLegend::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (const Entry& entry : entries())
            if (entry.box.contains(help->pos())) {
                const QString text =
                    tr("%1: %2. Click to %3.")
                        .arg(nameOf(entry.index), countedText(std::int64_t(classes_[entry.index].buffers), tr("buffer")),
                             hidden_ & 1U << entry.index ? tr("show") : tr("hide"));
                QToolTip::showText(help->globalPos(), text, this);
                return true;
            }
    }
    return QWidget::event(event);
}

void ColourLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = legendFont();
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const auto fitting = entries();
    for (const Entry& entry : fitting) {
        const bool off = hidden_ & 1U << entry.index;
        painter.setOpacity(off || !isEnabled() ? hiddenOpacity : 1);
        const QRectF mark(entry.box.left(), (height() - swatch) / 2, swatch, swatch);
        const QColor colour = classColour(by_, entry.index, *theme_);
        painter.setPen(off ? QPen(theme_->text2, 1) : QPen(Qt::NoPen));
        painter.setBrush(off ? QBrush(Qt::NoBrush) : QBrush(colour));
        painter.drawRoundedRect(off ? mark.adjusted(0.5, 0.5, -0.5, -0.5) : mark, 2, 2);
        painter.setPen(theme_->text2);
        const QRect text = entry.box.adjusted(swatch + nameGap, 0, 0, 0);
        QFont shown = font;
        shown.setStrikeOut(off);
        painter.setFont(shown);
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(nameOf(entry.index), Qt::ElideRight, text.width()));
    }
    painter.setOpacity(1);
    painter.setFont(font);
    if (const std::size_t more = shown() - fitting.size(); more > 0) {
        const int left = fitting.empty() ? 0 : fitting.back().box.right() + spacing;
        painter.setPen(theme_->text3);
        painter.drawText(QRect(left, 0, width() - left, height()), Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("+%1").arg(more));
    }
}

} // namespace stowage
