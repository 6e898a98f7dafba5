// The theme of the window: dark, light, or that of the system.
#pragma once

#include "app/canvas/kit/theme.h"

#include <QObject>
#include <QPointer>

class QApplication;

namespace stowage {

class Style;

enum class ThemeMode { dark, light, system };

/// Sets style, palette, style sheet and fonts of the application, and changes them live.
class Look : public QObject {
    Q_OBJECT

public:
    explicit Look(QApplication& application, ThemeMode mode, QObject* parent = nullptr);

    [[nodiscard]] const Theme& theme() const { return *theme_; }
    [[nodiscard]] ThemeMode mode() const { return mode_; }
    void setMode(ThemeMode mode);
    /// Sets the theme of the desktop (from SystemTheme), which is used in the mode `system`.
    void setSystemDark(bool dark);

Q_SIGNALS:
    void themeChanged();
    void modeChanged();

private:
    void apply();

    QApplication& application_;
    QPointer<Style> style_; // owned by the application
    ThemeMode mode_;
    bool systemDark_;
    const Theme* theme_ = nullptr;
};

} // namespace stowage
