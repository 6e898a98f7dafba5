// The window: puts the parts together, and keeps nothing that a part could keep itself.
#pragma once

#include "app/desktop/views.h"
#include "app/desktop/workspace.h"

#include <QMainWindow>

#include <map>
#include <optional>

class QDockWidget;
class QLabel;
class QStackedWidget;

namespace stowage {

class ActionRegistry;
class CommandPalette;
class ErrorCard;
class Look;
class ReorderCard;
class RunPanel;
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

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // main_window_actions.cpp
    void makeFileActions();
    void makeEditActions();
    void makePlanActions();
    void makeViewActions();
    void makeHelpActions();
    void refreshActions();
    void openDialog();
    void exportPicture();
    void exportTable();

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
    ReorderCard* reorder_ = nullptr; ///< made when first opened
    std::optional<Notice> notice_;
    QLabel* title_ = nullptr;
    CommandPalette* palette_ = nullptr; ///< made when first opened
    ShortcutList* shortcuts_ = nullptr;
    std::map<Panel, QDockWidget*> docks_;
    std::map<int, Panels> chosenPanels_; ///< by view: what the user made of its panels
    bool arranging_ = false;
    int dividedFor_ = 0; ///< height of the window
    bool welcomeAsked_ = false;
};

} // namespace stowage
