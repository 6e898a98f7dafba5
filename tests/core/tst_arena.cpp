// Plans run on a real arena: every planner's plans run clean, and a plan that shows a corrupted read is one that the checker
// refuses.
#include "core/exec/arena.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/core/random_problem.h"
#include "tests/core/random_program.h"
#include "tests/support/instrumented.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <cstdlib>
#include <numeric>

using namespace stowage;

namespace {

constexpr std::uint64_t workLimit = 2000;                    ///< for planners that would go on
constexpr std::uint64_t programs = 40;                       ///< for each planner and lowering
constexpr std::uint64_t problems = test::randomCases(10);    ///< of each kind, for each planner
constexpr std::uint64_t wrongPlans = test::randomCases(250); ///< of each kind

PlanContext contextFor(const Planner& planner)
{
    PlanContext context;
    if (planner.info().anytime) context.workLimit = workLimit;
    context.seed = 7;
    return context;
}

std::vector<Pool> poolsForEverything()
{
    Pool arena, flash, nvram;
    arena.name = "arena";
    flash.name = "flash";
    flash.kind = PoolKind::constant;
    nvram.name = "nvram";
    nvram.kind = PoolKind::persistent;
    return {arena, flash, nvram};
}

/// Every combination that a program can be lowered with.
std::vector<LowerOptions> lowerings()
{
    std::vector<LowerOptions> all;
    for (const ViewMode views : {ViewMode::separate, ViewMode::merged})
        for (const InPlaceMode inPlace : {InPlaceMode::off, InPlaceMode::allowed}) {
            LowerOptions options;
            options.views = views;
            options.inPlace = inPlace;
            all.push_back(options);
        }
    LowerOptions precise = all.back();
    precise.loops = LoopMode::precise;
    all.push_back(precise);
    return all;
}

Program programOf(std::uint64_t seed)
{
    test::RandomProgramOptions shape;
    shape.ops = 3 + static_cast<int>(seed % 22);
    shape.depth = static_cast<int>(seed % 4);
    shape.calls = seed % 3 != 0;
    shape.maxSize = seed % 5 == 0 ? 4 : 96; // few sizes: what can be merged often is
    Program program = test::randomProgram(seed, shape);
    test::Generator random(seed + stowage::test::seedShift());
    for (Function& function : program.functions)
        for (Op& op : function.ops) {
            if (op.control == Control::loop && random.chance(5)) op.tripCount = random.chance(2) ? 0 : 40 + random.below(40);
            if (op.control != Control::leaf) continue;
            for (const TensorId input : op.inputs)
                for (const TensorId output : op.outputs)
                    if (random.chance(2)) op.inPlace.push_back({input, output});
        }
    return program;
}

ExecuteOptions executeOptions(std::uint64_t seed)
{
    ExecuteOptions options;
    options.seed = seed;
    options.maxOps = 20'000;
    return options;
}

std::string at(std::uint64_t seed)
{
    return "seed " + std::to_string(seed) + ": ";
}

/// A plan with something changed, as a mistake in a planner would.
Plan mutated(const Problem& problem, Plan plan, test::Generator& random)
{
    const auto count = static_cast<std::int64_t>(problem.buffers.size());
    const auto victim = static_cast<std::size_t>(random.below(count));
    const auto other = static_cast<std::size_t>(random.below(count));
    Placement& placement = plan.placements[victim];
    const auto move = [&](Bytes to) {
        const Bytes moved = std::max<Bytes>(to, 0);
        if (placement.rotating())
            placement.offsets[static_cast<std::size_t>(random.below(std::ssize(placement.offsets)))] = moved;
        else
            placement.offset = moved;
        if (placement.rotating()) placement.offset = placement.offsets.front();
    };
    switch (random.below(5)) {
    case 0: move(placement.offset - 1); break;
    case 1: move(placement.offset + 1); break;
    case 2: move(plan.placements[other].offset); break;
    case 3: move(plan.placements[other].offset + problem.buffers[other].size - 1); break;
    default:
        if (placement.pool == plan.placements[other].pool && placement.rotations == plan.placements[other].rotations) {
            std::swap(placement.offset, plan.placements[other].offset);
            std::swap(placement.offsets, plan.placements[other].offsets);
        }
    }
    return plan;
}

/// Two buffers share bytes, which is what an execution can see (it does not see alignments, pins and capacities).
bool overlaps(const Verdict& verdict)
{
    return std::any_of(verdict.violations.begin(), verdict.violations.end(),
                       [](const Violation& v) { return v.kind == ViolationKind::overlap; });
}

} // namespace

