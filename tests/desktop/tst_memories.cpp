// The real window: several memories, what was pushed out of one, all their properties, operators with buffers of their own.
#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/desktop/panels/inspector.h"
#include "app/desktop/panels/pool_form.h"
#include "app/desktop/panels/target_panel.h"
#include "app/desktop/shell/status_strip.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/tables/sources.h"
#include "app/desktop/views/compare_view.h"
#include "app/desktop/views/tables_view.h"
#include "tests/desktop/columns.h"
#include "tests/desktop/map_desk.h"
#include "tests/desktop/painted_texts.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <vector>

using namespace stowage;
using test::MapDesk;

namespace {

/// Two memories, of which the first is too small for all that would rather lie there; operators with buffers of their own.
const char* const operators = R"({"format": "stowage.problem/1", "name": "two operators",
 "pools": [{"name": "fast", "capacity": 1024}, {"name": "slow"}],
 "scopes": [{"name": "conv", "live": [[1, 4]]}, {"name": "pool", "live": [[4, 7]]}],
 "buffers": [
  {"name": "in", "size": 512, "live": [[0, 4]], "pools": ["fast", "slow"]},
  {"name": "mid", "size": 512, "live": [[2, 7]], "pools": ["fast", "slow"]},
  {"name": "conv/pad", "size": 768, "live": [[1, 3]], "pools": ["fast", "slow"], "scope": "conv"},
  {"name": "conv/acc", "size": 256, "live": [[2, 4]], "pools": ["fast", "slow"], "scope": "conv"},
  {"name": "pool/tmp", "size": 300, "live": [[4, 6]], "pools": ["fast", "slow"], "scope": "pool"},
  {"name": "out", "size": 128, "live": [[5, 8]], "pools": ["fast", "slow"]}]})";

QLineEdit* fieldOf(MapDesk& desk, const char* name)
{
    return desk.window->findChild<QLineEdit*>(QStringLiteral("pool:") + QLatin1String(name));
}

void retype(QLineEdit* edit, const QString& text)
{
    QTRY_VERIFY(edit->isVisible());
    QApplication::setActiveWindow(edit->window()); // there is no window manager
    edit->setFocus();
    QVERIFY(edit->hasFocus());
    edit->selectAll();
    QTest::keyClicks(edit, text);
}

} // namespace

