// The real window, driven as a user does, without a display: how it starts, and how models get into it.
#include "app/desktop/shell/command_palette.h"
#include "app/desktop/shell/samples.h"
#include "app/desktop/shell/tool_strip.h"
#include "app/desktop/shell/welcome_page.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/error_card.h"
#include "tests/desktop/desk.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QDialog>
#include <QDropEvent>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QTest>
#include <QUrl>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

using namespace stowage;
using test::Desk;
using test::sample;

class WindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QSettings().clear(); }

    void theSamplesStandInEvenRowsInsideThePage_data()
    {
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(700, 600), QSize(1100, 700), QSize(1600, 900), QSize(2200, 1200)})
            QTest::addRow("%d x %d", size.width(), size.height()) << size;
    }
    void theSamplesStandInEvenRowsInsideThePage()
    {
        QFETCH(QSize, size);
        Desk desk;
        desk.window->resize(size);
        QTest::qWait(50);
        WelcomePage& page = desk.window->welcome();
        std::vector<QRect> cards;
        for (auto* button : page.findChildren<QAbstractButton*>())
            if (button->objectName().startsWith(QStringLiteral("sample:")))
                cards.emplace_back(button->mapTo(page.widget(), QPoint(0, 0)), button->size());
        QVERIFY(cards.size() >= 9);
        std::map<int, int> rows; // top -> how many
        for (std::size_t a = 0; a < cards.size(); ++a) {
            QVERIFY(page.widget()->rect().contains(cards[a]));
            QVERIFY(cards[a].right() < page.viewport()->width()); // it scrolls down, not across
            QVERIFY(std::abs(cards[a].width() - cards[0].width()) <= 1);
            QCOMPARE(cards[a].height(), cards[0].height());
            for (std::size_t b = 0; b < a; ++b) QVERIFY(!cards[a].intersects(cards[b]));
            ++rows[cards[a].top()];
        }
        int fewest = int(cards.size()), most = 0;
        for (const auto& [top, count] : rows) fewest = std::min(fewest, count), most = std::max(most, count);
        QVERIFY2(most - fewest < int(rows.size()), qPrintable(QStringLiteral("%1 to %2 in a row").arg(fewest).arg(most)));
        // Nothing else of the page lies under a card.
        for (auto* other : page.findChildren<KeyCap*>()) {
            const QRect box(other->mapTo(page.widget(), QPoint(0, 0)), other->size());
            QVERIFY(page.widget()->rect().contains(box));
            for (const QRect& card : cards) QVERIFY(!card.intersects(box));
        }
    }

    void aSampleHasAPlaceholderUntilItsThumbnailIsThere()
    {
        Desk desk;
        const auto* samples = desk.find<Samples>();
        QVERIFY(samples && !samples->all().empty() && !samples->complete());
        QAbstractButton* card = nullptr; // of the last sample
        for (auto* button : desk.window->welcome().findChildren<QAbstractButton*>())
            if (button->objectName().startsWith(QStringLiteral("sample:"))) card = button;
        QVERIFY(card);
        const auto blocks = [&] {
            const QImage image = card->grab().toImage();
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == desk.look.theme().hover;
            return count;
        };
        QVERIFY(blocks() > 1000);
        const int height = card->height();
        QTRY_VERIFY_WITH_TIMEOUT(samples->complete(), 60'000);
        QVERIFY(samples->all().back().run);
        QCOMPARE(blocks(), 0);
        QCOMPARE(card->height(), height);
    }

    void theFirstPaintNeedsNoViewNoSampleAndNoPlugin()
    {
        Desk desk;
        // Counted work instead of time, which a busy machine would spoil.
        QCOMPARE(desk.window->views().made(), 0);
        QVERIFY(desk.window->welcome().isVisible());
        const auto widgets = desk.window->findChildren<QWidget*>().size();
        QVERIFY2(widgets < 420, qPrintable(QStringLiteral("%1 widgets before the first paint").arg(widgets)));
        QVERIFY(desk.session.models().empty());
        QFile maps(QStringLiteral("/proc/self/maps"));
        QVERIFY(maps.open(QIODevice::ReadOnly));
        const QByteArray loaded = maps.readAll();
        QVERIFY(loaded.contains("libQt6Core"));
        QVERIFY2(!loaded.contains("/stowage/plugins/"), "a plugin is in the window's process");
        QVERIFY(!loaded.contains("libprotobuf") && !loaded.contains("libgvc") && !loaded.contains("libonnx"));
    }

    // In a narrow window names are elided and unit and base become one button; nothing overlaps or is cut.
    void theToolbarFoldsBeforeItOverlaps_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {1600, 1280, 1100, 960, 860}) QTest::addRow("%d", width) << width;
    }
    void theToolbarFoldsBeforeItOverlaps()
    {
        QFETCH(int, width);
        Desk desk;
        QVERIFY(desk.open("microcontroller_two_memories"));
        desk.window->resize(width, 700);
        auto* strip = desk.find<ToolStrip>();
        QVERIFY(QTest::qWaitFor([&] { return desk.window->width() == width && strip->width() <= width; }, 5'000));
        QApplication::sendPostedEvents();
        QTest::qWait(30);
        std::vector<const QWidget*> shown;
        for (const QObject* child : strip->children())
            if (const auto* widget = qobject_cast<const QWidget*>(child); widget && widget->isVisible() && !widget->isWindow())
                shown.push_back(widget);
        std::ranges::sort(shown, {}, [](const QWidget* widget) { return widget->x(); });
        QVERIFY(shown.size() > 8);
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const int needs =
                std::min({shown[i]->minimumSizeHint().width(), shown[i]->sizeHint().width(), shown[i]->maximumWidth()});
            const QString what = QStringLiteral("%1 %2: %3 of %4 px at %5")
                                     .arg(QLatin1String(shown[i]->metaObject()->className()), shown[i]->objectName())
                                     .arg(shown[i]->width())
                                     .arg(needs)
                                     .arg(shown[i]->x());
            QVERIFY2(shown[i]->geometry().right() < strip->width(), qPrintable(what));
            QVERIFY2(shown[i]->width() >= needs, qPrintable(what));
            if (i > 0) QVERIFY2(shown[i]->x() > shown[i - 1]->geometry().right(), qPrintable(what));
        }
        auto* numbers = desk.find<ChoiceButton>("numbersChooser");
        if (width >= 1600) QVERIFY(!numbers->isVisible()); // there is room for both controls
        if (width <= 960) QVERIFY(numbers->isVisible());
        if (!numbers->isVisible()) return;
        Q_EMIT numbers->menu()->aboutToShow();
        QCOMPARE(numbers->menu()->actions().size(), 6); // three units, a line, two bases
        numbers->menu()->actions()[1]->trigger();
        QCOMPARE(int(desk.workspace().numbers().unit), 1);
        QVERIFY2(numbers->text().startsWith(QStringLiteral("KiB")), qPrintable(numbers->text()));
    }

    void theRegistryHasNoShortcutTwice()
    {
        Desk desk;
        QCOMPARE(desk.window->actions().duplicateShortcuts(), QStringList());
        for (const auto& entry : desk.window->actions().entries()) QVERIFY(!entry.text.isEmpty() && !entry.menu.isEmpty());
    }

    void menusPaletteAndShortcutListComeFromTheRegistry()
    {
        Desk desk;
        std::size_t commands = 0, keyed = 0;
        for (const auto& entry : desk.window->actions().entries()) {
            commands += entry.action != nullptr;
            keyed += !ActionRegistry::keyText(entry).isEmpty();
        }
        QList<QAction*> inMenus;
        for (const QAction* menu : desk.window->menuBar()->actions())
            for (QAction* action : menu->menu()->actions())
                if (!action->isSeparator()) inMenus << action;
        QCOMPARE(std::size_t(inMenus.size()), commands);
        desk.trigger("tools.palette");
        QCOMPARE(std::size_t(desk.find<CommandPalette>()->count()), commands);
        desk.trigger("help.shortcuts");
        QCOMPARE(std::size_t(desk.find<ShortcutList>()->count()), keyed);
    }

    /// Each key of a command has its cap in the list, also the second one; so have keys that a view or a panel handles itself.
    void theShortcutListHasEveryKey()
    {
        Desk desk;
        desk.trigger("help.shortcuts");
        QStringList caps, described, listed;
        for (const KeyCap* cap : desk.find<ShortcutList>()->findChildren<KeyCap*>()) caps << cap->text();
        for (const auto& entry : desk.window->actions().entries()) {
            described << entry.keys;
            if (!ActionRegistry::keyTexts(entry).isEmpty()) listed << QString(entry.menu + u'/' + entry.text);
            if (!entry.action) continue;
            for (const QKeySequence& keys : entry.action->shortcuts()) {
                const QString last = keys.toString().section(u'+', -1).replace(QStringLiteral("Return"), QStringLiteral("Enter"));
                QVERIFY2(last.isEmpty() || caps.contains(last), qPrintable(entry.id + u' ' + keys.toString()));
            }
        }
        for (const char* key : {"F9", "Y", "F", "Home", "End", "Space", "F2", "Double-click", "Middle"})
            QVERIFY2(caps.contains(QLatin1String(key)), key);
        QVERIFY(described.contains(QStringLiteral("Ctrl+Shift+Wheel")));
        // A command with several keys has one row.
        QCOMPARE(listed.removeDuplicates(), qsizetype(0));
        const auto keysOf = [&](const char* text) {
            const auto& all = desk.window->actions().entries();
            const auto found = std::ranges::find(all, QString::fromLatin1(text), &ActionRegistry::Entry::text);
            return found == all.end() ? QStringList() : ActionRegistry::keyTexts(*found);
        };
        QCOMPARE(keysOf("Play or pause the replay"), (QStringList{"K", "Space"}));
        QCOMPARE(keysOf("Pan"), (QStringList{"Shift+Wheel", "Shift+Drag"}));
        QCOMPARE(keysOf("Back to what was in view"), (QStringList{"Alt+Left", "Backspace"}));
        QVERIFY(keysOf("Back").isEmpty()); // it is the same command
        QCOMPARE(keysOf("Zoom to a box"), (QStringList{"Alt+Drag", "Middle+Drag"}));
        QVERIFY(desk.window->actions().action(QStringLiteral("go.replay-play"))->toolTip().endsWith(u"(K)"));
    }

    void thePaletteFindsAndRunsACommand()
    {
        Desk desk;
        desk.trigger("tools.palette");
        auto* palette = desk.find<CommandPalette>();
        auto* input = palette->findChild<QLineEdit*>();
        QTest::keyClicks(input, QStringLiteral("light theme"));
        QCOMPARE(palette->count(), 1);
        QTest::keyClick(input, Qt::Key_Return);
        QVERIFY(!palette->isVisible());
        QVERIFY(!desk.look.theme().dark);
    }

    void thePaletteFindsWhatIsOnTheDesk()
    {
        Desk desk;
        QVERIFY(desk.open("resnet18"));
        QVERIFY(desk.open("mobilenet_v1_025"));
        auto type = [&](const char* words) {
            desk.trigger("tools.palette");
            auto* input = desk.find<CommandPalette>()->findChild<QLineEdit*>();
            QTest::keyClicks(input, QString::fromLatin1(words));
            if (const QString to = qEnvironmentVariable("STOWAGE_SHOTS"); !to.isEmpty())
                desk.window->grab().save(to +
                                         QStringLiteral("/palette-%1.png").arg(QString::fromLatin1(words).replace(u' ', u'-')));
            QTest::keyClick(input, Qt::Key_Return);
        };
        type("model resnet");
        QVERIFY(desk.workspace().model()->path.endsWith(u"resnet18.json"));
        type("mobilenet_v1");
        QTRY_VERIFY(desk.workspace().model()->path.endsWith(u"mobilenet_v1_025.json"));
        type("run naive");
        QCOMPARE(desk.workspace().run()->plan.planner, std::string("naive"));
        type("block1/pw/out");
        const BufferId chosen = desk.workspace().selection().buffer();
        QVERIFY(chosen != none);
        QCOMPARE(desk.workspace().run()->problem().buffers[std::size_t(chosen)].name, std::string("block1/pw/out"));
        QVERIFY(!desk.workspace().shown().runOf("hill-climb"));
        type("plan with hill-climb");
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.workspace().shown().runOf("hill-climb"), 20'000);
        // Views are commands, settings are things.
        type("view heatmap");
        QCOMPARE(QLatin1String(viewEntries()[std::size_t(desk.window->views().current())].id), QLatin1String("heatmap"));
        QCOMPARE(int(desk.workspace().numbers().unit), int(NumberFormat::Unit::bytes));
        type("setting sizes in KiB");
        QCOMPARE(int(desk.workspace().numbers().unit), int(NumberFormat::Unit::kibibytes));
        type("sizes in bytes");
        QCOMPARE(int(desk.workspace().numbers().unit), int(NumberFormat::Unit::bytes));
        type("addresses in decimal");
        QVERIFY(!desk.workspace().numbers().hexAddresses);
        type("addresses in hexadecimal");
        QVERIFY(desk.workspace().numbers().hexAddresses);
        type("time limit");
        QTRY_VERIFY(desk.find<QDialog>("settingsDialog") && desk.find<QDialog>("settingsDialog")->isVisible());
        desk.find<QDialog>("settingsDialog")->close();
        type("target esp32-s3");
        QVERIFY2(desk.workspace().target().name.startsWith(u"esp32"), qPrintable(desk.workspace().target().name));
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle(), 20'000);
    }

    void aSampleOpensFromTheWelcomePage()
    {
        Desk desk;
        auto* card = desk.find<QAbstractButton>("sample:resnet18");
        QVERIFY(card);
        QTest::mouseClick(card, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().run() && desk.idle(), 20'000);
        QVERIFY(!desk.window->welcome().isVisible());
        QVERIFY(desk.window->views().isVisible());
        QVERIFY(desk.window->windowTitle().contains(QStringLiteral("resnet18.json")));
        // Every ticked planner has planned, and the best one is shown.
        QCOMPARE(desk.workspace().runs().size(), desk.workspace().planners().tickedPlanners().size());
        for (const RunEntry* entry : desk.workspace().runs())
            QVERIFY(entry->run->report.totalSize() >= desk.workspace().run()->report.totalSize());
    }

    void aFileDroppedOnTheWindowOpens()
    {
        Desk desk;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(sample("lstm_loop")), QUrl::fromLocalFile(sample("transformer_block"))});
        QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(desk.window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(desk.window.get(), &drop);
        QTRY_VERIFY_WITH_TIMEOUT(desk.idle() && desk.session.models().size() == 2, 20'000);
        // What is no file is not taken.
        QMimeData text;
        text.setText(QStringLiteral("hello"));
        QDragEnterEvent other(QPoint(400, 400), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
        other.ignore();
        QApplication::sendEvent(desk.window.get(), &other);
        QVERIFY(!other.isAccepted());
    }

    void pastedTextOpens()
    {
        Desk desk;
        QGuiApplication::clipboard()->setText(QStringLiteral("id,lower,upper,size\na,0,4,100\nb,2,6,50\nc,4,9,70\n"));
        desk.trigger("file.paste");
        QTRY_VERIFY_WITH_TIMEOUT(desk.workspace().run() && desk.idle(), 20'000);
        QCOMPARE(desk.workspace().run()->problem().buffers.size(), std::size_t(3));
        QCOMPARE(desk.workspace().run()->report.totalBound(), Bytes(150));
    }

    void aFileThatCannotBeReadBecomesACardAndNothingIsLost()
    {
        Desk desk;
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("broken.json"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"format\": \"stowage.problem/1\",\n \"buffers\": [{\"name\": \"a\", \"sise\": 4}]}");
        file.close();

        desk.window->openFiles({path});
        auto* onWelcome = desk.window->welcome().findChild<ErrorCard*>();
        QTRY_VERIFY_WITH_TIMEOUT(onWelcome->isVisible(), 20'000);
        QVERIFY(onWelcome->notice().title.contains(QStringLiteral("broken.json")));
        QVERIFY(onWelcome->details().contains(QStringLiteral("sise")));
        QVERIFY(onWelcome->notice().what.where.line > 0);

        QVERIFY(desk.open("mobilenet_v1_025"));
        const auto before = desk.workspace().run();
        desk.window->openFiles({path});
        ErrorCard& card = desk.window->errorCard();
        QTRY_VERIFY_WITH_TIMEOUT(card.isVisible(), 20'000);
        QCOMPARE(desk.workspace().run(), before);
        QCOMPARE(QApplication::activeModalWidget(), nullptr);
        QTest::mouseClick(card.findChild<QAbstractButton*>(QStringLiteral("closeCard")), Qt::LeftButton);
        QVERIFY(!card.isVisible());
    }

    void closingTheLastModelBringsTheWelcomePageBack()
    {
        Desk desk;
        QVERIFY(desk.open("lstm_loop"));
        QVERIFY(desk.open("resnet18"));
        desk.trigger("file.close");
        QVERIFY(desk.window->views().isVisible());
        QVERIFY(desk.workspace().model()->path.contains(QStringLiteral("lstm_loop")));
        desk.trigger("file.close");
        QVERIFY(desk.window->welcome().isVisible());
        QCOMPARE(desk.workspace().run(), nullptr);
    }

private:
    test::OwnSettings settings_;
};

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
