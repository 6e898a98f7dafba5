#include "app/desktop/widgets/controls.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/spoken_role.h"

#include <QAbstractScrollArea>
#include <QAction>
#include <QButtonGroup>
#include <QCoreApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleOptionButton>
#include <QStylePainter>
#include <QToolTip>
#include <QVariant>

#include <algorithm>
#include <utility>

namespace stowage {

QPushButton* makeButton(const QString& text, const QString& iconName, ButtonKind kind, bool small)
{
    auto* button = new Button(text);
    if (!iconName.isEmpty())
        button->setIcon(themedIcon(iconName, kind == ButtonKind::primary ? IconTone::onAccent : IconTone::normal));
    if (kind == ButtonKind::primary) button->setProperty("kind", QStringLiteral("primary"));
    if (kind == ButtonKind::link) {
        button->setProperty("kind", QStringLiteral("link"));
        button->setCursor(Qt::PointingHandCursor);
    }
    if (small) button->setProperty("compact", true);
    button->setAutoDefault(false);
    return button;
}

QToolButton* makeIconButton(const QString& iconName, const QString& tip, bool small)
{
    auto* button = new QToolButton;
    button->setIcon(themedIcon(iconName));
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    if (small) button->setProperty("compact", true);
    return button;
}

QToolButton* makeIconButton(QAction* action, bool small)
{
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    if (small) button->setProperty("compact", true);
    return button;
}

namespace {

const char* toneName(Tone tone)
{
    switch (tone) {
    case Tone::main: return "main";
    case Tone::secondary: return "secondary";
    case Tone::caption: return "caption";
    case Tone::ok: return "ok";
    case Tone::warn: return "warn";
    case Tone::bad: return "bad";
    case Tone::accent: return "accent";
    }
    return "main";
}

} // namespace

QLabel* makeLabel(const QString& text, Tone tone, int pixels, QFont::Weight weight)
{
    auto* label = new QLabel(text);
    label->setFont(uiFont(pixels, weight));
    label->setTextFormat(Qt::PlainText);
    label->setProperty("tone", QString::fromLatin1(toneName(tone)));
    return label;
}

QLabel* makeNumber(const QString& text, Tone tone, int pixels)
{
    auto* label = makeLabel(text, tone, pixels);
    label->setFont(monoFont(pixels));
    return label;
}

void setTone(QLabel* label, Tone tone)
{
    setLook(label, "tone", QString::fromLatin1(toneName(tone)));
}

void setLook(QWidget* widget, const char* property, const QVariant& value)
{
    if (widget->property(property) == value) return;
    widget->setProperty(property, value);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
}

void clearLayout(QLayout& layout)
{
    while (QLayoutItem* item = layout.takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->setObjectName({});
            widget->hide();
            widget->deleteLater();
        }
        if (QLayout* inner = item->layout()) clearLayout(*inner);
        delete item;
    }
}

namespace {

void showWidgets(const QLayout& layout)
{
    for (int i = 0; i < layout.count(); ++i) {
        QLayoutItem* item = layout.itemAt(i);
        if (QWidget* widget = item->widget()) widget->show();
        if (const QLayout* inner = item->layout()) showWidgets(*inner);
    }
}

} // namespace

void showContents(QLayout& layout)
{
    showWidgets(layout);
    for (QWidget* at = layout.parentWidget(); at; at = at->parentWidget()) {
        if (at->layout()) at->layout()->activate(); // tells the parent's layout
        if (!qobject_cast<QAbstractScrollArea*>(at)) continue;
        QEvent asked(QEvent::LayoutRequest);
        QCoreApplication::sendEvent(at, &asked);
        return;
    }
}

QFrame* makeLine(Qt::Orientation orientation, int length)
{
    auto* line = new QFrame;
    line->setFrameShape(QFrame::NoFrame);
    line->setBackgroundRole(QPalette::Mid);
    line->setAutoFillBackground(true);
    if (orientation == Qt::Horizontal)
        line->setFixedHeight(1);
    else
        line->setFixedWidth(1);
    if (length > 0 && orientation == Qt::Vertical) line->setFixedHeight(length);
    return line;
}

