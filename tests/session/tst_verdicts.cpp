// The words of a verdict: each kind of answer begins with its own word and names the memories and figures it is about.
#include "app/session/planning.h"
#include "app/session/session.h"
#include "app/session/split_words.h"
#include "app/session/verdicts.h"
#include "core/io/text.h"
#include "core/pipeline/devices.h"
#include "core/plan/report.h"
#include "tests/support/paths.h"

#include <QFile>
#include <QTest>

#include <tuple>

using namespace stowage;

namespace {

/// Buffers of the given sizes, all live together, one above the other; each in the pool of the same position in `pools`.
Run stacked(std::vector<Pool> memories, const std::vector<std::pair<Bytes, PoolId>>& buffers)
{
    auto lowering = std::make_shared<Lowering>();
    lowering->problem.pools = std::move(memories);
    Run run;
    std::vector<Bytes> tops(lowering->problem.pools.size());
    for (const auto& [size, pool] : buffers) {
        Buffer buffer;
        buffer.name = std::string(1, static_cast<char>('a' + lowering->problem.buffers.size()));
        buffer.size = size;
        buffer.live = {{0, 2}};
        buffer.pools = {pool};
        lowering->problem.buffers.push_back(buffer);
        run.plan.placements.push_back({.pool = pool, .offset = tops[static_cast<std::size_t>(pool)]});
        tops[static_cast<std::size_t>(pool)] += size;
    }
    run.lowering = lowering;
    run.report = evaluate(lowering->problem, run.plan);
    return run;
}

Pool memory(const char* name, std::optional<Bytes> capacity)
{
    Pool pool;
    pool.name = name;
    pool.capacity = capacity;
    return pool;
}

} // namespace

class VerdictsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPlanInsideItsCapacityFits()
    {
        const Run run = stacked({memory("sram", 262'144), memory("psram", 8 << 20)}, {{253'000, 0}, {440, 0}});
        QCOMPARE(verdictLine(run), std::string("Fits: sram 253,440 of 262,144 B (96.7 %), psram unused"));
        QCOMPARE(verdictKind(run), VerdictKind::optimal);
        QCOMPARE(verdictReason(run), std::string("Optimal: no plan is smaller, as 2 buffers are live at step 0."));
    }

    /// Tables, maps and reports have them from here, each with sizes in its own unit.
    void remarksStandInOnePlaceTheMostImportantFirst()
    {
        const auto bytes = [](Bytes size) { return std::to_string(size) + " B"; };
        using Remarks = std::vector<std::string>;
        QCOMPARE(verdictRemarks(stacked({memory("sram", 500)}, {{300, 0}, {100, 0}}), bytes), (Remarks{"equals the bound"}));
        // All are live together: nothing smaller than 400 bytes holds them.
        const Run large = stacked({memory("sram", 250)}, {{300, 0}, {100, 0}});
        QCOMPARE(verdictKind(large), VerdictKind::infeasible);
        QCOMPARE(verdictRemarks(large, bytes), (Remarks{"proved: no plan fits", "150 B short"}));
        QCOMPARE(large.report.totalExcess(), 150);
        QCOMPARE(verdictRemarks(large, [](Bytes size) { return std::to_string(size / 2) + " words"; }).back(),
                 std::string("75 words short"));
        // 10 bytes are free between them.
        Run loose = stacked({memory("sram", {})}, {{300, 0}, {100, 0}});
        loose.plan.placements[1].offset += 10;
        loose.plan.stoppedBy = StoppedBy::workLimit;
        loose.report = evaluate(loose.problem(), loose.plan);
        QCOMPARE(verdictRemarks(loose, bytes), (Remarks{"stopped by the work limit"}));
        QCOMPARE(totalGap(loose.report), 10.0 / 400);
        // One on the other.
        Run broken = loose;
        broken.plan.placements[1].offset = 0;
        broken.report = evaluate(broken.problem(), broken.plan);
        const Remarks wrong = verdictRemarks(broken, bytes);
        QCOMPARE(wrong.size(), std::size_t(1));
        QVERIFY2(wrong.front().find('a') != std::string::npos && wrong.front().find('b') != std::string::npos,
                 wrong.front().c_str());
    }

    /// b does not fit beside a, so that it lies in the second memory; all in the second one would take less in total.
    void aProofForThePreferredMemoriesSaysSo()
    {
        Run run = stacked({memory("sram", 12), memory("psram", {})}, {{8, 0}, {8, 1}, {8, 0}, {3, 0}});
        auto lowering = std::make_shared<Lowering>(*run.lowering);
        const Interval live[] = {{0, 2}, {1, 3}, {2, 4}, {3, 5}};
        for (std::size_t i = 0; i < 4; ++i) {
            lowering->problem.buffers[i].pools = {0, 1};
            lowering->problem.buffers[i].live = {live[i]};
        }
        run.lowering = lowering;
        run.plan.placements[2].offset = 0;
        run.plan.placements[3].offset = 8;
        run.report = evaluate(run.problem(), run.plan);
        QCOMPARE(verdictLine(run), std::string("Fits: sram 11 of 12 B (91.7 %), psram 8 B"));
        QCOMPARE(verdictKind(run), VerdictKind::asPreferred);
        QVERIFY(isYes(VerdictKind::asPreferred));
        QCOMPARE(verdictOf("As preferred"), VerdictKind::asPreferred);
        QVERIFY2(
            verdictReason(run).starts_with("Optimal for the preferred pools: each pool is as small as the buffers in it allow"),
            verdictReason(run).c_str());
        QVERIFY(gainLine(run, run).find("least") == std::string::npos);
    }

    void withoutACapacityNothingIsSaidToFit()
    {
        Run run = stacked({memory("arena", {})}, {{30, 0}});
        QCOMPARE(verdictLine(run), std::string("Optimal: arena 30 B"));
        run.plan.placements[0].offset = 3;
        run.plan.stoppedBy = StoppedBy::workLimit;
        run.report = evaluate(run.problem(), run.plan);
        QCOMPARE(verdictKind(run), VerdictKind::valid);
        QCOMPARE(verdictLine(run), std::string("Valid: arena 33 B"));
        QCOMPARE(verdictReason(run), std::string("10.0 % above the lower bound of 30 B (stopped by the work limit)."));
    }

    /// With `b` in `slow`, whose bytes are needed there in any case, the plan takes 50 bytes, less than the 30 + 50 of its pools.
    void aBoundForTheChosenPoolsSaysSo()
    {
        Run run = stacked({memory("fast", {}), memory("slow", {})}, {{50, 1}, {30, 0}});
        auto lowering = std::make_shared<Lowering>(*run.lowering);
        lowering->problem.buffers[1].live = {{4, 6}}; // `a` is not live there
        lowering->problem.buffers[1].pools = {0, 1};
        run.lowering = lowering;
        run.plan.placements[1].offset = 8;
        run.report = evaluate(run.problem(), run.plan);
        QCOMPARE(verdictReason(run), std::string("10.0 % above the lower bound of 80 B for this choice of pools."));
        QCOMPARE(boundOfEveryPlan(run), 50);
    }

    void aMissingByteIsSaid()
    {
        Run run = stacked({memory("sram", 32)}, {{30, 0}});
        run.plan.placements[0].offset = 3;
        run.report = evaluate(run.problem(), run.plan);
        QCOMPARE(verdictKind(run), VerdictKind::doesNotFit);
        QCOMPARE(verdictLine(run), std::string("Does not fit: sram needs 33 B, 1 B more than its capacity"));
    }

    void whatNoPlanCanDoIsInfeasible()
    {
        const Run run = stacked({memory("sram", 29)}, {{10, 0}, {20, 0}});
        QCOMPARE(verdictKind(run), VerdictKind::infeasible);
        QVERIFY2(verdictLine(run).starts_with("Infeasible: it is proved that no plan fits; sram needs 30 B"),
                 verdictLine(run).c_str());
    }

    void anOverlapIsNotValidAndNamed()
    {
        Run run = stacked({memory("sram", 64)}, {{10, 0}, {20, 0}});
        run.plan.placements[1].offset = 5;
        run.report = evaluate(run.problem(), run.plan);
        QCOMPARE(verdictKind(run), VerdictKind::invalid);
        QVERIFY(!isYes(verdictKind(run)));
        QVERIFY2(verdictLine(run).starts_with("Not valid: a [0x0, 0xa) and b"), verdictLine(run).c_str());
    }

    void theGainOverAPlanThatIsNotValidIsOneSentence()
    {
        const Run ours = stacked({memory("sram", 64)}, {{10, 0}, {20, 0}});
        Run theirs = ours;
        theirs.plan.planner = "vela";
        theirs.plan.placements[1].offset = 5;
        theirs.report = evaluate(theirs.problem(), theirs.plan);
        const std::string line = gainLine(theirs, ours);
        QVERIFY2(line.starts_with("theirs (vela) 25 B, but not valid: a [0x0, 0xa) and b"), line.c_str());
        QVERIFY2(line.ends_with("; proved possible 30 B"), line.c_str());
    }

    /// 30 bytes that live together do not fit 29: no size of ours is possible there.
    void noGainWherePlansDoNotFit()
    {
        const Run run = stacked({memory("sram", 29)}, {{10, 0}, {20, 0}});
        const std::string line = gainLine(run, run);
        QVERIFY2(line.ends_with("; none that fits was found"), line.c_str());
        QVERIFY2(line.find("possible") == std::string::npos, line.c_str());
    }

    void unknownSizesMakeEveryYesPartial()
    {
        Run run = stacked({memory("sram", 64)}, {{10, 0}});
        auto program = std::make_shared<Program>();
        Function& function = program->functions.emplace_back();
        function.tensors.resize(3);
        function.tensors[1].bytes = 7; // left out for another reason
        auto lowering = std::make_shared<Lowering>(*run.lowering);
        for (const TensorId tensor : {0, 1, 2, 2})
            lowering->leftOut.push_back({0, tensor, 0, lowering::LeftOutReason::unknownSize});
        run.program = program;
        run.lowering = lowering;
        QCOMPARE(unknownSizes(run).size(), 2U);
        QCOMPARE(verdictKind(run), VerdictKind::partial);
        QCOMPARE(verdictLine(run),
                 std::string("Partial: 2 tensors of unknown size are left out; the others take sram 10 of 64 B (15.6 %)"));
        QVERIFY(!verdictReason(run).starts_with("Optimal"));
        auto empty = std::make_shared<Lowering>(*lowering); // nothing is left to plan
        empty->problem.buffers.clear();
        run.lowering = empty;
        run.plan.placements.clear();
        run.report = evaluate(run.problem(), run.plan);
        QCOMPARE(verdictLine(run), std::string("Partial: 2 tensors of unknown size are left out; the others take 0 B"));
    }

    /// Command line and window say of a split what these lines say.
    void aSplitHasTheSameWords()
    {
        using namespace pipeline;
        Split split;
        QCOMPARE(splitVerdict(split), std::string("Undecided: no split was found before the stop."));
        split.status = PartitionStatus::infeasible;
        QCOMPARE(splitVerdict(split), std::string("Infeasible: no split fits into the memories of these devices."));
        split.fixedCuts = true; // others may fit
        QCOMPARE(splitVerdict(split), std::string("Infeasible: these stages do not fit into the memories of the devices."));

        QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/mobilenet_v1_025.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto program = io::readProgramJson(file.readAll().toStdString(), "sample");
        QVERIFY(bool(program));
        const CutMap map(program->value);
        DeviceSet devices;
        devices.devices = {plainDevice(0)};
        devices.devices.front().name = "mcu";
        split.misfits = {{0, 1, 0, 1960, 900}, {2, 5, 0, 1000, 900}};
        const auto bytes = [](Bytes size) { return std::to_string(size) + " B"; };
        const std::string first = program->value.main().ops[std::size_t(map.ops().front())].name;
        QCOMPARE(misfitLines(split, map, devices, bytes),
                 (std::vector<std::string>{"op 0 ('" + first + "') needs 1960 B; the nearest is mcu with 900 B",
                                           "the stage of ops 2 to 4 needs 1000 B; the nearest is mcu with 900 B"}));

        split = {};
        split.status = PartitionStatus::feasible;
        split.stages.resize(2);
        split.period = toTicks(1442.5);
        split.latency = toTicks(3424.6);
        split.bound = toTicks(1250);
        QCOMPARE(splitVerdict(split), std::string("Valid: period 1,442.5 µs, latency 3,424.6 µs, 2 stages. No split is below "
                                                  "1,250.0 µs (gap 15.4 %)."));
        split.status = PartitionStatus::optimal;
        QCOMPARE(splitVerdict(split),
                 std::string("Optimal: period 1,442.5 µs, latency 3,424.6 µs, 2 stages. No split has a smaller period."));
        QCOMPARE(verdictKind(split), VerdictKind::optimal);
        QCOMPARE(microsecondsText(999.96), std::string("1,000.0")); // the digit after the point is rounded with the rest
    }

    /// The name of one pool ends with that of the other: each has its own note. By hand, 8 + 8 and 9 + 9 bytes are live together.
    void theNoteOfACapacityIsThatOfItsPool()
    {
        const Session session;
        QByteArray buffers;
        const std::tuple<const char*, int, const char*> rows[] = {
            {"a", 8, "sram"}, {"b", 8, "sram"}, {"c", 9, "ram"}, {"d", 9, "ram"}};
        for (const auto& [name, size, pool] : rows)
            buffers += QStringLiteral(R"(%1{"name": "%2", "size": %3, "live": [[0, 2]], "pools": ["%4"]})")
                           .arg(QLatin1String(buffers.isEmpty() ? "" : ", "), QLatin1String(name), QString::number(size),
                                QLatin1String(pool))
                           .toUtf8();
        const auto model = session.readText("two.json", R"({"format": "stowage.problem/1", "name": "two", "pools": [
            {"name": "sram", "capacity": 10}, {"name": "ram", "capacity": 10}], "buffers": [)" +
                                                            buffers + "]}");
        QVERIFY2(bool(model), model ? "" : toText(model.error()).c_str());
        PlanRequest request;
        request.planner = "greedy-by-size";
        request.alignment = 1;
        const auto run = session.planNow(*model, request);
        QVERIFY2(bool(run), run ? "" : toText(run.error()).c_str());
        const Diagnostic *sram = noteOfCapacity(**run, 0), *ram = noteOfCapacity(**run, 1);
        QVERIFY(sram && ram);
        QVERIFY2(sram->message.find("capacity of sram with which a plan was found is 16 bytes, 6 more") != std::string::npos,
                 sram->message.c_str());
        QVERIFY2(ram->message.find("capacity of ram with which a plan was found is 18 bytes, 8 more") != std::string::npos,
                 ram->message.c_str());
        Run told = **run;
        told.plan.diagnostics.clear();
        QVERIFY(!noteOfCapacity(told, 0));
    }

    void manyMemoriesMakeOneLineAllTheSame()
    {
        std::vector<Pool> memories;
        for (int i = 0; i < 10'000; ++i) memories.push_back(memory("m", 8));
        const std::string line = verdictLine(stacked(memories, {{4, 0}}));
        QVERIFY2(line.starts_with("Fits: m 4 of 8 B (50.0 %), m, m") && line.size() < 120, line.c_str());
        QVERIFY2(line.ends_with("unused, and 9,992 more"), line.c_str());
    }
};

QTEST_GUILESS_MAIN(VerdictsTest)
#include "tst_verdicts.moc"
