#include "app/desktop/widgets/colour_legend.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/legend.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/buffer_colours.h"
#include "app/desktop/glossary.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/spoken_role.h"

#include <QAction>
#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <string_view>

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
    setFocusPolicy(Qt::TabFocus); // a click leaves the focus, and the keys, to the picture
    setSpokenRole(*this, QAccessible::Grouping);
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
    current_ = std::clamp(current_, 0, std::max(0, int(shown().size()) - 1));
    describe();
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
    describe();
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
    if (fitting.size() < shown().size()) openRest(fitting, event->globalPosition().toPoint());
}

void ColourLegend::openRest(const std::vector<Entry>& fitting, QPoint global)
{
    QMenu menu;
    for (std::size_t i = fitting.empty() ? 0 : fitting.back().index + 1; i < classes_.size(); ++i) {
        if (classes_[i].buffers == 0) continue;
        QPixmap mark(swatch, swatch);
        mark.fill(classColour(by_, i, *theme_));
        QAction* action = menu.addAction(QIcon(mark), nameOf(i), this, [this, i] { toggle(i); });
        action->setCheckable(true);
        action->setChecked(!isHidden(i));
    }
    menu.exec(global);
}

void ColourLegend::describe()
{
    const auto told = [this](std::size_t i) { return isHidden(i) ? tr("%1 (hidden)").arg(nameOf(i)) : nameOf(i); };
    const std::vector<std::size_t> all = shown();
    if (!hasFocus()) {
        QStringList names;
        for (const std::size_t i : all) names << told(i);
        setAccessibleDescription(names.join(QStringLiteral(", ")));
        return;
    }
    const auto fitting = entries();
    if (std::size_t(current_) < fitting.size()) {
        const std::size_t i = fitting[std::size_t(current_)].index;
        setAccessibleDescription(
            tr("%1: %2").arg(told(i), countedText(std::int64_t(classes_[i].buffers), QStringLiteral("buffer"))));
    } else {
        setAccessibleDescription(all.empty() ? QString() : tr("%1 more").arg(all.size() - fitting.size()));
    }
}

void ColourLegend::keyPressEvent(QKeyEvent* event)
{
    const auto fitting = entries();
    const bool rest = fitting.size() < shown().size();
    const int last = int(fitting.size()) - (rest ? 0 : 1), at = std::min(current_, last); // narrower than before
    const auto go = [&](int to) {
        current_ = std::clamp(to, 0, std::max(0, last));
        describe();
        update();
    };
    switch (event->key()) {
    case Qt::Key_Left: go(at - 1); break;
    case Qt::Key_Right: go(at + 1); break;
    case Qt::Key_Home: go(0); break;
    case Qt::Key_End: go(last); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (std::size_t(current_) < fitting.size())
            toggle(fitting[std::size_t(current_)].index);
        else if (rest)
            openRest(fitting, mapToGlobal(QPoint(fitting.empty() ? 0 : fitting.back().box.right() + spacing, height())));
        break;
    default: QWidget::keyPressEvent(event);
    }
}

void ColourLegend::focusInEvent(QFocusEvent*)
{
    describe();
    update();
}

void ColourLegend::focusOutEvent(QFocusEvent*)
{
    describe();
    update();
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
                             isHidden(entry.index) ? tr("show") : tr("hide"));
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
        const bool off = isHidden(entry.index);
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
    const int left = fitting.empty() ? 0 : fitting.back().box.right() + spacing;
    const QRect rest(left, 0, std::max(0, width() - left), height());
    if (const std::size_t more = shown().size() - fitting.size(); more > 0) {
        painter.setPen(theme_->text3);
        painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("+%1").arg(more));
    }
    if (!hasFocus()) return;
    const QRect at = std::size_t(current_) < fitting.size() ? fitting[std::size_t(current_)].box : rest;
    painter.setPen(QPen(theme_->accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(at.adjusted(-3, 3, 3, -3) & rect()).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
}

void addColourings(QMenu& menu, const Run* run, std::optional<ColourBy> current, const std::function<void(ColourBy)>& choose)
{
    menu.setToolTipsVisible(true);
    for (const ColourBy by : allColourings) {
        if (run && !hasColouring(*run, by)) continue;
        const std::string_view name = toText(by);
        QAction* action = menu.addAction(QString::fromUtf8(name.data(), qsizetype(name.size())));
        action->setToolTip(explained(action->text()));
        action->setCheckable(true);
        action->setChecked(by == current);
        QObject::connect(action, &QAction::triggered, &menu, [choose, by] { choose(by); });
    }
}

} // namespace stowage
