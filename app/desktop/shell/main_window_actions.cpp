// The commands of the window: one line each where that is possible.
#include "app/desktop/shell/main_window.h"

#include "app/desktop/file_watch.h"
#include "app/desktop/glossary.h"
#include "app/desktop/look/look.h"
#include "app/desktop/panels/run_panel.h"
#include "app/desktop/shell/action_registry.h"
#include "app/desktop/shell/command_palette.h"
#include "app/desktop/shell/guide_window.h"
#include "app/desktop/shell/plugin_dialog.h"
#include "app/desktop/shell/search_field.h"
#include "app/desktop/shell/tool_strip.h"
#include "app/desktop/shell/view_area.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/open_dialog.h"

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QStackedWidget>

namespace stowage {

void MainWindow::makeFileActions()
{
    const QString menu = tr("File");
    const auto add = [&](const char* id, const QString& text, const char* icon, const QList<QKeySequence>& keys, auto run) {
        QAction* action = actions_->add(QString::fromLatin1(id), menu, text, QString::fromLatin1(icon), keys);
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    add("file.open", tr("Open…"), "open", {QKeySequence::Open}, [this] { openDialog(); });
    add("file.paste", tr("Open pasted text"), "copy", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V)}, [this] {
        const QString text = QGuiApplication::clipboard()->text();
        if (text.trimmed().isEmpty()) {
            Diagnostic what;
            what.code = Code::emptyClipboard;
            what.message = "The clipboard holds no text.";
            what.remedy = "copy a CSV or JSON problem first";
            workspace_.report({tr("Nothing to paste"), what, {}, {}});
        } else {
            workspace_.openText(tr("pasted"), text.toUtf8());
        }
    });
    add("file.reload", tr("Reload"), "refresh", {QKeySequence(Qt::Key_F5)}, [this] { workspace_.reload(); });
    QAction* reloads = actions_->add(QStringLiteral("file.reload-changed"), menu, tr("Reload changed files by themselves"));
    reloads->setCheckable(true);
    connect(reloads, &QAction::triggered, this, [this](bool on) { watch_->setReloads(on); });
    add("file.close", tr("Close model"), "cross", {QKeySequence::Close}, [this] { workspace_.closeModel(workspace_.modelId()); });
    actions_->separate(menu);
    add("file.save-session", tr("Save session…"), "", {QKeySequence::Save}, [this] { saveSessionDialog(); });
    add("file.reopen", tr("Reopen the last session"), "clock", {}, [this] { reopenLast(); });
    actions_->separate(menu);
    const auto exported = [&](const char* id, const QString& text, const char* icon, const QList<QKeySequence>& keys,
                              const char* item) { add(id, text, icon, keys, [this, item] { openExport(QLatin1String(item)); }); };
    exported("file.export-picture", tr("Export picture…"), "export", {QKeySequence(Qt::CTRL | Qt::Key_E)}, "picture");
    exported("file.export-plan", tr("Export plan…"), "export", {}, "plan:plan");
    exported("file.export-table", tr("Export table…"), "table", {}, "table:buffers");
    exported("file.export-report", tr("Export report…"), "book", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)}, "report");
    actions_->separate(menu);
    add("file.quit", tr("Quit"), "quit", {QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] { close(); });
}

