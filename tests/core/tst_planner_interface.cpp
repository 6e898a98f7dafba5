// What all planners share: options, capabilities, reasons to stop, placements, recorded steps.
#include "core/explain/step_text.h"
#include "core/ir/checked.h"
#include "core/plan/planner.h"
#include "core/plan/recorder.h"
#include "core/planners/common/unrolling.h"
#include "tests/support/buffer_of.h"

#include <QObject>
#include <QTest>

#include <cstdint>
#include <memory>
#include <vector>

using namespace stowage;

namespace {

PlannerInfo sampleInfo()
{
    PlannerInfo info;
    info.name = "sample";
    info.options = {
        {.name = "deep", .type = OptionType::boolean, .defaultValue = "off"},
        {.name = "rounds", .type = OptionType::integer, .defaultValue = "500", .minimum = 1, .maximum = 1000},
        {.name = "any", .type = OptionType::integer, .defaultValue = "-7"},
        {.name = "more", .type = OptionType::integer, .defaultValue = "1", .minimum = 0},
        {.name = "less", .type = OptionType::number, .defaultValue = "-1", .maximum = -0.5},
        {.name = "ratio", .type = OptionType::number, .defaultValue = "0.5", .minimum = 0, .maximum = 1},
        {.name = "goal", .type = OptionType::choice, .defaultValue = "fit", .choices = {"fit", "minimise"}},
        {.name = "label", .type = OptionType::text},
    };
    return info;
}

/// Places every second buffer in the second of its pools, end to end, and notes its work limits. A plan takes 7 of work.
class Alternating : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }
    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& /*options*/,
                                      const PlanContext& context) const override
    {
        limits_.push_back(context.workLimit);
        Plan plan;
        plan.work = 7;
        Bytes top = 0;
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            const std::vector<PoolId> pools = problem.candidates(problem.buffers[b]);
            plan.placements.push_back({.pool = pools[b % pools.size()], .offset = top});
            top += problem.buffers[b].size;
        }
        return plan;
    }
    [[nodiscard]] const std::vector<std::uint64_t>& limits() const { return limits_; }

private:
    PlannerInfo info_ = sampleInfo();
    mutable std::vector<std::uint64_t> limits_;
};

} // namespace

