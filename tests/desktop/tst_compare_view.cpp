// Comparing runs in the real window: table, maps in step, difference, matrix, and every state from no run to many.
#include "app/canvas/axis/hit_test.h"
#include "app/charts/curve_chart.h"
#include "app/charts/stacked_chart.h"
#include "app/desktop/panels/revision_pane.h"
#include "app/desktop/panels/run_charts.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/tables/comparison_table.h"
#include "app/desktop/tables/planner_matrix.h"
#include "app/desktop/tables/revision_table.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/map_widget.h"
#include "app/desktop/widgets/pane_head.h"
#include "app/desktop/widgets/table.h"
#include "core/explain/pipe_run.h"
#include "tests/desktop/map_desk.h"

#include <QAbstractItemModelTester>
#include <QGraphicsView>
#include <QPushButton>
#include <QSplitter>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace stowage;
using test::Desk;

namespace {

bool ready(const CompareView& view)
{
    return std::ranges::all_of(view.maps(), [](const MapWidget* map) { return map->ready() && map->state(); });
}

void turnWheel(QWidget& widget, QPointF at, int delta)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, delta), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

/// Plans with these planners only and waits.
bool planWith(Desk& desk, const std::vector<std::string>& planners)
{
    desk.workspace().planners().setAllTicked(false);
    for (const std::string& planner : planners) desk.workspace().planners().setTicked(planner, true);
    desk.workspace().shown().clear();
    desk.workspace().plan();
    return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().runs().size() == planners.size(); }, 30'000);
}

} // namespace

class CompareViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void noRunOneRunAndSeveral()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(view);
        desk.workspace().shown().clear();
        QTRY_VERIFY(!view->message().isEmpty());
        QVERIFY(planWith(desk, {"greedy-by-size"}));
        QTRY_VERIFY(view->message().isEmpty());
        auto* invite = desk.find<QWidget>("compareInvite");
        QVERIFY(invite && invite->isVisible());
        QCOMPARE(view->maps().size(), std::size_t(1));
        QVERIFY(!view->compared().difference());
        // The invitation plans with everything.
        QTest::mouseClick(invite->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().runs().size() > 4, 60'000);
        QTRY_VERIFY(!invite->isVisible());
        QCOMPARE(view->maps().size(), std::size_t(3));
        QTRY_VERIFY(view->compared().difference());
        QTRY_VERIFY_WITH_TIMEOUT(ready(*view), 20'000);
        QCOMPARE(view->table().rowCount(), int(desk.workspace().runs().size()) +
                                               (view->table().groups().size() > 1 ? int(view->table().groups().size()) : 0));
    }

    void theTableMarksTheBestOfThoseThatFit()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(planWith(desk, {"greedy-by-size", "greedy-by-breadth", "naive", "exact"}));
        const QAbstractItemModelTester tester(&view->table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        // The smallest size, looked up in the runs themselves.
        for (const RunGroup& group : view->table().groups()) {
            std::optional<Bytes> least;
            for (const RunEntry* entry : desk.workspace().runs())
                if (group.sameProblem(*entry->run) && entry->run->report.verdict.valid() &&
                    !entry->run->report.verdict.overCapacity)
                    least = std::min(least.value_or(entry->run->report.totalSize()), entry->run->report.totalSize());
            for (int row = 0; row < view->table().rowCount(); ++row) {
                const auto* entry = view->table().entry(row);
                if (!entry || !group.sameProblem(*entry->run)) continue;
                QCOMPARE(view->table().isBest(row), group.runs.size() > 1 && least == entry->run->report.totalSize());
            }
        }
        const QStringList lines = view->table().toTsv().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 5);
        for (const QString& line : lines) QCOMPARE(line.count(u'\t'), lines.front().count(u'\t'));
    }

    void whatDoesNotFitIsShownAsSuch()
    {
        Desk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(planWith(desk, {"greedy-by-size", "naive"}));
        bool any = false;
        for (int row = 0; row < view->table().rowCount(); ++row) {
            const auto* entry = view->table().entry(row);
            if (!entry || !entry->run->report.verdict.overCapacity) continue;
            any = true;
            QVERIFY(!view->table().isBest(row));
            QCOMPARE(view->table().index(row, ComparisonTable::Checker).data().toString(), QStringLiteral("Does not fit"));
        }
        QVERIFY(any);
    }

    void mapsZoomAndSelectTogether()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(planWith(desk, {"greedy-by-size", "greedy-by-breadth", "naive"}));
        QTRY_VERIFY_WITH_TIMEOUT(view->maps().size() == 3 && ready(*view), 20'000);
        const auto maps = view->maps();
        // One scale: the same addresses at the same heights, also where the plans differ in size.
        for (const MapWidget* map : maps) {
            QCOMPARE(map->state()->state().viewport.addresses.front().high(),
                     maps.front()->state()->state().viewport.addresses.front().high());
            QCOMPARE(map->bands().plotLeft, maps.front()->bands().plotLeft);
        }
        turnWheel(*maps[1], maps[1]->rect().center(), 480);
        const double span = maps[1]->range().steps.span;
        QVERIFY(span < double(maps[1]->state()->scene().steps));
        const auto near = [&](const MapWidget* map) {
            return std::abs(map->range().steps.span - span) < 0.02 * span &&
                   std::abs(double(map->range().steps.begin.whole - maps[1]->range().steps.begin.whole)) <= 1;
        };
        for (const MapWidget* map : maps) QVERIFY(near(map));
        QTRY_VERIFY(view->differenceMap().state() && near(&view->differenceMap()));
        desk.trigger("go.back"); // whichever of them was zoomed
        for (const MapWidget* map : maps) QVERIFY(map->range().steps.span >= double(map->state()->scene().steps) * 0.999);
        desk.trigger("go.forward");
        for (const MapWidget* map : maps) QVERIFY(near(map));
        view->setLinked(false);
        maps[0]->zoomToFit();
        QVERIFY(!near(maps[0]));
        QVERIFY(near(maps[2]));
        view->setLinked(true);
        desk.trigger("go.reset");
        for (const MapWidget* map : maps) QVERIFY(map->range().steps.span >= double(map->state()->scene().steps) * 0.999);
        desk.workspace().selection().select(4);
        desk.workspace().selection().setCursor(3);
        for (const MapWidget* map : maps) {
            QCOMPARE(map->state()->state().selected, BufferId(4));
            QCOMPARE(map->state()->state().cursor, std::optional<Step>(3));
        }
    }

    /// Maps side by side may show runs whose lowerings have other buffers, under other ids.
    void aClickSelectsTheBufferOfThatNameInTheShownRun()
    {
        Desk desk;
        desk.workspace().openText(QStringLiteral("chain"), test::chainInPlace);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(planWith(desk, {"greedy-by-size"}));
        desk.workspace().edits().setLowering("inplace", std::string("allowed"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().runs().size() == 2, 30'000);
        for (const RunEntry* entry : desk.workspace().runs())
            if (entry->run->problem().buffers.size() == 4) desk.workspace().showRun(entry->id);
        const auto here = desk.workspace().run();
        QCOMPARE(here->problem().buffers.size(), std::size_t(4));
        QTRY_VERIFY_WITH_TIMEOUT(view->maps().size() == 2 && ready(*view), 20'000);
        MapWidget* shown = nullptr;
        MapWidget* other = nullptr;
        for (MapWidget* map : view->maps()) (map->run() == here ? shown : other) = map;
        QVERIFY(shown && other);
        QCOMPARE(other->run()->problem().buffers.size(), std::size_t(5));
        const auto idOf = [](const Run& run, const std::string& name) {
            const auto& buffers = run.problem().buffers;
            const auto found = std::ranges::find(buffers, name, &Buffer::name);
            return found == buffers.end() ? BufferId(none) : BufferId(found - buffers.begin());
        };
        SelectionModel& selection = desk.workspace().selection();
        int met = 0;
        for (BufferId id = 0; id < 5; ++id) {
            selection.select(none);
            const QPoint at = other->boxOf(id).center().toPoint();
            QCOMPARE(other->bufferAt(at), id);
            QTest::mouseClick(other, Qt::LeftButton, {}, at);
            const BufferId expected = idOf(*here, other->run()->problem().buffers[std::size_t(id)].name);
            QCOMPARE(selection.buffer(), expected);
            met += expected != none;
            // Both maps mark it, each by its own id.
            QCOMPARE(shown->state()->state().selected, expected);
            QCOMPARE(other->state()->state().selected, expected == none ? BufferId(none) : id);
            const QString status = desk.find<StatusStrip>()->parts().join(u' ');
            QCOMPARE(status.contains(QStringLiteral("selected 1 buffer")), expected != none);
        }
        QCOMPARE(met, 4); // x, c, y, and the one in which a and b lie
        // An area over everything holds the same four, by the ids of the shown run.
        const QRectF strip = other->bands().strips.front();
        test::drag(*other, {other->bands().plotLeft + 2, strip.top() + 2}, {other->bands().plotRight - 2, strip.bottom() - 2});
        QCOMPARE(other->areaSums()->count, std::size_t(5));
        std::vector<BufferId> chosen = selection.buffers();
        std::ranges::sort(chosen);
        QCOMPARE(chosen, (std::vector<BufferId>{0, 1, 2, 3}));
        // The pointer is over the same buffer in both.
        test::movePointer(*other, other->boxOf(idOf(*other->run(), "y")).center());
        QCOMPARE(selection.hovered(), idOf(*here, "y"));
        QCOMPARE(shown->state()->state().hovered, idOf(*here, "y"));
        QCOMPARE(other->state()->state().hovered, idOf(*other->run(), "y"));
        // Arrows pass the buffer without a counterpart, to the nearest neighbour in the map that has one.
        const MapData& data = other->state()->scene().pools.front().map;
        const auto there = [&](BufferId id) { return idOf(*here, other->run()->problem().buffers[std::size_t(id)].name); };
        int passed = 0;
        for (BufferId from = 0; from < 5; ++from)
            for (const auto& [direction, command] :
                 {std::pair(Direction::left, ViewCommand::neighbourLeft),
                  std::pair(Direction::right, ViewCommand::neighbourRight), std::pair(Direction::up, ViewCommand::neighbourUp),
                  std::pair(Direction::down, ViewCommand::neighbourDown)}) {
                if (there(from) == none) continue;
                selection.select(there(from));
                const std::size_t rect = data.rectsOf(from).front();
                const auto next = neighbour(data, rect, direction, [&](BufferId id) { return there(id) != none; });
                passed += next != neighbour(data, rect, direction);
                QVERIFY(other->perform(command));
                QCOMPARE(other->state()->state().selected, next ? data.buffer[*next] : from);
            }
        QVERIFY(passed > 0);
    }

    void theDifferenceIsThatOfTheTwoPlans()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(planWith(desk, {"greedy-by-size", "naive"}));
        QTRY_VERIFY(view->compared().difference().has_value());
        const auto& here = view->differenceMap().run();
        QVERIFY(here);
        std::shared_ptr<const Run> there;
        for (const RunEntry* entry : desk.workspace().runs())
            if (entry->run != here) there = entry->run;
        std::size_t moved = 0;
        for (std::size_t i = 0; i < here->problem().buffers.size(); ++i) {
            const Placement& a = here->plan.placements[i];
            const auto match = std::ranges::find(there->problem().buffers, here->problem().buffers[i].name, &Buffer::name);
            if (match == there->problem().buffers.end()) continue;
            const Placement& b = there->plan.placements[std::size_t(match - there->problem().buffers.begin())];
            moved += a.offset != b.offset || a.pool != b.pool;
        }
        QCOMPARE(view->compared().difference()->moved(), moved);
        QVERIFY(moved > 0);
        QTRY_VERIFY(view->differenceMap().state());
        QCOMPARE(view->differenceMap().state()->colouring().by, ColourBy::difference);
    }

    void eyesChooseTheMapsAndRowsTheRun()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(planWith(desk, {"greedy-by-size", "greedy-by-breadth", "naive", "exact", "best-fit-decreasing"}));
        QTRY_COMPARE(view->maps().size(), std::size_t(3));
        int hidden = 0;
        for (int row = 0; row < view->table().rowCount(); ++row)
            if (const auto* entry = view->table().entry(row); entry && !entry->inMaps) hidden = entry->id;
        QVERIFY(hidden);
        view->compared().toggle(hidden);
        QCOMPARE(view->compared().shown().back(), hidden);
        QCOMPARE(view->maps().size(), std::size_t(4));
        view->compared().toggle(hidden);
        QCOMPARE(view->maps().size(), std::size_t(3));
        view->compared().setCount(2);
        QCOMPARE(view->maps().size(), std::size_t(2));
        const int row = view->table().rowOf(hidden);
        const QModelIndex index = view->table().index(row, ComparisonTable::Planner);
        view->tableWidget().setCurrentIndex(index);
        QCOMPARE(desk.workspace().shownRun(), hidden);
        const auto shown = view->compared().shown();
        QVERIFY(std::ranges::find(shown, hidden) != shown.end()); // what all views show is among the maps
    }

    void otherLoweringsHaveTheirOwnHeading()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(planWith(desk, {"greedy-by-size", "greedy-by-breadth"}));
        desk.workspace().edits().setLowering("inplace", std::string("allowed"));
        QVERIFY(QTest::qWaitFor([&] { return desk.idle(); }, 30'000));
        desk.workspace().plan();
        QVERIFY(QTest::qWaitFor([&] { return desk.idle(); }, 30'000));
        std::set<std::string> lowerings;
        for (const RunEntry* entry : desk.workspace().runs()) lowerings.insert(entry->run->lowering->fingerprint.text());
        QCOMPARE(lowerings.size(), std::size_t(2)); // the runs of before are kept
        QCOMPARE(view->table().groups().size(), lowerings.size());
        QStringList headings;
        for (int row = 0; row < view->table().rowCount(); ++row)
            if (!view->table().entry(row))
                headings << view->table().data(view->table().index(row, ComparisonTable::Eye), Qt::DisplayRole).toString();
        headings.sort();
        QCOMPARE(headings, (QStringList{QStringLiteral("as it is now"), QStringLiteral("inplace by default")}));
        // Runs of one planner have names that tell them apart.
        std::set<QString> names;
        for (const RunEntry* entry : desk.workspace().runs()) names.insert(view->table().nameOf(entry->id));
        QCOMPARE(names.size(), desk.workspace().runs().size());
        // So have the heads of their maps, where two are beside each other.
        view->compared().setCount(4);
        QTRY_COMPARE(view->maps().size(), std::size_t(4));
        QSet<QString> titles;
        for (const PaneHeadStrip* head : view->findChildren<PaneHeadStrip*>()) titles.insert(head->head().title);
        QCOMPARE(titles,
                 (QSet<QString>{QStringLiteral("greedy-by-size, inplace=off"), QStringLiteral("greedy-by-size, inplace=allowed"),
                                QStringLiteral("greedy-by-breadth, inplace=off"),
                                QStringLiteral("greedy-by-breadth, inplace=allowed")}));
    }

    void severalModelsMakeAMatrix()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(!view->matrixShown());
        QVERIFY(desk.open("resnet18"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && view->matrixShown(), 30'000);
        QTRY_COMPARE(view->matrix().rowCount(), 2);
        const QAbstractItemModelTester tester(&view->matrix(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        // The ground is darkest at the greatest gap of those that reuse bytes: one that does not would make them all alike.
        double others = 0, withoutReuse = 0;
        for (int row = 0; row < view->matrix().rowCount(); ++row)
            for (int column = 1; column < view->matrix().columnCount(); ++column) {
                const auto* planned = view->matrix().cell(view->matrix().index(row, column));
                if (!planned) continue;
                const Report& report = planned->run->report;
                const double gap = double(report.totalSize() - report.totalBound()) / double(report.totalBound());
                double& most = planned->run->plan.planner == "naive" ? withoutReuse : others;
                most = std::max(most, gap);
            }
        QVERIFY(withoutReuse > others);
        QCOMPARE(view->matrix().worst(), others);
        // Every cell is the gap of that model's run of that planner.
        for (int row = 0; row < 2; ++row)
            for (int column = 1; column < view->matrix().columnCount(); ++column) {
                const QModelIndex index = view->matrix().index(row, column);
                const auto* cell = view->matrix().cell(index);
                if (!cell) continue;
                const Report& report = cell->run->report;
                const double gap = double(report.totalSize() - report.totalBound()) / double(report.totalBound());
                QString expected = percentText(gap);
                if (expected.endsWith(QStringLiteral(" %"))) expected.chop(2);
                QVERIFY(index.data().toString().startsWith(expected));
                QCOMPARE(QString::fromStdString(cell->run->plan.planner),
                         view->matrix().headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
            }
        const int other = view->matrix().index(0, 0).data(PlannerMatrix::ModelRole).toInt();
        desk.workspace().setModel(other);
        QCOMPARE(view->matrix().rowCount(), 2);
        desk.trigger("file.close");
        QTRY_VERIFY(!view->matrixShown());
    }

    /// A run is marked as one with another lowering if its options differ from those of most runs, not if only its pools do.
    void theMatrixMarksOtherLoweringsByTheirValues()
    {
        const auto planned = [](Order order, std::vector<Pool> pools) {
            LowerOptions options;
            options.order = order;
            auto lowering = std::make_shared<Lowering>();
            lowering->fingerprint = Fingerprint(options, std::move(pools));
            auto run = std::make_shared<Run>();
            run->lowering = std::move(lowering);
            return PlannerMatrix::Cell{1, std::move(run)};
        };
        PlannerMatrix::Line line;
        line.name = QStringLiteral("model");
        line.cells["a"] = planned(Order::dag, {{.name = "arena"}});
        line.cells["b"] = planned(Order::linear, {{.name = "arena"}});
        line.cells["c"] = planned(Order::linear, {{.name = "sram", .capacity = 100}});
        PlannerMatrix matrix;
        matrix.setLines({line}, {"a", "b", "c"});
        QVERIFY(matrix.hasForeign());
        QVERIFY(matrix.isForeign(matrix.index(0, 1)));
        QVERIFY(!matrix.isForeign(matrix.index(0, 2)) && !matrix.isForeign(matrix.index(0, 3)));
        line.cells.erase("a");
        matrix.setLines({line}, {"a", "b", "c"});
        QVERIFY(!matrix.hasForeign());
    }

    /// Size against time: every run that fits is a point at its figures, the line is the smallest so far, a click shows the run.
    void runsAreTradeOffCurves()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(planWith(desk, {"greedy-by-size", "greedy-by-breadth", "naive", "exact"}));
        auto* view = desk.show<CompareView>("compare");
        view->showRunsAs(RunCharts::SizeAndTime);
        auto* charts = desk.find<RunCharts>();
        QVERIFY(charts && charts->isVisible() && !view->tableWidget().isVisible());
        QTest::qWait(50);
        CurveChart& curves = charts->curves();
        QCOMPARE(curves.curves().size(), std::size_t(2));
        const std::vector<QPointF> points = curves.curves().front().points;
        QCOMPARE(points.size(), std::size_t(4));
        for (std::size_t i = 0; i < points.size(); ++i) {
            const RunEntry* entry = desk.session.run(charts->runsOfPoints()[i]);
            QVERIFY(entry);
            QCOMPARE(points[i].y(), double(entry->run->report.totalSize()));
            QVERIFY(std::abs(std::pow(10.0, points[i].x()) - std::max(0.01, entry->run->elapsedMs)) < 1e-6);
            QVERIFY(i == 0 || points[i - 1].x() <= points[i].x());
        }
        const std::vector<QPointF>& front = curves.curves().back().points;
        for (std::size_t i = 1; i < front.size(); ++i) QVERIFY(front[i].y() < front[i - 1].y());
        double least = points.front().y();
        for (const QPointF& point : points) least = std::min(least, point.y());
        QCOMPARE(front.back().y(), least);
        QCOMPARE(charts->runsOfPoints()[std::size_t(curves.chosen())], desk.workspace().shownRun());
        // The largest is `naive`; nothing else is near it.
        std::size_t naive = 0;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (points[i].y() > points[naive].y()) naive = i;
        QTest::mouseClick(curves.findChild<QGraphicsView*>()->viewport(), Qt::LeftButton, {},
                          curves.place(points[naive]).toPoint());
        QCOMPARE(desk.workspace().run()->plan.planner, std::string("naive"));
        // The point of the keys and the line that tells of it stay when the runs are shown anew.
        QApplication::setActiveWindow(desk.window.get()); // there is no window manager
        curves.setFocus(Qt::TabFocusReason);
        QVERIFY(curves.hasFocus());
        QTest::keyClick(&curves, naive == 0 ? Qt::Key_End : Qt::Key_Home);
        const RunEntry* other = desk.session.run(charts->runsOfPoints()[naive == 0 ? 3 : 0]);
        charts->refresh();
        const QString told = desk.find<ElidedLabel>("runChartText")->fullText();
        QVERIFY2(told.startsWith(QString::fromStdString(other->run->plan.planner) + u':'), qPrintable(told));
        QVERIFY2(curves.accessibleDescription().endsWith(told), qPrintable(curves.accessibleDescription()));
        // One order only, and no pipes: words instead of one point, and none.
        view->showRunsAs(RunCharts::SizeAndOrder);
        QVERIFY(charts->runsOfPoints().empty());
        QVERIFY(curves.accessibleDescription().contains(QStringLiteral("listed order")));
        view->showRunsAs(RunCharts::SizeAndStall);
        QTest::qWait(200);
        QVERIFY(charts->runsOfPoints().empty());
        // Each planner's bar is its mean gap; `naive` has none.
        view->showRunsAs(RunCharts::Planners);
        QVERIFY(charts->bars().isVisible() && !curves.isVisible());
        QCOMPARE(charts->bars().parts().size(), std::size_t(1)); // one model
        double sum = 0, expected = 0;
        for (const double value : charts->bars().parts().front().values) sum += value;
        QCOMPARE(charts->bars().parts().front().values.size(), std::size_t(3));
        for (const RunEntry* entry : desk.workspace().runs())
            if (entry->run->plan.planner != "naive")
                expected += 100.0 * (double(entry->run->report.totalSize()) / double(entry->run->report.totalBound()) - 1);
        QVERIFY(std::abs(sum - expected) < 1e-6);
        view->showRunsAs(-1);
        QVERIFY(!charts->isVisible() && view->tableWidget().isVisible());
    }

    void aKernelsRunsHaveTheirStall()
    {
        Desk desk;
        desk.window->openFiles({QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/flash_attention_vector.mlir")});
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000));
        auto* view = desk.show<CompareView>("compare");
        view->showRunsAs(RunCharts::SizeAndStall);
        auto* charts = desk.find<RunCharts>();
        QTRY_VERIFY_WITH_TIMEOUT(!charts->runsOfPoints().empty(), 20'000);
        const auto& points = charts->curves().curves().front().points;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto pipes = analysePipes(*desk.session.run(charts->runsOfPoints()[i])->run);
            QVERIFY(pipes);
            QCOMPARE(points[i].x(), double(pipes->report.stall()));
        }
        charts->refresh();
        QVERIFY(!charts->runsOfPoints().empty()); // the pipes are simulated only once
    }

    /// Two revisions of one model: tensors are matched, and those that explain the change of the peak are named.
    void anotherOpenModelIsAnEarlierRevision()
    {
        Desk desk;
        const auto openTable = [&](const char* name, const QByteArray& text) {
            const std::size_t before = desk.session.models().size();
            desk.workspace().openText(QString::fromLatin1(name), "id,lower,upper,size\n" + text);
            return QTest::qWaitFor([&] { return desk.session.models().size() > before && desk.idle() && desk.workspace().run(); },
                                   20'000);
        };
        QVERIFY(openTable("v1.csv", "a,0,2,10\nb,1,3,14\nc,2,4,10\nold,3,5,2\n"));
        const int first = desk.workspace().modelId();
        QVERIFY(openTable("v2.csv", "a,0,2,10\nb,1,3,20\nc,2,4,10\nadded,4,6,7\n"));
        const int second = desk.workspace().modelId();
        QVERIFY(first != second);
        auto* view = desk.show<CompareView>("compare");
        auto* pane = desk.find<RevisionPane>();
        QVERIFY(view && pane);
        const QAbstractItemModelTester tester(&pane->table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        desk.trigger("compare.since");
        QVERIFY(pane->isVisible() && !view->tableWidget().isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(pane->table().rowCount() > 2, true, 10'000);
        // By hand: a and b, then b and c, are live at once: 24 bytes before, 30 now, all of it b's.
        const QString sentence = pane->sentence().remove(QChar(0x200B)).replace(QChar(0xA0), u' ');
        QVERIFY2(sentence.startsWith(QStringLiteral("The peak rises by 6 B, from 24 to 30 B: b +6 B.")), qPrintable(sentence));
        std::map<QString, QString> told; // by tensor
        for (int row = 0; row < pane->table().rowCount(); ++row) {
            const auto cell = [&](int column) { return pane->table().index(row, column).data().toString(); };
            told[cell(RevisionTable::Tensor)] = cell(RevisionTable::What) + u' ' + cell(RevisionTable::Before) + u' ' +
                                                cell(RevisionTable::After) + u' ' + cell(RevisionTable::Change);
        }
        QCOMPARE(told[QStringLiteral("b")], QStringLiteral("grown 14 20 +6"));
        QCOMPARE(told[QStringLiteral("old")], QStringLiteral("gone 2  -2"));
        QCOMPARE(told[QStringLiteral("added")], QStringLiteral("new  7 +7"));
        // A row selects its tensor everywhere.
        auto* table = desk.find<Table>("revisionTable");
        table->selectRow(0);
        const BufferId selected = desk.workspace().selection().buffer();
        QVERIFY(selected != none);
        QCOMPARE(QString::fromStdString(desk.workspace().run()->problem().buffers[std::size_t(selected)].name),
                 pane->table().index(0, RevisionTable::Tensor).data().toString());
        // The other model goes: the runs are back.
        desk.workspace().closeModel(first);
        QTRY_VERIFY(!pane->isVisible() && view->tableWidget().isVisible());
    }

    void aNarrowWindowShowsFewerMapsAndColumns()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(planWith(desk, {"greedy-by-size", "greedy-by-breadth", "naive", "exact"}));
        view->compared().setCount(4);
        QCOMPARE(view->maps().size(), std::size_t(4));
        const QTableView& table = view->tableWidget();
        const auto columnsFit = [&] {
            int width = 0;
            for (int column = 0; column < view->table().columnCount(); ++column)
                if (!table.isColumnHidden(column)) width += table.columnWidth(column);
            return width <= table.viewport()->width();
        };
        desk.window->resize(800, 600);
        QTRY_VERIFY(view->maps().size() < 4);
        QTRY_VERIFY(columnsFit());
        QVERIFY(table.isColumnHidden(ComparisonTable::Remark));
        // Without room for it beside the names of the plans, the title is in the line below.
        QTRY_VERIFY(view->findChild<DifferenceLegend*>()->text().startsWith(QStringLiteral("Difference: ")));
        QVERIFY(!table.isColumnHidden(ComparisonTable::Size));
        desk.window->resize(1500, 900);
        QTRY_COMPARE(view->maps().size(), std::size_t(4));
        QTRY_VERIFY(columnsFit());
        // The line beside the table, and the matrix of a second model, take from its width.
        auto* below = view->findChild<QSplitter*>(QStringLiteral("compareBelow"));
        QVERIFY(below);
        below->setSizes({800, 400, 0});
        QTRY_VERIFY(columnsFit());
        QVERIFY(desk.open("resnet18"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && view->matrixShown(), 30'000);
        QTRY_VERIFY(columnsFit());
    }

    void threePartsSideBySideLeaveRoomForSizes()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(desk.open("resnet18"));
        auto* view = desk.show<CompareView>("compare");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && view->matrixShown(), 30'000);
        // Names of plans that say what they were planned with are long.
        desk.workspace().edits().setCapacity(0, 64 * 1024);
        QVERIFY(QTest::qWaitFor([&] { return desk.idle(); }, 30'000));
        desk.workspace().plan();
        QVERIFY(QTest::qWaitFor([&] { return desk.idle(); }, 30'000));
        desk.window->resize(1100, 720);
        const QTableView& table = view->tableWidget();
        const auto rightOfSize = [&] {
            return table.columnViewportPosition(ComparisonTable::Size) + table.columnWidth(ComparisonTable::Size);
        };
        QTRY_VERIFY(rightOfSize() <= table.viewport()->width());
        QVERIFY(!table.isColumnHidden(ComparisonTable::Size));
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(CompareViewTest)
#include "tst_compare_view.moc"
