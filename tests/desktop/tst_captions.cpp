// Titles of columns and keys of facts are explained by what they stand for, not by a term that is written alike; and what the
// guide says about the window is so.
#include "app/canvas/axis/colouring.h"
#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/glossary.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/program_form.h"
#include "app/desktop/shell/guide_window.h"
#include "app/desktop/tables/device_table.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/tables/sources.h"
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/section.h"
#include "tests/desktop/desk.h"
#include "tests/support/real_run.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QFile>
#include <QFontMetrics>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

using namespace stowage;
using test::Desk;

namespace {

/// What the tool tip of a title says: the model's own sentence, else the glossary's.
QString tipOf(const QAbstractItemModel& model, int column)
{
    const QString own = model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
    return own.isEmpty() ? explained(model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) : own;
}

/// Titles without a tool tip, or with one that only repeats them.
QStringList unexplained(const QAbstractItemModel& model)
{
    QStringList titles;
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString title = model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const QString tip = tipOf(model, column);
        if (!title.isEmpty() && (tip.isEmpty() || tip.compare(title, Qt::CaseInsensitive) == 0)) titles << title;
    }
    return titles;
}

/// The key of a fact in the inspector; null if there is none.
QLabel* keyOf(Desk& desk, const QString& text)
{
    const auto labels = desk.find<QWidget>("inspector")->findChildren<QLabel*>();
    const auto found =
        std::ranges::find_if(labels, [&](const QLabel* label) { return label->isVisible() && label->text().compare(text) == 0; });
    return found == labels.end() ? nullptr : *found;
}

