#include "app/desktop/views/compare_view.h"

#include "app/canvas/axis/difference_colours.h"
#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/revision_pane.h"
#include "app/desktop/panels/run_charts.h"
#include "app/desktop/tables/comparison_table.h"
#include "app/desktop/tables/planner_matrix.h"
#include "app/desktop/tables/run_groups.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/widgets/colour_legend.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/map_widget.h"
#include "app/desktop/widgets/pane_head.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

namespace {

constexpr int minMapWidth = 250;

} // namespace

CompareView::CompareView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), look_(look), workspace_(workspace), theme_(&look.theme()), compared_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    page_ = new StatePage;
    connect(page_, &StatePage::pressed, this, [this] {
        if (!nothing_.isEmpty())
            Q_EMIT workspace_.openWanted();
        else if (workspace_.busy())
            workspace_.cancel();
        else
            workspace_.plan();
    });
    column->addWidget(page_, 1);

    content_ = new QSplitter(Qt::Vertical);
    content_->setChildrenCollapsible(false);
    content_->setHandleWidth(1);
    content_->addWidget(makeMaps());
    below_ = new QSplitter(Qt::Horizontal);
    below_->setObjectName(QStringLiteral("compareBelow"));
    below_->setChildrenCollapsible(false);
    below_->setHandleWidth(1);
    below_->addWidget(makeDifference());
    below_->addWidget(makeTable());
    below_->addWidget(makeMatrix());
    connect(content_, &QSplitter::splitterMoved, this, [this] { divided_ = true; });
    connect(below_, &QSplitter::splitterMoved, this, [this] {
        dividedBelow_ = true;
        fitNames();
    });
    content_->addWidget(below_);
    column->addWidget(content_, 1);
    makeBar();

    connect(&workspace_, &Workspace::modelsChanged, this, [this] {
        showMatrix();
        showRevision();
    });
    connect(&compared_, &ComparedRuns::changed, this, &CompareView::showRuns);
    connect(&compared_, &ComparedRuns::differenceChanged, this, &CompareView::showDifference);
    refresh();
}

CompareView::~CompareView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

QWidget* CompareView::bar()
{
    return bar_;
}

QString CompareView::message() const
{
    return page_->isHidden() ? QString() : page_->sentence();
}

// --- what is compared ----------------------------------------------------------------------------------------------------

void CompareView::setTheme(const Theme& theme)
{
    theme_ = &theme;
    for (const Pane& pane : panes_) pane.map->setTheme(theme);
    differenceMap_->setTheme(theme);
    legend_->setTheme(theme);
    showHeads();
    if (chart_ >= 0) charts_->refresh();
    revision_->update();
    differenceLegend_->update();
    page_->update();
    invite_->update();
}

void CompareView::setContext(const ViewContext& context)
{
    numbers_ = context.numbers;
    for (const Pane& pane : panes_) pane.map->setNumbers(numbers_);
    differenceMap_->setNumbers(numbers_);
    refresh();
}

void CompareView::refresh()
{
    const auto entries = workspace_.runs();
    nothing_ = entries.empty() ? QString() : whyNothingToPlace(*entries.front()->run);
    const bool any = !entries.empty() && nothing_.isEmpty();
    page_->standIn(*content_, !any);
    if (bar_) {
        bar_->setProperty("blank", !any); // whoever fits it leaves it so
        for (QObject* child : bar_->children())
            if (auto* widget = qobject_cast<QWidget*>(child)) widget->setVisible(any);
    }
    if (!nothing_.isEmpty())
        page_->say(QStringLiteral("compare"), nothing_, tr("Open another file…"));
    else if (workspace_.busy())
        page_->say(QStringLiteral("clock"), tr("Planning. The first valid plan is shown as soon as it is there."), tr("Cancel"));
    else
        page_->say(QStringLiteral("compare"), tr("Nothing is planned yet."), tr("Plan"));
    compared_.renew(room());
    const std::vector<int>& shown = compared_.shown();
    std::vector<ComparisonTable::Entry> rows;
    const PlanRequest now = workspace_.modelId() ? workspace_.plannings().request({}) : PlanRequest();
    const auto current = std::ranges::find_if(entries, [&](const RunEntry* entry) { return sameSetup(entry->request, now); });
    const Problem* ours = current == entries.end() ? nullptr : &(*current)->run->problem();
    for (const RunEntry* entry : entries)
        rows.push_back({entry->id, entry->run, runRemark(*entry->run, numbers_),
                        setupDifference({&entry->request, &entry->run->problem()}, {&now, ours}, numbers_),
                        std::ranges::find(shown, entry->id) != shown.end()});
    table_->setRuns(std::move(rows), numbers_, workspace_.shownRun());
    const QString apart = groupsCaption(table_->groups());
    if (chart_ >= 0) charts_->refresh();
    showRevision();
    tableCaption_->setFullText(apart.isEmpty() ? countedText(std::int64_t(entries.size()), tr("run")) : apart);
    showHeads(); // the table knows now which run is best
    sayCompared();
    showMatrix();
}

