// Every command with inputs at the edges of what there can be: empty, zero, near 2^63, cyclic, with names that are no text; files
// that change, shrink and vanish while they are read; disks that are full. Each is answered in time and in bounded memory, with a
// plan or with an error that names the file, never by a crash.
#include "tests/cli/cli_process.h"
#include "tests/support/instrumented.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace stowage::test;

namespace {

/// The shell's line with CLI for the program; ends after a minute at the latest.
CliResult shell(QString line)
{
    QProcess process;
    process.start("sh", {"-c", line.replace("CLI", '\'' + Cli::program() + '\'')});
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000)) {
        process.kill();
        process.waitForFinished();
        return {-2, {}, "it did not end within a minute"};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAllStandardOutput(),
            process.readAllStandardError()};
}

/// Sets a limit in KiB on the address space; nothing in an instrumented build, which reserves more than any.
QString addresses(int kibibytes)
{
    return instrumented ? QString() : QString("ulimit -v %1; ").arg(kibibytes);
}

QByteArray programWith(const QByteArray& tensors, const QByteArray& ops)
{
    return "{\"format\": \"stowage.program/1\", \"name\": \"p\", \"entry\": \"main\", \"functions\": [{\"name\": \"main\", "
           "\"inputs\": [\"x\"], \"outputs\": [\"y\"], \"tensors\": [" +
           tensors + "], \"ops\": [" + ops + "]}]}\n";
}

QByteArray problemWith(const QByteArray& buffers)
{
    return "{\"format\": \"stowage.problem/1\", \"name\": \"p\", \"pools\": [{\"name\": \"a\"}], \"buffers\": [" + buffers +
           "]}\n";
}

