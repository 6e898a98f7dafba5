#include "app/desktop/file_watch.h"

#include "app/desktop/workspace.h"
#include "app/session/file_hash.h"
#include "app/session/session_file.h"

#include <QFileInfo>
#include <QStringList>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr int settledAfter = 300;       ///< ms
constexpr int lookAgainAfter = 1000;    ///< ms; twice as long after each look in vain
constexpr int lookAgainAtMost = 30'000; ///< ms

} // namespace

FileWatch::FileWatch(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace)
{
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
    connect(&workspace_, &Workspace::modelsChanged, this, &FileWatch::follow);
}

void FileWatch::follow()
{
    QSet<QString> wanted;
    for (const int id : workspace_.session().models())
        if (const Model* model = workspace_.session().model(id); model && !model->path.isEmpty())
            wanted.insert(QFileInfo(model->path).absoluteFilePath());
    for (const QString& path : watcher_.files())
        if (!wanted.remove(path)) watcher_.removePath(path);
    // Qt forgets a file that is deleted: it is looked for until it is there again.
    QSet<QString> gone;
    for (const QString& path : std::as_const(wanted)) {
        // A file that is there but cannot be watched is not looked for: the next change of the models tries it again.
        if (!QFileInfo::exists(path) || (!watcher_.addPath(path) && !QFileInfo::exists(path))) {
            gone.insert(path);
        } else if (gone_.contains(path)) {
            touched_.insert(path);
            delay_->start();
        }
    }
    if (!gone_.contains(gone)) again_->setInterval(lookAgainAfter); // another one
    gone_ = std::move(gone);
    if (gone_.isEmpty())
        again_->stop();
    else
        again_->start();
}

void FileWatch::look()
{
    const QSet<QString> touched = std::exchange(touched_, {});
    follow(); // editors put another file in the place of the old one, and some delete the old one first
    for (const int id : workspace_.session().models()) {
        const Model* model = workspace_.session().model(id);
        const QString path = model ? QFileInfo(model->path).absoluteFilePath() : QString();
        if (!touched.contains(path)) continue;
        if (workspace_.models().opening().contains(id)) { // its saved state is being checked: not to be read again meanwhile
            touched_.insert(path);
            delay_->start();
            continue;
        }
        hashing_.start([path](const std::stop_token& cancel) { return fileHash(path, cancel); },
                       [this, id](const std::string& now) { compare(id, now); });
    }
}

void FileWatch::compare(int id, const std::string& now)
{
    const Model* model = workspace_.session().model(id);
    if (!model || now.empty()) return; // closed, or gone for a moment
    const auto before = workspace_.models().hashOf(id);
    if (!before) { // still being worked out
        touched_.insert(QFileInfo(model->path).absoluteFilePath());
        delay_->start();
    } else if (now != *before) {
        if (reloads_) {
            workspace_.reload(id);
        } else {
            if (std::ranges::find(changed_, id) == changed_.end()) changed_.push_back(id);
            tell();
        }
    } else if (std::erase(changed_, id) > 0) { // as it was, again
        if (changed().empty())
            Q_EMIT settled();
        else
            tell();
    }
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
    QStringList names;
    for (const Model* model : changed()) names << QFileInfo(model->path).fileName();
    const bool several = names.size() > 1;
    Notice notice{
        several ? tr("%1 files have changed").arg(names.size()) : tr("%1 has changed").arg(names.front()), {}, {}, {}, {}};
    notice.what.severity = Severity::warning;
    if (several) {
        notice.what.message =
            "These files differ from the models that are open: " + names.join(QStringLiteral(", ")).toStdString();
    } else {
        notice.what.message = "The file differs from the model that is open.";
        notice.what.where.file = changed().front()->path.toStdString();
    }
    notice.subject = QStringLiteral("changed files");
    notice.holds = [this] { return !changed().empty(); };
    notice.choices.push_back({several ? tr("Reload all") : tr("Reload"), [this] {
                                  for (const int id : std::exchange(changed_, {})) workspace_.reload(id);
                              }});
    notice.choices.push_back({tr("Keep what is open"), [this] { changed_.clear(); }});
    workspace_.report(notice);
}

} // namespace stowage
