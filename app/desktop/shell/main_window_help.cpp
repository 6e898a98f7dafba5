// Guide, settings and tour.
#include "app/desktop/shell/main_window.h"

#include "app/desktop/file_watch.h"
#include "app/desktop/glossary.h"
#include "app/desktop/look/look.h"
#include "app/desktop/panels/run_panel.h"
#include "app/desktop/shell/action_registry.h"
#include "app/desktop/shell/guide_window.h"
#include "app/desktop/shell/search_field.h"
#include "app/desktop/shell/settings_dialog.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/shell/tool_strip.h"
#include "app/desktop/shell/tour.h"
#include "app/desktop/shell/view_area.h"
#include "app/desktop/widgets/canvas.h"
#include "app/session/resources.h"
#include "app/session/targets.h"
#include "core/plan/report.h"

#include <QAction>
#include <QApplication>
#include <QChildEvent>
#include <QDialog>
#include <QDockWidget>
#include <QFileInfo>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>

namespace stowage {

namespace {

/// Whether a file is one of the samples that come with the program.
bool isBundledSample(const QString& path)
{
    const QString samples = QFileInfo(resourcePath(QStringLiteral("samples"))).canonicalFilePath();
    return !samples.isEmpty() && QFileInfo(path).canonicalFilePath().startsWith(samples + u'/');
}

} // namespace

void MainWindow::makeGuideActions()
{
    const QString menu = tr("Help");
    const auto add = [&](const char* id, const QString& text, const char* icon, const QList<QKeySequence>& keys, auto run) {
        connect(actions_->add(QString::fromLatin1(id), menu, text, QString::fromLatin1(icon), keys), &QAction::triggered, this,
                run);
    };
    actions_->separate(menu);
    add("help.guide", tr("Guide"), "book", {}, [this] { openGuide(QStringLiteral("index")); });
    add("help.guide-here", tr("Guide page of this view"), "", {QKeySequence(Qt::Key_F1)}, [this] { openGuide(); });
    add("help.terms", tr("Terms"), "", {}, [this] { openGuide(QStringLiteral("glossary")); });
    add("help.tour", tr("One-minute tour"), "play", {}, [this] { startTour(); });
    connect(actions_->add(QStringLiteral("tools.settings"), tr("Tools"), tr("Settings…"), QStringLiteral("gear"),
                          {QKeySequence(Qt::CTRL | Qt::Key_Comma)}),
            &QAction::triggered, this, [this] { openSettings(); });
}

QString MainWindow::guidePage() const
{
    if (QString page = GuideWindow::pageOf(QApplication::focusWidget()); !page.isEmpty()) return page;
    if (centre_->currentWidget() != views_) return QStringLiteral("index");
    const QString view = QString::fromLatin1(viewEntries()[std::size_t(views_->current())].id);
    // Of a plan that does not fit, the first question is another one.
    const bool map = view == u"memory-map" || view == u"liveness";
    const auto run = workspace_.run();
    if (map && run && run->report.verdict.overCapacity)
        return run->problem().loops.empty() && !isAscendKernel(*workspace_.model()) ? QStringLiteral("will-my-model-fit")
                                                                                    : QStringLiteral("ascend-hivm");
    if (map && run) {
        std::size_t memories = 0;
        for (const PoolReport& pool : run->report.pools)
            memories += pool.size > 0 && run->problem().pools[std::size_t(pool.pool)].kind == PoolKind::workspace;
        if (memories > 1 && !isAscendKernel(*workspace_.model())) return QStringLiteral("two-memories");
    }
    return GuideWindow::pageOfView(view);
}

void MainWindow::openGuide(const QString& page)
{
    const QString wanted = page.isEmpty() ? guidePage() : page;
    if (!guide_) guide_ = new GuideWindow(look_, this);
    guide_->openPage(wanted);
    guide_->show();
    guide_->raise();
    guide_->activateWindow();
}

void MainWindow::childEvent(QChildEvent* event)
{
    QMainWindow::childEvent(event);
    if (event->type() != QEvent::ChildPolished || !event->child()->isWidgetType()) return;
    // In the next turn of the event loop: the dialog is complete then.
    QTimer::singleShot(0, event->child(), [this, child = event->child()] {
        auto* dialog = qobject_cast<QDialog*>(child);
        const QString page = dialog ? dialog->property(guidePageProperty).toString() : QString();
        if (!page.isEmpty()) GuideWindow::helpIn(*dialog, page, look_);
    });
}

void MainWindow::openSettings()
{
    if (!settings_) {
        settings_ = new SettingsDialog(workspace_, look_, *watch_, this);
        GuideWindow::helpIn(*settings_, QStringLiteral("the-views"), look_);
        connect(settings_, &SettingsDialog::panelsReset, this, &MainWindow::resetPanels);
        connect(settings_, &SettingsDialog::tourRequested, this, [this] {
            settings_->close();
            startTour();
        });
        connect(&look_, &Look::modeChanged, this, &MainWindow::refreshActions);
    }
    settings_->show();
    settings_->raise();
    settings_->activateWindow();
}

void MainWindow::resetPanels()
{
    chosenPanels_.clear();
    panelWidths_ = {{Panel::sidebar, 232}, {Panel::inspector, 296}};
    restoreState(firstState_, stateVersion);
    dividedFor_ = 0;
    arrange();
}

void MainWindow::offerTour()
{
    QSettings settings;
    if (!settings.value(QLatin1String(settings::offerTour), true).toBool() || notice_) return;
    // Not over files of the user's own: who opens those, or has a last session, knows the window. app/run.sh opens a sample.
    for (const int id : session_.models())
        if (!isBundledSample(session_.model(id)->path)) return;
    for (const auto& [id, path] : workspace_.models().opening())
        if (!isBundledSample(path)) return;
    if (!workspace_.suite().isEmpty() && !isBundledSample(workspace_.suite())) return;
    settings.setValue(QLatin1String(settings::offerTour), false); // once
    Notice notice;
    notice.title = tr("New here?");
    notice.what.severity = Severity::note;
    notice.what.message = tr("A tour of a minute shows the window on a sample.").toStdString();
    notice.choices = {{tr("Take the tour"), [this] { startTour(); }}, {tr("Not now"), [] {}}};
    workspace_.report(notice);
}

void MainWindow::startTour()
{
    if (const QString sample = resourcePath(QStringLiteral("samples/resnet18.json")); !workspace_.modelId() && !sample.isEmpty())
        workspace_.open(sample);
    if (tour_) tour_->giveFocusBack();
    delete tour_;
    const auto showView = [this](const char* id) {
        welcomeAsked_ = false;
        views_->setCurrent(QString::fromLatin1(id));
        arrange();
    };
    const auto panel = [this](Panel which) {
        if (const auto dock = docks_.find(which); dock != docks_.end()) dock->second->show();
    };
    std::vector<TourStop> stops;
    stops.push_back({tr("The memory map"),
                     tr("Each rectangle is a buffer: its steps from left to right, its addresses upwards. The wheel zooms time, "
                        "with Ctrl addresses; Shift+drag pans. Two buffers that are live at the same step never overlap."),
                     [this]() -> QWidget* { return views_->currentView() ? views_->currentView()->canvas() : nullptr; },
                     [showView] { showView("memory-map"); }});
    stops.push_back(
        {tr("The verdict"),
         tr("A checker that shares no code with the planners judges each plan: whether it is valid, whether it fits, "
            "and how far its size is above the lower bound, below which no plan with the same choice of pools exists."),
         [this]() -> QWidget* { return findChild<StatusStrip*>(); },
         {}});
    stops.push_back(
        {tr("Why this high?"),
         tr("The buffer at the top is selected. The inspector lists the buffers below it, down to address 0, and single "
            "changes that make the plan smaller. T does this at any time; P jumps to the peak."),
         [this]() -> QWidget* { return docks_[Panel::inspector]; },
         [this, panel] {
             panel(Panel::inspector);
             workspace_.shown().selectTop(none);
         }});
    stops.push_back({tr("Planners"),
                     tr("Tick planners and press Plan (Ctrl+Enter). The target, the capacities of its pools and the options of "
                        "the chosen planner are beside them; each edit can be undone."),
                     [this]() -> QWidget* { return docks_[Panel::sidebar]; }, [panel] { panel(Panel::sidebar); }});
    stops.push_back({tr("Runs"),
                     tr("Each planning is a run. A click shows its map; \"Side by side\" compares maps on one scale. Runs with "
                        "another capacity, pin or lowering are a group of their own."),
                     [this]() -> QWidget* { return docks_[Panel::runs]; }, [panel] { panel(Panel::runs); }});
    stops.push_back({tr("Find things"),
                     tr("\"/\" searches by name, size (size>1K), step (step:23) or hexadecimal address, and filters every view. "
                        "Ctrl+Shift+P finds commands, models and planners; F1 opens the guide at the right page."),
                     [this]() -> QWidget* { return &tools_->search(); },
                     {}});
    tour_ = new Tour(std::move(stops), look_, this);
    tour_->start();
}

} // namespace stowage
