// Charts: a legend of their own, ticks and values that are whole at any size.
#include "app/canvas/kit/number_text.h"
#include "app/charts/chart_legend.h"
#include "app/charts/curve_chart.h"
#include "app/charts/histogram.h"
#include "app/charts/stacked_chart.h"
#include "tests/desktop/painted_texts.h"

#include <QGraphicsItem>
#include <QGraphicsView>
#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

using namespace stowage;

namespace {

/// What Qt Charts says in a chart that is shown at this size.
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

/// The texts of a list, and where they end at the right.
std::vector<std::pair<QString, double>> textsOf(const DrawList& list)
{
    std::vector<std::pair<QString, double>> texts;
    for (const DrawCommand& command : list.commands())
        if (const auto* text = std::get_if<draw::Text>(&command)) {
            const double wide = list.width(text->face, text->text);
            texts.emplace_back(text->text, text->at.x() + (text->align == draw::Text::Align::right ? 0 : wide));
        }
    return texts;
}

} // namespace

class ChartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Keys go on from the class that was clicked, and the frame of the focus is there.
    void keysGoOnFromTheClickedClass()
    {
        Histogram histogram;
        histogram.setTheme(Theme::lightTheme());
        histogram.resize(400, 150);
        std::vector<Bucket> buckets;
        for (int i = 0; i < 8; ++i) buckets.push_back({std::int64_t{1} << i, (std::int64_t{2} << i) - 1, std::size_t(i + 1)});
        histogram.setBuckets(buckets, {});
        std::vector<std::pair<int, int>> kept;
        connect(&histogram, &Histogram::kept, &histogram, [&](int first, int last) { kept.emplace_back(first, last); });
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, {225, 80});
        QTest::keyClick(&histogram, Qt::Key_Right);
        QTest::keyClick(&histogram, Qt::Key_Return);
        QTest::mousePress(&histogram, Qt::LeftButton, {}, {125, 80});
        QTest::mouseMove(&histogram, {275, 80});
        QTest::mouseMove(&histogram, {175, 80});
        QTest::mouseRelease(&histogram, Qt::LeftButton, {}, {175, 80});
        QTest::keyClick(&histogram, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(kept, (std::vector<std::pair<int, int>>{{4, 4}, {5, 5}, {2, 3}, {2, 3}}));
        QTest::keyClick(&histogram, Qt::Key_Return);
        QCOMPARE(kept.back(), std::pair(2, 2));
    }

    /// A point is chosen by keys as by a click, and the view inside takes no focus of its own.
    void keysGoFromPointToPoint()
    {
        CurveChart chart;
        chart.setTheme(Theme::lightTheme());
        const ChartCurve points{{}, Qt::blue, {{1000, 80}, {2000, 20}, {3000, 40}}, false, true};
        const ChartAxis across{QStringLiteral("memory, B"), {}, false}, up{QStringLiteral("period, µs"), {}, false};
        chart.setCurves({points}, across, up);
        chart.setChosen(1, {});
        (void)said(chart, {420, 240});
        chart.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&chart));
        QCOMPARE(chart.findChild<QGraphicsView*>()->focusPolicy(), Qt::NoFocus);
        std::vector<int> hovered, chosen;
        connect(&chart, &CurveChart::pointHovered, &chart, [&](int point) { hovered.push_back(point); });
        connect(&chart, &CurveChart::pointChosen, &chart, [&](int point) { chosen.push_back(point); });
        chart.clearFocus();
        const QImage before = chart.grab().toImage();
        hovered.clear();
        chart.setFocus(Qt::TabFocusReason);
        QVERIFY(chart.hasFocus());
        QVERIFY(chart.grab().toImage() != before);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("point 2 of 3: 20 at 2,000, shown"));
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Right); // there is no further one
        QTest::keyClick(&chart, Qt::Key_Return);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("point 3 of 3: 40 at 3,000"));
        QTest::keyClick(&chart, Qt::Key_Home);
        QTest::keyClick(&chart, Qt::Key_Space);
        chart.clearFocus();
        QCOMPARE(hovered, (std::vector<int>{1, 2, 2, 0, -1}));
        QCOMPARE(chosen, (std::vector<int>{2, 0}));
        // Curves alone have nothing to choose.
        const ChartCurve line{{}, Qt::blue, {{1000, 80}, {2000, 20}}, false, false};
        chart.setCurves({line}, across, up);
        QCOMPARE(chart.focusPolicy(), Qt::NoFocus);
    }

    /// Curves that are set anew, as after each run, leave the keys at their point, which may have another place by then.
    void keysKeepTheirPoint()
    {
        CurveChart chart;
        chart.setTheme(Theme::lightTheme());
        const ChartAxis across{QStringLiteral("time"), {}, false}, up{QStringLiteral("size, B"), {}, false};
        const auto show = [&](const std::vector<int>& ids, int chosen) {
            ChartCurve curve{{}, Qt::blue, {}, false, true};
            for (const int id : ids) {
                curve.points.emplace_back(double(curve.points.size()), 10.0 * id);
                curve.texts.push_back(QStringLiteral("run %1").arg(id));
            }
            curve.ids = ids;
            chart.setCurves(ids.empty() ? std::vector<ChartCurve>() : std::vector{curve}, across, up);
            const auto at = std::ranges::find(ids, chosen);
            chart.setChosen(at == ids.end() ? -1 : int(at - ids.begin()), {});
        };
        show({7, 8, 9}, 7);
        (void)said(chart, {420, 240});
        QVERIFY2(chart.accessibleDescription().contains(QStringLiteral("run 7")), qPrintable(chart.accessibleDescription()));
        chart.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&chart));
        chart.setFocus(Qt::TabFocusReason);
        QVERIFY(chart.hasFocus());
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("point 2 of 3: run 8"));
        show({5, 9, 8, 7}, 7);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("point 3 of 4: run 8"));
        QCOMPARE(chart.pointed(), 2);
        // While there are none, the focus stays, and so does the point.
        show({}, 7);
        QCOMPARE(chart.pointed(), -1);
        QVERIFY(chart.hasFocus() && chart.focusPolicy() != Qt::NoFocus);
        show({8, 7}, 7);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("point 1 of 2: run 8"));
        // Another one that is shown takes the keys with it.
        show({8, 7, 6}, 6);
        QCOMPARE(chart.accessibleDescription(), QStringLiteral("point 3 of 3: run 6, shown"));
        show({}, 6);
        chart.clearFocus();
        QCOMPARE(chart.focusPolicy(), Qt::NoFocus);
    }

    /// Of labels that have no room, every second one goes, or two of three: a class without a label is between others without
    /// one.
    void labelsOfClassesAreRegular()
    {
        for (int width = 60; width < 600; width += 7)
            for (const int classes : {1, 2, 5, 9}) {
                Histogram histogram;
                histogram.setTheme(Theme::lightTheme());
                histogram.resize(width, 150);
                std::vector<Bucket> buckets(static_cast<std::size_t>(classes));
                QStringList labels;
                for (int i = 0; i < classes; ++i) {
                    buckets[std::size_t(i)] = {std::int64_t{512} << i, (std::int64_t{1024} << i) - 1, std::size_t(i % 3)};
                    labels << (i == 0 ? QStringLiteral("512") : QStringLiteral("%1K").arg(1 << (i - 1)));
                }
                labels.back() += u'+';
                histogram.setBuckets(buckets, [&](const Bucket& bucket, bool) {
                    return labels[std::bit_width(std::uint64_t(bucket.low)) - std::bit_width(512U)];
                });
                TextShaper shaper;
                DrawList list(shaper, 1);
                histogram.paint(list);
                std::vector<qsizetype> shown;
                double end = -1e9;
                for (const DrawCommand& command : list.commands()) {
                    const auto* text = std::get_if<draw::Text>(&command);
                    if (!text || text->at.y() < 130) continue; // the number over a bar
                    shown.push_back(labels.indexOf(text->text));
                    QVERIFY2(text->at.x() > end + 4, qPrintable(text->text));
                    end = text->at.x() + list.width(text->face, text->text);
                }
                QVERIFY(!shown.empty() && shown.back() == classes - 1);
                for (std::size_t i = 2; i < shown.size(); ++i) QCOMPARE(shown[i] - shown[i - 1], shown[1] - shown[0]);
                if (shown.size() > 1) QVERIFY(shown.front() < shown[1] - shown[0]); // none is left out before the first
                if (width > 500) QCOMPARE(int(shown.size()), classes);
            }
    }

    /// Bytes of a few thousand and of ten thousand millions: no tick is shortened, and where there is room there are some.
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
            ChartCurve curve{{}, Qt::blue, {}, false, false};
            for (int i = 0; i <= 10; ++i)
                curve.points.emplace_back(first + (last - first) * i / 10, first + (last - first) * i / 10);
            chart.setCurves({curve}, {QStringLiteral("arena, B"), {}, false}, {QStringLiteral("period, µs"), {}, false});
            const QStringList texts = said(chart, size);
            const QString told = QStringLiteral("%1 x %2: ").arg(size.width()).arg(size.height()) + texts.join(u'|');
            for (const QString& text : texts) QVERIFY2(!text.contains(u"...") && !text.contains(u'…'), qPrintable(told));
            const auto isNumber = [](const QString& text) { return !text.isEmpty() && text[0].isDigit(); };
            if (size.width() > 800) QVERIFY2(std::ranges::count_if(texts, isNumber) >= 2, qPrintable(told));
        }
    }

    /// Memory of 11.9 MB that changes by a third of a percent: round numbers far enough apart leave one, which is no scale.
    void aNarrowChartHasAScaleBelowIt()
    {
        CurveChart chart;
        chart.setTheme(Theme::lightTheme());
        const ChartCurve curve{{}, Qt::blue, {{11'863'000, 83'600}, {11'875'000, 72'000}, {11'919'000, 43'200}}, true, true};
        for (int width = 470; width <= 600; width += 10) {
            chart.setCurves({curve}, {QStringLiteral("arena, B"), {}, false}, {QStringLiteral("period, µs"), {}, false});
            const QStringList texts = said(chart, {width, 200});
            const auto below = [](const QString& text) { return text.startsWith(u"11,"); };
            QVERIFY2(std::ranges::count_if(texts, below) >= 2, qPrintable(QString::number(width) + u':' + texts.join(u'|')));
            for (const QString& text : texts) QVERIFY2(!text.contains(u"...") && !text.contains(u'…'), qPrintable(text));
        }
    }

    /// A low chart has a scale as well: two numbers or more, one line of text apart.
    void aLowChartHasAScale()
    {
        CurveChart chart;
        chart.setTheme(Theme::lightTheme());
        ChartCurve curve{{}, Qt::blue, {{560'000, 835}, {590'000, 400}, {616'000, 265}}, false, true};
        chart.setCurves({curve}, {QStringLiteral("memory, B"), {}, false}, {QStringLiteral("period, µs"), {}, false});
        const QStringList texts = said(chart, {500, 165});
        const auto periods =
            std::ranges::count_if(texts, [](const QString& text) { return text.size() == 3 && text[0].isDigit(); });
        QVERIFY2(periods >= 2, qPrintable(texts.join(u'|')));
    }

    /// The note of the chosen point is whole also where the point lies at a side.
    void theNoteOfAPointStaysInTheChart()
    {
        CurveChart chart;
        chart.setTheme(Theme::lightTheme());
        ChartCurve curve{{}, Qt::blue, {{0, 835}, {50, 400}, {100, 265}}, true, true};
        chart.setCurves({curve}, {QStringLiteral("memory, B"), {}, false}, {QStringLiteral("period, µs"), {}, false});
        const QString note = QStringLiteral("12 stages, as in the file, shown");
        for (const QSize size : {QSize(300, 165), QSize(700, 300)})
            for (int point = 0; point < 3; ++point) {
                (void)said(chart, size);
                chart.setChosen(point, note);
                bool found = false;
                for (const test::PaintedText& text : test::paintedTexts(chart)) {
                    if (text.text != note) continue;
                    found = true;
                    // In the plot: the axis goes 6 % of its range further than the outermost points.
                    const double left = chart.place({-6, 0}).x(), right = chart.place({106, 0}).x();
                    QVERIFY2(text.ink.left() >= left && text.ink.right() <= right && text.ink.top() >= 0,
                             qPrintable(QStringLiteral("%1 at %2").arg(point).arg(size.width())));
                    QCOMPARE(text.shown, text.ink);
                }
                QVERIFY(found);
            }
    }

    /// No curve runs through the note, and it covers no point, whichever point is chosen: of a flat end as of a steep one.
    void theNoteOfAPointLiesBesideTheCurve()
    {
        const std::vector<std::vector<QPointF>> curves{
            {{220, 221}, {230, 195}, {278, 186}, {306, 170}, {338, 147}, {390, 139}, {399, 133}},
            {{564, 835},
             {566, 828},
             {572, 730},
             {574, 720},
             {578, 410},
             {580, 405},
             {586, 340},
             {588, 336},
             {594, 318},
             {598, 315},
             {611, 280},
             {613, 275},
             {615.7, 265}}};
        for (const auto& points : curves)
            for (const QSize size : {QSize(440, 240), QSize(300, 165), QSize(380, 200)}) {
                CurveChart chart;
                chart.setTheme(Theme::lightTheme());
                const ChartCurve curve{{}, Qt::blue, points, true, true};
                chart.setCurves({curve}, {QStringLiteral("latency, µs"), {}, false}, {QStringLiteral("period, µs"), {}, false});
                const QString note = QStringLiteral("3 stages, shown");
                (void)said(chart, size);
                // What is drawn: each value holds until the next point, the last one to the end of the axis.
                std::vector<QPointF> stairs;
                for (const QPointF& point : points) {
                    if (!stairs.empty()) stairs.emplace_back(point.x(), stairs.back().y());
                    stairs.push_back(point);
                }
                stairs.emplace_back(points.back().x() + (points.back().x() - points.front().x()) * 0.06, points.back().y());
                for (int point = 0; point < int(points.size()); ++point) {
                    chart.setChosen(point, note);
                    const QString told = QStringLiteral("%1 at %2").arg(point).arg(size.width());
                    bool found = false;
                    for (const test::PaintedText& text : test::paintedTexts(chart)) {
                        if (text.text != note) continue;
                        found = true;
                        for (std::size_t i = 1; i < stairs.size(); ++i) {
                            const QPointF from = chart.place(stairs[i - 1]), to = chart.place(stairs[i]);
                            for (double share = 0; share <= 1; share += 0.002)
                                QVERIFY2(!text.ink.contains(from + (to - from) * share), qPrintable(told));
                        }
                        const QRectF withMark = text.ink.adjusted(-4, -4, 4, 4); // half of a mark, with its line
                        for (const QPointF& each : points) QVERIFY2(!withMark.contains(chart.place(each)), qPrintable(told));
                    }
                    QVERIFY2(found, qPrintable(told));
                }
            }
    }

    /// A note that is wider than the plot is left out, not cut.
    void aNoteWithoutRoomIsLeftOut()
    {
        CurveChart chart;
        chart.setTheme(Theme::lightTheme());
        const ChartCurve curve{{}, Qt::blue, {{0, 835}, {50, 400}, {100, 265}}, true, true};
        chart.setCurves({curve}, {QStringLiteral("memory, B"), {}, false}, {QStringLiteral("period, µs"), {}, false});
        const QString note = QString(60, u'm');
        (void)said(chart, {300, 165});
        chart.setChosen(1, note);
        for (const test::PaintedText& text : test::paintedTexts(chart)) QVERIFY(text.text != note);
    }

    /// A logarithmic axis has its ticks at 1, 2 and 5 times powers of ten, or at fewer, never at what they are halfway between.
    void ticksOfALogarithmicAxisAreRound()
    {
        for (const auto& [low, high] : {std::pair(-2.0, 4.0), std::pair(0.1, 0.9), std::pair(-1.7, 0.4), std::pair(0.0, 40.0)})
            for (const double pixels : {120.0, 400.0, 1200.0}) {
                const std::vector<double> ticks = logarithmicTicks(low, high, pixels, 60);
                for (std::size_t i = 0; i < ticks.size(); ++i) {
                    const double first = std::pow(10, ticks[i] - std::floor(ticks[i] + 1e-9)); // 1 to 9
                    QVERIFY2(std::abs(first - std::round(first)) < 1e-6, qPrintable(QString::number(first)));
                    QVERIFY(ticks[i] >= low && ticks[i] <= high);
                    if (i > 0) QVERIFY((ticks[i] - ticks[i - 1]) * pixels / (high - low) >= 60 - 1e-6);
                }
                if (pixels == 1200) QVERIFY(ticks.size() >= 3);
            }
        // 2.3 to 5.1 million.
        const std::vector<double> narrow = logarithmicTicks(6.36, 6.71, 360, 80);
        QCOMPARE(narrow.size(), std::size_t(3));
        for (std::size_t i = 0; i < narrow.size(); ++i) QCOMPARE(std::round(std::pow(10, narrow[i])), double(3 + i) * 1e6);
    }

    /// Every curve with a name stands in the legend, in its colour; Qt Charts' own is not there.
    void theLegendNamesTheCurves()
    {
        const Theme& theme = Theme::darkTheme();
        CurveChart chart;
        chart.setTheme(theme);
        std::vector<ChartCurve> curves;
        for (int i = 0; i < 9; ++i)
            curves.push_back({QStringLiteral("%1 to %2").arg(i).arg(i + 1),
                              theme.buffers[std::size_t(i)],
                              {{0, 0}, {10, double(i)}},
                              true,
                              false});
        curves.push_back({QString(), Qt::red, {{0, 0}, {10, 3}}, false, false});
        chart.setCurves(curves, {QStringLiteral("time, µs"), {}, true}, {QStringLiteral("frames that wait"), {}, true});
        (void)said(chart, {300, 220});
        TextShaper shaper;
        DrawList list(shaper, 1);
        chart.legend().paint(list);
        const auto texts = textsOf(list);
        QCOMPARE(texts.size(), std::size_t(9));
        for (std::size_t i = 0; i < 9; ++i) {
            QCOMPARE(texts[i].first, curves[i].name);
            QVERIFY2(texts[i].second <= 300, qPrintable(texts[i].first));
        }
        std::size_t swatch = 0;
        for (const DrawCommand& command : list.commands())
            if (const auto* fill = std::get_if<draw::Fill>(&command); fill && fill->rect.width() < 20) {
                QCOMPARE(fill->colour, curves[swatch++].colour);
                QVERIFY(fill->rect.bottom() <= chart.legend().height());
            }
        QCOMPARE(swatch, std::size_t(9));
        for (const QGraphicsItem* item : chart.findChild<QGraphicsView*>()->items())
            if (const auto* object = item->toGraphicsObject(); object && object->inherits("QLegend"))
                QVERIFY(!object->isVisible());
        // Without names there is none.
        chart.setCurves({curves.back()}, {}, {});
        QCOMPARE(chart.legend().height(), 0);
    }

    /// Values beside bars are whole, or not there where bars are too thin for them; bars are as long as their values.
    void valuesOfBarsAreWhole()
    {
        for (const int bars : {1, 4, 16})
            for (const QSize size : {QSize(180, 100), QSize(320, 180), QSize(500, 500)}) {
                StackedChart chart;
                chart.setTheme(Theme::lightTheme());
                QStringList names;
                ChartPart arena{QStringLiteral("arena"), QColor(0, 0, 200), {}};
                ChartPart constants{QStringLiteral("constants"), QColor(90, 90, 90), {}};
                std::vector<QString> texts;
                std::vector<std::optional<double>> limits;
                for (int i = 0; i < bars; ++i) {
                    names << QStringLiteral("%1 mcu").arg(i);
                    arena.values.push_back(1000);
                    constants.values.push_back(500);
                    texts.push_back(QStringLiteral("1,234,567,89%1 B").arg(i % 10));
                    limits.emplace_back(2000);
                }
                chart.setBars(names, {arena, constants}, limits, texts);
                (void)said(chart, size);
                TextShaper shaper;
                DrawList list(shaper, 1);
                chart.paint(list);
                std::size_t values = 0;
                for (const auto& [text, right] : textsOf(list)) {
                    QVERIFY2(right <= size.width(), qPrintable(text));
                    values += std::ranges::count(texts, text) > 0;
                }
                QVERIFY(values == 0 || values == std::size_t(bars));
                if (size.height() == 500) QCOMPARE(values, std::size_t(bars));
                double longest = 0, shorter = 0;
                for (const DrawCommand& command : list.commands())
                    if (const auto* fill = std::get_if<draw::Fill>(&command)) {
                        if (fill->colour == arena.colour) longest = fill->rect.width();
                        if (fill->colour == constants.colour) shorter = fill->rect.width();
                    }
                QVERIFY2(longest > 0 && std::abs(longest - 2 * shorter) <= 2.5, qPrintable(QString::number(longest)));
            }
    }

    /// A screen reader is told the values, not only the title.
    void chartsSayTheirValues()
    {
        CurveChart curves;
        curves.setEmptyText(QStringLiteral("No split fits."));
        QCOMPARE(curves.accessibleDescription(), QStringLiteral("No split fits."));
        curves.setCurves({}, {}, {});
        const auto* view = curves.findChild<QGraphicsView*>();
        QVERIFY(view && !view->isVisibleTo(&curves)); // the sentence stands alone, not over an empty chart
        curves.setCurves({{QStringLiteral("predicted"), Qt::red, {{1000, 80}, {2000, 20}, {3000, 40}}, false, true},
                          {QStringLiteral("measured"), Qt::blue, {{1000, 90}}, false, false},
                          {QStringLiteral("none"), Qt::blue, {}, false, false}},
                         {QStringLiteral("memory, B"), {}, false},
                         {QStringLiteral("period, µs"), [](double value) { return QString::number(value, 'f', 1); }, false});
        QVERIFY(view->isVisibleTo(&curves));
        QCOMPARE(curves.accessibleDescription(),
                 QStringLiteral("period, µs over memory, B; predicted: 3 points, from 80.0 at 1,000 to 40.0 at 3,000, "
                                "lowest 20.0, highest 80.0; measured: one point, 90.0 at 1,000"));
        curves.setChosen(1, {});
        QVERIFY(curves.accessibleDescription().endsWith(QStringLiteral("; shown: 20.0 at 2,000")));
        curves.setCurves({}, {}, {});
        QCOMPARE(curves.accessibleDescription(), QStringLiteral("No split fits."));

        StackedChart bars;
        bars.setBars({QStringLiteral("0 cpu"), QStringLiteral("1 npu"), QStringLiteral("2 idle")},
                     {{QStringLiteral("arena"), Qt::red, {300, 0, 0}}, {QStringLiteral("constants"), Qt::blue, {100, 50, 0}}},
                     {500, 40, std::nullopt}, {QStringLiteral("400 B"), QStringLiteral("50 B"), QStringLiteral("0 B")});
        QCOMPARE(
            bars.accessibleDescription(),
            QStringLiteral("0 cpu: 400 B, arena %1, constants %2, within its limit; 1 npu: 50 B, constants %3, over its limit; "
                           "2 idle: 0 B")
                .arg(shareText(0.75), shareText(0.25), shareText(1)));
        bars.setBars({}, {}, {}, {});
        QVERIFY(bars.accessibleDescription().isEmpty());
    }

    /// A title below the values says what they mean, on screen and to screen readers.
    void valuesOfBarsHaveATitle()
    {
        StackedChart bars;
        const QString title = QStringLiteral("busy: share of the time of 8 frames");
        bars.setBars({QStringLiteral("0 cpu")}, {{QStringLiteral("busy"), Qt::red, {3}}}, {std::nullopt}, {shareText(0.477)},
                     title);
        QVERIFY(bars.accessibleDescription().startsWith(title));
        bars.resize(380, 160);
        TextShaper shaper;
        DrawList list(shaper, 1);
        bars.paint(list);
        double value = 0, below = 0;
        for (const DrawCommand& command : list.commands())
            if (const auto* text = std::get_if<draw::Text>(&command)) {
                if (text->text == shareText(0.477)) value = text->at.y();
                if (text->text == title) below = text->at.y();
            }
        QVERIFY2(value > 0 && below > value + 8 && below < 160, qPrintable(QString::number(below)));
    }
};

QTEST_MAIN(ChartsTest)
#include "tst_charts.moc"