class TestArena : public QObject {
    Q_OBJECT

private:
    static void eachPlanner()
    {
        QTest::addColumn<QString>("planner");
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (const auto& planner : registry.all())
            QTest::addRow("%s", planner->info().name.c_str()) << QString::fromStdString(planner->info().name);
    }

private Q_SLOTS:
    /// The first programs, and such of the first 66,000 that once ran wrong: two carries of one value, arguments that are one
    /// tensor for the caller, results that are still the loop's input when it ends, places that a later loop took over.
    void loopsCarriedPreciselyRunClean()
    {
        std::vector<std::uint64_t> seeds{2105, 4541, 4594, 6455, 8075, 8665, 17447, 20731, 22879, 23974, 27675, 35593, 38189};
        for (std::uint64_t seed = 0; seed < test::randomCases(100U); ++seed) seeds.push_back(seed);
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        std::int64_t checked = 0;
        for (const std::uint64_t seed : seeds)
            for (const Order order : {Order::linear, Order::dag})
                for (const ViewMode views : {ViewMode::separate, ViewMode::merged})
                    for (const InPlaceMode inPlace : {InPlaceMode::off, InPlaceMode::allowed}) {
                        LowerOptions options;
                        options.order = order;
                        options.loops = LoopMode::precise;
                        options.views = views;
                        options.inPlace = inPlace;
                        if (seed % 2 == 1) options.pools = poolsForEverything();
                        const Program program = programOf(seed);
                        const auto lowering = lower(program, options);
                        if (!lowering) continue; // too large without an order, and says so
                        for (const char* name : {"naive", "greedy-by-size"}) {
                            const auto plan = registry.find(name)->plan(lowering->problem, {}, {});
                            QVERIFY(plan);
                            const Verdict verdict = check(lowering->problem, *plan);
                            if (!verdict.valid())
                                QFAIL((at(seed) + describe(lowering->problem, verdict.violations.front())).c_str());
                            const auto result = execute(program, *lowering, *plan, executeOptions(seed));
                            QVERIFY2(result, result ? "" : (at(seed) + toText(result.error())).c_str());
                            if (result->corruption) QFAIL((at(seed) + describe(lowering->problem, *result->corruption)).c_str());
                            checked += result->bytesChecked;
                        }
                    }
        QVERIFY(checked > test::randomCases(1'000'000));
    }
    void everyPlannedProgramRunsClean_data()
    {
        QTest::addColumn<QString>("planner");
        QTest::addColumn<LowerOptions>("options");
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (const auto& planner : registry.all())
            for (const LowerOptions& options : lowerings())
                QTest::addRow("%s%s views=%s inplace=%s", planner->info().name.c_str(),
                              options.loops == LoopMode::precise ? " loops=precise" : "",
                              options.views == ViewMode::merged ? "merged" : "separate",
                              options.inPlace == InPlaceMode::allowed ? "allowed" : "off")
                    << QString::fromStdString(planner->info().name) << options;
    }
    void everyPlannedProgramRunsClean()
    {
        QFETCH(QString, planner);
        QFETCH(LowerOptions, options);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        // Planners whose plans are alike need not all run all programs: each begins elsewhere.
        const std::uint64_t first = std::accumulate(planner.begin(), planner.end(), std::uint64_t{0},
                                                    [](std::uint64_t sum, QChar c) { return (sum * 31 + c.unicode()) % 10'000; });
        Bytes checked = 0;
        std::size_t merged = 0, tensors = 0;
        for (std::uint64_t seed = first; seed < first + programs; ++seed) {
            if (seed % 2 == 1)
                options.pools = poolsForEverything();
            else
                options.pools.clear();
            const Program program = programOf(seed);
            const auto lowering = lower(program, options);
            QVERIFY2(lowering, lowering ? "" : (at(seed) + toText(lowering.error())).c_str());
            for (const BufferOrigin& origin : lowering->origins) {
                merged += origin.members.size() - 1;
                tensors += origin.members.size();
            }
            const auto plan = p->plan(lowering->problem, {}, contextFor(*p));
            if (!plan) continue; // it cannot take the problem, and says so
            const Verdict verdict = check(lowering->problem, *plan);
            if (!verdict.valid()) QFAIL((at(seed) + describe(lowering->problem, verdict.violations.front())).c_str());
            const auto result = execute(program, *lowering, *plan, executeOptions(seed));
            QVERIFY2(result, result ? "" : (at(seed) + toText(result.error())).c_str());
            if (result->corruption) QFAIL((at(seed) + describe(lowering->problem, *result->corruption)).c_str());
            checked += result->bytesChecked;
            // The same plan by its live ranges alone.
            const auto byRanges = execute(lowering->problem, *plan, executeOptions(seed));
            QVERIFY2(byRanges, byRanges ? "" : (at(seed) + toText(byRanges.error())).c_str());
            if (byRanges->corruption) QFAIL((at(seed) + describe(lowering->problem, *byRanges->corruption)).c_str());
        }
        QVERIFY(checked > 100'000);
        // A lowering that merges nothing runs clean as well: a good part of the tensors has to lie in another one's place.
        if (options.inPlace == InPlaceMode::allowed) QVERIFY2(merged * 4 > tensors, qPrintable(QString::number(merged)));
    }

    void everyPlannedProblemRunsClean_data() { eachPlanner(); }
    void everyPlannedProblemRunsClean()
    {
        QFETCH(QString, planner);
        const auto p = PlannerRegistry::builtIn().find(planner.toStdString());
        int run = 0;
        for (const test::Features& features : test::allFeatures())
            for (std::uint64_t seed = 0; seed < problems; ++seed) {
                const Problem problem = test::randomProblem(features, seed);
                const auto plan = p->plan(problem, {}, contextFor(*p));
                if (!plan) continue;
                const auto result = execute(problem, *plan, executeOptions(seed));
                QVERIFY2(result, result ? "" : (features.name + " " + at(seed) + toText(result.error())).c_str());
                if (result->corruption) QFAIL((features.name + " " + at(seed) + describe(problem, *result->corruption)).c_str());
                ++run;
            }
        QVERIFY(run > test::randomCases(100));
    }

    void aCorruptedProblemIsOneThatTheCheckerRefuses_data()
    {
        QTest::addColumn<test::Kind>("kind");
        QTest::addColumn<int>("share"); // per cent of the overlaps that the checker finds, which have to be seen
        QTest::newRow("plain") << test::Kind{} << 100;
        QTest::newRow("gaps") << test::Kind{.gaps = true} << 100;
        QTest::newRow("windows") << test::Kind{.gaps = true, .windows = true} << 100;
        QTest::newRow("slots") << test::Kind{.slots = true, .rotation = true} << 90;
        QTest::newRow("rotation") << test::Kind{.rotation = true} << 90;
        QTest::newRow("nested") << test::Kind{.gaps = true, .rotation = true, .nested = true} << 80;
        QTest::newRow("conflicts") << test::Kind{.gaps = true, .explicitConflicts = true} << 100;
        QTest::newRow("sharing") << test::Kind{.gaps = true, .sharing = true} << 90;
        QTest::newRow("unique") << test::Kind{.gaps = true, .unique = true} << 100;
        QTest::newRow("pools") << test::Kind{.pools = true, .alignment = true, .pins = true} << 100;
        QTest::newRow("dag") << test::Kind{.rotation = true, .explicitConflicts = true, .dag = true} << 90;
        QTest::newRow("all") << test::Kind{.gaps = true,
                                           .windows = true,
                                           .slots = true,
                                           .rotation = true,
                                           .nested = true,
                                           .explicitConflicts = true,
                                           .sharing = true,
                                           .unique = true,
                                           .pools = true,
                                           .alignment = true}
                             << 80;
    }
    void aCorruptedProblemIsOneThatTheCheckerRefuses()
    {
        QFETCH(test::Kind, kind);
        QFETCH(int, share);
        std::uint64_t clean = 0, overlapping = 0, seen = 0;
        for (std::uint64_t seed = 0; seed < wrongPlans; ++seed) {
            test::Generator random(seed + stowage::test::seedShift());
            const Problem problem = random.problem(kind);
            const Plan plan = random.plan(problem, 4 + random.below(60));
            const Verdict verdict = check(problem, plan);
            const auto result = execute(problem, plan, executeOptions(seed));
            if (!result) continue; // no place at all, which the checker refuses too
            if (result->corruption && verdict.valid()) QFAIL((at(seed) + describe(problem, *result->corruption)).c_str());
            clean += verdict.valid();
            overlapping += overlaps(verdict);
            seen += overlaps(verdict) && result->corruption;
            if (overlaps(verdict) && !result->corruption && share == 100)
                QFAIL((at(seed) + "not seen: " + describe(problem, verdict.violations.front())).c_str());
        }
        qInfo("%llu valid plans; %llu of %llu overlaps seen", qulonglong(clean), qulonglong(seen), qulonglong(overlapping));
        QVERIFY(clean > test::randomCases(10U) && overlapping > test::randomCases(50U));
        QVERIFY(seen * 100 >= overlapping * static_cast<std::uint64_t>(share));
    }

    void aCorruptedProgramIsOneThatTheCheckerRefuses()
    {
        const auto planner = PlannerRegistry::builtIn().find("greedy-by-size");
        const std::vector<LowerOptions> all = lowerings();
        std::uint64_t wrong = 0, seen = 0, seenByRanges = 0;
        for (std::uint64_t seed = 0; seed < 3 * wrongPlans; ++seed) {
            const Program program = programOf(seed);
            const auto lowering = lower(program, all[seed % all.size()]);
            QVERIFY(lowering);
            const Problem& problem = lowering->problem;
            if (problem.buffers.empty()) continue;
            test::Generator random(seed + stowage::test::seedShift());
            const auto plan = planner->plan(problem, {}, {});
            QVERIFY(plan);
            const Plan changed = mutated(problem, *plan, random);
            const Verdict verdict = check(problem, changed);
            const auto result = execute(program, *lowering, changed, executeOptions(seed));
            QVERIFY2(result, result ? "" : (at(seed) + toText(result.error())).c_str());
            const auto byRanges = execute(problem, changed, executeOptions(seed));
            QVERIFY(byRanges);
            if (verdict.valid() && result->corruption) QFAIL((at(seed) + describe(problem, *result->corruption)).c_str());
            if (verdict.valid() && byRanges->corruption) QFAIL((at(seed) + describe(problem, *byRanges->corruption)).c_str());
            if (verdict.valid()) continue;
            ++wrong;
            seen += result->corruption.has_value();
            seenByRanges += byRanges->corruption.has_value();
        }
        qInfo("%llu wrong plans: %llu seen by the program, %llu by its live ranges", qulonglong(wrong), qulonglong(seen),
              qulonglong(seenByRanges));
        QVERIFY(wrong > test::randomCases(300U));
        // Live ranges cover what no run needs: the steps around a loop's body, inputs that nothing reads, results that nobody
        // uses.
        QVERIFY(seen * 100 >= wrong * 60);
        QCOMPARE(seenByRanges, wrong);
    }
};

QTEST_APPLESS_MAIN(TestArena)
#include "tst_arena.moc"
