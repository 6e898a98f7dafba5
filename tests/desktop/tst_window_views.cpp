// The real window: its views, in both themes and every state.
#include "app/charts/time_chart.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/views/graph_view.h"
#include "app/desktop/views/tables_view.h"
#include "app/desktop/views/usage_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/table.h"
#include "tests/desktop/desk.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QListView>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace stowage;
using test::Desk;

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
            for (const ThemeMode mode : {ThemeMode::light, ThemeMode::dark}) {
                desk.look.setMode(mode);
                QTest::qWait(30);
                const QImage image = view->grab().toImage();
                QVERIFY(image.width() > 100 && image.height() > 100);
                // More than one colour: something is drawn.
                const QRgb first = image.pixel(1, 1);
                bool different = false;
                for (int y = 0; y < image.height() && !different; y += 3)
                    for (int x = 0; x < image.width() && !different; x += 3) different = image.pixel(x, y) != first;
                QVERIFY2(different, viewEntries()[i].id);
            }
            view->zoomToPeak();
            desk.workspace().selection().select(2);
            view->zoomToSelection();
            view->zoomToFit();
            desk.workspace().selection().setFilter(parseSearch(QStringLiteral("size>1K")).filter);
            desk.workspace().showNeighbourRun(1);
            desk.workspace().selection().setFilter({});
            view->grab();
        }
        desk.workspace().clearRuns(); // nothing left to show
        for (std::size_t i = 0; i < viewEntries().size(); ++i) {
            desk.window->views().setCurrent(int(i));
            desk.window->views().currentView()->grab();
        }
        QCOMPARE(desk.window->views().made(), int(viewEntries().size()));
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
        desk.workspace().setAllTicked(true);
        desk.workspace().setModel(desk.session.models().front());
        desk.workspace().clearRuns();
        desk.trigger("file.close");
        desk.trigger("file.close");
    }

    void theGraphIsLaidOutAndItsNodesSelect()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* view = desk.show<GraphView>("graph");
        QTRY_VERIFY_WITH_TIMEOUT(!view->busy(), 30'000);
        QVERIFY2(!view->graph().nodes.empty(), qPrintable(view->message()));
        // The first node that writes something.
        const auto& nodes = view->graph().nodes;
        const auto writer = std::ranges::find_if(nodes, [](const GraphItem& node) { return !node.writes.empty(); });
        const int index = int(writer - nodes.begin());
        QCOMPARE(view->nodeAt(view->nodeBox(index).center()), index);
        QTest::mouseClick(view, Qt::LeftButton, {}, view->nodeBox(index).center().toPoint());
        QCOMPARE(desk.workspace().selection().buffer(), writer->writes.front());
        QCOMPARE(desk.workspace().selection().cursor(), std::optional(writer->step));
        const std::size_t whole = nodes.size();
        view->setHops(1);
        QTRY_VERIFY_WITH_TIMEOUT(!view->busy(), 30'000);
        QVERIFY(view->graph().nodes.size() < whole);
    }

    void theGraphChangesItsKindAndStaysLinked()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* view = desk.show<GraphView>("graph");
        auto* kinds = desk.find<SegmentedControl>("graphKind");
        QVERIFY(kinds);
        const auto settled = [&] { return QTest::qWaitFor([&] { return !view->busy(); }, 30'000); };
        QVERIFY(settled());
        const auto run = desk.workspace().run();
        for (const GraphKind kind : {GraphKind::interference, GraphKind::allocation}) {
            const auto buttons = kinds->findChildren<QAbstractButton*>();
            QTest::mouseClick(buttons[int(kind)], Qt::LeftButton);
            QCOMPARE(view->kind(), kind);
            QVERIFY(settled());
            QCOMPARE(view->graph().kind, kind);
            QCOMPARE(view->graph().shown, run->problem().buffers.size());
            QVERIFY(!view->grab().toImage().isNull());
            // A buffer selected elsewhere is lit here, one clicked here is selected everywhere.
            const auto& nodes = view->graph().nodes;
            const auto buffer =
                std::ranges::find_if(nodes, [](const GraphItem& item) { return item.role == GraphItem::Role::buffer; });
            const int index = int(buffer - nodes.begin());
            desk.workspace().selection().select(buffer->writes.front());
            QVERIFY(view->state().lit(std::size_t(index)));
            desk.workspace().selection().select(none);
            QTest::mouseMove(view, view->nodeBox(index).center().toPoint());
            QTRY_COMPARE(desk.workspace().selection().hovered(), buffer->writes.front());
            QTest::mouseClick(view, Qt::LeftButton, {}, view->nodeBox(index).center().toPoint());
            QCOMPARE(desk.workspace().selection().buffer(), buffer->writes.front());
            // One hop is the buffer and what an edge joins it to.
            std::size_t joined = 1;
            for (std::size_t i = 0; i < nodes.size(); ++i)
                joined += nodes[i].role == GraphItem::Role::buffer &&
                          std::ranges::any_of(view->graph().edges, [&](const GraphLink& edge) {
                              return (edge.from == index && edge.to == int(i)) || (edge.to == index && edge.from == int(i));
                          });
            view->setHops(1);
            QVERIFY(settled());
            QCOMPARE(view->graph().shown, joined);
            view->setHops(0);
            QVERIFY(settled());
            desk.workspace().selection().clear();
        }
        // An edge of an allocation stands for its two ends.
        const GraphState state = view->state();
        for (std::size_t e = 0; e < view->graph().edges.size(); ++e) {
            const GraphLink& edge = view->graph().edges[e];
            if (view->graph().nodes[std::size_t(edge.from)].writes.empty() ||
                view->graph().nodes[std::size_t(edge.to)].writes.empty())
                continue;
            const QPolygonF line = state.line(e);
            const QPoint middle = line[line.size() / 2].toPoint();
            if (view->nodeAt(middle) >= 0 || graphEdgeAt(state, middle) != std::int32_t(e)) continue;
            QTest::mouseMove(view, middle);
            QTest::mouseClick(view, Qt::LeftButton, {}, middle);
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
        auto* view = desk.show<GraphView>("graph");
        QVERIFY2(view->message().contains(QStringLiteral("no ops")), qPrintable(view->message()));
        view->setKind(GraphKind::interference);
        QTRY_VERIFY_WITH_TIMEOUT(!view->busy(), 30'000);
        QCOMPARE(view->graph().edges.size(), std::size_t(2)); // a with b, b with c
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
        auto* view = desk.show<UsageView>("usage");
        QTRY_VERIFY_WITH_TIMEOUT(view->useChart().mostPoints() > 100, 30'000);
        QVERIFY(view->useChart().mostPoints() <= 2 * std::size_t(view->useChart().width()));
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

    void panelsThatAreClosedStayClosedForTheirView()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.show<TablesView>("tables");
        auto* inspector = desk.find<QWidget>("inspector");
        QVERIFY(inspector->isVisible());
        desk.trigger("view.inspector");
        QVERIFY(!inspector->isVisible());
        desk.show<GraphView>("graph");
        QVERIFY(inspector->isVisible()); // its own choice
        desk.show<TablesView>("tables");
        QVERIFY(!inspector->isVisible());
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(WindowViewsTest)
#include "tst_window_views.moc"
