#include "app/desktop/workspace/open_models.h"

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

bool sameReading(const OpenOptions& a, const OpenOptions& b)
{
    return a.importer == b.importer && a.function == b.function && a.bindings == b.bindings && a.importOptions == b.importOptions;
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
    for (const int id : session_.models()) {
        const Model* known = session_.model(id);
        if (!known || !sameFile(known->path, path)) continue;
        if (intent.session ? sameReading(known->options, options) : readsByItself(options)) found.push_back(id);
    }
    return found;
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
    const int id = session_.open(path, options);
    if (retried) retries_[id] = retried;
    if (!asksForNothing(intent)) intents_[id] = std::move(intent);
}

void OpenModels::read(int id, const OpenOptions& options)
{
    const Model* known = session_.model(id);
    if (!known || known->path.isEmpty()) return;
    const QString path = known->path;
    replaces_[session_.open(path, options)] = id;
}

void OpenModels::cancelOpening(int id)
{
    if (!opening_.contains(id)) return;
    intents_.erase(id);
    replaces_.erase(id);
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
    if (const auto old = replaces_.find(id); old != replaces_.end()) {
        arrival.before = old->second;
        replaces_.erase(old);
        successors_[arrival.before] = id;
        for (auto& [reading, place] : replaces_)
            if (place == arrival.before) place = id; // what is still being read takes the place of this one
    }
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
    retries_.erase(id);
    forgetHash(id);
}

void OpenModels::cancelSuccessorsOf(int id)
{
    std::vector<int> again;
    for (const auto& [reading, place] : replaces_)
        if (place == id) again.push_back(reading);
    for (const int reading : again) cancelOpening(reading);
}

// --- what was not opened -----------------------------------------------------------------------------------------------

void OpenModels::leftOut(int id)
{
    opening_.erase(id);
    forgetHash(id);
    intents_.erase(id);
    replaces_.erase(id);
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
