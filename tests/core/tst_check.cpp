// The checker against a reference that executes every iteration and looks at every byte.
#include "core/ir/checked.h"
#include "core/plan/check.h"
#include "tests/core/random_problem.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QObject>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace stowage;

namespace {

struct When {
    Step step = -1;
    std::int64_t iteration = -1;
};
using Pairs = std::map<std::pair<BufferId, BufferId>, When>;

std::vector<Bytes> allOffsets(const Placement& placement)
{
    return placement.rotating() ? std::vector<Bytes>(placement.offsets) : std::vector<Bytes>{placement.offset};
}

bool shares(const Problem& problem, BufferId a, BufferId b)
{
    const auto lists = [](const Buffer& x, BufferId id) { return std::count(x.mayShare.begin(), x.mayShare.end(), id) > 0; };
    return lists(problem.buffers[static_cast<std::size_t>(a)], b) || lists(problem.buffers[static_cast<std::size_t>(b)], a);
}

/// Executes a problem's loops and collects every pair that meets on a byte. Slow and literal: no sweeps, no congruences.
class Unrolled {
public:
    Unrolled(const Problem& problem, const Plan& plan) : problem_(problem), plan_(plan) {}

    Pairs run()
    {
        slots();
        unique();
        // A loop without trip count may turn any number of times: all numbers up to one past what periods (at most 3, so a common
        // one is at most 6), firsts and distances (at most 2 each) can tell apart.
        trips_.assign(problem_.loops.size(), 0);
        chooseTrips(0);
        // These have no moment of their own: they are told with the first step that both are live at.
        pairs_.merge(untimed_);
        return std::move(pairs_);
    }

private:
    static constexpr std::int64_t enough = 6 + 1 + 2 + 1;

    const Buffer& buffer(BufferId b) const { return problem_.buffers[static_cast<std::size_t>(b)]; }
    const Placement& place(BufferId b) const { return plan_.placements[static_cast<std::size_t>(b)]; }

    void found(BufferId a, BufferId b, When when)
    {
        const auto key = std::minmax(a, b);
        const auto [known, added] = pairs_.emplace(key, when);
        const auto order = [](const When& w) { return std::pair(w.step < 0 ? Step{1} << 60 : w.step, w.iteration); };
        if (!added && order(when) < order(known->second)) known->second = when;
    }
    void foundUntimed(BufferId a, BufferId b)
    {
        const auto live = [](const Buffer& x, Step s) {
            return std::any_of(x.live.begin(), x.live.end(), [s](const Interval& i) { return i.contains(s); });
        };
        Step step = 0;
        while (step < 20 && !(live(buffer(a), step) && live(buffer(b), step))) ++step;
        untimed_.emplace(std::minmax(a, b), When{step < 20 ? step : -1, -1});
    }
    static bool bytesMeet(Bytes lowA, Bytes highA, Bytes lowB, Bytes highB)
    {
        for (Bytes byte = lowA; byte < highA; ++byte)
            if (byte >= lowB && byte < highB) return true;
        return false;
    }

