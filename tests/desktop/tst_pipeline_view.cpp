// The Pipeline view in the real window: a split with its bound, a border that is dragged, and what can be undone.
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/state_page.h"
#include "tests/desktop/desk.h"

#include <QPushButton>
#include <QTabBar>
#include <QTest>

#include <algorithm>

using namespace stowage;
using test::Desk;

namespace {

/// Shows the view of a sample that is open, on devices by name, and waits for the split.
PipelineView* split(Desk& desk, const char* devices)
{
    auto* view = desk.show<PipelineView>("pipeline");
    view->chooseDevices(QString::fromLatin1(devices));
    const bool there = QTest::qWaitFor([&] { return !view->splitting() && view->canvas()->scene(); }, 60'000);
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
        QTRY_VERIFY_WITH_TIMEOUT(!view->splitting() && view->canvas()->scene(), 60'000);
        QCOMPARE(view->setup().devices.devices.size(), std::size_t(2));
        const PipelineData& data = *view->answer()->data;
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
        QVERIFY(view->setup().devices.devices.empty());
        QVERIFY(view->message().contains(QStringLiteral("No devices")));
        desk.trigger("edit.redo");
        QTRY_VERIFY_WITH_TIMEOUT(!view->splitting() && view->canvas()->scene(), 60'000);
    }

    /// The guide's own figures of the sample on camera-4, which `stowage-cli pipeline split` prints.
    void installedDevicesGiveTheSplitOfTheCommandLine()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        QCOMPARE(microText(view->answer()->split.period), QStringLiteral("265.0"));
        QCOMPARE(microText(view->answer()->split.latency), QStringLiteral("875.3"));
        QVERIFY(view->answer()->split.status == pipeline::PartitionStatus::optimal);
        QTRY_COMPARE(view->pipelinePicture().graphLayout().stages.size(), std::size_t(4));
        for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
            desk.look.setMode(mode);
            QVERIFY(!view->grab().isNull());
        }
        // A click on a box selects its stage, in the graph and on the lanes.
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, view->pipelinePicture().graphLayout().stages[2].center().toPoint());
        QCOMPARE(view->pipelinePicture().selectedStage(), 2);
    }

    void aMissingFileIsReportedAndNothingIsLost()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        PipelineView* view = split(desk, "camera-4");
        QVERIFY(view);
        int told = 0;
        QObject::connect(&desk.workspace(), &Workspace::noticed, view, [&] { ++told; });
        view->chooseDevices(QStringLiteral("no-such-devices"));
        QCOMPARE(told, 1);
        QVERIFY(view->canvas()->scene());
        QCOMPARE(view->setup().devices.devices.size(), std::size_t(4));
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(PipelineViewTest)
#include "tst_pipeline_view.moc"
