#include "app/desktop/file_watch.h"

#include "app/desktop/workspace.h"
#include "app/session/file_hash.h"
#include "app/session/session_file.h"
#include "app/session/targets.h"

#include <QDateTime>
#include <QFileInfo>
#include <QGuiApplication>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr int settledAfter = 300;       ///< ms
constexpr int lookAgainAfter = 1000;    ///< ms; twice as long after each look in vain
constexpr int lookAgainAtMost = 30'000; ///< ms

QString absolute(const QString& path)
{
    return path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
}

} // namespace

FileWatch::FileWatch(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace)
{
    watch_ = [this](const QString& path) { return watcher_.addPath(path); };
    delay_ = new QTimer(this);
    delay_->setSingleShot(true);
    delay_->setInterval(settledAfter);
    connect(delay_, &QTimer::timeout, this, &FileWatch::look);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this](const QString& path) {
        touched_.insert(path);
        delay_->start();
    });
    again_ = new QTimer(this);
    again_->setSingleShot(true);
    again_->setInterval(lookAgainAfter);
    again_->setObjectName(QStringLiteral("lookAgain"));
    connect(again_, &QTimer::timeout, this, [this] {
        again_->setInterval(std::min(2 * again_->interval(), lookAgainAtMost));
        follow();
    });
    for (const auto about : {&Workspace::modelsChanged, &Workspace::modelChanged, &Workspace::targetChanged,
                             &Workspace::runtimeLogChanged, &Workspace::suiteChanged})
        connect(&workspace_, about, this, &FileWatch::follow);
    connect(&workspace_.pipeline(), &PipelineFocus::filesChanged, this, &FileWatch::follow);
    connect(&workspace_, &Workspace::suiteReading, this, [this] {
        suiteContents_ = std::make_shared<const int>(0);
        follow();
    });
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive) compareAll();
    });
}

std::vector<BesideFile> FileWatch::besides() const
{
    std::vector<BesideFile> files;
    if (workspace_.suiteIsRead() && !workspace_.suite().isEmpty())
        files.push_back({absolute(workspace_.suite()), suiteContents_, [this] { workspace_.planSuite(); }});
    for (const int id : workspace_.session().models())
        if (const auto log = workspace_.beside().runtimeLog(id); log && !log->path.isEmpty())
            files.push_back({absolute(log->path), log, [this, id] { workspace_.beside().readLogAgain(id); }});
    for (const BesideFile& file : workspace_.pipeline().files()) files.push_back(file);
    return files;
}

bool FileWatch::knows(const QString& path) const
{
    const std::vector<BesideFile> files = besides();
    return followed_.contains(path) && std::ranges::all_of(files, [&](const BesideFile& file) {
               const auto known = shownHashes_.find(file.contents);
               return file.path != path || (known != shownHashes_.end() && !known->second.empty());
           });
}

QString FileWatch::targetFileOf(int model) const
{
    if (!workspace_.session().model(model)) return {};
    const Target& target = workspace_.edits().setupOf(model).target;
    return target.name.endsWith(u'*') ? QString() : absolute(target.file);
}

bool FileWatch::targetDiffers(int model) const
{
    const QString path = targetFileOf(model);
    const auto now = path.isEmpty() ? targetsNow_.end() : targetsNow_.find(path);
    if (now == targetsNow_.end()) return false;
    return !now->second || !sameTarget(*now->second, workspace_.edits().setupOf(model).target);
}

void FileWatch::leaveSettled(const std::vector<BesideFile>& files)
{
    const bool before = anyChanged();
    const auto isShown = [&](const std::shared_ptr<const void>& contents) {
        return std::ranges::find(files, contents, &BesideFile::contents) != files.end();
    };
    std::erase_if(shownHashes_, [&](const auto& known) { return !isShown(known.first); });
    std::erase_if(changedBesides_, [&](const auto& contents) { return !isShown(contents); });
    for (const int model : std::exchange(changedTargets_, {}))
        if (const int id = workspace_.models().successor(model); targetDiffers(id)) changedTargets_.insert(id);
    if (before && !anyChanged()) Q_EMIT settled();
}

FileWatch::Stamp FileWatch::stampOf(const QString& path)
{
    const QFileInfo file(path);
    return file.exists() ? Stamp{file.size(), file.lastModified().toMSecsSinceEpoch()} : Stamp{-1, 0};
}

