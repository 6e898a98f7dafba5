// What the pointer does in the window, by the keyboard alone: each gesture has a key or a command with the same effect.
#include "app/desktop/panels/model_list.h"
#include "app/desktop/shell/ask_dialog.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/views/pipeline_view.h"
#include "app/desktop/views/tables_view.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/table.h"
#include "tests/desktop/map_desk.h"
#include "tests/support/written_file.h"

#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

using namespace stowage;
using test::Desk;
using test::MapDesk;

namespace {

/// Two pools, both of which every plan uses: 2,048 bytes are live together, and the first has 1,024.
const char* const twoPools = R"({"format": "stowage.problem/1", "name": "two pools",
 "pools": [{"name": "fast", "capacity": 1024}, {"name": "slow"}],
 "buffers": [
  {"name": "in", "size": 512, "live": [[0, 4]], "pools": ["fast", "slow"]},
  {"name": "mid", "size": 512, "live": [[2, 7]], "pools": ["fast", "slow"]},
  {"name": "pad", "size": 768, "live": [[1, 3]], "pools": ["fast", "slow"]},
  {"name": "acc", "size": 256, "live": [[2, 4]], "pools": ["fast", "slow"]},
  {"name": "tmp", "size": 300, "live": [[4, 6]], "pools": ["fast", "slow"]},
  {"name": "out", "size": 128, "live": [[5, 8]], "pools": ["fast", "slow"]}]})";

/// The map of that problem; null: it did not open.
MapWidget* openTwoPools(MapDesk& desk)
{
    desk.workspace().openText(QStringLiteral("two pools"), QByteArray(twoPools));
    if (!QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000)) return nullptr;
    return desk.mapOf("memory-map");
}

/// A buffer that is drawn large, and not at the ground.
BufferId largeBuffer(const MapWidget& map)
{
    const Run& run = *map.run();
    for (std::size_t i = 0; i < run.problem().buffers.size(); ++i)
        if (run.plan.placements[i].offset > 0 && map.boxOf(BufferId(i)).height() > 12 && map.boxOf(BufferId(i)).width() > 12)
            return BufferId(i);
    return none;
}

/// Presses a shortcut of the window.
bool press(Desk& desk, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    desk.window->activateWindow(); // a menu or a dialog may have been open
    if (!QTest::qWaitForWindowActive(desk.window.get())) return false;
    QTest::keyClick(desk.window.get(), key, modifiers);
    return true;
}

/// The open dialog; null: none.
AskDialog* dialogOf(Desk& desk)
{
    for (AskDialog* dialog : desk.window->findChildren<AskDialog*>())
        if (dialog->isVisible()) return dialog;
    return nullptr;
}

/// Types an answer, and presses Enter.
void answer(AskDialog& dialog, const QString& text)
{
    auto* field = dialog.findChild<QLineEdit*>(QStringLiteral("askField"));
    field->selectAll();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

/// Whether the open dialog says that the pin forbids other pools.
bool saysToRelease(Desk& desk)
{
    return std::ranges::any_of(dialogOf(desk)->findChildren<QLabel*>(),
                               [](const QLabel* label) { return label->text().contains(QStringLiteral("release it first")); });
}

/// Presses Enter on an entry of the open menu of orders.
bool chooseOrder(Desk& desk, const QString& text)
{
    for (auto* menu : desk.window->findChildren<QMenu*>(QStringLiteral("sortMenu"))) {
        if (!menu->isVisible()) continue;
        for (QAction* action : menu->actions())
            if (action->text() == text) {
                menu->setActiveAction(action);
                QTest::keyClick(menu, Qt::Key_Return);
                return true;
            }
    }
    return false;
}

/// The sizes of the listed buffers, from top to bottom.
std::vector<Bytes> listedSizes(Desk& desk, const QAbstractItemModel& rows)
{
    std::vector<Bytes> sizes;
    for (int row = 0; row < rows.rowCount(); ++row)
        if (const BufferId id = rows.index(row, 0).data(RowTable::BufferRole).toInt(); id != none)
            sizes.push_back(desk.workspace().run()->problem().buffers[std::size_t(id)].size);
    return sizes;
}

} // namespace

class WindowKeyboardTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void addressesZoomAndPan()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const ViewRange all = map->range();
        for (int i = 0; i < 3; ++i) QTest::keyClick(map, Qt::Key_W, Qt::ShiftModifier);
        QCOMPARE(map->range().steps, all.steps);
        QVERIFY(std::abs(map->range().addresses[0].span * std::pow(1.25, 3) / all.addresses[0].span - 1) < 0.01);
        // Down to the lowest address; then a fifth of what is in view up, and down again.
        for (int i = 0; i < 20; ++i) QTest::keyClick(map, Qt::Key_A, Qt::ShiftModifier);
        const AxisRange low = map->range().addresses[0];
        const double pixel = low.span / map->bands().strips[0].height();
        QVERIFY(std::abs(low.begin.minus(all.addresses[0].begin)) <= pixel);
        QTest::keyClick(map, Qt::Key_D, Qt::ShiftModifier);
        QCOMPARE(map->range().addresses[0].span, low.span);
        QVERIFY(std::abs(map->range().addresses[0].begin.minus(low.begin) - 0.2 * low.span) <= 1.5 * pixel);
        QTest::keyClick(map, Qt::Key_A, Qt::ShiftModifier);
        QVERIFY(std::abs(map->range().addresses[0].begin.minus(low.begin)) <= 1.5 * pixel);
        QCOMPARE(map->range().steps, all.steps);
        const double span = map->range().addresses[0].span;
        QTest::keyClick(map, Qt::Key_S, Qt::ShiftModifier);
        QVERIFY(std::abs(map->range().addresses[0].span / (1.25 * span) - 1) < 0.01);
        // The time keys are as before.
        QTest::keyClick(map, Qt::Key_W);
        QVERIFY(map->range().steps.span < all.steps.span);
    }

    /// Without the pointer, the selection stays where it is while addresses zoom.
    void addressesZoomAtTheSelection()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const BufferId buffer = largeBuffer(*map);
        QVERIFY(buffer != none);
        desk.workspace().selection().select(buffer);
        QTest::qWait(30);
        const Bytes centre =
            map->run()->plan.placements[std::size_t(buffer)].offset + map->run()->problem().buffers[std::size_t(buffer)].size / 2;
        const auto y = [&] { return StackGeometry{map->state()->state(), map->bands()}.y(0, centre); };
        const double before = y();
        if (map->underMouse()) QSKIP("the pointer of the system is over the map");
        for (int i = 0; i < 3; ++i) QTest::keyClick(map, Qt::Key_W, Qt::ShiftModifier);
        QVERIFY2(std::abs(y() - before) <= 3, qPrintable(QStringLiteral("%1 after %2").arg(y()).arg(before)));
    }

    /// The keys act on the strip of the selection, although the selection itself is out of view.
    void addressesZoomInTheStripOfTheSelection()
    {
        MapDesk desk;
        MapWidget* map = openTwoPools(desk);
        QVERIFY(map);
        QCOMPARE(map->bands().strips.size(), std::size_t(2));
        if (map->underMouse()) QSKIP("the pointer of the system is over the map");
        const auto& placements = map->run()->plan.placements;
        for (const std::size_t pool : {0U, 1U}) {
            map->zoomToFit();
            BufferId lowest = 0;
            while (placements[std::size_t(lowest)].pool != PoolId(pool) || placements[std::size_t(lowest)].offset != 0) ++lowest;
            desk.workspace().selection().select(lowest);
            QTest::qWait(30);
            for (int i = 0; i < 8; ++i) QTest::keyClick(map, Qt::Key_W, Qt::ShiftModifier);
            for (int i = 0; i < 40; ++i) QTest::keyClick(map, Qt::Key_D, Qt::ShiftModifier);
            const ViewRange high = map->range();
            QVERIFY(high.addresses[pool].begin.minus({0, 0.0}) > 0);
            QTest::keyClick(map, Qt::Key_S, Qt::ShiftModifier);
            QVERIFY(map->range().addresses[pool].span > high.addresses[pool].span);
            QCOMPARE(map->range().addresses[1 - pool], high.addresses[1 - pool]);
        }
    }

    void aBufferIsPinnedAtAnAddress()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const BufferId buffer = largeBuffer(*map);
        QVERIFY(buffer != none);
        const auto run = desk.workspace().run();
        const std::string name = run->problem().buffers[std::size_t(buffer)].name;
        desk.workspace().selection().select(buffer);
        QVERIFY(press(desk, Qt::Key_P, Qt::ShiftModifier));
        QTRY_VERIFY(dialogOf(desk));
        answer(*dialogOf(desk), QStringLiteral("here"));
        QVERIFY(dialogOf(desk) && !dialogOf(desk)->reason().isEmpty());
        QVERIFY(desk.workspace().edits().setup().pins.empty());
        answer(*dialogOf(desk), QStringLiteral("0x0"));
        QTRY_VERIFY(!dialogOf(desk));
        QVERIFY(desk.workspace().edits().pinOf(name));
        QCOMPARE(desk.workspace().edits().pinOf(name)->offset, Bytes(0));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && map->ready(), 30'000);
        QCOMPARE(desk.workspace().run()->plan.placements[std::size_t(buffer)].offset, Bytes(0));
        // Another buffer that is live with it has no place there any more.
        const Problem& problem = desk.workspace().run()->problem();
        BufferId other = 0;
        while (other == buffer || problem.buffers[std::size_t(other)].size == 0 || !conflict(problem, buffer, other)) ++other;
        desk.workspace().selection().select(other);
        desk.trigger("edit.pin-at");
        QTRY_VERIFY(dialogOf(desk));
        answer(*dialogOf(desk), QStringLiteral("0"));
        QVERIFY(dialogOf(desk) && dialogOf(desk)->reason().contains(QString::fromStdString(name)));
        QCOMPARE(desk.workspace().edits().setup().pins.size(), std::size_t(1));
        QTest::keyClick(dialogOf(desk), Qt::Key_Escape);
        QTRY_VERIFY(!dialogOf(desk));
        desk.trigger("edit.undo");
        QVERIFY(!desk.workspace().edits().pinOf(name));
        desk.workspace().cancel();
    }

    void noBufferIsPinnedAboveTheCapacityOrOffItsAlignment()
    {
        Desk desk;
        // 100 bytes aligned to 16 in 1,000: the highest address is 896, as 912 + 100 is above 1,000.
        desk.workspace().openText(
            QStringLiteral("small"),
            "{\"format\": \"stowage.problem/1\", \"name\": \"small\", \"pools\": [{\"name\": \"arena\", \"capacity\": 1000}], "
            "\"buffers\": [{\"name\": \"a\", \"size\": 100, \"alignment\": 16, \"live\": [[0, 4]]}]}");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        desk.workspace().selection().select(0);
        desk.trigger("edit.pin-at");
        QTRY_VERIFY(dialogOf(desk));
        answer(*dialogOf(desk), QStringLiteral("912"));
        QVERIFY(dialogOf(desk) && dialogOf(desk)->reason().contains(QStringLiteral("0x0380"))); // 896
        answer(*dialogOf(desk), QStringLiteral("890"));
        QVERIFY(dialogOf(desk) && dialogOf(desk)->reason().contains(QStringLiteral("alignment, 16")));
        QVERIFY(desk.workspace().edits().setup().pins.empty());
        answer(*dialogOf(desk), QStringLiteral("896"));
        QTRY_VERIFY(!dialogOf(desk));
        QCOMPARE(desk.workspace().edits().pinOf("a")->offset, Bytes(896));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
    }

    /// A buffer of two slots has no one place: both ways of pinning it say so.
    void aBufferWithSlotsIsNotPinnedAndTheWindowSaysSo()
    {
        MapDesk desk;
        desk.workspace().openText(
            QStringLiteral("turns"),
            "{\"format\": \"stowage.problem/1\", \"name\": \"turns\", \"loops\": [{\"name\": \"L\", \"live\": [0, 4]}], "
            "\"buffers\": [{\"name\": \"x\", \"size\": 400, \"live\": [[0, 3]], \"slots\": 2, \"loop\": \"L\"}, "
            "{\"name\": \"y\", \"size\": 300, \"live\": [[1, 4]]}]}");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        MapWidget* map = desk.mapOf("memory-map");
        QVERIFY(map);
        desk.workspace().selection().select(0);
        auto* card = desk.find<ErrorCard>("errorCard");
        const auto told = [&] { return card->isVisible() && card->notice().what.message.find("2 slots") != std::string::npos; };
        QVERIFY(press(desk, Qt::Key_P, Qt::ControlModifier));
        QTRY_VERIFY(told());
        card->findChild<QToolButton*>(QStringLiteral("closeCard"))->click();
        QVERIFY(!card->isVisible());
        desk.trigger("edit.pin-at");
        QTRY_VERIFY(told());
        QVERIFY(!dialogOf(desk));
        card->findChild<QToolButton*>(QStringLiteral("closeCard"))->click();
        // A drag selects an area instead, and says why it does not move the buffer.
        const QPointF middle = test::middleOf(*map, 0);
        test::movePointer(*map, middle);
        QVERIFY(map->cursor().shape() != Qt::OpenHandCursor);
        test::drag(*map, middle, middle + QPointF(30, 12));
        QTRY_VERIFY(told());
        QVERIFY(map->areaSums());
        QVERIFY(desk.workspace().edits().setup().pins.empty());
        card->findChild<QToolButton*>(QStringLiteral("closeCard"))->click();
        desk.workspace().selection().clear();
        desk.trigger("edit.pin");
        QTRY_VERIFY(card->isVisible());
        QCOMPARE(card->notice().what.message, std::string("No buffer is selected."));
    }

    void aBufferWithoutBytesIsNotPinnedAndTheWindowSaysSo()
    {
        Desk desk;
        desk.workspace().openText(QStringLiteral("empty"), "{\"format\": \"stowage.problem/1\", \"name\": \"empty\", "
                                                           "\"buffers\": [{\"name\": \"x\", \"size\": 0, \"live\": [[0, 3]]}, "
                                                           "{\"name\": \"y\", \"size\": 300, \"live\": [[1, 4]]}]}");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        QCOMPARE(desk.workspace().run()->problem().buffers[0].size, Bytes(0));
        desk.workspace().selection().select(0);
        desk.trigger("edit.pin");
        QVERIFY(desk.workspace().edits().setup().pins.empty());
        QTRY_VERIFY(desk.find<ErrorCard>("errorCard")->isVisible());
    }

    /// A pin leaves one pool to choose: the dialog says how to get the others.
    void thePoolOfAPinnedBufferIsChosenAfterItsRelease()
    {
        MapDesk desk;
        QVERIFY(openTwoPools(desk));
        desk.workspace().selection().select(0);
        desk.trigger("edit.pin-at");
        QTRY_VERIFY(dialogOf(desk));
        QVERIFY(!saysToRelease(desk));
        QTest::keyClick(dialogOf(desk), Qt::Key_Escape);
        QTRY_VERIFY(!dialogOf(desk));
        desk.trigger("edit.pin");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run() && desk.workspace().run()->problem().buffers[0].pin,
                                 30'000);
        desk.workspace().selection().select(0);
        desk.trigger("edit.pin-at");
        QTRY_VERIFY(dialogOf(desk));
        QVERIFY(saysToRelease(desk));
        QTest::keyClick(dialogOf(desk), Qt::Key_Escape);
        QTRY_VERIFY(!dialogOf(desk));
    }

    /// A memory for constants is no other pool for an activation.
    void aPinInTheOnlyWorkspaceForbidsNothing()
    {
        Desk desk;
        desk.workspace().openText(
            QStringLiteral("one workspace"),
            "{\"format\": \"stowage.problem/1\", \"name\": \"one workspace\", \"pools\": [{\"name\": \"arena\"}, "
            "{\"name\": \"flash\", \"kind\": \"constant\"}], "
            "\"buffers\": [{\"name\": \"a\", \"size\": 100, \"live\": [[0, 4]]}]}");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        desk.workspace().selection().select(0);
        desk.trigger("edit.pin");
        const auto pinned = [&] { return desk.workspace().run() && desk.workspace().run()->problem().buffers[0].pin; };
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && pinned(), 30'000);
        desk.workspace().selection().select(0);
        desk.trigger("edit.pin-at");
        QTRY_VERIFY(dialogOf(desk));
        QVERIFY(!saysToRelease(desk));
        QTest::keyClick(dialogOf(desk), Qt::Key_Escape);
        QTRY_VERIFY(!dialogOf(desk));
    }

    /// A key without a meaning in the shown view is left to the widget that has the focus.
    void aCommandThatTheViewLacksIsDisabled()
    {
        MapDesk desk;
        QVERIFY(desk.openMap("mobilenet_v1_025"));
        const auto enabled = [&](const char* id) { return desk.window->actions().action(QString::fromLatin1(id))->isEnabled(); };
        const auto offers = [&](bool addresses, bool names, bool borders) {
            return enabled("go.address-zoom-in") == addresses && enabled("go.pan-up") == addresses &&
                   enabled("go.wider-names") == names && enabled("go.narrower-names") == names &&
                   enabled("edit.border-back") == borders && enabled("edit.border-forward") == borders;
        };
        QTRY_VERIFY(offers(true, true, false) && enabled("go.sum-area"));
        desk.window->views().setCurrent(QStringLiteral("tables"));
        QTRY_VERIFY(offers(false, false, false) && !enabled("go.sum-area"));
        desk.window->views().setCurrent(QStringLiteral("usage"));
        QTRY_VERIFY(offers(false, false, false));
        desk.window->views().setCurrent(QStringLiteral("pipeline"));
        QTRY_VERIFY(offers(false, false, true));
        desk.window->views().setCurrent(QStringLiteral("memory-map"));
        QTRY_VERIFY(offers(true, true, false));
    }

    void aBorderIsMoved()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* view = desk.show<PipelineView>("pipeline");
        PipelineDesk::Setup two;
        two.devices.devices = {pipeline::plainDevice(0), pipeline::plainDevice(1)};
        view->desk().change(two, QStringLiteral("Choose devices"));
        PipelinePicture& picture = view->pipelinePicture();
        const auto there = [&] { return !view->desk().splitting() && view->canvas()->scene() && view->canvas()->ready(); };
        QTRY_VERIFY_WITH_TIMEOUT(there() && picture.subject() && picture.subject()->cuts.size() == 1, 60'000);
        // Both stages are in view: the buffers that any of their ops writes are selected.
        std::set<BufferId> written;
        for (const std::vector<BufferId>& ofOp : picture.subject()->buffers) written.insert(ofOp.begin(), ofOp.end());
        QVERIFY(written.size() > 2);
        desk.trigger("go.sum-area");
        const auto& selected = desk.workspace().selection().buffers();
        QCOMPARE(std::set<BufferId>(selected.begin(), selected.end()), written);
        const std::size_t from = picture.subject()->cuts.front();
        std::size_t to = from - 1; // the nearest earlier op before which a cut is allowed
        while (to > 0 && !picture.subject()->effect(0, to)) --to;
        QVERIFY(to > 0);
        QVERIFY(press(desk, Qt::Key_Left, Qt::ControlModifier));
        QTRY_VERIFY_WITH_TIMEOUT(there(), 60'000);
        QCOMPARE(view->desk().answer()->split.stages[1].begin, to);
        QTRY_COMPARE(picture.subject()->cuts.front(), to);
        QVERIFY(press(desk, Qt::Key_Right, Qt::ControlModifier));
        QTRY_VERIFY_WITH_TIMEOUT(there(), 60'000);
        QCOMPARE(view->desk().answer()->split.stages[1].begin, from);
        desk.trigger("edit.undo");
        QTRY_VERIFY_WITH_TIMEOUT(there(), 60'000);
        QCOMPARE(view->desk().answer()->split.stages[1].begin, to);
    }

    void tablesAreSorted()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        auto* view = desk.show<TablesView>("tables");
        QVERIFY(view);
        Table& table = view->widget();
        QTRY_VERIFY(table.isVisible() && table.model()->rowCount() > 2);
        const auto inOrder = [&](bool up) {
            const std::vector<Bytes> sizes = listedSizes(desk, *table.model());
            return up ? std::is_sorted(sizes.begin(), sizes.end()) : std::is_sorted(sizes.rbegin(), sizes.rend());
        };
        QString title; // with the unit
        for (int column = 0; column < table.model()->columnCount(); ++column)
            if (const QString each = table.model()->headerData(column, Qt::Horizontal).toString(); each.startsWith(u"size"))
                title = each;
        QVERIFY(!title.isEmpty());
        // The key of the context menu.
        table.setFocus();
        table.setCurrentIndex(table.model()->index(0, 0));
        const QPoint at(20, 40);
        QContextMenuEvent menuKey(QContextMenuEvent::Keyboard, at, table.mapToGlobal(at));
        QCoreApplication::sendEvent(&table, &menuKey);
        QVERIFY(chooseOrder(desk, QStringLiteral("Sort by ") + title));
        QTRY_VERIFY(inOrder(true));
        QVERIFY(!inOrder(false)); // sizes differ
        // The command.
        QVERIFY(press(desk, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier));
        QVERIFY(chooseOrder(desk, QStringLiteral("Descending")));
        QTRY_VERIFY(inOrder(false));
        desk.trigger("view.sort");
        QVERIFY(chooseOrder(desk, QStringLiteral("As listed")));
        QTRY_VERIFY(!inOrder(true) && !inOrder(false));

        // The table of runs has the menu, too.
        auto* runs = desk.find<Table>("runTable");
        QVERIFY(runs);
        if (!runs->isVisible()) desk.trigger("view.runs");
        QTRY_VERIFY(runs->isVisible());
        runs->setFocus();
        desk.trigger("view.sort");
        const QString time = runs->model()->headerData(RunTable::Time, Qt::Horizontal).toString();
        QVERIFY(chooseOrder(desk, QStringLiteral("Sort by ") + time));
        QTRY_COMPARE(runs->horizontalHeader()->sortIndicatorSection(), int(RunTable::Time));
    }

    void theCursorGoesToAStep()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        for (int i = 0; i < 8; ++i) QTest::keyClick(map, Qt::Key_W);
        QVERIFY(map->range().steps.begin.minus({1, 0.0}) > 0); // step 0 is out of view
        QVERIFY(press(desk, Qt::Key_G));
        QTRY_VERIFY(dialogOf(desk));
        answer(*dialogOf(desk), QStringLiteral("100000000"));
        QVERIFY(dialogOf(desk) && !dialogOf(desk)->reason().isEmpty());
        QVERIFY(!desk.workspace().selection().cursor());
        answer(*dialogOf(desk), QStringLiteral("0"));
        QTRY_VERIFY(!dialogOf(desk));
        QCOMPARE(desk.workspace().selection().cursor(), std::optional<Step>(0));
        QVERIFY(map->range().steps.begin.minus({0, 0.0}) <= 0);
    }

    void whatIsInViewIsSummedUp()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const Run& run = *map->run();
        std::size_t count = 0;
        Bytes bytes = 0;
        for (std::size_t i = 0; i < run.problem().buffers.size(); ++i)
            if (run.plan.placements[i].placed() && run.problem().buffers[i].size > 0) {
                ++count;
                bytes += run.problem().buffers[i].size;
            }
        QCOMPARE(map->bands().strips.size(), std::size_t(1)); // one pool: all of them are in it
        QVERIFY(press(desk, Qt::Key_U));
        QVERIFY(map->areaSums());
        QCOMPARE(map->areaSums()->count, count);
        QCOMPARE(map->areaSums()->bytes, bytes);
        QCOMPARE(desk.workspace().selection().buffers().size(), count);
        // Of a part, less.
        desk.workspace().selection().clear();
        for (int i = 0; i < 8; ++i) QTest::keyClick(map, Qt::Key_W);
        desk.trigger("go.sum-area");
        QVERIFY(map->areaSums() && map->areaSums()->count < count);
    }

    void whatIsInViewOfAllPoolsIsSummedUp()
    {
        MapDesk desk;
        MapWidget* map = openTwoPools(desk);
        QVERIFY(map);
        QCOMPARE(map->bands().strips.size(), std::size_t(2));
        QVERIFY(press(desk, Qt::Key_U));
        QVERIFY(map->areaSums());
        QCOMPARE(map->areaSums()->count, std::size_t(6));
        QCOMPARE(map->areaSums()->bytes, Bytes(512 + 512 + 768 + 256 + 300 + 128));
        QCOMPARE(desk.workspace().selection().buffers().size(), std::size_t(6));
        // Of a part around the middle, step 4, less: "pad" ends at 3.
        desk.workspace().selection().clear();
        for (int i = 0; i < 8; ++i) QTest::keyClick(map, Qt::Key_W);
        desk.trigger("go.sum-area");
        QVERIFY(map->areaSums() && map->areaSums()->count < 6);
    }

    /// What is painted is what is summed up: of a zoomed strip its part, of another one all.
    void theSummedPartOfEachPoolIsPainted()
    {
        MapDesk desk;
        MapWidget* map = openTwoPools(desk);
        QVERIFY(map);
        const ViewRange all = map->range();
        for (int i = 0; i < 6; ++i) QTest::keyClick(map, Qt::Key_W, Qt::ShiftModifier);
        const ViewRange part = map->range();
        const std::size_t zoomed = part.addresses[0].span < all.addresses[0].span ? 0 : 1;
        QVERIFY(part.addresses[zoomed].span < all.addresses[zoomed].span / 2);
        desk.trigger("go.sum-area");
        desk.trigger("go.reset");
        QTRY_COMPARE(map->range().addresses[zoomed].span, all.addresses[zoomed].span);
        const auto boxes = map->areaBoxes();
        const auto& strips = map->bands().strips;
        QCOMPARE(boxes.size(), strips.size());
        const double share = part.addresses[zoomed].span / all.addresses[zoomed].span;
        QVERIFY(std::abs(boxes[zoomed].height() - share * strips[zoomed].height()) < 4); // whole bytes and pixels
        QVERIFY(std::abs(boxes[1 - zoomed].height() - strips[1 - zoomed].height()) < 2);
        // In a run that uses one pool only, the strips of the area are gone: 4,096 bytes hold all buffers.
        desk.workspace().edits().setCapacity(0, 4096);
        QTRY_COMPARE_WITH_TIMEOUT(map->bands().strips.size(), std::size_t(1), 30'000);
        QVERIFY(!map->areaSums() && map->areaBoxes().empty());
    }

    void namesGetWiderAndNarrower()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        QCOMPARE(map->bands().plotLeft, gutterWidth);
        QVERIFY(press(desk, Qt::Key_N));
        const double wide = map->bands().plotLeft;
        QVERIFY(wide > gutterWidth);
        // The other view on the same axis has it too.
        MapWidget* rows = desk.mapOf("liveness");
        QVERIFY(rows);
        QCOMPARE(rows->bands().plotLeft, wide);
        QVERIFY(press(desk, Qt::Key_N, Qt::ShiftModifier));
        QCOMPARE(rows->bands().plotLeft, gutterWidth);
        for (int i = 0; i < 40; ++i) desk.trigger("go.narrower-names");
        QCOMPARE(rows->bands().plotLeft, StackPicture::minGutter);
    }

    /// Enter on a file that was not opened shows the reason, as a click does.
    void theReasonOfAFailureIsShown()
    {
        Desk desk;
        QVERIFY(desk.open("transformer_block"));
        desk.window->openFiles({test::writtenFile(folder_, QStringLiteral("bad.json"), "{\"format\": ")});
        QTRY_COMPARE_WITH_TIMEOUT(desk.workspace().models().failures().size(), std::size_t(1), 20'000);
        auto* card = desk.find<ErrorCard>("errorCard");
        QTRY_VERIFY(card && card->isVisible());
        card->findChild<QToolButton*>(QStringLiteral("closeCard"))->click();
        QVERIFY(!card->isVisible());
        auto* models = desk.find<QListView>("modelList");
        const QModelIndex failed = models->model()->index(models->model()->rowCount() - 1, 0);
        QVERIFY(failed.data(ModelList::FailedRole).toBool());
        models->setFocus();
        models->setCurrentIndex(failed);
        QTest::keyClick(models, Qt::Key_Return);
        QTRY_VERIFY(card->isVisible());
        QCOMPARE(card->notice().title, QStringLiteral("bad.json was not opened"));
    }

private:
    test::OwnSettings settings_;
    QTemporaryDir folder_;
};

QTEST_MAIN(WindowKeyboardTest)
#include "tst_window_keyboard.moc"
