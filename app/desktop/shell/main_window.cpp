#include "app/desktop/shell/main_window.h"

#include "app/desktop/file_watch.h"
#include "app/desktop/glossary.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/diagnostics_panel.h"
#include "app/desktop/panels/distributions_panel.h"
#include "app/desktop/panels/inspector.h"
#include "app/desktop/panels/reorder_card.h"
#include "app/desktop/panels/run_panel.h"
#include "app/desktop/panels/sidebar.h"
#include "app/desktop/session_keeper.h"
#include "app/desktop/shell/action_registry.h"
#include "app/desktop/shell/command_palette.h"
#include "app/desktop/shell/opening_bar.h"
#include "app/desktop/shell/search_field.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/shell/tool_strip.h"
#include "app/desktop/shell/view_area.h"
#include "app/desktop/shell/welcome_page.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/section.h"
#include "app/session/regress/suite.h"
#include "plugins/host/settings_format.h"

#include <QAction>
#include <QClipboard>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLayout>
#include <QMenuBar>
#include <QMimeData>
#include <QPainter>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QUrl>

#include <algorithm>

namespace stowage {

namespace {

/// A suite has the suffix of problems and programs: its beginning says what it is.
bool isSuiteFile(const QString& path)
{
    constexpr qint64 head = 4096;
    if (!path.endsWith(QStringLiteral(".json"), Qt::CaseInsensitive) || !QFileInfo(path).isFile()) return false;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return false;
    const QByteArray text = file.read(head);
    return isSuiteText({text.constData(), std::size_t(text.size())});
}

/// The logo in the corner of the menu bar.
class Logo : public QWidget {
public:
    explicit Logo(const Look& look) : look_(look) { setFixedSize(sizeHint()); }
    [[nodiscard]] QSize sizeHint() const override { return {34, metrics::menuBar}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        paintLogo(painter, QRectF(11, (height() - 15) / 2.0, 15, 15), look_.theme());
    }

private:
    const Look& look_;
};

/// A status bar that one widget fills: QStatusBar's own layout keeps 3 px above it, and would cut it at the bottom.
class StatusBar : public QStatusBar {
public:
    explicit StatusBar(QWidget* content) : content_(content) { content->setParent(this); }

protected:
    void resizeEvent(QResizeEvent*) override { content_->setGeometry(rect()); }

private:
    QWidget* content_;
};

/// Not larger than the screen, with room for the frame.
QSize firstSize()
{
    constexpr QSize wanted(1600, 1000);
    const QScreen* screen = QGuiApplication::primaryScreen();
    return screen ? wanted.boundedTo(screen->availableSize() - QSize(16, 48)).expandedTo({760, 480}) : wanted;
}

/// The key of the settings for the panels that the user has chosen for a view.
QString panelsKey(const char* view)
{
    return QStringLiteral("window/panels-%1").arg(QLatin1String(view));
}

constexpr int minCentre = 360; ///< logical pixels; the least width of the window less those of both panels

constexpr Panel allPanels[] = {Panel::sidebar, Panel::inspector, Panel::runs, Panel::diagnostics, Panel::distributions};

} // namespace

MainWindow::MainWindow(Session& session, Look& look, QWidget* parent)
    : QMainWindow(parent), session_(session), look_(look), workspace_(session)
{
    setWindowTitle(QStringLiteral("Stowage"));
    resize(firstSize());
    setMinimumSize(760, 480);
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    setDockOptions(QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
    copyWithoutBreaks(*QGuiApplication::clipboard(), *this);

    actions_ = new ActionRegistry(*this, this);
    makeFileActions();
    makeEditActions();
    makePlanActions();
    makeViewActions();
    makeHelpActions();
    makeGuideActions();
    makeMenus();

    auto* bar = new QToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setFloatable(false);
    bar->toggleViewAction()->setEnabled(false);
    tools_ = new ToolStrip(workspace_, look_, *actions_, this);
    bar->addWidget(tools_);
    addToolBar(Qt::TopToolBarArea, bar);

    centre_ = new QStackedWidget;
    centre_->setAccessibleName(tr("Workbench"));
    // Said here, as a view that asks for more would press the panels beside it, and those of every view after it.
    centre_->setMinimumWidth(minCentre);
    setCentralWidget(centre_);
    welcome_ = new WelcomePage(workspace_, look_, *actions_);
    views_ = new ViewArea(workspace_, look_);
    centre_->addWidget(welcome_);
    centre_->addWidget(views_);

    tabBar_ = new QToolBar(tr("Views"));
    tabBar_->setObjectName(QStringLiteral("viewBar"));
    tabBar_->setMovable(false);
    tabBar_->setFloatable(false);
    tabBar_->toggleViewAction()->setEnabled(false);
    tabBar_->addWidget(views_->tabRow());
    addToolBarBreak(Qt::TopToolBarArea);
    addToolBar(Qt::TopToolBarArea, tabBar_);

    auto* status = new StatusBar(new StatusStrip(workspace_, look_));
    status->setSizeGripEnabled(false);
    status->setContentsMargins(0, 0, 0, 0);
    status->setFixedHeight(metrics::statusBar);
    setStatusBar(status);

    makeDocks();

    card_ = new ErrorCard(look_, this);
    card_->setObjectName(QStringLiteral("errorCard"));
    card_->hide();
    connect(card_, &ErrorCard::closed, this, &MainWindow::hideNotice);
    connect(card_, &ErrorCard::openRequested, this, &MainWindow::openDialog);
    const auto list = [this] {
        if (auto* dock = docks_[Panel::diagnostics]) dock->show();
    };
    connect(card_, &ErrorCard::listRequested, this, list);
    connect(welcome_, &WelcomePage::listRequested, this, list);
    connect(welcome_, &WelcomePage::noticeClosed, this, &MainWindow::hideNotice);
    connect(welcome_, &WelcomePage::fileChosen, this, [this](const QString& path) { openFiles({path}); });

    card_->setProperty("floating", true); // lies over the views by design
    openingBar_ = new OpeningBar(workspace_, this);
    connect(openingBar_, &OpeningBar::resized, this, &MainWindow::placeCard);

    connect(&workspace_, &Workspace::noticed, this, &MainWindow::showNotice);
    connect(&workspace_, &Workspace::questionsChanged, this, &MainWindow::leaveOldQuestion);
    connect(&workspace_.writing(), &FileWriting::ended, this, &MainWindow::onWritten);
    connect(&workspace_, &Workspace::modelChanged, this, [this] {
        welcomeAsked_ = false;
        const Model* model = workspace_.model();
        const QString name = model ? (model->path.isEmpty() ? model->name : QFileInfo(model->path).fileName()) : QString();
        title_->setFullText(name);
        setWindowTitle(name.isEmpty() ? QStringLiteral("Stowage") : tr("%1 – Stowage").arg(name));
        arrange();
    });
    connect(&workspace_, &Workspace::suiteChanged, this, [this] {
        welcomeAsked_ = false;
        refreshActions();
        arrange();
    });
    connect(&workspace_, &Workspace::viewWanted, this, [this](const QString& id) { views_->setCurrent(id); });
    connect(&workspace_, &Workspace::openWanted, this, &MainWindow::openDialog);
    connect(&workspace_, &Workspace::modelsChanged, this, &MainWindow::refreshActions);
    connect(&workspace_, &Workspace::modelChanged, this, &MainWindow::refreshActions);
    connect(&workspace_, &Workspace::contextChanged, this, &MainWindow::refreshActions);
    connect(&workspace_, &Workspace::jobsChanged, this, &MainWindow::refreshActions);
    connect(&workspace_, &Workspace::runsChanged, this, &MainWindow::refreshActions);
    connect(&workspace_, &Workspace::regressionChanged, this, &MainWindow::refreshActions);
    connect(views_, &ViewArea::currentChanged, this, [this] { arrange(); });
    connect(views_, &ViewArea::cancelRequested, &workspace_, &Workspace::cancel);
    connect(runs_, &RunPanel::compareRequested, this, [this] { views_->setCurrent(QStringLiteral("compare")); });

    keeper_ = new SessionKeeper(workspace_,
                                {[this] { return std::string(viewEntries()[std::size_t(views_->current())].id); },
                                 [this] { return saveState(stateVersion).toBase64().toStdString(); },
                                 [this] { return chosenPanels(); }},
                                this);
    connect(views_, &ViewArea::currentChanged, keeper_, &SessionKeeper::touch);
    connect(views_, &ViewArea::rangeChanged, keeper_, &SessionKeeper::touch);
    for (const auto& [panel, dock] : docks_) connect(dock, &QDockWidget::visibilityChanged, keeper_, &SessionKeeper::touch);
    watch_ = new FileWatch(workspace_, this);
    connect(watch_, &FileWatch::settled, this, &MainWindow::leaveOldQuestion);

    firstState_ = saveState(stateVersion);
    restoreSettings();
    arrange();
    // No button has the focus before the user asks for it.
    centre_->setFocusPolicy(Qt::ClickFocus);
    centre_->setFocus();
}

MainWindow::~MainWindow()
{
    writing_.drop();
    writing_.finish(); // a report reads the session
    // Views and panels read the workspace, which is a member and would go before the children of this object.
    arranging_ = true;
    delete takeCentralWidget();
    for (const auto& [panel, dock] : docks_) delete dock;
}

void MainWindow::makeMenus()
{
    QMenuBar* bar = menuBar();
    bar->setFixedHeight(metrics::menuBar);
    bar->setCornerWidget(new Logo(look_), Qt::TopLeftCorner);
    actions_->fill(*bar, {tr("File"), tr("Edit"), tr("Plan"), tr("View"), tr("Go"), tr("Compare"), tr("Tools"), tr("Help")});
    title_ = new ElidedLabel(Qt::ElideMiddle);
    title_->setProperty("tone", "secondary");
    title_->setContentsMargins(0, 0, 12, 0);
    title_->setFixedSize(360, metrics::menuBar);
    title_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* corner = new QWidget; // the menu bar asks for a hint, which a label that elides has not
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(title_);
    corner->setFixedSize(360, metrics::menuBar);
    bar->setCornerWidget(corner, Qt::TopRightCorner);
}

QDockWidget* MainWindow::makeDock(Panel panel, const QString& id, const QString& iconName, const QString& title,
                                  Qt::DockWidgetArea area, QWidget* content)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(id);
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    if (iconName.isEmpty()) {
        dock->setFeatures(QDockWidget::DockWidgetClosable);
        dock->setTitleBarWidget(new QWidget);
    } else {
        dock->setTitleBarWidget(new DockTitle(iconName, title, look_, dock));
    }
    dock->setWidget(content);
    addDockWidget(area, dock);
    dock->hide();
    dock->installEventFilter(this);
    docks_[panel] = dock;
    // What the user opens or closes is kept for this view.
    connect(dock, &QDockWidget::visibilityChanged, this, [this, panel, dock] {
        if (arranging_ || !isVisible() || centre_->currentWidget() != views_) return;
        chosenPanels_.try_emplace(views_->current(), viewEntries()[std::size_t(views_->current())].panels);
        chosenPanels_[views_->current()].setFlag(panel, !dock->isHidden());
        refreshActions();
    });
    return dock;
}

void MainWindow::makeDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    auto* sidebar = new Sidebar(workspace_, look_, *actions_);
    sidebar->setMinimumWidth(180);
    sidebar->setProperty(guidePageProperty, "compare-planners");
    makeDock(Panel::sidebar, QStringLiteral("sidebar"), {}, tr("Sidebar"), Qt::LeftDockWidgetArea, sidebar);

