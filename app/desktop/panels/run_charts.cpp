#include "app/desktop/panels/run_charts.h"

#include "app/canvas/kit/number_text.h"
#include "app/charts/curve_chart.h"
#include "app/charts/stacked_chart.h"
#include "app/desktop/look/look.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/spoken_role.h"
#include "app/desktop/workspace.h"
#include "app/session/reordering.h"
#include "app/session/verdicts.h"
#include "core/explain/pipe_run.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace stowage {

namespace {

constexpr double minTime = 0.01;              ///< ms: below it a time is of no meaning, and has no logarithm
constexpr const char* noReuseAtAll = "naive"; ///< beside it all others would look alike

} // namespace

RunCharts::RunCharts(Workspace& workspace, const Look& look, QWidget* parent)
    : QWidget(parent), workspace_(workspace), look_(look)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    text_ = new ElidedLabel;
    text_->setObjectName(QStringLiteral("runChartText"));
    setTone(text_, Tone::secondary);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(12, 4, 12, 0);
    line->addWidget(text_);
    column->addLayout(line);
    curves_ = new CurveChart;
    curves_->setObjectName(QStringLiteral("runCurves"));
    setSpokenRole(*curves_, QAccessible::Canvas);
    column->addWidget(curves_, 1);
    bars_ = new StackedChart;
    bars_->setObjectName(QStringLiteral("runBars"));
    setSpokenRole(*bars_, QAccessible::Canvas);
    bars_->setAccessibleName(title(Planners));
    bars_->hide();
    column->addWidget(bars_, 1);
    connect(curves_, &CurveChart::pointChosen, this, [this](int point) {
        if (std::size_t(point) < points_.size()) Q_EMIT runChosen(points_[std::size_t(point)]);
    });
    connect(curves_, &CurveChart::pointHovered, this, &RunCharts::tell);
}

QString RunCharts::title(Kind kind)
{
    switch (kind) {
    case SizeAndTime: return tr("Size against time");
    case SizeAndStall: return tr("Size against pipe stall");
    case SizeAndOrder: return tr("Size against order of ops");
    case Planners: return tr("Planners over models");
    case kinds: break;
    }
    return {};
}

void RunCharts::setKind(Kind kind)
{
    kind_ = kind;
    refresh();
}

void RunCharts::refresh()
{
    curves_->setTheme(look_.theme());
    bars_->setTheme(look_.theme());
    curves_->setVisible(kind_ != Planners);
    bars_->setVisible(kind_ == Planners);
    curves_->setAccessibleName(title(kind_));
    stalls_.drop();
    switch (kind_) {
    case SizeAndTime: return showTime();
    case SizeAndStall: return showStall();
    case SizeAndOrder: return showOrder();
    case Planners: return showPlanners();
    case kinds: break;
    }
}

std::vector<RunCharts::Point> RunCharts::comparable() const
{
    std::vector<Point> points;
    const auto entries = workspace_.runs();
    const RunEntry* shown = workspace_.session().run(workspace_.shownRun());
    if (!shown && !entries.empty()) shown = entries.front();
    for (const RunEntry* entry : entries)
        if (isYes(verdictKind(*entry->run)) && sameSetup(entry->request, shown->request) &&
            entry->run->lowering->fingerprint == shown->run->lowering->fingerprint)
            points.push_back({0, entry->id, entry->run, {}});
    return points;
}

/// A point for each run, and the line of the smallest so far.
void RunCharts::showPoints(std::vector<Point> points, const QString& across, bool logarithmic)
{
    std::ranges::stable_sort(points, {}, &Point::x);
    const Theme& theme = look_.theme();
    ChartCurve runs{{}, theme.accent, {}, false, true, false};
    ChartCurve front{tr("smallest so far"), theme.ok, {}, true, false, true};
    points_.clear();
    told_.clear();
    int chosen = -1;
    const NumberFormat numbers = workspace_.numbers();
    Bytes least = std::numeric_limits<Bytes>::max(), greatest = 0;
    for (const Point& point : points) {
        const Bytes size = point.of->report.totalSize();
        least = std::min(least, size);
        greatest = std::max(greatest, size);
        if (point.run == workspace_.shownRun()) chosen = int(points_.size());
        points_.push_back(point.run);
        told_.push_back(
            tr("%1: %2, %3").arg(QString::fromStdString(point.of->plan.planner), bytesText(size, numbers), point.where));
        runs.points.emplace_back(point.x, double(size));
        if (front.points.empty() || double(size) < front.points.back().y()) front.points.emplace_back(point.x, double(size));
    }
    ChartAxis x{logarithmic ? tr("%1, logarithmic").arg(across) : across, {}, false, logarithmic};
    if (logarithmic) x.text = [](double value) { return durationText(std::pow(10.0, value)); };
    runs.texts = told_;
    runs.ids = points_;
    const bool any = !points.empty();
    // No axis has more than 64 ticks; one of equal sizes reaches beyond them by a twentieth on both sides.
    const Bytes spacing = (greatest > least ? greatest - least : greatest / 10) / 64;
    curves_->setCurves(any ? std::vector{runs, front} : std::vector<ChartCurve>(), x,
                       {tr("size, %1").arg(unitText(numbers)),
                        [numbers, spacing](double value) { return bytesTick(Bytes(std::llround(value)), spacing, numbers); },
                        false});
    curves_->setChosen(chosen, {});
    tell(curves_->pointed());
}

