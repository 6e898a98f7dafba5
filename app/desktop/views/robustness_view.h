// Robustness: how much a planner's result hangs on its seed and on sizes that are a little different. A dot for each planning.
#pragma once

#include "app/canvas/pictures/robustness/robustness_picture.h"
#include "app/desktop/background_job.h"
#include "app/desktop/view.h"
#include "core/ir/expected.h"

#include <QPointer>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

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
    /// Plans again and again in the background. Nothing while that is under way.
    void start();
    /// Stops it; what is there by then is shown.
    void cancel();
    [[nodiscard]] bool running() const { return job_.running(); }
    /// What is said: how far it is, what it came to, or what went wrong.
    [[nodiscard]] QString message() const;

private:
    struct Outcome {
        Expected<std::vector<RobustnessSample>> samples;
        std::shared_ptr<const Run> of;
        std::string planner;
        double percent = 0;
        bool stopped = false;
    };
    void makeBar();
    void take(const Outcome& outcome);
    void showRows(std::vector<SpreadRow> rows);
    void showState();
    [[nodiscard]] std::string planner() const;

    Workspace& workspace_;
    NumberFormat numbers_;
    std::shared_ptr<const Run> run_;
    std::string chosen_; ///< planner; empty: that of the run shown
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
    bool failed_ = false;
    QString says_;
    BackgroundJob job_{WhenGone::wait}; ///< it plans with the session's planners
    std::shared_ptr<std::atomic<int>> done_;
    int wanted_ = 0;
};

} // namespace stowage