    void slots()
    {
        for (BufferId b = 0; b < static_cast<BufferId>(problem_.buffers.size()); ++b) {
            if (buffer(b).slots < 2) continue;
            const auto offsets = allOffsets(place(b));
            for (std::size_t i = 0; i < offsets.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    if (bytesMeet(offsets[i], offsets[i] + buffer(b).size, offsets[j], offsets[j] + buffer(b).size))
                        found(b, b, {buffer(b).live.empty() ? -1 : buffer(b).live.front().begin, -1});
        }
    }
    void unique()
    {
        for (BufferId a = 0; a < static_cast<BufferId>(problem_.buffers.size()); ++a)
            for (BufferId b = 0; b < static_cast<BufferId>(problem_.buffers.size()); ++b) {
                if (a == b || !buffer(a).unique || place(a).pool != place(b).pool || shares(problem_, a, b)) continue;
                for (const Bytes x : allOffsets(place(a)))
                    for (const Bytes y : allOffsets(place(b)))
                        if (bytesMeet(x, x + buffer(a).size, y, y + buffer(b).size)) foundUntimed(a, b);
            }
    }

    void chooseTrips(std::size_t loop)
    {
        if (loop == problem_.loops.size()) return execute();
        if (const auto known = problem_.loops[loop].tripCount) {
            trips_[loop] = std::max<std::int64_t>(*known, 1);
            return chooseTrips(loop + 1);
        }
        for (trips_[loop] = 1; trips_[loop] <= enough; ++trips_[loop]) chooseTrips(loop + 1);
    }

    void execute()
    {
        for (Step step = 0; step < 20; ++step) {
            now_.assign(problem_.loops.size(), 0);
            turn(step, 0);
        }
        // Explicit conflicts are without steps: any iteration of all loops.
        now_.assign(problem_.loops.size(), 0);
        turn(-1, 0);
    }
    void turn(Step step, std::size_t loop)
    {
        if (loop == problem_.loops.size()) return step < 0 ? explicitly() : moment(step);
        const Interval& live = problem_.loops[loop].live;
        if (step >= 0 && !live.contains(step)) {
            // In front of a loop its things are those of iteration 0, behind it those of the last one.
            now_[loop] = step < live.begin ? 0 : trips_[loop] - 1;
            return turn(step, loop + 1);
        }
        for (now_[loop] = 0; now_[loop] < trips_[loop]; ++now_[loop]) turn(step, loop + 1);
    }

    /// A value as it is held at a moment: all its places, with the iteration that made it.
    struct Held {
        BufferId buffer;
        std::int32_t distance;
        Bytes low, high; // of the buffer
        std::vector<Bytes> offsets;
        Bytes own; // the offset that its iteration takes: differs from `offsets` with slots
    };
    bool add(std::vector<Held>& held, BufferId b, std::int32_t distance, Bytes low, Bytes high, Step step)
    {
        const Buffer& it = buffer(b);
        if (it.size == 0) return false;
        std::vector<std::int64_t> made = now_;
        if (distance > 0) {
            if (step >= 0 && !problem_.loops[static_cast<std::size_t>(it.loop)].live.contains(step)) return false;
            made[static_cast<std::size_t>(it.loop)] -= distance;
            if (made[static_cast<std::size_t>(it.loop)] < 0) return false;
        }
        std::vector<std::int64_t> iterations;
        for (const Rotation& rotation : place(b).rotations)
            iterations.push_back(rotation.loop == none ? 0 : made[static_cast<std::size_t>(rotation.loop)]);
        const Bytes own = place(b).at(iterations);
        const bool anyPlace = it.slots > 1 || (place(b).rotating() && place(b).rotations[0].loop == none);
        held.push_back({b, distance, low, high, anyPlace ? allOffsets(place(b)) : std::vector<Bytes>{own}, own});
        return true;
    }
    bool touch(const Held& a, const Held& b) const
    {
        for (const Bytes x : a.offsets)
            for (const Bytes y : b.offsets)
                if (bytesMeet(x + a.low, x + a.high, y + b.low, y + b.high)) return true;
        return false;
    }
    /// The innermost loop that either of the two turns with; -1 when there is none.
    std::int64_t iteration(const Held& a, const Held& b) const
    {
        LoopId innermost = none;
        for (const Held* h : {&a, &b}) {
            const bool alternates = place(h->buffer).rotating() && (buffer(h->buffer).slots == 1 || a.buffer == b.buffer);
            if (alternates)
                for (const Rotation& rotation : place(h->buffer).rotations) innermost = std::max(innermost, rotation.loop);
            if (h->distance > 0) innermost = std::max(innermost, buffer(h->buffer).loop);
        }
        return innermost == none ? -1 : now_[static_cast<std::size_t>(innermost)];
    }

    void moment(Step step)
    {
        std::vector<Held> held;
        for (BufferId b = 0; b < static_cast<BufferId>(problem_.buffers.size()); ++b) {
            const Buffer& it = buffer(b);
            for (const Interval& live : it.live)
                if (live.contains(step)) add(held, b, 0, 0, it.size, step);
            for (const Window& window : it.windows)
                if (window.live.contains(step)) add(held, b, 0, window.low, window.high, step);
            for (const Carried& carried : it.carried)
                if (carried.live.contains(step)) add(held, b, carried.distance, 0, it.size, step);
        }
        for (std::size_t i = 0; i < held.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                Held a = held[i], b = held[j];
                if (place(a.buffer).pool != place(b.buffer).pool) continue;
                if (a.buffer == b.buffer) {
                    if (a.distance == b.distance) continue; // the same value
                    if (place(a.buffer).rotations.empty() || place(a.buffer).rotations[0].loop != none) {
                        a.offsets = {a.own};
                        b.offsets = {b.own};
                    }
                } else if (problem_.axis == Axis::dag || shares(problem_, a.buffer, b.buffer)) {
                    continue;
                }
                if (touch(a, b)) found(a.buffer, b.buffer, {step, iteration(a, b)});
            }
    }
    void explicitly()
    {
        for (BufferId a = 0; a < static_cast<BufferId>(problem_.buffers.size()); ++a)
            for (const BufferId b : buffer(a).conflicts) {
                if (place(a).pool != place(b).pool || shares(problem_, a, b)) continue;
                std::vector<Held> ofA, ofB;
                add(ofA, a, 0, 0, buffer(a).size, -1);
                add(ofB, b, 0, 0, buffer(b).size, -1);
                for (const Carried& carried : buffer(a).carried) add(ofA, a, carried.distance, 0, buffer(a).size, -1);
                for (const Held& held : ofA)
                    if (!ofB.empty() && touch(held, ofB[0])) foundUntimed(a, b);
            }
    }

    const Problem& problem_;
    const Plan& plan_;
    Pairs pairs_, untimed_;
    std::vector<std::int64_t> trips_, now_;
};

Problem plain(std::vector<std::tuple<Bytes, Step, Step>> buffers)
{
    Problem problem;
    problem.pools = {{.name = "sram"}};
    for (const auto& [size, begin, end] : buffers) {
        Buffer buffer;
        buffer.name = std::string(1, static_cast<char>('a' + static_cast<int>(problem.buffers.size())));
        buffer.size = size;
        buffer.live = {{begin, end}};
        problem.buffers.push_back(buffer);
    }
    return problem;
}

Plan at(std::vector<Bytes> offsets)
{
    Plan plan;
    for (const Bytes offset : offsets) plan.placements.push_back({.pool = 0, .offset = offset});
    return plan;
}

} // namespace

class TestCheck : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsExactlyThePairsOfTheUnrolledExecution_data()
    {
        using test::Kind;
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<int>("rounds");
        QTest::newRow("plain") << Kind{} << 4000;
        QTest::newRow("gaps") << Kind{.gaps = true} << 4000;
        QTest::newRow("windows") << Kind{.gaps = true, .windows = true} << 4000;
        QTest::newRow("slots") << Kind{.slots = true} << 3000;
        QTest::newRow("explicit conflicts") << Kind{.explicitConflicts = true} << 3000;
        QTest::newRow("dag") << Kind{.explicitConflicts = true, .dag = true} << 3000;
        QTest::newRow("sharing") << Kind{.sharing = true} << 3000;
        QTest::newRow("unique") << Kind{.unique = true} << 3000;
        QTest::newRow("pools, alignment, pins") << Kind{.pools = true, .alignment = true, .pins = true} << 3000;
        QTest::newRow("rotation") << Kind{.rotation = true} << 3000;
        QTest::newRow("nested rotation") << Kind{.rotation = true, .nested = true, .buffers = 4} << 500;
        QTest::newRow("rotation, explicit") << Kind{.rotation = true, .explicitConflicts = true} << 1500;
        QTest::newRow("rotation, dag") << Kind{.rotation = true, .explicitConflicts = true, .dag = true} << 1500;
        QTest::newRow("everything") << Kind{.gaps = true,
                                            .windows = true,
                                            .slots = true,
                                            .rotation = true,
                                            .explicitConflicts = true,
                                            .sharing = true,
                                            .unique = true,
                                            .pools = true,
                                            .alignment = true,
                                            .pins = true}
                                    << 3000;
    }

