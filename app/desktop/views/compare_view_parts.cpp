// The parts of the comparison: maps, difference, table, matrix, and the bar above them.
#include "app/desktop/views/compare_view.h"

#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/revision_pane.h"
#include "app/desktop/panels/run_charts.h"
#include "app/desktop/tables/comparison_table.h"
#include "app/desktop/tables/group_head.h"
#include "app/desktop/tables/planner_matrix.h"
#include "app/desktop/tables/revision_table.h"
#include "app/desktop/widgets/colour_legend.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/map_widget.h"
#include "app/desktop/widgets/pane_head.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QVBoxLayout>

#include <optional>
#include <utility>

namespace stowage {

namespace {

QVBoxLayout* columnIn(QWidget* widget)
{
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

/// A title row of 30 px as the docks have it; returns its layout, after title and caption.
QHBoxLayout* addHead(QVBoxLayout& column, const QString& title, ElidedLabel** caption)
{
    auto* head = new QWidget;
    head->setFixedHeight(metrics::dockTitle);
    head->setProperty("surface", "panel");
    head->setProperty("edge", "bottom");
    head->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(8);
    row->addWidget(makeLabel(title, Tone::main, metrics::title, QFont::DemiBold));
    if (caption) {
        *caption = new ElidedLabel;
        setTone(*caption, Tone::secondary);
        row->addWidget(*caption, 1);
    }
    column.addWidget(head);
    return row;
}

} // namespace

QWidget* CompareView::makeMaps()
{
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    for (int i = 0; i < ComparedRuns::maxMaps; ++i) {
        Pane pane;
        pane.box = new QWidget;
        auto* column = columnIn(pane.box);
        pane.head = new PaneHeadStrip(look_);
        pane.map = new MapWidget(selection_, workspace_.scenes(), bandMap);
        pane.map->setObjectName(QStringLiteral("compareMap%1").arg(i));
        pane.map->setToggle("chain", false);
        pane.map->setMinimumSize(160, 100);
        column->addWidget(pane.head);
        column->addWidget(pane.map, 1);
        row->addWidget(pane.box, 1);
        connect(pane.map, &MapWidget::rangeChanged, this, [this, map = pane.map] { follow(map); });
        connect(pane.map, &MapWidget::sceneChanged, this, [this] {
            fitScales();
            showBar();
        });
        connect(pane.head, &PaneHeadStrip::chosen, this, [this, i] {
            if (panes_[std::size_t(i)].run) workspace_.showRun(panes_[std::size_t(i)].run);
        });
        panes_.push_back(pane);
    }
    invite_ = new StatePage;
    invite_->setObjectName(QStringLiteral("compareInvite"));
    invite_->say(QStringLiteral("compare"), tr("There is one run. Plan with more planners to compare runs."),
                 tr("Plan with all planners"));
    connect(invite_, &StatePage::pressed, this, [this] {
        workspace_.planners().setAllTicked(true);
        workspace_.plan();
    });
    row->addWidget(invite_, 1);
    setFocusProxy(panes_.front().map);
    return box;
}

QWidget* CompareView::makeDifference()
{
    auto* box = new QWidget;
    auto* column = columnIn(box);
    QHBoxLayout* head = addHead(*column, tr("Difference"), nullptr);
    differenceTitle_ = head->itemAt(0)->widget();
    const auto choice = [&](const char* name, int (ComparedRuns::*chosen)() const, void (ComparedRuns::*choose)(int)) {
        auto* button = new ChoiceButton({}, true);
        button->setObjectName(QString::fromLatin1(name));
        button->setMaximumTextWidth(150);
        button->setMenuFiller([this, chosen, choose](QMenu& menu) {
            for (const RunEntry* entry : workspace_.runs()) {
                QAction* action =
                    menu.addAction(table_->nameOf(entry->id), this, [this, choose, id = entry->id] { (compared_.*choose)(id); });
                action->setCheckable(true);
                action->setChecked(entry->id == (compared_.*chosen)());
            }
        });
        head->addWidget(button);
        return button;
    };
    here_ = choice("differenceHere", &ComparedRuns::chosenHere, &ComparedRuns::chooseHere);
    here_->setAccessibleName(tr("Plan whose map is drawn"));
    head->addWidget(makeLabel(tr("against"), Tone::secondary));
    there_ = choice("differenceThere", &ComparedRuns::chosenThere, &ComparedRuns::chooseThere);
    there_->setAccessibleName(tr("Plan it is compared with"));
    head->addStretch();
    differenceLegend_ = new DifferenceLegend(look_);
    column->addWidget(differenceLegend_);
    differenceMap_ = new MapWidget(selection_, workspace_.scenes(), bandMap);
    differenceMap_->setObjectName(QStringLiteral("differenceMap"));
    differenceMap_->setToggle("chain", false);
    differenceMap_->setToggle("clique", false);
    differenceMap_->setMinimumSize(160, 80);
    connect(differenceMap_, &MapWidget::rangeChanged, this, [this] { follow(differenceMap_); });
    connect(differenceMap_, &MapWidget::sceneChanged, this, &CompareView::fitScales);
    column->addWidget(differenceMap_, 1);
    differenceEmpty_ = makeLabel(tr("A difference needs two runs."), Tone::secondary);
    differenceEmpty_->setAlignment(Qt::AlignCenter);
    column->addWidget(differenceEmpty_, 1);
    return box;
}

QWidget* CompareView::makeTable()
{
    auto* box = new QWidget;
    auto* column = columnIn(box);
    QHBoxLayout* head = addHead(*column, tr("Runs"), &tableCaption_);
    runsAs_ = new ChoiceButton({}, true);
    runsAs_->setObjectName(QStringLiteral("runsAs"));
    runsAs_->setAccessibleName(tr("Runs as"));
    runsAs_->setToolTip(tr("A table, a chart of size against time, stalls or order, or the changes since another open model"));
    runsAs_->setMaximumTextWidth(240);
    runsAs_->setChoice(tr("Table"));
    runsAs_->setMenuFiller([this](QMenu& menu) {
        for (int kind = -1; kind < RunCharts::kinds; ++kind) {
            QAction* action = menu.addAction(kind < 0 ? tr("Table") : RunCharts::title(RunCharts::Kind(kind)), this,
                                             [this, kind] { showRunsAs(kind); });
            action->setCheckable(true);
            action->setChecked(kind == chart_ && !revision_->against());
        }
        const Session& session = workspace_.session();
        bool first = true;
        for (const int id : workspace_.models().ids()) {
            const Model* other = session.model(id);
            if (!other || id == workspace_.modelId()) continue;
            if (std::exchange(first, false)) menu.addSeparator();
            QAction* action = menu.addAction(tr("Changes since %1").arg(other->name), this, [this, id] { compareWithModel(id); });
            action->setCheckable(true);
            action->setChecked(id == revision_->against());
        }
    });
    head->addWidget(runsAs_);
    auto* copy = makeIconButton(QStringLiteral("copy"), tr("Copy the table"), true);
    connect(copy, &QToolButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(revision_->against() ? revision_->table().toTsv() : table_->toTsv());
    });
    head->addWidget(copy);
    tableView_ = new Table(look_);
    tableView_->setObjectName(QStringLiteral("comparisonTable"));
    tableView_->setAccessibleName(tr("Runs to compare"));
    table_ = new ComparisonTable(tableView_);
    tableView_->setModel(table_);
    tableView_->viewport()->installEventFilter(this);
    tableView_->setItemDelegate(new ComparisonDelegate(*table_, look_, tableView_));
    tableView_->setSelectionMode(QAbstractItemView::SingleSelection);
    tableView_->horizontalHeader()->setSectionsClickable(false);
    tableView_->horizontalHeader()->setStretchLastSection(true);
    connect(table_, &QAbstractItemModel::modelReset, this, &CompareView::showRows);
    foldByMouseAndKeys(*tableView_, [this](int row) { return table_->toggleGroup(row); });
    connect(tableView_, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == ComparisonTable::Eye) compared_.toggle(index.data(ComparisonTable::RunRole).toInt());
    });
    connect(tableView_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        const int run = current.data(ComparisonTable::RunRole).toInt();
        if (!selecting_ && run && current.column() != ComparisonTable::Eye) workspace_.showRun(run);
    });
    column->addWidget(tableView_, 1);
    charts_ = new RunCharts(workspace_, look_, box);
    charts_->hide();
    connect(charts_, &RunCharts::runChosen, this, [this](int run) { workspace_.showRun(run); });
    column->addWidget(charts_, 1);
    revision_ = new RevisionPane(workspace_, look_, box);
    revision_->hide();
    column->addWidget(revision_, 1);
    return box;
}

