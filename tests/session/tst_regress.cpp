// Regression suites: what is a regression, and what explains it.
#include "app/session/regress/kept_plans.h"
#include "app/session/regress/regression.h"
#include "tests/session/suite_folder.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <array>
#include <optional>
#include <sys/stat.h>

using namespace stowage;
using namespace stowage::test;

namespace {

SuiteFigures figures(Bytes size, Bytes bound, Status status = Status::feasible)
{
    SuiteFigures made;
    made.size = size;
    made.bound = bound;
    made.status = status;
    made.unknownSizes = 0;
    made.plan = "0123456789abcdef";
    made.version = "1";
    return made;
}

RowVerdict verdict(const SuiteFigures& now, const SuiteFigures& before, const Tolerance& tolerance = {})
{
    return judge("row", now, &before, tolerance).verdict;
}

Suite suiteOf(const char* text)
{
    auto suite = readSuite(text, "folder/suite.json");
    if (!suite) qFatal("%s", toText(suite.error()).c_str());
    return *std::move(suite);
}

} // namespace

class RegressTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// In several memories a plan that fits may take more bytes than one that did not.
    void whatFitsNowIsBetterWhateverItTakes()
    {
        SuiteFigures before, now;
        before.status = Status::infeasible;
        before.size = before.bound = 60;
        before.excess = 10;
        now.status = Status::optimal;
        now.size = now.bound = 110;
        QCOMPARE(verdict(now, before), RowVerdict::better);
        QCOMPARE(verdict(before, now), RowVerdict::worse);
        now.status = Status::doesNotFit;
        now.excess = 5; // nearer to it
        QCOMPARE(verdict(now, before), RowVerdict::better);
        now.excess = 10; // no nearer, and larger
        QCOMPARE(verdict(now, before), RowVerdict::worse);
    }

    void defaultsHoldForEveryRowAndARowOverridesThem()
    {
        const Suite suite = suiteOf(R"({"format": "stowage.suite/1", "name": "nightly",
            "defaults": {"target": "esp32-s3", "planners": ["auto", "tflm-greedy"], "work_limit": 1000, "tolerance": {"size": 8}},
            "rows": [{"model": "a.csv"},
                     {"model": "b.onnx", "bind": {"seq": 128}, "planners": ["hill-climb:attempts=10"], "work_limit": 5, "seed": 7,
                      "lower": {"order": "dag"}, "tolerance": {"size_percent": 0.5}}]})");
        QCOMPARE(suite.folder, std::string("folder/"));
        QCOMPARE(suite.rows.size(), std::size_t{3});
        QCOMPARE(keyOf(suite.rows[0], {}), std::string("a.csv @esp32-s3 auto"));
        QCOMPARE(keyOf(suite.rows[1], "main"), std::string("a.csv#main @esp32-s3 tflm-greedy"));
        QCOMPARE(keyOf(suite.rows[2], {}), std::string("b.onnx?seq=128 @esp32-s3 hill-climb:attempts=10 order=dag seed=7"));
        QCOMPARE(suite.rows[0].workLimit, std::uint64_t{1000});
        QCOMPARE(suite.rows[2].workLimit, std::uint64_t{5});
        QCOMPARE(suite.rows[0].tolerance.size, Bytes{8});
        QCOMPARE(suite.rows[2].tolerance.size, Bytes{8}); // one field of the tolerance was overridden, not all of it
        QCOMPARE(suite.rows[2].tolerance.sizePercent, 0.5);
        QVERIFY(suite.warnings.empty());
    }

    /// The fields of an object have no order.
    void defaultsMayStandAfterTheRows()
    {
        const Suite suite = suiteOf(R"({"rows": [{"model": "a.csv"}, {"model": "b.csv", "planners": ["exact"]}],
            "defaults": {"planners": ["naive"], "work_limit": 9}, "name": "n", "format": "stowage.suite/1"})");
        QCOMPARE(suite.rows.size(), std::size_t{2});
        QCOMPARE(keyOf(suite.rows[0], {}), std::string("a.csv naive"));
        QCOMPARE(keyOf(suite.rows[1], {}), std::string("b.csv exact"));
        QCOMPARE(suite.rows[1].workLimit, std::uint64_t{9});
    }

    void timeLimitsAreWarnedOf()
    {
        const Suite suite =
            suiteOf(R"({"format": "stowage.suite/1", "name": "n", "defaults": {"time_limit": 2, "planners": ["auto"]},
                                        "rows": [{"model": "a.csv"}]})");
        QCOMPARE(suite.warnings.size(), std::size_t{1});
        QVERIFY(suite.warnings.front().message.find("1 of 1 rows") != std::string::npos);
    }

    void badSuitesAreRefusedWithAPosition_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("said");
        const auto with = [](const char* head, const char* rows) {
            return QByteArray("{\"format\": \"stowage.suite/1\", ") + head + "\"rows\": [" + rows + "]}";
        };
        QTest::newRow("no planner") << with(R"("name": "n", )", R"({"model": "a"})") << QByteArray("no planner is named for a");
        QTest::newRow("planner twice") << with(R"("name": "n", )", R"({"model": "a", "planners": ["auto", "auto"]})")
                                       << QByteArray("twice");
        QTest::newRow("unknown field") << with(R"("name": "n", )", R"({"model": "a", "planer": ["auto"]})")
                                       << QByteArray("planer");
        QTest::newRow("name with a slash") << with(R"("name": "../n", )", "") << QByteArray("part of a file name");
        QTest::newRow("no model") << with(R"("name": "n", )", R"({"planners": ["auto"]})") << QByteArray("model");
        QTest::newRow("negative tolerance") << with(R"("name": "n", )",
                                                    R"({"model": "a", "planners": ["auto"], "tolerance": {"gap": -1}})")
                                            << QByteArray("-1");
        QTest::newRow("wrong late defaults")
            << QByteArray(R"({"format": "stowage.suite/1", "name": "n", "rows": [], "defaults": {"seeds": 1}})")
            << QByteArray("seeds");
        // A baseline has one result for a key, so the second row would be compared with the result of the first.
        QTest::newRow("one key, two limits")
            << with(R"("name": "n", "defaults": {"planners": ["hill-climb"]}, )",
                    R"({"model": "a", "work_limit": 10}, {"model": "b"}, {"model": "a", "work_limit": 20})")
            << QByteArray("two rows have the key \"a hill-climb\"");
        QTest::newRow("one key, two importers") << with(R"("name": "n", "defaults": {"planners": ["naive"]}, )",
                                                        R"({"model": "a", "importer": "csv"}, {"model": "a", "importer": "dsa"})")
                                                << QByteArray("two rows have the key \"a naive\"");
        QTest::newRow("another format") << QByteArray(R"({"format": "stowage.plan/1"})") << QByteArray("stowage.plan/1");
    }
    void badSuitesAreRefusedWithAPosition()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, said);
        const auto suite = readSuite(text.toStdString(), "s.json");
        QVERIFY(!suite);
        const QByteArray message = QByteArray::fromStdString(toText(suite.error()));
        QVERIFY2(message.contains(said), message.constData());
        QVERIFY2(message.contains("s.json:1:"), message.constData());
    }

    void aRowThatStandsTwiceIsNoMistake()
    {
        const Suite suite = suiteOf(R"({"format": "stowage.suite/1", "name": "n", "defaults": {"planners": ["naive"]},
            "rows": [{"model": "a"}, {"model": "a", "tolerance": {"size": 4}}, {"model": "a", "seed": 1}]})");
        QCOMPARE(suite.rows.size(), std::size_t{3});
    }

    /// 80 kB would be 12 million rows, each with its planner: 5 GB. And a row of 200,000 planners is read at once, not in the
    /// time that a comparison of each with each takes.
    void fewBytesDoNotMakeRowsWithoutAnEnd()
    {
        QByteArray planners, rows;
        for (int i = 0; i < 3000; ++i) planners += (i > 0 ? ",\"p" : "\"p") + QByteArray::number(i) + '"';
        for (int i = 0; i < 4000; ++i) rows += (i > 0 ? ",{\"model\":\"" : "{\"model\":\"") + QByteArray::number(i) + "\"}";
        const QByteArray text =
            R"({"format":"stowage.suite/1","name":"n","defaults":{"planners":[)" + planners + R"(]},"rows":[)" + rows + "]}";
        const auto refused = readSuite(text.toStdString(), "s.json");
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Code::tooManyRuns);
        QVERIFY2(toText(refused.error()).find("s.json:1:") != std::string::npos, toText(refused.error()).c_str());

        QByteArray many;
        for (int i = 0; i < 200'000; ++i) many += (i > 0 ? ",\"p" : "\"p") + QByteArray::number(i) + '"';
        const Suite one =
            suiteOf((R"({"format":"stowage.suite/1","name":"n","rows":[{"model":"a","planners":[)" + many + "]}]}").constData());
        QCOMPARE(one.rows.size(), std::size_t{200'000});
    }

    void sizesAreJudgedAgainstTheLargerTolerance()
    {
        const SuiteFigures before = figures(1000, 900);
        QCOMPARE(verdict(figures(1000, 900), before), RowVerdict::same);
        QCOMPARE(verdict(figures(1001, 900), before), RowVerdict::worse);
        QCOMPARE(verdict(figures(999, 900), before), RowVerdict::better);
        Tolerance bytes;
        bytes.size = 5;
        QCOMPARE(verdict(figures(1005, 900), before, bytes), RowVerdict::changed);
        QCOMPARE(verdict(figures(1006, 900), before, bytes), RowVerdict::worse);
        bytes.sizePercent = 1.05; // 10.5 bytes: 10
        QCOMPARE(verdict(figures(1010, 900), before, bytes), RowVerdict::changed);
        QCOMPARE(verdict(figures(1011, 900), before, bytes), RowVerdict::worse);
    }

    void otherFiguresAreJudgedWhereTheTolerancesAsk()
    {
        SuiteFigures other = figures(1000, 900);
        other.plan = "ffffffffffffffff";
        QCOMPARE(verdict(other, figures(1000, 900)), RowVerdict::changed);
        // A gap that grows at the same size: the bound fell.
        Tolerance gap;
        gap.gap = 0.05;
        QCOMPARE(verdict(figures(1000, 800), figures(1000, 900)), RowVerdict::changed);
        QCOMPARE(verdict(figures(1000, 800), figures(1000, 900), gap), RowVerdict::worse);
        QCOMPARE(verdict(figures(1000, 870), figures(1000, 900), gap), RowVerdict::changed);
        // A status that still fits counts only when asked for; one that does not fit always does.
        Tolerance strict;
        strict.sameVerdict = true;
        QCOMPARE(verdict(figures(900, 900, Status::feasible), figures(900, 900, Status::optimal)), RowVerdict::same);
        QCOMPARE(verdict(figures(900, 900, Status::feasible), figures(900, 900, Status::optimal), strict), RowVerdict::worse);
        QCOMPARE(verdict(figures(900, 900, Status::doesNotFit), figures(900, 900)), RowVerdict::worse);
        QCOMPARE(verdict(figures(800, 900, Status::invalid), figures(900, 900)), RowVerdict::failed);
        QCOMPARE(verdict(figures(900, 900, Status::optimal), figures(900, 900)), RowVerdict::better);
        SuiteFigures waits = figures(900, 900);
        waits.stalls = 12;
        SuiteFigures waited = figures(900, 900);
        waited.stalls = 10;
        QCOMPARE(verdict(waits, waited), RowVerdict::worse);
        QCOMPARE(verdict(waited, waits), RowVerdict::better);
        Tolerance patient;
        patient.stalls = 2;
        QCOMPARE(verdict(waits, waited, patient), RowVerdict::same);
        Tolerance quick;
        quick.time = 3;
        SuiteFigures slow = figures(900, 900);
        slow.timeRatio = 3.5;
        QCOMPARE(verdict(slow, figures(900, 900), quick), RowVerdict::worse);
        QCOMPARE(verdict(slow, figures(900, 900)), RowVerdict::same);
    }

    /// 100 bytes move from one pool into the other, so that the total says nothing.
    void aScarcePoolThatGrowsIsWorseAlthoughTheTotalIsTheSame()
    {
        SuiteFigures before = figures(200, 200), now = figures(200, 200);
        before.pools = {{"sram", 100}, {"psram", 100}};
        now.pools = {{"sram", 200}};
        const RowResult grown = judge("r", now, &before, {});
        QCOMPARE(grown.verdict, RowVerdict::worse);
        QCOMPARE(grown.cause.worsening, std::optional(Worsening::pool));
        QCOMPARE(grown.cause.pool, std::string("sram"));
        QCOMPARE(sentence(grown), std::string("sram 100 B above the baseline, psram 100 B below"));
        // The tolerance holds for each pool: in bytes, or as a share of this pool's size.
        Tolerance bytes, percent;
        bytes.size = 99;
        percent.sizePercent = 99;
        QCOMPARE(verdict(now, before, bytes), RowVerdict::worse);
        QCOMPARE(verdict(now, before, percent), RowVerdict::worse);
        bytes.size = 100;
        percent.sizePercent = 100;
        QCOMPARE(verdict(now, before, percent), RowVerdict::changed);
        const RowResult allowed = judge("r", now, &before, bytes);
        QCOMPARE(allowed.verdict, RowVerdict::changed); // and not "the same figures"
        QCOMPARE(sentence(allowed),
                 std::string("another plan of the same size in total, sram 100 B above the baseline, psram 100 B below"));
        // An unbounded last pool takes what the others do not.
        now.pools = {{"sram", 50}, {"psram", 150, false}};
        QCOMPARE(verdict(now, before), RowVerdict::changed);
        now.pools.back().scarce = true;
        QCOMPARE(verdict(now, before), RowVerdict::worse);
        // A smaller total does not make up for it.
        SuiteFigures smaller = figures(150, 150);
        smaller.pools = {{"sram", 120}, {"psram", 30}};
        QCOMPARE(judge("r", smaller, &before, {}).cause.pool, std::string("sram"));
        // A baseline without pools says nothing about them.
        before.pools.clear();
        QCOMPARE(verdict(now, before), RowVerdict::same);
    }

    void aPlanThatLeavesOutMoreTensorsIsNeverBetter()
    {
        SuiteFigures before = figures(69'632, 69'632, Status::optimal), now = figures(4096, 4096);
        now.unknownSizes = 1;
        const RowResult partial = judge("r", now, &before, {});
        QCOMPARE(partial.verdict, RowVerdict::worse);
        QVERIFY2(sentence(partial).starts_with("1 tensor of unknown size is left out, none in the baseline: "),
                 sentence(partial).c_str());
        QVERIFY2(sentence(partial).find("--bind") != std::string::npos, sentence(partial).c_str());
        QCOMPARE(verdict(now, now), RowVerdict::same);
        // With its size again it is larger, as it has to be.
        const RowResult complete = judge("r", before, &now, {});
        QCOMPARE(complete.verdict, RowVerdict::better);
        QVERIFY2(sentence(complete).starts_with("no tensor of unknown size is left out, 1 in the baseline"),
                 sentence(complete).c_str());
        // A new row says it as a remark.
        const RowResult added = judge("r", now, nullptr, {});
        QCOMPARE(added.verdict, RowVerdict::added);
        QVERIFY2(sentence(added).starts_with("1 tensor of unknown size is left out: "), sentence(added).c_str());
    }

    /// Of an older version: the same plan is no regression, and another one is judged by its other figures.
    void aBaselineWithoutTheCountOfUnknownSizesDoesNotJudgeThem()
    {
        SuiteFigures before = figures(4096, 4096), now = figures(4096, 4096);
        before.unknownSizes.reset();
        now.unknownSizes = 1;
        const RowResult same = judge("r", now, &before, {});
        QCOMPARE(same.verdict, RowVerdict::same);
        QVERIFY2(sentence(same).starts_with("1 tensor of unknown size is left out: "), sentence(same).c_str());
        SuiteFigures smaller = figures(2048, 2048), larger = figures(8192, 8192), complete = figures(2048, 2048);
        smaller.unknownSizes = larger.unknownSizes = 1;
        smaller.plan = larger.plan = complete.plan = "fedcba9876543210";
        QCOMPARE(verdict(smaller, before), RowVerdict::changed); // perhaps only for what it leaves out
        QCOMPARE(verdict(complete, before), RowVerdict::better);
        const RowResult grown = judge("r", larger, &before, {});
        QCOMPARE(grown.cause.worsening, std::optional(Worsening::size));
        // That version called a partial plan optimal.
        Tolerance strict;
        strict.sameVerdict = true;
        before.status = Status::optimal;
        QCOMPARE(verdict(now, before, strict), RowVerdict::same);
        SuiteFigures other = now;
        other.plan = smaller.plan;
        QCOMPARE(verdict(other, before, strict), RowVerdict::worse);
        before.status = now.status;
        // Accepting the row adds the count to its line, once.
        Baseline baseline;
        before.version = "0";
        baseline.put("r", before);
        QCOMPARE(accept(baseline, {same}, {}, {}).size(), std::size_t{1});
        QCOMPARE(baseline.find("r")->unknownSizes, std::optional<std::size_t>(1));
        QCOMPARE(baseline.find("r")->version, std::string("0"));
        QVERIFY(accept(baseline, {judge("r", now, baseline.find("r"), {})}, {}, {}).empty());
    }

    void aWorseRowSaysWhetherTheModelOrThePlannerMoved()
    {
        SuiteFigures before = figures(12288, 12288, Status::optimal);
        before.peak = {{"conv7/out", 8192}, {"skip", 4096}};
        SuiteFigures grown = figures(24576, 24576, Status::optimal);
        grown.peak = {{"conv7/out", 20480}, {"skip", 4096}};
        QCOMPARE(sentence(judge("r", grown, &before, {})),
                 std::string("size 12,288 B above the baseline: the bound of the model rose by 12,288 B, as conv7/out grew from "
                             "8,192 B to 20,480 B"));
        SuiteFigures clumsy = figures(13000, 12288);
        clumsy.peak = before.peak;
        QCOMPARE(sentence(judge("r", clumsy, &before, {})),
                 std::string("size 712 B above the baseline: the planner's part above the bound rose by 712 B"));
        SuiteFigures longer = figures(14336, 14336, Status::optimal);
        longer.peak = {{"conv7/out", 8192}, {"skip", 4096}, {"mask", 2048}};
        QCOMPARE(
            sentence(judge("r", longer, &before, {})),
            std::string("size 2,048 B above the baseline: the bound of the model rose by 2,048 B, as mask (2,048 B) is live at "
                        "the peak now"));
    }

    void baselinesReadBackAndDoNotDependOnTheOrderOfRows()
    {
        SuiteFigures rich = figures(30, 20, Status::doesNotFit);
        rich.excess = 4;
        rich.pools = {{"sram", 20}, {"dram", 10}};
        rich.peak = {{"a \"quoted\"", 20}};
        rich.stalls = 3;
        rich.unknownSizes = 2;
        Baseline one;
        one.suite = "s";
        one.put("b", rich);
        one.put("a", figures(1, 1));
        Baseline other;
        other.suite = "s";
        other.put("a", figures(1, 1));
        other.put("b", rich);
        const std::string text = writeBaseline(one);
        QCOMPARE(text, writeBaseline(other));
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{8}); // one line a row
        const auto read = readBaseline(text, "s.baseline.json");
        QVERIFY(read);
        QCOMPARE(writeBaseline(*read), text);
        QVERIFY(read->find("b"));
        QCOMPARE(read->find("b")->pools, rich.pools);
        QCOMPARE(read->find("b")->unknownSizes, std::optional<std::size_t>(2));
        QCOMPARE(read->find("a")->unknownSizes, std::optional<std::size_t>(0));
        const auto older = readBaseline(R"({"format": "stowage.baseline/1", "rows": [
            {"key": "a", "status": "optimal", "size": 1, "bound": 1, "plan": "0"}]})",
                                        "s");
        QVERIFY(older && older->find("a"));
        QVERIFY(!older->find("a")->unknownSizes); // not known
        QVERIFY(writeBaseline(*older).find("unknown_size_count") == std::string::npos);
        QVERIFY(!read->find("c"));
        QVERIFY(!readBaseline(R"({"format": "stowage.baseline/1", "rows": [
            {"key": "a", "status": "optimal", "size": 1, "bound": 1, "plan": "0"},
            {"key": "a", "status": "optimal", "size": 1, "bound": 1, "plan": "0"}]})",
                              "s"));
    }

    /// Rows that stand in descending order, as another program may write them.
    void aLargeBaselineInAnyOrderIsReadAtOnce()
    {
        constexpr int rows = 200'000;
        const auto keyOfRow = [](int i) { return std::to_string(1'000'000 + i); };
        std::string text = "{\"format\": \"stowage.baseline/1\", \"rows\": [";
        for (int i = rows; i > 0; --i)
            text += "{\"key\": \"" + keyOfRow(i) + "\", \"status\": \"optimal\", \"size\": " + std::to_string(i) +
                    ", \"bound\": 1, \"plan\": \"0\"}" + (i > 1 ? "," : "]}");
        const auto read = readBaseline(text, "s");
        QVERIFY(read);
        QCOMPARE(read->rows.size(), std::size_t{rows});
        for (const int i : {1, 77'777, rows}) {
            const SuiteFigures* row = read->find(keyOfRow(i));
            QVERIFY(row);
            QCOMPARE(row->size, Bytes{i});
        }
    }

    void aSuiteThatNothingChangedIsTheSameAndOneWithALargerModelIsWorse()
    {
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        const Suite suite = folder.suite(R"({"model": "a.csv", "planners": ["greedy-by-size", "exact"]})");
        const Session session;
        const SuiteOutcome first = runSuite(session, suite, {});
        QCOMPARE(first.results.size(), std::size_t{2});
        for (const RowResult& result : first.results) QCOMPARE(result.verdict, RowVerdict::added);
        const Baseline baseline = accepted(first);
        QCOMPARE(baseline.find("a.csv exact")->size, Bytes{30}); // b with a, then with c
        for (const RowResult& result : runSuite(session, suite, baseline).results) QCOMPARE(result.verdict, RowVerdict::same);

        folder.write("a.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,16\n");
        for (const RowResult& result : runSuite(session, suite, baseline).results) {
            QCOMPARE(result.verdict, RowVerdict::worse);
            QVERIFY2(sentence(result).find("as c (16 B) is live at the peak now") != std::string::npos, sentence(result).c_str());
        }
    }

    void whatFailsIsNeitherSkippedNorGone()
    {
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        Baseline baseline;
        baseline.put("a.csv @ascend910b auto", figures(1, 1));
        baseline.put("missing.csv auto", figures(1, 1));
        baseline.put("missing.csv#main auto", figures(1, 1));
        baseline.put("removed.csv auto", figures(1, 1));
        const Suite suite = folder.suite(R"({"model": "missing.csv", "planners": ["auto"]},
                                            {"model": "a.csv", "planners": ["nobody"]},
                                            {"model": "a.csv", "planners": ["hill-climb:attempts=-3"]},
                                            {"model": "a.csv", "target": "no-such-board", "planners": ["auto"]},
                                            {"model": "a.csv", "planners": ["naive"]})");
        const Session session;
        const SuiteOutcome outcome = runSuite(session, suite, baseline);
        for (const char* key :
             {"missing.csv auto", "a.csv nobody", "a.csv hill-climb:attempts=-3", "a.csv @no-such-board auto"}) {
            const RowResult* row = find(outcome, key);
            QVERIFY2(row, key);
            QCOMPARE(row->verdict, RowVerdict::failed);
            QVERIFY2(row->error && row->error->where.known(), key);
        }
        QCOMPARE(find(outcome, "a.csv naive")->verdict, RowVerdict::added);
        QVERIFY(!find(outcome, "missing.csv#main auto")); // its model failed: nobody knows its functions
        QCOMPARE(find(outcome, "removed.csv auto")->verdict, RowVerdict::gone);
        QVERIFY(std::is_sorted(outcome.results.begin(), outcome.results.end(),
                               [](const RowResult& a, const RowResult& b) { return a.verdict < b.verdict; }));
        QVERIFY(isRegression(RowVerdict::gone) && isRegression(RowVerdict::failed) && !isRegression(RowVerdict::better));
    }

    /// Memories that the model names: the row is told about, not left out.
    void aTargetWithoutTheModelsMemoriesIsAFailure()
    {
        const SuiteFolder folder;
        folder.write("a.json", R"({"format": "stowage.problem/1", "name": "p", "pools": [{"name": "ub"}],
                                   "buffers": [{"name": "a", "size": 4, "live": [[0, 2]], "pools": ["ub"]}]})");
        const Suite suite = folder.suite(R"({"model": "a.json", "target": "cortex-m7", "planners": ["naive"]},
                                            {"model": "a.json", "planners": ["naive"]})");
        const SuiteOutcome outcome = runSuite(Session(), suite, {});
        const RowResult* lacks = find(outcome, "a.json @cortex-m7 naive");
        QVERIFY(lacks && lacks->error);
        QCOMPARE(lacks->verdict, RowVerdict::failed);
        QVERIFY2(lacks->error->message.find("'ub'") != std::string::npos, lacks->error->message.c_str());
        QCOMPARE(find(outcome, "a.json naive")->verdict, RowVerdict::added);
    }

    /// The ratio is measured in the same process, and only where a tolerance asks.
    void timeIsComparedWithGreedyBySizeNow()
    {
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        const QByteArray row = R"({"model": "a.csv", "planners": ["hill-climb:attempts=50"])";
        const Session session;
        const SuiteOutcome first = runSuite(session, folder.suite(row + "}"), {});
        QVERIFY(!first.results.front().current->timeRatio);
        const Baseline baseline = accepted(first);
        const auto judged = [&](const QByteArray& ratio) {
            return runSuite(session, folder.suite(row + R"(, "tolerance": {"time_ratio": )" + ratio + "}}"), baseline)
                .results.front();
        };
        const RowResult slow = judged("0"); // no planner is as quick as that
        QCOMPARE(slow.verdict, RowVerdict::worse);
        QCOMPARE(slow.cause.worsening, std::optional(Worsening::time));
        QVERIFY(slow.current->timeRatio && *slow.current->timeRatio > 0);
        QVERIFY2(sentence(slow).find("times as long as greedy-by-size") != std::string::npos, sentence(slow).c_str());
        QCOMPARE(judged("1e9").verdict, RowVerdict::same);
        // The limit needs no baseline.
        const RowResult added = runSuite(session, folder.suite(row + R"(, "tolerance": {"time_ratio": 0}})"), {}).results.front();
        QCOMPARE(added.verdict, RowVerdict::worse);
        QVERIFY2(sentence(added).find("times as long as greedy-by-size") != std::string::npos, sentence(added).c_str());
    }

    /// Nobody would write into them, and the suite would not end.
    void nothingWaitsForAFifoThatASuiteNames()
    {
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        const Suite suite =
            folder.suite(R"({"model": "fifo", "planners": ["naive"]}, {"model": "a.csv", "planners": ["naive"]})");
        const auto fifo = [&](const std::string& path) { return mkfifo(path.c_str(), 0600) == 0; };
        QVERIFY(fifo(suite.folder + "fifo"));
        const Session session;
        const SuiteOutcome outcome = runSuite(session, suite, {});
        QCOMPARE(find(outcome, "fifo naive")->verdict, RowVerdict::failed);
        QVERIFY(find(outcome, "fifo naive")->error->message.find("not a regular file") != std::string::npos);
        QCOMPARE(find(outcome, "a.csv naive")->verdict, RowVerdict::added);

        QVERIFY(fifo(historyPath(suite)));
        QVERIFY(loadHistory(suite).empty());
        QVERIFY(appendHistory(suite, outcome.results));
        QVERIFY(fifo(baselinePath(suite)));
        QVERIFY(!loadBaseline(suite));
        QVERIFY(QDir().mkpath(QString::fromStdString(keptFolder(suite))));
        QVERIFY(fifo(keptProblemPath(suite, "0123456789abcdef")));
        QCOMPARE(keptRun(session, suite, "0123456789abcdef").error().code, Code::cannotOpen);
    }

    /// "-" is standard input on the command line only.
    void aModelCalledMinusIsAFile()
    {
        const SuiteFolder folder;
        const Suite suite = folder.suite(R"({"model": "-", "planners": ["naive"]})");
        folder.write("-", smallProblem);
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(QString::fromStdString(suite.folder)));
        Suite here = suite;
        here.folder.clear(); // as a suite that is named without a folder
        const SuiteOutcome outcome = runSuite(Session(), here, {});
        QVERIFY(QDir::setCurrent(before));
        QCOMPARE(find(outcome, "- naive")->verdict, RowVerdict::added);
    }

    void aSuiteThatIsCancelledCallsNothingGone()
    {
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        Baseline baseline;
        baseline.put("a.csv naive", figures(1, 1));
        baseline.put("b.csv naive", figures(1, 1));
        std::stop_source stop;
        SuiteRunOptions options;
        options.cancel = stop.get_token();
        options.finished = [&](const RowResult&, const std::shared_ptr<const Run>&, std::size_t, std::size_t) {
            stop.request_stop();
        };
        const Session session;
        const SuiteOutcome outcome =
            runSuite(session, folder.suite(R"({"model": "a.csv", "planners": ["naive", "exact"]})"), baseline, options);
        QVERIFY(outcome.cancelled);
        QCOMPARE(outcome.results.size(), std::size_t{1});
    }

    void theHistoryKeepsTheLastFiftyLinesOfAKey()
    {
        std::vector<RowResult> results(2);
        results[0].key = "a";
        results[0].current = figures(10, 10);
        results[1].key = "b";
        results[1].verdict = RowVerdict::failed;
        std::string text = "no JSON\n";
        for (int i = 0; i < 60; ++i) text = appendedHistory(text, historyLines(results, "2026-01-01T00:00:" + std::to_string(i)));
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{100});
        QVERIFY(text.find("00:00:9\"") == std::string::npos);
        QVERIFY(text.find("00:00:10\"") != std::string::npos);
        QVERIFY(text.find("00:00:59\"") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(RegressTest)
#include "tst_regress.moc"
