#include "app/desktop/views/usage_view.h"

#include "app/canvas/kit/fonts.h"
#include "app/charts/time_chart.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QPainter>
#include <QSplitter>
#include <QVBoxLayout>
#include <QtConcurrentRun>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr std::size_t inBackgroundAbove = 20'000; ///< buffers

/// The curves by colour and name.
class Legend : public QWidget {
public:
    explicit Legend(const Look& look) : look_(look) { setFixedSize(430, metrics::viewBar - 1); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& theme = look_.theme();
        double x = 0;
        const auto entry = [&](const QString& name, const QColor& colour, bool dashed) {
            QPen pen(colour, 2);
            if (dashed) pen.setDashPattern({3, 2});
            painter.setPen(pen);
            painter.drawLine(QPointF(x, height() / 2.0), QPointF(x + 16, height() / 2.0));
            painter.setPen(theme.text2);
            painter.setFont(uiFont(metrics::body));
            painter.drawText(QRectF(x + 22, 0, 160, height()), Qt::AlignLeft | Qt::AlignVCenter, name);
            x += 22 + painter.fontMetrics().horizontalAdvance(name) + 18;
        };
        entry(UsageView::tr("live"), theme.accent, false);
        entry(UsageView::tr("highest byte in use"), theme.text2, false);
        entry(UsageView::tr("free"), theme.warn, false);
        entry(UsageView::tr("largest hole"), theme.accent, true);
    }

private:
    const Look& look_;
};

} // namespace

UsageView::UsageView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), look_(look), theme_(&look.theme())
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    charts_ = new QSplitter(Qt::Vertical);
    charts_->setChildrenCollapsible(false);
    use_ = new TimeChart;
    use_->setRulerShown(false);
    use_->setMinimumHeight(120);
    use_->setAccessibleName(tr("Live and allocated bytes over time"));
    free_ = new TimeChart;
    free_->setMinimumHeight(110);
    free_->setAccessibleName(tr("Free bytes over time"));
    charts_->addWidget(use_);
    charts_->addWidget(free_);
    charts_->setStretchFactor(0, 3);
    charts_->setStretchFactor(1, 2);
    column->addWidget(charts_);
    empty_ = makeLabel(tr("Nothing is planned yet."), Tone::secondary);
    empty_->setAlignment(Qt::AlignCenter);
    column->addWidget(empty_);

    bar_ = new QWidget;
    barRow_ = new QHBoxLayout(bar_);
    barRow_->setContentsMargins(12, 0, 12, 0);
    barRow_->setSpacing(10);
    legend_ = new Legend(look);
    barRow_->addWidget(legend_);
    barRow_->addStretch();

    for (TimeChart* chart : {use_, free_}) {
        connect(chart, &TimeChart::stepChosen, this, [this](double step) { selection_.setCursor(Step(step)); });
        connect(chart, &TimeChart::rangeChanged, this, [this](double begin, double end) {
            use_->setRange(begin, end);
            free_->setRange(begin, end);
        });
    }
    connect(&selection_, &SelectionModel::cursorChanged, this, &UsageView::showCursor);
}

UsageView::~UsageView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

QWidget* UsageView::bar()
{
    return bar_;
}

const UsagePool* UsageView::shownPool() const
{
    return run_ && shown_ < uses_.size() ? &uses_[shown_] : nullptr;
}

void UsageView::setTheme(const Theme& theme)
{
    theme_ = &theme;
    use_->setTheme(theme);
    free_->setTheme(theme);
    showPool();
}

void UsageView::setContext(const ViewContext& context)
{
    numbers_ = context.numbers;
    charts_->setVisible(context.run != nullptr);
    empty_->setVisible(context.run == nullptr);
    if (context.run == run_) {
        showPool();
        return;
    }
    run_ = context.run;
    const std::uint64_t generation = ++generation_;
    if (!run_) {
        uses_.clear();
        return;
    }
    const auto compute = [run = run_] { return usagePools(*run); }; // what the picture of the command line shows
    if (run_->problem().buffers.size() <= inBackgroundAbove) {
        takeUses(compute());
        return;
    }
    // The old curves stay until the new ones are there.
    auto* watcher = new QFutureWatcher<std::vector<UsagePool>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        if (generation == generation_) takeUses(watcher->future().takeResult());
        watcher->deleteLater();
    });
    watcher->setFuture(QtConcurrent::run(compute));
}

