// Plans of other tools laid beside a model: found again by name, order or shape, aliases recognised, true overlaps named.
#include "app/session/laid_plan.h"
#include "app/session/verdicts.h"
#include "core/io/text.h"

#include <QTest>

#include <stop_token>

using namespace stowage;

namespace {

Model model(std::string_view json)
{
    auto read = io::readProgramJson(json, "model.json");
    if (!read) qFatal("%s", read.error().message.c_str());
    Model made;
    made.id = 1;
    made.name = QStringLiteral("model");
    made.importer = QStringLiteral("program");
    made.program = std::make_shared<const Program>(std::move(read->value));
    return made;
}

/// x -> a -> r (may be written over a) -> v, a view of r -> y.
Model chain()
{
    return model(R"({"format": "stowage.program/1", "name": "m", "functions": [{"name": "main", "inputs": ["x"], "outputs": ["y"],
        "tensors": [{"name": "x", "kind": "input", "bytes": 64}, {"name": "a", "bytes": 100}, {"name": "r", "bytes": 100},
                    {"name": "v", "bytes": 40, "alias_of": "r", "alias_offset": 16},
                    {"name": "y", "kind": "output", "bytes": 32}],
        "ops": [{"name": "conv", "inputs": ["x"], "outputs": ["a"]},
                {"name": "relu", "inputs": ["a"], "outputs": ["r"], "inplace": [["a", "r"]]},
                {"name": "view", "inputs": ["r"], "outputs": ["v"]}, {"name": "out", "inputs": ["v"], "outputs": ["y"]}]}]})");
}

struct Line {
    const char* name;
    Bytes size;
    Step first, end;
    Bytes offset;
};

Model dump(const char* importer, const std::vector<Line>& lines)
{
    Problem problem;
    problem.name = "arena";
    problem.pools = {{.name = "arena"}};
    FilePlan plan;
    plan.name = "theirs";
    for (const Line& line : lines) {
        Buffer& buffer = problem.buffers.emplace_back();
        buffer.name = line.name;
        buffer.size = line.size;
        buffer.live = {{line.first, line.end}};
        plan.offsets.push_back({none, TensorId(plan.offsets.size()), line.offset});
    }
    Model made;
    made.id = 2;
    made.name = QStringLiteral("dump");
    made.path = QStringLiteral("dump.log");
    made.importer = QLatin1String(importer);
    made.problem = std::make_shared<const Problem>(std::move(problem));
    made.problems = {{"arena", made.problem}};
    made.filePlans = {plan};
    return made;
}

Bytes offsetOf(const Run& run, const char* name)
{
    for (std::size_t b = 0; b < run.problem().buffers.size(); ++b)
        if (run.problem().buffers[b].name == name) return run.plan.placements[b].offset;
    return -1;
}

} // namespace

class LaidPlanTest : public QObject {
    Q_OBJECT

    Session session_;

    Expected<LaidPlan> lay(const Model& model, const Model& source) const { return layBeside(session_, model, source, {}); }

private Q_SLOTS:
    void tensorsAreFoundByName()
    {
        const auto laid = lay(
            chain(),
            dump("xla",
                 {{"y", 32, 0, 9, 200}, {"x", 64, 0, 9, 100}, {"a", 128, 0, 9, 232}, {"r", 100, 0, 9, 0}, {"v", 40, 0, 9, 360}}));
        QVERIFY2(laid, laid ? "" : laid.error().message.c_str());
        QVERIFY(laid->by == MatchedBy::name);
        QCOMPARE(laid->matched, std::size_t{5});
        QCOMPARE(laid->aliases, std::size_t{0});
        QVERIFY(laid->run->report.verdict.valid());      // judged with the model's lifetimes, not the dump's
        QCOMPARE(offsetOf(*laid->run, "a"), Bytes{232}); // 100 bytes in the model, rounded up to 128 by the tool
        QCOMPARE(laid->run->plan.planner, std::string("theirs"));
    }

