// The best split of a chain of ops, and the trade-off, against brute force.
#include "core/ir/types.h"
#include "core/pipeline/partition.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

using namespace stowage;
using namespace stowage::pipeline;

namespace {

struct Brute {
    Ticks period = 0;
    bool found = false;
    Ticks latency = 0; ///< least of all splits
    Ticks latencyOfPeriod = 0;
};

/// Every way to cut, every way to choose devices.
Brute bruteForce(const PartitionProblem& problem)
{
    Brute best;
    const std::size_t devices = problem.classes.size();
    for (std::uint32_t cuts = 0; cuts < (1U << (problem.ops - 1)); ++cuts) {
        std::vector<std::size_t> ends;
        bool allowed = true;
        for (std::size_t cut = 1; cut < problem.ops; ++cut)
            if ((cuts >> (cut - 1) & 1U) != 0) {
                ends.push_back(cut);
                allowed = allowed && problem.cutAllowed[cut];
            }
        ends.push_back(problem.ops);
        if (!allowed || ends.size() > devices) continue;
        std::vector<std::size_t> order(devices);
        std::iota(order.begin(), order.end(), 0);
        do {
            Ticks period = 0, latency = 0;
            bool fits = true;
            std::size_t begin = 0;
            for (std::size_t s = 0; s < ends.size(); ++s) {
                const auto c = problem.classes[order[s]];
                const Ticks cost = problem.prefix[order[s]][ends[s]] - problem.prefix[order[s]][begin];
                const Ticks moved = s > 0 && problem.transfer ? problem.transfer(problem.classes[order[s - 1]], c, begin) : 0;
                fits = fits && (!problem.fits || problem.fits(c, begin, ends[s]));
                period = std::max({period, cost, moved});
                latency += cost + moved;
                begin = ends[s];
            }
            if (!fits) continue;
            if (!best.found || period < best.period || (period == best.period && latency < best.latencyOfPeriod)) {
                best.period = period;
                best.latencyOfPeriod = latency;
            }
            if (!best.found || latency < best.latency) best.latency = latency;
            best.found = true;
        } while (std::next_permutation(order.begin(), order.end()));
    }
    return best;
}

/// The smallest period, or latency, of all splits with a number of stages within the limits of `problem`, by every way to cut and
/// every choice of devices.
Ticks smallestOf(const PartitionProblem& problem, Objective objective)
{
    Ticks best = std::numeric_limits<Ticks>::max();
    std::vector<std::size_t> ends;
    std::vector<bool> taken(problem.classes.size(), false);
    const std::function<void(std::size_t, std::int32_t, Ticks)> place = [&](std::size_t s, std::int32_t before, Ticks value) {
        if (value >= best) return;
        if (s == ends.size()) {
            best = value;
            return;
        }
        const std::size_t begin = s == 0 ? 0 : ends[s - 1];
        for (std::size_t d = 0; d < problem.classes.size(); ++d) {
            if (taken[d]) continue;
            const auto c = problem.classes[d];
            const Ticks cost = problem.prefix[d][ends[s]] - problem.prefix[d][begin];
            const Ticks moved = s > 0 && problem.transfer ? problem.transfer(before, c, begin) : 0;
            taken[d] = true;
            place(s + 1, c, objective == Objective::period ? std::max({value, cost, moved}) : value + cost + moved);
            taken[d] = false;
        }
    };
    for (std::uint32_t cuts = 0; cuts < (1U << (problem.ops - 1)); ++cuts) {
        ends.clear();
        bool allowed = true;
        for (std::size_t cut = 1; cut < problem.ops; ++cut)
            if ((cuts >> (cut - 1) & 1U) != 0) ends.push_back(cut), allowed = allowed && problem.cutAllowed[cut];
        ends.push_back(problem.ops);
        if (allowed && ends.size() >= problem.minStages && ends.size() <= problem.maxStages) place(0, 0, 0);
    }
    return best;
}

/// Random costs, cuts, memory rules that do not follow from each other, and links.
struct RandomCase {
    PartitionProblem problem;
    std::vector<std::vector<Ticks>> links; ///< by class
    std::vector<Ticks> bytes;              ///< by cut
    std::vector<Ticks> limits;             ///< by class

