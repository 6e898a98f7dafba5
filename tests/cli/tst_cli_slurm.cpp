// The job array of resources/cluster: the shard of each task; and a sweep by it on a Slurm of one machine: slurmctld and two
// slurmd on loopback are processes of this test. One worker is killed in the middle, the array is submitted again, and the table
// is that of one process.
#include "tests/cli/cli_process.h"

#include <QElapsedTimer>
#include <QStandardPaths>
#include <QSysInfo>
#include <QTest>

#include <array>
#include <csignal>
#include <memory>
#include <netinet/in.h>
#include <optional>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace stowage::test;

namespace {

/// A port of the loopback that nobody listens at now; 0 when there is none.
int freePort()
{
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    if (socket < 0) return 0;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    const bool bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), length) == 0 &&
                       ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0;
    ::close(socket);
    return bound ? ntohs(address.sin_port) : 0;
}

/// A daemon or tool of Slurm, also where the path has no folders of the system's programs; empty when it is not installed.
QString slurmProgram(const QString& name)
{
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(name, {"/usr/sbin", "/usr/local/sbin"}) : found;
}

/// A controller and two nodes of one processor each, without authentication: nothing but this machine reaches them. The
/// destructor ends them.
class OneMachineSlurm {
public:
    explicit OneMachineSlurm(const Cli& cli) : cli_(cli) {}
    ~OneMachineSlurm()
    {
        for (const auto& daemon : daemons_)
            if (daemon) daemon->terminate();
        for (const auto& daemon : daemons_)
            if (daemon && !daemon->waitForFinished(10'000)) {
                daemon->kill();
                daemon->waitForFinished();
            }
    }

    /// Why it cannot be started here; empty once both nodes take jobs.
    QString start()
    {
        for (const char* name : {"slurmctld", "slurmd", "sbatch", "sinfo"})
            if (slurmProgram(name).isEmpty())
                return QStringLiteral("%1 is not installed (Debian package slurm-wlm)").arg(QLatin1String(name));
        const passwd* user = ::getpwuid(::geteuid());
        if (!user) return QStringLiteral("this user has no name");
        std::array<int, 3> ports{};
        for (int& port : ports) port = freePort();
        cli_.file("slurm.conf",
                  QString("ClusterName=one\nSlurmctldHost=%1(127.0.0.1)\nSlurmUser=%2\nSlurmdUser=%2\n"
                          "AuthType=auth/none\nCredType=cred/none\nMpiDefault=none\nSwitchType=switch/none\n"
                          "ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/cons_tres\n"
                          "SelectTypeParameters=CR_CPU\nSchedulerParameters=sched_min_interval=10000\nReturnToService=2\n"
                          "JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n"
                          "StateSaveLocation=%3/state\nSlurmdSpoolDir=%3/spool-%n\nSlurmctldPidFile=%3/ctld.pid\n"
                          "SlurmdPidFile=%3/%n.pid\nSlurmctldLogFile=%3/ctld.log\nSlurmdLogFile=%3/%n.log\nKillWait=1\n"
                          "SlurmctldPort=%4\n"
                          "NodeName=n1 NodeHostname=%1 NodeAddr=127.0.0.1 Port=%5 CPUs=1\n"
                          "NodeName=n2 NodeHostname=%1 NodeAddr=127.0.0.1 Port=%6 CPUs=1\n"
                          "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n")
                      .arg(QSysInfo::machineHostName(), QString::fromUtf8(user->pw_name), cli_.path({}))
                      .arg(ports[0])
                      .arg(ports[1])
                      .arg(ports[2])
                      .toUtf8());
        for (const char* folder : {"state", "spool-n1", "spool-n2"}) QDir().mkpath(cli_.path(QLatin1String(folder)));
        environment_ = QProcessEnvironment::systemEnvironment();
        environment_.insert("SLURM_CONF", cli_.path("slurm.conf"));
        environment_.insert("PATH", QFileInfo(Cli::program()).path() + ':' + environment_.value("PATH"));
        const std::array<QStringList, 3> lines{QStringList{"slurmctld", "-D", "-c"}, QStringList{"slurmd", "-D", "-N", "n1"},
                                               QStringList{"slurmd", "-D", "-N", "n2"}};
        for (std::size_t i = 0; i < lines.size(); ++i) {
            daemons_[i] = std::make_unique<QProcess>();
            daemons_[i]->setProcessEnvironment(environment_);
            daemons_[i]->setStandardOutputFile(QProcess::nullDevice());
            daemons_[i]->setStandardErrorFile(cli_.path(QStringLiteral("daemon-%1.txt").arg(i)));
            daemons_[i]->start(slurmProgram(lines[i].front()), lines[i].mid(1));
        }
        constexpr int patience = 20'000; // ms until both nodes have registered
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < patience) {
            for (std::size_t i = 0; i < lines.size(); ++i)
                if (!daemons_[i]->waitForStarted(1000) || daemons_[i]->state() != QProcess::Running)
                    return QStringLiteral("%1 does not start: %2")
                        .arg(lines[i].join(u' '), QString::fromUtf8(cli_.contents(QStringLiteral("daemon-%1.txt").arg(i))));
            if (output("sinfo", {"-h", "-o", "%D %T"}).trimmed() == "2 idle") return {};
            QTest::qWait(200);
        }
        return QStringLiteral("the nodes do not come up: %1")
            .arg(QString::fromUtf8(output("sinfo", {"-h", "-o", "%D %T"}) + cli_.contents("ctld.log").right(500)));
    }

