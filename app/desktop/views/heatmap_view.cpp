#include "app/desktop/views/heatmap_view.h"

#include "app/desktop/look/metrics.h"
#include "app/desktop/views/stack_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/heat_widget.h"
#include "app/desktop/workspace.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

namespace {

constexpr qsizetype mostSegments = 4; ///< pools; more of them are a menu
constexpr double rampWidth = 90;

} // namespace

/// The colour scale with its ends.
class HeatmapView::Scale : public QWidget {
public:
    explicit Scale(HeatWidget& map) : map_(map)
    {
        setFixedHeight(metrics::viewBar - 1);
        setMinimumWidth(0);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        setAccessibleName(HeatmapView::tr("Colour scale"));
    }
    [[nodiscard]] QSize sizeHint() const override { return {190, metrics::viewBar - 1}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        if (!map_.scene() || width() < sizeHint().width()) return; // half a scale would mislead
        QPainter painter(this);
        DrawList list(shaper_, devicePixelRatioF());
        (void)paintScale(list, map_.state(), width() - 1.0, height() / 2.0, rampWidth);
        replay(list, painter);
    }

private:
    HeatWidget& map_;
    TextShaper shaper_;
};

HeatmapView::HeatmapView(Workspace& workspace, const Look&, QWidget* parent)
    : View(workspace.selection(), parent), workspace_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    map_ = new HeatWidget(selection_);
    map_->setObjectName(QStringLiteral("heatMap"));
    column->addWidget(map_, 1);
    setFocusProxy(map_);

    page_ = new StatePage;
    connect(page_, &StatePage::pressed, this, [this] { workspace_.plan(); });
    column->addWidget(page_, 1);

    bar_ = new QWidget;
    barRow_ = new QHBoxLayout(bar_);
    barRow_->setContentsMargins(12, 0, 12, 0);
    barRow_->setSpacing(10);
    barRow_->addWidget(makeLabel(tr("Show"), Tone::secondary));
    measures_ = new SegmentedControl({tr("how full"), tr("buffers"), tr("holes")}, true);
    measures_->setObjectName(QStringLiteral("heatMeasures"));
    connect(measures_, &SegmentedControl::chosen, this, [this](int index) { map_->setMeasure(HeatMeasure(index)); });
    barRow_->addWidget(measures_);
    bins_ = new ChoiceButton(QString(), true);
    bins_->setObjectName(QStringLiteral("heatBins"));
    bins_->setToolTip(tr("Size of the bins"));
    bins_->setMaximumTextWidth(240);
    bins_->setMenuFiller([this](QMenu& menu) {
        auto* group = new QActionGroup(&menu);
        const std::pair<QString, HeatBins> choices[] = {
            {tr("Fine bins"), HeatBins::fine}, {tr("Medium bins"), HeatBins::medium}, {tr("Coarse bins"), HeatBins::coarse}};
        for (const auto& [text, size] : choices) {
            QAction* action = menu.addAction(text);
            action->setCheckable(true);
            action->setChecked(map_->state().bins == size);
            group->addAction(action);
            connect(action, &QAction::triggered, this, [this, wanted = size] { map_->setBins(wanted); });
        }
    });
    barRow_->addWidget(bins_);
    barRow_->addStretch();
    scale_ = new Scale(*map_);
    barRow_->addWidget(scale_);

    connect(map_, &HeatWidget::sceneChanged, this, [this] {
        showPools();
        showState();
    });
    connect(map_, &HeatWidget::poolChanged, this, &HeatmapView::showPools);
    connect(map_, &HeatWidget::binsChanged, this, &HeatmapView::showBins);
    showState();
}

HeatmapView::~HeatmapView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

QWidget* HeatmapView::bar()
{
    return bar_;
}

QString HeatmapView::message() const
{
    return page_->isHidden() ? QString() : page_->sentence();
}

void HeatmapView::setTheme(const Theme& theme)
{
    map_->setTheme(theme);
    scale_->update();
    page_->update();
}

void HeatmapView::setContext(const ViewContext& context)
{
    run_ = context.run;
    map_->setNumbers(context.numbers);
    map_->setRun(context.run);
    showState();
    showBins();
}

