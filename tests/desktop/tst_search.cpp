// The real window: how a search goes, its recorded steps, what would help, what cannot fit, how results spread, ops in another
// order.
#include "app/charts/curve_chart.h"
#include "app/desktop/panels/changes_list.h"
#include "app/desktop/panels/reorder_card.h"
#include "app/desktop/panels/run_charts.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/replay_view.h"
#include "app/desktop/views/robustness_view.h"
#include "app/desktop/widgets/map_widget.h"
#include "app/desktop/widgets/overflow_card.h"
#include "core/passes/reorder.h"
#include "tests/desktop/map_desk.h"

#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QTest>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace stowage;
using test::Desk;
using test::MapDesk;

namespace {

constexpr int patience = 120'000;

/// Four buffers of 40 bytes that are live together cannot lie in 150; the fifth has nothing to do with it.
const char* const tooMuch = R"({"format": "stowage.problem/1", "name": "too much", "pools": [{"name": "sram", "capacity": 150}],
 "buffers": [{"name": "a", "size": 40, "live": [[0, 4]]}, {"name": "b", "size": 40, "live": [[1, 5]]},
             {"name": "c", "size": 40, "live": [[2, 6]]},
             {"name": "d", "size": 40, "live": [[3, 7]]}, {"name": "e", "size": 10, "live": [[8, 9]]}]})";

} // namespace