    [[nodiscard]] QByteArray output(const QString& tool, const QStringList& arguments) const
    {
        const auto process = begin(tool, arguments);
        process->waitForFinished(10'000);
        return process->readAllStandardOutput();
    }
    /// A tool of Slurm under way.
    [[nodiscard]] std::unique_ptr<QProcess> begin(const QString& tool, const QStringList& arguments) const
    {
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(environment_);
        process->setProcessChannelMode(QProcess::MergedChannels);
        process->start(slurmProgram(tool), arguments);
        return process;
    }

private:
    const Cli& cli_;
    QProcessEnvironment environment_;
    std::array<std::unique_ptr<QProcess>, 3> daemons_; ///< controller, nodes
};

/// 100 runs that take long enough each to kill a worker between two of them.
void writeSlowSweep(const Cli& cli)
{
    QByteArray models;
    std::uint32_t state = 1;
    const auto next = [&](std::uint32_t below) { return (state = state * 1664525U + 1013904223U) / 65536U % below; };
    for (int i = 0; i < 5; ++i) {
        const QByteArray name = "m" + QByteArray::number(i) + ".csv";
        QByteArray text = "id,lower,upper,size\n";
        for (int b = 0; b < 200; ++b) {
            const auto begin = next(200);
            text += QByteArray::number(b) + ',' + QByteArray::number(begin) + ',' + QByteArray::number(begin + 1 + next(30)) +
                    ',' + QByteArray::number(1 + next(5000)) + '\n';
        }
        cli.file(name, text);
        models += (i > 0 ? ", \"" : "\"") + name + '"';
    }
    cli.file("spec.json",
             "{\"format\": \"stowage.sweep/1\", \"models\": [" + models +
                 "], \"planners\": [\"hill-climb:attempts=300\"], \"seed\": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "
                 "13, 14, 15, 16, 17, 18, 19]}");
}

/// The process whose command line has all of `words`; nothing when there is none.
std::optional<pid_t> processWith(const QList<QByteArray>& words)
{
    for (const QString& entry : QDir("/proc").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        bool number = false;
        const int id = entry.toInt(&number);
        QFile file("/proc/" + entry + "/cmdline");
        if (!number || !file.open(QIODevice::ReadOnly)) continue;
        const QList<QByteArray> line = file.readAll().split('\0');
        if (std::all_of(words.begin(), words.end(), [&](const QByteArray& word) { return line.contains(word); }))
            return static_cast<pid_t>(id);
    }
    return std::nullopt;
}

} // namespace

class CliSlurmTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tasksThatAreSubmittedAgainStayTheirShards_data()
    {
        QTest::addColumn<QByteArray>("variables"); ///< of Slurm: task, smallest and largest task, count of tasks
        QTest::addColumn<QString>("shards");       ///< third argument of the script
        QTest::addColumn<QByteArray>("shard");     ///< empty: it is an error
        QTest::newRow("the whole array") << QByteArray("3 1 16 16") << QString() << QByteArray("3/16");
        QTest::newRow("one task") << QByteArray("1 1 1 1") << QString() << QByteArray("1/1");
        QTest::newRow("two tasks again") << QByteArray("7 3 7 2") << QString() << QByteArray();
        QTest::newRow("two tasks again, with the count") << QByteArray("7 3 7 2") << QString("16") << QByteArray("7/16");
        QTest::newRow("first and last task again") << QByteArray("1 1 16 2") << QString() << QByteArray();
        QTest::newRow("tasks from 0") << QByteArray("0 0 15 16") << QString() << QByteArray();
        QTest::newRow("no array") << QByteArray() << QString() << QByteArray();
    }
    /// The script is run as Slurm runs it, with a stowage-cli that prints its arguments.
    void tasksThatAreSubmittedAgainStayTheirShards()
    {
        QFETCH(QByteArray, variables);
        QFETCH(QString, shards);
        QFETCH(QByteArray, shard);
        const Cli cli;
        const QString program = cli.file("stowage-cli", "#!/bin/sh\nprintf '%s|' \"$@\"\n");
        QVERIFY(QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", cli.path({}) + ':' + environment.value("PATH"));
        const std::array<const char*, 4> names{"ID", "MIN", "MAX", "COUNT"};
        const QList<QByteArray> values = variables.split(' ');
        for (std::size_t i = 0; i < names.size(); ++i) {
            const QString name = QString("SLURM_ARRAY_TASK_") + names[i];
            environment.remove(name);
            if (!variables.isEmpty()) environment.insert(name, QString::fromLatin1(values[static_cast<qsizetype>(i)]));
        }
        QProcess task;
        task.setProcessEnvironment(environment);
        QStringList arguments{QString::fromUtf8(STOWAGE_SOURCE_DIR "/resources/cluster/sweep.slurm"), "a zoo.json", "results"};
        if (!shards.isEmpty()) arguments << shards;
        task.start("sh", arguments);
        QVERIFY(task.waitForFinished(60'000));
        const QByteArray said = task.readAllStandardError();
        QVERIFY2(task.exitCode() == (shard.isEmpty() ? 2 : 0), said);
        QVERIFY2(said.isEmpty() != shard.isEmpty(), said);
        QVERIFY2(!shard.isEmpty() || (said.contains("--array=1-N") && said.contains("third argument")), said);
        const QByteArray wanted = shard.isEmpty() ? QByteArray() : "sweep|a zoo.json|--out|results|--shard|" + shard + '|';
        QCOMPARE(task.readAllStandardOutput(), wanted);
    }

    void aHundredRunsBySlurmGiveTheTableOfOneProcessThoughAWorkerIsKilled()
    {
        const Cli cli;
        OneMachineSlurm slurm(cli);
        if (const QString why = slurm.start(); !why.isEmpty()) QSKIP(qPrintable("A one-machine Slurm: " + why));
        writeSlowSweep(cli);
        const QString parts = cli.path("parts");
        const QStringList array{"--array=1-4",
                                "--cpus-per-task=1",
                                "--wait",
                                "--output=" + cli.path("task-%a.txt"),
                                "--chdir=" + cli.path({}),
                                QString::fromUtf8(STOWAGE_SOURCE_DIR "/resources/cluster/sweep.slurm"),
                                cli.path("spec.json"),
                                parts};
        const auto first = slurm.begin("sbatch", array);

        // A worker that has written some of its results, and not all, dies at once.
        const QDir results(parts + "/runs");
        std::optional<pid_t> worker;
        QVERIFY2(QTest::qWaitFor(
                     [&] {
                         worker = processWith({"sweep", parts.toUtf8(), "1/4"});
                         return worker && results.entryList(QDir::Files).size() >= 10;
                     },
                     60'000),
                 first->readAll());
        QCOMPARE(::kill(*worker, SIGKILL), 0);
        QVERIFY(first->waitForFinished(120'000));
        QVERIFY2(first->exitCode() != 0, "Slurm was expected to tell of the killed task");
        const CliResult torn = cli({"merge", parts, "--format", "csv"});
        QCOMPARE(torn.status, 1);
        const auto missing = torn.out.count(",missing,");
        QVERIFY2(missing > 0 && missing <= 25, QByteArray::number(missing));

        const auto again = slurm.begin("sbatch", array);
        QVERIFY(again->waitForFinished(120'000));
        QVERIFY2(again->exitCode() == 0, again->readAll() + cli.contents("task-1.txt"));
        QCOMPARE(cli({"sweep", cli.path("spec.json"), "--out", cli.path("whole")}).status, 0);
        const QByteArray table = cli({"merge", cli.path("whole"), "--format", "csv"}).out;
        QCOMPARE(table.count('\n'), 101);
        const CliResult merged = cli({"merge", parts, "--format", "csv"});
        QCOMPARE(merged.status, 0);
        QCOMPARE(merged.out, table);
    }
};

QTEST_GUILESS_MAIN(CliSlurmTest)
#include "tst_cli_slurm.moc"
