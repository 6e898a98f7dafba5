// The program ends with its last window, whatever is under way.
#pragma once

class QGuiApplication;

namespace stowage {

/// Ends the event loop as soon as the last window is closed. Qt's own end (`quitOnLastWindowClosed`) is only an event, and stays
/// out while work of the window is under way: the process outlived its window for ever. Background work is told to stop by the
/// destructors of the session and the window; what has not stopped after most of a second ends with the process, and workers end
/// with it. Files are whole at any moment (core/io/output_file.h), and settings are written when the window closes.
void endWithLastWindow(QGuiApplication& application);

} // namespace stowage