void FileWatch::follow()
{
    QSet<QString> wanted, beside;
    for (const int id : workspace_.session().models())
        if (const Model* model = workspace_.session().model(id); model && !model->path.isEmpty())
            wanted.insert(absolute(model->path));
    const std::vector<BesideFile> files = besides();
    for (const BesideFile& file : files) beside.insert(file.path);
    for (const int id : workspace_.session().models())
        if (const QString path = targetFileOf(id); !path.isEmpty()) beside.insert(path);
    wanted.unite(beside);
    const QSet<QString> before = std::exchange(followed_, wanted);
    stamps_.removeIf([this](const QHash<QString, Stamp>::iterator& each) { return !followed_.contains(each.key()); });
    std::erase_if(targetsNow_, [this](const auto& known) { return !followed_.contains(known.first); });
    leaveSettled(files);
    for (const QString& path : wanted - before) stamps_.insert(path, stampOf(path));
    lookAtNewTargets();
    for (const BesideFile& file : files)
        if (shownHashes_.try_emplace(file.contents).second) hashBeside(file);
    for (const QString& path : watcher_.files())
        if (!wanted.remove(path)) watcher_.removePath(path);
    // Qt forgets a file that is deleted: it is looked for until it is there again.
    QSet<QString> gone;
    for (const QString& path : std::as_const(wanted)) {
        // A file that is there but cannot be watched is not looked for: the next change of the models tries it again.
        const bool watched = QFileInfo::exists(path) && watch_(path);
        if (!watched && !QFileInfo::exists(path)) {
            gone.insert(path);
        } else if (gone_.contains(path)) {
            touched_.insert(path);
            delay_->start();
        }
        if (!watched && !gone.contains(path)) tellUnwatched(path);
    }
    if (!gone_.contains(gone)) again_->setInterval(lookAgainAfter); // another one
    gone_ = std::move(gone);
    if (gone_.isEmpty())
        again_->stop();
    else
        again_->start();
}

void FileWatch::compareAll()
{
    if (followed_.isEmpty()) return;
    // A file server that does not answer holds up a thread, not the window.
    stamping_.start(
        [paths = followed_](const std::stop_token& stop) {
            std::vector<std::pair<QString, Stamp>> now;
            for (const QString& path : paths) {
                if (stop.stop_requested()) break;
                now.emplace_back(path, stampOf(path));
            }
            return now;
        },
        [this](const std::vector<std::pair<QString, Stamp>>& now) {
            for (const auto& [path, stamp] : now) {
                if (!followed_.contains(path) || stamps_.value(path) == stamp) continue;
                stamps_.insert(path, stamp);
                touched_.insert(path);
                delay_->start();
            }
        });
}

bool FileWatch::isBeingRead(int id) const
{
    const std::map<int, QString>& opening = workspace_.models().opening();
    return opening.contains(id) || std::ranges::any_of(opening, [&](const auto& reading) {
               const auto again = workspace_.models().again(reading.first);
               return again && again->model == id;
           });
}

void FileWatch::look()
{
    const QSet<QString> touched = std::exchange(touched_, {});
    follow(); // editors put another file in the place of the old one, and some delete the old one first
    // Else `compareAll` would find the same change once more.
    for (const QString& path : touched)
        if (followed_.contains(path)) stamps_.insert(path, stampOf(path));
    for (const BesideFile& file : besides())
        if (touched.contains(file.path)) hashBeside(file);
    std::set<QString> targets;
    for (const int id : workspace_.session().models()) {
        if (const QString target = targetFileOf(id); touched.contains(target)) targets.insert(target);
        const Model* model = workspace_.session().model(id);
        const QString path = model ? absolute(model->path) : QString();
        if (!touched.contains(path)) continue;
        if (isBeingRead(id)) { // not to be read again meanwhile
            touched_.insert(path);
            delay_->start();
            continue;
        }
        hashing_.start([path](const std::stop_token& cancel) { return fileHash(path, cancel); },
                       [this, id](const std::string& now) { compare(id, now); });
    }
    for (const QString& path : targets) lookAtTarget(path, Reload::whereWanted);
}

void FileWatch::compare(int id, const std::string& now)
{
    const Model* model = workspace_.session().model(id);
    if (!model || now.empty()) return; // closed, or gone for a moment
    const auto before = workspace_.models().hashOf(id);
    if (!before || isBeingRead(id)) { // the hash is still being worked out, or that of the next reading counts
        touched_.insert(absolute(model->path));
        delay_->start();
    } else if (now != *before) {
        if (reloads_) {
            workspace_.reload(id);
        } else {
            if (std::ranges::find(changed_, id) == changed_.end()) changed_.push_back(id);
            tell();
        }
    } else if (std::erase(changed_, id) > 0) { // as it was, again
        tellOrSettle();
    }
}

void FileWatch::hashBeside(const BesideFile& file)
{
    hashing_.start([path = file.path](const std::stop_token& cancel) { return fileHash(path, cancel); },
                   [this, contents = file.contents](const std::string& now) { compareBeside(contents, now); });
}

void FileWatch::compareBeside(const std::shared_ptr<const void>& contents, const std::string& now)
{
    const auto shown = shownHashes_.find(contents);
    if (now.empty() || shown == shownHashes_.end()) return; // gone for a moment, or no longer shown
    if (shown->second.empty()) {
        shown->second = now;
    } else if (shown->second == now) { // as it was, again
        if (changedBesides_.erase(contents) > 0) tellOrSettle();
    } else if (reloads_) {
        readBesideAgain(contents);
    } else {
        changedBesides_.insert(contents);
        tell();
    }
}

