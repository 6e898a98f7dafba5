#include "app/canvas/kit/fonts.h"

#include <QStringList>

namespace stowage {

namespace {

QFont make(const QStringList& families, int pixels, QFont::Weight weight, QFont::StyleHint hint)
{
    QFont font(families);
    font.setStyleHint(hint);
    font.setWeight(weight);
    font.setPixelSize(pixels);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setKerning(true);
    return font;
}

} // namespace

QFont uiFont(int pixels, QFont::Weight weight)
{
    return make({QStringLiteral("Inter"), QStringLiteral("DejaVu Sans")}, pixels, weight, QFont::SansSerif);
}

QFont monoFont(int pixels, QFont::Weight weight)
{
    return make({QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono")}, pixels, weight, QFont::Monospace);
}

} // namespace stowage
