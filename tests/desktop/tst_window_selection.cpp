// The real window: one selection, one filter, one search field for every view.
#include "app/canvas/axis/timeline.h"
#include "app/canvas/kit/background_pool.h"
#include "app/canvas/kit/picture.h"
#include "app/charts/histogram.h"
#include "app/desktop/panels/distributions_panel.h"
#include "app/desktop/panels/inspector.h"
#include "app/desktop/panels/support_pile.h"
#include "app/desktop/shell/search_field.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/picture_view.h"
#include "app/desktop/views/tables_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/table.h"
#include "tests/desktop/map_desk.h"

#include <QAbstractScrollArea>
#include <QLabel>
#include <QPushButton>
#include <QSemaphore>
#include <QStringList>
#include <QTest>
#include <QThreadPool>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace stowage;
using test::Desk;
using test::MapDesk;

namespace {

/// A kind of ops that is wider than its place in the inspector.
const QString longKind = QStringLiteral("BatchNormalizationFusedWithActivation");

/// Opens a program with one op of that kind, and selects its input.
bool longOpOpened(Desk& desk, const QString& name)
{
    desk.workspace().openText(
        QStringLiteral("long"),
        QStringLiteral("{\"format\": \"stowage.program/1\", \"entry\": \"main\", \"functions\": [{\"name\": \"main\", "
                       "\"inputs\": [\"x\"], \"outputs\": [\"y\"], \"tensors\": ["
                       "{\"name\": \"x\", \"kind\": \"input\", \"dtype\": \"f32\", \"shape\": [4]}, "
                       "{\"name\": \"y\", \"kind\": \"output\", \"dtype\": \"f32\", \"shape\": [4]}], "
                       "\"ops\": [{\"name\": \"%1\", \"kind\": \"%2\", \"inputs\": [\"x\"], \"outputs\": [\"y\"]}]}]}")
            .arg(name, longKind)
            .toUtf8());
    if (!QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 20'000)) return false;
    const auto& buffers = desk.workspace().run()->problem().buffers;
    const auto input = std::ranges::find(buffers, std::string("x"), &Buffer::name);
    if (input == buffers.end()) return false;
    desk.workspace().selection().select(BufferId(input - buffers.begin()));
    return true;
}

/// The label in the inspector with this text; null if none is shown.
const ElidedLabel* inspectorLabel(Desk& desk, const QString& text)
{
    for (const ElidedLabel* each : desk.find<Inspector>()->widget()->findChildren<ElidedLabel*>())
        if (each->isVisible() && each->fullText() == text) return each;
    return nullptr;
}

} // namespace

class WindowSelectionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void oneSelectionReachesEveryView()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* tables = desk.show<TablesView>("tables");
        QVERIFY(tables);
        const QModelIndex third = tables->table().index(3, 0);
        tables->widget().selectRow(3);
        const BufferId buffer = third.data(RowTable::BufferRole).toInt();
        QCOMPARE(desk.workspace().selection().buffer(), buffer);
        QVERIFY(desk.find<StatusStrip>()->parts().join(u' ').contains(QStringLiteral("selected 1 buffer")));
        // And back: a selection from elsewhere moves the table.
        desk.workspace().selection().select(5);
        QCOMPARE(tables->widget().currentIndex().data(RowTable::BufferRole).toInt(), 5);
        // It survives a change of planner.
        desk.workspace().showNeighbourRun(1);
        QCOMPARE(desk.workspace().selection().buffer(), 5);
        desk.trigger("edit.deselect");
        QCOMPARE(desk.workspace().selection().buffer(), none);
    }

    void aHiddenViewTakesOverTheSelectionWhenItIsShown()
    {
        MapDesk desk;
        MapWidget* rows = desk.openMap("transformer_block", "liveness");
        QVERIFY(rows);
        MapWidget* map = desk.mapOf("memory-map");
        QVERIFY(map && !rows->isVisible());
        const BufferId last = BufferId(desk.workspace().run()->problem().buffers.size()) - 1;
        desk.workspace().selection().select(last);
        desk.workspace().selection().setCursor(3);
        QCOMPARE(map->state()->state().selected, last);
        QCOMPARE(rows->state()->state().selected, BufferId(none)); // nobody sees it
        QCOMPARE(desk.mapOf("liveness"), rows);
        QCOMPARE(rows->state()->state().selected, last);
        QCOMPARE(rows->state()->state().cursor, std::optional<Step>(3));
        QVERIFY(!rows->boxOf(last).isEmpty()); // its row has come into view
    }

    /// The order of ops decides which result takes over an input, so that an id may stand for another buffer in another order.
    void aRunOfAnotherOrderIsMatchedByName()
    {
        Desk desk;
        // Of p and q, the one that runs last writes its result over a. The result of the other one is buffer 2.
        desk.workspace().openText(QStringLiteral("fork"), R"({"format": "stowage.program/1", "name": "fork", "entry": "main",
 "lowering": {"inplace": "allowed"}, "functions": [
 {"name": "main", "inputs": ["x"], "outputs": ["y"], "tensors": [
   {"name": "x", "kind": "input", "dtype": "i8", "shape": [64]}, {"name": "a", "dtype": "i8", "shape": [64]},
   {"name": "b", "dtype": "i8", "shape": [64]}, {"name": "c", "dtype": "i8", "shape": [64]},
   {"name": "y", "kind": "output", "dtype": "i8", "shape": [64]}],
  "ops": [{"name": "f", "kind": "f", "inputs": ["x"], "outputs": ["a"]},
          {"name": "p", "kind": "p", "inputs": ["a"], "outputs": ["b"], "inplace": [["a", "b"]]},
          {"name": "q", "kind": "q", "inputs": ["a"], "outputs": ["c"], "inplace": [["a", "c"]]},
          {"name": "h", "kind": "h", "inputs": ["b", "c"], "outputs": ["y"]}]}]})");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        auto* view = desk.show<CompareView>("compare");
        QVERIFY(view);
        desk.workspace().planners().setAllTicked(false);
        desk.workspace().planners().setTicked("greedy-by-size", true);
        desk.workspace().shown().clear();
        desk.workspace().plan();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().runs().size() == 1, 20'000);
        Program moved = *desk.workspace().model()->program;
        moved.functions.front().regions.front().ops = {0, 2, 1, 3};
        desk.workspace().planners().setAllTicked(false);
        desk.workspace().planners().setTicked("greedy-by-breadth", true);
        desk.workspace().edits().setProgram(std::make_shared<const Program>(std::move(moved)), QStringLiteral("q before p"));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().runs().size() == 2, 20'000);
        const auto isReady = [](const MapWidget* map) { return map->ready() && map->state(); };
        QTRY_VERIFY_WITH_TIMEOUT(view->maps().size() == 2 && std::ranges::all_of(view->maps(), isReady), 20'000);
        const auto here = desk.workspace().run();
        MapWidget* shown = nullptr;
        MapWidget* other = nullptr;
        for (MapWidget* map : view->maps()) (map->run() == here ? shown : other) = map;
        QVERIFY(shown && other);
        QCOMPARE(here->lowering->fingerprint, other->run()->lowering->fingerprint);
        const auto nameIn = [](const Run& run, std::size_t id) { return std::string(run.problem().buffers[id].name); };
        QCOMPARE(here->problem().buffers.size(), std::size_t(4));
        QCOMPARE(other->run()->problem().buffers.size(), std::size_t(4));
        std::vector<std::string> own{nameIn(*here, 2), nameIn(*other->run(), 2)};
        std::ranges::sort(own);
        QCOMPARE(own, (std::vector<std::string>{"b", "c"}));
        SelectionModel& selection = desk.workspace().selection();
        for (BufferId id = 0; id < 4; ++id) {
            selection.select(none);
            const QPoint at = other->boxOf(id).center().toPoint();
            QCOMPARE(other->bufferAt(at), id);
            QTest::mouseClick(other, Qt::LeftButton, {}, at);
            const BufferId expected = id == 2 ? BufferId(none) : id; // x, a and y have the same ids in both
            QCOMPARE(selection.buffer(), expected);
            QCOMPARE(shown->state()->state().selected, expected);
        }
        selection.select(2); // the other map does not have that buffer
        QCOMPARE(shown->state()->state().selected, BufferId(2));
        QCOMPARE(other->state()->state().selected, BufferId(none));
    }

    void theTimeCursorDoesNotSumUpTheSelectionAgain()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* status = desk.find<StatusStrip>();
        const auto run = desk.workspace().run();
        const auto said = [&](const QString& words) { return status->parts().join(u' ').contains(words); };
        desk.workspace().selection().selectMany({3, 4, 5});
        const auto& buffers = run->problem().buffers;
        const Bytes sum = buffers[3].size + buffers[4].size + buffers[5].size;
        QVERIFY(said(QStringLiteral("selected 3 buffers %1").arg(bytesText(sum, desk.workspace().numbers()))));
        const std::size_t sums = status->sumsMade();
        for (Step step = 0; step < 6; ++step) {
            desk.workspace().selection().setCursor(step);
            status->grab();
        }
        QVERIFY(said(QStringLiteral("step 5")));
        QCOMPARE(status->sumsMade(), sums);
        desk.workspace().selection().selectMany({3, 4});
        QVERIFY(said(QStringLiteral("selected 2 buffers %1")
                         .arg(bytesText(buffers[3].size + buffers[4].size, desk.workspace().numbers()))));
        // Another run may have other sizes.
        const std::size_t before = status->sumsMade();
        desk.workspace().showNeighbourRun(1);
        QVERIFY(status->sumsMade() > before);
    }

    /// Whoever has set them: no reader goes past the end.
    void idsThatTheRunDoesNotHaveAreLeftOut()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        const BufferId count = BufferId(desk.workspace().run()->problem().buffers.size());
        const auto heading = [&](const QString& words) {
            const auto labels = desk.find<Inspector>()->widget()->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == words; });
        };
        desk.workspace().selection().selectMany({2, 3, count, count + 1000});
        QVERIFY(desk.find<StatusStrip>()->parts().join(u' ').contains(QStringLiteral("selected 2 buffers")));
        QTRY_VERIFY(heading(QStringLiteral("2 buffers selected")));
        desk.workspace().selection().selectMany({count, count + 1});
        QVERIFY(!desk.find<StatusStrip>()->parts().join(u' ').contains(QStringLiteral("selected")));
        QTRY_VERIFY(!heading(QStringLiteral("2 buffers selected")));
    }

    /// What the card beside the area says before the button is released: it is counted on from move to move.
    void theSumsOfAnAreaAreRightWhileItIsDraggedOut()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const QRectF band = map->bands().strips.front();
        const auto at = [&](double across, double up) {
            return QPointF(map->bands().plotLeft + across * map->bands().plotWidth(), band.bottom() - up * band.height());
        };
        const auto send = [&](QEvent::Type type, const QPointF& to, Qt::MouseButton button, Qt::MouseButtons held) {
            QMouseEvent event(type, to, map->mapToGlobal(to), button, held, Qt::NoModifier);
            QApplication::sendEvent(map, &event);
        };
        send(QEvent::MouseButtonPress, at(0.3, 0.7), Qt::LeftButton, Qt::LeftButton);
        for (const QPointF& to : {at(0.35, 0.6), at(0.9, 0.1), at(0.95, 0.95), at(0.05, 0.9), at(0.6, 0.2)})
            send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
        QVERIFY(map->areaSums());
        const AreaSums dragged = *map->areaSums();
        QVERIFY(dragged.count > 0);
        QVERIFY(dragged.buffers.empty()); // counted only
        send(QEvent::MouseButtonRelease, at(0.6, 0.2), Qt::LeftButton, Qt::NoButton);
        // On release they are listed, and summed up as a whole.
        const AreaSums* released = map->areaSums();
        QVERIFY(released);
        QCOMPARE(released->buffers.size(), dragged.count);
        QCOMPARE(released->bytes, dragged.bytes);
        QCOMPARE(released->occupied, dragged.occupied);
        QCOMPARE(released->area, dragged.area);
        QCOMPARE(desk.workspace().selection().buffers(), released->buffers);
    }

    void theSearchFieldFiltersEveryView()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* tables = desk.show<TablesView>("tables");
        const int all = tables->table().rowCount();
        desk.trigger("edit.find");
        auto* search = desk.find<SearchField>("search");
        QTest::keyClicks(search, QStringLiteral("size>100K"));
        const auto hits = search->hits(1000);
        QVERIFY(hits.count > 0 && int(hits.count) < all);
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(tables->table().rowCount(), int(hits.count));
        QCOMPARE(desk.workspace().selection().mask()->count, hits.count);
        for (int row = 0; row < tables->table().rowCount(); ++row)
            QVERIFY(desk.workspace()
                        .run()
                        ->problem()
                        .buffers[std::size_t(tables->table().index(row, 0).data(RowTable::BufferRole).toInt())]
                        .size > 102400);
        desk.trigger("edit.clear-filter");
        QCOMPARE(tables->table().rowCount(), all);
        QCOMPARE(search->text(), QString());
    }

    void anAddressFindsTheBufferThatHoldsIt()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        const auto run = desk.workspace().run();
        // Any byte of any buffer; the cursor says which one when several take turns there.
        for (std::size_t i = 0; i < run->problem().buffers.size(); i += 7) {
            const Buffer& buffer = run->problem().buffers[i];
            if (!run->plan.placements[i].placed()) continue;
            desk.workspace().selection().setCursor(buffer.live.front().begin);
            auto* search = desk.find<SearchField>("search");
            search->setFocus();
            search->setText(QStringLiteral("0x") + QString::number(run->plan.placements[i].offset + buffer.size - 1, 16));
            QTest::keyClick(search, Qt::Key_Return);
            const BufferId found = desk.workspace().selection().buffer();
            QVERIFY(found != none);
            // Two pools may both have the address.
            if (run->plan.placements[std::size_t(found)].pool == run->plan.placements[i].pool) QCOMPARE(found, BufferId(i));
        }
    }

    /// The tiles of this model have two slots each.
    void anAddressInALaterSlotFindsItsBuffer()
    {
        Desk desk;
        QVERIFY(desk.open("double_buffered_matmul"));
        const auto run = desk.workspace().run();
        const auto& buffers = run->problem().buffers;
        const auto tile = std::ranges::find(buffers, std::string("a_tile"), &Buffer::name);
        QVERIFY(tile != buffers.end());
        const Placement& placement = run->plan.placements[std::size_t(tile - buffers.begin())];
        QCOMPARE(placement.offsets.size(), std::size_t(2));
        desk.workspace().selection().setCursor(tile->live.front().begin);
        auto* search = desk.find<SearchField>("search");
        search->setFocus();
        search->setText(QStringLiteral("0x") + QString::number(placement.offsets[1] + 1, 16));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(desk.workspace().selection().buffer(), BufferId(tile - buffers.begin()));
    }

    /// What the list says of Enter depends on this: of an address it selects a buffer, of anything else it shows less.
    void anAddressIsToldFromAFilter()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        auto* search = desk.find<SearchField>("search");
        search->setText(QStringLiteral("size>1K"));
        QVERIFY(!search->hits(1000).atAddress && search->hits(1000).count > 0);
        search->setText(QStringLiteral("0x0"));
        QVERIFY(search->hits(1000).atAddress && search->hits(1000).count > 1); // many lie there in turn
    }

    void aSearchThatIsWrongSaysSoAndChangesNothing()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        auto* search = desk.find<SearchField>("search");
        search->setFocus();
        QTest::keyClicks(search, QStringLiteral("/(/"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(!search->hits(1).error.isEmpty());
        QVERIFY(search->property("invalid").toBool());
        QVERIFY(!desk.workspace().selection().filter().active());
    }

    /// The field is narrower there than the sentence.
    void anErrorOfTheSearchIsWholeInANarrowWindow()
    {
        Desk desk;
        desk.window->resize(1100, 700);
        QVERIFY(desk.open("resnet18"));
        auto* search = desk.find<SearchField>("search");
        search->setFocus();
        QTest::keyClicks(search, QStringLiteral("size>"));
        const QString error = search->hits(1).error;
        QVERIFY(!error.isEmpty());
        const QLabel* said = nullptr;
        QTRY_VERIFY([&] {
            for (const QLabel* label : desk.window->findChildren<QLabel*>())
                if (label->isVisible() && label->text() == error) said = label;
            return said != nullptr;
        }());
        QTRY_VERIFY(said->height() >= said->heightForWidth(said->width()));
        QVERIFY(said->parentWidget()->rect().contains(said->geometry()));
    }

    void aBarOfTheHistogramFiltersAndLetsGo()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        QVERIFY(desk.show<PictureView>("usage"));
        auto* panel = desk.find<DistributionsPanel>();
        QTRY_VERIFY(panel->isVisible());
        Histogram& sizes = panel->sizes();
        QVERIFY(sizes.buckets().size() > 1);
        QWidget* bars = &sizes;
        const QPoint last = sizes.barBox(int(sizes.buckets().size()) - 1).center().toPoint();
        QTest::mouseClick(bars, Qt::LeftButton, {}, last);
        const auto& selection = desk.workspace().selection();
        QCOMPARE(selection.filter().minimumSize, std::optional(sizes.buckets().back().low));
        QVERIFY(!selection.filter().maximumSize); // the last class is open above
        QCOMPARE(selection.mask()->count, sizes.buckets().back().count);
        QTest::mouseClick(bars, Qt::LeftButton, {}, last);
        QVERIFY(!selection.filter().active());
        // Escape is also a command of the window; with a focused histogram it is for the filter.
        QTest::mouseClick(bars, Qt::LeftButton, {}, last);
        QVERIFY(selection.filter().active());
        bars->setFocus();
        QTest::keyClick(bars, Qt::Key_Escape);
        QVERIFY(!selection.filter().active());
    }

    /// A word has four bytes; a class below one keeps its decimals.
    void theAxisOfTheHistogramIsInTheUnitOfTheWindow()
    {
        NumberFormat bytes, words;
        words.unit = NumberFormat::Unit::words;
        QCOMPARE(shortBytes(4096, bytes), QStringLiteral("4 K"));
        QCOMPARE(shortBytes(4096, words), QStringLiteral("1 K"));
        QCOMPARE(shortBytes(98'304, words), QStringLiteral("24 K")); // 24 * 1024 words of 4 bytes
        QCOMPARE(shortBytes(4092, words), QStringLiteral("1,023"));
        QCOMPARE(shortBytes(16, words), QStringLiteral("4"));
        QCOMPARE(shortBytes(2, words), QStringLiteral("0.5"));
        QCOMPARE(roughBytes(98'304, bytes), QStringLiteral("96 KiB"));
        QCOMPARE(roughBytes(98'304, words), QStringLiteral("24 K words"));
        QCOMPARE(roughBytes(16, words), QStringLiteral("4 words"));
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        QVERIFY(desk.show<PictureView>("usage"));
        auto* panel = desk.find<DistributionsPanel>();
        QTRY_VERIFY(panel->isVisible());
        const auto caption = [&](const QString& text) {
            const auto labels = panel->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == text; });
        };
        QTRY_VERIFY(caption(QStringLiteral("in bytes, click to filter")));
        desk.workspace().setNumbers(words);
        QTRY_VERIFY(caption(QStringLiteral("in words, click to filter")));
    }

    /// Beside a long kind of op nothing would be left of its name.
    void aLongNameOfAnOpHasALineOfItsOwn()
    {
        const QString name = QStringLiteral("/model/backbone/encoder/stages/instance_0/BatchNorm/Relu6_output_0_op");
        Desk desk;
        QVERIFY(longOpOpened(desk, name));
        QTRY_VERIFY(inspectorLabel(desk, name) && inspectorLabel(desk, name)->width() > 100);
    }

    /// An op that is called after its kind has no other name: no line stands empty for it.
    void anOpThatIsCalledAfterItsKindHasOneLine()
    {
        Desk desk;
        QVERIFY(longOpOpened(desk, longKind));
        QTRY_VERIFY(inspectorLabel(desk, longKind) && inspectorLabel(desk, longKind)->width() > 100);
        const auto labels =
            inspectorLabel(desk, longKind)->parentWidget()->findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
        const auto says = [](const QLabel* label) {
            const auto* elided = qobject_cast<const ElidedLabel*>(label);
            return label->isVisible() && !(elided ? elided->fullText() : label->text()).isEmpty();
        };
        const auto line = [](const QLabel* label) { return label->geometry().center().y(); };
        for (const QLabel* label : labels) {
            if (!label->isVisible() || !qobject_cast<const ElidedLabel*>(label) || says(label)) continue;
            const auto beside = [&](const QLabel* other) { return says(other) && std::abs(line(other) - line(label)) < 4; };
            QVERIFY(std::ranges::any_of(labels, beside));
        }
    }

    /// A limit that the unit of the window would round is in bytes.
    void theChipOfTheFilterStatesItsLimitExactly()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        QVERIFY(desk.show<PictureView>("usage"));
        auto* panel = desk.find<DistributionsPanel>();
        QTRY_VERIFY(panel->isVisible());
        NumberFormat kibibytes;
        kibibytes.unit = NumberFormat::Unit::kibibytes;
        desk.workspace().setNumbers(kibibytes);
        const auto chips = [&] {
            QStringList sizes;
            const auto buttons = panel->findChildren<QPushButton*>();
            for (const QPushButton* button : buttons)
                if (button->isVisible() && button->text().startsWith(QStringLiteral("size "))) sizes << button->text();
            return sizes.join(u'|');
        };
        const std::vector<std::pair<const char*, const char*>> expected{
            {"size>=4097", "size ≥ 4,097 B"}, {"size>=4096", "size ≥ 4 KiB"},
            {"size<4K", "size ≤ 4,095 B"},    {"size>=2K size<4K", "size 2,048 B to 4,095 B"},
            {"size=5888", "size 5.75 KiB"}, // 5 * 1,024 + 768
        };
        for (const auto& each : expected) {
            desk.workspace().selection().setFilter(parseSearch(QString::fromUtf8(each.first)).filter);
            QTRY_COMPARE(chips(), QString::fromUtf8(each.second));
        }
    }

    /// Classes of several lifetimes name both ends; the last one is open.
    void theClassesOfLifetimesNameBothEnds()
    {
        QCOMPARE(stepsLabel({1, 1, 4}, false), QStringLiteral("1"));
        QCOMPARE(stepsLabel({2, 3, 4}, false), QStringLiteral("2–3"));
        QCOMPARE(stepsLabel({1024, 2047, 4}, false), QStringLiteral("1,024–2,047"));
        QCOMPARE(stepsLabel({4, 7, 4}, true), QStringLiteral("4+"));
        QCOMPARE(stepsLabel({1, 1, 4}, true), QStringLiteral("1"));
    }

    /// What a buffer of a large run rests on is found on a thread, and shown when it is there.
    void theInspectorOfALargeRunDoesNotHoldUpTheWindow()
    {
        Desk desk;
        QByteArray csv = "id,lower,upper,size\n";
        for (std::size_t i = 0; i <= Picture::sceneAtOnce; ++i)
            csv += 'b' + QByteArray::number(qulonglong(i)) + ',' + QByteArray::number(qulonglong(i)) + ',' +
                   QByteArray::number(qulonglong(i + 3)) + ",64\n";
        desk.workspace().openText(QStringLiteral("many"), csv);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        const auto heading = [&](const QString& end) {
            const auto labels = desk.find<Inspector>()->widget()->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == end; });
        };
        // No thread gets free: what is made on the window's thread would be there all the same.
        QThreadPool& pool = backgroundPool();
        const auto free = std::make_shared<QSemaphore>();
        const int threads = pool.maxThreadCount();
        for (int i = 0; i < threads; ++i) pool.start([free] { free->acquire(); });
        desk.workspace().selection().select(1234);
        QTest::qWait(50);
        const bool waits = heading(QStringLiteral("finding…"));
        free->release(threads);
        QVERIFY(waits);
        QTRY_VERIFY_WITH_TIMEOUT(!heading(QStringLiteral("finding…")) && desk.find<SupportPile>(), 30'000);
    }

    /// The view is made when the buffer is selected already, and its window is lower than the list of rows.
    void aViewThatIsOpenedLaterHasTheRowOfTheSelection()
    {
        MapDesk desk;
        desk.window->resize(1100, 700);
        QVERIFY(desk.open("transformer_block"));
        desk.workspace().selection().select(0);
        MapWidget* map = desk.mapOf("liveness");
        QVERIFY(map);
        QVERIFY(map->picture().parts().scrolls.front().overhang() > 0);
        QTRY_COMPARE(map->boxOf(0).height(), Timeline::rowHeight);
    }

    void nextAndPreviousWalkTheBuffersThatTheFilterLeaves()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        desk.workspace().selection().setFilter(parseSearch(QStringLiteral("size>100K")).filter);
        const auto mask = desk.workspace().selection().mask();
        for (std::size_t i = 0; i < mask->count + 2; ++i) {
            desk.trigger("go.next-buffer");
            QVERIFY(mask->shown[std::size_t(desk.workspace().selection().buffer())]);
        }
        const BufferId at = desk.workspace().selection().buffer();
        desk.trigger("go.previous-buffer");
        desk.trigger("go.next-buffer");
        QCOMPARE(desk.workspace().selection().buffer(), at);
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(WindowSelectionTest)
#include "tst_window_selection.moc"
