// The real window with a kernel of Ascend's compiler: its planner and its chip without a word, the page of a memory that
// overflows, and what-if of its buffers.
#include "app/desktop/panels/kernel_changes.h"
#include "app/desktop/panels/overflow_page.h"
#include "app/desktop/panels/target_panel.h"
#include "app/desktop/shell/tool_strip.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/overflow_card.h"
#include "tests/desktop/desk.h"
#include "tests/support/written_file.h"

#include <QAbstractButton>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

#include <algorithm>

using namespace stowage;
using test::Desk;

namespace {

/// x is loaded into two slots of 81,920 bytes, y has one: live together at vadd, that is 3 * 655,360 bits, 393,216 more than the
/// 1,572,864 of an A2.
QByteArray kernel(bool named)
{
    QByteArray text =
        "module$TARGET {\n"
        "  func.func @k(%in : $G, %out : $G) attributes {hacc.entry} {\n"
        "    %c0 = arith.constant 0 : index\n    %c4 = arith.constant 4 : index\n    %c1 = arith.constant 1 : index\n"
        "    %half = arith.constant 0.5 : f32\n"
        "    scf.for %i = %c0 to %c4 step %c1 {\n"
        "      %x = memref.alloc() : $T\n"
        "      annotation.mark %x {hivm.multi_buffer = 2 : i32} : $T\n"
        "      %y = memref.alloc() : $T\n"
        "      hivm.hir.load ins(%in : $G) outs(%x : $T)\n"
        "      hivm.hir.vbrc ins(%half : f32) outs(%y : $T)\n"
        "      hivm.hir.vadd ins(%x, %y : $T, $T) outs(%y : $T)\n"
        "      hivm.hir.store ins(%y : $T) outs(%out : $G)\n"
        "    }\n    return\n  }\n}\n";
    text.replace("$TARGET", named ? " attributes {hacc.target = #hacc.target<\"Ascend910B1\">}" : "");
    text.replace("$G", "memref<20480xf32, #hivm.address_space<gm>>");
    text.replace("$T", "memref<20480xf32, #hivm.address_space<ub>>");
    return text;
}

constexpr Bytes slot = 81'920;
constexpr Bytes required = 3 * slot;

} // namespace

class WindowKernelsTest : public QObject {
    Q_OBJECT

