// The heatmap in the real window: pools, bins, zoom by keys and wheel, hover, selection and cursor shared with the other views.
#include "app/canvas/pictures/heatmap/heat_picture.h"
#include "app/desktop/views/picture_view.h"
#include "app/desktop/views/tables_view.h"
#include "app/desktop/widgets/controls.h"
#include "tests/desktop/desk.h"

#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <set>

using namespace stowage;
using test::Desk;

namespace {

void turnWheel(QWidget* widget, QPointF at, int delta, Qt::KeyboardModifiers modifiers = {})
{
    QWheelEvent event(at, widget->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(widget, &event);
}

/// A bin that something touches, in view.
std::optional<OccupancyWindow> touchedBin(const HeatPicture& map, std::size_t least = 1)
{
    const OccupancyGrid& grid = map.state().grid;
    for (std::int32_t row = 0; row < grid.rows; ++row)
        for (std::int32_t column = 0; column < grid.columns; ++column) {
            const auto [low, high] = grid.bytesOf(row);
            const OccupancyWindow bin{grid.stepsOf(column), low, high};
            if (std::size_t(grid.at(column, row).buffers) >= least && map.bands().body().contains(map.geometry().box(bin)))
                return bin;
        }
    return std::nullopt;
}

/// Buffers of the pool that occupy a byte of the bin, looked up one by one.
std::set<BufferId> buffersIn(const Run& run, PoolId pool, const OccupancyWindow& bin)
{
    std::set<BufferId> found;
    for (std::size_t i = 0; i < run.problem().buffers.size(); ++i) {
        const Buffer& buffer = run.problem().buffers[i];
        const Placement& placement = run.plan.placements[i];
        const bool live = std::ranges::any_of(buffer.live, [&](const Interval& range) { return range.overlaps(bin.steps); });
        if (placement.pool == pool && live && placement.offset < bin.high && bin.low < placement.offset + buffer.size)
            found.insert(BufferId(i));
    }
    return found;
}

} // namespace

class HeatmapViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void withoutARunItSaysSoAndOffersToPlan()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PictureView>("heatmap");
        QVERIFY(view);
        QVERIFY(view->message().isEmpty());
        desk.workspace().shown().clear();
        QCOMPARE(view->message(), QStringLiteral("Nothing is planned yet."));
        auto* plan = view->findChild<QPushButton*>(QStringLiteral("stateButton"));
        QVERIFY(plan && plan->isVisible());
        QTest::mouseClick(plan, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && view->message().isEmpty(), 20'000);
    }

