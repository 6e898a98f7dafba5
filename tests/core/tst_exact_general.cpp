// The exact planner and its search over pairs against plain enumeration, on what the pile search alone cannot take: windows,
// buffers that may share, several pools. The enumeration writes every byte of every step down as a bit.
#include "core/plan/objective.h"
#include "core/plan/report.h"
#include "core/planners/exact/exact.h"
#include "core/planners/exact/joint.h"
#include "core/planners/exact/pair_search.h"
#include "core/planners/exact/pool_search.h"
#include "core/planners/exact/refine.h"
#include "core/planners/greedy/greedy_by_size.h"
#include "tests/core/exact_general_model.h"
#include "tests/support/buffer_of.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QtTest/QTest>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

using namespace stowage;

class TestExactGeneral : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pairSearchAnswersAsEnumerationDoes_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("off");
        const char* rules[] = {"", ", without bound", ", without forced", ", without cycle", ", without slots", ", without any"};
        for (std::size_t k = 0; k < std::size(kinds); ++k)
            for (int off = 0; off < 6; ++off) QTest::addRow("%s%s", kinds[k].name, rules[off]) << static_cast<int>(k) << off;
    }
    void pairSearchAnswersAsEnumerationDoes()
    {
        QFETCH(int, kind);
        QFETCH(int, off);
        exact::PairRules rules;
        bool* switches[] = {nullptr, &rules.bound, &rules.forced, &rules.cycle, &rules.slots, nullptr};
        if (switches[off]) *switches[off] = false;
        if (off == 5) rules = {false, false, false, false};
        int foundOnes = 0, impossibleOnes = 0;
        constexpr unsigned cases = test::randomCases(1000U);
        for (unsigned seed = 0; seed < cases; ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            const Problem problem = randomProblem(random, kinds[kind], 5);
            std::vector<BufferId> all(problem.buffers.size());
            std::iota(all.begin(), all.end(), 0);
            const auto instance = exact::PairInstance::make(problem, 0, all);
            QVERIFY(instance);
            exact::PairSearch search(*instance, rules);
            for (Bytes capacity = 2 + static_cast<Bytes>(seed % 3); capacity <= 14; capacity += 3) {
                const bool expected = fits(problem, 0, all, capacity);
                const auto outcome = search.run(capacity / instance->unit, 1'000'000);
                if (outcome != (expected ? exact::Outcome::found : exact::Outcome::impossible))
                    QFAIL(qPrintable(QStringLiteral("seed %1, capacity %2: enumeration says %3, the search answers %4")
                                         .arg(seed)
                                         .arg(capacity)
                                         .arg(expected)
                                         .arg(static_cast<int>(outcome))));
                ++(expected ? foundOnes : impossibleOnes);
                if (!expected) continue;
                std::vector<Held> held;
                for (std::int32_t i = 0; i < instance->count(); ++i) {
                    const auto at = static_cast<std::size_t>(i);
                    const auto id = static_cast<std::size_t>(instance->buffers[at]);
                    const Bytes offset = search.offsets()[at] * instance->unit;
                    QVERIFY(offset + problem.buffers[id].size <= capacity);
                    held.push_back(hold(problem.buffers[id], id, offset));
                    for (std::size_t j = 0; j < at; ++j) QVERIFY(!collide(problem, held[at], held[j]));
                }
            }
        }
        QVERIFY(foundOnes > test::randomCases(300) && impossibleOnes > test::randomCases(300));
    }

    // The search for piles on what tst_exact_search has none of: buffers that may share or share with nobody, and problems
    // without steps; one rule or all of them off, and the memory of one run kept for the next, whose capacity may be smaller or
    // larger.
    void pileSearchAnswersAsEnumerationDoes_data()
    {
        QTest::addColumn<int>("kind");
        const char* names[] = {"share", "share, conflicts, alignment", "share, slots, pins", "unique",
                               "dag",   "dag, share, conflicts, slots"};
        for (int kind = 0; kind < 6; ++kind) QTest::addRow("%s", names[kind]) << kind;
    }
    void pileSearchAnswersAsEnumerationDoes()
    {
        static constexpr Kind pileKinds[] = {{.name = "", .share = true},
                                             {.name = "", .share = true, .alignment = true, .conflicts = true},
                                             {.name = "", .share = true, .pins = true, .slots = true},
                                             {.name = "", .slots = true, .unique = true},
                                             {.name = ""},
                                             {.name = "", .share = true, .conflicts = true, .slots = true}};
        constexpr Bytes capacities[] = {14, 11, 8, 5, 3, 7, 10};
        QFETCH(int, kind);
        int foundOnes = 0, impossibleOnes = 0;
        constexpr unsigned cases = test::randomCases(300U);
        for (unsigned seed = 0; seed < cases; ++seed) {
            std::mt19937 random(seed + 5'000 + stowage::test::seedShift());
            const Problem problem = randomProblem(random, pileKinds[kind], kind == 5 ? 5 : 6);
            std::vector<BufferId> all(problem.buffers.size());
            std::iota(all.begin(), all.end(), 0);
            Problem searched = problem;
            if (kind >= 4) { // what steps say becomes explicit, and for half of the buffers the steps are gone
                searched.axis = Axis::dag;
                for (std::size_t a = 0; a < all.size(); ++a) {
                    auto& conflicts = searched.buffers[a].conflicts;
                    conflicts.clear();
                    for (std::size_t b = 0; b < all.size(); ++b)
                        if (a != b && collide(problem, hold(problem.buffers[a], a, 0), hold(problem.buffers[b], b, 0)))
                            conflicts.push_back(static_cast<BufferId>(b));
                    if ((seed + a) % 2 == 0) searched.buffers[a].live.clear();
                }
            }
            const auto instance = exact::Instance::make(searched, 0, all);
            QVERIFY(instance);
            std::vector<double> preference(static_cast<std::size_t>(instance->count()));
            for (double& value : preference) value = static_cast<double>(random() % 1000);
            std::array<bool, std::size(capacities)> expected{};
            for (std::size_t k = 0; k < std::size(capacities); ++k) {
                const auto larger = std::find_if(capacities, capacities + k, [&](const Bytes& other) {
                    return other > capacities[k] && !expected[static_cast<std::size_t>(&other - capacities)];
                });
                expected[k] = larger == capacities + k &&
                              fits(problem, 0, all, capacities[k]); // nothing fits into less than what nothing fits into
            }
            for (int off = 0; off < 8; ++off) {
                exact::Rules rules;
                bool* switches[] = {nullptr,      &rules.sectionBound, &rules.onlyFiller, &rules.unblocked,
                                    &rules.twins, &rules.split,        &rules.remember,   nullptr};
                if (switches[off]) *switches[off] = false;
                if (off == 7) rules = {false, false, false, false, false, false};
                exact::SkylineSearch search(*instance, rules);
                for (std::size_t k = 0; k < std::size(capacities); ++k) {
                    const Bytes capacity = capacities[k];
                    const exact::Strategy strategy{preference, static_cast<std::int32_t>(seed % 4),
                                                   static_cast<std::int32_t>(seed / 4 % 3 * 2)};
                    const auto outcome = search.run(static_cast<std::int32_t>(capacity / instance->unit), strategy, 1'000'000);
                    if (outcome != (expected[k] ? exact::Outcome::found : exact::Outcome::impossible))
                        QFAIL(qPrintable(
                            QStringLiteral("seed %1, capacity %2, rule %3 off: enumeration says %4, the search answers %5")
                                .arg(seed)
                                .arg(capacity)
                                .arg(off)
                                .arg(expected[k])
                                .arg(static_cast<int>(outcome))));
                    ++(expected[k] ? foundOnes : impossibleOnes);
                    if (!expected[k]) continue;
                    std::vector<Held> held;
                    for (std::int32_t i = 0; i < instance->count(); ++i) {
                        const auto at = static_cast<std::size_t>(i);
                        const auto id = static_cast<std::size_t>(instance->buffers[at]);
                        const Bytes offset = search.offsets()[at] * instance->unit;
                        QVERIFY(offset >= 0 && offset + problem.buffers[id].size <= capacity);
                        held.push_back(hold(problem.buffers[id], id, offset));
                        for (std::size_t j = 0; j < at; ++j) QVERIFY(!collide(problem, held[at], held[j]));
                    }
                }
            }
        }
        QVERIFY2(foundOnes > test::randomCases(200) && impossibleOnes > test::randomCases(200),
                 qPrintable(QStringLiteral("%1 found, %2 impossible").arg(foundOnes).arg(impossibleOnes)));
    }

    // One buffer after the other is pushed up by all below it, each time by a little more: long, but no cycle. The layout with
    // 1,000,000 between neighbours keeps every distance.
    void manyPushesAreNoCycle()
    {
        constexpr std::int64_t step = 1'000'000, first = 10 * step;
        for (int count = 4; count <= 60; count += 4)
            for (const int shape : {1, 2, 3}) {
                exact::PairInstance instance;
                const std::int64_t capacity = count * step + first + 1;
                for (int i = 0; i <= count; ++i) {
                    instance.buffers.push_back(i);
                    instance.sizes.push_back(1);
                    instance.alignments.push_back(1);
                    instance.pins.push_back(-1);
                }
                const auto above = [&](int low, int high, std::int64_t by) { // so much at least; never the other way round
                    const auto begin = static_cast<std::int32_t>(instance.forbidden.size());
                    instance.forbidden.push_back({-capacity - 1, by});
                    instance.pairs.push_back({low, high, begin, begin + 1});
                };
                for (int i = count - 1; i >= 1; --i)
                    for (int j = count; j > i; --j) {
                        std::int64_t lack = 1;
                        for (int k = 0; k < shape; ++k) lack *= j - i - 1;
                        above(i, j, (j - i) * step - lack);
                    }
                above(0, 1, first);
                for (const bool cycle : {true, false}) {
                    exact::PairRules rules;
                    rules.cycle = cycle;
                    exact::PairSearch search(instance, rules);
                    QCOMPARE(search.run(capacity, 1'000'000), exact::Outcome::found);
                    for (int i = 1; i <= count; ++i)
                        QCOMPARE(search.offsets()[static_cast<std::size_t>(i)], first + (i - 1) * step);
                    QCOMPARE(search.run(first + (count - 1) * step, 1'000'000), exact::Outcome::impossible);
                }
                // And a cycle: what is at the top is to lie below the first one as well.
                above(1, count, capacity);
                instance.forbidden.back().low = -5;
                exact::PairSearch search(instance);
                QCOMPARE(search.run(capacity, 1'000'000), exact::Outcome::impossible);
            }
    }

    // Branches stand one inside the other, on the stack: beyond some thousands that is a limit like another, and no crash.
    void veryDeepBranchesAreALimit()
    {
        const auto outcome = [](std::int32_t apart) {
            exact::PairInstance instance; // many independent pairs, each a branch
            for (std::int32_t i = 0; i < 2 * apart; ++i) {
                instance.buffers.push_back(i);
                instance.sizes.push_back(1);
                instance.alignments.push_back(1);
                instance.pins.push_back(-1);
                if (i % 2 == 1) instance.pairs.push_back({i - 1, i, i / 2, i / 2 + 1});
            }
            instance.forbidden.assign(static_cast<std::size_t>(apart), {-1, 1});
            exact::PairSearch search(instance);
            return search.run(4, 10'000'000);
        };
        QCOMPARE(outcome(3'500), exact::Outcome::found);
        QCOMPARE(outcome(4'100), exact::Outcome::limit);
    }

    // Distances that nothing but the random numbers chose, around a layout that is known: it is never refuted.
    void aKnownLayoutIsNeverRefuted()
    {
        int found = 0;
        constexpr unsigned cases = test::randomCases(3000U);
        for (unsigned seed = 0; seed < cases; ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            const auto below = [&](std::int64_t n) {
                return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
            };
            exact::PairInstance instance;
            const int count = 4 + static_cast<int>(below(12));
            const std::int64_t spread = (1 + below(50)) * count;
            std::vector<std::int64_t> known;
            for (int i = 0; i < count; ++i) {
                instance.buffers.push_back(i);
                instance.sizes.push_back(1 + below(3));
                instance.alignments.push_back(seed % 3 == 0 ? 1 + below(3) : 1);
                instance.pins.push_back(-1);
                known.push_back(below(spread) * instance.alignments.back());
            }
            std::int64_t capacity = 0;
            for (int i = 0; i < count; ++i)
                capacity = std::max(capacity, known[static_cast<std::size_t>(i)] + instance.sizes[static_cast<std::size_t>(i)]);
            for (int i = 0; i < count; ++i)
                for (int j = i + 1; j < count; ++j) {
                    const std::int64_t difference = known[static_cast<std::size_t>(j)] - known[static_cast<std::size_t>(i)];
                    const auto begin = static_cast<std::int32_t>(instance.forbidden.size());
                    if (below(3) > 0) instance.forbidden.push_back({difference - 1 - below(2 * spread), difference});
                    if (below(3) > 0) instance.forbidden.push_back({difference, difference + 1 + below(2 * spread)});
                    if (const auto end = static_cast<std::int32_t>(instance.forbidden.size()); end > begin)
                        instance.pairs.push_back({i, j, begin, end});
                }
            exact::PairRules rules;
            rules.forced = below(2) == 0;
            exact::PairSearch search(instance, rules);
            const auto outcome = search.run(capacity, 5'000);
            QVERIFY2(outcome != exact::Outcome::impossible, qPrintable(QString::number(seed)));
            found += outcome == exact::Outcome::found;
        }
        QVERIFY2(found > test::randomCases(2500), qPrintable(QString::number(found)));
    }

    void findsTheSmallestSizeOfOnePool_data()
    {
        QTest::addColumn<int>("kind");
        for (std::size_t k = 0; k < std::size(kinds); ++k) QTest::addRow("%s", kinds[k].name) << static_cast<int>(k);
    }
    void findsTheSmallestSizeOfOnePool()
    {
        QFETCH(int, kind);
        int provedOnes = 0;
        constexpr unsigned cases = test::randomCases(300U);
        for (unsigned seed = 0; seed < cases; ++seed) {
            std::mt19937 random(seed + 10'000 + stowage::test::seedShift());
            Problem problem = randomProblem(random, kinds[kind], 4);
            std::vector<BufferId> all(problem.buffers.size());
            std::iota(all.begin(), all.end(), 0);
            const Bytes expected = smallest(problem, 0, all);
            const auto plan = exactPlanner()->plan(problem, {}, {});
            QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
            const Report report = evaluate(problem, *plan);
            if (expected == noneFits) { // pins that collide
                QVERIFY(report.collidingPins);
                QCOMPARE(report.status, Status::infeasible);
                continue;
            }
            if (report.pools[0].size != expected || report.status != Status::optimal)
                QFAIL(qPrintable(QStringLiteral("seed %1: enumeration finds %2, exact %3 (%4)")
                                     .arg(seed)
                                     .arg(expected)
                                     .arg(report.pools[0].size)
                                     .arg(QString::fromStdString(std::string(toText(report.status))))));
            // And with one byte less it says that there is none.
            problem.pools[0].capacity = expected - 1;
            const auto less = exactPlanner()->plan(problem, {{"goal", "fit"}}, {});
            QVERIFY(less);
            QCOMPARE(evaluate(problem, *less).status, Status::infeasible);
            ++provedOnes;
        }
        QVERIFY(provedOnes > test::randomCases(150));
    }

    void findsTheBestAssignmentToPools_data()
    {
        QTest::addColumn<int>("kind");
        for (std::size_t k = 0; k < std::size(poolKinds); ++k) QTest::addRow("%s", poolKinds[k].name) << static_cast<int>(k);
    }
    void findsTheBestAssignmentToPools()
    {
        QFETCH(int, kind);
        int fitting = 0, impossible = 0;
        constexpr unsigned cases = test::randomCases(700U);
        for (unsigned seed = 0; seed < cases; ++seed) {
            std::mt19937 random(seed + stowage::test::seedShift());
            const Problem problem = randomProblem(random, poolKinds[kind], 4);
            std::vector<std::vector<BufferId>> members(problem.pools.size());
            const auto expected = bestOf(problem, 0, members);
            const auto plan = exactPlanner()->plan(problem, {}, {});
            QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
            const Report report = evaluate(problem, *plan);
            if (expected.first >= noneFits) {
                QVERIFY(report.collidingPins);
                QCOMPARE(report.status, Status::infeasible);
                continue;
            }
            Bytes excess = 0;
            for (const PoolReport& pool : report.pools) excess += pool.excess;
            if (excess != expected.first || report.totalSize() != expected.second ||
                report.status != (excess > 0 ? Status::infeasible : Status::optimal))
                QFAIL(qPrintable(QStringLiteral("seed %1: enumeration finds %2 above and %3 in total, exact %4 and %5 (%6)")
                                     .arg(seed)
                                     .arg(expected.first)
                                     .arg(expected.second)
                                     .arg(excess)
                                     .arg(report.totalSize())
                                     .arg(QString::fromStdString(std::string(toText(report.status))))));
            ++(excess > 0 ? impossible : fitting);
            // With either rule off, or if it forgets what it has solved, the search over pools finds the same.
            for (const int off : {0, 1, 2}) {
                exact::JointLimits limits;
                limits.bound = off != 0;
                limits.remember = off != 1;
                if (off == 2) limits.maxRemembered = 0;
                auto start = greedyBySize()->plan(problem, {}, {});
                QVERIFY(start);
                const auto joint = exact::searchJointly(problem, *start, limits, {});
                QVERIFY(joint && joint->complete);
                QCOMPARE(objectiveOf(problem, *start), (Objective{expected.first, expected.second}));
            }
        }
        QVERIFY(fitting > test::randomCases(70) && impossible > test::randomCases(20));
    }

    // Each buffer of the search over pools is a level of a tree, but not a call: most levels have one branch here, and one has
    // two.
    void aHundredThousandBuffersOfOnePoolNeedNoStack()
    {
        constexpr int count = 100'000;
        Problem problem;
        problem.pools.emplace_back().name = "p";
        problem.pools.emplace_back().name = "q";
        Plan plan;
        for (int i = 0; i <= count; ++i) {
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = std::to_string(i);
            buffer.size = 1;
            const Step begin = i == count ? 0 : i; // the last one, which may go to both pools, is live together with the first
            buffer.live = {{begin, begin + 1}};
            buffer.pools.push_back(0);
            if (i == count) buffer.pools.push_back(1);
            plan.placements.push_back({.pool = 0, .offset = i == count ? 0 : 1});
        }
        // 2 bytes are live at the first step. So the plan, which takes 2, is as small as any: neither pool of the last buffer is
        // searched further. A node for no buffer, one for each buffer of one pool, and one for each of the two pools.
        const auto joint = exact::searchJointly(problem, plan, {}, {});
        QVERIFY(joint && joint->complete && !joint->improved);
        QCOMPARE(joint->nodes, std::uint64_t(1 + count + 2));
    }

    // Pins that collide, or one that the alignment of the pool does not permit, have no layout of any size, and that is not found
    // out unit by unit: with and without a window.
    void pinsWithoutALayoutTakeNoTime_data()
    {
        QTest::addColumn<bool>("aligned");
        QTest::newRow("collide") << true;
        QTest::newRow("misaligned") << false;
    }
    void pinsWithoutALayoutTakeNoTime()
    {
        QFETCH(bool, aligned);
        for (const bool window : {false, true}) {
            Problem problem;
            problem.pools.emplace_back().name = "p";
            problem.pools.emplace_back().name = "any"; // the pins are permitted there
            if (!aligned) problem.pools[0].alignment = 4;
            const auto add = [&](Step begin, Step end, Bytes size, std::optional<Bytes> pin) {
                Buffer& buffer = problem.buffers.emplace_back();
                buffer.name = std::to_string(problem.buffers.size());
                buffer.live = {{begin, end}};
                buffer.size = size;
                buffer.pin = pin;
            };
            add(0, 9, 3, 0);
            add(0, 9, 3, aligned ? 1 : 6);
            // First fit piles three of these, though no more than two are live at a time: millions of bytes between the bound and
            // that.
            add(0, 3, 10'000'001, {});
            add(2, 5, 10'000'002, {});
            add(4, 7, 10'000'003, {});
            add(6, 9, 10'000'004, {});
            add(0, 1, 10'000'005, {});
            add(8, 9, 10'000'006, {});
            add(1, 2, 9'999'999, {});
            add(3, 4, 5'000'000, {});
            if (window) {
                problem.buffers.back().live = {{3, 4}, {6, 7}};
                problem.buffers.back().windows = {{{4, 6}, 0, 1}};
            }
            QVERIFY(checkAndRepair(problem).empty());
            std::vector<BufferId> all(problem.buffers.size());
            std::iota(all.begin(), all.end(), 0);
            int asked = 0;
            exact::PoolLimits limits;
            limits.stop = [&] { return ++asked > 1000; };
            exact::PoolLayout layout;
            QVERIFY(exact::minimisePool(problem, 0, all, nullptr, limits, layout));
            QVERIFY2(asked < 1000, qPrintable(QString::number(asked)));
            QVERIFY(layout.closed());
        }
    }

    // Without a capacity every valid plan fits, so the first one is the answer, and no node of a search is needed. To make it
    // smaller takes some.
    void anyPlanFitsWithoutACapacity()
    {
        int searched = 0;
        constexpr unsigned cases = test::randomCases(100U);
        for (unsigned seed = 0; seed < cases; ++seed) {
            std::mt19937 random(seed + 50'000 + stowage::test::seedShift());
            const Problem problem = randomProblem(random, kinds[seed % 3], 8); // the first three kinds have no pins
            const auto start = exact::bestOfHeuristics(problem, {});
            QVERIFY(start);
            const auto fitting = exact::refine(problem, *start, {.fitOnly = true}, {});
            QVERIFY(fitting && fitting->proved);
            QCOMPARE(fitting->plan.work, start->work);
            QVERIFY(evaluate(problem, fitting->plan).verdict.valid());
            const auto smallest = exact::refine(problem, *start, {.nodes = 1000}, {});
            QVERIFY(smallest);
            searched += smallest->plan.work > start->work;
        }
        QVERIFY(searched > 0);
    }

    // MiniMalloc places no buffer below one that it has placed, and so misses this: `a` is live in steps 0 to 10 with 8 bytes,
    // but for steps 3 to 6, in which only its bytes 2 to 5 are; b (2 bytes) and c (3 bytes) are live in just these.
    void placesBuffersBelowAndAboveAWindow()
    {
        Problem problem;
        problem.pools.emplace_back().name = "p";
        problem.pools[0].capacity = 8;
        problem.buffers.resize(3);
        problem.buffers[0] = test::bufferOf({.name = "a", .size = 8, .live = {{0, 3}, {6, 10}}, .windows = {{{3, 6}, 2, 5}}});
        problem.buffers[1] = test::bufferOf({.name = "b", .size = 2, .live = {{3, 6}}});
        problem.buffers[2] = test::bufferOf({.name = "c", .size = 3, .live = {{3, 6}}});
        const auto plan = exactPlanner()->plan(problem, {}, {});
        QVERIFY(plan);
        const Report report = evaluate(problem, *plan);
        QCOMPARE(report.pools[0].size, 8);
        QCOMPARE(report.status, Status::optimal);
    }
};

QTEST_APPLESS_MAIN(TestExactGeneral)
#include "tst_exact_general.moc"
