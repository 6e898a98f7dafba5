#include "app/desktop/session_keeper.h"

#include "app/desktop/workspace.h"
#include "core/io/input_file.h"
#include "core/io/output_file.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr int autosaveAfter = 1500; ///< ms without a change

} // namespace

SessionKeeper::SessionKeeper(Workspace& workspace, WindowParts parts, QObject* parent)
    : QObject(parent), workspace_(workspace), parts_(std::move(parts))
{
    timer_ = new QTimer(this);
    timer_->setSingleShot(true);
    timer_->setInterval(autosaveAfter);
    connect(timer_, &QTimer::timeout, this, &SessionKeeper::autosave);
    const auto changed = [this] { timer_->start(); };
    connect(&workspace_, &Workspace::modelsChanged, this, changed);
    connect(&workspace_.models(), &OpenModels::hashed, this, changed);
    connect(&workspace_, &Workspace::modelChanged, this, changed);
    connect(&workspace_, &Workspace::targetChanged, this, changed);
    connect(&workspace_, &Workspace::planningChanged, this, changed);
    connect(&workspace_, &Workspace::runsChanged, this, changed);
    connect(&workspace_, &Workspace::contextChanged, this, changed);
    connect(&workspace_, &Workspace::notesChanged, this, changed);
    connect(&workspace_.edits(), &ModelEdits::pipelineChanged, this, changed);
}

SessionDocument SessionKeeper::capture() const
{
    SessionDocument session;
    workspace_.sessions().capture(session, parts_.zoom());
    session.view = parts_.view();
    session.docks = parts_.docks();
    session.panels = parts_.panels();
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

QString SessionKeeper::autosaveFile()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(folder);
    return folder + QStringLiteral("/last.stow");
}

void SessionKeeper::autosave()
{
    timer_->stop();
    const SessionDocument session = capture();
    begun_ |= !session.models.empty();
    if (!begun_) return;
    const QString file = autosaveFile();
    std::string text = writeSession(session, file.toStdString());
    if (text == written_) return;
    // Nobody asked for it: that it cannot be written is no reason to interrupt.
    if (!io::writeFile(file.toStdString(), text)) written_ = std::move(text);
}

} // namespace stowage
