// The window: connects its parts. State of a single part belongs to that part.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/views.h"
#include "app/desktop/workspace.h"

#include <QDir>
#include <QMainWindow>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
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
class Table;
class ToolStrip;
class Tour;
class ViewArea;
class WelcomePage;
struct Question;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    /// Version for `saveState`; states of windows with other tool bars are not restored.
    static constexpr int stateVersion = 1;

    MainWindow(Session& session, Look& look, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Workspace& workspace() { return workspace_; }
    [[nodiscard]] ActionRegistry& actions() { return *actions_; }
    [[nodiscard]] ViewArea& views() { return *views_; }
    [[nodiscard]] ErrorCard& errorCard() { return *card_; }
    [[nodiscard]] WelcomePage& welcome() { return *welcome_; }
    void openFiles(const QStringList& paths);
    /// Writes the picture of the shown view, in the format of the suffix of `file`; `scale`: device pixels for each logical pixel
    /// (PNG).
    void exportPicture(const QString& file, double scale);
    /// Writes an item of the Export card (`ExportItem::id`) in the background; a card then reports the file or the error.
    /// `scale`: for a PNG.
    void exportItem(const QString& id, const QString& file, double scale = 1);
    /// Writes the report on the shown run in the background; a notice reports its end.
    void exportReport(const QString& file);
    /// Opens a session (`*.stow`), which replaces the open models; nothing is planned. False if it cannot be read; a card shows
    /// the error.
    bool openSession(const QString& file);
    void saveSession(const QString& file);
    /// Opens the autosave of the last start, if there is one. If it cannot be read, a card says why, and where its copy is.
    void reopenLast();
    /// Opens the guide at this page; empty: at the page of the focused widget, else of the shown view.
    void openGuide(const QString& page = {});
    [[nodiscard]] QString guidePage() const;
    void openSettings();
    /// Starts the tour, on a sample.
    void startTour();
    /// Shows a card that offers the tour, at the first start; no effect beside a model that is no sample.
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
    void childEvent(QChildEvent* event) override; ///< F1 in dialogs that name their page of the guide
    /// What is disabled or hidden while it has the focus (a button that begins a job) gives it to what stands nearest to it. Qt
    /// would give it to the next of the tab order, which may be on the other side of the window.
    bool focusNextPrevChild(bool next) override;

private:
    // main_window_actions.cpp
    void makeFileActions();
    void makeEditActions();
    void makePlanActions();
    void makeViewActions();
    void makeHelpActions();
    // main_window_asks.cpp
    /// Opens a dialog that asks it.
    void openQuestion(Question question);
    /// Pins the selected buffer where it is, or releases it.
    void pinSelected();
    void askPinAddress();
    void askStep();
    /// The table that a command sorts: the focused one, else one of the view, else that of the runs. Null: none is shown.
    [[nodiscard]] Table* tableToSort() const;
    void sortTable();
    // main_window_help.cpp
    void makeGuideActions();
    void resetPanels();
    void refreshActions();
    void openDialog();
    void saveSessionDialog();
    // main_window_export.cpp
    /// The same for what was read from `file`.
    bool openSession(const QString& file, const Expected<SessionDocument>& session);
    /// Whether there is a run, or the Regression view shows the results of a suite.
    [[nodiscard]] bool canExport() const;
    /// Opens the Export card at `item`.
    void openExport(const QString& item);
    void exportPlan(const QString& form, const QString& file);
    /// Starts `work` in the background, which writes `file`, and calls `then` with its failure, if any. Until then the window
    /// asks before it closes; see `FileWriting::start`.
    void startWriting(const QString& file, std::function<std::optional<Diagnostic>(const std::stop_token&)> work,
                      std::function<void(const std::optional<Diagnostic>& failure)> then);
    /// A file was written, or not: closes the window if it waited for that.
    void onWritten(bool written);
    /// Asks whether the window closes while files are being written.
    void askToClose();
    /// Writes the text from `make` into a file in the background, then calls `then` and reports the result with the `notes` of
    /// `make`. `make` is called on another thread, with a token that is set when the window closes.
    void write(const QString& file, std::function<Expected<std::string>(const std::stop_token&)> make,
               std::function<void(bool written)> then = {}, std::shared_ptr<const Diagnostics> notes = nullptr);
    /// Reports a written file with the notes of its writer, or the failure.
    void told(const QString& file, const std::optional<Diagnostic>& failure, const Diagnostics& notes = {});

    void makeMenus();
    void makeDocks();
    QDockWidget* makeDock(Panel panel, const QString& id, const QString& iconName, const QString& title, Qt::DockWidgetArea area,
                          QWidget* content);
    /// Shows the welcome page or the views, and the docks of the view.
    void arrange();
    /// Sets the height of the table of runs so that the view keeps enough.
    void divide();
    /// Gives panels that a narrow window has pressed their width back.
    void widenPanels();
    /// Shows a notice in the place of the last one. A question that it covers is asked again when it is closed.
    void showNotice(const Notice& notice);
    void presentNotice(); ///< shows `notice_` where there is room for it
    void hideNotice();
    void uncoverNotice();    ///< shows the last question that the notice has covered, if any, in its place
    void leaveOldQuestion(); ///< takes the shown question away if it no longer stands
    void placeCard();
    void openReorder();
    /// The panels that the user has chosen, by id of the view, for sessions and settings.
    [[nodiscard]] std::vector<std::pair<std::string, int>> chosenPanels() const;
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
    std::vector<Notice> covered_; ///< questions that later notices cover, the oldest first
    ElidedLabel* title_ = nullptr;
    CommandPalette* palette_ = nullptr; ///< made when first opened
    ShortcutList* shortcuts_ = nullptr;
    GuideWindow* guide_ = nullptr;       ///< made when first opened
    SettingsDialog* settings_ = nullptr; ///< made when first opened
    Tour* tour_ = nullptr;
    QToolBar* tabBar_ = nullptr;
    QByteArray firstState_; ///< state of the panels before the user changed them
    std::map<Panel, QDockWidget*> docks_;
    std::map<int, Panels> chosenPanels_; ///< by view: panels that the user has chosen
    std::map<Panel, int> panelWidths_{{Panel::sidebar, 232}, {Panel::inspector, 296}}; ///< widths to restore, in logical pixels
    std::set<Panel> pressed_; ///< panels that were hidden when the window became wider: they get their width when they are shown
    int windowWidth_ = 0;
    QDir lastFolder_ = QDir::current(); ///< folder of the last written file
    QString sessionFile_;               ///< the session that was opened or saved last, which Save proposes; empty: none
    SessionKeeper* keeper_ = nullptr;
    FileWatch* watch_ = nullptr;
    bool reporting_ = false; ///< a report is being made
    BackgroundJobs writing_; ///< writes files; the report reads the session
    bool closing_ = false;   ///< the window closes when all files are written
    bool arranging_ = false;
    int dividedFor_ = 0; ///< height of the window at the last `divide`
    bool welcomeAsked_ = false;
};

} // namespace stowage