    void findsExactlyThePairsOfTheUnrolledExecution()
    {
        QFETCH(test::Kind, kind);
        QFETCH(int, rounds);
        rounds = test::randomCases(rounds);
        const std::uint64_t seed = 20261120;
        test::Generator random(seed + stowage::test::seedShift());
        int valid = 0, invalid = 0;
        for (int round = 0; round < rounds; ++round) {
            const Problem problem = random.problem(kind);
            const Plan plan = random.plan(problem, 1 + random.below(60));
            const Pairs expected = Unrolled(problem, plan).run();
            const Verdict verdict = check(problem, plan, 1000);
            Pairs found;
            for (const Violation& v : verdict.violations)
                if (v.kind == ViolationKind::overlap) found.emplace(std::pair(v.first, v.second), When{v.step, v.iteration});
            const auto context = QStringLiteral("seed %1 round %2").arg(seed).arg(round);
            for (const auto& [pair, when] : found)
                QVERIFY2(expected.contains(pair),
                         qPrintable(context + QStringLiteral(": %1 and %2 do not meet").arg(pair.first).arg(pair.second)));
            for (const auto& [pair, when] : expected) {
                const auto names = QStringLiteral(": %1 and %2").arg(pair.first).arg(pair.second);
                QVERIFY2(found.contains(pair), qPrintable(context + names + QStringLiteral(" meet at step %1").arg(when.step)));
                QVERIFY2(
                    found[pair].step == when.step,
                    qPrintable(context + names + QStringLiteral(" at %1 instead of %2").arg(found[pair].step).arg(when.step)));
                if (when.step >= 0 && problem.loops.size() == 1 && !kind.explicitConflicts && !kind.unique &&
                    pair.first != pair.second)
                    QVERIFY2(
                        found[pair].iteration == when.iteration,
                        qPrintable(
                            context + names +
                            QStringLiteral(" in iteration %1 instead of %2").arg(found[pair].iteration).arg(when.iteration)));
            }
            (expected.empty() ? valid : invalid) += 1;
        }
        QVERIFY2(valid > rounds / 100 && invalid > rounds / 10,
                 qPrintable(QStringLiteral("%1 valid, %2 invalid").arg(valid).arg(invalid)));
    }