    auto* inspector = new Inspector(workspace_, look_);
    inspector->setMinimumWidth(220);
    inspector->setProperty(guidePageProperty, "why-is-the-peak-so-high");
    makeDock(Panel::inspector, QStringLiteral("inspector"), QStringLiteral("eye"), tr("Inspector"), Qt::RightDockWidgetArea,
             inspector);

    auto* distributions = new DistributionsPanel(workspace_, look_);
    distributions->setMinimumWidth(240);
    distributions->setProperty(guidePageProperty, "the-views");
    QDockWidget* bars = makeDock(Panel::distributions, QStringLiteral("distributions"), QStringLiteral("usage"),
                                 tr("Distributions"), Qt::RightDockWidgetArea, distributions);
    splitDockWidget(docks_[Panel::inspector], bars, Qt::Vertical);

    runs_ = new RunPanel(workspace_, look_);
    runs_->setProperty(guidePageProperty, "compare-planners");
    QDockWidget* runs =
        makeDock(Panel::runs, QStringLiteral("runs"), QStringLiteral("compare"), tr("Compare"), Qt::BottomDockWidgetArea, runs_);
    runs_->fillTitle(*static_cast<DockTitle*>(runs->titleBarWidget()));

    auto* diagnostics = new DiagnosticsPanel(workspace_, look_);
    QDockWidget* dock = makeDock(Panel::diagnostics, QStringLiteral("diagnostics"), QStringLiteral("warning"), tr("Diagnostics"),
                                 Qt::BottomDockWidgetArea, diagnostics);
    diagnostics->fillTitle(*static_cast<DockTitle*>(dock->titleBarWidget()));
    splitDockWidget(runs, dock, Qt::Horizontal);