    /// r on a, where a dies; v inside r at the view's own offset.
    void aliasesAreRecognised()
    {
        const auto laid = lay(
            chain(),
            dump("xla",
                 {{"x", 64, 0, 9, 100}, {"a", 100, 0, 9, 0}, {"r", 100, 0, 9, 0}, {"v", 40, 0, 9, 16}, {"y", 32, 0, 9, 164}}));
        QVERIFY2(laid, laid ? "" : laid.error().message.c_str());
        QVERIFY(laid->run->report.verdict.valid());
        QVERIFY(laid->aliases >= 1);
        QVERIFY(QString::fromStdString(describe(*laid)).contains("alias"));
    }

    void whoeverCancelsGetsNoPlan()
    {
        const Model source =
            dump("xla",
                 {{"y", 32, 0, 9, 200}, {"x", 64, 0, 9, 100}, {"a", 128, 0, 9, 232}, {"r", 100, 0, 9, 0}, {"v", 40, 0, 9, 360}});
        std::stop_source stop;
        QVERIFY(layBeside(session_, chain(), source, {}, stop.get_token()));
        stop.request_stop();
        const auto laid = layBeside(session_, chain(), source, {}, stop.get_token());
        QVERIFY(!laid && laid.error().code == Code::cancelled);
    }

    void trueOverlapsAreNamed()
    {
        const auto laid = lay(
            chain(),
            dump("xla",
                 {{"x", 64, 0, 9, 40}, {"a", 100, 0, 9, 0}, {"r", 100, 0, 9, 104}, {"v", 40, 0, 9, 120}, {"y", 32, 0, 9, 300}}));
        QVERIFY(laid);
        const Verdict& verdict = laid->run->report.verdict;
        QVERIFY(!verdict.valid());
        const QString told = QString::fromStdString(describe(laid->run->problem(), verdict.violations.front()));
        QVERIFY2(told.contains("x") && told.contains("a") && told.contains("overlap"), qPrintable(told));
    }

