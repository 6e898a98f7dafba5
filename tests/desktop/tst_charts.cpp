// Charts: a legend of their own, ticks and values that are whole at any size.
#include "app/charts/chart_legend.h"
#include "app/charts/curve_chart.h"
#include "app/charts/stacked_chart.h"
#include "tests/desktop/painted_texts.h"

#include <QGraphicsItem>
#include <QGraphicsView>
#include <QTest>

#include <algorithm>

using namespace stowage;

namespace {

/// What a chart that is shown at this size says.
QStringList said(QWidget& chart, QSize size)
{
    chart.resize(size);
    chart.show();
    if (!QTest::qWaitForWindowExposed(&chart)) return {};
    QCoreApplication::processEvents();
    QStringList texts;
    for (const test::PaintedText& text : test::paintedTexts(chart)) texts << text.text;
    return texts;
}

} // namespace

class ChartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Bytes of a few thousand and of ten thousand millions: no tick is shortened, and there are some.
    void ticksAreWhole_data()
    {
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("last");
        QTest::newRow("small") << 0.0 << 12.0;
        QTest::newRow("thousands") << 1'000.0 << 9'000.0;
        QTest::newRow("millions") << 3'812'000.0 << 98'765'000.0;
        QTest::newRow("thousand millions") << 1'234'567'000.0 << 9'876'543'000.0;
        QTest::newRow("a small part of much") << 987'654'320'000.0 << 987'654'329'000.0;
    }
    void ticksAreWhole()
    {
        QFETCH(double, first);
        QFETCH(double, last);
        for (const QSize size : {QSize(240, 160), QSize(420, 240), QSize(900, 300)}) {
            CurveChart chart;
            chart.setTheme(Theme::lightTheme());
            ChartCurve curve{QStringLiteral("predicted"), Qt::blue, {}, false, false};
            for (int i = 0; i <= 10; ++i)
                curve.points.emplace_back(first + (last - first) * i / 10, first + (last - first) * i / 10);
            chart.setCurves({curve}, {QStringLiteral("arena, B"), {}, false}, {QStringLiteral("period, µs"), {}, false});
            const QStringList texts = said(chart, size);
            const QString told = QStringLiteral("%1 x %2: ").arg(size.width()).arg(size.height()) + texts.join(u'|');
            QVERIFY2(std::ranges::count_if(texts, [](const QString& text) { return !text.isEmpty() && text[0].isDigit(); }) >= 2,
                     qPrintable(told));
            for (const QString& text : texts) QVERIFY2(!text.contains(u"...") && !text.contains(u'…'), qPrintable(told));
            const QStringList faults = test::faultsOf(test::paintedTexts(chart));
            QVERIFY2(faults.isEmpty(), qPrintable(told + u'\n' + faults.join(u'\n')));
        }
    }

    /// Every curve with a name stands in the legend, in its colour; Qt Charts' own is not there.
    void theLegendNamesTheCurves()
    {
        CurveChart chart;
        chart.setTheme(Theme::darkTheme());
        std::vector<ChartCurve> curves;
        for (int i = 0; i < 9; ++i)
            curves.push_back({QStringLiteral("%1 to %2").arg(i).arg(i + 1),
                              Theme::darkTheme().buffers[std::size_t(i)],
                              {{0, 0}, {10, double(i)}},
                              true,
                              false});
        curves.push_back({QString(), Qt::red, {{0, 0}, {10, 3}}, false, false});
        chart.setCurves(curves, {QStringLiteral("time, µs"), {}, true}, {QStringLiteral("frames that wait"), {}, true});
        const QStringList texts = said(chart, {300, 220});
        for (int i = 0; i < 9; ++i) QCOMPARE(texts.count(QStringLiteral("%1 to %2").arg(i).arg(i + 1)), qsizetype(1));
        const QImage shown = chart.grab().toImage();
        for (int i = 0; i < 9; ++i) {
            int pixels = 0;
            for (int y = 0; y < chart.legend().height(); ++y)
                for (int x = 0; x < shown.width(); ++x)
                    pixels += shown.pixelColor(x, y) == Theme::darkTheme().buffers[std::size_t(i)];
            QVERIFY2(pixels >= 64, qPrintable(QString::number(i))); // a swatch of 10 x 10 with round corners
        }
        for (const QGraphicsItem* item : chart.findChild<QGraphicsView*>()->items())
            if (const auto* object = item->toGraphicsObject(); object && object->inherits("QLegend"))
                QVERIFY(!object->isVisible());
        // Without names there is none.
        chart.setCurves({curves.back()}, {}, {});
        QCOMPARE(chart.legend().height(), 0);
    }

    /// Values beside bars are whole, or not there where bars are too thin for them.
    void valuesOfBarsAreWhole()
    {
        for (const int bars : {1, 4, 16}) {
            StackedChart chart;
            chart.setTheme(Theme::lightTheme());
            QStringList names;
            ChartPart arena{QStringLiteral("arena"), Qt::blue, {}}, constants{QStringLiteral("constants"), Qt::gray, {}};
            std::vector<QString> texts;
            std::vector<std::optional<double>> limits;
            for (int i = 0; i < bars; ++i) {
                names << QStringLiteral("%1 mcu").arg(i);
                arena.values.push_back(1000 + i);
                constants.values.push_back(500);
                texts.push_back(QStringLiteral("1,234,567,89%1 B").arg(i % 10));
                limits.emplace_back(2000);
            }
            chart.setBars(names, {arena, constants}, limits, texts);
            for (const QSize size : {QSize(320, 180), QSize(500, 500)}) {
                const QStringList shown = said(chart, size);
                QVERIFY(shown.contains(u"arena") && shown.contains(u"constants"));
                for (const QString& text : shown) QVERIFY2(!text.contains(u"..."), qPrintable(shown.join(u'|')));
                if (size.height() == 500 || bars < 10)
                    QVERIFY2(shown.filter(QStringLiteral("1,234,567,89")).size() == bars, qPrintable(shown.join(u'|')));
            }
        }
    }
};

QTEST_MAIN(ChartsTest)
#include "tst_charts.moc"
