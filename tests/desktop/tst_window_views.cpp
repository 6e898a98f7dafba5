// The real window: its views, in both themes and every state.
#include "app/canvas/pictures/graph/graph_picture.h"
#include "app/canvas/pictures/usage/usage_picture.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/model_list.h"
#include "app/desktop/panels/planner_list.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/tables/planner_matrix.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/picture_view.h"
#include "app/desktop/views/tables_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/widgets/table.h"
#include "tests/desktop/desk.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QDockWidget>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

using namespace stowage;
using test::Desk;

namespace {

/// That of the page which a view shows instead of a picture; null without one.
QPushButton* shownButton(const View& view)
{
    for (QPushButton* each : view.findChildren<QPushButton*>(QStringLiteral("stateButton")))
        if (each->isVisible()) return each;
    return nullptr;
}

} // namespace

class WindowViewsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void everyViewOpensIsPaintedInBothThemesAndSurvivesEveryState()
    {
        Desk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        for (std::size_t i = 0; i < viewEntries().size(); ++i) {
            desk.window->views().setCurrent(int(i));
            View* view = desk.window->views().currentView();
            QVERIFY(view);
            QImage pictures[2];
            for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
                desk.look.setMode(mode);
                QTest::qWait(30);
                const QImage image = view->grab().toImage();
                QVERIFY(image.width() > 100 && image.height() > 100);
                // Something is drawn: no single colour has nearly all of the picture, and there are several.
                QHash<QRgb, int> seen;
                for (int y = 0; y < image.height(); y += 3)
                    for (int x = 0; x < image.width(); x += 3) ++seen[image.pixel(x, y)];
                const int all = ((image.height() + 2) / 3) * ((image.width() + 2) / 3);
                const int most = *std::ranges::max_element(seen);
                QVERIFY2(seen.size() >= 8 && most < all * 0.999, qPrintable(QStringLiteral("%1: %2 colours, %3 of %4 in one")
                                                                                .arg(QLatin1String(viewEntries()[i].id))
                                                                                .arg(seen.size())
                                                                                .arg(most)
                                                                                .arg(all)));
                pictures[int(mode == ThemeMode::dark)] = image;
            }
            // The themes differ in nearly every pixel: a view that does not follow would differ in none.
            qint64 other = 0;
            for (int y = 0; y < pictures[0].height(); y += 7)
                for (int x = 0; x < pictures[0].width(); x += 7) other += pictures[0].pixel(x, y) != pictures[1].pixel(x, y);
            QVERIFY2(other > qint64(pictures[0].height() / 7) * (pictures[0].width() / 7) / 2, viewEntries()[i].id);
            view->zoomToPeak();
            desk.workspace().selection().select(2);
            view->zoomToSelection();
            view->zoomToFit();
            desk.workspace().selection().setFilter(parseSearch(QStringLiteral("size>1K")).filter);
            desk.workspace().showNeighbourRun(1);
            desk.workspace().selection().setFilter({});
            view->grab();
        }
        desk.workspace().shown().clear(); // nothing left to show
        for (std::size_t i = 0; i < viewEntries().size(); ++i) {
            desk.window->views().setCurrent(int(i));
            desk.window->views().currentView()->grab();
        }
        QCOMPARE(desk.window->views().made(), int(viewEntries().size()));
    }

    /// In a window without room to spare, the panels are as wide in one view as in the next.
    /// The commands of the menu reach the picture of every view.
    void goZoomsAndGoesBackInEveryView()
    {
        Desk desk;
        desk.workspace().planners().setTicked("greedy-by-size", true);
        desk.workspace().planners().setTicked("naive", true);
        QVERIFY(desk.open("lstm_loop"));
        QStringList zoomed;
        for (const ViewEntry& entry : viewEntries()) {
            View* view = desk.show<View>(entry.id);
            const QList<Canvas*> all = view->findChildren<Canvas*>();
            const auto shown = [&] {
                const auto found = std::ranges::find_if(
                    all, [](Canvas* each) { return each->isVisible() && each->scene() && each->picture().parts().zooms(); });
                return view->canvas() ? view->canvas() : found == all.end() ? nullptr : *found;
            };
            QVERIFY2(QTest::qWaitFor([&] { return std::ranges::all_of(all, &Canvas::ready); }, 30'000), entry.id);
            Canvas* canvas = shown();
            if (!canvas || !canvas->isVisible() || !canvas->scene() || !canvas->picture().parts().zooms()) continue;
            desk.trigger("go.reset");
            const ViewRange whole = canvas->range();
            desk.trigger("go.zoom-in");
            const ViewRange near = canvas->range();
            QVERIFY2(near.steps.span < whole.steps.span, entry.id);
            desk.trigger("go.pan-right");
            const double moved = canvas->range().steps.begin.minus(near.steps.begin) * canvas->picture().viewport().steps.scale();
            const PictureParts parts = canvas->picture().parts();
            QVERIFY2(moved > 0 && moved <= 0.2 * (parts.plotRight - parts.plotLeft) + 1.5, entry.id); // or less, at the end
            desk.trigger("go.back");
            QVERIFY2(canvas->range() == near, entry.id);
            desk.trigger("go.back");
            QVERIFY2(canvas->range() == whole, entry.id);
            desk.trigger("go.forward");
            QVERIFY2(canvas->range() == near, entry.id);
            zoomed << QLatin1String(entry.id);
        }
        for (const char* id : {"memory-map", "liveness", "heatmap", "usage", "graph", "loops", "compare"})
            QVERIFY2(zoomed.contains(QLatin1String(id)), id);
    }

    void aModelWithoutBuffersSaysWhatToDoNext()
    {
        Desk desk;
        desk.workspace().openText(QStringLiteral("empty.csv"), "id,lower,upper,size\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        // The dialog would wait for the user.
        QObject::disconnect(&desk.workspace(), &Workspace::openWanted, desk.window.get(), nullptr);
        QSignalSpy wanted(&desk.workspace(), &Workspace::openWanted);
        int presses = 0;
        for (const char* id : {"memory-map", "liveness", "heatmap", "usage", "compare", "replay", "robustness", "tables"}) {
            desk.trigger(qPrintable(QStringLiteral("view.") + QLatin1String(id)));
            View* view = desk.window->views().currentView();
            QVERIFY(view);
            QPushButton* button = nullptr;
            QTRY_VERIFY2((button = shownButton(*view)), id);
            QCOMPARE(button->text(), QStringLiteral("Open another file…"));
            const auto* page = qobject_cast<StatePage*>(button->parentWidget());
            QVERIFY2(page, id);
            QCOMPARE(page->sentence(), whyNothingToPlace(*desk.workspace().run()));
            QTest::mouseClick(button, Qt::LeftButton);
            QCOMPARE(wanted.count(), ++presses);
            // A bar that has nothing to act on has no caption either.
            if (QWidget* bar = view->bar(); bar && bar->property("blank").toBool())
                for (const QWidget* each : bar->findChildren<QWidget*>()) QVERIFY2(!each->isVisible(), id);
        }
    }

    /// In a narrow window a menu stands in the place of joined buttons, and no button of the bar is cut.
    void theBarOfTheMapFitsANarrowWindow()
    {
        Desk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        for (const int width : {1600, 1100, 900}) {
            desk.window->resize(width, 700);
            desk.trigger("view.memory-map");
            QWidget* bar = desk.window->views().currentView()->bar();
            QVERIFY(bar);
            const auto whole = [&] {
                return std::ranges::all_of(bar->findChildren<QPushButton*>(), [&](const QPushButton* each) {
                    const QRect place(each->mapTo(bar, QPoint()), each->size());
                    return !each->isVisible() || (bar->rect().contains(place) && each->width() >= each->sizeHint().width());
                });
            };
            QTRY_VERIFY2(whole(), qPrintable(QString::number(width)));
        }
        auto* menu = desk.window->views().currentView()->bar()->findChild<QPushButton*>(QStringLiteral("toggleMenu"));
        QVERIFY(menu);
        Q_EMIT menu->menu()->aboutToShow();
        QCOMPARE(menu->menu()->actions().size(), 3);
        QAction* const first = menu->menu()->actions().front();
        const bool before = first->isChecked();
        first->trigger();
        Q_EMIT menu->menu()->aboutToShow(); // filled anew
        QCOMPARE(menu->menu()->actions().front()->isChecked(), !before);
    }

    void panelsKeepTheirWidthFromViewToView()
    {
        Desk desk;
        desk.window->resize(1100, 700);
        QVERIFY(desk.open("lstm_loop"));
        std::map<QString, int> widths;
        for (int round = 0; round < 2; ++round) // whatever a view asks for, the next ones must not suffer
            for (const ViewEntry& entry : viewEntries()) {
                if (entry.applies && !entry.applies(desk.workspace())) continue;
                desk.trigger(qPrintable(QStringLiteral("view.") + QLatin1String(entry.id)));
                QTest::qWait(30);
                for (const char* name : {"sidebar", "inspector", "distributions"}) {
                    const auto* dock = desk.find<QDockWidget>(name);
                    if (!dock->isVisible()) continue;
                    const int first = widths.try_emplace(QLatin1String(name), dock->width()).first->second;
                    QVERIFY2(dock->width() == first, qPrintable(QStringLiteral("%1 beside %2: %3, %4 at first")
                                                                    .arg(QLatin1String(name), QLatin1String(entry.id))
                                                                    .arg(dock->width())
                                                                    .arg(first)));
                }
            }
        QCOMPARE(widths[QStringLiteral("sidebar")], metrics::sidebar); // as the design language has it
        QCOMPARE(widths[QStringLiteral("inspector")], metrics::inspector);
    }

    /// Tabs that come with the plan would shift the others under the pointer.
    void tabsStayWhenThePlanComes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("folds");
        QTest::newRow("constants that nothing is made of alone") << QStringLiteral("transformer_block") << false;
        QTest::newRow("constants that are packed") << QStringLiteral("mlp_packed_weights") << true;
    }

    void tabsStayWhenThePlanComes()
    {
        QFETCH(QString, name);
        QFETCH(bool, folds);
        Desk desk;
        auto* tabs = desk.find<QTabBar>("viewTabs");
        const auto shown = [&] {
            QStringList titles;
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->isTabVisible(i)) titles << tabs->tabText(i);
            return titles;
        };
        QStringList first;
        connect(&desk.workspace(), &Workspace::modelChanged, tabs, [&] {
            if (first.isEmpty() && desk.workspace().model() && !desk.workspace().run()) first = shown();
        });
        QVERIFY(desk.open(qPrintable(name)));
        QTest::qWait(30);
        QVERIFY(first.size() > 5); // the model was there before its plan
        QCOMPARE(shown(), first);
        QCOMPARE(first.contains(QStringLiteral("Fold")), folds);
    }

    void runsBelowTheMapAreWholeRows()
    {
        for (const QSize size : {QSize(1440, 900), QSize(1100, 700)}) {
            Desk desk;
            desk.window->resize(size);
            QVERIFY(desk.open("resnet18"));
            QTest::qWait(30);
            const auto* table = desk.find<QTableView>("runTable");
            QVERIFY(table->viewport()->height() >= 2 * metrics::tableRow);
            QCOMPARE(table->viewport()->height() % metrics::tableRow, 0);
        }
    }

    /// The edge of a table that is wider than its room lies between two columns.
    void noColumnOfTheTablesIsCutAtTheEdge()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        desk.window->views().setCurrent(QStringLiteral("tables"));
        auto* view = desk.find<TablesView>();
        QVERIFY(view);
        for (const int width : {1280, 1440, 1600})
            for (const int tab : {TablesView::Buffers, TablesView::Ops, TablesView::Pools}) {
                desk.window->resize(width, 800);
                view->setTab(tab);
                QTest::qWait(30);
                const Table& table = view->widget();
                const int room = table.viewport()->width();
                bool between = table.horizontalHeader()->length() <= room;
                for (int column = 1; column < table.model()->columnCount(); ++column)
                    between |= table.columnViewportPosition(column) == room;
                QVERIFY2(between, qPrintable(QStringLiteral("%1, table %2").arg(width).arg(tab)));
            }
    }

    void everyModelOfItemsBehaves()
    {
        Desk desk;
        std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
        const auto watch = [&](QAbstractItemModel* model) {
            QVERIFY(model);
            testers.push_back(
                std::make_unique<QAbstractItemModelTester>(model, QAbstractItemModelTester::FailureReportingMode::QtTest));
        };
        watch(desk.find<QListView>("modelList")->model());
        watch(desk.find<QListView>("plannerList")->model());
        watch(desk.find<QTableView>("runTable")->model());
        watch(desk.find<QListView>("diagnosticList")->model());
        QVERIFY(desk.open("resnet18"));
        watch(&desk.show<TablesView>("tables")->table());
        QVERIFY(desk.open("lstm_loop"));
        auto* tables = desk.show<TablesView>("tables");
        for (int tab = TablesView::Buffers; tab <= TablesView::Problems; ++tab) tables->setTab(tab);
        desk.workspace().selection().setFilter(parseSearch(QStringLiteral("size>1K")).filter);
        auto* runs = desk.find<QTableView>("runTable");
        for (int column = 0; column < runs->model()->columnCount(); ++column) runs->sortByColumn(column, Qt::DescendingOrder);
        desk.workspace().planners().setAllTicked(true);
        desk.workspace().setModel(desk.session.models().front());
        desk.workspace().shown().clear();
        desk.trigger("file.close");
        desk.trigger("file.close");
    }

    void theGraphIsLaidOutAndItsNodesSelect()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* view = desk.show<PictureView>("graph");
        QTRY_VERIFY_WITH_TIMEOUT(view->canvas()->ready() && view->canvas()->scene(), 30'000);
        const GraphPicture& picture = view->pictureAs<GraphPicture>();
        // The first node that writes something.
        const auto& nodes = picture.graph()->nodes;
        const auto writer = std::ranges::find_if(nodes, [](const GraphItem& node) { return !node.writes.empty(); });
        const int index = int(writer - nodes.begin());
        QCOMPARE(graphNodeAt(picture.state(), picture.state().box(std::size_t(index)).center()), index);
        const BufferId written = writer->writes.front();
        const Step step = writer->step;
        QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, picture.state().box(std::size_t(index)).center().toPoint());
        QCOMPARE(desk.workspace().selection().buffer(), written);
        QCOMPARE(desk.workspace().selection().cursor(), std::optional(step));
        const std::size_t whole = nodes.size();
        QVERIFY(view->canvas()->setOption(QStringLiteral("hops"), QStringLiteral("1")));
        QTRY_VERIFY_WITH_TIMEOUT(view->canvas()->ready(), 30'000);
        QVERIFY(picture.graph()->nodes.size() < whole);
    }

    void theGraphChangesItsKindAndStaysLinked()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* view = desk.show<PictureView>("graph");
        const GraphPicture& picture = view->pictureAs<GraphPicture>();
        const auto settled = [&] {
            return QTest::qWaitFor([&] { return view->canvas()->ready() && view->canvas()->scene(); }, 30'000);
        };
        QVERIFY(settled()); // before, there are no options
        const auto run = desk.workspace().run();
        for (const GraphKind kind : {GraphKind::interference, GraphKind::allocation}) {
            const auto* kinds = desk.find<SegmentedControl>("graph-kind");
            QVERIFY(kinds);
            const auto buttons = kinds->findChildren<QAbstractButton*>();
            QTest::mouseClick(buttons[int(kind)], Qt::LeftButton);
            QCOMPARE(picture.kind(), kind);
            QVERIFY(settled());
            QCOMPARE(picture.graph()->kind, kind);
            QCOMPARE(picture.graph()->shown, run->problem().buffers.size());
            QVERIFY(!view->grab().toImage().isNull());
            // A buffer selected elsewhere is lit here, one clicked here is selected everywhere.
            const std::vector<GraphItem> nodes = picture.graph()->nodes;
            const auto buffer =
                std::ranges::find_if(nodes, [](const GraphItem& item) { return item.role == GraphItem::Role::buffer; });
            const int index = int(buffer - nodes.begin());
            desk.workspace().selection().select(buffer->writes.front());
            QVERIFY(picture.state().lit(std::size_t(index)));
            desk.workspace().selection().select(none);
            const QPoint middle = picture.state().box(std::size_t(index)).center().toPoint();
            QTest::mouseMove(view->canvas(), middle);
            QTRY_COMPARE(desk.workspace().selection().hovered(), buffer->writes.front());
            QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, middle);
            QCOMPARE(desk.workspace().selection().buffer(), buffer->writes.front());
            // One hop is the buffer and what an edge joins it to.
            std::size_t joined = 1;
            for (std::size_t i = 0; i < nodes.size(); ++i)
                joined += nodes[i].role == GraphItem::Role::buffer &&
                          std::ranges::any_of(picture.graph()->edges, [&](const GraphLink& edge) {
                              return (edge.from == index && edge.to == int(i)) || (edge.to == index && edge.from == int(i));
                          });
            QVERIFY(view->canvas()->setOption(QStringLiteral("hops"), QStringLiteral("1")));
            QVERIFY(settled());
            QCOMPARE(picture.graph()->shown, joined);
            QVERIFY(view->canvas()->setOption(QStringLiteral("hops"), QStringLiteral("all")));
            QVERIFY(settled());
            desk.workspace().selection().clear();
        }
        // An edge of an allocation stands for its two ends.
        const GraphState state = picture.state();
        for (std::size_t e = 0; e < picture.graph()->edges.size(); ++e) {
            const GraphLink& edge = picture.graph()->edges[e];
            if (picture.graph()->nodes[std::size_t(edge.from)].writes.empty() ||
                picture.graph()->nodes[std::size_t(edge.to)].writes.empty())
                continue;
            const QPolygonF line = state.line(e);
            const QPoint middle = line[line.size() / 2].toPoint();
            if (graphNodeAt(state, middle) >= 0 || graphEdgeAt(state, middle) != std::int32_t(e)) continue;
            QTest::mouseMove(view->canvas(), middle);
            QTest::mouseClick(view->canvas(), Qt::LeftButton, {}, middle);
            QTRY_COMPARE(desk.workspace().selection().buffers().size(), std::size_t(2));
            break;
        }
        QVERIFY(desk.workspace().selection().buffers().size() == 2);
    }

    void aListOfBuffersHasGraphsToo()
    {
        Desk desk;
        QGuiApplication::clipboard()->setText(QStringLiteral("id,lower,upper,size\na,0,3,64\nb,1,4,32\nc,3,6,64\n"));
        desk.trigger("file.paste");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().run() && desk.idle(), 30'000);
        auto* view = desk.show<PictureView>("graph");
        QTRY_VERIFY2_WITH_TIMEOUT(view->message().contains(QStringLiteral("ops of a computation graph")),
                                  qPrintable(view->message()), 30'000);
        QVERIFY(view->canvas()->setOption(QStringLiteral("kind"), QStringLiteral("interference")));
        QTRY_VERIFY_WITH_TIMEOUT(view->canvas()->ready() && view->canvas()->scene(), 30'000);
        QCOMPARE(view->pictureAs<GraphPicture>().graph()->edges.size(), std::size_t(2)); // a with b, b with c
    }

    void curvesHaveAtMostTwoPointsForEachPixel()
    {
        Desk desk;
        QString csv = QStringLiteral("id,lower,upper,size\n");
        for (int i = 0; i < 30000; ++i)
            csv += QStringLiteral("b%1,%2,%3,%4\n").arg(i).arg(i).arg(i + 1 + i % 5).arg(1 + (i * 37) % 997);
        QGuiApplication::clipboard()->setText(csv);
        desk.trigger("file.paste");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().run() && desk.idle(), 60'000);
        auto* view = desk.show<PictureView>("usage");
        QTRY_VERIFY_WITH_TIMEOUT(view->canvas()->ready() && view->canvas()->scene(), 30'000);
        const UsageState& state = view->pictureAs<UsagePicture>().state();
        const Curve curve = curveOf(state.pools->front().live, state.axis);
        QVERIFY(curve.most.size() > 100);
        QVERIFY(curve.most.size() <= 4 * std::size_t(state.axis.pixels()));
    }

    void unitsAndBaseChangeEverywhere()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* status = desk.find<StatusStrip>();
        desk.workspace().setNumbers({NumberFormat::Unit::kibibytes, false});
        QVERIFY(status->parts().join(u' ').contains(QStringLiteral("KiB")));
        QCOMPARE(status->parts().back(), QStringLiteral("KiB, dec"));
        auto* runs = desk.find<QTableView>("runTable");
        QCOMPARE(runs->model()->headerData(RunTable::Size, Qt::Horizontal).toString(), QStringLiteral("pool size, KiB"));
    }

    /// A size in a larger unit is as many words as the whole number beside the same plan elsewhere.
    void shortSizesAreInTheUnitOfTheWindow()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.workspace().setNumbers({NumberFormat::Unit::words, false});
        const double words = double(desk.workspace().run()->report.totalSize()) / 4;
        const auto wordsIn = [](const QString& text) { // "24 K" are 24 * 1024
            const QString number = text.section(u' ', 0, 0).remove(u',');
            return number.toDouble() * (text.contains(QStringLiteral(" K")) ? 1024.0 : 1.0);
        };
        const auto tells = [&](const QString& text) { return std::abs(wordsIn(text) - words) <= words / 100; };
        const auto* planners = dynamic_cast<PlannerList*>(desk.find<QListView>("plannerList")->model());
        const QModelIndex planner = planners->indexOf(desk.workspace().run()->plan.planner);
        for (const int role : {PlannerList::SizeRole, PlannerList::ShortSizeRole})
            QVERIFY2(tells(planner.data(role).toString()), qPrintable(planner.data(role).toString()));
        const QModelIndex row = desk.find<QListView>("modelList")->model()->index(0, 0);
        QVERIFY2(tells(row.data(ModelList::SizeRole).toString()), qPrintable(row.data(ModelList::SizeRole).toString()));
        QVERIFY(row.data(Qt::AccessibleDescriptionRole).toString().endsWith(QStringLiteral(" words")));
        // The matrix has a row for each of several models.
        const QString name = desk.workspace().model()->name;
        QVERIFY(desk.open("microcontroller_two_memories"));
        const auto& matrix = desk.show<CompareView>("compare")->matrix();
        QTRY_COMPARE(matrix.rowCount(), 2);
        const int line = matrix.index(0, 0).data().toString() == name ? 0 : 1;
        for (int column = 1; column < matrix.columnCount(); ++column) {
            const QString tip = matrix.index(line, column).data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains(QStringLiteral(" words, bound ")) || tip == QStringLiteral("not planned"), qPrintable(tip));
        }
    }

    void theRunsAreCopiedAsTable()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.trigger("compare.copy");
        const QStringList lines = QGuiApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(std::size_t(lines.size()), desk.workspace().runs().size() + 1);
        QVERIFY(lines.front().startsWith(QStringLiteral("planner\tchecker\t")));
        for (const QString& line : lines) QCOMPARE(line.count(u'\t'), lines.front().count(u'\t'));
    }

    /// Long names may be broken in panels. What is pasted is the name itself: a search finds it.
    void aCopiedNameIsTheName()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const auto& buffers = desk.workspace().run()->problem().buffers;
        const auto joined =
            std::ranges::find_if(buffers, [](const Buffer& each) { return each.name.find('/') != std::string::npos; });
        QVERIFY(joined != buffers.end());
        const QString whole = QString::fromStdString(joined->name);
        desk.workspace().selection().select(BufferId(joined - buffers.begin()));
        QLabel* shown = nullptr;
        QTRY_VERIFY([&] {
            for (QLabel* label : desk.find<QWidget>("inspector")->findChildren<QLabel*>())
                if (label->text() != whole && label->text().remove(QChar(0x200b)) == whole && label->hasSelectedText() == false &&
                    label->textInteractionFlags().testFlag(Qt::TextSelectableByMouse))
                    shown = label;
            return shown != nullptr;
        }());
        shown->setSelection(0, int(shown->text().size()));
        QTest::keySequence(shown, QKeySequence::Copy);
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), whole);
    }

    /// Options of a picture come when it is drawn: in a narrow window the bar takes another form then, as no word may be cut.
    void aBarFitsOptionsThatComeLater()
    {
        for (const char* view : {"graph", "fold"}) {
            Desk desk;
            desk.window->resize(1100, 700);
            desk.window->views().setCurrent(QString::fromLatin1(view));
            QVERIFY(desk.open("mlp_packed_weights"));
            const auto joined = [&] {
                std::vector<QWidget*> all;
                for (QWidget* each : desk.window->findChildren<QWidget*>())
                    if (each->property("wideForm").toBool() && each->objectName().startsWith(QLatin1String(view)))
                        all.push_back(each);
                return all;
            };
            QTRY_VERIFY(!joined().empty());
            const auto whole = [&] {
                return std::ranges::all_of(joined(), [](const QWidget* each) {
                    return !each->isVisible() || each->width() >= each->minimumSizeHint().width();
                });
            };
            QTRY_VERIFY(whole());
            QTest::qWait(100);
            QVERIFY(whole());
        }
    }

    void panelsThatAreClosedStayClosedForTheirView()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.show<TablesView>("tables");
        auto* inspector = desk.find<QWidget>("inspector");
        QVERIFY(inspector->isVisible());
        desk.trigger("view.inspector");
        QVERIFY(!inspector->isVisible());
        desk.show<PictureView>("graph");
        QVERIFY(inspector->isVisible()); // its own choice
        desk.show<TablesView>("tables");
        QVERIFY(!inspector->isVisible());
    }

    void panelsThatAreClosedStayClosedAtTheNextStart()
    {
        {
            Desk desk;
            QVERIFY(desk.open("mobilenet_v1_025"));
            desk.show<TablesView>("tables");
            desk.trigger("view.inspector");
            desk.window->close();
        }
        {
            Desk desk;
            QVERIFY(desk.open("mobilenet_v1_025"));
            QVERIFY(desk.find<QWidget>("inspector")->isVisible()); // of the map it was not closed
            desk.show<TablesView>("tables");
            QVERIFY(!desk.find<QWidget>("inspector")->isVisible());
            desk.trigger("view.inspector");
            desk.window->close();
        }
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.show<TablesView>("tables");
        QVERIFY(desk.find<QWidget>("inspector")->isVisible());
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(WindowViewsTest)
#include "tst_window_views.moc"
