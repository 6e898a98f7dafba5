// Counting into classes.
#include "app/charts/chart_data.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stowage;

class ChartDataTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyValueFallsIntoExactlyOneClass()
    {
        std::mt19937_64 random(11 + stowage::test::seedShift());
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
