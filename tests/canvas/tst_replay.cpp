// Replay of recorded steps against steps applied one by one; curves of searches and spreads of results against what they are made
// of.
#include "app/canvas/pictures/replay/replay.h"
#include "app/canvas/pictures/replay/search_curve.h"
#include "app/canvas/pictures/robustness/spread_chart.h"
#include "core/planners/registry.h"
#include "tests/support/problems.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <variant>
#include <vector>

using namespace stowage;

namespace {

struct Spot {
    PoolId pool = none;
    Bytes offset = 0;
    friend bool operator==(const Spot&, const Spot&) = default;
};

/// A run with random steps: places, removals, improvements, rejections, and some that are about nothing that exists.
std::shared_ptr<const Run> recorded(std::uint32_t seed, std::size_t steps, std::size_t buffers)
{
    test::SampleOptions options;
    options.buffers = buffers;
    options.pools = 2;
    options.seed = seed;
    auto run = std::make_shared<Run>(*test::sampleRun(options));
    std::mt19937 random(seed + stowage::test::seedShift());
    auto recorder = std::make_shared<StepRecorder>();
    const std::uint16_t why = recorder->reason(StepRule::lowestGap);
    for (std::size_t i = 0; i < steps; ++i) {
        RecordedStep step;
        step.buffer = BufferId(random() % (buffers + 1)); // one too many: of no buffer
        step.pool = PoolId(random() % 2);
        step.offset = Bytes(random() % 5000);
        step.reason = random() % 2 ? why : std::uint16_t{0};
        const auto kind = random() % 10;
        step.kind = kind < 5    ? StepKind::place
                    : kind < 7  ? StepKind::remove
                    : kind == 7 ? StepKind::improve
                    : kind == 8 ? StepKind::reject
                                : StepKind::note;
        recorder->add(step);
    }
    run->steps = recorder;
    return run;
}

} // namespace

class TestReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anyOrderOfLookingGivesTheStateOfApplyingTheSteps()
    {
        for (const std::uint32_t seed : {1U, 2U, 3U}) {
            const auto run = recorded(seed, seed == 1 ? 5000 : 200, 30);
            Replay replay(run);
            QCOMPARE(replay.at(), replay.steps());
            std::mt19937 random(seed + 100 + stowage::test::seedShift());
            for (int round = 0; round < 120; ++round) {
                const std::size_t step = round == 0 ? 0 : round == 1 ? replay.steps() : random() % (replay.steps() + 1);
                replay.seek(step);
                QCOMPARE(replay.at(), step);
                std::vector<Spot> expected(30);
                for (std::size_t i = 0; i < step; ++i) {
                    const RecordedStep& s = run->steps->steps()[i];
                    if (s.buffer >= 30) continue;
                    if (s.kind == StepKind::place) expected[std::size_t(s.buffer)] = {s.pool, s.offset};
                    if (s.kind == StepKind::remove) expected[std::size_t(s.buffer)] = {};
                }
                for (std::size_t b = 0; b < 30; ++b) {
                    const Placement& placement = replay.placements()[b];
                    QVERIFY2((Spot{placement.pool, placement.placed() ? placement.offset : 0}) == expected[b],
                             qPrintable(QStringLiteral("seed %1, step %2, buffer %3").arg(seed).arg(step).arg(b)));
                }
            }
        }
    }

    void heightsAreTheTopsOfWhatLies()
    {
        const auto run = recorded(7, 300, 20); // fewer steps than `maxHeights`: one for each
        Replay replay(run);
        QCOMPARE(replay.heights().size(), std::size_t{300});
        Bytes best = 0;
        std::vector<Bytes> most(2);
        for (std::size_t i = 0; i < 300; ++i) {
            const RecordedStep& s = run->steps->steps()[i];
            if (s.kind == StepKind::improve && s.buffer < 21) best = best == 0 ? s.offset : std::min(best, s.offset);
            replay.seek(i + 1);
            const auto frame = replay.frame();
            Bytes sum = 0;
            for (PoolId pool = 0; pool < 2; ++pool) {
                const Bytes size = frame->plan.poolSize(run->problem(), pool);
                QCOMPARE(frame->report.pools[std::size_t(pool)].size, size);
                most[std::size_t(pool)] = std::max(most[std::size_t(pool)], size);
                sum += size;
            }
            QCOMPARE(replay.heights()[i], (ReplayHeight{i + 1, sum, best}));
        }
        for (PoolId pool = 0; pool < 2; ++pool) QCOMPARE(replay.maxOf(pool), most[std::size_t(pool)]);
    }

    void manyStepsAreThinnedOutWithoutLosingTheHighest()
    {
        const auto run = recorded(9, 20'000, 12);
        Replay replay(run);
        QVERIFY(replay.heights().size() <= Replay::maxHeights);
        QCOMPARE(replay.heights().back().step, std::size_t{20'000});
        Bytes most = 0;
        for (const ReplayHeight& height : replay.heights()) most = std::max(most, height.height);
        Bytes exact = 0;
        for (std::size_t i = 0; i <= 20'000; ++i) {
            replay.seek(i);
            const auto size = [&](PoolId pool) {
                Bytes top = 0;
                for (std::size_t b = 0; b < 12; ++b)
                    if (replay.placements()[b].pool == pool)
                        top = std::max(top, replay.placements()[b].offset + run->problem().buffers[b].size);
                return top;
            };
            exact = std::max(exact, size(0) + size(1));
        }
        QCOMPARE(most, exact);
    }

    void theStepsOfARealPlannerEndInItsPlan()
    {
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (const char* name : {"greedy-by-size", "greedy-by-breadth", "tflm-greedy", "naive", "best-fit-decreasing",
                                 "hill-climb", "local-first"}) {
            const auto planner = registry.find(name);
            QVERIFY(planner);
            auto run = std::make_shared<Run>(*test::wakeWordRun());
            StepRecorder recorder;
            PlanContext context;
            context.recorder = &recorder;
            context.workLimit = 2000;
            auto plan = planner->plan(run->problem(), {}, context);
            QVERIFY(plan);
            run->plan = *plan;
            run->steps = std::make_shared<StepRecorder>(recorder);
            QVERIFY2(!recorder.steps().empty(), name);
            Replay replay(run);
            for (std::size_t b = 0; b < run->plan.placements.size(); ++b)
                QVERIFY2(replay.placements()[b].pool == run->plan.placements[b].pool &&
                             replay.placements()[b].offset == run->plan.placements[b].offset,
                         name);
            QVERIFY(!replay.describe().empty());
        }
    }

    /// A value carried round a loop needs two places, and a matrix two slots: their steps come one by one, and end in the plan.
    void copiesThatTakeTurnsComeOneByOne_data()
    {
        QTest::addColumn<QString>("planner");
        QTest::addColumn<int>("slots");
        for (const char* planner : {"greedy-by-size", "nnc", "nnc-size-first", "nnc-merge"})
            for (const int slots : {1, 2, 3}) QTest::addRow("%s, %d", planner, slots) << planner << slots;
    }
    void copiesThatTakeTurnsComeOneByOne()
    {
        QFETCH(QString, planner);
        QFETCH(int, slots);
        auto run = std::make_shared<Run>();
        auto lowering = std::make_shared<Lowering>();
        Problem& problem = lowering->problem;
        problem.pools.emplace_back().name = "arena";
        problem.loops.push_back({"loop", none, {1, 5}, {}});
        const auto buffer = [&](const char* name, Bytes size, Interval live) -> Buffer& {
            Buffer& made = problem.buffers.emplace_back();
            made.name = name;
            made.size = size;
            made.live = {live};
            return made;
        };
        buffer("first", 96, {0, 3});
        Buffer& turning = buffer("turning", 64, {2, 5});
        turning.loop = 0;
        turning.slots = slots;
        if (slots == 1) turning.carried = {{1, {1, 3}, none, {}}};
        buffer("last", 32, {4, 6});
        QVERIFY(checkAndRepair(problem).empty());
        auto recorder = std::make_shared<StepRecorder>();
        PlanContext context;
        context.recorder = recorder.get();
        const auto plan = PlannerRegistry::builtIn().find(planner.toStdString())->plan(problem, {}, context);
        QVERIFY(plan);
        run->lowering = lowering;
        run->plan = *plan;
        run->steps = recorder;
        const Placement& finished = plan->placements[1];
        QVERIFY(finished.offsets.size() >= 2);
        Replay replay(run);
        QCOMPARE(replay.at(), replay.steps());
        QCOMPARE(replay.placements()[1].offsets, finished.offsets);
        QCOMPARE(replay.frame()->plan.poolSize(problem, 0), plan->poolSize(problem, 0));
        QCOMPARE(replay.heights().back().height, plan->poolSize(problem, 0)); // nothing ever lay higher than it does now
        QCOMPARE(replay.maxOf(0), plan->poolSize(problem, 0));
        // Between the two steps the first slot is there alone; and the way there does not matter.
        std::size_t alone = 0;
        for (std::size_t step = replay.steps(); step-- > 0;) {
            replay.seek(step);
            const Placement& now = replay.placements()[1];
            if (!now.placed() || now.rotating()) continue;
            QVERIFY(std::find(finished.offsets.begin(), finished.offsets.end(), now.offset) != finished.offsets.end());
            ++alone;
        }
        QVERIFY(alone > 0);
    }

    /// The exact search shows the first slot of a buffer for all, and may try one place of the plan's after the other: they are
    /// no slots that come one by one.
    void aSearchThatShowsFirstSlotsShowsAllOrNone()
    {
        std::size_t moves = 0;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            auto lowering = std::make_shared<Lowering>();
            lowering->problem = test::randomProblem({.name = "slots", .alignment = true, .slots = true}, seed, 8);
            const Problem& problem = lowering->problem;
            auto recorder = std::make_shared<StepRecorder>();
            PlanContext context;
            context.recorder = recorder.get();
            context.workLimit = 3000;
            const auto plan = PlannerRegistry::builtIn().find("exact")->plan(problem, {}, context);
            QVERIFY(plan);
            auto run = std::make_shared<Run>();
            run->lowering = lowering;
            run->plan = *plan;
            run->steps = recorder;
            Replay replay(run);
            const QByteArray where = "seed " + QByteArray::number(qulonglong(seed));
            for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                QVERIFY2(replay.placements()[b] == plan->placements[b], where);
            for (std::size_t step = replay.steps(); step-- > 0;) {
                replay.seek(step);
                for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                    if (const Placement& now = replay.placements()[b]; now.placed())
                        QVERIFY2(now.offsets.size() == plan->placements[b].offsets.size(), where);
                moves += replay.last() && replay.last()->kind == StepKind::remove;
            }
        }
        QVERIFY2(moves > 100, qPrintable(QString::number(moves)));
    }

    void curvesGoThroughTheirSamples()
    {
        const std::vector<SearchSample> samples{
            {1, 10, 4000, 1000}, {5, 50, 3000, 1000}, {20, 90, 2000, 1500}, {40, 400, 1600, 1600}};
        SearchCurve curve;
        curve.samples = samples;
        for (const bool byWork : {false, true}) {
            curve.byWork = byWork;
            const SearchScale scale = searchScale(curve, QRectF(0, 0, 600, 200));
            QCOMPARE(scale.most, byWork ? 400.0 : 40.0);
            QVERIFY(scale.low < 1000 && scale.high > 4000);
            const QPolygonF best = searchStairs(curve, scale, false);
            const QPolygonF bound = searchStairs(curve, scale, true);
            for (const SearchSample& sample : samples) {
                const double x = scale.x(abscissa(sample, byWork));
                QVERIFY(x >= scale.plot.left() && x <= scale.plot.right());
                QVERIFY(
                    std::ranges::any_of(best, [&](const QPointF& p) { return std::abs(p.y() - scale.y(sample.best)) < 1e-6; }));
                QVERIFY(
                    std::ranges::any_of(bound, [&](const QPointF& p) { return std::abs(p.y() - scale.y(sample.bound)) < 1e-6; }));
            }
            // The best only falls on the screen as bytes fall, the bound only rises.
            for (qsizetype i = 1; i < best.size(); ++i) QVERIFY(best[i].y() >= best[i - 1].y() - 1e-9);
            for (qsizetype i = 1; i < bound.size(); ++i) QVERIFY(bound[i].y() <= bound[i - 1].y() + 1e-9);
            QCOMPARE(scale.valueAt(scale.x(17)), 17.0);
        }
    }

    /// A planner that finds its plan in one go has no course: its end is a point, not a size that was there from the beginning.
    void anEndWithoutACourseIsAPoint()
    {
        const std::vector<SearchSample> samples{{8, 10, 4000, 3000}};
        SearchCurve curve;
        curve.samples = samples;
        curve.xTitle = QStringLiteral("time");
        const QRectF box(0, 0, 600, 200);
        const SearchScale scale = searchScale(curve, box);
        QCOMPARE(scale.low, Bytes(0));
        TextShaper shaper;
        DrawList list(shaper, 1);
        paintSearchCurve(list, Theme::darkTheme(), curve, box, {});
        std::vector<QPointF> points;
        for (const DrawCommand& command : list.commands()) {
            QVERIFY(!std::holds_alternative<draw::Line>(command) && !std::holds_alternative<draw::Area>(command));
            if (const auto* disc = std::get_if<draw::Disc>(&command)) points.push_back(disc->centre);
        }
        const double end = scale.plot.right();
        QCOMPARE(points, (std::vector<QPointF>{{end, scale.y(4000)}, {end, scale.y(3000)}}));
    }

    /// Heights are above 0 where nothing improves: a plan that is built step by step, and a search that found no better plan. The
    /// curve begins where its first value was known.
    void aCurveWithoutImprovementBeginsAtZero()
    {
        const std::vector<SearchSample> built{{2, 2, 1000, 900}, {3, 3, 1500, 900}, {8, 8, 1900, 900}};
        const std::vector<SearchSample> level{{2, 2, 4000, 3900}, {8, 8, 4000, 3950}};
        const std::vector<SearchSample> better{{2, 2, 4000, 3900}, {8, 8, 3950, 3950}};
        for (const auto& [samples, zero] : {std::pair(built, true), std::pair(level, true), std::pair(better, false)}) {
            SearchCurve curve;
            curve.samples = samples;
            const SearchScale scale = searchScale(curve, QRectF(0, 0, 600, 200));
            QCOMPARE(scale.low == 0, zero);
            QVERIFY(scale.high > samples.front().best && scale.high > samples.back().best);
            for (const bool bound : {false, true}) {
                const QPolygonF line = searchStairs(curve, scale, bound);
                QCOMPARE(line.front().x(), scale.x(2));
                QCOMPARE(line.back().x(), scale.x(8));
            }
        }
    }

    void spreadsAreTheOrderStatisticsOfTheirSamples()
    {
        std::mt19937 random(4 + stowage::test::seedShift());
        for (int round = 0; round < 50; ++round) {
            std::vector<RobustnessSample> samples;
            for (std::size_t i = 0; i < 1 + random() % 20; ++i) {
                RobustnessSample sample;
                sample.seed = i;
                sample.bound = 100;
                sample.size = 100 + Bytes(random() % 40);
                sample.valid = random() % 5 > 0;
                sample.fits = random() % 3 > 0;
                samples.push_back(sample);
            }
            std::vector<double> ratios;
            for (const RobustnessSample& sample : samples)
                if (sample.valid) ratios.push_back(double(sample.size) / 100);
            const auto found = spreadFigures(samples);
            QCOMPARE(found.has_value(), !ratios.empty());
            if (!found) continue;
            std::sort(ratios.begin(), ratios.end());
            QCOMPARE(found->least, ratios.front());
            QCOMPARE(found->most, ratios.back());
            QCOMPARE(found->median, ratios[(ratios.size() - 1) / 2]);
            QCOMPARE(found->valid, ratios.size());

            const std::vector<SpreadRow> rows{{QStringLiteral("seeds"), {}, samples}};
            const SpreadLayout layout = spreadLayout(rows, QRectF(0, 0, 900, 240));
            const auto dots = layout.dots(0, samples);
            for (std::size_t i = 0; i < dots.size(); ++i) {
                if (!samples[i].valid) continue;
                QVERIFY(layout.row(0).contains(dots[i]));
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY(std::hypot(dots[i].x() - dots[k].x(), dots[i].y() - dots[k].y()) > 1 ||
                            dots[i].y() < layout.row(0).top() + 40);
                const auto hit = sampleAt(rows, layout, dots[i]);
                QVERIFY(hit && rows[0].samples[hit->second].size == samples[i].size);
            }
        }
    }
};

QTEST_MAIN(TestReplay)
#include "tst_replay.moc"