void CompareView::showRows()
{
    tableView_->clearSpans();
    for (int row = 0; row < table_->rowCount(); ++row)
        if (!table_->entry(row)) tableView_->setSpan(row, 0, 1, ComparisonTable::columns);
    selecting_ = true;
    if (const int row = table_->rowOf(workspace_.shownRun()); row >= 0)
        tableView_->selectRow(row);
    else
        tableView_->clearSelection();
    selecting_ = false;
    fitColumns();
}

void CompareView::showRunsAs(int kind)
{
    chart_ = kind;
    revision_->setAgainst(0);
    revision_->hide();
    tableView_->setVisible(kind < 0);
    charts_->setVisible(kind >= 0);
    runsAs_->setChoice(kind < 0 ? tr("Table") : RunCharts::title(RunCharts::Kind(kind)));
    if (kind >= 0) charts_->setKind(RunCharts::Kind(kind));
}

void CompareView::compareWithModel(int model)
{
    const Model* other = model == workspace_.modelId() ? nullptr : workspace_.session().model(model);
    if (!other) {
        showRunsAs(chart_);
        return;
    }
    tableView_->hide();
    charts_->hide();
    runsAs_->setChoice(tr("Changes since %1").arg(other->name));
    revision_->setAgainst(model);
    revision_->show();
}

void CompareView::compareModels()
{
    const std::vector<int> models = workspace_.models().ids();
    if (models.size() == 2)
        compareWithModel(models.front() == workspace_.modelId() ? models.back() : models.front());
    else
        runsAs_->showMenu();
}

void CompareView::showRevision()
{
    const int against = revision_->against();
    if (!against) return;
    if (against == workspace_.modelId() || !workspace_.session().model(against))
        showRunsAs(chart_); // the other model is closed, or shown itself
    else
        revision_->refresh();
}

int CompareView::room() const
{
    return width() > 0 ? std::max(1, width() / minMapWidth) : ComparedRuns::maxMaps;
}

void CompareView::showRuns()
{
    const std::vector<int>& shown = compared_.shown();
    for (std::size_t i = 0; i < panes_.size(); ++i) {
        Pane& pane = panes_[i];
        const RunEntry* entry = i < shown.size() ? compared_.entry(shown[i]) : nullptr;
        pane.run = entry ? entry->id : 0;
        pane.box->setVisible(entry != nullptr);
        if (entry) pane.map->setPool(compared_.poolOf(*entry->run));
        pane.map->setRun(entry ? entry->run : nullptr);
    }
    invite_->setVisible(workspace_.runs().size() == 1);
    table_->setInMaps([&shown](int run) { return std::ranges::find(shown, run) != shown.end(); });
    if (const auto& here = compared_.here(); here && differenceMap_->run() == here)
        differenceMap_->setPool(compared_.poolOf(*here));
    showHeads();
    fitScales();
    showBar();
}

void CompareView::showHeads()
{
    std::vector<std::shared_ptr<const Run>> runs;
    for (const Pane& pane : panes_)
        if (const RunEntry* entry = compared_.entry(pane.run)) runs.push_back(entry->run);
    const std::vector<std::string> titles = runTitles(runs);
    const NamesApart apart(std::vector<std::string_view>(titles.begin(), titles.end()));
    auto title = titles.begin();
    for (const Pane& pane : panes_) {
        const RunEntry* entry = compared_.entry(pane.run);
        if (!entry) continue;
        PaneHead head = paneHead(*entry->run, compared_.poolOf(*entry->run), table_->isBestRun(pane.run), *theme_, numbers_);
        head.title = QString::fromStdString(*title++);
        head.titles = apart;
        pane.head->setHead(std::move(head), pane.run == workspace_.shownRun());
    }
}

