// What the window writes: pictures, tables, the report, sessions. Each says afterwards where it lies.
#include "app/desktop/shell/main_window.h"

#include "app/canvas/export/render.h"
#include "app/canvas/pictures/table.h"
#include "app/canvas/report/html_report.h"
#include "app/desktop/look/look.h"
#include "app/desktop/panels/run_panel.h"
#include "app/desktop/session_keeper.h"
#include "app/desktop/shell/export_dialog.h"
#include "app/desktop/shell/export_items.h"
#include "app/desktop/shell/guide_window.h"
#include "app/desktop/shell/view_area.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/widgets/canvas.h"
#include "app/session/native_path.h"
#include "app/session/run_forms.h"
#include "core/io/output_file.h"

#include <QAbstractScrollArea>
#include <QBuffer>
#include <QDateTime>
#include <QFileInfo>
#include <QPainter>
#include <QStackedWidget>
#include <QToolBar>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

/// The widget as it is on the screen, without scroll bars.
QImage pictureOf(QWidget& widget, double scale)
{
    QImage image(widget.size() * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    std::vector<std::tuple<QAbstractScrollArea*, Qt::ScrollBarPolicy, Qt::ScrollBarPolicy>> before;
    for (auto* area : widget.findChildren<QAbstractScrollArea*>()) {
        before.emplace_back(area, area->horizontalScrollBarPolicy(), area->verticalScrollBarPolicy());
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
    widget.render(&image);
    for (const auto& [area, across, down] : before) {
        area->setHorizontalScrollBarPolicy(across);
        area->setVerticalScrollBarPolicy(down);
    }
    return image;
}

/// The canvas with the picture `id` of a view; null for other views. What a view says of its picture (`options`), its canvas does
/// not know.
Canvas* wholeCanvas(View& view, const QString& id, const RenderOptions& options)
{
    Canvas* canvas = view.canvas();
    return pictureEntry(id) && options.set.empty() && canvas && canvas->scene() ? canvas : nullptr;
}

} // namespace

void MainWindow::startWriting(const QString& file, std::function<std::optional<Diagnostic>(const std::stop_token&)> work,
                              std::function<void(const std::optional<Diagnostic>& failure)> then)
{
    workspace_.writing().start(writing_, file, std::move(work),
                               [then = std::move(then)](const std::optional<Diagnostic>& failure) {
                                   then(failure);
                                   return !failure;
                               });
}

void MainWindow::onWritten(bool written)
{
    if (!written) closing_ = false; // the window stays, and says why
    leaveOldQuestion();
    if (!workspace_.writing().any() && std::exchange(closing_, false)) close();
}

void MainWindow::askToClose()
{
    Notice notice{tr("Files are still being written"), {}, {}, {}, {}};
    notice.what.severity = Severity::warning;
    notice.what.message = "What is not written when the window closes is left out: no file is left half written.";
    notice.holds = [this] { return workspace_.writing().any(); };
    notice.choices.push_back({tr("Close when they are written"), [this] {
                                  closing_ = workspace_.writing().any();
                                  if (!closing_) close();
                              }});
    notice.choices.push_back({tr("Close now"), [this] {
                                  writing_.drop();
                                  workspace_.writing().leave();
                                  close();
                              }});
    showNotice(notice);
}

void MainWindow::write(const QString& file, std::function<Expected<std::string>(const std::stop_token&)> make,
                       std::function<void(bool written)> then, std::shared_ptr<const Diagnostics> notes)
{
    startWriting(
        file,
        [make = std::move(make), path = file.toStdString()](const std::stop_token& stop) -> std::optional<Diagnostic> {
            const auto bytes = make(stop);
            if (!bytes) return bytes.error();
            // When the window closes, a FIFO without a reader and a slow device are not waited for. A file is written whole or
            // not at all.
            return io::writeUnlessStopped(path, *bytes, [stop] { return stop.stop_requested(); });
        },
        [this, file, then = std::move(then), notes = std::move(notes)](const std::optional<Diagnostic>& failure) {
            if (then) then(!failure);
            told(file, failure, notes ? *notes : Diagnostics());
        });
}

void MainWindow::told(const QString& file, const std::optional<Diagnostic>& failure, const Diagnostics& notes)
{
    const QFileInfo written(file);
    if (failure) {
        workspace_.report({tr("%1 was not written").arg(written.fileName()), *failure, {}, {}});
        return;
    }
    Notice notice{tr("%1 was written").arg(written.fileName()), {}, {}, written.absoluteFilePath(), {}};
    notice.what.severity = Severity::note;
    notice.what.message = QFileInfo(file).absoluteFilePath().toStdString();
    notice.more = notes;
    notice.good = true;
    workspace_.report(notice);
}

bool MainWindow::canExport() const
{
    const QLatin1String view(viewEntries()[std::size_t(views_->current())].id);
    return workspace_.run() || (workspace_.regression() && view == QLatin1String("regression"));
}

void MainWindow::openExport(const QString& item)
{
    if (!canExport()) return;
    RenderOptions options;
    View* shown = views_->currentView();
    QString view = shown->picture(options);
    if (view.isEmpty()) view = QLatin1String(viewEntries()[std::size_t(views_->current())].id);
    const Canvas* canvas = wholeCanvas(*shown, view, options);
    const auto isOfModel = [this](const QString& file) { return workspace_.models().isFileOfModel(file); };
    auto* dialog =
        new ExportDialog(exportItems(workspace_, view, *shown), lastFolder_, canvas ? canvas->fileSize() : shown->size(),
                         !canvas && !renderableViews().contains(view), isOfModel, look_, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    GuideWindow::helpIn(*dialog, QStringLiteral("compare-planners"), look_);
    dialog->choose(item);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { exportItem(dialog->chosen(), dialog->file(), dialog->scale()); });
    dialog->open();
}

void MainWindow::exportItem(const QString& id, const QString& file, double scale)
{
    const QString rest = id.mid(id.indexOf(u':') + 1);
    if (file.isEmpty() || !canExport()) return;
    lastFolder_ = QFileInfo(file).absoluteDir();
    if (id == u"picture")
        exportPicture(file, scale);
    else if (id == u"report")
        exportReport(file);
    else if (id.startsWith(QStringLiteral("plan:")))
        exportPlan(rest, file);
    else
        write(file, tableCsv(workspace_, runs_->table(), *views_->currentView(), rest));
}

void MainWindow::exportPlan(const QString& form, const QString& file)
{
    const Model* model = workspace_.model();
    const auto run = workspace_.run();
    if (!model || !run) return;
    const auto forms = runForms(session_, *model, *run);
    const auto chosen = std::ranges::find(forms, form.toStdString(), &RunForm::id);
    const bool folder = chosen != forms.end() && chosen->folder;
    const RunEntry* entry = session_.run(workspace_.shownRun());
    auto request = entry ? entry->request : workspace_.plannings().request(run->plan.planner);
    auto notes = std::make_shared<Diagnostics>();
    startWriting(
        file,
        [&session = session_, model = *model, request = std::move(request), run, form = form.toStdString(), folder, notes,
         path = nativePath(file)](const std::stop_token& stop) -> std::optional<Diagnostic> {
            auto made = writeRun(session, model, request, run, form, stop);
            if (!made) return made.error();
            *notes = std::move(made->diagnostics);
            const auto given = [stop] { return stop.stop_requested(); };
            if (!folder) return io::writeUnlessStopped(path, made->files.front().bytes, given);
            const QDir into(pathFromNative(path));
            if (!into.mkpath(QStringLiteral(".")))
                return failure(Code::cannotWrite, "the folder cannot be made", {path, 0, 0, -1}, "choose another place");
            for (const ExportedFile& each : made->files)
                if (auto error =
                        io::writeUnlessStopped(nativePath(into.filePath(QString::fromStdString(each.name))), each.bytes, given))
                    return error;
            return {};
        },
        [this, file, notes](const std::optional<Diagnostic>& failure) { told(file, failure, *notes); });
}

void MainWindow::exportPicture(const QString& file, double scale)
{
    const auto run = workspace_.run();
    if (file.isEmpty() || !canExport()) return;
    lastFolder_ = QFileInfo(file).absoluteDir();
    RenderOptions options;
    View* shown = views_->currentView();
    QString view = shown->picture(options);
    if (view.isEmpty()) view = QLatin1String(viewEntries()[std::size_t(views_->current())].id);
    const auto notes = std::make_shared<Diagnostics>();
    const auto done = [&](Expected<PictureBytes> made) {
        if (!made) return told(file, made.error());
        *notes = std::move(made->notes);
        write(
            file, [bytes = std::move(made->bytes)](const std::stop_token&) { return Expected<std::string>(bytes.toStdString()); },
            {}, notes);
    };
    if (Canvas* canvas = wholeCanvas(*shown, view, options)) {
        done(canvas->encode(file, scale));
        return;
    }
    if (run && renderableViews().contains(view)) {
        options.dark = look_.theme().dark;
        options.size = shown->size();
        options.scale = scale;
        options.readable = true;
        std::vector<std::shared_ptr<const Run>> runs{run};
        for (const RunEntry* entry : workspace_.runs())
            if (entry->run != run) runs.push_back(entry->run);
        // Scenes of runs that no view shows are made here, too: not on the window's thread.
        write(
            file,
            [runs = std::move(runs), view, options, file, notes,
             scenes = workspace_.scenes()](const std::stop_token&) -> Expected<std::string> {
                auto made = renderToBytes(runs, view, options, file, scenes);
                if (!made) return std::move(made).error();
                *notes = std::move(made->notes);
                return made->bytes.toStdString();
            },
            {}, notes);
        return;
    }
    // A view that has no picture of its own is taken as it is on the screen.
    if (!file.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive)) {
        told(file, failure(Code::notWritten, "this view is exported as PNG only", {}, "choose a name that ends in .png"));
        return;
    }
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    pictureOf(*shown, scale).save(&bytes, "PNG");
    done(PictureBytes{bytes.data(), {}});
}