void HeatmapView::showState()
{
    const bool placed = map_->scene() != nullptr;
    const bool waiting = run_ && !map_->ready();
    page_->say(QStringLiteral("heatmap"),
               !run_     ? tr("Nothing is planned yet.")
               : waiting ? tr("The heatmap is being made …")
                         : tr("Nothing is placed in this plan."),
               run_ ? QString() : tr("Plan"));
    page_->setVisible(!placed);
    map_->setVisible(placed);
    if (bar_) {
        measures_->setEnabled(placed);
        bins_->setEnabled(placed);
        bins_->setVisible(placed);
        if (pools_) pools_->setVisible(placed);
    }
}

void HeatmapView::showPools()
{
    if (!bar_) return;
    QStringList names;
    int current = 0;
    if (const HeatScene* scene = map_->scene())
        for (std::size_t i = 0; i < scene->pools.size(); ++i) {
            if (scene->pools[i].occupancy.pool() == map_->pool()) current = int(i);
            names << QString::fromStdString(scene->scene->pools[i].map.poolName);
        }
    const auto choose = [this](int index) {
        if (const HeatScene* scene = map_->scene(); scene && index < int(scene->pools.size()))
            map_->setPool(scene->pools[std::size_t(index)].occupancy.pool());
        showPools();
    };
    if (names != poolNames_) {
        delete pools_;
        pools_ = nullptr;
        poolNames_ = names;
        if (names.size() > mostSegments) {
            auto* menu = new ChoiceButton(QStringLiteral("target"), true);
            menu->setMenuFiller([this, choose](QMenu& list) {
                for (int i = 0; i < poolNames_.size(); ++i)
                    connect(list.addAction(poolNames_[i]), &QAction::triggered, this, [choose, i] { choose(i); });
            });
            pools_ = menu;
        } else if (names.size() > 1) {
            auto* segments = new SegmentedControl(names, true);
            connect(segments, &SegmentedControl::chosen, this, choose);
            pools_ = segments;
        }
        if (pools_) {
            pools_->setObjectName(QStringLiteral("heatPools"));
            pools_->setAccessibleName(tr("Pool"));
            barRow_->insertWidget(0, pools_);
        }
    }
    if (auto* segments = dynamic_cast<SegmentedControl*>(pools_))
        segments->setCurrent(current);
    else if (auto* menu = dynamic_cast<ChoiceButton*>(pools_))
        menu->setChoice(names.value(current));
    showBins();
}

void HeatmapView::showBins()
{
    if (!bar_) return;
    if (map_->scene()) {
        const OccupancyGrid& grid = map_->state().grid;
        const QString bytes =
            grid.binBytes < 1024 ? QStringLiteral("%1 B").arg(grid.binBytes) : shortBytes(grid.binBytes) + QStringLiteral("iB");
        bins_->setChoice(QStringLiteral("%1 %2 %3").arg(bytes, QChar(0xD7), countedText(grid.binSteps, tr("step"))));
    }
    scale_->update();
}

void HeatmapView::zoomToFit()
{
    map_->zoomToFit();
}
void HeatmapView::zoomToSelection()
{
    map_->zoomToSelection();
}
void HeatmapView::zoomToPeak()
{
    map_->zoomToPeak();
}

bool HeatmapView::perform(ViewCommand command)
{
    if (!map_->scene()) return false;
    switch (command) {
    case ViewCommand::zoomIn: map_->zoom(1.25, 1); return true;
    case ViewCommand::zoomOut: map_->zoom(0.8, 1); return true;
    case ViewCommand::panLeft: map_->pan(-0.125); return true;
    case ViewCommand::panRight: map_->pan(0.125); return true;
    case ViewCommand::back: return map_->goBack();
    case ViewCommand::forward: return map_->goForward();
    case ViewCommand::neighbourLeft: map_->goToNeighbour(Direction::left); return true;
    case ViewCommand::neighbourRight: map_->goToNeighbour(Direction::right); return true;
    case ViewCommand::neighbourUp: map_->goToNeighbour(Direction::up); return true;
    case ViewCommand::neighbourDown: map_->goToNeighbour(Direction::down); return true;
    default: return false;
    }
}

} // namespace stowage