    resizeDocks({docks_[Panel::sidebar], docks_[Panel::inspector]}, {metrics::sidebar, metrics::inspector}, Qt::Horizontal);
    resizeDocks({runs}, {metrics::dockTitle + runs_->sizeHint().height()}, Qt::Vertical);
}

void MainWindow::arrange()
{
    const bool welcome = (!workspace_.modelId() && workspace_.suite().isEmpty()) || welcomeAsked_;
    arranging_ = true;
    centre_->setCurrentWidget(welcome ? static_cast<QWidget*>(welcome_) : views_);
    tabBar_->setVisible(!welcome);
    Panels panels;
    if (!welcome) {
        const int view = views_->current();
        const auto chosen = chosenPanels_.find(view);
        panels = chosen == chosenPanels_.end() ? viewEntries()[std::size_t(view)].panels : chosen->second;
        views_->setCurrent(view); // makes it when it is the first time
    }
    for (const Panel panel : allPanels)
        if (const auto dock = docks_.find(panel); dock != docks_.end()) dock->second->setVisible(panels.testFlag(panel));
    arranging_ = false;
    divide();
    if (std::erase_if(pressed_, [this](Panel panel) { return !docks_[panel]->isHidden(); }) > 0) widenPanels();
    if (notice_) presentNotice();
    refreshActions();
}

