// What other compilers and runtimes write about their memory: the files that were read apart give the same, made ones have what
// those lack, and damaged ones are refused with their line.
#include "core/io/canonical_json.h"
#include "core/io/dsa_problem.h"
#include "core/io/plan_tables.h"
#include "core/io/text.h"
#include "core/lower/lower.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "plugins/dumps/dsa_problem.h"
#include "plugins/dumps/memory_profile.h"
#include "plugins/dumps/stream_pack.h"
#include "plugins/dumps/xla.h"
#include "tests/plugins/foreign_support.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace stowage;
using namespace stowage::test;
using namespace stowage::dumps;

namespace {

template <typename Reader>
Expected<Imported> import(const QByteArray& text, const std::string& path = "made")
{
    return test::importedBy<Reader>(text, path);
}

QJsonObject expected(const char* key)
{
    return QJsonDocument::fromJson(foreignFile("expected.json")).object()[QLatin1String(key)].toObject();
}

std::vector<Interval> steps(const QJsonValue& pair)
{
    return {{pair.toArray()[0].toInt(), pair.toArray()[1].toInt()}};
}

QByteArray replaced(QByteArray text, const char* from, const char* to)
{
    return text.replace(from, to);
}

// Single quotes stand for double ones: they read better here.
QByteArray json(const char* text)
{
    return QByteArray(text).replace('\'', '"');
}

const QByteArray assignment = "BufferAssignment:\n"
                              "allocation 0: size 96, preallocated-temp:\n"
                              " value: <1 a @0> (size=32,offset=0): f32[8]\n"
                              " value: <2 b @0> (size=64,offset=32): f32[16]\n"
                              "\n"
                              "Total bytes used: 96 (96B)\n";
const QByteArray ranges = "HloLiveRange (max 3):\n  InstructionSequence:\n    0:a\n  BufferLiveRange:\n"
                          "    a{}:0-1\n    b{}:1-2\n  Live ranges at 1 (peak):\n    a{}: 32 bytes\n";

} // namespace

class DumpsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void xlaGivesWhatWasComputedApart_data()
    {
        QTest::addColumn<QString>("opened");
        QTest::newRow("buffer assignment") << "xla/module_0007.jit_f.cpu_after_optimizations-buffer-assignment.txt";
        QTest::newRow("live ranges") << "xla/module_0007.jit_f.cpu_after_optimizations-live-range.txt";
    }
    void xlaGivesWhatWasComputedApart()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, opened);
        const QByteArray text = foreignFile(opened);
        const std::string path = (test::sharedFile("models/foreign/") + opened).toStdString();
        QVERIFY(XlaImporter().claims({text.constData(), std::size_t(text.size())}, path) > 90);
        const auto imported = import <XlaImporter>(text, path);
        QVERIFY2(imported, errorOf(imported).c_str());
        const QJsonObject temp = expected("xla/module_0007 (both files)")["temp"].toObject();
        const Problem& problem = problemsOf(*imported).at(0).problem;
        QCOMPARE(qsizetype(problem.buffers.size()), temp["buffers"].toArray().size());
        for (const auto& entry : temp["buffers"].toArray()) {
            const QJsonArray row = entry.toArray();
            const QString name = row[0].toString();
            const Buffer* buffer = bufferOf(problem, name.toStdString());
            QVERIFY2(buffer != nullptr, qPrintable(name));
            QCOMPARE(offsetOf(*imported, name.toStdString()), Bytes(row[1].toInt()));
            QCOMPARE(buffer->size, Bytes(row[2].toInt()));
            QCOMPARE(buffer->live, steps(row[3]));
        }
        QCOMPARE(maxLive(problem, 0), Bytes(temp["max_live"].toInt()));
        const std::vector<std::pair<std::string, Bytes>> theirs{{"temp3", temp["theirs"].toInt()}};
        QCOMPARE(imported->plans.at(0).sizes, theirs);
        const std::vector<std::pair<std::string, std::int64_t>> figures{
            {"temporary", temp["theirs"].toInt()}, {"total", expected("xla/module_0007 (both files)")["total"].toInt()}};
        QCOMPARE(imported->plans.at(0).figures, figures);
        QCOMPARE(problemsOf(*imported).at(0).name, std::string("module_0007.jit_f.cpu_after_optimizations"));
    }

    void oldXlaDumpsHaveBothInOneFile()
    {
        const auto imported = import <XlaImporter>(assignment + ranges);
        QVERIFY2(imported, errorOf(imported).c_str());
        const Problem& problem = problemsOf(*imported).at(0).problem;
        const std::vector<Interval> a{{0, 2}}, b{{1, 3}};
        QCOMPARE(bufferOf(problem, "a")->live, a);
        QCOMPARE(bufferOf(problem, "b")->live, b);
        QCOMPARE(problem.pools.at(0).alignment, Bytes(32)); // what all offsets are multiples of
    }

    void xlaValuesWithoutARangeAreLiveThroughout()
    {
        const auto imported = import <XlaImporter>(assignment + replaced(ranges, "    b{}:1-2\n", ""));
        QVERIFY2(imported, errorOf(imported).c_str());
        const std::vector<Interval> whole{{0, 3}};
        QCOMPARE(bufferOf(problemsOf(*imported).at(0).problem, "b")->live, whole);
        QCOMPARE(imported->diagnostics.size(), std::size_t(1));
        QCOMPARE(imported->diagnostics[0].where.line, 4);
    }

    void xlaValuesAtOnePlaceThatShareNoStepAreDifferent()
    {
        const QByteArray later =
            replaced(assignment, " value: <2 b", " value: <3 c (phi) @0> (size=32,offset=0): f32[8]\n value: <2 b");
        const auto apart = import <XlaImporter>(later + replaced(ranges, "    a{}:0-1\n", "    a{}:0-1\n    c{}:2-2\n"));
        QVERIFY2(apart, errorOf(apart).c_str());
        QVERIFY(bufferOf(problemsOf(*apart).at(0).problem, "c") != nullptr);
        const auto together = import <XlaImporter>(later + replaced(ranges, "    a{}:0-1\n", "    a{}:0-1\n    c{}:1-2\n"));
        QVERIFY2(together, errorOf(together).c_str());
        QVERIFY(bufferOf(problemsOf(*together).at(0).problem, "a+c") != nullptr);
    }

    /// The user names one file of a dump. A FIFO in the place of the other one would be waited for.
    void theOtherFileOfAnXlaDumpIsARegularFile()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("f-buffer-assignment.txt").toStdString();
        const QString other = folder.filePath("f-live-range.txt");
        QCOMPARE(mkfifo(other.toUtf8().constData(), 0600), 0);
        const auto imported = import <XlaImporter>(assignment, path);
        QVERIFY(!imported);
        QCOMPARE(imported.error().code, Code::noTrace);
        QVERIFY(QFile::remove(other));
        QFile made(other);
        QVERIFY(made.open(QIODevice::WriteOnly) && made.write(ranges) == ranges.size());
        made.close();
        QVERIFY(import <XlaImporter>(assignment, path));
    }

    void wrongXlaDumpsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("says");
        QTest::newRow("no ranges") << assignment << 0 << "no live ranges";
        QTest::newRow("no assignment") << ranges << 0 << "no buffer assignment";
        QTest::newRow("size") << replaced(assignment, "size 96", "size -1") + ranges << 2 << "allocation N";
        QTest::newRow("huge") << replaced(assignment, "size 96", "size 99999999999999999999") + ranges << 2 << "allocation N";
        QTest::newRow("beyond") << replaced(assignment, "offset=32", "offset=33") + ranges << 4 << "beyond its allocation";
        QTest::newRow("overflow") << replaced(assignment, "offset=32", "offset=4611686018427387904") + ranges << 4 << "beyond";
        QTest::newRow("value") << replaced(assignment, "(size=32", "(bytes=32") + ranges << 3 << "expected \"value";
        QTest::newRow("range") << assignment + replaced(ranges, "1-2", "2-1") << 12 << "FIRST-LAST";
        QTest::newRow("no temporary") << replaced(assignment, "preallocated-temp", "maybe-live-out") + ranges << 0
                                      << "no temporary";
    }
    void wrongXlaDumpsAreRefused()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        QFETCH(QString, says);
        const auto imported = import <XlaImporter>(text);
        QVERIFY(!imported);
        QVERIFY2(QString::fromStdString(imported.error().message).contains(says), errorOf(imported).c_str());
        QCOMPARE(imported.error().where.line, line);
        QVERIFY(!imported.error().remedy.empty());
    }

    void profilesOfExecuTorchGiveWhatWasComputedApart()
    {
        STOWAGE_NEEDS_SHARED();
        const QByteArray text = foreignFile("logs/et_memory_profile_offsets.json");
        QVERIFY(MemoryProfileImporter().claims({text.constData(), std::size_t(text.size())}, "x.json") > 90);
        const auto imported = import <MemoryProfileImporter>(text);
        QVERIFY2(imported, errorOf(imported).c_str());
        const QJsonObject figures = expected("logs/et_memory_profile_offsets.json");
        const Problem& problem = problemsOf(*imported).at(0).problem;
        const QJsonObject buffers = figures["buffers"].toObject();
        QCOMPARE(qsizetype(problem.buffers.size()), buffers.size());
        for (const QString& name : buffers.keys()) {
            const QJsonObject row = buffers[name].toObject();
            const Buffer* buffer = bufferOf(problem, name.toStdString());
            QVERIFY(buffer != nullptr);
            QCOMPARE(buffer->size, Bytes(row["bytes"].toInt()));
            QCOMPARE(buffer->live, steps(row["live"]));
            QCOMPARE(offsetOf(*imported, name.toStdString()), Bytes(row["offset"].toInt()));
            QCOMPARE(problem.pools.at(at(buffer->pools.at(0))).name, "arena" + std::to_string(row["memory_id"].toInt()));
        }
        for (const char* memory : {"1", "2"}) {
            Bytes extent = 0;
            const auto pool = PoolId(memory[0] - '1');
            for (const Buffer& buffer : problem.buffers)
                if (buffer.pools.front() == pool) extent = std::max(extent, offsetOf(*imported, buffer.name) + buffer.size);
            QCOMPARE(maxLive(problem, pool), Bytes(figures["max_live"].toObject()[memory].toInt()));
            QCOMPARE(extent, Bytes(figures["theirs"].toObject()[memory].toInt()));
        }
    }

    void profilesWithoutOffsetsHaveLifetimesOnly()
    {
        const QByteArray text =
            json("{'traceEvents': [{'name': 'a', 'cat': 'memory_allocation', 'ph': 'X', 'ts': 0, 'dur': 8, 'pid': 1, 'tid': 0},"
                 "{'name': 'a', 'ph': 'X', 'ts': 0, 'dur': 8, 'pid': 1, 'tid': 1},"
                 "{'name': 'b', 'ph': 'X', 'ts': 8, 'dur': 4, 'pid': 1, 'tid': 1},"
                 "{'name': 'b', 'ph': 'X', 'ts': 0, 'dur': 4, 'pid': 1, 'tid': 2},"
                 "{'name': 'a', 'ph': 'X', 'ts': 0, 'dur': 8, 'pid': 1, 'tid': 4}]}");
        const auto imported = import <MemoryProfileImporter>(replaced(text, "\"ts\": 4", "\"ts\": 0"));
        QVERIFY2(imported, errorOf(imported).c_str());
        QVERIFY(imported->plans.empty());
        QCOMPARE(imported->diagnostics.at(0).code, Code::noPlan);
        const Problem& problem = problemsOf(*imported).at(0).problem;
        const std::vector<Interval> b{{1, 3}}, again{{4, 5}};
        QCOMPARE(bufferOf(problem, "b")->live, b); // at another sum in each step
        QCOMPARE(bufferOf(problem, "a#2")->live, again);
    }

    void profilesOfOnnxRuntimeAreOneProblemEach()
    {
        const QByteArray text =
            json("[{'ph': 'M', 'name': 'process_name', 'pid': 2, 'args': {'name': 'GPU (static activation)'}},"
                 "{'ph': 'X', 'name': 'x', 'pid': 2, 'tid': 0, 'ts': 0, 'dur': 256},"
                 "{'ph': 'X', 'name': 'y', 'pid': 2, 'tid': 0, 'ts': 512, 'dur': 256},"
                 "{'ph': 'X', 'name': 'Summary', 'pid': 2, 'tid': 0, 'ts': 0, 'dur': 9999},"
                 "{'ph': 'X', 'name': 'x', 'pid': 3, 'tid': 1, 'ts': 0, 'dur': 256}]");
        QVERIFY(MemoryProfileImporter().claims({text.constData(), std::size_t(text.size())}, "a/memory_profile_1.json") > 90);
        const auto imported = import <MemoryProfileImporter>(text);
        QVERIFY2(imported, errorOf(imported).c_str());
        QCOMPARE(problemsOf(*imported).size(), std::size_t(2));
        QCOMPARE(problemsOf(*imported)[0].name, std::string("GPU (static activation)"));
        QCOMPARE(problemsOf(*imported)[0].problem.buffers.size(), std::size_t(2));
        QCOMPARE(imported->plans.at(0).name, std::string("onnxruntime"));
        QCOMPARE(offsetOf(*imported, "y"), Bytes(512));
        QCOMPARE(offsetOf(*imported, "x", 1), Bytes(0));
    }

    void slicesOfIreeAreInclusive()
    {
        const QByteArray text =
            "#config = #stream.resource_config<{max_allocation_size = 1073741824,\n"
            "  min_buffer_offset_alignment = 16, min_buffer_range_alignment = 32}>\n"
            "util.func public @layoutStatic(%offset: index) -> (index, index, index) {\n"
            "  %c100 = arith.constant 100 : index\n"
            "  %c200 = arith.constant 200 : index\n"
            "  %t:3 = stream.resource.pack on(#hal.device.affinity<@d>) offset(%offset) slices({\n"
            "    [0, 4] = %c100, // a comment, [1, 2] = %c200\n"
            "    [3, 8] = %c200,\n"
            "    [5, 9] = %unknown,\n"
            "  }) : index\n"
            "  %u:2 = stream.resource.pack slices({[1, 1] = %c100}) : index\n"
            "}\n"
            "util.func private @other(%c100: index) { %u:2 = stream.resource.pack slices({[1, 1] = %c100}) : index }\n";
        const auto imported = import <StreamPackImporter>(text);
        QVERIFY2(imported, errorOf(imported).c_str());
        QCOMPARE(problemsOf(*imported).size(), std::size_t(2)); // constants of one function are not those of another
        const Problem& problem = problemsOf(*imported)[0].problem;
        QCOMPARE(problemsOf(*imported)[0].name, std::string("layoutStatic"));
        QCOMPARE(problemsOf(*imported)[1].name, std::string("layoutStatic#2"));
        QCOMPARE(problem.pools.at(0).alignment, Bytes(16));
        QCOMPARE(problem.buffers.size(), std::size_t(2));
        const std::vector<Interval> first{{0, 5}}, second{{3, 9}};
        QCOMPARE(problem.buffers[0].live, first);
        QCOMPARE(problem.buffers[1].live, second);
        QCOMPARE(problem.buffers[0].size, Bytes(128));
        QCOMPARE(problem.buffers[1].size, Bytes(224));
        QCOMPARE(problem.unknownSizes, std::vector<std::string>{"slice2"});
        QVERIFY(problemsOf(*imported)[1].problem.unknownSizes.empty());
        QCOMPARE(imported->diagnostics.size(), std::size_t(3)); // an unknown offset, slices of unknown size in two packs
        QVERIFY(imported->diagnostics[0].message.find("begin at %offset") != std::string::npos);
        QVERIFY(imported->diagnostics[1].message.find("1 slices") != std::string::npos);
    }

    /// IREE adds a pack's offset to the offsets of its slices and to the total. Sizes are rounded up to multiples of 64.
    void aConstantOffsetIsInAllResultsOfAPack()
    {
        const QByteArray text = "%c100 = arith.constant 100 : index\n%c192 = arith.constant 192 : index\n"
                                "%c200 = arith.constant 200 : index\n%z = arith.constant 0 : index\n"
                                "%t:3 = stream.resource.pack offset(%c192) slices({[0, 4] = %c100, [4, 5] = %c200}) : index\n"
                                "%u:2 = stream.resource.pack offset(%z) slices({[0, 4] = %c100}) : index\n";
        const auto imported = import <StreamPackImporter>(text);
        QVERIFY2(imported, errorOf(imported).c_str());
        QVERIFY(imported->diagnostics.empty());
        QCOMPARE(problemsOf(*imported)[1].problem.buffers.size(), std::size_t(1));
        Run run;
        auto lowering = lower(problemsOf(*imported)[0].problem, {});
        QVERIFY(lowering);
        run.lowering = std::make_shared<const Lowering>(*std::move(lowering));
        const auto plan = PlannerRegistry::builtIn().find("greedy-by-size")->plan(run.problem(), {}, {});
        QVERIFY(plan);
        run.plan = *plan;
        run.report = evaluate(run);
        QVERIFY(run.report.verdict.valid());
        QCOMPARE(run.report.totalSize(), Bytes(192 + 128 + 256));
        const std::vector<io::FunctionRun> packs{{"pack", &run}};
        const auto written = io::writeIreeOffsets(packs);
        QVERIFY(written);
        // The larger slice comes first; both are live at step 4.
        QCOMPARE(QString::fromStdString(*written), QString("576\nslice 0 = 448\nslice 1 = 192\n"));
    }

    void wrongSlicesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* slices :
             {"", "(", "({", "({[0, 4]", "({[4, 0] = %c})", "({[0, -4] = %c})", "({[0, 4] = 7})", "({[0, 4] = %c [1, 2] = %c})"})
            QTest::newRow(slices) << QByteArray("%c = arith.constant 4 : index\nstream.resource.pack slices") + slices;
    }
    void wrongSlicesAreRefused()
    {
        QFETCH(QByteArray, text);
        const auto imported = import <StreamPackImporter>(text);
        QVERIFY(!imported);
        QCOMPARE(imported.error().code, Code::syntax);
        QCOMPARE(imported.error().where.line, 2);
    }

    void dsaProblemsKeepAllConstraints()
    {
        const auto imported = import <DsaProblemImporter>(
            json("{'schema_version': 1, 'profile': 'pypto_research_v1', 'instance': 'made', 'metadata': {'a': 'b'}, 'problem': {"
                 "'pools': [{'id': 7, 'name': 'ub', 'capacity': 1024, 'reserved_ranges': [{'begin': 0, 'end': 64}], "
                 "'bank_geometry': null}],"
                 "'buffers': [{'id': 1, 'name': 'a', 'size': 64, 'alignment': 32, 'live_intervals': [{'lower': 0, 'upper': 2}], "
                 "'allowed_pools': [7]},"
                 "{'id': 2, 'name': 'b', 'size': 128, 'alignment': 32, 'live_intervals': [{'lower': 2, 'upper': 4}], "
                 "'allowed_pools': [7]},"
                 "{'id': 3, 'name': 'c', 'size': 32, 'alignment': 64, 'live_intervals': [{'lower': 1, 'upper': 2}], "
                 "'allowed_pools': [7]},"
                 "{'id': 4, 'name': 'd', 'size': 32, 'alignment': 1, 'live_intervals': [{'lower': 5, 'upper': 6}], "
                 "'allowed_pools': [7]}],"
                 "'constraints': {'colocations': [{'first': 1, 'second': 2}], 'separations': [{'first': 4, 'second': 3, "
                 "'reasons': ['generic']}],"
                 "'temporal_exclusions': [{'first': 3, 'second': 1}], 'pinned_allocations': [{'buffer': 4, 'pool': 7, 'offset': "
                 "512, 'exclusive_for_all_time': true}]},"
                 "'cost_model': {'reuse_penalties': [{'first': 4, 'second': 1, 'cost': 9, 'reason': 'cross_pipe'}]},"
                 "'objective': {'aggregation': 'lexicographic', 'terms': ['total_peak']}}}"));
        QVERIFY2(imported, errorOf(imported).c_str());
        Problem problem = std::get<Problem>(imported->content);
        QVERIFY(checkAndRepair(problem).empty());
        QCOMPARE(problem.name, std::string("made"));
        QCOMPARE(problem.buffers.size(), std::size_t(4)); // a+b, c, d, reserved
        const Buffer& both = problem.buffers[0];
        QCOMPARE(both.name, std::string("a+b"));
        QCOMPARE(both.size, Bytes(128));
        const std::vector<Interval> joined{{0, 4}}, always{{0, 6}};
        QCOMPARE(both.live, joined);
        QCOMPARE(problem.buffers[1].mayShare, std::vector<BufferId>{0});
        QCOMPARE(problem.buffers[1].conflicts, std::vector<BufferId>{2});
        QCOMPARE(problem.buffers[2].pin, std::optional<Bytes>(512));
        QVERIFY(problem.buffers[2].unique);
        QCOMPARE(problem.buffers[3].live, always);
        QCOMPARE(problem.buffers[3].pin, std::optional<Bytes>(0));
        QCOMPARE(problem.buffers[3].size, Bytes(64));
        const std::vector<ReusePenalty> penalties{{0, 2, 9}};
        QCOMPARE(problem.penalties, penalties);
        QCOMPARE(problem.pools.at(0).capacity, std::optional<Bytes>(1024));
    }

    /// 3 is excluded from 1 alone, so it may lie over the colocated 1 and 2 only while it is not live together with 2.
    void anExclusionFreesOnlyItsOwnPairOfColocatedBuffers_data()
    {
        QTest::addColumn<QByteArray>("live");
        QTest::addColumn<QByteArray>("exclusions");
        QTest::addColumn<bool>("shares");
        const QByteArray first = "{'first': 3, 'second': 1}", second = "{'first': 2, 'second': 3}";
        QTest::newRow("live with 1") << QByteArray("{'lower': 0, 'upper': 2}") << first << true;
        QTest::newRow("live with both") << QByteArray("{'lower': 1, 'upper': 3}") << first << false;
        QTest::newRow("after a gap") << QByteArray("{'lower': 0, 'upper': 1}, {'lower': 6, 'upper': 7}") << first << false;
        QTest::newRow("both excluded") << QByteArray("{'lower': 1, 'upper': 3}") << first + ", " + second << true;
        QTest::newRow("live with 2") << QByteArray("{'lower': 2, 'upper': 3}") << second << true;
    }
    void anExclusionFreesOnlyItsOwnPairOfColocatedBuffers()
    {
        QFETCH(const QByteArray, live);
        QFETCH(const QByteArray, exclusions);
        QFETCH(const bool, shares);
        const auto imported = import <DsaProblemImporter>(
            json("{'schema_version': 1, 'problem': {'pools': [{'id': 0}], 'buffers': ["
                 "{'id': 1, 'size': 8, 'live_intervals': [{'lower': 0, 'upper': 2}]},"
                 "{'id': 2, 'size': 8, 'live_intervals': [{'lower': 2, 'upper': 4}, {'lower': 6, 'upper': 8}]},"
                 "{'id': 3, 'size': 8, 'live_intervals': [" +
                 live + "]}], 'constraints': {'colocations': [[1, 2]], 'temporal_exclusions': [" + exclusions + "]}}}"));
        QVERIFY2(imported, errorOf(imported).c_str());
        const auto& problem = std::get<Problem>(imported->content);
        QCOMPARE(problem.buffers.size(), std::size_t(2)); // 1+2, 3
        QCOMPARE(!problem.buffers[0].mayShare.empty(), shares);
        QCOMPARE(!problem.buffers[1].mayShare.empty(), shares);
    }

    /// The text that the fingerprint is of is what Python writes; the hash has a published value for the empty text and for "a".
    void fingerprintsAreOfTheCanonicalText()
    {
        QCOMPARE(io::fnv1a(""), 0xcbf29ce484222325U);
        QCOMPARE(io::fnv1a("a"), 0xaf63dc4c8601ec8cU);
        const QByteArray odd =
            json("{'b': [1, -2, 18446744073709551615, 1.5, 2.0, true, null, []], 'a': {'z': {}, 'y': 'q\\n\\u0001\\u00e9'}}");
        QProcess python;
        python.start("python3",
                     {"-c", "import json, sys; sys.stdout.buffer.write((json.dumps(json.loads(sys.stdin.buffer.read()), "
                            "sort_keys=True, indent=2, ensure_ascii=False) + chr(10)).encode())"});
        if (!python.waitForStarted()) QSKIP("python3 is absent");
        python.write(odd);
        python.closeWriteChannel();
        QVERIFY(python.waitForFinished(60'000) && python.exitCode() == 0);
        const auto canonical = io::canonicalJson(odd.toStdString(), "odd.json");
        QVERIFY(canonical);
        QCOMPARE(QByteArray::fromStdString(*canonical), python.readAllStandardOutput());
        QVERIFY(!io::canonicalJson("{", "odd.json"));
    }

    void solutionsPlaceEveryBufferOfTheDocument()
    {
        const std::string document =
            json(
                "{'schema_version': 1, 'profile': 'standard_dsa', 'instance': 'two', 'problem': {'pools': [{'id': 5}], "
                "'buffers': ["
                "{'id': 8, 'size': 4, 'live_intervals': [{'lower': 0, 'upper': 1}]}, {'id': 3, 'size': 8, 'live_intervals': "
                "[{'lower': 0, 'upper': 1}]},"
                "{'id': 9, 'size': 2, 'live_intervals': [{'lower': 1, 'upper': 2}]}], 'constraints': {'colocations': [[3, 9]]}}}")
                .toStdString();
        Plan plan;
        plan.placements.resize(2);
        plan.placements[0] = {.pool = 0, .offset = 8};
        plan.placements[1] = {.pool = 0, .offset = 0};
        const auto read = io::readDsaProblem(document, "two.json");
        QVERIFY(read);
        const auto written = io::writeDsaSolution(document, "two.json", read->problem, plan);
        QVERIFY2(written, written ? "" : toText(written.error()).c_str());
        const QJsonObject solution = QJsonDocument::fromJson(QByteArray::fromStdString(*written)).object();
        QCOMPARE(solution["instance"].toString(), QString("two"));
        QMap<int, int> offsets;
        for (const auto& placement : solution["placements"].toArray()) {
            QCOMPARE(placement.toObject()["pool"].toInt(), 5);
            offsets[placement.toObject()["buffer"].toInt()] = placement.toObject()["offset"].toInt();
        }
        QCOMPARE(offsets, (QMap<int, int>{{3, 0}, {8, 8}, {9, 0}}));
    }

    void fingerprintsAreOfTheDocumentWithMetadata_data()
    {
        QTest::addColumn<QByteArray>("metadata");
        QTest::addColumn<QByteArray>("canonical");
        QTest::newRow("absent") << QByteArray() << QByteArray("{}");
        QTest::newRow("empty") << json("'metadata': {}, ") << QByteArray("{}");
        QTest::newRow("given") << json("'metadata': {'by': 'x'}, ") << QByteArray("{\n    \"by\": \"x\"\n  }");
    }
    /// FNV-1a of the canonical text, which is written out here; only the document's own metadata count.
    void fingerprintsAreOfTheDocumentWithMetadata()
    {
        QFETCH(const QByteArray, metadata);
        QFETCH(const QByteArray, canonical);
        const std::string document =
            (json("{'schema_version': 1, ") + metadata +
             json("'profile': 'p', 'instance': 'i', 'problem': {'pools': [{'id': 0}], 'metadata': [], 'buffers': ["
                  "{'size': 4, 'id': 1, 'live_intervals': [{'upper': 2, 'lower': 0}]}]}}"))
                .toStdString();
        const QByteArray text = json("{\n"
                                     "  'instance': 'i',\n"
                                     "  'metadata': ") +
                                canonical +
                                json(",\n"
                                     "  'problem': {\n"
                                     "    'buffers': [\n"
                                     "      {\n"
                                     "        'id': 1,\n"
                                     "        'live_intervals': [\n"
                                     "          {\n"
                                     "            'lower': 0,\n"
                                     "            'upper': 2\n"
                                     "          }\n"
                                     "        ],\n"
                                     "        'size': 4\n"
                                     "      }\n"
                                     "    ],\n"
                                     "    'metadata': [],\n"
                                     "    'pools': [\n"
                                     "      {\n"
                                     "        'id': 0\n"
                                     "      }\n"
                                     "    ]\n"
                                     "  },\n"
                                     "  'profile': 'p',\n"
                                     "  'schema_version': 1\n"
                                     "}\n");
        std::uint64_t hash = 14695981039346656037U;
        for (const char byte : text) {
            hash ^= static_cast<unsigned char>(byte);
            hash *= 1099511628211U;
        }
        const auto read = io::readDsaProblem(document, "p.json");
        QVERIFY(read);
        Plan plan;
        plan.placements.push_back({.pool = 0, .offset = 0});
        const auto written = io::writeDsaSolution(document, "p.json", read->problem, plan);
        QVERIFY2(written, written ? "" : toText(written.error()).c_str());
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(*written)).object()["problem_fingerprint"].toString(),
                 QString("%1").arg(hash, 16, 16, QLatin1Char('0')));
    }

    /// A target lists the same pools in another order, and more of them.
    void solutionsNameThePoolsOfTheDocument()
    {
        const std::string document =
            json("{'schema_version': 1, 'profile': 'p', 'instance': 'i', 'problem': {'pools': [{'id': 5, 'name': 'slow'}, "
                 "{'id': 7, 'name': 'fast'}], 'buffers': ["
                 "{'id': 1, 'size': 4, 'live_intervals': [{'lower': 0, 'upper': 1}]},"
                 "{'id': 2, 'size': 4, 'live_intervals': [{'lower': 0, 'upper': 1}]}]}}")
                .toStdString();
        const auto read = io::readDsaProblem(document, "pools.json");
        QVERIFY(read);
        LowerOptions options;
        for (const char* name : {"other", "fast", "slow"}) options.pools.emplace_back().name = name;
        const auto lowering = lower(read->problem, options);
        QVERIFY(lowering);
        Plan plan;
        plan.placements.push_back({.pool = 1, .offset = 0});
        plan.placements.push_back({.pool = 2, .offset = 8});
        const auto written = io::writeDsaSolution(document, "pools.json", lowering->problem, plan);
        QVERIFY2(written, written ? "" : toText(written.error()).c_str());
        const QJsonArray placements =
            QJsonDocument::fromJson(QByteArray::fromStdString(*written)).object()["placements"].toArray();
        QCOMPARE(placements.size(), qsizetype(2));
        QCOMPARE(placements[0].toObject()["pool"].toInt(), 7);
        QCOMPARE(placements[1].toObject()["pool"].toInt(), 5);
        plan.placements[0].pool = 0; // 'other'
        const auto refused = io::writeDsaSolution(document, "pools.json", lowering->problem, plan);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Code::unknownPool);
        QVERIFY2(refused.error().message.find("'other'") != std::string::npos, refused.error().message.c_str());
        plan.placements[0].pool = none;
        QVERIFY(!io::writeDsaSolution(document, "pools.json", lowering->problem, plan));
    }

    void wrongDsaProblemsAreRefused_data()
    {
        QTest::addColumn<QByteArray>("constraints");
        QTest::addColumn<QString>("says");
        QTest::newRow("separation") << json("'separations': [{'first': 1, 'second': 8}]") << "no buffer with the id 8";
        QTest::newRow("colocation") << json("'colocations': [[1, 9]]") << "no buffer with the id 9";
        QTest::newRow("both") << json("'colocations': [[1, 2]], 'separations': [{'first': 2, 'second': 1}]")
                              << "together and apart";
        QTest::newRow("pool") << json("'pinned_allocations': [{'buffer': 1, 'pool': 3, 'offset': 0}]") << "no pool with the id 3";
        QTest::newRow("negative") << json("'pinned_allocations': [{'buffer': 1, 'pool': 0, 'offset': -1}]") << "-1";
        QTest::newRow("two pins")
            << json("'pinned_allocations': [{'buffer': 1, 'pool': 0, 'offset': 0}, {'buffer': 1, 'pool': 0, 'offset': 8}]")
            << "two offsets";
    }
    void wrongDsaProblemsAreRefused()
    {
        QFETCH(QByteArray, constraints);
        QFETCH(QString, says);
        const auto imported = import <DsaProblemImporter>(
            json("{'schema_version': 1, 'problem': {'pools': [{'id': 0}], 'buffers': [{'id': 1, 'size': 4, 'live_intervals': "
                 "[{'lower': 0, 'upper': 1}]},"
                 "{'id': 2, 'size': 4, 'live_intervals': [{'lower': 0, 'upper': 1}]}], 'constraints': {") +
            constraints + "}}}");
        QVERIFY(!imported);
        QVERIFY2(QString::fromStdString(imported.error().message).contains(says), errorOf(imported).c_str());
    }

    /// Every text that was cut off is read or refused, never more; sanitizers look on.
    void cutOffFilesAreReadOrRefused()
    {
        STOWAGE_NEEDS_SHARED();
        const QByteArray profile = foreignFile("logs/et_memory_profile_offsets.json");
        for (qsizetype size = 0; size < profile.size(); size += 7) QVERIFY(!import <MemoryProfileImporter>(profile.left(size)));
        const QByteArray whole = assignment + ranges;
        for (qsizetype size = 0; size < whole.size(); ++size) {
            const auto imported = import <XlaImporter>(whole.left(size));
            QVERIFY(imported || !imported.error().message.empty());
        }
    }
};

QTEST_GUILESS_MAIN(DumpsTest)
#include "tst_dumps.moc"
