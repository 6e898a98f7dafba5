// The checker against brute force where values are carried round loops: lowered programs, planned, and planned wrongly.
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/core/lowering_helpers.h"
#include "tests/core/random_loops.h"
#include "tests/support/brute_check.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace stowage;
using namespace stowage::test;

class TestCheckCarried : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void agreesWithBruteForce_data()
    {
        QTest::addColumn<QString>("order");
        QTest::addRow("linear") << "linear";
        QTest::addRow("dag") << "dag";
    }
    void agreesWithBruteForce()
    {
        QFETCH(QString, order);
        constexpr std::uint64_t usual = randomCases(150U);
        const std::uint64_t count =
            qEnvironmentVariableIsSet("STOWAGE_LOOP_SEEDS") ? qEnvironmentVariable("STOWAGE_LOOP_SEEDS").toULongLong() : usual;
        std::size_t judged = 0, wrong = 0, carried = 0, unsure = 0;
        for (std::uint64_t seed = 0; seed < count; ++seed) {
            RandomLoopOptions shape;
            shape.depth = 1 + static_cast<int>(seed % 2);
            shape.calls = false;
            shape.exits = seed % 3 == 1;
            shape.handsOn = seed % 3 == 2;
            const Problem problem =
                lowered(randomLoops(seed, shape), with({{"loops", "precise"}, {"order", order.toLatin1().constData()}})).problem;
            if (problem.loops.size() > 3) continue; // moments multiply
            for (const Buffer& buffer : problem.buffers) carried += buffer.carried.size();
            Plan plan = *PlannerRegistry::builtIn().find("greedy-by-size")->plan(problem, {}, {});
            std::mt19937_64 random(seed + stowage::test::seedShift());
            for (int mutation = 0; mutation < 5; ++mutation) {
                // What tells iterations apart repeats after a number of them; brute force looks at twice that number, and the
                // distances.
                std::int64_t cycle = 1, distance = 0;
                for (const Placement& placement : plan.placements)
                    for (const Rotation& rotation : placement.rotations) cycle = std::lcm(cycle, std::int64_t{rotation.extent()});
                for (const Buffer& buffer : problem.buffers)
                    for (const Carried& c : buffer.carried) distance = std::max<std::int64_t>(distance, c.distance);
                if (cycle + distance > (problem.loops.size() > 2 ? 5 : 12)) break;
                const std::string found = objection(problem, plan, cycle + distance + 2);
                const Verdict verdict = check(problem, plan);
                const std::string where = "seed " + std::to_string(seed) + ", mutation " + std::to_string(mutation) + ": ";
                ++judged;
                wrong += !found.empty();
                if (!found.empty() && verdict.valid()) QFAIL((where + "the checker overlooks that " + found).c_str());
                if (found.empty() && !verdict.valid()) {
                    // A value of the last iteration of a loop inside, of which nobody knows how often it ran: the checker asks
                    // for less.
                    if (problem.loops.size() < 2)
                        QFAIL((where + "the checker objects to " + describe(problem, verdict.violations.front())).c_str());
                    ++unsure;
                }
                // One thing elsewhere: a copy, or a view, of something.
                Placement& moved = plan.placements[random() % plan.placements.size()];
                const Placement& other = plan.placements[random() % plan.placements.size()];
                if (!moved.placed() || !other.placed()) continue;
                if (!moved.rotating())
                    moved.offset = other.offset;
                else {
                    moved.offsets[random() % moved.offsets.size()] =
                        other.rotating() ? other.offsets[random() % other.offsets.size()] : other.offset;
                    moved.offset = moved.offsets.front();
                }
            }
        }
        qInfo("%zu plans, %zu of them wrong, %zu of them by the checker alone; %zu parts carried", judged, wrong, unsure,
              carried);
        QVERIFY(unsure * 100 <= judged);
        if (count >= usual)
            QVERIFY(judged > randomCases(300U) && wrong > randomCases(100U) && judged - wrong > randomCases(100U) &&
                    carried > randomCases(200U));
    }
};

QTEST_APPLESS_MAIN(TestCheckCarried)
#include "tst_check_carried.moc"