void MainWindow::divide()
{
    QDockWidget* runs = docks_[Panel::runs];
    if (!runs || runs->isHidden() || !isVisible() || dividedFor_ == height()) return;
    dividedFor_ = height();
    // All rows where there is room for them; in a low window no more than a fifth, so that the map stays what is seen first; and
    // whole rows.
    const int heads = metrics::dockTitle + metrics::tableHeader;
    const int all = metrics::dockTitle + runs_->sizeHint().height();
    const int rows = std::max(2, (std::min(all, height() / 5) - heads) / metrics::tableRow);
    resizeDocks({runs}, {heads + rows * metrics::tableRow}, Qt::Vertical);
}

void MainWindow::showNotice(const Notice& notice)
{
    const auto replaced = [&notice](const Notice& old) { return old.isAbout(notice); };
    std::erase_if(covered_, replaced);
    if (notice_ && notice_->asks() && !replaced(*notice_)) covered_.push_back(*notice_);
    notice_ = notice;
    // What was done needs no answer: it goes by itself.
    constexpr int goneAfter = 8000;
    if (notice.good)
        QTimer::singleShot(goneAfter, card_, [this, title = notice.title] {
            if (notice_ && notice_->good && notice_->title == title) hideNotice();
        });
    presentNotice();
}

void MainWindow::presentNotice()
{
    const bool welcome = centre_->currentWidget() == welcome_;
    welcome_->setNotice(welcome ? notice_ : std::nullopt);
    card_->setNotice(*notice_);
    card_->setVisible(!welcome);
    placeCard();
}

void MainWindow::hideNotice()
{
    workspace_.models().seeFailures();
    uncoverNotice();
}

void MainWindow::leaveOldQuestion()
{
    if (notice_ && notice_->outdated()) uncoverNotice();
}

