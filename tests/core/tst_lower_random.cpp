// Lowering of random programs: against the plainest possible reading of the contract, and by properties.
#include "core/ir/verify.h"
#include "core/lower/lower.h"
#include "tests/core/random_program.h"
#include "tests/core/reference_liveness.h"

#include <QTest>

#include <algorithm>

using namespace stowage;

namespace {

std::string text(const std::vector<Interval>& ranges)
{
    std::string out;
    for (const Interval& range : ranges) out += "[" + std::to_string(range.begin) + "," + std::to_string(range.end) + ")";
    return out;
}

std::vector<Pool> poolsForEverything()
{
    Pool arena, flash, nvram;
    arena.name = "arena";
    flash.name = "flash";
    flash.kind = PoolKind::constant;
    nvram.name = "nvram";
    nvram.kind = PoolKind::persistent;
    return {arena, flash, nvram};
}

} // namespace

class TestLowerRandom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void generatesOnlyProgramsThatVerify();
    void findsTheLiveRangesOfTheContract();
    void givesAProblemThatPassesItsCheck();
    void isDeterministic();
    void mergingTensorsOfOneSizeNeverAddsToTheWorstStep();
};

void TestLowerRandom::generatesOnlyProgramsThatVerify()
{
    for (std::uint64_t seed = 0; seed < test::randomCases(2000U); ++seed)
        for (const Diagnostic& diagnostic : verify(test::randomProgram(seed)))
            QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(QString::fromStdString(toText(diagnostic)))));
}

void TestLowerRandom::findsTheLiveRangesOfTheContract()
{
    std::size_t buffers = 0;
    std::size_t gaps = 0;
    for (std::uint64_t seed = 0; seed < test::randomCases(3000U); ++seed) {
        test::RandomProgramOptions shape;
        shape.ops = 4 + static_cast<int>(seed % 40);
        const Program program = test::randomProgram(seed, shape);
        LowerOptions options;
        if (seed % 2 == 1) options.pools = poolsForEverything();
        const auto lowering = lower(program, options);
        if (!lowering)
            QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(QString::fromStdString(toText(lowering.error())))));
        const auto expected = test::referenceLiveness(program, *lowering);
        for (std::size_t b = 0; b < expected.size(); ++b) {
            const Buffer& buffer = lowering->problem.buffers[b];
            ++buffers;
            gaps += expected[b].size() - 1;
            if (buffer.live != expected[b])
                QFAIL(qPrintable(QStringLiteral("seed %1, %2: live %3, expected %4")
                                     .arg(seed)
                                     .arg(QString::fromStdString(buffer.name), QString::fromStdString(text(buffer.live)),
                                          QString::fromStdString(text(expected[b])))));
        }
    }
    qInfo("%zu buffers, %zu gaps", buffers, gaps);
    QVERIFY(gaps > test::randomCases(1000U)); // else the programs are too tame to show anything
}

void TestLowerRandom::givesAProblemThatPassesItsCheck()
{
    for (std::uint64_t seed = 0; seed < test::randomCases(1000U); ++seed) {
        LowerOptions options;
        options.inPlace = seed % 2 ? InPlaceMode::allowed : InPlaceMode::off;
        options.views = seed % 4 > 1 ? ViewMode::merged : ViewMode::separate;
        options.alignment = seed % 3 == 0 ? 16 : 1;
        const auto lowering = lower(test::randomProgram(seed), options);
        QVERIFY(lowering);
        Problem problem = lowering->problem;
        const Diagnostics found = checkAndRepair(problem);
        if (!found.empty())
            QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(QString::fromStdString(toText(found.front())))));
        QVERIFY(problem == lowering->problem);
        QCOMPARE(lowering->origins.size(), problem.buffers.size());
    }
}

void TestLowerRandom::isDeterministic()
{
    for (std::uint64_t seed = 0; seed < test::randomCases(200U); ++seed) {
        LowerOptions options;
        options.inPlace = InPlaceMode::allowed;
        options.views = ViewMode::merged;
        const auto once = lower(test::randomProgram(seed), options);
        const auto again = lower(test::randomProgram(seed), options);
        QVERIFY(once && again);
        QVERIFY(once->problem == again->problem);
        QVERIFY(once->fingerprint == again->fingerprint);
    }
}

void TestLowerRandom::mergingTensorsOfOneSizeNeverAddsToTheWorstStep()
{
    const auto peak = [](const Problem& problem) {
        std::vector<Bytes> live(static_cast<std::size_t>(problem.horizon()) + 1, 0);
        for (const Buffer& buffer : problem.buffers)
            for (const Interval& range : buffer.live)
                for (Step step = range.begin; step < range.end; ++step) live[static_cast<std::size_t>(step)] += buffer.size;
        return *std::max_element(live.begin(), live.end());
    };
    int merged = 0;
    for (std::uint64_t seed = 0; seed < test::randomCases(1000U); ++seed) {
        test::RandomProgramOptions shape;
        shape.maxSize = 1;
        const Program program = test::randomProgram(seed, shape);
        LowerOptions options;
        const auto plain = lower(program, options);
        options.inPlace = InPlaceMode::allowed;
        const auto inPlace = lower(program, options);
        QVERIFY(plain && inPlace);
        merged += inPlace->problem.buffers.size() < plain->problem.buffers.size();
        QVERIFY2(peak(inPlace->problem) <= peak(plain->problem), qPrintable(QStringLiteral("seed %1").arg(seed)));
    }
    QVERIFY(merged > test::randomCases(300));
}

QTEST_APPLESS_MAIN(TestLowerRandom)
#include "tests/support/instrumented.h"
#include "tst_lower_random.moc"
