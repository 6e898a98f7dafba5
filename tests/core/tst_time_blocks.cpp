// Sorting by a number, sweeping over time in blocks, and what rests on both, on problems of many blocks. Everything is compared
// with the plainest way to find it.
#include "core/ir/duplicate_names.h"
#include "core/plan/report.h"
#include "core/plan/time_blocks.h"
#include "tests/support/problems.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace stowage;

namespace {

enum class Shape { even, nested, endless, ties };

std::vector<Interval> intervals(Shape shape, std::size_t count, std::uint64_t seed)
{
    test::Random random(seed + stowage::test::seedShift());
    const auto n = static_cast<Step>(count);
    std::vector<Interval> all;
    for (Step i = 0; i < n; ++i) {
        const Step begin = shape == Shape::ties ? random(0, 9) * 100 : random(0, n);
        switch (shape) {
        case Shape::even: all.push_back({begin, begin + random(1, 40)}); break;
        case Shape::nested: all.push_back({i, 2 * n - i}); break;
        case Shape::endless: all.push_back({begin, 2 * n}); break;
        case Shape::ties: all.push_back({begin, begin + random(1, 3) * 100}); break;
        }
    }
    return all;
}

/// Buffers of up to 9 bytes somewhere in the first 250, whatever they meet there.
std::pair<Problem, Plan> scattered(Shape shape, std::size_t count, std::uint64_t seed)
{
    test::Random random(seed + stowage::test::seedShift());
    std::pair<Problem, Plan> made;
    made.first.pools.push_back({.name = "arena"});
    for (const Interval& live : intervals(shape, count, seed + 1)) {
        Buffer& buffer = made.first.buffers.emplace_back();
        buffer.name = "b" + std::to_string(made.first.buffers.size());
        buffer.size = random(1, 9);
        buffer.live = {live};
        made.second.placements.push_back({.pool = 0, .offset = random(0, 240)});
    }
    return made;
}

void addShapes(std::size_t count)
{
    QTest::addColumn<int>("shape");
    QTest::addColumn<int>("count");
    for (const auto& [name, shape] : {std::pair{"even", Shape::even}, std::pair{"nested", Shape::nested},
                                      std::pair{"endless", Shape::endless}, std::pair{"ties", Shape::ties}})
        QTest::newRow(name) << static_cast<int>(shape) << static_cast<int>(count);
}

} // namespace