void CompareView::showDifference()
{
    const std::optional<PlanDifference>& difference = compared_.difference();
    here_->setVisible(difference.has_value());
    there_->setVisible(difference.has_value());
    differenceMap_->setVisible(difference.has_value());
    differenceEmpty_->setVisible(!difference);
    differenceLegend_->setDifference(difference);
    if (!difference) {
        differenceMap_->setRun(nullptr);
        return;
    }
    const auto& here = compared_.here();
    sayCompared();
    differenceMap_->setOwnColouring(std::make_shared<const Colouring>(differenceColouring(*difference)));
    differenceMap_->setRemark([this, changes = *difference](BufferId buffer) {
        return QString::fromStdString(
            describeChange(changes, buffer, [this](Bytes bytes) { return bytesText(bytes, numbers_).toStdString(); }));
    });
    differenceMap_->setPool(compared_.poolOf(*here));
    differenceMap_->setRun(here);
}

/// The two plans of the difference by their names, which tell runs of one planner apart.
void CompareView::sayCompared()
{
    if (!compared_.difference() || !compared_.here() || !compared_.there()) return;
    const auto nameOf = [this](const std::shared_ptr<const Run>& run) {
        const auto entries = workspace_.runs();
        const auto found = std::ranges::find_if(entries, [&](const RunEntry* entry) { return entry->run == run; });
        const QString name = found == entries.end() ? QString() : table_->nameOf((*found)->id);
        return name.isEmpty() ? QString::fromStdString(run->plan.planner) : name;
    };
    hereName_ = nameOf(compared_.here());
    thereName_ = nameOf(compared_.there());
    fitNames();
}

void CompareView::showMatrix()
{
    const Session& session = workspace_.session();
    std::vector<PlannerMatrix::Line> lines;
    for (const int model : workspace_.models().ids()) {
        const Model* open = session.model(model);
        if (!open) continue;
        PlannerMatrix::Line line;
        line.model = model;
        line.name = open->name;
        for (const RunEntry& entry : session.runs())
            if (entry.model == model) line.cells[entry.run->plan.planner] = {entry.id, entry.run}; // the latest stays
        lines.push_back(std::move(line));
    }
    const bool several = lines.size() > 1;
    const bool changed = several == matrixBox_->isHidden();
    matrixBox_->setVisible(several);
    if (changed) fitParts();
    std::vector<std::string> planners;
    for (const auto& planner : session.planners().all()) planners.push_back(planner->info().name);
    for (const PlannerMatrix::Line& line : lines)
        for (const auto& [planner, cell] : line.cells)
            if (std::ranges::find(planners, planner) == planners.end())
                planners.push_back(planner); // plans that came with a file
    matrix_->setLines(several ? std::move(lines) : std::vector<PlannerMatrix::Line>(), planners, numbers_);
    matrixCaption_->setFullText(matrix_->hasForeign() ? tr("% over the lower bound; * another lowering with its own bound")
                                                      : tr("% over the lower bound"));
    fitMatrix();
}

bool CompareView::matrixShown() const
{
    return !matrixBox_->isHidden();
}

void CompareView::showBar()
{
    if (!bar_) return;
    const MapWidget* first = leader();
    if (first && first->state()) {
        const std::string_view name = toText(first->state()->colouring().by);
        colourBy_->setChoice(QString::fromUtf8(name.data(), qsizetype(name.size())));
        legend_->setClasses(first->state()->colouring(), first->state()->hiddenClasses());
    }
    const auto run = workspace_.run();
    const auto used = run ? std::ranges::count_if(run->report.pools, [](const PoolReport& pool) { return pool.size > 0; }) : 0;
    pools_->setVisible(used > 1);
    pools_->setChoice(QString::fromStdString(compared_.poolName()));
    counts_->setCurrent(compared_.count() - 2);
}

// --- maps in step --------------------------------------------------------------------------------------------------------

std::vector<MapWidget*> CompareView::maps() const
{
    std::vector<MapWidget*> found;
    for (const Pane& pane : panes_)
        if (pane.run) found.push_back(pane.map);
    return found;
}

