// Thinning of curves and counting into classes.
#include "app/charts/chart_data.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stowage;

namespace {

std::vector<ChartSample> randomSteps(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<ChartSample> samples;
    double x = 0;
    for (std::size_t i = 0; i < count; ++i) {
        samples.push_back({x, double(random() % 10000)});
        x += 1 + random() % 3;
    }
    return samples;
}

double valueAt(const std::vector<ChartSample>& samples, double x)
{
    double value = samples.front().y;
    for (const ChartSample& sample : samples)
        if (sample.x <= x) value = sample.y;
    return value;
}

} // namespace

class ChartDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fewSamplesKeepEveryCorner()
    {
        const std::vector<ChartSample> samples{{0, 5}, {3, 8}, {4, 1}};
        const std::vector<ChartPoint> expected{{0, 5}, {3, 5}, {3, 8}, {4, 8}, {4, 1}, {10, 1}};
        QCOMPARE(stepLine(samples, 0, 10, 100), expected);
    }

    void aRangeBeginsWithWhatHoldsThere()
    {
        const std::vector<ChartSample> samples{{0, 5}, {3, 8}, {6, 1}};
        const std::vector<ChartPoint> expected{{4, 8}, {5, 8}};
        QCOMPARE(stepLine(samples, 4, 5, 100), expected);
    }

    void thinnedCurvesLoseNoExtremeAndNoPixelHasMoreThanTwoPoints()
    {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            const auto samples = randomSteps(20000, seed);
            const double end = samples.back().x + 1;
            const int columns = 300 + int(seed) * 17;
            const auto line = stepLine(samples, 0, end, columns);
            QVERIFY2(line.size() <= 2 * std::size_t(columns), qPrintable(QStringLiteral("seed %1").arg(seed)));
            QVERIFY(std::ranges::is_sorted(line, {}, &ChartPoint::x));
            const double width = end / columns;
            for (int column = 0; column < columns; ++column) {
                // Least and greatest value in the column, found the slow way.
                double least = valueAt(samples, column * width), greatest = least;
                for (const ChartSample& sample : samples)
                    if (sample.x > column * width && sample.x < (column + 1) * width)
                        least = std::min(least, sample.y), greatest = std::max(greatest, sample.y);
                const ChartPoint &a = line[std::size_t(column) * 2], &b = line[std::size_t(column) * 2 + 1];
                QCOMPARE(std::min(a.y, b.y), least);
                QCOMPARE(std::max(a.y, b.y), greatest);
            }
        }
    }

    void nothingComesOfNothing()
    {
        QVERIFY(stepLine({}, 0, 10, 100).empty());
        const std::vector<ChartSample> one{{0, 1}};
        QVERIFY(stepLine(one, 5, 5, 100).empty());
        QVERIFY(stepLine(one, 0, 5, 0).empty());
        QVERIFY(logarithmicBuckets({}, 9).empty());
    }

    void everyValueFallsIntoExactlyOneClass()
    {
        std::mt19937_64 random(11);
        for (int round = 0; round < 50; ++round) {
            std::vector<std::int64_t> values;
            const int spread = 1 + int(random() % 40);
            for (int i = 0; i < 300; ++i) values.push_back(std::int64_t(random() >> (64 - spread)));
            const auto buckets = logarithmicBuckets(values, 9);
            QVERIFY(buckets.size() <= 9);
            std::size_t total = 0;
            for (std::size_t i = 0; i < buckets.size(); ++i) {
                total += buckets[i].count;
                QVERIFY(buckets[i].low <= buckets[i].high);
                if (i > 0) QCOMPARE(buckets[i].low, buckets[i - 1].high + 1);
                const auto inside = std::ranges::count_if(
                    values, [&](std::int64_t value) { return value >= buckets[i].low && value <= buckets[i].high; });
                QCOMPARE(buckets[i].count, std::size_t(inside));
            }
            QCOMPARE(total, values.size());
        }
    }

    void theLargestNumberHasAClass()
    {
        const std::vector<std::int64_t> values{1, std::int64_t{1} << 62};
        const auto buckets = logarithmicBuckets(values, 4);
        QCOMPARE(buckets.size(), std::size_t(4));
        QCOMPARE(buckets.front().count, std::size_t(1));
        QCOMPARE(buckets.back().count, std::size_t(1));
    }
};

QTEST_APPLESS_MAIN(ChartDataTest)
#include "tst_chart_data.moc"
