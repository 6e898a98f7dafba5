// The usage picture shows what the core measured: its curves, levels and peak, for every pool in use.
#include "app/canvas/axis/run_scene.h"
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/canvas/pictures/usage/usage_picture.h"
#include "core/planners/registry.h"
#include "tests/core/hivm_problems.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace stowage;

namespace {

struct Shown {
    std::vector<UsagePool> pools;
    UsageState state;
    UsageLayout layout;
    TextShaper shaper;
    DrawList list{shaper, 1};

    Shown(const Run& run, QSizeF size, const std::vector<bool>* kept = nullptr)
    {
        pools = usagePools(run, kept);
        state.pools = &pools;
        state.theme = &Theme::darkTheme();
        state.steps = stepsOf(run);
        layout = layOut(state, size);
        fitAxis(state, layout);
        paintUsage(list, state, layout);
    }
    [[nodiscard]] bool says(const QString& text) const { return test::timesSaid(list, text) > 0; }
    /// The centres of the points that mark peaks.
    [[nodiscard]] std::vector<QPointF> discs() const
    {
        std::vector<QPointF> found;
        for (const DrawCommand& command : list.commands())
            if (const auto* disc = std::get_if<draw::Disc>(&command)) found.push_back(disc->centre);
        return found;
    }
};

Buffer bufferOf(std::string name, Bytes size, Interval live)
{
    Buffer buffer;
    buffer.name = std::move(name);
    buffer.size = size;
    buffer.alignment = 1;
    buffer.live = {live};
    return buffer;
}

/// 64 bytes at first, then 48.
std::shared_ptr<const Run> earlyAndLate()
{
    Problem problem;
    problem.pools.push_back({.name = "arena"});
    problem.buffers = {bufferOf("early", 64, {0, 2}), bufferOf("late", 48, {8, 12})};
    return test::runOf(std::move(problem));
}

/// Shows the run under a filter that includes the buffers for which `shown` is true; null: without a filter.
void showFiltered(UsagePicture& picture, const std::shared_ptr<const Run>& run, std::shared_ptr<const std::vector<bool>> shown)
{
    PictureSource source;
    source.run = run;
    source.scenes = std::make_shared<SceneCache>();
    PictureMarks marks;
    marks.shown = std::move(shown);
    picture.setMarks(marks, false);
    picture.take(picture.prepare(source).make({}));
    picture.layOut({1000, 420}, 1);
}

} // namespace

class UsageChartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyValueIsTheOneCountedStepByStep()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        for (int round = 0; round < 20; ++round) {
            test::SampleOptions options;
            options.seed = random.generate();
            options.buffers = std::size_t(random.bounded(1, 50));
            options.steps = random.bounded(4, 60);
            options.pools = 2;
            options.gaps = 0.3;
            const auto run = test::sampleRun(options);
            const auto pools = usagePools(*run);
            QVERIFY(!pools.empty());
            for (const UsagePool& pool : pools) {
                QCOMPARE(pool.bound, run->report.pools[std::size_t(pool.pool)].lowerBound);
                for (Step step = 0; step < stepsOf(*run); ++step) {
                    Bytes live = 0, top = 0;
                    std::vector<std::pair<Bytes, Bytes>> taken;
                    for (std::size_t i = 0; i < run->problem().buffers.size(); ++i) {
                        const Buffer& buffer = run->problem().buffers[i];
                        const Placement& placement = run->plan.placements[i];
                        if (placement.pool != pool.pool ||
                            std::ranges::none_of(buffer.live, [&](const Interval& range) { return range.contains(step); }))
                            continue;
                        live += buffer.size;
                        top = std::max(top, placement.offset + buffer.size);
                        taken.emplace_back(placement.offset, placement.offset + buffer.size);
                    }
                    std::ranges::sort(taken);
                    Bytes free = 0, largest = 0, from = 0;
                    for (const auto& [low, high] : taken) {
                        free += low - from;
                        largest = std::max(largest, low - from);
                        from = high;
                    }
                    free += pool.size - from;
                    largest = std::max(largest, pool.size - from);
                    QCOMPARE(pool.live.valueAt(step), live);
                    QCOMPARE(pool.top.valueAt(step), top);
                    QCOMPARE(pool.free.valueAt(step), free);
                    QCOMPARE(pool.largestFree.valueAt(step), largest);
                    if (step == pool.peakStep) QCOMPARE(live, pool.peak);
                }
            }
        }
    }

    /// "Live" is one number: in this picture, in the curve of the map, and of the report's peak. In a plan for Ascend a buffer
    /// may rotate over more addresses than it holds values at a time; only what it holds is live.
    void theCurveOfTheMapSaysTheSame()
    {
        const auto kernel = std::make_shared<Run>();
        auto lowering =
            lower(test::fromRows(test::flashAttentionVector(48), test::flashLoop, test::scope("ub", test::unifiedBuffer)), {});
        QVERIFY(bool(lowering));
        kernel->lowering = std::make_shared<Lowering>(*std::move(lowering));
        kernel->plan = *PlannerRegistry::builtIn().find("hivm")->plan(kernel->problem(), {}, {});
        kernel->report = evaluate(kernel->problem(), kernel->plan);
        bool rotates = false;
        for (std::size_t i = 0; i < kernel->problem().buffers.size(); ++i)
            rotates |= std::ssize(kernel->plan.placements[i].offsets) > kernel->problem().buffers[i].slots;
        QVERIFY(rotates);
        for (const std::shared_ptr<const Run>& run :
             {std::shared_ptr<const Run>(kernel), test::sampleRun({.pools = 2, .gaps = 0.4, .slots = 0.3}),
              test::wakeWordRun()}) {
            const auto scene = makeScene(run);
            const auto pools = usagePools(*run);
            QCOMPARE(scene->pools.size(), pools.size());
            for (std::size_t i = 0; i < pools.size(); ++i) {
                for (Step step = 0; step < stepsOf(*run); ++step)
                    QCOMPARE(scene->pools[i].live.valueAt(step), pools[i].live.valueAt(step));
                QCOMPARE(scene->pools[i].live.most(), pools[i].peak);
                QCOMPARE(scene->pools[i].live.valueAt(pools[i].peakStep), pools[i].peak);
            }
        }
    }

    void everyGridLineHasItsNumber()
    {
        const auto run = test::wakeWordRun();
        for (const QSizeF size : {QSizeF(1142, 500), QSizeF(560, 420), QSizeF(900, 900)}) {
            const Shown shown(*run, size);
            std::set<double> lines, numbers; // heights in the upper band; the gutter's right edge is that of the numbers
            for (const DrawCommand& command : shown.list.commands()) {
                if (const auto* fill = std::get_if<draw::Fill>(&command);
                    fill && fill->colour == Theme::darkTheme().grid && fill->rect.width() > fill->rect.height())
                    lines.insert(fill->rect.center().y());
                if (const auto* text = std::get_if<draw::Text>(&command); text && text->face == Face::tick)
                    numbers.insert(text->at.y());
            }
            QVERIFY(lines.size() >= 4);
            QCOMPARE(numbers.size(), lines.size());
        }
    }

    /// The chip of a capacity covers no other line: neither that of a bound close below its own, nor, where the capacity is far
    /// above the scale, that of the bound at the top of it.
    void theChipOfTheCapacityCoversNoOtherLine()
    {
        for (const Bytes capacity : {1010, 1020, 1040, 1100, 1300, 1900, 4000}) {
            Problem problem;
            problem.pools.push_back({.name = "arena", .capacity = capacity});
            problem.buffers = {bufferOf("most", 1000, {2, 4}), bufferOf("rest", 200, {4, 16})};
            for (const double height : {160.0, 240.0, 600.0}) {
                const Shown shown(*test::runOf(problem), {1000, height});
                const QRectF& band = shown.layout.use.front();
                const UsagePool& pool = shown.pools.front();
                QCOMPARE(pool.bound, Bytes(1000));
                const double floor = band.bottom() - 8, high = floor - band.top() - 14; // as the band is laid out
                const double bound = floor - double(pool.bound) / double(usageScale(pool)) * high;
                std::size_t chips = 0;
                for (const DrawCommand& command : shown.list.commands()) {
                    const auto* chip = std::get_if<draw::Outline>(&command);
                    if (!chip || chip->colour != Theme::darkTheme().bad) continue;
                    ++chips;
                    QVERIFY2(chip->rect.top() > bound + 0.5 || chip->rect.bottom() < bound - 0.5,
                             qPrintable(QStringLiteral("capacity %1, height %2: chip from %3 to %4 over %5")
                                            .arg(capacity)
                                            .arg(height)
                                            .arg(chip->rect.top())
                                            .arg(chip->rect.bottom())
                                            .arg(bound)));
                }
                QCOMPARE(chips, std::size_t(1));
            }
        }
    }

    /// In low bands the curves leave no place for a tag: the peak is in the gutter then, and no chip lies over a curve.
    void aPeakWithoutAPlaceIsInTheGutter()
    {
        bool below = false;
        for (const double height : {330.0, 420.0, 600.0, 900.0}) {
            const auto run = test::sampleRun({.buffers = 60, .pools = 3});
            const Shown shown(*run, {700, height});
            const Theme& theme = Theme::darkTheme();
            for (std::size_t i = 0; i < shown.layout.use.size(); ++i) {
                const UsagePool& pool = shown.pools[i];
                const QRectF& band = shown.layout.use[i];
                const double floor = band.bottom() - 8, high = floor - band.top() - 14; // as the band is laid out
                const auto y = [&](Bytes bytes) { return floor - double(bytes) / double(usageScale(pool)) * high; };
                for (const DrawCommand& command : shown.list.commands()) {
                    const auto* fill = std::get_if<draw::Fill>(&command);
                    if (!fill || fill->colour != theme.warnSoft || !band.contains(fill->rect)) continue;
                    for (const StepFunction* curve : {&pool.live, &pool.top})
                        QVERIFY(!curveMeets(*curve, shown.state.axis, 1, shown.layout.plotLeft, y, fill->rect));
                }
                const QString step = countText(pool.peakStep);
                const bool tag = shown.says(QStringLiteral("peak %1, step %2").arg(bytesText(pool.peak, {}), step));
                below |= !tag;
                QVERIFY(tag || shown.says(QStringLiteral("peak at step ") + step) ||
                        shown.says(QStringLiteral("at step ") + step));
            }
        }
        QVERIFY(below); // else nothing was tried
    }

    void eachPoolHasItsBandWithPeakCapacityAndBound()
    {
        const auto run = test::sampleRun({.buffers = 60, .pools = 3});
        const Shown shown(*run, {1000, 900});
        QCOMPARE(shown.layout.use.size(), std::size_t(3));
        for (const UsagePool& pool : shown.pools) {
            QVERIFY(shown.says(QString::fromStdString(pool.name)));
            QVERIFY(shown.says(QStringLiteral("peak %1, step %2").arg(bytesText(pool.peak, {}), countText(pool.peakStep))));
            QVERIFY(shown.says(QStringLiteral("capacity %1").arg(bytesText(*pool.capacity, {}))));
            QVERIFY(shown.says(QStringLiteral("bound %1").arg(bytesText(pool.bound, {}))));
        }
        // The bands lie one below the other and fill the picture.
        double top = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(shown.layout.use[i].top() >= top);
            top = shown.layout.free[i].bottom();
        }
        QVERIFY(top <= shown.layout.ruler.top());
    }

    void thePeakIsMarkedWhereItIs()
    {
        const auto run = test::wakeWordRun();
        const Shown shown(*run, {1128 + 14, 500});
        const UsagePool& pool = shown.pools.front();
        const auto disc = std::ranges::find_if(
            shown.list.commands(), [](const DrawCommand& command) { return std::holds_alternative<draw::Disc>(command); });
        QVERIFY(disc != shown.list.commands().end());
        const QPointF at = std::get<draw::Disc>(*disc).centre;
        const double step =
            (at.x() - shown.layout.plotLeft) / (shown.layout.plotRight - shown.layout.plotLeft) * double(shown.state.steps);
        QCOMPARE(Step(std::floor(step)), pool.peakStep);
    }

    /// Example: the filter leaves the second buffer only, or none: the curve and its peak are those of what it leaves.
    void thePeakUnderAFilterIsThatOfItsCurve()
    {
        const auto run = earlyAndLate();
        const std::vector<bool> second{false, true}, nothing{false, false};
        const Shown shown(*run, {1000, 420}, &second);
        QVERIFY(shown.says(QStringLiteral("filtered peak 48 B")));
        QVERIFY(!shown.says(QStringLiteral("peak 64 B")));
        QCOMPARE(shown.discs().size(), std::size_t(1));
        const QRectF& band = shown.layout.use.front();
        const double perStep = (shown.layout.plotRight - shown.layout.plotLeft) / 12;
        const double floor = band.bottom() - 8, height = floor - band.top() - 14; // as the band is laid out, 64 bytes high
        QVERIFY(std::abs(shown.discs().front().x() - (shown.layout.plotLeft + 8.5 * perStep)) < 1.5);
        QVERIFY(std::abs(shown.discs().front().y() - (floor - 48.0 / 64 * height)) < 1.5);
        const Shown empty(*run, {1000, 420}, &nothing);
        QVERIFY(empty.discs().empty() && !empty.says(QStringLiteral("peak")));
    }

    /// The key for the peak goes to the peak that is marked.
    void theWayToThePeakLeadsToTheMarkedOne()
    {
        const auto run = earlyAndLate();
        UsagePicture picture;
        showFiltered(picture, run, nullptr);
        QCOMPARE(picture.peakAim()->cursor, std::optional<Step>(0));
        showFiltered(picture, run, std::make_shared<const std::vector<bool>>(std::vector<bool>{false, true}));
        const auto aim = picture.peakAim();
        QVERIFY(aim);
        QCOMPARE(aim->cursor, std::optional<Step>(8));
        QCOMPARE(aim->across, std::optional<Interval>(Interval{8, 9}));
        showFiltered(picture, run, std::make_shared<const std::vector<bool>>(std::vector<bool>{false, false}));
        QVERIFY(!picture.peakAim()); // nothing is marked
    }

    /// Under a filter the area is that of the included buffers, and all live bytes are a dashed line.
    void theLegendNamesTheAreaOfTheFilter()
    {
        const Theme& theme = Theme::darkTheme();
        const auto run = earlyAndLate();
        UsagePicture picture;
        const auto dashedGrey = [&](const DrawList& list) {
            return std::ranges::any_of(list.commands(), [&](const DrawCommand& command) {
                const auto* line = std::get_if<draw::Line>(&command);
                return line && line->colour == theme.text3 && line->dash == Dash::chain;
            });
        };
        TextShaper shaper;
        showFiltered(picture, run, nullptr);
        DrawList all(shaper, 1);
        picture.paintLegend(all, 0, 800, 20);
        QVERIFY(test::textsOf(all).contains(QStringLiteral("live")));
        QVERIFY(test::timesSaid(all, QStringLiteral("filtered")) == 0 && !dashedGrey(all));
        showFiltered(picture, run, std::make_shared<const std::vector<bool>>(std::vector<bool>{false, true}));
        DrawList filtered(shaper, 1);
        picture.paintLegend(filtered, 0, 800, 20);
        QVERIFY(test::textsOf(filtered).contains(QStringLiteral("live, filtered")));
        QVERIFY(test::textsOf(filtered).contains(QStringLiteral("live")));
        QVERIFY(dashedGrey(filtered));
        // All of it is between both ends, at each width: else nothing is painted.
        bool without = false;
        for (double left = 0; left < 800; left += 20) {
            DrawList list(shaper, 1);
            picture.paintLegend(list, left, 800, 20);
            without |= list.commands().empty();
            for (const DrawCommand& command : list.commands())
                if (const auto* text = std::get_if<draw::Text>(&command)) QVERIFY(text->at.x() >= left);
        }
        QVERIFY(without);
    }

    /// Two pools that are full at all steps leave no place for a chip above their curves.
    void aCapacityWithoutAPlaceIsInTheGutter()
    {
        Problem problem;
        problem.pools = {{.name = "retained", .capacity = 4096}, {.name = "flash", .capacity = 1'048'576}};
        problem.buffers = {bufferOf("a", 1024, {0, 12}), bufferOf("b", 22'016, {0, 12})};
        const auto lowering = std::make_shared<Lowering>();
        lowering->problem = std::move(problem);
        lowering->origins.resize(2);
        Run run;
        run.lowering = lowering;
        run.plan.placements.resize(2);
        for (std::size_t i = 0; i < 2; ++i) run.plan.placements[i].pool = PoolId(i); // at offset 0
        run.report = evaluate(run.problem(), run.plan);
        const Shown shown(run, {800, 600});
        QCOMPARE(shown.layout.use.size(), std::size_t(2));
        QVERIFY(shown.says(QStringLiteral("capacity 4,096 B")));
        QVERIFY(shown.says(QStringLiteral("capacity 1,048,576 B")) || shown.says(QStringLiteral("capacity 1 MiB")));
        // Nothing is free, and there is no axis for it.
        QCOMPARE(test::timesSaid(shown.list, QStringLiteral("nothing free")), qsizetype(2));
        QVERIFY(!test::textsOf(shown.list).contains(QStringLiteral("1")));
    }

    /// What the legend has dashed is dashed, in the plot with more changes than pixels as well, and in the card.
    void theLargestHoleIsDashedEverywhere()
    {
        const auto run = test::sampleRun({.buffers = 3000, .steps = 3000});
        const Shown shown(*run, {400, 420});
        QVERIFY(!curveOf(shown.pools.front().largestFree, shown.state.axis).least.empty());
        QVERIFY(std::ranges::any_of(shown.list.commands(), [](const DrawCommand& command) {
            const auto* line = std::get_if<draw::Line>(&command);
            return line && line->colour == Theme::darkTheme().accent && line->dash == Dash::chain;
        }));
        PictureSource source;
        source.run = run;
        source.scenes = std::make_shared<SceneCache>();
        UsagePicture picture;
        picture.take(picture.prepare(source).make({}));
        picture.layOut({800, 420}, 1);
        const auto card = picture.card(picture.hit(picture.bands().use.front().center()));
        QVERIFY(card);
        for (const CardText::Line& line : card->lines) QCOMPARE(line.dashed, line.text == QStringLiteral("largest hole"));
        // Its swatch is an outline; that of the live bytes is filled with the same colour.
        const Theme& theme = Theme::darkTheme();
        TextShaper shaper;
        DrawList list(shaper, 1);
        paintCard(list, theme, *card, {300, 200}, {0, 0, 800, 420}, {});
        int outlined = 0, filled = 0;
        for (const DrawCommand& command : list.commands()) {
            if (const auto* outline = std::get_if<draw::Outline>(&command)) outlined += outline->colour == theme.accent;
            if (const auto* fill = std::get_if<draw::Fill>(&command)) filled += fill->colour == theme.accent;
        }
        QCOMPARE(outlined, 1);
        QCOMPARE(filled, 1);
    }

    void poolsWithoutRoomAreCounted()
    {
        const auto run = test::sampleRun({.buffers = 200, .pools = 8});
        const Shown shown(*run, {800, 420});
        QVERIFY(shown.layout.use.size() < shown.pools.size());
        QVERIFY(shown.says(QStringLiteral("of %1 pools").arg(shown.pools.size())));
    }

    /// A million buffers are too many to go through at each move of the pointer: the end of the drag lists them.
    void theBuffersOfAnAreaAreListedWhenItsDragEnds()
    {
        PictureSource source;
        source.run = test::sampleRun({.buffers = 60, .pools = 2, .gaps = 0.3});
        source.scenes = std::make_shared<SceneCache>();
        UsagePicture picture;
        picture.take(picture.prepare(source).make({}));
        picture.layOut({800, 420}, 1);
        QVERIFY(!picture.endArea()); // nothing is dragged
        const UsageLayout& bands = picture.bands();
        QCOMPARE(bands.use.size(), std::size_t{2});
        for (std::size_t i = 0; i < bands.use.size(); ++i) {
            const double y = bands.use[i].center().y(), width = bands.plotRight - bands.plotLeft;
            const QPointF from(bands.plotLeft + 0.3 * width, y);
            QPointF to = from;
            for (const double share : {0.4, 0.7, 0.5}) {
                to.setX(bands.plotLeft + share * width);
                const auto inside = picture.areaTo(from, to);
                QVERIFY(inside && inside->empty());
            }
            const Step first = *picture.hit(from).step, last = *picture.hit(to).step;
            std::vector<BufferId> wanted;
            for (std::size_t buffer = 0; buffer < 60; ++buffer) {
                bool live = false;
                for (const Interval& range : source.run->problem().buffers[buffer].live)
                    for (Step step = first; step <= last; ++step) live |= range.begin <= step && step < range.end;
                if (live && source.run->plan.placements[buffer].pool == (*picture.state().pools)[i].pool)
                    wanted.push_back(BufferId(buffer));
            }
            QVERIFY(first < last && !wanted.empty());
            const auto listed = picture.endArea();
            QVERIFY(listed);
            QCOMPARE(*listed, wanted);
        }
    }

    void anAreaOfTheViewIsOfAllShownPools()
    {
        PictureSource source;
        source.run = test::sampleRun({.buffers = 60, .pools = 2});
        source.scenes = std::make_shared<SceneCache>();
        UsagePicture picture;
        picture.take(picture.prepare(source).make({}));
        for (const bool all : {true, false}) {
            if (!all) picture.set(QStringLiteral("memory"), picture.options().front().values[1]);
            picture.layOut({800, 420}, 1);
            const UsageLayout& bands = picture.bands();
            QCOMPARE(bands.use.size(), std::size_t(all ? 2 : 1));
            const double y = bands.use.front().center().y();
            const Interval seen{*picture.hit({bands.plotLeft, y}).step, *picture.hit({bands.plotRight - 1, y}).step + 1};
            std::set<PoolId> pools;
            for (const UsagePool& pool : *picture.state().pools) pools.insert(pool.pool);
            std::vector<BufferId> wanted;
            for (std::size_t buffer = 0; buffer < 60; ++buffer) {
                bool live = false;
                for (const Interval& range : source.run->problem().buffers[buffer].live) live |= range.overlaps(seen);
                if (live && pools.contains(source.run->plan.placements[buffer].pool)) wanted.push_back(BufferId(buffer));
            }
            QVERIFY(!wanted.empty());
            QVERIFY(picture.areaOfView());
            const auto listed = picture.endArea();
            QVERIFY(listed);
            QCOMPARE(*listed, wanted);
        }
    }

    /// The object under the pointer may be of another choice of pools than the shown one.
    void aPoolThatIsNoLongerShownHasNoCard()
    {
        PictureSource source;
        source.run = test::sampleRun({.buffers = 60, .pools = 3});
        source.scenes = std::make_shared<SceneCache>();
        UsagePicture picture;
        picture.take(picture.prepare(source).make({}));
        picture.layOut({800, 420}, 1);
        QCOMPARE(picture.bands().use.size(), std::size_t{3});
        const PictureHit hit = picture.hit(picture.bands().use[2].center());
        QVERIFY(picture.card(hit));
        picture.set(QStringLiteral("memory"), picture.options().front().values[1]);
        QVERIFY(!picture.card(hit));
    }

    /// Neighbours on the axes of a few bytes have different numbers.
    void numbersOfASmallPoolDiffer()
    {
        Problem problem;
        problem.pools.push_back({.name = "arena"});
        Buffer buffer;
        buffer.name = "a";
        buffer.size = 12;
        buffer.alignment = 1;
        buffer.live = {{0, 2}};
        problem.buffers.push_back(buffer);
        Shown shown(*test::runOf(std::move(problem)), {800, 420});
        shown.state.numbers = {.unit = NumberFormat::Unit::kibibytes, .hexAddresses = false};
        DrawList list(shown.shaper, 1);
        paintUsage(list, shown.state, shown.layout);
        QStringList numbers;
        for (const DrawCommand& command : list.commands())
            if (const auto* text = std::get_if<draw::Text>(&command); text && text->face == Face::tick &&
                                                                      text->align == draw::Text::Align::right &&
                                                                      text->at.x() < shown.layout.plotLeft)
                numbers << text->text;
        QVERIFY(numbers.size() >= 4);
        QVERIFY2(std::ranges::adjacent_find(numbers) == numbers.end(), qPrintable(numbers.join(u' ')));
    }

    void nothingIsSaid()
    {
        const auto run = test::sampleRun({.buffers = 0});
        const Shown shown(*run, {800, 420});
        QVERIFY(shown.says(QStringLiteral("Nothing is placed")));
    }
};

QTEST_MAIN(UsageChartTest)
#include "tst_usage_chart.moc"
