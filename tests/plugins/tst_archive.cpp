// What is sent to another process arrives as it was; damaged bytes arrive as nothing.
#include "plugins/external/frames.h"
#include "plugins/host/import_messages.h"
#include "plugins/host/layout_messages.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed.h"
#include "tests/support/seed_shift.h"

#include <QFile>
#include <QTest>

#include <limits>
#include <random>
#include <unistd.h>

using namespace stowage;

namespace {

/// Every field of every struct differs from its default.
Program fullProgram()
{
    Program program;
    program.name = "prögram";
    program.entry = 1;
    program.pools.push_back({"sram",
                             Bytes{1} << 40,
                             64,
                             PoolKind::persistent,
                             CoreMemory::operand,
                             {"npu", "cpu"},
                             1'000'000,
                             1.5,
                             2.5,
                             3,
                             4,
                             5,
                             {{"npu", 32}},
                             true,
                             "fast"});
    Function function;
    function.name = "main";
    function.tensors.push_back({"t",
                                TensorKind::variable,
                                Availability::runTime,
                                "i4",
                                {1, -1, 3},
                                Bytes{7},
                                16,
                                {"sram"},
                                3,
                                0,
                                128,
                                2,
                                false,
                                Bytes{4096},
                                true,
                                {{"layout-offset", "?"}},
                                {"m.tflite", 3, 4, 5}});
    Op op{"op",
          "while",
          {OpEffect::repeats, OpWork::moving, true},
          Control::loop,
          {1},
          {2},
          {3},
          {{4, 5}},
          true,
          "MTE2",
          "npu",
          {{"cpu", 0.5}},
          6,
          {7, 8},
          9,
          {{10, 11}},
          12,
          {{"broadcast", "[1]"}},
          {"f", 1, 2, 3}};
    function.ops.push_back(std::move(op));
    function.regions.push_back({RegionRole::branch, 13, {14}, {15}, {16}});
    program.functions = {function, function};
    program.lowering = {{"order", "hivm"}};
    return program;
}

Problem fullProblem()
{
    Problem problem;
    problem.name = "problem";
    problem.axis = Axis::hivm;
    problem.pools = fullProgram().pools;
    Buffer buffer;
    buffer.name = "b";
    buffer.size = 1000;
    buffer.alignment = 32;
    buffer.live = {{0, 5}, {7, 9}};
    buffer.windows = {{{5, 7}, 64, 128}};
    buffer.carried = {{2, {1, 3}}};
    buffer.conflicts = {1};
    buffer.pools = {0};
    buffer.pin = 64;
    buffer.kind = BufferKind::output;
    buffer.slots = 2;
    buffer.loop = 0;
    buffer.dma = buffer.scalar = buffer.unique = true;
    buffer.coupled = 4;
    buffer.mayShare = {2};
    problem.buffers = {buffer};
    problem.loops = {{"L1", 3, {1, 9}, std::int64_t{100}}};
    problem.unknownSizes = {"left out"};
    return problem;
}

ImportedInput fullInput()
{
    ImportedInput input;
    input.importer = "tflite";
    input.imported.content = fullProgram();
    input.imported.plans = {{"plan", 0, {{1, 2, 3, {3, 9}}}}};
    input.imported.diagnostics = {failure(Code::syntax, "message", {"file", 1, 2, 3}, "remedy")};
    return input;
}

} // namespace

