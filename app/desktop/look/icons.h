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

/// Which colour of the palette an icon takes. On and selected icons take the accent; disabled ones fade.
enum class IconTone { normal, accent, onAccent };

/// An icon by file name without suffix, for actions and buttons. It follows the application's palette, so it needs no renewal
/// when the theme changes. A name that does not exist draws nothing (a test goes over all names in use).
[[nodiscard]] QIcon themedIcon(const QString& name, IconTone tone = IconTone::normal);

/// The same in a given colour, for own painting. `size` in logical pixels; cached.
[[nodiscard]] QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal devicePixelRatio);
/// Draws it centred in `box`, at 16 px.
void paintIcon(QPainter& painter, const QRectF& box, const QString& name, const QColor& colour, int size = 16);

/// The four blocks of the logo in the theme's colours, filling `box`.
void paintLogo(QPainter& painter, const QRectF& box, const Theme& theme);

/// All names in the set.
[[nodiscard]] QStringList iconNames();

} // namespace stowage
