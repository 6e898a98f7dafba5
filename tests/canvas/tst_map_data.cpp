// Rectangles of a plan, and the index over them, against what the plan says.
#include "app/canvas/axis/map_data.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <array>
#include <set>
#include <tuple>

using namespace stowage;

namespace {

using Rect = std::tuple<BufferId, Step, Step, Bytes, Bytes>;

std::multiset<Rect> rectsOf(const MapData& map)
{
    std::multiset<Rect> result;
    for (std::size_t i = 0; i < map.rects.size(); ++i) {
        const StepBytes& r = map.rects[i];
        result.emplace(map.buffer[i], r.begin, r.end, r.low, r.high);
    }
    return result;
}

/// A run of one pool from buffers and placements as they are.
Run plain(std::vector<Buffer> buffers, std::vector<Placement> placements, std::optional<Bytes> capacity = {})
{
    auto lowering = std::make_shared<Lowering>();
    lowering->problem.pools.resize(1);
    lowering->problem.pools[0].name = "sram";
    lowering->problem.pools[0].capacity = capacity;
    lowering->problem.buffers = std::move(buffers);
    Run run;
    run.lowering = lowering;
    run.plan.placements = std::move(placements);
    return run;
}

Buffer buffer(Bytes size, std::vector<Interval> live)
{
    Buffer b;
    b.size = size;
    b.live = std::move(live);
    return b;
}

Placement placedAt(Bytes offset)
{
    Placement p;
    p.pool = 0;
    p.offset = offset;
    return p;
}

} // namespace