void FileWatch::lookAtNewTargets()
{
    std::set<std::pair<int, QString>> known;
    for (const auto& [model, path] : std::exchange(followedTargets_, {})) {
        known.emplace(model, path);
        known.emplace(workspace_.models().successor(model), path); // no other target because the model's file is read again
    }
    std::set<QString> looked;
    for (const int id : workspace_.session().models()) {
        const QString path = targetFileOf(id);
        if (path.isEmpty()) continue;
        followedTargets_.emplace(id, path);
        // Opening a session sets and plans nothing, whatever is wanted for files that change later.
        if (!known.contains({id, path}) && looked.insert(path).second) lookAtTarget(path, Reload::no);
    }
}

void FileWatch::lookAtTarget(const QString& path, Reload reload)
{
    hashing_.start(
        [path](const std::stop_token&) {
            auto target = findTarget(path);
            return target ? std::optional<Target>(*std::move(target)) : std::nullopt;
        },
        [this, path, reload](std::optional<Target> now) { compareTarget(path, std::move(now), reload); });
}

void FileWatch::compareTarget(const QString& path, std::optional<Target> now, Reload reload)
{
    if (!followed_.contains(path) || (!now && !QFileInfo::exists(path))) return; // no longer shown, or gone for a moment
    targetsNow_.insert_or_assign(path, std::move(now));
    bool differs = false, settles = false;
    for (const int id : workspace_.session().models()) {
        if (targetFileOf(id) != path) continue;
        if (targetDiffers(id)) {
            changedTargets_.insert(id);
            differs = true;
        } else {
            settles |= changedTargets_.erase(id) > 0; // as it was, again
        }
    }
    if (differs && reloads_ && reload == Reload::whereWanted)
        readTargetsAgain();
    else if (differs)
        tell();
    else if (settles)
        tellOrSettle();
}

void FileWatch::readBesideAgain(const std::shared_ptr<const void>& contents)
{
    for (const BesideFile& file : besides())
        if (file.contents == contents) file.readAgain();
}

void FileWatch::readTargetsAgain()
{
    std::map<QString, std::vector<int>> models;
    for (const int id : std::exchange(changedTargets_, {}))
        if (const QString path = targetFileOf(id); !path.isEmpty()) models[path].push_back(id);
    for (const auto& [path, ids] : models) {
        const auto target = workspace_.session().target(path);
        if (!target) {
            workspace_.report({tr("%1 is not a valid target").arg(QFileInfo(path).fileName()), target.error(), {}, {}, {}});
            continue;
        }
        targetsNow_.insert_or_assign(path, *target);
        for (const int id : ids) workspace_.setTarget(id, *target);
    }
}

void FileWatch::tellOrSettle()
{
    if (anyChanged())
        tell();
    else
        Q_EMIT settled();
}

std::vector<const Model*> FileWatch::changed() const
{
    std::vector<const Model*> models;
    for (const int id : changed_)
        if (const Model* model = workspace_.session().model(id)) models.push_back(model);
    return models;
}

void FileWatch::tell()
{
    QStringList paths;
    for (const BesideFile& file : besides())
        if (changedBesides_.contains(file.contents)) paths << file.path;
    for (const int model : changedTargets_) paths << targetFileOf(model);
    for (const Model* model : changed()) paths << absolute(model->path);
    paths.removeDuplicates(); // a log that is open as a model, too, or a target of several models
    if (paths.isEmpty()) return;
    QStringList names;
    for (const QString& path : std::as_const(paths)) names << QFileInfo(path).fileName();
    const bool several = names.size() > 1;
    Notice notice{
        several ? tr("%1 files have changed").arg(names.size()) : tr("%1 has changed").arg(names.front()), {}, {}, {}, {}};
    notice.what.severity = Severity::warning;
    if (several) {
        notice.what.message = "These files differ from what is shown: " + names.join(QStringLiteral(", ")).toStdString();
    } else {
        notice.what.message = "The file differs from what is shown.";
        notice.what.where.file = paths.front().toStdString();
    }
    notice.subject = QStringLiteral("changed files");
    notice.holds = [this] { return anyChanged(); };
    notice.choices.push_back({several ? tr("Reload all") : tr("Reload"), [this] {
                                  for (const int id : std::exchange(changed_, {})) workspace_.reload(id);
                                  for (const auto& contents : std::exchange(changedBesides_, {})) readBesideAgain(contents);
                                  readTargetsAgain();
                              }});
    notice.choices.push_back({tr("Keep what is open"), [this] {
                                  changed_.clear();
                                  changedBesides_.clear();
                                  changedTargets_.clear();
                              }});
    workspace_.report(notice);
}

void FileWatch::tellUnwatched(const QString& path)
{
    if (std::exchange(toldUnwatched_, true)) return; // once for all files
    Notice notice{tr("Changes of %1 are noticed late").arg(QFileInfo(path).fileName()), {}, {}, {}, {}};
    notice.what.severity = Severity::note;
    notice.what.message = "The system does not tell of changes of the file: it is compared when the window becomes active.";
    notice.what.where.file = path.toStdString();
    notice.what.remedy = "raise fs.inotify.max_user_watches, or press F5 to read the file of a model again";
    workspace_.report(notice);
}

} // namespace stowage
