// Pipes in the real window: when there is a tab, what the lanes do, what map, replay and inspector say of reuse.
#include "app/canvas/pictures/pipes/pipe_picture.h"
#include "app/desktop/panels/inspector.h"
#include "app/desktop/panels/pipe_facts.h"
#include "app/desktop/views/memory_map_view.h"
#include "app/desktop/views/pipes_view.h"
#include "app/desktop/views/replay_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/map_widget.h"
#include "core/io/text.h"
#include "tests/core/hivm_problems.h"
#include "tests/desktop/map_desk.h"

#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace stowage;
using test::Desk;

namespace {

constexpr int patience = 30'000;

/// Opens the bundled kernel, and shows what Ascend's planner does with it.
bool openKernel(Desk& desk)
{
    desk.window->openFiles({QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/flash_attention_vector.mlir")});
    if (!QTest::qWaitFor([&] { return desk.idle() && desk.workspace().shown().runOf("hivm"); }, patience)) return false;
    desk.workspace().showRun(desk.workspace().shown().runOf("hivm")->id);
    return true;
}

/// Likewise, in the Pipes view; null when it cannot be opened.
PipesView* openPipes(Desk& desk)
{
    if (!openKernel(desk)) return nullptr;
    auto* view = desk.show<PipesView>("pipes");
    QTest::qWait(30);
    return view;
}

bool hasTab(Desk& desk, const char* title)
{
    auto* tabs = desk.find<QTabBar>("viewTabs");
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i).contains(QLatin1String(title))) return tabs->isTabVisible(i);
    return false;
}

QString shownTab(Desk& desk)
{
    auto* tabs = desk.find<QTabBar>("viewTabs");
    return tabs->tabText(tabs->currentIndex());
}

BufferId bufferCalled(const Run& run, const char* name)
{
    for (std::size_t i = 0; i < run.problem().buffers.size(); ++i)
        if (run.problem().buffers[i].name == name) return BufferId(i);
    return none;
}

/// All that the inspector's labels say.
QString inspected(Desk& desk)
{
    QTest::qWait(20); // it is rebuilt when the event loop runs next
    QString all;
    for (const QLabel* label : desk.find<Inspector>()->widget()->findChildren<QLabel*>()) {
        const auto* elided = dynamic_cast<const ElidedLabel*>(label);
        all += (elided ? elided->fullText() : label->text()) + u'\n';
    }
    return all;
}

} // namespace

class PipesViewTest : public QObject {
    Q_OBJECT

    QImage picture_; ///< exported last

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    /// All lanes are in view, beside the list of reuse.
    void whatIsInViewIsSelected()
    {
        Desk desk;
        auto* view = openPipes(desk);
        QVERIFY(view);
        auto& picture = view->pictureAs<PipePicture>();
        QTRY_VERIFY_WITH_TIMEOUT(picture.scene() && view->canvas()->ready(), patience);
        QVERIFY(!view->canvas()->picture().parts().scrolls.empty()); // the list
        std::set<BufferId> touched;
        for (const PipeOp& op : picture.scene()->analysis.model.ops) {
            touched.insert(op.reads.begin(), op.reads.end());
            touched.insert(op.writes.begin(), op.writes.end());
        }
        QVERIFY(touched.size() > 1);
        desk.trigger("go.sum-area");
        const auto& selected = desk.workspace().selection().buffers();
        QCOMPARE(std::set<BufferId>(selected.begin(), selected.end()), touched);
    }

