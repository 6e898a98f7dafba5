#include "app/canvas/kit/theme.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

// Categorical colours in their fixed order: blue, orange, teal, rose, gold, violet, green, brick, sky, slate. The inks over
// them are the dark one in the dark theme; `makeLight` lists those of the light theme.
constexpr QRgb darkInk = 0xFF0B0E13;
constexpr QRgb whiteInk = 0xFFFFFFFF;
constexpr QRgb paleInk = 0xFFE6EBF2; ///< the light ink over the sequential ramp

QColor rgb(QRgb value)
{
    return QColor::fromRgb(value);
}

template <std::size_t N>
std::array<QColor, N> colours(const QRgb (&values)[N])
{
    std::array<QColor, N> result;
    std::transform(std::begin(values), std::end(values), result.begin(), rgb);
    return result;
}

Theme makeDark()
{
    Theme t;
    t.dark = true;
    t.well = rgb(0x0D1015);
    t.base = rgb(0x12161C);
    t.panel = rgb(0x181D24);
    t.raised = rgb(0x1F252E);
    t.hover = rgb(0x29313C);
    t.press = rgb(0x343E4C);
    t.line = rgb(0x272E38);
    t.line2 = rgb(0x3D4756);
    t.edge = rgb(0x6D7A8B);
    t.grid = rgb(0x1B2129);
    t.free = rgb(0x161B22);
    t.text = rgb(0xE6EBF2);
    t.text2 = rgb(0xAAB4C2);
    t.text3 = rgb(0x8F9AA9);
    t.accent = rgb(0x5AA5FF);
    t.onAccent = rgb(0x07111E);
    t.accentSoft = rgb(0x18304E);
    t.ok = rgb(0x3CC8A0);
    t.okSoft = rgb(0x12322A);
    t.warn = rgb(0xF0B440);
    t.warnSoft = rgb(0x382C12);
    t.bad = rgb(0xFF7468);
    t.badSoft = rgb(0x411E1D);
    t.sel = rgb(0xFFFFFF);
    t.buffers = colours({0x5A9AFD, 0xF7D1AB, 0x5CC4B0, 0xCB527A, 0xC2AC0F, 0xA861BB, 0x528C3A, 0xF7837B, 0x9BE5F7, 0x8A91A4});
    t.bufferInks.fill(rgb(darkInk));
    t.ramp = colours({0x141A22, 0x17294A, 0x173E70, 0x15588A, 0x1F7596, 0x3A9296, 0x66AE8C, 0xA2C77D, 0xDDDD7B, 0xFFF6B8});
    t.difference = colours({0xF0A35E, 0x5A6575, 0x6CA9F5});
    return t;
}

Theme makeLight()
{
    Theme t;
    t.dark = false;
    t.well = rgb(0xFFFFFF);
    t.base = rgb(0xE9EDF2);
    t.panel = rgb(0xF7F9FB);
    t.raised = rgb(0xFFFFFF);
    t.hover = rgb(0xE8EDF4);
    t.press = rgb(0xD6DEE9);
    t.line = rgb(0xDCE2EA);
    t.line2 = rgb(0xB3BECC);
    t.edge = rgb(0x7C8898);
    t.grid = rgb(0xEDF0F4);
    t.free = rgb(0xF1F4F8);
    t.text = rgb(0x141A22);
    t.text2 = rgb(0x465261);
    t.text3 = rgb(0x586473);
    t.accent = rgb(0x1263D6);
    t.onAccent = rgb(0xFFFFFF);
    t.accentSoft = rgb(0xDBE8FC);
    t.ok = rgb(0x00645F);
    t.okSoft = rgb(0xD9F2EA);
    t.warn = rgb(0x8F5B06);
    t.warnSoft = rgb(0xFBEBC8);
    t.bad = rgb(0xA8131C);
    t.badSoft = rgb(0xFCE1DD);
    t.sel = rgb(0x0B1220);
    t.buffers = colours({0x264ABC, 0xC57103, 0x0D7C6A, 0x8A6895, 0x4C460E, 0x856FF7, 0x709E66, 0xBC113A, 0x0D4754, 0x8D8F97});
    t.bufferInks = colours({whiteInk, darkInk, whiteInk, whiteInk, whiteInk, darkInk, darkInk, whiteInk, whiteInk, darkInk});
    t.ramp = colours({0xF4F7FA, 0xE3EFD9, 0xBFE0BC, 0x8FCBAF, 0x5DB2AC, 0x3596A7, 0x22789B, 0x1D5A88, 0x1B3D6C, 0x14224A});
    t.difference = colours({0xB65A08, 0x8994A3, 0x1E5FB4});
    return t;
}

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

/// Relative luminance as WCAG defines it.
double luminance(const QColor& c)
{
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

} // namespace

const Theme& Theme::darkTheme()
{
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::lightTheme()
{
    static const Theme theme = makeLight();
    return theme;
}

QColor Theme::rampAt(double t) const
{
    const double position = std::clamp(std::isnan(t) ? 0.0 : t, 0.0, 1.0) * double(ramp.size() - 1);
    const auto stop = std::min(std::size_t(position), ramp.size() - 2);
    return mix(ramp[stop], ramp[stop + 1], position - double(stop));
}

QColor Theme::inkOn(const QColor& fill) const
{
    const QColor black = rgb(darkInk);
    const QColor pale = rgb(paleInk);
    const QColor& better = contrastRatio(black, fill) >= contrastRatio(pale, fill) ? black : pale;
    constexpr double readable = 4.5;
    if (contrastRatio(better, fill) >= readable) return better;
    // On a fill of middling lightness only the ends of the scale reach that: one of them does on any fill.
    return contrastRatio(Qt::black, fill) >= contrastRatio(Qt::white, fill) ? QColor(Qt::black) : QColor(Qt::white);
}

QColor mix(const QColor& from, const QColor& to, double t)
{
    const auto channel = [t](int a, int b) { return int(std::lround(a + (b - a) * t)); };
    return {channel(from.red(), to.red()), channel(from.green(), to.green()), channel(from.blue(), to.blue())};
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace stowage
