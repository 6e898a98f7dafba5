// Wrong plans, one mistake each, and what the execution says about them.
#include "core/exec/arena.h"
#include "core/ir/checked.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/core/lowering_helpers.h"
#include "tests/support/buffer_of.h"

#include <QTest>

using namespace stowage;
using namespace stowage::test;

namespace {

BufferId bufferId(const Problem& problem, std::string_view name)
{
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        if (problem.buffers[b].name == name) return static_cast<BufferId>(b);
    qFatal("no buffer '%s'", std::string(name).c_str());
}

/// Every buffer by name at its offset in the only pool.
Plan placed(const Problem& problem, std::initializer_list<std::pair<const char*, Bytes>> offsets)
{
    Plan plan;
    plan.placements.resize(problem.buffers.size());
    for (const auto& [name, offset] : offsets) {
        Placement& placement = plan.placements[static_cast<std::size_t>(bufferId(problem, name))];
        placement.pool = 0;
        placement.offset = offset;
    }
    return plan;
}

Plan planned(const Problem& problem)
{
    return *PlannerRegistry::builtIn().find("greedy-by-size")->plan(problem, {}, {});
}

ExecutionResult run(const Program& program, const Lowering& lowering, const Plan& plan, const ExecuteOptions& options = {})
{
    auto result = execute(program, lowering, plan, options);
    if (!result) qFatal("%s", toText(result.error()).c_str());
    return *std::move(result);
}

ExecutionResult run(const Problem& problem, const Plan& plan, const ExecuteOptions& options = {})
{
    auto result = execute(problem, plan, options);
    if (!result) qFatal("%s", toText(result.error()).c_str());
    return *std::move(result);
}

/// x -> a -> h, x -> b -> k, (h, k) -> c -> z
struct Diamond {
    ProgramBuilder b;
    TensorId x = b.input("x", 8), h = b.tensor("h", 8), k = b.tensor("k", 8), z = b.tensor("z", 8);
    Diamond()
    {
        b.op("a", {x}, {h});    // 1
        b.op("b", {x}, {k});    // 2
        b.op("c", {h, k}, {z}); // 3
        b.output(z);
    }
};

/// A body with one tensor that rotates through two places: p -> a -> r, r -> b -> y, y carried to p.
struct Rotating {
    ProgramBuilder b;
    Lowering lowering;
    Rotating()
    {
        const auto x = b.input("x", 8), z = b.tensor("z", 8);
        const auto loop = b.loop("loop", {x}, {z});
        b.begin(loop, RegionRole::body);
        const auto p = b.input("p", 8), r = b.tensor("r", 8), s = b.tensor("s", 8), y = b.tensor("y", 8);
        b.get(r).multiBuffer = 2;
        b.op("a", {p}, {r});    // 1
        b.op("b", {p}, {s});    // 2
        b.op("c", {r, s}, {y}); // 3
        b.output(y);
        b.end();
        b.at(loop).carries = {{y, p}};
        b.at(loop).tripCount = 1000;
        b.output(z);
        lowering = lowered(b.program());
    }
    [[nodiscard]] Plan plan(Bytes first, Bytes second, Bytes ofS) const
    {
        Plan plan = placed(lowering.problem, {{"x", 0}, {"z", 8}, {"r", first}, {"s", ofS}});
        Placement& r = plan.placements[static_cast<std::size_t>(bufferId(lowering.problem, "r"))];
        r.offsets = {first, second};
        r.rotations = {{.loop = 0, .period = 2}};
        return plan;
    }
};

} // namespace