void MainWindow::makeEditActions()
{
    const QString menu = tr("Edit");
    QAction* undo = actions_->add(QStringLiteral("edit.undo"), menu, tr("Undo"), QStringLiteral("undo"), {QKeySequence::Undo});
    connect(undo, &QAction::triggered, &workspace_.edits().group(), &QUndoGroup::undo);
    QAction* redo = actions_->add(QStringLiteral("edit.redo"), menu, tr("Redo"), QStringLiteral("redo"),
                                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    connect(redo, &QAction::triggered, &workspace_.edits().group(), &QUndoGroup::redo);
    const auto name = [](QAction* action, const QString& verb) {
        return [action, verb](const QString& what) {
            action->setToolTip(what.isEmpty() ? verb : QStringLiteral("%1: %2").arg(verb, what));
        };
    };
    connect(&workspace_.edits().group(), &QUndoGroup::undoTextChanged, undo, name(undo, tr("Undo")));
    connect(&workspace_.edits().group(), &QUndoGroup::redoTextChanged, redo, name(redo, tr("Redo")));
    connect(&workspace_.edits().group(), &QUndoGroup::canUndoChanged, undo, &QAction::setEnabled);
    connect(&workspace_.edits().group(), &QUndoGroup::canRedoChanged, redo, &QAction::setEnabled);
    undo->setEnabled(false);
    redo->setEnabled(false);
    actions_->separate(menu);
    QAction* find = actions_->add(QStringLiteral("edit.find"), menu, tr("Search"), QStringLiteral("search"),
                                  {QKeySequence(Qt::Key_Slash), QKeySequence::Find});
    connect(find, &QAction::triggered, this, [this] {
        tools_->search().setFocus(Qt::ShortcutFocusReason);
        tools_->search().selectAll();
    });
    QAction* unfilter = actions_->add(QStringLiteral("edit.clear-filter"), menu, tr("Clear filter"), QStringLiteral("filter"),
                                      {QKeySequence(Qt::CTRL | Qt::Key_Backspace)});
    connect(unfilter, &QAction::triggered, this, [this] { workspace_.selection().setFilter({}); });
    QAction* deselect =
        actions_->add(QStringLiteral("edit.deselect"), menu, tr("Select nothing"), {}, {QKeySequence(Qt::Key_Escape)});
    connect(deselect, &QAction::triggered, this, [this] { workspace_.selection().clear(); });
    actions_->separate(menu);
    QAction* pin = actions_->add(QStringLiteral("edit.pin"), menu, tr("Pin or release the selected buffer"),
                                 QStringLiteral("pin"), {QKeySequence(Qt::CTRL | Qt::Key_P)});
    connect(pin, &QAction::triggered, this, &MainWindow::pinSelected);
    QAction* pinAt = actions_->add(QStringLiteral("edit.pin-at"), menu, tr("Pin the selected buffer at an address…"), {},
                                   {QKeySequence(Qt::SHIFT | Qt::Key_P)});
    connect(pinAt, &QAction::triggered, this, &MainWindow::askPinAddress);
    QAction* note = actions_->add(QStringLiteral("edit.note"), menu, tr("Note at the pointer"), QStringLiteral("flag"),
                                  {QKeySequence(Qt::Key_M)});
    connect(note, &QAction::triggered, this, [this] {
        if (View* view = views_->currentView()) view->perform(ViewCommand::note);
    });
    const auto border = [&](const char* id, const QString& text, Qt::Key key, ViewCommand command) {
        QAction* action = actions_->add(QString::fromLatin1(id), menu, text, {}, {QKeySequence(Qt::CTRL | key)});
        connect(action, &QAction::triggered, this, [this, command] {
            if (View* view = views_->currentView()) view->perform(command);
        });
    };
    actions_->separate(menu);
    border("edit.border-back", tr("Move the border of the selected stage back"), Qt::Key_Left, ViewCommand::borderBack);
    border("edit.border-forward", tr("Move the border of the selected stage forward"), Qt::Key_Right, ViewCommand::borderForward);
}

void MainWindow::makePlanActions()
{
    const QString menu = tr("Plan");
    const auto add = [&](const char* id, const QString& text, const char* icon, const QList<QKeySequence>& keys, auto run) {
        QAction* action = actions_->add(QString::fromLatin1(id), menu, text, QString::fromLatin1(icon), keys);
        connect(action, &QAction::triggered, this, run);
        return action;
    };
    add("plan.run", tr("Plan with the ticked planners"), "plan",
        {QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::Key_F9)}, [this] { workspace_.plan(); });
    add("plan.shown", tr("Plan with the chosen planner only"), "", {QKeySequence(Qt::SHIFT | Qt::Key_F9)},
        [this] { workspace_.plannings().planOnly(workspace_.planners().focus()); });
    add("plan.cancel", tr("Stop planning"), "stop", {QKeySequence(Qt::CTRL | Qt::Key_Period)}, [this] { workspace_.cancel(); });
    actions_->separate(menu);
    add("plan.tick-all", tr("Tick all planners"), "check", {}, [this] { workspace_.planners().setAllTicked(true); });
    add("plan.tick-none", tr("Tick no planner"), "", {}, [this] { workspace_.planners().setAllTicked(false); });
    actions_->separate(menu);
    add("plan.reorder", tr("Reorder ops…"), "liveness", {}, [this] { openReorder(); });
    add("plan.target-file", tr("Target from a file…"), "target", {}, [this] {
        OpenDialog dialog(session_.importers(), tr("Target"), {tr("Targets (*.json)"), tr("All files (*)")},
                          QStringLiteral("two-memories"), {}, this);
        const QString file = dialog.ask();
        if (file.isEmpty()) return;
        if (const auto target = session_.target(file))
            workspace_.edits().setTarget(*target);
        else
            workspace_.report({tr("%1 is not a valid target").arg(QFileInfo(file).fileName()), target.error(), {}, {}});
    });
    add("plan.plugins", tr("Plug-ins…"), "", {}, [this] {
        PluginDialog dialog(session_.plugins(), look_, this);
        GuideWindow::helpIn(dialog, QStringLiteral("a-planner-in-ten-minutes"), look_);
        dialog.exec();
    });
    add("plan.clear", tr("Clear runs"), "trash", {}, [this] { workspace_.shown().clear(); });
}

