// What differs between two plans, against looking at every buffer of both by its name.
#include "core/explain/plan_difference.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>
#include <string>

using namespace stowage;

namespace {

/// Where a buffer lies: the pool's name and all its offsets.
struct Place {
    std::string pool;
    std::set<Bytes> offsets;
    friend bool operator==(const Place&, const Place&) = default;
};

std::map<std::string, Place> placesOf(const Problem& problem, const Plan& plan)
{
    std::map<std::string, Place> places;
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Placement& p = plan.placements[i];
        if (!p.placed()) continue;
        Place& place = places[problem.buffers[i].name];
        place.pool = problem.pools[std::size_t(p.pool)].name;
        place.offsets.insert(p.offsets.begin(), p.offsets.end());
        if (p.offsets.empty()) place.offsets.insert(p.offset);
    }
    return places;
}

} // namespace

class TestPlanDifference : public QObject {
    Q_OBJECT

private:
    static void compare(const Problem& here, const Plan& planHere, const Problem& there, const Plan& planThere)
    {
        const PlanDifference found = difference(here, planHere, there, planThere);
        const auto a = placesOf(here, planHere);
        const auto b = placesOf(there, planThere);
        std::map<Moved, std::size_t> counts;
        Bytes furthest = 0;
        QCOMPARE(found.of.size(), here.buffers.size());
        for (std::size_t i = 0; i < here.buffers.size(); ++i) {
            const std::string& name = here.buffers[i].name;
            Moved expected = Moved::unplaced;
            Bytes by = 0;
            if (a.contains(name)) {
                const Place& place = a.at(name);
                if (!b.contains(name))
                    expected = Moved::onlyHere;
                else if (place.pool != b.at(name).pool)
                    expected = Moved::otherPool;
                else if (place == b.at(name))
                    expected = Moved::same;
                else {
                    by = *place.offsets.begin() - *b.at(name).offsets.begin();
                    expected = by > 0 ? Moved::higher : by < 0 ? Moved::lower : Moved::otherSlots;
                }
            }
            QCOMPARE(int(found.of[i].kind), int(expected));
            QCOMPARE(found.of[i].by, by);
            if (found.of[i].there != none) QCOMPARE(there.buffers[std::size_t(found.of[i].there)].name, name);
            ++counts[expected];
            furthest = std::max(furthest, by < 0 ? -by : by);
        }
        for (std::size_t kind = 0; kind < changeKinds; ++kind) QCOMPARE(found.counts[kind], counts[Moved(kind)]);
        QCOMPARE(found.furthest, furthest);
        std::vector<BufferId> onlyThere;
        for (std::size_t i = 0; i < there.buffers.size(); ++i)
            if (b.contains(there.buffers[i].name) && !a.contains(there.buffers[i].name)) onlyThere.push_back(BufferId(i));
        QCOMPARE(found.onlyThere, onlyThere);
    }

private Q_SLOTS:
    void equalsLookingAtEveryBufferByName()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 60; ++round) {
            test::SampleOptions options;
            options.seed = random.generate();
            options.buffers = std::size_t(random.bounded(1, 60));
            options.pools = 2;
            options.slots = 0.3;
            const auto run = test::sampleRun(options);
            const Problem& problem = run->problem();
            Plan other = run->plan;
            for (Placement& placement : other.placements) {
                switch (random.bounded(6)) {
                case 0:
                    placement.offset += 16;
                    for (Bytes& offset : placement.offsets) offset += 16;
                    break;
                case 1: placement.pool = 1 - placement.pool; break;
                case 2: placement.pool = none; break;
                case 3:
                    if (placement.offsets.size() > 1) placement.offsets.back() += 4096;
                    break;
                default: break;
                }
            }
            compare(problem, run->plan, problem, other);
            compare(problem, other, problem, run->plan);

            // Another problem: some buffers gone, some new, in another order, and the pools the other way round.
            Problem fewer = problem;
            Plan fewerPlan = other;
            std::swap(fewer.pools[0], fewer.pools[1]);
            for (std::size_t i = fewer.buffers.size(); i-- > 0;) {
                if (random.bounded(4) == 0) {
                    fewer.buffers.erase(fewer.buffers.begin() + std::ptrdiff_t(i));
                    fewerPlan.placements.erase(fewerPlan.placements.begin() + std::ptrdiff_t(i));
                } else if (random.bounded(8) == 0) {
                    fewer.buffers[i].name += "_new";
                }
            }
            std::reverse(fewer.buffers.begin(), fewer.buffers.end());
            std::reverse(fewerPlan.placements.begin(), fewerPlan.placements.end());
            compare(problem, run->plan, fewer, fewerPlan);
            compare(fewer, fewerPlan, problem, run->plan);
        }
    }

    void aPlanAgainstItselfIsTheSame()
    {
        const auto run = test::sampleRun({.buffers = 200, .slots = 0.2});
        const PlanDifference found = difference(run->problem(), run->plan, run->problem(), run->plan);
        QCOMPARE(found.count(Moved::same), std::size_t(200));
        QCOMPARE(found.moved(), std::size_t(0));
        QVERIFY(!found.byName);
        QCOMPARE(found.furthest, Bytes(0));
    }

    void aPlanOfNothingAndABrokenOneAreSurvived()
    {
        const auto run = test::sampleRun({.buffers = 5});
        Plan broken;
        const PlanDifference found = difference(run->problem(), run->plan, run->problem(), broken);
        QCOMPARE(found.count(Moved::onlyHere), std::size_t(5));
        broken.placements.resize(5);
        for (Placement& placement : broken.placements) placement.pool = 77; // there is no such pool
        QCOMPARE(difference(run->problem(), run->plan, run->problem(), broken).count(Moved::otherPool), std::size_t(5));
    }
};

QTEST_APPLESS_MAIN(TestPlanDifference)
#include "tst_plan_difference.moc"
