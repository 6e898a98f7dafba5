#include "app/desktop/look/style.h"

#include "app/desktop/look/icons.h"
#include "app/desktop/look/metrics.h"

#include <QComboBox>
#include <QFile>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

#include <algorithm>

namespace stowage {

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void paintCheckBox(QPainter& painter, const QRectF& box, Qt::CheckState state, bool enabled, bool hovered, const Theme& theme,
                   bool focus)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (!enabled) painter.setOpacity(painter.opacity() * metrics::disabledOpacity);
    QRectF frame(0, 0, 13, 13);
    frame.moveTopLeft(QPointF(std::floor(box.center().x() - 7) + 0.5, std::floor(box.center().y() - 7) + 0.5));
    const bool on = state != Qt::Unchecked;
    // On the accent's own fill, the focus is seen in the colour of text, as on a primary button.
    painter.setPen(QPen(on && focus ? theme.text : on || hovered || focus ? theme.accent : theme.edge, 1));
    painter.setBrush(on ? theme.accent : theme.well);
    painter.drawRoundedRect(frame, metrics::chipRadius, metrics::chipRadius);
    if (state == Qt::Checked)
        paintIcon(painter, frame, QStringLiteral("check"), theme.onAccent, 12);
    else if (state == Qt::PartiallyChecked)
        paintIcon(painter, frame, QStringLiteral("minus"), theme.onAccent, 12);
    painter.restore();
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    switch (element) {
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck: {
        const Qt::CheckState state = option->state & State_NoChange ? Qt::PartiallyChecked
                                     : option->state & State_On     ? Qt::Checked
                                                                    : Qt::Unchecked;
        const bool focus = element == PE_IndicatorCheckBox && option->state & State_HasFocus; // a row shows it otherwise
        paintCheckBox(*painter, option->rect, state, option->state & State_Enabled, option->state & State_MouseOver, *theme_,
                      focus);
        return;
    }
    case PE_IndicatorMenuCheckMark:
        if (option->state & State_On) paintIcon(*painter, option->rect, QStringLiteral("check"), theme_->accent, 14);
        return;
    case PE_IndicatorArrowRight: paintIcon(*painter, option->rect, QStringLiteral("chevron-right"), theme_->text3, 12); return;
    case PE_IndicatorArrowDown: paintIcon(*painter, option->rect, QStringLiteral("chevron-down"), theme_->text3, 12); return;
    case PE_FrameFocusRect: return; // focus is a border of the control's own
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const
{
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if (control != CC_ComboBox || !combo || combo->editable) {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        if (control != CC_Slider || !(option->state & State_HasFocus)) return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(theme_->accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(subControlRect(control, option, SC_SliderHandle, widget)).adjusted(0.5, 0.5, -0.5, -0.5),
                                 metrics::chipRadius, metrics::chipRadius);
        painter->restore();
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (!(option->state & State_Enabled)) painter->setOpacity(metrics::disabledOpacity);
    const bool focus = option->state & State_HasFocus;
    painter->setPen(QPen(focus ? theme_->accent : theme_->line2, 1));
    painter->setBrush(option->state & State_On          ? theme_->press
                      : option->state & State_MouseOver ? theme_->hover
                                                        : theme_->raised);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), metrics::controlRadius, metrics::controlRadius);
    const QRect arrow = subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
    paintIcon(*painter, arrow, QStringLiteral("chevron-down"), theme_->text3, 12);
    painter->restore();
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const
{
    if (control == CC_ComboBox) {
        const QRect whole = option->rect;
        if (part == SC_ComboBoxArrow) return QRect(whole.right() - 21, whole.top(), 20, whole.height());
        if (part == SC_ComboBoxEditField) return whole.adjusted(8, 1, -22, -1);
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight: return 14;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize: return metrics::icon;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth: return 1;
    case PM_ToolBarFrameWidth:
    case PM_ToolBarItemMargin:
    case PM_ToolBarItemSpacing:
    case PM_DockWidgetTitleMargin:
    case PM_DockWidgetTitleBarButtonMargin: return 0;
    case PM_CheckBoxLabelSpacing: return 8;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* result) const
{
    switch (hint) {
    case SH_UnderlineShortcut:
    case SH_ComboBox_Popup:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText: return 0;
    case SH_ToolTip_WakeUpDelay: return 500;
    case SH_Menu_SubMenuPopupDelay: return 120;
    default: return QProxyStyle::styleHint(hint, option, widget, result);
    }
}

QPalette paletteFor(const Theme& theme)
{
    QPalette palette;
    const auto all = [&](QPalette::ColorRole role, const QColor& colour) { palette.setColor(role, colour); };
    all(QPalette::Window, theme.base);
    all(QPalette::WindowText, theme.text);
    all(QPalette::Base, theme.well);
    all(QPalette::AlternateBase, theme.panel);
    all(QPalette::Text, theme.text);
    all(QPalette::PlaceholderText, theme.text3);
    all(QPalette::Button, theme.raised);
    all(QPalette::ButtonText, theme.text2);
    all(QPalette::BrightText, theme.bad);
    all(QPalette::ToolTipBase, theme.raised);
    all(QPalette::ToolTipText, theme.text);
    all(QPalette::Highlight, theme.accent);
    all(QPalette::HighlightedText, theme.onAccent);
    all(QPalette::Link, theme.accent);
    all(QPalette::LinkVisited, theme.accent);
    all(QPalette::Light, theme.raised);
    all(QPalette::Midlight, theme.hover);
    all(QPalette::Mid, theme.line2);
    all(QPalette::Dark, theme.line);
    all(QPalette::Shadow, theme.line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        QColor faded = palette.color(QPalette::Active, role);
        faded.setAlphaF(float(metrics::disabledOpacity));
        palette.setColor(QPalette::Disabled, role, faded);
    }
    return palette;
}

std::vector<std::pair<QString, QColor>> tokensOf(const Theme& t)
{
    const auto q = [](const char* name) { return QString::fromLatin1(name); };
    return {
        {q("well"), t.well},
        {q("base"), t.base},
        {q("panel"), t.panel},
        {q("raised"), t.raised},
        {q("hover"), t.hover},
        {q("press"), t.press},
        {q("line"), t.line},
        {q("line2"), t.line2},
        {q("edge"), t.edge},
        {q("text"), t.text},
        {q("text2"), t.text2},
        {q("text3"), t.text3},
        {q("accent"), t.accent},
        {q("onAccent"), t.onAccent},
        {q("accentSoft"), t.accentSoft},
        {q("ok"), t.ok},
        {q("okSoft"), t.okSoft},
        {q("warn"), t.warn},
        {q("warnSoft"), t.warnSoft},
        {q("bad"), t.bad},
        {q("badSoft"), t.badSoft},
        {q("text2Disabled"), mix(t.base, t.text2, metrics::disabledOpacity)},
        {q("accentHover"), mix(t.accent, t.text, 0.12)},
        {q("accentPress"), mix(t.accent, t.text, 0.24)},
        {q("accentDisabled"), mix(t.base, t.accent, metrics::disabledOpacity)},
        {q("raisedDisabled"), mix(t.base, t.raised, 0.5)},
    };
}

QString styleSheetFor(const Theme& theme)
{
    QFile file(QStringLiteral(":/themes/stowage.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString sheet = QString::fromUtf8(file.readAll());
    auto tokens = tokensOf(theme);
    // Longest first: "text2" must not be taken for "text" and a 2.
    std::ranges::sort(tokens, [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
    for (const auto& [name, colour] : tokens) sheet.replace(u'@' + name, colour.name());
    return sheet;
}

} // namespace stowage
