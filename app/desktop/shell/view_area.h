// The middle of the window: the view and its bar; and the row above all panels, with the tabs and the progress.
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

class Canvas;

/// A line of 2 px that fills from the left while work is running.
class ProgressLine : public QWidget {
    Q_OBJECT

public:
    explicit ProgressLine(const Look& look, QWidget* parent = nullptr);
    /// Sets the progress, 0 to 1; negative: nothing is running.
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
    /// Opens the view with this id, even if it has nothing to show; false if there is none.
    bool setCurrent(const QString& id);
    /// The view of the tab; made here on first use.
    View* view(int index);
    [[nodiscard]] View* currentView() { return view(current()); }
    /// The row with the tabs and the progress. It has the whole width of the window, so that tabs stay in place when a panel
    /// opens or closes.
    [[nodiscard]] QWidget* tabRow() { return tabRow_; }
    /// Count of views that were made.
    [[nodiscard]] int made() const;

Q_SIGNALS:
    void currentChanged(int index);
    void rangeChanged(); ///< of the canvas of a view: zoom, or the axes have another meaning
    void cancelRequested();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void refresh(int index);
    void showProgress();
    /// Shows tabs only for views that have something to show, and for the open one.
    void showTabs();
    void showTab(int index, bool visible);
    /// Shows icons on tabs if all tabs fit with icons.
    void fitTabs();
    /// If the bar of the view is too narrow, first buttons with an icon lose their text, then controls their captions.
    void fitBar();
    void changeModel();
    void changeContext();
    /// Keeps the zoom that the canvas of a view has now. In a view that shows another model than before, gives the canvas that
    /// model's zoom instead.
    void keepZoom(int index);
    void restoreZoom(int index);
    /// The canvas of a view, if its scene is one of the current model; else null.
    [[nodiscard]] Canvas* canvasOfModel(int index);

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
    bool iconsShown_ = true; ///< tabs have icons
    bool narrow_ = false;    ///< tabs are narrow, and have no icons
    bool fitting_ = false;
    std::vector<View*> views_;
    std::vector<bool> stale_;    ///< by view: the context changed while it was hidden
    std::vector<bool> unzoomed_; ///< by view: the model has changed, and its zoom is not restored yet
    int model_ = 0;              ///< the model of the tabs
    bool turned_ = false;        ///< the model has changed, and its run is not shown yet
    /// View to return to: the last model had nothing for it, and the user has not chosen another one since; -1: none.
    int left_ = -1;
};

} // namespace stowage
