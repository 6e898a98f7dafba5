// Problems as tables: MiniMalloc's columns under all their names, gaps, pins, and clear errors for everything else.
#include "core/io/text.h"
#include "core/plan/report.h"
#include "tests/core/mutation.h"
#include "tests/core/random_problem.h"
#include "tests/support/buffer_of.h"
#include "tests/support/seed_shift.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QObject>
#include <QTest>

using namespace stowage;

namespace {

/// The problem, or a failed test that says why not.
#define READ_CSV(variable, text)                                                                                                 \
    auto variable = io::readProblemCsv(text, "t.csv");                                                                           \
    QVERIFY2(variable, variable ? "" : toText(variable.error()).c_str())

} // namespace

class TestProblemCsv : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsMiniMallocsColumns()
    {
        READ_CSV(read, "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\n");
        const Problem& problem = read->value;
        QVERIFY(read->diagnostics.empty());
        QCOMPARE(problem.pools.size(), std::size_t{1});
        QCOMPARE(problem.pools[0].name, std::string("arena"));
        QVERIFY(!problem.pools[0].capacity);
        QCOMPARE(problem.buffers.size(), std::size_t{2});
        QCOMPARE(problem.buffers[1].name, std::string("b2"));
        QCOMPARE(problem.buffers[1].size, 4);
        QCOMPARE(problem.buffers[1].live, (std::vector<Interval>{{3, 9}}));
        QCOMPARE(problem.buffers[1].alignment, 1);
        QVERIFY(!problem.buffers[1].pin);
    }

    void readsTheSameUnderAllNames_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("plain") << QByteArray("id,lower,upper,size,alignment,gaps,offset\na,0,10,8,4,3-6,-1\nb,2,5,6,2,,4\n");
        QTest::newRow("other order") << QByteArray(
            "size,upper,offset,lower,gaps,alignment,id\n8,10,-1,0,3-6,4,a\n6,5,4,2,,2,b\n");
        QTest::newRow("aliases") << QByteArray(
            "buffer,start,upper,size,alignment,gaps,offset\na,0,10,8,4,3-6,-1\nb,2,5,6,2,,4\n");
        QTest::newRow("more aliases, inclusive end")
            << QByteArray("buffer_id,begin,end,size,alignment,gaps,offset\na,0,9,8,4,3-5,-1\nb,2,4,6,2,,4\n");
        QTest::newRow("CRLF, spaces, blank lines, no last line feed")
            << QByteArray("\r\nid , lower,upper,size,alignment, gaps,offset\r\n\r\n a,0, 10,8,4, 3-6 ,-1\r\n\t\r\nb,2,5,6,2,,4");
        QTest::newRow("quotes") << QByteArray(
            "\"id\",\"lower\",upper,size,alignment,gaps,offset\n\"a\",\"0\",10,8,4,\"3-6\",-1\n \"b\" ,2,5,6,2,\"\",4\n");
        QTest::newRow("capitals, own column, byte order mark") << QByteArray(
            "\xEF\xBB\xBFID,Lower,Upper,SIZE,Alignment,Gaps,x-note,Offset\na,0,10,8,4,3-6,hm,-1\nb,2,5,6,2,,\"a, b\",4\n");
    }

    void readsTheSameUnderAllNames()
    {
        QFETCH(QByteArray, text);
        READ_CSV(read, text.toStdString());
        const std::vector<Buffer>& buffers = read->value.buffers;
        QCOMPARE(buffers.size(), std::size_t{2});
        QCOMPARE(buffers[0].name, std::string("a"));
        QCOMPARE(buffers[0].live, (std::vector<Interval>{{0, 3}, {6, 10}}));
        QCOMPARE(buffers[0].size, 8);
        QCOMPARE(buffers[0].alignment, 4);
        QVERIFY(!buffers[0].pin);
        QCOMPARE(buffers[1].name, std::string("b"));
        QCOMPARE(buffers[1].live, (std::vector<Interval>{{2, 5}}));
        QCOMPARE(buffers[1].alignment, 2);
        QCOMPARE(buffers[1].pin, std::optional<Bytes>(4));
        QCOMPARE(read->diagnostics.size(), std::size_t{1});
        QCOMPARE(read->diagnostics[0].code, Code::pinned);
        QVERIFY(read->diagnostics[0].message.starts_with("1 buffer is pinned"));
    }

    void namesMayHoldCommasQuotesAndLineFeeds()
    {
        READ_CSV(read, "id,lower,upper,size\n\"a,b\",0,1,1\n\"say \"\"x\"\"\",0,1,1\n\"two\nlines\",0,1,1\n'single',0,1,1\n");
        const std::vector<Buffer>& buffers = read->value.buffers;
        QCOMPARE(buffers[0].name, std::string("a,b"));
        QCOMPARE(buffers[1].name, std::string("say \"x\""));
        QCOMPARE(buffers[2].name, std::string("two\nlines"));
        QCOMPARE(buffers[3].name, std::string("'single'"));
        auto written = io::writeProblemCsv(read->value, nullptr);
        QVERIFY(written);
        READ_CSV(again, *written);
        QCOMPARE(again->value, read->value);
        auto later = io::readProblemCsv("id,lower,upper,size\n\"two\nlines\",0,1,1\nb,0,1,x\n", "t.csv");
        QVERIFY(!later);
        QCOMPARE(later.error().where.line, 4);
    }

    void gapsWithBytesBecomeWindows()
    {
        // The example that MiniMalloc's own search misses: it fits in 8 bytes.
        READ_CSV(read, "id,lower,upper,size,gaps\na,0,10,8,3-6@2:5\nb,3,6,2,\nc,3,6,3,\n");
        QCOMPARE(read->value.buffers[0].live, (std::vector<Interval>{{0, 3}, {6, 10}}));
        QCOMPARE(read->value.buffers[0].windows, (std::vector<Window>{{{3, 6}, 2, 5}}));
        Plan plan;
        for (const Bytes offset : {0, 0, 5}) plan.placements.push_back({.pool = 0, .offset = offset});
        QVERIFY(check(read->value, plan).valid());
        plan.placements[1].offset = 1;
        QVERIFY(!check(read->value, plan).valid());
        READ_CSV(several, "id,start,end,size,gaps\na,0,9,8,\"7-8 1-2@0:4 3-4@4:8\"\n");
        QCOMPARE(several->value.buffers[0].live, (std::vector<Interval>{{0, 1}, {5, 7}, {9, 10}}));
        QCOMPARE(several->value.buffers[0].windows, (std::vector<Window>{{{1, 3}, 0, 4}, {{3, 5}, 4, 8}}));
    }

    void gapsAtTheEndsShortenTheRange()
    {
        READ_CSV(read, "id,lower,upper,size,gaps\na,0,10,8,0-2 8-10\nb,0,10,8,0-10\n");
        QCOMPARE(read->value.buffers[0].live, (std::vector<Interval>{{2, 8}}));
        QVERIFY(read->value.buffers[1].live.empty()); // never live, so anything may lie on it
        QVERIFY(read->diagnostics.empty());
        READ_CSV(edge, "id,lower,upper,size,gaps\na,0,10,8,0-2@0:4 4-5 9-10@0:4\n");
        QCOMPARE(edge->value.buffers[0].live, (std::vector<Interval>{{0, 4}, {5, 10}}));
        QVERIFY(edge->value.buffers[0].windows.empty());
        QCOMPARE(edge->diagnostics.size(), std::size_t{1});
        QVERIFY(edge->diagnostics[0].severity == Severity::warning);
        QCOMPARE(edge->diagnostics[0].code, Code::partialEdge);
    }

    void countsPinsAndHints()
    {
        READ_CSV(read, "id,lower,upper,size,offset,hint\na,0,1,1,0,-1\nb,0,1,1,7,3\nc,0,1,1,-1,4\n");
        QCOMPARE(read->diagnostics.size(), std::size_t{2});
        QCOMPARE(read->diagnostics[0].message, std::string("2 buffers are pinned by the column 'offset'"));
        QCOMPARE(read->diagnostics[1].message, std::string("2 hints are not used"));
    }

    void refusesWithCodeAndLine_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        const auto row = [](const char* name, QByteArray text, const char* code, int line, int column) {
            QTest::newRow(name) << text << code << line << column;
        };
        const QByteArray head = "id,lower,upper,size\n";
        row("empty", "", "syntax", 1, 0);
        row("blank", " \n\r\n", "syntax", 1, 0);
        row("not a table", "\x89PNG\r\n", "syntax", 1, 0);
        row("JSON", "{\"format\": \"stowage.problem/1\"}", "unknown-column", 1, 1);
        row("no size", "id,lower,upper\na,0,1\n", "missing-column", 1, 0);
        row("no id", "lower,upper,size\n0,1,1\n", "missing-column", 1, 0);
        row("no header", "a,0,1,1\n", "unknown-column", 1, 1);
        row("typing error", "id,lower,uper,size\n", "unknown-column", 1, 10);
        row("column twice", "id,lower,upper,size,size\n", "duplicate-column", 1, 21);
        row("column by two names", "id,lower,upper,end,size\n", "duplicate-column", 1, 16);
        row("too few fields", head + "a,0,1,1\n\nb,0,1\n", "wrong-field-count", 4, 0);
        row("too many fields", head + "a,0,1,1,\n", "wrong-field-count", 2, 0);
        row("letters", head + "a,0,x,1\n", "bad-number", 2, 5);
        row("empty number", head + "a,0,,1\n", "bad-number", 2, 5);
        row("fraction", head + "a,0,1.5,1\n", "bad-number", 2, 5);
        row("hexadecimal", head + "a,0,0x10,1\n", "bad-number", 2, 5);
        row("plus sign", head + "a,0,+1,1\n", "bad-number", 2, 5);
        row("negative size", head + "a,0,1,-1\n", "out-of-range", 2, 7);
        row("size above 64 bits", head + "a,0,1,99999999999999999999\n", "out-of-range", 2, 7);
        row("size above 2^62", head + "a,0,1,4611686018427387905\n", "out-of-range", 2, 7);
        row("negative step", head + "a,-1,1,1\n", "out-of-range", 2, 3);
        row("step above 2^62", head + "a,0,4611686018427387904,1\n", "out-of-range", 2, 5);
        row("sum above 2^62", head + "a,0,1,4611686018427387904\nb,0,1,1\n", "out-of-range", 3, 0);
        row("empty range", head + "a,0,1,1\nb,1,1,1\n", "bad-live-range", 3, 5);
        row("range backwards", head + "b,2,1,1\n", "bad-live-range", 2, 5);
        row("duplicate id", head + "a,0,1,1\nb,0,1,1\na,0,1,1\n", "duplicate-name", 4, 0);
        row("no id", head + "a,0,1,1\n,0,1,1\n", "missing-field", 3, 1);
        row("alignment 0", "id,lower,upper,size,alignment\na,0,1,1,0\n", "out-of-range", 2, 9);
        row("offset -2", "id,lower,upper,size,offset\na,0,1,1,-2\n", "out-of-range", 2, 9);
        row("misaligned offset", "id,lower,upper,size,offset,alignment\na,0,1,1,3,4\n", "misaligned-pin", 2, 0);
        row("hint", "id,lower,upper,size,hint\na,0,1,1,x\n", "bad-number", 2, 9);
        const QByteArray gaps = "id,lower,upper,size,gaps\na,0,10,8,";
        row("gap without end", gaps + "3-\n", "bad-gap", 2, 10);
        row("gap with comma", gaps + "\"3-4,5-6\"\n", "bad-gap", 2, 10);
        row("gap backwards", gaps + "4-3\n", "bad-gap", 2, 10);
        row("gap outside", gaps + "8-11\n", "bad-gap", 2, 10);
        row("overlapping gaps", gaps + "2-5 4-6\n", "bad-gap", 2, 10);
        row("window without end", gaps + "2-5@1\n", "bad-gap", 2, 10);
        row("window beyond the buffer", gaps + "2-5@1:9\n", "bad-gap", 2, 10);
        row("empty window", gaps + "2-5@3:3\n", "bad-gap", 2, 10);
        row("window with rest", gaps + "2-5@3:4x\n", "bad-gap", 2, 10);
        row("gap above 64 bits", gaps + "2-99999999999999999999\n", "bad-gap", 2, 10);
        row("open quote", head + "a,0,1,1\n\"b,0,1,1\nc,0,1,1\n", "syntax", 3, 0);
        row("text behind quote", head + "\"a\"b,0,1,1\n", "syntax", 2, 0);
        row("not UTF-8", head + "a,0,1,1\n\xFF,0,1,1\n", "syntax", 3, 0);
    }

    void refusesWithCodeAndLine()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, code);
        QFETCH(int, line);
        QFETCH(int, column);
        const auto read = io::readProblemCsv(text.toStdString(), "t.csv");
        QVERIFY(!read);
        const QString told = QString::fromStdString(toText(read.error()));
        QVERIFY2(QString::fromStdString(std::string(toText(read.error().code))) == code, qPrintable(told));
        QCOMPARE(read.error().where.file, std::string("t.csv"));
        QVERIFY2(read.error().where.line == line && read.error().where.column == column, qPrintable(told));
    }

    void writtenTablesReadBackEqual()
    {
        const std::uint64_t seed = 3;
        test::Generator random(seed + stowage::test::seedShift());
        for (int round = 0; round < 500; ++round) {
            Problem problem = random.problem(
                {.gaps = true, .windows = true, .alignment = round % 2 == 0, .pins = round % 3 == 0, .buffers = 12});
            problem.pools = {{.name = "arena", .alignment = problem.pools[0].alignment}};
            const auto text = io::writeProblemCsv(problem, nullptr);
            QVERIFY(text);
            READ_CSV(read, *text);
            for (Buffer& buffer : problem.buffers) buffer.alignment = problem.effectiveAlignment(buffer, 0);
            problem.pools[0].alignment = 1;
            problem.name.clear();
            QVERIFY2(read->value == problem,
                     qPrintable(QStringLiteral("seed %1 round %2:\n%3").arg(seed).arg(round).arg(QString::fromStdString(*text))));
        }
    }

    void refusesToWriteWhatATableCannotHold_data()
    {
        using Change = std::function<void(Problem&)>;
        QTest::addColumn<Change>("change");
        const auto row = [](const char* name, Change change) { QTest::newRow(name) << change; };
        row("two pools", [](Problem& p) { p.pools.push_back({.name = "q"}); });
        row("explicit conflicts", [](Problem& p) { p.buffers[0].conflicts = {1}; });
        row("slots", [](Problem& p) { p.buffers[0].slots = 2; });
        row("carried", [](Problem& p) { p.buffers[0].carried = {{1, {0, 1}}}; });
        row("unique", [](Problem& p) { p.buffers[0].unique = true; });
        row("sharing", [](Problem& p) { p.buffers[0].mayShare = {1}; });
        row("dag", [](Problem& p) { p.axis = Axis::dag; });
        row("never live", [](Problem& p) { p.buffers[0].live.clear(); });
    }

    void refusesToWriteWhatATableCannotHold()
    {
        QFETCH(std::function<void(Problem&)>, change);
        Problem problem;
        problem.pools = {{.name = "p"}};
        problem.buffers = {test::bufferOf({.name = "a", .size = 1, .live = {{0, 1}}}),
                           test::bufferOf({.name = "b", .size = 1, .live = {{0, 1}}})};
        QVERIFY(io::writeProblemCsv(problem, nullptr));
        change(problem);
        const auto text = io::writeProblemCsv(problem, nullptr);
        QVERIFY(!text);
        QCOMPARE(text.error().code, Code::notTabular);
    }

    void survivesMutations()
    {
        const std::string text = "id,lower,upper,size,alignment,gaps,offset,hint\na,0,10,8,4,3-6@2:5 7-8,-1,0\n\"b "
                                 "\"\"x\",2,5,6,2,,4,-1\r\nc,0,3,9,1,,-1,5\n";
        test::mutate(text, ",\"-@: \r\n0129xab\xFF", 20'000, [](const std::string& mutated) {
            auto read = io::readProblemCsv(mutated, "t.csv");
            if (!read) return read.error().where.line > 0 && !read.error().message.empty();
            return checkAndRepair(read->value).empty();
        });
    }

    void readsTheBenchmarksWithTheirPublishedPeaks_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<qint64>("buffers");
        QTest::addColumn<qint64>("peak"); // from the README beside the files
        const auto row = [](const char* file, qint64 buffers, qint64 peak) {
            QTest::newRow(file) << QString::fromUtf8(file) << buffers << peak;
        };
        row("minimalloc/A.1048576.csv", 154, 1048576);
        row("minimalloc/B.1048576.csv", 170, 1048576);
        row("minimalloc/C.1048576.csv", 203, 1039360);
        row("minimalloc/D.1048576.csv", 213, 986112);
        row("minimalloc/E.1048576.csv", 215, 1048576);
        row("minimalloc/F.1048576.csv", 296, 1048576);
        row("minimalloc/G.1048576.csv", 308, 1048576);
        row("minimalloc/H.1048576.csv", 316, 1048576);
        row("minimalloc/I.1048576.csv", 374, 1048576);
        row("minimalloc/J.1048576.csv", 409, 989184);
        row("minimalloc/K.1048576.csv", 454, 1048576);
        row("minimalloc/input.12.csv", 5, 12);
        row("idealloc/somas_resnet50.csv", 1042, 1515472556);
        row("idealloc/somas_pangu_2.6B.csv", 18692, 5530099775);
        row("idealloc/iopddl_G_1.csv", 816, 3030937746);
        row("idealloc/iopddl_S_1.csv", 28526, 1498635932);
        row("idealloc/iopddl_Y_1.csv", 62185, 497261190115);
    }

    void readsTheBenchmarksWithTheirPublishedPeaks()
    {
        STOWAGE_NEEDS_SHARED();
        QFETCH(QString, file);
        QFETCH(qint64, buffers);
        QFETCH(qint64, peak);
        QFile source(test::sharedFile("bench/") + file);
        QVERIFY(source.open(QIODevice::ReadOnly));
        READ_CSV(read, source.readAll().toStdString());
        QCOMPARE(static_cast<qint64>(read->value.buffers.size()), buffers);
        QCOMPARE(lowerBound(read->value, 0).bytes, peak);
    }
};

QTEST_GUILESS_MAIN(TestProblemCsv)
#include "tst_problem_csv.moc"