    void theTabIsThereForKernelsOnly()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(!hasTab(desk, "Pipes"));
        QVERIFY(openKernel(desk));
        QVERIFY(hasTab(desk, "Pipes"));
        const int kernel = desk.workspace().modelId();
        auto* view = desk.show<PipesView>("pipes");
        QVERIFY(view && view->pictureAs<PipePicture>().scene());
        QCOMPARE(view->message(), QString());
        // Another model has none: the map is shown instead. Back at the kernel, so are the pipes.
        desk.workspace().setModel(desk.session.models().front());
        QVERIFY(desk.workspace().modelId() != kernel);
        QVERIFY(!hasTab(desk, "Pipes"));
        QCOMPARE(shownTab(desk), QStringLiteral("Memory map"));
        desk.workspace().setModel(kernel);
        QTRY_VERIFY_WITH_TIMEOUT(hasTab(desk, "Pipes"), patience);
        QCOMPARE(shownTab(desk), QStringLiteral("Pipes"));
        // Whoever asks for it all the same is told why there is nothing.
        desk.workspace().setModel(desk.session.models().front());
        desk.trigger("view.pipes");
        QCOMPARE(shownTab(desk), QStringLiteral("Pipes"));
        QVERIFY2(view->message().contains(QStringLiteral("which pipe it runs on")), qPrintable(view->message()));
        desk.trigger("view.memory-map");
        QVERIFY(!hasTab(desk, "Pipes"));
    }

    void aViewAskedForBeforeItsModelIsShown()
    {
        Desk desk;
        QVERIFY(desk.window->views().setCurrent(QStringLiteral("pipes"))); // as --view does
        QVERIFY(openKernel(desk));
        QCOMPARE(shownTab(desk), QStringLiteral("Pipes"));
        QVERIFY(dynamic_cast<PipesView*>(desk.window->views().currentView())->pictureAs<PipePicture>().scene());
    }

    void listedOrderCanBeLeftForAscends()
    {
        Desk desk;
        QVERIFY(desk.open("double_buffered_matmul"));
        QVERIFY(hasTab(desk, "Pipes")); // its ops name pipes
        auto* view = desk.show<PipesView>("pipes");
        QVERIFY(view->message().contains(QStringLiteral("listed order")));
        auto* button = view->findChild<QPushButton*>(QStringLiteral("stateButton"));
        QVERIFY(button->isVisible());
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && view->pictureAs<PipePicture>().scene(), patience);
        QCOMPARE(view->message(), QString());
        desk.workspace().undoStack().undo();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && !view->pictureAs<PipePicture>().scene(), patience);
    }

    void clicksSelectWhatTheOpTouches()
    {
        Desk desk;
        PipesView* view = openPipes(desk);
        QVERIFY(view);
        PipePicture& lanes = view->pictureAs<PipePicture>();
        Canvas& canvas = *view->canvas();
        const PipeScene& scene = *lanes.scene();
        SelectionModel& selection = desk.workspace().selection();
        int clicked = 0;
        for (std::size_t lane = 0; lane < scene.lanes.size(); ++lane)
            for (const LaneOp& op : scene.lanes[lane].ops) {
                const QRectF box = lanes.geometry().box(lane, op.begin, op.end);
                if (box.width() < 8) continue;
                QTest::mouseClick(&canvas, Qt::LeftButton, {}, box.center().toPoint());
                const PipeOp& what = scene.opOf(op.span);
                QCOMPARE(selection.buffer(), what.writes.empty() ? what.reads.front() : what.writes.front());
                QCOMPARE(selection.cursor(), std::optional(what.step));
                QCOMPARE(lanes.state().selected, selection.buffer());
                if (++clicked > 30) break;
            }
        QVERIFY(clicked > 10);
        // A row of the list selects who waits.
        const ReuseEdge& worst = scene.report().edges.front();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, lanes.geometry().row(0).center().toPoint());
        QCOMPARE(selection.buffer(), worst.to);
        // What is selected elsewhere is selected here.
        selection.select(worst.from);
        QCOMPARE(lanes.state().selected, worst.from);
    }

    void keysAndWheelMoveTheTime()
    {
        Desk desk;
        PipesView* view = openPipes(desk);
        QVERIFY(view);
        PipePicture& lanes = view->pictureAs<PipePicture>();
        Canvas& canvas = *view->canvas();
        const auto span = [&] { return lanes.state().axis.range().span; };
        const double whole = span();
        QCOMPARE(whole, double(lanes.scene()->report().time));
        QTest::keyClick(&canvas, Qt::Key_W);
        QVERIFY(span() < whole);
        const auto begin = lanes.state().axis.range().begin;
        QTest::keyClick(&canvas, Qt::Key_D);
        QVERIFY(lanes.state().axis.range().begin.minus(begin) > 0);
        QTest::keyClick(&canvas, Qt::Key_Backspace);
        view->zoomToFit();
        QCOMPARE(span(), whole);
        test::turnWheel(canvas, lanes.bands().lanes.front().center(), 3);
        QVERIFY(span() < whole);
        // The longest stall.
        view->zoomToPeak();
        const auto& spans = lanes.scene()->report().spans;
        const auto longest = std::ranges::max_element(spans, {}, &PipeSpan::stall);
        QVERIFY(longest->stall > 0);
        QVERIFY(lanes.state().axis.toPixel(longest->begin - longest->stall) >= -1 &&
                lanes.state().axis.toPixel(longest->begin) <= lanes.state().axis.pixels() + 1);
        // Arrow keys walk along the lane.
        const auto step = desk.workspace().selection().cursor();
        QVERIFY(view->perform(ViewCommand::neighbourRight));
        QVERIFY(view->perform(ViewCommand::neighbourLeft));
        QCOMPARE(desk.workspace().selection().cursor(), step);
    }

    /// The picture that is exported is of the time in view, the iterations and the arrows chosen.
    void theExportShowsWhatIsInView()
    {
        Desk desk;
        PipesView* view = openPipes(desk);
        QVERIFY(view);
        PipePicture& lanes = view->pictureAs<PipePicture>();
        Canvas& canvas = *view->canvas();
        QTemporaryDir folder;
        const auto exported = [&] {
            const QString file = folder.filePath(QStringLiteral("pipes.png"));
            QVERIFY(canvas.exportTo(file));
            picture_ = QImage(file);
        };
        exported();
        const QImage whole = picture_;
        view->zoomToPeak();
        QVERIFY(lanes.state().axis.range().span < double(lanes.scene()->report().time) / 2);
        exported();
        QVERIFY(picture_ != whole);
        view->zoomToFit();
        desk.workspace().selection().select(none);
        desk.workspace().selection().setCursor({});
        exported();
        QVERIFY(picture_ == whole);
        QVERIFY(canvas.setOption(QStringLiteral("same-pipe"), QStringLiteral("on")));
        exported();
        QVERIFY(picture_ != whole);
        QVERIFY(canvas.setOption(QStringLiteral("same-pipe"), QStringLiteral("off")));
        QVERIFY(canvas.setOption(QStringLiteral("iterations"), QStringLiteral("2 iterations")));
        QTRY_COMPARE_WITH_TIMEOUT(lanes.iterations(), 2, patience);
        exported();
        QVERIFY(picture_ != whole);
    }

    void moreIterationsTakeLonger()
    {
        Desk desk;
        QVERIFY(openKernel(desk));
        auto* view = desk.show<PipesView>("pipes");
        const auto executions = [&] { return view->pictureAs<PipePicture>().scene()->report().spans.size(); };
        const std::size_t eight = executions();
        QVERIFY(view->canvas()->setOption(QStringLiteral("iterations"), QStringLiteral("16 iterations")));
        QTRY_VERIFY_WITH_TIMEOUT(executions() > eight, patience);
        QVERIFY(view->canvas()->setOption(QStringLiteral("iterations"), QStringLiteral("2 iterations")));
        QTRY_VERIFY_WITH_TIMEOUT(executions() < eight, patience);
    }

    void theMapShowsReuseWhereThereArePipes()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* map = desk.show<MemoryMapView>("memory-map");
        auto* toggle = desk.find<QPushButton>("mapReuse");
        QVERIFY(toggle && !toggle->isVisible());
        QVERIFY(openKernel(desk));
        QTRY_VERIFY_WITH_TIMEOUT(toggle->isVisible(), patience);
        QVERIFY(!map->map().state()->state().reuse);
        toggle->click();
        QVERIFY(map->map().state()->state().reuse);
        QCOMPARE(map->map().state()->state().reuse, map->map().state()->scene().pipes().get());
    }

    void replayShowsLevelsAndRollbacks()
    {
        Desk desk;
        QVERIFY(openKernel(desk));
        auto* view = desk.show<ReplayView>("replay");
        QTRY_VERIFY_WITH_TIMEOUT(view->replayed(), patience);
        const Replay& replay = *view->replayed();
        QVERIFY(replay.hasLevels() && replay.rollbacks() > 0);
        std::size_t rollbacks = 0, levels = 0;
        const auto& recorded = replay.source()->steps->steps();
        const auto moves = std::ranges::count_if(
            recorded, [](const RecordedStep& step) { return step.kind == StepKind::place || step.kind == StepKind::remove; });
        const std::size_t steps = replay.steps();
        for (std::size_t i = 1; i <= steps; ++i) {
            view->player().seek(i);
            rollbacks += view->message().startsWith(QStringLiteral("rolls back "));
            levels += view->message().contains(QStringLiteral(" at level "));
        }
        QCOMPARE(rollbacks, replay.rollbacks());
        QVERIFY(levels >= rollbacks);
        const auto& marks = view->course().curve().marks;
        QCOMPARE(std::ptrdiff_t(marks.size()), moves);
        QCOMPARE(std::size_t(std::ranges::count_if(marks, &CurveMark::rollback)), rollbacks);
    }

    /// The document's example of the levels: what replay and inspector say of C in the three sizes.
    void theDocumentsExampleSaysItsLevels()
    {
        Desk desk;
        constexpr Bytes KB = 1024;
        const struct {
            Bytes slot, b, c;
            int level;
        } cases[] = {{16 * KB, 24 * KB, 24 * KB, 3}, {20 * KB, 12 * KB, 18 * KB, 1}, {20 * KB, 12 * KB, 24 * KB, 0}};
        for (const auto& sizes : cases) {
            Problem problem = test::levelsExample(sizes.slot, sizes.b, sizes.c);
            problem.name = "levels" + std::to_string(sizes.level);
            desk.workspace().openText(QStringLiteral("levels%1.json").arg(sizes.level),
                                      QByteArray::fromStdString(io::writeProblemJson(problem)));
            const auto ready = [&] {
                return desk.idle() && desk.workspace().run() && desk.workspace().run()->problem().name == problem.name &&
                       desk.workspace().shown().runOf("hivm");
            };
            QTRY_VERIFY_WITH_TIMEOUT(ready(), patience); // ticked by itself
            desk.workspace().showRun(desk.workspace().shown().runOf("hivm")->id);
            const BufferId c = bufferCalled(*desk.workspace().run(), "C");
            desk.show<MemoryMapView>("memory-map");
            desk.workspace().selection().select(c);
            const QString text = inspected(desk);
            QVERIFY2(text.contains(QStringLiteral("level %1").arg(sizes.level)), qPrintable(text));
            QCOMPARE(text.contains(QStringLiteral("upgraded from 1")), sizes.level == 1);
            auto* view = desk.show<ReplayView>("replay");
            QTRY_VERIFY_WITH_TIMEOUT(view->replayed() && view->replayed()->source() == desk.workspace().run(), patience);
            bool told = false;
            for (std::size_t i = 1; i <= view->replayed()->steps(); ++i) {
                view->player().seek(i);
                told |= view->message().contains(QStringLiteral("C at 0x")) &&
                        view->message().contains(QStringLiteral("at level %1 ").arg(sizes.level));
            }
            QVERIFY(told);
        }
    }

    void theInspectorNamesPipesAndNeighbours()
    {
        Desk desk;
        QVERIFY(openKernel(desk));
        desk.show<PipesView>("pipes");
        const auto run = desk.workspace().run();
        QVERIFY(inspected(desk).contains(QStringLiteral("rollbacks"))); // of the run, while nothing is selected
        const BufferId pv = bufferCalled(*run, "%pv");
        QVERIFY(pv != none);
        desk.workspace().selection().select(pv);
        const QString text = inspected(desk);
        QVERIFY2(text.contains(QStringLiteral("MTE2 writes")), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("level 1")));
        QVERIFY(text.contains(QStringLiteral("breaks a double buffer")));
        // The neighbours are the report's.
        const auto scene = makePipeScene(run);
        const auto facts = pipeFactsOf(*run, scene.get(), pv);
        QVERIFY(facts);
        std::size_t expected = 0;
        for (const ReuseEdge& edge : scene->report().edges) expected += (edge.from == pv) + (edge.to == pv);
        QCOMPARE(facts->neighbours.size(), expected);
        QVERIFY(expected > 0);
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(PipesViewTest)
#include "tst_pipes_view.moc"
