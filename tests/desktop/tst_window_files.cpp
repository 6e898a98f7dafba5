// The real window: files that do not open or do not end, what is written and where, and figures that follow what is shown.
#include "app/canvas/kit/fonts.h"
#include "app/canvas/pictures/heatmap/heat_picture.h"
#include "app/canvas/pictures/usage/usage_picture.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/diagnostics_panel.h"
#include "app/desktop/panels/distributions_panel.h"
#include "app/desktop/panels/model_list.h"
#include "app/desktop/shell/search_field.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/shell/welcome_page.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/views/picture_view.h"
#include "app/desktop/views/tables_view.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/widgets/table.h"
#include "core/io/text.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include <sys/stat.h>

#include <utility>

using namespace stowage;
using test::Desk;

class WindowFilesTest : public QObject {
    Q_OBJECT

    test::OwnSettings settings_;
    QTemporaryDir folder_;

    QString file(const QString& name, const QByteArray& text) { return test::writtenFile(folder_, name, text); }
    static void shot(const Desk& desk, const char* name)
    {
        if (const QString to = qEnvironmentVariable("STOWAGE_SHOTS"); !to.isEmpty())
            QTest::qWait(150), desk.window->grab().save(to + u'/' + QLatin1String(name) + QStringLiteral(".png"));
    }

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void severalFilesThatDoNotOpenAreOneListThatStays()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QStringList bad;
        for (int i = 0; i < 11; ++i) bad << file(QStringLiteral("bad%1.json").arg(i), "{\"format\": ");
        desk.window->openFiles(bad);
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().models().failures().size(), std::size_t(11), 20'000);
        QTRY_VERIFY(desk.idle());
        auto* card = desk.find<ErrorCard>("errorCard");
        QVERIFY(card && card->isVisible());
        QCOMPARE(card->notice().title, QStringLiteral("11 files were not opened"));
        QCOMPARE(card->notice().more.size(), std::size_t(10));
        for (int i = 0; i < 11; ++i) QVERIFY(card->details().contains(QStringLiteral("bad%1.json").arg(i)));
        shot(desk, "failures");
        desk.find<QToolButton>("closeCard")->click();
        QVERIFY(!card->isVisible());
        // Still there: in the side bar, and among the problems.
        auto* models = desk.find<QListView>("modelList");
        QCOMPARE(models->model()->rowCount(), 12);
        desk.trigger("view.diagnostics");
        auto* problems = desk.find<QListView>("diagnosticList");
        QVERIFY(problems && problems->isVisible());
        QStringList told;
        for (int row = 0; row < problems->model()->rowCount(); ++row) told << problems->model()->index(row, 0).data().toString();
        for (int i = 0; i < 11; ++i) QVERIFY(!told.filter(QStringLiteral("bad%1.json was not opened: ").arg(i)).isEmpty());
        QVERIFY(problems->model()->rowCount() >= 11);
        shot(desk, "failures-closed");
        // A later failure is told by itself.
        desk.window->openFiles({file(QStringLiteral("worse.json"), "[")});
        QTRY_VERIFY(card->isVisible());
        QCOMPARE(card->notice().title, QStringLiteral("worse.json was not opened"));
        // One that opens now is no failure any more.
        desk.window->openFiles(
            {file(QStringLiteral("bad3.json"), "{\"format\": \"stowage.problem/1\", \"name\": \"m\", \"buffers\": "
                                               "[{\"name\": \"a\", \"size\": 4, \"live\": [[0, 1]]}]}")});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().model() && desk.workspace().model()->path.endsWith(u"bad3.json"),
                                 20'000);
        QCOMPARE(desk.workspace().models().failures().size(), std::size_t(11));
    }

    /// Sessions that cannot be read are in the same list as models, also in a window without an open model.
    void sessionsThatDoNotOpenAreInTheList()
    {
        Desk desk;
        const QStringList bad{file(QStringLiteral("one.stow"), "{"), file(QStringLiteral("two.stow"), "["),
                              file(QStringLiteral("three.json"), "{\"format\": ")};
        const QStringList titles{QStringLiteral("one.stow"), QStringLiteral("two.stow"), QStringLiteral("three.json")};
        desk.window->openFiles(bad);
        const OpenModels& models = desk.workspace().models();
        QTRY_COMPARE_WITH_TIMEOUT(models.failures().size(), std::size_t(3), 20'000);
        auto* card = desk.window->welcome().findChild<ErrorCard*>();
        QTRY_VERIFY(card && card->isVisible());
        QCOMPARE(card->notice().title, QStringLiteral("3 files were not opened"));
        for (const QString& title : titles) QVERIFY2(card->details().contains(title), qPrintable(card->details()));
        card->findChild<QToolButton*>(QStringLiteral("closeCard"))->click();
        QTRY_VERIFY(!card->isVisible());
        desk.trigger("view.diagnostics");
        auto* problems = desk.find<QListView>("diagnosticList");
        QVERIFY(problems && problems->isVisible());
        QStringList told;
        for (int row = 0; row < problems->model()->rowCount(); ++row) told << problems->model()->index(row, 0).data().toString();
        for (const QString& title : titles)
            QCOMPARE(told.filter(title + QStringLiteral(" was not opened: ")).size(), qsizetype(1));
        // A file that is a session now is no failure any more, and is told of once.
        const QByteArray empty = "{\"format\": \"stowage.session/1\", \"files\": []}";
        desk.window->openFiles({file(QStringLiteral("two.stow"), empty), bad.front()});
        QCOMPARE(models.failures().size(), std::size_t(2));
        for (const OpenFailure& failure : models.failures()) QVERIFY(!failure.path.endsWith(u"two.stow"));
    }

    void aPlanIsARunOfItsModelWhateverIsOpenedFirst()
    {
        Desk writer;
        QVERIFY(writer.open("mobilenet_v1_025"));
        const auto planned = writer.workspace().run();
        const QByteArray text = QByteArray::fromStdString(io::writePlanJson(*planned));
        const QString plan = file(QStringLiteral("mine.plan.json"), text);

        Desk desk;
        desk.window->openFiles({plan});
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().models().failures().size(), std::size_t(1), 20'000);
        QVERIFY(desk.workspace().models().failures().front().error.code == Code::planAlone);
        // Beside two models, of which the shown one is another.
        desk.window->openFiles({plan, test::sample("mobilenet_v1_025"), test::sample("resnet18")});
        const auto shown = [&] {
            const auto run = desk.workspace().run();
            return run ? QString::fromStdString(run->plan.planner) : QString();
        };
        QTRY_COMPARE_WITH_TIMEOUT(shown(), QStringLiteral("mine.plan.json"), 20'000);
        QCOMPARE(desk.workspace().model()->name, QStringLiteral("mobilenet_v1_025.json"));
        QVERIFY(desk.workspace().run()->report.verdict.valid());
        QCOMPARE(desk.workspace().run()->report.totalSize(), planned->report.totalSize());
        QVERIFY(desk.workspace().models().failures().empty());
        QVERIFY(desk.find<ErrorCard>("errorCard")->notice().good);

        // A plan that is not valid is shown with its verdict.
        QByteArray wrong = text;
        wrong.replace("\"size\": 32768", "\"size\": 32769");
        QVERIFY(wrong != text);
        desk.window->openFiles({file(QStringLiteral("wrong.plan.json"), wrong)});
        QTRY_COMPARE_WITH_TIMEOUT(shown(), QStringLiteral("wrong.plan.json"), 20'000);
        QVERIFY(!desk.workspace().run()->report.verdict.valid());
        QVERIFY(!desk.find<ErrorCard>("errorCard")->notice().good);
        shot(desk, "plan");
    }

    void anImportThatDoesNotEndIsCancelled()
    {
        const QString pipe = folder_.filePath(QStringLiteral("stalled.json"));
        QCOMPARE(::mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
        QFile writer(pipe);
        QVERIFY(writer.open(QIODevice::ReadWrite)); // keeps the reader waiting
        Desk desk;
        desk.window->openFiles({pipe});
        QTRY_VERIFY_WITH_TIMEOUT(desk.find<QPushButton>("cancelOpening") || desk.workspace().models().opening().empty(), 5'000);
        if (desk.workspace().models().opening().empty()) QSKIP("pipes are refused at once here");
        auto* cancel = desk.find<QPushButton>("cancelOpening");
        QTRY_VERIFY(cancel->isVisible());
        shot(desk, "opening");
        cancel->click();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().models().opening().empty(), 2'000);
        QTRY_VERIFY(!desk.find<QFrame>("openingBar")->isVisible());
        QVERIFY(desk.open("mobilenet_v1_025")); // the window goes on
    }

    /// A name of 10 MB of a tensor, an op and a model: every view is painted, and the buffer is chosen, within the limit of a
    /// test.
    void namesOfMegabytesAreShown()
    {
        const QByteArray name(10'000'000, 'n');
        Desk desk;
        desk.window->openFiles({file(QStringLiteral("named.json"),
                                     R"({"format": "stowage.program/1", "name": ")" + name +
                                         R"(", "entry": "main", "functions": [{"name": "main", "inputs": ["x"], "outputs": [")" +
                                         name + R"("], "tensors": [{"name": "x", "kind": "input", "bytes": 4}, {"name": ")" +
                                         name + R"(", "kind": "output", "bytes": 4}], "ops": [{"name": ")" + name +
                                         R"(", "kind": "relu", "inputs": ["x"], "outputs": [")" + name + R"("]}]}]})")});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        for (const char* view : {"memory-map", "liveness", "heatmap", "usage", "graph", "compare", "tables"}) {
            desk.window->views().setCurrent(QString::fromLatin1(view));
            QTest::qWait(50);
            QVERIFY(!desk.window->grab().isNull());
        }
        desk.workspace().selection().select(1);
        QTest::qWait(50);
        QVERIFY(!desk.window->grab().isNull());
    }

    void theSizeInTheSidebarIsThatOfTheShownPlan()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* models = desk.find<QListView>("modelList");
        const auto shown = [&] { return models->model()->index(0, 0).data(ModelList::SizeRole).toString(); };
        for (const char* planner : {"naive", "greedy-by-size", "auto"}) {
            const RunEntry* run = desk.workspace().shown().runOf(planner);
            QVERIFY2(run, planner);
            desk.workspace().showRun(run->id);
            QCOMPARE(shown(), shortBytes(run->run->report.totalSize(), {}));
        }
    }

    /// After an undo, and for another target, the size beside the model is that of the plan that is shown.
    void theSizeInTheSidebarFollowsUndoAndTarget()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* models = desk.find<QListView>("modelList");
        const auto isThatOfTheShownPlan = [&] {
            return desk.workspace().run() && models->model()->index(0, 0).data(ModelList::SizeRole).toString() ==
                                                 shortBytes(desk.workspace().run()->report.totalSize(), {});
        };
        const Bytes before = desk.workspace().run()->report.totalSize();
        const Run& run = *desk.workspace().run();
        // A pin far above the others makes the plan larger.
        desk.workspace().setPin({run.problem().buffers[0].name, run.problem().pools[0].name, 1 << 20});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->report.totalSize() > before,
                                 20'000);
        QVERIFY(isThatOfTheShownPlan());
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->report.totalSize() == before,
                                 20'000);
        QVERIFY(isThatOfTheShownPlan());
        desk.workspace().edits().setTarget(*desk.session.target(QStringLiteral("esp32-s3")));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        QVERIFY(isThatOfTheShownPlan());
    }

    /// Recent files tell of the best plan, whichever planner ends last.
    void recentFilesTellOfTheBestPlan()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const auto best = [&] {
            Bytes least = desk.workspace().runs().front()->run->report.totalSize();
            for (const RunEntry* entry : desk.workspace().runs()) least = std::min(least, entry->run->report.totalSize());
            return least;
        };
        QCOMPARE(desk.session.recentFiles().front().size, best());
        desk.workspace().plannings().planOnly("naive");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
        QVERIFY(desk.workspace().shown().runOf("naive")->run->report.totalSize() > best());
        QCOMPARE(desk.session.recentFiles().front().size, best());
    }

    void anEmptiedSearchFiltersNothing()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* search = desk.find<SearchField>();
        search->setFocus();
        QTest::keyClicks(search, QStringLiteral("size>20K"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(desk.workspace().selection().filter().active());
        search->selectAll();
        QTest::keyClick(search, Qt::Key_Delete);
        QVERIFY(!desk.workspace().selection().filter().active());
        QTest::keyClicks(search, QStringLiteral("size>20K"));
        QTest::keyClick(search, Qt::Key_Return);
        QTest::keyClick(search, Qt::Key_Escape);
        QVERIFY(search->text().isEmpty());
        QVERIFY(!desk.workspace().selection().filter().active());
    }

    void aFilterReachesHeatmapUsageAndTables()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* heat = desk.show<PictureView>("heatmap");
        QVERIFY(heat);
        const auto occupied = [&] {
            std::int64_t sum = 0;
            const auto* picture = dynamic_cast<const HeatPicture*>(&heat->canvas()->picture());
            for (const OccupancyCell& cell : picture->state().grid.cells) sum += cell.occupied;
            return sum;
        };
        QTRY_VERIFY(heat->canvas()->scene());
        const std::int64_t all = occupied();
        QVERIFY(all > 0);
        shot(desk, "heatmap-all");
        desk.workspace().selection().setFilter(parseSearch(QStringLiteral("size>20K")).filter);
        QTRY_VERIFY(occupied() < all && occupied() > 0);
        shot(desk, "heatmap-filtered");
        // Bytes x steps of the buffers that the filter leaves: what the bins hold, no more and no less.
        std::int64_t expected = 0;
        const Problem& problem = desk.workspace().run()->problem();
        for (const Buffer& buffer : problem.buffers)
            if (buffer.size > 20 * 1024) expected += buffer.size * lifetime(buffer);
        QCOMPARE(occupied(), expected);
        auto* usage = desk.show<PictureView>("usage");
        QVERIFY(usage);
        const auto kept = [&]() -> const StepFunction* {
            const auto* picture = dynamic_cast<const UsagePicture*>(&usage->canvas()->picture());
            return picture && picture->state().pools && !picture->state().pools->empty() ? &picture->state().pools->front().kept
                                                                                         : nullptr;
        };
        QTRY_VERIFY(kept() && kept()->size() > 0);
        for (Step step = 0; step < problem.horizon(); ++step) {
            Bytes live = 0;
            for (const Buffer& buffer : problem.buffers)
                if (buffer.size > 20 * 1024 &&
                    std::ranges::any_of(buffer.live, [&](const Interval& range) { return range.contains(step); }))
                    live += buffer.size;
            QCOMPARE(kept()->valueAt(step), live);
        }
        // The list of the largest, beside it.
        const auto* largest = desk.find<DistributionsPanel>();
        QVERIFY(largest && largest->isVisible());
        const auto listed = [&](bool small) {
            return std::ranges::count_if(largest->findChildren<QAbstractButton*>(), [&](const QAbstractButton* row) {
                const auto buffer = std::ranges::find(problem.buffers, row->accessibleName().toStdString(), &Buffer::name);
                return buffer != problem.buffers.end() && row->isVisible() && (buffer->size <= 20 * 1024) == small;
            });
        };
        QTRY_VERIFY(listed(false) > 0);
        QCOMPARE(listed(true), 0);
        // Also when the filter changes while the panel is closed.
        desk.show<View>("memory-map");
        desk.workspace().selection().setFilter({});
        desk.show<View>("usage");
        QTRY_VERIFY(listed(true) > 0);
        desk.show<View>("memory-map");
        desk.workspace().selection().setFilter(parseSearch(QStringLiteral("size>20K")).filter);
        desk.show<View>("usage");
        QTRY_VERIFY(listed(true) == 0 && listed(false) > 0);
        shot(desk, "usage-filtered");
        auto* tables = desk.show<TablesView>("tables");
        const auto left = std::ranges::count_if(problem.buffers, [](const Buffer& b) { return b.size > 20 * 1024; });
        bool said = false;
        for (const QLabel* label : tables->bar()->findChildren<QLabel*>())
            said |= label->text() == QStringLiteral("%1 of 31 buffers, filtered").arg(left);
        QVERIFY(said);
        shot(desk, "tables-filtered");
        desk.workspace().selection().setFilter({});
        desk.show<View>("heatmap");
        QTRY_COMPARE(occupied(), all);
    }

    /// The digit must be painted: two steps of one digit give two pictures.
    void theStepInTheStatusBarHasItsValue()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* strip = desk.find<StatusStrip>();
        desk.workspace().selection().setCursor(3);
        const QImage three = strip->grab().toImage();
        desk.workspace().selection().setCursor(4);
        QVERIFY(strip->grab().toImage() != three);
        // It is told to screen readers when the cursor rests, not at each move.
        const auto told = [&](Step step) {
            return strip->accessibleDescription().contains(QStringLiteral(", step %1, ").arg(step));
        };
        QVERIFY(!told(3) && !told(4));
        QTRY_VERIFY(told(4));
    }

    /// A row that heads the members of an operator is no buffer.
    void theTableCountsTheBuffersThatItLists()
    {
        Desk desk;
        desk.window->openFiles({QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/unified_planning.tir")});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        const auto* bar = desk.show<TablesView>("tables")->bar();
        const auto* table = desk.find<QTableView>("dataTable");
        const auto& buffers = desk.workspace().run()->problem().buffers;
        const auto listed = [&] {
            std::size_t rows = 0;
            for (int row = 0; row < table->model()->rowCount(); ++row)
                rows += table->model()->index(row, 0).data(RowTable::BufferRole).toInt() != none;
            return rows;
        };
        const auto said = [&](const QString& text) {
            return std::ranges::any_of(bar->findChildren<QLabel*>(), [&](const QLabel* label) { return label->text() == text; });
        };
        const QString all = QStringLiteral("%1 buffers").arg(buffers.size());
        QCOMPARE(listed(), buffers.size());
        QVERIFY(std::size_t(table->model()->rowCount()) > listed()); // with the operators
        QVERIFY(said(all));
        BufferFilter filter;
        filter.minimumSize = std::ranges::max_element(buffers, {}, &Buffer::size)->size;
        desk.workspace().selection().setFilter(filter);
        QTRY_VERIFY(listed() > 0 && listed() < buffers.size());
        QTRY_VERIFY(said(QStringLiteral("%1 of %2, filtered").arg(listed()).arg(all)));
        desk.workspace().selection().setFilter({});
        QTRY_VERIFY(listed() == buffers.size() && said(all));
    }

    void theFirstWindowIsNotLargerThanTheScreen()
    {
        Session session;
        Look look(*qApp, ThemeMode::dark);
        const MainWindow window(session, look);
        const QSize screen = QGuiApplication::primaryScreen()->availableSize();
        QVERIFY2(window.width() <= std::max(760, screen.width()) && window.height() <= std::max(480, screen.height()),
                 qPrintable(QStringLiteral("%1 x %2").arg(window.width()).arg(window.height())));
    }

    void panelsGetTheirWidthBackAfterANarrowWindow()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* inspector = desk.find<QDockWidget>("inspector");
        auto* sidebar = desk.find<QDockWidget>("sidebar");
        QTest::qWait(50);
        const int wide = inspector->width(), left = sidebar->width();
        desk.window->resize(780, 700);
        QTest::qWait(50);
        desk.window->resize(1400, 900);
        QTest::qWait(50);
        QTRY_COMPARE(inspector->width(), wide);
        QTRY_COMPARE(sidebar->width(), left);
        // Also one that was hidden when there was room again.
        desk.window->resize(780, 700);
        QTest::qWait(50);
        QTRY_VERIFY(inspector->width() < wide);
        desk.window->views().setCurrent(QStringLiteral("heatmap"));
        QVERIFY(inspector->isHidden());
        desk.window->resize(1400, 900);
        QTest::qWait(50);
        desk.window->views().setCurrent(QStringLiteral("memory-map"));
        QVERIFY(!inspector->isHidden());
        QTRY_COMPARE(inspector->width(), wide);
        QTRY_COMPARE(sidebar->width(), left);
    }

    void picturesAreWrittenAtTheirScaleAndTheWindowSaysWhere()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* card = desk.find<ErrorCard>("errorCard");
        for (const char* view : {"memory-map", "usage", "compare", "tables"}) {
            View* shown = desk.show<View>(view);
            QTest::qWait(30);
            QSize size;
            for (const int scale : {1, 2, 4}) {
                const QString to = folder_.filePath(QStringLiteral("%1-%2.png").arg(QLatin1String(view)).arg(scale));
                desk.window->exportPicture(to, scale);
                QTRY_VERIFY_WITH_TIMEOUT(card->isVisible() && card->details().contains(to), 20'000); // it is written elsewhere
                const QImage image(to);
                QVERIFY2(!image.isNull(), qPrintable(to));
                if (scale == 1) size = image.size();
                QCOMPARE(image.size(), size * scale);
                QVERIFY(card->isVisible() && card->notice().good);
                QVERIFY(card->details().contains(to));
            }
            Q_UNUSED(shown);
        }
        shot(desk, "written");
        desk.window->exportPicture(folder_.filePath(QStringLiteral("tables.svg")), 1);
        QVERIFY(!card->notice().good); // only as PNG
    }

    /// The view has a picture that the command line writes as well: as SVG and PDF, too.
    void aPipelineIsWrittenInEveryFormat()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        View* shown = desk.show<View>("pipeline");
        QVERIFY(shown);
        auto* twoDevices = shown->findChild<StatePage*>()->findChild<QPushButton*>();
        QVERIFY(twoDevices);
        QTest::mouseClick(twoDevices, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(shown->canvas()->scene() && shown->canvas()->settled(), 60'000);
        for (const auto& [suffix, begin] : {std::pair("svg", "<?xml"), std::pair("pdf", "%PDF"), std::pair("png", "\x89PNG")}) {
            const QString to = folder_.filePath(QStringLiteral("pipeline.") + QLatin1String(suffix));
            desk.window->exportPicture(to, 1);
            QTRY_VERIFY2_WITH_TIMEOUT(QFile::exists(to), suffix, 20'000);
            QVERIFY2(test::contentsOf(to).startsWith(begin), suffix);
        }
    }

    void aPictureOfATableHasNoScrollBar()
    {
        Desk desk;
        QByteArray csv = "id,lower,upper,size\n";
        for (int i = 0; i < 300; ++i)
            csv += QByteArray::number(i) + ',' + QByteArray::number(i) + ',' + QByteArray::number(i + 2) + ",64\n";
        desk.workspace().openText(QStringLiteral("many.csv"), csv);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        View* shown = desk.show<View>("tables");
        auto* table = shown->findChild<Table*>(QStringLiteral("dataTable"));
        QVERIFY(table);
        QTest::qWait(50); // panels come and go
        QTRY_VERIFY(table->verticalScrollBar()->isVisible());
        const QString to = folder_.filePath(QStringLiteral("many.png"));
        desk.window->exportPicture(to, 1);
        QTRY_VERIFY_WITH_TIMEOUT(!QImage(to).isNull(), 20'000);
        QVERIFY(table->verticalScrollBar()->isVisible()); // on the screen it is back
        const auto rgb = [](const QImage& image) { return image.convertToFormat(QImage::Format_RGB32); };
        const QImage screen = rgb(shown->grab().toImage());
        table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        const QImage without = rgb(shown->grab().toImage());
        QVERIFY(without != screen); // else there is nothing to see
        QCOMPARE(rgb(QImage(to)), without);
    }

    /// In a window of 1,000 pixels the bar of the table goes, and no number is wider than its column.
    void noNumberOfTheRunsIsCut()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* table = desk.find<Table>("runTable");
        for (const int width : {1600, 1000, 780}) {
            desk.window->resize(width, 800);
            QTest::qWait(60);
            shot(desk, qPrintable(QStringLiteral("runs-%1").arg(width)));
            QTRY_COMPARE(table->horizontalScrollBar()->maximum(), 0); // the remark is elided, and not cut
            const QFontMetrics digits(monoFont(metrics::body));
            for (int column = 0; column < table->model()->columnCount(); ++column) {
                if (table->isColumnHidden(column)) continue;
                const int align = table->model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
                if (!(align & Qt::AlignRight)) continue;
                const int right = table->columnViewportPosition(column) + table->columnWidth(column);
                for (int row = 0; row < table->model()->rowCount(); ++row) {
                    const QString text = table->model()->index(row, column).data().toString();
                    QVERIFY2(digits.horizontalAdvance(text) + 16 <= table->columnWidth(column), qPrintable(text));
                }
                QVERIFY2(right <= table->viewport()->width(), qPrintable(QString::number(column)));
            }
        }
    }

    /// What stands in the last column is whole where the bar can be narrower.
    void remarksOfTheRunsAreWhole()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* table = desk.find<Table>("runTable");
        const QFontMetrics letters(uiFont(metrics::body));
        for (const int width : {1900, 1440, 1280}) {
            desk.window->resize(width, 900);
            QTest::qWait(60);
            QVERIFY(!table->isColumnHidden(RunTable::Remark));
            for (int row = 0; row < table->model()->rowCount(); ++row) {
                const QString text = table->model()->index(row, RunTable::Remark).data().toString();
                QVERIFY2(letters.horizontalAdvance(text) + 16 <= table->columnWidth(RunTable::Remark),
                         qPrintable(text + QStringLiteral(" at %1").arg(width)));
            }
        }
    }

    void theReportIsOfTheShownRun()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.workspace().showRun(desk.workspace().shown().runOf("greedy-by-size")->id);
        const QString to = folder_.filePath(QStringLiteral("report.html"));
        QVERIFY(desk.window->actions().action(QStringLiteral("file.export-report"))->isEnabled());
        desk.window->exportReport(to);
        auto* card = desk.find<ErrorCard>("errorCard");
        QTRY_VERIFY_WITH_TIMEOUT(card->isVisible(), 30'000);
        QVERIFY2(card->notice().good, qPrintable(card->details()));
        QFile page(to);
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray text = page.readAll();
        QVERIFY(text.startsWith("<!DOCTYPE html>"));
        QVERIFY(text.contains("114,688 B")); // greedy-by-size needs 16,384 B more than the bound of 98,304 B
        for (const char* planner : {"auto", "naive", "tflm-greedy"})
            QVERIFY2(text.contains(QByteArray("<td>") + planner + "</td>"), planner);
    }
};

QTEST_MAIN(WindowFilesTest)
#include "tst_window_files.moc"
