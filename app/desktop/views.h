// The views of the window, in the order of their tabs: those of the table of pictures (app/canvas/pictures/table.h), and the few
// that are not a single picture.
#pragma once

#include "app/desktop/view.h"

#include <QFlags>
#include <QString>

#include <functional>
#include <vector>

namespace stowage {

class Look;
class Workspace;

/// The panels around a view.
enum class Panel : std::uint8_t { sidebar = 1, inspector = 2, runs = 4, diagnostics = 8, distributions = 16 };
Q_DECLARE_FLAGS(Panels, Panel)
Q_DECLARE_OPERATORS_FOR_FLAGS(Panels)

/// The panels that a session or the settings save as the sum of their values.
[[nodiscard]] inline Panels panelsOf(int sum)
{
    return Panels::fromInt(Panels::Int(sum));
}

struct ViewEntry {
    const char* id;    ///< "memory-map": for options and settings
    const char* title; ///< "Memory map"
    const char* icon;
    const char* guide; ///< page of resources/guide that F1 opens
    Panels panels;     ///< shown until the user chooses others
    std::function<View*(Workspace& workspace, const Look& look, QWidget* parent)> make;
    std::function<bool(const Workspace& workspace)> applies; ///< whether it has something to show, and so a tab; null: always
};

/// In the order of the tabs. A view is made when its tab is opened.
[[nodiscard]] const std::vector<ViewEntry>& viewEntries();

} // namespace stowage
