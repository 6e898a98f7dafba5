// "Why here": the pile under a buffer, against a search of all piles.
#include "core/explain/support_chain.h"
#include "core/plan/check.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <limits>
#include <optional>

using namespace stowage;

namespace {

Buffer buffer(Bytes size, Step begin, Step end, Bytes alignment = 1)
{
    Buffer b;
    b.size = size;
    b.live = {{begin, end}};
    b.alignment = alignment;
    return b;
}

struct Pile {
    Problem problem;
    Plan plan;

    void add(const Buffer& b, Bytes offset)
    {
        problem.buffers.push_back(b);
        plan.placements.emplace_back();
        plan.placements.back().pool = 0;
        plan.placements.back().offset = offset;
    }
};

Pile empty()
{
    Pile pile;
    pile.problem.pools.resize(1);
    pile.problem.pools[0].name = "sram";
    return pile;
}

/// Does `upper` rest on `lower`? Read from the definition, for buffers with one live range.
bool rests(const Pile& pile, std::size_t upper, std::size_t lower)
{
    const Buffer& a = pile.problem.buffers[upper];
    const Buffer& b = pile.problem.buffers[lower];
    const Bytes gap = pile.plan.placements[upper].offset - (pile.plan.placements[lower].offset + b.size);
    return gap >= 0 && gap < a.alignment && a.live[0].begin < b.live[0].end && b.live[0].begin < a.live[0].end;
}

/// Links of the shortest pile from each buffer down to address 0, by relaxing until nothing changes; nothing where there is none.
std::vector<std::optional<std::size_t>> shortestPiles(const Pile& pile)
{
    const std::size_t n = pile.problem.buffers.size();
    std::vector<std::optional<std::size_t>> links(n);
    for (std::size_t i = 0; i < n; ++i)
        if (pile.plan.placements[i].offset == 0) links[i] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k)
                if (links[k] && rests(pile, i, k) && (!links[i] || *links[k] + 1 < *links[i]))
                    links[i] = *links[k] + 1, changed = true;
    }
    return links;
}

} // namespace

