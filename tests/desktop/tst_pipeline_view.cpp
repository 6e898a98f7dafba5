// The Pipeline view in the real window: a split with its bound, a border that is dragged, and what can be undone.
#include "app/charts/curve_chart.h"
#include "app/charts/stacked_chart.h"
#include "app/desktop/panels/pipeline_pane.h"
#include "app/desktop/tables/connection_table.h"
#include "app/desktop/tables/device_table.h"
#include "app/desktop/tables/fault_table.h"
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/widgets/table.h"
#include "core/io/output_file.h"
#include "core/io/pipeline_json.h"
#include "core/planners/registry.h"
#include "tests/desktop/desk.h"

#include <QFile>
#include <QGraphicsView>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace stowage;
using test::Desk;

namespace {

/// Shows the view of a sample that is open, on devices by name, and waits for the split.
PipelineView* split(Desk& desk, const char* devices)
{
    auto* view = desk.show<PipelineView>("pipeline");
    view->desk().chooseDevices(QString::fromLatin1(devices));
    const bool there = QTest::qWaitFor([&] { return !view->desk().splitting() && view->canvas()->scene(); }, 60'000);
    return there ? view : nullptr;
}

bool tabVisible(Desk& desk)
{
    auto* tabs = desk.find<QTabBar>("viewTabs");
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i) == QStringLiteral("Pipeline")) return tabs->isTabVisible(i);
    return false;
}

} // namespace

class PipelineViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theTabIsThereForModelsWithOps()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(tabVisible(desk));
        auto* view = desk.show<PipelineView>("pipeline");
        QVERIFY2(view->message().contains(QStringLiteral("No devices")), qPrintable(view->message()));
    }

    /// Without devices the page offers two; equal ones split a chain of ops at the best place, which trying all finds as well.
    void twoEqualDevicesGetTheBestOfAllCuts()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PipelineView>("pipeline");
        auto* button = view->findChild<StatePage*>()->findChild<QPushButton*>();
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting() && view->canvas()->scene(), 60'000);
        QCOMPARE(view->desk().setup().devices.devices.size(), std::size_t(2));
        const PipelineData& data = *view->desk().answer()->data;
        std::vector<pipeline::Ticks> costs;
        for (const StageFigures& stage : data.stages)
            for (const StageOp& op : stage.ops) costs.push_back(op.cost);
        pipeline::Ticks all = 0, best = 0;
        for (const auto cost : costs) all += cost;
        best = all;
        pipeline::Ticks before = 0;
        for (const auto cost : costs) {
            before += cost;
            best = std::min(best, std::max(before, all - before));
        }
        QCOMPARE(data.predicted.period, best);
        QCOMPARE(data.bound, std::optional(best));
        QVERIFY(data.proved);
        // A chain of stages without transfers: N frames take sum + (N - 1) x max.
        QCOMPARE(data.predicted.total, all + 7 * best);
        desk.trigger("edit.undo");
        QVERIFY(view->desk().setup().devices.devices.empty());
        QVERIFY(view->message().contains(QStringLiteral("No devices")));
        desk.trigger("edit.redo");
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting() && view->canvas()->scene(), 60'000);
    }

    /// The guide's own figures of the sample on camera-4, which `stowage-cli pipeline split` prints.
    void installedDevicesGiveTheSplitOfTheCommandLine()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        QCOMPARE(microText(view->desk().answer()->split.period), QStringLiteral("265.0"));
        QCOMPARE(microText(view->desk().answer()->split.latency), QStringLiteral("875.3"));
        QVERIFY(view->desk().answer()->split.status == pipeline::PartitionStatus::optimal);
        QTRY_COMPARE(view->pipelinePicture().graphLayout().stages.size(), std::size_t(4));
        for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
            desk.look.setMode(mode);
            QVERIFY(!view->grab().isNull());
        }
        // A click on a box selects its stage, in the graph and on the lanes.
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, view->pipelinePicture().graphLayout().stages[2].center().toPoint());
        QCOMPARE(view->pipelinePicture().selectedStage(), 2);
    }

    /// Words that say how far the search is take room for a while only: captions come back after it.
    void theBarHasItsCaptionsWhereThereIsRoom()
    {
        Desk desk;
        desk.window->resize(1280, 800);
        QVERIFY(desk.open("mobilenet_v1_025"));
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        QTRY_VERIFY(desk.idle());
        const auto shown = [&] {
            const auto labels = view->bar()->findChildren<QLabel*>();
            return std::ranges::any_of(labels,
                                       [](const QLabel* label) { return label->text() == u"Frames" && label->isVisible(); });
        };
        QTRY_VERIFY(shown());
    }

    /// Where devices and connections would have two rows each, they take turns; names of charts that have no room are a menu.
    void aSmallPaneShowsOneListAtATimeAndAMenuOfCharts()
    {
        const auto seen = [](Desk& desk, const char* name) { return desk.find<QWidget>(name)->isVisible(); };
        {
            Desk desk;
            desk.window->resize(1100, 720);
            QVERIFY(desk.open("mobilenet_v1_025"));
            QVERIFY(split(desk, "phone-soc"));
            QTRY_VERIFY(seen(desk, "deviceTable") && seen(desk, "pipelineList") && seen(desk, "pipelineChartMenu"));
            QVERIFY(!seen(desk, "connectionTable") && !seen(desk, "pipelineChart"));
            auto* devices = desk.find<Table>("deviceTable");
            QCOMPARE(devices->model()->rowCount(), 3);
            QTRY_VERIFY(devices->visualRect(devices->model()->index(2, 0)).bottom() < devices->viewport()->height());
            QTest::mouseClick(desk.find<SegmentedControl>("pipelineList")->findChildren<QPushButton*>()[1], Qt::LeftButton);
            QTRY_VERIFY(seen(desk, "connectionTable") && !seen(desk, "deviceTable"));
            QVERIFY(seen(desk, "pipelineList") && !seen(desk, "addDevice"));
        }
        Desk desk;
        desk.window->resize(1800, 1100);
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(split(desk, "phone-soc"));
        QTRY_VERIFY(seen(desk, "deviceTable") && seen(desk, "connectionTable") && seen(desk, "pipelineChart"));
        QVERIFY(!seen(desk, "pipelineList") && !seen(desk, "pipelineChartMenu"));
    }

    void aMissingFileIsReportedAndNothingIsLost()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        int told = 0;
        QObject::connect(&desk.workspace(), &Workspace::noticed, view, [&] { ++told; });
        view->desk().chooseDevices(QStringLiteral("no-such-devices"));
        QCOMPARE(told, 1);
        QVERIFY(view->canvas()->scene());
        QCOMPARE(view->desk().setup().devices.devices.size(), std::size_t(4));
    }

    /// What a drag says while it moves is what adding the ops' own costs gives; a drop keeps it, and undo takes it back.
    void aBorderIsDraggedWithLiveNumbers()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PipelineView>("pipeline");
        PipelineDesk::Setup two;
        two.devices.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
        view->desk().change(two, QStringLiteral("Choose devices"));
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting() && view->canvas()->scene(), 60'000);
        PipelinePicture& picture = view->pipelinePicture();
        QTRY_COMPARE(picture.opsLayout().borders.size(), std::size_t(1));
        std::vector<pipeline::Ticks> costs;
        for (const StageFigures& stage : view->desk().answer()->data->stages)
            for (const StageOp& op : stage.ops) costs.push_back(op.cost);
        const std::size_t from = picture.subject()->cuts.front();
        const std::size_t to = from - 3;
        pipeline::Ticks before = 0, after = 0;
        for (std::size_t o = 0; o < costs.size(); ++o) (o < to ? before : after) += costs[o];

        const OpStripLayout ops = picture.opsLayout();
        const QPoint start(int(ops.borders[0]), int(ops.area.center().y()));
        const auto send = [&](QEvent::Type type, QPointF at, Qt::MouseButtons held) {
            QMouseEvent event(type, at, view->canvas()->mapToGlobal(at),
                              type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, held, Qt::NoModifier);
            QCoreApplication::sendEvent(view->canvas(), &event);
        };
        const auto dragTo = [&](std::size_t op) {
            send(QEvent::MouseButtonPress, start, Qt::LeftButton);
            send(QEvent::MouseMove, QPointF(start) - QPointF(8, 0), Qt::LeftButton);
            send(QEvent::MouseMove, QPointF(ops.x(op) + 1, start.y()), Qt::LeftButton);
        };
        dragTo(to);
        QVERIFY(picture.drag());
        QCOMPARE(picture.drag()->cut, to);
        QCOMPARE(picture.drag()->effect.costs, (std::vector<pipeline::Ticks>{before, after}));
        QCOMPARE(picture.drag()->effect.period, std::max(before, after));
        QCOMPARE(picture.drag()->effect.latency, before + after);
        QTRY_COMPARE_WITH_TIMEOUT(picture.drag()->memories.size(), std::size_t(2), 30'000); // planned meanwhile
        QVERIFY(!view->grab().isNull());
        QCOMPARE(view->desk().answer()->split.stages[1].begin, from); // the split stays until the button is released
        QTest::keyClick(view->canvas(), Qt::Key_Escape);
        QVERIFY(!picture.drag());
        send(QEvent::MouseButtonRelease, start, {});
        QVERIFY(!view->desk().setup().placement);

        dragTo(to);
        const auto memories = [&] { return picture.drag() ? picture.drag()->memories : std::vector<pipeline::StageMemory>(); };
        QTRY_COMPARE_WITH_TIMEOUT(memories().size(), std::size_t(2), 30'000);
        const Bytes first = memories()[0].total();
        send(QEvent::MouseButtonRelease, QPointF(ops.x(to) + 1, start.y()), {});
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting(), 60'000);
        QCOMPARE(view->desk().answer()->split.stages[1].begin, to);
        QCOMPARE(view->desk().answer()->split.period, std::max(before, after));
        QCOMPARE(view->desk().answer()->data->predicted.period, std::max(before, after));
        QCOMPARE(view->desk().answer()->split.stages[0].memory.total(), first); // what the drag said
        QVERIFY(view->desk().answer()->split.status == pipeline::PartitionStatus::feasible);
        QVERIFY(*view->desk().answer()->split.bound < std::max(before, after));
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting(), 60'000);
        QCOMPARE(view->desk().answer()->split.stages[1].begin, from);
    }

    /// The last device is full to 99 %: three ops more than it has do not fit, and the border goes back by itself.
    void aBorderWhoseStageDoesNotFitGoesBack()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        const StagePlacement before = placementOf(view->desk().answer()->split.stages);
        PipelineDesk::Setup next = view->desk().setup();
        next.placement = before;
        next.placement->cuts[2] -= 3;
        const int steps = desk.workspace().undoStack().count();
        view->desk().change(next, QStringLiteral("Move a border"));
        QCOMPARE(desk.workspace().undoStack().count(), steps + 1);
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting(), 60'000);
        QVERIFY2(view->desk().said().contains(QStringLiteral("cpu0")) && view->desk().said().contains(QStringLiteral("262,144")),
                 qPrintable(view->desk().said()));
        QCOMPARE(placementOf(view->desk().answer()->split.stages), before);
        QVERIFY(view->canvas()->scene());
        QCOMPARE(microText(view->desk().answer()->split.period), QStringLiteral("265.0"));
        // Nothing has changed, so there is nothing to undo; nor after stages are put where they are.
        QCOMPARE(desk.workspace().undoStack().count(), steps);
        QVERIFY(!view->desk().setup().placement);
        next.placement = before;
        view->desk().change(next, QStringLiteral("Move a border"));
        QCOMPARE(desk.workspace().undoStack().count(), steps);
    }

    /// Devices stay when the file is read again, and undo and redo of their edit are about what took the model's place.
    void devicesStayWhenTheFileIsReadAgain()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("net.json"));
        QVERIFY(QFile::copy(test::sample("mobilenet_v1_025"), path));
        Desk desk;
        desk.window->openFiles({path});
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000));
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        const int before = desk.workspace().modelId();
        desk.workspace().reload();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().modelId() != before && desk.idle() && !view->desk().splitting() &&
                                     view->desk().answer() && view->canvas()->scene(),
                                 60'000);
        QCOMPARE(view->desk().setup().devices.devices.size(), std::size_t(4));
        QCOMPARE(microText(view->desk().answer()->split.period), QStringLiteral("265.0"));
        desk.trigger("edit.undo");
        QVERIFY(view->desk().setup().devices.devices.empty());
        desk.trigger("edit.redo");
        QCOMPARE(view->desk().setup().devices.devices.size(), std::size_t(4));
    }

    /// Devices of 1 KiB are too small. The button of the page undoes their edit, and not what was edited since.
    void thePageUndoesItsOwnEdit()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PipelineView>("pipeline");
        PipelineDesk::Setup large, tight;
        large.devices.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
        tight = large;
        for (pipeline::Device& device : tight.devices.devices) device.memory = 1024;
        view->desk().change(large, QStringLiteral("Choose devices"));
        view->desk().change(tight, QStringLiteral("Shrink devices"));
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting() && !view->desk().failure().empty(), 60'000);
        desk.workspace().edits().setAlignment(64);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
        auto* button = view->findChild<QPushButton*>(QStringLiteral("stateButton"));
        QVERIFY(button && button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting() && view->canvas()->scene(), 60'000);
        QVERIFY(view->desk().setup() == large);
        QCOMPARE(desk.workspace().edits().setup().alignment, Bytes(64));
    }

    /// The split stays in view while another one is searched, and after that search was cancelled; so do its buffers when another
    /// run of the model is shown.
    void theSplitStaysWhileAnotherIsSearched()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
        const auto isShown = [&, cuts = view->desk().placement().cuts] {
            const auto subject = view->desk().subject(desk.workspace().run().get());
            return subject && subject->cuts == cuts && !subject->buffers.empty() && !subject->byLatency &&
                   !desk.workspace().pipeline().content().byLatency;
        };
        QVERIFY(isShown());
        PipelineDesk::Setup next = view->desk().setup();
        next.objective = pipeline::Objective::latency;
        view->desk().change(next, QStringLiteral("Split for the smallest latency"));
        QVERIFY(view->desk().splitting());
        desk.workspace().showRun(desk.workspace().shown().runOf("naive")->id);
        QVERIFY(isShown());
        view->desk().cancelSplit();
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        QVERIFY(isShown());
        desk.trigger("edit.undo"); // back to the objective of the split in view
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting() && isShown(), 60'000);
    }

    /// Sidebar, inspector and tables tell of the stage, the frame or the connection that is selected, wherever that was done.
    void panelsFollowWhatIsSelected()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* section = desk.find<QWidget>("devicesSection");
        QVERIFY(section && section->isHidden()); // the memory map is in front
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        QVERIFY(section->isVisible());
        const PipelineData& data = *view->desk().answer()->data;
        const auto title = [&] {
            QApplication::processEvents();
            const auto titles = desk.window->findChildren<QLabel*>(QStringLiteral("pipelineTitle"));
            const auto shown = std::ranges::find_if(titles, [](const QLabel* each) { return each->isVisible(); });
            return shown == titles.end() ? QString() : (*shown)->text();
        };
        QVERIFY(title().isEmpty());
        // The third device of camera-4 is npu1.
        std::int32_t served = none;
        for (std::size_t s = 0; s < data.stages.size(); ++s)
            if (data.stages[s].device == "npu1") served = std::int32_t(s);
        QVERIFY(served != none);
        auto* rows = desk.find<QWidget>("deviceRows");
        QTest::mouseClick(rows, Qt::LeftButton, {}, QPoint(40, rows->height() / 5 * 2 + 30));
        QTRY_COMPARE(title(), QStringLiteral("Stage %1 on npu1").arg(served));
        QCOMPARE(view->pipelinePicture().selectedStage(), served);
        QCOMPARE(view->pane().devices().stageOf(view->pane().table().currentIndex().row()), served);

        const GanttLayout& lanes = view->pipelinePicture().ganttLayout();
        const GanttState& gantt = view->pipelinePicture().gantt();
        const std::size_t other = served == 1 ? 2 : 1; // on another device, whose row is selected, too
        const pipeline::FrameTimes& frame = data.predicted.stages[other].frames[3];
        const double x = lanes.plotLeft + gantt.axis.toPixel((frame.start + frame.finish) / 2000) / gantt.ratio;
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, QPointF(x, lanes.lanes[other].center().y()).toPoint());
        QTRY_COMPARE(title(), QStringLiteral("Frame 3"));
        QCOMPARE(desk.workspace().pipeline().selected().frame, std::int64_t(3));

        ConnectionTable& connections = view->pane().connections();
        QCOMPARE(connections.rowCount(), 3);
        for (int c = 0; c < 3; ++c) {
            const auto cell = [&](int column) { return connections.index(c, column).data().toString(); };
            const pipeline::SplitStage& behind = view->desk().answer()->split.stages[std::size_t(c) + 1];
            QCOMPARE(cell(ConnectionTable::From), QString::fromStdString(data.stages[std::size_t(c)].device));
            QCOMPARE(cell(ConnectionTable::To), QString::fromStdString(data.stages[std::size_t(c) + 1].device));
            QCOMPARE(cell(ConnectionTable::Moved), countText(behind.transferBytes));
            QCOMPARE(cell(ConnectionTable::Transfer), microText(behind.transfer));
            QVERIFY(cell(ConnectionTable::MaxQueued).toInt() <= 1); // the queue's length
        }
        view->pane().connectionTable().selectRow(2);
        QTRY_COMPARE(title(), QStringLiteral("Connection of stages 2 and 3"));
        QCOMPARE(view->pipelinePicture().selectedStage(), std::int32_t(none));
        desk.trigger("view.memory-map");
        QTRY_VERIFY(section->isHidden());
        QTRY_VERIFY(title().isEmpty());
    }

    /// Devices twice as fast in everything halve the period; a memory that is too small is refused with the op that does not fit.
    void aCellIsEditedAndTheSplitIsProvedAgain()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PipelineView>("pipeline");
        PipelineDesk::Setup one;
        one.devices.devices = {pipeline::plainDevice(0)};
        one.devices.devices[0].startUs = 0;
        view->desk().change(one, QStringLiteral("Choose devices"));
        const auto settled = [&] { return QTest::qWaitFor([&] { return !view->desk().splitting(); }, 60'000); };
        QVERIFY(settled());
        const double before = pipeline::toMicroseconds(view->desk().answer()->split.period);
        Table& table = view->pane().table();
        const auto edit = [&](int column, const QString& text) {
            const QModelIndex cell = view->pane().devices().index(0, column);
            table.setCurrentIndex(cell);
            table.edit(cell);
            const auto editors = table.findChildren<QLineEdit*>(QStringLiteral("deviceCell"));
            const auto open =
                std::ranges::find_if(editors, [](QLineEdit* each) { return each->isVisible(); }); // closed ones go later
            if (open == editors.end()) return false;
            QLineEdit* editor = *open;
            editor->setText(text);
            QTest::keyClick(editor, Qt::Key_Return);
            QTest::qWait(1); // the delegate hands the value on when the event loop runs next
            return settled();
        };
        QVERIFY(edit(DeviceTable::Flops, QStringLiteral("16,000")));
        QVERIFY(edit(DeviceTable::Moved, QStringLiteral("8000")));
        QCOMPARE(view->desk().setup().devices.devices[0].flopsPerUs, 16'000.0);
        QVERIFY(std::abs(pipeline::toMicroseconds(view->desk().answer()->split.period) - before / 2) < 1e-3);
        QVERIFY(view->desk().answer()->split.status == pipeline::PartitionStatus::optimal);
        QVERIFY(edit(DeviceTable::Flops, QStringLiteral("-3")));
        QVERIFY2(view->desk().said().contains(QStringLiteral("flop")), qPrintable(view->desk().said()));
        QCOMPARE(view->desk().setup().devices.devices[0].flopsPerUs, 16'000.0);
        QVERIFY(edit(DeviceTable::Memory, QStringLiteral("1K")));
        QVERIFY2(view->message().contains(QStringLiteral("1,024")), qPrintable(view->message()));
        QVERIFY(!view->canvas()->scene());
        QVERIFY(view->pane().isVisible()); // where it can be put right
        desk.trigger("edit.undo");
        QVERIFY(settled());
        QVERIFY(view->canvas()->scene());
        auto* add = desk.find<QPushButton>("addDevice");
        QTest::mouseClick(add, Qt::LeftButton);
        QVERIFY(settled());
        QCOMPARE(view->desk().setup().devices.devices.size(), std::size_t(2));
        QVERIFY(view->desk().setup().devices.devices[0].name != view->desk().setup().devices.devices[1].name);
    }

    /// Each point of the curve beats its neighbours in one of both; a click shows its split.
    void aPointOfTheTradeOffShowsItsSplit()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().findsCurve(), 120'000);
        CurveChart& chart = view->pane().curves();
        QCOMPARE(chart.curves().size(), std::size_t(1));
        const std::vector<QPointF> points = chart.curves().front().points;
        QVERIFY(points.size() >= 3);
        for (std::size_t i = 1; i < points.size(); ++i)
            QVERIFY(points[i].x() > points[i - 1].x() && points[i].y() < points[i - 1].y());
        QCOMPARE(microText(pipeline::toTicks(points.back().y())), QStringLiteral("265.0")); // the best split ends the curve
        QVERIFY(chart.chosen() == int(points.size()) - 1);
        QVERIFY(!chart.grab().isNull());
        auto* surface = chart.findChild<QGraphicsView*>()->viewport();
        QTest::mouseClick(surface, Qt::LeftButton, {}, chart.place(points.front()).toPoint());
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting(), 60'000);
        QVERIFY(view->desk().setup().placement.has_value());
        QVERIFY(std::abs(pipeline::toMicroseconds(view->desk().answer()->split.period) - points.front().y()) < 1e-3);
        Bytes bytes = 0;
        for (const StageFigures& stage : view->desk().answer()->data->stages) bytes += stage.memory.total();
        QCOMPARE(double(bytes), points.front().x());
        for (int which = PipelinePane::MemoryCurve; which <= PipelinePane::Queues; ++which) {
            view->pane().setChart(PipelinePane::Chart(which));
            QTRY_VERIFY_WITH_TIMEOUT(!view->desk().findsCurve(), 120'000);
            QVERIFY(!view->grab().isNull());
        }
        // Busy and waits of a stage add up to the time until its last frame is handed on.
        view->pane().setChart(PipelinePane::Waits);
        const auto& parts = view->pane().bars().parts();
        QCOMPARE(parts.size(), std::size_t(5));
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting(), 60'000);
        QCOMPARE(microText(view->desk().answer()->split.period), QStringLiteral("265.0"));
    }

    /// A configuration that `pipeline split` writes opens as the model that it came from, with its stages; a trace of a run whose
    /// stage 2 took half as long again lies over its prediction and names the period that this stage gives.
    void aConfigurationOpensAndATraceLiesOverIt()
    {
        QTemporaryDir folder;
        const QString config = folder.filePath(QStringLiteral("camera.json"));
        pipeline::Ticks slowest = 0;
        {
            Desk desk;
            QVERIFY(desk.open("mobilenet_v1_025"));
            PipelineView* view = split(desk, "camera-4");
            QVERIFY(view);
            const auto& model = *desk.workspace().model();
            const PlannerRegistry planners = PlannerRegistry::builtIn();
            pipeline::SplitRequest request;
            request.devices = *findDevices(QStringLiteral("camera-4"));
            pipeline::Splitter splitter(*model.program, request, *planners.find("greedy-by-size"), *planners.find("auto"));
            const auto found = splitter.run();
            QVERIFY(found);
            auto stages = pipeline::splitAt(*model.program, splitter.map(), placementOf(found->stages).cuts);
            const SplitFiles files = splitFiles(*found, splitter, stages, config, "mobilenet", "auto");
            for (const auto& [path, text] : files.programs) QVERIFY(!io::writeFile(path.toStdString(), text));
            QVERIFY(!io::writeFile(config.toStdString(), files.configText));
        }
        Desk desk;
        desk.window->openFiles({config});
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000));
        auto* view = desk.show<PipelineView>("pipeline");
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting() && view->canvas()->scene(), 60'000);
        QCOMPARE(view->desk().answer()->split.stages.size(), std::size_t(4));
        QCOMPARE(microText(view->desk().answer()->split.period), QStringLiteral("265.0"));
        QCOMPARE(microText(view->desk().answer()->split.latency), QStringLiteral("875.3"));
        QCOMPARE(view->desk().setup().devices.devices.size(), std::size_t(4));
        // The best split is the one that was written, so its proof holds as well.
        QVERIFY(view->desk().answer()->split.status == pipeline::PartitionStatus::optimal);

        const PipelineData& data = *view->desk().answer()->data;
        pipeline::SimulateOptions slow;
        slow.frames = 20;
        slow.slow = {{2, 1.5}};
        const auto run = pipeline::simulate(data.model, slow);
        QVERIFY(run);
        slowest = data.model.stages[2].cost;
        const QString trace = folder.filePath(QStringLiteral("trace.json"));
        const std::array traced{io::TracedRun{"predicted", &data.predicted}, io::TracedRun{"measured", &*run}};
        QVERIFY(!io::writeFile(trace.toStdString(), io::writeChromeTrace(data.model, traced)));
        view->desk().showMeasured(trace);
        QTRY_VERIFY_WITH_TIMEOUT(!view->desk().splitting(), 60'000);
        const PipelineData& shown = *view->pipelinePicture().subject()->data;
        QVERIFY(shown.measured.has_value());
        QCOMPARE(view->desk().frames(), std::int64_t(20));
        QVERIFY(std::abs(double(shown.measured->period) - 1.5 * double(slowest)) < 1000); // a nanosecond
        QCOMPARE(shown.measured->stages.size(), std::size_t(4));
        QCOMPARE(shown.measured->stages[3].frames.size(), std::size_t(20));
        QVERIFY(!view->grab().isNull());
        // What is shown can be chosen, once there are two.
        QCOMPARE(view->pipelinePicture().options().size(), std::size_t(2));
        QVERIFY(view->canvas()->setOption(QStringLiteral("prediction"), QStringLiteral("off")));
        QVERIFY(!view->pipelinePicture().gantt().prediction);

        int told = 0;
        QObject::connect(&desk.workspace(), &Workspace::noticed, view, [&] { ++told; });
        view->desk().showMeasured(config); // no trace
        QCOMPARE(told, 1);
        QVERIFY(view->pipelinePicture().subject()->data->measured);
        view->desk().leaveOutMeasured();
        QVERIFY(!view->pipelinePicture().subject()->data->measured);
    }

    void aFaultyConfigurationIsReported()
    {
        QTemporaryDir folder;
        const QString config = folder.filePath(QStringLiteral("faulty.json"));
        QFile file(config);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"module_connection": [{"mod_idx": 0, "output": [{"output_idx": 0, )"
                   R"("dependencies": [{"mod_idx": 7, "input_name": "x"}]}]}]})");
        file.close();
        Desk desk;
        QString said;
        QObject::connect(&desk.workspace(), &Workspace::noticed, desk.window.get(),
                         [&](const Notice& notice) { said = QString::fromStdString(notice.what.message); });
        desk.window->openFiles({config});
        QTRY_VERIFY_WITH_TIMEOUT(!said.isEmpty(), 30'000);
        QVERIFY2(said.contains(QStringLiteral("7")), qPrintable(said));
        // Each fault is a row with its code, its module and its interface: as `pipeline config check` lists them.
        const auto tables = desk.window->findChildren<FaultTable*>();
        const auto table = std::ranges::find_if(tables, [](const FaultTable* each) { return each->rowCount() > 0; });
        QVERIFY(table != tables.end());
        QStringList codes;
        for (int row = 0; row < (*table)->rowCount(); ++row) {
            const auto cell = [&](int column) { return (*table)->index(row, column).data().toString(); };
            codes << cell(FaultTable::Code);
            if (codes.back() == u"unknown-module") {
                QCOMPARE(cell(FaultTable::Interface), QStringLiteral("x"));
                QCOMPARE(cell(FaultTable::Line), QStringLiteral("1"));
            }
            QVERIFY(!cell(FaultTable::Sentence).isEmpty());
        }
        QVERIFY2(codes.contains(QStringLiteral("unknown-module")), qPrintable(codes.join(u' ')));
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(PipelineViewTest)
#include "tst_pipeline_view.moc"