void MainWindow::exportReport(const QString& file)
{
    const Model* model = workspace_.model();
    const auto run = workspace_.run();
    if (!model || !run) return;
    lastFolder_ = QFileInfo(file).absoluteDir();
    ReportWish wish;
    const RunEntry* shown = session_.run(workspace_.shownRun());
    wish.request = shown ? shown->request : workspace_.plannings().request(run->plan.planner);
    wish.run = run;
    // The runs that are there, one of each planner for the memories and changes of the one that is shown.
    for (const RunEntry* entry : workspace_.runs()) {
        PlanRequest same = entry->request;
        same.planner = wish.request.planner;
        same.options = wish.request.options;
        same.timeLimitSeconds = wish.request.timeLimitSeconds;
        const bool known =
            std::ranges::any_of(wish.planned, [&](const ReportPlanner& one) { return one.name == entry->request.planner; });
        if (!known && sameRequest(same, wish.request)) wish.planned.push_back({entry->request.planner, entry->run, {}});
    }
    reporting_ = true;
    refreshActions();
    const QString date = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-dd hh:mm 'UTC'"));
    // The search for changes takes a second or two, and plans on threads of its own.
    write(
        file,
        [&session = session_, model = *model, wish = std::move(wish),
         date = date.toStdString()](const std::stop_token& stop) -> Expected<std::string> {
            const auto facts = gatherReport(session, model, wish, stop);
            if (!facts) return facts.error();
            return writeHtmlReport({&*facts, 1}, {date});
        },
        [this](bool) {
            reporting_ = false;
            refreshActions();
        });
}

