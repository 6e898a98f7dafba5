// The window: puts the parts together, and keeps nothing that a part could keep itself.
#pragma once

#include "app/desktop/views.h"
#include "app/desktop/workspace.h"

#include <QDir>
#include <QFuture>
#include <QMainWindow>

#include <map>
#include <optional>
#include <stop_token>

class QDockWidget;
class QLabel;
class QStackedWidget;

namespace stowage {

class ActionRegistry;
class CommandPalette;
class ErrorCard;
class FileWatch;
class Look;
class OpeningBar;
class ReorderCard;
class RunPanel;
class SessionKeeper;
class ShortcutList;
class ToolStrip;
class ViewArea;
class WelcomePage;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
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
    void exportTable(const QString& file); ///< the runs, as CSV
    /// Writes the report on the shown run in the background; a notice says when it is there.
    void exportReport(const QString& file);
    /// A session (`*.stow`) in the place of what is on the desk; nothing is planned. False when it cannot be read: a card says
    /// why.
    bool openSession(const QString& file);
    void saveSession(const QString& file);
    /// Opens what was on the desk when the program ended, if there is any.
    void reopenLast();
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
    void refreshActions();
    void openDialog();
    // main_window_export.cpp
    void exportPicture();
    void exportTable();
    void exportReport();
    void applyZoom(const SessionZoom& zoom, int tries);
    /// Says where a file was written, or why it was not.
    void told(const QString& file, const std::optional<Diagnostic>& failure);

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
    QLabel* title_ = nullptr;
    CommandPalette* palette_ = nullptr; ///< made when first opened
    ShortcutList* shortcuts_ = nullptr;
    std::map<Panel, QDockWidget*> docks_;
    std::map<int, Panels> chosenPanels_; ///< by view: what the user made of its panels
    std::map<Panel, int> panelWidths_{{Panel::sidebar, 232}, {Panel::inspector, 296}}; ///< that the side panels get back
    int windowWidth_ = 0;
    QDir lastFolder_ = QDir::current(); ///< that something was written to
    SessionKeeper* keeper_ = nullptr;
    FileWatch* watch_ = nullptr;
    bool reporting_ = false; ///< a report is being made
    std::stop_source reportStop_;
    QFuture<std::optional<Diagnostic>> reportDone_;
    bool arranging_ = false;
    int dividedFor_ = 0; ///< height of the window
    bool welcomeAsked_ = false;
};

} // namespace stowage
