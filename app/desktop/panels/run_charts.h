// Charts of runs: size against planning time, against stalls, and against the order of ops; and planners over all open models.
#pragma once

#include "app/desktop/background_job.h"
#include "core/plan/run.h"

#include <QString>
#include <QWidget>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace stowage {

class CurveChart;
class ElidedLabel;
class Look;
class StackedChart;
class Workspace;

class RunCharts : public QWidget {
    Q_OBJECT

public:
    enum Kind { SizeAndTime, SizeAndStall, SizeAndOrder, Planners, kinds };

    RunCharts(Workspace& workspace, const Look& look, QWidget* parent);
    [[nodiscard]] static QString title(Kind kind);
    void setKind(Kind kind);
    void refresh(); ///< to be called after a change of runs, model, theme or unit
    [[nodiscard]] CurveChart& curves() { return *curves_; }
    [[nodiscard]] StackedChart& bars() { return *bars_; }
    /// The run of each point of the first curve.
    [[nodiscard]] const std::vector<int>& runsOfPoints() const { return points_; }

Q_SIGNALS:
    void runChosen(int run);

private:
    struct Point {
        double x = 0;
        int run = 0;
        std::shared_ptr<const Run> of;
        QString where; ///< its position on the horizontal axis, in words
    };
    /// Runs that fit and may be ranked with the shown one.
    [[nodiscard]] std::vector<Point> comparable() const;
    void showPoints(std::vector<Point> points, const QString& across, bool logarithmic);
    void showTime();
    void showStall();
    void showOrder();
    void showPlanners();
    void tell(int point);

    Workspace& workspace_;
    const Look& look_;
    Kind kind_ = SizeAndTime;
    std::vector<int> points_;
    std::vector<QString> told_; ///< by point: one line of text
    ElidedLabel* text_ = nullptr;
    CurveChart* curves_ = nullptr;
    StackedChart* bars_ = nullptr;
    std::map<int, std::optional<std::int64_t>> stallOf_; ///< by run: time in which its pipes wait; no value: it has no pipes
    BackgroundJob stalls_;
};

} // namespace stowage
