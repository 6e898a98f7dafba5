// Fit: the arena size that the model needs with each planner of its runtime and with a plan in the file, with the runtime's log
// if there is one; and the button that writes that plan.
#pragma once

#include "app/canvas/pictures/fit/fit_picture.h"
#include "app/desktop/view.h"
#include "app/desktop/workspace/fit_desk.h"

#include <QPointer>

#include <memory>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace stowage {

class ElidedLabel;
class Look;
class SegmentedControl;
class StatePage;
class Workspace;

class FitView : public View {
    Q_OBJECT

public:
    FitView(Workspace& workspace, const Look& look, QWidget* parent);
    ~FitView() override;
    /// Whether the model is for a runtime whose planners are known.
    static bool applies(const Workspace& workspace);

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }
    [[nodiscard]] Canvas* canvas() override { return canvas_; }

    [[nodiscard]] FitDesk& desk() { return desk_; }
    [[nodiscard]] const Fit* fit() const { return desk_.made() ? &desk_.made()->fit : nullptr; } ///< null until computed
    /// The text shown without a fit; empty if there is one.
    [[nodiscard]] QString message() const;
    /// Shows the plan of a row in the map on the right.
    void showRow(std::size_t row);
    [[nodiscard]] std::size_t shownRow() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void makeBar();
    void makeButtons();
    void compute(); ///< if the view is visible
    void refresh();
    void place();
    void chooseLog();
    void chooseFile();
    [[nodiscard]] double buttonRoom() const;

    const Look& look_;
    Workspace& workspace_;
    FitDesk desk_;
    std::shared_ptr<const FitDesk::Made> drawn_; ///< fit that the canvas shows, or will show

    Canvas* canvas_ = nullptr;
    FitPicture* picture_ = nullptr; ///< picture of `canvas_`
    StatePage* page_ = nullptr;
    QPointer<QWidget> bar_;
    SegmentedControl* scratch_ = nullptr;
    QPushButton* openLog_ = nullptr;
    QToolButton* closeLog_ = nullptr;
    ElidedLabel* log_ = nullptr;
    QLabel* matches_ = nullptr;
    QPushButton* write_ = nullptr;
    QPushButton* copySize_ = nullptr;
    QPushButton* copyLine_ = nullptr;
};

} // namespace stowage
