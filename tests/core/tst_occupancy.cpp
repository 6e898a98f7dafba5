// Bins of addresses and steps, against counting byte by byte.
#include "core/explain/occupancy.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <map>
#include <set>

using namespace stowage;

namespace {

/// Every byte of every step of a plan, who occupies it: the slow way, for small plans.
struct Bytewise {
    std::vector<std::vector<std::set<BufferId>>> at; ///< by step, by byte
    Bytewise(const Problem& problem, const Plan& plan, PoolId pool, Step steps, Bytes bytes)
        : at(std::size_t(steps), std::vector<std::set<BufferId>>(std::size_t(bytes)))
    {
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            const Placement& p = plan.placements[i];
            const Buffer& buffer = problem.buffers[i];
            if (p.pool != pool) continue;
            std::set<Bytes> offsets(p.offsets.begin(), p.offsets.end());
            if (offsets.empty()) offsets.insert(p.offset);
            for (const Bytes offset : offsets)
                for (Step step = 0; step < steps; ++step) {
                    Bytes low = 0, high = 0;
                    for (const Interval& live : buffer.live)
                        if (live.contains(step)) high = buffer.size;
                    for (const Window& window : buffer.windows)
                        if (window.live.contains(step)) low = window.low, high = window.high;
                    for (const Carried& carried : buffer.carried)
                        if (carried.live.contains(step)) low = 0, high = buffer.size;
                    for (Bytes byte = offset + low; byte < offset + high; ++byte)
                        at[std::size_t(step)][std::size_t(byte)].insert(BufferId(i));
                }
        }
    }
};

} // namespace