class TestMapData : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rectanglesAreWhatThePlanSays()
    {
        // Recomputed here from buffers and placements alone, for each pool.
        test::SampleOptions options;
        options.buffers = 3000;
        options.steps = 500;
        options.pools = 3;
        options.gaps = 0.3;
        options.slots = 0.2;
        const auto run = test::sampleRun(options);
        for (const PoolId pool : usedPools(*run)) {
            std::multiset<Rect> expected;
            Bytes top = 0;
            for (std::size_t i = 0; i < run->problem().buffers.size(); ++i) {
                const Placement& p = run->plan.placements[i];
                if (p.pool != pool) continue;
                std::set<Bytes> offsets(p.offsets.begin(), p.offsets.end());
                if (offsets.empty()) offsets.insert(p.offset);
                for (const Bytes offset : offsets)
                    for (const Interval& live : run->problem().buffers[i].live) {
                        expected.emplace(BufferId(i), live.begin, live.end, offset, offset + run->problem().buffers[i].size);
                        top = std::max(top, offset + run->problem().buffers[i].size);
                    }
            }
            const MapData map = makeMapData(*run, pool);
            QVERIFY(rectsOf(map) == expected);
            QCOMPARE(map.top, top);
            QCOMPARE(map.top, run->report.pools[std::size_t(pool)].size);
            for (std::size_t i = 0; i < run->problem().buffers.size(); ++i)
                for (const std::uint32_t rect : map.rectsOf(BufferId(i))) QCOMPARE(map.buffer[rect], BufferId(i));
        }
        QCOMPARE(usedPools(*run), (std::vector<PoolId>{0, 1, 2}));
    }

    void windowsAndCarriedRangesHaveTheirOwnRectangles()
    {
        Buffer windowed = buffer(100, {{0, 4}, {8, 10}});
        windowed.windows = {{{5, 7}, 20, 60}};
        Buffer carried = buffer(50, {{2, 5}});
        carried.carried = {{1, {0, 7}}};
        const MapData map = makeMapData(plain({windowed, carried}, {placedAt(1000), placedAt(0)}), 0);
        const std::multiset<Rect> expected{{0, 0, 4, 1000, 1100}, {0, 8, 10, 1000, 1100}, {0, 5, 7, 1020, 1060},
                                           {1, 2, 5, 0, 50},      {1, 0, 2, 0, 50},       {1, 5, 7, 0, 50}};
        QVERIFY(rectsOf(map) == expected);
        for (std::size_t i = 0; i < map.rects.size(); ++i) {
            QCOMPARE(bool(map.flags[i] & rectWindow), map.buffer[i] == 0 && map.rects[i].begin == 5);
            QCOMPARE(bool(map.flags[i] & rectCarried), map.buffer[i] == 1 && map.rects[i].begin != 2);
            QCOMPARE(bool(map.flags[i] & rectTop), !(map.flags[i] & rectWindow));
        }
    }

    void slotsAreNumberedByOffset()
    {
        Placement rotating = placedAt(64);
        rotating.offsets = {64, 0, 64};
        rotating.rotations = {{0, 3, false}};
        const MapData map = makeMapData(plain({buffer(32, {{0, 4}})}, {rotating}), 0);
        QCOMPARE(map.rects.size(), std::size_t(2)); // the repeated offset is one place
        for (std::size_t i = 0; i < 2; ++i) QCOMPARE(map.slot[i], map.rects[i].low == 0 ? 0 : 1);
    }

    void whatReachesAboveTheCapacityIsMarked()
    {
        const MapData map = makeMapData(plain({buffer(64, {{0, 4}}), buffer(64, {{0, 4}}), buffer(8, {{0, 4}})},
                                              {placedAt(0), placedAt(64), placedAt(128)}, 100),
                                        0);
        for (std::size_t i = 0; i < 3; ++i) QCOMPARE(bool(map.flags[i] & rectOver), map.buffer[i] != 0);
    }

    void paddingEndsWhereTheNextOffsetMayBegin()
    {
        Buffer a = buffer(10, {{0, 4}});
        a.alignment = 16;
        Buffer b = buffer(10, {{0, 4}});
        b.alignment = 24;
        const MapData map = makeMapData(plain({a, b}, {placedAt(0), placedAt(24)}), 0);
        QCOMPARE(map.grain, Bytes(8)); // offsets are multiples of 16 or 24: 8 is their common grid
        for (std::size_t i = 0; i < 2; ++i) QCOMPARE(map.paddedHigh(i), map.buffer[i] == 0 ? 16 : 40);
    }

    void anEmptyPlanHasNoRectangles()
    {
        const MapData map = makeMapData(plain({}, {}), 0);
        QCOMPARE(map.rects.size(), std::size_t(0));
        QCOMPARE(map.steps, Step(1));
        int met = 0;
        map.rects.forEach({0, 100, 0, 100}, [&](std::size_t) { return ++met, true; });
        QCOMPARE(met, 0);
        QVERIFY(map.rectsOf(0).empty());
        QCOMPARE(usedPools(plain({}, {})).size(), std::size_t(0));
    }

    void queriesEqualBruteForce()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 60; ++round) {
            std::vector<StepBytes> rects(std::size_t(random.bounded(1, 5000)));
            for (StepBytes& r : rects) {
                r.begin = random.bounded(1000);
                r.end = r.begin + 1 + (random.bounded(10) ? random.bounded(20) : random.bounded(900));
                r.low = random.bounded(1 << 20);
                r.high = r.low + 1 + random.bounded(1 << random.bounded(1, 16));
            }
            const RectIndex index(rects);
            QCOMPARE(index.size(), rects.size());
            for (std::size_t i = 0; i < rects.size(); ++i) QCOMPARE(index[i], rects[index.order()[i]]);
            for (int k = 0; k < 30; ++k) {
                StepBytes box{random.bounded(1000), 0, random.bounded(1 << 20), 0};
                box.end = box.begin + random.bounded(300);
                box.high = box.low + random.bounded(1 << 18);
                const Step steps = random.bounded(3) ? 0 : random.bounded(40);
                const Bytes bytes = random.bounded(3) ? 0 : random.bounded(4000);
                std::set<std::uint32_t> found, expected;
                std::size_t previous = 0;
                index.forEach(box, steps, bytes, [&](std::size_t i) {
                    if (!found.empty() && i <= previous) qFatal("not ascending");
                    previous = i;
                    return found.insert(index.order()[i]).second;
                });
                std::size_t overlapping = 0;
                for (std::uint32_t i = 0; i < rects.size(); ++i) {
                    if (!(rects[i].begin < box.end && box.begin < rects[i].end && rects[i].low < box.high &&
                          box.low < rects[i].high))
                        continue;
                    ++overlapping;
                    if (rects[i].end - rects[i].begin >= steps && rects[i].high - rects[i].low >= bytes) expected.insert(i);
                }
                QVERIFY(found == expected);
                QVERIFY(index.countAtMost(box) >= overlapping);
            }
            QCOMPARE(index.countAtMost(index.bounds()), rects.size());
        }
    }

    void aMillionBuffersArePackedIntoTightBlocks()
    {
        test::SampleOptions options;
        options.buffers = 1000000;
        options.steps = 200000;
        options.longLived = 0;
        options.program = false;
        const auto run = test::sampleRun(options);
        const MapData map = makeMapData(*run, 0);
        QCOMPARE(map.rects.size(), std::size_t(1000000));
        // Packed well, a window of a thousandth of the steps meets blocks with little more than what overlaps it. The time is
        // watched by bench_frames.
        std::size_t met = 0;
        std::size_t overlapping = 0;
        const Bytes top = map.top;
        for (Step begin = 0; begin < 200000; begin += 10000) {
            const StepBytes window{begin, begin + 200, 0, top};
            met += map.rects.countAtMost(window);
            map.rects.forEach(window, [&](std::size_t) { return ++overlapping > 0; });
        }
        qInfo("%zu rectangles in the blocks met, %zu of them overlap", met, overlapping);
        QVERIFY(overlapping > 0);
        QVERIFY(met * 50 <= 20 * map.rects.size()); // of the million at each of the twenty windows, less than one in fifty
    }
};

QTEST_APPLESS_MAIN(TestMapData)
#include "tst_map_data.moc"
