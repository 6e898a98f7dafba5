// Keys by their position on the keyboard: W, A, S and D are in the same position in every layout.
#pragma once

#include <QString>

#include <cstdint>

namespace stowage {

/// For the keys at the positions of W, A, S and D on an American keyboard, that letter, if `platform` (of QGuiApplication) gives
/// the scan codes of evdev. For other keys and platforms `key`, from the layout.
[[nodiscard]] inline int keyByPlace(const QString& platform, std::uint32_t scanCode, int key)
{
    if (platform != u"xcb" && !platform.startsWith(u"wayland")) return key;
    switch (scanCode) {
    case 25: return Qt::Key_W;
    case 38: return Qt::Key_A;
    case 39: return Qt::Key_S;
    case 40: return Qt::Key_D;
    default: return key;
    }
}

} // namespace stowage
