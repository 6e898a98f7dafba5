// Bins of addresses and steps, against counting byte by byte.
#include "core/explain/occupancy.h"
#include "tests/support/sample_run.h"

#include <QRandomGenerator>
#include <QTest>

#include <set>

using namespace stowage;

class TestOccupancy : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalsCountingByteByByte()
    {
        const auto seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
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
                        for (Step step = column * bins.steps; step < std::min<Step>(grid.steps, (column + 1) * bins.steps); ++step) {
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
                                    for (Bytes byte = std::max(offset, row * bins.bytes); byte < std::min(offset + problem.buffers[i].size, (row + 1) * bins.bytes); ++byte) {
                                        taken.insert(byte);
                                        touching.insert(i);
                                    }
                                }
                            }
                            expected.occupied += std::int64_t(taken.size());
                            for (Bytes byte = row * bins.bytes; byte < std::min(top, (row + 1) * bins.bytes); ++byte) expected.holes += !taken.contains(byte);
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
        QCOMPARE(grid.meanBytes(1, 0), Bytes(8));
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
