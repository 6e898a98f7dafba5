// Keys by their place on the keyboard: W, A, S and D lie below a hand, whatever letters the layout puts there.
#pragma once

#include <QString>

#include <cstdint>

namespace stowage {

/// The letter that a key has on an American keyboard, where `platform` (of QGuiApplication) gives the scan codes of evdev: W, A,
/// S or D for the keys in their places. Any other key, and any other platform: `key`, as the layout has it.
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