    void namesPairStepAndBytes()
    {
        const Problem problem = plain({{64, 10, 14}, {64, 12, 20}, {8, 0, 30}});
        const Plan plan = at({0x40, 0x60, 0});
        const Verdict verdict = check(problem, plan);
        QVERIFY(!verdict.valid());
        QCOMPARE(verdict.violations.size(), std::size_t{1});
        QCOMPARE(verdict.pairsChecked, std::uint64_t{3});
        const Violation& v = verdict.violations[0];
        QCOMPARE(v.step, 12);
        QCOMPARE(v.low, 0x60);
        QCOMPARE(v.high, 0x80);
        QCOMPARE(describe(problem, v),
                 std::string("a [0x40, 0x80) and b [0x60, 0xa0) overlap in sram at step 12 on [0x60, 0x80)"));
    }

    void judgesEveryPlacementRule_data()
    {
        using Change = std::function<void(Problem&, Plan&)>;
        QTest::addColumn<Change>("change");
        QTest::addColumn<int>("kind"); // of the only violation; -1: none
        QTest::addColumn<bool>("valid");
        const auto row = [](const char* name, Change change, std::optional<ViolationKind> kind, bool valid = false) {
            QTest::newRow(name) << change << (kind ? static_cast<int>(*kind) : -1) << valid;
        };
        row(
            "fine", [](Problem&, Plan&) {}, {}, true);
        row(
            "not placed", [](Problem&, Plan& plan) { plan.placements[1].pool = none; }, ViolationKind::notPlaced);
        row(
            "too few placements", [](Problem&, Plan& plan) { plan.placements.pop_back(); }, ViolationKind::notPlaced);
        row(
            "size 0 not placed",
            [](Problem& p, Plan& plan) {
                p.buffers[1].size = 0;
                plan.placements[1].pool = none;
            },
            {}, true);
        row(
            "size 0 on another",
            [](Problem& p, Plan& plan) {
                p.buffers[1].size = 0;
                plan.placements[1].offset = 4;
            },
            {}, true);
        row(
            "no such pool", [](Problem&, Plan& plan) { plan.placements[1].pool = 7; }, ViolationKind::wrongPool);
        row(
            "no candidate", [](Problem& p, Plan&) { p.buffers[1].pools = {1}; }, ViolationKind::wrongPool);
        row(
            "constant pool by default",
            [](Problem& p, Plan& plan) {
                p.pools[1].kind = PoolKind::constant;
                plan.placements[1].pool = 1;
            },
            ViolationKind::wrongPool);
        row(
            "negative offset", [](Problem&, Plan& plan) { plan.placements[1].offset = -8; }, ViolationKind::negativeOffset);
        row(
            "offset beyond 2^62", [](Problem&, Plan& plan) { plan.placements[1].offset = maxBytes - 4; },
            ViolationKind::negativeOffset);
        row(
            "largest offset",
            [](Problem& p, Plan& plan) {
                p.buffers[1].size = 1;
                plan.placements[1].offset = maxBytes - 1;
            },
            {}, true);
        row(
            "misaligned", [](Problem& p, Plan&) { p.buffers[1].alignment = 16; }, ViolationKind::misaligned);
        row(
            "misaligned for the pool",
            [](Problem& p, Plan&) {
                p.buffers[1].alignment = 4;
                p.pools[0].alignment = 3;
            },
            ViolationKind::misaligned);
        row(
            "off its pin", [](Problem& p, Plan&) { p.buffers[1].pin = 16; }, ViolationKind::offPin);
        row(
            "on its pin", [](Problem& p, Plan&) { p.buffers[1].pin = 8; }, {}, true);
        row(
            "over the capacity", [](Problem& p, Plan&) { p.pools[0].capacity = 15; }, ViolationKind::overCapacity, true);
        row(
            "at the capacity", [](Problem& p, Plan&) { p.pools[0].capacity = 16; }, {}, true);
        row(
            "slots without offsets", [](Problem& p, Plan&) { p.buffers[1].slots = 2; }, ViolationKind::badRotation);
        row(
            "fewer offsets than slots",
            [](Problem& p, Plan& plan) {
                p.buffers[1].slots = 3;
                plan.placements[1].offsets = {8, 16};
                plan.placements[1].rotations = {{.loop = 0, .period = 2}};
            },
            ViolationKind::badRotation);
        row(
            "slots",
            [](Problem& p, Plan& plan) {
                p.buffers[1].slots = 2;
                plan.placements[1].offsets = {8, 16};
                plan.placements[1].rotations = {{.loop = 0, .period = 2}};
            },
            {}, true);
        row(
            "slots on each other",
            [](Problem& p, Plan& plan) {
                p.buffers[1].slots = 2;
                plan.placements[1].offsets = {8, 15};
                plan.placements[1].rotations = {{.loop = 0, .period = 2}};
            },
            ViolationKind::overlap);
        row(
            "second slot on another",
            [](Problem& p, Plan& plan) {
                p.buffers[1].slots = 2;
                plan.placements[1].offsets = {8, 0};
                plan.placements[1].rotations = {{.loop = 0, .period = 2}};
            },
            ViolationKind::overlap);
        row(
            "offsets without rotation", [](Problem&, Plan& plan) { plan.placements[1].offsets = {8}; },
            ViolationKind::badRotation);
        row(
            "rotation without offsets", [](Problem&, Plan& plan) { plan.placements[1].rotations = {{.loop = 0, .period = 1}}; },
            ViolationKind::badRotation);
        row(
            "offset is not the first",
            [](Problem&, Plan& plan) {
                plan.placements[1].offsets = {16, 8};
                plan.placements[1].rotations = {{.loop = 0, .period = 2}};
            },
            ViolationKind::badRotation);
        row(
            "loop that is not around it",
            [](Problem& p, Plan& plan) {
                p.buffers[1].loop = none;
                plan.placements[1].offsets = {8, 16};
                plan.placements[1].rotations = {{.loop = 0, .period = 2}};
            },
            ViolationKind::badRotation);
        row(
            "no such loop",
            [](Problem&, Plan& plan) {
                plan.placements[1].offsets = {8, 16};
                plan.placements[1].rotations = {{.loop = 5, .period = 2}};
            },
            ViolationKind::badRotation);
        row(
            "period 0",
            [](Problem&, Plan& plan) {
                plan.placements[1].offsets = {8};
                plan.placements[1].rotations = {{.loop = 0, .period = 0, .hasFirst = true}};
            },
            ViolationKind::badRotation);
    }

