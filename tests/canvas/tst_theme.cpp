// The tokens keep the promises that the design language makes about them (its figures are rounded): contrast, an even ramp.
#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/palette.h"
#include "app/canvas/kit/theme.h"

#include <QFontInfo>
#include <QTest>

#include <cmath>

using namespace stowage;

namespace {

/// CIE lightness L* of an sRGB colour.
double lightness(const QColor& c)
{
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    const double y = 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textKeepsItsContrastOnEverySurfaceButPress_data() { themes(); }
    void textKeepsItsContrastOnEverySurfaceButPress()
    {
        QFETCH(bool, dark);
        const Theme& t = dark ? Theme::darkTheme() : Theme::lightTheme();
        for (const QColor& surface : {t.well, t.base, t.panel, t.raised, t.hover}) {
            QVERIFY2(contrastRatio(t.text, surface) >= 10.95, qPrintable(surface.name()));
            QVERIFY2(contrastRatio(t.text2, surface) >= 6.25, qPrintable(surface.name()));
            QVERIFY2(contrastRatio(t.text3, surface) >= 4.55, qPrintable(surface.name()));
            for (const QColor& signal : {t.accent, t.ok, t.warn, t.bad})
                QVERIFY2(contrastRatio(signal, surface) >= 4.45, qPrintable(signal.name() + " on " + surface.name()));
        }
        QVERIFY(contrastRatio(t.edge, t.well) >= 3.0);
    }

    void labelsAreReadableOnEveryBuffer_data() { themes(); }
    void labelsAreReadableOnEveryBuffer()
    {
        QFETCH(bool, dark);
        const Theme& t = dark ? Theme::darkTheme() : Theme::lightTheme();
        for (std::size_t i = 0; i < t.buffers.size(); ++i) {
            QVERIFY2(contrastRatio(t.bufferInks[i], t.buffers[i]) >= 4.55, qPrintable(t.buffers[i].name()));
            QVERIFY2(contrastRatio(t.buffers[i], t.well) >= (dark ? 4.55 : 3.05), qPrintable(t.buffers[i].name()));
        }
    }

    void whatDidNotMoveIsSeenAndReadInADifference_data() { themes(); }
    void whatDidNotMoveIsSeenAndReadInADifference()
    {
        QFETCH(bool, dark);
        const Theme& t = dark ? Theme::darkTheme() : Theme::lightTheme();
        const Palette palette = paletteOf(t, ColourBy::difference);
        for (std::size_t i = 0; i < palette.fills.size(); ++i) {
            QVERIFY2(contrastRatio(palette.fills[i], t.well) >= 3, qPrintable(palette.fills[i].name()));
            QVERIFY2(contrastRatio(palette.inks[i], palette.fills[i]) >= 4.5, qPrintable(palette.fills[i].name()));
        }
    }

    void theRampIsMonotoneInLightness_data() { themes(); }
    void theRampIsMonotoneInLightness()
    {
        QFETCH(bool, dark);
        const Theme& t = dark ? Theme::darkTheme() : Theme::lightTheme();
        double previous = lightness(t.rampAt(0));
        for (int i = 1; i <= 90; ++i) {
            const double now = lightness(t.rampAt(i / 90.0));
            QVERIFY2(dark ? now > previous : now < previous, qPrintable(QString::number(i)));
            previous = now;
        }
        QCOMPARE(t.rampAt(-1), t.ramp.front());
        QCOMPARE(t.rampAt(2), t.ramp.back());
        QCOMPARE(t.rampAt(std::nan("")), t.ramp.front());
    }

    void inkOnAFillIsTheBetterReadableOne_data() { themes(); }
    void inkOnAFillIsTheBetterReadableOne()
    {
        QFETCH(bool, dark);
        const Theme& t = dark ? Theme::darkTheme() : Theme::lightTheme();
        for (int i = 0; i <= 20; ++i) {
            const QColor fill = t.rampAt(i / 20.0);
            const QColor ink = t.inkOn(fill);
            QVERIFY(contrastRatio(ink, fill) >= contrastRatio(QColor(0x0B, 0x0E, 0x13), fill));
            QVERIFY(contrastRatio(ink, fill) >= contrastRatio(QColor(0xE6, 0xEB, 0xF2), fill));
            QVERIFY(contrastRatio(ink, fill) >= 4.5);
        }
    }

    void contrastAgreesWithKnownPairs()
    {
        QCOMPARE(contrastRatio(Qt::white, Qt::black), 21.0);                                 // the definition's largest value
        QVERIFY(std::abs(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.01); // the well-known near miss of AA
    }

    void fontsAreTheInstalledFamilies()
    {
        const QString ui = QFontInfo(uiFont(12)).family();
        const QString mono = QFontInfo(monoFont(12)).family();
        QVERIFY2(ui == "Inter" || ui == "DejaVu Sans", qPrintable(ui));
        QVERIFY2(mono == "JetBrains Mono" || mono == "DejaVu Sans Mono", qPrintable(mono));
        QVERIFY(QFontInfo(monoFont(12)).fixedPitch());
    }

private:
    static void themes()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