void MainWindow::makeViewActions()
{
    const QString menu = tr("View");
    int number = 0; // of the views that every model has: their keys stay the same
    for (std::size_t i = 0; i < viewEntries().size(); ++i) {
        const ViewEntry& entry = viewEntries()[i];
        QList<QKeySequence> keys;
        if (!entry.applies && number < 9) keys << QKeySequence(Qt::CTRL | Qt::Key(int(Qt::Key_1) + number++));
        QAction* action = actions_->add(QStringLiteral("view.") + QLatin1String(entry.id), menu, QString::fromLatin1(entry.title),
                                        QString::fromLatin1(entry.icon), keys);
        connect(action, &QAction::triggered, this, [this, i] {
            welcomeAsked_ = false;
            views_->setCurrent(int(i));
            arrange();
        });
    }
    actions_->separate(menu);
    const auto panel = [&](const char* id, const QString& text, Panel which, Qt::Key key) {
        QAction* action = actions_->add(QString::fromLatin1(id), menu, text, {}, {QKeySequence(Qt::CTRL | key)});
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, which](bool on) {
            if (const auto dock = docks_.find(which); dock != docks_.end()) dock->second->setVisible(on);
        });
    };
    panel("view.sidebar", tr("Sidebar"), Panel::sidebar, Qt::Key_B);
    panel("view.inspector", tr("Inspector"), Panel::inspector, Qt::Key_I);
    panel("view.runs", tr("Compare table"), Panel::runs, Qt::Key_J);
    panel("view.distributions", tr("Distributions"), Panel::distributions, Qt::Key_H);
    panel("view.diagnostics", tr("Diagnostics"), Panel::diagnostics, Qt::Key_D);
    connect(actions_->add(QStringLiteral("view.sort"), menu, tr("Sort the table by…"), QStringLiteral("table"),
                          {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S)}),
            &QAction::triggered, this, &MainWindow::sortTable);
    actions_->separate(menu);
    const auto theme = [&](const char* id, const QString& text, const char* icon, ThemeMode mode) {
        QAction* action = actions_->add(QString::fromLatin1(id), menu, text, QString::fromLatin1(icon));
        action->setCheckable(true);
        connect(action, &QAction::triggered, this, [this, mode] {
            look_.setMode(mode);
            refreshActions();
        });
    };
    theme("view.theme-dark", tr("Dark theme"), "moon", ThemeMode::dark);
    theme("view.theme-light", tr("Light theme"), "sun", ThemeMode::light);
    theme("view.theme-system", tr("The system's theme"), "system", ThemeMode::system);
    QAction* next = actions_->add(QStringLiteral("view.theme-next"), menu, tr("Next theme"), {},
                                  {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T)});
    connect(next, &QAction::triggered, this, [this] {
        look_.setMode(ThemeMode((int(look_.mode()) + 1) % 3));
        refreshActions();
    });

    const QString go = tr("Go");
    const auto move = [&](const char* id, const QString& text, const char* icon, const QList<QKeySequence>& keys, auto run) {
        connect(actions_->add(QString::fromLatin1(id), go, text, QString::fromLatin1(icon), keys), &QAction::triggered, this,
                run);
    };
    move("go.selection", tr("Centre and fit the selection"), "fit", {QKeySequence(Qt::Key_F)}, [this] {
        if (View* view = views_->currentView()) view->zoomToSelection();
    });
    move("go.reset", tr("Show everything"), "", {QKeySequence(Qt::Key_H)}, [this] {
        if (View* view = views_->currentView()) view->zoomToFit();
    });
    move("go.peak", tr("Jump to the peak"), "peak", {QKeySequence(Qt::Key_P)}, [this] {
        if (View* view = views_->currentView()) view->zoomToPeak();
    });
    actions_->separate(go);
    const auto neighbour = [this](int delta) {
        const auto run = workspace_.run();
        if (!run || run->problem().buffers.empty()) return;
        const auto count = BufferId(run->problem().buffers.size());
        BufferId at = workspace_.selection().buffer();
        // The next one that the filter lets through, round the end.
        for (BufferId step = 0; step < count; ++step) {
            at = at == none ? (delta > 0 ? 0 : count - 1) : (at + delta + count) % count;
            if (workspace_.selection().passes(at)) break;
        }
        workspace_.selection().select(at);
    };
    const auto goOn = [this, neighbour](ViewCommand command, int delta) {
        if (View* view = views_->currentView(); view && view->perform(command)) return;
        neighbour(delta);
    };
    move("go.next-buffer", tr("Next buffer, or iteration"), "", {QKeySequence(Qt::Key_Period)},
         [goOn] { goOn(ViewCommand::next, 1); });
    move("go.previous-buffer", tr("Previous buffer, or iteration"), "", {QKeySequence(Qt::Key_Comma)},
         [goOn] { goOn(ViewCommand::previous, -1); });
    actions_->separate(go);
    const auto ask = [&](const char* id, const QString& text, const char* icon, const QList<QKeySequence>& shortcuts,
                         const QString& keys, ViewCommand command) {
        move(id, text, icon, shortcuts, [this, command] {
            if (View* view = views_->currentView()) view->perform(command);
        });
        if (!keys.isEmpty()) actions_->setKeys(QString::fromLatin1(id), keys);
    };
    ask("go.back", tr("Back to what was in view"), "", {QKeySequence(Qt::ALT | Qt::Key_Left)}, tr("Backspace"),
        ViewCommand::back);
    ask("go.forward", tr("Forward again"), "", {QKeySequence(Qt::ALT | Qt::Key_Right)}, {}, ViewCommand::forward);
    ask("go.zoom-in", tr("Zoom in at the pointer"), "zoom-in", {}, QStringLiteral("W"), ViewCommand::zoomIn);
    ask("go.zoom-out", tr("Zoom out at the pointer"), "zoom-out", {}, QStringLiteral("S"), ViewCommand::zoomOut);
    ask("go.pan-left", tr("Pan to earlier steps"), "", {}, QStringLiteral("A"), ViewCommand::panLeft);
    ask("go.pan-right", tr("Pan to later steps"), "", {}, QStringLiteral("D"), ViewCommand::panRight);
    ask("go.address-zoom-in", tr("Zoom in on addresses"), "", {}, tr("Shift+W"), ViewCommand::addressZoomIn);
    ask("go.address-zoom-out", tr("Zoom out of addresses"), "", {}, tr("Shift+S"), ViewCommand::addressZoomOut);
    ask("go.pan-down", tr("Pan to lower addresses"), "", {}, tr("Shift+A"), ViewCommand::panDown);
    ask("go.pan-up", tr("Pan to higher addresses"), "", {}, tr("Shift+D"), ViewCommand::panUp);
    move("go.step", tr("Go to a step…"), "", {QKeySequence(Qt::Key_G)}, [this] { askStep(); });
    ask("go.sum-area", tr("Select and sum up what is in view"), "", {QKeySequence(Qt::Key_U)}, {}, ViewCommand::sumArea);
    ask("go.wider-names", tr("Wider names"), "", {QKeySequence(Qt::Key_N)}, {}, ViewCommand::widerNames);
    ask("go.narrower-names", tr("Narrower names"), "", {QKeySequence(Qt::SHIFT | Qt::Key_N)}, {}, ViewCommand::narrowerNames);
    ask("go.neighbour-left", tr("Neighbour before"), "", {}, tr("Left"), ViewCommand::neighbourLeft);
    ask("go.neighbour-right", tr("Neighbour after"), "", {}, tr("Right"), ViewCommand::neighbourRight);
    ask("go.neighbour-up", tr("Neighbour above"), "", {}, tr("Up"), ViewCommand::neighbourUp);
    ask("go.neighbour-down", tr("Neighbour below"), "", {}, tr("Down"), ViewCommand::neighbourDown);
    actions_->separate(go);
    move("go.top", tr("Explain the size: select the buffer at the top"), "", {QKeySequence(Qt::Key_T)},
         [this] { workspace_.shown().selectTop(none); });
    actions_->separate(go);
    ask("go.replay-play", tr("Play or pause the replay"), "play", {QKeySequence(Qt::Key_K)}, tr("Space"), ViewCommand::play);
    ask("go.replay-back", tr("Previous recorded step"), "step-back", {QKeySequence(Qt::Key_BracketLeft)}, {},
        ViewCommand::stepBack);
    ask("go.replay-forward", tr("Next recorded step"), "step-forward", {QKeySequence(Qt::Key_BracketRight)}, {},
        ViewCommand::stepForward);
    actions_->separate(go);
    move("go.next-run", tr("Next run"), "", {QKeySequence(Qt::CTRL | Qt::Key_Down)}, [this] { workspace_.showNeighbourRun(1); });
    move("go.previous-run", tr("Previous run"), "", {QKeySequence(Qt::CTRL | Qt::Key_Up)},
         [this] { workspace_.showNeighbourRun(-1); });

    const QString compare = tr("Compare");
    connect(actions_->add(QStringLiteral("compare.side-by-side"), compare, tr("Side by side"), QStringLiteral("compare"),
                          {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}),
            &QAction::triggered, this, [this] { views_->setCurrent(QStringLiteral("compare")); });
    connect(actions_->add(QStringLiteral("compare.local-first"), compare, tr("Local-first against unified"),
                          QStringLiteral("difference")),
            &QAction::triggered, this, [this] {
                // One after the other would do as well: the comparison shows the second as soon as it is there.
                views_->setCurrent(QStringLiteral("compare"));
                if (auto* view = dynamic_cast<CompareView*>(views_->currentView())) view->compareLocalFirst();
            });
    connect(actions_->add(QStringLiteral("compare.since"), compare, tr("Changes since another open model"),
                          QStringLiteral("difference")),
            &QAction::triggered, this, [this] {
                views_->setCurrent(QStringLiteral("compare"));
                if (auto* view = dynamic_cast<CompareView*>(views_->currentView())) view->compareModels();
            });
    connect(actions_->add(QStringLiteral("compare.open-suite"), compare, tr("A suite with its baseline…"),
                          QStringLiteral("regression")),
            &QAction::triggered, this, [this] {
                OpenDialog dialog(session_.importers(), tr("Open a suite"), {tr("Suites (*.json)")},
                                  QStringLiteral("regression-suites"), lastFolder_.absolutePath(), this);
                const QString file = dialog.ask();
                if (!file.isEmpty()) workspace_.openSuite(file);
            });
    connect(actions_->add(QStringLiteral("compare.copy"), compare, tr("Copy the table of runs"), QStringLiteral("copy")),
            &QAction::triggered, this, [this] { runs_->copy(); });
}

