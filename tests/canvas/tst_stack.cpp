// The stack of bands: where they lie, what their rectangles mean, and that they agree with the core.
#include "app/canvas/axis/hit_test.h"
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/pictures/map/paint_stack.h"
#include "app/canvas/pictures/map/stack_picture.h"
#include "app/canvas/pictures/map/view_state.h"
#include "app/canvas/pictures/scene_cache.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace stowage;

namespace {

struct Shown {
    std::shared_ptr<const RunScene> scene;
    ViewState view;
    StackLayout layout;

    explicit Shown(std::shared_ptr<const Run> run, QSizeF size = {1074, 690}, double ratio = 1)
        : scene(makeScene(std::move(run))), view(scene, Theme::darkTheme(), defaultColouring(*scene->run))
    {
        view.state().ratio = ratio;
        layout = layOut(view.state(), size);
        fitViewport(view.state(), layout);
    }
};

std::shared_ptr<const Run> sample(std::uint64_t seed, int pools)
{
    test::SampleOptions options;
    options.seed = seed;
    options.buffers = 150;
    options.steps = 80;
    options.pools = pools;
    options.gaps = 0.2;
    options.slots = 0.1;
    return test::sampleRun(options);
}

} // namespace

class TestStack : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bandsFillTheHeightWithoutOverlap()
    {
        for (const int pools : {1, 3})
            for (const QSizeF size : {QSizeF(1074, 690), QSizeF(1600, 1000), QSizeF(400, 260), QSizeF(300, 150)}) {
                Shown shown(sample(1, pools), size);
                const StackLayout& l = shown.layout;
                QCOMPARE(l.strips.size(), std::size_t(pools));
                std::vector<QRectF> bands{l.curve, l.ops};
                bands.insert(bands.end(), l.strips.begin(), l.strips.end());
                bands.push_back(l.ruler);
                bands.push_back(l.rows);
                double bottom = 0;
                for (const QRectF& band : bands) {
                    QVERIFY2(band.top() >= bottom && band.top() <= bottom + 1, qPrintable(QString::number(band.top())));
                    QCOMPARE(band.width(), size.width());
                    bottom = band.bottom();
                }
                if (size.height() > 300) QCOMPARE(bottom, size.height());
                QCOMPARE(l.plotLeft, 128.0);
                QCOMPARE(l.plotRight, size.width() - 14);
            }
    }

    void aProblemWithoutAProgramHasNoOps()
    {
        test::SampleOptions options;
        options.program = false;
        Shown shown(test::sampleRun(options));
        QVERIFY(shown.layout.ops.isEmpty());
        QVERIFY(!shown.layout.strips.empty());
    }

    void liveBytesAgreeWithTheCore()
    {
        const auto seed = testSeed();
        for (int round = 0; round < 10; ++round) {
            const auto run = sample(seed + std::uint64_t(round), 2);
            const auto scene = makeScene(run);
            for (const PoolScene& pool : scene->pools) {
                Step from = 0;
                Bytes live = 0;
                for (const UsageSample& sample : usage(run->problem(), run->plan, pool.map.pool)) {
                    for (; from < sample.step; ++from) QCOMPARE(pool.live.valueAt(from), live);
                    live = sample.live;
                }
            }
        }
    }

    void vectorRectanglesAreThePlanInPixels()
    {
        // Offsets and live ranges of the plan, scaled by hand, must be the rectangles that are drawn.
        for (const double ratio : {1.0, 2.0}) {
            Shown shown(test::wakeWordRun(), {1088, 690}, ratio);
            shown.view.setClique(false);
            TextShaper shaper;
            DrawList list(shaper, ratio);
            QVERIFY(!paintStack(list, shown.view.state(), shown.layout, BodyMode::vector));
            const QRectF& band = shown.layout.strips[0];
            const Run& run = *shown.scene->run;
            const double perStep = shown.layout.plotWidth() / 46; // all 46 steps are in view
            const double perByte = band.height() / double(addressLimit(shown.scene->pools[0].map));
            std::set<QString> wanted;
            const Palette palette = paletteOf(Theme::darkTheme(), ColourBy::opKind);
            std::size_t found = 0;
            for (std::size_t i = 0; i < run.problem().buffers.size(); ++i) {
                const Buffer& b = run.problem().buffers[i];
                const double bytes = double((b.size + 15) / 16 * 16); // with the padding to the next offset
                if (bytes * perByte < 4) continue;
                const double left = shown.layout.plotLeft + double(b.live[0].begin) * perStep;
                const double right = shown.layout.plotLeft + double(b.live[0].end) * perStep;
                const double bottom = band.bottom() - double(run.plan.placements[i].offset) * perByte;
                const double top = bottom - bytes * perByte;
                const QColor colour = palette.fills[shown.view.colouring().of[i]];
                const bool drawn = std::any_of(list.commands().begin(), list.commands().end(), [&](const DrawCommand& command) {
                    const auto* fill = std::get_if<draw::Fill>(&command);
                    // Within the rounding to a device pixel and the gap.
                    const double near = 0.5 + 1.01;
                    return fill && fill->colour == colour && std::abs(fill->rect.left() - left) <= near &&
                           std::abs(fill->rect.right() - right) <= near && std::abs(fill->rect.top() - top) <= near &&
                           std::abs(fill->rect.bottom() - bottom) <= near;
                });
                QVERIFY2(drawn, b.name.c_str());
                ++found;
            }
            QVERIFY(found >= 15);
        }
    }

    void pointsOfTheBodyAndTheHitTestAgree()
    {
        Shown shown(sample(5, 1));
        const StackGeometry geometry{shown.view.state(), shown.layout};
        const MapData& map = shown.scene->pools[0].map;
        for (std::size_t i = 0; i < map.rects.size(); ++i) {
            const QRectF rect = geometry.rectOf(0, i);
            if (rect.width() < 4 || rect.height() < 4) continue;
            const double x = (rect.center().x() - shown.layout.plotLeft);
            const double y = shown.layout.strips[0].bottom() - rect.center().y();
            const auto hit = hitTest(map, shown.view.state().viewport.steps, shown.view.state().viewport.addresses[0], x, y, 0);
            QVERIFY(hit);
            QCOMPARE(map.buffer[*hit], map.buffer[i]);
        }
    }

    void aFarCapacityDoesNotSqueezeThePlan()
    {
        MapData map;
        map.top = 1000;
        map.capacity = 2000;
        QVERIFY(addressLimit(map) > 2000);
        map.capacity = 1000000;
        QVERIFY(addressLimit(map) >= 1000 && addressLimit(map) < 1100);
        map.capacity = 900; // does not fit: the plan counts
        QVERIFY(addressLimit(map) > 1000);
    }

    void selectingFindsWhatTheBufferRestsOn()
    {
        Shown shown(test::wakeWordRun());
        const auto& problem = shown.scene->run->problem();
        BufferId id = none;
        for (std::size_t i = 0; i < problem.buffers.size(); ++i)
            if (problem.buffers[i].name == "stream_5/concat/ReadVariableOp") id = BufferId(i);
        shown.view.select(id, {});
        const SupportChain& chain = shown.view.state().support;
        QVERIFY(chain.links.size() >= 2);
        QCOMPARE(chain.links.front().buffer, id);
        QCOMPARE(chain.end, SupportEnd::ground);
        shown.view.setConflicts(true);
        std::set<BufferId> expected;
        for (std::size_t i = 0; i < problem.buffers.size(); ++i)
            if (BufferId(i) != id && problem.buffers[i].live[0].overlaps(problem.buffers[std::size_t(id)].live[0]))
                expected.insert(BufferId(i));
        const std::vector<BufferId>& found = shown.view.state().conflicting.list();
        QVERIFY(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
        shown.view.select(BufferId(9999), {BufferId(-5), 0});
        QCOMPARE(shown.view.state().selected, BufferId(none));
        QCOMPARE(shown.view.state().area.list(), std::vector<BufferId>{0});
    }

    void readersAndMakersAreTheStepsOfTheOps()
    {
        const auto scene = makeScene(test::wakeWordRun());
        const auto& problem = scene->run->problem();
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            const Interval live = problem.buffers[i].live[0];
            QCOMPARE(scene->makingStep(BufferId(i)), live.begin == 0 ? -1 : live.begin);
            const std::vector<Step> reads = scene->readingSteps(BufferId(i));
            if (live.end < 46) QCOMPARE(reads, std::vector<Step>{live.end - 1});
        }
    }

    void rowsAreFoundByArithmetic()
    {
        Shown shown(sample(9, 2));
        Timeline& timeline = shown.view.timeline();
        timeline.setOpen(1, false);
        std::size_t members = 0;
        for (const TimelineGroup& group : timeline.groups()) members += group.open ? group.members.size() : 0;
        const std::vector<TimelineRow> all = timeline.rowsIn(0, timeline.height());
        QCOMPARE(all.size(), members + timeline.groups().size());
        double top = 0;
        for (const TimelineRow& row : all) {
            QCOMPARE(row.top, top);
            top += row.height;
            QVERIFY(timeline.rowAt(row.top) == row);
            QVERIFY(timeline.rowAt(row.top + row.height - 0.01) == row);
            if (row.buffer != none) QVERIFY(timeline.rowOf(row.buffer) == row);
        }
        QCOMPARE(top, timeline.height());
        for (double y = 0; y < timeline.height(); y += 37) {
            std::vector<TimelineRow> expected;
            for (const TimelineRow& row : all)
                if (row.top < y + 50 && row.top + row.height > y) expected.push_back(row);
            QVERIFY(timeline.rowsIn(y, y + 50) == expected);
        }
        QVERIFY(!timeline.rowAt(-1));
        QVERIFY(!timeline.rowAt(timeline.height()));
        const BufferId hidden = timeline.groups()[1].members.front();
        QVERIFY(!timeline.rowOf(hidden));
        timeline.reveal(hidden);
        QVERIFY(timeline.rowOf(hidden));
    }

    void groupsAreSortedByTheirFirstStep()
    {
        Shown shown(sample(2, 1));
        for (const TimelineGroup& group : shown.view.timeline().groups())
            for (std::size_t i = 1; i < group.members.size(); ++i)
                QVERIFY(shown.scene->run->problem().buffers[std::size_t(group.members[i - 1])].hull().begin <=
                        shown.scene->run->problem().buffers[std::size_t(group.members[i])].hull().begin);
    }

    void hiddenAndFilteredBuffersAreMarked()
    {
        Shown shown(test::wakeWordRun());
        std::vector<bool> mask(shown.scene->run->problem().buffers.size(), true);
        mask[3] = false;
        shown.view.setShown(mask);
        shown.view.setHiddenClasses(1U << shown.view.colouring().of[5]);
        for (std::size_t i = 0; i < mask.size(); ++i) {
            QCOMPARE(bool((*shown.view.styles())[i] & styleDim), i == 3);
            QCOMPARE(bool((*shown.view.styles())[i] & styleHidden), shown.view.colouring().of[i] == shown.view.colouring().of[5]);
        }
    }

    /// A strip without room for title and caption says in its gutter which pool it is of, and how large that is.
    void lowStripsSayTheSizeOfTheirPool()
    {
        std::set<int> heights;
        for (const auto unit : {NumberFormat::Unit::bytes, NumberFormat::Unit::words})
            for (int height = 130; height < 270; height += 6) {
                Shown shown(sample(1, 3), {1074, double(height)});
                const NumberFormat& numbers = shown.view.state().numbers;
                shown.view.state().numbers.unit = unit;
                TextShaper shaper;
                DrawList list(shaper, 1);
                paintStack(list, shown.view.state(), shown.layout, BodyMode::vector);
                for (std::size_t i = 0; i < shown.layout.strips.size(); ++i) {
                    const QRectF& band = shown.layout.strips[i];
                    if (band.height() < 14 || band.height() >= 40) continue;
                    heights.insert(int(band.height()));
                    const MapData& map = shown.scene->pools[std::size_t(shown.view.state().strips[i])].map;
                    QStringList said;
                    std::vector<QRectF> boxes;
                    for (const DrawCommand& command : list.commands()) {
                        const auto* text = std::get_if<draw::Text>(&command);
                        if (!text || text->at.x() >= shown.layout.plotLeft || text->at.y() < band.top() ||
                            text->at.y() - list.shaper().capHeight(text->face) > band.bottom())
                            continue;
                        said << text->text;
                        const double wide = list.width(text->face, text->text), high = list.shaper().capHeight(text->face);
                        const double left = text->align == draw::Text::Align::right ? text->at.x() - wide : text->at.x();
                        boxes.emplace_back(left, text->at.y() - high, wide, high);
                    }
                    const QString all = said.join(u'|');
                    QVERIFY2(all.contains(bytesText(map.top, numbers)) || all.contains(shortBytes(map.top, numbers)),
                             qPrintable(all));
                    QVERIFY2(all.contains(QString::fromStdString(map.poolName).left(2)), qPrintable(all)); // both ends at least
                    for (std::size_t a = 0; a < boxes.size(); ++a) {
                        QVERIFY2(boxes[a].top() >= band.top() && boxes[a].bottom() <= band.bottom(), qPrintable(all));
                        for (std::size_t b = 0; b < a; ++b) QVERIFY2(!boxes[a].intersects(boxes[b]), qPrintable(all));
                    }
                }
            }
        QVERIFY(heights.size() > 5 && *heights.begin() < 20 && *heights.rbegin() > 30);
    }

    /// While the view is panned, chips move as the buffers do, or stay at the edge: they do not look for other places.
    void chipsDoNotJumpWhenTheViewIsPanned()
    {
        for (const std::uint64_t seed : {1U, 4U, 7U}) {
            Shown shown(sample(seed, 1));
            PixelAxis& steps = shown.view.state().viewport.steps;
            steps.zoom(3, 0);
            TextShaper shaper;
            std::map<QString, double> before;
            std::size_t compared = 0;
            constexpr int far = 7; // pixels
            for (int moved = far; moved != 0; moved = steps.pan(far)) {
                DrawList list(shaper, 1);
                paintStack(list, shown.view.state(), shown.layout, BodyMode::given);
                std::map<QString, double> now;
                for (const DrawCommand& command : list.commands())
                    if (const auto* text = std::get_if<draw::Text>(&command);
                        text && text->face == Face::number && text->at.x() >= shown.layout.plotLeft)
                        for (const char* what : {"pool ", "bound ", "capacity ", "peak "})
                            if (text->text.startsWith(QLatin1String(what))) now[text->text] = text->at.x();
                for (const auto& [text, x] : now)
                    if (const auto was = before.find(text); was != before.end()) {
                        QVERIFY2(std::abs(x - was->second) <= far + 0.01,
                                 qPrintable(QStringLiteral("%1: from %2 to %3").arg(text).arg(was->second).arg(x)));
                        ++compared;
                    }
                before = std::move(now);
            }
            QVERIFY(compared > 300);
        }
    }

    /// Two lines at one height share a chip where that has a place beside the buffers; else each has a narrower one.
    void chipsOfOneHeightLieBesideBuffers()
    {
        TextShaper shaper;
        DrawList list(shaper, 1);
        const QRectF band(0, 0, 428, 200), first(146, 12, 67, 20), second(349, 12, 68, 20);
        const std::vector<LevelChip> levels{{11, QStringLiteral("pool 589,824 B"), Qt::white, false},
                                            {11, QStringLiteral("bound 589,824 B"), Qt::green, true}};
        const Taken taken = [&](const QRectF& box) { return box.intersects(first) || box.intersects(second); };
        const auto boxes = placeLevelChips(list, band, band.right(), {0, band.right()}, levels, taken).boxes;
        QCOMPARE(boxes.size(), std::size_t(2));
        QVERIFY(!boxes[0].intersects(boxes[1]));
        for (const QRectF& box : boxes) QVERIFY(!taken(box) && band.contains(box));
        QCOMPARE(placeLevelChips(list, band, band.right(), {0, band.right()}, levels).boxes.size(), std::size_t(1));
    }

    /// Chips for which no place is free, or whose place is out of view with something taken before it, are handed back in the
    /// order in which they came.
    void chipsWithoutAFreePlaceAreHandedBack()
    {
        TextShaper shaper;
        DrawList list(shaper, 1);
        const QRectF band(0, 0, 428, 200);
        const std::vector<LevelChip> levels{{80, QStringLiteral("pool 128 B"), Qt::white, false},
                                            {40, QStringLiteral("capacity 192 B"), Qt::red, true}};
        const auto texts = [](const std::vector<LevelChip>& chips) {
            QStringList all;
            for (const LevelChip& chip : chips) all << chip.text;
            return all;
        };
        const QStringList given = texts(levels);
        const auto placed = [&](const ChipSpan& span, const QRectF& data) {
            return placeLevelChips(list, band, band.right(), span, levels,
                                   [data](const QRectF& box) { return box.intersects(data); });
        };
        QCOMPARE(texts(placed({0, 428}, band).without), given);
        QVERIFY(placed({0, 428}, band).boxes.empty());
        QCOMPARE(placed({0, 428}, {0, 190, 428, 10}).boxes.size(), std::size_t(2));
        // Their place is at the end of 1,000 pixels: nothing, or something below the chips, lies between it and the view.
        for (const QRectF& data : {QRectF(), QRectF(500, 100, 50, 100)}) {
            const LevelChips seen = placed({0, 1000}, data);
            QCOMPARE(seen.boxes.size(), std::size_t(2));
            for (const QRectF& box : seen.boxes) QCOMPARE(box.right(), band.right());
        }
        QCOMPARE(texts(placed({0, 1000}, {500, 0, 50, 200}).without), given);
    }

    /// Zoomed and panned in any way, in strips of any height, no chip of a reference line covers a buffer, but for the pixel
    /// that edges are rounded by. Those of a single strip that have no place lie in the ruler, over no number.
    void chipsNeverCoverBuffers()
    {
        TextShaper shaper;
        std::size_t inStrips = 0, inRulers = 0;
        bool baseline = false;
        const auto chipsOf = [&](const DrawList& list, const Shown& shown) {
            std::vector<QRectF> boxes;
            for (const DrawCommand& command : list.commands())
                if (const auto* text = std::get_if<draw::Text>(&command);
                    text && text->face == Face::number && text->at.x() >= shown.layout.plotLeft)
                    for (const char* what : {"pool ", "baseline ", "bound ", "capacity "})
                        if (text->text.startsWith(QLatin1String(what)))
                            boxes.emplace_back(text->at.x() - 6, text->at.y() - 12, list.chipWidth(text->text),
                                               DrawList::chipHeight);
            return boxes;
        };
        const auto look = [&](Shown& shown) {
            DrawList list(shaper, 1), overlay(shaper, 1);
            paintStack(list, shown.view.state(), shown.layout, BodyMode::given);
            paintStackOverlay(overlay, shown.view.state(), shown.layout);
            const StackGeometry geometry{shown.view.state(), shown.layout};
            for (const QRectF& chip : chipsOf(list, shown)) {
                ++inStrips;
                for (std::size_t strip = 0; strip < shown.layout.strips.size(); ++strip) {
                    if (!shown.layout.strips[strip].contains(chip.center())) continue;
                    const MapData& map = shown.scene->pools[std::size_t(shown.view.state().strips[strip])].map;
                    for (std::size_t i = 0; i < map.rects.size(); ++i)
                        QVERIFY2(!geometry.rectOf(strip, i).intersects(chip.adjusted(1, 1, -1, -1)), "over a buffer");
                }
            }
            std::vector<QRectF> texts;
            for (const DrawCommand& command : overlay.commands())
                if (const auto* text = std::get_if<draw::Text>(&command);
                    text && shown.layout.ruler.contains(text->at) && text->at.x() >= shown.layout.plotLeft) {
                    const double wide = list.width(text->face, text->text);
                    const double before = text->align == draw::Text::Align::centre ? wide / 2 : 0;
                    texts.emplace_back(text->at.x() - before, text->at.y() - 8, wide, 8);
                    for (std::size_t i = 0; i + 1 < texts.size(); ++i)
                        QVERIFY2(!texts[i].intersects(texts.back()), qPrintable(text->text));
                }
            baseline |=
                toText(list).contains(QStringLiteral("\"baseline ")) || toText(overlay).contains(QStringLiteral("\"baseline "));
            for (const QRectF& chip : chipsOf(overlay, shown)) inRulers += shown.layout.ruler.contains(chip.center());
        };
        for (const std::uint64_t seed : {1U, 4U, 7U})
            for (const int pools : {1, 2})
                for (const double height : {230.0, 360.0, 690.0}) {
                    Shown shown(sample(seed, pools), {700, height});
                    shown.view.state().baseline = shown.scene->pools[0].map.top / 2; // as beside an earlier plan
                    look(shown);
                    PixelAxis& steps = shown.view.state().viewport.steps;
                    steps.zoom(4, 0);
                    do look(shown);
                    while (steps.pan(97) != 0);
                    for (PixelAxis& axis : shown.view.state().viewport.addresses) axis.zoom(1.7, axis.pixels());
                    look(shown);
                }
        QVERIFY(inStrips > 50 && inRulers > 50 && baseline);
    }

    /// Two buffers that fill the whole map leave no place for a chip: the ruler says what the line is.
    void aFullMapHasItsChipInTheRuler()
    {
        Problem problem;
        problem.pools.push_back({.name = "arena"});
        for (const char* name : {"in", "out"}) {
            Buffer buffer;
            buffer.name = name;
            buffer.size = 64;
            buffer.alignment = 1;
            buffer.live = {{0, 2}};
            problem.buffers.push_back(buffer);
        }
        Shown shown(test::runOf(std::move(problem)), {500, 330});
        shown.view.state().rows = false;
        shown.layout = layOut(shown.view.state(), {500, 330});
        fitViewport(shown.view.state(), shown.layout);
        QCOMPARE(shown.layout.strips.size(), std::size_t(1));
        QVERIFY(shown.layout.strips[0].height() >= 150 && shown.layout.strips[0].height() * 0.06 < DrawList::chipHeight + 1);
        TextShaper shaper;
        DrawList list(shaper, 1), overlay(shaper, 1);
        paintStack(list, shown.view.state(), shown.layout, BodyMode::vector);
        paintStackOverlay(overlay, shown.view.state(), shown.layout);
        QVERIFY(!toText(list).contains(QStringLiteral("pool 128 B")) && !toText(list).contains(QStringLiteral("pool and bound")));
        QVERIFY(test::textsOf(overlay).contains(QStringLiteral("pool and bound 128 B"))); // one chip for one value
    }

    /// The lines of pool and capacity are so close to the upper edge that no chip fits between them: both chips lie in the row
    /// above the buffers.
    void chipsAtTheUpperEdgeLieOverTheirLines()
    {
        TextShaper shaper;
        DrawList list(shaper, 1);
        const QRectF band(0, 0, 428, 200), data(0, 21, 428, 179);
        const std::vector<LevelChip> levels{{20, QStringLiteral("pool 16,000 B"), Qt::white, false},
                                            {12, QStringLiteral("capacity 16,384 B"), Qt::red, true, true}};
        const auto placed = [&](const QRectF& taken) {
            return placeLevelChips(list, band, band.right(), {0, band.right()}, levels,
                                   [taken](const QRectF& box) { return box.intersects(taken); });
        };
        const LevelChips above = placed(data);
        QCOMPARE(above.boxes.size(), std::size_t(2));
        QVERIFY(above.without.empty());
        QVERIFY(!above.boxes[0].intersects(above.boxes[1]));
        for (const QRectF& box : above.boxes) QVERIFY(band.contains(box) && !box.intersects(data));
        // Where there is no place at all, the capacity is the first that the ruler has.
        const LevelChips blocked = placed(band);
        QCOMPARE(blocked.without.size(), std::size_t(2));
        QCOMPARE(blocked.without.front().text, levels.back().text);
    }

    void reuseBarsLieBelowTheWords()
    {
        const Shown shown(sample(1, 1));
        TextShaper shaper;
        DrawList list(shaper, 1);
        paintStack(list, shown.view.state(), shown.layout, BodyMode::given);
        double words = -1;
        for (const DrawCommand& command : list.commands())
            if (const auto* text = std::get_if<draw::Text>(&command); text && text->text == QStringLiteral("reuse"))
                words = text->at.y();
        QVERIFY(words > shown.layout.strips[0].top());
        std::size_t bars = 0;
        for (const DrawCommand& command : list.commands())
            if (const auto* fill = std::get_if<draw::Fill>(&command);
                fill && fill->rect.left() == 10 && fill->rect.height() == 4 && shown.layout.strips[0].contains(fill->rect)) {
                ++bars;
                QVERIFY2(fill->rect.top() > words, qPrintable(QString::number(fill->rect.top())));
            }
        QVERIFY(bars > 5);
    }

    /// Addresses of ten digits leave little room beside them: the name of the pool goes between two of them.
    void longAddressesDoNotShortenThePoolsName()
    {
        Problem problem;
        problem.pools.push_back({.name = "activations"});
        Buffer buffer;
        buffer.name = "a";
        buffer.size = 4'600'000'000;
        buffer.live = {{0, 2}};
        problem.buffers.push_back(buffer);
        const auto run = test::runOf(std::move(problem));
        TextShaper shaper;
        for (double height = 560; height < 900; height += 20) {
            const Shown shown(run, {1074, height});
            DrawList list(shaper, 1);
            paintStack(list, shown.view.state(), shown.layout, BodyMode::vector);
            QVERIFY2(test::textsOf(list).contains(QStringLiteral("activations")), qPrintable(QString::number(height)));
        }
    }

    /// With several pools no ruler says a capacity that has no place in its strip: the gutter does.
    void everyPoolSaysItsCapacity()
    {
        const Shown shown(sample(4, 2));
        QCOMPARE(shown.layout.strips.size(), std::size_t(2));
        TextShaper shaper;
        DrawList list(shaper, 1);
        paintStack(list, shown.view.state(), shown.layout, BodyMode::given);
        for (const PoolScene& pool : shown.scene->pools)
            QVERIFY(test::textsOf(list).contains(QStringLiteral("of ") + bytesText(*pool.map.capacity, {})));
    }

    /// Hatched ground and the reuse bar say what they stand for.
    void whatIsNoBufferHasACardToo()
    {
        Problem problem;
        problem.pools.push_back({.name = "arena", .capacity = 40});
        const auto add = [&](const char* name, Bytes size, Interval live) {
            Buffer buffer;
            buffer.name = name;
            buffer.size = size;
            buffer.alignment = 16;
            buffer.live = {live};
            problem.buffers.push_back(buffer);
        };
        add("b", 20, {0, 8}); // [0, 20)
        add("a", 10, {0, 4}); // [32, 42), after 12 bytes of padding
        add("c", 30, {8, 12});
        PictureSource source;
        source.run = test::runOf(std::move(problem));
        source.scenes = std::make_shared<SceneCache>();
        QCOMPARE(source.run->plan.placements[1].offset, Bytes(32));
        StackPicture picture(bandMap);
        picture.setTheme(Theme::lightTheme());
        picture.take(picture.prepare(source).make({}));
        picture.layOut({1000, 600}, 1);
        const StackGeometry geometry{picture.view()->state(), picture.bands()};
        const auto titleAt = [&](double x, Bytes address) {
            const double y = (geometry.y(0, address) + geometry.y(0, address + 1)) / 2;
            const auto card = picture.card(picture.hit({x, y}));
            return card ? card->title : QString();
        };
        const auto middleOf = [&](Step step) { return (geometry.x(step) + geometry.x(step + 1)) / 2; };
        QCOMPARE(titleAt(middleOf(2), 5), QStringLiteral("b"));
        QCOMPARE(titleAt(middleOf(2), 25), QStringLiteral("padding"));
        QCOMPARE(titleAt(middleOf(5), 36), QStringLiteral("free bytes"));
        QCOMPARE(titleAt(middleOf(9), 36), QStringLiteral("free bytes"));
        QCOMPARE(titleAt(middleOf(9), 41), QStringLiteral("above the capacity"));
        QCOMPARE(titleAt(20, 5), QStringLiteral("reuse bar"));
        const auto bar = picture.card(picture.hit({20, (geometry.y(0, 5) + geometry.y(0, 6)) / 2}));
        QCOMPARE(bar->lines.front().value, QStringLiteral("2")); // b, then c
    }
};

QTEST_MAIN(TestStack)
#include "tst_stack.moc"