void MainWindow::uncoverNotice()
{
    notice_.reset();
    card_->hide();
    welcome_->setNotice(std::nullopt);
    std::erase_if(covered_, [](const Notice& question) { return !question.asks(); });
    if (covered_.empty()) return;
    notice_ = std::move(covered_.back());
    covered_.pop_back();
    presentNotice();
}

void MainWindow::placeCard()
{
    if (reorder_ && !reorder_->isHidden()) {
        const QRect around(centre_->mapTo(this, QPoint()), centre_->size());
        reorder_->move(around.right() - reorder_->width() - 16, around.top() + metrics::viewBar + 18);
        reorder_->raise();
    }
    if (!openingBar_->isHidden()) {
        openingBar_->layout()->activate();
        openingBar_->setFixedSize(std::min(380, centre_->width() - 32), openingBar_->layout()->totalSizeHint().height());
        const QRect around(centre_->mapTo(this, QPoint()), centre_->size());
        openingBar_->move(around.left() + 16, around.bottom() - openingBar_->height() - 16);
        openingBar_->raise();
    }
    if (card_->isHidden()) return;
    card_->setFixedWidth(std::min(card_->wishedWidth(), centre_->width() - 32));
    card_->adjustSize();
    const QRect area(centre_->mapTo(this, QPoint()), centre_->size());
    card_->move(area.right() - card_->width() - 16, area.top() + metrics::viewBar + 18);
    card_->raise();
}

void MainWindow::openReorder()
{
    if (!reorder_) {
        reorder_ = new ReorderCard(workspace_, look_, this);
        connect(reorder_, &ReorderCard::closed, reorder_, &QWidget::hide);
        connect(reorder_, &ReorderCard::resized, this, &MainWindow::placeCard);
    }
    reorder_->open();
    placeCard();
}

void MainWindow::openFiles(const QStringList& paths)
{
    for (const QString& path : paths)
        if (path.endsWith(QStringLiteral(".stow"), Qt::CaseInsensitive))
            openSession(path);
        else if (isSuiteFile(path))
            workspace_.openSuite(path);
        else
            workspace_.open(path);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const auto urls = event->mimeData()->urls();
    if (std::ranges::none_of(urls, [](const QUrl& url) { return url.isLocalFile(); })) return;
    event->acceptProposedAction();
    welcome_->setDropHighlight(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event)
{
    QMainWindow::dragLeaveEvent(event);
    welcome_->setDropHighlight(false);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    welcome_->setDropHighlight(false);
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) paths << url.toLocalFile();
    openFiles(paths);
    event->acceptProposedAction();
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    divide();
    const bool wider = isVisible() && width() > windowWidth_;
    windowWidth_ = width();
    if (wider) {
        for (const auto& [panel, wanted] : panelWidths_)
            if (const QDockWidget* dock = docks_[panel]; dock && dock->isHidden()) pressed_.insert(panel);
        widenPanels();
    }
    placeCard();
}

/// A narrow window presses the panels; Qt leaves them so when there is room again.
void MainWindow::widenPanels()
{
    // Once the layout has settled: it would take what is asked for meanwhile back.
    QTimer::singleShot(0, this, [this] {
        for (const auto& [panel, wanted] : panelWidths_)
            if (QDockWidget* dock = docks_[panel]; dock && !dock->isHidden() && dock->width() < wanted)
                resizeDocks({dock}, {wanted}, Qt::Horizontal);
    });
}

bool MainWindow::eventFilter(QObject* object, QEvent* event)
{
    // A width that the user drags is the one that a panel gets back.
    if (event->type() == QEvent::Resize && width() == windowWidth_ && (QGuiApplication::mouseButtons() & Qt::LeftButton)) {
        for (auto& [panel, wanted] : panelWidths_)
            if (const auto dock = docks_.find(panel); dock != docks_.end() && dock->second == object)
                wanted = dock->second->width();
        if (keeper_) keeper_->touch();
    }
    return QMainWindow::eventFilter(object, event);
}