QWidget* CompareView::makeMatrix()
{
    matrixBox_ = new QWidget;
    auto* column = columnIn(matrixBox_);
    QHBoxLayout* head = addHead(*column, tr("Models %1 planners").arg(QChar(0xD7)), &matrixCaption_);
    auto* copy = makeIconButton(QStringLiteral("copy"), tr("Copy the matrix"), true);
    connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(matrix_->toTsv()); });
    head->addWidget(copy);
    matrixView_ = new Table(look_);
    matrixView_->setObjectName(QStringLiteral("plannerMatrix"));
    matrixView_->setAccessibleName(tr("Models and planners"));
    matrix_ = new PlannerMatrix(matrixView_);
    matrixView_->setModel(matrix_);
    matrixView_->viewport()->installEventFilter(this);
    matrixView_->setItemDelegate(new PlannerMatrixDelegate(*matrix_, look_, matrixView_));
    matrixView_->setSelectionMode(QAbstractItemView::NoSelection);
    matrixView_->horizontalHeader()->setSectionsClickable(false);
    connect(matrixView_, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        const int model = index.data(PlannerMatrix::ModelRole).toInt();
        const int run = index.data(PlannerMatrix::RunRole).toInt();
        workspace_.setModel(model);
        if (run) workspace_.showRun(run);
    });
    column->addWidget(matrixView_, 1);
    return matrixBox_;
}