class TestSupportChain : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void leadsDownToAddressZero()
    {
        Pile pile = empty();
        pile.add(buffer(100, 0, 4), 0);
        pile.add(buffer(50, 3, 8), 100);
        pile.add(buffer(10, 7, 9), 150);
        pile.add(buffer(80, 7, 9), 0); // below the second in space, but it ends at 80: nothing rests on it
        const SupportChain chain = SupportFinder(pile.problem, pile.plan).chain(2);
        const std::vector<SupportLink> expected{{2, 150, 0, {7, 9}}, {1, 100, 0, {7, 8}}, {0, 0, 0, {3, 4}}};
        QVERIFY(chain.links == expected);
        QCOMPARE(chain.end, SupportEnd::ground);
    }

    void alignmentMayLeaveAGapButNoMore()
    {
        Pile pile = empty();
        pile.add(buffer(10, 0, 4), 0);
        pile.add(buffer(10, 0, 4, 16), 16);
        pile.add(buffer(10, 0, 4, 16), 48); // 22 bytes above the one below: it could lie at 32
        const SupportFinder finder(pile.problem, pile.plan);
        const SupportChain padded = finder.chain(1);
        QCOMPARE(padded.links.size(), std::size_t(2));
        QCOMPARE(padded.links[1].gap, Bytes(6));
        QCOMPARE(padded.end, SupportEnd::ground);
        const SupportChain loose = finder.chain(2);
        QCOMPARE(loose.links.size(), std::size_t(1));
        QCOMPARE(loose.end, SupportEnd::nothing);
    }

    void theAlignmentOfThePoolCounts()
    {
        Pile pile = empty();
        pile.problem.pools[0].alignment = 64;
        pile.add(buffer(10, 0, 4), 0);
        pile.add(buffer(10, 0, 4), 64);
        QCOMPARE(SupportFinder(pile.problem, pile.plan).chain(1).links.size(), std::size_t(2));
    }

    void aPinIsTheReason()
    {
        Pile pile = empty();
        Buffer pinned = buffer(10, 0, 4);
        pinned.pin = 100;
        pile.add(pinned, 100);
        pile.add(buffer(10, 0, 4), 110);
        const SupportChain chain = SupportFinder(pile.problem, pile.plan).chain(1);
        QCOMPARE(chain.links.size(), std::size_t(2));
        QCOMPARE(chain.end, SupportEnd::pinned);
    }

    void explicitConflictsSupportWithoutACommonStep()
    {
        Pile pile = empty();
        pile.add(buffer(10, 0, 2), 0);
        pile.add(buffer(10, 5, 8), 10);
        QCOMPARE(SupportFinder(pile.problem, pile.plan).chain(1).links.size(), std::size_t(1));
        pile.problem.buffers[0].conflicts = {1};
        pile.problem.buffers[1].conflicts = {0};
        const SupportChain chain = SupportFinder(pile.problem, pile.plan).chain(1);
        QCOMPARE(chain.links.size(), std::size_t(2));
        QVERIFY(chain.links[1].together.empty());
        pile.problem.buffers[1].mayShare = {0};
        QCOMPARE(SupportFinder(pile.problem, pile.plan).chain(1).links.size(), std::size_t(1));
    }

    void aWindowSupportsWhatLiesOnItsUpperEdge()
    {
        Pile pile = empty();
        Buffer windowed = buffer(100, 0, 2);
        windowed.live.push_back({8, 9});
        windowed.windows = {{{4, 6}, 0, 40}};
        pile.add(windowed, 0);
        pile.add(buffer(10, 4, 6), 40);
        pile.add(buffer(10, 1, 2), 100);
        const SupportFinder finder(pile.problem, pile.plan);
        QCOMPARE(finder.chain(1).links.size(), std::size_t(2));
        QCOMPARE(finder.chain(1).links[1].together, (Interval{4, 6}));
        QCOMPARE(finder.chain(2).links.size(), std::size_t(2));
    }

    void aSecondSlotRestsOnTheFirst()
    {
        Pile pile = empty();
        pile.problem.loops.push_back({"loop", none, {0, 6}, {}});
        pile.add(buffer(32, 0, 4), 0);
        pile.problem.buffers[0].loop = 0;
        pile.problem.buffers[0].slots = 2; // both are in use together
        pile.plan.placements[0].offsets = {0, 32};
        pile.plan.placements[0].rotations = {{0, 2, false}};
        pile.add(buffer(8, 3, 6), 64);
        const SupportChain chain = SupportFinder(pile.problem, pile.plan).chain(1);
        QCOMPARE(chain.links.size(), std::size_t(3));
        QCOMPARE(chain.links[1].offset, Bytes(32));
        QCOMPARE(chain.links[2].offset, Bytes(0));
        QCOMPARE(chain.end, SupportEnd::ground);
        pile.problem.buffers[0].slots = 1; // one value, at 0 or at 32: only another value can keep it up
        QCOMPARE(SupportFinder(pile.problem, pile.plan).chain(0, 32).end, SupportEnd::nothing);
    }

    void theHighestSlotNeedNotBeTheFirst()
    {
        Pile pile = empty();
        pile.problem.pools.resize(2);
        pile.problem.loops.push_back({"loop", none, {0, 6}, {}});
        pile.add(buffer(8, 0, 4), 0);
        pile.problem.buffers[0].loop = 0;
        pile.problem.buffers[0].slots = 2;
        pile.plan.placements[0].offsets = {0, 24};
        pile.plan.placements[0].rotations = {{0, 2, false}};
        pile.add(buffer(16, 3, 6), 8);
        const SupportFinder finder(pile.problem, pile.plan);
        const std::vector<SupportLink> expected{{0, 24, 0, {0, 4}}, {1, 8, 0, {3, 4}}, {0, 0, 0, {3, 4}}};
        QVERIFY(finder.highest(0).links == expected);
        QVERIFY(finder.highest(1).links.empty());
    }

    /// In iteration i, x and c are at 0 if i is even, at 32 if it is odd. The c of iteration i is still live at steps 1 and 2 of
    /// iteration i + 1, when the new x and the new c are at the other offset.
    void aValueRestsOnTheOneOfTheIterationBefore()
    {
        Pile pile = empty();
        pile.problem.loops.push_back({"loop", none, {1, 4}, 4});
        pile.add(buffer(32, 1, 2), 0);
        pile.add(buffer(32, 2, 4), 0);
        pile.problem.buffers[1].carried = {{1, {1, 3}}};
        for (std::size_t i = 0; i < 2; ++i) {
            pile.problem.buffers[i].loop = 0;
            pile.plan.placements[i].offsets = {0, 32};
            pile.plan.placements[i].rotations = {{0, 2, false}};
        }
        QVERIFY(check(pile.problem, pile.plan).valid());
        const SupportChain x = SupportFinder(pile.problem, pile.plan).chain(0, 32);
        const std::vector<SupportLink> onC{{0, 32, 0, {1, 2}}, {1, 0, 0, {1, 2}}};
        QVERIFY(x.links == onC);
        QCOMPARE(x.end, SupportEnd::ground);
        // Without x, c rests on the previous c, and both are live at step 2 only: at 3, the previous one is dead.
        pile.problem.buffers[0].size = 0;
        const SupportChain c = SupportFinder(pile.problem, pile.plan).chain(1, 32);
        const std::vector<SupportLink> onItself{{1, 32, 0, {2, 4}}, {1, 0, 0, {2, 3}}};
        QVERIFY(c.links == onItself);
        QCOMPARE(c.end, SupportEnd::ground);
    }

    void buffersOfDifferentIterationsKeepNothingUp()
    {
        Pile pile = empty();
        pile.problem.loops.push_back({"loop", none, {0, 4}, 4});
        for (const Bytes offset : {Bytes(0), Bytes(32)}) {
            pile.add(buffer(32, 0, 4), offset);
            pile.problem.buffers.back().loop = 0;
            pile.plan.placements.back().offsets = {offset, 32 - offset};
            pile.plan.placements.back().rotations = {{0, 2, false}};
        }
        // The first is at 0, 32, 0, 32, the second at 32, 0, 32, 0: each one at 32 rests on the other one.
        const std::vector<SupportLink> onTheOther{{0, 32, 0, {0, 4}}, {1, 0, 0, {0, 4}}};
        QVERIFY(SupportFinder(pile.problem, pile.plan).chain(0, 32).links == onTheOther);
        // A third buffer, live with the first one only, in explicit conflict with the second.
        pile.problem.buffers[1].live = {{0, 1}};
        pile.add(buffer(8, 2, 3), 64);
        Placement& third = pile.plan.placements.back();
        pile.problem.buffers.back().loop = 0;
        third.offsets = {64, 72};
        third.rotations = {{0, 2, false}};
        pile.problem.buffers[1].conflicts = {2};
        pile.problem.buffers[2].conflicts = {1};
        // At 64 in even iterations: the second is at 32 then, and the first, although live at step 2, at 0.
        const std::vector<SupportLink> onTheSecond{{2, 64, 0, {2, 3}}, {1, 32, 0, {}}, {0, 0, 0, {0, 1}}};
        QVERIFY(SupportFinder(pile.problem, pile.plan).chain(2, 64).links == onTheSecond);
        // At 64 in odd iterations: the first is at 32 then, and the second at 0.
        third.offsets = {72, 64};
        third.offset = 72;
        const SupportChain onTheFirst = SupportFinder(pile.problem, pile.plan).chain(2, 64);
        QCOMPARE(onTheFirst.links.size(), std::size_t(3));
        QCOMPARE(onTheFirst.links[1].buffer, BufferId(0));
        QCOMPARE(onTheFirst.links[1].together, (Interval{2, 3}));
    }

    void anUnplacedBufferHasNoPile()
    {
        Pile pile = empty();
        pile.add(buffer(10, 0, 4), 0);
        pile.plan.placements[0].pool = none;
        QVERIFY(SupportFinder(pile.problem, pile.plan).chain(0).links.empty());
        QVERIFY(SupportFinder(pile.problem, pile.plan).chain(none).links.empty());
        QVERIFY(SupportFinder(pile.problem, pile.plan).chain(7).links.empty());
    }

    void isTheShortestPileThatThereIs()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        int grounded = 0;
        for (int round = 0; round < 60; ++round) {
            Pile pile = empty();
            const int n = random.bounded(2, 60);
            // Offsets from a first fit, then some buffers lifted: piles that end in the air.
            Problem problem;
            for (int i = 0; i < n; ++i) {
                const Step begin = random.bounded(30);
                problem.buffers.push_back(
                    buffer(random.bounded(1, 40), begin, begin + random.bounded(1, 12), Bytes{1} << random.bounded(4)));
            }
            const auto run = test::runOf(problem);
            const bool lift = random.bounded(2);
            for (std::size_t i = 0; i < std::size_t(n); ++i)
                pile.add(problem.buffers[i], run->plan.placements[i].offset +
                                                 (lift && random.bounded(5) == 0 ? problem.buffers[i].alignment * 3 : 0));
            const auto expected = shortestPiles(pile);
            const SupportFinder finder(pile.problem, pile.plan);
            for (std::size_t i = 0; i < std::size_t(n); ++i) {
                const SupportChain chain = finder.chain(BufferId(i));
                QCOMPARE(chain.end == SupportEnd::ground, expected[i].has_value());
                QCOMPARE(chain.links.front().buffer, BufferId(i));
                if (expected[i]) {
                    QCOMPARE(chain.links.size(), *expected[i]);
                    ++grounded;
                }
                for (std::size_t k = 1; k < chain.links.size(); ++k)
                    QVERIFY(rests(pile, std::size_t(chain.links[k - 1].buffer), std::size_t(chain.links[k].buffer)));
                if (!lift) QCOMPARE(chain.end, SupportEnd::ground); // a first fit leaves nothing in the air
            }
        }
        QVERIFY(grounded > 100);
    }
};

QTEST_APPLESS_MAIN(TestSupportChain)
#include "tst_support_chain.moc"
