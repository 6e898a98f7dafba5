// Detects that the file of an open model has changed, and offers to read it again.
#pragma once

#include "app/desktop/background_job.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QSet>
#include <QString>

#include <vector>

class QTimer;

namespace stowage {

class Workspace;
struct Model;

class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(Workspace& workspace, QObject* parent = nullptr);
    /// Whether changed files are read again without asking.
    [[nodiscard]] bool reloads() const { return reloads_; }
    void setReloads(bool on) { reloads_ = on; }

Q_SIGNALS:
    void settled(); ///< a file has its old contents again, and was the last one that had changed

private:
    void follow();
    void look();
    void compare(int id, const std::string& now);
    /// Offers to read the files of `changed_` again, in one notice.
    void tell();
    /// The models of `changed_` that are still open.
    [[nodiscard]] std::vector<const Model*> changed() const;

    Workspace& workspace_;
    QFileSystemWatcher watcher_;
    QSet<QString> touched_;
    QSet<QString> gone_;       ///< files of open models that are not watched, because they do not exist now
    QTimer* delay_ = nullptr;  ///< because a file may be written in several steps
    QTimer* again_ = nullptr;  ///< looks for the files of `gone_`, less and less often
    std::vector<int> changed_; ///< models whose files have changed, and about which the user has not decided
    bool reloads_ = false;
    BackgroundJobs hashing_{WhenGone::leave};
};

} // namespace stowage
