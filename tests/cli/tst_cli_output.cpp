// A failed write never goes unnoticed: every command that writes, onto a device that is always full, and into files.
#include "tests/cli/cli_process.h"

#include <QFileInfo>
#include <QTest>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

using namespace stowage::test;

class CliOutputTest : public QObject {
    Q_OBJECT

private:
    Cli cli_;
    QString three_;
    QString program_;
    QString tir_;
    QString full_; ///< a device that is always full; empty where none can be made

    /// Runs a shell line in which CLI stands for the program.
    CliResult shell(QString line) const
    {
        line.replace("CLI", '\'' + Cli::program() + '\'');
        QProcess process;
        process.start("sh", {"-c", line});
        process.closeWriteChannel();
        if (!process.waitForFinished(60'000)) process.kill();
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
                process.readAllStandardError()};
    }
    [[nodiscard]] QStringList filled(QStringList arguments, const QString& output) const
    {
        arguments.replaceInStrings("THREE", three_);
        arguments.replaceInStrings("PROGRAM", program_);
        arguments.replaceInStrings("TIR", tir_);
        return arguments.replaceInStrings("OUT", output);
    }
    static bool isDevice(const QString& path)
    {
        struct stat status {};
        return lstat(path.toUtf8().constData(), &status) == 0 && S_ISCHR(status.st_mode);
    }

private Q_SLOTS:
    void initTestCase()
    {
        three_ = cli_.file("three.csv", threeBuffers);
        program_ = Cli::sample("lstm_loop.json");
        tir_ = Cli::sample("unified_planning.tir");
        const QString device = cli_.path("full");
        if (mknod(device.toUtf8().constData(), S_IFCHR | 0666, makedev(1, 7)) != 0) return;
        const int probe = ::open(device.toUtf8().constData(), O_WRONLY);
        if (probe < 0) return;
        close(probe);
        full_ = device;
    }

    void everyWriterNoticesAFullDevice_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const char* name, const QStringList& arguments) { QTest::newRow(name) << arguments; };
        row("plan", {"plan", "THREE", "-o", "OUT"});
        row("plan, JSON", {"plan", "THREE", "--format", "json", "-o", "OUT"});
        row("proof", {"plan", "THREE", "--planner", "exact", "--capacity", "29", "--proof", "OUT"});
        row("compare", {"compare", "THREE", "--planners", "naive", "-o", "OUT"});
        row("check", {"check", "THREE", "THREE", "-o", "OUT"});
        row("explain", {"explain", "THREE", "--planner", "naive", "-o", "OUT"});
        row("verify", {"verify", "THREE", "--planner", "naive", "-o", "OUT"});
        row("info", {"info", "THREE", "-o", "OUT"});
        row("convert", {"convert", "THREE", "--to", "problem", "-o", "OUT"});
        row("reorder", {"reorder", "PROGRAM", "-o", "OUT"});
        row("rewrite", {"rewrite", "TIR", "--pass", "plan-memory", "-o", "OUT"});
        row("list", {"list", "planners", "-o", "OUT"});
    }
    void everyWriterNoticesAFullDevice()
    {
        if (full_.isEmpty()) QSKIP("this user may not make device nodes");
        QFETCH(QStringList, arguments);
        if (arguments.front() == "check") {
            const QString plan = cli_.file("plan.csv", "id,lower,upper,size,offset\na,0,2,10,0\nb,1,3,20,10\nc,2,4,10,0\n");
            arguments[2] = plan;
        }
        const auto result = cli_(filled(arguments, full_));
        QVERIFY2(result.status == 2, result.out + result.err);
        QVERIFY2(result.err.contains("error: " + full_.toUtf8() + ": cannot be written: No space left on device"), result.err);
        QVERIFY2(isDevice(full_), "the device was replaced by a file");
    }

    void picturesNoticeAFullDevice()
    {
        if (full_.isEmpty()) QSKIP("this user may not make device nodes");
        for (const char* suffix : {"png", "svg", "pdf"}) {
            const QString link = cli_.path(QString("picture.") + suffix); // the suffix tells the kind of picture
            QCOMPARE(symlink(full_.toUtf8().constData(), link.toUtf8().constData()), 0);
            const auto result = cli_({"render", three_, "--view", "memory-map", "-o", link});
            QVERIFY2(result.status == 2 && result.err.contains("No space left on device"), result.err);
            QVERIFY(isDevice(full_) && QFileInfo(link).isSymLink());
        }
    }

    void standardOutputIsChecked_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"CLI plan THREE", "CLI plan THREE --format json", "CLI info THREE", "CLI convert THREE --to csv",
              "CLI reorder PROGRAM", "CLI list targets", "CLI --version", "CLI --help", "CLI plan --help", "CLI plan --help-all",
              "CLI fold PROGRAM", "CLI fold PROGRAM --format json", "CLI fit PROGRAM", "CLI compare THREE --planners naive",
              "CLI pipeline split PROGRAM --stages 1", "CLI verify THREE --planner naive"})
            QTest::newRow(line) << QString(line);
    }
    void standardOutputIsChecked()
    {
        if (full_.isEmpty()) QSKIP("this user may not make device nodes");
        QFETCH(QString, line);
        const auto result = shell(filled({line}, {}).front() + " > '" + full_ + '\'');
        QVERIFY2(result.status == 2, result.err);
        QVERIFY2(result.err.contains("error: standard output: cannot be written: No space left on device"), result.err);
    }

    /// Without standard output the next file that is opened has its number: nothing is written into that.
    void standardOutputThatIsClosedIsAnError()
    {
        for (const char* line : {"CLI plan THREE", "CLI plan PROGRAM --format json", "CLI info THREE", "CLI fold PROGRAM"}) {
            const auto result = shell(filled({line}, {}).front() + " >&-");
            QVERIFY2(result.status == 2 && result.err.contains("error: standard output: cannot be written: Bad file descriptor"),
                     line + result.err);
        }
        const QString out = cli_.path("closed.json");
        const auto silent = shell("CLI plan '" + program_ + "' --format json -o '" + out + "' <&- >&- 2>&-");
        QCOMPARE(silent.status, 0);
        QVERIFY(QJsonDocument::fromJson(cli_.contents("closed.json")).isObject());
    }

    /// On Linux a name is any sequence of bytes.
    void filesWhoseNamesAreNotUtf8AreWrittenUnderTheirNames()
    {
        const QString folder = cli_.path("latin");
        QVERIFY(QDir().mkpath(folder));
        // sh's printf makes the name. A configuration names its stages' programs in UTF-8: there "_" stands for the byte.
        const auto result = shell("cd '" + folder + "' && n=$(printf 'caf\\351') && mkdir \"$n\" && cd \"$n\" && CLI render '" +
                                  three_ + "' --view memory-map --planner naive -o \"$n.svg\" && CLI export '" + program_ +
                                  "' --as c-header --planner naive -o \"$n.dir\" && CLI pipeline split '" + program_ +
                                  "' --stages 1 -o \"$n.json\" && CLI pipeline config check \"$n.json\" && "
                                  "CLI render \"$n.json\" --view stages -o \"$n.stages.svg\" && test -f \"$n.svg\" && "
                                  "test -d \"$n.dir\" && test -f \"$n.json\" && test -f \"$n.stages.svg\" && "
                                  "test -f caf_.stage0.program.json && ls | wc -l");
        const auto cleared = shell("rm -rf '" + folder + "'"); // QTemporaryDir cannot name them
        QCOMPARE(cleared.status, 0);
        QVERIFY2(result.status == 0 && result.out.endsWith("\n5\n"), result.out + result.err);
    }

    void aLimitOnTheSizeOfFilesLeavesTheOldFile()
    {
        const QString old = cli_.file("limited.csv", "before");
        const auto result = shell("ulimit -f 0; CLI convert '" + three_ + "' --to csv -o '" + old + '\'');
        QVERIFY2(result.status == 2 && result.err.contains("File too large"), result.err);
        QCOMPARE(cli_.contents("limited.csv"), QByteArray("before"));
        const auto streamed = shell("ulimit -f 0; CLI plan '" + three_ + "' > '" + cli_.path("streamed") + '\'');
        QVERIFY2(streamed.status == 2 && streamed.err.contains("File too large"), streamed.err);
    }

    void aFifoGetsTheWholePlan()
    {
        const QString fifo = cli_.path("fifo.json");
        QCOMPARE(mkfifo(fifo.toUtf8().constData(), 0600), 0);
        const auto result = shell("cat '" + fifo + "' & CLI plan '" + three_ + "' --planner naive --format json -o '" + fifo +
                                  "'; s=$?; wait; exit $s");
        QVERIFY2(result.status == 0, result.err);
        QCOMPARE(result.object()["format"].toString(), QString("stowage.plan/1"));
        struct stat status {};
        QVERIFY(lstat(fifo.toUtf8().constData(), &status) == 0 && S_ISFIFO(status.st_mode));
    }

    void aLinkAndAModeStay()
    {
        const QString target = cli_.file("target.csv", "before");
        QVERIFY(QFile::setPermissions(target, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
        const QString link = cli_.path("link.csv");
        QVERIFY(QFile::link("target.csv", link));
        const auto result = cli_({"convert", three_, "-o", link});
        QVERIFY2(result.status == 0, result.err);
        QVERIFY(QFileInfo(link).isSymLink());
        QVERIFY(cli_.contents("target.csv").startsWith("id,lower,upper,size"));
        struct stat status {};
        QCOMPARE(stat(target.toUtf8().constData(), &status), 0);
        QCOMPARE(status.st_mode & 07777U, 0604U);
    }

    void exportedSourcesAreCheckedToo()
    {
        const QString folder = cli_.path("exported");
        QVERIFY(QDir().mkpath(folder));
        const auto first = cli_({"export", tir_, "--as", "c-source", "-o", folder});
        QVERIFY2(first.status == 0, first.err);
        const QStringList files = QDir(folder).entryList(QDir::Files);
        QVERIFY(!files.isEmpty());
        for (const QString& name : files)
            QVERIFY(QDir(folder).remove(name) && QDir(folder).mkdir(name)); // nothing can take their place
        const auto result = cli_({"export", tir_, "--as", "c-source", "-o", folder});
        QVERIFY2(result.status == 2 && result.err.contains("this is a folder"), result.err);
    }

    void waitingForAReaderEndsWithCtrlC()
    {
        const QString fifo = cli_.path("deserted");
        QCOMPARE(mkfifo(fifo.toUtf8().constData(), 0600), 0);
        const auto result = shell("CLI plan '" + three_ + "' --planner naive -o '" + fifo +
                                  "' & p=$!; while ! grep -q 'SigBlk:.*[2367abef]$' /proc/$p/status; "
                                  "do :; done; kill -INT $p; wait $p");
        QVERIFY2(result.status == 130, qPrintable(QString::number(result.status) + result.err));
    }
};

QTEST_GUILESS_MAIN(CliOutputTest)
#include "tst_cli_output.moc"