void MainWindow::makeHelpActions()
{
    connect(actions_->add(QStringLiteral("tools.palette"), tr("Tools"), tr("All commands…"), QStringLiteral("list"),
                          {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)}),
            &QAction::triggered, this, [this] {
                if (!palette_) palette_ = new CommandPalette(*actions_, workspace_, look_, this);
                if (shortcuts_) shortcuts_->giveFocusBack(); // it closes then
                palette_->open();
            });
    connect(actions_->add(QStringLiteral("help.shortcuts"), tr("Help"), tr("Shortcuts"), QStringLiteral("keyboard"),
                          {QKeySequence(Qt::Key_Question)}),
            &QAction::triggered, this, [this] {
                if (!shortcuts_) shortcuts_ = new ShortcutList(*actions_, look_, this);
                shortcuts_->open();
            });
    connect(actions_->add(QStringLiteral("help.welcome"), tr("Help"), tr("Welcome page"), QStringLiteral("book")),
            &QAction::triggered, this, [this] {
                welcomeAsked_ = true;
                arrange();
            });
    // What pointer and wheel do on every canvas.
    const QString menu = tr("In a picture");
    actions_->describe(menu, tr("Zoom time"), {tr("Wheel")});
    actions_->describe(menu, tr("Zoom addresses"), {tr("Ctrl+Wheel")});
    actions_->describe(menu, tr("Pan"), {tr("Shift+Wheel"), tr("Shift+Drag")});
    actions_->describe(menu, tr("Pan addresses"), {tr("Ctrl+Shift+Wheel")});
    actions_->describe(menu, tr("Move the selected buffer and pin it there"), {tr("Drag it")});
    actions_->describe(menu, tr("Select an area"), {tr("Drag")});
    actions_->describe(menu, tr("Zoom to a box"), {tr("Alt+Drag"), tr("Middle+Drag")});
    actions_->describe(menu, tr("Zoom to a buffer"), {tr("Double-click")});
    actions_->describe(menu, tr("Add to the selection"), {tr("Ctrl+Click")});
    // Keys that a view or a panel handles itself.
    actions_->describe(menu, tr("First iteration, or recorded step"), {tr("Home")});
    actions_->describe(menu, tr("Last iteration, or recorded step"), {tr("End")});
    actions_->describe(tr("Edit"), tr("Capacity of the pool that has the focus"), {tr("F2")});
}

