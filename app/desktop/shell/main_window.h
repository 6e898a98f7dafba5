// The window: puts the parts together, and keeps nothing that a part could keep itself.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/views.h"
#include "app/desktop/workspace.h"

#include <QDir>
#include <QMainWindow>

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

class QDockWidget;
class QLabel;
class QStackedWidget;
class QToolBar;

namespace stowage {

class ActionRegistry;
class CommandPalette;
class ElidedLabel;
class ErrorCard;
class FileWatch;
class GuideWindow;
class Look;
class OpeningBar;
class ReorderCard;
class RunPanel;
class SessionKeeper;
class SettingsDialog;
class ShortcutList;
class ToolStrip;
class Tour;
class ViewArea;
class WelcomePage;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// Of `saveState`: states of windows with other tool bars are not restored.
    static constexpr int stateVersion = 1;

    MainWindow(Session& session, Look& look, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Workspace& workspace() { return workspace_; }
    [[nodiscard]] ActionRegistry& actions() { return *actions_; }
    [[nodiscard]] ViewArea& views() { return *views_; }
    [[nodiscard]] ErrorCard& errorCard() { return *card_; }
    [[nodiscard]] WelcomePage& welcome() { return *welcome_; }
    void openFiles(const QStringList& paths);
    /// Writes what the shown view shows, by the suffix of `file`; `scale` device pixels for each logical one (PNG).
    void exportPicture(const QString& file, double scale);
    /// Writes an item of the Export card (`ExportItem::id`) in the background; a card says where the file is, or why there is
    /// none. `scale`: of a PNG.
    void exportItem(const QString& id, const QString& file, double scale = 1);
    /// Writes the report on the shown run in the background; a notice says when it is there.
    void exportReport(const QString& file);
    /// A session (`*.stow`) in the place of what is on the desk; nothing is planned. False when it cannot be read: a card says
    /// why.
    bool openSession(const QString& file);
    void saveSession(const QString& file);
    /// Opens what was on the desk when the program ended, if there is any.
    void reopenLast();
    /// The guide at this page; empty: at the page for what has the focus, else for the view that is shown.
    void openGuide(const QString& page = {});
    [[nodiscard]] QString guidePage() const;
    void openSettings();
    /// The tour of a minute, on a sample.
    void startTour();
    /// At the first start: a card that offers the tour.
    void offerTour();
    [[nodiscard]] SessionKeeper& keeper() { return *keeper_; }
    [[nodiscard]] FileWatch& fileWatch() { return *watch_; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    // main_window_actions.cpp
    void makeFileActions();
    void makeEditActions();
    void makePlanActions();
    void makeViewActions();
    void makeHelpActions();
    // main_window_help.cpp
    void makeGuideActions();
    void resetPanels();
    void refreshActions();
    void openDialog();
    // main_window_export.cpp
    /// The card with all that can be exported, opened at `item`.
    void openExport(const QString& item);
    void exportPlan(const QString& form, const QString& file);
    void applyZoom(const SessionZoom& zoom, int tries);
    /// Writes what `make` gives (asked on another thread, with what tells it that the window closes) into a file in the
    /// background, then calls `then` and says how that went, with the `notes` that `make` may have left.
    void write(const QString& file, std::function<Expected<std::string>(const std::stop_token&)> make,
               std::function<void()> then = {}, std::shared_ptr<const Diagnostics> notes = nullptr);
    /// Says where a file was written, with notes of its writer, or why it was not.
    void told(const QString& file, const std::optional<Diagnostic>& failure, const Diagnostics& notes = {});

    void makeMenus();
    void makeDocks();
    QDockWidget* makeDock(Panel panel, const QString& id, const QString& iconName, const QString& title, Qt::DockWidgetArea area,
                          QWidget* content);
    /// Welcome page or views, and the docks that go with the view.
    void arrange();
    /// Gives the table of runs the height that leaves the view enough.
    void divide();
    void showNotice(const Notice& notice);
    void hideNotice();
    void placeCard();
    void openReorder();
    void restoreSettings();
    void saveSettings() const;

    Session& session_;
    Look& look_;
    Workspace workspace_;
    ActionRegistry* actions_ = nullptr;
    ToolStrip* tools_ = nullptr;
    QStackedWidget* centre_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    ViewArea* views_ = nullptr;
    RunPanel* runs_ = nullptr;
    ErrorCard* card_ = nullptr;
    OpeningBar* openingBar_ = nullptr;
    ReorderCard* reorder_ = nullptr; ///< made when first opened
    std::optional<Notice> notice_;
    ElidedLabel* title_ = nullptr;
    CommandPalette* palette_ = nullptr; ///< made when first opened
    ShortcutList* shortcuts_ = nullptr;
    GuideWindow* guide_ = nullptr;       ///< made when first opened
    SettingsDialog* settings_ = nullptr; ///< likewise
    Tour* tour_ = nullptr;
    QToolBar* tabBar_ = nullptr;
    QByteArray firstState_; ///< of the panels, before the user changed them
    std::map<Panel, QDockWidget*> docks_;
    std::map<int, Panels> chosenPanels_; ///< by view: what the user made of its panels
    std::map<Panel, int> panelWidths_{{Panel::sidebar, 232}, {Panel::inspector, 296}}; ///< that the side panels get back
    int windowWidth_ = 0;
    QDir lastFolder_ = QDir::current(); ///< that something was written to
    SessionKeeper* keeper_ = nullptr;
    FileWatch* watch_ = nullptr;
    bool reporting_ = false; ///< a report is being made
    BackgroundJobs writing_; ///< files; a report reads the session
    bool arranging_ = false;
    int dividedFor_ = 0; ///< height of the window
    bool welcomeAsked_ = false;
};

} // namespace stowage