void UsageView::takeUses(std::vector<UsagePool> uses)
{
    QStringList names, before;
    for (const UsagePool& use : uses) names << QString::fromStdString(use.name);
    uses_ = std::move(uses);
    if (!bar_) return;
    if (pools_) before = pools_->property("names").toStringList();
    if (names != before) {
        delete pools_;
        pools_ = nullptr;
        shown_ = 0;
        if (names.size() > 1) {
            pools_ = new SegmentedControl(names, true);
            pools_->setProperty("names", names);
            barRow_->insertWidget(0, pools_);
            connect(pools_, &SegmentedControl::chosen, this, [this](int index) {
                shown_ = std::size_t(index);
                showPool();
            });
        }
    }
    if (shown_ >= uses_.size()) shown_ = 0;
    showPool();
}

void UsageView::showPool()
{
    const UsagePool* pool = shownPool();
    if (!pool) return;
    const QString name = QString::fromStdString(pool->name);
    ChartCurve live{tr("live"), theme_->accent, false, true, {}}, top{tr("top"), theme_->text2, false, false, {}};
    ChartCurve free{tr("free"), theme_->warn, false, true, {}}, hole{tr("largest hole"), theme_->accent, true, false, {}};
    const auto fill = [](ChartCurve& curve, const StepFunction& function) {
        for (std::size_t i = 0; i < function.size(); ++i)
            curve.samples.push_back({double(function.at()[i]), double(function.values()[i])});
    };
    fill(live, pool->live);
    fill(top, pool->top);
    fill(free, pool->free);
    fill(hole, pool->largestFree);
    const auto steps = double(stepsOf(*run_));
    const auto format = [numbers = numbers_](double value) { return bytesNumber(Bytes(std::llround(value)), numbers); };
    use_->setFormat(format);
    free_->setFormat(format);
    use_->setTitle(name, tr("%1 per step").arg(numbers_.unit == NumberFormat::Unit::bytes ? tr("bytes") : unitText(numbers_)));
    free_->setTitle(tr("Free"), tr("below %1").arg(bytesText(pool->size, numbers_)));
    use_->setCurves({live, top}, steps);
    free_->setCurves({free, hole}, steps);
    std::vector<ChartLevel> levels;
    if (pool->capacity)
        levels.push_back(
            {tr("capacity %1").arg(bytesText(*pool->capacity, numbers_)), double(*pool->capacity), theme_->bad, false});
    levels.push_back({tr("bound %1").arg(bytesText(pool->bound, numbers_)), double(pool->bound), theme_->ok, true});
    use_->setLevels(std::move(levels));
    if (pool->peakStep >= 0)
        use_->setPeak(ChartSample{double(pool->peakStep), double(pool->peak)},
                      tr("peak %1, step %2").arg(bytesText(pool->peak, numbers_), countText(pool->peakStep)));
    else
        use_->setPeak(std::nullopt, {});
    showCursor();
}

void UsageView::showCursor()
{
    const auto cursor = selection_.cursor();
    for (TimeChart* chart : {use_, free_}) chart->setCursor(cursor ? std::optional(double(*cursor)) : std::nullopt);
}

void UsageView::zoomToFit()
{
    for (TimeChart* chart : {use_, free_}) chart->setRange(0, run_ ? double(stepsOf(*run_)) : 1);
}

void UsageView::zoomToSelection()
{
    if (!run_ || selection_.buffer() == none) return;
    const Interval hull = run_->problem().buffers[std::size_t(selection_.buffer())].hull();
    const double margin = std::max(1.0, double(hull.length()) * 0.15);
    for (TimeChart* chart : {use_, free_}) chart->setRange(double(hull.begin) - margin, double(hull.end) + margin);
}

void UsageView::zoomToPeak()
{
    const UsagePool* pool = shownPool();
    if (!pool || pool->peakStep < 0) return;
    selection_.setCursor(pool->peakStep);
    const double half = std::max(4.0, (use_->end() - use_->begin()) / 8);
    for (TimeChart* chart : {use_, free_}) chart->setRange(double(pool->peakStep) - half, double(pool->peakStep) + half);
}

} // namespace stowage