/// File names with their contents.
std::map<QByteArray, QByteArray> edgeInputs()
{
    const QByteArray head = "id,lower,upper,size\n", most = "9223372036854775807";
    const QByteArray x = R"({"name": "x", "kind": "input", "bytes": 4}, )", y = R"({"name": "y", "kind": "output", "bytes": 4})";
    const QByteArray copy = R"({"name": "c", "kind": "relu", "inputs": ["x"], "outputs": ["y"]})";
    std::map<QByteArray, QByteArray> all;
    all["empty.csv"] = {};
    all["empty.json"] = {};
    all["empty.tflite"] = {};
    all["empty.onnx"] = {};
    all["empty.mlir"] = {};
    all["one byte.tflite"] = "T";
    all["header only.csv"] = head;
    all["zero sizes.csv"] = head + "a,0,2,0\nb,1,3,0\n";
    all["zero time.csv"] = head + "a,2,2,16\nb,2,2,16\n";
    all["size 2^63-1.csv"] = head + "a,0,2," + most + "\n";
    all["two of 2^63-1.csv"] = head + "a,0,2," + most + "\nb,0,2," + most + "\n";
    all["size 2^63.csv"] = head + "a,0,2,9223372036854775808\n";
    all["size 2^62.csv"] = head + "a,0,2,4611686018427387904\nb,0,2,4611686018427387904\nc,1,2,1\n";
    all["negative.csv"] = head + "a,0,2,-9223372036854775808\n";
    all["time 2^63-1.csv"] = head + "a,0," + most + ",16\nb,9223372036854775806," + most + ",16\n";
    all["alignment 2^62.csv"] = "id,lower,upper,size,alignment\na,0,2,1,4611686018427387904\nb,0,2,1,4611686018427387904\n";
    all["offset 2^63-1.csv"] = "id,lower,upper,size,offset\na,0,2,16," + most + "\n";
    all["a name twice.csv"] = head + "a,0,2,1\na,0,2,1\n";
    all["names that are no text.csv"] = head + "\xff\xfe\xe9,0,2,10\n\xc3\x28,1,3,20\n";
    all["a zero byte.csv"] = head + QByteArray("a\0b,0,2,10\n", 11);
    all["no buffers.json"] = problemWith({});
    all["zero sizes.json"] = problemWith(R"({"name": "a", "size": 0, "live": [[0, 2]]}, {"name": "b", "size": 0, "live": []})");
    all["size 2^63-1.json"] = problemWith("{\"name\": \"a\", \"size\": " + most + ", \"live\": [[0, 2]]}");
    all["size 1e400.json"] = problemWith(R"({"name": "a", "size": 1e400, "live": [[0, 2]]})");
    all["no functions.json"] = R"({"format": "stowage.program/1", "name": "p", "entry": "main", "functions": []})";
    all["no ops.json"] = programWith(R"({"name": "x", "kind": "input", "bytes": 4})", {}).replace("\"y\"", "\"x\"");
    all["zero bytes.json"] = programWith(x + R"({"name": "y", "kind": "output", "shape": [0, 5], "dtype": "f32"})", copy);
    all["2^63 elements.json"] =
        programWith(x + R"({"name": "y", "kind": "output", "shape": [2147483648, 4294967296], "dtype": "f32"})", copy);
    all["2^62 bytes.json"] = programWith(x + R"({"name": "y", "kind": "output", "bytes": 4611686018427387904})", copy);
    all["a cycle of ops.json"] = programWith(x + R"({"name": "m", "bytes": 4}, )" + y,
                                             R"({"name": "a", "kind": "add", "inputs": ["x", "y"], "outputs": ["m"]}, )"
                                             R"({"name": "b", "kind": "relu", "inputs": ["m"], "outputs": ["y"]})");
    all["an op on itself.json"] = programWith(x + y, R"({"name": "a", "kind": "relu", "inputs": ["y"], "outputs": ["y"]})");
    all["a function that calls itself.json"] =
        programWith(x + y, R"({"name": "a", "kind": "call", "callee": "main", "inputs": ["x"], "outputs": ["y"]})");
    all["deep.json"] = QByteArray(200'000, '[') + QByteArray(200'000, ']');
    all["no text.json"] = "{\"format\": \"stowage.problem/1\", \"name\": \"\xff\xfe\"}";
    all["only zeros.onnx"] = QByteArray(100'000, '\0');
    all["only ones.tflite"] = QByteArray(100'000, '\xff');
    all["nested.mlir"] = "func.func @f() { " + QByteArray(20'000, '{') + QByteArray(20'000, '}') + " return }";
    return all;
}

} // namespace

class CliHostileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCommandAnswersInputsAtTheEdges_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const auto& [name, text] : edgeInputs()) QTest::newRow(name.constData()) << text;
    }
    void everyCommandAnswersInputsAtTheEdges()
    {
        QFETCH(QByteArray, text);
        const Cli cli;
        const QString name = QString::fromUtf8(QTest::currentDataTag());
        // A memory of nothing is a plan; sizes, times and alignments end at 2^62, and what refers to itself has no order.
        static const QStringList planned{"header only.csv", "zero sizes.csv", "no buffers.json",
                                         "zero sizes.json", "no ops.json",    "zero bytes.json"};
        static const QStringList refused{"empty.csv",
                                         "empty.json",
                                         "empty.tflite",
                                         "empty.onnx",
                                         "empty.mlir",
                                         "zero time.csv",
                                         "size 2^63-1.csv",
                                         "two of 2^63-1.csv",
                                         "size 2^63.csv",
                                         "size 2^62.csv",
                                         "negative.csv",
                                         "time 2^63-1.csv",
                                         "alignment 2^62.csv",
                                         "a name twice.csv",
                                         "size 2^63-1.json",
                                         "size 1e400.json",
                                         "no functions.json",
                                         "2^63 elements.json",
                                         "2^62 bytes.json",
                                         "a cycle of ops.json",
                                         "an op on itself.json",
                                         "a function that calls itself.json",
                                         "deep.json"};
        const QString file = cli.file(name, text);
        const QString out = cli.path("out");
        for (const QString& command :
             {QString("plan '%1' --planner greedy-by-size"), QString("plan '%1' --planner auto --work-limit 1000 --format json"),
              QString("info '%1'"), QString("check '%1' '%1'"), QString("convert '%1' --to problem -o '%2.json'"),
              QString("verify '%1' --planner naive"), QString("explain '%1' --planner naive"), QString("reorder '%1' -o '%2'"),
              QString("compare '%1' --planners naive,greedy-by-size,exact,hill-climb:attempts=3"),
              QString("render '%1' --view memory-map --planner naive -o '%2.svg'"),
              QString("export '%1' --as c-source --planner naive -o '%2.c'")}) {
            // Ten times what any of these needs; a worker's own limit is below that.
            QString line = command;
            line.replace("%1", file).replace("%2", out);
            const auto result = shell(addresses(8'000'000) + "ulimit -t 40; CLI " + line);
            const QByteArray said = command.toUtf8() + '\n' + result.out.left(2000) + result.err.left(2000);
            QVERIFY2(result.status >= 0 && result.status <= 2, said);
            QVERIFY2(!result.err.contains("crashed") && !result.err.contains("terminate called"), said);
            if (command.startsWith("plan '%1' --planner g") && planned.contains(name)) QVERIFY2(result.status == 0, said);
            if (command.startsWith("plan") && refused.contains(name)) QVERIFY2(result.status == 2, said);
            if (result.status == 2) QVERIFY2(result.err.contains("error: "), said);
            QVERIFY2(result.err.size() < 20'000, said);
        }
    }

    /// A file is whole, empty, cut and gone in turn while it is read. What was read of it is planned or refused.
    void filesThatShrinkAndVanishWhileTheyAreRead_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"tflite/doorbell.tflite", "mlp_packed_weights.json", "ascend/flash_attention_vector_48.mlir"})
            if (QFile::exists(Cli::sample(name))) QTest::newRow(name) << QString::fromUtf8(name);
        QTest::newRow("large") << QString();
    }
    void filesThatShrinkAndVanishWhileTheyAreRead()
    {
        QFETCH(QString, name);
        const Cli cli;
        QByteArray bytes;
        QString suffix = QStringLiteral(".tflite");
        if (name.isEmpty()) {
            // The beginning of a model, followed by many zeros: the process that maps the file still reads it when it shrinks.
            QFile model(Cli::sample("tflite/doorbell.tflite"));
            bytes = model.open(QIODevice::ReadOnly) ? model.readAll() : QByteArray("\x1c\0\0\0TFL3", 8);
            bytes.append(32'000'000, '\0');
        } else {
            QFile sample(Cli::sample(name.toUtf8().constData()));
            QVERIFY(sample.open(QIODevice::ReadOnly));
            bytes = sample.readAll();
            suffix = '.' + name.section('.', -1);
        }
        const QString file = cli.file("changing" + suffix, bytes);
        const QByteArray path = file.toUtf8();
        std::atomic<bool> stop = false;
        std::thread changer([&] {
            for (unsigned round = 0; !stop; ++round) {
                const off_t sizes[] = {0, off_t(bytes.size()), off_t(bytes.size() / 2), off_t(bytes.size()), 1};
                const off_t size = sizes[round % 5];
                if (round % 97 == 96) ::unlink(path.constData());
                const int descriptor = ::open(path.constData(), O_WRONLY | O_CREAT, 0600);
                if (descriptor < 0) continue;
                if (::ftruncate(descriptor, size) == 0 && size == bytes.size() && round % 10 < 5)
                    for (qint64 at = 0; at < bytes.size();) {
                        const auto count = ::pwrite(descriptor, bytes.constData() + at, std::size_t(bytes.size() - at), at);
                        if (count <= 0) break;
                        at += count;
                    }
                ::close(descriptor);
                std::this_thread::sleep_for(std::chrono::microseconds(200 * (round % 7)));
            }
        });
        QByteArray wrong;
        for (int i = 0; i < 16 && wrong.isEmpty(); ++i) {
            const auto result = cli({i % 2 == 0 ? "info" : "plan", file});
            if (result.status < 0 || result.status > 2 || result.err.contains("crashed") || result.err.contains("left out"))
                wrong = result.out + result.err;
        }
        stop = true;
        changer.join();
        QVERIFY2(wrong.isEmpty(), wrong);
    }

    void aFullDiskLeavesTheOldFileAndSaysSo()
    {
        const Cli cli;
        const QString three = cli.file("three.csv", threeBuffers);
        const QString out = cli.file("out.json", "what was there");
        // 512 bytes a block: less than any of these files.
        for (const QString& command :
             {QString("plan 'IN' --planner naive --format json -o 'OUT'"), QString("convert 'IN' --to problem -o 'OUT'"),
              QString("render 'IN' --view memory-map --planner naive -o 'OUT.png'"), QString("sweep 'SWEEP' --out 'OUT.sweep'"),
              QString("regress 'SUITE' --update")}) {
            const QString sweep = cli.file("sweep.json", R"({"format": "stowage.sweep/1", "models": ["three.csv"]})");
            const QString suite =
                cli.file("suite.json", R"({"format": "stowage.suite/1", "name": "s", "rows": [{"model": "three.csv",)"
                                       R"( "planners": ["naive"]}]})");
            QString line = command;
            line.replace("'IN", '\'' + three)
                .replace("'OUT", '\'' + out)
                .replace("'SWEEP", '\'' + sweep)
                .replace("'SUITE", '\'' + suite);
            const auto result = shell("ulimit -f 0; CLI " + line);
            const QByteArray said = command.toUtf8() + '\n' + result.out + result.err;
            QVERIFY2(result.status == 2, said);
            QVERIFY2(result.err.contains("error: ") && result.err.contains("written"), said);
            QCOMPARE(cli.contents("out.json"), QByteArray("what was there"));
        }
        QVERIFY(!QFile::exists(cli.path("s.baseline.json")));
    }

    /// A configuration names the programs of its stages: in its folder or below, and regular files only.
    void pipelinesReachNothingOutsideTheirFolder()
    {
        const Cli cli;
        cli.file("outside.program.json", "{}");
        QVERIFY(QDir().mkpath(cli.path("in/deep")));
        QCOMPARE(mkfifo(cli.path("in/fifo").toUtf8().constData(), 0600), 0);
        QVERIFY(QFile::link("/dev/zero", cli.path("in/zero")));
        const auto configurationOf = [&](const QString& program) {
            return cli.file("in/p.json",
                            QString(R"({"param_connection": [], "input_connection": [{"global_interface_name": "x", "mod_idx": 0,
                                "module_interface_name": "x"}], "module_connection": [{"mod_idx": 0, "output": [{"output_idx": 0,
                                "dependencies": [{"global_output_index": 0}]}], "x-stowage": {"program": "%1", "cost_us": 1}}]})")
                                .arg(program)
                                .toUtf8());
        };
        // Those that are let in are looked for, and are not there.
        for (const char* program : {"none.json", "deep/none.json", "deep/../none.json"}) {
            const auto result = shell("CLI pipeline simulate '" + configurationOf(program) + "'");
            QVERIFY2(result.status == 2 && result.err.contains("none.json: cannot be opened"), result.err);
        }
        for (const QString& program : {QString("/dev/zero"), QString("/etc/hostname"), QString("../outside.program.json"),
                                       QString("deep/../../outside.program.json")}) {
            for (const char* command : {"pipeline simulate", "pipeline config check", "pipeline run", "info"}) {
                const auto result =
                    shell(addresses(4'000'000) + QString("timeout 20 CLI %1 '%2'").arg(command, configurationOf(program)));
                QVERIFY2(result.status == 2 && result.err.contains("outside of the folder"), command + (": " + result.err));
            }
        }
        for (const char* program : {"fifo", "zero", "deep"}) {
            const auto result =
                shell(addresses(4'000'000) + "timeout 20 CLI pipeline simulate '" + configurationOf(program) + "'");
            QVERIFY2(result.status == 2 && result.err.contains("not a regular file"), result.err);
        }
        // What is named on the command line may be a pipe, and has an end.
        for (const char* line : {"pipeline simulate /dev/zero", "pipeline config check /dev/zero", "pipeline run /dev/zero"}) {
            const auto result = shell(addresses(4'000'000) + QString("timeout 20 CLI %1").arg(line));
            QVERIFY2(result.status == 2 && result.err.contains("device"), line + (": " + result.err));
        }
        const auto costs = shell(addresses(4'000'000) + "timeout 20 CLI pipeline split '" + Cli::sample("mobilenet_v1_025.json") +
                                 "' --stages 2 --costs /dev/zero");
        QVERIFY2(costs.status == 2 && costs.err.contains("device"), costs.err);
        // A picture of a FIFO's model: its beginning is not taken away by a look at it.
        const QString three = cli.file("three.csv", threeBuffers);
        const auto drawn = shell(QString("cat '%1' > '%2' & timeout 20 CLI render '%2' --view memory-map --planner naive -o '%3'")
                                     .arg(three, cli.path("in/fifo"), cli.path("map.svg")));
        QVERIFY2(drawn.status == 0 && cli.contents("map.svg").contains("<svg"), drawn.err);
    }

    /// Functions are named by the model, and files by functions: none of them leaves the folder that the user named.
    void exportedFilesStayInTheirFolder()
    {
        const Cli cli;
        // Single quotes stand for double ones.
        const QByteArray rest = "'inputs': ['x'], 'outputs': ['y'], 'tensors': [{'name': 'x', 'kind': 'input', 'bytes': 4}, "
                                "{'name': 'y', 'kind': 'output', 'bytes': 4}], "
                                "'ops': [{'name': '../op', 'kind': 'relu', 'inputs': ['x'], 'outputs': ['y']}]}";
        QByteArray text = "{'format': 'stowage.program/1', 'name': '../../model', 'entry': '../../up', 'functions': ["
                          "{'name': '../../up', " +
                          rest + ", {'name': '" + cli.path("absolute").toUtf8() + "', " + rest + "]}";
        const QString file = cli.file("model.json", text.replace('\'', '"'));
        const QString out = cli.path("a/b/out");
        QVERIFY(QDir().mkpath(out));
        for (const char* form : {"c-source", "c-header"}) {
            const auto result = cli({"export", file, "--as", form, "--planner", "naive", "-o", out});
            QVERIFY2(result.status == 0, result.err);
        }
        const auto split = cli({"pipeline", "split", file, "--function", "../../up", "--stages", "1", "-o", out + "/p.json"});
        QVERIFY2(split.status == 0, split.err);
        int files = 0;
        QDirIterator made(cli.path({}), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (made.hasNext()) {
            const QString path = QDir::cleanPath(made.next());
            if (path == file) continue;
            QVERIFY2(path.startsWith(out + '/'), qPrintable(path));
            ++files;
        }
        QVERIFY2(files >= 6,
                 qPrintable(QString::number(files))); // source and header of each function, and the split with its stage
    }

    /// A memory_info.json names its kernel, which is read from its own folder whatever the name says, and only as a regular file.
    void memoryInfoReachesNothingOutsideItsFolder()
    {
        const Cli cli;
        QVERIFY(QDir().mkpath(cli.path("in")));
        QFile sample(Cli::sample("ascend/flash_attention_vector_48.memory_info.json"));
        QVERIFY(sample.open(QIODevice::ReadOnly));
        const QByteArray info = sample.readAll(), name = "flash_attention_vector_48.mlir";
        QVERIFY(info.contains(name));
        QVERIFY(QFile::copy(Cli::sample("ascend/" + name), cli.path(QString::fromUtf8(name))));
        const auto opensKernel = [&](QByteArray named) {
            const QString file = cli.file("in/k.memory_info.json", QByteArray(info).replace(name, named));
            const auto result = shell("timeout 20 CLI info '" + file + "'");
            return std::pair(result.status, result.out.contains("arith.constant")); // an op that only the kernel has
        };
        const auto without = std::pair(0, false);
        for (const QByteArray& named : {name, "../" + name, cli.path(QString::fromUtf8(name)).toUtf8()})
            QVERIFY2(opensKernel(named) == without, named);
        const QString inside = cli.path("in/" + QString::fromUtf8(name));
        QCOMPARE(mkfifo(inside.toUtf8().constData(), 0600), 0);
        QVERIFY(opensKernel(name) == without);
        QVERIFY(QFile::remove(inside) && QFile::copy(Cli::sample("ascend/" + name), inside));
        QVERIFY(opensKernel(name) == std::pair(0, true));
        QVERIFY(opensKernel("../" + name) == std::pair(0, true)); // the one in its own folder
    }

    void suitesAndSweepsAreNoDevicesAndNoFifos()
    {
        const Cli cli;
        for (const char* command : {"regress", "sweep"}) {
            const QString rest = QLatin1String(command) == QLatin1String("sweep") ? " --out '" + cli.path("o") + "'" : QString();
            const auto result = shell(addresses(4'000'000) + QString("CLI %1 /dev/zero%2").arg(command, rest));
            QVERIFY2(result.status == 2 && result.err.contains("device"), result.err);
        }
        // Models of a sweep are regular files: a device's bytes have no end.
        const QString spec = cli.file("spec.json", R"({"format": "stowage.sweep/1", "models": ["/dev/zero"]})");
        const auto swept = shell("CLI sweep '" + spec + "' --out '" + cli.path("o") + "'");
        QVERIFY2(swept.status == 2 && swept.err.contains("no file matches"), swept.err);
        // Ctrl-C ends the wait for a FIFO that nobody writes.
        QCOMPARE(mkfifo(cli.path("fifo").toUtf8().constData(), 0600), 0);
        for (const char* command : {"regress", "sweep"}) {
            const QString rest = QLatin1String(command) == QLatin1String("sweep") ? " --out '" + cli.path("o") + "'" : QString();
            const auto result =
                shell(QString("timeout -s INT 2 '%1' %2 '%3'%4").arg(Cli::program(), command, cli.path("fifo"), rest));
            QVERIFY2(result.status == 124, QByteArray::number(result.status) + result.err); // timeout's own: it had to interrupt
        }
    }
};

QTEST_GUILESS_MAIN(CliHostileTest)
#include "tst_cli_hostile.moc"
