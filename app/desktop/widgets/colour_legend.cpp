#include "app/desktop/widgets/colour_legend.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/legend.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/buffer_colours.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/spoken_role.h"

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

/// Pixels of a text, with what rounding takes.
int legendWidth(const QString& text)
{
    return int(std::ceil(QFontMetricsF(legendFont()).horizontalAdvance(text))) + 1;
}

} // namespace

ColourLegend::ColourLegend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setSpokenRole(*this, QAccessible::StaticText);
    setAccessibleName(tr("Legend"));
}

QSize ColourLegend::sizeHint() const
{
    int width = 0;
    for (const std::size_t i : shown()) width += swatch + nameGap + std::min(longest, legendWidth(nameOf(i))) + spacing;
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
    for (const std::size_t i : shown()) names << nameOf(i);
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QString ColourLegend::nameOf(std::size_t index) const
{
    return QString::fromStdString(classes_[index].name);
}

std::vector<std::size_t> ColourLegend::shown() const
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < classes_.size(); ++i)
        if (classes_[i].buffers > 0) found.push_back(i);
    return found;
}

std::vector<ColourLegend::Entry> ColourLegend::entries() const
{
    const std::vector<std::size_t> all = shown();
    std::vector<QString> names;
    for (const std::size_t i : all) names.push_back(nameOf(i));
    LegendSpacing spacings{swatch + nameGap, spacing, restWidth, longest};
    if (ordered(by_)) spacings.least = longest; // numbers are whole
    std::vector<Entry> found;
    int left = 0;
    for (const QString& name : legendNames(names, width(), spacings, legendWidth)) {
        const int needed = swatch + nameGap + legendWidth(name);
        found.push_back({all[found.size()], QRect(left, 0, needed, height()), name});
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
    if (fitting.size() == shown().size()) return;
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
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, entry.name);
    }
    painter.setOpacity(1);
    painter.setFont(font);
    if (const std::size_t more = shown().size() - fitting.size(); more > 0) {
        const int left = fitting.empty() ? 0 : fitting.back().box.right() + spacing;
        painter.setPen(theme_->text3);
        painter.drawText(QRect(left, 0, width() - left, height()), Qt::AlignLeft | Qt::AlignVCenter,
                         QStringLiteral("+%1").arg(more));
    }
}

} // namespace stowage
