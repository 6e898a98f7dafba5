// Step functions and the curves drawn of them, against looking at each position.
#include "app/canvas/axis/step_function.h"
#include "tests/support/seed.h"
#include "tests/support/seed_shift.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace stowage;

class TestStepFunction : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumsEqualCountingEachPosition()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 200; ++round) {
            const bool sparse = round % 2; // far apart: the sorting way
            const int positions = 300;
            const std::int64_t spread = sparse ? 1000000 : 1;
            std::vector<WeightedRange> ranges(std::size_t(random.bounded(40)));
            std::vector<std::int64_t> expected(positions, 0);
            for (WeightedRange& r : ranges) {
                const int first = random.bounded(positions);
                const int last = random.bounded(positions);
                r = {first * spread, last * spread, random.bounded(1, 50)};
                for (int i = first; i < last; ++i) expected[std::size_t(i)] += r.weight;
            }
            const StepFunction function = StepFunction::summing(ranges);
            QCOMPARE(function.most(), *std::max_element(expected.begin(), expected.end()));
            for (int i = 0; i < positions; ++i) QCOMPARE(function.valueAt(i * spread), expected[std::size_t(i)]);
            QCOMPARE(function.valueAt(-1), std::int64_t(0));
            for (int k = 0; k < 50; ++k) {
                const int first = random.bounded(positions - 1);
                const int last = first + 1 + random.bounded(positions - first - 1);
                const auto [least, most] = std::minmax_element(expected.begin() + first, expected.begin() + last);
                QVERIFY((function.over(first * spread, (last - 1) * spread + 1) == StepFunction::Range{*least, *most}));
            }
            for (std::size_t i = 1; i < function.size(); ++i) {
                QVERIFY(function.at()[i - 1] < function.at()[i]);
                QVERIFY(function.values()[i - 1] != function.values()[i]);
            }
        }
    }

    void blocksDoNotChangeTheAnswer()
    {
        std::vector<std::int64_t> at;
        std::vector<std::int64_t> values;
        constexpr int valueCount = 20'000;
        QRandomGenerator random(3 + test::seedShift());
        for (int i = 0; i < valueCount; ++i) { // three levels of blocks
            at.push_back(i * 3);
            values.push_back(random.bounded(1000000));
        }
        const StepFunction function(at, values);
        for (int k = 0; k < 2000; ++k) {
            const auto first = std::size_t(random.bounded(valueCount));
            const auto last = first + 1 + std::size_t(random.bounded(int(valueCount - first)));
            const auto [least, most] =
                std::minmax_element(values.begin() + std::ptrdiff_t(first), values.begin() + std::ptrdiff_t(last));
            QVERIFY((function.over(at[first], at[last - 1] + 1) == StepFunction::Range{*least, *most}));
        }
    }

    void aCurveIsExactWhileThereIsRoom()
    {
        const StepFunction function({0, 10, 20, 30}, {5, 7, 2, 0});
        const PixelAxis axis(0, 40, 1, 400);
        const Curve curve = curveOf(function, axis);
        QVERIFY(curve.least.empty());
        const std::vector<CurvePoint> expected{{0, 5}, {100, 5}, {100, 7}, {200, 7}, {200, 2}, {300, 2}, {300, 0}, {400, 0}};
        QVERIFY(curve.most == expected);
    }

    void aDenseCurveKeepsEveryPeak()
    {
        std::vector<std::int64_t> at;
        std::vector<std::int64_t> values;
        for (int i = 0; i < 100000; ++i) {
            at.push_back(i);
            values.push_back(i == 77777 ? 1000 : i % 10 + 1);
        }
        const StepFunction function(at, values);
        const PixelAxis axis(0, 100000, 1, 500);
        const Curve curve = curveOf(function, axis);
        QCOMPARE(curve.most.size(), std::size_t(500));
        QCOMPARE(curve.least.size(), std::size_t(500));
        for (std::size_t pixel = 0; pixel < 500; ++pixel) {
            QCOMPARE(curve.most[pixel].value, pixel == 77777 / 200 ? 1000 : 10);
            QCOMPARE(curve.least[pixel].value, 1);
        }
    }
};

QTEST_APPLESS_MAIN(TestStepFunction)
#include "tst_step_function.moc"
