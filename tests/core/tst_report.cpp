// Bounds, certificates, status and use over time: what the core itself says about a plan.
#include "core/ir/checked.h"
#include "core/plan/preferred_pools.h"
#include "core/plan/report.h"
#include "tests/core/exhaustive.h"
#include "tests/core/random_problem.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QObject>
#include <QTest>

#include <algorithm>
#include <numeric>
#include <set>

using namespace stowage;

namespace {

Buffer buffer(std::string name, Bytes size, std::vector<Interval> live)
{
    Buffer b;
    b.name = std::move(name);
    b.size = size;
    b.live = std::move(live);
    return b;
}

Plan at(std::vector<Bytes> offsets)
{
    Plan plan;
    for (const Bytes offset : offsets) plan.placements.push_back({.pool = 0, .offset = offset});
    return plan;
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void boundNeverExceedsTheOptimum_data()
    {
        using test::Kind;
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<int>("minTight"); // per cent of instances whose bound must be the optimum itself
        const auto row = [](const char* name, Kind kind, int minTight) {
            kind.buffers = kind.slots || kind.rotation ? 3 : 4; // the exhaustive search is what takes the time
            kind.largest = 3;
            kind.horizon = 6;
            QTest::newRow(name) << kind << minTight;
        };
        row("plain", {}, 95);
        row("alignment", {.alignment = true}, 60);
        row("gaps and windows", {.gaps = true, .windows = true}, 80);
        row("slots", {.slots = true}, 80);
        row("explicit conflicts", {.explicitConflicts = true}, 80);
        row("dag", {.explicitConflicts = true, .dag = true}, 80);
        row("sharing", {.sharing = true}, 60);
        row("unique", {.unique = true}, 80);
        row("pins", {.pins = true}, 50);
        row("carried", {.rotation = true}, 40);
        row("everything",
            {.gaps = true,
             .windows = true,
             .rotation = true,
             .explicitConflicts = true,
             .sharing = true,
             .unique = true,
             .alignment = true},
            30);
    }

    void boundNeverExceedsTheOptimum()
    {
        QFETCH(test::Kind, kind);
        QFETCH(int, minTight);
        const std::uint64_t seed = 42;
        test::Generator random(seed + stowage::test::seedShift());
        int tight = 0, found = 0;
        for (int round = 0; round < 100; ++round) {
            const Problem problem = random.problem(kind);
            const auto context = QStringLiteral("seed %1 round %2").arg(seed).arg(round);
            const CliqueCertificate certificate = lowerBound(problem, 0);
            QVERIFY2(recheck(problem, certificate), qPrintable(context));
            QVERIFY2(certificate.bytes == 0 || !test::Exhaustive(problem, certificate.bytes - 1).anyPlan(),
                     qPrintable(context + QStringLiteral(": there is a plan below %1").arg(certificate.bytes)));
            // A pin can make every plan larger than what is tried here, and a carried value may need a longer rotation.
            for (Bytes limit = certificate.bytes; limit < certificate.bytes + 3; ++limit)
                if (test::Exhaustive(problem, limit).anyPlan()) {
                    tight += limit == certificate.bytes;
                    ++found;
                    break;
                }
            CliqueCertificate more = certificate;
            ++more.bytes;
            QVERIFY2(!recheck(problem, more), qPrintable(context));
        }
        QVERIFY2(100 * tight >= minTight * found && found > 50,
                 qPrintable(QStringLiteral("%1 of %2 tight").arg(tight).arg(found)));
    }

    void boundOfAllPoolsNeverExceedsTheSmallestSum()
    {
        const std::uint64_t seed = 43;
        test::Generator random(seed + stowage::test::seedShift());
        for (int round = 0; round < 100; ++round) {
            Problem problem = random.problem({.pools = true, .alignment = true, .buffers = 3, .horizon = 5, .largest = 3});
            for (Pool& pool : problem.pools) pool.capacity.reset();
            const CliqueCertificate total = lowerBound(problem, none);
            QVERIFY(recheck(problem, total));
            QVERIFY2(total.bytes == 0 || !test::Exhaustive(problem, total.bytes - 1).anyPlan(),
                     qPrintable(QStringLiteral("seed %1 round %2").arg(seed).arg(round)));
        }
    }

    void boundOfAPlanHoldsForItsAssignmentToPools()
    {
        Problem problem;
        problem.pools = {{.name = "fast"}, {.name = "slow"}};
        problem.buffers = {buffer("a", 8, {{0, 2}}), buffer("b", 8, {{0, 2}}), buffer("c", 4, {{1, 3}})};
        Plan plan = at({0, 0, 8});
        plan.placements[1].pool = 1;
        QCOMPARE(lowerBound(problem, 0).bytes, 0); // they may go anywhere
        QCOMPARE(lowerBound(problem, none).bytes, 20);
        const CliqueCertificate fast = lowerBound(problem, plan, 0);
        QCOMPARE(fast.bytes, 12);
        QCOMPARE(fast.buffers, (std::vector<BufferId>{0, 2}));
        QVERIFY(recheck(problem, plan, fast));
        QVERIFY(!recheck(problem, fast)); // another plan may put them elsewhere
        plan.placements[2].pool = 1;
        QVERIFY(!recheck(problem, plan, fast));
    }

    void alignmentCountsBetweenBuffersButNotAtTheTop()
    {
        Problem problem;
        problem.pools = {{.name = "p", .alignment = 4}};
        problem.buffers = {buffer("a", 5, {{0, 2}}), buffer("b", 5, {{1, 3}})};
        QCOMPARE(lowerBound(problem, 0).bytes, 13); // 0 to 5 and 8 to 13
        problem.pools[0].alignment = 1;
        problem.buffers[0].alignment = 4;
        QCOMPARE(lowerBound(problem, 0).bytes, 10); // b may lie at 0, a at 8 would be 13, but a at 0 and b at 5 is 10
        problem.buffers = {buffer("a", 10, {}), buffer("b", 8, {})};
        problem.buffers[1].alignment = 16;
        problem.buffers[0].conflicts = {1};
        problem.buffers[1].conflicts = {0};
        QCOMPARE(lowerBound(problem, 0).bytes, 18); // b at 0, a at 8
        // Sixteen buffers of 5 bytes on multiples of 16, and one that lies anywhere: the sixteen need 15 * 16 + 5 by themselves.
        problem.buffers.clear();
        for (int i = 0; i < 16; ++i) {
            problem.buffers.push_back(buffer("b" + std::to_string(i), 5, {{0, 1}}));
            problem.buffers.back().alignment = 16;
        }
        problem.buffers.push_back(buffer("loose", 3, {{0, 1}}));
        QCOMPARE(lowerBound(problem, 0).bytes, 245);
    }

    void recheckRefusesWhatIsNotProved()
    {
        Problem problem;
        problem.pools = {{.name = "p"}, {.name = "q"}};
        problem.buffers = {buffer("a", 8, {{0, 4}}), buffer("b", 8, {{2, 6}}), buffer("c", 8, {{5, 9}}),
                           buffer("z", 0, {{0, 9}})};
        for (Buffer& b : problem.buffers) b.pools = {0};
        const auto holds = [&](Bytes bytes, Step step, std::vector<BufferId> members) {
            return recheck(problem, {0, bytes, step, std::move(members)});
        };
        QVERIFY(holds(16, 3, {0, 1}));
        QVERIFY(holds(16, -1, {1, 0}));
        QVERIFY(holds(0, -1, {}));
        QVERIFY(!holds(17, 3, {0, 1}));
        QVERIFY(!holds(1, -1, {}));
        QVERIFY(!holds(16, 1, {0, 1}));    // b is not live at 1
        QVERIFY(!holds(16, -1, {0, 2}));   // these do not conflict
        QVERIFY(!holds(24, 3, {0, 1, 1})); // twice
        QVERIFY(!holds(8, 3, {0, 3}));     // size 0
        QVERIFY(!holds(8, 3, {0, 9}));
        QVERIFY(!holds(8, 3, {0, -1}));
        QVERIFY(!holds(0, -1, {9}));
        QVERIFY(!recheck(problem, {7, 8, 3, {0}}));
        problem.buffers[0].mayShare = {1};
        QVERIFY(!holds(16, 3, {0, 1}));
        problem.buffers[0].mayShare.clear();
        problem.buffers[0].pools = {0, 1};
        QVERIFY(!holds(16, 3, {0, 1})); // a may go elsewhere
        QVERIFY(recheck(problem, {none, 16, 3, {0, 1}}));
    }

    void usageEqualsCountingBytes_data()
    {
        using test::Kind;
        QTest::addColumn<Kind>("kind");
        QTest::newRow("plain") << Kind{};
        QTest::newRow("many") << Kind{.buffers = 20, .horizon = 16};
        QTest::newRow("everything") << Kind{
            .gaps = true, .windows = true, .slots = true, .rotation = true, .sharing = true, .pools = true, .alignment = true};
    }

    void usageEqualsCountingBytes()
    {
        QFETCH(test::Kind, kind);
        const std::uint64_t seed = 99;
        test::Generator random(seed + stowage::test::seedShift());
        for (int round = 0; round < test::randomCases(1500); ++round) {
            const Problem problem = random.problem(kind);
            const Plan plan = random.plan(problem, 40);
            const auto context = QStringLiteral("seed %1 round %2").arg(seed).arg(round);
            const std::vector<UsageSample> samples = usage(problem, plan, 0);
            const Bytes size = plan.poolSize(problem, 0);
            QVERIFY(samples.empty() || samples.front().step == 0);
            for (std::size_t i = 1; i < samples.size(); ++i) QVERIFY(samples[i - 1].step < samples[i].step);
            std::size_t current = 0;
            for (Step step = 0; step < 20; ++step) {
                std::vector<bool> used(static_cast<std::size_t>(size));
                Bytes live = 0;
                bool any = false;
                for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
                    const Buffer& it = problem.buffers[b];
                    const Placement& place = plan.placements[b];
                    if (place.pool != 0 || it.size == 0) continue;
                    any |= !it.live.empty();
                    const auto offsets = place.rotating() ? std::vector<Bytes>(place.offsets) : std::vector<Bytes>{place.offset};
                    const auto mark = [&](Bytes low, Bytes high) {
                        for (const Bytes offset : offsets)
                            for (Bytes byte = offset + low; byte < offset + high; ++byte)
                                used[static_cast<std::size_t>(byte)] = true;
                    };
                    std::set<std::int32_t> values;
                    for (const Interval& i : it.live)
                        if (i.contains(step)) values.insert(0), mark(0, it.size);
                    for (const Carried& c : it.carried)
                        if (c.live.contains(step)) {
                            mark(0, it.size);
                            const auto trips = problem.loops[static_cast<std::size_t>(it.loop)].tripCount;
                            if (!trips || *trips > c.distance) values.insert(c.distance);
                        }
                    if (!values.empty()) live += it.size * std::max<Bytes>(it.slots, static_cast<Bytes>(values.size()));
                    for (const Window& w : it.windows)
                        if (w.live.contains(step)) {
                            mark(w.low, w.high);
                            // Of several slots what is carried holds all, and the window lies in one of these.
                            if (it.slots == 1 || values.empty()) live += (w.high - w.low) * it.slots;
                        }
                }
                QCOMPARE(samples.empty(), !any);
                if (!any) break;
                while (current + 1 < samples.size() && samples[current + 1].step <= step) ++current;
                const UsageSample& sample = samples[current];
                Bytes top = 0, free = 0, largest = 0, run = 0;
                for (Bytes byte = 0; byte < size; ++byte) {
                    const bool in = used[static_cast<std::size_t>(byte)];
                    top = in ? byte + 1 : top;
                    free += !in;
                    run = in ? 0 : run + 1;
                    largest = std::max(largest, run);
                }
                const auto here = context + QStringLiteral(" step %1").arg(step);
                // Bytes that two may share are live once: with such a pair no more is live than is occupied.
                bool shared = false;
                for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                    shared |= plan.placements[b].pool == 0 && problem.buffers[b].size > 0 && !problem.buffers[b].mayShare.empty();
                if (shared) live = std::min(live, size - free);
                QVERIFY2(sample.live == live, qPrintable(here));
                QVERIFY2(sample.top == top, qPrintable(here));
                QVERIFY2(sample.free == free, qPrintable(here));
                QVERIFY2(sample.largestFree == largest, qPrintable(here));
            }
            if (!samples.empty()) QCOMPARE(samples.back().live, 0);
        }
    }

