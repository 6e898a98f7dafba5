// Ends the program with its last window, even while work is running.
#pragma once

class QGuiApplication;

namespace stowage {

/// Ends the event loop when the last window is closed. Qt's `quitOnLastWindowClosed` only posts an event, which is not handled
/// while the window works, so that the process could outlive its window. The destructors of session and window stop background
/// work; work that has not stopped after half a second ends with the process, as do workers. Files are complete at any moment
/// (core/io/output_file.h), and settings are written when the window closes.
void endWithLastWindow(QGuiApplication& application);

} // namespace stowage