class TestPlannerInterface : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void optionsAreCheckedAgainstTheirSchema_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* name, const char* value, const char* code) {
            QTest::addRow("%s=%s", name, value) << name << value << code;
        };
        for (const char* yes : {"true", "on", "yes", "1", "false", "off", "no", "0"}) row("deep", yes, "");
        for (const char* bad : {"", "True", "2", "maybe"}) row("deep", bad, "bad-option-value");
        for (const char* good : {"1", "1000"}) row("rounds", good, "");
        for (const char* bad : {"", "x", "1x", " 1", "+1", "1.0", "99999999999999999999"}) row("rounds", bad, "bad-option-value");
        for (const char* bad : {"0", "1001", "-1"}) row("rounds", bad, "option-out-of-range");
        for (const char* good : {"-9223372036854775808", "9223372036854775807"}) row("any", good, "");
        for (const char* good : {"0", "9223372036854775807"}) row("more", good, ""); // a bound on one side
        for (const char* bad : {"-1", "-9223372036854775808"}) row("more", bad, "option-out-of-range");
        for (const char* good : {"-0.5", "-1e300"}) row("less", good, "");
        for (const char* bad : {"-0.25", "0", "1e300"}) row("less", bad, "option-out-of-range");
        for (const char* good : {"0", "1", "0.25", "1e-3"}) row("ratio", good, "");
        for (const char* bad : {"", "0,5", "nan", "inf", "half"}) row("ratio", bad, "bad-option-value");
        for (const char* bad : {"1.01", "-0.1"}) row("ratio", bad, "option-out-of-range");
        row("goal", "minimise", "");
        row("goal", "minimize", "bad-option-value");
        row("label", "anything at all", "");
        row("gaol", "fit", "unknown-option");
    }

    void optionsAreCheckedAgainstTheirSchema()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QString, code);
        const auto error = checkOptions(sampleInfo(), {{name.toStdString(), value.toStdString()}});
        QCOMPARE(error ? QString::fromStdString(std::string(toText(error->code))) : QString(), code);
        if (error) QVERIFY(error->message.find(name.toStdString()) != std::string::npos);
    }

    /// A bound on one side is said as one.
    void boundsAreSaid()
    {
        const PlannerInfo info = sampleInfo();
        const auto said = [&](const char* name) {
            for (const OptionSpec& spec : info.options)
                if (spec.name == name) return boundsText(spec);
            return std::string("no such option");
        };
        QCOMPARE(said("rounds"), std::string("1 to 1000"));
        QCOMPARE(said("more"), std::string("at least 0"));
        QCOMPARE(said("less"), std::string("at most -0.5"));
        QCOMPARE(said("any"), std::string());
        QCOMPARE(checkOptions(info, {{"more", "-1"}})->message, std::string("option 'more' is -1, and has to be at least 0"));
        QCOMPARE(checkOptions(info, {{"rounds", "0"}})->message, std::string("option 'rounds' is 0, outside 1 to 1000"));
    }

    void lastValueWinsAndDefaultsFillIn()
    {
        const PlannerInfo info = sampleInfo();
        const OptionValues values = {{"rounds", "3"}, {"deep", "on"}, {"rounds", "4"}};
        QCOMPARE(optionInteger(info, values, "rounds"), 4);
        QCOMPARE(optionInteger(info, values, "any"), -7);
        QCOMPARE(optionNumber(info, values, "ratio"), 0.5);
        QVERIFY(optionFlag(info, values, "deep"));
        QVERIFY(!optionFlag(info, {}, "deep"));
        QVERIFY(optionValue(info, values, "goal") == "fit");
        QVERIFY(optionValue(info, values, "nothing").empty());
    }

    void capabilitiesNameWhatCannotBeTaken()
    {
        Problem problem;
        problem.pools = {{.name = "p"}};
        problem.loops = {{.name = "L", .live = {0, 9}}};
        problem.buffers.resize(2);
        for (Buffer& buffer : problem.buffers) buffer.live = {{2, 3}};
        problem.buffers[1].name = "culprit";
        Buffer& buffer = problem.buffers[1];
        PlannerInfo info = sampleInfo();
        info.takes = {.multiplePools = false,
                      .pins = false,
                      .gaps = false,
                      .windows = false,
                      .explicitConflicts = false,
                      .slots = false,
                      .capacities = false,
                      .carried = false};
        QVERIFY(!checkCapabilities(info, problem));
        const auto refused = [&] {
            const auto error = checkCapabilities(info, problem);
            const auto whenTaken = checkCapabilities(PlannerInfo{}, problem);
            buffer = test::bufferOf({.name = "culprit", .live = {{2, 3}}});
            return error && error->message.find("culprit") != std::string::npos && !whenTaken;
        };
        buffer.pin = 0;
        QVERIFY(refused());
        buffer.live = {{0, 1}, {2, 3}};
        QVERIFY(refused());
        buffer.windows = {{{1, 2}, 0, 1}};
        QVERIFY(refused());
        buffer.conflicts = {0};
        QVERIFY(refused());
        buffer.slots = 2;
        QVERIFY(refused());
        buffer.carried = {{1, {0, 3}}};
        QVERIFY(refused());
        buffer.carried = {{1, {0, 1}}, {2, {0, 1}}};
        QVERIFY(refused());
        buffer.carried = {{1, {0, 2}}}; // does not meet its own next value: one place is enough
        QVERIFY(!checkCapabilities(info, problem));
        problem.pools.push_back({.name = "q", .capacity = 9});
        QVERIFY(checkCapabilities(info, problem)->message.find("'q'") != std::string::npos);
        info.takes.multiplePools = true;
        QVERIFY(checkCapabilities(info, problem)->message.find("capacity") != std::string::npos);
        info.takes.capacities = true;
        QVERIFY(!checkCapabilities(info, problem));
    }

    void stopsForCancelLimitAndDeadlineInThisOrder()
    {
        PlanContext context;
        QVERIFY(!context.shouldStop(1'000'000'000));
        context.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
        QVERIFY(!context.shouldStop(0));
        context.deadline = std::chrono::steady_clock::now();
        QVERIFY(context.shouldStop(0) == StoppedBy::deadline);
        context.workLimit = 10;
        QVERIFY(context.shouldStop(9) == StoppedBy::deadline);
        QVERIFY(context.shouldStop(10) == StoppedBy::workLimit);
        std::stop_source source;
        context.cancel = source.get_token();
        source.request_stop();
        QVERIFY(context.shouldStop(10) == StoppedBy::cancelled);
    }

    void rotationTakesTheFirstOnceThenCycles()
    {
        const Rotation plain{.loop = 0, .period = 3, .hasFirst = false};
        const Rotation first{.loop = 0, .period = 2, .hasFirst = true};
        for (const std::int64_t i : {0, 1, 2, 3, 7}) QCOMPARE(plain.index(i), i % 3);
        QCOMPARE(first.extent(), 3);
        // Iteration 0 takes offset 0; iteration i the (i mod 2)th of the offsets behind it.
        QCOMPARE(first.index(0), 0);
        QCOMPARE(first.index(1), 2);
        QCOMPARE(first.index(2), 1);
        QCOMPARE(first.index(3), 2);
        // Nested: the outer loop varies slowest.
        const Placement nested{.pool = 0,
                               .offset = 0,
                               .offsets = {0, 1, 2, 10, 11, 12},
                               .rotations = {{.loop = 0, .period = 2}, {.loop = 1, .period = 3}}};
        for (const auto& [outer, inner, expected] : {std::tuple{0, 0, 0}, {0, 2, 2}, {1, 0, 10}, {3, 4, 11}, {2, 5, 2}}) {
            const std::int64_t iterations[] = {outer, inner};
            QCOMPARE(nested.at(iterations), Bytes{expected});
        }
        QCOMPARE((Placement{.pool = 0, .offset = 7}).at({}), Bytes{7});
    }

    void poolSizeIsTheHighestEndOfAnySlot()
    {
        Problem problem;
        problem.pools = {{.name = "p"}, {.name = "q"}};
        problem.buffers = {test::bufferOf({.name = "a", .size = 4}), test::bufferOf({.name = "b", .size = 8}),
                           test::bufferOf({.name = "c", .size = 100})};
        Plan plan;
        plan.placements = {
            {.pool = 0, .offset = 30}, {.pool = 0, .offset = 0, .offsets = {0, 40}, .rotations = {{.loop = 0, .period = 2}}}, {}};
        QCOMPARE(plan.poolSize(problem, 0), Bytes{48});
        QCOMPARE(plan.poolSize(problem, 1), Bytes{0});
        plan.placements[0].offset = std::numeric_limits<Bytes>::max();
        QCOMPARE(plan.poolSize(problem, 0), maxBytes);
    }

    void theNextPartHasWhatTheWorkLimitLeaves()
    {
        PlanContext context;
        QCOMPARE(context.workLeft(5), std::uint64_t{0}); // no limit
        context.workLimit = 10;
        QCOMPARE(context.workLeft(0), std::uint64_t{10});
        QCOMPARE(context.workLeft(7), std::uint64_t{3});
        QCOMPARE(context.workLeft(10), std::uint64_t{1}); // 0 would be no limit
        QCOMPARE(context.workLeft(12), std::uint64_t{1});
    }

    /// The iterations of `a` get two pools, so it is planned again, confined to one, with the work that is left.
    void unrolledLoopsArePlannedAgainWithinTheWorkLimit()
    {
        Problem problem;
        problem.pools.emplace_back().name = "p";
        problem.pools.emplace_back().name = "q";
        problem.loops.push_back({.name = "loop", .live = {0, 10}, .tripCount = 3});
        problem.buffers.push_back(test::bufferOf(
            {.name = "a", .size = 100, .live = {{8, 10}}, .carried = {{.distance = 1, .live = {0, 9}}}, .loop = 0}));
        QVERIFY(checkAndRepair(problem).empty());
        const auto inner = std::make_shared<Alternating>();
        PlanContext context;
        context.workLimit = 10;
        const auto plan = unrolling(inner)->plan(problem, {}, context);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(inner->limits(), (std::vector<std::uint64_t>{10, 3}));
        QCOMPARE(plan->work, std::uint64_t{14});
    }

    void recorderKeepsItsBudgetAndItsReasons()
    {
        StepRecorder recorder(3 * sizeof(RecordedStep));
        const std::uint16_t lowest = recorder.reason(StepRule::lowestGap);
        QCOMPARE(recorder.reason(StepRule::lowestGap), lowest);
        QCOMPARE(recorder.reason(StepReason(RuleApplied{StepRule::lowestGap})), lowest);
        QVERIFY(recorder.reason(StepRule::smallestGap) != lowest);
        QCOMPARE(stepText({}, recorder.reasons()[lowest]), std::string("the lowest gap that fits"));
        QVERIFY(recorder.reason(hivm::Level::any) != recorder.reason(hivm::Level::samePipe));
        QCOMPARE(recorder.levelOf(recorder.reason(hivm::Level::samePipe)), std::optional(hivm::Level::samePipe));
        QCOMPARE(recorder.levelOf(lowest), std::nullopt);
        for (int i = 0; i < 5; ++i) recorder.add({.reason = lowest, .buffer = i});
        QCOMPARE(recorder.steps().size(), std::size_t{3});
        QCOMPARE(recorder.dropped(), std::uint64_t{2});
        QVERIFY(recorder.truncated());
        for (int i = 0; i < 70'000; ++i) recorder.reason(RuleApplied{StepRule::searchBegins, i});
        QCOMPARE(recorder.reasons().size(), std::size_t{65'536});
        QCOMPARE(recorder.reason(RuleApplied{StepRule::searchBegins, -1}), std::uint16_t{0});
    }
};

QTEST_GUILESS_MAIN(TestPlannerInterface)
#include "tst_planner_interface.moc"