    void peakAgreesWithUsage()
    {
        test::Generator random(5 + stowage::test::seedShift());
        for (int round = 0; round < test::randomCases(2000); ++round) {
            const Problem problem =
                random.problem({.gaps = true, .windows = true, .slots = true, .sharing = round % 2 == 1, .buffers = 8});
            const Plan plan = random.plan(problem, 40);
            const PoolReport pool = evaluate(problem, plan).pools[0];
            const std::vector<UsageSample> samples = usage(problem, plan, 0);
            const auto peak = std::max_element(samples.begin(), samples.end(),
                                               [](const UsageSample& a, const UsageSample& b) { return a.live < b.live; });
            if (samples.empty()) continue;
            QCOMPARE(pool.liveAtPeak, peak->live);
            QCOMPARE(pool.peakStep, peak->step);
            QCOMPARE(pool.freeAtPeak, peak->free);
            QCOMPARE(pool.size, plan.poolSize(problem, 0));
        }
    }

    /// b is written over a: 6 bytes are live while both are, and never more than the pool has.
    void whatIsWrittenInPlaceIsLiveOnce()
    {
        Problem problem;
        problem.pools.emplace_back().name = "p";
        problem.buffers = {buffer("a", 6, {{0, 3}}), buffer("b", 4, {{2, 5}}), buffer("c", 1, {{4, 5}})};
        problem.buffers[0].mayShare = {1};
        problem.buffers[1].mayShare = {0};
        const PoolReport pool = evaluate(problem, at({0, 0, 4})).pools[0];
        QCOMPARE(pool.size, 6);
        QCOMPARE(pool.liveAtPeak, 6);
        QCOMPARE(pool.peakStep, 0);
        QCOMPARE(pool.freeAtPeak, 0);
        // Side by side they are two.
        const PoolReport apart = evaluate(problem, at({0, 6, 4})).pools[0];
        QCOMPARE(apart.liveAtPeak, 10);
        QCOMPARE(apart.peakStep, 2);
    }

