// The models that are open: which files are being read, which could not be, and which model is worked on.
#pragma once

#include "app/desktop/workspace/notice.h"
#include "app/session/session.h"
#include "app/session/session_file.h"

#include <QObject>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// How a bundled sample or a saved session wants a model to be opened.
struct OpenIntent {
    QString target;                              ///< name of a target; empty: the model's own pools
    std::vector<std::string> planners;           ///< to be ticked; empty: as they are
    std::shared_ptr<const SessionModel> session; ///< of a saved session: what is done to the model; it is not planned then
    bool front = true;                           ///< of a session: the model that is worked on
};

/// A file that was not opened: kept until it is opened, or dismissed.
struct OpenFailure {
    int id = 0; ///< that the model would have had
    QString path;
    Error error;
    bool seen = false; ///< its notice was closed
};

class OpenModels : public QObject {
    Q_OBJECT

public:
    OpenModels(Session& session, QObject* parent);

    // --- which are open ----------------------------------------------------------------------------------------------
    [[nodiscard]] int current() const { return current_; } ///< the one that is worked on; 0: none is open
    void setCurrent(int id) { current_ = id; }
    [[nodiscard]] const Model* model() const; ///< that is worked on; null: none
    /// SHA-256 of the file as it was read; empty where that is not known.
    [[nodiscard]] std::string hashOf(int id) const;
    /// The model that has taken the place of `id` when its file was read again; `id` itself if none has.
    [[nodiscard]] int successor(int id) const;

    // --- reading -----------------------------------------------------------------------------------------------------
    /// Begins to read a file, and forgets that it could not be opened before. A file that is open already is not read twice:
    /// the id of its model is returned then, else 0.
    int open(const QString& path, const OpenIntent& intent, const OpenOptions& options);
    /// Reads the file of an open model again. The model stays until its successor is there: a file that has become unreadable
    /// loses nothing.
    void read(int id, const OpenOptions& options);
    /// Paths that are being read.
    [[nodiscard]] const std::map<int, QString>& opening() const { return opening_; }
    /// Gives up reading a file, also one that does not come to an end.
    void cancelOpening(int id);

    /// What was wanted of a model that has been read.
    struct Arrival {
        int before = 0; ///< the model whose place it takes; 0: none
        std::optional<OpenIntent> intent;
    };
    Arrival arrived(int id);
    void failed(int id, const QString& path, const Error& error);
    void closed(int id);
    /// A model that is closed does not come back when its file has been read again.
    void cancelSuccessorsOf(int id);

    // --- what was not opened -----------------------------------------------------------------------------------------
    /// The first one first.
    [[nodiscard]] const std::vector<OpenFailure>& failures() const { return failures_; }
    void dismissFailure(int id); ///< 0: all
    /// Reports as one notice the failures whose notice was not closed, or all of them; nothing without any.
    void reportFailures(bool all);
    void seeFailures(); ///< the notice was closed: they stay in the list

Q_SIGNALS:
    void changed(); ///< one was opened or closed, or is being read
    void noticed(const stowage::Notice& notice);

private:
    Session& session_;
    int current_ = 0;
    std::map<int, QString> opening_;
    std::vector<OpenFailure> failures_;
    std::map<int, OpenIntent> intents_;
    std::map<int, std::string> hashes_; ///< of the files as they were read
    std::map<int, int> replaces_;       ///< models that are being read -> whose place they take
    std::map<int, int> successors_;     ///< models that are gone -> what took their place
};

} // namespace stowage