void RunCharts::tell(int point)
{
    const int at = point >= 0 ? point : curves_->chosen();
    text_->setVisible(!told_.empty());
    text_->setFullText(std::size_t(at) < told_.size() ? told_[std::size_t(at)]
                       : told_.empty()                ? QString()
                                                      : tr("Point at a run to read its figures."));
}

void RunCharts::showTime()
{
    auto points = comparable();
    for (Point& point : points) {
        point.x = std::log10(std::max(minTime, point.of->elapsedMs));
        point.where = durationText(point.of->elapsedMs);
    }
    curves_->setEmptyText(tr("No plan fits yet."));
    showPoints(std::move(points), tr("time"), true);
}

/// The runs whose pipes were simulated before are shown at once, the others when they have been.
void RunCharts::showStall()
{
    std::vector<Point> known, others;
    for (Point& point : comparable()) {
        const auto found = stallOf_.find(point.run);
        if (found == stallOf_.end()) {
            others.push_back(std::move(point));
        } else if (found->second) {
            point.x = double(*found->second);
            point.where = tr("pipes wait %1").arg(countText(*found->second));
            known.push_back(std::move(point));
        }
    }
    curves_->setEmptyText(tr("This model runs on no pipes."));
    showPoints(std::move(known), tr("time in which pipes wait because of reuse"), false);
    if (others.empty()) return;
    stalls_.start(
        [others = std::move(others)](const std::stop_token& stop) {
            std::map<int, std::optional<std::int64_t>> found;
            for (const Point& point : others) {
                if (stop.stop_requested()) break;
                const auto pipes = analysePipes(*point.of);
                found[point.run] = pipes ? std::optional(pipes->report.stall()) : std::nullopt;
            }
            return found;
        },
        [this](std::map<int, std::optional<std::int64_t>> found) {
            stallOf_.merge(found);
            showStall();
        });
}

/// The smallest run of each order that was planned, by how many ops it lists elsewhere than the file.
void RunCharts::showOrder()
{
    const Model* model = workspace_.model();
    const auto listed = !model ? nullptr : model->fileProgram ? model->fileProgram : model->program;
    std::map<const Program*, Point> best;
    for (const RunEntry& entry : workspace_.session().runs()) {
        if (entry.model != workspace_.modelId() || !listed || !entry.run->program || !isYes(verdictKind(*entry.run))) continue;
        Point& point = best[entry.run->program.get()];
        if (point.of && point.of->report.totalSize() <= entry.run->report.totalSize()) continue;
        const std::int64_t moved = movedOps(*listed, *entry.run->program);
        point = {double(moved), entry.id, entry.run,
                 moved == 0 ? tr("order as listed") : tr("%1 moved").arg(countedText(moved, tr("op")))};
    }
    std::vector<Point> points;
    for (auto& [program, point] : best) points.push_back(std::move(point));
    // The listed order alone would be a chart of nothing.
    const bool unmoved = points.size() == 1 && points.front().x == 0;
    curves_->setEmptyText(!listed   ? tr("The model is a list of buffers without ops.")
                          : unmoved ? tr("All runs keep the listed order of ops. Plan > Reorder ops looks for a better one.")
                                    : tr("No plan fits yet."));
    if (unmoved) points.clear();
    showPoints(std::move(points), tr("ops that are not in their listed place"), false);
}

/// Mean excess over the lower bound of each planner's latest runs, with the part that each model has in it.
void RunCharts::showPlanners()
{
    const Session& session = workspace_.session();
    std::map<std::string, std::map<int, double>> gaps; // by planner, then model
    std::vector<int> models;
    for (const RunEntry& entry : session.runs()) {
        const std::string& planner = entry.run->plan.planner;
        if (planner == noReuseAtAll || !isYes(verdictKind(*entry.run))) continue;
        gaps[planner][entry.model] = 100 * totalGap(entry.run->report);
        if (std::ranges::find(models, entry.model) == models.end()) models.push_back(entry.model);
    }
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [planner, byModel] : gaps) {
        double sum = 0;
        for (const auto& [model, gap] : byModel) sum += gap;
        order.emplace_back(sum / double(byModel.size()), planner);
    }
    std::ranges::sort(order);
    QStringList names;
    std::vector<QString> texts;
    std::vector<ChartPart> parts;
    for (std::size_t m = 0; m < models.size(); ++m) {
        const Model* model = session.model(models[m]);
        const auto& colours = look_.theme().buffers;
        parts.push_back({model ? model->name : QString(), colours[m % std::size(colours)], {}});
    }
    for (const auto& [mean, planner] : order) {
        const auto& byModel = gaps[planner];
        names << QString::fromStdString(planner);
        texts.push_back(tr("%1, %2").arg(percentText(mean / 100), countedText(std::int64_t(byModel.size()), tr("model"))));
        for (std::size_t m = 0; m < models.size(); ++m) {
            const auto found = byModel.find(models[m]);
            parts[m].values.push_back(found == byModel.end() ? 0 : found->second / double(byModel.size()));
        }
    }
    text_->show();
    text_->setFullText(order.empty() ? tr("No plan fits yet.")
                                     : tr("mean size above the lower bound, by model; without %1").arg(noReuseAtAll));
    std::vector<std::optional<double>> limits(order.size());
    bars_->setBars(names, std::move(parts), std::move(limits), std::move(texts));
}

} // namespace stowage
