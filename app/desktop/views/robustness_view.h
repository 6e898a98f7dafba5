// Robustness: how much a planner's result hangs on its seed and on sizes that are a little different. A dot for each planning.
#pragma once

#include "app/canvas/kit/spread_chart.h"
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

/// The chart as a widget: hovering says which planning a dot is, a click takes its seed.
class SpreadChart : public QWidget {
    Q_OBJECT

public:
    explicit SpreadChart(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setNumbers(const NumberFormat& numbers);
    void setRows(std::vector<SpreadRow> rows);
    [[nodiscard]] const std::vector<SpreadRow>& rows() const { return rows_; }
    [[nodiscard]] SpreadLayout bands() const { return spreadLayout(rows_, QRectF(rect())); }

Q_SIGNALS:
    void seedChosen(quint64 seed);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    const Theme* theme_;
    NumberFormat numbers_;
    std::vector<SpreadRow> rows_;
    std::optional<std::pair<std::size_t, std::size_t>> hovered_;
    TextShaper shaper_;
};

class RobustnessView : public View {
    Q_OBJECT

public:
    RobustnessView(Workspace& workspace, const Look& look, QWidget* parent);
    ~RobustnessView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override { return bar_; }

    [[nodiscard]] SpreadChart& chart() { return *chart_; }
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
    SpreadChart* chart_ = nullptr;
    QTimer* ticker_ = nullptr;
    bool failed_ = false;
    QString says_;
    BackgroundJob job_;
    std::shared_ptr<std::atomic<int>> done_;
    int wanted_ = 0;
};

} // namespace stowage