bool MainWindow::openSession(const QString& file)
{
    return openSession(file, SessionKeeper::read(file));
}

bool MainWindow::openSession(const QString& file, const Expected<SessionDocument>& session)
{
    if (!session) {
        workspace_.models().sessionFailed(file, session.error());
        return false;
    }
    workspace_.models().sessionRead(file);
    if (file != keeper_->file()) { // else nobody chose that name and folder
        lastFolder_ = QFileInfo(file).absoluteDir();
        sessionFile_ = QFileInfo(file).absoluteFilePath();
        session_.addRecentFile(file);
    }
    workspace_.sessions().open(*session);
    workspace_.restoreSuite(QString::fromStdString(session->suite)); // empty: none, and that of an earlier session goes
    if (!session->docks.empty()) {
        arranging_ = true; // what it shows or hides is no choice of the user for the view that is open
        restoreState(QByteArray::fromBase64(QByteArray::fromStdString(session->docks)), stateVersion);
        arranging_ = false;
    }
    if (!session->panels.empty()) chosenPanels_.clear();
    for (const auto& [id, panels] : session->panels)
        for (std::size_t view = 0; view < viewEntries().size(); ++view)
            if (id == viewEntries()[view].id) chosenPanels_[int(view)] = panelsOf(panels);
    if (!session->view.empty()) views_->setCurrent(QString::fromStdString(session->view));
    arrange();
    return true;
}

void MainWindow::saveSession(const QString& file)
{
    lastFolder_ = QFileInfo(file).absoluteDir();
    SessionDocument session = keeper_->capture();
    const auto notes = std::make_shared<Diagnostics>();
    for (const SessionModel& model : session.models) {
        if (model.opsLeftOut)
            notes->push_back(warning(Code::changeLeftOut, "the model has added ops, and a session does not hold those",
                                     {model.path, 0, 0, -1}, "export it as a program to keep them"));
        if (model.runsLeftOut > 0)
            notes->push_back(warning(Code::plansLeftOut,
                                     fmt::format("{} of {} plans are left out: {}", model.runsLeftOut,
                                                 model.runs.size() + model.runsLeftOut, DeskSession::keptPlans()),
                                     {model.path, 0, 0, -1}, "export a plan to keep it"));
    }
    write(
        file,
        [session = std::move(session), file](const std::stop_token& cancel) {
            return Expected<std::string>(SessionKeeper::text(session, file, cancel));
        },
        [this, file](bool written) {
            if (!written) return;
            sessionFile_ = QFileInfo(file).absoluteFilePath();
            session_.addRecentFile(file);
        },
        notes);
}

void MainWindow::reopenLast()
{
    const QString& last = keeper_->file();
    if (!QFileInfo::exists(last)) return;
    if (const auto session = keeper_->readLast(); !session || !session->models.empty() || !session->suite.empty())
        openSession(last, session);
}

} // namespace stowage
