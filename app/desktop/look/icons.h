// The icon set: SVG line drawings in a 16 px box (resources/icons), tinted when they are drawn.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QRectF>
#include <QString>

class QPainter;

namespace stowage {

struct Theme;

/// The colour of an icon from the palette. Icons that are on or selected have the accent colour; disabled ones are faded.
enum class IconTone { normal, accent, onAccent };

/// An icon by its file name without suffix, for actions and buttons. It follows the application's palette, and stays right when
/// the theme changes. An unknown name draws nothing (a test checks all names in use).
[[nodiscard]] QIcon themedIcon(const QString& name, IconTone tone = IconTone::normal);

/// The icon in a given colour, for painting. `size` in logical pixels; cached.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal devicePixelRatio);
/// Draws the icon centred in `box`.
void paintIcon(QPainter& painter, const QRectF& box, const QString& name, const QColor& colour, int size = 16);

/// The four blocks of the logo in the theme's colours, filling `box`.
void paintLogo(QPainter& painter, const QRectF& box, const Theme& theme);

/// The names of all icons.
[[nodiscard]] QStringList iconNames();

} // namespace stowage
