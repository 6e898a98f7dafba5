#include "app/desktop/session_keeper.h"

#include "app/desktop/workspace.h"
#include "app/session/file_hash.h"
#include "core/io/input_file.h"
#include "core/io/output_file.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QMetaObject>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <utility>

namespace stowage {

namespace {

constexpr int autosaveAfter = 1500; ///< ms after the first change that is not saved

} // namespace

SessionKeeper::SessionKeeper(Workspace& workspace, WindowParts parts, QObject* parent)
    : QObject(parent), workspace_(workspace), parts_(std::move(parts))
{
    takePlace();
    timer_ = new QTimer(this);
    timer_->setSingleShot(true);
    timer_->setInterval(autosaveAfter);
    connect(timer_, &QTimer::timeout, this, [this] {
        if (ended_ != last_) // the next start would outdate the one that is being written
            timer_->start();
        else
            startAutosave({});
    });
    for (const auto about :
         {&Workspace::modelsChanged, &Workspace::modelChanged, &Workspace::targetChanged, &Workspace::planningChanged,
          &Workspace::runsChanged, &Workspace::contextChanged, &Workspace::notesChanged})
        connect(&workspace_, about, this, &SessionKeeper::touch);
    connect(&workspace_, &Workspace::suiteChanged, this, &SessionKeeper::touch);
    connect(&workspace_, &Workspace::runtimeLogChanged, this, &SessionKeeper::touch);
    connect(&workspace_.models(), &OpenModels::hashed, this, &SessionKeeper::touch);
    connect(&workspace_.edits(), &ModelEdits::pipelineChanged, this, &SessionKeeper::touch);
}

SessionKeeper::~SessionKeeper()
{
    ++last_; // a device that takes no bytes is not waited for
}

void SessionKeeper::touch()
{
    if (!timer_->isActive()) timer_->start(); // not again: a search may go on for hours, and improves more often
}

void SessionKeeper::takePlace()
{
    std::vector<std::pair<QDateTime, int>> places; // the newest file first, then those without a file in their order
    for (int place = 1; place <= maxPlaces; ++place) places.emplace_back(QFileInfo(autosaveFile(place)).lastModified(), place);
    std::ranges::stable_sort(
        places, [](const auto& a, const auto& b) { return a.first.isValid() && (!b.first.isValid() || b.first < a.first); });
    for (const auto& [written, place] : places) {
        const QString file = autosaveFile(place);
        if (!lock_.take(file + QStringLiteral(".lock"))) continue;
        file_ = file;
        return;
    }
}

void SessionKeeper::tellNoPlace()
{
    if (std::exchange(told_, true)) return;
    Notice notice{tr("This window has no autosave"), {}, {}, {}, {}};
    notice.what.severity = Severity::warning;
    notice.what.message =
        tr("All %1 autosaves belong to other running windows. If this window ends unexpectedly, its state is lost.")
            .arg(maxPlaces)
            .toStdString();
    notice.what.where.file = QFileInfo(autosaveFile()).absolutePath().toStdString();
    notice.what.remedy = "save the session (File > Save session), or close another window and start this one again";
    workspace_.report(notice);
}

SessionDocument SessionKeeper::capture() const
{
    SessionDocument session;
    workspace_.sessions().capture(session);
    session.view = parts_.view();
    session.docks = parts_.docks();
    session.panels = parts_.panels();
    if (const QString& suite = workspace_.suite(); !suite.isEmpty())
        session.suite = QFileInfo(suite).absoluteFilePath().toStdString();
    return session;
}

std::string SessionKeeper::text(SessionDocument session, const QString& file, const std::stop_token& cancel)
{
    for (SessionModel& model : session.models)
        if (model.sha256.empty()) model.sha256 = fileHash(QString::fromStdString(model.path), cancel);
    return writeSession(session, file.toStdString());
}

Expected<SessionDocument> SessionKeeper::read(const QString& file)
{
    // The window waits for it: nothing that may never end.
    if (const QFileInfo info(file); info.exists() && !info.isFile())
        return failure(Code::cannotOpen, "this is not a regular file", {file.toStdString(), 0, 0, -1}, "name a file");
    const auto text = io::readFile(file.toStdString());
    if (!text) return text.error();
    return readSession(*text, file.toStdString());
}

Expected<SessionDocument> SessionKeeper::readLast()
{
    auto session = read(file_);
    if (session) {
        lastFile_ = LastFile::replaceable;
        return session;
    }
    Error why = std::move(session).error();
    const QString copy = copyLast();
    lastFile_ = copy.isEmpty() ? LastFile::leftAlone : LastFile::replaceable;
    if (copy.isEmpty()) {
        why.message += "; the file cannot be copied either, so this window writes no autosave over it";
        why.remedy = "make room on the disk, or move the files " + QFileInfo(file_).fileName().toStdString() +
                     ".unreadable* to another folder, and reopen the last session again";
    } else {
        why.message += "; the autosave replaces the file, so a copy is kept in the same folder: " + copy.toStdString();
    }
    return why;
}

bool SessionKeeper::mayReplace()
{
    if (lastFile_ != LastFile::unchecked) return lastFile_ == LastFile::replaceable;
    if (!QFileInfo::exists(file_)) {
        lastFile_ = LastFile::replaceable;
        return true;
    }
    const auto last = readLast();
    if (last || lastFile_ == LastFile::replaceable) return true;
    QMetaObject::invokeMethod(
        this,
        [this, why = last.error()] {
            workspace_.report({tr("This window has no autosave"), why, {}, {}, {}});
        },
        Qt::QueuedConnection);
    return false;
}

QString SessionKeeper::copyLast() const
{
    const auto bytesOf = [](const QString& path) -> std::optional<std::string> {
        if (!QFileInfo(path).isFile()) return std::nullopt; // nothing that may never end
        auto bytes = io::readFile(path.toStdString());
        return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
    };
    const auto last = bytesOf(file_);
    for (int number = 1; last && number <= maxCopies; ++number) {
        const QString copy = file_ + (number == 1 ? QStringLiteral(".unreadable") : QStringLiteral(".unreadable-%1").arg(number));
        if (QFileInfo::exists(copy) ? bytesOf(copy) == last : !io::writeFile(copy.toStdString(), *last))
            return QFileInfo(copy).fileName();
    }
    return {};
}

QString SessionKeeper::autosaveFile(int place)
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return folder + (place == 1 ? QStringLiteral("/last.stow") : QStringLiteral("/last-%1.stow").arg(place));
}

bool SessionKeeper::startAutosave(std::function<void()> then)
{
    timer_->stop();
    SessionDocument session = capture();
    begun_ |= !session.models.empty() || !session.suite.empty();
    if (begun_ && file_.isEmpty()) tellNoPlace();
    if (!begun_ || file_.isEmpty() || lastFile_ == LastFile::leftAlone) return false;
    writer_.start(0, [this, number = ++last_, session = std::move(session), then = std::move(then), file = file_.toStdString()] {
        const auto outdated = [this, number] { return number != last_; };
        if (!outdated() && mayReplace()) {
            std::string text = writeSession(session, file);
            // Nobody asked for it: that it cannot be written is no reason to interrupt.
            if (text != written_ && !io::writeFile(file, text, outdated)) written_ = std::move(text);
        }
        ended_ = number;
        if (then) then();
    });
    return true;
}

void SessionKeeper::autosave()
{
    const auto written = std::make_shared<std::promise<void>>();
    if (startAutosave([written] { written->set_value(); })) written->get_future().wait();
}

} // namespace stowage
