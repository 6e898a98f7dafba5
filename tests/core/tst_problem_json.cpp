// stowage.problem/1: read strictly, written back the same.
#include "core/io/pool_json.h"
#include "core/io/text.h"
#include "core/plan/report.h"
#include "tests/core/mutation.h"
#include "tests/core/random_problem.h"
#include "tests/support/buffer_of.h"
#include "tests/support/seed_shift.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QTest>

#include <algorithm>

using namespace stowage;

namespace {

#define READ_JSON(variable, text)                                                                                                \
    auto variable = io::readProblemJson(text, "p.json");                                                                         \
    QVERIFY2(variable, variable ? "" : toText(variable.error()).c_str())

/// Every published field once.
const char* const everything =
    R"({"format": "stowage.problem/1", "name": "all of it", "step_axis": "hivm", "x-tool": {"any": [1, null]},
 "pools": [{"name": "sram", "capacity": 262144, "alignment": 16, "kind": "workspace"}, {"name": "flash", "kind": "constant"}, )"
    R"({"name": "nv", "kind": "persistent"}],
 "buffers": [
  {"name": "a", "size": 4096, "alignment": 16, "live": [[0, 5], [7, 9]], "windows": [{"live": [5, 7], "bytes": [64, 128]}],
   "conflicts": ["b"], "pools": ["sram"], "offset": 0, "kind": "intermediate", "slots": 2, "loop": "L1", )"
    R"("dma": true, "scalar": false,
   "unique": false, "coupled": 7, "may_share": ["c"]},
  {"name": "b", "size": 8, "live": [[20, 21]], "conflicts": ["a"], "kind": "input", "scalar": true, "offset": null},
  {"name": "c", "size": 1, "live": [[0, 1]], "kind": "output", "loop": "L1", "carried": [{"distance": 2, "live": [2, 4]}]},
  {"name": "w", "size": 100, "conflicts": [], "pools": ["flash", "nv"], "kind": "constant", "unique": true, "x-note": 0},
  {"name": "v", "size": 100, "conflicts": ["w"], "pools": ["nv"], "kind": "variable"}
 ]})";

} // namespace

class TestProblemJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEveryField()
    {
        READ_JSON(read, everything);
        const Problem& p = read->value;
        QCOMPARE(p.name, std::string("all of it"));
        QVERIFY(p.axis == Axis::hivm);
        QCOMPARE(p.pools.size(), std::size_t{3});
        QCOMPARE(p.pools[0].capacity, std::optional<Bytes>(262144));
        QCOMPARE(p.pools[0].alignment, 16);
        QVERIFY(!p.pools[1].capacity);
        QVERIFY(p.pools[1].kind == PoolKind::constant && p.pools[2].kind == PoolKind::persistent);
        const Buffer& a = p.buffers[0];
        QCOMPARE(a.size, 4096);
        QCOMPARE(a.alignment, 16);
        QCOMPARE(a.coupled, 7);
        QCOMPARE(a.live, (std::vector<Interval>{{0, 5}, {7, 9}}));
        QCOMPARE(a.windows, (std::vector<Window>{{{5, 7}, 64, 128}}));
        QCOMPARE(a.conflicts, (std::vector<BufferId>{1}));
        QCOMPARE(a.pools, (std::vector<PoolId>{0}));
        QCOMPARE(a.pin, std::optional<Bytes>(0));
        QCOMPARE(a.slots, 2);
        QCOMPARE(a.loop, 0);
        QVERIFY(a.dma && !a.scalar && !a.unique);
        QCOMPARE(a.mayShare, (std::vector<BufferId>{2}));
        QVERIFY(!p.buffers[1].pin && p.buffers[1].scalar);
        QCOMPARE(p.buffers[2].carried, (std::vector<Carried>{{2, {2, 4}}}));
        QCOMPARE(p.buffers[2].mayShare, (std::vector<BufferId>{0})); // of the pair
        QVERIFY(p.buffers[3].unique && p.buffers[3].live.empty());
        QCOMPARE(p.buffers[3].pools, (std::vector<PoolId>{1, 2}));
        const BufferKind kinds[] = {BufferKind::intermediate, BufferKind::input, BufferKind::output, BufferKind::constant,
                                    BufferKind::variable};
        for (std::size_t b = 0; b < 5; ++b) QVERIFY(p.buffers[b].kind == kinds[b]);
        // A loop that is only named spans its buffers, and what is carried.
        QCOMPARE(p.loops.size(), std::size_t{1});
        QCOMPARE(p.loops[0].name, std::string("L1"));
        QCOMPARE(p.loops[0].live, (Interval{0, 9}));
        // v names w, but not the other way round.
        QCOMPARE(read->diagnostics.size(), std::size_t{1});
        QCOMPARE(read->diagnostics[0].code, Code::oneSidedConflict);
        QCOMPARE(read->diagnostics[0].where.line, 10);
        QCOMPARE(p.buffers[3].conflicts, (std::vector<BufferId>{4}));
    }

    void poolsAndAxisHaveDefaults()
    {
        READ_JSON(read, R"({"format": "stowage.problem/1", "buffers": [{"name": "a", "size": 1, "live": []}]})");
        QCOMPARE(read->value.pools.size(), std::size_t{1});
        QCOMPARE(read->value.pools[0].name, std::string("arena"));
        QVERIFY(read->value.axis == Axis::ops);
    }

    void readsDeclaredLoops()
    {
        READ_JSON(read, R"({"buffers": [{"name": "a", "size": 1, "live": [[3, 4]], "loop": "in"}], "format": "stowage.problem/1",
                            "loops": [{"name": "out", "live": [0, 9], "trip_count": 5},
                                      {"name": "in", "parent": "out", "live": [2, 6]}]})");
        QCOMPARE(read->value.loops, (std::vector<Loop>{{"out", none, {0, 9}, 5}, {"in", 0, {2, 6}, std::nullopt}}));
        QCOMPARE(read->value.buffers[0].loop, 1);
    }

    void refusesWithCodeAndPosition_data()
    {
        QTest::addColumn<QByteArray>("buffers"); // line 2 of the document
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, QByteArray buffers, const char* code, int column, const char* words) {
            QTest::newRow(name) << buffers << code << column << words;
        };
        row("unknown field", R"({"name": "a", "sise": 1})", "unknown-field", 15, "buffers[0].sise");
        row("no name", R"({"size": 1, "live": []})", "missing-field", 1, "'name'");
        row("no size", R"({"name": "a", "live": []})", "missing-field", 1, "'size'");
        row("neither live nor conflicts", R"({"name": "a", "size": 1})", "missing-field", 1, "'live', 'clock' and 'conflicts'");
        row("negative size", R"({"name": "a", "size": -1, "live": []})", "out-of-range", 23, "buffers[0].size: -1");
        row("size above 2^62", R"({"name": "a", "size": 4611686018427387905, "live": []})", "out-of-range", 23,
            "4611686018427387904");
        row("size as text", R"({"name": "a", "size": "1", "live": []})", "wrong-type", 23, "expected an integer, found a string");
        row("alignment 0", R"({"name": "a", "size": 1, "alignment": 0, "live": []})", "out-of-range", 39, "buffers[0].alignment");
        row("range of one", R"({"name": "a", "size": 1, "live": [[1]]})", "wrong-type", 35,
            "buffers[0].live[0]: expected [first step");
        row("range of three", R"({"name": "a", "size": 1, "live": [[1, 2, 3]]})", "wrong-type", 35, "found 3 numbers");
        row("flat range", R"({"name": "a", "size": 1, "live": [1, 2]})", "wrong-type", 35, "expected an array");
        row("a million slots", R"({"name": "a", "size": 1, "slots": 1000000, "live": [[0, 2]]})", "out-of-range", 35, "1024");
        row("empty range", R"({"name": "a", "size": 1, "live": [[2, 2]]})", "bad-live-range", 1, "buffer 'a'");
        row("negative step", R"({"name": "a", "size": 1, "live": [[-2, 2]]})", "out-of-range", 36, "buffers[0].live[0][0]");
        row("window outside", R"({"name": "a", "size": 1, "live": [[0, 2]], "windows": [{"live": [3, 4], "bytes": [0, 1]}]})",
            "bad-window", 1, "hole");
        row("window without bytes", R"({"name": "a", "size": 1, "live": [[0, 2]], "windows": [{"live": [3, 4]}]})",
            "missing-field", 56, "'bytes'");
        row("unknown conflict", R"({"name": "a", "size": 1, "conflicts": ["b"]})", "unknown-buffer", 40, "'b'");
        row("unknown pool", R"({"name": "a", "size": 1, "live": [], "pools": ["dram"]})", "unknown-pool", 48, "'dram'");
        row("unknown partner", R"({"name": "a", "size": 1, "live": [], "may_share": ["b"]})", "unknown-buffer", 52, "'b'");
        row("unknown kind", R"({"name": "a", "size": 1, "live": [], "kind": "weight"})", "unknown-value", 46,
            "intermediate, input");
        row("no slots", R"({"name": "a", "size": 1, "live": [], "slots": 0})", "out-of-range", 47, "slots");
        row("truth as number", R"({"name": "a", "size": 1, "live": [], "dma": 1})", "wrong-type", 45, "expected true or false");
        row("two of a name", R"({"name": "a", "size": 1, "live": []}, {"name": "a", "size": 1, "live": []})", "duplicate-name",
            39, "line 2");
        row("misaligned pin", R"({"name": "a", "size": 1, "live": [], "offset": 3, "alignment": 2})", "misaligned-pin", 1,
            "pinned at 3");
        row("carried without loop", R"({"name": "a", "size": 1, "live": [[0, 2]], "carried": [{"live": [0, 1]}]})", "bad-carried",
            1, "loop");
        row("name twice", R"({"name": "a", "name": "b", "size": 1, "live": []})", "duplicate-field", 15, "buffers[0].name");
        row("object for list", R"({"name": "a", "size": 1, "live": [], "pools": "p"})", "wrong-type", 47,
            "expected an array, found a string");
        row("truncated", R"({"name": "a")", "syntax", 13, "");
    }

    void refusesWithCodeAndPosition()
    {
        QFETCH(QByteArray, buffers);
        QFETCH(QString, code);
        QFETCH(int, column);
        QFETCH(QString, words);
        const std::string text =
            "{\"format\": \"stowage.problem/1\", \"pools\": [{\"name\": \"p\"}], \"buffers\": [\n" + buffers.toStdString() + "]}";
        const auto read = io::readProblemJson(text, "p.json");
        QVERIFY(!read);
        const QString told = QString::fromStdString(toText(read.error()));
        QVERIFY2(QString::fromStdString(std::string(toText(read.error().code))) == code, qPrintable(told));
        QVERIFY2(told.contains(words), qPrintable(told));
        QVERIFY2(read.error().where.line == 2 && read.error().where.column == column, qPrintable(told));
    }

    void mistakesOfLoopsAndPoolsHaveAPlace()
    {
        const auto errorOf = [](const char* text) {
            const auto read = io::readProblemJson(text, "p.json");
            return read ? Error{} : read.error();
        };
        const Error loop =
            errorOf("{\"format\": \"stowage.problem/1\",\n\"pools\": [{\"name\": \"p\"}],\n\"loops\": [{\"name\": \"L\", "
                    "\"live\": [7, 2]}],\n\"buffers\": []}");
        QCOMPARE(loop.code, Code::badLoop);
        QCOMPARE(loop.where, (Position{"p.json", 3, 10, -1}));
        const Error pool =
            errorOf("{\"format\": \"stowage.problem/1\",\n\"buffers\": [],\n\"pools\": [{\"name\": \"p\"}, {\"name\": \"p\"}]}");
        QCOMPARE(pool.code, Code::duplicateName);
        QCOMPARE(pool.where.line, 3);
    }

    /// A look at all earlier pools for each pool would compare 20,000,000,000 names.
    void manyPoolsAreReadInOnePass()
    {
        constexpr int count = 200'000;
        std::string text = "[";
        for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + ("{\"name\": \"p" + std::to_string(i) + "\"}");
        io::JsonReader in(text + "]", "pools.json");
        const std::vector<Pool> pools = io::readPools(in);
        QVERIFY(in.finish());
        QCOMPARE(pools.size(), std::size_t{count});
        QCOMPARE(pools.back().name, std::string("p199999"));
        io::JsonReader twice(text + R"(, {"name": "p7"}])", "pools.json");
        QCOMPARE(io::readPools(twice).size(), std::size_t{count + 1});
        QVERIFY(!twice.ok());
        QCOMPARE(twice.error().code, Code::duplicateName);
        QVERIFY2(twice.error().message.find("'p7'") != std::string::npos, twice.error().message.c_str());
    }

    void refusesOtherDocuments_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("code");
        QTest::newRow("program") << QByteArray(R"({"format": "stowage.program/1", "buffers": []})") << "wrong-format";
        QTest::newRow("no format") << QByteArray(R"({"buffers": []})") << "missing-field";
        QTest::newRow("no buffers") << QByteArray(R"({"format": "stowage.problem/1"})") << "missing-field";
        QTest::newRow("unknown axis") << QByteArray(R"({"format": "stowage.problem/1", "step_axis": "time", "buffers": []})")
                                      << "unknown-value";
        QTest::newRow("no pool") << QByteArray(R"({"format": "stowage.problem/1", "pools": [], "buffers": []})") << "no-pool";
        QTest::newRow("two pools of a name")
            << QByteArray(R"({"format": "stowage.problem/1", "pools": [{"name": "p"}, {"name": "p"}], "buffers": []})")
            << "duplicate-name";
        QTest::newRow("unknown parent")
            << QByteArray(
                   R"({"format": "stowage.problem/1", "loops": [{"name": "l", "live": [0, 1], "parent": "m"}], "buffers": []})")
            << "unknown-loop";
        QTest::newRow("two loops of a name")
            << QByteArray(
                   R"({"format": "stowage.problem/1", "loops": [{"name": "l", "live": [0, 1]}, {"name": "l", "live": [0, 1]}],
                       "buffers": []})")
            << "duplicate-name";
        QTest::newRow("array") << QByteArray("[]") << "wrong-type";
        QTest::newRow("table") << QByteArray("id,lower,upper,size\n") << "syntax";
    }

    void refusesOtherDocuments()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, code);
        const auto read = io::readProblemJson(text.toStdString(), "p.json");
        QVERIFY(!read);
        QCOMPARE(QString::fromStdString(std::string(toText(read.error().code))), code);
    }

    void writtenProblemsReadBackEqual()
    {
        const std::uint64_t seed = 8;
        test::Generator random(seed + stowage::test::seedShift());
        for (int round = 0; round < 1000; ++round) {
            const auto bit = [&](int i) { return (round >> i) % 2 == 1; };
            Problem problem = random.problem({.gaps = true,
                                              .windows = true,
                                              .slots = bit(0),
                                              .rotation = bit(1),
                                              .nested = bit(2),
                                              .explicitConflicts = bit(3),
                                              .sharing = bit(4),
                                              .unique = bit(5),
                                              .pools = bit(6),
                                              .alignment = bit(7),
                                              .pins = bit(8),
                                              .dag = bit(3) && bit(9)});
            problem.name = "q\"\\\n\xC3\xA9";
            for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
                problem.buffers[b].kind = static_cast<BufferKind>(b % 5);
                problem.buffers[b].dma = b % 2 == 0;
                problem.buffers[b].scalar = b % 3 == 0;
                if (b % 4 == 0) problem.buffers[b].traffic = {static_cast<Bytes>(b), 7, 1, 2};
                if (seed % 2 == 0) problem.buffers[b].scope = static_cast<ScopeId>(b % 3) - 1;
            }
            if (seed % 2 == 0) problem.scopes = {{"op \"a\"", {{0, 3}, {5, 6}}}, {"b", {{3, 5}}}};
            const std::string text = io::writeProblemJson(problem);
            QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(text)).isObject());
            READ_JSON(read, text);
            QVERIFY2(read->value == problem,
                     qPrintable(QStringLiteral("seed %1 round %2:\n%3").arg(seed).arg(round).arg(QString::fromStdString(text))));
            QVERIFY(read->diagnostics.empty());
            QCOMPARE(io::writeProblemJson(read->value), text);
        }
    }

    /// Two threads; the first hands over to the second when it has made b. Conflicts by hand.
    void clocksOfSeveralThreadsBecomeConflicts()
    {
        READ_JSON(read, R"({"format": "stowage.problem/1", "buffers": [
            {"name": "a", "size": 8, "clock": {"first": [1, 0], "last": [2, 0]}},
            {"name": "b", "size": 8, "clock": {"first": [2, 0], "last": [3, 1]}},
            {"name": "c", "size": 8, "clock": {"first": [3, 1], "last": [3, 2]}},
            {"name": "d", "size": 8, "clock": {"first": [4, 0], "last": [5, 0]}},
            {"name": "e", "size": 8, "clock": {"first": [2, 1], "last": [3, 1]}}]})");
        const Problem& problem = read->value;
        QVERIFY(problem.axis == Axis::dag);
        const auto conflictsOf = [&](std::size_t b) -> const RareList<BufferId>& { return problem.buffers[b].conflicts; };
        // a ends with the event that makes b: both are in use then. e begins after a in both threads' view.
        QCOMPARE(conflictsOf(0), (std::vector<BufferId>{1}));
        // c begins with the last event of b; d is in the first thread, which never hears of the second's.
        QCOMPARE(conflictsOf(1), (std::vector<BufferId>{0, 2, 3, 4}));
        QCOMPARE(conflictsOf(2), (std::vector<BufferId>{1, 3, 4}));
        QCOMPARE(conflictsOf(3), (std::vector<BufferId>{1, 2, 4}));
        for (std::size_t a = 0; a < problem.buffers.size(); ++a)
            for (std::size_t b = 0; b < problem.buffers.size(); ++b) // the order shown agrees with the clocks
                if (a != b && problem.buffers[a].hull().overlaps(problem.buffers[b].hull()))
                    QVERIFY(std::count(conflictsOf(a).begin(), conflictsOf(a).end(), BufferId(b)) == 1);
        auto again = io::readProblemJson(io::writeProblemJson(problem), "again.json");
        QVERIFY(again);
        QVERIFY(again->value == problem);
    }

    /// With one thread a clock is a step, and inclusive.
    void clocksOfOneThreadAreLiveRanges()
    {
        std::string clocks = R"({"format": "stowage.problem/1", "buffers": [)", ranges = clocks;
        const std::pair<int, int> rows[] = {{0, 3}, {1, 1}, {2, 5}, {4, 4}, {6, 9}, {3, 6}, {10, 10}};
        for (const auto& [first, last] : rows) {
            const QString comma = first == 0 ? "" : ", ";
            const QString head = comma + QString("{\"name\": \"b%1\", \"size\": 1, ").arg(first);
            clocks += (head + QString("\"clock\": {\"first\": [%1], \"last\": [%2]}}").arg(first).arg(last)).toStdString();
            ranges += (head + QString("\"live\": [[%1, %2]]}").arg(first).arg(last + 1)).toStdString();
        }
        READ_JSON(one, clocks + "]}");
        READ_JSON(other, ranges + "]}");
        for (std::size_t a = 0; a < std::size(rows); ++a)
            for (std::size_t b = 0; b < std::size(rows); ++b)
                if (a != b)
                    QCOMPARE(conflict(one->value, BufferId(a), BufferId(b)), conflict(other->value, BufferId(a), BufferId(b)));
    }

    void wrongClocksAreRefused_data()
    {
        QTest::addColumn<QString>("second");
        QTest::addColumn<QString>("says");
        QTest::newRow("length") << "\"clock\": {\"first\": [1], \"last\": [1]}"
                                << "1 and 1 entries";
        QTest::newRow("back") << "\"clock\": {\"first\": [1, 2], \"last\": [1, 1]}"
                              << "goes back from 2 to 1";
        QTest::newRow("negative") << "\"clock\": {\"first\": [1, -2], \"last\": [1, 1]}"
                                  << "-2";
        QTest::newRow("both") << "\"live\": [[0, 1]], \"clock\": {\"first\": [1, 2], \"last\": [1, 2]}"
                              << "both are given";
        QTest::newRow("one only") << "\"live\": [[0, 1]]"
                                  << "1 of 2 buffers have a 'clock'";
    }
    void wrongClocksAreRefused()
    {
        QFETCH(QString, second);
        QFETCH(QString, says);
        const QString text = "{\"format\": \"stowage.problem/1\", \"buffers\": [{\"name\": \"a\", \"size\": 1, "
                             "\"clock\": {\"first\": [0, 0], \"last\": [0, 0]}},\n{\"name\": \"b\", \"size\": 1, " +
                             second + "}]}";
        const auto read = io::readProblemJson(text.toStdString(), "p.json");
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).contains(says), read.error().message.c_str());
        QVERIFY(read.error().where.line > 0);
    }

    void penaltiesAreReadAndWrittenAndAddedUp()
    {
        READ_JSON(read, R"({"format": "stowage.problem/1", "buffers": [
            {"name": "a", "size": 8, "live": [[0, 1]]}, {"name": "b", "size": 8, "live": [[1, 2]]}],
            "penalties": [{"first": "b", "second": "a", "cost": 5}, {"first": "a", "second": "b", "cost": 2}]})");
        const std::vector<ReusePenalty> expected{{0, 1, 7}};
        QCOMPARE(read->value.penalties, expected);
        auto again = io::readProblemJson(io::writeProblemJson(read->value), "again.json");
        QVERIFY(again);
        QVERIFY(again->value == read->value);
        const auto wrong =
            io::readProblemJson(R"({"format": "stowage.problem/1", "buffers": [{"name": "a", "size": 8, "live": [[0, 1]]}],
            "penalties": [{"first": "a", "second": "z", "cost": 5}]})",
                                "p.json");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, Code::unknownBuffer);
        QCOMPARE(wrong.error().where.line, 2);
    }

    void namesOfBuffersOfUnknownSizeAreReadAndWritten()
    {
        READ_JSON(read, R"({"format": "stowage.problem/1", "buffers": [{"name": "a", "size": 8, "live": [[0, 1]]}],
            "unknown_sizes": ["b", "c"]})");
        QCOMPARE(read->value.unknownSizes, (std::vector<std::string>{"b", "c"}));
        auto again = io::readProblemJson(io::writeProblemJson(read->value), "again.json");
        QVERIFY(again);
        QVERIFY(again->value == read->value);
        const auto wrong =
            io::readProblemJson(R"({"format": "stowage.problem/1", "buffers": [], "unknown_sizes": [8]})", "p.json");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, Code::wrongType);
    }

    void loopsWithoutNamesGetDistinctOnes()
    {
        Problem problem;
        problem.pools = {{.name = "p"}};
        problem.loops = {{.name = "", .live = {0, 4}}, {.name = "L", .live = {0, 4}}, {.name = "L", .parent = 0, .live = {1, 2}}};
        problem.buffers = {test::bufferOf({.name = "a", .size = 1, .live = {{1, 2}}, .loop = 2})};
        READ_JSON(read, io::writeProblemJson(problem));
        QCOMPARE(read->value.loops.size(), std::size_t{3});
        QCOMPARE(read->value.loops[2].parent, 0);
        QCOMPARE(read->value.loops[2].live, problem.loops[2].live);
        QCOMPARE(read->value.buffers[0].loop, 2);
    }

    void survivesMutations()
    {
        test::mutate(everything, "{}[]\",:-0129abnt \n\\\x01\xFF", 20'000, [](const std::string& mutated) {
            auto read = io::readProblemJson(mutated, "p.json");
            if (!read) return !read.error().message.empty() && !codeText(read.error()).empty();
            return checkAndRepair(read->value).empty() && QJsonDocument::fromJson(QByteArray::fromStdString(mutated)).isObject();
        });
    }

    void readsTvmsCasesWithTheirPressure()
    {
        STOWAGE_NEEDS_SHARED();
        const std::pair<const char*, Bytes> cases[] = {
            {"mobilenet_subgraph", 1117718},
            {"resnet_subgraph", 7200256}, // published as memory pressure
            {"algo_linear", 140},         // bi_c and bi_d together
            {"derived_mixed_alignment", 18},
        };
        for (const auto& [name, pressure] : cases) {
            QFile source(test::sharedFile("bench/usmp/") + QString::fromUtf8(name) + QStringLiteral(".problem.json"));
            QVERIFY(source.open(QIODevice::ReadOnly));
            READ_JSON(read, source.readAll().toStdString());
            QCOMPARE(lowerBound(read->value, none).bytes, pressure);
        }
    }
};

QTEST_GUILESS_MAIN(TestProblemJson)
#include "tst_problem_json.moc"