class MemoriesTest : public QObject {
    Q_OBJECT

private:
    bool openText(MapDesk& desk)
    {
        desk.workspace().openText(QStringLiteral("operators"), QByteArray(operators));
        return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000);
    }

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void whatWasPushedOutIsMarkedInMapTableInspectorAndCard()
    {
        MapDesk desk;
        QVERIFY(openText(desk));
        const RunEntry* entry = desk.workspace().shown().runOf("greedy-by-size");
        QVERIFY(entry);
        desk.workspace().showRun(entry->id);
        MapWidget* map = desk.mapOf("memory-map");
        QVERIFY(map);
        const auto run = desk.workspace().run();
        const RunScene& scene = map->state()->scene();
        QCOMPARE(scene.pools.size(), std::size_t{2}); // a strip for each
        QCOMPARE(map->bands().strips.size(), std::size_t{2});
        std::size_t fallbacks = 0;
        BufferId out = none;
        for (const PoolScene& pool : scene.pools)
            for (std::size_t i = 0; i < pool.map.rects.size(); ++i) {
                const bool marked = pool.map.flags[i] & rectFallback;
                QCOMPARE(marked,
                         run->plan.placements[std::size_t(pool.map.buffer[i])].pool != 0); // all would rather lie in pool 0
                if (marked) {
                    ++fallbacks;
                    out = pool.map.buffer[i];
                }
            }
        QVERIFY(fallbacks > 0);
        QCOMPARE(scene.pools[1].map.fallbackCount, fallbacks);
        QCOMPARE(scene.pools[0].map.fallbackCount, std::size_t{0});

        // What a few more bytes would bring, as the core says it, and by hand: the lowest place that is free over its life.
        const auto displaced = scene.displacedFrom(out);
        QVERIFY(displaced && displaced->first == 0 && displaced->second.more);
        Bytes lowest = 0;
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t i = 0; i < run->plan.placements.size(); ++i) {
                const Placement& placement = run->plan.placements[i];
                if (placement.pool != 0 || !conflict(run->problem(), out, BufferId(i))) continue;
                const Bytes end = placement.offset + run->problem().buffers[i].size;
                if (placement.offset < lowest + run->problem().buffers[std::size_t(out)].size && end > lowest) {
                    lowest = end;
                    moved = true;
                }
            }
        }
        QCOMPARE(*displaced->second.more, std::max<Bytes>(0, lowest + run->problem().buffers[std::size_t(out)].size - 1024));

        desk.workspace().selection().select(out);
        QTRY_VERIFY(desk.window->findChild<QLabel*>(QStringLiteral("fallbackText")));
        QVERIFY(desk.window->findChild<QLabel*>(QStringLiteral("fallbackText"))
                    ->text()
                    .contains(bytesText(*displaced->second.more, desk.workspace().numbers())));

        const auto rows = bufferRows(run);
        QCOMPARE(rows->text(std::size_t(out), test::columnOf(*rows, "fallback from"), {}), QStringLiteral("fast"));
        // An address says nothing before its pool is known.
        const int pool = test::columnOf(*rows, "pool");
        QVERIFY(pool < test::columnOf(*rows, "offset") && pool < test::columnOf(*rows, "end"));
        const auto pools = poolRows(run);
        QCOMPARE(pools->text(0, test::columnOf(*pools, "pushed out"), {}), QString::number(fallbacks));
        QCOMPARE(pools->text(1, test::columnOf(*pools, "pushed out"), {}), QStringLiteral("0"));

        test::movePointer(*map, test::middleOf(*map, out));
        QTRY_VERIFY(map->card().has_value());
        bool said = false;
        for (const CardText::Line& line : map->card()->lines)
            said |= line.text == QStringLiteral("fallback") && line.value.contains(QStringLiteral("fast"));
        QVERIFY(said);
    }

    void buffersAreNestedUnderTheirOperator()
    {
        MapDesk desk;
        QVERIFY(openText(desk));
        MapWidget* map = desk.mapOf("liveness");
        QVERIFY(map);
        QCOMPARE(map->grouping(), ColourBy::scope); // by itself, as there are operators
        const auto& groups = map->state()->state().timeline->groups();
        QCOMPARE(groups.size(), std::size_t{3});
        QCOMPARE(groups[0].name, std::string(betweenOperators));
        QCOMPARE(groups[1].name, std::string("conv")); // by their first call
        QCOMPARE(groups[2].name, std::string("pool"));
        QCOMPARE(groups[1].members, (std::vector<BufferId>{2, 3}));
        QCOMPARE(groups[1].calls, (std::vector<Interval>{{1, 4}}));
        QVERIFY(groups[0].calls.empty());

        const auto rows = bufferRows(desk.workspace().run());
        QCOMPARE(rows->rows(), std::size_t{8}); // six buffers, two operators
        for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder})
            for (int column = -1; column < int(rows->columns().size()); ++column) {
                const auto sorted = orderRows(*rows, column, order, nullptr);
                QCOMPARE(sorted.size(), rows->rows());
                for (std::size_t i = 0; i < sorted.size(); ++i) {
                    const std::int64_t parent = rows->parent(sorted[i]);
                    if (parent < 0) continue;
                    // Its operator is the nearest row above that is nested in none.
                    std::size_t above = i;
                    while (rows->parent(sorted[above]) >= 0) --above;
                    QCOMPARE(std::int64_t(sorted[above]), parent);
                }
            }
        // Largest first: the operators by what they hold, and inside them likewise.
        const auto bySize = orderRows(*rows, test::columnOf(*rows, "size"), Qt::DescendingOrder, nullptr);
        QCOMPARE(bySize, (std::vector<std::uint32_t>{6, 2, 3, 0, 1, 7, 4, 5}));
        // An operator stays when one of its buffers passes the filter.
        std::vector<bool> shown(6, false);
        shown[4] = true;
        QCOMPARE(orderRows(*rows, -1, Qt::AscendingOrder, &shown), (std::vector<std::uint32_t>{7, 4}));
    }

    /// Escape is a command of the window, but of the field first: it gives up what was typed.
    void escapeGivesUpATypedCapacity()
    {
        MapDesk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        auto* row = desk.find<PoolRow>();
        const Pool before = desk.workspace().pools().front();
        QTest::mouseClick(row, Qt::LeftButton, {}, {20, row->height() / 2});
        auto* field = row->findChild<QLineEdit*>();
        QVERIFY(field && field->isVisible());
        QTest::keyClicks(field, QStringLiteral("5000"));
        QTest::keyClick(field, Qt::Key_Escape);
        QTRY_VERIFY(!row->findChild<QLineEdit*>());
        QCOMPARE(row->window()->focusWidget(), row);
        QVERIFY(desk.workspace().pools().front() == before);
    }

    void allPropertiesAreTypedAndThePlanFollows()
    {
        MapDesk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        QTest::mouseClick(desk.find<PoolRow>()->findChild<QToolButton*>(QStringLiteral("poolProperties")), Qt::LeftButton);
        QTRY_VERIFY(desk.find<PoolForm>());
        const Pool before = desk.workspace().pools().front();
        const int steps = desk.workspace().undoStack().count();
        QLineEdit* capacity = fieldOf(desk, "capacity");
        QVERIFY(capacity);
        QCOMPARE(capacity->text(), QStringLiteral("16K"));

        // While it is typed: no key ends the edit.
        retype(capacity, QStringLiteral("20K"));
        QTRY_COMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(20480));
        QTRY_VERIFY_WITH_TIMEOUT(
            desk.idle() && desk.workspace().run()->problem().pools.front().capacity == std::optional<Bytes>(20480), 60'000);
        QTest::keyClick(capacity, Qt::Key_Backspace);
        QTest::keyClick(capacity, Qt::Key_Backspace);
        QTest::keyClicks(capacity, QStringLiteral("4K"));
        QTRY_COMPARE(desk.workspace().pools().front().capacity, std::optional<Bytes>(24576));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 60'000);
        QVERIFY(capacity->hasFocus()); // still there, with what was typed
        QCOMPARE(capacity->text(), QStringLiteral("24K"));
        QCOMPARE(desk.workspace().undoStack().count(), steps + 1); // one step for all of it
        for (const RunEntry* entry : desk.workspace().runs())
            QVERIFY(entry->run->problem().pools.front().capacity !=
                    std::optional<Bytes>(20480)); // what was passed through is gone
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().pools().front(), before);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 60'000);
        QTRY_COMPARE(fieldOf(desk, "capacity")->text(), QStringLiteral("16K"));
    }

    void whatIsWrongIsSaidBesideTheField()
    {
        MapDesk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        QTest::mouseClick(desk.find<PoolRow>()->findChild<QToolButton*>(QStringLiteral("poolProperties")), Qt::LeftButton);
        QTRY_VERIFY(desk.find<PoolForm>());
        const std::vector<Pool> before = desk.workspace().pools();
        auto* form = desk.find<PoolForm>();
        const std::pair<const char*, const char*> wrong[] = {
            {"capacity", "many"}, {"capacity", "0"},       {"name", "sram"},        {"alignment", "0"},
            {"clock, MHz", "-1"}, {"reads, B/cycle", "x"}, {"read latency", "1.5"}, {"burst", "?"}};
        for (const auto& [field, text] : wrong) {
            retype(fieldOf(desk, field), QLatin1String(text));
            QTRY_VERIFY2(!form->problemOf(QLatin1String(field)).isEmpty(), field);
            auto* said = form->findChild<QLabel*>(QStringLiteral("problem:") + QLatin1String(field));
            QVERIFY2(said && said->isVisible(), field);
            QVERIFY(fieldOf(desk, field)->property("invalid").toBool());
            QCOMPARE(desk.workspace().pools(), before);
            desk.window->setFocus(); // left: what is in force comes back
            fieldOf(desk, field)->clearFocus();
            QTRY_VERIFY2(form->problemOf(QLatin1String(field)).isEmpty(), field);
        }
    }

    void everyPropertyTakesEffect()
    {
        MapDesk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        QTest::mouseClick(desk.find<PoolRow>()->findChild<QToolButton*>(QStringLiteral("poolProperties")), Qt::LeftButton);
        QTRY_VERIFY(desk.find<PoolForm>());
        Pool wanted = desk.workspace().pools().front();
        const auto type = [&](const char* field, const char* text) {
            retype(fieldOf(desk, field), QLatin1String(text));
            QTest::keyClick(fieldOf(desk, field), Qt::Key_Return);
        };
        type("alignment", "16");
        wanted.alignment = 16;
        type("targets", "cpu, npu");
        wanted.targets = {"cpu", "npu"};
        type("clock, MHz", "480");
        wanted.clockHz = 480'000'000;
        type("reads, B/cycle", "8");
        wanted.readBytesPerCycle = 8;
        type("writes, B/cycle", "4.5");
        wanted.writeBytesPerCycle = 4.5;
        type("read latency", "3");
        wanted.readLatencyCycles = 3;
        type("write latency", "2");
        wanted.writeLatencyCycles = 2;
        type("burst", "32");
        wanted.burstBytes = 32;
        QCOMPARE(desk.workspace().pools().front(), wanted);
        for (const char* field : {"alignment", "targets", "clock, MHz", "reads, B/cycle", "writes, B/cycle", "read latency",
                                  "write latency", "burst"}) {
            Q_UNUSED(field);
            desk.trigger("edit.undo");
        }
        QVERIFY(desk.workspace().pools().front().targets.empty());
        QCOMPARE(desk.workspace().pools().front().burstBytes, Bytes{0});
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 60'000);
    }

    void typedSizesAreReadBack()
    {
        for (const Bytes bytes :
             {Bytes{1}, Bytes{100}, Bytes{1024}, Bytes{1536}, Bytes{16384}, Bytes{1} << 20, Bytes{3} << 30, (Bytes{1} << 40) + 1})
            QCOMPARE(parseBytes(typedBytes(bytes)), std::optional<Bytes>(bytes));
        QCOMPARE(typedBytes(16384), QStringLiteral("16K"));
    }

    /// Sizes of one window have one unit, and bytes are whole: what is free is compared with what the plan takes.
    void theSidebarHasTheUnitOfTheWindow()
    {
        MapDesk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.workspace().showRun(desk.workspace().shown().runOf("naive")->id); // reuses no byte: much is free at the peak
        const Bytes free = desk.workspace().run()->report.pools.front().freeAtPeak;
        QVERIFY(free > 1024);
        const auto says = [&](const QString& text) {
            const std::vector<test::PaintedText> texts = test::paintedTexts(*desk.window);
            return std::ranges::any_of(texts, [&](const test::PaintedText& each) { return each.text == text; });
        };
        QTRY_VERIFY(says(countText(free) + QStringLiteral(" B free at peak")));
        NumberFormat words;
        words.unit = NumberFormat::Unit::words;
        desk.workspace().setNumbers(words);
        QTRY_VERIFY(says(bytesText(free, words) + QStringLiteral(" free at peak")));
    }

    /// A capacity of many digits below the bar is whole or left out: its commas do not divide the facts of the pool.
    void aCapacityBelowTheBarIsNotCut()
    {
        MapDesk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        desk.workspace().edits().setCapacity(0, Bytes{1} << 40);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->report.pools.front().capacity, 30'000);
        auto* row = desk.find<PoolRow>();
        const QString whole = QStringLiteral("of 1,099,511,627,776 B"); // 2^40
        int shown = 0, cut = 0;
        for (int width = 60; width < 300; ++width) {
            row->resize(width, row->height());
            for (const test::PaintedText& text : test::paintedTexts(*row)) {
                if (!text.text.startsWith(QStringLiteral("of "))) continue;
                const bool left = QStringLiteral("of \u2026").startsWith(text.text);
                QVERIFY2(left || text.text.startsWith(whole), qPrintable(text.text));
                ++(left ? cut : shown);
            }
        }
        QVERIFY(shown > 0 && cut > 0);
    }

    void noWidthOfTheStatusCutsANumber()
    {
        MapDesk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* status = desk.find<StatusStrip>();
        QVERIFY(desk.workspace().run()->report.verdict.pairsChecked > 9); // "checked independently, 190 pairs"
        for (int width = 60; width < 700; ++width) {
            status->resize(width, status->height());
            for (const test::PaintedText& text : test::paintedTexts(*status))
                QVERIFY2(!test::cutsNumber(text.text), qPrintable(text.text));
        }
    }

    /// A buffer cannot collide with one in another memory.
    void conflictsAreCountedInTheMemoryOfABuffer()
    {
        MapDesk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        const auto run = desk.workspace().run();
        const auto& buffers = run->problem().buffers;
        const auto& places = run->plan.placements;
        const auto meet = [&](std::size_t a, std::size_t b) {
            for (const Interval& one : buffers[a].live)
                for (const Interval& other : buffers[b].live)
                    if (one.begin < other.end && other.begin < one.end) return true;
            return false;
        };
        int some = 0;
        for (std::size_t id = 0; id < buffers.size(); ++id) {
            int all = 0, near = 0;
            for (std::size_t other = 0; other < buffers.size(); ++other) {
                if (other == id || buffers[other].size == 0 || buffers[id].size == 0 || !meet(id, other)) continue;
                ++all;
                near += places[other].pool == places[id].pool;
            }
            if (all == near) continue;
            desk.workspace().selection().select(BufferId(id));
            const auto said = [&] {
                QStringList texts;
                for (const QLabel* label : desk.find<Inspector>()->findChildren<QLabel*>()) texts << label->text();
                return texts;
            };
            QTRY_VERIFY2(said().contains(QStringLiteral("%1 in its pool").arg(near)), qPrintable(said().join(u'|')));
            ++some;
        }
        QVERIFY(some > 0);
    }

    void localFirstStandsBesideUnified()
    {
        MapDesk desk;
        QVERIFY(openText(desk));
        desk.trigger("compare.local-first");
        auto* view = dynamic_cast<CompareView*>(desk.window->views().currentView());
        QVERIFY(view);
        const std::string unified = desk.session.defaultPlanner();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && view->compared().shown().size() == 2, 60'000);
        const auto shown = view->compared().shown();
        QCOMPARE(desk.session.run(shown[0])->run->plan.planner, std::string("local-first"));
        QCOMPARE(desk.session.run(shown[1])->run->plan.planner, unified);
        QTRY_VERIFY(view->compared().difference());
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(MemoriesTest)
#include "tst_memories.moc"