class TestArenaCases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWhoReadWhatAndWhoWroteOverIt()
    {
        Diamond d;
        const Lowering lowering = lowered(d.b.program());
        const Plan right = placed(lowering.problem, {{"x", 0}, {"h", 8}, {"k", 16}, {"z", 24}});
        QVERIFY(!run(d.b.program(), lowering, right).corruption);
        const Plan byte = placed(lowering.problem, {{"x", 0}, {"h", 8}, {"k", 15}, {"z", 24}});
        const auto found = run(d.b.program(), lowering, byte).corruption;
        QVERIFY(found);
        QCOMPARE(found->reader, std::string("c"));
        QCOMPARE(found->tensor, std::string("h"));
        QCOMPARE(found->buffer, bufferId(lowering.problem, "h"));
        QCOMPARE(found->overwrittenBy, bufferId(lowering.problem, "k"));
        QCOMPARE(found->writer, std::string("b"));
        QCOMPARE(found->low, Bytes{15});
        QCOMPARE(found->high, Bytes{16});
        QCOMPARE(found->step, Step{3});
        QVERIFY(found->iterations.empty());
        QCOMPARE(QString::fromStdString(describe(lowering.problem, *found)),
                 QStringLiteral("'c' reads 'h' in arena, where 'b' wrote 'k', on [0xf, 0x10), at step 3"));
        // By its live ranges alone: h is there until step 3, when k is filled at step 2.
        const auto byRanges = run(lowering.problem, byte).corruption;
        QVERIFY(byRanges);
        QCOMPARE(byRanges->tensor, std::string("h"));
        QCOMPARE(byRanges->overwrittenBy, bufferId(lowering.problem, "k"));
        QCOMPARE(byRanges->low, Bytes{15});
        QCOMPARE(QString::fromStdString(describe(lowering.problem, *byRanges)),
                 QStringLiteral("'h' lost bytes in arena, where there is 'k', on [0xf, 0x10), at step 3"));
    }

    void seesABufferThatIsGoneOneStepTooEarly()
    {
        // The place of x is taken at step 2, where the op reads x itself: an op's result and its input are in use together.
        Diamond d;
        const Lowering lowering = lowered(d.b.program());
        const Plan early = placed(lowering.problem, {{"x", 0}, {"h", 8}, {"k", 0}, {"z", 24}});
        const auto found = run(d.b.program(), lowering, early).corruption;
        QVERIFY(found);
        QCOMPARE(found->reader, std::string("b"));
        QCOMPARE(found->tensor, std::string("x"));
        QCOMPARE(found->writer, std::string("b"));
        QCOMPARE(found->step, Step{2});
        QVERIFY(run(lowering.problem, early).corruption);
        // A step later it is free.
        QVERIFY(!run(d.b.program(), lowering, placed(lowering.problem, {{"x", 0}, {"h", 8}, {"k", 16}, {"z", 0}})).corruption);
    }

    void seesAWrongRotation()
    {
        Rotating made;
        const Plan right = made.plan(16, 24, 32);
        QVERIFY(check(made.lowering.problem, right).valid());
        const auto result = run(made.b.program(), made.lowering, right);
        QVERIFY(!result.corruption);
        // 3 x 2 + 2 iterations: as many as 1000, of which the last is at the second place again.
        QCOMPARE(result.opsExecuted, result.runs * 8 * 3);
        // The second place is that of s: the iterations with an odd number go wrong.
        const Plan wrong = made.plan(16, 32, 32);
        QVERIFY(!check(made.lowering.problem, wrong).valid());
        const auto found = run(made.b.program(), made.lowering, wrong).corruption;
        QVERIFY(found);
        QCOMPARE(found->reader, std::string("c"));
        QCOMPARE(found->tensor, std::string("r"));
        QCOMPARE(found->writer, std::string("b"));
        QCOMPARE(found->iterations, std::vector<std::int64_t>{1});
        QVERIFY(run(made.lowering.problem, wrong).corruption);
    }

    void seesACopyThatIsOverwrittenBeforeALaterIterationReadsIt()
    {
        // Made at step 1, read at step 2 two iterations later: three places in turn, or two and a first one.
        Problem problem;
        problem.pools.push_back({.name = "p"});
        problem.loops.push_back({.name = "loop", .live = {1, 4}, .tripCount = 50});
        problem.buffers.push_back(
            test::bufferOf({.name = "d", .size = 4, .live = {{1, 4}}, .carried = {{1, {1, 4}}, {2, {1, 3}}}, .loop = 0}));
        QVERIFY(checkAndRepair(problem).empty());
        const auto plan = [&](std::vector<Bytes> offsets, Rotation rotation) {
            Plan made;
            made.placements.push_back({.pool = 0, .offset = offsets.front(), .offsets = offsets, .rotations = {rotation}});
            return made;
        };
        QVERIFY(!run(problem, plan({0, 4, 8}, {0, 3, false})).corruption);
        const auto found = run(problem, plan({0, 4}, {0, 2, false})).corruption;
        QVERIFY(found);
        QCOMPARE(found->buffer, BufferId{0});
        QCOMPARE(found->overwrittenBy, BufferId{0});
        QCOMPARE(found->low, Bytes{0});
        QCOMPARE(found->high, Bytes{4});
        QVERIFY(
            run(problem, plan({12, 0, 4}, {0, 2, true})).corruption); // a place of its own for the first iteration does not help
    }

    /// Where many loops are nested, buffers that conflict only by name meet in some of their iterations.
    void saysWhereIterationsWereLeftOut()
    {
        for (const int depth : {2, 6}) { // 8 iterations of each: 64 combinations, and 262,144
            Problem problem;
            problem.pools.push_back({.name = "p"});
            Plan plan;
            RareList<Rotation> rotations;
            for (int l = 0; l < depth; ++l) {
                problem.loops.push_back({.name = "loop" + std::to_string(l), .parent = l - 1, .live = {1, 4}});
                rotations.push_back({.loop = l, .period = 2});
            }
            const std::int32_t places = 1 << depth;
            for (const BufferId b : {0, 1}) {
                problem.buffers.push_back(test::bufferOf(
                    {.name = b == 0 ? "a" : "b", .size = 4, .live = {{1 + b, 2 + b}}, .conflicts = {1 - b}, .loop = depth - 1}));
                Placement& placement = plan.placements.emplace_back(Placement{.pool = 0, .offset = 4 * b});
                for (std::int32_t i = 0; i < places; ++i) placement.offsets.push_back(8 * i + 4 * b);
                placement.rotations = rotations;
            }
            QVERIFY(checkAndRepair(problem).empty());
            const ExecutionResult result = run(problem, plan);
            QVERIFY(!result.corruption);
            QCOMPARE(result.complete, depth == 2);
            QCOMPARE(result.diagnostics.size(), std::size_t(depth == 2 ? 0 : 1));
            if (depth == 6) QVERIFY(result.diagnostics.front().code == Code::notReached);
        }
    }

    void seesSwappedBranches()
    {
        ProgramBuilder b;
        const auto c = b.input("c", 1), x = b.input("x", 8), h = b.tensor("h", 8), g = b.tensor("g", 8), z = b.tensor("z", 8);
        b.op("makeH", {x}, {h});
        b.op("makeG", {x}, {g});
        const auto pick = b.pick("pick", {c}, {z});
        for (const TensorId needed : {h, g}) {
            const std::string which = needed == h ? "0" : "1";
            b.begin(pick, RegionRole::branch);
            const auto t = b.tensor("t" + which, 8), y = b.tensor("y" + which, 8);
            b.op("first" + which, {}, {t});
            b.op("last" + which, {needed, t}, {y});
            b.output(y);
            b.end();
        }
        b.output(z);
        const Lowering lowering = lowered(b.program());
        // On each branch the tensor that only the other one reads is free to be taken.
        const Plan right =
            placed(lowering.problem, {{"c", 0}, {"x", 8}, {"h", 16}, {"g", 24}, {"z", 32}, {"t0", 24}, {"t1", 16}});
        QVERIFY(check(lowering.problem, right).valid());
        QVERIFY(!run(b.program(), lowering, right).corruption);
        QVERIFY(!run(lowering.problem, right).corruption);
        const Plan swapped =
            placed(lowering.problem, {{"c", 0}, {"x", 8}, {"h", 16}, {"g", 24}, {"z", 32}, {"t0", 16}, {"t1", 24}});
        const auto found = run(b.program(), lowering, swapped).corruption;
        QVERIFY(found);
        QVERIFY(found->reader == "last0" || found->reader == "last1");
        QVERIFY(run(lowering.problem, swapped).corruption);
        // One wrong branch is enough, whichever is taken first.
        for (const char* wrong : {"t0", "t1"}) {
            Plan one = right;
            const auto at = static_cast<std::size_t>(bufferId(lowering.problem, wrong));
            one.placements[at] = swapped.placements[at];
            for (std::uint64_t seed = 0; seed < 4; ++seed) QVERIFY(run(b.program(), lowering, one, {.seed = seed}).corruption);
        }
    }

    void seesAnAliasAtTheWrongOffset()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 8), h = b.tensor("h", 8), z = b.tensor("z", 4);
        const auto v = b.view("v", h, 4, 4);
        b.op("a", {x}, {h});
        b.op("b", {v}, {z});
        b.output(z);
        Lowering lowering = lowered(b.program());
        const Plan plan = planned(lowering.problem);
        QVERIFY(!run(b.program(), lowering, plan).corruption);
        lowering.instances[0].bindings[static_cast<std::size_t>(v)].delta = 3;
        const auto found = run(b.program(), lowering, plan).corruption;
        QVERIFY(found);
        QCOMPARE(found->reader, std::string("b"));
        QCOMPARE(found->tensor, std::string("v"));
    }

    void seesWritesBeyondTheEndOfThePool()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 8), h = b.tensor("h", 8);
        const auto v = b.view("v", h, 4, 4);
        b.op("a", {x}, {v});
        b.op("b", {v}, {});
        Lowering lowering = lowered(b.program());
        const Plan plan = placed(lowering.problem, {{"x", 0}, {"h", 8}});
        QVERIFY(!run(b.program(), lowering, plan).corruption);
        lowering.instances[0].bindings[static_cast<std::size_t>(v)].delta = 6;
        const auto found = run(b.program(), lowering, plan).corruption;
        QVERIFY(found);
        QCOMPARE(found->low, Bytes{16});
        QCOMPARE(found->high, Bytes{18});
        QCOMPARE(found->overwrittenBy, bufferId(lowering.problem, "h"));
        QCOMPARE(QString::fromStdString(describe(lowering.problem, *found)),
                 QStringLiteral("the bytes beyond the end of arena changed, where 'a' wrote 'h', on [0x10, 0x12), at step 2"));
    }

    void seesAResultOverAnInputWithoutPermission()
    {
        Diamond d;
        Lowering lowering = lowered(d.b.program());
        const Plan plan = placed(lowering.problem, {{"x", 0}, {"h", 8}, {"k", 16}, {"z", 24}});
        lowering.instances[0].bindings[static_cast<std::size_t>(d.z)] =
            lowering.instances[0].bindings[static_cast<std::size_t>(d.h)];
        const auto found = run(d.b.program(), lowering, plan).corruption;
        QVERIFY(found);
        QCOMPARE(found->reader, std::string("c"));
        QCOMPARE(found->tensor, std::string("h"));
        d.b.at(2).inPlace = {{d.h, d.z}};
        QVERIFY(!run(d.b.program(), lowering, plan).corruption);
    }

    void aVariableIsUpdatedByWhatIsWrittenOverIt()
    {
        ProgramBuilder b;
        const auto x = b.input("x", 8), v = b.tensor("v", 8, TensorKind::variable), w = b.tensor("w", 8), z = b.tensor("z", 8);
        const auto op = b.op("assign", {v, x}, {w});
        b.at(op).inPlace = {{v, w}};
        b.at(op).inPlaceRequired = true;
        b.op("use", {w}, {z});
        b.output(z);
        LowerOptions options;
        options.pools = {pool("arena"), pool("nvram", PoolKind::persistent)};
        const Lowering lowering = lowered(b.program(), options);
        QVERIFY(test::sameBytes(lowering, v, w));
        QVERIFY(!run(b.program(), lowering, planned(lowering.problem)).corruption);
    }

    void stopsAtItsLimitsAndSaysSo()
    {
        Rotating made;
        const auto result = run(made.b.program(), made.lowering, made.plan(16, 24, 32), {.maxOps = 10});
        QVERIFY(!result.corruption);
        QVERIFY(!result.complete);
        QCOMPARE(result.diagnostics.back().code, Code::stopped);
        QVERIFY(run(made.b.program(), made.lowering, made.plan(16, 24, 32)).complete);
        QVERIFY(!run(made.lowering.problem, made.plan(16, 24, 32), {.maxOps = 10}).complete);
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = execute(made.b.program(), made.lowering, made.plan(16, 24, 32), {.cancel = stop.get_token()});
        QVERIFY(!cancelled);
        QCOMPARE(cancelled.error().code, Code::cancelled);
    }

    void refusesWhatIsNoPlace()
    {
        Diamond d;
        const Lowering lowering = lowered(d.b.program());
        const Plan right = placed(lowering.problem, {{"x", 0}, {"h", 8}, {"k", 16}, {"z", 24}});
        const auto refused = [&](auto change) {
            Plan plan = right;
            change(plan);
            const auto program = execute(d.b.program(), lowering, plan);
            const auto problem = execute(lowering.problem, plan);
            return !program && program.error().code == Code::badPlacement && !problem &&
                   problem.error().code == Code::badPlacement;
        };
        QVERIFY(refused([](Plan& plan) { plan.placements.pop_back(); }));
        QVERIFY(refused([](Plan& plan) { plan.placements[0].pool = none; }));
        QVERIFY(refused([](Plan& plan) { plan.placements[0].pool = 1; }));
        QVERIFY(refused([](Plan& plan) { plan.placements[0].offset = -1; }));
        QVERIFY(refused([](Plan& plan) { plan.placements[0].offset = std::numeric_limits<Bytes>::max(); }));
        QVERIFY(refused([](Plan& plan) { plan.placements[0].offsets = {0, 8}; }));
        QVERIFY(refused([](Plan& plan) { plan.placements[0].rotations = {{.loop = 3, .period = 2}}; }));
    }

    void representsLargePoolsByFewerBytes()
    {
        constexpr Bytes unit = Bytes{1} << 40;
        ProgramBuilder b;
        const auto x = b.input("x", 8 * unit), h = b.tensor("h", 8 * unit), k = b.tensor("k", 8 * unit),
                   z = b.tensor("z", 8 * unit);
        b.op("a", {x}, {h});
        b.op("b", {x}, {k});
        b.op("c", {h, k}, {z});
        const Lowering lowering = lowered(b.program());
        const auto plan = [&](Bytes ofK) {
            return placed(lowering.problem, {{"x", 0}, {"h", 8 * unit}, {"k", ofK}, {"z", 24 * unit}});
        };
        const ExecuteOptions options{.maxBytes = maxBytes, .maxArena = Bytes{1} << 20};
        const auto clean = run(b.program(), lowering, plan(16 * unit), options);
        QVERIFY(!clean.corruption && clean.complete);
        QCOMPARE(clean.diagnostics.front().code, Code::scaled);
        const auto found = run(b.program(), lowering, plan(15 * unit), options).corruption;
        QVERIFY(found);
        QCOMPARE(found->low, 15 * unit);
        QCOMPARE(found->high, 16 * unit);
        // Where nothing is a multiple of anything, only a part can be represented.
        const auto part = run(b.program(), lowering, plan(16 * unit + 1), options);
        QVERIFY(!part.corruption && !part.complete);
        QCOMPARE(part.diagnostics.back().code, Code::partial);
    }
};

QTEST_APPLESS_MAIN(TestArenaCases)
#include "tst_arena_cases.moc"
