// The view of loops in the real window: stepped through by keys, buttons and slider, linked to the other views, and there only
// where a program has loops.
#include "app/canvas/export/render.h"
#include "app/desktop/panels/inspector.h"
#include "app/desktop/views/loops_view.h"
#include "app/desktop/views/replay_view.h"
#include "app/desktop/widgets/controls.h"
#include "tests/desktop/desk.h"
#include "tests/support/shared.h"

#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <algorithm>

using namespace stowage;
using test::Desk;

namespace {

/// Shows the run of a planner, made now if there is none.
bool plan(Desk& desk, const char* planner)
{
    if (!desk.workspace().shown().runOf(planner)) desk.workspace().plannings().planOnly(planner);
    if (!QTest::qWaitFor([&] { return desk.idle() && desk.workspace().shown().runOf(planner); }, 30'000)) return false;
    desk.workspace().showRun(desk.workspace().shown().runOf(planner)->id);
    return desk.workspace().run()->plan.planner == planner;
}

bool tabVisible(Desk& desk)
{
    auto* tabs = desk.find<QTabBar>("viewTabs");
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i) == QStringLiteral("Loops")) return tabs->isTabVisible(i);
    return false;
}

} // namespace

class LoopsViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theTabIsThereWhereThereAreLoops()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        QVERIFY(!tabVisible(desk));
        auto* view = desk.show<LoopsView>("loops");
        QVERIFY2(view->message().contains(QStringLiteral("no loops")), qPrintable(view->message()));
        QCOMPARE(view->loop(), none);
        desk.trigger("go.next-buffer"); // still the next buffer, as there is no iteration
        QCOMPARE(desk.workspace().selection().buffer(), 0);
        desk.show<View>("memory-map");
        QVERIFY(desk.open("lstm_loop"));
        QTRY_VERIFY(tabVisible(desk));
    }

    void iterationsAreSteppedThrough()
    {
        Desk desk;
        QVERIFY(desk.open("lstm_loop"));
        QVERIFY(plan(desk, "nnc"));
        auto* view = desk.show<LoopsView>("loops");
        QVERIFY2(view->message().isEmpty(), qPrintable(view->message()));
        QCOMPARE(view->loopsPicture().loops().size(), std::size_t(1));
        QCOMPARE(view->iterations(), 16); // the sample's trip count
        QCOMPARE(view->iteration(), 0);
        desk.trigger("go.next-buffer");
        QCOMPARE(view->iteration(), 1);
        QCOMPARE(desk.workspace().selection().buffer(), none);
        QTest::mouseClick(desk.find<QToolButton>("loopForward"), Qt::LeftButton);
        QCOMPARE(view->iteration(), 2);
        desk.trigger("go.previous-buffer");
        QCOMPARE(view->iteration(), 1);
        desk.find<QSlider>("loopSlider")->setValue(9);
        QCOMPARE(view->iteration(), 9);
        QTest::keyClick(view->canvas(), Qt::Key_End);
        QCOMPARE(view->iteration(), 15);
        QVERIFY(!desk.find<QToolButton>("loopForward")->isEnabled());
        desk.trigger("go.next-buffer"); // there is no further one
        QCOMPARE(view->iteration(), 15);
        QTest::keyClick(view->canvas(), Qt::Key_Home);
        QCOMPARE(view->iteration(), 0);
        // What is shown of an iteration is what the core says lies there.
        for (const std::int64_t iteration : {0, 1, 6}) {
            view->setIteration(iteration);
            const auto run = desk.workspace().run();
            const auto expected = loopHolds(run->problem(), run->plan, view->loop(), iteration);
            const LoopState state = view->loopsPicture().state();
            QCOMPARE(state.holds.size(), expected.size());
            for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(state.holds[i].offset, expected[i].offset);
        }
    }

    void barsAndPiecesAreLinkedToTheOtherViews()
    {
        Desk desk;
        QVERIFY(desk.open("lstm_loop"));
        QVERIFY(plan(desk, "nnc"));
        auto* view = desk.show<LoopsView>("loops");
        Canvas& canvas = *view->canvas();
        LoopsPicture& picture = view->loopsPicture();
        QTest::qWait(30);
        const LoopLayout layout = picture.bands();
        const LoopState state = picture.state();
        QVERIFY(!state.picture->rows.empty());
        const std::size_t column = std::min<std::size_t>(1, layout.columns.size() - 1);
        const QPoint bar = loopBar(state, layout, 0, column).center().toPoint();
        const BufferId buffer = loopHit(state, layout, bar).buffer;
        QVERIFY(buffer != none);
        QTest::mouseMove(&canvas, bar);
        QTRY_COMPARE(desk.workspace().selection().hovered(), buffer);
        QTRY_VERIFY(canvas.card().has_value());
        QCOMPARE(canvas.card()->title, QString::fromStdString(state.picture->rows[0].name));
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, bar);
        QCOMPARE(desk.workspace().selection().buffer(), buffer);
        QCOMPARE(view->iteration(), layout.firstColumn + std::int64_t(column)); // and goes there
        // A buffer selected elsewhere changes the picture here.
        const QImage before = canvas.grab().toImage();
        desk.workspace().selection().select(view->loopsPicture().state().holds.back().buffer);
        QTRY_VERIFY(canvas.grab().toImage() != before);
    }

    void aPlanThatCopiesLeadsToOneThatDoesNot()
    {
        Desk desk;
        QVERIFY(desk.open("lstm_loop"));
        QVERIFY(plan(desk, "greedy-by-size"));
        auto* view = desk.show<LoopsView>("loops");
        QVERIFY(view->loopsPicture().story()->story.moved > 0);
        auto* unrolled = desk.find<QPushButton>("planUnrolled");
        QVERIFY(unrolled->isVisible());
        QTest::mouseClick(unrolled, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->plan.planner == "nnc", 30'000);
        QTRY_VERIFY(view->loopsPicture().story() && view->loopsPicture().story()->story.moved == 0);
        QVERIFY(!unrolled->isVisible());
    }

    void theInspectorSaysTheRule()
    {
        // x <= y round a convolution: the two take turns.
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("turns.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(
            R"({"format": "stowage.program/1", "name": "turns", "entry": "main", "functions": [{"name": "main", "inputs": ["x"],
                "outputs": ["z"],
            "tensors": [{"name": "x", "kind": "input", "bytes": 512}, {"name": "z", "kind": "output", "bytes": 512}],
            "ops": [{"name": "loop", "kind": "while", "inputs": ["x"], "outputs": ["z"],
                     "trip_count": 5, "carries": [{"from": "y", "to": "p"}],
              "body": {"inputs": ["p"], "outputs": ["y"], "tensors": [{"name": "p", "bytes": 512}, {"name": "y", "bytes": 512}],
                "ops": [{"name": "conv", "kind": "conv2d", "inputs": ["p"], "outputs": ["y"]}]}}]}]})");
        file.close();
        Desk desk;
        desk.window->openFiles({file.fileName()});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 30'000);
        QVERIFY(plan(desk, "nnc"));
        const auto run = desk.workspace().run();
        const auto rotating =
            std::ranges::find_if(run->plan.placements, [](const Placement& placement) { return placement.rotating(); });
        QVERIFY(rotating != run->plan.placements.end());
        desk.workspace().selection().select(BufferId(rotating - run->plan.placements.begin()));
        const auto rule = [&] {
            const auto labels = desk.window->findChildren<QLabel*>(QStringLiteral("rotationRule"));
            return labels.isEmpty() ? QString() : labels.back()->text();
        };
        QTRY_VERIFY(!rule().isEmpty());
        QVERIFY2(rule().contains(QStringLiteral("mod %1").arg(rotating->rotations.back().period)), qPrintable(rule()));
    }

    void theReplayOfNncSaysWhyEachWasChosenAndWhere()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        desk.workspace().plannings().planRecorded("nnc");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().shown().runOf("nnc"), 30'000);
        desk.workspace().showRun(desk.workspace().shown().runOf("nnc")->id);
        auto* view = desk.show<ReplayView>("replay");
        QTRY_VERIFY_WITH_TIMEOUT(view->replayed(), 30'000);
        QVERIFY(desk.find<QWidget>("replayReasons")->isVisible());
        const auto& steps = desk.workspace().run()->steps->steps();
        int told = 0;
        for (std::size_t at = 1; at <= steps.size(); ++at) {
            view->player().seek(at);
            const QString chosen = desk.find<QLabel>("replayChosen")->text(), why = desk.find<QLabel>("replayWhy")->text();
            if (steps[at - 1].kind == StepKind::note) {
                QVERIFY2(chosen.contains(QStringLiteral("the most")), qPrintable(chosen));
            } else if (steps[at - 1].kind == StepKind::place) {
                QVERIFY2(chosen.contains(QStringLiteral("the most")), qPrintable(chosen)); // the choice just before
                QVERIFY2(why.contains(QStringLiteral("edge")), qPrintable(why));
                ++told;
            }
        }
        QCOMPARE(std::size_t(told), desk.workspace().run()->problem().buffers.size());
    }

    void loopsOfForeignModelsAreShown_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"tflite/syn_while.tflite", "onnx/syn_loop_static.onnx", "onnx/node_test_scan9_sum.onnx"})
            QTest::newRow(model) << QString::fromLatin1(model);
    }
    void loopsOfForeignModelsAreShown()
    {
        QFETCH(QString, model);
        STOWAGE_NEEDS_SHARED();
        const QString file = test::sharedFile(qPrintable("models/" + model));
        Desk desk;
        desk.window->openFiles({file});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        QVERIFY(plan(desk, "nnc"));
        QVERIFY(tabVisible(desk));
        auto* view = desk.show<LoopsView>("loops");
        QVERIFY2(view->message().isEmpty(), qPrintable(view->message()));
        const LoopStory& story = view->loopsPicture().story()->story;
        QVERIFY(!story.carries.empty());
        QCOMPARE(story.moved, 0); // nothing that is carried is copied
        for (int i = 0; i < 5; ++i) desk.trigger("go.next-buffer");
        QCOMPARE(view->iteration(), std::min<std::int64_t>(5, view->iterations() - 1));
        QVERIFY(!view->canvas()->grab().toImage().isNull());
    }

    void theLoopGoesIntoAFile()
    {
        Desk desk;
        QVERIFY(desk.open("lstm_loop"));
        QVERIFY(plan(desk, "nnc"));
        auto* view = desk.show<LoopsView>("loops");
        view->setIteration(3);
        QTemporaryDir folder;
        for (const char* name : {"loop.png", "loop.svg", "loop.pdf"}) {
            const QString file = folder.filePath(QLatin1String(name));
            const auto done = view->canvas()->exportTo(file);
            QVERIFY2(bool(done), done ? "" : toText(done.error()).c_str());
            QVERIFY(QFileInfo(file).size() > 1000);
        }
        QFile svg(folder.filePath(QStringLiteral("loop.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        QVERIFY(svg.readAll().contains("Iteration 3"));
        RenderOptions options;
        options.set = {{QStringLiteral("iteration"), QStringLiteral("16")}}; // of 16, from 0
        const auto wrong =
            renderToFile({desk.workspace().run()}, QStringLiteral("loops"), options, folder.filePath(QStringLiteral("no.png")));
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, Code::noIteration);
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(LoopsViewTest)
#include "tst_loops_view.moc"