    void paddingIsWhatAlignmentAloneCosts()
    {
        Problem problem;
        problem.pools = {{.name = "p", .alignment = 8}};
        problem.buffers = {buffer("a", 5, {{0, 4}}), buffer("b", 4, {{0, 4}}), buffer("c", 8, {{0, 4}}),
                           buffer("late", 64, {{5, 6}})};
        problem.buffers[3].size = 1;
        // a [0, 5), 3 bytes of padding, b [8, 12), 4 bytes of padding and 8 more of hole, c [24, 32)
        const Report report = evaluate(problem, at({0, 8, 24, 0}));
        QCOMPARE(report.pools[0].padding, 3);
        QCOMPARE(report.pools[0].freeAtPeak, 32 - 17);
        QCOMPARE(report.pools[0].liveAtPeak, 17);
        QCOMPARE(report.pools[0].peakStep, 0);
        QCOMPARE(evaluate(problem, at({0, 8, 16, 0})).pools[0].padding, 7);
        QCOMPARE(report.pools[0].lowerBound, 20); // c and a or b first: 8 + 8 + 4
        QVERIFY(qAbs(report.pools[0].gap() - 0.6) < 1e-12);
    }

    void statusFollowsTheRules_data()
    {
        struct Case {
            Problem problem;
            Plan plan;
        };
        QTest::addColumn<Problem>("problem");
        QTest::addColumn<Plan>("plan");
        QTest::addColumn<QString>("status");
        QTest::addColumn<int>("proof");
        Problem problem;
        problem.pools = {{.name = "p"}};
        problem.buffers = {buffer("a", 8, {{0, 2}}), buffer("b", 8, {{1, 3}}), buffer("c", 8, {{2, 4}})};
        const Plan best = at({0, 8, 0});
        const Plan worse = at({0, 8, 16});
        const auto row = [&](const char* name, const Problem& p, Plan plan, const char* status, ProofKind proof,
                             std::vector<Certificate> claims = {}, StoppedBy by = StoppedBy::complete) {
            plan.claims = std::move(claims);
            plan.stoppedBy = by;
            QTest::newRow(name) << p << plan << status << static_cast<int>(proof);
        };
        const auto capped = [&](Bytes capacity) {
            Problem p = problem;
            p.pools[0].capacity = capacity;
            return p;
        };
        row("at the bound", problem, best, "optimal", ProofKind::bound);
        row("at the bound though stopped", problem, best, "optimal", ProofKind::bound, {}, StoppedBy::deadline);
        row("above the bound", problem, worse, "feasible", ProofKind::unproven);
        row("above, proved by search", problem, worse, "optimal", ProofKind::search,
            {SearchCertificate{.pool = 0, .bytes = 24, .by = "exact"}});
        row("above, search proved less", problem, worse, "feasible", ProofKind::unproven,
            {SearchCertificate{.pool = 0, .bytes = 20, .by = "exact"}});
        row("above, claimed by a plug-in", problem, worse, "feasible", ProofKind::claim,
            {ForeignClaim{.pool = 0, .bytes = 24, .statement = "optimal"}});
        row("false clique claimed", problem, worse, "feasible", ProofKind::unproven, {CliqueCertificate{0, 24, -1, {0, 1, 2}}});
        row("over, but not proved", capped(20), worse, "does-not-fit", ProofKind::unproven);
        row("over, and stopped", capped(20), worse, "undecided", ProofKind::unproven, {}, StoppedBy::workLimit);
        row("over, and below the bound", capped(15), worse, "infeasible", ProofKind::bound);
        row("over, proved by search", capped(20), worse, "infeasible", ProofKind::search,
            {SearchCertificate{.pool = 0, .bytes = 20, .infeasible = true, .by = "exact"}});
        row("over, search proved less", capped(20), worse, "does-not-fit", ProofKind::unproven,
            {SearchCertificate{.pool = 0, .bytes = 18, .infeasible = true, .by = "exact"}});
        row("over, claimed by a plug-in", capped(20), worse, "does-not-fit", ProofKind::claim,
            {ForeignClaim{.pool = 0, .bytes = 20, .statement = "infeasible"}});
        row("overlapping", problem, at({0, 0, 0}), "invalid", ProofKind::unproven);
        row("overlapping and over", capped(15), at({0, 0, 8}), "invalid", ProofKind::unproven);
        row("nothing placed", problem, Plan{}, "invalid", ProofKind::unproven);
        row("nothing placed, stopped", problem, Plan{}, "undecided", ProofKind::unproven, {}, StoppedBy::cancelled);
        row("nothing placed, infeasible", capped(15), Plan{}, "infeasible", ProofKind::bound);
        row("no buffers", Problem{.pools = problem.pools}, Plan{}, "optimal", ProofKind::bound);
        // a and b need 16 bytes; two pools of 8 and 4 have 12.
        Problem two = problem;
        two.pools = {{.name = "p", .capacity = 8}, {.name = "q", .capacity = 4}};
        row("sum of capacities below all", two, best, "infeasible", ProofKind::bound);
        // Split over two unbounded pools: each holds 8, all of what is live.
        two.pools = {{.name = "p"}, {.name = "q"}};
        Plan split = at({0, 0, 0});
        split.placements[1].pool = 1;
        row("split at the total bound", two, split, "optimal", ProofKind::bound);
        split.placements[2].pool = 1;
        split.placements[2].offset = 8;
        row("split above the total bound", two, split, "feasible", ProofKind::unproven);
        // Beside them a memory of constants, which no other buffer may go to: what is in p and q adds up to all that is live,
        // though c would have had room in p, the one that it prefers; so no choice of pools takes less.
        Problem apart = problem;
        apart.pools = {{.name = "p", .capacity = 16}, {.name = "q"}, {.name = "r", .kind = PoolKind::constant}};
        for (Buffer& each : apart.buffers) each.pools = {0, 1};
        apart.buffers.push_back(buffer("k", 5, {{0, 4}}));
        apart.buffers.back().kind = BufferKind::constant;
        apart.buffers.back().pools = {2};
        Plan parts = at({0, 0, 0, 0});
        parts.placements[1].pool = 1;
        parts.placements[3].pool = 2;
        row("parts at their bounds", apart, parts, "optimal", ProofKind::bound);
        parts.placements[2].pool = 1;
        parts.placements[2].offset = 8;
        row("a part above its bound", apart, parts, "feasible", ProofKind::unproven);
        // The 12 bytes of p do not take b beside a. So b lies in q, all others lie in p, the memory that they prefer, and p and q
        // take 11 + 8 bytes. All in q would take 16.
        Problem preferred = apart;
        preferred.pools[0].capacity = 12;
        preferred.buffers.push_back(buffer("d", 3, {{3, 5}}));
        preferred.buffers.back().pools = {0, 1};
        Plan first = at({0, 0, 0, 0, 8});
        first.placements[1].pool = 1;
        first.placements[3].pool = 2;
        row("each in the first memory with room", preferred, first, "optimal", ProofKind::bound);
        first.placements[2] = {.pool = 1, .offset = 8};
        first.placements[4].offset = 0;
        row("one passed over where it has room", preferred, first, "feasible", ProofKind::unproven);
        // The neighbours in a ring of five conflict: no clique shows more than 2, but 3 are needed.
        Problem ring;
        ring.axis = Axis::dag;
        ring.pools = problem.pools;
        for (BufferId i = 0; i < 5; ++i) {
            ring.buffers.push_back(buffer(std::string(1, static_cast<char>('a' + i)), 1, {}));
            ring.buffers.back().conflicts = {(i + 1) % 5, (i + 4) % 5};
            std::sort(ring.buffers.back().conflicts.begin(), ring.buffers.back().conflicts.end());
        }
        row("ring of five", ring, at({0, 1, 0, 1, 2}), "feasible", ProofKind::unproven);
    }

