// Sums of an area, and where a dragged buffer may lie: against going over every byte and step of small plans.
#include "app/canvas/axis/area_sums.h"
#include "app/canvas/axis/move_check.h"
#include "app/canvas/axis/run_scene.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace stowage;

namespace {

std::shared_ptr<const Run> smallRun(std::uint64_t seed, double capacity = 1.3)
{
    test::SampleOptions options;
    options.seed = seed;
    options.buffers = 24;
    options.steps = 18;
    options.pools = 2;
    options.maximumSize = 60;
    options.alignment = 4;
    options.gaps = 0.3;
    options.slots = 0.1;
    options.capacityFactor = capacity;
    return test::sampleRun(options);
}

/// Whether the buffer occupies the byte at the step, by the plan alone.
bool occupies(const Run& run, std::size_t buffer, PoolId pool, Step step, Bytes byte)
{
    const Placement& placement = run.plan.placements[buffer];
    if (placement.pool != pool) return false;
    const Buffer& b = run.problem().buffers[buffer];
    if (std::none_of(b.live.begin(), b.live.end(), [&](const Interval& live) { return live.begin <= step && step < live.end; }))
        return false;
    std::vector<Bytes> offsets(placement.offsets.begin(), placement.offsets.end());
    if (offsets.empty()) offsets.push_back(placement.offset);
    return std::any_of(offsets.begin(), offsets.end(), [&](Bytes offset) { return offset <= byte && byte < offset + b.size; });
}

} // namespace

