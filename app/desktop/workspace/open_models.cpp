#include "app/desktop/workspace/open_models.h"

#include "app/session/file_hash.h"
#include "app/session/plan_as_input.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

bool sameFile(const QString& a, const QString& b)
{
    return !a.isEmpty() && !b.isEmpty() && QFileInfo(a).absoluteFilePath() == QFileInfo(b).absoluteFilePath();
}

/// Whether the importer is to find out everything, but for the function.
bool readsByItself(const OpenOptions& options)
{
    return options.importer.isEmpty() && options.bindings.empty() && options.importOptions.empty();
}

bool asksForNothing(const OpenIntent& intent)
{
    return intent.target.isEmpty() && intent.planners.empty() && !intent.session;
}

} // namespace

OpenOptions readingOf(const SessionModel& kept)
{
    OpenOptions options;
    options.importer = QString::fromStdString(kept.importer);
    options.function = QString::fromStdString(kept.function);
    options.bindings = kept.bindings;
    options.importOptions = kept.importOptions;
    return options;
}

OpenModels::OpenModels(Session& session, QObject* parent) : QObject(parent), session_(session)
{
    connect(&session_, &Session::openStarted, this, [this](int id, const QString& path) {
        opening_[id] = path;
        if (!path.isEmpty()) {
            toHash_.push_back({id, path, QFileInfo(path).lastModified()});
            if (!hashing_.running()) hashNext();
        }
        Q_EMIT changed();
    });
}

void OpenModels::hashNext()
{
    if (toHash_.empty()) return;
    hashing_.start(
        [file = toHash_.front()](const std::stop_token& cancel) {
            std::string hash = fileHash(file.path, cancel);
            return QFileInfo(file.path).lastModified() == file.written ? hash : std::string();
        },
        [this](std::string hash) {
            hashes_[toHash_.front().id] = std::move(hash);
            toHash_.pop_front();
            hashNext();
            Q_EMIT hashed();
        });
}

const Model* OpenModels::model() const
{
    return current_ ? session_.model(current_) : nullptr;
}

std::vector<int> OpenModels::ids() const
{
    std::vector<int> ids = session_.models();
    std::erase_if(ids, [this](int id) { return opening_.contains(id); });
    return ids;
}

std::optional<std::string> OpenModels::hashOf(int id) const
{
    const auto known = hashes_.find(id);
    return known == hashes_.end() ? std::nullopt : std::optional(known->second);
}

void OpenModels::forgetHash(int id)
{
    hashes_.erase(id);
    const bool running = !toHash_.empty() && toHash_.front().id == id;
    std::erase_if(toHash_, [id](const ToHash& file) { return file.id == id; });
    if (!running) return;
    hashing_.drop();
    hashNext();
}

int OpenModels::successor(int id) const
{
    for (auto next = successors_.find(id); next != successors_.end(); next = successors_.find(id)) id = next->second;
    return id;
}

// --- reading -----------------------------------------------------------------------------------------------------------

std::vector<int> OpenModels::openOf(const QString& path, const OpenIntent& intent, const OpenOptions& options) const
{
    std::vector<int> found;
    for (const int id : ids()) {
        const Model* known = session_.model(id);
        if (!known || !sameFile(known->path, path)) continue;
        if (intent.session ? known->options == options : readsByItself(options)) found.push_back(id);
    }
    return found;
}

bool OpenModels::isFileOfModel(const QString& file) const
{
    const QString place = QFileInfo(file).canonicalFilePath(); // empty if there is no such file
    if (place.isEmpty()) return false;
    const auto same = [&](const QString& path) { return !path.isEmpty() && QFileInfo(path).canonicalFilePath() == place; };
    const auto ofModel = [&](int id) {
        const Model* model = session_.model(id);
        return model && same(model->path);
    };
    return std::ranges::any_of(session_.models(), ofModel) ||
           std::ranges::any_of(opening_, [&](const auto& reading) { return same(reading.second); }) ||
           std::ranges::any_of(waiting(),
                               [&](const WaitingModel& model) { return same(QString::fromStdString(model.kept->path)); });
}

void OpenModels::replace(const QString& file, const std::function<void()>& write, const std::function<bool()>& holds)
{
    if (!isFileOfModel(file)) return write();
    Notice notice{tr("%1 is the file of an open model").arg(QFileInfo(file).fileName()), {}, {}, {}, {}};
    notice.what.severity = Severity::warning;
    notice.what.message = "If it is replaced, its contents are lost.";
    notice.what.where.file = file.toStdString();
    notice.holds = holds;
    notice.choices = {{tr("Replace it"),
                       [write, holds] {
                           if (holds()) write();
                       }},
                      {tr("Keep it"), [] {}}};
    Q_EMIT noticed(notice);
}

void OpenModels::open(const QString& path, OpenIntent intent, OpenOptions options)
{
    const auto failed = std::ranges::find_if(failures_, [&](const OpenFailure& old) { return sameFile(old.path, path); });
    int retried = 0;
    if (failed != failures_.end()) {
        const bool asks = !asksForNothing(intent) || !readsByItself(options) || !options.function.isEmpty();
        if (failed->intent.session && asks) {
            retried = failed->id; // stays until the file has been read: its saved state is nowhere else
        } else {
            if (failed->intent.session) {
                intent.session = failed->intent.session;
                options = readingOf(*intent.session);
            }
            dismissFailure(failed->id);
        }
    }
    // What a session holds of the file depends on its hash.
    const int id = session_.open(path, options, intent.session && !intent.session->sha256.empty());
    if (retried) retries_[id] = retried;
    if (!asksForNothing(intent)) intents_[id] = std::move(intent);
}

