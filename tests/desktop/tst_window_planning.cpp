// The real window: targets, planners, options, plans.
#include "app/charts/curve_chart.h"
#include "app/desktop/panels/planner_list.h"
#include "app/desktop/panels/run_charts.h"
#include "app/desktop/panels/target_panel.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/tables/comparison_table.h"
#include "app/desktop/tables/group_head.h"
#include "app/desktop/tables/run_groups.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/table.h"
#include "tests/desktop/desk.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace stowage;
using test::Desk;

class WindowPlanningTest : public QObject {
    Q_OBJECT

    static std::string plannerShown(Desk& desk)
    {
        const RunEntry* entry = desk.session.run(desk.workspace().shownRun());
        return entry ? entry->request.planner : std::string();
    }
    /// Plans with one planner beside what is shown, and waits.
    static bool planBeside(Desk& desk, const std::string& planner)
    {
        desk.workspace().plannings().planOnly(planner, false);
        return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().shown().runOf(planner); }, 30'000);
    }

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void tickingAPlannerAndPressingPlanAddsItsRun()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        auto* list = desk.find<QListView>("plannerList");
        auto* model = qobject_cast<PlannerList*>(list->model());
        model->setLimit(0); // as "show all" does
        const QModelIndex exact = model->indexOf("exact");
        QVERIFY(exact.isValid());
        QCOMPARE(exact.data(Qt::CheckStateRole).value<Qt::CheckState>(), Qt::Unchecked);
        list->scrollTo(exact);
        const QRect row = list->visualRect(exact);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(row.left() + 17, row.center().y()));
        QCOMPARE(exact.data(Qt::CheckStateRole).value<Qt::CheckState>(), Qt::Checked);
        QCOMPARE(desk.workspace().shown().runOf("exact"), nullptr); // ticking alone plans nothing
        QTest::mouseClick(desk.find<QWidget>("planButton"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().shown().runOf("exact"), 30'000);
        QCOMPARE(desk.workspace().runs().size(),
                 desk.workspace().planners().tickedPlanners().size()); // the others were replaced, not doubled
    }

    /// A sample may bring its planners: other models, and the next start, have those of the user.
    void ticksThatASampleBringsAreForThatModel()
    {
        {
            Desk desk;
            PlannerChoice& planners = desk.workspace().planners();
            const std::string usual = desk.session.defaultPlanner();
            QVERIFY(planners.ticked(usual) && !planners.ticked("nnc") && !planners.ticked("hill-climb"));
            OpenIntent intent;
            intent.planners = {"nnc", "nnc-merge"};
            desk.workspace().open(test::sample("refine_loop"), intent);
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
            const int loop = desk.workspace().modelId();
            QVERIFY(planners.ticked("nnc") && planners.ticked("nnc-merge"));
            QCOMPARE(planners.tickedPlanners().size(), std::size_t(2));
            desk.window->openFiles({test::sample("mobilenet_v1_025")});
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().modelId() != loop && desk.workspace().run(), 20'000);
            QVERIFY(desk.workspace().shown().runOf(usual) && !desk.workspace().shown().runOf("nnc"));
            const int network = desk.workspace().modelId();
            desk.workspace().setModel(loop);
            QVERIFY(planners.ticked("nnc") && !planners.ticked(usual));
            planners.setTicked("hill-climb", true); // the user's own: for every model
            QVERIFY(planners.ticked("hill-climb"));
            desk.workspace().reload(); // what is read again has the planners of the model that it replaces
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().modelId() != loop && desk.workspace().run(), 20'000);
            QVERIFY(planners.ticked("nnc") && planners.ticked("hill-climb") && !planners.ticked(usual));
            desk.workspace().setModel(network);
            QVERIFY(planners.ticked(usual) && planners.ticked("hill-climb") && !planners.ticked("nnc"));
            desk.workspace().setModel(desk.workspace().models().ids().back());
            desk.window->close();
        }
        Desk desk;
        const PlannerChoice& planners = desk.workspace().planners();
        QVERIFY(planners.ticked(desk.session.defaultPlanner()) && planners.ticked("hill-climb") && !planners.ticked("nnc"));
    }

    void choosingAPlannerShowsItsRunEverywhere()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* list = desk.find<QListView>("plannerList");
        auto* model = qobject_cast<PlannerList*>(list->model());
        const QModelIndex naive = model->indexOf("naive");
        const QRect row = list->visualRect(naive);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(row.left() + 80, row.center().y()));
        QCOMPARE(desk.workspace().run()->plan.planner, std::string("naive"));
        auto* table = desk.find<QTableView>("runTable");
        QCOMPARE(table->currentIndex().data(RunTable::RunRole).toInt(), desk.workspace().shownRun());
        QCOMPARE(QString::fromStdString(desk.workspace().planners().focus()), QStringLiteral("naive"));
        QVERIFY(desk.find<StatusStrip>()->parts().join(u' ').contains(countText(desk.workspace().run()->report.totalSize())));
    }

    /// `naive` reuses no byte: every other plan is smaller, and takes its place unless the user has chosen it.
    void aRunThatNobodyChoseGivesWayAlsoAfterAnotherModelWasInFront()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        const int first = desk.workspace().modelId();
        const std::string better = desk.session.defaultPlanner();
        desk.workspace().shown().clear();
        QVERIFY(planBeside(desk, "naive"));
        QCOMPARE(plannerShown(desk), std::string("naive"));
        QVERIFY(desk.open("lstm_loop"));
        const int second = desk.workspace().modelId();
        QVERIFY(second != first);
        desk.workspace().setModel(first);
        QCOMPARE(plannerShown(desk), std::string("naive")); // the only one
        QVERIFY(planBeside(desk, better));
        QCOMPARE(plannerShown(desk), better);
        // One that was chosen stays.
        desk.workspace().showRun(desk.workspace().shown().runOf("naive")->id);
        desk.workspace().setModel(second);
        desk.workspace().setModel(first);
        QVERIFY(planBeside(desk, better));
        QCOMPARE(plannerShown(desk), std::string("naive"));
        // The choice goes with the runs.
        desk.workspace().shown().clear();
        QVERIFY(planBeside(desk, "naive"));
        QVERIFY(planBeside(desk, better));
        QCOMPARE(plannerShown(desk), better);
    }

    void aRunThatIsReplacedWhileAnotherModelIsInFrontIsStillShown()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        const int first = desk.workspace().modelId();
        desk.workspace().showRun(desk.workspace().shown().runOf("naive")->id);
        desk.workspace().selection().select(5);
        const int old = desk.workspace().shownRun();
        const PlanRequest request = desk.session.run(old)->request;
        QVERIFY(desk.open("lstm_loop"));
        desk.session.plan(request);
        QTRY_VERIFY_WITH_TIMEOUT(!desk.session.run(old) && desk.idle(), 30'000);
        desk.workspace().setModel(first);
        QCOMPARE(plannerShown(desk), std::string("naive"));
        QCOMPARE(desk.workspace().selection().buffer(), BufferId(5));
    }

    void aSelectionComesBackOnlyWithItsBuffers()
    {
        Desk desk;
        desk.workspace().openText(QStringLiteral("chain"), test::chainInPlace);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 30'000);
        const int first = desk.workspace().modelId();
        desk.workspace().edits().setLowering("inplace", std::string("allowed"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->problem().buffers.size() == 4, 30'000);
        std::vector<int> ofFive;
        for (const RunEntry* entry : desk.workspace().runs())
            if (entry->run->problem().buffers.size() == 5) ofFive.push_back(entry->id);
        QVERIFY(!ofFive.empty());
        desk.workspace().showRun(ofFive.front());
        desk.workspace().selection().select(4);
        QVERIFY(desk.open("lstm_loop"));
        const int second = desk.workspace().modelId();
        desk.workspace().setModel(first);
        QCOMPARE(desk.workspace().selection().buffer(), BufferId(4)); // the same run
        desk.workspace().setModel(second);
        for (const int run : ofFive) desk.session.removeRun(run);
        desk.workspace().setModel(first);
        QCOMPARE(desk.workspace().run()->problem().buffers.size(), std::size_t(4));
        QVERIFY(desk.workspace().selection().buffers().empty()); // the fifth of five buffers is none of these four
    }

    void runsAreGroupedByWhatWasEdited()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.find<QTableView>("runTable");
        auto* table = qobject_cast<RunTable*>(view->model());
        const std::size_t first = desk.workspace().runs().size();
        QCOMPARE(std::size_t(table->rowCount()), first); // one setup: no heads
        desk.workspace().edits().setCapacity(0, 200'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().runs().size() == 2 * first, 30'000);
        // A head and its runs for the capacity as it is, and the folded head of what was before.
        QTRY_COMPARE(std::size_t(table->rowCount()), first + 2);
        QCOMPARE(table->rows().front().title, QStringLiteral("as it is now"));
        const int before = table->rowCount() - 1;
        const RunTable::Row& folded = table->rows()[std::size_t(before)];
        QVERIFY(folded.id == 0 && folded.state == HeadState::folded);
        // The difference is named: the capacity that those runs did not have.
        QVERIFY2(folded.title.endsWith(QStringLiteral(" without a capacity (now 200,000 B)")), qPrintable(folded.title));
        QCOMPARE(folded.remark, QStringLiteral("%1 runs").arg(first));
        QVERIFY(!(table->flags(table->index(before, 0)) & Qt::ItemIsSelectable));
        // A click opens it, another one folds it; the copy has all runs and no heads in any case.
        const auto click = [&] {
            QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(table->index(before, 0)).center());
        };
        const QString title = folded.title;
        view->scrollTo(table->index(before, 0));
        click();
        QCOMPARE(std::size_t(table->rowCount()), 2 * first + 2);
        QCOMPARE(std::size_t(table->toTsv().split(u'\n', Qt::SkipEmptyParts).size()), 2 * first + 1);
        // The head names the pools: the lowering of its runs is that of the others. In the copy, which has no heads, each row
        // does.
        const auto remarks = [&](auto begin, auto end) {
            return std::all_of(begin, end, [&](const RunTable::Row& row) {
                return row.id == 0 || row.remark == runRemark(*row.run, desk.workspace().numbers());
            });
        };
        QVERIFY(remarks(table->rows().begin(), table->rows().end()));
        QCOMPARE(table->rows()[std::size_t(before) + 1].comparable, false); // in other pools
        QCOMPARE(std::size_t(table->toTsv().split(u'\n', Qt::SkipEmptyParts).filter(title).size()), first);
        view->scrollTo(table->index(before, 0));
        click();
        QCOMPARE(std::size_t(table->rowCount()), first + 2);
        QCOMPARE(std::size_t(table->toTsv().split(u'\n', Qt::SkipEmptyParts).size()), 2 * first + 1);
        // A run of another group, when shown, opens that group.
        const int id = desk.session.runs().front().id;
        desk.workspace().showRun(id);
        QVERIFY(table->rowOf(id) >= 0);
        QVERIFY(remarks(table->rows().begin(), table->rows().end()));
        // Its head folds nothing now; that of the other group, which had the shown run before, does.
        for (const HeadState state : {HeadState::fixed, HeadState::open}) {
            const auto head =
                std::ranges::find_if(table->rows(), [&](const RunTable::Row& row) { return row.id == 0 && row.state == state; });
            QVERIFY(head != table->rows().end());
            QVERIFY(table->toggleGroup(int(head - table->rows().begin())));
            QCOMPARE(std::size_t(table->rowCount()), state == HeadState::fixed ? 2 * first + 2 : first + 2);
        }
    }

    /// Groups of the current setup are open at first, the others folded; each goes its own way from there.
    void everyGroupButThatOfTheShownRunFolds()
    {
        GroupFolds folds;
        const QString current = QStringLiteral("as it is now"), other = QStringLiteral("inplace=allowed");
        QVERIFY(folds.state(current, false, true) == HeadState::open);
        QVERIFY(folds.state(other, false, false) == HeadState::folded);
        folds.toggle(current);
        QVERIFY(folds.state(other, false, false) == HeadState::folded);
        folds.toggle(other);
        QVERIFY(folds.state(current, false, true) == HeadState::folded);
        QVERIFY(folds.state(other, false, false) == HeadState::open);
        QVERIFY(folds.state(current, true, true) == HeadState::fixed && folds.state(other, true, false) == HeadState::fixed);
        QCOMPARE(spokenHead(other, QStringLiteral("2 runs"), HeadState::fixed), QStringLiteral("inplace=allowed, 2 runs"));
        QCOMPARE(spokenHead(other, QStringLiteral("2 runs"), HeadState::open), QStringLiteral("inplace=allowed, 2 runs, open"));
    }

    /// A model with ops, of which no run is left, is not called a list of buffers.
    void theChartOfOrdersSaysThatNoPlanFits()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.workspace().shown().clear();
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(view && desk.workspace().runs().empty());
        view->showRunsAs(RunCharts::SizeAndOrder);
        const QString told = desk.find<RunCharts>()->curves().accessibleDescription();
        QVERIFY2(told.contains(QStringLiteral("No plan fits yet.")), qPrintable(told));
    }

    /// `nnc` lowers with an order of its own, which no head names.
    void aRunWithALoweringOfItsPlannerNamesIt()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const int shown = desk.workspace().shown().runOf("greedy-by-size")->id;
        desk.workspace().showRun(shown);
        QVERIFY(planBeside(desk, "nnc"));
        desk.workspace().showRun(shown);
        const auto* table = qobject_cast<RunTable*>(desk.find<QTableView>("runTable")->model());
        for (const RunTable::Row& row : table->rows()) {
            QCOMPARE(row.comparable, row.run->plan.planner != "nnc");
            QCOMPARE(row.remark.startsWith(QStringLiteral("order=dag loops=precise")), row.run->plan.planner == "nnc");
        }
        // Seen from it, the others have another order.
        desk.workspace().showRun(desk.workspace().shown().runOf("nnc")->id);
        for (const RunTable::Row& row : table->rows())
            QCOMPARE(row.remark.startsWith(QStringLiteral("order=linear loops=conservative")), row.run->plan.planner != "nnc");
    }

    /// The groups fold by keys too, and screen readers hear whether they are open.
    void groupsOfRunsFoldByKeys()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.find<QTableView>("runTable");
        auto* table = qobject_cast<RunTable*>(view->model());
        const std::size_t first = desk.workspace().runs().size();
        desk.workspace().edits().setCapacity(0, 200'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().runs().size() == 2 * first, 30'000);
        QTRY_COMPARE(std::size_t(table->rowCount()), first + 2);
        const int head = table->rowCount() - 1;
        const auto spoken = [&] { return table->index(head, 0).data(Qt::AccessibleTextRole).toString(); };
        QVERIFY2(spoken().endsWith(QStringLiteral(", %1 runs, folded").arg(first)), qPrintable(spoken()));
        const int shown = desk.workspace().shownRun();
        view->selectionModel()->setCurrentIndex(table->index(head, 0), QItemSelectionModel::NoUpdate);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(std::size_t(table->rowCount()), 2 * first + 2);
        QVERIFY2(spoken().endsWith(QStringLiteral(", %1 runs, open").arg(first)), qPrintable(spoken()));
        QCOMPARE(view->currentIndex().row(), head); // keys go on from there
        QCOMPARE(desk.workspace().shownRun(), shown);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(std::size_t(table->rowCount()), first + 2);
    }

    void groupsOfTheComparisonFoldByMouseAndKeys()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const std::size_t first = desk.workspace().runs().size();
        desk.workspace().edits().setCapacity(0, 200'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().runs().size() == 2 * first, 30'000);
        auto* compare = desk.show<CompareView>("compare");
        ComparisonTable& table = compare->table();
        Table& view = compare->tableWidget();
        const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTRY_COMPARE(std::size_t(table.rowCount()), first + 2);
        int head = -1;
        for (int row = 0; row < table.rowCount(); ++row)
            if (!table.entry(row) && table.rows()[std::size_t(row)].state == HeadState::folded) head = row;
        QVERIFY(head >= 0);
        const auto spoken = [&] { return table.index(head, 0).data(Qt::AccessibleTextRole).toString(); };
        QVERIFY2(spoken().endsWith(QStringLiteral(", %1 runs, folded").arg(first)), qPrintable(spoken()));
        // Every run has its name, and a line of the copy, also below a folded head.
        for (const RunEntry* entry : desk.workspace().runs()) QVERIFY(!table.nameOf(entry->id).isEmpty());
        QCOMPARE(std::size_t(table.toTsv().split(u'\n', Qt::SkipEmptyParts).size()), 2 * first + 1);
        view.scrollTo(table.index(head, 0));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(table.index(head, 0)).center());
        QCOMPARE(std::size_t(table.rowCount()), 2 * first + 2);
        QVERIFY2(spoken().endsWith(QStringLiteral(", open")), qPrintable(spoken()));
        QCOMPARE(view.columnSpan(head, 0), int(ComparisonTable::columns));
        QTest::keyClick(&view, Qt::Key_Return); // the keys go on from the head
        QCOMPARE(std::size_t(table.rowCount()), first + 2);
        QCOMPARE(view.selectionModel()->selectedRows().front().row(), table.rowOf(desk.workspace().shownRun()));
        // The group of the shown run is open.
        const int earlier = desk.session.runs().front().id;
        QVERIFY(table.rowOf(earlier) < 0);
        desk.workspace().showRun(earlier);
        QTRY_VERIFY(table.rowOf(earlier) >= 0);
    }

    /// As in the comparison: a plan slightly above its bound does not look like one far above it.
    void barsOfTheTableOfRunsAreCutAtTwiceTheSmallestBound()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const auto* table = qobject_cast<RunTable*>(desk.find<QTableView>("runTable")->model());
        Bytes largest = 0, bound = 0; // no pool has a capacity
        for (const RunEntry* entry : desk.workspace().runs()) {
            const Report& report = entry->run->report;
            largest = std::max(largest, report.totalSize());
            bound = bound == 0 ? report.totalBound() : std::min(bound, report.totalBound());
        }
        QVERIFY(largest > bound + bound / 5); // `naive` reuses no byte
        QCOMPARE(table->scale(), std::min(largest, 2 * bound));
    }

    void whatDiffersBetweenSetupsIsNamed()
    {
        PlanRequest a, b;
        QVERIFY(sameSetup(a, b) && setupDifference({&a}, {&b}, {}).isEmpty());
        b.planner = "exact"; // no part of the setup
        b.seed = 7;
        QVERIFY(sameSetup(a, b));
        Pool pool;
        pool.name = "dtcm";
        pool.capacity = 8000;
        a.target.pools = {pool};
        pool.capacity = 16384;
        b.target.pools = {pool};
        QCOMPARE(setupDifference({&a}, {&b}, {}), QStringLiteral("dtcm 8,000 B (now 16,384 B)"));
        pool.capacity.reset();
        a.target.pools = {pool};
        QCOMPARE(setupDifference({&a}, {&b}, {}), QStringLiteral("dtcm without a capacity (now 16,384 B)"));
        QCOMPARE(setupDifference({&b}, {&a}, {}), QStringLiteral("dtcm 16,384 B (now without a capacity)"));
        a.target = b.target;
        a.lowering = {{"inplace", "safe"}};
        QCOMPARE(setupDifference({&a}, {&b}, {}), QStringLiteral("inplace=safe"));
        QCOMPARE(setupDifference({&b}, {&a}, {}), QStringLiteral("inplace by default"));
        a.pins = {{"conv", "dtcm", 16}};
        NumberFormat numbers;
        QCOMPARE(setupDifference({&a}, {&b}, numbers), QStringLiteral("inplace=safe, conv pinned at 0x0010"));
        QCOMPARE(setupDifference({&b}, {&a}, numbers), QStringLiteral("inplace by default, conv not pinned"));
        a.alignment = 64;
        a.pins.push_back({"pool", "dtcm", 0});
        QVERIFY(setupDifference({&a}, {&b}, numbers).endsWith(QStringLiteral("1 more")));
        Fingerprint dag, linear;
        dag.options.order = Order::dag;
        linear.options.order = Order::linear;
        QCOMPARE(loweringDifference(dag, linear), QStringLiteral("order=dag"));
        // One that only lacks a field: the other one shares buffers by aliases.
        Fingerprint shared = linear;
        shared.aliases = 3;
        QCOMPARE(loweringDifference(shared, linear), QStringLiteral("aliases=3"));
        QCOMPARE(loweringDifference(linear, shared), QStringLiteral("without aliases"));
    }

    void theStatusBarBeginsWithTheVerdict()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* status = desk.find<StatusStrip>();
        QVERIFY2(status->parts().front().startsWith(QStringLiteral("Optimal")), qPrintable(status->parts().front()));
        // A capacity of one byte less than the bound: it cannot fit.
        const Bytes bound = desk.workspace().run()->report.totalBound();
        desk.workspace().edits().setCapacity(0, bound - 1);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && status->parts().front().startsWith(QStringLiteral("Infeasible")), 20'000);
        QVERIFY(status->parts().join(u' ').contains(QStringLiteral("over capacity by")));
    }

    void aCapacityIsTypedPlannedAndUndone()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const auto before = desk.workspace().pools().front().capacity;
        auto* row = desk.find<PoolRow>();
        QTest::mouseClick(row, Qt::LeftButton);
        auto* editor = row->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("plenty"));
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(editor->property("invalid").toBool()); // said, not taken
        QCOMPARE(desk.workspace().pools().front().capacity, before);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("128K"));
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(131072));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
        QCOMPARE(desk.workspace().run()->problem().pools.front().capacity, std::optional<Bytes>(131072));
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().pools().front().capacity, before);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
        desk.trigger("edit.redo");
        QCOMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(131072));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
    }

    void optionsComeFromTheSchemaAndCanBeUndone()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        int checked = 0;
        for (const auto& planner : desk.session.planners().all()) {
            desk.workspace().planners().setFocus(planner->info().name);
            QCoreApplication::processEvents();
            for (const OptionSpec& option : planner->info().options) {
                auto* editor = desk.window->findChild<QWidget*>(QStringLiteral("option:") + QString::fromStdString(option.name));
                QVERIFY2(editor, option.name.c_str());
                ++checked;
                if (option.type != OptionType::choice || option.choices.size() < 2) continue;
                const std::string other =
                    option.choices.front() == option.defaultValue ? option.choices.back() : option.choices.front();
                desk.workspace().edits().setOption(planner->info().name, option.name, other);
                QCOMPARE(optionValue(planner->info(), desk.workspace().planners().options(planner->info().name), option.name),
                         std::string_view(other));
                desk.trigger("edit.undo");
                QCOMPARE(optionValue(planner->info(), desk.workspace().planners().options(planner->info().name), option.name),
                         std::string_view(option.defaultValue));
            }
        }
        QVERIFY(checked > 0);
    }

    void cancelStopsALongSearchAndKeepsTheOtherRuns()
    {
        Desk desk;
        desk.workspace().openText(QStringLiteral("hard"), test::longSearch());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        const std::size_t before = desk.workspace().runs().size();
        desk.workspace().planners().setTimeLimitSeconds(0);
        desk.workspace().plannings().planOnly("exact");
        QTest::qWait(1500);
        QVERIFY2(desk.workspace().busy(), "the search has to be long, or nothing is cancelled");
        desk.trigger("plan.cancel");
        QTRY_VERIFY_WITH_TIMEOUT(!desk.workspace().busy(), 5'000);
        QVERIFY(desk.workspace().runs().size() >= before);
        QVERIFY(desk.workspace().run());
        if (const RunEntry* stopped = desk.workspace().shown().runOf("exact"))
            QCOMPARE(stopped->run->plan.stoppedBy, StoppedBy::cancelled); // its best plan so far
    }

    void aTableBesideItsModelIsAskedAbout()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        const int model = desk.workspace().modelId();
        const auto best = desk.workspace().run();
        // A plan of that model as a table: every buffer above the one before.
        const QTemporaryDir folder;
        QFile table(folder.filePath(QStringLiteral("mine.csv")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("id,lower,upper,size,offset\n");
        Bytes offset = 0;
        for (const Buffer& buffer : best->problem().buffers) {
            const Interval live = buffer.live.front();
            table.write(QByteArray::fromStdString(buffer.name) + ',' + QByteArray::number(qlonglong(live.begin)) + ',' +
                        QByteArray::number(qlonglong(live.end)) + ',' + QByteArray::number(qlonglong(buffer.size)) + ',' +
                        QByteArray::number(qlonglong(offset)) + '\n');
            offset += (buffer.size + 63) / 64 * 64;
        }
        table.close();
        desk.window->openFiles({table.fileName()});
        auto& card = desk.window->errorCard();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().opening().empty() && card.isVisible(), 10'000);
        QCOMPARE(desk.workspace().modelId(), model);
        QPushButton* asPlan = nullptr;
        for (QPushButton* button : card.findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("as a plan"))) asPlan = button;
        QVERIFY(asPlan);
        QTest::mouseClick(asPlan, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(desk.workspace().run()->plan.planner), QStringLiteral("mine.csv"),
                                  10'000);
        QCOMPARE(desk.workspace().modelId(), model);
        QVERIFY(desk.workspace().run()->report.verdict.valid());
        QVERIFY(desk.workspace().run()->report.totalSize() > best->report.totalSize());
        QCOMPARE(desk.session.models().size(), std::size_t(1));
        QVERIFY(!card.isVisible());
        // And as a problem, as two models then.
        desk.window->openFiles({table.fileName()});
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().opening().empty() && card.isVisible(), 10'000);
        QPushButton* asProblem = nullptr;
        for (QPushButton* button : card.findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("as a problem"))) asProblem = button;
        QVERIFY(asProblem);
        QTest::mouseClick(asProblem, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().modelId() != model && desk.workspace().run(), 10'000);
        QCOMPARE(desk.session.models().size(), std::size_t(2));
    }

    void aVerdictOverUnknownSizesSaysSo()
    {
        Desk desk;
        desk.workspace().openText(
            QStringLiteral("open"),
            R"({"format": "stowage.program/1", "entry": "main", "functions": [{"name": "main", "inputs": ["x"], "outputs": ["y"],
              "tensors": [{"name": "x", "kind": "input", "dtype": "f32", "shape": [4]},
                          {"name": "h", "dtype": "f32", "shape": [-1]},
                          {"name": "y", "kind": "output", "dtype": "f32", "shape": [4]}],
              "ops": [{"name": "a", "kind": "relu", "inputs": ["x"], "outputs": ["h"]},
                      {"name": "b", "kind": "neg", "inputs": ["h"], "outputs": ["y"]}]}]})");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        const QStringList parts = desk.find<StatusStrip>()->parts();
        QVERIFY2(parts.front().startsWith(QStringLiteral("Partial")), qPrintable(parts.join(u'|')));
        QVERIFY2(parts.front().contains(QStringLiteral("1 tensor of unknown size left out")), qPrintable(parts.front()));
        // x and y have 16 bytes each, and take turns; what h takes comes on top.
        QVERIFY2(parts.contains(QStringLiteral("pool at least 16 B")), qPrintable(parts.join(u'|')));
        desk.workspace().selection().clear(); // the inspector has the run then
        QTRY_VERIFY([&] {
            const auto labels = desk.find<QWidget>("inspector")->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [](const QLabel* label) {
                return label->isVisible() && label->text() == QStringLiteral("at least 16 B");
            });
        }());
        const auto* runs = desk.find<QTableView>("runTable")->model();
        for (int row = 0; row < runs->rowCount(); ++row)
            QCOMPARE(runs->index(row, RunTable::Checker).data().toString(), QStringLiteral("Partial"));
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(WindowPlanningTest)
#include "tst_window_planning.moc"
