// The colour tokens of the design language, for painting. Widgets get the same tokens through the style sheet.
#pragma once

#include <QColor>

#include <array>

namespace stowage {

struct Theme {
    bool dark = true;
    QColor well, base, panel, raised, hover, press, line, line2, edge, grid, free;
    QColor text, text2, text3;
    QColor accent, onAccent, accentSoft, ok, okSoft, warn, warnSoft, bad, badSoft, sel;
    std::array<QColor, 10> buffers;    ///< categorical, the last is "other"
    std::array<QColor, 10> bufferInks; ///< label colour on each
    std::array<QColor, 10> ramp;       ///< sequential, 0 to 1
    std::array<QColor, 3> difference;  ///< higher, same, lower

    static const Theme& darkTheme();
    static const Theme& lightTheme();
    /// A colour of the sequential ramp, interpolated; `t` is clamped to 0 … 1.
    [[nodiscard]] QColor rampAt(double t) const;
    /// Dark or light ink, whichever has more contrast on `fill`.
    [[nodiscard]] QColor inkOn(const QColor& fill) const;
};

/// `from` at 0, `to` at 1, mixed channel by channel; opaque.
[[nodiscard]] QColor mix(const QColor& from, const QColor& to, double t);
/// Contrast of two opaque colours as WCAG 2 defines it: 1 … 21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

} // namespace stowage
