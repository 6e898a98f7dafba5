// The two typefaces of the design language, in logical pixels.
#pragma once

#include <QFont>

namespace stowage {

/// Text of the interface: Inter, else DejaVu Sans.
[[nodiscard]] QFont uiFont(int pixels, QFont::Weight weight = QFont::Normal);
/// Numbers, addresses and code: JetBrains Mono, else DejaVu Sans Mono.
[[nodiscard]] QFont monoFont(int pixels, QFont::Weight weight = QFont::Normal);

} // namespace stowage
