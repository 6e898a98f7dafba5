// The real window: files of devices and traces of runs that change while the Pipeline view shows them; the table of devices,
// and the time of a chain.
#include "app/canvas/kit/fonts.h"
#include "app/desktop/file_watch.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/device_table.h"
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/table.h"
#include "core/io/devices_json.h"
#include "core/io/pipeline_json.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QFontMetrics>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

using namespace stowage;
using test::Desk;

namespace {

/// Two equal devices; the first one has so much memory, in bytes.
QByteArray devicesOf(Bytes memory)
{
    pipeline::DeviceSet set;
    set.name = "two";
    set.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
    set.devices.front().memory = memory;
    return QByteArray::fromStdString(io::writeDevices(set));
}

std::optional<Bytes> memoryOf(PipelineView& view)
{
    const auto& devices = view.desk().setup().devices.devices;
    return devices.empty() ? std::nullopt : devices.front().memory;
}

bool isSplit(PipelineView& view)
{
    return QTest::qWaitFor([&] { return !view.desk().splitting() && view.canvas()->scene(); }, 60'000);
}

bool isTold(Desk& desk, const char* title)
{
    const ErrorCard& card = desk.window->errorCard();
    return card.isVisible() && card.notice().title == QLatin1String(title);
}

bool press(Desk& desk, const char* text)
{
    const auto buttons = desk.window->errorCard().findChildren<QPushButton*>();
    const auto found = std::ranges::find_if(
        buttons, [&](const QPushButton* each) { return each->isVisible() && each->text() == QLatin1String(text); });
    if (found != buttons.end()) (*found)->click();
    return found != buttons.end();
}

/// A trace of 20 frames on the shown split, whose first stage takes `slower` times as long as predicted.
QByteArray traceOf(PipelineView& view, double slower)
{
    const PipelineData& data = *view.desk().answer()->data;
    pipeline::SimulateOptions options;
    options.frames = 20;
    options.slow = {{0, slower}};
    const auto run = pipeline::simulate(data.model, options);
    if (!run) qFatal("%s", run.error().message.c_str());
    const std::array traced{io::TracedRun{"predicted", &data.predicted}, io::TracedRun{"measured", &*run}};
    return QByteArray::fromStdString(io::writeChromeTrace(data.model, traced));
}

} // namespace

class PipelineFilesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void devicesThatChangeAreReadAgainOnAClick()
    {
        constexpr Bytes before = 1 << 20, after = 1 << 21, last = 1 << 22;
        const QString path = file("two.json", devicesOf(before));
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PipelineView>("pipeline");
        QVERIFY(view);
        view->desk().chooseDevices(path);
        QVERIFY(isSplit(*view));
        QTRY_VERIFY_WITH_TIMEOUT(desk.window->fileWatch().knows(path), 20'000);
        file("two.json", devicesOf(after));
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "two.json has changed"), 20'000);
        QCOMPARE(memoryOf(*view), std::optional<Bytes>(before)); // until the user asks for it
        QVERIFY(press(desk, "Reload"));
        QCOMPARE(memoryOf(*view), std::optional<Bytes>(after));
        desk.trigger("edit.undo");
        QCOMPARE(memoryOf(*view), std::optional<Bytes>(before));
        // Those are of no file now, as are devices that the user chooses instead.
        QVERIFY(!desk.window->fileWatch().knows(path));
        desk.trigger("edit.redo");
        QTRY_VERIFY_WITH_TIMEOUT(desk.window->fileWatch().knows(path), 20'000);
        view->desk().chooseEqualDevices(QStringLiteral("Choose two equal devices"));
        file("two.json", devicesOf(last));
        QTest::qWait(1000);
        QVERIFY(!isTold(desk, "two.json has changed"));
    }

    /// The file is followed whichever model is in front, and the edit is one of its own model.
    void devicesOfAModelThatIsNotInFrontAreReadAgain()
    {
        constexpr Bytes before = 1 << 20, after = 1 << 21;
        const QString path = file("hidden.json", devicesOf(before));
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const int model = desk.workspace().modelId();
        auto* view = desk.show<PipelineView>("pipeline");
        QVERIFY(view);
        view->desk().chooseDevices(path);
        QVERIFY(isSplit(*view));
        QVERIFY(desk.open("microcontroller_two_memories"));
        QVERIFY(desk.workspace().modelId() != model);
        QTRY_VERIFY_WITH_TIMEOUT(desk.window->fileWatch().knows(path), 20'000);
        file("hidden.json", devicesOf(after));
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "hidden.json has changed"), 20'000);
        QVERIFY(press(desk, "Reload"));
        const auto memory = [&] { return desk.workspace().edits().pipelineOf(model)->devices.devices.front().memory; };
        QCOMPARE(memory(), std::optional<Bytes>(after));
        desk.workspace().setModel(model);
        desk.trigger("edit.undo");
        QCOMPARE(memory(), std::optional<Bytes>(before));
    }

