// Memory map and liveness timeline in the real window: what wheel, keys and pointer do, and that they share selection, cursor and
// filter with the rest.
#include "app/canvas/axis/hit_test.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/views/tables_view.h"
#include "app/desktop/widgets/colour_legend.h"
#include "app/desktop/widgets/table.h"
#include "tests/desktop/map_desk.h"
#include "tests/support/seed.h"

#include <QLabel>
#include <QPushButton>
#include <QRandomGenerator>
#include <QTest>

#include <set>

using namespace stowage;
using test::drag;
using test::MapDesk;
using test::turnWheel;

namespace {

/// The step under a point as a number with a fraction, from the range in view alone: not by the widget's own arithmetic.
double stepUnder(const MapWidget& map, double x)
{
    const AxisRange range = map.range().steps;
    return double(range.begin.whole) + range.begin.part + (x - map.bands().plotLeft) / map.bands().plotWidth() * range.span;
}

double addressUnder(const MapWidget& map, std::size_t strip, double y)
{
    const AxisRange range = map.range().addresses[strip];
    const QRectF& band = map.bands().strips[strip];
    return double(range.begin.whole) + range.begin.part + (band.bottom() - y) / band.height() * range.span;
}

QPointF middle(const MapWidget& map, std::size_t strip = 0)
{
    return {map.bands().plotLeft + map.bands().plotWidth() * 0.4, map.bands().strips[strip].center().y()};
}

/// What lies under a point, by going over the whole plan: the buffers whose rectangle holds the step and the byte there.
std::set<BufferId> under(const Run& run, PoolId pool, double step, double address)
{
    std::set<BufferId> found;
    for (std::size_t i = 0; i < run.problem().buffers.size(); ++i) {
        const Buffer& buffer = run.problem().buffers[i];
        const Placement& placement = run.plan.placements[i];
        if (placement.pool != pool) continue;
        std::vector<Bytes> offsets(placement.offsets.begin(), placement.offsets.end());
        if (offsets.empty()) offsets.push_back(placement.offset);
        for (const Bytes offset : offsets)
            for (const Interval& live : buffer.live)
                if (double(live.begin) <= step && step < double(live.end) && double(offset) <= address &&
                    address < double(offset + buffer.size))
                    found.insert(BufferId(i));
    }
    return found;
}

} // namespace

class MapViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theMapIsWhatIsSeenFirstAfterAPlan()
    {
        MapDesk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* view = dynamic_cast<MemoryMapView*>(desk.window->views().currentView());
        QVERIFY(view);
        QTRY_VERIFY(view->map().ready());
        QCOMPARE(view->map().run(), desk.workspace().run());
        QCOMPARE(view->message(), QString());
    }

    void theWheelZoomsTimeAndKeepsTheStepUnderThePointer()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        const ViewRange all = map->range();
        for (int i = 0; i < 40; ++i) {
            const double x = map->bands().plotLeft + 5 + random.bounded(map->bands().plotWidth() - 10);
            const double before = stepUnder(*map, x);
            const double span = map->range().steps.span;
            turnWheel(*map, {x, middle(*map).y()}, i % 3 == 2 ? -1 : 1);
            const AxisRange now = map->range().steps;
            // Unless a limit is met, the step stays under the pointer within a pixel.
            const bool atLimit = now.span == span || now.begin.whole <= 0 ||
                                 stepUnder(*map, map->bands().plotRight) >= double(map->state()->scene().steps) - 0.01;
            if (!atLimit)
                QVERIFY2(std::abs(stepUnder(*map, x) - before) <= now.span / map->bands().plotWidth() + 1e-9,
                         qPrintable(QString::number(i)));
            QCOMPARE(map->range().addresses, all.addresses);
        }
        QVERIFY(map->range().steps.span < all.steps.span);
    }

    void controlZoomsAddressesAndShiftPans()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const ViewRange all = map->range();
        const QPointF at = middle(*map);
        const double address = addressUnder(*map, 0, at.y());
        turnWheel(*map, at, 3, Qt::ControlModifier);
        QCOMPARE(map->range().steps, all.steps);
        QVERIFY(std::abs(map->range().addresses[0].span * std::pow(1.25, 3) / all.addresses[0].span - 1) < 0.01);
        QVERIFY(std::abs(addressUnder(*map, 0, at.y()) - address) <=
                2 * map->range().addresses[0].span / map->bands().strips[0].height());
        turnWheel(*map, at, 4);
        const AxisRange before = map->range().steps;
        turnWheel(*map, at, -1, Qt::ShiftModifier);
        QCOMPARE(map->range().steps.span, before.span);
        // 60 pixels further on.
        const double moved = map->range().steps.begin.minus(before.begin) / before.span * map->bands().plotWidth();
        QVERIFY2(std::abs(moved - 60) <= 1.0, qPrintable(QString::number(moved)));
    }

    void historyGoesBackAndForth()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const ViewRange first = map->range();
        drag(*map, middle(*map) - QPointF(100, 40), middle(*map) + QPointF(60, 50), Qt::MiddleButton);
        const ViewRange second = map->range();
        QVERIFY(second.steps.span < first.steps.span && second.addresses[0].span < first.addresses[0].span);
        drag(*map, middle(*map) - QPointF(90, 30), middle(*map) + QPointF(90, 30), Qt::LeftButton, Qt::AltModifier);
        const ViewRange third = map->range();
        QVERIFY(third != second);
        QTest::keyClick(map, Qt::Key_Backspace);
        QCOMPARE(map->range(), second);
        desk.trigger("go.back");
        QCOMPARE(map->range(), first);
        desk.trigger("go.forward");
        QCOMPARE(map->range(), second);
        desk.trigger("go.forward");
        QCOMPARE(map->range(), third);
        QTest::keyClick(map, Qt::Key_Backspace);
        // Notches of one turn of the wheel are one entry.
        for (int i = 0; i < 5; ++i) turnWheel(*map, middle(*map), 1);
        QTest::keyClick(map, Qt::Key_Backspace);
        QCOMPARE(map->range(), second);
        desk.trigger("go.reset");
        QCOMPARE(map->range(), first);
    }

    void aBoxThatIsDraggedWithAltFillsTheView()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const QPointF from = middle(*map) - QPointF(150, 60), to = middle(*map) + QPointF(90, 70);
        const double left = stepUnder(*map, from.x()), right = stepUnder(*map, to.x());
        const double low = addressUnder(*map, 0, to.y()), high = addressUnder(*map, 0, from.y());
        drag(*map, from, to, Qt::LeftButton, Qt::AltModifier);
        const double pixel = map->range().steps.span / map->bands().plotWidth();
        QVERIFY(std::abs(stepUnder(*map, map->bands().plotLeft) - left) <= 2 * pixel);
        QVERIFY(std::abs(stepUnder(*map, map->bands().plotRight) - right) <= 2 * pixel);
        const double row = map->range().addresses[0].span / map->bands().strips[0].height();
        QVERIFY(std::abs(addressUnder(*map, 0, map->bands().strips[0].bottom()) - low) <= 2 * row);
        QVERIFY(std::abs(addressUnder(*map, 0, map->bands().strips[0].top()) - high) <= 2 * row);
    }

    void keysZoomAndPan()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const double span = map->range().steps.span;
        QTest::keyClick(map, Qt::Key_W);
        QTest::keyClick(map, Qt::Key_W);
        QTest::keyClick(map, Qt::Key_W);
        QVERIFY(std::abs(map->range().steps.span * std::pow(1.25, 3) - span) < 0.01 * span);
        const AxisRange before = map->range().steps;
        QTest::keyClick(map, Qt::Key_D);
        QVERIFY(map->range().steps.begin.minus(before.begin) > 0);
        QTest::keyClick(map, Qt::Key_A);
        QCOMPARE(map->range().steps, before);
        for (int i = 0; i < 6; ++i) QTest::keyClick(map, Qt::Key_S);
        QCOMPARE(map->range().steps.span, span);
    }

    void theHitTestOfTheWidgetEqualsGoingOverThePlan()
    {
        for (const char* name : {"microcontroller_two_memories", "transformer_block"}) {
            MapDesk desk;
            MapWidget* map = desk.openMap(name);
            QVERIFY(map);
            const Run& run = *map->run();
            const auto seed = testSeed();
            QRandomGenerator random(seed);
            std::size_t met = 0;
            for (int round = 0; round < 3; ++round) {
                for (std::size_t strip = 0; strip < map->bands().strips.size(); ++strip) {
                    const QRectF& band = map->bands().strips[strip];
                    const PoolId pool = map->state()->scene().pools[std::size_t(map->state()->state().strips[strip])].map.pool;
                    for (int i = 0; i < 300; ++i) {
                        const QPointF at(map->bands().plotLeft + random.bounded(map->bands().plotWidth() - 1),
                                         band.top() + random.bounded(band.height()));
                        const auto here = under(run, pool, stepUnder(*map, at.x()), addressUnder(*map, strip, at.y()));
                        const BufferId hit = map->bufferAt(at);
                        if (!here.empty()) {
                            // On the very edge of two the rounding of this test may differ from the widget's.
                            const double dx = map->range().steps.span / map->bands().plotWidth() * 0.01;
                            const double dy = map->range().addresses[strip].span / band.height() * 0.01;
                            std::set<BufferId> around = here;
                            for (const double x : {-dx, dx})
                                for (const double y : {-dy, dy})
                                    around.merge(
                                        under(run, pool, stepUnder(*map, at.x()) + x, addressUnder(*map, strip, at.y()) + y));
                            QVERIFY2(around.contains(hit), qPrintable(QStringLiteral("%1,%2").arg(at.x()).arg(at.y())));
                            ++met;
                        }
                    }
                }
                turnWheel(*map, middle(*map), 4);
                turnWheel(*map, middle(*map), 2, Qt::ControlModifier);
            }
            QVERIFY(met > 200);
        }
    }

    void everyBufferReachesAPixelAndIsHitThere()
    {
        MapDesk desk;
        for (const char* name : {"resnet18", "lstm_loop", "microcontroller_two_memories"}) {
            MapWidget* map = desk.openMap(name);
            QVERIFY(map);
            const Run& run = *map->run();
            for (std::size_t i = 0; i < run.problem().buffers.size(); ++i) {
                if (!run.plan.placements[i].placed() || run.problem().buffers[i].size == 0) continue;
                const QRectF box = map->boxOf(BufferId(i));
                QVERIFY2(!box.isEmpty(), run.problem().buffers[i].name.c_str());
                // Thin ones lie close together: the hit is the buffer itself or one that is as near.
                const BufferId hit = map->bufferAt(box.center());
                QVERIFY2(hit != none, run.problem().buffers[i].name.c_str());
                if (box.width() >= 3 && box.height() >= 3) QCOMPARE(hit, BufferId(i));
            }
        }
    }

    void aClickSelectsForTableAndInspectorAndBack()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const BufferId buffer = 7;
        QTest::mouseClick(map, Qt::LeftButton, {}, test::middleOf(*map, buffer).toPoint());
        const BufferId hit = desk.workspace().selection().buffer();
        QCOMPARE(hit, map->bufferAt(QPointF(test::middleOf(*map, buffer).toPoint())));
        QCOMPARE(map->state()->state().selected, hit);
        const auto cursor = desk.workspace().selection().cursor();
        QVERIFY(cursor);
        const Interval hull = map->run()->problem().buffers[std::size_t(hit)].hull();
        QVERIFY(hull.contains(*cursor));
        const std::string& name = map->run()->problem().buffers[std::size_t(hit)].name;
        const auto named = [&] {
            const auto labels = desk.find<QWidget>("inspector")->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) {
                return QString(label->text()).remove(QChar(0x200b)) == QString::fromStdString(name);
            });
        };
        QTRY_VERIFY2(named(), name.c_str());
        auto* tables = desk.show<TablesView>("tables");
        QCOMPARE(tables->widget().currentIndex().data(RowTable::BufferRole).toInt(), hit);
        // And back, from the table.
        tables->widget().selectRow(tables->widget().currentIndex().row() == 0 ? 1 : 0);
        const BufferId other = desk.workspace().selection().buffer();
        QVERIFY(other != hit);
        map = desk.mapOf("memory-map");
        QVERIFY(map);
        QCOMPARE(map->state()->state().selected, other);
        desk.trigger("edit.deselect");
        QCOMPARE(desk.workspace().selection().buffer(), none);
    }

    void aDraggedAreaSaysWhatLiesInIt()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const double tall = map->bands().strips[0].height();
        const QPointF from = middle(*map) - QPointF(200, 0.3 * tall), to = middle(*map) + QPointF(160, 0.25 * tall);
        const auto first = std::int64_t(std::floor(stepUnder(*map, from.x()))),
                   last = std::int64_t(std::floor(stepUnder(*map, to.x()))) + 1;
        drag(*map, from, to);
        const AreaSums* sums = map->areaSums();
        QVERIFY(sums);
        // From the plan, by hand; addresses within a row of pixels.
        const double slack = 2 * map->range().addresses[0].span / map->bands().strips[0].height();
        const double low = addressUnder(*map, 0, to.y()), high = addressUnder(*map, 0, from.y());
        Bytes bytes = 0;
        double inside = 0;
        std::size_t sure = 0, possible = 0;
        for (std::size_t i = 0; i < map->run()->problem().buffers.size(); ++i) {
            const Buffer& b = map->run()->problem().buffers[i];
            const auto bottom = double(map->run()->plan.placements[i].offset), top = bottom + double(b.size);
            Step steps = 0;
            for (const Interval& live : b.live)
                steps += std::max<Step>(0, std::min<Step>(live.end, last) - std::max<Step>(live.begin, first));
            if (steps == 0 || top <= low - slack || bottom >= high + slack) continue;
            ++possible;
            sure += top > low + slack && bottom < high - slack;
            bytes += b.size;
            inside += double(steps) * (std::min(top, high) - std::max(bottom, low));
        }
        QVERIFY2(sums->buffers.size() >= sure && sums->buffers.size() <= possible,
                 qPrintable(QStringLiteral("%1 of %2 to %3, steps %4 to %5")
                                .arg(sums->buffers.size())
                                .arg(sure)
                                .arg(possible)
                                .arg(first)
                                .arg(last)));
        if (sure == possible) QCOMPARE(sums->bytes, bytes);
        QVERIFY(std::abs(sums->occupied - inside) <= 0.05 * inside);
        QCOMPARE(desk.workspace().selection().buffers(), sums->buffers);
        // It stays where it is while the view is zoomed, and a click takes it away.
        turnWheel(*map, middle(*map), 2);
        QVERIFY(map->areaSums());
        QTest::mouseClick(map, Qt::LeftButton, {}, middle(*map).toPoint());
        QVERIFY(!map->areaSums());
    }

    void fCentresThenFitsAndPFindsThePeak()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        for (int i = 0; i < 6; ++i) turnWheel(*map, middle(*map), 1);
        const double span = map->range().steps.span;
        const BufferId buffer = 12;
        desk.workspace().selection().select(buffer);
        desk.trigger("go.selection");
        QVERIFY(std::abs(map->range().steps.span - span) < 1e-6 * span); // centred
        const QRectF box = map->boxOf(buffer);
        QVERIFY(!box.isEmpty());
        desk.trigger("go.selection");
        const QRectF fitted = map->boxOf(buffer);
        QVERIFY(fitted.width() >= box.width());
        QVERIFY(std::abs(fitted.width() - (map->bands().plotWidth() - 48)) < 3 || map->range().steps.span <= 2.01);
        desk.trigger("go.peak");
        const Step peak = map->run()->report.pools.front().peakStep;
        QCOMPARE(desk.workspace().selection().cursor(), std::optional(peak));
        QVERIFY(stepUnder(*map, map->bands().plotLeft) <= double(peak) &&
                double(peak) <= stepUnder(*map, map->bands().plotRight));
    }

    void arrowsWalkToNeighboursThatTheFilterLeaves()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        QTest::keyClick(map, Qt::Key_Right); // something in the middle
        BufferId at = desk.workspace().selection().buffer();
        QVERIFY(at != none);
        std::set<BufferId> seen;
        for (int i = 0; i < 60 && seen.insert(at).second; ++i) {
            const BufferId before = at;
            QTest::keyClick(map, Qt::Key_Right);
            at = desk.workspace().selection().buffer();
            if (at == before) break;
            // Never back in time.
            QVERIFY(map->run()->problem().buffers[std::size_t(at)].hull().begin >=
                    map->run()->problem().buffers[std::size_t(before)].hull().end);
        }
        QVERIFY(seen.size() > 2);
        desk.workspace().selection().setFilter(parseSearch(QStringLiteral("size>100K")).filter);
        for (int i = 0; i < 6; ++i) {
            QTest::keyClick(map, Qt::Key_Left);
            QVERIFY(desk.workspace().selection().passes(desk.workspace().selection().buffer()) ||
                    desk.workspace().selection().buffer() == at);
        }
    }

    void aNewRunOfTheProblemKeepsWhatIsInView()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("microcontroller_two_memories");
        QVERIFY(map);
        turnWheel(*map, middle(*map), 3);
        turnWheel(*map, middle(*map), 2, Qt::ControlModifier);
        const ViewRange before = map->range();
        const auto run = map->run();
        desk.workspace().showNeighbourRun(1);
        QVERIFY(map->run() != run);
        QCOMPARE(map->range().steps, before.steps);
        QVERIFY(std::abs(map->range().addresses[0].span - before.addresses[0].span) <= 1e-6 * before.addresses[0].span);
        // The next planning is another run of the same problem, too.
        desk.trigger("plan.run");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
        QCOMPARE(map->range().steps, before.steps);
        // Another problem is shown as a whole.
        QVERIFY(desk.open("transformer_block"));
        QTRY_VERIFY(map->ready());
        QCOMPARE(map->range().steps.span, double(map->state()->scene().steps));
        QVERIFY(!map->history().canGoBack());
    }

    void theFilterDimsAndTheLegendHides()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        desk.workspace().selection().setFilter(parseSearch(QStringLiteral("size>100K")).filter);
        const auto mask = desk.workspace().selection().mask();
        for (std::size_t i = 0; i < mask->shown.size(); ++i)
            QCOMPARE(bool((*map->state()->styles())[i] & styleDim), !mask->shown[i]);
        desk.trigger("edit.clear-filter");
        auto* view = desk.show<StackView>("memory-map");
        const BufferId buffer = 3;
        const auto of = map->state()->colouring().of[std::size_t(buffer)];
        const QPointF at = test::middleOf(*map, buffer);
        QCOMPARE(map->bufferAt(at), buffer);
        const QRect entry = view->legend().boxOf(of);
        QVERIFY(!entry.isEmpty());
        QTest::mouseClick(&view->legend(), Qt::LeftButton, {}, entry.center());
        QVERIFY((*map->state()->styles())[std::size_t(buffer)] & styleHidden);
        QCOMPARE(map->bufferAt(at), none);
        QTest::mouseClick(&view->legend(), Qt::LeftButton, {}, entry.center());
        QCOMPARE(map->bufferAt(at), buffer);
    }

    void theHoverCardSpeaksOfTheBufferAndDoesNotCoverIt()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const BufferId buffer = 7;
        const QPoint at = test::middleOf(*map, buffer).toPoint();
        test::movePointer(*map, at);
        QTRY_COMPARE(desk.workspace().selection().hovered(), buffer);
        QVERIFY(!map->card()); // not at once
        QTRY_VERIFY(map->card().has_value());
        QCOMPARE(map->card()->title, QString::fromStdString(map->run()->problem().buffers[std::size_t(buffer)].name));
        QVERIFY(map->card()->lines.size() + 1 <= 5);
        map->grab(); // where it is painted is known then
        const QRectF card = map->cardBox(), box = map->boxOf(buffer);
        QVERIFY(!card.isEmpty());
        QVERIFY2(!card.intersects(box), qPrintable(QStringLiteral("card %1,%2 %3x%4, buffer %5,%6 %7x%8")
                                                       .arg(card.x())
                                                       .arg(card.y())
                                                       .arg(card.width())
                                                       .arg(card.height())
                                                       .arg(box.x())
                                                       .arg(box.y())
                                                       .arg(box.width())
                                                       .arg(box.height())));
        QTest::mousePress(map, Qt::LeftButton, {}, at);
        QVERIFY(!map->card());
        QTest::mouseRelease(map, Qt::LeftButton, {}, at);
    }

    void aFrameInWhichNothingChangedPaintsNoMap()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        map->grab();
        const std::size_t frames = map->framesPainted(), areas = map->areasPainted();
        map->grab();
        desk.workspace().selection().hover(4);
        desk.workspace().selection().setCursor(9);
        map->grab();
        QCOMPARE(map->framesPainted(), frames); // the overlay only
        desk.workspace().selection().select(4);
        map->grab();
        QCOMPARE(map->framesPainted(), frames + 1);
        QCOMPARE(map->areasPainted(), areas); // but not the map
    }

    void everyKeyOfTheMapIsInTheRegistry()
    {
        MapDesk desk;
        QStringList keys;
        for (const auto& entry : desk.window->actions().entries()) keys << ActionRegistry::keyTexts(entry);
        for (const char* key : {"W", "A", "S", "D", "F", "H", "P", ".", ",", "Left", "Up", "Backspace", "Alt+Left", "Alt+Right",
                                "Ctrl+Wheel", "Shift+Wheel", "Alt+Drag", "Shift+W", "Shift+D"})
            QVERIFY2(keys.contains(QLatin1String(key)), key);
        // And the palette runs them.
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const double span = map->range().steps.span;
        desk.trigger("go.zoom-in");
        QVERIFY(map->range().steps.span < span);
    }

    void theTimelineGroupsOpensAndScrolls()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block", "liveness");
        QVERIFY(map);
        const Timeline& timeline = const_cast<ViewState*>(map->state())->timeline();
        QVERIFY(timeline.groups().size() > 2);
        const double open = timeline.height();
        // The head of the first group closes it.
        const QPoint head(60, int(map->bands().rows.top()) + 6);
        QTest::mouseClick(map, Qt::LeftButton, {}, head);
        QVERIFY(timeline.height() < open);
        QVERIFY(!timeline.groups().front().open);
        // A buffer of it that is selected elsewhere opens it again and comes into view.
        const BufferId member = timeline.groups().front().members.back();
        desk.workspace().selection().select(member);
        QVERIFY(timeline.groups().front().open);
        QVERIFY(!map->boxOf(member).isEmpty());
        map->setAllOpen(false);
        QCOMPARE(timeline.height(), double(timeline.groups().size()) * Timeline::headHeight);
        map->setAllOpen(true);
        map->setGrouping(ColourBy::kind);
        const Timeline& byKind = const_cast<ViewState*>(map->state())->timeline();
        std::size_t members = 0;
        for (const TimelineGroup& group : byKind.groups()) members += group.members.size();
        QCOMPARE(members, map->run()->problem().buffers.size());
    }

    void theTimelineHasTheSameInteractions()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("resnet18", "liveness");
        QVERIFY(map);
        QVERIFY(map->bands().strips.empty());
        const QPointF at(map->bands().plotLeft + 200, map->bands().rows.top() + 60);
        const double before = stepUnder(*map, at.x());
        turnWheel(*map, at, 3);
        QVERIFY(std::abs(stepUnder(*map, at.x()) - before) <= 2 * map->range().steps.span / map->bands().plotWidth());
        desk.trigger("go.reset");
        // A bar selects, and moves the cursor of all views.
        BufferId buffer = 0;
        while (map->boxOf(buffer).width() < 6) ++buffer;
        const QRectF bar = map->boxOf(buffer);
        QVERIFY(!bar.isEmpty());
        QTest::mouseClick(map, Qt::LeftButton, {}, bar.center().toPoint());
        QCOMPARE(desk.workspace().selection().buffer(), buffer);
        QVERIFY(map->run()->problem().buffers[std::size_t(buffer)].hull().contains(*desk.workspace().selection().cursor()));
        QTest::keyClick(map, Qt::Key_Down);
        QVERIFY(desk.workspace().selection().buffer() != buffer);
        QTest::keyClick(map, Qt::Key_Up);
        QCOMPARE(desk.workspace().selection().buffer(), buffer);
        // An area over rows.
        drag(*map, {map->bands().plotLeft + 5, map->bands().rows.top() + 20},
             {map->bands().plotRight - 20, map->bands().rows.top() + 70});
        QVERIFY(map->areaSums());
        QVERIFY2(map->areaSums()->buffers.size() >= 2, qPrintable(QString::number(map->areaSums()->buffers.size())));
        QCOMPARE(desk.workspace().selection().buffers(), map->areaSums()->buffers);
        // The other view shows the same.
        MapWidget* other = desk.mapOf("memory-map");
        QVERIFY(other);
        QCOMPARE(other->state()->state().cursor, desk.workspace().selection().cursor());
        QCOMPARE(other->state()->state().area.list(), desk.workspace().selection().buffers());
    }

    void theRulerMovesTheCursor()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const double y = map->bands().ruler.center().y();
        drag(*map, {map->bands().plotLeft + 50, y}, {map->bands().plotLeft + 400, y});
        QCOMPARE(desk.workspace().selection().cursor(),
                 std::optional(Step(std::floor(stepUnder(*map, map->bands().plotLeft + 400)))));
    }

    void whatIsSaidWithoutAPlan()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("lstm_loop");
        QVERIFY(map);
        auto* view = desk.show<MemoryMapView>("memory-map");
        QCOMPARE(view->message(), QString());
        desk.workspace().shown().clear();
        QVERIFY(!map->isVisible());
        QVERIFY(!view->message().isEmpty());
        auto* button = view->findChild<QPushButton*>(QStringLiteral("stateButton"));
        QVERIFY(button && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        QTRY_VERIFY(map->isVisible());
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(MapViewTest)
#include "tst_map_view.moc"