    void judgesEveryPlacementRule()
    {
        using Change = std::function<void(Problem&, Plan&)>;
        QFETCH(Change, change);
        QFETCH(int, kind);
        QFETCH(bool, valid);
        Problem problem = plain({{8, 0, 4}, {8, 2, 6}});
        problem.pools.push_back({.name = "dram"});
        problem.loops = {{.name = "L", .live = {0, 6}}};
        problem.buffers[1].loop = 0;
        Plan plan = at({0, 8});
        change(problem, plan);
        const Verdict verdict = check(problem, plan);
        QCOMPARE(verdict.violations.empty() ? -1 : static_cast<int>(verdict.violations[0].kind), kind);
        QCOMPARE(verdict.violations.size(), std::size_t(kind < 0 ? 0 : 1));
        QCOMPARE(verdict.valid(), valid);
        QCOMPARE(verdict.overCapacity, kind == static_cast<int>(ViolationKind::overCapacity));
        for (const Violation& v : verdict.violations) QVERIFY(describe(problem, v).size() > 10);
    }

    /// The two buffers of a double-buffered loop may lie on each other's offsets as long as they alternate.
    void alternatingSlotsMayUseTheSameBytes()
    {
        Problem problem = plain({{8, 0, 4}, {8, 0, 4}});
        problem.loops = {{.name = "L", .live = {0, 4}}};
        for (Buffer& buffer : problem.buffers) buffer.loop = 0;
        Plan plan = at({0, 8});
        plan.placements[0].offsets = {0, 8};
        plan.placements[1].offsets = {8, 0};
        for (Placement& placement : plan.placements) placement.rotations = {{.loop = 0, .period = 2}};
        QVERIFY(check(problem, plan).valid());
        problem.buffers[1].carried = {{1, {0, 1}}}; // now its value of the last iteration is still there
        const Verdict verdict = check(problem, plan);
        QVERIFY(!verdict.valid());
        QCOMPARE(verdict.violations[0].iteration, 1);
        problem.loops[0].tripCount = 1; // there is no second iteration
        QVERIFY(check(problem, plan).valid());
    }