void MainWindow::refreshActions()
{
    const bool model = workspace_.modelId() != 0, run = workspace_.run() != nullptr, runs = !workspace_.runs().empty();
    const auto enable = [this](const char* id, bool on) { actions_->action(QString::fromLatin1(id))->setEnabled(on); };
    enable("file.reload", model && !workspace_.model()->path.isEmpty());
    enable("file.close", model);
    enable("file.save-session", model || !workspace_.suite().isEmpty());
    actions_->action(QStringLiteral("file.reload-changed"))->setChecked(watch_ && watch_->reloads());
    enable("file.export-picture", canExport());
    enable("file.export-plan", run);
    enable("file.export-table", canExport());
    enable("file.export-report", run && !reporting_);
    enable("plan.run", model);
    enable("plan.reorder", model && workspace_.model()->program);
    enable("plan.shown", model);
    enable("plan.cancel", workspace_.busy());
    enable("plan.clear", runs);
    enable("compare.side-by-side", runs);
    enable("compare.local-first", model);
    enable("compare.since", runs && workspace_.models().ids().size() > 1);
    enable("compare.copy", runs);
    for (const ActionRegistry::Entry& entry : actions_->entries())
        if (entry.action && entry.id.startsWith(QStringLiteral("go."))) entry.action->setEnabled(run);
    enable("edit.pin", run);
    enable("edit.pin-at", run);
    // A view that is not shown yet is not made for this.
    View* view = centre_->currentWidget() == views_ ? views_->currentView() : nullptr;
    const auto offer = [&](const char* id, ViewCommand command, bool on) { enable(id, on && view && view->performs(command)); };
    offer("edit.border-back", ViewCommand::borderBack, model);
    offer("edit.border-forward", ViewCommand::borderForward, model);
    offer("go.wider-names", ViewCommand::widerNames, run);
    offer("go.narrower-names", ViewCommand::narrowerNames, run);
    offer("go.address-zoom-in", ViewCommand::addressZoomIn, run);
    offer("go.address-zoom-out", ViewCommand::addressZoomOut, run);
    offer("go.pan-down", ViewCommand::panDown, run);
    offer("go.pan-up", ViewCommand::panUp, run);
    offer("go.sum-area", ViewCommand::sumArea, run);
    if (Canvas* canvas = view ? view->canvas() : nullptr) // its scene tells which axes there are
        connect(canvas, &Canvas::sceneChanged, this, &MainWindow::refreshActions, Qt::UniqueConnection);
    enable("view.sort", model);
    enable("edit.note", run);
    enable("go.next-run", runs);
    enable("go.previous-run", runs);
    for (const ViewEntry& entry : viewEntries())
        actions_->action(QStringLiteral("view.") + QLatin1String(entry.id))
            ->setEnabled(model || (QLatin1String(entry.id) == QLatin1String("regression") && !workspace_.suite().isEmpty()));
    const auto check = [this](const char* id, bool on) { actions_->action(QString::fromLatin1(id))->setChecked(on); };
    const std::pair<const char*, Panel> panels[] = {{"view.sidebar", Panel::sidebar},
                                                    {"view.inspector", Panel::inspector},
                                                    {"view.runs", Panel::runs},
                                                    {"view.distributions", Panel::distributions},
                                                    {"view.diagnostics", Panel::diagnostics}};
    for (const auto& [id, panel] : panels) {
        const auto dock = docks_.find(panel);
        check(id, dock != docks_.end() && !dock->second->isHidden());
        enable(id, model || (panel == Panel::diagnostics && !workspace_.models().failures().empty()));
    }
    check("view.theme-dark", look_.mode() == ThemeMode::dark);
    check("view.theme-light", look_.mode() == ThemeMode::light);
    check("view.theme-system", look_.mode() == ThemeMode::system);
}

