// Saves and reads the state of the window as a session document, and writes the autosave, which survives a kill of the process.
#pragma once

#include "app/desktop/file_lock.h"
#include "app/session/session_file.h"
#include "app/session/task_pool.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <cstdint>
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
        std::function<std::vector<std::pair<std::string, int>>()> panels; ///< see `SessionDocument::panels`
    };
    SessionKeeper(Workspace& workspace, WindowParts parts, QObject* parent);
    ~SessionKeeper() override;

    /// The state of the window. The hash of a file that is still being worked out is empty.
    [[nodiscard]] SessionDocument capture() const;
    /// The text of a session file at `file`, to whose folder paths are relative. Reads the files that have no hash; for a thread
    /// that may wait.
    [[nodiscard]] static std::string text(SessionDocument session, const QString& file, const std::stop_token& cancel);
    /// Reads a session, without opening it.
    [[nodiscard]] static Expected<SessionDocument> read(const QString& file);

    static constexpr int maxPlaces = 20; ///< count of running programs that have an autosave
    /// The path of an autosave; each running program has another `place`, from 1. Creates their folder.
    [[nodiscard]] static QString autosaveFile(int place = 1);
    /// The autosave of this program: at first the newest one that no running program writes, which is the state of the last
    /// start. Empty if other programs hold all places.
    [[nodiscard]] const QString& file() const { return file_; }
    static constexpr int maxCopies = 10; ///< count of copies of autosaves that could not be read, for each place
    /// Reads `file()`, without opening it. If it cannot be read (it is damaged, or of a newer version), it is copied to a file
    /// beside it, as the next autosave replaces it; the error names the copy. A file with an equal copy is not copied again.
    /// Without a copy, because there are `maxCopies` others or because it cannot be written, `file()` is left alone: the window
    /// has no autosave until a later call succeeds, and the error says so. May be called on any thread.
    [[nodiscard]] Expected<SessionDocument> readLast();
    /// Writes the autosave if the state has changed, and waits until it is written. The file is replaced as a whole, so that a
    /// killed process leaves the previous one. No effect before the first model or suite is opened: until then it is the state of
    /// the last start, which can still be reopened. A file that no session holds is in it once it has been read.
    void autosave();
    /// To be called when a part of the state has changed: the autosave is written soon. Changes meanwhile do not put it off, and
    /// do not end the writing of an earlier state: the next one begins after it.
    void touch();

private:
    /// What is known of `file_`, which may be the state of the last start.
    enum class LastFile : std::uint8_t {
        unchecked,   ///< not read in this start
        replaceable, ///< it could be read, is copied, or is not there
        leftAlone,   ///< it can neither be read nor copied, and is not replaced
    };
    /// Takes a place for the autosave, and its lock until the end of this object or of the process. Leaves `file_` empty if other
    /// programs hold all places.
    void takePlace();
    void tellNoPlace(); ///< once
    /// Whether the autosave may replace `file_`. Reads it unless that was done in this start, and copies it if it cannot be read;
    /// a notice, if it cannot be copied either. For the thread of `writer_`: the file may be large.
    [[nodiscard]] bool mayReplace();
    /// Copies `file()`; see `readLast`. Returns the name of the copy; empty without one.
    [[nodiscard]] QString copyLast() const;
    /// Starts to write the autosave on a thread of its own: a disk may be slow, and other work of the window must not delay it.
    /// `then` is called on that thread. False if there is nothing to write yet.
    bool startAutosave(std::function<void()> then);

    Workspace& workspace_;
    WindowParts parts_;
    QTimer* timer_ = nullptr;
    /// In this start a model or a suite was opened, or a model of a saved session is being read or was not opened.
    bool begun_ = false;
    bool told_ = false; ///< a notice has said that there is no place for the autosave
    QString file_;
    std::atomic<LastFile> lastFile_ = LastFile::unchecked;
    FileLock lock_;              ///< of `file_`
    std::atomic<int> last_ = 0;  ///< number of the last autosave that was started; earlier ones are outdated
    std::atomic<int> ended_ = 0; ///< number of the last autosave whose writing has ended
    std::string written_;        ///< text of the last autosave; of the thread of `writer_`
    TaskPool writer_{1};         ///< goes first: its tasks use the above
};

} // namespace stowage