class SearchTest : public QObject {
    Q_OBJECT

private:
    static bool openText(Desk& desk, const char* text)
    {
        desk.workspace().openText(QStringLiteral("text"), QByteArray(text));
        return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, patience);
    }

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theCurveOfASearchIsKeptWithItsRun()
    {
        MapDesk desk;
        QVERIFY(desk.open("resnet18"));
        const RunEntry* best = desk.workspace().shown().runOf(desk.session.defaultPlanner());
        QVERIFY(best);
        const auto* samples = desk.workspace().search(best->id);
        QVERIFY(samples && !samples->empty());
        for (std::size_t i = 1; i < samples->size(); ++i) {
            QVERIFY((*samples)[i].ms >= (*samples)[i - 1].ms);
            QVERIFY((*samples)[i].work >= (*samples)[i - 1].work);
        }
        QCOMPARE(samples->back().best, best->run->report.totalSize());
        QCOMPARE(samples->back().bound, best->run->report.totalBound());
        desk.workspace().showRun(best->id);
        auto* view = desk.show<ReplayView>("replay");
        QVERIFY(view);
        QTRY_COMPARE(view->course().samples().size(), samples->size());
        desk.workspace().shown().clear();
        QVERIFY(!desk.workspace().search(best->id)); // it goes with its run
    }

    /// A job begins before its planner and ends after it, so its progress may be told later than the planner's own time. The
    /// course of the search is as long as the run says that it took.
    void theCurveOfASearchEndsWithTheTimeOfItsRun()
    {
        MapDesk desk;
        QVERIFY(desk.open("resnet18"));
        Plannings& plannings = desk.workspace().plannings();
        plannings.planOnly("naive", false);
        QCOMPARE(plannings.jobs().size(), std::size_t(1));
        JobStatus late = plannings.jobs().begin()->second;
        late.state = JobState::running;
        late.elapsedMs = 3.6e6; // an hour
        late.best = 1'000'000'000;
        late.bound = 1;
        QVERIFY(!plannings.follow(late));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        const RunEntry* entry = desk.workspace().shown().runOf("naive");
        QVERIFY(entry && entry->run->elapsedMs < late.elapsedMs);
        const auto* samples = desk.workspace().search(entry->id);
        QVERIFY(samples && samples->size() >= 2);
        QCOMPARE(samples->front().best, late.best);
        for (const SearchSample& sample : *samples) QVERIFY(sample.ms <= entry->run->elapsedMs);
        QCOMPARE(samples->back().ms, entry->run->elapsedMs);
    }

    void recordedStepsAreScrubbedPlayedAndSteppedByKeys()
    {
        MapDesk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        auto* view = desk.show<ReplayView>("replay");
        QVERIFY(view);
        QVERIFY(!view->replayed());
        QVERIFY(view->message().contains(QStringLiteral("not recorded")));
        auto* record = desk.find<QPushButton>("recordSearch");
        record->setFocus();
        QTest::keyClick(record, Qt::Key_Space);
        // It is disabled while it records: the next key goes to something near it, not to the other side of the window.
        QVERIFY(desk.window->focusWidget() != record && record->parentWidget()->isAncestorOf(desk.window->focusWidget()));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && view->replayed(), patience);
        const auto run = desk.workspace().run();
        const auto steps = int(view->replayed()->steps());
        QVERIFY(steps >= int(run->problem().buffers.size()));
        QCOMPARE(view->slider().maximum(), steps);
        QCOMPARE(view->map().run(), run); // the finished plan

        view->slider().setValue(0);
        QVERIFY(std::ranges::none_of(view->map().run()->plan.placements, [](const Placement& p) { return p.placed(); }));
        desk.trigger("go.replay-forward");
        QCOMPARE(view->replayed()->at(), std::size_t{1});
        QCOMPARE(view->slider().value(), 1);
        const RecordedStep& first = run->steps->steps().front();
        QVERIFY(view->map().run()->plan.placements[std::size_t(first.buffer)].offset == first.offset);
        QCOMPARE(desk.workspace().selection().hovered(), first.buffer);
        QVERIFY(view->message().contains(QString::fromStdString(run->problem().buffers[std::size_t(first.buffer)].name)));
        QVERIFY(view->course().curve().marker == std::optional(1.0));
        view->map().setFocus();
        QTest::keyClick(&view->map(), Qt::Key_End);
        QCOMPARE(view->replayed()->at(), std::size_t(steps));
        desk.trigger("go.replay-back");
        QCOMPARE(view->replayed()->at(), std::size_t(steps - 1));
        // The views of the others still show the finished plan.
        QCOMPARE(desk.workspace().run(), run);

        // A click in the curve goes to the step under it.
        const SearchScale scale = view->course().scale();
        QTest::mouseClick(&view->chart(), Qt::LeftButton, {}, QPointF(scale.x(steps / 2), scale.plot.center().y()).toPoint());
        QVERIFY(std::abs(int(view->replayed()->at()) - steps / 2) <= 1);

        QTest::keyClick(&view->map(), Qt::Key_Home);
        QCOMPARE(view->replayed()->at(), std::size_t{0});
        QTest::keyClick(&view->map(), Qt::Key_Space);
        QVERIFY(view->player().playing());
        QTRY_VERIFY_WITH_TIMEOUT(view->replayed()->at() >= 2, patience);
        desk.trigger("go.replay-play");
        QVERIFY(!view->player().playing());
        view->player().seek(std::size_t(steps) - 1);
        view->player().play(true);
        QTRY_VERIFY_WITH_TIMEOUT(!view->player().playing(), patience); // stops at the end by itself
        QCOMPARE(view->replayed()->at(), std::size_t(steps));
        // Another run ends the replay.
        desk.workspace().showRun(desk.workspace().shown().runOf("naive")->id);
        QTRY_VERIFY(!view->replayed());
    }

    void plannersThatRecordNothingAreReplayedByTheirBetterPlans()
    {
        MapDesk desk;
        QVERIFY(desk.open("resnet18"));
        desk.workspace().showRun(desk.workspace().shown().runOf(desk.session.defaultPlanner())->id);
        auto* view = desk.show<ReplayView>("replay");
        QVERIFY(view);
        QTest::mouseClick(desk.find<QPushButton>("recordSearch"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && view->replayed(), patience);
        const auto run = desk.workspace().run();
        QCOMPARE(view->replayed()->heights().back().best, run->report.totalSize());
        for (std::size_t i = 0; i < run->plan.placements.size(); ++i) {
            QCOMPARE(view->replayed()->placements()[i].pool, run->plan.placements[i].pool);
            QCOMPARE(view->replayed()->placements()[i].offset, run->plan.placements[i].offset);
        }
    }

    void theBufferAtTheTopSaysWhyThePoolIsThatHigh()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("mobilenet_v1_025");
        QVERIFY(map);
        desk.trigger("go.top");
        const auto run = desk.workspace().run();
        const BufferId top = desk.workspace().selection().buffer();
        QVERIFY(top != none);
        QCOMPARE(run->plan.placements[std::size_t(top)].offset + run->problem().buffers[std::size_t(top)].size,
                 run->report.pools.front().size);
        QTRY_VERIFY(!map->state()->state().support.links.empty());
        QCOMPARE(map->state()->state().support.links.front().buffer, top);
    }

    void aSelectedBufferSaysWhatItsOwnChangesWouldGive()
    {
        MapDesk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(desk.mapOf("memory-map"));
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        const auto run = desk.workspace().run();
        const BufferId id = run->report.pools.front().certificate.buffers.front();
        desk.workspace().selection().select(id);
        const auto list = [&] { return desk.window->findChild<ChangesList*>(QStringLiteral("changesOfBuffer")); };
        QTRY_VERIFY_WITH_TIMEOUT(list() && list()->isVisible() && !list()->busy() && !list()->ranked().empty(), patience);
        CounterfactualLimits limits;
        limits.run = run.get();
        const RankedChanges expected = changesOfBuffer(run->problem(), run->plan, id, limits);
        QCOMPARE(list()->ranked().size(), expected.changes.size());
        bool helps = false, useless = false;
        const Bytes bound = run->report.pools.front().lowerBound;
        for (std::size_t i = 0; i < list()->ranked().size(); ++i) {
            const Counterfactual& each = list()->ranked()[i];
            QVERIFY(each.change.buffer == id || each.change.other == id);
            helps |= each.size < expected.unchanged;
            // A change that saves nothing is said, and not offered.
            const bool saves = each.size < expected.unchanged || each.bound < bound;
            useless |= !saves;
            const auto* button = list()->findChild<QPushButton*>(QStringLiteral("tryChange:%1").arg(i));
            QVERIFY(saves || !button);
            if (i == 0) QVERIFY(button);
        }
        QVERIFY(helps); // it is one of the two that make up the bound
        const auto* said = list()->findChild<QLabel*>(QStringLiteral("uselessChanges"));
        QCOMPARE(said != nullptr, useless);
        QTest::mouseClick(list()->findChild<QPushButton*>(QStringLiteral("tryChange:0")), Qt::LeftButton);
        QCOMPARE(desk.workspace().changes().size(), std::size_t{1});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        desk.workspace().undoStack().undo();
        QVERIFY(desk.workspace().changes().empty());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
    }

    /// "It" is the selected buffer: what another one would be written over is named.
    void aUselessChangeOfAnotherBufferNamesIt()
    {
        MapDesk desk;
        QVERIFY(desk.open("transformer_block"));
        QVERIFY(desk.mapOf("memory-map"));
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        const auto& buffers = desk.workspace().run()->problem().buffers;
        const auto tokens = std::ranges::find(buffers, std::string("tokens"), &Buffer::name);
        QVERIFY(tokens != buffers.end());
        desk.workspace().selection().select(BufferId(tokens - buffers.begin()));
        const auto list = [&] { return desk.window->findChild<ChangesList*>(QStringLiteral("changesOfBuffer")); };
        QTRY_VERIFY_WITH_TIMEOUT(list() && list()->isVisible() && !list()->busy() && !list()->ranked().empty(), patience);
        const auto* said = list()->findChild<QLabel*>(QStringLiteral("uselessChanges"));
        QVERIFY(said);
        const QStringList changes = said->toolTip().split(u'\n');
        // The bound is that of step 16, after the last use of `tokens`: to share its bytes saves nothing.
        QVERIFY2(changes.contains(QStringLiteral("write layer0/sum1 over it")), qPrintable(said->toolTip()));
        QVERIFY2(!said->toolTip().contains(QStringLiteral("it over tokens")), qPrintable(said->toolTip()));
    }

    void rankedChangesApplyOnClickAndCanBeUndone()
    {
        MapDesk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(desk.mapOf("memory-map"));
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        desk.workspace().selection().clear();
        QTRY_VERIFY_WITH_TIMEOUT(desk.find<ChangesList>() && !desk.find<ChangesList>()->busy() &&
                                     !desk.find<ChangesList>()->ranked().empty(),
                                 patience);
        auto* list = desk.find<ChangesList>();
        const Counterfactual best = list->ranked().front();
        const auto before = desk.workspace().run();
        const Bytes size = before->report.totalSize();
        QVERIFY(best.size < size || best.bound < before->report.totalBound());
        const int steps = desk.workspace().undoStack().count();
        auto* button = list->findChild<QPushButton*>(QStringLiteral("tryChange:0"));
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(desk.workspace().undoStack().count(), steps + 1);
        QCOMPARE(desk.workspace().changes().size(), std::size_t{1});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        // The change is in the problem of the new run, and nothing else is.
        const auto after = desk.workspace().shown().runOf("greedy-by-size")->run;
        const auto expected = changed(before->problem(), best.change);
        QVERIFY(expected);
        QVERIFY(after->problem() == *expected);
        QVERIFY(after->report.verdict.valid());
        QVERIFY(after->lowering->fingerprint != before->lowering->fingerprint); // never ranked together
        if (best.smallest) {
            Bytes smallest = after->report.totalSize();
            for (const RunEntry* entry : desk.workspace().runs())
                if (entry->request.changes == desk.workspace().changes())
                    smallest = std::min(smallest, entry->run->report.totalSize());
            QVERIFY(smallest >= best.size); // the other pools may add to it
        }
        desk.trigger("edit.undo");
        QVERIFY(desk.workspace().changes().empty());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        QTRY_COMPARE(desk.workspace().shown().runOf("greedy-by-size")->run->problem(), before->problem());
    }

    void aChangeOfTheWholeModelAppliesOnClickAndIsOneStepOfUndo()
    {
        MapDesk desk;
        QVERIFY(openText(desk, R"({"format": "stowage.program/1", "name": "skip", "entry": "main", "functions": [{"name": "main",
            "inputs": [], "outputs": [], "tensors": [{"name": "x", "bytes": 4}, {"name": "a", "bytes": 100},
            {"name": "b", "bytes": 50}, {"name": "c", "bytes": 200}, {"name": "d", "bytes": 10}],
            "ops": [{"name": "op0", "kind": "f", "inputs": [], "outputs": ["x"]},
            {"name": "op1", "kind": "f", "inputs": ["x"], "outputs": ["a"]},
            {"name": "op2", "kind": "f", "inputs": ["a"], "outputs": ["b"]},
            {"name": "op3", "kind": "f", "inputs": ["b"], "outputs": ["c"]},
            {"name": "op4", "kind": "f", "inputs": ["c", "a"], "outputs": ["d"]}]}]})"));
        QVERIFY(desk.mapOf("memory-map"));
        desk.workspace().selection().clear();
        const auto list = [&] { return desk.find<ChangesList>(); };
        QTRY_VERIFY_WITH_TIMEOUT(list() && !list()->busy() && list()->levers(), patience);
        const std::vector<Lever> found = list()->levers()->found;
        // Changes of buffers and of the model are in one list, best first.
        std::vector<std::pair<int, int>> savings; // by place
        QCoreApplication::processEvents();
        for (const QLabel* label : list()->findChildren<QLabel*>())
            if (label->text().startsWith(u'-')) savings.emplace_back(label->y(), label->text().section(u' ', 0, 0).toInt());
        QVERIFY(savings.size() > found.size());
        std::ranges::sort(savings);
        QVERIFY(std::ranges::is_sorted(savings, {}, [](const auto& saving) { return saving.second; })); // -100 before -50
        const auto wanted = std::ranges::find(found, LeverKind::recompute, &Lever::kind);
        QVERIFY(wanted != found.end());
        const int steps = desk.workspace().undoStack().count();
        auto* button = list()->findChild<QPushButton*>(QStringLiteral("tryLever:%1").arg(wanted - found.begin()));
        QVERIFY(button);
        const Bytes size = wanted->size;
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(desk.workspace().undoStack().count(), steps + 1);
        QVERIFY(*desk.workspace().model()->program == *wanted->program);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        QCOMPARE(desk.workspace().run()->report.totalSize(), size);
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().model()->program->main().ops.size(), std::size_t{5});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
    }

    void whatCannotFitTogetherIsLit()
    {
        MapDesk desk;
        QVERIFY(openText(desk, tooMuch));
        MapWidget* map = desk.mapOf("memory-map");
        QVERIFY(map);
        desk.workspace().plannings().planOnly("exact");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().shown().runOf("exact"), patience);
        desk.workspace().showRun(desk.workspace().shown().runOf("exact")->id);
        const auto run = desk.workspace().run();
        QCOMPARE(run->report.status, Status::infeasible);
        const auto claim = std::ranges::find_if(run->plan.claims, [](const Certificate& c) {
            const auto* search = std::get_if<SearchCertificate>(&c);
            return search && search->infeasible && !search->core.empty();
        });
        if (claim == run->plan.claims.end()) {
            // Proved by the bound: its clique is the set.
            QTRY_VERIFY(std::ranges::any_of(desk.window->findChildren<QPushButton*>(),
                                            [](QPushButton* b) { return b->text() == QStringLiteral("Light up"); }));
            for (QPushButton* button : desk.window->findChildren<QPushButton*>())
                if (button->text() == QStringLiteral("Light up")) {
                    QTest::mouseClick(button, Qt::LeftButton);
                    break;
                }
        } else {
            QTRY_VERIFY(desk.find<QPushButton>("lightCore"));
            QTest::mouseClick(desk.find<QPushButton>("lightCore"), Qt::LeftButton);
        }
        std::vector<BufferId> lit = desk.workspace().selection().buffers();
        std::ranges::sort(lit);
        QCOMPARE(lit, (std::vector<BufferId>{0, 1, 2, 3})); // by hand: 160 bytes, and any three of them are 120
        QTRY_COMPARE(map->state()->state().area.size(), std::size_t{4});
    }

    /// Whether the others of the set fit without one of them is said only where it is proved.
    void theCardSaysWhatIsProvedOfTheSet()
    {
        MapDesk desk;
        QVERIFY(openText(desk, tooMuch));
        Run run = *desk.workspace().run();
        run.plan.claims = {SearchCertificate{.pool = 0, .bytes = 150, .infeasible = true, .by = "exact", .core = {0, 1, 2, 3}}};
        for (const bool irreducible : {false, true}) {
            std::get<SearchCertificate>(run.plan.claims.front()).irreducible = irreducible;
            const OverflowCard card(desk.workspace(), desk.look, std::make_shared<const Run>(run), 0);
            QString texts;
            for (const QLabel* label : card.findChildren<QLabel*>()) texts += label->text() + u'\n';
            QVERIFY2(texts.contains(QStringLiteral("cannot be placed in")), qPrintable(texts));
            QCOMPARE(texts.contains(QStringLiteral("Irreducible set")), irreducible);
            QCOMPARE(texts.contains(QStringLiteral("Without any one of them")), irreducible);
        }
    }

    void resultsSpreadOverSeedsAndSizes()
    {
        MapDesk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        auto* view = desk.show<RobustnessView>("robustness");
        QVERIFY(view);
        desk.find<QLineEdit>("robustnessSeeds")->setText(QStringLiteral("3"));
        desk.find<QLineEdit>("robustnessPerturbed")->setText(QStringLiteral("5"));
        // One button: that of the page, until there is a picture.
        auto* again = desk.find<QPushButton>("robustnessRun");
        QVERIFY(!again->isVisible());
        QTest::mouseClick(view->findChild<QPushButton*>(QStringLiteral("stateButton")), Qt::LeftButton);
        QVERIFY(view->desk().running());
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running(), patience);
        QVERIFY(again->isVisible());
        QCOMPARE(view->chart().rows().size(), std::size_t{2});
        QCOMPARE(view->chart().rows()[0].samples.size(), std::size_t{3});
        QCOMPARE(view->chart().rows()[1].samples.size(), std::size_t{5});
        // A planner without chance gives the same for each seed: what the run that is shown has.
        for (const RobustnessSample& sample : view->chart().rows()[0].samples)
            QCOMPARE(sample.size, desk.workspace().run()->report.totalSize());

        desk.find<QLineEdit>("robustnessPercent")->setText(QStringLiteral("lots"));
        view->start();
        QVERIFY(!view->desk().running());
        QVERIFY(desk.find<QLineEdit>("robustnessPercent")->property("invalid").toBool());
        QVERIFY2(view->message().contains(QStringLiteral("0 to 90")), qPrintable(view->message())); // not by colour alone
    }

    /// Whatever is chosen and shown after the study.
    void aDotPlansWithThePlannerThatWasStudied()
    {
        MapDesk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<RobustnessView>("robustness");
        QVERIFY(view);
        view->desk().choosePlanner("greedy-by-size");
        desk.find<QLineEdit>("robustnessSeeds")->setText(QStringLiteral("3"));
        desk.find<QLineEdit>("robustnessPerturbed")->setText(QStringLiteral("0"));
        desk.find<QLineEdit>("robustnessWork")->setText(QStringLiteral("90,000"));
        view->start();
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running() && !view->desk().rows().empty(), patience);
        view->desk().choosePlanner("naive");
        desk.workspace().showRun(desk.workspace().shown().runOf("naive")->id);
        QTRY_VERIFY(view->canvas()->isVisible() && view->canvas()->ready() && view->canvas()->scene());
        QTest::qWait(30); // the canvas takes its place
        const std::vector<RobustnessSample> samples = view->chart().rows()[0].samples;
        QCOMPARE(samples.size(), std::size_t(3));
        QCOMPARE(samples[2].seed, std::uint64_t(2));
        const QPointF dot = view->chart().bands().dots(0, samples)[2];
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, dot.toPoint());
        const RunEntry* planned = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT(
            [&] {
                for (const RunEntry* entry : desk.workspace().runs())
                    if (entry->request.seed == 2) planned = entry;
                return desk.idle() && planned;
            }(),
            patience);
        QCOMPARE(planned->request.planner, std::string("greedy-by-size"));
        QCOMPARE(planned->request.workLimit, std::uint64_t(90'000));
        QCOMPARE(planned->run->report.totalSize(), samples[2].size);
    }

    /// A dot stays and plans the successor when the same file was read again; with another model or program it goes.
    void aStudyBelongsToItsModelAndProgram()
    {
        const QTemporaryDir folder;
        MapDesk desk;
        std::vector<int> models;
        for (const char* name : {"other.json", "studied.json"}) {
            const QString path = folder.filePath(QLatin1String(name));
            QVERIFY(QFile::copy(test::sample("mobilenet_v1_025"), path));
            desk.window->openFiles({path});
            QTRY_VERIFY_WITH_TIMEOUT(desk.session.models().size() > models.size() && desk.idle() && desk.workspace().run(),
                                     patience);
            models.push_back(desk.workspace().modelId());
            desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        }
        QVERIFY(models[0] != models[1]);
        auto* view = desk.show<RobustnessView>("robustness");
        QVERIFY(view);
        desk.find<QLineEdit>("robustnessSeeds")->setText(QStringLiteral("3"));
        desk.find<QLineEdit>("robustnessPerturbed")->setText(QStringLiteral("0"));
        const auto study = [&] {
            view->desk().choosePlanner("greedy-by-size");
            view->start();
            return QTest::qWaitFor([&] { return !view->desk().running() && !view->desk().rows().empty(); }, patience);
        };
        QVERIFY(study());
        // While the view is hidden, the file is read again.
        desk.window->views().setCurrent(QStringLiteral("memory-map"));
        desk.workspace().reload();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != models[1] && desk.idle() && desk.workspace().run(), patience);
        models[1] = desk.workspace().modelId();
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        QCOMPARE(desk.show<RobustnessView>("robustness"), view);
        QCOMPARE(view->desk().rows().size(), std::size_t(1));
        QTRY_VERIFY(view->canvas()->isVisible() && view->canvas()->ready() && view->canvas()->scene());
        QTest::qWait(30); // the canvas takes its place
        const std::vector<RobustnessSample> samples = view->chart().rows()[0].samples;
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, view->chart().bands().dots(0, samples)[2].toPoint());
        const auto planned = [&] {
            return std::ranges::any_of(desk.workspace().runs(), [](const RunEntry* entry) { return entry->request.seed == 2; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && planned(), patience); // a run of the model that is open
        // While the view is shown: for a moment the model has no run.
        desk.workspace().planners().restoreTicked({"greedy-by-size"}, false);
        desk.workspace().reload();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != models[1] && desk.idle() && desk.workspace().run(), patience);
        models[1] = desk.workspace().modelId();
        QCOMPARE(view->desk().rows().size(), std::size_t(1));
        // Another model with the same problem, whose run is there at once.
        desk.workspace().setModel(models[0]);
        QVERIFY(desk.workspace().run());
        QTRY_VERIFY(view->desk().rows().empty());
        // Another program: until it is planned, a dot would plan what was not studied.
        QVERIFY(study());
        QVERIFY(view->desk().plansWhatWasStudied());
        Program edited = *desk.workspace().model()->program;
        edited.name += " edited";
        desk.workspace().edits().setProgram(std::make_shared<const Program>(std::move(edited)), QStringLiteral("Rename"));
        QVERIFY(!view->desk().plansWhatWasStudied());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        QCOMPARE(desk.workspace().run()->program, desk.workspace().model()->program);
        QTRY_VERIFY(view->desk().rows().empty());
    }

    void aStudyOfRobustnessCanBeCancelled()
    {
        MapDesk desk;
        QVERIFY(desk.open("resnet18"));
        auto* view = desk.show<RobustnessView>("robustness");
        QVERIFY(view);
        desk.find<QLineEdit>("robustnessSeeds")->setText(QStringLiteral("1000"));
        desk.find<QLineEdit>("robustnessPerturbed")->setText(QStringLiteral("1000"));
        view->start();
        QVERIFY(view->desk().running());
        view->desk().cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().running(), patience);
        std::size_t done = 0;
        for (const SpreadRow& row : view->chart().rows()) done += row.samples.size();
        QVERIFY(done < 2000);
    }

    void opsAreReorderedAndPutBack()
    {
        MapDesk desk;
        // Two chains that a sum joins: run one after the other they need less than side by side.
        const char* const program = R"({"format": "stowage.program/1", "name": "two chains", "entry": "main", "functions": [
 {"name": "main", "inputs": ["x"], "outputs": ["y"], "tensors": [
   {"name": "x", "kind": "input", "dtype": "i8", "shape": [16]},
   {"name": "a1", "dtype": "i8", "shape": [1000]}, {"name": "b1", "dtype": "i8", "shape": [1000]},
   {"name": "a2", "dtype": "i8", "shape": [10]}, {"name": "b2", "dtype": "i8", "shape": [10]},
   {"name": "y", "dtype": "i8", "shape": [10]}],
  "ops": [{"name": "fa", "kind": "f", "inputs": ["x"], "outputs": ["a1"]},
          {"name": "fb", "kind": "f", "inputs": ["x"], "outputs": ["b1"]},
          {"name": "ga", "kind": "g", "inputs": ["a1"], "outputs": ["a2"]},
          {"name": "gb", "kind": "g", "inputs": ["b1"], "outputs": ["b2"]},
          {"name": "sum", "kind": "h", "inputs": ["a2", "b2"], "outputs": ["y"]}]}]})";
        QVERIFY(openText(desk, program));
        const Bytes before = desk.workspace().run()->report.totalBound();
        QVERIFY(before >= 2000); // both large ones at once
        const auto listed = desk.workspace().model()->program;
        desk.trigger("plan.reorder");
        auto* card = desk.find<ReorderCard>();
        QVERIFY(card && card->isVisible());
        QTest::mouseClick(desk.find<QPushButton>("reorderLook"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!card->busy() && card->found(), patience);
        QVERIFY(card->found()->after < card->found()->before);
        QVERIFY(card->found()->proved);
        const Bytes after = card->found()->after;
        QVERIFY(after < 1100); // one large one at a time
        QTest::mouseClick(desk.find<QPushButton>("reorderApply"), Qt::LeftButton);
        QVERIFY(!card->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        QTRY_COMPARE(desk.workspace().run()->report.totalBound(), after);
        QVERIFY(desk.workspace().run()->report.verdict.valid());
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().model()->program, listed);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        QTRY_COMPARE(desk.workspace().run()->report.totalBound(), before);
        // The listed order is that of the file, also when no run of it is left: 2 ops or more lie elsewhere.
        desk.trigger("edit.redo");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), patience);
        desk.workspace().shown().clear();
        desk.workspace().plannings().plan();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), patience);
        desk.show<CompareView>("compare")->showRunsAs(RunCharts::SizeAndOrder);
        const std::vector<ChartCurve>& curves = desk.find<RunCharts>()->curves().curves();
        QVERIFY(!curves.empty());
        QCOMPARE(curves.front().points.size(), std::size_t{1}); // the smallest run of the one order
        QVERIFY(curves.front().points.front().x() >= 2);
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(SearchTest)
#include "tst_search.moc"