    void aTraceThatChangesIsReadAgainOnAClick()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PipelineView>("pipeline");
        QVERIFY(view);
        view->desk().chooseEqualDevices(QStringLiteral("Choose two equal devices"));
        QVERIFY(isSplit(*view));
        const QString path = file("trace.json", traceOf(*view, 10));
        view->desk().showMeasured(path);
        QVERIFY(isSplit(*view));
        const auto period = [&] { return double(view->pipelinePicture().subject()->data->measured->period); };
        const double before = period();
        QTRY_VERIFY_WITH_TIMEOUT(desk.window->fileWatch().knows(path), 20'000);
        file("trace.json", traceOf(*view, 20));
        QTRY_VERIFY_WITH_TIMEOUT(isTold(desk, "trace.json has changed"), 20'000);
        QCOMPARE(period(), before);
        QVERIFY(press(desk, "Reload"));
        QVERIFY(isSplit(*view));
        // The slow stage decides in both runs.
        QVERIFY2(std::abs(period() / before - 2) < 0.01, qPrintable(QString::number(period() / before)));
        view->desk().leaveOutMeasured();
        QVERIFY(!desk.window->fileWatch().knows(path));
    }

    /// What was found is in view without scrolling, and each number is whole.
    void theTableOfDevicesFits()
    {
        for (const QSize size : {QSize(1400, 900), QSize(1800, 1100)}) {
            Desk desk;
            desk.window->resize(size);
            QVERIFY(desk.open("mobilenet_v1_025"));
            auto* view = desk.show<PipelineView>("pipeline");
            QVERIFY(view);
            view->desk().chooseDevices(QStringLiteral("phone-soc"));
            QVERIFY(isSplit(*view));
            const auto* table = desk.find<Table>("deviceTable");
            const QFontMetrics letters(monoFont(metrics::body)); // of numbers
            const int busy = DeviceTable::Busy, room = letters.horizontalAdvance(QStringLiteral("100.0 %")) + 2 * 8;
            QTRY_VERIFY2(table->columnWidth(busy) >= room, qPrintable(QString::number(table->columnWidth(busy))));
            QTRY_VERIFY(table->columnViewportPosition(busy) + table->columnWidth(busy) <= table->viewport()->width());
            QVERIFY(table->columnViewportPosition(busy) < table->columnViewportPosition(DeviceTable::Flops));
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QModelIndex memory = table->model()->index(row, DeviceTable::Memory);
                const int width = letters.horizontalAdvance(memory.data().toString()) + 2 * 8;
                QVERIFY2(table->columnWidth(DeviceTable::Memory) >= width, qPrintable(memory.data().toString()));
            }
        }
    }

    /// The formula of the inspector has the factors of its sum, and the sum is the one of the picture and of the guide.
    void theTimeOfAChainIsTheSumOfWhatIsShown()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PipelineView>("pipeline");
        QVERIFY(view);
        view->desk().chooseDevices(QStringLiteral("camera-4"));
        QVERIFY(isSplit(*view));
        QCOMPARE(view->desk().frames(), std::int64_t(8));
        static const QRegularExpression formula(
            QStringLiteral("^Time of a chain: .* = ([0-9.]+) \\+ 7 × ([0-9.]+) = ([0-9,.]+) µs$"));
        QRegularExpressionMatch found;
        QTRY_VERIFY(([&] {
            for (const QLabel* label : desk.find<QWidget>("inspector")->findChildren<QLabel*>())
                if (const auto match = formula.match(label->text()); match.hasMatch()) found = match;
            return found.hasMatch();
        })());
        QCOMPARE(found.captured(3), QStringLiteral("2,730.6")); // resources/guide/pipelines.md
        QCOMPARE(found.captured(3), microText(view->desk().answer()->data->predicted.total));
        const double sum = found.captured(1).toDouble() + 7 * found.captured(2).toDouble();
        QCOMPARE(QString::number(sum, 'f', 1), QStringLiteral("2730.6"));
    }

private:
    QString file(const char* name, const QByteArray& text) const
    {
        return test::writtenFile(folder_, QString::fromLatin1(name), text);
    }

    QTemporaryDir folder_;
    test::OwnSettings settings_;
};

QTEST_MAIN(PipelineFilesTest)
#include "tst_pipeline_files.moc"