    void largePeriodsAreJudgedExactly()
    {
        // Offsets 0 of periods 1009 and 1013 meet in iteration 0 and then in 1009 * 1013 = 1022117.
        Problem problem = plain({{1, 0, 4}, {1, 0, 4}});
        problem.loops = {{.name = "L", .live = {0, 4}}};
        for (Buffer& buffer : problem.buffers) buffer.loop = 0;
        Plan plan = at({0, 0});
        for (std::size_t b = 0; b < 2; ++b) {
            const std::int32_t period = b == 0 ? 1009 : 1013;
            Placement& placement = plan.placements[b];
            placement.rotations = {{.loop = 0, .period = period, .hasFirst = true}};
            placement.offset = b == 0 ? 1 : 2;
            placement.offsets = {placement.offset};
            for (std::int32_t i = 0; i < period; ++i) placement.offsets.push_back(i == 0 ? 0 : 3 + 2 * i + static_cast<Bytes>(b));
        }
        const Verdict verdict = check(problem, plan);
        QCOMPARE(verdict.violations.size(), std::size_t{1});
        QCOMPARE(verdict.violations[0].iteration, 1009 * 1013);
        problem.loops[0].tripCount = 1009 * 1013;
        QVERIFY(check(problem, plan).valid());
        problem.loops[0].tripCount = 1009 * 1013 + 1;
        QVERIFY(!check(problem, plan).valid());
    }

    void keepsAtMostTheLimitEarliestFirst()
    {
        std::vector<std::tuple<Bytes, Step, Step>> buffers;
        for (int i = 0; i < 50; ++i) buffers.emplace_back(4, 100 - 2 * i, 102 - 2 * i + 1);
        const Problem problem = plain(buffers);
        const Verdict verdict = check(problem, at(std::vector<Bytes>(50, 0)), 3);
        QCOMPARE(verdict.violations.size(), std::size_t{3});
        QCOMPARE(verdict.violations[0].step, 4);
        QCOMPARE(verdict.violations[1].step, 6);
        QCOMPARE(verdict.violations[2].step, 8);
    }

    void judgesAMillionBuffersInSeconds()
    {
        // Thirty-two lanes of buffers one after the other, in an order that is good for no data structure.
        constexpr std::size_t count = 1'000'000;
        Problem problem;
        problem.pools = {{.name = "p"}};
        problem.buffers.resize(count);
        Plan plan;
        plan.placements.resize(count);
        std::mt19937_64 random(1 + stowage::test::seedShift());
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t b = i * 7'654'321 % count;
            const std::size_t lane = i % 32;
            const auto from = static_cast<Step>(i / 32) * 32 + static_cast<Step>(lane);
            problem.buffers[b].size = 1 + static_cast<Bytes>(random() % 1000);
            problem.buffers[b].live = {{from, from + 32}};
            plan.placements[b] = {.pool = 0,
                                  .offset = static_cast<Bytes>(lane) * 1000 + static_cast<Bytes>(random() % 1000) / 1000};
        }
        const Verdict verdict = check(problem, plan);
        QVERIFY(verdict.valid());
        QVERIFY(verdict.pairsChecked > 30'000'000 && verdict.pairsChecked < 40'000'000); // those live together, and no others
        plan.placements[500'000].offset += 1000;
        QVERIFY(!check(problem, plan).valid());
    }
};

QTEST_GUILESS_MAIN(TestCheck)
#include "tst_check.moc"