MapWidget* CompareView::leader() const
{
    for (const Pane& pane : panes_)
        if (pane.run && pane.map->hasFocus()) return pane.map;
    return panes_.front().run ? panes_.front().map : nullptr;
}

/// One address scale for all maps, and the gutter that its numbers ask for.
void CompareView::fitScales()
{
    if (following_) return;
    Bytes top = 16;
    std::vector<MapWidget*> all = maps();
    if (compared_.difference()) all.push_back(differenceMap_);
    for (const MapWidget* map : all)
        if (const ViewState* view = map->state())
            for (const std::int32_t strip : view->state().strips)
                top = std::max(top, addressLimit(view->scene().pools[std::size_t(strip)].map));
    TextShaper shaper;
    const double gutter = narrowGutter(shaper, top, numbers_);
    following_ = true;
    for (MapWidget* map : all) map->setScale(top, gutter);
    following_ = false;
    if (const MapWidget* first = leader()) follow(first);
}

void CompareView::follow(const MapWidget* leading)
{
    if (following_ || !linked_ || !leading->state()) return;
    following_ = true;
    for (MapWidget* map : maps())
        if (map != leading) map->follow(*leading);
    if (compared_.difference() && differenceMap_ != leading) differenceMap_->follow(*leading);
    following_ = false;
}

void CompareView::setLinked(bool on)
{
    linked_ = on;
    if (link_->isChecked() != on) link_->setChecked(on);
    if (on)
        if (const MapWidget* first = leader()) follow(first);
}

void CompareView::compareLocalFirst()
{
    const std::vector<std::string> planners{"local-first", workspace_.session().defaultPlanner()};
    compared_.pickPlanners(planners);
    for (const std::string& planner : planners) workspace_.plannings().planOnly(planner, false);
}

void CompareView::zoomToFit()
{
    for (MapWidget* map : maps()) map->zoomToFit();
    if (compared_.difference()) differenceMap_->zoomToFit();
}

void CompareView::zoomToSelection()
{
    if (MapWidget* map = leader()) map->zoomToSelection();
}

void CompareView::zoomToPeak()
{
    if (MapWidget* map = leader()) map->zoomToPeak();
}

bool CompareView::perform(ViewCommand command)
{
    if (differenceMap_->hasFocus()) return differenceMap_->perform(command);
    MapWidget* map = leader();
    return map && map->perform(command);
}

bool CompareView::performs(ViewCommand command)
{
    return needsAddresses(command) || command == ViewCommand::sumArea || View::performs(command); // of its maps
}

// --- fitting -------------------------------------------------------------------------------------------------------------

void CompareView::fitColumns()
{
    // What matters least goes first where there is no room for all of it; the bars take what is left.
    constexpr int minBar = 80;
    constexpr int barWithRemark = 190;
    constexpr int remark = 170;
    constexpr int planner = 172, minPlanner = 112;
    // Numbers have their size; the bars give way.
    const QFontMetrics digits(monoFont(metrics::body)), words(uiFont(metrics::body));
    const auto wide = [&](int column, int least) {
        constexpr int margins = 18;
        const QString title = table_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        least = std::max(least, words.horizontalAdvance(title) + margins);
        for (int row = 0; row < table_->rowCount(); ++row)
            if (table_->entry(row))
                least = std::max(least, digits.horizontalAdvance(table_->index(row, column).data().toString()) + margins);
        return least;
    };
    const int boundWidth = wide(ComparisonTable::Bound, 88), timeWidth = wide(ComparisonTable::Time, 72);
    const int overWidth = wide(ComparisonTable::OverBound, 82);
    const std::pair<int, int> widths[] = {
        {ComparisonTable::Eye, 30},           {ComparisonTable::Planner, planner},
        {ComparisonTable::Checker, 106},      {ComparisonTable::Size, wide(ComparisonTable::Size, 88)},
        {ComparisonTable::Bound, boundWidth}, {ComparisonTable::OverBound, overWidth},
        {ComparisonTable::Time, timeWidth}};
    int room =
        tableView_->width() - tableView_->verticalScrollBar()->sizeHint().width() - 2; // the bar comes and goes with the rows
    for (const auto& [at, width] : widths) {
        tableView_->setColumnWidth(at, width);
        room -= width;
    }
    const auto hide = [&](int column, int width, bool hidden) {
        tableView_->setColumnHidden(column, hidden);
        if (hidden) room += width;
    };
    const bool withRemark = room >= barWithRemark + remark;
    tableView_->setColumnHidden(ComparisonTable::Remark, !withRemark);
    hide(ComparisonTable::Bound, boundWidth, room < minBar);
    hide(ComparisonTable::Time, timeWidth, room < minBar);
    hide(ComparisonTable::OverBound, overWidth, room < 0);
    if (room < 0) tableView_->setColumnWidth(ComparisonTable::Planner, std::max(minPlanner, planner + room));
    tableView_->setColumnHidden(ComparisonTable::Bar, room < minBar / 2);
    tableView_->setColumnWidth(ComparisonTable::Bar, withRemark ? barWithRemark : std::max(minBar / 2, room));
}