    QString file(const char* name, const QByteArray& text) { return test::writtenFile(folder_, QString::fromLatin1(name), text); }
    static bool openKernel(Desk& desk, const QString& path)
    {
        desk.window->openFiles({path});
        return QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run() && desk.workspace().shownRun() != 0; }, 60'000);
    }
    static bool readAgain(Desk& desk)
    {
        const int before = desk.workspace().modelId();
        desk.workspace().reload();
        return QTest::qWaitFor([&] { return desk.workspace().modelId() != before && desk.idle() && desk.workspace().run(); },
                               60'000);
    }
    static BufferId named(const Run& run, std::string_view name)
    {
        for (std::size_t b = 0; b < run.problem().buffers.size(); ++b)
            if (run.problem().buffers[b].name == name) return BufferId(b);
        return none;
    }

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void emptyMemoriesOfACoreFold()
    {
        Desk desk;
        QVERIFY(openKernel(desk, file("folds.mlir", kernel(true))));
        const auto shown = [&] {
            int count = 0;
            for (const PoolRow* row : desk.window->findChildren<PoolRow*>()) count += row->isVisible();
            return count;
        };
        // The kernel uses ub alone, of the memories of its core.
        const auto all = int(desk.workspace().pools().size());
        QVERIFY(all >= 7);
        QTRY_COMPARE(shown(), 1);
        auto* more = desk.find<QPushButton>("emptyMemories");
        QVERIFY(more && more->isVisible());
        QCOMPARE(more->text(), QStringLiteral("%1 empty pools").arg(all - 1));
        more->click();
        QCOMPARE(shown(), all);
        more->click();
        QCOMPARE(shown(), 1);
        // A model with fewer memories than that has them all.
        QVERIFY(desk.open("microcontroller_two_memories"));
        QTRY_COMPARE(shown(), int(desk.workspace().pools().size()));
    }

    /// Beside a network, whose views have no pipes, the kernel has its tabs; back at the network they are gone.
    void aKernelBesideAnotherModelHasItsTabs()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto* tabs = desk.find<QTabBar>("viewTabs");
        const auto visible = [&](const char* title) {
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->tabText(i) == QLatin1String(title)) return tabs->isTabVisible(i);
            return false;
        };
        QVERIFY(!visible("Pipes") && !visible("Loops"));
        const int network = desk.workspace().modelId();
        desk.window->openFiles({file("beside.mlir", kernel(true))});
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().modelId() != network && desk.workspace().run(); },
                                60'000));
        QTRY_VERIFY(visible("Pipes") && visible("Loops"));
        QVERIFY(desk.workspace().planners().ticked("hivm"));
        desk.workspace().setModel(network);
        QTRY_VERIFY(!visible("Pipes") && !visible("Loops"));
        QVERIFY(!desk.workspace().planners().ticked("hivm"));
        QCOMPARE(desk.workspace().planners().focus(), desk.workspace().run()->plan.planner); // and its options are gone
    }

    /// Its planner is ticked and shown, its chip chosen; for the next model of another kind the tick is gone again.
    void aKernelBringsItsPlannerAndItsChip()
    {
        Desk desk;
        QVERIFY(openKernel(desk, file("named.mlir", kernel(true))));
        QVERIFY(desk.workspace().planners().ticked("hivm") && desk.workspace().planners().ticked("auto"));
        QVERIFY(desk.workspace().shown().runOf("hivm"));
        QCOMPARE(desk.workspace().run()->plan.planner, std::string("hivm"));
        auto* chooser = desk.find<QAbstractButton>("targetChooser");
        QCOMPARE(chooser->text(), QStringLiteral("Ascend910B1"));
        QVERIFY(!desk.workspace().edits().targetIsAssumed());
        QVERIFY(openKernel(desk, file("unnamed.mlir", kernel(false))));
        QVERIFY(desk.workspace().edits().targetIsAssumed());
        QCOMPARE(desk.workspace().target().name, QStringLiteral("ascend910b"));
        QVERIFY2(chooser->text().contains(QStringLiteral("assumed")), qPrintable(chooser->text()));
        QCOMPARE(desk.workspace().run()->problem().pools.front().capacity, std::optional<Bytes>(196'608));
        QVERIFY(desk.open("resnet18"));
        QVERIFY(!desk.workspace().planners().ticked("hivm"));
        desk.workspace().planners().setTicked("hivm", true); // now it is the user's
        QVERIFY(desk.open("mobilenet_v1_025"));
        QVERIFY(desk.workspace().planners().ticked("hivm"));
    }

    /// Its planner is no candidate for a network, which "Tick all planners" before a kernel does not ask for.
    void allTickedInFrontOfAKernelIsForKernels()
    {
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        const int network = desk.workspace().modelId();
        desk.window->openFiles({file("all.mlir", kernel(true))});
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().modelId() != network && desk.workspace().run(); },
                                60'000));
        const int kernelId = desk.workspace().modelId();
        PlannerChoice& planners = desk.workspace().planners();
        planners.setAllTicked(true);
        QVERIFY(planners.ticked("hivm") && planners.ticked("exact"));
        desk.workspace().setModel(network);
        QVERIFY(!planners.ticked("hivm") && planners.ticked("exact"));
        desk.workspace().setModel(kernelId);
        QVERIFY(planners.ticked("hivm"));
        planners.setTicked("hivm", true); // this one is asked for by its name
        desk.workspace().setModel(network);
        QVERIFY(planners.ticked("hivm"));
    }

    /// The text names a chip when it is read again: what was assumed is gone, also from the steps of undo.
    void anAssumedChipGivesWayToANamedOne()
    {
        const QByteArray unnamed = kernel(false).replace("20480", "2048"), named = kernel(true).replace("20480", "2048");
        const QString path = file("renamed.mlir", unnamed), stow = folder_.filePath(QStringLiteral("assumed.stow"));
        {
            Desk desk;
            QVERIFY(openKernel(desk, path));
            QVERIFY(desk.workspace().edits().targetIsAssumed());
            desk.workspace().edits().setAlignment(64);
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 60'000);
            QVERIFY(readAgain(desk)); // the same text
            QVERIFY(desk.workspace().edits().targetIsAssumed());
            desk.window->saveSession(stow);
            QTRY_VERIFY_WITH_TIMEOUT(desk.window->errorCard().notice().path.endsWith(u".stow"), 20'000);
        }
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        QVERIFY(desk.workspace().edits().targetIsAssumed());
        QCOMPARE(desk.workspace().target().name, QStringLiteral("ascend910b"));
        desk.workspace().edits().setAlignment(32);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 60'000);
        file("renamed.mlir", named);
        QVERIFY(readAgain(desk));
        QVERIFY(!desk.workspace().edits().targetIsAssumed());
        QVERIFY(desk.workspace().target().pools.empty());
        QCOMPARE(desk.find<QAbstractButton>("targetChooser")->text(), QStringLiteral("Ascend910B1"));
        desk.trigger("edit.undo");
        QCOMPARE(desk.workspace().edits().setup().alignment, Bytes(64));
        QVERIFY(!desk.workspace().edits().targetIsAssumed() && desk.workspace().target().pools.empty());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 60'000);
    }

    /// The file named its chip when the session was saved, and names none now: nobody has chosen the pools of the kernel itself.
    void aChipThatIsNoLongerNamedIsAssumed()
    {
        const QByteArray named = kernel(true).replace("20480", "2048"), unnamed = kernel(false).replace("20480", "2048");
        const QString path = file("once-named.mlir", named), stow = folder_.filePath(QStringLiteral("once-named.stow"));
        {
            Desk desk;
            QVERIFY(openKernel(desk, path));
            QVERIFY(!desk.workspace().edits().targetIsAssumed());
            const OpenModels& models = desk.workspace().models();
            QTRY_VERIFY_WITH_TIMEOUT(models.hashOf(models.current()).has_value(), 20'000);
            desk.window->saveSession(stow);
            QTRY_VERIFY_WITH_TIMEOUT(desk.window->errorCard().notice().path.endsWith(u".stow"), 20'000);
        }
        file("once-named.mlir", unnamed);
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().modelId() != 0, 60'000);
        QVERIFY(desk.workspace().edits().targetIsAssumed());
        QCOMPARE(desk.workspace().target().name, QStringLiteral("ascend910b"));
    }

    /// What the user chooses is no assumption: the target that was assumed, and the kernel's own pools.
    void aChosenTargetIsNotAssumedAnew()
    {
        const QString path = file("chosen.mlir", kernel(false).replace("20480", "2048")),
                      stow = folder_.filePath(QStringLiteral("chosen.stow"));
        {
            Desk desk;
            QVERIFY(openKernel(desk, path));
            ModelEdits& edits = desk.workspace().edits();
            const auto target = desk.session.target(QStringLiteral("ascend910b"));
            QVERIFY(target && edits.targetIsAssumed());
            edits.setTarget(*target);
            QVERIFY(!edits.targetIsAssumed());
            QCOMPARE(desk.workspace().undoStack().count(), 1);
            QTRY_VERIFY(!desk.find<QAbstractButton>("targetChooser")->text().contains(QStringLiteral("assumed")));
            edits.setTarget(*target); // once is enough
            QCOMPARE(desk.workspace().undoStack().count(), 1);
            QVERIFY(readAgain(desk));
            QCOMPARE(desk.workspace().target().name, QStringLiteral("ascend910b"));
            QVERIFY(!edits.targetIsAssumed());
            desk.trigger("edit.undo");
            QVERIFY(edits.targetIsAssumed());

            edits.setTarget({});
            QVERIFY(!edits.targetIsAssumed() && desk.workspace().target().pools.empty());
            QVERIFY(readAgain(desk));
            QVERIFY(!edits.targetIsAssumed() && desk.workspace().target().pools.empty());
            desk.window->saveSession(stow);
            QTRY_VERIFY_WITH_TIMEOUT(desk.window->errorCard().notice().path.endsWith(u".stow"), 20'000);
        }
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 60'000);
        QVERIFY(desk.workspace().target().pools.empty());
        QVERIFY(readAgain(desk));
        QVERIFY(!desk.workspace().edits().targetIsAssumed() && desk.workspace().target().pools.empty());
    }

    /// Also when the text has changed since the session was saved: the kernel's own pools stay.
    void chosenOwnPoolsStayWhenTheFileHasChanged()
    {
        const QByteArray text = kernel(false).replace("20480", "2048");
        const QString path = file("own-pools.mlir", text), stow = folder_.filePath(QStringLiteral("own-pools.stow"));
        {
            Desk desk;
            QVERIFY(openKernel(desk, path));
            QVERIFY(desk.workspace().edits().targetIsAssumed());
            desk.workspace().edits().setTarget({});
            const OpenModels& models = desk.workspace().models();
            QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && models.hashOf(models.current()).has_value(), 60'000);
            desk.window->saveSession(stow);
            QTRY_VERIFY_WITH_TIMEOUT(desk.window->errorCard().notice().path.endsWith(u".stow"), 20'000);
        }
        file("own-pools.mlir", text + "\n");
        Desk desk;
        QVERIFY(desk.window->openSession(stow));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().modelId() != 0, 60'000);
        QTRY_VERIFY(desk.window->errorCard().isVisible() && desk.window->errorCard().notice().title.endsWith(u"has changed"));
        QVERIFY(!desk.workspace().edits().targetIsAssumed() && desk.workspace().target().pools.empty());
    }

    /// The tick that a kernel brings is not kept, and what is kept of other planners does not keep it away: neither by the
    /// settings nor by a session.
    void aKernelBringsItsPlannerAtEveryStart()
    {
        const QString path = file("starts.mlir", kernel(true)), stow = folder_.filePath(QStringLiteral("starts.stow"));
        {
            Desk desk;
            QVERIFY(desk.open("resnet18"));
            desk.window->close();
        }
        {
            Desk desk;
            QVERIFY(openKernel(desk, path));
            QVERIFY(desk.workspace().planners().ticked("hivm"));
            desk.window->saveSession(stow);
            QTRY_VERIFY_WITH_TIMEOUT(desk.window->errorCard().isVisible(), 20'000);
            desk.window->close();
        }
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        QVERIFY(!desk.workspace().planners().ticked("hivm"));
        QVERIFY(desk.window->openSession(stow));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().model() && desk.workspace().model()->path == path, 60'000);
        QVERIFY(desk.workspace().planners().ticked("hivm"));
        QVERIFY(desk.open("resnet18"));
        QVERIFY(!desk.workspace().planners().ticked("hivm"));
    }

    /// Unticked by the user, it stays so: at the next start, and in a session.
    void anUntickedPlannerStaysUnticked()
    {
        const QString path = file("unticked.mlir", kernel(true).replace("20480", "2048")),
                      stow = folder_.filePath(QStringLiteral("unticked.stow"));
        {
            Desk desk;
            QVERIFY(openKernel(desk, path));
            desk.workspace().planners().setTicked("hivm", false);
            desk.window->saveSession(stow);
            QTRY_VERIFY_WITH_TIMEOUT(desk.window->errorCard().notice().path.endsWith(u".stow"), 20'000);
            desk.window->close();
        }
        {
            Desk desk;
            QVERIFY(openKernel(desk, path));
            QVERIFY(!desk.workspace().planners().ticked("hivm"));
        }
        QSettings().clear();
        Desk desk;
        QVERIFY(openKernel(desk, path));
        QVERIFY(desk.workspace().planners().ticked("hivm"));
        QVERIFY(desk.window->openSession(stow));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().model() && desk.workspace().model()->path == path, 60'000);
        QVERIFY(!desk.workspace().planners().ticked("hivm"));
    }

    /// Earlier versions saved the tick that a kernel had brought, and not who had set it.
    void aTickOfAnEarlierVersionIsThatOfAKernel()
    {
        QSettings().setValue(QStringLiteral("plan/planners"), QStringList{QStringLiteral("auto"), QStringLiteral("hivm")});
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        QVERIFY(!desk.workspace().planners().ticked("hivm"));
        QVERIFY(desk.workspace().planners().ticked("auto"));
        QVERIFY(openKernel(desk, file("earlier.mlir", kernel(true).replace("20480", "2048"))));
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().planners().ticked("hivm"), 60'000);
    }

    void theOverflowPageSaysWhatTheCompilerSaysAndWhatHelps()
    {
        Desk desk;
        QVERIFY(openKernel(desk, file("named.mlir", kernel(true))));
        auto* page = desk.find<OverflowPage>("overflowPage");
        QTRY_VERIFY_WITH_TIMEOUT((page = desk.find<OverflowPage>("overflowPage")) && page->overflow(), 20'000);
        const hivm::Overflow& overflow = *page->overflow();
        QCOMPARE(overflow.required, required);
        QCOMPARE(overflow.excess() * 8, Bytes{393'216});
        QVERIFY(overflow.tooMuchLive());
        QCOMPARE(overflow.occupants.size(), 2U);
        QCOMPARE(overflow.occupants[0].slots, 2);
        QCOMPARE(overflow.furtherSlots(), slot);
        QVERIFY(!overflow.occupants[0].level && !overflow.occupants[1].level); // nothing else lies anywhere
        auto* words = page->findChild<QLabel*>(QStringLiteral("compilersWords"));
        QVERIFY(words && words->text().startsWith(QStringLiteral(
                             "ub overflow, requires 1966080 bits while 1572864 bits available! (possible reason:")));

        // Lit up in all views, and the page stays.
        auto* light = page->findChild<QAbstractButton*>(QStringLiteral("lightOverflow"));
        QVERIFY(light);
        light->click();
        QCOMPARE(desk.workspace().selection().buffers().size(), 2U);
        QCOMPARE(desk.workspace().selection().cursor(), std::optional<Step>(overflow.step));
        QTest::qWait(50);
        QVERIFY(page->isVisible());

        // The smallest change that fits comes first: without the second slot 2 * 655,360 bits are left.
        KernelChanges* changes = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((changes = page->findChild<KernelChanges*>()) && !changes->outcomes().empty(), 20'000);
        QVERIFY(changes->outcomes().front().fits);
        QCOMPARE(changes->outcomes().front().change, Change::ofSlots(named(*desk.workspace().run(), "%x"), 1));
        QCOMPARE(changes->outcomes().front().report.pools.front().size, 2 * slot);
        auto* attempt = page->findChild<QAbstractButton*>(QStringLiteral("tryKernelChange:0"));
        QVERIFY(attempt);
        attempt->click();
        QCOMPARE(desk.workspace().changes().size(), 1U);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && !desk.workspace().run()->report.verdict.overCapacity, 20'000);
        QCOMPARE(desk.workspace().run()->problem().buffers[std::size_t(named(*desk.workspace().run(), "%x"))].slots, 1);
        desk.trigger("edit.undo");
        QVERIFY(desk.workspace().changes().empty());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->report.verdict.overCapacity, 20'000);
    }

    /// As soon as they are known, and before any change is planned.
    void theOverflowCardDoesNotWaitForChanges()
    {
        Desk desk;
        QVERIFY(openKernel(desk, file("named.mlir", kernel(true))));
        const auto run = desk.workspace().run();
        QVERIFY(run->report.verdict.overCapacity);
        OverflowPage page(desk.workspace(), desk.look);
        const auto seen = [&] {
            const auto cards = page.findChildren<OverflowCard*>();
            return std::ranges::any_of(cards, [](const OverflowCard* card) { return card->isVisible() && card->height() > 40; });
        };
        bool planning = false, seenThen = false;
        connect(&page, &OverflowPage::changed, this, [&] {
            planning = page.findChild<KernelChanges*>()->busy();
            seenThen = seen();
        });
        page.resize(320, 600);
        page.setRun(run, run->report.pools.front().pool);
        page.show();
        QVERIFY(seen());
        QTRY_VERIFY_WITH_TIMEOUT(page.overflow(), 20'000);
        QVERIFY(planning);
        QVERIFY(seenThen);
    }

    /// Drop, double and halve from the inspector; each row is what planning anew gives, and a tried one can be taken back.
    void aBuffersChangesArePlannedAnewAndTried()
    {
        Desk desk;
        QVERIFY(openKernel(desk, file("named.mlir", kernel(true))));
        const BufferId x = named(*desk.workspace().run(), "%x");
        desk.workspace().selection().select(x);
        KernelChanges* list = nullptr;
        const auto listed = [&] {
            list = nullptr;
            for (auto* each : desk.window->findChildren<KernelChanges*>())
                if (each->isVisible()) list = each;
            return list && !list->busy() && !list->outcomes().empty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(listed(), 20'000);
        std::vector<std::pair<std::string, Bytes>> rows;
        for (const ChangeOutcome& outcome : list->outcomes())
            rows.emplace_back(describe(desk.workspace().run()->problem(), outcome.change), outcome.report.pools.front().size);
        const std::string loop = desk.workspace().run()->problem().loops.front().name;
        const std::vector<std::pair<std::string, Bytes>> expected{{"drop the multi-buffer of %x", 2 * slot},
                                                                  {"4 slots for %x", 5 * slot},
                                                                  {"halve %x", 2 * slot},
                                                                  {"halve the tile of loop " + loop, required / 2},
                                                                  {"double %x", 5 * slot},
                                                                  {"double the tile of loop " + loop, 2 * required}};
        for (const auto& [text, size] : rows) qInfo("%s: %lld", text.c_str(), static_cast<long long>(size));
        QVERIFY(rows == expected);

        auto* attempt = list->findChild<QAbstractButton*>(QStringLiteral("tryKernelChange:3")); // half the tile: both buffers
        QVERIFY(attempt);
        attempt->click();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->report.totalSize() == required / 2, 20'000);
        // Once more, on top of that.
        QTRY_VERIFY_WITH_TIMEOUT(listed() && list->outcomes().front().problem.buffers[std::size_t(x)].size == slot / 2, 20'000);
        list->findChild<QAbstractButton*>(QStringLiteral("tryKernelChange:3"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->report.totalSize() == required / 4, 20'000);
        QCOMPARE(desk.workspace().changes().size(), 2U);
        QAbstractButton* back = nullptr;
        QTRY_VERIFY((back = desk.find<QAbstractButton>("takeBack")) && back->isVisible());
        back->click();
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run()->report.totalSize() == required / 2, 20'000);
        desk.trigger("edit.undo");
        desk.trigger("edit.undo");
        desk.trigger("edit.undo");
        QVERIFY(desk.workspace().changes().empty());
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
    }

private:
    test::OwnSettings settings_;
    QTemporaryDir folder_;
};

QTEST_MAIN(WindowKernelsTest)
#include "tst_window_kernels.moc"
