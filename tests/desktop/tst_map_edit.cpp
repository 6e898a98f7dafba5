// What can be changed in the map by hand, in the real window: a buffer that is dragged is pinned and the rest planned round it,
// and notes; both can be undone.
#include "app/desktop/kept_notes.h"
#include "tests/desktop/map_desk.h"

#include <QLineEdit>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace stowage;
using test::MapDesk;

namespace {

/// Holds the selected buffer at its middle and lets it go where its first byte would be at `offset`, give or take what snaps.
void dragTo(MapWidget& map, BufferId buffer, Bytes offset, bool release = true)
{
    const Run& run = *map.run();
    const StackGeometry geometry{map.state()->state(), map.bands()};
    const double dy = geometry.y(0, offset) - geometry.y(0, run.plan.placements[std::size_t(buffer)].offset);
    const QPointF from = map.boxOf(buffer).center(), to = from + QPointF(0, dy);
    const auto send = [&](QEvent::Type type, const QPointF& at, Qt::MouseButton which, Qt::MouseButtons held) {
        QMouseEvent event(type, at, map.mapToGlobal(at), which, held, Qt::NoModifier);
        QApplication::sendEvent(&map, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    for (int i = 1; i <= 4; ++i) send(QEvent::MouseMove, from + (to - from) * (i / 4.0), Qt::NoButton, Qt::LeftButton);
    if (release) send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
}

/// A buffer that is drawn large enough to be held, and not at the ground.
BufferId movable(const MapWidget& map)
{
    const Run& run = *map.run();
    for (std::size_t i = 0; i < run.problem().buffers.size(); ++i)
        if (run.plan.placements[i].offset > 0 && map.boxOf(BufferId(i)).height() > 12 && map.boxOf(BufferId(i)).width() > 12 &&
            map.bufferAt(map.boxOf(BufferId(i)).center()) == BufferId(i))
            return BufferId(i);
    return none;
}

} // namespace

class MapEditTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void aDraggedBufferIsPinnedAndTheRestPlannedRoundIt()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const BufferId buffer = movable(*map);
        QVERIFY(buffer != none);
        const std::string name = map->run()->problem().buffers[std::size_t(buffer)].name;
        const Bytes before = map->run()->plan.placements[std::size_t(buffer)].offset;
        desk.workspace().selection().select(buffer);
        dragTo(*map, buffer, 0, false);
        QVERIFY(map->moveVerdict());
        QVERIFY(map->moveVerdict()->legal());
        const Bytes wanted = map->moveVerdict()->offset;
        QCOMPARE(wanted, Bytes(0)); // the ground
        QVERIFY(!map->grab().isNull());
        QTest::mouseRelease(map, Qt::LeftButton, {}, map->boxOf(buffer).center().toPoint() + QPoint(0, 1));
        QVERIFY(!map->moveVerdict());
        QVERIFY(desk.workspace().edits().pinOf(name));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && map->ready(), 30'000);
        // Every run now has it there, and is valid: the checker has seen the pin.
        const auto pinned = desk.workspace().edits().pinOf(name)->offset;
        for (const RunEntry* entry : desk.workspace().runs()) {
            if (entry->request.pins.empty()) continue;
            QCOMPARE(entry->run->plan.placements[std::size_t(buffer)].offset, pinned);
            QVERIFY(entry->run->report.verdict.valid());
            QCOMPARE(entry->run->problem().buffers[std::size_t(buffer)].pin, std::optional(pinned));
        }
        QCOMPARE(desk.workspace().run()->plan.placements[std::size_t(buffer)].offset, pinned);
        // The selection is still the same buffer, and undo lets it go.
        QCOMPARE(desk.workspace().selection().buffer(), buffer);
        desk.trigger("edit.undo");
        QVERIFY(!desk.workspace().edits().pinOf(name));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && map->ready(), 30'000);
        QVERIFY(!desk.workspace().run()->problem().buffers[std::size_t(buffer)].pin);
        QCOMPARE(desk.workspace().run()->plan.placements[std::size_t(buffer)].offset, before);
        desk.trigger("edit.redo");
        QVERIFY(desk.workspace().edits().pinOf(name));
        desk.workspace().cancel();
    }

