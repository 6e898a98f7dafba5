// Pools for pins, and pins that no plan can keep, against all choices of pools and against random plans.
#include "core/ir/occupied.h"
#include "core/plan/pins.h"
#include "core/plan/report.h"
#include "core/plan/unroll.h"
#include "core/planners/registry.h"
#include "tests/core/random_problem.h"
#include "tests/support/brute_check.h"
#include "tests/support/instrumented.h"

#include <QTest>

#include <functional>

using namespace stowage;

namespace {

/// The pinned buffers of a problem alone, in the order of their ids.
Problem pinsOf(const Problem& problem)
{
    Problem pins = problem;
    std::vector<BufferId> idOf(problem.buffers.size(), none);
    pins.buffers = std::vector<Buffer>();
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        if (!problem.buffers[b].pin) continue;
        idOf[b] = static_cast<BufferId>(pins.buffers.size());
        pins.buffers.push_back(problem.buffers[b]);
    }
    for (Buffer& buffer : pins.buffers)
        for (RareList<BufferId>* list : {&buffer.conflicts, &buffer.mayShare}) {
            for (BufferId& id : *list) id = idOf[at(id)];
            eraseIf(*list, [](BufferId id) { return id == none; });
        }
    return pins;
}

/// Calls visit(Plan) for each choice of pools, with every buffer at its pin; other slots lie far from all pins.
void eachChoice(const Problem& pins, const std::function<void(const Plan&)>& visit)
{
    Plan plan;
    plan.placements.resize(pins.buffers.size());
    Bytes far = 12'000;
    const std::function<void(std::size_t)> choose = [&](std::size_t b) {
        if (b == pins.buffers.size()) return visit(plan);
        const Buffer& buffer = pins.buffers[b];
        for (const PoolId pool : pins.candidates(buffer)) {
            Placement& to = plan.placements[b] = {.pool = pool, .offset = *buffer.pin};
            if (buffer.slots > 1) {
                to.rotations = {{.loop = buffer.loop, .period = buffer.slots}};
                to.offsets = {*buffer.pin};
                for (std::int32_t slot = 1; slot < buffer.slots; ++slot) to.offsets.push_back(far += 1200);
            }
            choose(b + 1);
        }
    };
    choose(0);
}

} // namespace

class PinsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Without loops nothing rotates: whether there is a choice of pools, every choice shows.
    void allChoicesAgreeWhereNothingRotates()
    {
        int without = 0, chosen = 0;
        for (unsigned seed = 0; seed < test::randomCases(4000U); ++seed) {
            test::Kind kind = test::kindOf(seed * 2654435761U >> 7);
            kind.rotation = kind.nested = kind.once = false;
            kind.pins = kind.pools = true;
            kind.buffers = 3 + int(seed % 12);
            const Problem problem = test::Generator(seed).problem(kind);
            const Problem pins = pinsOf(problem);
            bool possible = false;
            eachChoice(pins, [&](const Plan& plan) { possible = possible || test::objection(pins, plan).empty(); });
            const PinnedPools found = poolsOfPins(problem);
            QVERIFY2(found.collision.has_value() != possible, qPrintable(QString::number(seed)));
            without += !possible;
            if (found.pools.empty()) continue;
            ++chosen;
            Problem confined = *withPinsConfined(problem);
            confined = pinsOf(confined);
            bool right = false;
            eachChoice(confined, [&](const Plan& plan) { right = test::objection(pins, plan).empty(); });
            QVERIFY2(right, qPrintable(QString::number(seed)));
        }
        QVERIFY2(without > 100 && chosen > 100, qPrintable(QStringLiteral("%1 %2").arg(without).arg(chosen)));
    }

    /// With loops, a proof must hold for plans that rotate, too.
    void noPlanIsValidWhereOneIsProvedImpossible()
    {
        int proved = 0, valid = 0;
        for (unsigned seed = 0; seed < test::randomCases(3000U); ++seed) {
            test::Kind kind = test::kindOf(seed * 2654435761U >> 7);
            kind.rotation = kind.pins = true;
            kind.dag = kind.windows = false;
            kind.buffers = 2 + int(seed % 4);
            test::Generator random(seed);
            const Problem pins = pinsOf(random.problem(kind));
            if (pins.buffers.size() < 2) continue;
            const bool none = poolsOfPins(pins).collision.has_value();
            proved += none;
            for (int i = 0; i < 60; ++i) {
                Plan plan = random.plan(pins, 80);
                const bool fits = test::objection(pins, plan).empty();
                QVERIFY2(!(none && fits), qPrintable(QString::number(seed)));
                valid += fits;
            }
        }
        QVERIFY2(proved > 50 && valid > 500, qPrintable(QStringLiteral("%1 %2").arg(proved).arg(valid)));
    }

    /// All slots of a buffer are in use together, so its pin is taken in every iteration.
    void slotsHoldTheirPinInEveryIteration()
    {
        Problem problem;
        problem.pools.push_back({.name = "sram"});
        problem.loops.push_back({.name = "L", .live = {0, 6}});
        for (const char* name : {"a", "b"}) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = name;
            buffer.size = 8;
            buffer.loop = 0;
            buffer.slots = 2;
            buffer.pin = 0;
        }
        problem.buffers[0].live = {{0, 1}};
        problem.buffers[0].carried = {{.distance = 1, .live = {2, 4}}};
        problem.buffers[1].live = {{3, 5}};
        QVERIFY(checkAndRepair(problem).empty());
        const auto collision = poolsOfPins(problem).collision;
        QVERIFY(collision);
        QCOMPARE(collision->pair.step, 3);
        QVERIFY(!collision->ofChoices);
        problem.buffers[1].live = {{4, 5}};
        QVERIFY(!poolsOfPins(problem).collision);
    }

    /// Three pins at one place and two pools: whoever comes third finds none.
    void noPoolIsLeftForTheThird()
    {
        Problem problem;
        problem.pools = {{.name = "p"}, {.name = "q"}};
        for (const char* name : {"a", "b", "c"}) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = name;
            buffer.size = 8;
            buffer.live = {{0, 4}};
            buffer.pin = 16;
        }
        const PinnedPools found = poolsOfPins(problem);
        QVERIFY(found.pools.empty());
        QVERIFY(found.collision);
        QCOMPARE(found.collision->pair.second, 2);
        QVERIFY(found.collision->ofChoices);
        QVERIFY(describe(problem, *found.collision).starts_with("whatever memories they take"));
        Plan plan;
        plan.placements = {{.pool = 0, .offset = 16}, {.pool = 1, .offset = 16}, {.pool = 1, .offset = 16}};
        const Report report = evaluate(problem, plan);
        QCOMPARE(report.status, Status::infeasible);
        QCOMPARE(report.provedBy, std::string("colliding pins"));

        problem.buffers[2].live = {{4, 5}};
        QCOMPARE(poolsOfPins(problem).pools, (std::vector<PoolId>{0, 1, 0}));
    }

    /// Pins with one candidate are compared in their own pools only, and a pair there is found however many others collide.
    void pinsOfOtherPoolsHideNoCollision()
    {
        Problem problem;
        problem.pools.resize(300);
        for (std::size_t i = 0; i < problem.pools.size(); ++i) problem.pools[i].name = "p" + std::to_string(i);
        for (int i = 0; i < 301; ++i) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = std::to_string(i);
            buffer.size = 8;
            buffer.live = {{0, 4}};
            buffer.pin = 0;
            buffer.pools = {static_cast<PoolId>(i % 300)};
        }
        const auto collision = poolsOfPins(problem).collision;
        QVERIFY(collision);
        QCOMPARE(collision->pair.first, 0);
        QCOMPARE(collision->pair.second, 300);
        problem.buffers.pop_back();
        QVERIFY(!poolsOfPins(problem).collision);
    }

    /// `a` and `b` share a pin by permission; `c` may share with `a` alone, and is live together with `b`.
    void nothingLiesInPlaceOfPinsThatShare()
    {
        Problem problem;
        problem.pools.push_back({.name = "sram"});
        problem.loops.push_back({.name = "L", .live = {2, 8}});
        const auto add = [&](const char* name, Bytes size, Interval live, const RareList<BufferId>& mayShare) -> Buffer& {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = name;
            buffer.size = size;
            buffer.live = {live};
            buffer.mayShare = mayShare;
            return buffer;
        };
        Buffer& a = add("a", 3, {4, 8}, {1, 2});
        a.loop = 0;
        a.pin = 36;
        Buffer& b = add("b", 2, {4, 7}, {0});
        b.loop = 0;
        b.pin = 36;
        b.carried = {{.distance = 1, .live = {4, 5}}};
        add("c", 1, {5, 9}, {0});
        QVERIFY(checkAndRepair(problem).empty());
        const PlannerRegistry planners = PlannerRegistry::builtIn();
        int planned = 0;
        for (const auto& planner : planners.all()) {
            const auto plan = planner->plan(problem, {}, {});
            if (!plan) continue; // does not take pins or loops
            ++planned;
            const Verdict verdict = check(problem, *plan);
            QVERIFY2(verdict.valid(), verdict.valid() ? "" : describe(problem, verdict.violations.front()).c_str());
        }
        QVERIFY(planned > 5);
    }

    /// A value in a window needs another place than the value that is carried beside it.
    void windowsOfANewerValueNeedASlotOfTheirOwn()
    {
        Problem problem;
        problem.pools.push_back({.name = "sram"});
        problem.loops.push_back({.name = "L", .live = {0, 8}});
        Buffer& buffer = problem.buffers.emplace_back();
        buffer.name = "a";
        buffer.size = 4;
        buffer.live = {{0, 2}, {4, 5}};
        buffer.windows = {{{2, 3}, 1, 4}};
        buffer.carried = {{.distance = 2, .live = {2, 4}}};
        buffer.loop = 0;
        QVERIFY(checkAndRepair(problem).empty());
        QCOMPARE(slotsNeeded(problem.buffers[0]), 3);
        QCOMPARE(unroll(problem)->repeats, std::vector<std::int32_t>{3});
        problem.buffers[0].carried = {{.distance = 2, .live = {3, 4}}};
        QCOMPARE(slotsNeeded(problem.buffers[0]), 1);
        QCOMPARE(unroll(problem)->repeats, std::vector<std::int32_t>{1});
    }
};

QTEST_GUILESS_MAIN(PinsTest)
#include "tst_pins.moc"
