// The real window: sessions as files, the autosave, and files that change while they are open.
#include "app/desktop/file_watch.h"
#include "app/desktop/kept_notes.h"
#include "app/desktop/session_keeper.h"
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/error_card.h"
#include "app/session/file_hash.h"
#include "core/io/devices_json.h"
#include "core/pipeline/cuts.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QPushButton>
#include <QStandardPaths>
#include <QTabBar>
#include <QTest>
#include <QTimer>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace stowage;
using test::Desk;

namespace {

/// An unknown field; a path outside; a program to run.
const char* const unknownField =
    "{\"format\": \"stowage.session/1\", \"files\": [{\"path\": \"a.csv\", \"execute\": \"/bin/true\"}]}";

const QByteArray two = "id,lower,upper,size\na,0,2,10\nb,1,3,20\n";

/// Waits until everything is read and a run is shown, of the model with this path if one is given.
bool modelShown(Desk& desk, const QString& path = {})
{
    return QTest::qWaitFor(
        [&] { return desk.idle() && desk.workspace().run() && (path.isEmpty() || desk.workspace().model()->path == path); },
        60'000);
}

bool modelOpened(Desk& desk, const QString& path)
{
    desk.window->openFiles({path});
    return modelShown(desk, path);
}

/// Saves a session, and waits for the card that says so.
bool sessionSaved(Desk& desk, const QString& stow)
{
    desk.window->saveSession(stow);
    return QTest::qWaitFor(
        [&] { return desk.window->errorCard().isVisible() && desk.window->errorCard().notice().path.endsWith(u".stow"); },
        20'000);
}

/// Writes a configuration of three stages of two ops each: view, f | g, h | i, j. The first op makes a view of x, and g reads x:
/// no split cuts between them, so the cut before g is allowed only because the file has it.
QString writtenPipeline(const QTemporaryDir& folder)
{
    const auto put = [&](const char* name, QByteArray text) {
        text.replace("PROGRAM", "'format': 'stowage.program/1', 'name': 'stage', 'entry': 'main'");
        text.replace("SIZE", "'dtype': 'i8', 'shape': [64]");
        return test::writtenFile(folder, QString::fromLatin1(name), text.replace('\'', '"'));
    };
    put("s0.json", "{PROGRAM, 'functions': [{'name': 'main', 'inputs': ['x'], 'outputs': ['t'], 'tensors': ["
                   "{'name': 'x', 'kind': 'input', SIZE}, {'name': 'v', 'alias_of': 'x', SIZE},"
                   "{'name': 't', 'kind': 'output', SIZE}], 'ops': ["
                   "{'name': 'view', 'kind': 'view', 'inputs': ['x'], 'outputs': ['v']},"
                   "{'name': 'f', 'kind': 'f', 'inputs': ['v'], 'outputs': ['t']}]}]}");
    put("s1.json", "{PROGRAM, 'functions': [{'name': 'main', 'inputs': ['t', 'x'], 'outputs': ['w'], 'tensors': ["
                   "{'name': 't', 'kind': 'input', SIZE}, {'name': 'x', 'kind': 'input', SIZE}, {'name': 'u', SIZE},"
                   "{'name': 'w', 'kind': 'output', SIZE}], 'ops': ["
                   "{'name': 'g', 'kind': 'g', 'inputs': ['t', 'x'], 'outputs': ['u']},"
                   "{'name': 'h', 'kind': 'h', 'inputs': ['u'], 'outputs': ['w']}]}]}");
    put("s2.json", "{PROGRAM, 'functions': [{'name': 'main', 'inputs': ['w'], 'outputs': ['y'], 'tensors': ["
                   "{'name': 'w', 'kind': 'input', SIZE}, {'name': 'z', SIZE}, {'name': 'y', 'kind': 'output', SIZE}], 'ops': ["
                   "{'name': 'i', 'kind': 'i', 'inputs': ['w'], 'outputs': ['z']},"
                   "{'name': 'j', 'kind': 'j', 'inputs': ['z'], 'outputs': ['y']}]}]}");
    QByteArray text = "{'param_connection': [], 'input_connection': ["
                      "{'global_interface_name': 'x', 'mod_idx': 0, 'module_interface_name': 'x'},"
                      "{'global_interface_name': 'x', 'mod_idx': 1, 'module_interface_name': 'x'}], 'module_connection': [";
    pipeline::DeviceSet devices;
    const char* const takers[] = {"'mod_idx': 1, 'input_name': 't'", "'mod_idx': 2, 'input_name': 'w'",
                                  "'global_output_index': 0"};
    for (std::size_t i = 0; i < 3; ++i) {
        devices.devices.push_back(pipeline::plainDevice(i));
        QByteArray module = "{'mod_idx': N, 'output': [{'output_idx': 0, 'dependencies': [{TO}]}],"
                            "'x-stowage': {'program': 'sN.json', 'device': 'DEVICE', 'cost_us': 10}}";
        module.replace("N", QByteArray::number(int(i))).replace("TO", takers[i]);
        text += module.replace("DEVICE", QByteArray::fromStdString(devices.devices.back().name)) + (i < 2 ? "," : "]");
    }
    return put("pipeline.json",
               text + ", 'x-stowage': {'devices': " + QByteArray::fromStdString(io::writeDevices(devices)) + "}}");
}

/// Opens the model, pins its first buffer, and closes the window.
bool leftWithAPin(const QString& path)
{
    Desk desk;
    if (!modelOpened(desk, path)) return false;
    desk.workspace().setPin({"a", desk.workspace().pools().front().name, 64});
    const bool planned = modelShown(desk, path) && desk.workspace().run()->report.verdict.valid();
    desk.window->close();
    return planned;
}

} // namespace

class WindowSessionsTest : public QObject {
    Q_OBJECT

    test::OwnSettings settings_;
    QTemporaryDir folder_;

    QString file(const QString& name, const QByteArray& text) { return test::writtenFile(folder_, name, text); }

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void cleanup()
    {
        QSettings().clear();
        QFile::remove(SessionKeeper::autosaveFile());
    }

    void aSessionBringsTheDeskBackWithoutPlanning()
    {
        QVERIFY(QFile::copy(test::sample("mobilenet_v1_025"), folder_.filePath(QStringLiteral("net.json"))));
        const QString csv = file(QStringLiteral("three.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n");
        const QString stow = folder_.filePath(QStringLiteral("desk.stow"));
        Bytes size = 0;
        ViewRange range;
        {
            Desk desk;
            desk.window->openFiles({csv});
            QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000));
            desk.window->openFiles({folder_.filePath(QStringLiteral("net.json"))});
            QVERIFY(QTest::qWaitFor(
                [&] { return desk.idle() && desk.workspace().run() && desk.workspace().model()->path.endsWith(u"net.json"); },
                20'000));
            Workspace& desk_ = desk.workspace();
            desk_.edits().setCapacity(0, 120'000);
            desk_.planners().setTicked("exact", true);
            desk_.edits().setNote({0, "arena", 3, 4096, QStringLiteral("look here")});
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
            desk_.showRun(desk_.shown().runOf("greedy-by-size")->id);
            const Run& run = *desk_.run();
            desk_.setPin({run.problem().buffers[0].name, "arena", run.plan.placements[0].offset});
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
            size = desk_.run()->report.totalSize();
            auto* map = desk.show<View>("memory-map");
            QTRY_VERIFY(map->canvas()->scene());
            ViewRange closer = map->canvas()->range();
            closer.steps.begin = {4, 0};
            closer.steps.span = 10;
            map->canvas()->go(closer);
            range = map->canvas()->range();
            desk.window->saveSession(stow);
            QTRY_VERIFY_WITH_TIMEOUT(desk.find<ErrorCard>("errorCard")->isVisible(), 20'000);
            QVERIFY(desk.find<ErrorCard>("errorCard")->notice().good);
        }
        const QByteArray text = test::contentsOf(stow);
        QVERIFY(text.contains("\"stowage.session/1\""));
        QVERIFY(text.contains("\"path\": \"net.json\"")); // relative: the folder may move
        QVERIFY(!text.contains("\"path\": \"/"));

        Desk desk;
        int started = 0;
        connect(&desk.session, &Session::jobChanged, &desk.session, [&] { ++started; });
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(QTest::qWaitFor([&] { return desk.session.models().size() == 2 && desk.idle(); }, 20'000));
        Workspace& workspace = desk.workspace();
        QTRY_VERIFY(workspace.model() && workspace.model()->path.endsWith(u"net.json"));
        QCOMPARE(started, 0); // the plans are those of the file, judged again
        QVERIFY(workspace.run());
        QCOMPARE(workspace.run()->report.totalSize(), size);
        QVERIFY(workspace.run()->report.verdict.valid());
        QCOMPARE(workspace.pools().front().capacity, std::optional<Bytes>(120'000));
        QVERIFY(workspace.planners().ticked("exact"));
        QCOMPARE(workspace.edits().setup().pins.size(), std::size_t(1));
        QCOMPARE(workspace.notes().size(), std::size_t(1));
        QCOMPARE(workspace.notes().front().text, QStringLiteral("look here"));
        auto* map = desk.window->views().currentView();
        QTRY_VERIFY(map->canvas() && map->canvas()->scene() &&
                    std::abs(map->canvas()->range().steps.span - range.steps.span) < 1e-6);
        QCOMPARE(map->canvas()->range().steps.begin.whole, range.steps.begin.whole);
        const auto* tabs = desk.find<QTabBar>("viewTabs");
        for (int i = 0, end = 0; i < tabs->count(); ++i) {
            if (!tabs->isTabVisible(i)) continue;
            QVERIFY2(tabs->tabRect(i).left() >= end && tabs->tabRect(i).width() > 20, qPrintable(tabs->tabText(i)));
            end = tabs->tabRect(i).right();
        }
        if (const QString to = qEnvironmentVariable("STOWAGE_SHOTS"); !to.isEmpty()) {
            QTest::qWait(300);
            desk.window->grab().save(to + "/session.png");
        }
        workspace.plan();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && started > 0, 30'000);
    }

    /// The autosave is there without being asked; a program that is killed leaves it as it was.
    void theDeskIsKeptWithoutBeingAsked()
    {
        {
            Desk desk;
            QVERIFY(desk.open("mobilenet_v1_025"));
            QTRY_VERIFY_WITH_TIMEOUT(test::contentsOf(SessionKeeper::autosaveFile()).contains("\"runs\": ["), 10'000);
            // No end of the program: the window is not closed.
        }
        const auto kept = SessionKeeper::read(SessionKeeper::autosaveFile());
        QVERIFY(kept);
        QCOMPARE(kept->models.size(), std::size_t(1));
        QVERIFY(!kept->models.front().runs.empty());
        Desk desk;
        desk.window->reopenLast();
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000));
        QVERIFY(desk.workspace().model()->path.endsWith(u"mobilenet_v1_025.json"));
    }

    void aModelThatHasChangedSinceKeepsNoOldPlan()
    {
        const QString csv = file(QStringLiteral("model.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,20\n");
        const QString stow = folder_.filePath(QStringLiteral("changed.stow"));
        {
            Desk desk;
            desk.window->openFiles({csv});
            QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000));
            desk.window->saveSession(stow);
            QTRY_VERIFY(QFile::exists(stow));
        }
        file(QStringLiteral("model.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,24\n");
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().model(); }, 20'000));
        QVERIFY(!desk.workspace().run());
        QTRY_VERIFY(desk.window->errorCard().isVisible() && desk.window->errorCard().notice().title.endsWith(u"has changed"));
    }

    /// The window does not wait for the hash of a file. It is there some time after the file is open, in the autosave, too.
    void hashesComeBesideTheReading()
    {
        const QString first = file(QStringLiteral("first.csv"), "id,lower,upper,size\na,0,2,10\n"),
                      large = file(QStringLiteral("large.csv"), "id,lower,upper,size\na,0,2,10\n" + QByteArray(32 << 20, '\n'));
        Desk desk;
        OpenModels& models = desk.workspace().models();
        desk.window->openFiles({large, first});
        for (const auto& [id, path] : models.opening()) QVERIFY(!models.hashOf(id));
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.session.models().size() == 2; }, 60'000));
        for (const int id : desk.session.models()) {
            QTRY_VERIFY_WITH_TIMEOUT(models.hashOf(id), 60'000);
            QCOMPARE(*models.hashOf(id), fileHash(desk.session.model(id)->path));
        }
        QTRY_VERIFY_WITH_TIMEOUT(test::contentsOf(SessionKeeper::autosaveFile()).count("\"sha256\"") == 2, 20'000);

        // What is closed while its hash is worked out has none, and does not keep the next one waiting.
        const int before = int(desk.session.models().size());
        desk.window->openFiles({file(QStringLiteral("gone.csv"), "id,lower,upper,size\n" + QByteArray(32 << 20, '\n')),
                                file(QStringLiteral("next.csv"), "id,lower,upper,size\na,0,2,10\n")});
        const int gone = models.opening().begin()->first;
        models.cancelOpening(gone);
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && int(desk.session.models().size()) == before + 1; }, 60'000));
        QTRY_VERIFY_WITH_TIMEOUT(models.hashOf(desk.session.models().back()), 60'000);
        QVERIFY(!models.hashOf(gone));
    }

    /// A window that is closed while it reads its files has shown nothing of them, and they are there at the next start.
    void whatIsStillBeingReadIsKept()
    {
        QVERIFY(leftWithAPin(file(QStringLiteral("early.csv"), two)));
        {
            Desk desk;
            desk.window->reopenLast();
            QCOMPARE(desk.workspace().models().opening().size(), std::size_t(1));
            desk.window->close(); // at once: no answer has come
            QVERIFY(desk.session.models().empty());
        }
        Desk desk;
        desk.window->reopenLast();
        QVERIFY(modelShown(desk));
        QCOMPARE(desk.workspace().edits().setup().pins.size(), std::size_t(1));
        QCOMPARE(desk.workspace().run()->plan.placements[0].offset, Bytes(64));
    }

    /// A file that is away for a while (a share that is not mounted) has its edits and plans when it is back, in the same start
    /// and in a later one.
    void aFileThatIsAwayIsKept()
    {
        const QString csv = file(QStringLiteral("away.csv"), two), elsewhere = folder_.filePath(QStringLiteral("elsewhere.csv"));
        QVERIFY(leftWithAPin(csv));
        QVERIFY(QFile::rename(csv, elsewhere));
        for (const bool byHand : {false, true}) {
            Desk desk;
            desk.window->reopenLast();
            QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().models().failures().size(), std::size_t(1), 20'000);
            desk.window->keeper().autosave();
            const auto kept = SessionKeeper::read(SessionKeeper::autosaveFile());
            QVERIFY(kept);
            QCOMPARE(kept->models.size(), std::size_t(1));
            QCOMPARE(kept->models.front().pins.size(), std::size_t(1));
            QVERIFY(!kept->models.front().runs.empty());
            if (!byHand) continue;
            QVERIFY(QFile::rename(elsewhere, csv));
            QVERIFY(modelOpened(desk, csv));
            QVERIFY(desk.workspace().models().failures().empty());
            QCOMPARE(desk.workspace().edits().setup().pins.size(), std::size_t(1));
            // What the user does not want any more is in no session: the model is closed.
            desk.workspace().closeModel(desk.workspace().modelId());
            desk.window->keeper().autosave();
            QVERIFY(SessionKeeper::read(SessionKeeper::autosaveFile())->models.empty());
        }
    }

    /// Opened with wishes of its own (the target of a sample), such a file still has its saved state if it is not read again.
    void aFailureKeepsItsStateUntilTheFileIsRead()
    {
        const QString csv = file(QStringLiteral("wished.csv"), two), elsewhere = folder_.filePath(QStringLiteral("aside.csv"));
        QVERIFY(leftWithAPin(csv));
        QVERIFY(QFile::rename(csv, elsewhere));
        Desk desk;
        desk.window->reopenLast();
        OpenModels& models = desk.workspace().models();
        QTRY_COMPARE_WITH_TIMEOUT(models.failures().size(), std::size_t(1), 20'000);
        OpenIntent wish;
        wish.target = QStringLiteral("esp32-s3");
        for (int round = 0; round < 2; ++round) {
            const int before = models.failures().front().id;
            desk.workspace().open(csv, wish);
            QCOMPARE(models.failures().size(), std::size_t(1));
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && models.failures().front().id != before, 20'000);
            QCOMPARE(models.failures().size(), std::size_t(1));
            QCOMPARE(models.waiting().size(), std::size_t(1));
            QCOMPARE(models.waiting().front().kept->pins.size(), std::size_t(1));
        }
        QVERIFY(QFile::rename(elsewhere, csv));
        desk.workspace().open(csv, wish);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().model(), 20'000);
        QVERIFY(models.failures().empty() && models.waiting().empty());
        QCOMPARE(desk.workspace().target().name, wish.target);
        QVERIFY(desk.workspace().edits().setup().pins.empty());
    }

    /// A file that no session holds is in the autosave once it has been read; until then that of the last start stays.
    void aFirstReadingLeavesTheLastSessionAlone()
    {
        const QString csv = file(QStringLiteral("stays.csv"), two);
        QVERIFY(leftWithAPin(csv));
        {
            Desk desk;
            desk.window->openFiles({file(QStringLiteral("unread.csv"), two)});
            desk.window->close(); // at once: no answer has come
        }
        const auto kept = SessionKeeper::read(SessionKeeper::autosaveFile());
        QVERIFY(kept);
        QCOMPARE(kept->models.size(), std::size_t(1));
        QCOMPARE(kept->models.front().path, csv.toStdString());
    }

    /// Without the setting "Reopen the last session" the window starts empty, and the command still finds the session.
    void theLastSessionIsThereUntilAModelIsOpened()
    {
        const QString csv = file(QStringLiteral("last.csv"), two);
        QVERIFY(leftWithAPin(csv));
        Desk desk;
        desk.workspace().planners().setSeed(3);
        desk.window->keeper().autosave();
        desk.trigger("file.reopen");
        QVERIFY(modelShown(desk, csv));
        QCOMPARE(desk.workspace().edits().setup().pins.size(), std::size_t(1));
    }

    void aSessionHidesNoNoteOfAFile()
    {
        const QString csv = file(QStringLiteral("noted.csv"), two), stow = folder_.filePath(QStringLiteral("noted.stow"));
        {
            Desk desk;
            QVERIFY(modelOpened(desk, csv));
            desk.workspace().edits().setNote({0, "", 2, 0, QStringLiteral("of both")});
            desk.workspace().edits().setNote({0, "", 3, 0, QStringLiteral("as it was")});
            QVERIFY(sessionSaved(desk, stow));
            MapNote changed = desk.workspace().notes().back();
            changed.text = QStringLiteral("as it is");
            desk.workspace().edits().setNote(changed);
            desk.workspace().edits().setNote({0, "", 1, 0, QStringLiteral("of the file")});
        }
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(modelShown(desk, csv));
        QCOMPARE(desk.workspace().notes().size(), std::size_t(3)); // none is there twice
        desk.workspace().edits().setNote({0, "", 0, 0, QStringLiteral("another one")});
        QStringList texts;
        for (const MapNote& note : KeptNotes::of(csv)) texts << note.text;
        texts.sort();
        QCOMPARE(texts, (QStringList{"another one", "as it is", "of both", "of the file"}));
    }

    /// Of two runs of one planner with equal plans, the one that was shown is shown again.
    void theShownRunIsKnownByMoreThanItsPlanner()
    {
        const QString csv = file(QStringLiteral("seeds.csv"), two), stow = folder_.filePath(QStringLiteral("seeds.stow"));
        const auto shownSeed = [](Desk& desk) { return desk.session.run(desk.workspace().shownRun())->request.seed; };
        for (const std::uint64_t seed : {0, 1}) {
            {
                Desk desk;
                QVERIFY(modelOpened(desk, csv)); // with seed 0
                desk.workspace().planners().setSeed(1);
                desk.workspace().plannings().planOnly("naive", false);
                QVERIFY(modelShown(desk));
                for (const RunEntry* entry : desk.workspace().runs())
                    if (entry->request.planner == "naive" && entry->request.seed == seed) {
                        desk.workspace().showRun(entry->id);
                        break;
                    }
                QCOMPARE(shownSeed(desk), seed);
                QVERIFY(sessionSaved(desk, stow));
            }
            Desk desk;
            QVERIFY(desk.window->openSession(stow));
            QVERIFY(modelShown(desk, csv));
            QCOMPARE(desk.workspace().run()->plan.planner, std::string("naive"));
            QCOMPARE(shownSeed(desk), seed);
        }
    }

    /// The zoom is that of the model in front, whichever of the files is read first; planners' options and panels are those of
    /// the session alone.
    void aSessionReplacesTheStateOfTheWindow()
    {
        const QString quick = file(QStringLiteral("quick.csv"), two), stow = folder_.filePath(QStringLiteral("window.stow"));
        QByteArray rows = "id,lower,upper,size\n";
        for (int i = 0; i < 40; ++i)
            rows += QByteArray::number(i) + ',' + QByteArray::number(i) + ',' + QByteArray::number(i + 2) + ",64\n";
        const QString slow = file(QStringLiteral("slow.csv"), rows + QByteArray(32 << 20, '\n'));
        ViewRange range;
        {
            Desk desk;
            QVERIFY(modelOpened(desk, quick));
            QVERIFY(modelOpened(desk, slow));
            auto* map = desk.show<View>("memory-map");
            desk.trigger("view.inspector"); // away from the map
            QTest::qWait(50);
            QTRY_VERIFY(map->canvas()->scene() && map->canvas()->ready());
            ViewRange closer = map->canvas()->range();
            closer.steps.begin = {4, 0};
            closer.steps.span = 10;
            map->canvas()->go(closer);
            range = map->canvas()->range();
            QVERIFY(sessionSaved(desk, stow));
        }
        Desk desk;
        desk.workspace().planners().applyOption("exact", "goal", std::string("fit"));
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(desk.workspace().planners().options("exact").empty());
        QVERIFY(modelShown(desk, slow));
        const Canvas* canvas = desk.window->views().currentView()->canvas();
        QTRY_VERIFY(canvas->scene() && std::abs(canvas->range().steps.span - range.steps.span) < 1e-6);
        QCOMPARE(canvas->range().steps.begin.whole, range.steps.begin.whole);
        QVERIFY(!desk.find<QWidget>("inspector")->isVisible());
    }

    void devicesAndStagesAreInASession()
    {
        const QString stow = folder_.filePath(QStringLiteral("stages.stow"));
        PipelineDesk::Setup before;
        const auto settled = [](PipelineView* view) {
            return view && QTest::qWaitFor([&] { return !view->desk().splitting() && view->canvas()->scene(); }, 60'000);
        };
        {
            Desk desk;
            QVERIFY(desk.open("mobilenet_v1_025"));
            auto* view = desk.show<PipelineView>("pipeline");
            PipelineDesk::Setup next;
            next.devices.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
            view->desk().change(next, QStringLiteral("Choose devices"));
            QVERIFY(settled(view));
            next.placement = view->desk().placement();
            next.placement->cuts.front() -= 3; // a chain of ops: every cut is allowed
            view->desk().change(next, QStringLiteral("Move a border"));
            QVERIFY(settled(view));
            before = view->desk().setup();
            QVERIFY(before == next);
            QVERIFY(sessionSaved(desk, stow));
        }
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(modelShown(desk));
        auto* view = desk.show<PipelineView>("pipeline");
        QVERIFY(settled(view));
        QVERIFY(view->desk().setup() == before);
        QCOMPARE(view->desk().answer()->split.stages[1].begin, before.placement->cuts.front());
    }

    /// Stages of a file are edited: its other cuts stay, when it is read again and in a session.
    void editedStagesOfAFileStay()
    {
        const QTemporaryDir folder;
        const QString config = writtenPipeline(folder), stow = folder.filePath(QStringLiteral("pipeline.stow"));
        using Cuts = std::vector<std::size_t>;
        PipelineDesk::Setup edited;
        const auto settled = [](PipelineView* view) {
            return view &&
                   QTest::qWaitFor([&] { return !view->desk().splitting() && view->desk().answer() && view->canvas()->scene(); },
                                   60'000);
        };
        {
            Desk desk;
            QVERIFY(modelOpened(desk, config));
            auto* view = desk.show<PipelineView>("pipeline");
            QVERIFY(settled(view));
            QVERIFY(!pipeline::CutMap(*desk.workspace().model()->program).allowed(2));
            QCOMPARE(view->desk().placement().cuts, (Cuts{2, 4}));
            view->desk().moveBorder(1, 5);
            QVERIFY(settled(view));
            QCOMPARE(view->desk().placement().cuts, (Cuts{2, 5}));
            edited = view->desk().setup();
            const int before = desk.workspace().modelId();
            desk.workspace().reload();
            QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != before && desk.idle(), 20'000);
            QVERIFY(settled(view));
            QCOMPARE(view->desk().placement().cuts, (Cuts{2, 5}));
            QVERIFY(view->desk().setup() == edited);
            QVERIFY(sessionSaved(desk, stow));
        }
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QVERIFY(modelShown(desk, config));
        auto* view = desk.show<PipelineView>("pipeline");
        QVERIFY(settled(view));
        QCOMPARE(view->desk().placement().cuts, (Cuts{2, 5}));
        QVERIFY(view->desk().setup() == edited);
        // A cut that neither the file has nor a split allows.
        edited.placement->cuts = {1, 5};
        view->desk().change(edited, QStringLiteral("Move a border"));
        QVERIFY(settled(view));
        QVERIFY(!view->desk().setup().placement);
        QCOMPARE(view->desk().said(), QStringLiteral("The chosen stages do not fit this model, so the best ones are shown."));
    }

    void aSessionThatIsNoneSaysWhere()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(!desk.window->openSession(file(QStringLiteral("bad.stow"), unknownField)));
        auto* card = desk.find<ErrorCard>("errorCard");
        QVERIFY(card->isVisible() && card->details().contains(QStringLiteral("execute")));
        QVERIFY(card->notice().what.where.line == 1);
        QVERIFY(desk.workspace().run()); // nothing is lost
        QVERIFY(!desk.window->openSession(folder_.filePath(QStringLiteral("none.stow"))));
    }

    void aFileThatChangesIsReadAgainOnAClick()
    {
        const QString csv = file(QStringLiteral("live.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,20\n");
        Desk desk;
        desk.window->openFiles({csv});
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000));
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(30));
        file(QStringLiteral("live.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,26\n");
        auto* card = desk.find<ErrorCard>("errorCard");
        QTRY_VERIFY_WITH_TIMEOUT(card->isVisible(), 10'000);
        QCOMPARE(card->notice().title, QStringLiteral("live.csv has changed"));
        if (const QString to = qEnvironmentVariable("STOWAGE_SHOTS"); !to.isEmpty())
            desk.window->grab().save(to + "/changed.png");
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(30)); // until the user asks for it
        for (QPushButton* button : card->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Reload")) button->click();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->report.totalSize() == 36,
                                 20'000);
        // With the setting nobody is asked.
        desk.trigger("file.reload-changed");
        QVERIFY(desk.window->fileWatch().reloads());
        file(QStringLiteral("live.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,30\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->report.totalSize() == 40,
                                 20'000);
    }

    /// A program that deletes its output before it makes the next one.
    void aFileThatIsGoneForAWhileIsWatchedAgain()
    {
        const QString csv = file(QStringLiteral("made.csv"), two);
        Desk desk;
        QVERIFY(modelOpened(desk, csv));
        desk.window->fileWatch().setReloads(true);
        QVERIFY(QFile::remove(csv));
        const auto* again = desk.window->fileWatch().findChild<QTimer*>(QStringLiteral("lookAgain"));
        QVERIFY(again);
        QTRY_COMPARE_WITH_TIMEOUT(again->interval(), 4000, 20'000); // looked twice in vain: less and less often
        QVERIFY(again->isActive());
        QCOMPARE(desk.workspace().run()->report.totalSize(), Bytes(30));
        file(QStringLiteral("made.csv"), "id,lower,upper,size\na,0,2,10\nb,1,3,26\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->report.totalSize() == 36,
                                 20'000);
        QVERIFY(!again->isActive());
    }
};

QTEST_MAIN(WindowSessionsTest)
#include "tst_window_sessions.moc"
