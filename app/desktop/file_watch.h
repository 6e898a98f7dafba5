// Detects that a file whose contents are shown has changed, and offers to read it again: the file of an open model, the target
// of one, a log of the runtime, the suite, devices and a measured run of a pipeline.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/workspace/beside_file.h"
#include "app/session/model.h"

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

class QTimer;

namespace stowage {

class Workspace;

class FileWatch : public QObject {
    Q_OBJECT

public:
    /// Asks the system to tell of changes of a file; false: it does not.
    using Watch = std::function<bool(const QString& path)>;

    explicit FileWatch(Workspace& workspace, QObject* parent = nullptr);
    /// Whether changed files are read again without asking.
    [[nodiscard]] bool reloads() const { return reloads_; }
    void setReloads(bool on) { reloads_ = on; }
    /// Compares size and time of all followed files, for changes that the system does not tell of: those made by another machine.
    /// Called when a window of the application becomes active.
    void compareAll();
    /// Whether the contents of a file beside the models are known, so that a change of them is noticed.
    [[nodiscard]] bool knows(const QString& path) const;
    void setWatch(Watch watch) { watch_ = std::move(watch); } ///< in the place of the system's, for tests

Q_SIGNALS:
    void settled(); ///< a file has its old contents again, and was the last one that had changed

private:
    /// Size in bytes (-1: there is no file) and time of the last change in ms.
    using Stamp = std::pair<qint64, qint64>;

    [[nodiscard]] static Stamp stampOf(const QString& path);
    void follow();
    void look();
    void compare(int id, const std::string& now);
    /// Whether the file of a model is being read again, or its saved state is being checked.
    [[nodiscard]] bool isBeingRead(int id) const;
    /// Hashes a file beside the models in the background, and compares it with the contents that are shown.
    void hashBeside(const BesideFile& file);
    void compareBeside(const std::shared_ptr<const void>& contents, const std::string& now);
    /// Whether a target that differs from its file may be set without asking, where the user wants that for changed files.
    enum class Reload : std::uint8_t { no, whereWanted };
    /// Reads the file of a target in the background, and compares it with the targets of its models.
    void lookAtTarget(const QString& path, Reload reload);
    void compareTarget(const QString& path, std::optional<Target> now, Reload reload);
    /// Looks at the files of targets that models have since the last call: a saved session may have an old copy.
    void lookAtNewTargets();
    [[nodiscard]] std::vector<BesideFile> besides() const;
    /// The absolute path of the target's file; empty if there is none, or if the target is edited, which is no longer that of its
    /// file.
    [[nodiscard]] QString targetFileOf(int model) const;
    [[nodiscard]] bool targetDiffers(int model) const; ///< from its file, when that was looked at last
    void readBesideAgain(const std::shared_ptr<const void>& contents);
    /// Sets the targets of all models of `changedTargets_` as their files say now.
    void readTargetsAgain();
    /// Offers to read all changed files again, in one notice.
    void tell();
    void tellOrSettle(); ///< after a file has its old contents again
    /// Removes from the changed files those that are read again or no longer shown.
    void leaveSettled(const std::vector<BesideFile>& files);
    void tellUnwatched(const QString& path);
    /// The models of `changed_` that are still open.
    [[nodiscard]] std::vector<const Model*> changed() const;
    [[nodiscard]] bool anyChanged() const { return !changed().empty() || !changedBesides_.empty() || !changedTargets_.empty(); }

    Workspace& workspace_;
    QFileSystemWatcher watcher_;
    Watch watch_;
    QSet<QString> followed_;       ///< files of open models, and beside them
    QHash<QString, Stamp> stamps_; ///< of the files of `followed_`
    QSet<QString> touched_;
    QSet<QString> gone_;       ///< followed files that are not watched, because they do not exist now
    QTimer* delay_ = nullptr;  ///< because a file may be written in several steps
    QTimer* again_ = nullptr;  ///< looks for the files of `gone_`, less and less often
    std::vector<int> changed_; ///< models whose files have changed, and about which the user has not decided
    std::set<std::shared_ptr<const void>> changedBesides_; ///< the same for files beside them, by `BesideFile::contents`
    std::set<int> changedTargets_;                         ///< the same for models whose targets' files have changed
    /// Hashes of the files of `besides` when they were read, by `BesideFile::contents`; empty: not yet known.
    std::map<std::shared_ptr<const void>, std::string> shownHashes_;
    std::set<std::pair<int, QString>> followedTargets_;   ///< models and the paths of their targets
    std::map<QString, std::optional<Target>> targetsNow_; ///< by path: targets when they were looked at last; none: not valid
    std::shared_ptr<const void> suiteContents_;           ///< of the suite, see `BesideFile::contents`
    bool reloads_ = false;
    bool toldUnwatched_ = false;
    BackgroundJobs hashing_{WhenGone::leave};
    BackgroundJob stamping_;
};

} // namespace stowage