    /// An in-place partner that is read again later may not be written over.
    void whatIsReadAgainIsNoAlias()
    {
        const Model again = model(
            R"({"format": "stowage.program/1", "name": "m", "functions": [{"name": "main", "inputs": ["x"], "outputs": ["y"],
            "tensors": [{"name": "x", "kind": "input", "bytes": 64}, {"name": "a", "bytes": 64},
                        {"name": "y", "kind": "output", "bytes": 64}],
            "ops": [{"name": "relu", "inputs": ["x"], "outputs": ["a"], "inplace": [["x", "a"]]},
                    {"name": "add", "inputs": ["x", "a"], "outputs": ["y"]}]}]})");
        const auto laid = lay(again, dump("xla", {{"x", 64, 0, 9, 0}, {"a", 64, 0, 9, 0}, {"y", 64, 0, 9, 64}}));
        QVERIFY(laid);
        QCOMPARE(laid->aliases, std::size_t{0});
        QVERIFY(!laid->run->report.verdict.valid());
    }

    /// A runtime's log has numbers only: tensors in the model's order, then the scratch of kernels.
    void aLogIsMatchedByOrderAndItsScratchIsCounted()
    {
        const Model three = model(
            R"({"format": "stowage.program/1", "name": "m", "functions": [{"name": "main", "inputs": ["x"], "outputs": ["y"],
            "tensors": [{"name": "x", "kind": "input", "bytes": 60}, {"name": "h", "bytes": 30},
                        {"name": "y", "kind": "output", "bytes": 16}],
            "ops": [{"name": "conv", "inputs": ["x"], "outputs": ["h"]},
                    {"name": "out", "inputs": ["h"], "outputs": ["y"]}]}]})");
        const auto laid = lay(
            three, dump("tflm-log", {{"id0", 64, 0, 2, 0}, {"id1", 32, 1, 3, 64}, {"id2", 16, 2, 3, 0}, {"id3", 48, 1, 2, 96}}));
        QVERIFY2(laid, laid ? "" : laid.error().message.c_str());
        QVERIFY(laid->by == MatchedBy::order);
        QCOMPARE(laid->matched, std::size_t{3});
        QCOMPARE(laid->besides, std::size_t{1});
        QVERIFY(laid->run->report.verdict.valid());
        QCOMPARE(laid->run->problem().buffers.size(), std::size_t{4});
        QCOMPARE(laid->run->report.totalSize(), Bytes{144}); // with the scratch: 96 + 48
        // The same log with the scratch on a tensor that is live with it.
        const auto wrong = lay(
            three, dump("tflm-log", {{"id0", 64, 0, 2, 0}, {"id1", 32, 1, 3, 64}, {"id2", 16, 2, 3, 0}, {"id3", 48, 1, 2, 64}}));
        QVERIFY(wrong && !wrong->run->report.verdict.valid());
    }

    void withoutNamesSizesAndLifetimesFindThem()
    {
        const auto laid = lay(chain(), dump("memory-profile", {{"t1", 64, 0, 2, 0},
                                                               {"t2", 100, 1, 3, 100},
                                                               {"t3", 100, 2, 4, 200},
                                                               {"t4", 40, 3, 5, 300},
                                                               {"t5", 32, 4, 6, 400}}));
        if (laid) QVERIFY(laid->by == MatchedBy::shape); // r and v may be one buffer of the model
        const Model three = model(
            R"({"format": "stowage.program/1", "name": "m", "functions": [{"name": "main", "inputs": ["x"], "outputs": ["y"],
            "tensors": [{"name": "x", "kind": "input", "bytes": 64}, {"name": "h", "bytes": 32},
                        {"name": "y", "kind": "output", "bytes": 16}],
            "ops": [{"name": "conv", "inputs": ["x"], "outputs": ["h"]},
                    {"name": "out", "inputs": ["h"], "outputs": ["y"]}]}]})");
        const auto shaped = lay(three, dump("memory-profile", {{"p", 16, 7, 8, 0}, {"q", 32, 6, 8, 64}, {"r", 64, 5, 7, 0}}));
        QVERIFY2(shaped, shaped ? "" : shaped.error().message.c_str());
        QVERIFY(shaped->by == MatchedBy::shape);
        QCOMPARE(offsetOf(*shaped->run, "h"), Bytes{64});
        QVERIFY(shaped->run->report.verdict.valid());
    }

    void whatIsNotPlacedGoesRoundTheRest()
    {
        const auto laid = lay(chain(), dump("xla", {{"a", 100, 0, 9, 0}, {"r", 100, 0, 9, 104}, {"v", 40, 0, 9, 120}}));
        QVERIFY2(laid, laid ? "" : laid.error().message.c_str());
        QVERIFY(laid->run->report.verdict.valid());
        QVERIFY(std::ranges::any_of(laid->diagnostics, [](const Diagnostic& d) { return d.code == Code::filePlanCompleted; }));
        QCOMPARE(offsetOf(*laid->run, "r"), Bytes{104});
    }

    void aPlanOfAnotherModelOrOfAnotherSizeIsRefused()
    {
        const auto other = lay(chain(), dump("xla", {{"p", 8, 0, 1, 0}, {"q", 8, 1, 2, 0}}));
        QVERIFY(!other);
        QVERIFY(other.error().code == Code::otherProblem);
        const auto size = lay(chain(), dump("xla", {{"x", 64, 0, 9, 0}, {"a", 4096, 0, 9, 0}, {"r", 100, 0, 9, 0}}));
        QVERIFY(!size);
        QVERIFY(size.error().code == Code::otherSize);
        Model totals = dump("tflm-log", {});
        totals.filePlans.front().sizes = {{"arena", 1000}};
        const auto missing = lay(chain(), totals);
        QVERIFY(!missing);
        QVERIFY(missing.error().code == Code::noPlan);
    }
};

QTEST_GUILESS_MAIN(LaidPlanTest)
#include "tst_laid_plan.moc"
