// Saves and reads the state of the window as a session document, and writes the autosave, which survives a kill of the process.
#pragma once

#include "app/session/session_file.h"

#include <QObject>
#include <QString>

#include <functional>
#include <string>
#include <utility>
#include <vector>

class QTimer;

namespace stowage {

class Workspace;

class SessionKeeper : public QObject {
    Q_OBJECT

public:
    /// Parts of the state that the window owns.
    struct WindowParts {
        std::function<std::string()> view;
        std::function<std::string()> docks;
        std::function<SessionZoom()> zoom;                                ///< zoom of the shown view
        std::function<std::vector<std::pair<std::string, int>>()> panels; ///< see `SessionDocument::panels`
    };
    SessionKeeper(Workspace& workspace, WindowParts parts, QObject* parent);

    /// The state of the window. The hash of a file that is still being worked out is empty.
    [[nodiscard]] SessionDocument capture() const;
    /// The text of a session file at `file`, to whose folder paths are relative. Reads the files that have no hash; for a thread
    /// that may wait.
    [[nodiscard]] static std::string text(SessionDocument session, const QString& file, const std::stop_token& cancel);
    /// Reads a session, without opening it.
    [[nodiscard]] static Expected<SessionDocument> read(const QString& file);

    /// The path of the autosave. Creates its folder.
    [[nodiscard]] static QString autosaveFile();
    /// Writes the autosave if the state has changed. The file is replaced as a whole, so that a killed process leaves the
    /// previous one. No effect before the first model is opened: until then it is the state of the last start, which can still be
    /// reopened. A file that no session holds is in it once it has been read.
    void autosave();

private:
    Workspace& workspace_;
    WindowParts parts_;
    QTimer* timer_ = nullptr;
    bool begun_ = false;  ///< in this start a model was opened, or one of a saved session is being read or was not opened
    std::string written_; ///< text of the last autosave
};

} // namespace stowage