/// Names of planners begin alike: they are whole. The last column in view ends where the matrix does, so that its edge cuts none.
void CompareView::fitMatrix()
{
    const QFontMetrics letters(uiFont(metrics::body));
    constexpr int model = 150, least = 64, margins = 20;
    std::vector<int> widths;
    for (int column = 1; column < matrix_->columnCount(); ++column)
        widths.push_back(std::max(
            least, letters.horizontalAdvance(matrix_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + margins));
    int room = matrixView_->viewport()->width() - model;
    std::size_t whole = 0;
    while (whole < widths.size() && widths[whole] <= room) room -= widths[whole++];
    matrixView_->setColumnWidth(0, model);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const bool stretched = whole < widths.size() && i < whole;
        const int extra = stretched ? room / int(whole) + (int(i) < room % int(whole) ? 1 : 0) : 0;
        matrixView_->setColumnWidth(int(i) + 1, widths[i] + extra);
    }
}

/// The names of the two plans share the width of the difference; one that is short leaves the rest to the other. Where they would
/// not be legible beside the title, the legend below has it.
void CompareView::fitNames()
{
    constexpr int beside = 180; // margins, buttons, "against"
    constexpr int least = 60, most = 240;
    constexpr int legible = 96; // of a long name
    const int title = differenceTitle_->sizeHint().width() + 8;
    const QFontMetrics letters = here_->fontMetrics();
    const int here = letters.horizontalAdvance(hereName_) + 2, there = letters.horizontalAdvance(thereName_) + 2;
    int room = below_->sizes().value(0) - beside;
    const bool titled = room - title >= std::min(here, legible) + std::min(there, legible);
    differenceTitle_->setVisible(titled);
    differenceLegend_->setTitle(titled ? QString() : tr("Difference"));
    if (titled) room -= title;
    const int half = room / 2;
    const auto share = [&](int own, int other) { return std::clamp(std::max(half, room - other), least, std::max(own, least)); };
    here_->setMaximumTextWidth(std::min(most, share(here, there)));
    there_->setMaximumTextWidth(std::min(most, share(there, here)));
    here_->setChoice(hereName_);
    there_->setChoice(thereName_);
}

/// Maps and what is below them share the height, difference, runs and matrix the width, until the user moves the lines between
/// them.
void CompareView::fitParts()
{
    if (!divided_ && height() > 0) content_->setSizes({height() * 56 / 100, height() * 44 / 100});
    if (!dividedBelow_ && width() > 0) {
        const bool matrix = matrixShown();
        const int difference = width() * (matrix ? 32 : 38) / 100;
        below_->setSizes({difference, width() * (matrix ? 42 : 62) / 100, matrix ? width() * 26 / 100 : 0});
    }
    fitNames();
}

void CompareView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    compared_.setRoom(room());
    fitParts();
}

void CompareView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    fitParts();
}

bool CompareView::eventFilter(QObject* object, QEvent* event)
{
    // Their widths change with the window, with a drag of the line beside them, when the matrix comes or goes, and with scroll
    // bars.
    const auto resized = [&](const QTableView* table) {
        return event->type() == QEvent::Resize && table && object == table->viewport(); // one is made after the other
    };
    if (resized(tableView_)) fitColumns();
    if (resized(matrixView_)) fitMatrix();
    return View::eventFilter(object, event);
}

} // namespace stowage