    void whatMayNotLieThereIsNotDropped()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("microcontroller_two_memories");
        QVERIFY(map);
        const BufferId buffer = movable(*map);
        QVERIFY(buffer != none);
        desk.workspace().selection().select(buffer);
        const auto& pool = map->run()->problem().pools[std::size_t(map->run()->plan.placements[std::size_t(buffer)].pool)];
        QVERIFY(pool.capacity);
        dragTo(*map, buffer, *pool.capacity);
        QVERIFY(desk.workspace().edits().setup().pins.empty());
        // Escape gives a drag up.
        dragTo(*map, buffer, 0, false);
        QVERIFY(map->moveVerdict());
        QTest::keyClick(map, Qt::Key_Escape);
        QVERIFY(!map->moveVerdict());
        QVERIFY(desk.workspace().edits().setup().pins.empty());
    }

    void aBufferThatIsNotSelectedIsNotDragged()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        const BufferId buffer = movable(*map);
        dragTo(*map, buffer, 0);
        QVERIFY(desk.workspace().edits().setup().pins.empty());
        QVERIFY(map->areaSums()); // it was an area
    }

    void theSelectedBufferIsPinnedWhereItLiesAndReleased()
    {
        MapDesk desk;
        QVERIFY(desk.open("transformer_block"));
        desk.workspace().selection().select(4);
        const Bytes at = desk.workspace().run()->plan.placements[4].offset;
        const std::string name = desk.workspace().run()->problem().buffers[4].name;
        desk.trigger("edit.pin");
        QVERIFY(desk.workspace().edits().pinOf(name));
        QCOMPARE(desk.workspace().edits().pinOf(name)->offset, at);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 30'000);
        QCOMPARE(desk.workspace().run()->plan.placements[4].offset, at);
        desk.trigger("edit.pin");
        QVERIFY(!desk.workspace().edits().pinOf(name));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 30'000);
    }

    void aPinThatCannotBeKeptIsLeftOutAndThePlanSaysSo()
    {
        MapDesk desk;
        QVERIFY(desk.open("transformer_block"));
        desk.workspace().setPin({"no such buffer", "arena", 0});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && !desk.workspace().run()->plan.diagnostics.empty(), 30'000);
        const auto& told = desk.workspace().run()->plan.diagnostics;
        QVERIFY(std::ranges::any_of(told, [](const Diagnostic& d) {
            return d.code == Code::pinLeftOut && d.message.find("no such buffer") != std::string::npos;
        }));
        QVERIFY(desk.workspace().run()->report.verdict.valid());
    }

    void theGutterIsAsWideAsItIsDragged()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        QCOMPARE(map->bands().plotLeft, gutterWidth);
        const ViewRange before = map->range();
        const QPointF edge(map->bands().plotLeft - 1, map->bands().rows.center().y());
        test::movePointer(*map, edge);
        QCOMPARE(map->cursor().shape(), Qt::SizeHorCursor);
        test::drag(*map, edge, edge + QPointF(101, 0));
        QCOMPARE(map->bands().plotLeft, gutterWidth + 100);
        QVERIFY(desk.workspace().edits().setup().pins.empty() && !map->areaSums()); // nothing else happened
        QCOMPARE(map->range().steps.begin.whole, before.steps.begin.whole);         // the same steps, in less room
        QVERIFY(std::abs(map->range().steps.span - before.steps.span) < 0.02 * before.steps.span);
        // Not so wide that nothing is left, and not so narrow that numbers would be cut.
        test::drag(*map, {map->bands().plotLeft - 1, edge.y()}, {10, edge.y()});
        QCOMPARE(map->bands().plotLeft, StackPicture::minGutter);
        test::drag(*map, {map->bands().plotLeft - 1, edge.y()}, {5000, edge.y()});
        QVERIFY(map->bands().plotLeft <= StackPicture::maxGutter && map->bands().plotLeft > gutterWidth);
        // The other view on the same axis has it too, and so has the next window.
        const double wide = map->bands().plotLeft;
        MapWidget* rows = desk.mapOf("liveness");
        QVERIFY(rows);
        QCOMPARE(rows->bands().plotLeft, wide);
        MapDesk next;
        MapWidget* later = next.openMap("transformer_block");
        QVERIFY(later);
        QCOMPARE(later->bands().plotLeft, wide);
    }

    void aNoteIsWrittenChangedRemovedAndUndone()
    {
        MapDesk desk;
        MapWidget* map = desk.openMap("transformer_block");
        QVERIFY(map);
        desk.trigger("edit.note");
        auto* edit = map->findChild<QLineEdit*>(QStringLiteral("noteEdit"));
        QVERIFY(edit && edit->isVisible());
        QTest::keyClicks(edit, QStringLiteral("why so high?")); // letters that are shortcuts elsewhere
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(desk.workspace().notes().size(), std::size_t(1));
        const MapNote note = desk.workspace().notes().front();
        QCOMPARE(note.text, QStringLiteral("why so high?"));
        QCOMPARE(map->state()->state().notes, desk.workspace().notes());
        // A click on its flag opens it again.
        const QRectF flag = noteBox(map->state()->state(), map->bands(), note);
        QVERIFY(!flag.isNull());
        QTest::mouseClick(map, Qt::LeftButton, {}, flag.center().toPoint());
        const auto open = [&] {
            for (auto* candidate : map->findChildren<QLineEdit*>(QStringLiteral("noteEdit")))
                if (candidate->isVisible()) return candidate;
            return static_cast<QLineEdit*>(nullptr);
        };
        QVERIFY(open());
        QCOMPARE(open()->text(), note.text);
        QTest::keyClicks(open(), QStringLiteral("because"));
        QTest::keyClick(open(), Qt::Key_Return);
        QCOMPARE(desk.workspace().notes().size(), std::size_t(1));
        QCOMPARE(desk.workspace().notes().front().text, QStringLiteral("because"));
        // Escape changes nothing; an empty text removes.
        QTest::mouseClick(map, Qt::LeftButton, {}, flag.center().toPoint());
        QTest::keyClicks(open(), QStringLiteral("x"));
        QTest::keyClick(open(), Qt::Key_Escape);
        QCOMPARE(desk.workspace().notes().front().text, QStringLiteral("because"));
        QTest::mouseClick(map, Qt::LeftButton, {}, flag.center().toPoint());
        QTest::keyClick(open(), Qt::Key_Backspace);
        QTest::keyClick(open(), Qt::Key_Return);
        QVERIFY(desk.workspace().notes().empty());
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().notes().front().text, QStringLiteral("because"));
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().notes().front().text, note.text);
        // Each model has its own.
        QVERIFY(desk.open("lstm_loop"));
        QVERIFY(desk.workspace().notes().empty());
        QVERIFY(map->state()->state().notes.empty());
    }

    void notesOutliveTheProgram()
    {
        const QString path = test::sample("microcontroller_two_memories");
        MapNote note;
        note.pool = "dtcm";
        note.step = 3;
        note.address = 0x40;
        note.text = QStringLiteral("kept, / with a slash");
        {
            MapDesk desk;
            QVERIFY(desk.open("microcontroller_two_memories"));
            QVERIFY(desk.workspace().notes().empty());
            desk.workspace().edits().setNote(note);
            desk.workspace().edits().setNote({0, {}, 7, 0, QStringLiteral("of a step")});
        }
        MapDesk again;
        QVERIFY(again.open("microcontroller_two_memories"));
        QCOMPARE(again.workspace().notes().size(), std::size_t(2));
        note.id = again.workspace().notes().front().id;
        QCOMPARE(again.workspace().notes().front(), note);
        QCOMPARE(again.workspace().notes().back().text, QStringLiteral("of a step"));
        // Those of one file are no other's; what is removed stays away, also when that is undone and done again.
        QVERIFY(KeptNotes::of(test::sample("lstm_loop")).empty());
        for (const MapNote& old : std::vector<MapNote>(again.workspace().notes()))
            again.workspace().edits().setNote({old.id, {}, 0, 0, {}});
        QVERIFY(KeptNotes::of(path).empty());
        again.trigger("edit.undo");
        QCOMPARE(KeptNotes::of(path).size(), std::size_t(1));
        again.trigger("edit.redo");
        QVERIFY(KeptNotes::of(path).empty());
    }

    void notesOfTooManyFilesAreForgotten()
    {
        for (int i = 0; i < KeptNotes::maxFiles + 20; ++i)
            KeptNotes::keep(QStringLiteral("/nowhere/%1.csv").arg(i), {{1, {}, i, 0, QStringLiteral("x")}});
        int kept = 0;
        for (int i = 0; i < KeptNotes::maxFiles + 20; ++i)
            kept += !KeptNotes::of(QStringLiteral("/nowhere/%1.csv").arg(i)).empty();
        QCOMPARE(kept, KeptNotes::maxFiles);
        QVERIFY(!KeptNotes::of(QStringLiteral("/nowhere/%1.csv").arg(KeptNotes::maxFiles + 19)).empty());
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(MapEditTest)
#include "tst_map_edit.moc"
