// Fit in the real window: the figures of a real runtime's log, the plan written into a copy of the model and read back, and files
// of other tools that are opened while their model is open.
#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/fit_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/error_card.h"
#include "app/session/run_forms.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QClipboard>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

#include <algorithm>

using namespace stowage;
using test::Desk;

namespace {

QString sampleFile(const char* name)
{
    return QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/") + QLatin1String(name);
}

const FitRow* rowOf(const FitView& view, const char* planner)
{
    const auto found = std::ranges::find(view.fit()->rows, planner, &FitRow::planner);
    return found == view.fit()->rows.end() ? nullptr : &*found;
}

bool opened(Desk& desk, const QString& file)
{
    desk.window->openFiles({file});
    return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000);
}

bool tabVisible(Desk& desk)
{
    auto* tabs = desk.find<QTabBar>("viewTabs");
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i) == QStringLiteral("Fit")) return tabs->isTabVisible(i);
    return false;
}

} // namespace

class FitViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theTabIsThereForModelsOfARuntime()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        QVERIFY(!tabVisible(desk));
        QVERIFY(opened(desk, sampleFile("tflite/doorbell.tflite")));
        QTRY_VERIFY(tabVisible(desk));
    }

    /// The figures of the picture (look/fit-dark.png): greedy 73,728, offline 55,296, with scratch 55,360, tail 26,400.
    void theLogMakesItTheRealArena()
    {
        Desk desk;
        QVERIFY(opened(desk, sampleFile("tflite/doorbell.tflite")));
        auto* view = desk.show<FitView>("fit");
        QVERIFY(view);
        QTRY_VERIFY2_WITH_TIMEOUT(view->fit(), qPrintable(view->message()), 60'000);
        QCOMPARE(rowOf(*view, "tflm-greedy")->arena, Bytes{73'728});
        QCOMPARE(view->fit()->best().arena, Bytes{55'296});
        QVERIFY(!view->fit()->log);
        // Neither text nor clipboard gives out the tensors alone as the arena.
        desk.find<QPushButton>("fitCopyLine")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("constexpr int kTensorArenaSize = 55296; // a minimum: without scratch and the tail"));
        QVERIFY(desk.find<QPushButton>("fitCopySize")->toolTip().contains(QStringLiteral("minimum")));
        auto* canvas = desk.find<QWidget>("fitCanvas");
        QTRY_VERIFY2(canvas->accessibleDescription().startsWith(QStringLiteral("Tensors alone: ")),
                     qPrintable(canvas->accessibleDescription()));

        const int model = desk.workspace().modelId();
        desk.window->openFiles({sampleFile("tflite/doorbell.log")});
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().runtimeLog(), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(view->fit() && view->fit()->log, 60'000);
        QCOMPARE(desk.workspace().modelId(), model); // the log is no model of its own
        QCOMPARE(desk.session.models().size(), std::size_t{1});
        QCOMPARE(view->fit()->log->tensors, std::size_t{32});
        QCOMPARE(view->fit()->log->scratch, std::size_t{27});
        QVERIFY(view->fit()->log->matchesGreedy);
        QCOMPARE(rowOf(*view, "tflm-greedy")->arena, Bytes{100'128});
        QCOMPARE(rowOf(*view, "recorded")->arena, Bytes{100'128});
        QCOMPARE(view->fit()->best().arena, Bytes{81'760});
        // What the runtime did is a plan, too: checked, and shown when its row is pressed.
        QVERIFY(rowOf(*view, "recorded")->run && rowOf(*view, "recorded")->run->report.verdict.valid());
        const auto recorded = std::size_t(rowOf(*view, "recorded") - view->fit()->rows.data());
        view->showRow(recorded);
        QCOMPARE(view->shownRow(), recorded);

        // Laid beside the model as one more run of it.
        const auto runs = desk.workspace().runs();
        const auto laid =
            std::ranges::find_if(runs, [](const RunEntry* entry) { return entry->run->plan.planner == "doorbell.log"; });
        QVERIFY(laid != runs.end());
        QVERIFY((*laid)->run->report.verdict.valid());
        QCOMPARE((*laid)->run->report.totalSize(), Bytes{73'728});

        desk.find<QPushButton>("fitCopyLine")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("constexpr int kTensorArenaSize = 81760;"));
        QCOMPARE(desk.find<QPushButton>("fitCopySize")->toolTip(), QStringLiteral("The arena in bytes"));
    }

    void theWrittenPlanIsReadBack()
    {
        Desk desk;
        QVERIFY(opened(desk, sampleFile("tflite/doorbell.tflite")));
        auto* view = desk.show<FitView>("fit");
        QTRY_VERIFY_WITH_TIMEOUT(view->fit(), 60'000);
        auto* button = desk.find<QPushButton>("fitWrite");
        QVERIFY(button && button->isVisible());
        QCOMPARE(button->text(), QStringLiteral("Write offline plan…"));
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("planned.tflite"));
        QSignalSpy told(&desk.workspace(), &Workspace::noticed);
        view->desk().write(file);
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 60'000);
        const auto notice = told.first().at(0).value<Notice>();
        QVERIFY2(notice.good, notice.what.message.c_str());
        const QString text = QString::fromStdString(notice.what.message);
        QVERIFY2(text.contains(QStringLiteral("Read back: the same plan")), qPrintable(text));
        // Not a byte of the model has changed: the old file is the end of the new one.
        QFile before(sampleFile("tflite/doorbell.tflite")), after(file);
        QVERIFY(before.open(QIODevice::ReadOnly) && after.open(QIODevice::ReadOnly));
        QVERIFY(after.readAll().endsWith(before.readAll()));
        // A folder that is not there is an error, and nothing else.
        told.clear();
        view->desk().write(folder.filePath(QStringLiteral("nowhere/planned.tflite")));
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 60'000);
        QVERIFY(!told.first().at(0).value<Notice>().good);
    }

    void theFileOfTheModelIsReplacedOnlyAfterAQuestion()
    {
        const QTemporaryDir folder;
        const QByteArray before = test::contentsOf(sampleFile("tflite/doorbell.tflite"));
        const QString own = test::writtenFile(folder, QStringLiteral("own.tflite"), before);
        Desk desk;
        QVERIFY(opened(desk, own));
        auto* view = desk.show<FitView>("fit");
        QTRY_VERIFY_WITH_TIMEOUT(view->fit(), 60'000);
        QSignalSpy told(&desk.workspace(), &Workspace::noticed);
        view->desk().write(own);
        QVERIFY(!view->desk().writing());
        QCOMPARE(told.count(), 1);
        const auto question = told.first().at(0).value<Notice>();
        QVERIFY(question.asks() && question.choices.size() == 2);
        question.choices.back().take();
        QVERIFY(!view->desk().writing());
        QCOMPARE(test::contentsOf(own), before);
        question.choices.front().take();
        QTRY_VERIFY_WITH_TIMEOUT(test::contentsOf(own) != before, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().writing(), 60'000);
    }

    /// While the question is open, the plan that it is about is replaced, or another file is written: it goes, and its answer
    /// writes nothing.
    void aQuestionAboutAnOldPlanIsTakenBack()
    {
        const QTemporaryDir folder;
        const QByteArray before = test::contentsOf(sampleFile("tflite/doorbell.tflite"));
        const QString own = test::writtenFile(folder, QStringLiteral("own.tflite"), before);
        Desk desk;
        QVERIFY(opened(desk, own));
        auto* view = desk.show<FitView>("fit");
        QTRY_VERIFY_WITH_TIMEOUT(view->fit(), 60'000);
        QSignalSpy told(&desk.workspace(), &Workspace::noticed);
        view->desk().write(own);
        QCOMPARE(told.count(), 1);
        const auto first = told.first().at(0).value<Notice>();
        QVERIFY(first.asks() && desk.window->errorCard().isVisible());
        desk.workspace().edits().setAlignment(64);
        QVERIFY(!first.asks() && !desk.window->errorCard().isVisible());
        first.choices.front().take();
        QVERIFY(!view->desk().writing());
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(view->fit() && desk.idle(), 60'000);
        QVERIFY(!first.asks()); // the plan is another one

        told.clear();
        view->desk().write(own);
        QVERIFY(!told.isEmpty());
        const auto second = told.last().at(0).value<Notice>();
        QVERIFY(second.asks());
        view->desk().write(folder.filePath(QStringLiteral("other.tflite")));
        QVERIFY(view->desk().writing() && !second.asks());
        second.choices.front().take();
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().writing(), 60'000);
        QVERIFY(QFile::exists(folder.filePath(QStringLiteral("other.tflite"))));
        QCOMPARE(test::contentsOf(own), before);
    }

    void executorchProgramsGiveATable()
    {
        Desk desk;
        QVERIFY(opened(desk, sampleFile("runtimes/residual.pte")));
        auto* view = desk.show<FitView>("fit");
        QTRY_VERIFY2_WITH_TIMEOUT(view->fit(), qPrintable(view->message()), 60'000);
        QVERIFY(view->fit()->runtime == Runtime::executorch);
        QCOMPARE(view->fit()->best().arena, Bytes{61'440}); // resources/guide/executorch-memory.md
        const QTemporaryDir folder;
        QSignalSpy told(&desk.workspace(), &Workspace::noticed);
        view->desk().write(folder.filePath(QStringLiteral("plan.json")));
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 60'000);
        QVERIFY(told.first().at(0).value<Notice>().good);
        QFile table(folder.filePath(QStringLiteral("plan.json")));
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QByteArray written = table.readAll();
        QVERIFY(written.contains("\"mem_id\""));
        // A table is found by the name of its method, which the file calls "forward"; that of the Export card, too.
        const auto methods = [](const QByteArray& text) { return QJsonDocument::fromJson(text).object().keys(); };
        QCOMPARE(methods(written), QStringList(QStringLiteral("forward")));
        const PlanRequest request = desk.workspace().plannings().request("greedy-by-size");
        const auto exported = writeRun(desk.session, *desk.workspace().model(), request, desk.workspace().run(), "executorch");
        QVERIFY2(exported, exported ? "" : exported.error().message.c_str());
        QCOMPARE(methods(QByteArray::fromStdString(exported->files.at(0).bytes)), QStringList(QStringLiteral("forward")));
    }

    /// The call stack of a block in the inspector: `training_step.pickle` was asked for from lines of train.py.
    void theInspectorHasTheWholeCallStack()
    {
        Desk desk;
        QVERIFY(opened(desk, sampleFile("pytorch/training_step.pickle")));
        const auto run = desk.workspace().run();
        const auto& buffers = run->problem().buffers;
        const auto named =
            std::ranges::find_if(buffers, [](const Buffer& b) { return b.name.starts_with("__init__ train.py:11"); });
        QVERIFY(named != buffers.end());
        desk.workspace().selection().select(BufferId(named - buffers.begin()));
        QTRY_VERIFY(desk.find<ElidedLabel>("callFrame"));
        QCOMPARE(desk.find<ElidedLabel>("callFrame")->fullText(), QStringLiteral("__init__ /home/user/train.py:11"));
        const std::vector<std::string> frames = callStackOf(*desk.workspace().model(), *run, BufferId(named - buffers.begin()));
        QCOMPARE(qsizetype(frames.size()), desk.window->findChildren<ElidedLabel*>(QStringLiteral("callFrame")).size());
    }

    /// A dump that is opened while no model is open is a model of its own.
    void aDumpAloneIsAModel()
    {
        Desk desk;
        QVERIFY(opened(desk, sampleFile("tflite/doorbell.log")));
        QCOMPARE(desk.session.models().size(), std::size_t{1});
        QVERIFY(!desk.workspace().runtimeLog());
    }

    void aLogOfAnotherModelStaysAModel()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        desk.window->openFiles({sampleFile("tflite/doorbell.log")});
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.models().size(), std::size_t{2}, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().model()->importer, QStringLiteral("tflm-log"), 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
    }

    /// A profile of the program that is open: the same buffers without their names.
    void aProfileIsLaidBesideItsProgram()
    {
        Desk desk;
        QVERIFY(opened(desk, sampleFile("runtimes/residual.pte")));
        desk.window->openFiles({sampleFile("runtimes/residual_memory_profile.json")});
        QTRY_COMPARE_WITH_TIMEOUT(desk.session.models().size(), std::size_t{1}, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(desk.workspace().runs(),
                                                     [](const RunEntry* entry) {
                                                         return entry->run->plan.planner == "residual_memory_profile.json" &&
                                                                entry->run->report.verdict.valid();
                                                     }),
                                 60'000);
    }

    /// What may be a model of its own as well is asked about first.
    void aDumpOfAnotherToolIsAskedAbout()
    {
        Desk desk;
        QVERIFY(opened(desk, sampleFile("runtimes/residual.pte")));
        const int program = desk.workspace().modelId();
        QSignalSpy told(&desk.workspace(), &Workspace::noticed);
        desk.window->openFiles({sampleFile("runtimes/residual-buffer-assignment.txt")});
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 60'000);
        const auto question = told.first().at(0).value<Notice>();
        QCOMPARE(question.choices.size(), std::size_t{2});
        QCOMPARE(desk.workspace().modelId(), program);
        question.choices.front().take();
        QCOMPARE(desk.session.models().size(), std::size_t{1});
        QVERIFY(std::ranges::any_of(desk.workspace().runs(), [](const RunEntry* entry) {
            return entry->run->plan.planner == "residual-buffer-assignment.txt" && entry->run->report.verdict.valid();
        }));
        QVERIFY(told.last().at(0).value<Notice>().good);
        // Opened by itself after all: nobody asks again.
        told.clear();
        desk.workspace().open(sampleFile("runtimes/residual-buffer-assignment.txt"));
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, 60'000);
        told.first().at(0).value<Notice>().choices.back().take();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != program && desk.idle() && desk.workspace().run(), 60'000);
        QCOMPARE(desk.session.models().size(), std::size_t{2});
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(FitViewTest)
#include "tst_fit_view.moc"