    void aClickSelectsTheBuffersOfTheBinAndItsStep()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PictureView>("heatmap");
        Canvas& canvas = *view->canvas();
        HeatPicture& map = view->pictureAs<HeatPicture>();
        const auto bin = touchedBin(map, 1);
        QVERIFY(bin);
        const QPointF at = map.geometry().box(*bin).center();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at.toPoint());
        const std::set<BufferId> expected = buffersIn(*desk.workspace().run(), map.pool(), *bin);
        SelectionModel& selection = desk.workspace().selection();
        const std::set<BufferId> selected(selection.buffers().begin(), selection.buffers().end());
        QCOMPARE(selected, expected);
        QVERIFY(expected.contains(selection.buffer()));
        QVERIFY(selection.cursor() && bin->steps.contains(*selection.cursor()));
    }

    void selectionAndCursorOfOtherViewsShow()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PictureView>("heatmap");
        HeatPicture& map = view->pictureAs<HeatPicture>();
        desk.show<TablesView>("tables");
        desk.workspace().selection().select(3);
        desk.workspace().selection().setCursor(7);
        desk.show<PictureView>("heatmap");
        QCOMPARE(map.state().selected, BufferId(3));
        QCOMPARE(map.state().cursor, std::optional<Step>(7));
        desk.trigger("edit.deselect");
        QCOMPARE(map.state().selected, BufferId(none));
    }

    void wheelAndKeysZoomAndHShowsEverything()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        auto* view = desk.show<PictureView>("heatmap");
        Canvas& canvas = *view->canvas();
        HeatPicture& map = view->pictureAs<HeatPicture>();
        const QPointF at = map.bands().body().center();
        const double steps = map.state().steps.range().span;
        const double bytes = map.state().addresses.range().span;
        turnWheel(&canvas, at, 240);
        QVERIFY(map.state().steps.range().span < steps);
        QCOMPARE(map.state().addresses.range().span, bytes);
        turnWheel(&canvas, at, 240, Qt::ControlModifier);
        QVERIFY(map.state().addresses.range().span < bytes);
        const Step before = map.state().steps.unitAt(0);
        turnWheel(&canvas, at, -120, Qt::ShiftModifier);
        QVERIFY(map.state().steps.unitAt(0) > before);
        canvas.setFocus();
        const double zoomed = map.state().steps.range().span;
        QTest::keyClick(&canvas, Qt::Key_W);
        QVERIFY(map.state().steps.range().span < zoomed);
        QTest::keyClick(&canvas, Qt::Key_S);
        QTest::keyClick(&canvas, Qt::Key_A);
        QTest::keyClick(&canvas, Qt::Key_D);
        desk.trigger("go.reset");
        QCOMPARE(map.state().steps.range().span, steps);
        QCOMPARE(map.state().addresses.range().span, bytes);
        QTest::keyClick(&canvas, Qt::Key_Backspace);
        QVERIFY(map.state().steps.range().span < steps);
        desk.trigger("go.peak");
        QCOMPARE(desk.workspace().selection().cursor(), std::optional(map.state().shownScene().peakStep));
        desk.workspace().selection().select(5);
        desk.trigger("go.selection");
        const Interval hull = desk.workspace().run()->problem().buffers[5].hull();
        QVERIFY(map.state().steps.unitAt(0) <= hull.begin &&
                map.state().steps.unitAt(map.state().steps.pixels()) >= hull.end - 1);
    }

    void aPanMostlyFindsItsBinsCounted()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        auto* view = desk.show<PictureView>("heatmap");
        Canvas& canvas = *view->canvas();
        HeatPicture& map = view->pictureAs<HeatPicture>();
        turnWheel(&canvas, map.bands().body().center(), 600);
        const std::size_t before = map.counts();
        for (int i = 0; i < 3; ++i)
            turnWheel(&canvas, map.bands().body().center(), -120, Qt::ShiftModifier); // 30 % of what is in view
        QCOMPARE(map.counts(), before);
    }

    void hoveringShowsTheBinAndLeavingHidesIt()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PictureView>("heatmap");
        Canvas& canvas = *view->canvas();
        HeatPicture& map = view->pictureAs<HeatPicture>();
        const auto bin = touchedBin(map);
        QVERIFY(bin);
        const QImage before = canvas.grab().toImage();
        QTest::mouseMove(&canvas, map.geometry().box(*bin).center().toPoint());
        QTRY_VERIFY(map.state().hovered.has_value());
        QCOMPARE(*map.state().hovered, *bin);
        QTest::qWait(200);
        QVERIFY(canvas.grab().toImage() != before);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&canvas, &leave);
        QVERIFY(!map.state().hovered);
        QCOMPARE(canvas.grab().toImage(), before);
    }

    void aDragSumsUpAndAltDragZooms()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PictureView>("heatmap");
        Canvas& canvas = *view->canvas();
        HeatPicture& map = view->pictureAs<HeatPicture>();
        const QRectF body = map.bands().body();
        const QPoint from = (body.topLeft() + QPointF(body.width() * 0.2, body.height() * 0.2)).toPoint();
        const QPoint to = (body.topLeft() + QPointF(body.width() * 0.7, body.height() * 0.9)).toPoint();
        QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, canvas.mapToGlobal(QPointF(to)), Qt::LeftButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(&canvas, &move);
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
        QVERIFY(map.state().area);
        QVERIFY(desk.workspace().selection().buffers().size() > 1);
        const auto expected = buffersIn(*desk.workspace().run(), map.pool(), *map.state().area);
        QCOMPARE(std::set(desk.workspace().selection().buffers().begin(), desk.workspace().selection().buffers().end()),
                 expected);
        const double span = map.state().steps.range().span;
        QTest::mousePress(&canvas, Qt::LeftButton, Qt::AltModifier, from);
        QMouseEvent moveAgain(QEvent::MouseMove, to, canvas.mapToGlobal(QPointF(to)), Qt::LeftButton, Qt::LeftButton,
                              Qt::AltModifier);
        QCoreApplication::sendEvent(&canvas, &moveAgain);
        QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::AltModifier, to);
        QVERIFY(map.state().steps.range().span < span * 0.6);
    }

    void poolsAreChosenInBarAndRowsAndKeptForOtherPlanners()
    {
        Desk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        auto* view = desk.show<PictureView>("heatmap");
        Canvas& canvas = *view->canvas();
        HeatPicture& map = view->pictureAs<HeatPicture>();
        QVERIFY(map.scene()->pools.size() > 2);
        const PoolId first = map.pool();
        std::size_t other = 0;
        while (map.scene()->pools[std::size_t(map.bands().poolOrder[other])].occupancy.pool() == first) ++other;
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, map.bands().pools[other].center().toPoint());
        const PoolId chosen = map.pool();
        QVERIFY(chosen != first);
        desk.workspace().showNeighbourRun(1);
        QCOMPARE(map.pool(), chosen);
        auto* segments = dynamic_cast<SegmentedControl*>(desk.find<QWidget>("heatmap-memory"));
        if (segments) QCOMPARE(map.scene()->pools[std::size_t(segments->current())].occupancy.pool(), chosen);
    }

    void measuresAndBinsChangeThePicture()
    {
        Desk desk;
        QVERIFY(desk.open("lstm_loop"));
        auto* view = desk.show<PictureView>("heatmap");
        Canvas& canvas = *view->canvas();
        HeatPicture& map = view->pictureAs<HeatPicture>();
        QTest::qWait(20);
        const QImage full = canvas.grab().toImage();
        QVERIFY(canvas.setOption(QStringLiteral("show"), QStringLiteral("buffers")));
        const QImage buffers = canvas.grab().toImage();
        QVERIFY(full != buffers);
        QVERIFY(canvas.setOption(QStringLiteral("show"), QStringLiteral("holes")));
        QVERIFY(canvas.grab().toImage() != buffers);
        const auto columns = map.state().grid.columns;
        QVERIFY(canvas.setOption(QStringLiteral("bins"), QStringLiteral("coarse")));
        QVERIFY(!canvas.setOption(QStringLiteral("bins"), QStringLiteral("enormous")));
        QVERIFY(map.state().grid.columns <= columns);
    }

    void largeRunsAreMadeReadyInTheBackground()
    {
        Desk desk;
        QByteArray csv = "id,lower,upper,size\n";
        for (int i = 0; i < 20000; ++i)
            csv += QByteArray("b") + QByteArray::number(i) + ',' + QByteArray::number(i) + ',' +
                   QByteArray::number(i + 2 + i % 7) + ',' + QByteArray::number(16 + (i * 48) % 4096) + '\n';
        desk.workspace().openText(QStringLiteral("many"), csv);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        auto* view = desk.show<PictureView>("heatmap");
        QVERIFY(view->canvas()->waiting() && !view->canvas()->scene());
        QTRY_VERIFY_WITH_TIMEOUT(view->canvas()->ready() && view->message().isEmpty(), 30'000);
        QVERIFY(view->pictureAs<HeatPicture>().state().grid.columns > 10);
        QVERIFY(view->pictureAs<HeatPicture>().state().grid.cells.size() < 100'000);
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(HeatmapViewTest)
#include "tst_heatmap_view.moc"
