// The heatmap: every bin has the colour of what lies in it, counted here byte by byte; pixels and vectors agree; axes, bars and
// cards say the same numbers.
#include "app/canvas/kit/palette.h"
#include "app/canvas/pictures/heatmap/heat_picture.h"
#include "app/canvas/pictures/heatmap/heatmap.h"
#include "app/canvas/pictures/scene_cache.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QGuiApplication>
#include <QPainter>
#include <QRandomGenerator>
#include <QTest>

#include <cmath>
#include <set>
#include <string>

using namespace stowage;

namespace {

struct Shown {
    std::shared_ptr<const HeatScene> scene;
    HeatState state;
    HeatLayout layout;
    TextShaper shaper;

    explicit Shown(std::shared_ptr<const Run> run, QSizeF size = {900, 620}, double ratio = 1, HeatBins bins = HeatBins::medium)
    {
        scene = makeHeatScene(makeScene(std::move(run)));
        state.scene = scene.get();
        state.theme = &Theme::lightTheme();
        state.ratio = ratio;
        state.bins = bins;
        state.pool = defaultPool(*scene);
        arrange(size);
    }
    void arrange(QSizeF size)
    {
        layout = layOut(state, size);
        fitAxes(state, layout);
        countBins(state);
    }
    [[nodiscard]] QImage painted(bool vector)
    {
        DrawList list(shaper, state.ratio);
        (void)paintHeatmap(list, state, layout, vector);
        QImage image((layout.all.size() * state.ratio).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(state.ratio);
        QPainter painter(&image);
        replay(list, painter);
        return image;
    }
    [[nodiscard]] std::vector<QString> texts(const DrawList& list) const
    {
        std::vector<QString> found;
        for (const DrawCommand& command : list.commands())
            if (const auto* text = std::get_if<draw::Text>(&command)) found.push_back(text->text);
        return found;
    }
};

/// Share of the box that is occupied, byte by byte and step by step from the placements.
double countedShare(const Run& run, PoolId pool, const OccupancyWindow& box)
{
    const Problem& problem = run.problem();
    std::int64_t occupied = 0;
    for (Step step = box.steps.begin; step < box.steps.end; ++step)
        for (Bytes byte = box.low; byte < box.high; ++byte)
            for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
                const Placement& placement = run.plan.placements[i];
                if (placement.pool != pool) continue;
                std::set<Bytes> offsets(placement.offsets.begin(), placement.offsets.end());
                if (offsets.empty()) offsets.insert(placement.offset);
                bool live = false;
                for (const Interval& interval : problem.buffers[i].live) live |= interval.contains(step);
                for (const Bytes offset : offsets) occupied += live && offset <= byte && byte < offset + problem.buffers[i].size;
            }
    return double(occupied) / (double(box.steps.length()) * double(box.high - box.low));
}

std::shared_ptr<const Run> smallRun(std::uint64_t seed, double capacityFactor = 1.2)
{
    test::SampleOptions options;
    options.buffers = 24;
    options.steps = 30;
    options.maximumSize = 60;
    options.alignment = 4;
    options.gaps = 0.3;
    options.slots = 0.1;
    options.seed = seed;
    options.capacityFactor = capacityFactor;
    return test::sampleRun(options);
}

} // namespace

class HeatmapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What is free is free of all buffers, whatever a filter leaves out; live bytes are those of what it leaves.
    void aFilterFreesNoBytes()
    {
        const auto scene = makeScene(smallRun(7));
        const Run& run = *scene->run;
        for (const std::size_t every : {std::size_t(2), run.problem().buffers.size() + 1}) {
            std::vector<bool> kept(run.problem().buffers.size());
            for (std::size_t i = every - 1; i < kept.size(); i += every) kept[i] = true;
            const auto heat = makeHeatScene(scene, &kept);
            QCOMPARE(heat->pools.size(), scene->pools.size());
            Run left = run;
            for (std::size_t i = 0; i < kept.size(); ++i)
                if (!kept[i]) left.plan.placements[i] = {};
            for (const HeatPool& pool : heat->pools) {
                const MapData& map = scene->pools[std::size_t(pool.of)].map;
                for (Step step = 0; step < scene->steps; ++step) {
                    const OccupancyWindow all{{step, step + 1}, 0, map.top};
                    const auto used = [&](const Run& by) {
                        return Bytes(std::llround(countedShare(by, map.pool, all) * double(map.top)));
                    };
                    QCOMPARE(pool.free.valueAt(step), map.top - used(run));
                    QVERIFY(pool.live && pool.live->valueAt(step) <= used(left));
                    QVERIFY(pool.largestFree.valueAt(step) <= pool.free.valueAt(step));
                }
            }
        }
    }

    void everyBinHasTheColourOfWhatLiesInIt()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        int checked = 0; // bins that are large enough, of all rounds: one may have none, with fine bins or deep in
        for (int round = 0; round < 8; ++round) {
            Shown shown(smallRun(random.generate(), 0), {700, 460}, round % 2 ? 2.0 : 1.0, HeatBins(round % 3));
            // Somewhere in the middle, at some zoom.
            if (round > 1) {
                shown.state.steps.zoom(1.0 + random.bounded(3.0), random.bounded(shown.state.steps.pixels()));
                shown.state.addresses.zoom(1.0 + random.bounded(3.0), random.bounded(shown.state.addresses.pixels()));
                countBins(shown.state);
            }
            const Run& run = *shown.scene->scene->run;
            const PoolId pool = shown.state.shown().occupancy.pool();
            const QImage raster = shown.painted(false);
            const QImage vector = shown.painted(true);
            const HeatGeometry geometry{shown.state, shown.layout};
            const OccupancyGrid& grid = shown.state.grid;
            for (std::int32_t column = 0; column < grid.columns; ++column)
                for (std::int32_t row = 0; row < grid.rows; ++row) {
                    const auto [low, high] = grid.bytesOf(row);
                    const OccupancyWindow box{grid.stepsOf(column), low, high};
                    const QRectF rect = geometry.box(box) & shown.layout.body();
                    if (rect.width() < 5 || rect.height() < 5) continue;
                    const double share = countedShare(run, pool, box);
                    const QColor expected =
                        share > 0 ? Theme::lightTheme().rampAt(0.06 + 0.94 * share) : Theme::lightTheme().well;
                    // The most frequent colour inside: fine lines and levels cross bins.
                    for (const QImage* image : {&raster, &vector}) {
                        int same = 0, all = 0;
                        const double ratio = shown.state.ratio;
                        for (int y = int(rect.top() * ratio) + 1; y < int(rect.bottom() * ratio) - 1; ++y)
                            for (int x = int(rect.left() * ratio) + 1; x < int(rect.right() * ratio) - 1; ++x, ++all)
                                same += image->pixel(x, y) == expected.rgb();
                        QVERIFY2((all > 0 && same * 10 >= all * 3) || underChip(shown, rect),
                                 qPrintable(QStringLiteral("bin %1,%2: %3 of %4 pixels, share %5")
                                                .arg(column)
                                                .arg(row)
                                                .arg(same)
                                                .arg(all)
                                                .arg(share)));
                    }
                    ++checked;
                }
        }
        QVERIFY(checked > 100);
    }

    void pixelsAndVectorsAgree()
    {
        for (const double ratio : {1.0, 2.0}) {
            Shown shown(test::wakeWordRun(), {900, 620}, ratio);
            const QImage a = shown.painted(false);
            const QImage b = shown.painted(true);
            QCOMPARE(a, b);
        }
    }

    void binsAreNoSmallerThanWantedAndFollowTheZoom()
    {
        Shown shown(test::wakeWordRun());
        for (const HeatBins bins : {HeatBins::fine, HeatBins::medium, HeatBins::coarse}) {
            shown.state.bins = bins;
            const BinSizes sizes = wantedBins(shown.state);
            QVERIFY(double(sizes.steps) * shown.state.steps.scale() >= minBinPixels(bins));
            QVERIFY(double(sizes.bytes) * shown.state.addresses.scale() >= minBinPixels(bins));
            QCOMPARE(sizes.bytes & (sizes.bytes - 1), Bytes(0));
        }
        const BinSizes before = wantedBins(shown.state);
        shown.state.addresses.zoom(16, 10);
        QVERIFY(wantedBins(shown.state).bytes < before.bytes);
        countBins(shown.state);
        const OccupancyWindow window = shownWindow(shown.state);
        QVERIFY(shown.state.grid.firstByte <= window.low);
        QVERIFY(shown.state.grid.firstByte + shown.state.grid.rows * shown.state.grid.binBytes >= window.high);
    }

    /// The map has head room above the pool's size; its bins hold nothing and are no part of the pool.
    void theCaptionCountsTheBinsOfThePoolAlone()
    {
        Problem problem;
        problem.pools.push_back({.name = "arena", .capacity = 1536});
        Buffer buffer;
        buffer.name = "all";
        buffer.size = 1024;
        buffer.alignment = 1;
        buffer.live = {{0, 4}};
        problem.buffers.push_back(buffer);
        Shown shown(test::runOf(std::move(problem)));
        const OccupancyGrid& grid = shown.state.grid;
        QCOMPARE(1024 % grid.binBytes, Bytes(0)); // a power of two
        QVERIFY(grid.rows * grid.binBytes > 1024);
        const auto rows = [&] { return binsText(shown.state).section(u',', 0, 0).section(u' ', -1).toLongLong(); };
        QCOMPARE(rows(), qlonglong(1024 / grid.binBytes));
        QVERIFY(binsText(shown.state).startsWith(QString::number(grid.columns)));
        // In the lower part of the pool all rows in view count.
        shown.state.addresses.show({{0, 0}, 100});
        countBins(shown.state);
        QVERIFY(shownWindow(shown.state).high < 1024);
        QCOMPARE(rows(), qlonglong(shown.state.grid.rows));
    }

    void theBinUnderThePointerIsTheOnePainted()
    {
        Shown shown(test::wakeWordRun());
        const HeatGeometry geometry{shown.state, shown.layout};
        for (std::int32_t column = 0; column < shown.state.grid.columns; ++column)
            for (std::int32_t row = 0; row < shown.state.grid.rows; ++row) {
                const auto [low, high] = shown.state.grid.bytesOf(row);
                const OccupancyWindow box{shown.state.grid.stepsOf(column), low, high};
                const QRectF rect = geometry.box(box) & shown.layout.body();
                if (rect.width() < 2 || rect.height() < 2) continue;
                QCOMPARE(geometry.binAt(rect.center()).value(), box);
            }
        QVERIFY(!geometry.binAt({10, 10})); // the gutter
        QVERIFY(!geometry.binAt(shown.layout.ruler.center()));
    }

    void theCardSaysWhatTheBinHolds()
    {
        Shown shown(smallRun(5));
        const Run& run = *shown.scene->scene->run;
        // The fullest bin that is not quite full.
        std::optional<OccupancyWindow> best;
        double most = 0;
        const OccupancyGrid& grid = shown.state.grid;
        for (std::int32_t column = 0; column < grid.columns; ++column)
            for (std::int32_t row = 0; row < grid.rows; ++row)
                if (const double share = grid.share(column, row); share > most && share < 1) {
                    most = share;
                    best = OccupancyWindow{grid.stepsOf(column), grid.bytesOf(row).first, grid.bytesOf(row).second};
                }
        QVERIFY(best);
        shown.state.hovered = best;
        DrawList list(shown.shaper, 1);
        paintCard(list, Theme::darkTheme(), heatCard(shown.state, *best, sumsOf(touchesIn(shown.state, *best))), {300, 200},
                  shown.layout.all, HeatGeometry{shown.state, shown.layout}.box(*best));
        const auto texts = shown.texts(list);
        const double share = countedShare(run, 0, *best);
        QVERIFY(std::find(texts.begin(), texts.end(), shareText(share) + QStringLiteral(" full")) != texts.end());
        const auto first = shown.scene->pools[0].occupancy.touching(*best).front();
        QVERIFY(std::find(texts.begin(), texts.end(),
                          QString::fromStdString(run.problem().buffers[std::size_t(first.buffer)].name)) != texts.end());
        // Inside the picture, and clear of the bin.
        const auto& box = std::get<draw::Fill>(list.commands().front()).rect;
        QVERIFY(shown.layout.all.contains(box));
        QVERIFY(!box.intersects(HeatGeometry{shown.state, shown.layout}.box(*best)));
    }

    /// The index over the rectangles finds what a pass over all buffers finds, also under a filter.
    void theBuffersOfABinAreThoseOfTheWholePool()
    {
        const auto seed = testSeed();
        for (std::uint64_t round = 0; round < 6; ++round) {
            const auto scene = makeScene(smallRun(seed + round));
            std::vector<bool> kept(scene->run->problem().buffers.size());
            for (std::size_t i = 0; i < kept.size(); i += 2) kept[i] = true;
            Shown shown(scene->run);
            const auto heat = makeHeatScene(scene, round % 2 ? &kept : nullptr);
            shown.state.scene = heat.get();
            const OccupancyGrid& grid = shown.state.grid;
            for (std::int32_t column = 0; column < grid.columns; ++column)
                for (std::int32_t row = 0; row < grid.rows; ++row) {
                    const OccupancyWindow box{grid.stepsOf(column), grid.bytesOf(row).first, grid.bytesOf(row).second};
                    QVERIFY(touchesIn(shown.state, box) == shown.state.shown().occupancy.touching(box));
                }
        }
    }

    /// 5000 buffers in one bin: a click and an area give them all; while the area is dragged out they are only counted.
    void aBinAndAnAreaHoldAllTheirBuffers()
    {
        constexpr std::size_t small = 5000;
        constexpr Bytes large = 1'000'000;
        auto lowering = std::make_shared<Lowering>();
        lowering->problem.pools.resize(1);
        Run made;
        for (std::size_t i = 0; i <= small; ++i) {
            Buffer buffer;
            buffer.name = "b" + std::to_string(i);
            buffer.size = i == 0 ? large : 1;
            buffer.live = {{0, 10}};
            lowering->problem.buffers.push_back(buffer);
            Placement placement;
            placement.pool = 0;
            placement.offset = i == 0 ? 0 : large + Bytes(i) - 1;
            made.plan.placements.push_back(placement);
        }
        lowering->origins.resize(small + 1);
        made.lowering = std::move(lowering);
        PictureSource source;
        source.run = std::make_shared<const Run>(std::move(made));
        source.scenes = std::make_shared<SceneCache>();
        const auto within = [&](const OccupancyWindow& box, std::size_t every) {
            std::set<BufferId> found;
            for (std::size_t i = 0; i <= small; i += every) {
                const Bytes low = source.run->plan.placements[i].offset, high = low + source.run->problem().buffers[i].size;
                if (low < box.high && box.low < high) found.insert(BufferId(i));
            }
            return found;
        };
        const auto even = std::make_shared<std::vector<bool>>(small + 1, false);
        for (std::size_t i = 0; i <= small; i += 2) (*even)[i] = true;
        for (const std::size_t every : {std::size_t(1), std::size_t(2)}) {
            HeatPicture picture;
            PictureMarks marks;
            if (every == 2) marks.shown = even;
            picture.setMarks(marks, true);
            picture.take(picture.prepare(source).make({}));
            picture.layOut({900, 620}, 1);
            const QRectF body = picture.bands().body();
            const QPointF at(body.center().x(), picture.geometry().y(large + 2000));
            const auto bin = picture.geometry().binAt(at);
            QVERIFY(bin);
            const PictureHit hit = picture.hit(at);
            QCOMPARE(std::set(hit.chosen.begin(), hit.chosen.end()), within(*bin, every));
            QVERIFY(picture.hit(at).chosen.sharesWith(hit.chosen)); // no move of the pointer copies or compares them
            QVERIFY(hit.chosen.size() * every > 4100);

            TextShaper shaper;
            const auto counted = [&](std::size_t count) {
                DrawList list(shaper, 1);
                picture.paintOverlay(list);
                return test::timesSaid(list, countText(std::int64_t(count)) + QStringLiteral(" buffers touch it"));
            };
            const QPointF from = body.topLeft() + QPointF(2, 2);
            for (const double share : {0.4, 0.9, 0.7}) {
                const auto inside = picture.areaTo(from, body.topLeft() + QPointF(body.width(), body.height()) * share);
                QVERIFY(inside && inside->empty());
                QVERIFY(picture.state().area);
                QCOMPARE(counted(within(*picture.state().area, every).size()), qsizetype(1));
            }
            const std::set<BufferId> wanted = within(*picture.state().area, every);
            QVERIFY(wanted.size() * every > 4100);
            const auto listed = picture.endArea();
            QVERIFY(listed);
            QCOMPARE(listed->size(), wanted.size());
            QCOMPARE(std::set(listed->begin(), listed->end()), wanted);
            QCOMPARE(counted(wanted.size()), qsizetype(1));
        }
    }

    void poolsAreRowsWithTheirPeaks()
    {
        test::SampleOptions options;
        options.buffers = 90;
        options.pools = 3;
        Shown shown(test::sampleRun(options), {900, 700});
        QCOMPARE(shown.layout.pools.size(), std::size_t(3));
        DrawList list(shown.shaper, 1);
        (void)paintHeatmap(list, shown.state, shown.layout, true);
        const auto texts = shown.texts(list);
        for (const PoolScene& pool : shown.scene->scene->pools) {
            QVERIFY(std::find(texts.begin(), texts.end(), QString::fromStdString(pool.map.poolName)) != texts.end());
            const QString share = shareText(double(pool.live.most()) / double(*pool.map.capacity));
            QVERIFY(std::find(texts.begin(), texts.end(), share) != texts.end());
        }
        // Where there is less room, the pool that is shown keeps its row.
        for (std::int32_t pool = 0; pool < 3; ++pool) {
            shown.state.pool = pool;
            shown.arrange({900, 260});
            QVERIFY(shown.layout.pools.size() < 3);
            if (!shown.layout.poolOrder.empty())
                QVERIFY(std::find(shown.layout.poolOrder.begin(), shown.layout.poolOrder.end(), pool) !=
                        shown.layout.poolOrder.end());
        }
    }

    void freeBytesAreThoseOfTheCore()
    {
        const auto run = smallRun(11);
        Shown shown(run);
        for (const UsageSample& sample : usage(run->problem(), run->plan, 0)) {
            if (sample.step >= shown.scene->scene->steps) continue;
            QCOMPARE(shown.scene->pools[0].free.valueAt(sample.step), sample.free);
            QCOMPARE(shown.scene->pools[0].largestFree.valueAt(sample.step), sample.largestFree);
        }
    }

    /// A free range of a long number of bytes has that number beside it, in the chosen unit; a full pool has no axis.
    void freeBytesAreSaidInTheChosenUnit()
    {
        const auto painted = [](Bytes large) {
            Problem problem;
            problem.pools.resize(1);
            Buffer buffer;
            buffer.name = "first";
            buffer.size = large;
            buffer.live = {{0, 1}};
            problem.buffers.push_back(buffer);
            buffer.name = "second";
            buffer.size = 123;
            buffer.live = {{1, 2}};
            problem.buffers.push_back(buffer);
            Shown shown(test::runOf(std::move(problem)));
            DrawList list(shown.shaper, 1);
            (void)paintHeatmap(list, shown.state, shown.layout, true);
            return test::textsOf(list);
        };
        const QStringList large = painted(4'000'000'123), full = painted(123);
        QVERIFY(large.filter(QStringLiteral("GiB")).empty());
        QVERIFY2(!large.filter(QStringLiteral("4,000,000,000")).empty(), qPrintable(large.join(u'|')));
        QVERIFY(full.contains(QStringLiteral("nothing free")) && !full.contains(QStringLiteral("1")));
    }

    void anyTouchShowsAndNothingDoesNot()
    {
        // One byte in a pool of a million: its bin is told from an empty one.
        Problem problem;
        problem.pools.resize(1);
        Buffer small;
        small.name = "small";
        small.size = 1;
        small.live = {{0, 1}};
        Buffer large = small;
        large.name = "large";
        large.size = 1000000;
        large.live = {{5, 10}};
        problem.buffers = {large, small};
        Shown shown(test::runOf(problem));
        QVERIFY(binColour(shown.state, 0, 0).has_value());
        QVERIFY(!binColour(shown.state, 0, 5).has_value());
        shown.state.measure = HeatMeasure::buffers;
        QVERIFY(binColour(shown.state, 0, 0).has_value());
    }

    void overlapsAreBad()
    {
        auto run = std::make_shared<Run>(*test::sampleRun({.buffers = 30}));
        for (Placement& placement : run->plan.placements) placement.offset = 0;
        Shown shown(run);
        QCOMPARE(binColour(shown.state, shown.state.grid.columns / 2, 0).value(), Theme::lightTheme().bad);
    }

private:
    /// Chips of levels lie over some bins at the right.
    static bool underChip(const Shown& shown, const QRectF& rect) { return rect.right() > shown.layout.plotRight - 240; }
};

QTEST_MAIN(HeatmapTest)
#include "tst_heatmap.moc"
