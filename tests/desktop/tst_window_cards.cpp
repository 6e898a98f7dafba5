// The real window: cards over it by keyboard, and what its drawn parts say to screen readers.
#include "app/canvas/kit/number_text.h"
#include "app/desktop/glossary.h"
#include "app/desktop/panels/distributions_panel.h"
#include "app/desktop/panels/reorder_card.h"
#include "app/desktop/panels/support_pile.h"
#include "app/desktop/panels/target_panel.h"
#include "app/desktop/shell/command_palette.h"
#include "app/desktop/shell/export_dialog.h"
#include "app/desktop/shell/guide_window.h"
#include "app/desktop/shell/samples.h"
#include "app/desktop/shell/search_field.h"
#include "app/desktop/shell/tour.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/open_dialog.h"
#include "app/session/recent_files.h"
#include "tests/desktop/desk.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QShortcut>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <string>
#include <vector>

using namespace stowage;
using test::Desk;

namespace {

/// The description of a widget for a screen reader that does not pass over it.
QString heard(QWidget* widget)
{
    QAccessibleInterface* face = widget ? QAccessible::queryAccessibleInterface(widget) : nullptr;
    if (!face || face->role() == QAccessible::Client || face->role() == QAccessible::NoRole) return {};
    return face->text(QAccessible::Description);
}

/// The visible button below `part` with this accessible name.
QAbstractButton* buttonOf(const QWidget& part, const QString& name)
{
    for (auto* button : part.findChildren<QAbstractButton*>())
        if (button->isVisible() && button->accessibleName() == name) return button;
    return nullptr;
}

/// A row of the palette in words: menu and text of a command.
QString wordsOf(const ActionRegistry::Entry& entry)
{
    return entry.menu + QStringLiteral(", ") + QString(entry.text).remove(QStringLiteral("…"));
}

/// Gives the focus to the picture of the memory map; null if it does not take it.
QWidget* focusedMap(Desk& desk)
{
    desk.window->activateWindow();
    if (!QTest::qWaitForWindowActive(desk.window.get())) return nullptr;
    desk.window->views().setCurrent(QStringLiteral("memory-map"));
    QWidget* map = desk.window->views().currentView()->canvas();
    map->setFocus();
    return map->hasFocus() ? map : nullptr;
}

} // namespace

class WindowCardsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theFocusGoesBackWhenACardCloses_data()
    {
        QTest::addColumn<QString>("card");
        for (const char* card : {"tools.palette", "help.shortcuts", "help.tour", "plan.reorder"})
            QTest::newRow(card) << QString::fromLatin1(card);
    }
    void theFocusGoesBackWhenACardCloses()
    {
        QFETCH(QString, card);
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        QWidget* map = focusedMap(desk);
        QVERIFY(map);
        desk.trigger(qPrintable(card));
        QWidget* inside = QApplication::focusWidget();
        QVERIFY(inside && inside != map);
        QTest::keyClick(inside, Qt::Key_Escape);
        QVERIFY(!inside->isVisible());
        QVERIFY(map->hasFocus());
    }

    void theFocusGoesBackThroughACardUnderAnother()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        QWidget* map = focusedMap(desk);
        QVERIFY(map);
        for (const char* second : {"tools.palette", "help.tour"}) {
            desk.trigger(second == QByteArray("help.tour") ? "help.tour" : "help.shortcuts");
            QVERIFY(!map->hasFocus());
            desk.trigger(second);
            QWidget* inside = QApplication::focusWidget();
            QVERIFY(inside && inside != map);
            QTest::keyClick(inside, Qt::Key_Escape);
            QVERIFY2(map->hasFocus(), second);
        }
    }

    void aCommandOfThePaletteMovesTheFocusItself()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        QWidget* map = focusedMap(desk);
        QVERIFY(map);
        desk.trigger("tools.palette");
        auto* palette = desk.find<CommandPalette>();
        auto* input = palette->findChild<QLineEdit*>();
        QTest::keyClicks(input, QStringLiteral("Search"));
        QTest::keyClick(input, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QVERIFY(desk.find<SearchField>()->hasFocus());
        // Another command leaves the focus where it was before.
        map->setFocus();
        desk.trigger("tools.palette");
        QTest::keyClicks(input, QStringLiteral("light theme"));
        QTest::keyClick(input, Qt::Key_Return);
        QVERIFY(!desk.look.theme().dark);
        QVERIFY(map->hasFocus());
    }

    /// A dialog has the shortcuts of the window no longer, and a guide of its own, which it does not hold up.
    void f1OpensTheGuideInADialog_data()
    {
        QTest::addColumn<QString>("page");
        QTest::newRow("file.open") << QStringLiteral("file-formats");
        QTest::newRow("file.export-picture") << QStringLiteral("compare-planners");
        QTest::newRow("tools.settings") << QStringLiteral("the-views");
        QTest::newRow("go.step") << QStringLiteral("reading-the-pictures");
        QTest::newRow("plan.plugins") << QStringLiteral("a-planner-in-ten-minutes");
        QTest::newRow("plan.target-file") << QStringLiteral("two-memories");
    }
    void f1OpensTheGuideInADialog()
    {
        QFETCH(const QString, page);
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QString shown;
        // Some dialogs are waited for: they are looked at from within.
        QTimer::singleShot(100, desk.window.get(), [&] {
            for (QDialog* dialog : desk.window->findChildren<QDialog*>()) {
                if (!dialog->isVisible()) continue;
                QApplication::setActiveWindow(dialog);
                QTest::keyClick(dialog, Qt::Key_F1);
                const auto* guide = dialog->findChild<GuideWindow*>();
                shown = guide && guide->isVisible() ? guide->page() : QStringLiteral("no guide");
                dialog->reject();
                return;
            }
        });
        desk.trigger(QTest::currentDataTag());
        QTRY_COMPARE(shown, page);
    }

    /// Only the dialog of models says how to open what is none.
    void everyDialogThatOpensAFileSaysWhatItIs_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("file.open") << QStringLiteral("Stowage target: Plan > Target from a file");
        QTest::newRow("plan.target-file") << QStringLiteral("Stowage target");
        QTest::newRow("compare.open-suite") << QStringLiteral("Stowage target");
    }
    void everyDialogThatOpensAFileSaysWhatItIs()
    {
        QFETCH(const QString, kind);
        Desk desk;
        QVERIFY(desk.open("mobilenet_v1_025"));
        QString said;
        QTimer::singleShot(0, desk.window.get(), [&] {
            auto* dialog = desk.window->findChild<OpenDialog*>();
            if (!dialog && QApplication::activeModalWidget()) QApplication::activeModalWidget()->close();
            if (!dialog) return;
            dialog->preview(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/targets/cortex-m7.json"));
            said = dialog->findChild<QLabel*>(QStringLiteral("previewKind"))->text();
            dialog->reject();
        });
        desk.trigger(QTest::currentDataTag());
        QCOMPARE(said, kind);
    }

    /// F1 in a modal dialog: the window's own key does not reach it.
    void everyDialogThatOpensAFileHasHelp()
    {
        Desk desk;
        OpenDialog dialog(desk.session.importers(), QStringLiteral("Devices"), {QStringLiteral("Devices (*.json)")},
                          QStringLiteral("pipelines"), {}, desk.window.get());
        dialog.show();
        const auto keys = [&] {
            QList<QShortcut*> found = dialog.findChildren<QShortcut*>(QString(), Qt::FindDirectChildrenOnly);
            found.removeIf([](const QShortcut* key) { return key->key() != QKeySequence(Qt::Key_F1); });
            return found;
        };
        QTRY_COMPARE(keys().size(), qsizetype(1)); // two of one key would be ambiguous
        Q_EMIT keys().front()->activated();
        const auto* guide = dialog.findChild<GuideWindow*>();
        QVERIFY(guide && guide->isVisible());
        QCOMPARE(guide->page(), QStringLiteral("pipelines"));
    }

    /// The same for files to write.
    void everyDialogThatWritesAFileHasHelp()
    {
        Desk desk;
        QString page;
        QTimer::singleShot(0, desk.window.get(), [&] {
            auto* dialog = QApplication::activeModalWidget();
            if (!dialog) return;
            page = dialog->property(guidePageProperty).toString();
            dialog->close();
        });
        const QString file = askFileToWrite(QStringLiteral("Write"), QStringLiteral("net.json"), QStringLiteral("JSON (*.json)"),
                                            QStringLiteral("constant-folding"), desk.window.get());
        QVERIFY(file.isEmpty());
        QCOMPARE(page, QStringLiteral("constant-folding"));
    }

    /// What is several files goes into a folder, which the same button of the Export card asks for.
    void theDialogForAFolderHasHelp()
    {
        Desk desk;
        ExportItem item;
        item.id = item.title = item.name = QStringLiteral("stages");
        item.folder = true;
        ExportDialog card(
            {item}, QDir::temp(), {640, 480}, false, [](const QString&) { return false; }, desk.look, desk.window.get());
        card.show();
        card.choose(item.id);
        const auto buttons = card.findChildren<QPushButton*>();
        const auto choose =
            std::ranges::find_if(buttons, [](const QPushButton* each) { return each->text() == QStringLiteral("Choose…"); });
        QVERIFY(choose != buttons.end());
        QString shown;
        QTimer::singleShot(100, desk.window.get(), [&] { // the dialog is waited for: it is looked at from within
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog) return;
            QApplication::setActiveWindow(dialog);
            QTest::keyClick(dialog, Qt::Key_F1);
            const auto* guide = dialog->findChild<GuideWindow*>();
            shown = guide && guide->isVisible() ? guide->page() : QStringLiteral("no guide");
            dialog->reject();
        });
        (*choose)->click();
        QCOMPARE(shown, QStringLiteral("compare-planners"));
    }

    /// A log or a trace is read by no reader of models: only kinds of our own are named.
    void aDialogForOtherFilesNamesNoReaderOfModels()
    {
        Desk desk;
        OpenDialog dialog(desk.session.importers(), QStringLiteral("Log"), {QStringLiteral("All files (*)")},
                          QStringLiteral("tflite-micro"), QString());
        const auto* kind = dialog.findChild<QLabel*>(QStringLiteral("previewKind"));
        QVERIFY(kind);
        dialog.preview(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/tflite/doorbell.tflite"));
        QCOMPARE(kind->text(), QString());
        dialog.preview(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/icons/stowage.svg"));
        QCOMPARE(kind->text(), QString());
        dialog.preview(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/targets/cortex-m7.json"));
        QCOMPARE(kind->text(), QStringLiteral("Stowage target"));
    }

    void thePaletteSaysItsCurrentEntry()
    {
        Desk desk;
        desk.trigger("tools.palette");
        auto* palette = desk.find<CommandPalette>();
        auto* input = palette->findChild<QLineEdit*>();
        std::vector<QString> commands;
        for (const auto& entry : desk.window->actions().entries())
            if (entry.action) commands.push_back(wordsOf(entry));
        QVERIFY(commands.size() > 20);
        const auto says = [&](std::size_t row) { return heard(input).startsWith(commands[row]); };
        QVERIFY2(says(0), qPrintable(heard(input)));
        QTest::keyClick(input, Qt::Key_Down);
        QVERIFY2(says(1), qPrintable(heard(input)));
        QTest::keyClick(input, Qt::Key_PageDown);
        QVERIFY2(says(13), qPrintable(heard(input))); // the list has twelve rows in sight
        QTest::keyClick(input, Qt::Key_PageUp);
        QTest::keyClick(input, Qt::Key_Up);
        QVERIFY2(says(0), qPrintable(heard(input)));
        QTest::keyClicks(input, QStringLiteral("zzzzqqqq"));
        QCOMPARE(palette->count(), 0);
        QCOMPARE(heard(input), QStringLiteral("nothing found"));
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Up, Qt::Key_PageDown, Qt::Key_PageUp}) QTest::keyClick(input, key);
        QCOMPARE(heard(input), QStringLiteral("nothing found"));
    }

    /// Of more buffers than are searched at once the answer comes later, and none to a text that was typed before.
    void thePaletteFindsManyBuffersLater()
    {
        QByteArray csv = "id,lower,upper,size\n";
        constexpr int count = int(CommandPalette::searchedAtOnce) + 1;
        for (int i = 0; i < count; ++i)
            csv += "zq" + QByteArray::number(i) + ',' + QByteArray::number(i) + ',' + QByteArray::number(i + 2) + ",8\n";
        Desk desk;
        desk.workspace().openText(QStringLiteral("many.csv"), csv);
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().run(); }, 60'000));
        desk.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
        desk.trigger("tools.palette");
        auto* palette = desk.find<CommandPalette>();
        auto* input = palette->findChild<QLineEdit*>();
        auto* list = palette->findChild<QListWidget*>();
        input->setText(QStringLiteral("zq1999"));
        QCOMPARE(palette->count(), 0); // no other thing has these letters, and the window did not wait for the search
        input->setText(QStringLiteral("zq777"));
        // By hand: 777, and 7770 to 7779.
        QTRY_COMPARE_WITH_TIMEOUT(palette->count(), 11, 20'000);
        QTest::qWait(200); // a late answer would be there by now
        QCOMPARE(palette->count(), 11);
        for (int row = 0; row < list->count(); ++row) QVERIFY(list->item(row)->text().startsWith(QStringLiteral("zq777")));
        QCOMPARE(list->currentRow(), 0);
        QVERIFY2(heard(input).contains(QStringLiteral("zq777")), qPrintable(heard(input)));
        // Enter before the answer is about the buffer, once it is found.
        input->setText(QStringLiteral("zq20000"));
        QCOMPARE(palette->count(), 0);
        QTest::keyClick(input, Qt::Key_Return);
        QVERIFY(palette->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!palette->isVisible(), 20'000);
        const BufferId chosen = desk.workspace().selection().buffer();
        QVERIFY(chosen != none);
        QCOMPARE(desk.workspace().run()->problem().buffers[std::size_t(chosen)].name, std::string("zq20000"));
        // Another run is shown in the meantime: the search begins again, and Enter still waits for it.
        desk.workspace().selection().clear();
        if (desk.workspace().runs().size() < 2) desk.workspace().plannings().planOnly("naive");
        QVERIFY(QTest::qWaitFor([&] { return desk.idle() && desk.workspace().runs().size() > 1; }, 60'000));
        desk.trigger("tools.palette");
        input->setText(QStringLiteral("zq20000"));
        QTest::keyClick(input, Qt::Key_Return);
        const auto before = desk.workspace().run();
        for (const RunEntry* entry : desk.workspace().runs())
            if (entry->run != before) {
                desk.workspace().showRun(entry->id);
                break;
            }
        QVERIFY(desk.workspace().run() != before);
        QTRY_VERIFY_WITH_TIMEOUT(!palette->isVisible(), 20'000);
        const BufferId again = desk.workspace().selection().buffer();
        QVERIFY(again != none);
        QCOMPARE(desk.workspace().run()->problem().buffers[std::size_t(again)].name, std::string("zq20000"));
    }

    void aCommandThatCannotBeDoneNowKeepsThePaletteOpen()
    {
        Desk desk;
        desk.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
        QVERIFY(!desk.window->actions().action(QStringLiteral("plan.cancel"))->isEnabled()); // nothing is planned
        desk.trigger("tools.palette");
        auto* palette = desk.find<CommandPalette>();
        auto* input = palette->findChild<QLineEdit*>();
        QTest::keyClicks(input, QStringLiteral("Stop planning"));
        QVERIFY2(heard(input).contains(QStringLiteral("Stop planning")), qPrintable(heard(input)));
        QVERIFY2(heard(input).endsWith(QStringLiteral("cannot be done now")), qPrintable(heard(input)));
        QTest::keyClick(input, Qt::Key_Return);
        QVERIFY(palette->isVisible());
    }

    /// Enter is the key of the button that has the focus, and else that of "Next".
    void enterInTheTourIsOfTheButtonWithTheFocus()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        QVERIFY(focusedMap(desk));
        desk.trigger("help.tour");
        auto* tour = desk.find<Tour>();
        const auto at = [&](int stop) {
            return tour->stop() == stop && heard(tour).startsWith(QStringLiteral("%1 of %2: ").arg(stop + 1).arg(tour->count()));
        };
        QVERIFY2(at(0), qPrintable(heard(tour)));
        QTest::keyClick(tour, Qt::Key_Return);
        QTest::keyClick(tour, Qt::Key_Right);
        QVERIFY2(at(2), qPrintable(heard(tour)));
        auto* back = tour->findChild<QPushButton*>(QStringLiteral("tourBack"));
        back->setFocus(Qt::TabFocusReason);
        QTest::keyClick(back, Qt::Key_Return);
        QVERIFY2(at(1), qPrintable(heard(tour)));
        auto* end = tour->findChild<QPushButton*>(QStringLiteral("tourEnd"));
        end->setFocus(Qt::TabFocusReason);
        QTest::keyClick(end, Qt::Key_Enter);
        QVERIFY(!tour->isVisible());
        QCOMPARE(tour->stop(), 1);
    }

    void theShortcutListScrollsByKeyboardAndSaysEveryKey()
    {
        Desk desk;
        desk.window->resize(1100, 500);
        desk.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(desk.window.get()));
        desk.trigger("help.shortcuts");
        auto* list = desk.find<ShortcutList>();
        const auto* bar = list->findChild<QScrollArea*>()->verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0);
        const auto after = [&](Qt::Key key) {
            QTest::keyClick(list, key);
            return bar->value();
        };
        const int end = bar->maximum();
        QCOMPARE(after(Qt::Key_End), end);
        QVERIFY(after(Qt::Key_Up) < end);
        QVERIFY(after(Qt::Key_PageUp) < end);
        QCOMPARE(after(Qt::Key_Home), 0);
        const int line = after(Qt::Key_Down);
        QVERIFY(line > 0);
        QVERIFY(after(Qt::Key_PageDown) > line);
        QVERIFY(list->isVisible());
        for (const auto& entry : desk.window->actions().entries())
            for (const QString& keys : ActionRegistry::keyTexts(entry))
                QVERIFY2(heard(list).contains(keys) && heard(list).contains(QString(entry.text).remove(QStringLiteral("…"))),
                         qPrintable(entry.text + u' ' + keys));
    }

    /// Three buffers that are live together lie on each other, whatever the planner.
    void theBuffersBelowAreHeardAndSelectedByKeyboard()
    {
        Desk desk;
        desk.workspace().openText(QStringLiteral("pile"), "id,lower,upper,size\nlarge,0,10,64\nmiddle,0,10,32\nsmall,0,10,16\n");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        const auto run = desk.workspace().run();
        std::vector<BufferId> down{0, 1, 2};
        const auto offset = [&](BufferId id) { return run->plan.placements[std::size_t(id)].offset; };
        std::ranges::sort(down, [&](BufferId a, BufferId b) { return offset(a) > offset(b); });
        QCOMPARE(offset(down[2]), Bytes(0));
        desk.workspace().selection().select(down[0]);
        QTRY_VERIFY_WITH_TIMEOUT(desk.find<SupportPile>(), 20'000);
        auto* pile = desk.find<SupportPile>();
        const auto place = [&](BufferId id) {
            return QStringLiteral("%1 at %2, ")
                .arg(QString::fromStdString(run->problem().buffers[std::size_t(id)].name),
                     addressText(offset(id), desk.workspace().numbers()));
        };
        QVERIFY(!pile->accessibleName().isEmpty());
        QVERIFY(pile->focusPolicy() & Qt::TabFocus);
        const QStringList levels = heard(pile).split(QStringLiteral("; "));
        QCOMPARE(levels.size(), qsizetype(3));
        for (int i = 0; i < 3; ++i) QVERIFY2(levels[i].startsWith(place(down[std::size_t(i)])), qPrintable(heard(pile)));
        QTest::keyClick(pile, Qt::Key_Up); // it is at the top
        for (int i = 0; i < 3; ++i) QTest::keyClick(pile, Qt::Key_Down);
        QVERIFY2(heard(pile).startsWith(place(down[2])), qPrintable(heard(pile)));
        QTest::keyClick(pile, Qt::Key_Up);
        QVERIFY2(heard(pile).startsWith(place(down[1])), qPrintable(heard(pile)));
        QApplication::setActiveWindow(desk.window.get());
        pile->setFocus();
        const QPointer<SupportPile> earlier(pile);
        QTest::keyClick(pile, Qt::Key_Return);
        QCOMPARE(desk.workspace().selection().buffer(), down[1]);
        // The keys go on in the pile of that buffer.
        QTRY_VERIFY(!earlier);
        QTRY_VERIFY(desk.find<SupportPile>() && desk.find<SupportPile>()->hasFocus());
        // Also in that of a plan that is made meanwhile, which has to be found first.
        desk.workspace().plan();
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().run() != run, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(desk.find<SupportPile>() && desk.find<SupportPile>()->hasFocus(), 20'000);
    }

    void drawnRowsSayTheirNumbers()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        desk.trigger("view.distributions");
        auto* panel = desk.find<DistributionsPanel>();
        QTRY_VERIFY(panel && panel->isVisible());
        const auto run = desk.workspace().run();
        const auto numbers = desk.workspace().numbers();
        const PoolReport& pool = run->report.pools.front();
        QAbstractButton* row = nullptr;
        QTRY_VERIFY((row = buttonOf(*panel, nameText(run->problem().pools[std::size_t(pool.pool)].name))));
        QCOMPARE(heard(row), QStringLiteral("%1 buffers, %2").arg(pool.buffers).arg(bytesText(pool.size, numbers)));
        int listed = 0;
        for (const Buffer& buffer : run->problem().buffers) {
            row = buttonOf(*panel, nameText(buffer.name));
            if (!row) continue;
            ++listed;
            QVERIFY2(heard(row).endsWith(QStringLiteral(", ") + bytesText(buffer.size, numbers)), qPrintable(heard(row)));
            QVERIFY2(heard(row).contains(QStringLiteral(" step")), qPrintable(heard(row)));
        }
        QVERIFY(listed > 0);
        // A pool says what it is now, also while it is not painted.
        desk.trigger("view.sidebar");
        auto* target = desk.find<PoolRow>();
        QVERIFY(target && !target->isVisible());
        desk.workspace().edits().setCapacity(0, 123'456'789);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 30'000);
        QVERIFY2(heard(target).contains(QStringLiteral("123,456,789 B")), qPrintable(heard(target)));
        QVERIFY2(target->toolTip().startsWith(target->accessibleName()), qPrintable(target->toolTip()));
    }

    void thePeaksOfAnotherOrderAreHeard()
    {
        Desk desk;
        desk.workspace().openText(QStringLiteral("chain"), test::chainInPlace);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().run(), 20'000);
        desk.trigger("plan.reorder");
        auto* card = desk.find<ReorderCard>();
        QVERIFY(!card->accessibleName().isEmpty());
        card->start();
        QTRY_VERIFY_WITH_TIMEOUT(!card->busy() && card->found(), 20'000);
        const auto parts = card->findChildren<QWidget*>();
        const auto bars = std::ranges::find(parts, QStringLiteral("Peak"), &QWidget::accessibleName);
        QVERIFY(bars != parts.end());
        // Each op of the chain has its input and its result live: two tensors of 64 bytes.
        const QString start = QStringLiteral("before 128 B, after 128 B");
        QVERIFY2(heard(*bars).startsWith(start), qPrintable(heard(*bars)));
    }

    void theFirstPageSaysWhatItsCardsShow()
    {
        Desk desk;
        const auto* samples = desk.find<Samples>();
        QVERIFY(samples && !samples->all().empty());
        const Sample& first = samples->all().front();
        auto* card = buttonOf(*desk.window, first.title);
        QVERIFY(card);
        QVERIFY2(heard(card).contains(first.subtitle), qPrintable(heard(card)));
        QTRY_VERIFY_WITH_TIMEOUT(first.run, 30'000);
        QVERIFY2(heard(card).endsWith(QStringLiteral(", %1 buffers").arg(first.run->problem().buffers.size())),
                 qPrintable(heard(card)));

        QVERIFY(desk.open("resnet18"));
        QTRY_VERIFY(!desk.session.recentFiles().empty() && desk.session.recentFiles().front().size > 0);
        const RecentFile recent = desk.session.recentFiles().front();
        desk.trigger("help.welcome");
        QTRY_VERIFY(buttonOf(*desk.window, recent.path));
        QCOMPARE(heard(buttonOf(*desk.window, recent.path)),
                 QStringLiteral("%1, %2, just now").arg(recent.verdict, bytesText(recent.size, desk.workspace().numbers())));
        const NumberFormat words{NumberFormat::Unit::words, false};
        desk.workspace().setNumbers(words);
        QTRY_COMPARE(heard(buttonOf(*desk.window, recent.path)),
                     QStringLiteral("%1, %2, just now").arg(recent.verdict, bytesText(recent.size, words)));
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(WindowCardsTest)
#include "tst_window_cards.moc"
