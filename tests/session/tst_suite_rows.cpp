// The rows of a suite: which pools of a plan are scarce, what is left out or not valid, what is said of a peak with many buffers,
// how times are compared, and which row a key is of.
#include "app/session/regress/regression.h"
#include "core/planners/registry.h"
#include "tests/session/programs.h"
#include "tests/session/suite_folder.h"
#include "tests/session/test_planners.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace stowage;
using namespace stowage::test;

namespace {

/// Lowers in the compiler's order, in which obligatory in-place pairs need no check; plans as `naive`.
class KernelOrderPlanner final : public Planner {
public:
    KernelOrderPlanner() : naive_(PlannerRegistry::builtIn().find("naive"))
    {
        info_.name = "test-kernel-order";
        info_.lowering = {{"order", "hivm"}};
    }
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues&, const PlanContext& context) const override
    {
        return naive_->plan(problem, {}, context);
    }

private:
    PlannerInfo info_;
    std::shared_ptr<const Planner> naive_;
};

/// Plans as `naive` after a pause, and counts its calls.
class SlowPlanner final : public Planner {
public:
    SlowPlanner(std::string name, std::chrono::milliseconds pause)
        : naive_(PlannerRegistry::builtIn().find("naive")), pause_(pause)
    {
        info_.name = std::move(name);
    }
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues&, const PlanContext& context) const override
    {
        ++calls;
        std::this_thread::sleep_for(pause_);
        return naive_->plan(problem, {}, context);
    }

    mutable int calls = 0;

private:
    PlannerInfo info_;
    std::shared_ptr<const Planner> naive_;
    std::chrono::milliseconds pause_;
};

/// `count` buffers of 100 bytes that are live together, b00 and so on; of `larger` 150.
QByteArray liveTogether(int count, int larger = -1)
{
    QByteArray text = "id,lower,upper,size\n";
    for (int i = 0; i < count; ++i)
        text += "b" + QByteArray::number(i).rightJustified(2, '0') + ",0,2," + (i == larger ? "150" : "100") + '\n';
    return text;
}

/// Plans as `naive`, and says that a time was over: its own, or that of the row.
class CutPlanner final : public Planner {
public:
    CutPlanner(std::string name, bool own) : naive_(PlannerRegistry::builtIn().find("naive")), own_(own)
    {
        info_.name = std::move(name);
    }
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues&, const PlanContext& context) const override
    {
        auto made = naive_->plan(problem, {}, context);
        if (!made) return made;
        made->stoppedBy = StoppedBy::deadline;
        if (own_) made->diagnostics.push_back(warning(Code::timedOut, "its time was over", {}, "give it more"));
        return made;
    }

private:
    PlannerInfo info_;
    std::shared_ptr<const Planner> naive_;
    bool own_ = false;
};

/// x of 64 bytes makes h of the given shape, which makes y of 64 bytes.
QByteArray throughH(const QByteArray& shape)
{
    return R"({"format": "stowage.program/1", "name": "p", "entry": "main", "functions": [{"name": "main",
        "inputs": ["x"], "outputs": ["y"], "tensors": [{"name": "x", "kind": "input", "bytes": 64},
        {"name": "h", "dtype": "f32", "shape": )" +
           shape + R"(}, {"name": "y", "kind": "output", "bytes": 64}],
        "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["h"]},
                {"name": "g", "kind": "g", "inputs": ["h"], "outputs": ["y"]}]}]})";
}

/// '@' is '#': moc takes that in a raw string for a directive, and overlooks the class.
QByteArray withNumberSign(QByteArray text)
{
    return text.replace('@', '#');
}

std::vector<std::string> keysOf(const SuiteOutcome& outcome, RowVerdict verdict)
{
    std::vector<std::string> keys;
    for (const RowResult& result : outcome.results)
        if (result.verdict == verdict) keys.push_back(result.key);
    return keys;
}

} // namespace

class SuiteRowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whichPoolsAreScarce_data()
    {
        QTest::addColumn<QByteArray>("pools");
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<bool>("worse");
        const QByteArray sram = R"({"name": "sram"}, )";
        QTest::newRow("the first one") << sram + R"({"name": "psram"})" << QByteArray("psram") << QByteArray("sram") << true;
        QTest::newRow("not an unbounded last one")
            << sram + R"({"name": "psram"})" << QByteArray("sram") << QByteArray("psram") << false;
        QTest::newRow("a last one with a capacity")
            << sram + R"({"name": "psram", "capacity": 1000})" << QByteArray("sram") << QByteArray("psram") << true;
        QTest::newRow("the only one of its kind")
            << sram + R"({"name": "flash", "kind": "constant"})" << QByteArray("sram") << QByteArray("flash") << true;
        QTest::newRow("an unbounded last one, whatever other kinds follow")
            << sram + R"({"name": "psram"}, {"name": "flash", "kind": "constant"})" << QByteArray("sram") << QByteArray("psram")
            << false;
    }
    /// Two buffers of 100 bytes; one moves from a pool into another one, and the total stays 200 bytes.
    void whichPoolsAreScarce()
    {
        QFETCH(QByteArray, pools);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(bool, worse);
        const SuiteFolder folder;
        const auto write = [&](const QByteArray& pool) {
            QByteArray text = R"({"format": "stowage.problem/1", "name": "p", "pools": [POOLS], "buffers": [
                {"name": "a", "size": 100, "live": [[0, 2]], "pools": ["sram"]},
                {"name": "b", "size": 100, "live": [[0, 2]], "pools": ["OTHER"]}]})";
            folder.write("a.json", text.replace("POOLS", pools).replace("OTHER", pool));
        };
        const Suite suite = folder.suite(R"({"model": "a.json", "planners": ["greedy-by-size"]})");
        const Session session;
        write(from);
        const SuiteOutcome first = runSuite(session, suite, {});
        QVERIFY2(first.results.front().current, sentence(first.results.front()).c_str());
        QCOMPARE(first.results.front().current->size, Bytes{200});
        write(to);
        const SuiteOutcome second = runSuite(session, suite, accepted(first));
        const RowResult& row = second.results.front();
        QVERIFY2(row.current, sentence(row).c_str());
        QCOMPARE(row.current->size, Bytes{200});
        QCOMPARE(row.verdict, worse ? RowVerdict::worse : RowVerdict::changed);
        QVERIFY2(sentence(row).find(to.toStdString() + " 100 B above") != std::string::npos, sentence(row).c_str());
    }

    /// h has 256 * 64 floats, then an unknown count.
    void aModelThatLosesASizeIsWorse()
    {
        const SuiteFolder folder;
        folder.write("a.json", throughH("[256, 64]"));
        const Suite suite = folder.suite(R"({"model": "a.json", "planners": ["greedy-by-size"]})");
        const Session session;
        const SuiteOutcome whole = runSuite(session, suite, {});
        QCOMPARE(whole.results.front().current->size, Bytes{65'536 + 64}); // x or y beside h
        folder.write("a.json", throughH("[-1, 64]"));
        const SuiteOutcome partial = runSuite(session, suite, accepted(whole));
        const RowResult& row = partial.results.front();
        QCOMPARE(row.verdict, RowVerdict::worse);
        QCOMPARE(row.cause.worsening, std::optional(Worsening::unknownSizes));
        QCOMPARE(row.current->unknownSizes, std::optional<std::size_t>(1));
        QVERIFY(row.current->size < whole.results.front().current->size);
    }

    /// Whatever the baseline has, also a plan that an older version accepted.
    void aPlanThatIsNotValidFailsAndIsNotAccepted()
    {
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        const Suite suite = folder.suite(R"({"model": "a.csv", "planners": ["test-forgetful"]})");
        Session session;
        QVERIFY(!session.addPlanner(forgetfulPlanner()));
        Baseline baseline;
        const SuiteOutcome outcome = runSuite(session, suite, baseline);
        const RowResult& row = outcome.results.front();
        QCOMPARE(row.verdict, RowVerdict::failed);
        QVERIFY(row.error);
        QCOMPARE(row.error->code, Code::invalidPlan);
        QCOMPARE(row.error->message, std::string("the plan is not valid: c is not placed"));
        QVERIFY2(row.error->where.known() && !row.error->remedy.empty(), placedSentence(row).c_str());
        QVERIFY(accept(baseline, outcome.results, {}, {}).empty() && baseline.rows.empty());
        baseline.put(row.key, *row.current);
        QCOMPARE(runSuite(session, suite, baseline).results.front().verdict, RowVerdict::failed);
        QVERIFY(historyLines(outcome.results, "2026-01-01T00:00:00Z").find("\"size\"") == std::string::npos);
    }

    /// z has to be written over h, which is read later: the linear order of greedy-by-size refuses that. So the row's own problem
    /// is the one that greedy-by-size plans for its time.
    void aTimeIsThatOfTheRowsOwnProblem()
    {
        const SuiteFolder folder;
        folder.write("a.json", R"({"format": "stowage.program/1", "name": "p", "entry": "main", "functions": [{"name": "main",
            "inputs": [], "outputs": [], "tensors": [{"name": "h", "bytes": 64}, {"name": "z", "bytes": 64}], "ops": [
            {"name": "f", "kind": "f", "inputs": [], "outputs": ["h"]},
            {"name": "g", "kind": "g", "inputs": ["h"], "outputs": ["z"], "inplace": [["h", "z"]], "inplace_required": true},
            {"name": "k", "kind": "k", "inputs": ["h", "z"], "outputs": []}]}]})");
        const Suite suite = folder.suite(
            R"({"model": "a.json", "planners": ["test-kernel-order", "greedy-by-size"], "tolerance": {"time_ratio": 0}})");
        Session session;
        QVERIFY(!session.addPlanner(std::make_shared<KernelOrderPlanner>()));
        const SuiteOutcome outcome = runSuite(session, suite, {});
        const RowResult* peer = find(outcome, "a.json greedy-by-size");
        QVERIFY(peer && peer->error);
        const RowResult* row = find(outcome, "a.json test-kernel-order");
        QVERIFY(row);
        QVERIFY(!row->noTimeRatio);
        QVERIFY(row->current->timeRatio && *row->current->timeRatio > 0);
        QCOMPARE(row->cause.worsening, std::optional(Worsening::time)); // no planner is as quick as 0
    }

    void aTimeThatCannotBeComparedIsSaid()
    {
        SuiteFigures now;
        now.status = Status::optimal;
        now.size = now.bound = 10;
        for (const bool known : {false, true}) { // also by a row that is the same
            RowResult row = judge("r", now, known ? &now : nullptr, {});
            QCOMPARE(row.verdict, known ? RowVerdict::same : RowVerdict::added);
            row.noTimeRatio = failure(Code::outOfMemory, "planner greedy-by-size ran out of memory");
            QCOMPARE(sentence(row), std::string("time_ratio is not judged, as greedy-by-size cannot plan the row (planner "
                                                "greedy-by-size ran out of memory)"));
        }
    }

    /// The quickest try of each counts: the first one of a process also pays for what is warm afterwards.
    void timesAreComparedByTheQuickestTries()
    {
        const auto ratio = [](const std::vector<double>& own, const std::vector<double>& peer) {
            return ratioOfTimes(own, peer);
        };
        QCOMPARE(ratio({9, 3}, {4, 6}), 0.75);
        QCOMPARE(ratio({3, 9}, {6, 4}), 0.75);
        QCOMPARE(ratio({300}, {2, 3}), 150.0);
        QCOMPARE(ratio({1}, {0, 0}), 1000.0); // a clock that shows nothing: a microsecond
    }

    /// A planner that is quick has two tries, as greedy-by-size has; one that takes long enough has one, and is told as slow.
    void quickPlannersAreTimedTwice()
    {
        using std::chrono::milliseconds;
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        Session session;
        const auto quick = std::make_shared<SlowPlanner>("test-quick", milliseconds(0));
        const auto slow = std::make_shared<SlowPlanner>("test-slow", milliseconds(400));
        QVERIFY(!session.addPlanner(quick) && !session.addPlanner(slow));
        runSuite(session, folder.suite(R"({"model": "a.csv", "planners": ["test-quick"]})"), {});
        QCOMPARE(quick->calls, 1); // nobody asks for the ratio
        const SuiteOutcome outcome = runSuite(
            session,
            folder.suite(R"({"model": "a.csv", "planners": ["test-quick", "test-slow"], "tolerance": {"time_ratio": 5}})"), {});
        QCOMPARE(quick->calls, 1 + 2);
        QCOMPARE(slow->calls, 1);
        const RowResult* late = find(outcome, "a.csv test-slow");
        QVERIFY(late && late->current->timeRatio);
        QVERIFY2(*late->current->timeRatio > 5, sentence(*late).c_str()); // three buffers take no 80 ms
        QCOMPARE(late->verdict, RowVerdict::worse);
    }

    void aPeakThatIsCutSaysOnlyWhatIsCertain_data()
    {
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("now");
        QTest::addColumn<int>("larger");
        QTest::addColumn<QByteArray>("size");
        QTest::addColumn<QByteArray>("why");
        // b69 was beyond the end of the list, and b63 is now: neither came or left.
        QTest::newRow("grows from beyond the end") << 70 << 70 << 69 << QByteArray("50") << QByteArray();
        QTest::newRow("grows within the list")
            << 70 << 70 << 7 << QByteArray("50") << QByteArray(", as b07 grew from 100 B to 150 B");
        QTest::newRow("comes into a list that is whole")
            << 64 << 65 << 64 << QByteArray("150") << QByteArray(", as b64 (150 B) is live at the peak now");
        QTest::newRow("comes to few") << 3 << 4 << 3 << QByteArray("150")
                                      << QByteArray(", as b03 (150 B) is live at the peak now");
    }
    /// A baseline has the 64 largest buffers of a peak.
    void aPeakThatIsCutSaysOnlyWhatIsCertain()
    {
        QFETCH(int, before);
        QFETCH(int, now);
        QFETCH(int, larger);
        QFETCH(QByteArray, size);
        QFETCH(QByteArray, why);
        const SuiteFolder folder;
        const Session session;
        folder.write("a.csv", liveTogether(before));
        const Suite suite = folder.suite(R"({"model": "a.csv", "planners": ["naive"]})");
        const std::string text = writeBaseline(accepted(runSuite(session, suite, {})));
        QCOMPARE(text.find("\"peak_count\": " + std::to_string(before)) != std::string::npos, before >= 64);
        const auto baseline = readBaseline(text, "s.baseline.json");
        QVERIFY(baseline);
        folder.write("a.csv", liveTogether(now, larger));
        const RowResult row = runSuite(session, suite, *baseline).results.front();
        const QByteArray said = "size " + size + " B above the baseline: the bound of the model rose by " + size + " B" + why;
        QCOMPARE(sentence(row), said.toStdString());
        QCOMPARE(row.cause.peak.size(), std::size_t{why.isEmpty() ? 0U : 1U}); // the JSON has no other changes, either
        // A baseline of an older version has no count: its 64 may be all, or not.
        Baseline older = *baseline;
        older.rows.front().figures.peakCount.reset();
        const std::string old = sentence(runSuite(session, suite, older).results.front());
        QCOMPARE(old.find("is live at the peak now") != std::string::npos, before < 64);
    }

    void aPlanThatALimitCutSaysSo()
    {
        const SuiteFolder folder;
        folder.write("a.csv", "id,lower,upper,size\na,0,2,10\nb,1,3,20\n");
        const Suite suite = folder.suite(R"({"model": "a.csv", "planners": ["test-cut", "test-late", "naive"]})");
        Session session;
        QVERIFY(!session.addPlanner(std::make_shared<CutPlanner>("test-cut", true)));
        QVERIFY(!session.addPlanner(std::make_shared<CutPlanner>("test-late", false)));
        const SuiteOutcome outcome = runSuite(session, suite, accepted(runSuite(session, suite, {})));
        const RowResult* cut = find(outcome, "a.csv test-cut");
        QVERIFY(cut);
        QCOMPARE(cut->verdict, RowVerdict::same);
        QCOMPARE(
            remarks(*cut),
            std::string("the figures may differ from machine to machine, as the time of a plug-in cut the plan: give it more"));
        const RowResult* late = find(outcome, "a.csv test-late");
        QVERIFY(late);
        QCOMPARE(late->verdict, RowVerdict::same);
        QCOMPARE(remarks(*late), std::string("the figures may differ from machine to machine, as time_limit cut the plan"));
        const RowResult* whole = find(outcome, "a.csv naive");
        QVERIFY(whole && remarks(*whole).empty());
    }

    /// Names of files and functions may contain the characters that separate the parts of a key.
    void functionsOfAModelThatDoesNotOpenAreNotGone()
    {
        const SuiteFolder folder;
        const Suite suite =
            folder.suite(withNumberSign(R"({"model": "kws@2.json", "planners": ["naive"], "target": "cortex-m7"})"));
        Baseline baseline;
        for (const char* key : {"kws#2.json @cortex-m7 naive", "kws#2.json#main @cortex-m7 naive",
                                "kws#2.json#first part @cortex-m7 naive", "kws#2.json#a#b @cortex-m7 naive",
                                "kws#2.json#main @cortex-m7 exact", "kws#2.json#main naive", "kws#3.json#main @cortex-m7 naive"})
            baseline.put(key, {});
        const SuiteOutcome outcome = runSuite(Session(), suite, baseline);
        QCOMPARE(keysOf(outcome, RowVerdict::failed), (std::vector<std::string>{"kws#2.json @cortex-m7 naive"}));
        QCOMPARE(keysOf(outcome, RowVerdict::gone),
                 (std::vector<std::string>{"kws#2.json#main @cortex-m7 exact", "kws#2.json#main naive",
                                           "kws#3.json#main @cortex-m7 naive"}));
        QCOMPARE(baselineKeysOf(baseline, suite.rows.front()),
                 (std::vector<std::string_view>{"kws#2.json @cortex-m7 naive", "kws#2.json#a#b @cortex-m7 naive",
                                                "kws#2.json#first part @cortex-m7 naive", "kws#2.json#main @cortex-m7 naive"}));
    }

    /// A function that the model no longer has is gone, as the model opens.
    void aFunctionThatIsNoLongerThereIsGone()
    {
        const SuiteFolder folder;
        folder.write("a#1.json", threeFunctions);
        const Suite suite = folder.suite(withNumberSign(R"({"model": "a@1.json", "planners": ["naive"]})"));
        Baseline baseline;
        baseline.put("a#1.json#third naive", {});
        const SuiteOutcome outcome = runSuite(Session(), suite, baseline);
        QCOMPARE(keysOf(outcome, RowVerdict::gone), (std::vector<std::string>{"a#1.json#third naive"}));
        std::vector<std::string> added = keysOf(outcome, RowVerdict::added);
        std::ranges::sort(added);
        QCOMPARE(added, (std::vector<std::string>{"a#1.json#first naive", "a#1.json#second naive"}));
    }

    void theRowOfAKeyIsFoundByItsOwnParts()
    {
        const SuiteFolder folder;
        const Suite suite =
            folder.suite(withNumberSign(R"({"model": "a", "planners": ["naive"]}, {"model": "a@b", "planners": ["naive"]},
            {"model": "a", "target": "t", "planners": ["naive"]}, {"model": "a", "function": "own", "planners": ["naive"]})"));
        const auto place = [&](const char* key) {
            const SuiteRow* row = rowOf(suite, key);
            return row ? row - suite.rows.data() : -1;
        };
        QCOMPARE(place("a naive"), std::ptrdiff_t{0});
        QCOMPARE(place("a#f g naive"), std::ptrdiff_t{0});
        QCOMPARE(place("a#b naive"), std::ptrdiff_t{1});
        QCOMPARE(place("a#b#f naive"), std::ptrdiff_t{1});
        QCOMPARE(place("a#f @t naive"), std::ptrdiff_t{2});
        QCOMPARE(place("a#own naive"), std::ptrdiff_t{3});
        QCOMPARE(place("a# naive"), std::ptrdiff_t{-1});
        QCOMPARE(place("b naive"), std::ptrdiff_t{-1});
    }

    /// The second row would find no file.
    void rowsOfOneModelReadItOnce()
    {
        const SuiteFolder folder;
        folder.write("a.csv", smallProblem);
        const Suite suite = folder.suite(R"({"model": "a.csv", "planners": ["naive", "exact"]})");
        const Session session;
        const Baseline baseline;
        SuiteRunner runner(session, suite, baseline);
        std::vector<RowResult> results;
        const auto keep = [&](RowResult result, const std::shared_ptr<const Run>&) { results.push_back(std::move(result)); };
        runner.plan(0, keep);
        QVERIFY(QFile::remove(QString::fromStdString(suite.folder) + "a.csv"));
        runner.plan(1, keep);
        QCOMPARE(results.size(), std::size_t{2});
        for (const RowResult& result : results) QCOMPARE(result.verdict, RowVerdict::added);
    }

    /// The test would end by its time limit if each row looked at each line of the baseline.
    void rowsOfALargeBaselineAreFoundAtOnce()
    {
        constexpr int rows = 200'000;
        Baseline baseline;
        Suite suite;
        for (int i = 0; i < rows; ++i) {
            SuiteRow& row = suite.rows.emplace_back();
            row.model = std::to_string(1'000'000 + i);
            row.planner = "naive";
            baseline.rows.push_back({keyOf(row, "f"), {}});
        }
        std::size_t found = 0;
        for (const SuiteRow& row : suite.rows) found += baselineKeysOf(baseline, row).size();
        QCOMPARE(found, std::size_t{rows});
    }

    void settingsTellRowsApart()
    {
        const SuiteFolder folder;
        const Suite suite = folder.suite(R"({"model": "a", "planners": ["naive"]},
            {"model": "a", "planners": ["naive"], "bind": {"seq": 128}, "import": {"weights": "plan"}, "lower": {"order": "dag"},
             "alignment": 64, "seed": 3})");
        QCOMPARE(settingsOf(suite.rows[0], {}), std::string());
        QCOMPARE(settingsOf(suite.rows[0], "main"), std::string("function main"));
        QCOMPARE(settingsOf(suite.rows[1], {}), std::string("seq=128, weights=plan, order=dag, alignment=64, seed=3"));
    }
};

QTEST_GUILESS_MAIN(SuiteRowsTest)
#include "tst_suite_rows.moc"