    void statusFollowsTheRules()
    {
        QFETCH(Problem, problem);
        QFETCH(Plan, plan);
        QFETCH(QString, status);
        QFETCH(int, proof);
        const Report report = evaluate(problem, plan);
        const std::string_view text = toText(report.status);
        QCOMPARE(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())), status);
        QCOMPARE(static_cast<int>(report.proof), proof);
    }

    void theScopeOfAProofIsSaid()
    {
        Problem problem;
        problem.pools = {{.name = "p", .capacity = 12}, {.name = "q"}};
        problem.buffers = {buffer("a", 8, {{0, 2}}), buffer("b", 8, {{1, 3}}), buffer("c", 8, {{2, 4}}),
                           buffer("d", 3, {{3, 5}})};
        Plan plan = at({0, 0, 0, 8});
        plan.placements[1].pool = 1;
        const Report preferred = evaluate(problem, plan);
        QCOMPARE(preferred.status, Status::optimal);
        QCOMPARE(preferred.among, OptimalAmong::preferredPools);
        QCOMPARE(preferred.totalSize(), 19);
        QVERIFY(!firstPassedOver(problem, plan, std::vector<PoolId>{0, 1}));
        // With a capacity of 16 b has room beside a: what is as small as it can be in its memories is not where it prefers to be.
        problem.pools[0].capacity = 16;
        QCOMPARE(evaluate(problem, plan).status, Status::feasible);
        QCOMPARE(firstPassedOver(problem, plan, std::vector<PoolId>{0, 1}), (Passed{.buffer = 1, .pool = 0}));
        // All in the second memory is the smallest total, and that is proved of every plan, whatever is preferred.
        plan = at({0, 8, 0, 8});
        for (Placement& each : plan.placements) each.pool = 1;
        const Report smallest = evaluate(problem, plan);
        QCOMPARE(smallest.totalSize(), 16);
        QCOMPARE(smallest.status, Status::optimal);
        QCOMPARE(smallest.among, OptimalAmong::everyPlan);
    }

    void betterCliqueOfThePlannerIsRecheckedAndTaken()
    {
        // A triangle of weight 12, with a heavier buffer at each corner that draws any greedy choice away: it is heavier than the
        // other corners, and so are its neighbours.
        Problem problem;
        problem.axis = Axis::dag;
        problem.pools = {{.name = "p"}};
        const auto connect = [&](BufferId a, BufferId b) {
            problem.buffers[static_cast<std::size_t>(a)].conflicts.push_back(b);
            problem.buffers[static_cast<std::size_t>(b)].conflicts.push_back(a);
        };
        for (int i = 0; i < 3; ++i) problem.buffers.push_back(buffer("corner" + std::to_string(i), 4, {}));
        for (BufferId i = 0; i < 3; ++i) {
            const auto lure = static_cast<BufferId>(problem.buffers.size());
            problem.buffers.push_back(buffer("lure" + std::to_string(i), 5, {}));
            connect(i, (i + 1) % 3);
            connect(i, lure);
            for (int leaf = 0; leaf < 50; ++leaf) {
                problem.buffers.push_back(buffer("leaf" + std::to_string(problem.buffers.size()), 1, {}));
                connect(lure, static_cast<BufferId>(problem.buffers.size() - 1));
            }
        }
        QVERIFY(checkAndRepair(problem).empty());
        Plan plan = at({0, 4, 8});
        for (const auto& [lure, leaf] : {std::pair<Bytes, Bytes>{4, 0}, {8, 0}, {0, 12}}) {
            plan.placements.push_back({.pool = 0, .offset = lure});
            plan.placements.insert(plan.placements.end(), 50, {.pool = 0, .offset = leaf});
        }
        QVERIFY(check(problem, plan).valid());
        QCOMPARE(evaluate(problem, plan).pools[0].lowerBound, 9);
        plan.claims = {CliqueCertificate{0, 13, -1, {0, 1, 3}}}; // the lure does not conflict with the second corner
        QCOMPARE(evaluate(problem, plan).pools[0].lowerBound, 9);
        plan.claims = {CliqueCertificate{0, 12, -1, {0, 1, 2}}};
        const PoolReport pool = evaluate(problem, plan).pools[0];
        QCOMPARE(pool.lowerBound, 12);
        QCOMPARE(pool.certificate.buffers, (std::vector<BufferId>{0, 1, 2}));
    }

    void pressureOfTvmsSubgraphsIsFound()
    {
        // Sizes and conflicts as in TVM's tests; its memory pressure is published beside them.
        Problem problem;
        problem.axis = Axis::dag;
        problem.pools = {{.name = "fast", .capacity = 200704}, {.name = "slow"}};
        const auto add = [&](std::string name, Bytes size, std::vector<BufferId> conflicts) {
            problem.buffers.push_back(buffer(std::move(name), size, {}));
            problem.buffers.back().conflicts = std::move(conflicts);
        };
        add("sid_9", 301056, {2});
        add("sid_8", 802816, {2, 3, 4});
        add("PaddedInput_7", 314646, {0, 1, 3});
        add("Conv2dOutput_7", 256, {1, 2});
        add("tensor_2", 200704, {1});
        QVERIFY(checkAndRepair(problem).empty());
        QCOMPARE(lowerBound(problem, none).bytes, 1117718);
    }

    // Capacities may be the largest number there is, and together more than 64 bits hold.
    void theLargestCapacitiesTogetherAreNotTooSmall()
    {
        Problem problem;
        for (const char* name : {"p", "q", "r"}) problem.pools.push_back({.name = name, .capacity = maxBytes});
        problem.pools[0].capacity = 4;
        Buffer& buffer = problem.buffers.emplace_back();
        buffer.name = "b";
        buffer.size = 5;
        buffer.live = {{0, 1}};
        QVERIFY(checkAndRepair(problem).empty());
        Plan plan;
        plan.placements = {{.pool = 0, .offset = 0}};
        QCOMPARE(evaluate(problem, plan).status, Status::doesNotFit);
    }

    void boundsAMillionBuffersInSeconds()
    {
        constexpr std::size_t count = 1'000'000;
        Problem problem;
        problem.pools = {{.name = "p", .alignment = 16}};
        problem.buffers.resize(count);
        Plan plan;
        plan.placements.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t b = i * 7'654'321 % count;
            const auto from = static_cast<Step>(i / 32) * 32 + static_cast<Step>(i % 32);
            problem.buffers[b].size = 1 + static_cast<Bytes>(i * i % 1000);
            problem.buffers[b].live = {{from, from + 32}};
            plan.placements[b] = {.pool = 0, .offset = static_cast<Bytes>(i % 32) * 1008};
        }
        const Report report = evaluate(problem, plan);
        QVERIFY(report.verdict.valid());
        QVERIFY(recheck(problem, report.pools[0].certificate));
        QVERIFY(usage(problem, plan, 0).size() > 900'000);
    }
};

QTEST_GUILESS_MAIN(TestReport)
#include "tst_report.moc"
