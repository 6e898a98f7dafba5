// The middle of the window: the bar of the view and the view itself; and, for the row above all panels, the tabs and what is
// under way.
#pragma once

#include "app/desktop/views.h"

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QTimer;

namespace stowage {

/// 2 px that fill from the left while something is under way.
class ProgressLine : public QWidget {
    Q_OBJECT

public:
    explicit ProgressLine(const Look& look, QWidget* parent = nullptr);
    /// Nothing under way: negative.
    void setFraction(double fraction);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Look& look_;
    double fraction_ = -1;
};

class ViewArea : public QWidget {
    Q_OBJECT

public:
    ViewArea(Workspace& workspace, const Look& look, QWidget* parent = nullptr);

    [[nodiscard]] int current() const;
    void setCurrent(int index);
    /// Opens the view with this id, also one that has nothing to show; false when there is none.
    bool setCurrent(const QString& id);
    /// The view of the tab, made now if it was not there yet.
    View* view(int index);
    [[nodiscard]] View* currentView() { return view(current()); }
    /// Tabs, and what is under way. The window lays it over its whole width, so that tabs stay where they are when a panel comes
    /// or goes.
    [[nodiscard]] QWidget* tabRow() { return tabRow_; }
    /// How many views have been made so far.
    [[nodiscard]] int made() const;

Q_SIGNALS:
    void currentChanged(int index);
    void cancelRequested();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void refresh(int index);
    void showProgress();
    /// Views that have nothing to show have no tab, but for the one that is open.
    void showTabs();
    /// Tabs have icons where all of them fit with icons.
    void fitTabs();
    /// Where the bar of the view has no room, buttons with an icon lose their words first, then controls their captions.
    void fitBar();
    void changeModel();
    void changeContext();

    Workspace& workspace_;
    const Look& look_;
    QWidget* tabRow_ = nullptr;
    QTabBar* tabs_ = nullptr;
    ProgressLine* line_ = nullptr;
    QWidget* progress_ = nullptr;
    QLabel* progressText_ = nullptr;
    QTimer* progressDelay_ = nullptr;
    QStackedWidget* bars_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    bool iconsShown_ = true; ///< on tabs
    bool narrow_ = false;    ///< tabs, which have no icons then
    bool fitting_ = false;
    std::vector<View*> views_;
    std::vector<bool> stale_; ///< the context changed while the view was hidden
    int model_ = 0;           ///< the one that the tabs are for
    bool turned_ = false;     ///< to another model, whose run is not shown yet
    int left_ = -1; ///< the view that was open before a model that has nothing for it; nobody has chosen another one since
};

} // namespace stowage
