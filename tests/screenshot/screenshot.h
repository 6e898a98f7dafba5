// A picture of the window without a screen: for the README, for looking at every state, and for tests.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>

class QWidget;

namespace stowage {

class MainWindow;

struct ScreenshotRequest {
    QString file;           ///< PNG
    QSize size{1600, 1000}; ///< logical pixels
    QString planner;        ///< whose run is shown; empty: the best
    QString select;         ///< name of a buffer to select
    /// "busy", "palette", "palette:TEXT", "shortcuts", "search:TEXT", "diagnostics", "top", "local-first", "properties",
    /// "capacity:BYTES", "press:BUTTON", "action:ID", "record:PERCENT", "plan:PLANNER", "planning:PLANNER", "option:ID=VALUE",
    /// "robustness", "devices:NAME", "chart:INDEX", "runs-as:INDEX", "changes-since:FILE", "trace:FILE", "border:INDEX,OPS",
    /// "drag:ADDRESS", "area:X,Y,X,Y", "hover:WIDGET,X,Y", "unit:INDEX", "filter:TEXT"; several with ";" between them; empty: as
    /// it is.
    QString state;
};

/// Opens `files`, waits until everything is planned, brings about the state, grabs the window. The program's exit status: 2 when
/// the picture could not be written.
int takeScreenshot(MainWindow& window, const ScreenshotRequest& request, const QStringList& files);

/// Brings about one of the states that `ScreenshotRequest::state` names in a window that is shown.
void bringAbout(MainWindow& window, const QString& state);

/// The visible list or card that lies over the window: hits of the search, the palette, the shortcuts. Null: none.
[[nodiscard]] const QWidget* listOverWindow(const MainWindow& window);

} // namespace stowage