bool MainWindow::focusNextPrevChild(bool next)
{
    QWidget* const from = focusWidget();
    if (!from || (from->isEnabled() && from->isVisible())) return QMainWindow::focusNextPrevChild(next);
    for (const QWidget* near = from->parentWidget(); near && near != this; near = near->parentWidget())
        for (QWidget* heir = from->nextInFocusChain(); heir != from; heir = heir->nextInFocusChain())
            if (near->isAncestorOf(heir) && heir->isEnabled() && heir->isVisible() && (heir->focusPolicy() & Qt::TabFocus)) {
                heir->setFocus(Qt::OtherFocusReason);
                return true;
            }
    return QMainWindow::focusNextPrevChild(next);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (workspace_.writing().any()) {
        event->ignore();
        return askToClose();
    }
    saveSettings();
    keeper_->autosave();
    workspace_.cancel();
    QMainWindow::closeEvent(event);
}

std::vector<std::pair<std::string, int>> MainWindow::chosenPanels() const
{
    std::vector<std::pair<std::string, int>> chosen;
    for (const auto& [view, panels] : chosenPanels_)
        chosen.emplace_back(viewEntries()[std::size_t(view)].id, int(panels.toInt()));
    return chosen;
}

void MainWindow::restoreSettings()
{
    const QSettings settings;
    if (const QByteArray geometry = settings.value(QStringLiteral("window/geometry")).toByteArray(); !geometry.isEmpty())
        restoreGeometry(geometry);
    if (const QByteArray state = settings.value(QStringLiteral("window/docks")).toByteArray(); !state.isEmpty())
        restoreState(state, stateVersion);
    NumberFormat numbers;
    numbers.unit = NumberFormat::Unit(std::clamp(settings.value(QStringLiteral("numbers/unit"), 0).toInt(), 0, 2));
    numbers.hexAddresses = settings.value(QStringLiteral("numbers/hex"), true).toBool();
    workspace_.setNumbers(numbers);
    if (settings.contains(QStringLiteral("plan/planners"))) {
        std::vector<std::string> ticked;
        for (const QString& planner : settings.value(QStringLiteral("plan/planners")).toStringList())
            ticked.push_back(planner.toStdString());
        workspace_.planners().restoreTicked(ticked, settings.value(QStringLiteral("plan/kernel-tick-settled"), false).toBool());
    }
    for (std::size_t view = 0; view < viewEntries().size(); ++view)
        if (const QString key = panelsKey(viewEntries()[view].id); settings.contains(key))
            chosenPanels_[int(view)] = panelsOf(settings.value(key).toInt());
    for (auto& [panel, wanted] : panelWidths_)
        wanted = std::clamp(settings.value(QStringLiteral("window/panel-%1").arg(int(panel)), wanted).toInt(), 100, 2000);
    watch_->setReloads(settings.value(QStringLiteral("files/reload"), false).toBool());
    workspace_.planners().setTimeLimitSeconds(
        settings.value(QStringLiteral("plan/time-limit"), workspace_.planners().timeLimitSeconds()).toDouble());
}

void MainWindow::saveSettings() const
{
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/docks"), saveState(stateVersion));
    settings.setValue(QStringLiteral("numbers/unit"), int(workspace_.numbers().unit));
    settings.setValue(QStringLiteral("numbers/hex"), workspace_.numbers().hexAddresses);
    QStringList ticked;
    for (const std::string& planner : workspace_.planners().chosenPlanners()) ticked << QString::fromStdString(planner);
    settings.setValue(QStringLiteral("plan/planners"), ticked);
    settings.setValue(QStringLiteral("plan/kernel-tick-settled"), workspace_.planners().kernelTickSettled());
    settings.setValue(QStringLiteral("plan/time-limit"), workspace_.planners().timeLimitSeconds());
    for (const auto& [panel, wanted] : panelWidths_) settings.setValue(QStringLiteral("window/panel-%1").arg(int(panel)), wanted);
    for (const ViewEntry& view : viewEntries()) settings.remove(panelsKey(view.id)); // panels may have been reset
    for (const auto& [view, panels] : chosenPanels()) settings.setValue(panelsKey(view.c_str()), panels);
    settings.setValue(QStringLiteral("files/reload"), watch_->reloads());
    settings.setValue(QStringLiteral("look/theme"), int(look_.mode()));
    saved(settings);
}

} // namespace stowage