class TestTimeBlocks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sortingKeepsTheOrderOfEquals()
    {
        test::Random random(7 + stowage::test::seedShift());
        for (const std::size_t count : {0u, 1u, 2u, 511u, 512u, 5000u}) {
            for (const std::int64_t reach : {std::int64_t{3}, std::int64_t{1} << 20, std::int64_t{1} << 61}) {
                std::vector<std::int64_t> keys;
                for (std::size_t i = 0; i < count; ++i) keys.push_back(random(-reach, reach));
                std::vector<std::uint32_t> expected(count);
                std::iota(expected.begin(), expected.end(), 0u);
                std::stable_sort(expected.begin(), expected.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
                QCOMPARE(sortedBy(count, [&](std::size_t i) { return keys[i]; }), expected);
            }
        }
    }

    void namesThatComeTwiceAreFound()
    {
        test::Random random(8 + stowage::test::seedShift());
        for (const std::size_t count : {0u, 1u, 300u, 3000u})
            for (const std::int64_t different : {1, 50, 100000}) {
                std::vector<std::string> names;
                for (std::size_t i = 0; i < count; ++i) {
                    const std::int64_t number = random(0, different);
                    names.push_back(number == 0 ? "" : "n" + std::to_string(number));
                }
                std::map<std::string, std::uint32_t> earliest;
                std::vector<std::pair<std::uint32_t, std::uint32_t>> expected, found;
                for (std::uint32_t i = 0; i < count; ++i)
                    if (const auto [first, added] = earliest.emplace(names[i], i); !added && !names[i].empty())
                        expected.emplace_back(i, first->second);
                for (const auto& it : duplicateNames(count, [&](std::size_t i) -> std::string_view { return names[i]; }))
                    found.emplace_back(it.number, it.first);
                QCOMPARE(found, expected);
            }
    }

    void blocksNameWhateverIsInUseInThem_data() { addShapes(4000); }
    void blocksNameWhateverIsInUseInThem()
    {
        QFETCH(int, shape);
        QFETCH(int, count);
        const auto all = intervals(static_cast<Shape>(shape), static_cast<std::size_t>(count), 3);
        TimeBlocks blocks(all.size(), [&](std::size_t i) { return all[i]; });
        std::vector<std::vector<std::uint32_t>> members, ending;
        std::vector<std::size_t> carried;
        while (blocks.next()) {
            members.emplace_back(blocks.members().begin(), blocks.members().end());
            ending.emplace_back(blocks.ending().begin(), blocks.ending().end());
            carried.push_back(blocks.carried());
        }
        QVERIFY(members.size() > 1);
        std::size_t total = 0, begun = 0, ended = 0;
        for (std::size_t b = 0; b < members.size(); ++b) {
            total += members[b].size();
            const auto beginOf = [&](std::size_t block) { return all[members[block][carried[block]]].begin; };
            const Step from = beginOf(b);
            const Step to = b + 1 < members.size() ? beginOf(b + 1) : std::numeric_limits<Step>::max();
            std::set<std::uint32_t> before, inside, ends;
            for (std::uint32_t i = 0; i < all.size(); ++i) {
                if (all[i].begin < from && all[i].end >= from) before.insert(i);
                if (all[i].begin >= from && all[i].begin < to) inside.insert(i);
                if (all[i].end >= from && all[i].end < to) ends.insert(i);
            }
            const auto split = members[b].begin() + static_cast<std::ptrdiff_t>(carried[b]);
            QCOMPARE(std::set<std::uint32_t>(members[b].begin(), split), before);
            QCOMPARE(std::set<std::uint32_t>(split, members[b].end()), inside);
            QCOMPARE(std::set<std::uint32_t>(ending[b].begin(), ending[b].end()), ends);
            QVERIFY(std::is_sorted(split, members[b].end(), [&](auto i, auto j) { return all[i].begin < all[j].begin; }));
            QVERIFY(std::is_sorted(ending[b].begin(), ending[b].end(), [&](auto i, auto j) { return all[i].end < all[j].end; }));
            begun += inside.size();
            ended += ends.size();
        }
        QCOMPARE(begun, all.size());
        QCOMPARE(ended, all.size());
        QVERIFY2(total <= 3 * all.size(), qPrintable(QString::number(total))); // what makes the sweep near-linear
    }

    void useOverTimeIsThatOfEveryStepByItself_data() { addShapes(1500); }
    void useOverTimeIsThatOfEveryStepByItself()
    {
        QFETCH(int, shape);
        QFETCH(int, count);
        const auto [problem, plan] = scattered(static_cast<Shape>(shape), static_cast<std::size_t>(count), 11);
        const Bytes size = plan.poolSize(problem, 0);
        const auto samples = usage(problem, plan, 0);
        std::set<Step> steps{0};
        for (const Buffer& buffer : problem.buffers) steps.insert({buffer.live[0].begin, buffer.live[0].end});
        QCOMPARE(samples.size(), steps.size());
        auto step = steps.begin();
        for (const UsageSample& sample : samples) {
            QCOMPARE(sample.step, *step++);
            std::vector<bool> used(static_cast<std::size_t>(size));
            Bytes live = 0;
            for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
                if (!problem.buffers[b].live[0].contains(sample.step)) continue;
                live += problem.buffers[b].size;
                for (Bytes at = 0; at < problem.buffers[b].size; ++at)
                    used[static_cast<std::size_t>(plan.placements[b].offset + at)] = true;
            }
            Bytes top = 0, free = 0, run = 0, largest = 0;
            for (Bytes at = 0; at < size; ++at) {
                const bool taken = used[static_cast<std::size_t>(at)];
                if (taken) top = at + 1;
                free += taken ? 0 : 1;
                run = taken ? 0 : run + 1;
                largest = std::max(largest, run);
            }
            QCOMPARE(sample.live, live);
            QCOMPARE(sample.top, top);
            QCOMPARE(sample.free, free);
            QCOMPARE(sample.largestFree, largest);
        }
    }

    void everyOverlapIsFound_data() { addShapes(1500); }
    void everyOverlapIsFound()
    {
        QFETCH(int, shape);
        QFETCH(int, count);
        const auto [problem, plan] = scattered(static_cast<Shape>(shape), static_cast<std::size_t>(count), 12);
        std::map<std::pair<BufferId, BufferId>, Step> expected;
        std::uint64_t together = 0;
        for (BufferId a = 0; a < count; ++a)
            for (BufferId b = a + 1; b < count; ++b) {
                const Buffer& x = problem.buffers[static_cast<std::size_t>(a)];
                const Buffer& y = problem.buffers[static_cast<std::size_t>(b)];
                if (!x.live[0].overlaps(y.live[0])) continue;
                ++together;
                const Bytes i = plan.placements[static_cast<std::size_t>(a)].offset;
                const Bytes j = plan.placements[static_cast<std::size_t>(b)].offset;
                if (i < j + y.size && j < i + x.size) expected[{a, b}] = std::max(x.live[0].begin, y.live[0].begin);
            }
        const Verdict verdict = check(problem, plan, 1u << 30);
        std::map<std::pair<BufferId, BufferId>, Step> found;
        for (const Violation& violation : verdict.violations) found[{violation.first, violation.second}] = violation.step;
        QVERIFY(expected.size() > 100);
        QCOMPARE(verdict.violations.size(), expected.size());
        QVERIFY(found == expected);
        QCOMPARE(verdict.pairsChecked, together);
    }
};

QTEST_GUILESS_MAIN(TestTimeBlocks)
#include "tst_time_blocks.moc"
