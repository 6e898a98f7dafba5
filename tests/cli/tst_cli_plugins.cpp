// Planners of others: by manifest, over every transport; and whatever they do, `plan` says which failure it was, none of their
// processes is left, and the next run works.
#include "plugins/external/confinement.h"
#include "plugins/external/external_planner.h"
#include "plugins/external/manifest_reader.h"
#include "tests/cli/plugin_manifests.h"

#include <QDir>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace stowage::test;

namespace {

/// Processes that run the script of misdeeds for a test of this process.
QStringList survivors(const QString& folder)
{
    QStringList found;
    for (const QString& pid : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        if (pid.toInt() <= 0) continue;
        QFile environment(QStringLiteral("/proc/%1/environ").arg(pid));
        QFile words(QStringLiteral("/proc/%1/cmdline").arg(pid));
        if (!environment.open(QIODevice::ReadOnly) || !words.open(QIODevice::ReadOnly)) continue;
        const QByteArray command = words.readAll();
        if (environment.readAll().contains("XDG_CONFIG_HOME=" + folder.toUtf8()) && command.contains("hostile.py"))
            found << pid + QStringLiteral(": ") + QString::fromUtf8(command).replace(QChar(u'\0'), u' ');
    }
    return found;
}

} // namespace

class CliPluginsTest : public QObject {
    Q_OBJECT

    Cli cli_;
    QString model_;

    /// A folder with one manifest in it.
    QString folderWith(const QString& name, const QByteArray& text)
    {
        QDir().mkpath(cli_.path(name));
        cli_.file(name + QStringLiteral("/it.json"), text);
        return cli_.path(name);
    }
    CliResult plan(const QString& folder, const QString& planner, const QStringList& more = {})
    {
        return cli_(QStringList{"plan", model_, "--planner", planner, "--plugin-dir", folder, "--format", "json"} + more);
    }
    QJsonObject row(const QString& folder, const QString& id)
    {
        for (const auto& entry : cli_({"list", "plugins", "--plugin-dir", folder, "--format", "json"}).array())
            if (entry.toObject()["id"].toString() == id) return entry.toObject();
        return {};
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(prepareForPlugins(cli_));
        model_ = cli_.file(QStringLiteral("three.csv"), threeBuffers);
    }

