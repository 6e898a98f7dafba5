// The Fusion style, with its own painting of the few parts that a style sheet cannot draw.
#pragma once

#include "app/canvas/kit/theme.h"

#include <QPalette>
#include <QProxyStyle>
#include <QString>

namespace stowage {

class Style : public QProxyStyle {
    Q_OBJECT

public:
    Style();
    void setTheme(const Theme& theme) { theme_ = &theme; }

    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* result) const override;

private:
    const Theme* theme_ = &Theme::darkTheme();
};

/// A check box of 14 px centred in `box`, as the style draws it; also for delegates.
void paintCheckBox(QPainter& painter, const QRectF& box, Qt::CheckState state, bool enabled, bool hovered, const Theme& theme,
                   bool focus = false);

/// The application's palette.
[[nodiscard]] QPalette paletteFor(const Theme& theme);

/// The style sheet: the template of resources/themes with `@token` replaced by the theme's colours.
[[nodiscard]] QString styleSheetFor(const Theme& theme);

/// Tokens by name as the template writes them, without the @.
[[nodiscard]] std::vector<std::pair<QString, QColor>> tokensOf(const Theme& theme);

} // namespace stowage
