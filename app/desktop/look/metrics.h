// Sizes of the design language, in logical pixels.
#pragma once

namespace stowage::metrics {

inline constexpr int menuBar = 26;
inline constexpr int toolBar = 42;
inline constexpr int button = 28;
inline constexpr int tabs = 32;
inline constexpr int viewBar = 32;
inline constexpr int dockTitle = 30;
inline constexpr int tableHeader = 24;
inline constexpr int tableRow = 23;
inline constexpr int listRow = 25;
inline constexpr int statusBar = 26;
inline constexpr int sidebar = 232;
inline constexpr int inspector = 296;
inline constexpr int dockPadding = 10;
inline constexpr int icon = 16;

inline constexpr int caption = 11; ///< font sizes
inline constexpr int body = 12;
inline constexpr int title = 13;
inline constexpr int section = 15;
inline constexpr int welcome = 22;

inline constexpr double chipRadius = 3;
inline constexpr double controlRadius = 4;
inline constexpr double cardRadius = 6;
inline constexpr double disabledOpacity = 0.45;

} // namespace stowage::metrics