void OpenModels::read(int id, const OpenOptions& options, int edit)
{
    const Model* known = session_.model(id);
    if (!known || known->path.isEmpty()) return;
    const QString path = known->path;
    const auto earlier = std::ranges::find(again_, id, [](const auto& reading) { return reading.second.model; });
    const int cancelled = earlier == again_.end() ? 0 : earlier->first;
    if (cancelled) {
        if (!edit) edit = earlier->second.edit;
        again_.erase(earlier);
    }
    again_[session_.open(path, options)] = {id, options, edit};
    cancelOpening(cancelled);
}

OpenOptions OpenModels::optionsAsked(int id) const
{
    for (const auto& [reading, again] : again_)
        if (again.model == id) return again.options;
    const Model* known = session_.model(id);
    return known ? known->options : OpenOptions();
}

std::optional<OpenModels::Again> OpenModels::again(int reading) const
{
    const auto found = again_.find(reading);
    return found == again_.end() ? std::nullopt : std::optional(found->second);
}

std::shared_ptr<const SessionModel> OpenModels::savedOf(int id) const
{
    const auto intent = intents_.find(id);
    return intent == intents_.end() ? nullptr : intent->second.session;
}

void OpenModels::cancelOpening(int id)
{
    if (!opening_.contains(id)) return;
    intents_.erase(id);
    session_.close(id); // `closed` follows
}

OpenModels::Arrival OpenModels::arrived(int id)
{
    opening_.erase(id);
    Arrival arrival;
    if (const auto retry = retries_.find(id); retry != retries_.end()) {
        std::erase_if(failures_, [&](const OpenFailure& failure) { return failure.id == retry->second; });
        retries_.erase(retry);
    }
    if (const auto old = again_.find(id); old != again_.end()) {
        arrival.before = old->second.model;
        again_.erase(old);
        successors_[arrival.before] = id;
    }
    // A reading of the file that failed earlier counts no more; a saved state that waits for its own reading stays.
    if (const Model* opened = session_.model(id))
        std::erase_if(failures_, [&](const OpenFailure& old) { return !old.intent.session && sameFile(old.path, opened->path); });
    if (const auto intent = intents_.find(id); intent != intents_.end()) {
        arrival.intent = std::move(intent->second);
        intents_.erase(intent);
    }
    return arrival;
}

void OpenModels::closed(int id)
{
    opening_.erase(id);
    intents_.erase(id);
    again_.erase(id);
    retries_.erase(id);
    forgetHash(id);
}

void OpenModels::cancelSuccessorsOf(int id)
{
    std::vector<int> successors;
    for (const auto& [reading, again] : again_)
        if (again.model == id) successors.push_back(reading);
    for (const int reading : successors) cancelOpening(reading);
}

// --- what was not opened -----------------------------------------------------------------------------------------------

void OpenModels::leftOut(int id)
{
    opening_.erase(id);
    forgetHash(id);
    intents_.erase(id);
    again_.erase(id);
    retries_.erase(id);
    Q_EMIT changed();
}

void OpenModels::failed(int id, const QString& path, const Error& error)
{
    OpenFailure failure{id, path, error};
    if (const auto intent = intents_.find(id); intent != intents_.end()) failure.intent = intent->second;
    // The saved state of the failure that this reading was to end goes on.
    const auto retry = retries_.find(id);
    const int retried = retry == retries_.end() ? 0 : retry->second;
    const auto before = std::ranges::find(failures_, retried, &OpenFailure::id);
    if (retried && before != failures_.end()) failure.intent = before->intent;
    leftOut(id);
    std::erase_if(failures_, [&](const OpenFailure& old) {
        if (retried && old.id == retried) return true;
        if (path.isEmpty() || old.path != path || (old.intent.session && failure.intent.session)) return false;
        if (asksForNothing(failure.intent)) failure.intent = old.intent;
        return true;
    });
    failures_.push_back(std::move(failure));
    Q_EMIT changed();
    reportFailures(false);
}

void OpenModels::sessionRead(const QString& path)
{
    const auto old = std::ranges::find_if(failures_, [&](const OpenFailure& failure) { return sameFile(failure.path, path); });
    if (old != failures_.end()) dismissFailure(old->id);
}

void OpenModels::seeFailures()
{
    for (OpenFailure& failure : failures_) failure.seen = true;
}

void OpenModels::reportFailures(bool all)
{
    std::vector<OpenFailure> told = failures_;
    if (!all) std::erase_if(told, &OpenFailure::seen);
    if (told.empty()) return;
    const OpenFailure& last = told.back();
    Notice notice{tr("%1 was not opened").arg(QFileInfo(last.path).fileName()), last.error, {}, last.path, {}};
    if (told.size() > 1) {
        // One list for all of them: each says which file it is about.
        notice.title = tr("%1 files were not opened").arg(told.size());
        for (const OpenFailure& failure : told) {
            Diagnostic what = failure.error;
            what.message = QFileInfo(failure.path).fileName().toStdString() + ": " + what.message;
            if (&failure == &told.front())
                notice.what = std::move(what);
            else
                notice.more.push_back(std::move(what));
        }
    }
    Q_EMIT noticed(notice);
}

std::vector<WaitingModel> OpenModels::waiting() const
{
    std::vector<WaitingModel> models;
    for (const auto& [id, intent] : intents_)
        if (intent.session) models.push_back({id, intent.session, intent.front, false});
    for (const OpenFailure& failure : failures_)
        if (failure.intent.session) models.push_back({failure.id, failure.intent.session, failure.intent.front, true});
    std::ranges::sort(models, {}, &WaitingModel::id);
    return models;
}

void OpenModels::dismissFailure(int id)
{
    if (std::erase_if(failures_, [id](const OpenFailure& failure) { return id == 0 || failure.id == id; }) > 0) Q_EMIT changed();
}

} // namespace stowage
