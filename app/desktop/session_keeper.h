// Sessions of the window: what is on the desk as a document, the document back on the desk, and the autosave that survives a
// kill.
#pragma once

#include "app/session/session_file.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

class QTimer;

namespace stowage {

class Workspace;

class SessionKeeper : public QObject {
    Q_OBJECT

public:
    /// What the window, not the workspace, knows.
    struct WindowParts {
        std::function<std::string()> view;
        std::function<std::string()> docks;
        std::function<SessionZoom()> zoom; ///< of the view that is shown
    };
    SessionKeeper(Workspace& workspace, WindowParts parts, QObject* parent);

    [[nodiscard]] SessionDocument capture() const;
    /// The session as it would be written into `file`: paths are relative to its folder.
    [[nodiscard]] std::string text(const QString& file) const;
    /// Reads a session. It is not on the desk yet.
    [[nodiscard]] static Expected<SessionDocument> read(const QString& file);

    /// Where the desk is kept without being asked, between starts. The folder is made.
    [[nodiscard]] static QString autosaveFile();
    /// Writes the autosave now, if anything changed since. A file is replaced whole or not at all, so that a process that is
    /// killed leaves the one before.
    void autosave();

    /// Plans of runs with more buffers are not kept: they are planned again in less time than they are read.
    static constexpr std::size_t maxBuffers = 20'000;
    static constexpr std::size_t maxRuns = 12; ///< of a model

private:
    Workspace& workspace_;
    WindowParts parts_;
    QTimer* timer_ = nullptr;
    std::string written_; ///< the autosave as it was written last
};

} // namespace stowage
