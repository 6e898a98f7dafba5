// The open models: files being read, files that could not be read, and the current model.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/workspace/notice.h"
#include "app/session/session.h"
#include "app/session/session_file.h"

#include <QDateTime>
#include <QObject>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// Settings for opening a model of a bundled sample or a saved session.
struct OpenIntent {
    QString target;                              ///< name of a target; empty: the model's own pools
    std::vector<std::string> planners;           ///< planners to tick; empty: unchanged
    std::shared_ptr<const SessionModel> session; ///< of a saved session: the edits of the model, which is not planned then
    bool front = true;                           ///< of a session: it becomes the current model
};

/// The options with which the file of a saved model is read.
[[nodiscard]] OpenOptions readingOf(const SessionModel& kept);

/// A file that could not be opened; kept until it is opened or dismissed.
struct OpenFailure {
    int id = 0; ///< id of the model that was to be opened; negative: of a session
    QString path;
    Error error;
    bool seen = false; ///< the user has closed its notice
    OpenIntent intent; ///< the settings that the model was to get
};

/// A model of a saved session that is not open, because its file is still being read or could not be read.
struct WaitingModel {
    int id = 0;
    std::shared_ptr<const SessionModel> kept; ///< not null
    bool front = false;                       ///< it becomes the current model when it is read
    bool failed = false;
};

class OpenModels : public QObject {
    Q_OBJECT

public:
    OpenModels(Session& session, QObject* parent);

    // --- which are open ----------------------------------------------------------------------------------------------
    [[nodiscard]] int current() const { return current_; } ///< the current model; 0: none is open
    void setCurrent(int id) { current_ = id; }
    [[nodiscard]] const Model* model() const; ///< the current model; null: none
    /// The open models, ascending. A model whose saved state is still being checked counts as one that is being read.
    [[nodiscard]] std::vector<int> ids() const;
    /// SHA-256 of the file that was read; empty: it was written to meanwhile, or could not be read. Not yet known: nothing. It is
    /// worked out beside the reading, and takes longer for files of which little is read.
    [[nodiscard]] std::optional<std::string> hashOf(int id) const;
    /// The model that replaced `id` when its file was read again; `id` itself if none has.
    [[nodiscard]] int successor(int id) const;

    // --- reading -----------------------------------------------------------------------------------------------------
    /// The open models of a file, read with the same options if they are to get the state of a saved one.
    [[nodiscard]] std::vector<int> openOf(const QString& path, const OpenIntent& intent, const OpenOptions& options) const;
    /// Whether `file` exists and is that of an open model, of one that is being read, or of a saved one that is not open yet.
    [[nodiscard]] bool isFileOfModel(const QString& file) const;
    /// Calls `write`, which replaces `file`. For the file of a model a notice asks first; `write` is then called only while
    /// `holds`, which says whether what would be written is still what was asked about.
    void replace(const QString& file, const std::function<void()>& write, const std::function<bool()>& holds);
    /// Starts to read a file, and removes its earlier failure. If that was a model of a saved session, the model gets its saved
    /// state; if `intent` or `options` ask for something else, the failure keeps that state until the file has been read.
    void open(const QString& path, OpenIntent intent, OpenOptions options);
    /// Reads the file of an open model again. The model stays until its successor is read, so that an unreadable file loses
    /// nothing. An earlier such reading that has not ended is cancelled. `edit`: the edit that asks for it
    /// (`ModelEdits::newEdit`); 0: that of the cancelled reading, or none.
    void read(int id, const OpenOptions& options, int edit = 0);
    /// The options of the reading that is to replace `id`; without one, those with which it was read.
    [[nodiscard]] OpenOptions optionsAsked(int id) const;
    /// The reading of an open model's file again.
    struct Again {
        int model = 0; ///< that it is to replace
        OpenOptions options;
        int edit = 0; ///< see `read`
    };
    /// No value: `reading` is none, or has ended.
    [[nodiscard]] std::optional<Again> again(int reading) const;
    /// The saved state that the model gets when it has been read; null: none.
    [[nodiscard]] std::shared_ptr<const SessionModel> savedOf(int id) const;
    /// Paths that are being read, by id; also of models that have been read and whose saved state is being checked.
    [[nodiscard]] const std::map<int, QString>& opening() const { return opening_; }
    /// Cancels the reading of a file, also of one without an end.
    void cancelOpening(int id);

    /// The request for a model that has been read.
    struct Arrival {
        int before = 0; ///< the model that it replaces; 0: none
        std::optional<OpenIntent> intent;
    };
    Arrival arrived(int id);
    void failed(int id, const QString& path, const Error& error);
    /// A file that is not opened as a model, such as a session, could not be read: it is told and listed with the others.
    void sessionFailed(const QString& path, const Error& error) { failed(--lastSession_, path, error); }
    /// It was read: an earlier failure of it ends.
    void sessionRead(const QString& path);
    /// The file turned out to be no model, and something else takes it.
    void leftOut(int id);
    void closed(int id);
    /// To be called for a closed model: cancels reading its file again.
    void cancelSuccessorsOf(int id);

    // --- what was not opened -----------------------------------------------------------------------------------------
    /// The failures, the oldest first.
    [[nodiscard]] const std::vector<OpenFailure>& failures() const { return failures_; }
    void dismissFailure(int id); ///< 0: all
    /// Saved models that are being read or could not be read, ascending by id.
    [[nodiscard]] std::vector<WaitingModel> waiting() const;
    /// Reports in one notice the failures whose notice was not closed, or all of them; no notice without failures.
    void reportFailures(bool all);
    void seeFailures(); ///< marks all as seen, after their notice was closed

Q_SIGNALS:
    void changed(); ///< one was opened or closed, or is being read
    void hashed();  ///< the hash of an open file is known now
    void noticed(const stowage::Notice& notice);

private:
    struct ToHash {
        int id = 0;
        QString path;
        QDateTime written; ///< of the file when its reading began
    };
    void hashNext();
    void forgetHash(int id);

    Session& session_;
    int current_ = 0;
    int lastSession_ = 0; ///< id of the last session that could not be read
    std::map<int, QString> opening_;
    std::vector<OpenFailure> failures_;
    std::map<int, OpenIntent> intents_;
    std::map<int, std::string> hashes_; ///< of the files when they were read
    std::deque<ToHash> toHash_;         ///< the first one is being worked out
    std::map<int, Again> again_;        ///< by model that is being read; at most one for each open model
    std::map<int, int> retries_;        ///< by model that is being read: the failure that it ends
    std::map<int, int> successors_;     ///< by closed model: its successor
    BackgroundJob hashing_;             ///< one file at a time
};

} // namespace stowage
