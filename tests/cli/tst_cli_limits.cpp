// Inputs without an end, names without an end, calls without an end: refused in time, with the file's name, in little memory.
#include "tests/cli/cli_process.h"
#include "tests/support/instrumented.h"

#include <QElapsedTimer>
#include <QTest>

#include <csignal>
#include <cstdint>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace stowage::test;

namespace {

/// Runs the program in at most `mebibytes` of address space: what needs more than that fails. An instrumented program reserves
/// more than any limit, and is run without.
CliResult limited(const QString& line, int mebibytes)
{
    QProcess process;
    process.start("sh", {"-c", QString("ulimit -v %1; %2")
                                   .arg(instrumented ? "unlimited" : QString::number(mebibytes * 1024))
                                   .arg(QString(line).replace("CLI", '\'' + Cli::program() + '\''))});
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000)) process.kill();
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

bool hasTakenOver(qint64 process, int signal)
{
    QFile status(QStringLiteral("/proc/%1/status").arg(process));
    if (!status.open(QIODevice::ReadOnly)) return false;
    for (const QByteArray& line : status.readAll().split('\n'))
        if (line.startsWith("SigBlk:")) return (line.mid(7).trimmed().toULongLong(nullptr, 16) >> (signal - 1) & 1) != 0;
    return false;
}

} // namespace

class CliLimitsTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;

    /// Sends Ctrl-C once the program is able to take it; how it ended.
    int interrupted(const QStringList& arguments) const
    {
        QProcess process;
        process.start(Cli::program(), arguments);
        if (!process.waitForStarted()) return -1;
        while (process.state() == QProcess::Running && !hasTakenOver(process.processId(), SIGINT)) process.waitForFinished(1);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        if (!process.waitForFinished(30'000)) return -2; // far more than it may take: the program waits for ever otherwise
        return process.exitCode();
    }

private Q_SLOTS:
    void devicesWithoutAnEndAreRefused()
    {
        for (const char* device : {"/dev/zero", "/dev/urandom"}) {
            if (!QFile::exists(device)) QSKIP("this machine has no such device");
            for (const char* command : {"plan", "info", "compare"}) {
                const auto result = limited(QString("CLI %1 %2").arg(command, device), 512);
                QVERIFY2(result.status == 2, result.out + result.err);
                QVERIFY2(result.err.startsWith(QByteArray("error: ") + device + ": this is a device"), result.err);
            }
            const auto piped = limited(QString("CLI plan - < %1").arg(device), 512);
            QVERIFY2(piped.status == 2 && piped.err.startsWith("error: standard input: this is a device"), piped.err);
            const auto plan = limited(QString("CLI check '%1' %2").arg(cli_.file("three.csv", threeBuffers), device), 512);
            QVERIFY2(plan.status == 2 && plan.err.contains(device), plan.err);
        }
    }

    void aPipeWithoutAnEndStopsAtItsLimit()
    {
        // 1 GiB is the limit; a process that reads on would need more than the 4 GiB that it has here.
        const auto result = limited("head -c 3000000000 /dev/zero | tr '\\0' a | CLI plan -", 4096);
        QVERIFY2(result.status == 2, result.err);
        QVERIFY2(result.err.startsWith("error: standard input: it has more than 1,073,741,824 bytes"), result.err);
    }

    void aFifoWithoutAWriterIsLeftAtOnce()
    {
        const QString fifo = cli_.path("fifo");
        QCOMPARE(mkfifo(fifo.toUtf8().constData(), 0600), 0);
        QCOMPARE(interrupted({"plan", fifo}), 130);
    }

    void aFifoIsReadLikeAFile()
    {
        const QString fifo = cli_.path("fed");
        QCOMPARE(mkfifo(fifo.toUtf8().constData(), 0600), 0);
        const QString three = cli_.file("three.csv", threeBuffers);
        const auto result = limited(QString("cat '%1' > '%2' & CLI plan '%2' --planner naive").arg(three, fifo), 4096);
        QVERIFY2(result.status == 0 && result.out.startsWith("Valid: arena 40 B\n"), result.out + result.err);
    }

    /// 'exact' ends by itself on either side of a comparison: of 6,000 buffers it tries a few thousand placements. A proof that
    /// no plan of these is smaller would take days.
    void exactEndsWhereRevisionsAreCompared_data()
    {
        QTest::addColumn<bool>("later");
        QTest::newRow("the later revision") << true;
        QTest::newRow("the earlier revision") << false;
    }
    void exactEndsWhereRevisionsAreCompared()
    {
        if (instrumented) QSKIP("a search of this size takes minutes here");
        QFETCH(bool, later);
        std::uint32_t state = 1;
        const auto random = [&](std::uint32_t end) {
            state = (state * 1103515245U + 12345U) % (1U << 31);
            return (state >> 8) % end;
        };
        QByteArray csv = "id,lower,upper,size\n";
        for (int i = 0; i < 6000; ++i) {
            const std::uint32_t begin = random(6000), length = 1 + random(300), size = 1 + random(997);
            csv += 't' + QByteArray::number(i) + ',' + QByteArray::number(begin) + ',' + QByteArray::number(begin + length) +
                   ',' + QByteArray::number(size) + '\n';
        }
        const QString hard = cli_.file("hard.csv", csv), easy = cli_.file("three.csv", threeBuffers);
        const CliResult result =
            cli_({"compare", later ? hard : easy, "--against", later ? easy : hard, "--planners", "exact", "--format", "json"});
        QVERIFY2(result.status == 0, result.err.constData());
        const QJsonObject status = result.object()["status"].toObject();
        QCOMPARE(status["before"].toString(), QString(later ? "optimal" : "feasible"));
        QCOMPARE(status["after"].toString(), QString(later ? "feasible" : "optimal"));
    }

    void nothingFromStandardInputIsSaid()
    {
        const auto result = cli_({"plan", "-"});
        QCOMPARE(result.status, 2);
        QCOMPARE(result.err, QByteArray("error: standard input: nothing came from it (pipe a file into it, or name the file)\n"));
    }

    void aNameWithoutAnEndIsShortened()
    {
        const QByteArray name(20'000'000, 'n');
        const auto planned =
            cli_({"plan", cli_.file("long.csv", "id,lower,upper,size\n" + name + ",0,2,10\n"), "--planner", "naive"});
        QVERIFY2(planned.status == 0, planned.err.left(2000));
        QVERIFY2(planned.out.size() + planned.err.size() < 4000, QByteArray::number(planned.out.size()));
        const auto header = cli_({"plan", cli_.file("header.csv", "id,lower,upper," + name + "\na,0,2,10\n")});
        QCOMPARE(header.status, 2);
        QVERIFY2(header.err.size() < 2000 && header.err.startsWith("error: "), header.err.left(2000));
        const auto field = cli_({"plan", cli_.file("field.json", "{\"format\": \"stowage.problem/1\", \"" + name + "\": 1}")});
        QCOMPARE(field.status, 2);
        QVERIFY2(field.err.size() < 2000, field.err.left(2000));
        // Programs get the whole name.
        QVERIFY(cli_({"plan", cli_.path("long.csv"), "--planner", "naive", "--format", "csv"}).out.contains(name));
    }

    /// The picture of a name of 10 MB has its beginning or its end, and is there within the time of any other.
    void aNameWithoutAnEndIsDrawnInTime_data()
    {
        QTest::addColumn<QString>("view");
        for (const char* view : {"memory-map", "liveness", "graph", "interference", "fit"})
            QTest::newRow(view) << QString::fromUtf8(view);
    }
    void aNameWithoutAnEndIsDrawnInTime()
    {
        QFETCH(QString, view);
        const QByteArray name(10'000'000, 'n');
        const QString file = cli_.file(
            "named.json", R"({"format": "stowage.program/1", "name": "p", "entry": "main", "functions": [{"name": "main",
            "inputs": ["x"], "outputs": [")" +
                              name + R"("], "tensors": [{"name": "x", "kind": "input", "bytes": 4}, {"name": ")" + name +
                              R"(", "kind": "output", "bytes": 4}], "ops": [{"name": ")" + name +
                              R"(", "kind": "relu", "inputs": ["x"], "outputs": [")" + name + R"("]}]}]})");
        const auto drawn = cli_({"render", file, "--view", view, "--planner", "naive", "-o", cli_.path("named.svg")});
        QVERIFY2(drawn.status == 0, drawn.err.left(2000)); // killed after a minute otherwise
        const QByteArray picture = cli_.contents("named.svg");
        QVERIFY(picture.contains("nnn"));
        QVERIFY2(picture.size() < 2'000'000, QByteArray::number(picture.size()));
    }

    void controlCharactersDoNotReachTheTerminal()
    {
        const QByteArray evil = "\"\x1b]0;owned\x07\x1b[2J\"";
        const QString file = cli_.file("evil.csv", "id,lower,upper,size,offset\n" + evil + ",0,2,10,0\nb,0,2,10,5\n");
        for (const QStringList& arguments :
             {QStringList{"plan", file, "--planner", "naive"}, QStringList{"check", file, file}, QStringList{"info", file},
              QStringList{"explain", file, "--planner", "naive"}, QStringList{"compare", file, "--planners", "naive"},
              QStringList{"verify", file, "--planner", "naive"},
              QStringList{"plan", file, "--planner", "naive", "--format", "markdown"}}) {
            const auto result = cli_(arguments);
            QVERIFY2(!result.out.contains('\x1b') && !result.err.contains('\x1b'), qPrintable(arguments.join(' ')));
            QVERIFY2(!result.out.contains('\x07') && !result.err.contains('\x07'), qPrintable(arguments.join(' ')));
        }
        QVERIFY(cli_({"info", file}).out.contains("\\x1b]0;owned\\x07"));
    }

    void nestedCallsAreCountedNotExpanded()
    {
        // f0 calls f1 twice, f1 calls f2 twice, …: 2^40 calls of the last one, which has one op.
        QByteArray text = "{\"format\": \"stowage.program/1\", \"name\": \"deep\", \"entry\": \"f0\", \"functions\": [\n";
        for (int i = 0; i < 40; ++i) {
            const QByteArray own = "f" + QByteArray::number(i), callee = "f" + QByteArray::number(i + 1);
            text += "{\"name\": \"" + own +
                    "\", \"inputs\": [\"x\"], \"outputs\": [\"y\"], \"tensors\": [{\"name\": \"x\", \"kind\": \"input\", "
                    "\"bytes\": 4}, "
                    "{\"name\": \"m\", \"bytes\": 4}, {\"name\": \"y\", \"kind\": \"output\", \"bytes\": 4}], \"ops\": [\n"
                    "{\"name\": \"a\", \"kind\": \"call\", \"callee\": \"" +
                    callee +
                    "\", \"inputs\": [\"x\"], \"outputs\": [\"m\"]},\n"
                    "{\"name\": \"b\", \"kind\": \"call\", \"callee\": \"" +
                    callee + "\", \"inputs\": [\"m\"], \"outputs\": [\"y\"]}]},\n";
        }
        text += "{\"name\": \"f40\", \"inputs\": [\"x\"], \"outputs\": [\"y\"], \"tensors\": [{\"name\": \"x\", \"kind\": "
                "\"input\", \"bytes\": 4}, "
                "{\"name\": \"y\", \"kind\": \"output\", \"bytes\": 4}], \"ops\": [{\"name\": \"op\", \"kind\": \"relu\", "
                "\"inputs\": [\"x\"], \"outputs\": [\"y\"]}]}]}\n";
        const QString file = cli_.file("deep.json", text);
        const auto result = limited(QString("CLI plan '%1' --function f0").arg(file), 400);
        QVERIFY2(result.status == 2, result.err);
        QVERIFY2(result.err.contains("deep.json:") && result.err.contains("expands to more than"), result.err);
        // The innermost functions, of few calls each, are planned.
        QCOMPARE(limited(QString("CLI plan '%1' --function f36 --planner naive").arg(file), 2048).status, 0);
    }

    /// As a batch system or a CI server ends a job: what was started ends too, also what a planner program itself started.
    void terminationTakesProgramsAlong_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }
    void terminationTakesProgramsAlong()
    {
        QFETCH(int, signal);
        const QString folder = "programs" + QString::number(signal), told = cli_.path(folder + "/pid");
        QVERIFY(QDir().mkpath(cli_.path(folder)));
        cli_.file(folder + "/slow.json", R"({"id": "slow", "name": "Slow", "protocol": 1, "transport": "csv-oneshot",
            "argv": ["sh", "{dir}/slow.sh"]})");
        cli_.file(folder + "/slow.sh", "sleep 600 & echo $! > '" + told.toUtf8() + "'\nsleep 600\n");
        QProcess process;
        process.start(Cli::program(),
                      {"plan", cli_.file("three.csv", threeBuffers), "--planner", "slow", "--plugin-dir", cli_.path(folder)});
        QTRY_VERIFY_WITH_TIMEOUT(cli_.contents(folder + "/pid").endsWith('\n'), 30'000);
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), signal), 0);
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        const auto runs = [pid = cli_.contents(folder + "/pid").trimmed()] {
            QFile status("/proc/" + QString::fromLatin1(pid) + "/status"); // a process that nobody waited for is a zombie
            return status.open(QIODevice::ReadOnly) && !status.readAll().contains("State:\tZ");
        };
        QTRY_VERIFY_WITH_TIMEOUT(!runs(), 10'000);
    }

    void namesThatAreNotUtf8AreOpened()
    {
        const QByteArray name = cli_.path("caf").toUtf8() + "\xe9.csv"; // Latin-1
        QFile made(cli_.file("plain.csv", threeBuffers));
        QCOMPARE(::rename(made.fileName().toUtf8().constData(), name.constData()), 0);
        const auto run = [&](const QByteArray& rest) {
            QProcess shell;
            shell.start("sh", QStringList{});
            shell.write('\'' + Cli::program().toUtf8() + "' " + rest + '\n');
            shell.closeWriteChannel();
            shell.waitForFinished(60'000);
            return CliResult{shell.exitCode(), shell.readAllStandardOutput(), shell.readAllStandardError()};
        };
        const auto planned = run("plan '" + name + "' --planner greedy-by-size");
        QVERIFY2(planned.status == 0 && planned.out.startsWith("Optimal: arena 30 B"), planned.out + planned.err);
        const auto written = run("convert '" + name + "' -o '" + name + ".problem.json'");
        QVERIFY2(written.status == 0, written.err);
        QVERIFY2(run("info '" + name + ".problem.json'").status == 0, name);
        const auto bad = run("plan '" + name + ".absent'");
        for (const QByteArray& each : {name, name + ".problem.json"})
            ::unlink(each.constData()); // QTemporaryDir cannot name them
        QVERIFY2(bad.status == 2 && bad.err.contains("caf\\xe9.csv.absent: cannot be opened"), bad.err);
    }
};

QTEST_GUILESS_MAIN(CliLimitsTest)
#include "tst_cli_limits.moc"
