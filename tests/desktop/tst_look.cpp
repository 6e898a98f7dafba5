// Icons, style sheet and palette.
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/style.h"
#include "app/desktop/widgets/colour_legend.h"
#include "app/desktop/widgets/pane_head.h"
#include "tests/desktop/painted_texts.h"
#include "tests/support/paths.h"

#include <QAction>
#include <QApplication>
#include <QDirIterator>
#include <QFile>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTest>
#include <QTimer>

#include <vector>

using namespace stowage;

class LookTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTokenOfTheStyleSheetHasAColour()
    {
        for (const Theme* theme : {&Theme::darkTheme(), &Theme::lightTheme()}) {
            const QString sheet = styleSheetFor(*theme);
            QVERIFY(sheet.contains(QStringLiteral("QPushButton")));
            const int comment = int(sheet.indexOf(QStringLiteral("*/"))); // the first comment explains the @
            QVERIFY2(!sheet.mid(comment).contains(u'@'), qPrintable(sheet.mid(sheet.indexOf(u'@', comment), 40)));
        }
        QVERIFY(styleSheetFor(Theme::darkTheme()) != styleSheetFor(Theme::lightTheme()));
    }

    /// One long name does not take the whole legend: the first classes are there, with names that differ, and "+n" for the
    /// others.
    void aLongNameLeavesRoomForTheFirstClasses()
    {
        Colouring colouring;
        for (const char* name : {"BatchNormalizationFusedWithActivationFloat", "BatchNormalizationFusedWithActivationInteger",
                                 "Conv", "Add", "Softmax"})
            colouring.classes.push_back({name, 3});
        ColourLegend legend;
        legend.setTheme(Theme::lightTheme());
        legend.setClasses(colouring, 0);
        for (const int width : {190, 260, 330}) {
            legend.resize(width, 30);
            const auto texts = test::paintedTexts(legend);
            QStringList said;
            for (const test::PaintedText& text : texts) said << text.text;
            const QString all = said.join(u'|');
            QVERIFY2(!legend.boxOf(0).isNull() && !legend.boxOf(1).isNull(), qPrintable(all));
            QVERIFY2(width < 260 || !legend.boxOf(2).isNull(), qPrintable(all));
            QVERIFY2(said.front() != said[1] && said.last().startsWith(u'+'), qPrintable(all));
            const QStringList faults = test::faultsOf(texts);
            QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
        }
        // With room for all, none is shortened.
        legend.resize(1200, 30);
        QStringList whole;
        for (const test::PaintedText& text : test::paintedTexts(legend)) whole << text.text;
        QCOMPARE(whole.size(), qsizetype(5));
        QCOMPARE(whole.front(), QStringLiteral("BatchNormalizationFusedWithActivationFloat"));
        // One name gets what there is.
        legend.resize(90, 30);
        QVERIFY(!legend.boxOf(0).isNull() && legend.boxOf(1).isNull());
        // Numbers are whole or not there.
        colouring.by = ColourBy::size;
        for (const char* name : {"< 1,048,576 KiB", "1,048,576 KiB", "4,194,304 KiB+"}) colouring.classes.push_back({name, 3});
        colouring.classes.erase(colouring.classes.begin(), colouring.classes.begin() + 5);
        legend.setClasses(colouring, 0);
        legend.resize(190, 30);
        for (const test::PaintedText& text : test::paintedTexts(legend))
            QVERIFY2(!text.text.contains(QChar(0x2026)), qPrintable(text.text));
    }

    /// Classes are hidden by keys as by a click, also those that only the menu of the others has; a screen reader is told which.
    void theLegendWorksByKeyboard()
    {
        Colouring colouring;
        for (const char* name : {"Conv", "Add", "Softmax"}) colouring.classes.push_back({name, 3});
        colouring.classes.push_back({"Unused", 0});
        ColourLegend legend;
        legend.setTheme(Theme::lightTheme());
        legend.setClasses(colouring, 0);
        legend.resize(600, 30);
        legend.show();
        legend.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&legend));
        legend.clearFocus();
        QCOMPARE(legend.accessibleDescription(), QStringLiteral("Conv, Add, Softmax"));
        const QImage before = legend.grab().toImage();
        legend.setFocus(Qt::TabFocusReason);
        QVERIFY(legend.hasFocus());
        QVERIFY(legend.grab().toImage() != before);
        QCOMPARE(legend.accessibleDescription(), QStringLiteral("Conv: 3 buffers"));
        std::vector<unsigned> hidden;
        connect(&legend, &ColourLegend::hiddenChanged, &legend, [&](unsigned classes) { hidden.push_back(classes); });
        QTest::keyClick(&legend, Qt::Key_Right);
        QTest::keyClick(&legend, Qt::Key_Space);
        QCOMPARE(legend.accessibleDescription(), QStringLiteral("Add (hidden): 3 buffers"));
        QTest::keyClick(&legend, Qt::Key_End);
        QTest::keyClick(&legend, Qt::Key_Right);
        QTest::keyClick(&legend, Qt::Key_Return);
        QTest::keyClick(&legend, Qt::Key_Left);
        QTest::keyClick(&legend, Qt::Key_Space);
        QCOMPARE(hidden, (std::vector<unsigned>{2, 6, 4}));
        legend.clearFocus();
        QCOMPARE(legend.accessibleDescription(), QStringLiteral("Conv, Add, Softmax (hidden)"));
        // Without room for all, the last stop is the menu.
        legend.resize(90, 30);
        QVERIFY(!legend.boxOf(0).isNull() && legend.boxOf(1).isNull());
        legend.setFocus(Qt::TabFocusReason);
        QTest::keyClick(&legend, Qt::Key_End);
        QCOMPARE(legend.accessibleDescription(), QStringLiteral("2 more"));
        QStringList offered;
        QTimer::singleShot(0, &legend, [&] {
            if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
                for (const QAction* action : menu->actions()) offered << action->text();
                menu->close();
            }
        });
        QTest::keyClick(&legend, Qt::Key_Space);
        QCOMPARE(offered, (QStringList{QStringLiteral("Add"), QStringLiteral("Softmax")}));
    }

    void everyIconThatIsNamedInTheSourcesExists()
    {
        const QSet<QString> icons = [] {
            const QStringList names = iconNames();
            return QSet<QString>(names.begin(), names.end());
        }();
        QVERIFY(icons.size() > 40);
        // Names stand in calls that take one; the first string of each.
        const QRegularExpression call(QStringLiteral("(?:themedIcon|makeIconButton|paintIcon|iconPixmap|makeButton|ChoiceButton|"
                                                     "DockTitle)\\([^;]*?QStringLiteral\\(\"([a-z][a-z-]*)\"\\)"));
        int found = 0;
        QDirIterator files(QStringLiteral(STOWAGE_SOURCE_DIR "/app/desktop"), {QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            for (auto match = call.globalMatch(text); match.hasNext();) {
                const QString name = match.next().captured(1);
                ++found;
                QVERIFY2(icons.contains(name), qPrintable(file.fileName() + u' ' + name));
            }
        }
        QVERIFY2(found > 25, "the pattern finds the names no more");
    }

    void everyIconIsALineDrawingInABoxOf16()
    {
        for (const QString& name : iconNames()) {
            if (name == u"stowage") continue; // the logo
            QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray svg = file.readAll();
            QVERIFY2(svg.contains("viewBox=\"0 0 16 16\"") && svg.contains("stroke=\"currentColor\"") &&
                         svg.contains("stroke-width=\"1.4\"") && svg.contains("stroke-linecap=\"round\""),
                     qPrintable(name));
            QVERIFY2(QSvgRenderer(svg).isValid(), qPrintable(name));
        }
    }

    void anIconTakesTheColourItIsGiven()
    {
        const QImage image = iconPixmap(QStringLiteral("check"), QColor(255, 0, 0), 16, 2).toImage();
        QCOMPARE(image.size(), QSize(32, 32));
        int drawn = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                if (pixel.alpha() < 200) continue;
                ++drawn;
                QVERIFY(pixel.red() > 200 && pixel.green() < 60 && pixel.blue() < 60);
            }
        QVERIFY(drawn > 20);
    }

    /// The count of moved buffers is whole or absent, and so is each entry after it.
    void theLegendOfADifferenceCutsNoNumber()
    {
        Look look(*qApp, ThemeMode::light);
        PlanDifference difference;
        difference.of.resize(234'567);
        difference.counts[std::size_t(Moved::higher)] = 123'456;
        DifferenceLegend legend(look);
        legend.setDifference(difference);
        legend.setTitle(QStringLiteral("Difference"));
        const QStringList told{QStringLiteral("Difference: 123,456 of 234,567 moved"), QStringLiteral("123,456 of 234,567 moved"),
                               QStringLiteral("lower 0"), QStringLiteral("higher 123,456"), QStringLiteral("same 0")};
        QSet<QString> seen;
        bool empty = false;
        for (int width = 600; width >= 60; width -= 20) {
            legend.resize(width, legend.height());
            const auto texts = test::paintedTexts(legend);
            for (const test::PaintedText& text : texts) {
                QVERIFY2(told.contains(text.text), qPrintable(text.text));
                QVERIFY2(text.end <= width, qPrintable(text.text));
                seen.insert(text.text);
            }
            empty |= texts.empty();
        }
        QCOMPARE(seen.size(), told.size());
        QVERIFY(empty);
    }

    void theThemeChangesLive()
    {
        Look look(*qApp, ThemeMode::dark);
        QSignalSpy changes(&look, &Look::themeChanged);
        QPushButton button(QStringLiteral("Plan"));
        button.ensurePolished();
        QVERIFY(look.theme().dark);
        QCOMPARE(qApp->palette().color(QPalette::Window), Theme::darkTheme().base);
        look.setMode(ThemeMode::light);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(qApp->palette().color(QPalette::Window), Theme::lightTheme().base);
        QVERIFY(qApp->styleSheet().contains(Theme::lightTheme().panel.name()));
    }

    void theSystemsThemeCountsOnlyInItsMode()
    {
        Look look(*qApp, ThemeMode::system);
        look.setSystemDark(true);
        QVERIFY(look.theme().dark);
        look.setSystemDark(false);
        QVERIFY(!look.theme().dark);
        look.setMode(ThemeMode::light);
        look.setSystemDark(true);
        QVERIFY(!look.theme().dark);
        look.setMode(ThemeMode::system);
        QVERIFY(look.theme().dark);
    }
};

QTEST_MAIN(LookTest)
#include "tst_look.moc"