class TestArchive : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Programs cannot be compared, their bytes can: a field lost on the way would be a default in the second bytes.
    void programsArriveAsTheyWere()
    {
        const std::string bytes = toArchive(fullInput());
        const auto arrived = fromArchive<ImportedInput>(bytes);
        QVERIFY(arrived.has_value());
        QVERIFY(toArchive(*arrived) == bytes);
        const auto& program = std::get<Program>(arrived->imported.content);
        QCOMPARE(program.functions[1].ops[0].carries[0].to, TensorId{11});
        QCOMPARE(program.functions[0].tensors[0].where.byte, std::int64_t{5});
        QCOMPARE(arrived->imported.diagnostics[0].remedy, std::string("remedy"));
    }

    void problemsArriveAsTheyWere()
    {
        const auto arrived = fromArchive<Problem>(toArchive(fullProblem()));
        QVERIFY(arrived.has_value());
        QVERIFY(*arrived == fullProblem());
    }

    void extremeNumbersArrive()
    {
        const GraphSpec spec{{{std::numeric_limits<double>::infinity(), -0.0}},
                             {{-1, std::numeric_limits<std::int32_t>::max()}},
                             GraphDirection::right,
                             1,
                             2};
        const auto arrived = fromArchive<GraphSpec>(toArchive(spec));
        QVERIFY(arrived.has_value());
        QVERIFY(toArchive(*arrived) == toArchive(spec));
    }

    void everyTruncationArrivesAsNothing()
    {
        const std::string bytes = toArchive(fullInput());
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY(!fromArchive<ImportedInput>(std::string_view(bytes).substr(0, size)));
        QVERIFY(!fromArchive<ImportedInput>(bytes + '\0'));
    }

    void damageArrivesAsNothingOrAsAValue()
    {
        const auto seed = testSeed();
        std::mt19937 random(seed + stowage::test::seedShift());
        const std::string bytes = toArchive(fullInput());
        for (int round = 0; round < 20'000; ++round) {
            std::string changed = bytes;
            for (unsigned i = 0; i <= random() % 4; ++i) changed[random() % changed.size()] = static_cast<char>(random());
            if (const auto arrived = fromArchive<ImportedInput>(changed)) QCOMPARE(toArchive(*arrived).size(), changed.size());
        }
    }

    void enumeratorsThatDoNotExistAreRefused()
    {
        std::string bytes = toArchive(GraphSpec{});
        const auto at = bytes.find('\0', 16); // behind two empty lists
        QVERIFY(at == 16);
        bytes[at] = 2;
        QVERIFY(!fromArchive<GraphSpec>(bytes));
        bytes[at] = 1;
        QVERIFY(fromArchive<GraphSpec>(bytes).has_value());
    }

    void framesComeOutInPiecesOfAnySize()
    {
        const std::string stream = frameHeader("a", 3) + "abc" + frameHeader("", 0) + frameHeader("b", 5) + "\r\n\r\nx";
        for (std::size_t piece = 1; piece <= stream.size(); ++piece) {
            FrameReader reader(100);
            std::vector<Frame> frames;
            for (std::size_t at = 0; at < stream.size(); at += piece) {
                reader.append(std::string_view(stream).substr(at, piece));
                for (;;) {
                    auto next = reader.next();
                    QVERIFY(bool(next));
                    if (!*next) break;
                    frames.push_back(std::move(**next));
                }
            }
            QCOMPARE(frames.size(), std::size_t{3});
            QCOMPARE(frames[0].type + frames[0].payload, std::string("aabc"));
            QCOMPARE(frames[2].payload, std::string("\r\n\r\nx"));
            QVERIFY(reader.atBoundary());
        }
    }

    /// A stream that goes on, in pieces that end inside of frames: the bytes of frames that were taken are not kept.
    void framesThatWereTakenAreNotKept()
    {
        if (test::instrumented) QSKIP("a sanitizer keeps memory that was given back");
        const auto residentBytes = [] {
            QFile file(QStringLiteral("/proc/self/statm"));
            return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').value(1).toLongLong() * ::sysconf(_SC_PAGESIZE) : 0;
        };
        const std::string frame = frameHeader("incumbent", 100'000) + std::string(100'000, 'x');
        const std::string piece = frame.substr(10) + frame.substr(0, 10);
        FrameReader reader(200'000);
        reader.append(std::string_view(frame).substr(0, 10));
        const qint64 before = residentBytes();
        QVERIFY(before > 0);
        for (int i = 0; i < 3'000; ++i) { // 300 MB
            reader.append(piece);
            const auto taken = reader.next();
            QVERIFY(taken && taken->has_value());
            const auto rest = reader.next();
            QVERIFY(rest && !rest->has_value());
        }
        const qint64 more = residentBytes() - before;
        QVERIFY2(more < (qint64{64} << 20), qPrintable(QString::number(more)));
    }

    void whatIsNoFrameIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("text") << QByteArray("hello") << QByteArray("not-a-frame");
        QTest::newRow("unknown field") << QByteArray("Content-Language: en\r\n\r\n") << QByteArray("not-a-frame");
        QTest::newRow("no length") << QByteArray("Content-Type: a\r\n\r\n") << QByteArray("not-a-frame");
        QTest::newRow("two lengths") << QByteArray("Content-Length: 1\r\nContent-Length: 1\r\n\r\nx")
                                     << QByteArray("not-a-frame");
        QTest::newRow("signed length") << QByteArray("Content-Length: +1\r\n\r\nx") << QByteArray("not-a-frame");
        QTest::newRow("endless header") << QByteArray("Content-Type: ") + QByteArray(5000, 'x') << QByteArray("not-a-frame");
        QTest::newRow("too long") << QByteArray("Content-Length: 101\r\n\r\n") << QByteArray("frame-too-large");
    }

    void whatIsNoFrameIsRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, code);
        FrameReader reader(100);
        reader.append(bytes.toStdString());
        const auto next = reader.next();
        QVERIFY(!next);
        QCOMPARE(std::string(codeText(next.error())), code.toStdString());
    }
};

QTEST_GUILESS_MAIN(TestArchive)
#include "tst_archive.moc"