class TestMapSums : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAreaSumsWhatEachByteAndStepSays()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 20; ++round) {
            const auto run = smallRun(seed + std::uint64_t(round));
            for (const PoolId pool : usedPools(*run)) {
                const MapData map = makeMapData(*run, pool);
                const Step begin = random.bounded(18);
                const Bytes low = random.bounded(int(map.top));
                const StepBytes box{begin, begin + 1 + random.bounded(8), low, low + 1 + random.bounded(80)};
                std::set<BufferId> met;
                double occupied = 0;
                for (std::size_t b = 0; b < run->problem().buffers.size(); ++b)
                    for (Step s = box.begin; s < box.end; ++s)
                        for (Bytes at = box.low; at < box.high; ++at)
                            if (occupies(*run, b, pool, s, at)) {
                                met.insert(BufferId(b));
                                ++occupied;
                            }
                Bytes bytes = 0;
                for (const BufferId b : met) bytes += run->problem().buffers[std::size_t(b)].size;
                const AreaSums sums = sumsIn(map, run->problem(), box);
                QVERIFY(std::equal(sums.buffers.begin(), sums.buffers.end(), met.begin(), met.end()));
                QCOMPARE(sums.bytes, bytes);
                QCOMPARE(sums.occupied, occupied);
                QCOMPARE(sums.area, double(box.end - box.begin) * double(box.high - box.low));
            }
        }
    }

    void areasOfTwoPoolsAddUp()
    {
        const auto run = smallRun(3);
        const auto pools = usedPools(*run);
        QCOMPARE(pools.size(), std::size_t(2));
        const StepBytes all{0, 18, 0, 1 << 20};
        AreaSums sums = sumsIn(makeMapData(*run, pools[0]), run->problem(), all);
        sums.add(sumsIn(makeMapData(*run, pools[1]), run->problem(), all));
        QCOMPARE(sums.buffers.size(), run->problem().buffers.size());
        QCOMPARE(sums.count, sums.buffers.size());
        QVERIFY(std::is_sorted(sums.buffers.begin(), sums.buffers.end()));
    }

    /// While an area is dragged out, its sums are those of the whole box, whichever way the box came there.
    void anAreaThatIsDraggedOutHasTheSumsOfItsBox()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        int held = 0, empty = 0;
        for (int round = 0; round < 10; ++round) {
            const auto run = smallRun(seed + std::uint64_t(round));
            for (const PoolId pool : usedPools(*run)) {
                const MapData map = makeMapData(*run, pool);
                AreaTally tally(map, run->problem());
                for (int move = 0; move < 60; ++move) {
                    // Some boxes have nothing in common with the one before, and some are empty.
                    const Step begin = random.bounded(18);
                    const Bytes low = random.bounded(int(map.top));
                    const StepBytes box{begin, begin + random.bounded(-1, 9), low, low + random.bounded(-1, 90)};
                    tally.moveTo(box);
                    const AreaSums& sums = tally.sums();
                    QVERIFY(sums.buffers.empty()); // counted only
                    if (box.begin >= box.end || box.low >= box.high) {
                        ++empty;
                        QVERIFY(sums.count == 0 && sums.bytes == 0 && sums.occupied == 0 && sums.area == 0);
                        continue;
                    }
                    const AreaSums whole = sumsIn(map, run->problem(), box);
                    QCOMPARE(sums.count, whole.buffers.size());
                    QCOMPARE(sums.bytes, whole.bytes);
                    QCOMPARE(sums.occupied, whole.occupied);
                    QCOMPARE(sums.area, whole.area);
                    held += sums.count > 0;
                }
            }
        }
        QVERIFY(held > 100 && empty > 20);
    }

    void aMoveOfAnAreaVisitsOnlyWhatItCrosses()
    {
        // 1000 buffers of 8 bytes, one at each step, at address 0.
        Problem problem;
        for (Step step = 0; step < 1000; ++step) {
            Buffer buffer;
            buffer.name = "b" + std::to_string(step);
            buffer.size = 8;
            buffer.live = {{step, step + 1}};
            problem.buffers.push_back(std::move(buffer));
        }
        const auto run = test::runOf(std::move(problem));
        const MapData map = makeMapData(*run, 0);
        AreaTally tally(map, run->problem());
        const auto moveTo = [&](const StepBytes& box) {
            const std::size_t before = tally.visited();
            tally.moveTo(box);
            return tally.visited() - before;
        };
        QCOMPARE(moveTo({100, 900, 0, 8}), std::size_t(800));
        QCOMPARE(tally.sums().count, std::size_t(800));
        QCOMPARE(tally.sums().bytes, Bytes(6400));
        QCOMPARE(moveTo({100, 900, 0, 8}), std::size_t(0));
        QCOMPARE(moveTo({100, 903, 0, 8}), std::size_t(3)); // three steps more
        QCOMPARE(tally.sums().count, std::size_t(803));
        QCOMPARE(moveTo({101, 903, 0, 8}), std::size_t(1)); // one less
        QCOMPARE(tally.sums().count, std::size_t(802));
        QCOMPARE(tally.sums().occupied, 802.0 * 8);
        // Half of the height crosses all of them: each loses half of its bytes inside, and none leaves.
        QCOMPARE(moveTo({101, 903, 4, 8}), std::size_t(802));
        QCOMPARE(tally.sums().count, std::size_t(802));
        QCOMPARE(tally.sums().bytes, Bytes(802 * 8));
        QCOMPARE(tally.sums().occupied, 802.0 * 4);
    }

    /// A sum that a `double` rounds is not carried on: in a small box after a huge one it is exact again.
    void aSumThatWasRoundedIsCountedAnew()
    {
        Problem problem;
        for (const Bytes size : {Bytes(1) << 60, Bytes(3)}) {
            Buffer buffer;
            buffer.name = "b" + std::to_string(size);
            buffer.size = size;
            buffer.live = {{0, 10}};
            problem.buffers.push_back(std::move(buffer));
        }
        const auto run = test::runOf(std::move(problem)); // the larger one at 0, the other one on top of it
        const MapData map = makeMapData(*run, 0);
        AreaTally tally(map, run->problem());
        const Bytes top = (Bytes(1) << 60) + 3;
        tally.moveTo({0, 10, top - 3, top});
        QCOMPARE(tally.sums().occupied, 30.0);
        tally.moveTo({0, 10, 0, top});
        QCOMPARE(tally.sums().count, std::size_t(2));
        tally.moveTo({0, 10, top - 3, top});
        QCOMPARE(tally.sums().occupied, 30.0);
        QCOMPARE(tally.sums().count, std::size_t(1));
        QCOMPARE(tally.sums().bytes, Bytes(3));
    }

    /// What an op makes, looked up in the scene, is what going over all buffers finds.
    void whatAnOpMakesIsWhatGoingOverAllBuffersFinds()
    {
        const auto run = smallRun(testSeed());
        const auto scene = makeScene(run);
        std::size_t made = 0;
        for (const StepInfo& info : run->lowering->steps) {
            if (info.op == none) continue;
            std::vector<BufferId> expected;
            for (std::size_t i = 0; i < run->lowering->origins.size(); ++i) {
                const BufferOrigin& origin = run->lowering->origins[i];
                if (origin.function == info.function && origin.producer == info.op) expected.push_back(BufferId(i));
            }
            QCOMPARE(scene->madeBy(info.function, info.op), expected);
            made += expected.size();
        }
        QVERIFY(made > 10);
        QVERIFY(scene->madeBy(0, none).empty() && scene->madeBy(1, 0).empty());
    }

    void aPlaceIsJudgedAsByteAfterByte()
    {
        const auto seed = testSeed();
        std::size_t free = 0, displacing = 0, colliding = 0, outside = 0;
        for (int round = 0; round < 12; ++round) {
            auto run = std::make_shared<Run>(*smallRun(seed + std::uint64_t(round)));
            // Every third buffer is pinned where it lies.
            auto lowering = std::make_shared<Lowering>(*run->lowering);
            for (std::size_t i = 0; i < lowering->problem.buffers.size(); i += 3)
                lowering->problem.buffers[i].pin = run->plan.placements[i].offset;
            run->lowering = lowering;
            const Problem& problem = run->problem();
            for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
                const PoolId pool = run->plan.placements[b].pool;
                const MoveCheck check(*run, BufferId(b), pool);
                QCOMPARE(check.movable(), !run->plan.placements[b].rotating());
                if (!check.movable()) continue;
                for (Bytes offset = 0; offset < 400; offset += 28) {
                    std::set<BufferId> pinned, others;
                    for (std::size_t o = 0; o < problem.buffers.size(); ++o) {
                        if (o == b || !conflict(problem, BufferId(b), BufferId(o))) continue;
                        bool meets = false;
                        for (Step s = 0; s < 18; ++s)
                            for (Bytes at = offset; at < offset + problem.buffers[b].size; ++at)
                                meets = meets || occupies(*run, o, pool, s, at);
                        if (meets) (problem.buffers[o].pin ? pinned : others).insert(BufferId(o));
                    }
                    const auto capacity = problem.pools[std::size_t(pool)].capacity;
                    const MoveVerdict verdict = check.at(offset);
                    using Kind = MoveVerdict::Kind;
                    const Kind kind = capacity && offset + problem.buffers[b].size > *capacity ? Kind::outside
                                      : !pinned.empty()                                        ? Kind::collides
                                      : !others.empty()                                        ? Kind::displaces
                                                                                               : Kind::free;
                    QCOMPARE(int(verdict.kind), int(kind));
                    const auto& expected = kind == Kind::collides    ? pinned
                                           : kind == Kind::displaces ? others
                                                                     : std::set<BufferId>{};
                    QVERIFY(std::equal(verdict.inTheWay.begin(), verdict.inTheWay.end(), expected.begin(), expected.end()));
                    free += kind == Kind::free;
                    displacing += kind == Kind::displaces;
                    colliding += kind == Kind::collides;
                    outside += kind == Kind::outside;
                }
            }
        }
        QVERIFY(free > 20 && displacing > 20 && colliding > 20 && outside > 20); // all of them were met
    }

    /// Far above everything else only the capacity can draw a buffer, so that its end touches it as nearly as the alignment lets.
    void placesSnapBelowTheCapacity()
    {
        auto run = std::make_shared<Run>(*smallRun(11, 0));
        auto lowering = std::make_shared<Lowering>(*run->lowering);
        constexpr Bytes capacity = 5001; // the buffers together have less than 1,500 bytes
        for (Pool& pool : lowering->problem.pools) pool.capacity = capacity;
        run->lowering = lowering;
        std::size_t tried = 0;
        for (std::size_t b = 0; b < run->problem().buffers.size(); ++b) {
            const PoolId pool = run->plan.placements[b].pool;
            const MoveCheck check(*run, BufferId(b), pool);
            if (!check.movable()) continue;
            const Buffer& moved = run->problem().buffers[b];
            const Bytes alignment = run->problem().effectiveAlignment(moved, pool);
            Bytes highest = 0;
            while (highest + alignment + moved.size <= capacity) highest += alignment;
            QCOMPARE(check.snapped(highest + 3 * alignment, 3 * alignment), highest);
            QCOMPARE(check.snapped(highest - 3 * alignment, 3 * alignment), highest);
            QCOMPARE(check.snapped(highest + 3 * alignment, -1), highest + 3 * alignment); // out of reach
            QVERIFY(check.at(highest).legal());
            QVERIFY(!check.at(highest + alignment).legal());
            ++tried;
        }
        QVERIFY(tried > 10);
    }

    void placesSnapToAlignmentGroundAndEdges()
    {
        const auto run = smallRun(11, 0);
        const Problem& problem = run->problem();
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            const PoolId pool = run->plan.placements[b].pool;
            const MoveCheck check(*run, BufferId(b), pool);
            if (!check.movable()) continue;
            const Bytes alignment = problem.effectiveAlignment(problem.buffers[b], pool);
            // The places where it would touch something, by hand.
            std::set<Bytes> edges{0};
            for (std::size_t o = 0; o < problem.buffers.size(); ++o) {
                if (o == b || run->plan.placements[o].pool != pool || !conflict(problem, BufferId(b), BufferId(o))) continue;
                std::vector<Bytes> offsets(run->plan.placements[o].offsets.begin(), run->plan.placements[o].offsets.end());
                if (offsets.empty()) offsets.push_back(run->plan.placements[o].offset);
                for (const Bytes at : offsets) {
                    edges.insert((at + problem.buffers[o].size + alignment - 1) / alignment * alignment);
                    if (at >= problem.buffers[b].size) edges.insert((at - problem.buffers[b].size) / alignment * alignment);
                }
            }
            for (Bytes wanted = 0; wanted < 300; wanted += 7) {
                const Bytes plain = check.snapped(wanted, -1);
                QCOMPARE(plain % alignment, 0);
                QVERIFY(std::abs(plain - wanted) <= alignment / 2 + 1);
                const Bytes drawn = check.snapped(wanted, 12);
                Bytes nearest = -1;
                for (const Bytes edge : edges)
                    if (std::abs(edge - wanted) <= 12 && (nearest < 0 || std::abs(edge - wanted) < std::abs(nearest - wanted)))
                        nearest = edge;
                if (nearest >= 0)
                    QCOMPARE(drawn, nearest);
                else
                    QCOMPARE(drawn, plain);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestMapSums)
#include "tst_map_sums.moc"