void CompareView::makeBar()
{
    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    QLabel* const caption = makeLabel(tr("Colour by"), Tone::secondary);
    caption->setProperty("caption", true); // the first to go where the bar is narrow
    row->addWidget(caption);
    colourBy_ = new ChoiceButton({}, true);
    colourBy_->setObjectName(QStringLiteral("compareColourBy"));
    colourBy_->setAccessibleName(tr("Colour by"));
    colourBy_->setToolTip(tr("What colours of buffers mean"));
    colourBy_->setMenuFiller([this](QMenu& menu) {
        const MapWidget* first = leader();
        addColourings(menu, first ? first->run().get() : nullptr, first ? std::optional(first->colourBy()) : std::nullopt,
                      [this](ColourBy by) {
                          for (const Pane& pane : panes_) pane.map->setColourBy(by);
                      });
    });
    row->addWidget(colourBy_);
    legend_ = new ColourLegend;
    legend_->setTheme(*theme_);
    connect(legend_, &ColourLegend::hiddenChanged, this, [this](unsigned hidden) {
        for (const Pane& pane : panes_) pane.map->setHiddenClasses(hidden);
    });
    row->addWidget(legend_, 1);
    pools_ = new ChoiceButton(QStringLiteral("target"), true);
    pools_->setObjectName(QStringLiteral("comparePool"));
    pools_->setAccessibleName(tr("Pool shown"));
    pools_->setMenuFiller([this](QMenu& menu) {
        const auto run = workspace_.run();
        if (!run) return;
        for (const PoolReport& pool : run->report.pools) {
            if (pool.size == 0) continue;
            const std::string& name = run->problem().pools[std::size_t(pool.pool)].name;
            QAction* action = menu.addAction(QString::fromStdString(name), this, [this, name] { compared_.choosePool(name); });
            action->setCheckable(true);
            action->setChecked(pool.pool == compared_.poolOf(*run));
        }
    });
    row->addWidget(pools_);
    link_ = makeButton(tr("Linked zoom"), QStringLiteral("link"), ButtonKind::normal, true);
    link_->setObjectName(QStringLiteral("compareLink"));
    link_->setCheckable(true);
    link_->setChecked(true);
    link_->setToolTip(tr("All maps show the same steps and addresses"));
    connect(link_, &QPushButton::toggled, this, &CompareView::setLinked);
    row->addWidget(link_);
    counts_ = new SegmentedControl({QStringLiteral("2"), QStringLiteral("3"), QStringLiteral("4")}, true);
    counts_->setToolTip(tr("Maps side by side"));
    counts_->setObjectName(QStringLiteral("compareCount"));
    counts_->setAccessibleName(tr("Maps side by side"));
    counts_->setCurrent(compared_.count() - 2);
    connect(counts_, &SegmentedControl::chosen, this, [this](int index) { compared_.setCount(index + 2); });
    row->addWidget(counts_);
}

} // namespace stowage
