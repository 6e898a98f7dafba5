// Closing the window ends the process, whatever is under way. Each case is a process of its own: this program again, with the
// name of the case in the environment; it opens a window, begins something that takes minutes, and quits as Ctrl+Q does.
#include "app/desktop/panels/reorder_card.h"
#include "app/desktop/shell/last_window.h"
#include "app/session/session.h"
#include "tests/desktop/desk.h"

#include <QFile>
#include <QProcess>
#include <QTest>
#include <QTimer>

#include <cstdio>
#include <iterator>

using namespace stowage;
using test::Desk;

namespace {

constexpr const char* caseVariable = "STOWAGE_QUIT_CASE";

/// Ten thousand buffers that overlap at random: no planner proves anything about them in the time of this test.
QByteArray hardProblem(int buffers)
{
    QByteArray text = "id,lower,upper,size\n";
    std::uint32_t state = 1;
    const auto next = [&](std::uint32_t below) { return (state = state * 1664525U + 1013904223U) / 65536U % below; };
    for (int i = 0; i < buffers; ++i) {
        const auto begin = next(2000);
        text += QByteArray::number(i) + ',' + QByteArray::number(begin) + ',' + QByteArray::number(begin + 1 + next(300)) + ',' +
                QByteArray::number(1 + next(5000)) + '\n';
    }
    return text;
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

/// Runs `begin` once the model is planned, and quits once `underWay` says yes.
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
        desk.workspace().setTimeLimitSeconds(600);
        desk.workspace().planOnly("exact");
    };
    std::map<QString, Case> cases;
    cases["nothing"] = {test::sample("mobilenet_v1_025"), [](Desk&) {}, always};
    cases["planning"] = {put("hard.csv", hardProblem(5000)), planExact, planning};
    cases["planning several"] = {put("several.csv", hardProblem(5000)),
                                 [](Desk& desk) {
                                     desk.workspace().setTimeLimitSeconds(600);
                                     desk.workspace().setAllTicked(true);
                                     desk.workspace().plan();
                                 },
                                 planning};
    cases["recording"] = {put("recorded.csv", hardProblem(5000)),
                          [](Desk& desk) {
                              desk.workspace().setTimeLimitSeconds(600);
                              desk.workspace().planRecorded("exact");
                          },
                          planning};
    cases["import"] = {test::sample("mobilenet_v1_025"),
                       [&](Desk& desk) { desk.workspace().open(put("large.csv", hardProblem(2'000'000))); },
                       [](Desk& desk) { return !desk.workspace().opening().empty(); }};
    cases["graph layout"] = {test::sample("resnet18"),
                             [](Desk& desk) { desk.window->views().setCurrent(QStringLiteral("graph")); }, always};
    cases["robustness"] = {put("robust.csv", hardProblem(5000)),
                           [](Desk& desk) { desk.window->views().setCurrent(QStringLiteral("robustness")); }, always};
    cases["comparison"] = {put("compared.csv", hardProblem(20'000)),
                           [](Desk& desk) { desk.window->views().setCurrent(QStringLiteral("compare")); }, always};
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
    const auto found = cases.find(name);
    if (found == cases.end()) return 3;

    Desk desk;
    desk.window->openFiles({found->second.file});
    bool begun = false;
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
        if (!begun && desk.workspace().run()) {
            begun = true;
            desk.workspace().cancel();
            found->second.begin(desk);
            return;
        }
        if (!begun || !found->second.underWay(desk)) return;
        watch.stop();
        QTimer::singleShot(100, desk.window.get(), [&] {
            std::puts("quitting");
            std::fflush(stdout);
            desk.trigger("file.quit");
        });
    });
    watch.start(10);
    endWithLastWindow(*qApp);
    return QApplication::exec();
}

} // namespace

class WindowQuitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theProcessEndsWithItsWindow_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"nothing", "planning", "planning several", "recording", "import", "graph layout", "robustness",
                                 "comparison", "reorder"})
            QTest::newRow(name) << QString::fromUtf8(name);
    }
    void theProcessEndsWithItsWindow()
    {
        QFETCH(QString, name);
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromUtf8(caseVariable), name);
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::MergedChannels);
        child.start(QCoreApplication::applicationFilePath(), QStringList());
        QVERIFY(child.waitForStarted());
        QByteArray said;
        while (!said.contains("quitting")) {
            QVERIFY2(child.waitForReadyRead(60'000), said);
            said += child.readAll();
        }
        QElapsedTimer clock;
        clock.start();
        // What was begun takes minutes: a process that waits for it, or for ever, does not end in this time.
        const bool ended = child.waitForFinished(15'000);
        const qint64 took = clock.elapsed();
        if (!ended) child.kill();
        QVERIFY2(ended, "the window is gone, and the process stays");
        QVERIFY2(child.exitStatus() == QProcess::NormalExit && child.exitCode() == 0, child.readAll());
        qInfo("ended %lld ms after the window was closed", static_cast<long long>(took));
    }
};

int main(int count, char** words)
{
    QApplication application(count, words);
    const test::OwnSettings settings;
    const QString name = qEnvironmentVariable(caseVariable);
    if (!name.isEmpty()) return quitting(name);
    WindowQuitTest test;
    return QTest::qExec(&test, count, words);
}
#include "tst_window_quit.moc"