ElidedLabel::ElidedLabel(Qt::TextElideMode mode, QWidget* parent) : QLabel(parent), mode_(mode)
{
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text)
{
    if (text == full_) return;
    full_ = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void ElidedLabel::setFitter(std::function<QString(const QString&, const QFontMetrics&, int)> fitter)
{
    fitter_ = std::move(fitter);
    update();
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 4, fontMetrics().height()};
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(full_) + 2, fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int room = contentsRect().width();
    const QString shown = fitter_                   ? fitter_(full_, fontMetrics(), room)
                          : mode_ == Qt::ElideRight ? elidedWhole(full_, fontMetrics(), room)
                                                    : fontMetrics().elidedText(full_, mode_, room);
    if (toolTip() == tip_) { // else it has one of its own, which says more
        tip_ = shown == full_ ? QString() : full_;
        setToolTip(tip_);
    }
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), int(alignment() | Qt::AlignVCenter), shown);
}

namespace {

constexpr int iconGap = 7;

/// What a button says beside its icon: nothing where its bar has no room for words (`iconOnly`).
QString wordsOf(const QPushButton& button)
{
    return button.property("iconOnly").toBool() && !button.icon().isNull() ? QString() : button.text();
}

int sideMargin(const QPushButton& button)
{
    if (button.property("kind") == QLatin1String("link")) return 0;
    return button.property("compact").toBool() ? 9 : 11;
}

} // namespace

QSize Button::sizeHint() const
{
    ensurePolished();
    const int height = QPushButton::sizeHint().height();
    const QString text = wordsOf(*this);
    int width = 2 * sideMargin(*this) + trailing();
    if (!icon().isNull()) width += iconSize().width() + (text.isEmpty() ? 0 : iconGap);
    if (!text.isEmpty()) width += fontMetrics().size(Qt::TextShowMnemonic, text).width();
    return {width, height};
}

void Button::paintEvent(QPaintEvent*)
{
    QStylePainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.features &= ~QStyleOptionButton::HasMenu;
    painter.drawControl(QStyle::CE_PushButtonBevel, option);
    // The border of a joined button is its neighbour's, too: the focus has a frame of its own.
    if (hasFocus() && property("segment").isValid()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::controlRadius, metrics::controlRadius);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }

    const QString text = wordsOf(*this);
    const bool left = trailing() > 0;
    const int textWidth = text.isEmpty() ? 0 : fontMetrics().size(Qt::TextShowMnemonic, text).width();
    const int iconWidth = icon().isNull() ? 0 : iconSize().width() + (text.isEmpty() ? 0 : iconGap);
    const int margin = sideMargin(*this);
    int x = left ? margin : std::max(text.isEmpty() ? 0 : margin, (width() - textWidth - iconWidth) / 2);
    if (!icon().isNull()) {
        const QIcon::Mode mode = isEnabled() ? QIcon::Normal : QIcon::Disabled;
        const QRect box(x, (height() - iconSize().height()) / 2, iconSize().width(), iconSize().height());
        icon().paint(&painter, box, Qt::AlignCenter, mode, isChecked() ? QIcon::On : QIcon::Off);
        x += iconWidth;
    }
    // The style sheet writes its colours into the palette of the widget; hovered links are underlined.
    QFont font = this->font();
    if (property("kind") == QLatin1String("link") && (underMouse() || hasFocus()) && isEnabled()) font.setUnderline(true);
    painter.setFont(font);
    const QPalette::ColorGroup group = isEnabled() ? QPalette::Active : QPalette::Disabled;
    const bool segment = property("segment").isValid() && !property("segment").toString().isEmpty();
    painter.setPen(segment && isChecked() && isEnabled() ? palette().color(QPalette::WindowText)
                                                         : palette().color(group, QPalette::ButtonText));
    const bool mnemonic = style()->styleHint(QStyle::SH_UnderlineShortcut, &option, this);
    painter.drawText(QRect(x, 0, width() - x, height()),
                     Qt::AlignLeft | Qt::AlignVCenter | (mnemonic ? Qt::TextShowMnemonic : Qt::TextHideMnemonic), text);
}

