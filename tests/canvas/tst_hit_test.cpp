// What lies under the pointer, against a search through everything.
#include "app/canvas/axis/hit_test.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"
#include "tests/support/seed_shift.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace stowage;

namespace {

/// The specification of hitTest, read from its comment, without an index.
std::optional<std::size_t> bruteForce(const MapData& map, const PixelAxis& steps, const PixelAxis& addresses, double x, double y,
                                      double tolerance)
{
    const auto area = [&](std::size_t i) {
        const StepBytes& r = map.rects[i];
        return double(r.end - r.begin) * double(r.high - r.low);
    };
    std::optional<std::size_t> best;
    const Step step = steps.at(x).whole;
    const Bytes address = addresses.at(y).whole;
    for (std::size_t i = 0; i < map.rects.size(); ++i) {
        if (!map.rects[i].contains(step, address)) continue;
        if (!best || std::pair(area(i), map.buffer[i]) < std::pair(area(*best), map.buffer[*best])) best = i;
    }
    if (best) return best;
    double nearest = tolerance;
    for (std::size_t i = 0; i < map.rects.size(); ++i) {
        const StepBytes& r = map.rects[i];
        const double dx = std::max({0.0, steps.toPixel(r.begin) - x, x - steps.toPixel(r.end)});
        const double dy = std::max({0.0, addresses.toPixel(r.low) - y, y - addresses.toPixel(r.high)});
        const double distance = std::hypot(dx, dy);
        if (distance > nearest + 1e-9) continue;
        if (best && distance > nearest - 1e-9 && !(std::pair(area(i), map.buffer[i]) < std::pair(area(*best), map.buffer[*best])))
            continue;
        best = i;
        nearest = distance;
    }
    return best;
}

} // namespace

class TestHitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsBruteForce()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 12; ++round) {
            test::SampleOptions options;
            options.seed = random.generate();
            options.buffers = std::size_t(random.bounded(1, 2000));
            options.steps = random.bounded(10, 400);
            options.gaps = 0.2;
            options.slots = 0.2;
            options.program = false;
            const auto run = test::sampleRun(options);
            const MapData map = makeMapData(*run, 0);
            PixelAxis steps(0, map.steps, 2, 700);
            PixelAxis addresses(0, map.top + 100, 16, 400);
            for (int zoom = 0; zoom < 3; ++zoom) {
                for (int i = 0; i < 150; ++i) {
                    const double x = random.bounded(700.0);
                    const double y = random.bounded(400.0);
                    const auto hit = hitTest(map, steps, addresses, x, y);
                    const auto expected = bruteForce(map, steps, addresses, x, y, 3.0);
                    QCOMPARE(hit.has_value(), expected.has_value());
                    if (hit) QCOMPARE(map.buffer[*hit], map.buffer[*expected]);
                }
                steps.zoom(2.5, random.bounded(700.0));
                addresses.zoom(2.5, random.bounded(400.0));
            }
        }
    }

    void aBufferThinnerThanAPixelCanBeMet()
    {
        test::SampleOptions options;
        options.buffers = 1;
        options.maximumSize = 1;
        const auto run = test::sampleRun(options);
        const MapData map = makeMapData(*run, 0);
        const PixelAxis steps(0, map.steps, 2, 700);
        const PixelAxis addresses(0, 1000000, 16, 400); // 0.0004 pixels high, at the bottom
        const double x = steps.toPixel(map.rects[0].begin) + 1;
        QVERIFY(hitTest(map, steps, addresses, x, 2.5).has_value());
        QVERIFY(!hitTest(map, steps, addresses, x, 3.5).has_value());
        QVERIFY(!hitTest(map, steps, addresses, x, 2.5, 0).has_value());
    }

    void anAreaHoldsExactlyWhatOverlapsIt()
    {
        test::SampleOptions options;
        options.buffers = 2000;
        options.steps = 300;
        options.gaps = 0.3;
        const auto run = test::sampleRun(options);
        const MapData map = makeMapData(*run, 0);
        const StepBytes box{100, 140, map.top / 4, map.top / 2};
        std::set<BufferId> expected;
        for (std::size_t i = 0; i < map.rects.size(); ++i) {
            const StepBytes& r = map.rects[i];
            if (std::max(r.begin, box.begin) < std::min(r.end, box.end) && std::max(r.low, box.low) < std::min(r.high, box.high))
                expected.insert(map.buffer[i]);
        }
        const std::vector<BufferId> found = buffersIn(map, box);
        QVERIFY(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
        QVERIFY(!found.empty());
    }

    void arrowKeysFindTheNearestNeighbour()
    {
        test::SampleOptions options;
        options.buffers = 400;
        options.steps = 100;
        const auto run = test::sampleRun(options);
        const MapData map = makeMapData(*run, 0);
        for (std::size_t i = 0; i < map.rects.size(); ++i) {
            const StepBytes& from = map.rects[i];
            // Down: the highest edge below among those that share a step with it.
            Bytes nearest = -1;
            for (std::size_t k = 0; k < map.rects.size(); ++k)
                if (map.buffer[k] != map.buffer[i] && map.rects[k].high <= from.low && map.rects[k].begin < from.end &&
                    from.begin < map.rects[k].end)
                    nearest = std::max(nearest, map.rects[k].high);
            const auto down = neighbour(map, i, Direction::down);
            if (nearest >= 0) {
                QVERIFY(down);
                QCOMPARE(map.rects[*down].high, nearest);
            }
            const auto right = neighbour(map, i, Direction::right);
            if (right)
                QVERIFY(map.rects[*right].begin >= from.end);
            else
                for (std::size_t k = 0; k < map.rects.size(); ++k)
                    QVERIFY(map.rects[k].begin < from.end || map.buffer[k] == map.buffer[i]);
        }
    }

    /// Where the nearest one does not pass, its own neighbours are no substitute: the nearest of all that pass is.
    void arrowKeysFindTheNearestThatPasses()
    {
        test::SampleOptions options;
        options.buffers = 300;
        options.steps = 80;
        const auto run = test::sampleRun(options);
        const MapData map = makeMapData(*run, 0);
        const auto passes = [](BufferId id) { return id % 3 == 0; };
        for (std::size_t i = 0; i < map.rects.size(); ++i) {
            const StepBytes& from = map.rects[i];
            // To the right: the first begin among those on the same bytes, else among all.
            Step beside = -1, anywhere = -1;
            for (std::size_t k = 0; k < map.rects.size(); ++k) {
                const StepBytes& to = map.rects[k];
                if (map.buffer[k] == map.buffer[i] || !passes(map.buffer[k]) || to.begin < from.end) continue;
                if (anywhere < 0 || to.begin < anywhere) anywhere = to.begin;
                if (to.low < from.high && from.low < to.high && (beside < 0 || to.begin < beside)) beside = to.begin;
            }
            const auto right = neighbour(map, i, Direction::right, passes);
            QCOMPARE(right.has_value(), anywhere >= 0);
            if (!right) continue;
            QVERIFY(passes(map.buffer[*right]));
            QCOMPARE(map.rects[*right].begin, beside >= 0 ? beside : anywhere);
        }
    }

    void looksAtFewOfAMillion()
    {
        for (const double longLived : {0.0, 0.02}) {
            test::SampleOptions options;
            options.buffers = 1000000;
            options.steps = 200000;
            options.longLived = 0;
            options.program = false;
            auto run = test::sampleRun(options);
            const Bytes shortTop = run->report.pools[0].size;
            if (longLived > 0) {
                // Twenty thousand buffers that live for half of all steps, above the others; the view shows both halves alike.
                Run changed = *run;
                auto lowering = std::make_shared<Lowering>(*run->lowering);
                for (std::size_t i = 0; i < 1000000; i += 50) {
                    lowering->problem.buffers[i].live = {{Step(i / 20), Step(i / 20 + 100000)}};
                    changed.plan.placements[i].offset = shortTop + Bytes(i) / 50 * 1280;
                }
                changed.lowering = lowering;
                run = std::make_shared<const Run>(changed);
            }
            const MapData map = makeMapData(*run, 0);
            const PixelAxis steps(0, map.steps, 2, 1600);
            const PixelAxis addresses(0, longLived > 0 ? 2 * shortTop : map.top, 16, 900);
            QRandomGenerator random(7 + test::seedShift());
            // What a hit test looks at: the rectangles of the blocks that the point meets. Without an index that is all of them.
            std::vector<std::size_t> looks;
            for (int i = 0; i < 2000; ++i) {
                const double x = random.bounded(1600.0);
                const double y = random.bounded(900.0);
                const auto hit = hitTest(map, steps, addresses, x, y, 0);
                if (i % 500 == 0) QCOMPARE(hit, bruteForce(map, steps, addresses, x, y, 0));
                const Step step = steps.at(x).whole;
                const Bytes address = addresses.at(y).whole;
                looks.push_back(map.rects.countAtMost({step, step + 1, address, address + 1}));
            }
            std::sort(looks.begin(), looks.end());
            qInfo("long-lived share %.2f: median of %zu rectangles in the blocks met, worst %zu", longLived, looks[1000],
                  looks.back());
            QVERIFY(looks[1000] <= map.rects.size() / 1000);
        }
    }
};

QTEST_APPLESS_MAIN(TestHitTest)
#include "tst_hit_test.moc"