void MainWindow::openDialog()
{
    OpenDialog dialog(session_.importers(), lastFolder_.absolutePath(), this);
    if (dialog.exec() != QDialog::Accepted) return;
    lastFolder_ = dialog.directory();
    openFiles(dialog.selectedFiles());
}

void MainWindow::saveSessionDialog()
{
    const QString suffix = QStringLiteral(".stow"); // by which `openFiles` knows a session
    QFileDialog dialog(this, tr("Save session"), lastFolder_.absolutePath(), tr("Sessions (*.stow)"));
    dialog.setProperty(guidePageProperty, QStringLiteral("file-formats"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(suffix);
    const QFileInfo known(sessionFile_.isEmpty() ? lastFolder_.filePath(QStringLiteral("desk.stow")) : sessionFile_);
    dialog.setDirectory(known.absolutePath());
    dialog.selectFile(known.fileName());
    while (dialog.exec() == QDialog::Accepted) {
        QString file = dialog.selectedFiles().value(0);
        const bool whole = file.endsWith(suffix, Qt::CaseInsensitive);
        if (!whole) file += suffix; // "net_0.25" has a suffix for the dialog
        if (whole || !QFileInfo::exists(file)) return saveSession(file);
        dialog.selectFile(file); // the dialog asks whether to replace it
    }
}

} // namespace stowage
