#include "app/desktop/look/look.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/look/style.h"

#include <QApplication>
#include <QPalette>
#include <QPixmapCache>
#include <QToolTip>

namespace stowage {

Look::Look(QApplication& application, ThemeMode mode, QObject* parent)
    : QObject(parent),
      application_(application),
      style_(new Style),
      mode_(mode),
      // Before anything of ours is set, the palette is the desktop's.
      systemDark_(application.palette().color(QPalette::Window).lightness() < 128)
{
    QPixmapCache::setCacheLimit(32 * 1024); // KiB; icons at several tints and scales
    application_.setStyle(style_);
    application_.setFont(uiFont(metrics::body));
    QToolTip::setFont(uiFont(metrics::body));
    apply();
}

void Look::setMode(ThemeMode mode)
{
    if (mode == mode_) return;
    mode_ = mode;
    Q_EMIT modeChanged();
    apply();
}

void Look::setSystemDark(bool dark)
{
    if (dark == systemDark_) return;
    systemDark_ = dark;
    apply();
}

void Look::apply()
{
    const bool dark = mode_ == ThemeMode::dark || (mode_ == ThemeMode::system && systemDark_);
    const Theme* next = dark ? &Theme::darkTheme() : &Theme::lightTheme();
    if (next == theme_) return;
    theme_ = next;
    style_->setTheme(*theme_);
    QToolTip::setPalette(paletteFor(*theme_));
    application_.setPalette(paletteFor(*theme_));
    application_.setStyleSheet(styleSheetFor(*theme_));
    Q_EMIT themeChanged();
}

} // namespace stowage