    explicit RandomCase(unsigned seed)
    {
        std::mt19937 random(seed + stowage::test::seedShift());
        problem.ops = 1 + random() % 7;
        const std::size_t devices = 1 + random() % 4;
        const std::size_t classes = 1 + random() % devices;
        std::vector<std::vector<Ticks>> prefixes;
        for (std::size_t c = 0; c < classes; ++c) {
            auto& prefix = prefixes.emplace_back(1, 0);
            for (std::size_t o = 0; o < problem.ops; ++o) prefix.push_back(prefix.back() + static_cast<Ticks>(random() % 30));
            links.emplace_back();
            for (std::size_t d = 0; d < classes; ++d) links.back().push_back(static_cast<Ticks>(random() % 4));
            limits.push_back(static_cast<Ticks>(20 + random() % 100));
        }
        for (std::size_t d = 0; d < devices; ++d) {
            problem.classes.push_back(static_cast<std::int32_t>(d < classes ? d : random() % classes));
            problem.prefix.push_back(prefixes[at(problem.classes.back())]);
        }
        problem.cutAllowed.assign(problem.ops + 1, true);
        for (std::size_t cut = 0; cut <= problem.ops; ++cut) {
            problem.cutAllowed[cut] = random() % 5 != 0;
            bytes.push_back(static_cast<Ticks>(random() % 10));
        }
        if (random() % 2 == 0)
            problem.transfer = [this](std::int32_t a, std::int32_t b, std::size_t cut) {
                return links[at(a)][at(b)] * bytes[cut];
            };
        const unsigned salt = random();
        if (random() % 2 == 0)
            problem.fits = [this, salt](std::int32_t c, std::size_t begin, std::size_t end) {
                // Neither more nor fewer ops need more, as with arenas.
                const auto need = static_cast<Ticks>((begin * 31 + end * 17 + salt) % 40 + 10 * (end - begin));
                return need <= limits[at(c)];
            };
    }
    RandomCase(const RandomCase&) = delete;
};

} // namespace

class PipelinePartitionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theBestSplitIsThatOfBruteForce()
    {
        int infeasible = 0;
        for (unsigned seed = 0; seed < 1500; ++seed) {
            const RandomCase made(seed);
            const PartitionProblem& problem = made.problem;
            // Of one class the link between two members is that of the class with itself.
            const Brute brute = bruteForce(problem);
            const QByteArray hint = "seed " + QByteArray::number(seed);
            const Partition period = partition(problem, Objective::period);
            const Partition latency = partition(problem, Objective::latency);
            if (!brute.found) {
                ++infeasible;
                QVERIFY2(period.status == PartitionStatus::infeasible, hint.constData());
                QVERIFY2(latency.status == PartitionStatus::infeasible, hint.constData());
                continue;
            }
            QVERIFY2(period.status == PartitionStatus::optimal, hint.constData());
            QVERIFY2(period.period == brute.period && period.bound == brute.period, hint.constData());
            QVERIFY2(period.latency == brute.latencyOfPeriod, hint.constData());
            QVERIFY2(latency.status == PartitionStatus::optimal && latency.latency == brute.latency, hint.constData());
            // The stages cover all ops, on different devices, and measure what is said.
            Partition again = period;
            measure(problem, again);
            QCOMPARE(again.period, period.period);
            std::vector<std::int32_t> used;
            std::size_t end = 0;
            for (const PartitionStage& stage : period.stages) {
                QVERIFY2(stage.begin == end, hint.constData());
                end = stage.end;
                used.push_back(stage.device);
                if (problem.fits) QVERIFY2(problem.fits(stage.deviceClass, stage.begin, stage.end), hint.constData());
            }
            QVERIFY2(end == problem.ops, hint.constData());
            std::sort(used.begin(), used.end());
            QVERIFY2(std::adjacent_find(used.begin(), used.end()) == used.end(), hint.constData());
        }
        QVERIFY(infeasible > 20);
    }

    void theTradeOffHasEveryPointThatNoOtherBeats_data()
    {
        QTest::addColumn<bool>("byBytes");
        QTest::newRow("period against memory") << true;
        QTest::newRow("period against latency") << false;
    }

    void theTradeOffHasEveryPointThatNoOtherBeats()
    {
        QFETCH(bool, byBytes);
        for (unsigned seed = 0; seed < 200; ++seed) {
            RandomCase made(seed);
            PartitionProblem problem = made.problem;
            problem.bytes = [seed](std::int32_t c, std::size_t begin, std::size_t end, bool exact) {
                const auto need = static_cast<std::int64_t>((begin * 7 + end * 13 + static_cast<std::size_t>(c) * 5 + seed) % 50 +
                                                            4 * (end - begin));
                return exact ? need : need / 2;
            };
            std::size_t told = 0;
            const TradeOff curve = tradeOff(problem, byBytes, 100, {}, [&](const auto& sofar) {
                ++told;
                QVERIFY(!sofar.empty());
            });
            QVERIFY(curve.complete);
            const auto& points = curve.points;
            QVERIFY(told >= points.size());
            // Brute force: for each period the fewest bytes, or the smallest latency.
            std::vector<std::pair<Ticks, std::int64_t>> all;
            for (std::uint32_t cuts = 0; cuts < (1U << (problem.ops - 1)); ++cuts) {
                std::vector<std::size_t> ends;
                bool allowed = true;
                for (std::size_t cut = 1; cut < problem.ops; ++cut)
                    if ((cuts >> (cut - 1) & 1U) != 0) ends.push_back(cut), allowed = allowed && problem.cutAllowed[cut];
                ends.push_back(problem.ops);
                if (!allowed || ends.size() > problem.classes.size()) continue;
                std::vector<std::size_t> order(problem.classes.size());
                std::iota(order.begin(), order.end(), 0);
                do {
                    Ticks period = 0;
                    std::int64_t price = 0;
                    std::size_t begin = 0;
                    bool fits = true;
                    for (std::size_t s = 0; s < ends.size(); ++s) {
                        const auto c = problem.classes[order[s]];
                        const Ticks cost = problem.prefix[order[s]][ends[s]] - problem.prefix[order[s]][begin];
                        const Ticks moved =
                            s > 0 && problem.transfer ? problem.transfer(problem.classes[order[s - 1]], c, begin) : 0;
                        period = std::max({period, cost, moved});
                        fits = fits && (!problem.fits || problem.fits(c, begin, ends[s]));
                        price += byBytes ? problem.bytes(c, begin, ends[s], true) : cost + moved;
                        begin = ends[s];
                    }
                    if (fits) all.emplace_back(period, price);
                } while (std::next_permutation(order.begin(), order.end()));
            }
            std::sort(all.begin(), all.end());
            std::vector<std::pair<Ticks, std::int64_t>> front;
            for (const auto& point : all)
                if (front.empty() || point.second < front.back().second) front.push_back(point);
            std::reverse(front.begin(), front.end());
            std::vector<std::pair<Ticks, std::int64_t>> found;
            for (const Partition& point : points) found.emplace_back(point.period, byBytes ? point.bytes : point.latency);
            QVERIFY2(found == front, qPrintable(QString("seed %1").arg(seed)));
            // Cut off, it has both ends and points of the front between them, and says that there are more.
            if (front.size() < 4) continue;
            const TradeOff part = tradeOff(problem, byBytes, 3);
            QVERIFY(!part.complete);
            QCOMPARE(part.points.size(), 3U);
            QCOMPARE(part.points.back().period, front.back().first);
            std::stop_source stop;
            stop.request_stop();
            QVERIFY(!tradeOff(problem, byBytes, 100, stop.get_token()).complete);
        }
    }

    /// What may fit is cheap to ask and too hopeful; what does fit is asked of the stages of answers alone. The answer is that of
    /// the true rule, and where a stage was left out of which nobody knows whether it fits, the bound is below the splits with
    /// it.
    void stagesOfAnswersAloneAreConfirmed()
    {
        int undecided = 0;
        int gaps = 0;
        for (unsigned seed = 0; seed < 800; ++seed) {
            const RandomCase made(seed);
            if (!made.problem.fits) continue;
            PartitionProblem known = made.problem; // what is found to fit
            PartitionProblem hopeful = made.problem;
            const auto rule = made.problem.fits;
            const auto unknown = [seed](std::int32_t c, std::size_t begin, std::size_t end) {
                return (begin * 5 + end * 3 + at(c) + seed) % 7 == 0;
            };
            known.fits = [&](std::int32_t c, std::size_t begin, std::size_t end) {
                return rule(c, begin, end) && !unknown(c, begin, end);
            };
            hopeful.fits = [&](std::int32_t c, std::size_t begin, std::size_t end) {
                return rule(c, begin, end) || (begin + end + seed) % 3 == 0;
            };
            std::set<std::tuple<std::int32_t, std::size_t, std::size_t>> asked;
            bool twice = false;
            hopeful.confirms = [&](std::int32_t c, std::size_t begin, std::size_t end) {
                twice = twice || !asked.emplace(c, begin, end).second;
                return !rule(c, begin, end) ? Fit::no : unknown(c, begin, end) ? Fit::unknown : Fit::yes;
            };
            const QByteArray hint = "seed " + QByteArray::number(seed);
            const Brute proved = bruteForce(made.problem); // with what may fit and is not known
            const Brute brute = bruteForce(known);
            for (const Objective objective : {Objective::period, Objective::latency}) {
                asked.clear();
                const Partition found = partition(hopeful, objective);
                const Ticks value = objective == Objective::period ? found.period : found.latency;
                QVERIFY2(!twice, hint.constData());
                if (!brute.found) {
                    QVERIFY2(found.stages.empty(), hint.constData());
                    QVERIFY2(found.status == PartitionStatus::undecided ||
                                 (found.status == PartitionStatus::infeasible && !proved.found),
                             hint.constData());
                    undecided += found.status == PartitionStatus::undecided ? 1 : 0;
                    continue;
                }
                QCOMPARE(value, objective == Objective::period ? brute.period : brute.latency);
                const Ticks least = objective == Objective::period ? proved.period : proved.latency;
                QVERIFY2(found.bound <= least, hint.constData());
                QCOMPARE(found.status == PartitionStatus::optimal, found.bound == value);
                gaps += found.status == PartitionStatus::feasible ? 1 : 0;
            }
        }
        QVERIFY(undecided > 3 && gaps > 10);
    }

    void twelveDifferentDevicesAreExact()
    {
        PartitionProblem problem;
        problem.ops = 24;
        problem.cutAllowed.assign(25, true);
        for (std::int32_t d = 0; d < 12; ++d) {
            problem.classes.push_back(d);
            auto& prefix = problem.prefix.emplace_back(1, 0);
            for (std::size_t o = 0; o < 24; ++o)
                prefix.push_back(prefix.back() + 100 + static_cast<Ticks>((o * 7 + at(d) * 13) % 11));
        }
        QVERIFY(isExact(problem));
        const Partition found = partition(problem, Objective::period);
        QCOMPARE(found.status, PartitionStatus::optimal);
        // Two ops a stage: at least 200, and 24 ops on 12 devices leave no other way.
        QCOMPARE(found.stages.size(), 12U);
        for (const PartitionStage& stage : found.stages) QCOMPARE(stage.end - stage.begin, 2U);
        QVERIFY(found.period >= 200 && found.period <= 220);
    }

    void beyondThatThereIsABoundAndAGap()
    {
        PartitionProblem problem;
        problem.ops = 40;
        problem.cutAllowed.assign(41, true);
        std::mt19937 random(7 + stowage::test::seedShift());
        for (std::int32_t d = 0; d < 16; ++d) {
            problem.classes.push_back(d);
            auto& prefix = problem.prefix.emplace_back(1, 0);
            for (std::size_t o = 0; o < 40; ++o) prefix.push_back(prefix.back() + 50 + static_cast<Ticks>(random() % 100));
        }
        QVERIFY(!isExact(problem));
        const Partition found = partition(problem, Objective::period);
        QCOMPARE(found.status, PartitionStatus::feasible);
        QVERIFY(found.bound > 0 && found.bound < found.period);
        Partition again = found;
        measure(problem, again);
        QCOMPARE(again.period, found.period);
    }

    /// 13 different devices, the first of which is so fast that one stage would be best: the number of stages stays within its
    /// limits, stages end at allowed cuts, and the bound holds for all these splits.
    void numbersOfStagesHoldBeyondTheExactSearch()
    {
        for (unsigned seed = 0; seed < 30; ++seed) {
            std::mt19937 random(300 + seed + stowage::test::seedShift());
            PartitionProblem problem;
            problem.ops = 6;
            for (std::int32_t d = 0; d < 13; ++d) {
                problem.classes.push_back(d);
                auto& prefix = problem.prefix.emplace_back(1, 0);
                for (std::size_t o = 0; o < 6; ++o)
                    prefix.push_back(prefix.back() + (d == 0 ? 1 : 100 + static_cast<Ticks>(random() % 50)));
            }
            if (seed % 2 == 0)
                problem.transfer = [](std::int32_t a, std::int32_t b, std::size_t cut) {
                    return static_cast<Ticks>((at(a) * 3 + at(b) * 5 + cut) % 40);
                };
            const bool fixed = seed % 3 == 0;
            problem.cutAllowed.assign(7, !fixed);
            if (fixed) problem.cutAllowed[2] = problem.cutAllowed[5] = true;
            problem.minStages = fixed ? 3 : 2;
            problem.maxStages = 3;
            QVERIFY(!isExact(problem));
            const QByteArray hint = "seed " + QByteArray::number(seed);
            for (const Objective objective : {Objective::period, Objective::latency}) {
                const Partition found = partition(problem, objective);
                const Ticks value = objective == Objective::period ? found.period : found.latency;
                const Ticks smallest = smallestOf(problem, objective);
                QVERIFY2(found.stages.size() >= problem.minStages && found.stages.size() <= 3, hint.constData());
                std::set<std::int32_t> used;
                std::size_t end = 0;
                for (const PartitionStage& stage : found.stages) {
                    QVERIFY2(stage.begin == end && used.insert(stage.device).second, hint.constData());
                    end = stage.end;
                    QVERIFY2(end == problem.ops || problem.cutAllowed[end], hint.constData());
                }
                QCOMPARE(end, problem.ops);
                Partition again = found;
                measure(problem, again);
                QCOMPARE(objective == Objective::period ? again.period : again.latency, value);
                QVERIFY2(value >= smallest && found.bound <= smallest, hint.constData());
                QVERIFY2(found.status != PartitionStatus::optimal || value == smallest, hint.constData());
            }
        }
    }

    /// More stages than devices: there is no such split, and none is invented.
    void moreStagesThanDevicesAreNotFoundBeyondTheExactSearch()
    {
        PartitionProblem problem;
        problem.ops = 20;
        for (std::int32_t d = 0; d < 13; ++d) {
            problem.classes.push_back(d);
            auto& prefix = problem.prefix.emplace_back(1, 0);
            for (std::size_t o = 0; o < 20; ++o) prefix.push_back(prefix.back() + 10 + d);
        }
        problem.minStages = 14;
        QVERIFY(!isExact(problem));
        const Partition found = partition(problem, Objective::period);
        QVERIFY(found.stages.empty());
        QVERIFY(found.status != PartitionStatus::optimal && found.status != PartitionStatus::feasible);
    }

    void equalDevicesAreOneClassHoweverMany()
    {
        PartitionProblem problem;
        problem.ops = 200;
        problem.cutAllowed.assign(201, true);
        std::vector<Ticks> prefix(1, 0);
        for (std::size_t o = 0; o < 200; ++o) prefix.push_back(prefix.back() + 1 + static_cast<Ticks>(o * o % 97));
        for (std::int32_t d = 0; d < 40; ++d) {
            problem.classes.push_back(0);
            problem.prefix.push_back(prefix);
        }
        QVERIFY(isExact(problem));
        const Partition found = partition(problem, Objective::period);
        QCOMPARE(found.status, PartitionStatus::optimal);
        // The greedy filling decides a period exactly for equal devices without limits: the found one works, one less does not.
        const auto stagesFor = [&](Ticks period) {
            std::size_t stages = 1;
            Ticks sum = 0;
            for (std::size_t o = 0; o < 200; ++o) {
                const Ticks cost = prefix[o + 1] - prefix[o];
                if (cost > period) return std::size_t{1000};
                if (sum + cost > period) ++stages, sum = 0;
                sum += cost;
            }
            return stages;
        };
        QVERIFY(stagesFor(found.period) <= 40);
        QVERIFY(stagesFor(found.period - 1) > 40);
    }
};

QTEST_APPLESS_MAIN(PipelinePartitionTest)
#include "tst_pipeline_partition.moc"