QString page(const char* name)
{
    QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/guide/%1.md").arg(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class CaptionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    /// A few words of the meaning of each title.
    void titlesSayWhatTheirColumnsHold_data()
    {
        QTest::addColumn<QString>("table");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("says");
        const auto rows = [](const char* table, const std::vector<std::pair<const char*, const char*>>& titles) {
            for (const auto& [title, says] : titles)
                QTest::addRow("%s: %s", table, title)
                    << QString::fromLatin1(table) << QString::fromUtf8(title) << QString::fromLatin1(says);
        };
        rows("buffers", {{"id", "from 0"},
                         {"buffer", "object that is planned"},
                         {"size", "bytes that it takes"},
                         {"offset", "first byte of a buffer"},
                         {"end", "offset plus its size"},
                         {"first step", "first step in which"},
                         {"end step", "after the last one"},
                         {"steps", "count of the steps"},
                         {"kind", "variable"},
                         {"pool", "range of addresses"},
                         {"align", "must be a multiple"},
                         {"bytes × steps", "size times the count of steps"},
                         {"fallback from", "another pool than the one that it prefers"},
                         {"bytes to return", "lacks"},
                         {"slots", "in turn"}});
        rows("ops", {{"step", "time axis"},
                     {"op", "name"},
                     {"kind", "computes"},
                     {"reads", "that the op reads"},
                     {"writes", "that the op writes"},
                     {"scratch", "only while it runs"},
                     {"buffers", "count of the buffers"},
                     {"function", "has the op"}});
        rows("pools", {{"kind", "workspace"},
                       {"buffers", "lie in the pool"},
                       {"size", "up to its top"},
                       {"lower bound", "below which no plan"},
                       {"gap", "above the lower bound"},
                       {"capacity", "bytes that a pool has"},
                       {"excess", "above a pool's capacity"},
                       {"live at peak", "most bytes that are live at one step"},
                       {"peak step", "step at which the most bytes"},
                       {"free at peak", "hold nothing at the peak step"},
                       {"padding", "alignment leaves free"},
                       {"pushed out", "lie in another one"},
                       {"bytes pushed out", "bytes of the buffers"},
                       {"bytes to return one", "fewest bytes"}});
        rows("diagnostics", {{"severity", "warning"},
                             {"message", "found"},
                             {"where", "line"},
                             {"to fix", "help"},
                             {"code", "name of the message"}});
    }
    void titlesSayWhatTheirColumnsHold()
    {
        QFETCH(QString, table);
        QFETCH(QString, title);
        QFETCH(QString, says);
        const auto run = test::realRun("microcontroller_two_memories");
        QVERIFY(run);
        RowTable model;
        model.setSource(table == u"buffers" ? bufferRows(run)
                        : table == u"ops"   ? opRows(run)
                        : table == u"pools" ? poolRows(run)
                                            : diagnosticRows({}, run));
        const auto& columns = model.source()->columns();
        const auto found = std::ranges::find(columns, title, &RowColumn::title);
        QVERIFY(found != columns.end());
        const QString tip = tipOf(model, int(found - columns.begin()));
        QVERIFY2(tip.contains(says, Qt::CaseInsensitive), qPrintable(tip));
    }

    void everyTitleSaysMoreThanItself()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.window->views().setCurrent(QStringLiteral("compare"));
        desk.window->views().setCurrent(QStringLiteral("tables"));
        auto* pipeline = desk.show<PipelineView>("pipeline");
        pipeline->desk().chooseDevices(QStringLiteral("phone-soc"));
        QTRY_VERIFY_WITH_TIMEOUT(!pipeline->desk().splitting() && pipeline->canvas()->scene(), 60'000);
        int tables = 0;
        for (const auto* table : desk.window->findChildren<QTableView*>()) {
            // Its titles are the names of planners.
            if (!table->model() || table->objectName() == u"plannerMatrix") continue;
            ++tables;
            const QStringList titles = unexplained(*table->model());
            QVERIFY2(titles.isEmpty(),
                     qPrintable(table->objectName() + QStringLiteral(": ") + titles.join(QStringLiteral(", "))));
        }
        QVERIFY(tables >= 5); // runs, comparison, rows, devices, connections
        // A device's memory is a size.
        const auto* devices = desk.find<QTableView>("deviceTable");
        QVERIFY(devices && tipOf(*devices->model(), DeviceTable::Memory).contains(QStringLiteral("waiting frames")));
        QLabel* memory = nullptr;
        QTRY_VERIFY((memory = keyOf(desk, QStringLiteral("memory"))) != nullptr);
        QVERIFY2(memory->toolTip().contains(QStringLiteral("without waiting frames")), qPrintable(memory->toolTip()));
    }

    void factsAreExplainedByWhatTheyAre_data()
    {
        QTest::addColumn<bool>("ofBuffer");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("says");
        const auto row = [](bool ofBuffer, const char* key, const char* says) {
            QTest::addRow("%s of a %s", key, ofBuffer ? "buffer" : "pool")
                << ofBuffer << QString::fromLatin1(key) << QString::fromLatin1(says);
        };
        row(false, "size", "up to its top");
        row(false, "bound", "below which no plan");
        row(false, "peak", "most bytes that are live at one step");
        row(false, "free at peak", "hold nothing");
        row(false, "padding", "alignment leaves free");
        row(true, "offset", "first byte of a buffer");
        row(true, "live", "half-open");
        row(true, "pool", "range of addresses");
    }
    void factsAreExplainedByWhatTheyAre()
    {
        QFETCH(bool, ofBuffer);
        QFETCH(QString, key);
        QFETCH(QString, says);
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        if (ofBuffer) desk.workspace().selection().select(0);
        QLabel* label = nullptr;
        QTRY_VERIFY((label = keyOf(desk, key)) != nullptr);
        QVERIFY2(label->toolTip().contains(says), qPrintable(label->toolTip()));
    }

    /// A name from a file is no term, whatever it is.
    void aPoolWithTheNameOfATermIsNotExplained()
    {
        QVERIFY(!explained(QStringLiteral("window")).isEmpty());
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("named.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"format": "stowage.problem/1", "name": "named", "pools": [{"name": "window"}],
                       "buffers": [{"name": "a", "size": 64, "live": [[0, 2]]}]})");
        file.close();
        Desk desk;
        desk.window->openFiles({file.fileName()});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        QLabel* name = nullptr;
        QTRY_VERIFY((name = keyOf(desk, QStringLiteral("window"))) != nullptr);
        QCOMPARE(name->toolTip(), QString());
    }

    /// Level 3 forbids reuse across pipes, and level 0 everything but a common lifetime (`hivm::Level`).
    void termsThatCanBeTakenForTheirOpposite()
    {
        const QString level = meaningOf(QStringLiteral("level 3"));
        QVERIFY2(level.contains(QStringLiteral("Level 3 shares no bytes across pipes")), qPrintable(level));
        QVERIFY2(level.contains(QStringLiteral("level 0 asks only that lifetimes do not meet")), qPrintable(level));
        QVERIFY(meaningOf(QStringLiteral("peak")) != meaningOf(QStringLiteral("peak step")));
        QVERIFY(explained(QStringLiteral("end")).isEmpty());
        QVERIFY(meaningOf(QStringLiteral("over bound")).contains(QStringLiteral("the gap")));
        QVERIFY(!meaningOf(QStringLiteral("gap")).contains(QStringLiteral("live ranges")));
        QVERIFY(meaningOf(QStringLiteral("hole in a live range")).contains(QStringLiteral("live ranges")));
    }

    /// What buffers can be coloured by, and words of options and results that are no everyday words.
    void wordsOfChoicesAreTerms()
    {
        for (const ColourBy by : allColourings) {
            const std::string_view name = toText(by);
            QVERIFY2(!meaningOf(QString::fromUtf8(name.data(), qsizetype(name.size()))).isEmpty(), name.data());
        }
        for (const char* word :
             {"baseline", "break-even", "frame", "hops", "interference", "period", "seed", "suite", "threshold"})
            QVERIFY2(glossaryTerms().contains(QLatin1String(word)), word);
        // `growthRoom`: room upwards, which is not the room between the plan and a capacity.
        QVERIFY(meaningOf(QStringLiteral("slack")).contains(QStringLiteral("grow upwards")));
    }

    void whatBuffersAreColouredByIsExplainedInTheMenu()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        desk.window->views().setCurrent(QStringLiteral("memory-map"));
        auto* button = desk.window->views().currentView()->bar()->findChild<QPushButton*>(QStringLiteral("colourBy"));
        QVERIFY(button && button->menu());
        Q_EMIT button->menu()->aboutToShow();
        QVERIFY(button->menu()->toolTipsVisible());
        QStringList names;
        int checked = 0;
        for (QAction* action : button->menu()->actions()) {
            QVERIFY2(action->toolTip().startsWith(action->text() + QStringLiteral(": ")), qPrintable(action->toolTip()));
            names << action->text();
            checked += action->isChecked();
        }
        QVERIFY(names.contains(QStringLiteral("slack")) && names.contains(QStringLiteral("lifetime")));
        QCOMPARE(checked, 1);
    }

    void f1OfAViewOpensThePageThatTellsOfIt()
    {
        const QString views = page("the-views");
        for (const char* id : {"heatmap", "usage", "graph", "replay", "tables"}) {
            QCOMPARE(GuideWindow::pageOfView(QLatin1String(id)), QStringLiteral("the-views"));
            QVERIFY2(views.contains(QStringLiteral("\n## ") + QLatin1String(id), Qt::CaseInsensitive), id);
        }
    }

    /// The pages that tell of the window's time limit have the one with which it starts.
    void theTimeLimitOfTheWindowIsInTheGuide()
    {
        Desk desk;
        const QString limit = QStringLiteral("stops after %1 s").arg(desk.workspace().planners().timeLimitSeconds());
        for (const char* name : {"compare-planners", "why-is-the-peak-so-high"}) QVERIFY2(page(name).contains(limit), name);
    }

    /// The title over the sizes of runs has room for their unit.
    void sizesOfRunsKeepTheirUnit()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const auto* table = desk.find<QTableView>("runTable");
        for (const auto unit : {NumberFormat::Unit::bytes, NumberFormat::Unit::words}) {
            desk.workspace().setNumbers({unit, true});
            const QString title = table->model()->headerData(RunTable::Size, Qt::Horizontal, Qt::DisplayRole).toString();
            QVERIFY2(title.endsWith(unitText(desk.workspace().numbers())), qPrintable(title));
            constexpr int margins = 16; // of a title, left and right
            QTRY_VERIFY2(table->columnWidth(RunTable::Size) >=
                             QFontMetrics(uiFont(metrics::body)).horizontalAdvance(title) + margins,
                         qPrintable(title));
        }
    }

    /// The section of the sidebar in which the page looks for the sizes of free dimensions.
    void freeDimensionsAreWhereTheGuideSays()
    {
        Desk desk;
        const QWidget* section = desk.find<ProgramForm>();
        while (section && !qobject_cast<const Section*>(section)) section = section->parentWidget();
        QVERIFY(section);
        const QString told = page("will-my-model-fit");
        const auto labels = section->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) {
            return !label->text().isEmpty() &&
                   told.contains(QStringLiteral("a field in the sidebar under \"%1\"").arg(label->text()));
        }));
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(CaptionsTest)
#include "tst_captions.moc"
