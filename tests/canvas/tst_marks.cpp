// Marks of many buffers: outlines are those in view, up to a limit, and counts say the rest; arrows, rows and moves find their
// way past what is hidden or large.
#include "app/canvas/axis/timeline.h"
#include "app/canvas/kit/outlined.h"
#include "app/canvas/kit/palette.h"
#include "app/canvas/pictures/heatmap/heat_picture.h"
#include "app/canvas/pictures/map/paint_stack.h"
#include "app/canvas/pictures/map/stack_picture.h"
#include "app/canvas/pictures/map/view_state.h"
#include "app/canvas/pictures/pipes/pipe_chart.h"
#include "app/canvas/pictures/scene_cache.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/network_builder.h"
#include "tests/support/real_run.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace stowage;

namespace {

Buffer bufferOf(std::string name, Bytes size, Interval live, BufferKind kind = BufferKind::intermediate)
{
    Buffer buffer;
    buffer.name = std::move(name);
    buffer.size = size;
    buffer.alignment = 1;
    buffer.live = {live};
    buffer.kind = kind;
    return buffer;
}

/// A run with each buffer at its offset in one pool.
std::shared_ptr<const Run> placed(const std::vector<Buffer>& buffers, const std::vector<Bytes>& offsets)
{
    auto lowering = std::make_shared<Lowering>();
    lowering->problem.pools.push_back({.name = "arena"});
    Run run;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        lowering->problem.buffers.push_back(buffers[i]);
        Placement placement;
        placement.pool = 0;
        placement.offset = offsets[i];
        run.plan.placements.push_back(placement);
    }
    lowering->origins.resize(buffers.size());
    run.lowering = std::move(lowering);
    return std::make_shared<const Run>(std::move(run));
}

/// Buffers of 16 bytes, one above the other, live in the steps [0, 10); the last one has a kind of its own.
std::shared_ptr<const Run> stacked(std::size_t count, BufferKind last = BufferKind::intermediate)
{
    std::vector<Buffer> buffers;
    std::vector<Bytes> offsets;
    for (std::size_t i = 0; i < count; ++i) {
        buffers.push_back(bufferOf("b" + std::to_string(i), 16, {0, 10}, i + 1 < count ? BufferKind::intermediate : last));
        offsets.push_back(Bytes(i) * 16);
    }
    return placed(buffers, offsets);
}

PictureSource sourceOf(std::shared_ptr<const Run> run)
{
    PictureSource source;
    source.run = std::move(run);
    source.scenes = std::make_shared<SceneCache>();
    return source;
}

PictureMarks marksOf(BufferId selected)
{
    PictureMarks marks;
    marks.selected = selected;
    marks.selection = {selected};
    return marks;
}

/// Count of outlines of buffers of this colour and width; those of chips have another radius.
std::size_t outlinesOf(const DrawList& list, const QColor& colour, double width)
{
    return std::size_t(std::ranges::count_if(list.commands(), [&](const DrawCommand& command) {
        const auto* outline = std::get_if<draw::Outline>(&command);
        return outline && outline->colour == colour && outline->width == width && outline->radius == 1.5;
    }));
}

bool any(BufferId)
{
    return true;
}

/// Whether an area over all of `band` counts these buffers of 16 bytes while it is dragged out, and lists them at its end.
bool areaTakes(StackPicture& picture, const QRectF& band, const std::vector<BufferId>& wanted)
{
    const QPointF from(picture.bands().plotLeft + 2, band.top() + 2), to(picture.bands().plotRight - 2, band.bottom() - 2);
    const auto counts = [&] {
        const AreaSums* sums = picture.areaSums();
        return sums && sums->count == wanted.size() && sums->bytes == Bytes(wanted.size()) * 16;
    };
    const bool dragged = picture.areaTo(from, to).has_value() && counts();
    return dragged && picture.endArea() == std::optional(wanted) && counts();
}

} // namespace

class MarksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aListKnowsItsBuffers()
    {
        QRandomGenerator random(testSeed());
        QVERIFY(!SharedBuffers().contains(0));
        for (int round = 0; round < 60; ++round) {
            std::vector<BufferId> list;
            for (int i = random.bounded(0, 50); i > 0; --i) list.push_back(BufferId(random.bounded(0, 90)));
            const std::set<BufferId> known(list.begin(), list.end());
            const SharedBuffers shared(list);
            for (BufferId id = -1; id < 100; ++id) QCOMPARE(shared.contains(id), known.contains(id));
        }
    }

    void outlinesAreLimitedAndCounted()
    {
        const std::size_t count = maxOutlined + 500;
        const Theme& theme = Theme::darkTheme();
        ViewState view(makeScene(stacked(count)), theme, ColourBy::size);
        const StackLayout layout = layOut(view.state(), QSizeF(1074, 690));
        fitViewport(view.state(), layout);
        TextShaper shaper;
        const auto overlay = [&] {
            DrawList list(shaper, 1);
            paintStackOverlay(list, view.state(), layout);
            return list;
        };
        // All live at once: each conflicts with all others.
        view.setConflicts(true);
        view.select(0, {}, false);
        const DrawList conflicts = overlay();
        QCOMPARE(outlinesOf(conflicts, theme.text2, 1), maxOutlined);
        QCOMPARE(test::timesSaid(conflicts, QStringLiteral("2,499 in conflict, not all outlined")), qsizetype(1));
        view.setConflicts(false);

        std::vector<BufferId> all(count);
        std::iota(all.begin(), all.end(), 0);
        view.select(0, SharedBuffers(all), false);
        const DrawList selected = overlay();
        QCOMPARE(outlinesOf(selected, theme.sel, 2), maxOutlined + 1); // the first one again, on top
        QCOMPARE(test::timesSaid(selected, QStringLiteral("2,500 selected, not all outlined")), qsizetype(1));

        // With few of them in view, each of these has its outline.
        PixelAxis& addresses = view.state().viewport.addresses[0];
        addresses.zoom(12, addresses.pixels() / 2.0);
        const Bytes low = addresses.unitAt(0), high = addresses.unitAt(addresses.pixels()) + 1;
        std::size_t inView = 0;
        for (std::size_t i = 0; i < count; ++i) inView += Bytes(i) * 16 < high && low < Bytes(i + 1) * 16;
        QVERIFY(low > 16 && inView > 50 && inView < 400);
        const DrawList zoomed = overlay();
        QCOMPARE(outlinesOf(zoomed, theme.sel, 2), inView);
        QCOMPARE(test::timesSaid(zoomed, QStringLiteral("2,500 selected")), qsizetype(1));
        QCOMPARE(test::timesSaid(zoomed, QStringLiteral("not all")), qsizetype(0));

        // As many as have an outline each need no words.
        view.select(0, {0, 1, 2}, false);
        QCOMPARE(test::timesSaid(overlay(), QStringLiteral("selected")), qsizetype(0));
    }

    void theHeatmapSaysThatNotAllAreOutlined()
    {
        std::vector<BufferId> all(maxOutlined + 500);
        std::iota(all.begin(), all.end(), 0);
        HeatPicture heat;
        heat.take(heat.prepare(sourceOf(stacked(all.size()))).make({}));
        heat.layOut({1000, 600}, 1);
        TextShaper shaper;
        const auto says = [&](SharedBuffers selection, const QString& text) {
            PictureMarks marks = marksOf(0);
            marks.selection = std::move(selection);
            heat.setMarks(marks, true);
            DrawList list(shaper, 1);
            heat.paintOverlay(list);
            return test::timesSaid(list, text);
        };
        QCOMPARE(says(SharedBuffers(all), QStringLiteral("2,500 selected, not all outlined")), qsizetype(1));
        QCOMPARE(says({0, 1, 2}, QStringLiteral("3 selected")), qsizetype(0)); // each has its outline
    }

    /// The rows of a selection that is too large for outlines in a map are marked where they are in view.
    void rowsInViewAreMarked()
    {
        const std::size_t count = maxOutlined + 500;
        ViewState view(makeScene(stacked(count)), Theme::darkTheme(), ColourBy::size);
        view.state().map = view.state().curve = view.state().opTrack = false;
        view.timeline().setAllOpen(true);
        const StackLayout layout = layOut(view.state(), QSizeF(1074, 690));
        fitViewport(view.state(), layout);
        view.state().scroll = 600;
        std::vector<BufferId> even;
        for (std::size_t i = 0; i < count; i += 2) even.push_back(BufferId(i));
        view.select(0, SharedBuffers(even), false);
        std::size_t wanted = 0;
        for (const BufferId id : even) {
            const auto row = view.timeline().rowOf(id);
            QVERIFY(row);
            wanted += row->top < 600 + layout.rows.height() && row->top + row->height > 600;
        }
        QVERIFY(wanted > 10 && wanted < 60);
        TextShaper shaper;
        DrawList list(shaper, 1);
        paintStackOverlay(list, view.state(), layout);
        QCOMPARE(outlinesOf(list, Theme::darkTheme().sel, 1.5), wanted);
    }

    /// With a row above and one below it, where the list has them; also at another size of the picture.
    void theRowOfASelectedBufferIsWhollyInView()
    {
        constexpr std::size_t count = 150;
        StackPicture picture(bandRows);
        picture.take(picture.prepare(sourceOf(stacked(count))).make({}));
        picture.layOut({1000, 300}, 1);
        const auto whole = [&](BufferId id) {
            const QRectF box = picture.boxOf(id), rows = picture.bands().rows;
            const PictureScroll list = picture.parts().scrolls.front();
            constexpr double wanted = Timeline::rowHeight - 0.6; // the list scrolls by whole pixels
            const bool above = list.at == 0 || box.top() - rows.top() >= wanted;
            const bool below = list.at >= list.overhang() - 0.6 || rows.bottom() - box.bottom() >= wanted;
            return box.height() >= wanted && above && below;
        };
        for (std::size_t i = 0; i < count; ++i) {
            const BufferId id = BufferId(i * 67 % count); // far from the one before
            picture.setMarks(marksOf(id), false);
            QVERIFY2(whole(id), qPrintable(QString::number(id)));
            for (const double height : {180.0, 420.0, 300.0}) {
                picture.layOut({1000, height}, 1);
                QVERIFY2(whole(id), qPrintable(QStringLiteral("%1 at %2").arg(id).arg(height)));
            }
        }
        double before = 0;
        for (std::size_t i = 0; i < count; ++i) { // row by row the list moves by no more than a row
            picture.setMarks(marksOf(BufferId(i)), false);
            QVERIFY2(whole(BufferId(i)), qPrintable(QString::number(i)));
            const double now = picture.parts().scrolls.front().at;
            if (i > 0) QVERIFY(now - before <= Timeline::rowHeight);
            before = now;
        }
        // A list that was scrolled away from the selection stays where it is.
        picture.scrollTo(0, 0);
        picture.layOut({1000, 250}, 1);
        QCOMPARE(picture.parts().scrolls.front().at, 0.0);
    }

    void aMoveOutlinesFewOfWhatIsInItsWay()
    {
        const std::size_t small = maxOutlined + 500;
        std::vector<Buffer> buffers{bufferOf("large", Bytes(small) * 16, {0, 10})};
        std::vector<Bytes> offsets{Bytes(small) * 16};
        for (std::size_t i = 0; i < small; ++i) {
            buffers.push_back(bufferOf("b" + std::to_string(i), 16, {0, 10}));
            offsets.push_back(Bytes(i) * 16);
        }
        StackPicture picture(bandMap);
        picture.setEditable(true);
        picture.set(QStringLiteral("chain"), QStringLiteral("off"));
        picture.take(picture.prepare(sourceOf(placed(buffers, offsets))).make({}));
        picture.layOut({1000, 600}, 1);
        picture.setMarks(marksOf(0), true);
        const StackGeometry geometry{picture.view()->state(), picture.bands()};
        const double x = (geometry.x(4) + geometry.x(5)) / 2;
        QVERIFY(picture.takeHold({x, geometry.y(0, offsets[0] + 8000)}));
        picture.moveTo({x, geometry.y(0, 8000)});
        QVERIFY(picture.moveVerdict());
        QVERIFY(picture.moveVerdict()->inTheWay.size() > maxOutlined);
        TextShaper shaper;
        DrawList list(shaper, 1);
        picture.paintOverlay(list);
        const auto chains = std::ranges::count_if(list.commands(), [](const DrawCommand& command) {
            const auto* outline = std::get_if<draw::Outline>(&command);
            return outline && outline->dash == Dash::chain;
        });
        QCOMPARE(std::size_t(chains), maxOutlined);
    }

    /// Example: B begins where A ends, C lies above B; the filter or the legend hides B. Right of A is then C.
    void arrowsPassWhatIsHidden()
    {
        const auto run = placed(
            {bufferOf("a", 4, {0, 5}), bufferOf("b", 4, {5, 100}, BufferKind::constant), bufferOf("c", 4, {5, 20})}, {0, 0, 4});
        const auto shown = std::make_shared<const std::vector<bool>>(std::vector<bool>{true, false, true});
        PictureMarks marks = marksOf(0);
        const auto toTheRight = [&](const StackPicture& picture) {
            const auto aim = picture.neighbourAim(Direction::right, any);
            return aim ? aim->select : std::nullopt;
        };
        StackPicture map(bandMap);
        map.setColourBy(ColourBy::kind);
        map.take(map.prepare(sourceOf(run)).make({}));
        map.layOut({1000, 600}, 1);
        map.setMarks(marks, true);
        QCOMPARE(toTheRight(map), std::optional<BufferId>(1));
        map.setHiddenClasses(1U << map.view()->colouring().of[1]);
        QCOMPARE(toTheRight(map), std::optional<BufferId>(2));
        map.setHiddenClasses(0);
        marks.shown = shown;
        map.setMarks(marks, true);
        QCOMPARE(toTheRight(map), std::optional<BufferId>(2));

        StackPicture rows(bandRows);
        rows.setColourBy(ColourBy::kind);
        rows.setGrouping(ColourBy::pool); // one group: a, b, c
        rows.take(rows.prepare(sourceOf(run)).make({}));
        rows.layOut({1000, 600}, 1);
        rows.setMarks(marksOf(0), true);
        QCOMPARE(rows.neighbourAim(Direction::down, any)->select, std::optional<BufferId>(1));
        rows.setHiddenClasses(1U << rows.view()->colouring().of[1]);
        QCOMPARE(rows.neighbourAim(Direction::down, any)->select, std::optional<BufferId>(2));

        HeatPicture heat;
        heat.setMarks(marks, true); // another filter needs another scene
        heat.take(heat.prepare(sourceOf(run)).make({}));
        heat.layOut({1000, 600}, 1);
        heat.setMarks(marks, true);
        const auto aim = heat.neighbourAim(Direction::right, any);
        QVERIFY(aim);
        QCOMPARE(aim->select, std::optional<BufferId>(2));
    }

    /// Example: of ten buffers, the filter includes the even ones, and the legend hides the last five.
    void anAreaCountsWhatItSelects()
    {
        std::vector<Buffer> buffers;
        std::vector<Bytes> offsets;
        std::vector<bool> even;
        for (int i = 0; i < 10; ++i) {
            const BufferKind kind = i < 5 ? BufferKind::intermediate : BufferKind::constant;
            buffers.push_back(bufferOf("b" + std::to_string(i), 16, {0, 10}, kind));
            offsets.push_back(Bytes(i) * 16);
            even.push_back(i % 2 == 0);
        }
        const PictureSource source = sourceOf(placed(buffers, offsets));
        PictureMarks marks;
        marks.shown = std::make_shared<const std::vector<bool>>(even);
        for (const unsigned band : {unsigned(bandMap), unsigned(bandRows)}) {
            StackPicture picture(band);
            picture.setColourBy(ColourBy::kind);
            picture.take(picture.prepare(source).make({}));
            picture.setAllOpen(true);
            picture.layOut({1000, 600}, 1);
            const QRectF box = band == bandMap ? picture.bands().strips.front() : picture.bands().rows;
            QVERIFY(areaTakes(picture, box, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
            picture.setHiddenClasses(1U << picture.view()->colouring().of[5]);
            QVERIFY(areaTakes(picture, box, {0, 1, 2, 3, 4}));
            picture.setMarks(marks, true);
            QVERIFY(areaTakes(picture, box, {0, 2, 4}));
            picture.setHiddenClasses(0);
            QVERIFY(areaTakes(picture, box, {0, 2, 4, 6, 8}));
            // Other colours need another scene, which keeps the filter.
            picture.setColourBy(ColourBy::size);
            picture.take(picture.prepare(source).make({}));
            picture.setAllOpen(true);
            picture.setMarks(marks, true);
            QVERIFY(areaTakes(picture, box, {0, 2, 4, 6, 8}));
        }
    }

    /// The card of an area follows filter and legend, after the drag as well.
    void anAreaCountsAgainWhenTheShownBuffersChange()
    {
        const PictureSource source = sourceOf(stacked(10, BufferKind::constant));
        PictureMarks even;
        std::vector<bool> shown;
        for (int i = 0; i < 10; ++i) shown.push_back(i % 2 == 0);
        even.shown = std::make_shared<const std::vector<bool>>(shown);
        for (const unsigned band : {unsigned(bandMap), unsigned(bandRows)}) {
            StackPicture picture(band);
            picture.setColourBy(ColourBy::kind);
            picture.take(picture.prepare(source).make({}));
            picture.setAllOpen(true);
            picture.layOut({1000, 600}, 1);
            const QRectF box = band == bandMap ? picture.bands().strips.front() : picture.bands().rows;
            QVERIFY(areaTakes(picture, box, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
            const auto counted = [&](std::size_t count) {
                return picture.areaSums()->count == count && picture.areaSums()->bytes == Bytes(count) * 16;
            };
            picture.setHiddenClasses(1U << picture.view()->colouring().of[9]);
            QVERIFY(counted(9)); // all but the constant
            picture.setMarks(even, true);
            QVERIFY(counted(5)); // 0, 2, 4, 6, 8
            picture.setHiddenClasses(1U << picture.view()->colouring().of[0]);
            QVERIFY(counted(0)); // 9 is the only one with a shown class, and the filter leaves it out
            picture.setHiddenClasses(0);
            picture.setMarks({}, true);
            QVERIFY(counted(10));
        }
    }

    /// Reuse bars begin below the words of the gutter, and leave their place to long addresses: their card is nowhere else.
    void reuseBarsHaveTheirCardOnlyWhereTheyAre()
    {
        for (const Bytes size : {Bytes(16), Bytes(1) << 60}) {
            StackPicture picture(bandMap);
            picture.take(picture.prepare(sourceOf(placed({bufferOf("a", size, {0, 10})}, {0}))).make({}));
            picture.layOut({1000, 600}, 1);
            const QRectF band = picture.bands().strips.front();
            TextShaper shaper;
            DrawList list(shaper, 1);
            picture.paint(list, BodyMode::vector);
            std::vector<QRectF> bars;
            for (const DrawCommand& command : list.commands())
                if (const auto* fill = std::get_if<draw::Fill>(&command);
                    fill && fill->rect.left() == 10 && fill->rect.height() == 4 && band.contains(fill->rect))
                    bars.push_back(fill->rect);
            const bool small = size == 16;
            QCOMPARE(bars.size() > 20, small);
            QCOMPARE(bars.empty(), !small); // the long addresses have their room
            bool above = false;
            for (double y = band.top() + 0.5; y < band.bottom(); ++y) {
                const bool onBar = std::ranges::any_of(
                    bars, [&](const QRectF& bar) { return bar.top() - 1 <= y && y < bar.bottom(); }); // with the gap above it
                const bool hasCard = picture.hit({11, y}).kind == StackPicture::reuseBar;
                QVERIFY2(hasCard == onBar, qPrintable(QString::number(y)));
                above |= !onBar;
            }
            QVERIFY(above);
        }
    }

    /// Orange and red are much the same for many eyes: the arrow that matters most has a form of its own.
    void theArrowOfABrokenDoubleBufferHasAStrokeAcross()
    {
        const QPolygonF path{QPointF(10, 20), QPointF(60, 20)};
        for (const ReuseKind kind : {ReuseKind::samePipe, ReuseKind::crossPipe, ReuseKind::breaksDoubleBuffer}) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            paintReuseArrow(list, Theme::lightTheme(), path, kind);
            const auto strokes = std::ranges::count_if(list.commands(), [&](const DrawCommand& command) {
                const auto* line = std::get_if<draw::Line>(&command);
                return line && line->colour == reuseColour(Theme::lightTheme(), kind) &&
                       std::abs(line->points.first().x() - line->points.last().x()) < 0.01 && line->points.first().x() > 40 &&
                       line->points.first().x() < 60;
            });
            QCOMPARE(strokes, kind == ReuseKind::breaksDoubleBuffer ? 1 : 0);
        }
    }

    /// The legend of the map names the kinds of its buffers. An op of another kind is grey: its colour would have no name.
    void anOpWithoutABufferHasNoColourOfTheLegend()
    {
        test::NetworkBuilder network("kinds");
        TensorId last = network.activation("make", "make", network.input("x", {1, 64}), false);
        QVERIFY(network.op("tell", "tell", {last}, {}, {}, {}).empty());
        const auto run = test::runOfProgram(network.inference(network.activation("end", "finish", last, false)));
        QVERIFY(run);
        const Theme& theme = Theme::darkTheme();
        ViewState view(makeScene(run), theme, ColourBy::opKind);
        view.state().opTrack = true;
        const StackLayout layout = layOut(view.state(), {1000, 600});
        fitViewport(view.state(), layout);
        TextShaper shaper;
        DrawList list(shaper, 1);
        paintStack(list, view.state(), layout, BodyMode::vector);
        std::vector<QColor> cells;
        for (const DrawCommand& command : list.commands())
            if (const auto* fill = std::get_if<draw::Fill>(&command); fill && layout.ops.contains(fill->rect) && fill->radius > 0)
                cells.push_back(fill->colour);
        const OpTrack& track = view.scene().ops;
        const Palette palette = paletteOf(theme, ColourBy::opKind);
        const std::vector<ColourClass>& named = view.colouring().classes;
        std::vector<QColor> wanted;
        std::size_t grey = 0;
        for (const std::int32_t kind : track.kindOf) {
            if (kind == none) continue;
            const auto at = std::ranges::find(named, track.kinds[std::size_t(kind)], &ColourClass::name);
            grey += at == named.end();
            const QColor full = at == named.end() ? theme.line2 : palette.fills[std::size_t(at - named.begin())];
            wanted.push_back(mix(theme.panel, full, 0.26));
        }
        QCOMPARE(grey, std::size_t(1));
        QCOMPARE(cells, wanted);
    }

    void groupsOpenTogetherAsOneByOne()
    {
        test::SampleOptions options;
        options.buffers = 150;
        const auto run = test::sampleRun(options);
        Timeline together(*run, ColourBy::opKind), single(*run, ColourBy::opKind);
        QVERIFY(single.groups().size() > 1);
        std::vector<bool> open;
        for (std::size_t i = 0; i < single.groups().size(); ++i) open.push_back(i % 2 == 1);
        together.setOpen(open);
        for (std::size_t i = 0; i < open.size(); ++i) single.setOpen(i, open[i]);
        QCOMPARE(together.height(), single.height());
        QVERIFY(together.rowsIn(0, together.height()) == single.rowsIn(0, single.height()));
        for (std::size_t i = 0; i < open.size(); ++i)
            for (const BufferId member : single.groups()[i].members) QCOMPARE(together.groupOf(member), std::optional(i));
        QVERIFY(!together.groupOf(none) && !together.groupOf(150));
    }

    /// A list of few buffers has higher rows, as far as all of them have room; the rows of a long list stay low.
    void fewRowsGrowToAReadableHeight()
    {
        for (const std::size_t count : {5U, 30U, 40U, 47U, 150U}) {
            StackPicture picture(bandRows);
            picture.take(picture.prepare(sourceOf(stacked(count))).make({}));
            picture.layOut({1000, 600}, 1);
            const double room = picture.bands().rows.height();
            const Timeline& rows = *picture.view()->state().timeline;
            QCOMPARE(rows.groups().size(), std::size_t(1));
            const double each = rows.rowOf(0)->height;
            QCOMPARE(rows.height(), Timeline::headHeight + each * double(count));
            if (count == 5) QCOMPARE(each, Timeline::tallestRow);
            if (count == 150) QCOMPARE(each, Timeline::rowHeight);
            if (each > Timeline::rowHeight) QVERIFY(rows.height() <= room); // nothing is scrolled for it
            if (each < Timeline::tallestRow)
                QVERIFY(Timeline::headHeight + (each + 1) * double(count) > room); // one pixel more has no room
            // The pointer finds each row where it is.
            for (std::size_t i = 0; i < count; ++i) {
                const auto row = rows.rowOf(BufferId(i));
                QVERIFY(row && rows.rowAt(row->top + row->height / 2) == row);
                QCOMPARE(rows.rowsIn(row->top, row->top + row->height), (std::vector<TimelineRow>{*row}));
            }
        }
        StackPicture picture(bandRows | bandMap); // the map takes the room
        picture.take(picture.prepare(sourceOf(stacked(5))).make({}));
        picture.layOut({1000, 600}, 1);
        QCOMPARE(picture.view()->state().timeline->rowOf(0)->height, Timeline::rowHeight);
    }

    void aRowIsRevealedBesideALargeClosedGroup()
    {
        constexpr std::size_t count = 50'002; // one more in the first group than a selection opens
        StackPicture picture(bandRows);
        picture.set(QStringLiteral("chain"), QStringLiteral("off"));
        picture.setGrouping(ColourBy::kind);
        picture.take(picture.prepare(sourceOf(stacked(count, BufferKind::output))).make({}));
        picture.layOut({1000, 600}, 1);
        const Timeline& rows = *picture.view()->state().timeline;
        QCOMPARE(rows.groups().size(), std::size_t(2));
        const auto single = BufferId(count - 1);
        QVERIFY(!rows.rowOf(single));
        picture.setMarks(marksOf(single), false);
        QVERIFY(rows.rowOf(single));
        picture.setMarks(marksOf(5), false);
        QVERIFY(!rows.rowOf(5)); // its group is the large one
    }
};

QTEST_MAIN(MarksTest)
#include "tst_marks.moc"
