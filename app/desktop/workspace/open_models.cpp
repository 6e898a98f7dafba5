#include "app/desktop/workspace/open_models.h"

#include "app/session/plan_as_input.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace stowage {

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

int OpenModels::open(const QString& path, const OpenIntent& intent, const OpenOptions& options)
{
    for (const int id : session_.models()) {
        const Model* known = session_.model(id);
        if (known && !known->path.isEmpty() && QFileInfo(known->path).absoluteFilePath() == QFileInfo(path).absoluteFilePath() &&
            options.importer.isEmpty() && options.bindings.empty() && options.importOptions.empty())
            return id;
    }
    dismissFailure([&] {
        const auto known = std::ranges::find(failures_, path, &OpenFailure::path);
        return known == failures_.end() ? -1 : known->id;
    }());
    const int id = session_.open(path, options);
    if (!intent.target.isEmpty() || !intent.planners.empty() || intent.session) intents_[id] = intent;
    return 0;
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
    Q_EMIT changed();
}

void OpenModels::failed(int id, const QString& path, const Error& error)
{
    leftOut(id);
    std::erase_if(failures_, [&](const OpenFailure& old) { return !path.isEmpty() && old.path == path; });
    failures_.push_back({id, path, error});
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

void OpenModels::dismissFailure(int id)
{
    if (std::erase_if(failures_, [id](const OpenFailure& failure) { return id == 0 || failure.id == id; }) > 0) Q_EMIT changed();
}

} // namespace stowage