ChoiceButton::ChoiceButton(const QString& iconName, bool small, QWidget* parent) : Button(parent)
{
    if (!iconName.isEmpty()) setIcon(themedIcon(iconName));
    setProperty("chooser", true);
    if (small) setProperty("compact", true);
    setAutoDefault(false);
}

void ChoiceButton::setMenuFiller(std::function<void(QMenu&)> filler)
{
    auto* menu = new QMenu(this);
    connect(menu, &QMenu::aboutToShow, menu, [menu, filler = std::move(filler)] {
        menu->clear();
        filler(*menu);
    });
    setMenu(menu);
}

void ChoiceButton::setMaximumTextWidth(int pixels)
{
    maximumText_ = pixels;
    updateGeometry();
}

void ChoiceButton::setChoice(const QString& text)
{
    ensurePolished();
    QString shown = fontMetrics().elidedText(text, Qt::ElideMiddle, maximumText_);
    static const QRegularExpression inNumber(QStringLiteral("[\\d,.]\u2026|\u2026[\\d,.]"));
    if (shown != text && inNumber.match(shown).hasMatch()) shown = elidedWhole(text, fontMetrics(), maximumText_);
    setText(QString(shown).replace(u'&', QStringLiteral("&&")));
    cut_ = shown == text ? QString() : text;
    if (accessibleName() == spoken_)
        setAccessibleName(spoken_ = text); // it has no name of its own
    else
        setAccessibleDescription(text);
}

bool ChoiceButton::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || cut_.isEmpty()) return Button::event(event);
    const QString whole = toolTip().isEmpty() ? cut_ : cut_ + u'\n' + toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), whole, this);
    return true;
}

void ChoiceButton::paintEvent(QPaintEvent* event)
{
    Button::paintEvent(event);
    QPainter painter(this);
    QColor colour = palette().color(QPalette::PlaceholderText);
    if (!isEnabled()) colour.setAlphaF(float(metrics::disabledOpacity));
    const int room = property("compact").toBool() ? 20 : 24;
    paintIcon(painter, QRectF(width() - room, 0, 14, height()), QStringLiteral("chevron-down"), colour, 12);
}

SegmentedControl::SegmentedControl(const QStringList& labels, bool small, QWidget* parent) : QWidget(parent)
{
    setSpokenRole(*this, QAccessible::Grouping);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* group = new QButtonGroup(this);
    for (qsizetype i = 0; i < labels.size(); ++i) {
        auto* button = makeButton(labels[i], {}, ButtonKind::normal, small);
        button->setCheckable(true);
        const bool first = i == 0, last = i == labels.size() - 1;
        button->setProperty("segment", first && last ? "only" : first ? "first" : last ? "last" : "middle");
        group->addButton(button, int(i));
        row->addWidget(button);
        buttons_.push_back(button);
    }
    if (!buttons_.empty()) buttons_.front()->setChecked(true);
    connect(group, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
}

int SegmentedControl::current() const
{
    const auto down = std::ranges::find_if(buttons_, [](const QPushButton* button) { return button->isChecked(); });
    return down == buttons_.end() ? -1 : int(down - buttons_.begin());
}

void SegmentedControl::setCurrent(int index)
{
    if (index >= 0 && index < int(buttons_.size())) buttons_[std::size_t(index)]->setChecked(true);
}

KeyCap::KeyCap(const QString& key, QWidget* parent) : QLabel(key, parent)
{
    setFont(monoFont(11));
    setAlignment(Qt::AlignCenter);
    setFixedSize(std::max(18, fontMetrics().horizontalAdvance(key) + 10), 18);
}

void KeyCap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(palette().color(QPalette::Button));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::chipRadius, metrics::chipRadius);
    painter.setPen(palette().color(QPalette::ButtonText));
    painter.drawText(rect(), Qt::AlignCenter, text());
}

} // namespace stowage