    void plannersHaveNoNetwork()
    {
        if (const auto missing = stowage::external::confinementMissing(); !missing.empty()) QSKIP(std::string(missing).c_str());
        QVERIFY(QDir().mkpath(cli_.path(QStringLiteral("out"))));
        cli_.file(QStringLiteral("out/it.json"), R"({"id": "out", "protocol": 1, "transport": "csv-oneshot",
            "argv": ["python3", ")" + QByteArray(hostileScript) +
                                                     R"(", "csv", "reach-out"]})");
        const CliResult tried = plan(cli_.path(QStringLiteral("out")), QStringLiteral("out"));
        QCOMPARE(tried.status, 1);
        QVERIFY2(tried.err.contains("no network here"), tried.err.constData());
    }

    void eachMisdeedHasItsCodeAndLeavesNothingBehind_data()
    {
        QTest::addColumn<QString>("transport");
        QTest::addColumn<QString>("misdeed");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QStringList>("more");
        const QStringList none;
        const QList<std::pair<const char*, const char*>> both{
            {"crash", "crashed"},
            {"hang", "timed-out"},
            {"leave-a-daemon", "timed-out"},
            {"flood", "too-much-output"},
            {"garbage", "not-understood"},
            {"unknown-id", "unknown-buffer"},
            {"missing-id", "missing-buffer"},
            {"overlap", "overlap"},
            {"negative", "out-of-range"},
            {"huge", "out-of-range"},
            {"beyond-64-bits", "out-of-range"},
            {"half-a-byte", "not-understood"},
            {"eat-memory", "too-much-memory"},
            {"children-eat-memory", "too-much-memory"},
            {"many-children", "too-much-memory"},
            {"orphan-eats-memory", "too-much-memory"},
            {"exit-early", "exited-early"},
            {"exit-silently", "exited-early"},
        };
        for (const auto& [misdeed, code] : both)
            for (const char* transport : {"csv", "rpc"})
                QTest::addRow("%s %s", transport, misdeed) << QString(transport) << QString(misdeed) << QString(code) << none;
        const auto rpc = [&](const char* misdeed, const char* code, const QStringList& more) {
            QTest::addRow("rpc %s", misdeed) << QString("rpc") << QString(misdeed) << QString(code) << more;
        };
        rpc("protocol", "protocol-version", none);
        rpc("known-error", "too-much-memory", none);
        rpc("unknown-pool", "not-understood", none);
        rpc("no-list", "not-understood", none);
        rpc("null-id", "not-understood", none);
        rpc("other-id", "not-understood", none);
        rpc("slow-cancel", "timed-out", {"--time-limit", "0.5"});
        QTest::newRow("csv twice") << "csv"
                                   << "twice"
                                   << "not-understood" << none;
        QTest::newRow("csv flood-a-file") << "csv"
                                          << "flood-a-file"
                                          << "too-much-output" << none;
        // What is waited for without an end, and what has none, is no output file.
        for (const char* misdeed : {"fifo-as-file", "device-as-file"})
            QTest::addRow("csv %s", misdeed) << QString("csv") << QString(misdeed) << QString("exited-early") << none;
    }
    void eachMisdeedHasItsCodeAndLeavesNothingBehind()
    {
        QFETCH(QString, transport);
        QFETCH(QString, misdeed);
        QFETCH(QString, code);
        QFETCH(QStringList, more);
        const bool csv = transport == u"csv";
        const QString id = "bad-" + misdeed;
        const bool hangs = misdeed == u"hang" || misdeed == u"leave-a-daemon";
        const bool forks = misdeed == u"many-children"; // each of which is small
        const QString limits = QStringLiteral(R"(, "memory_mb": %1, "output_mb": 2, "timeout_s": %2)")
                                   .arg(QLatin1String(forks ? "8000" : "120"), QLatin1String(hangs ? "1.5" : "40"));
        QString arguments = QStringLiteral(R"("%1", "%2")").arg(transport, misdeed);
        if (misdeed.endsWith(u"-file")) arguments += QStringLiteral(R"(, "{out}")");
        const QString folder =
            folderWith(transport + misdeed, hostileManifest(id, csv ? "csv-oneshot" : "stdio-jsonrpc", arguments, limits));

        const CliResult result = plan(folder, id, more);
        QVERIFY2(result.status == 1, result.err.constData());
        QCOMPARE(codeOf(result), code);
        if (forks) QVERIFY2(result.err.contains("512 processes at once"), result.err.constData());
        QVERIFY(result.object()["placements"].toArray().isEmpty());
        QVERIFY2(result.err.startsWith("error: " + id.toUtf8()), result.err.constData());

        const QJsonObject listed = row(folder, id);
        QCOMPARE(listed["state"].toString(), QString("usable"));
        QCOMPARE(listed["failure"].toString(), code);

        const QStringList left = survivors(cli_.path(QStringLiteral("config")));
        QVERIFY2(left.isEmpty(), qPrintable(left.join("\n")));
        const CliResult next = plan(folder, QStringLiteral("greedy-by-size"));
        QVERIFY2(next.status == 0, next.err.constData());
    }

    void aGoodRunClearsTheLastFailure()
    {
        const QString folder = cli_.path(QStringLiteral("switch"));
        folderWith(QStringLiteral("switch"), hostileManifest("switched", "csv-oneshot", R"("csv", "overlap")"));
        QCOMPARE(plan(folder, "switched").status, 1);
        QCOMPARE(row(folder, "switched")["failure"].toString(), QString("overlap"));
        folderWith(QStringLiteral("switch"), hostileManifest("switched", "csv-oneshot", R"("csv", "none")"));
        QCOMPARE(plan(folder, "switched").status, 0);
        QCOMPARE(row(folder, "switched")["failure"].toString(), QString());
    }

    void aFalseClaimStaysAClaim()
    {
        const QString folder = folderWith(QStringLiteral("liar"), hostileManifest("liar", "stdio-jsonrpc", R"("rpc", "claim")"));
        const CliResult result = plan(folder, "liar");
        QCOMPARE(result.status, 0);
        QCOMPARE(result.object()["status"].toString(), QString("feasible"));
        QCOMPARE(result.object()["proof"].toObject()["kind"].toString(), QString("claim"));
        const QJsonObject pool = result.object()["pools"].toArray().first().toObject();
        QCOMPARE(pool["size"].toInt(), 40);
        QCOMPARE(pool["lower_bound"].toInt(), 30); // ours, not 2^40
    }

    void cancelledInTimeItHandsOverItsBestPlan()
    {
        const QString folder =
            folderWith(QStringLiteral("late"), hostileManifest("late", "stdio-jsonrpc", R"("rpc", "late-cancel")"));
        const CliResult result = plan(folder, "late", {"--time-limit", "3"}); // the interpreter starts in this time, too
        QVERIFY2(result.status == 0, result.err.constData());
        QCOMPARE(result.object()["stopped_by"].toString(), QString("deadline"));
    }

    void badPartialPlansAreCountedAndNotShown()
    {
        const QString folder =
            folderWith(QStringLiteral("partials"), hostileManifest("partials", "stdio-jsonrpc", R"("rpc", "bad-partials")"));
        const CliResult result = plan(folder, "partials");
        QCOMPARE(result.status, 0);
        QVERIFY(result.err.contains("partial plans that were not valid, and not shown: 1"));
    }

    /// As much as it has placed is published as it comes, laid over what came before, without the buffers that are missing.
    void partsOfAPlanArePublishedAsTheyCome()
    {
        using namespace stowage;
        const QByteArray text = hostileManifest("grows", "stdio-jsonrpc", R"("rpc", "grows")");
        auto read = external::readManifest({text.constData(), std::size_t(text.size())}, "grows.json");
        QVERIFY(read);
        Problem problem;
        problem.pools = {{.name = "arena"}};
        for (const char* name : {"a", "b", "c"}) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = name;
            buffer.size = 16;
            buffer.live = {{0, 2}};
        }
        std::vector<std::ptrdiff_t> placed;
        PlanContext context;
        context.publish = [&](const Incumbent& incumbent) {
            placed.push_back(std::ranges::count_if(incumbent.plan.placements, [](const Placement& p) { return p.placed(); }));
        };
        const auto plan = external::externalPlanner(*std::move(read))->plan(problem, {}, context);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(placed, (std::vector<std::ptrdiff_t>{1, 2}));
    }

    void whatItCannotTakeIsRefusedBeforePlanning()
    {
        const QString folder =
            folderWith(QStringLiteral("meagre"), hostileManifest("meagre", "stdio-jsonrpc", R"("rpc", "no-capabilities")"));
        const QString gaps = cli_.file(QStringLiteral("gaps.csv"), "id,lower,upper,size,gaps\na,0,9,8,2-5\nb,2,5,8,\n");
        const CliResult result =
            cli_({"compare", gaps, "--planners", "meagre,naive", "--plugin-dir", folder, "--format", "json"});
        QCOMPARE(result.status, 0);
        const QJsonObject first = result.object()["rows"].toArray().first().toObject();
        QCOMPARE(first["planner"].toString(), QString("meagre"));
        QCOMPARE(first["status"].toString(), QString("refused"));
        QVERIFY2(first["message"].toString().contains("holes"), qPrintable(first["message"].toString()));
        // There is one lowering, and naive has planned it.
        const CliResult text = cli_({"compare", gaps, "--planners", "meagre,naive", "--plugin-dir", folder});
        QVERIFY2(text.out.contains("refused") && !text.out.contains("no planner"), text.out.constData());
        QVERIFY2(!text.out.contains("Undecided") && !text.out.contains("Different lowerings"), text.out.constData());
        const CliResult none = cli_({"compare", gaps, "--planners", "meagre", "--plugin-dir", folder});
        QCOMPARE(none.status, 2); // as 'plan'
        QVERIFY2(none.out.startsWith("Refused: no planner supports this problem"), none.out.constData());
    }

    void aPlanThatBreaksPinsIsForTheChecker()
    {
        const QString folder =
            folderWith(QStringLiteral("pins"),
                       hostileManifest("ignores-pins", "csv-oneshot", R"("csv", "none")", R"(, "capabilities": ["pins"])"));
        const QString pinned = cli_.file(QStringLiteral("pinned.csv"), "id,lower,upper,size,offset\na,0,2,8,64\nb,1,3,8,-1\n");
        const CliResult result = cli_({"plan", pinned, "--planner", "ignores-pins", "--plugin-dir", folder, "--format", "json"});
        QCOMPARE(result.status, 1);
        QCOMPARE(result.object()["status"].toString(), QString("invalid"));
        QCOMPARE(result.object()["placements"].toArray().size(), 2);
    }

    void samplesPlanOverEveryTransport_data()
    {
        QTest::addColumn<QString>("planner");
        for (const char* planner : {"first-fit-py", "stack-awk", "shuffle-rpc"}) QTest::newRow(planner) << QString(planner);
    }
    void samplesPlanOverEveryTransport()
    {
        QFETCH(QString, planner);
        const QString samples = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples");
        for (const char* model : {"mobilenet_v1_025.json", "transformer_block.json"}) {
            const CliResult result = cli_({"plan", Cli::sample(model), "--planner", planner, "--plugin-dir", samples, "--format",
                                           "json", "--lower", "loops=conservative"});
            QVERIFY2(result.status == 0, result.err.constData());
            QCOMPARE(result.object()["planner"].toString(), planner);
        }
    }

    /// A fit without a runtime has a row for each planner of Stowage, and for another one if it is named.
    void aFitHasARowForThePlannerThatIsNamed()
    {
        const QString three = cli_.file(QStringLiteral("fit.csv"), threeBuffers);
        for (const bool named : {false, true}) {
            const QString samples = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples");
            QStringList command{"fit", three, "--plugin-dir", samples, "--format", "json"};
            if (named) command += QStringList{"--planner", "first-fit-py"};
            const CliResult result = cli_(command);
            QVERIFY2(result.status == 0, result.err.constData());
            bool listed = false;
            for (const QJsonValue& row : result.object()["rows"].toArray())
                listed |= row.toObject()["planner"].toString() == QLatin1String("first-fit-py");
            QCOMPARE(listed, named);
        }
    }

    void optionsOfAManifestAreCheckedAndHandedOver()
    {
        QDir().mkpath(cli_.path(QStringLiteral("echo")));
        cli_.file(QStringLiteral("echo/stack.awk"), R"(BEGIN { FS = OFS = ","; print step, word > "/dev/stderr" }
NR == 1 { print $1, "offset"; next }
{ print $1, top + 0; top += step }
)");
        cli_.file(QStringLiteral("echo/it.json"), R"({"id": "echo", "protocol": 1, "transport": "csv-oneshot",
            "argv": ["awk", "-v", "step={option:step}", ["-v", "word={option:word}"], "-f", "{dir}/stack.awk"],
            "options": [{"name": "step", "type": "int", "default": 32, "min": 8, "max": 4096, "help": "Bytes."},
                        {"name": "word", "type": "text", "default": ""}]})");
        const QString folder = cli_.path(QStringLiteral("echo"));
        const CliResult plain = plan(folder, "echo");
        QVERIFY2(plain.status == 0, plain.err.constData());
        QCOMPARE(plain.object()["placements"].toArray()[1].toObject()["offset"].toInt(), 32);
        // Whatever a value has in it, it is one argument: no shell sees it.
        const CliResult hostile =
            plan(folder, "echo", {"--option", "step=64", "--option", "word=$(touch " + cli_.path("pwned") + "); 'x"});
        QVERIFY2(hostile.status == 0, hostile.err.constData());
        QCOMPARE(hostile.object()["placements"].toArray()[1].toObject()["offset"].toInt(), 64);
        QVERIFY(!QFile::exists(cli_.path(QStringLiteral("pwned"))));
        const CliResult wrong = plan(folder, "echo", {"--option", "step=7"});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.err.contains("outside 8 to 4096"), wrong.err.constData());
        const CliResult unknown = plan(folder, "echo", {"--option", "stride=8"});
        QCOMPARE(unknown.status, 2);
    }

    void refusedManifestsAreRows_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const char* text, const char* reason) {
            QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(reason);
        };
        row("no JSON", R"({"id": "x", "protocol": 1, "argv")", "line 1");
        row("other protocol", R"({"id": "x", "protocol": 2, "argv": ["awk"]})", "speaks protocol 2");
        row("unknown field", R"({"id": "x", "protocol": 1, "argv": ["awk"], "timeout": 3})", "unknown field");
        row("no program", R"({"id": "x", "protocol": 1, "argv": ["no-such-program-here"]})", "is not there");
        row("no id", R"({"protocol": 1, "argv": ["awk"]})", "'id' is missing");
        row("name of ours", R"({"id": "exact", "protocol": 1, "argv": ["awk"]})", "already");
        row("placeholder", R"({"id": "x", "protocol": 1, "argv": ["awk", "{capacty}"]})", "means nothing here");
        row("bad default",
            R"({"id": "x", "protocol": 1, "argv": ["awk"], "options": [{"name": "a", "type": "int", "default": 9, "max": 3}]})",
            "default");
        row("bad id", R"({"id": "../x", "protocol": 1, "argv": ["awk"]})", "is no id");
    }
    void refusedManifestsAreRows()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, reason);
        const QString folder = folderWith(QString("refused-%1").arg(qHash(text)), text);
        for (const auto& entry : cli_({"list", "plugins", "--plugin-dir", folder, "--format", "json"}).array()) {
            const QJsonObject listed = entry.toObject();
            if (!listed["path"].toString().startsWith(folder)) continue;
            QCOMPARE(listed["state"].toString(), QString("refused"));
            QVERIFY2(listed["reason"].toString().contains(reason), qPrintable(listed["reason"].toString()));
            QVERIFY(!listed["remedy"].toString().isEmpty());
            return;
        }
        QFAIL("there is no row");
    }

    void aModelsFolderIsNeverLookedInto()
    {
        const QString folder = folderWith(QStringLiteral("beside"), hostileManifest("beside", "csv-oneshot", R"("csv", "none")"));
        QDir().mkpath(folder + "/planners.d");
        QFile::copy(folder + "/it.json", folder + "/planners.d/it.json");
        const QString model = cli_.file(QStringLiteral("beside/model.csv"), threeBuffers);
        QProcess process; // its working folder is the model's, and the environment names it by a relative path
        process.setWorkingDirectory(folder);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("STOWAGE_PLUGIN_PATH", ".:planners.d");
        process.setProcessEnvironment(environment);
        process.start(Cli::program(), {"plan", "model.csv", "--planner", "beside"});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardError().contains("there is no planner named 'beside'"));
    }

    void newOnesInTheUsersFolderRunOnceConfirmed()
    {
        const QString folder = cli_.path(QStringLiteral("data/stowage/plugins/planners.d"));
        QDir().mkpath(folder);
        cli_.file(QStringLiteral("data/stowage/plugins/planners.d/mine.json"),
                  hostileManifest("mine", "csv-oneshot", R"("csv", "none")"));
        const CliResult before = cli_({"plan", model_, "--planner", "mine"});
        QCOMPARE(before.status, 2);
        QVERIFY2(before.err.contains("--enable mine"), before.err.constData());
        QCOMPARE(cli_({"list", "plugins", "--enable", "mine"}).status, 0);
        QCOMPARE(cli_({"plan", model_, "--planner", "mine"}).status, 0);
        QCOMPARE(cli_({"list", "plugins", "--disable", "mine"}).status, 0);
        QVERIFY(cli_({"plan", model_, "--planner", "mine"}).err.contains("is disabled"));
        QVERIFY(QFile::remove(folder + "/mine.json"));
    }

    void programsReadAndWriteFormatsOfTheirOwn()
    {
        const QString folder = cli_.path(QStringLiteral("formats"));
        QDir().mkpath(folder);
        cli_.file(QStringLiteral("formats/reader.py"), R"(import json, sys
lines = open(sys.argv[1]).read().split("\n")
buffers = []
for line in filter(None, lines[1:]):
    name, size, begin, end = line.split()
    buffers.append({"name": name, "size": int(size), "live": [[int(begin), int(end)]]})
json.dump({"format": "stowage.problem/1", "buffers": buffers}, sys.stdout)
)");
        cli_.file(QStringLiteral("formats/reader.json"), R"({"id": "toy-reader", "kind": "importer", "protocol": 1,
            "argv": ["python3", "{dir}/reader.py", "{in}"], "suffixes": ["toy"], "magic": {"offset": 0, "hex": "544f5931"}})");
        cli_.file(QStringLiteral("formats/writer.py"), R"(import json, sys
plan = json.load(open(sys.argv[1]))
with open(sys.argv[3], "w") as out:
    for placement in sorted(plan["placements"], key=lambda p: p["buffer"]):
        out.write(f"{placement['buffer']} {placement['offset']}\n")
assert json.load(open(sys.argv[2]))["format"] == "stowage.problem/1"
)");
        cli_.file(QStringLiteral("formats/writer.json"), R"({"id": "toy-writer", "kind": "exporter", "protocol": 1,
            "argv": ["python3", "{dir}/writer.py", "{plan}", "{problem}", "{out}"], "suffixes": ["toyplan"]})");
        const QString model =
            cli_.file(QStringLiteral("model.bin"), "TOY1\na 10 0 2\nb 20 1 3\n"); // told by its bytes, not its suffix
        const CliResult planned = cli_({"plan", model, "--planner", "naive", "--plugin-dir", folder, "--format", "json"});
        QVERIFY2(planned.status == 0, planned.err.constData());
        QCOMPARE(planned.object()["placements"].toArray().size(), 2);
        const CliResult written = cli_({"export", model, "--as", "toy-writer", "--planner", "naive", "--plugin-dir", folder, "-o",
                                        cli_.path("out.toyplan")});
        QVERIFY2(written.status == 0, written.err.constData());
        QCOMPARE(cli_.contents("out.toyplan"), QByteArray("a 0\nb 10\n"));
        QVERIFY(cli_({"list", "exporters", "--plugin-dir", folder}).out.contains("toy-writer"));
        QVERIFY(cli_({"list", "importers", "--plugin-dir", folder}).out.contains("toy-reader"));
        // Standard input, and a reader that fails.
        QCOMPARE(cli_({"info", "-", "--plugin-dir", folder}, "TOY1\na 10 0 2\n").status, 0);
        const CliResult bad = cli_({"info", "-", "--plugin-dir", folder}, "TOY1\nnonsense\n");
        QCOMPARE(bad.status, 2);
        QVERIFY2(bad.err.contains("toy-reader"), bad.err.constData());
    }

    void miniMallocIsAPlannerByItsManifest()
    {
        // A stand-in with the command line of google/minimalloc: flags with '=', CSV files, status 1 without a solution.
        QDir().mkpath(cli_.path(QStringLiteral("bin")));
        const QString standIn = cli_.file(QStringLiteral("bin/minimalloc"), R"(#!/usr/bin/env python3
import csv, sys
flags = dict(word[2:].split("=", 1) for word in sys.argv[1:])
known = {"input", "output", "capacity", "timeout", "canonical_only", "section_inference", "preordering_heuristics"}
assert set(flags) <= known, flags
assert "timeout" not in flags or flags["timeout"].endswith("s") and float(flags["timeout"][:-1]) > 0
assert flags["canonical_only"] in ("true", "false")
rows, top = list(csv.DictReader(open(flags["input"]))), 0
for row in rows:
    row["offset"], top = top, top + int(row["size"])
if top > int(flags["capacity"]): sys.exit(1)
with open(flags["output"], "w") as out:
    writer = csv.DictWriter(out, rows[0]); writer.writeheader(); writer.writerows(rows)
)");
        QFile::setPermissions(standIn, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", cli_.path(QStringLiteral("bin")).toUtf8() + ":" + before);
        const QString samples = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples");
        const CliResult fits =
            plan(samples, "minimalloc", {"--capacity", "40", "--time-limit", "7", "--option", "canonical-only=false"});
        const CliResult tight = plan(samples, "minimalloc", {"--capacity", "39"});
        const CliResult open = plan(samples, "minimalloc");
        qputenv("PATH", before);
        QVERIFY2(fits.status == 0, fits.err.constData());
        QCOMPARE(fits.object()["pools"].toArray().first().toObject()["size"].toInt(), 40);
        QCOMPARE(tight.status, 1);
        QCOMPARE(codeOf(tight), QString("exited-early"));
        QCOMPARE(open.status, 2);
        QVERIFY2(open.err.contains("--capacity"), open.err.constData());
    }

    void solversOfTheOpenDsaProblemSeeReusePenalties()
    {
        QDir().mkpath(cli_.path(QStringLiteral("dsa")));
        // Puts everything end to end, and notes what it was given.
        cli_.file(QStringLiteral("dsa/solver.py"), R"(import json, sys
problem = json.load(open(sys.argv[1]))
json.dump(problem, open(sys.argv[3], "w"))
placements, top = [], {}
for b in problem["problem"]["buffers"]:
    pool = b["allowed_pools"][0]
    offset = -(-top.get(pool, 0) // b["alignment"]) * b["alignment"]
    placements.append({"buffer": b["id"], "pool": pool, "offset": offset})
    top[pool] = offset + b["size"]
solution = {"schema_version": 1, "profile": problem["profile"], "instance": problem["instance"], "placements": placements}
json.dump(solution, open(sys.argv[2], "w"))
)");
        cli_.file(QStringLiteral("dsa/it.json"), QStringLiteral(R"({"id": "dsa-toy", "protocol": 1, "transport": "dsa-oneshot",
            "argv": ["python3", "{dir}/solver.py", "{in}", "{out}", "%1"]})")
                                                     .arg(cli_.path("seen.json"))
                                                     .toUtf8());
        const QString folder = cli_.path(QStringLiteral("dsa"));
        const QString problem = cli_.file(QStringLiteral("pipes.json"), R"({"format": "stowage.problem/1", "name": "pipes",
            "pools": [{"name": "ub", "capacity": 4096, "alignment": 32}],
            "buffers": [{"name": "in", "size": 64, "live": [[0, 2]], "dma": true}, {"name": "mid", "size": 32, "live": [[1, 4]]},
                        {"name": "out", "size": 96, "live": [[5, 7]], "dma": true}]})");
        const CliResult priced = cli_({"plan", problem, "--planner", "dsa-toy", "--plugin-dir", folder, "--format", "json"});
        QVERIFY2(priced.status == 0, priced.err.constData());
        const QJsonObject seen = QJsonDocument::fromJson(cli_.contents("seen.json")).object();
        QCOMPARE(seen["schema_version"].toInt(), 1);
        QCOMPARE(seen["profile"].toString(), QString("pypto_research_v1"));
        const QJsonArray penalties = seen["problem"].toObject()["cost_model"].toObject()["reuse_penalties"].toArray();
        // in and out, mid and out never meet in time, and one of each pair is touched by DMA: the price is the smaller size.
        QSet<QString> pairs;
        for (const auto& entry : penalties) {
            const QJsonObject penalty = entry.toObject();
            QCOMPARE(penalty["reason"].toString(), QString("cross_pipe"));
            pairs +=
                QString("%1-%2: %3").arg(penalty["first"].toInt()).arg(penalty["second"].toInt()).arg(penalty["cost"].toInt());
        }
        QVERIFY2(pairs.contains("1-2: 32"), qPrintable(pairs.values().join(", ")));
        const CliResult forbidden =
            cli_({"plan", problem, "--planner", "dsa-toy", "--plugin-dir", folder, "--option", "pipe-aware=forbid"});
        QCOMPARE(forbidden.status, 0);
        const QJsonObject hard = QJsonDocument::fromJson(cli_.contents("seen.json")).object()["problem"].toObject();
        QVERIFY(!hard.contains("cost_model"));
        QCOMPARE(hard["constraints"].toObject()["separations"].toArray().size(), pairs.size());
    }

    void theKitPassesGoodPlannersAndFindsBadOnes()
    {
        for (const char* name : {"first-fit-py", "shuffle-rpc"}) {
            const CliResult good =
                cli_({"plugin-check", QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/planners.d/%1.json").arg(name),
                      "--format", "json"});
            QVERIFY2(good.status == 0, good.out + good.err);
            QVERIFY(good.array().size() >= 20);
        }
        const QString folder =
            folderWith(QStringLiteral("kit"), hostileManifest("overlapper", "csv-oneshot", R"("csv", "overlap")"));
        const CliResult bad = cli_({"plugin-check", folder + "/it.json"});
        QCOMPARE(bad.status, 1);
        QVERIFY2(bad.out.startsWith("Does not conform"), bad.out.constData());
    }

    /// `list plugins` for people: what is wrong with a plug-in stands where others have their description, and the table fits.
    void theTableForPeopleFitsATerminal()
    {
        const QString folder =
            folderWith(QStringLiteral("wide"), R"({"id": "wide", "protocol": 1, "argv": ["no-such-program"]})");
        QProcess terminal;
        terminal.start("python3", {"-c", R"(import fcntl, os, pty, struct, sys, termios
pid, screen = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    os.execv(sys.argv[1], sys.argv[1:])
try:
    while text := os.read(screen, 65536):
        sys.stdout.buffer.write(text.replace(b"\r\n", b"\n"))
except OSError:
    pass
)",
                                   Cli::program(), "list", "plugins", "--plugin-dir", folder});
        QVERIFY(terminal.waitForFinished(60'000));
        const QString shown = QString::fromUtf8(terminal.readAllStandardOutput());
        QVERIFY2(shown.contains("its program"), qPrintable(shown));
        for (const QString& line : shown.split('\n')) QVERIFY2(line.size() <= 120, qPrintable(line));
    }

    void safeModeUsesNone()
    {
        const QString samples = QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples");
        const CliResult result = cli_({"plan", model_, "--planner", "stack-awk", "--plugin-dir", samples, "--safe-mode"});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.contains("safe mode"), result.err.constData());
        for (const auto& entry : cli_({"list", "plugins", "--plugin-dir", samples, "--safe-mode", "--format", "json"}).array())
            QVERIFY(entry.toObject()["state"].toString() != QString("usable"));
    }
};

QTEST_GUILESS_MAIN(CliPluginsTest)
#include "tst_cli_plugins.moc"
