// Closing the window ends the process, whatever is under way. Each case is a process of its own: this program again, with the
// name of the case in the environment; it opens a window, begins something that takes minutes, and quits as Ctrl+Q does.
#include "app/canvas/kit/background_pool.h"
#include "app/desktop/panels/changes_list.h"
#include "app/desktop/panels/reorder_card.h"
#include "app/desktop/shell/last_window.h"
#include "app/desktop/views/fit_view.h"
#include "app/desktop/views/fold_view.h"
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/views/regression_view.h"
#include "app/desktop/views/robustness_view.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/map_widget.h"
#include "app/session/session.h"
#include "tests/desktop/desk.h"
#include "tests/support/instrumented.h"
#include "tests/support/written_file.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSemaphore>
#include <QStringView>
#include <QTest>
#include <QThreadPool>
#include <QTimer>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <sys/stat.h>
#include <vector>

using namespace stowage;
using test::Desk;

namespace {

constexpr const char* caseVariable = "STOWAGE_QUIT_CASE";
constexpr QStringView workerName = u"stowage-worker";
constexpr const char* closedLine = "closed";
constexpr const char* lastLine = "all is gone"; ///< of a case that ends by itself: window, session and application are destroyed

constexpr qint64 maxSize = 5000; ///< of a buffer of `hardRows`

struct HardRow {
    std::uint32_t first = 0;
    std::uint32_t last = 0; ///< inclusive
    std::uint32_t size = 0;
};

/// Buffers that overlap at random: no planner proves anything about them in the time of this test.
std::vector<HardRow> hardRows(int buffers)
{
    std::vector<HardRow> rows(static_cast<std::size_t>(buffers));
    std::uint32_t state = 1;
    const auto next = [&](std::uint32_t below) { return (state = state * 1664525U + 1013904223U) / 65536U % below; };
    for (HardRow& row : rows) {
        row.first = next(2000);
        row.last = row.first + next(300);
        row.size = 1 + next(std::uint32_t(maxSize));
    }
    return rows;
}

QByteArray hardProblem(int buffers)
{
    QByteArray text = "id,lower,upper,size\n";
    int id = 0;
    for (const HardRow& row : hardRows(buffers))
        text += QByteArray::number(id++) + ',' + QByteArray::number(row.first) + ',' + QByteArray::number(row.last + 1) + ',' +
                QByteArray::number(row.size) + '\n';
    return text;
}

/// XLA's plan of the same buffers, one after another: read by the worker, and laid beside the problem where that is open.
QByteArray hardDump(int buffers)
{
    QByteArray values =
        "BufferAssignment:\nallocation 0: size " + QByteArray::number(buffers * maxSize) + ", preallocated-temp:\n";
    QByteArray ranges = "\nHloLiveRange (max 2300):\n  BufferLiveRange:\n";
    qint64 id = 0;
    for (const HardRow& row : hardRows(buffers)) {
        const QByteArray name = QByteArray::number(id);
        values += " value: <" + name + ' ' + name + " @0> (size=" + QByteArray::number(row.size) +
                  ",offset=" + QByteArray::number(id * maxSize) + "): u8[]\n";
        ranges += "    " + name + "{}:" + QByteArray::number(row.first) + '-' + QByteArray::number(row.last) + '\n';
        ++id;
    }
    return values + ranges;
}

/// `branches` chains of `length` ops each between one input and one output: any interleaving of them is an order.
QByteArray wideProgram(int branches, int length)
{
    QString tensors = QStringLiteral("{'name': 'x', 'kind': 'input', 'dtype': 'f32', 'shape': [64]}");
    QStringList ops, ends;
    for (int b = 0; b < branches; ++b) {
        QString before = QStringLiteral("x");
        for (int i = 0; i < length; ++i) {
            const QString name = QStringLiteral("t%1_%2").arg(b).arg(i);
            tensors += QStringLiteral(", {'name': '%1', 'dtype': 'f32', 'shape': [%2]}")
                           .arg(name)
                           .arg(1 + (b * 7919 + i * 104729) % 997);
            ops << QStringLiteral("{'name': 'op %2', 'kind': 'conv', 'inputs': ['%1'], 'outputs': ['%2']}").arg(before, name);
            before = name;
        }
        ends << QStringLiteral("'%1'").arg(before);
    }
    ops << QStringLiteral("{'name': 'join', 'kind': 'concat', 'inputs': [%1], 'outputs': ['y']}").arg(ends.join(u','));
    QString text =
        QStringLiteral("{'format': 'stowage.program/1', 'name': 'wide', 'entry': 'main', 'functions': [{'name': 'main', "
                       "'inputs': ['x'], 'outputs': ['y'], 'tensors': [%1, {'name': 'y', 'kind': 'output', "
                       "'dtype': 'f32', 'shape': [64]}], 'ops': [%2]}]}")
            .arg(tensors, ops.join(u','));
    return text.replace(u'\'', u'"').toUtf8();
}

/// Processes whose environment says that they are of this case, and whose program has a name that begins with `program`.
int processesOf(const QString& name, QStringView program = {})
{
    int count = 0;
    const QByteArray mark = QByteArray(caseVariable) + '=' + name.toUtf8();
    for (const QString& process : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        if (!process.front().isDigit()) continue;
        const QString folder = QStringLiteral("/proc/") + process;
        QFile environment(folder + QStringLiteral("/environ"));
        if (!QFileInfo(QFile::symLinkTarget(folder + QStringLiteral("/exe"))).fileName().startsWith(program)) continue;
        if (environment.open(QIODevice::ReadOnly)) count += int(environment.readAll().split('\0').contains(mark));
    }
    return count;
}

/// Runs `begin` once the model is planned, and quits once `underWay` says yes. What was over before that was seen is begun
/// again after a while: `begin` may be called several times.
struct Case {
    QString file;
    std::function<void(Desk&)> begin;
    std::function<bool(Desk&)> underWay;
};

/// The child's part.
int quitting(const QString& name)
{
    QTemporaryDir folder;
    const auto put = [&](const char* file, const QByteArray& text) {
        QFile made(folder.filePath(QString::fromUtf8(file)));
        return made.open(QIODevice::WriteOnly) && made.write(text) == text.size() ? made.fileName() : QString();
    };
    const auto always = [](Desk&) { return true; };
    const auto planning = [](Desk& desk) { return desk.workspace().busy(); };
    const auto planExact = [](Desk& desk) {
        desk.workspace().planners().setTimeLimitSeconds(600);
        desk.workspace().plannings().planOnly("exact");
    };
    std::map<QString, Case> cases;
    cases["nothing"] = {test::sample("mobilenet_v1_025"), [](Desk&) {}, always};
    cases["planning"] = {put("hard.csv", hardProblem(5000)), planExact, planning};
    cases["planning several"] = {put("several.csv", hardProblem(5000)),
                                 [](Desk& desk) {
                                     desk.workspace().planners().setTimeLimitSeconds(600);
                                     desk.workspace().planners().setAllTicked(true);
                                     desk.workspace().plan();
                                 },
                                 planning};
    cases["recording"] = {put("recorded.csv", hardProblem(5000)),
                          [](Desk& desk) {
                              desk.workspace().planners().setTimeLimitSeconds(600);
                              desk.workspace().plannings().planRecorded("exact");
                          },
                          planning};
    const int rows = test::instrumented ? 500'000 : 2'000'000; // read in seconds
    cases["import"] = {test::sample("mobilenet_v1_025"),
                       [&](Desk& desk) { desk.workspace().open(put("large.csv", hardProblem(rows))); },
                       [](Desk& desk) { return !desk.workspace().models().opening().empty(); }};
    cases["import by the worker"] = {
        test::sample("mobilenet_v1_025"), [&](Desk& desk) { desk.workspace().open(put("large.txt", hardDump(rows / 4))); },
        [&](Desk& desk) { return !desk.workspace().models().opening().empty() && processesOf(name, workerName) > 0; }};
    // A planner that is a program, with a process of its own; it says so once both run.
    const QString started = folder.filePath(QStringLiteral("programs/started"));
    if (!QDir(folder.path()).mkdir(QStringLiteral("programs"))) return 3;
    put("programs/slow.json", R"({"id": "slow", "name": "Slow", "protocol": 1, "transport": "csv-oneshot",
        "argv": ["sh", "{dir}/slow.sh"]})");
    put("programs/slow.sh", "sleep 600 & echo begun > '" + started.toUtf8() + "'\nsleep 600\n");
    cases["a planner's program"] = {test::sample("mobilenet_v1_025"),
                                    [&](Desk& desk) {
                                        QFile::remove(started);
                                        desk.workspace().planners().setTimeLimitSeconds(600);
                                        desk.workspace().plannings().planOnly("slow");
                                    },
                                    [&](Desk&) { return QFileInfo(started).size() > 0; }};
    if (name == u"a planner's program") qputenv("STOWAGE_PLUGIN_PATH", QFileInfo(started).path().toUtf8());
    // The layout is made by a worker, a process of its own.
    int laidOut = 0;
    cases["graph layout"] = {test::sample("mobilenet_v1_025"),
                             [&](Desk& desk) {
                                 // As many ops as are drawn one by one: seconds. Another name each time, as layouts are kept.
                                 const QByteArray file = "laid out " + QByteArray::number(++laidOut) + ".json";
                                 desk.workspace().open(put(file.constData(), wideProgram(28, 28)));
                             },
                             [&](Desk& desk) {
                                 const Model* model = desk.workspace().model();
                                 if (!model || !model->name.startsWith("laid out") || !desk.workspace().run()) return false;
                                 desk.window->views().setCurrent(QStringLiteral("graph"));
                                 return desk.window->views().currentView()->canvas()->waiting() &&
                                        processesOf(name, workerName) > 0;
                             }};
    cases["robustness"] = {put("robust.csv", hardProblem(5000)),
                           [](Desk& desk) {
                               auto* view = desk.show<RobustnessView>("robustness");
                               desk.window->findChild<QLineEdit*>("robustnessSeeds")->setText("1000");
                               desk.window->findChild<QLineEdit*>("robustnessWork")->setText("0");
                               view->start();
                           },
                           [](Desk& desk) {
                               auto* view = dynamic_cast<RobustnessView*>(desk.window->views().currentView());
                               return view && view->desk().running();
                           }};
    const QString large = put("compared.csv", hardProblem(100'000));
    // Another tool's plan of 100,000 buffers, which is read by the worker and then matched and checked off the window's thread.
    int laid = 0;
    cases["laying a plan beside"] = {large,
                                     [&](Desk& desk) {
                                         // Another name each time, as a file is open once.
                                         const QByteArray file = "laid " + QByteArray::number(++laid) + ".txt";
                                         desk.workspace().open(put(file.constData(), hardDump(100'000)));
                                     },
                                     [](Desk& desk) { return desk.workspace().beside().running(); }};
    // Maps of two runs side by side; scenes of 100,000 buffers are made off the window's thread.
    cases["comparison"] = {large, [](Desk& desk) { desk.window->views().setCurrent(QStringLiteral("compare")); },
                           [](Desk& desk) {
                               const auto maps = desk.window->views().currentView()->findChildren<MapWidget*>();
                               return std::ranges::any_of(maps, &MapWidget::waiting);
                           }};
    cases["reorder"] = {test::sample("mobilenet_v1_025"),
                        [&](Desk& desk) {
                            // Many branches that may be interleaved in any order: no search ends on it in this test's time.
                            desk.workspace().open(put("wide.json", wideProgram(24, 12)));
                        },
                        [](Desk& desk) {
                            auto* card = desk.window->findChild<ReorderCard*>();
                            if (!card && desk.workspace().model() && desk.workspace().model()->name.startsWith("wide"))
                                desk.trigger("plan.reorder");
                            card = desk.window->findChild<ReorderCard*>();
                            if (card && !card->busy() && !card->found()) card->start();
                            return card && card->busy();
                        }};
    // Nobody ever reads what is written there.
    const QString fifo = folder.filePath(QStringLiteral("fifo.png"));
    if (mkfifo(fifo.toUtf8().constData(), 0600) != 0) return 3;
    cases["export of a picture"] = {test::sample("mobilenet_v1_025"), [&](Desk& desk) { desk.window->exportPicture(fifo, 1); },
                                    always};
    cases["export of a report"] = {test::sample("mobilenet_v1_025"), [&](Desk& desk) { desk.window->exportReport(fifo); },
                                   always};
    cases["saving a session"] = {test::sample("mobilenet_v1_025"), [&](Desk& desk) { desk.window->saveSession(fifo); }, always};
    // Nobody ever writes there.
    const QString unwritten = folder.filePath(QStringLiteral("fifo.log"));
    if (mkfifo(unwritten.toUtf8().constData(), 0600) != 0) return 3;
    cases["reading a log"] = {test::sample("mobilenet_v1_025"),
                              [&](Desk& desk) { desk.workspace().beside().openRuntimeLog(unwritten); },
                              [](Desk& desk) { return desk.workspace().beside().running(); }};
    cases["pipeline split"] = {put("chains.json", wideProgram(24, 12)),
                               [](Desk& desk) {
                                   auto* view = desk.show<PipelineView>("pipeline");
                                   PipelineDesk::Setup setup = view->desk().setup();
                                   for (std::size_t i = 0; i < 8; ++i) setup.devices.devices.push_back(pipeline::plainDevice(i));
                                   view->desk().change(setup, QStringLiteral("Eight devices"));
                               },
                               always};
    cases["trade-off curve"] = {put("curved.json", wideProgram(28, 60)),
                                [](Desk& desk) {
                                    // The split is there soon: its stages have no limit of memory. The curve plans the memories
                                    // of many stages.
                                    auto* view = desk.show<PipelineView>("pipeline");
                                    PipelineDesk::Setup setup = view->desk().setup();
                                    for (std::size_t i = 0; i < 8; ++i) setup.devices.devices.push_back(pipeline::plainDevice(i));
                                    view->desk().change(setup, QStringLiteral("Eight more devices"));
                                },
                                [](Desk& desk) {
                                    auto* view = dynamic_cast<PipelineView*>(desk.window->views().currentView());
                                    return view && view->desk().findsCurve();
                                }};
    cases["fit"] = {put("fitted.csv", hardProblem(5000)),
                    [](Desk& desk) {
                        Target board;
                        board.name = QStringLiteral("board");
                        board.runtime = QStringLiteral("tflm");
                        desk.workspace().edits().setTarget(board);
                        desk.workspace().cancel(); // what the edit began
                        desk.show<FitView>("fit");
                    },
                    [](Desk& desk) {
                        auto* view = dynamic_cast<FitView*>(desk.window->views().currentView());
                        return view && view->desk().computing();
                    }};
    cases["suggested changes"] = {put("changed.json", wideProgram(12, 12)), [](Desk&) {},
                                  [](Desk& desk) {
                                      const auto lists = desk.window->findChildren<ChangesList*>();
                                      return std::ranges::any_of(lists, &ChangesList::busy);
                                  }};
    const QString suite = put("suite.json", R"({"format": "stowage.suite/1", "name": "s", "rows": [{"model": "rows.csv",)"
                                            R"( "planners": ["exact"], "time_limit": 600}]})");
    cases["a suite"] = {test::sample("mobilenet_v1_025"),
                        [&](Desk& desk) {
                            put("rows.csv", hardProblem(5000));
                            desk.window->openFiles({suite});
                        },
                        [](Desk& desk) {
                            auto* view = desk.show<RegressionView>("regression");
                            return view && view->desk().running();
                        }};
    // Large plans, which are checked beside the window's thread.
    cases["checking a session"] = {
        test::sample("mobilenet_v1_025"),
        [&](Desk& desk) {
            constexpr int buffers = 50'000;
            QByteArray placements, runs;
            for (int i = 0; i < buffers; ++i) {
                if (i > 0) placements += ", ";
                placements += "{\"buffer\": \"" + QByteArray::number(i) + "\", \"offset\": " + QByteArray::number(i * 5000) + "}";
            }
            for (int i = 0; i < 6; ++i) {
                if (i > 0) runs += ", ";
                runs +=
                    "{\"planner\": \"naive\", \"plan\": {\"format\": \"stowage.plan/1\", \"placements\": [" + placements + "]}}";
            }
            put("checked.csv", hardProblem(buffers));
            desk.window->openSession(put("checked.stow", "{\"format\": \"stowage.session/1\", \"files\": [{\"path\": "
                                                         "\"checked.csv\", \"runs\": [" +
                                                             runs + "]}]}"));
        },
        [](Desk& desk) { return !desk.session.models().empty() && desk.workspace().models().ids().empty(); }};
    const auto found = cases.find(name);
    if (found == cases.end()) return 3;

    Desk desk;
    desk.window->openFiles({found->second.file});
    QElapsedTimer begun;
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
        if (begun.isValid() ? begun.hasExpired(20'000) : desk.workspace().run() != nullptr) {
            desk.workspace().cancel();
            found->second.begin(desk);
            begun.start(); // now: what it begins with, such as the writing of a large file, may take longer than the while
            return;
        }
        if (!begun.isValid() || !found->second.underWay(desk)) return;
        watch.stop();
        std::puts("quitting");
        std::fflush(stdout);
        desk.trigger("file.quit");
    });
    watch.start(10);
    QObject::connect(qApp, &QGuiApplication::lastWindowClosed, qApp, [] {
        std::puts(closedLine);
        std::fflush(stdout);
    });
    endWithLastWindow(*qApp);
    return QApplication::exec();
}

/// A file that a view writes.
struct ViewFile {
    QString path;
    std::function<void()> write; ///< null: the view does not show what it writes
};

/// Opens a model or suite in `folder` and the view, without writing yet.
ViewFile fileOfView(Desk& desk, const QString& view, const QTemporaryDir& folder)
{
    const auto shows = [](const auto& shown) { return QTest::qWaitFor(shown, 60'000); };
    ViewFile file{folder.filePath(QStringLiteral("written")), {}};
    if (view == u"fold") {
        auto* fold = desk.open("mlp_packed_weights") ? desk.show<FoldView>("fold") : nullptr;
        if (fold && shows([&] { return fold->canvas()->scene() != nullptr; }))
            file.write = [fold, path = file.path] { fold->writeTo(path); };
    } else if (view == u"fit") {
        desk.window->openFiles({QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/doorbell.tflite")});
        const bool planned = shows([&] { return desk.idle() && desk.workspace().run(); });
        auto* fit = planned ? desk.show<FitView>("fit") : nullptr;
        if (fit && shows([&] { return fit->fit() != nullptr; }))
            file.write = [fit, path = file.path] { fit->desk().write(path); };
    } else {
        test::writtenFile(folder, QStringLiteral("row.csv"), "id,lower,upper,size\na,0,2,10\n");
        desk.window->openFiles({test::writtenFile(folder, QStringLiteral("asked.json"),
                                                  "{\"format\": \"stowage.suite/1\", \"name\": \"asked\", "
                                                  "\"rows\": [{\"model\": \"row.csv\", \"planners\": [\"naive\"]}]}")});
        auto* suite = desk.show<RegressionView>("regression");
        file.path = folder.filePath(QStringLiteral("asked.baseline.json"));
        if (suite && shows([&] { return !suite->desk().running() && suite->desk().regression(); }))
            file.write = [suite] { suite->desk().accept({}); };
    }
    return file;
}

} // namespace

class WindowQuitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// "Close now" leaves out the files of all views, also where their work has not begun yet.
    void whatIsNotWrittenWhenTheWindowClosesIsLeftOut_data()
    {
        QTest::addColumn<QString>("view");
        for (const char* view : {"fold", "fit", "regression"}) QTest::newRow(view) << QString::fromLatin1(view);
    }
    void whatIsNotWrittenWhenTheWindowClosesIsLeftOut()
    {
        QFETCH(const QString, view);
        const QTemporaryDir folder;
        Desk desk;
        const ViewFile file = fileOfView(desk, view, folder);
        QVERIFY(file.write);
        // No thread gets free before the window is closed.
        QThreadPool& pool = backgroundPool();
        const auto free = std::make_shared<QSemaphore>();
        const int threads = pool.maxThreadCount();
        for (int i = 0; i < threads; ++i) pool.start([free] { free->acquire(); });
        file.write();
        const bool asked = !desk.window->close();
        const auto buttons = desk.window->errorCard().findChildren<QPushButton*>();
        const auto now = std::ranges::find(buttons, QStringLiteral("Close now"), &QPushButton::text);
        if (now != buttons.end()) (*now)->click();
        const bool closed = !desk.window->isVisible();
        free->release(threads);
        pool.waitForDone();
        QVERIFY(asked && closed);
        QVERIFY(!QFile::exists(file.path));
    }

    void theProcessEndsWithItsWindow_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"nothing",
                                 "planning",
                                 "planning several",
                                 "recording",
                                 "import",
                                 "import by the worker",
                                 "a planner's program",
                                 "graph layout",
                                 "robustness",
                                 "laying a plan beside",
                                 "comparison",
                                 "reorder",
                                 "export of a picture",
                                 "export of a report",
                                 "saving a session",
                                 "reading a log",
                                 "pipeline split",
                                 "trade-off curve",
                                 "fit",
                                 "suggested changes",
                                 "a suite",
                                 "checking a session"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void theProcessEndsWithItsWindow()
    {
        QFETCH(QString, name);
        // On a machine that is busy with other things one of three is in time.
        constexpr qint64 limit = 1000;
        qint64 best = std::numeric_limits<qint64>::max();
        for (int attempt = 0; attempt < 3 && best > limit; ++attempt) {
            qint64 took = 0;
            quit(name, took);
            if (QTest::currentTestFailed()) return;
            best = std::min(best, took);
        }
        qInfo("ended %lld ms after the window was closed", static_cast<long long>(best));
        QVERIFY2(best <= limit, "the process outlives its window by more than a second");
    }

private:
    static void quit(const QString& name, qint64& took)
    {
        const QTemporaryDir scratch; // a process that ends without waiting for its jobs leaves its folders there
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromUtf8(caseVariable), name);
        environment.insert(QStringLiteral("TMPDIR"), scratch.path());
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::MergedChannels);
        child.start(QCoreApplication::applicationFilePath(), QStringList());
        QVERIFY(child.waitForStarted());
        QByteArray said;
        while (!said.contains("quitting")) {
            QVERIFY2(child.waitForReadyRead(120'000), said);
            said += child.readAll();
        }
        const auto readUntil = [&](const char* line) {
            while (!said.contains(line) && child.waitForReadyRead(15'000)) said += child.readAll();
        };
        QElapsedTimer clock;
        clock.start();
        // An instrumented program closes its window many times slower, and looks for leaks after its last line: neither counts.
        if (test::instrumented) {
            readUntil(closedLine);
            clock.restart();
            readUntil(lastLine); // or its end: what has not stopped in time ends with the process
            took = clock.elapsed();
        }
        // What was begun takes minutes: a process that waits for it, or for ever, does not end in this time.
        const bool ended = child.state() == QProcess::NotRunning || child.waitForFinished(15'000);
        if (!test::instrumented) took = clock.elapsed();
        if (!ended) child.kill();
        QVERIFY2(ended, "the window is gone, and the process stays");
        QVERIFY2(child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0, said + child.readAll());
        QTRY_COMPARE_WITH_TIMEOUT(processesOf(name), 0, 1000); // neither workers nor planners that are programs
    }
};

int main(int count, char** words)
{
    const QString name = qEnvironmentVariable(caseVariable);
    int status = 0;
    {
        QApplication application(count, words);
        const test::OwnSettings settings;
        if (name.isEmpty()) {
            WindowQuitTest test;
            return QTest::qExec(&test, count, words);
        }
        status = quitting(name);
    }
    std::puts(lastLine);
    std::fflush(stdout);
    return status;
}
#include "tst_window_quit.moc"
