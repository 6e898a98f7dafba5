// Cells of free space against a plain look at everything that is occupied.
#include "core/plan/check.h"
#include "core/plan/planner.h"
#include "core/planners/greedy/greedy_by_size.h"
#include "core/planners/placement/free_cells.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QtTest/QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace stowage;
using test::Random;

namespace {

struct Rectangle {
    Ranks time;
    Span bytes;
};

bool together(Ranks a, Ranks b)
{
    return a.begin < b.end && b.begin < a.end;
}

/// The place by the rule of the smallest gap, from a list of all that is occupied.
std::optional<GapAnswer> plainly(const std::vector<Rectangle>& all, Ranks time, const GapQuery& query)
{
    std::vector<Span> spans;
    for (const Rectangle& r : all)
        if (together(r.time, time)) spans.push_back(r.bytes);
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.low < b.low; });
    return findGap(spans, query);
}

} // namespace

class TestFreeCells : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Random rectangles, each at the place found by the plain look; questions of all lengths, from any rank of the stretch, and
    /// with what begins in the stretch where it lies in one block.
    void answersAsAPlainLookDoes()
    {
        int between = 0, above = 0, refused = 0;
        for (std::uint64_t seed = 1; seed <= 120; ++seed) {
            Random random(seed + test::seedShift());
            const std::int64_t steps = random(2, 1500), count = random(1, 260);
            const Bytes unit = random.chance(30) ? 16 : 1;
            std::vector<Interval> intervals;
            for (std::int64_t i = 0; i < count; ++i) {
                const std::int64_t begin = random(0, steps - 1);
                const std::int64_t longest = random.chance(40) ? steps : 12;
                intervals.push_back({static_cast<Step>(begin), static_cast<Step>(std::min(steps, begin + random(1, longest)))});
            }
            std::vector<Ranks> ranks;
            const TimeGrid grid(intervals, ranks);
            FreeCells cells(grid);
            std::vector<Rectangle> all;
            for (const Ranks& time : ranks) {
                const Bytes size = unit * random(1, 60);
                const GapQuery query{size, unit, random.chance(20) ? unit * random(60, 600) : maxBytes, GapRule::smallest};
                const auto expected = plainly(all, time, query);
                if (grid.blockOf(time.begin) == grid.blockOf(time.end - 1)) {
                    std::vector<Span> begun;
                    for (const Rectangle& r : all)
                        if (r.time.begin > time.begin && r.time.begin < time.end) begun.push_back(r.bytes);
                    std::sort(begun.begin(), begun.end(), [](const Span& a, const Span& b) { return a.low < b.low; });
                    const auto found = cells.findGap(time, query, begun);
                    QCOMPARE(found.has_value(), expected.has_value());
                    if (found) {
                        QCOMPARE(found->offset, expected->offset);
                        QCOMPARE(found->between, expected->between);
                    }
                }
                const auto from = static_cast<std::int32_t>(random(time.begin, time.end - 1));
                const auto found = cells.findGapFrom(from, time, query);
                QCOMPARE(found.has_value(), expected.has_value());
                if (found) {
                    QCOMPARE(found->offset, expected->offset);
                    QCOMPARE(found->between, expected->between);
                }
                found ? ++(found->between ? between : above) : ++refused;
                if (!expected) continue;
                // Mostly where a planner puts it; sometimes higher, so that there are gaps below.
                const auto free = plainly(all, time, {size, unit, maxBytes, GapRule::above});
                const Bytes offset = random.chance(70) ? expected->offset : free->offset + unit * random(0, 90);
                all.push_back({time, {offset, offset + size}});
                cells.insert(time, {offset, offset + size});
            }
        }
        QVERIFY2(between > 1000 && above > 1000 && refused > 50,
                 qPrintable(QString("%1 %2 %3").arg(between).arg(above).arg(refused)));
    }

    /// Long stretches over many blocks, most of them nested: cells at all nodes of the tree, and lists with several levels.
    void answersForLongStretchesInManyBlocks()
    {
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            Random random(seed + test::seedShift());
            const std::int64_t steps = 6000;
            std::vector<Interval> intervals;
            for (std::int64_t i = 0; i < 3000; ++i) {
                const auto begin = static_cast<Step>(random(0, steps / 2 - 1));
                const auto end = static_cast<Step>(random.chance(60) ? steps - begin : begin + random(1, 40));
                intervals.push_back({begin, end});
            }
            std::vector<Ranks> ranks;
            const TimeGrid grid(intervals, ranks);
            QVERIFY(grid.blocks() > 16);
            FreeCells cells(grid);
            std::vector<Rectangle> all;
            int between = 0;
            for (const Ranks& time : ranks) {
                const GapQuery query{random(1, 900), 1, maxBytes, GapRule::smallest};
                const auto expected = plainly(all, time, query);
                const auto found = cells.findGapFrom(static_cast<std::int32_t>(random(time.begin, time.end - 1)), time, query);
                QVERIFY(expected && found);
                QCOMPARE(found->offset, expected->offset);
                QCOMPARE(found->between, expected->between);
                between += found->between ? 1 : 0;
                const Bytes offset = expected->between || random.chance(60) ? expected->offset : expected->offset + random(0, 90);
                all.push_back({time, {offset, offset + query.size}});
                cells.insert(time, {offset, offset + query.size});
            }
            QVERIFY2(between > 500, qPrintable(QString::number(between)));
        }
    }

    /// The work grows with the number of buffers, not with that of pairs that are live together.
    void theWorkIsLinearForNestedLifetimes()
    {
        const auto workFor = [](int n) {
            std::vector<Interval> intervals;
            for (int i = 0; i < n; ++i) intervals.push_back({i, i % 2 == 0 ? i + 2 : 2 * n - i});
            std::vector<Ranks> ranks;
            const TimeGrid grid(intervals, ranks);
            FreeCells cells(grid);
            std::vector<std::size_t> order(ranks.size());
            std::iota(order.begin(), order.end(), 0);
            std::shuffle(order.begin(), order.end(), std::mt19937(5));
            Bytes size = n + 64;
            std::vector<Span> at(ranks.size());
            const std::int32_t middle = ranks.back().begin; // all of the long ones live there
            for (const std::size_t b : order) {
                const GapQuery query{--size, 1, maxBytes, GapRule::smallest};
                const Ranks time = ranks[b];
                std::optional<GapAnswer> found;
                if (b % 2 == 0 && grid.blockOf(time.begin) == grid.blockOf(time.end - 1)) {
                    // Of a short stretch only the next buffer begins inside it.
                    std::vector<Span> begun;
                    if (b + 1 < at.size() && at[b + 1].high > 0) begun.push_back(at[b + 1]);
                    found = cells.findGap(time, query, begun);
                } else {
                    found = cells.findGapFrom(std::clamp(middle, time.begin, time.end - 1), time, query);
                }
                at[b] = {found->offset, found->offset + size};
                cells.insert(time, at[b]);
            }
            return static_cast<double>(cells.work()) / n;
        };
        const double few = workFor(2'000), many = workFor(16'000);
        QVERIFY2(many < 3 * few, qPrintable(QString("%1 %2").arg(few).arg(many)));
    }

    /// Nested lifetimes with sizes that all differ: long lists make the planner go over to cells, and its offsets are those of
    /// the rule.
    void aPlannerWithCellsPlacesByTheRule()
    {
        constexpr int n = 24'000;
        Random random(7 + test::seedShift());
        Problem problem;
        problem.pools.push_back({});
        problem.pools[0].name = "arena";
        std::vector<Bytes> sizes(n);
        std::iota(sizes.begin(), sizes.end(), 64);
        std::shuffle(sizes.begin(), sizes.end(), std::mt19937(11));
        std::vector<Rectangle> all;
        for (int i = 0; i < n; ++i) {
            Buffer buffer;
            buffer.name = std::to_string(i);
            buffer.size = sizes[static_cast<std::size_t>(i)];
            buffer.live = {{i, i % 2 == 0 ? i + 2 : 2 * n - i}};
            problem.buffers.push_back(std::move(buffer));
        }
        const auto plan = greedyBySize()->plan(problem, {}, {});
        QVERIFY(plan);
        // The rule for those placed last, whose neighbours are all there.
        std::vector<int> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(),
                  [&](int a, int b) { return sizes[static_cast<std::size_t>(a)] > sizes[static_cast<std::size_t>(b)]; });
        int judged = 0;
        for (int k = 0; k < n; ++k) {
            const auto b = static_cast<std::size_t>(order[static_cast<std::size_t>(k)]);
            const Interval live = problem.buffers[b].live.front();
            const Ranks time{static_cast<std::int32_t>(live.begin), static_cast<std::int32_t>(live.end)};
            if (k % 40 == 0 || k > n - 100) {
                const auto expected = plainly(all, time, {sizes[b], 1, maxBytes, GapRule::smallest});
                QCOMPARE(plan->placements[b].offset, expected->offset);
                ++judged;
            }
            all.push_back({time, {plan->placements[b].offset, plan->placements[b].offset + sizes[b]}});
        }
        QVERIFY(judged > 600);
    }
};

QTEST_GUILESS_MAIN(TestFreeCells)
#include "tst_free_cells.moc"