class TestOccupancy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsCountingByteByByte()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 20; ++round) {
            test::SampleOptions options;
            options.seed = random.generate();
            options.buffers = std::size_t(random.bounded(1, 60));
            options.steps = random.bounded(5, 40);
            options.maximumSize = 60;
            options.alignment = 4;
            options.pools = 2;
            options.gaps = 0.3;
            options.slots = 0.2;
            const auto run = test::sampleRun(options);
            const Problem& problem = run->problem();
            for (PoolId pool = 0; pool < 2; ++pool) {
                const BinSizes bins{random.bounded(1, 7), random.bounded(1, 50)};
                const OccupancyGrid grid = occupancy(problem, run->plan, pool, bins);
                QCOMPARE(grid.bytes, run->report.pools[std::size_t(pool)].size);
                for (std::int32_t column = 0; column < grid.columns; ++column)
                    for (std::int32_t row = 0; row < grid.rows; ++row) {
                        OccupancyCell expected;
                        std::set<std::size_t> touching;
                        for (Step step = column * bins.steps; step < std::min<Step>(grid.steps, (column + 1) * bins.steps);
                             ++step) {
                            Bytes top = 0;
                            std::set<Bytes> taken;
                            for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
                                const Placement& p = run->plan.placements[i];
                                if (p.pool != pool) continue;
                                bool live = false;
                                for (const Interval& interval : problem.buffers[i].live) live |= interval.contains(step);
                                if (!live) continue;
                                std::set<Bytes> offsets(p.offsets.begin(), p.offsets.end());
                                offsets.insert(p.offset);
                                for (const Bytes offset : offsets) {
                                    top = std::max(top, offset + problem.buffers[i].size);
                                    for (Bytes byte = std::max(offset, row * bins.bytes);
                                         byte < std::min(offset + problem.buffers[i].size, (row + 1) * bins.bytes); ++byte) {
                                        taken.insert(byte);
                                        touching.insert(i);
                                    }
                                }
                            }
                            expected.occupied += std::int64_t(taken.size());
                            for (Bytes byte = row * bins.bytes; byte < std::min(top, (row + 1) * bins.bytes); ++byte)
                                expected.holes += !taken.contains(byte);
                        }
                        expected.buffers = std::int32_t(touching.size());
                        QVERIFY(grid.at(column, row) == expected);
                    }
            }
        }
    }

    void lastColumnCountsOnlyItsOwnSteps()
    {
        Problem problem;
        problem.pools.resize(1);
        Buffer buffer;
        buffer.size = 8;
        buffer.live = {{0, 7}};
        problem.buffers.push_back(buffer);
        const auto run = test::runOf(problem);
        const OccupancyGrid grid = occupancy(run->problem(), run->plan, 0, {5, 8});
        QCOMPARE(grid.columns, 2);
        QCOMPARE(grid.capacity(0), std::int64_t(40));
        QCOMPARE(grid.capacity(1), std::int64_t(16));
        QCOMPARE(grid.share(1, 0), 1.0);
        QCOMPARE(grid.at(1, 0).occupied, std::int64_t(16)); // 8 bytes in the two steps that are left
    }

    void binsAreWholeStepsAndPowersOfTwo()
    {
        QCOMPARE(binSizes(190, 131072, 64, 64), (BinSizes{3, 2048}));
        QCOMPARE(binSizes(64, 64, 64, 64), (BinSizes{1, 1}));
        QCOMPARE(binSizes(1, 0, 64, 64), (BinSizes{1, 1}));
        for (Bytes bytes = 1; bytes < (Bytes{1} << 61); bytes = bytes * 3 + 1) {
            const BinSizes bins = binSizes(bytes, bytes, 64, 62);
            QVERIFY((bytes + bins.steps - 1) / bins.steps <= 64);
            QVERIFY((bytes + bins.bytes - 1) / bins.bytes <= 62);
            QCOMPARE(bins.bytes & (bins.bytes - 1), Bytes(0));
        }
    }

    void anEmptyPoolHasOneEmptyRow()
    {
        const auto run = test::runOf({});
        const OccupancyGrid grid = occupancy(run->problem(), run->plan, 0, {1, 1});
        QCOMPARE(grid.cells.size(), std::size_t(1));
        QCOMPARE(grid.at(0, 0), OccupancyCell{});
    }

    void anyWindowEqualsCountingByteByByte()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 30; ++round) {
            test::SampleOptions options;
            options.seed = random.generate();
            options.buffers = std::size_t(random.bounded(1, 40));
            options.steps = random.bounded(5, 40);
            options.maximumSize = 40;
            options.alignment = 4;
            options.gaps = 0.4;
            options.slots = 0.2;
            const auto run = test::sampleRun(options);
            Problem problem = run->problem();
            for (Buffer& buffer : problem.buffers) // parts of gaps, and what is carried round a loop, over gaps and over itself
                if (buffer.live.size() > 1 && random.bounded(2)) {
                    const Interval gap{buffer.live[0].end, buffer.live[1].begin};
                    if (random.bounded(2))
                        buffer.windows.push_back({gap, buffer.size / 4, buffer.size / 2 + 1});
                    else
                        buffer.carried = {{1, {buffer.live[0].begin, gap.end}}, {2, {gap.begin, gap.end}}};
                }
            const PoolOccupancy pool(problem, run->plan, 0);
            const Step steps = pool.steps();
            const Bytes bytes = std::max<Bytes>(1, pool.bytes());
            const Bytewise truth(problem, run->plan, 0, steps, bytes);
            const BinSizes bins{random.bounded(1, 7), random.bounded(1, 50)};
            OccupancyWindow window;
            window.steps.begin = random.bounded(int(steps));
            window.steps.end = window.steps.begin + 1 + random.bounded(int(steps - window.steps.begin));
            window.low = random.bounded(int(bytes));
            window.high = window.low + 1 + random.bounded(int(bytes - window.low) + 30); // may reach above the pool
            const OccupancyGrid grid = pool.grid(bins, window);
            QVERIFY(grid.firstStep <= window.steps.begin && grid.firstStep + grid.columns * grid.binSteps >= window.steps.end);
            QVERIFY(grid.firstByte <= window.low && grid.firstByte + grid.rows * grid.binBytes >= window.high);
            for (std::int32_t column = 0; column < grid.columns; ++column)
                for (std::int32_t row = 0; row < grid.rows; ++row) {
                    OccupancyCell expected;
                    std::set<BufferId> touching;
                    const auto [low, high] = grid.bytesOf(row);
                    for (Step step = grid.stepsOf(column).begin; step < grid.stepsOf(column).end; ++step) {
                        const auto& column_ = truth.at[std::size_t(step)];
                        Bytes top = 0;
                        for (Bytes byte = 0; byte < bytes; ++byte)
                            if (!column_[std::size_t(byte)].empty()) top = byte + 1;
                        for (Bytes byte = low; byte < std::min(high, bytes); ++byte) {
                            const auto& who = column_[std::size_t(byte)];
                            expected.occupied += std::int64_t(who.size());
                            expected.holes += who.empty() && byte < top;
                            touching.insert(who.begin(), who.end());
                        }
                    }
                    expected.buffers = std::int32_t(touching.size());
                    QCOMPARE(grid.at(column, row).occupied, expected.occupied);
                    QCOMPARE(grid.at(column, row).holes, expected.holes);
                    QCOMPARE(grid.at(column, row).buffers, expected.buffers);
                }

            // Who is in the window, and how much of it.
            std::map<BufferId, std::int64_t> inside;
            for (Step step = window.steps.begin; step < window.steps.end; ++step)
                for (Bytes byte = window.low; byte < std::min(window.high, bytes); ++byte)
                    for (const BufferId id : truth.at[std::size_t(step)][std::size_t(byte)]) ++inside[id];
            const auto touching = pool.touching(window);
            QCOMPARE(touching.size(), inside.size());
            for (std::size_t i = 0; i < touching.size(); ++i) {
                QCOMPARE(touching[i].occupied, inside[touching[i].buffer]);
                if (i > 0) QVERIFY(touching[i - 1].occupied >= touching[i].occupied);
            }
            // The same of a list of candidates, without the others.
            std::vector<BufferId> all, even;
            for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
                all.push_back(BufferId(i));
                if (i % 2 == 0) even.push_back(BufferId(i));
            }
            QVERIFY(pool.touching(window, all) == touching);
            std::vector<PoolOccupancy::Touch> left = touching;
            std::erase_if(left, [](const PoolOccupancy::Touch& touch) { return touch.buffer % 2 != 0; });
            QVERIFY(pool.touching(window, even) == left);

            // How many buffers a byte holds over all steps.
            std::size_t most = 0, maxOfAll = 0;
            for (Bytes byte = 0; byte < bytes; ++byte) {
                std::set<BufferId> who;
                for (const auto& step : truth.at) who.insert(step[std::size_t(byte)].begin(), step[std::size_t(byte)].end());
                if (byte >= window.low && byte < window.high) most = std::max(most, who.size());
                maxOfAll = std::max(maxOfAll, who.size());
            }
            QCOMPARE(std::size_t(pool.reuse(window.low, window.high)), most);
            QCOMPARE(std::size_t(pool.maxReuse()), maxOfAll);
        }
    }

    void aLongerAxisAddsEmptySteps()
    {
        Problem problem;
        problem.pools.resize(1);
        Buffer buffer;
        buffer.size = 8;
        buffer.live = {{0, 3}};
        problem.buffers.push_back(buffer);
        const auto run = test::runOf(problem);
        const PoolOccupancy pool(run->problem(), run->plan, 0, 10);
        QCOMPARE(pool.steps(), Step(10));
        const OccupancyGrid grid = pool.grid({5, 8});
        QCOMPARE(grid.columns, 2);
        QCOMPARE(grid.at(0, 0).occupied, std::int64_t(24));
        QCOMPARE(grid.at(1, 0), OccupancyCell{});
    }

    void aBrokenPlanDoesNotWrap()
    {
        Problem problem;
        problem.pools.resize(1);
        Buffer buffer;
        buffer.size = Bytes{1} << 60;
        buffer.live = {{0, 1 << 20}};
        problem.buffers.assign(3, buffer);
        Plan plan;
        plan.placements.resize(3);
        for (Placement& p : plan.placements) p.pool = 0;
        const OccupancyGrid grid = occupancy(problem, plan, 0, {1 << 20, Bytes{1} << 60});
        QVERIFY(grid.at(0, 0).occupied > 0);
    }
};

QTEST_APPLESS_MAIN(TestOccupancy)
#include "tst_occupancy.moc"
