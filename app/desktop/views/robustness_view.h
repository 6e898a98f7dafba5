// Robustness: how much a planner's result depends on its seed and on small changes of sizes (see
// app/desktop/workspace/robustness_desk.h). A dot for each planning.
#pragma once

#include "app/canvas/pictures/robustness/robustness_picture.h"
#include "app/desktop/view.h"
#include "app/desktop/workspace/robustness_desk.h"

#include <QPointer>

class QLabel;
class QLineEdit;
class QPushButton;
class QTimer;

namespace stowage {

class ChoiceButton;
class Look;
class StatePage;
class Workspace;

class RobustnessView : public View {
    Q_OBJECT

public:
    RobustnessView(Workspace& workspace, const Look& look, QWidget* parent);
    ~RobustnessView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }

    [[nodiscard]] RobustnessPicture& chart() { return *spread_; }
    [[nodiscard]] Canvas* canvas() override { return chart_; }
    [[nodiscard]] RobustnessDesk& desk() { return desk_; }
    /// Starts a study with the values of the fields; a field with an invalid value shows an error.
    void start();
    /// The text of the view: progress, result or error.
    [[nodiscard]] QString message() const;

private:
    void makeBar();
    void showRows();
    void showState();

    Workspace& workspace_;
    RobustnessDesk desk_;
    QPointer<QWidget> bar_;
    ChoiceButton* planners_ = nullptr;
    QLineEdit* seeds_ = nullptr;
    QLineEdit* perturbed_ = nullptr;
    QLineEdit* percent_ = nullptr;
    QLineEdit* work_ = nullptr;
    QPushButton* run_button_ = nullptr;
    QLabel* text_ = nullptr;
    StatePage* page_ = nullptr;
    Canvas* chart_ = nullptr;
    RobustnessPicture* spread_ = nullptr; ///< of `chart_`
    QTimer* ticker_ = nullptr;
};

} // namespace stowage
