// The tag of a peak lies beside the curve and clear of chips, tied to its point, and says less where it has no room.
#include "app/canvas/axis/step_function.h"
#include "app/canvas/kit/axis_parts.h"
#include "tests/support/drawn_texts.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

using namespace stowage;

class PeakTagTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The tag of the peak lies beside the curve: right of the point and below it the curve goes on at a height that it would
    /// hide.
    void theTagOfThePeakHidesNoCurve()
    {
        const StepFunction curve({0, 20, 21, 40}, {10, 100, 85, 0});
        const PixelAxis axis(0, 40, 2, 800);
        const auto y = [](Bytes bytes) { return 100.0 - double(bytes); };
        const auto meets = [&](const QRectF& box) { return curveMeets(curve, axis, 1, 0, y, box); };
        const auto placed = [&](const Taken& taken) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            paintPeakTag(list, Theme::lightTheme(), {410, y(100)}, QStringLiteral("peak 100 B"), 0, 800, 100, taken);
            for (const DrawCommand& command : list.commands())
                if (const auto* fill = std::get_if<draw::Fill>(&command)) return fill->rect;
            return QRectF();
        };
        QVERIFY(meets(placed({})));
        QVERIFY(!placed(meets).isEmpty() && !meets(placed(meets)));
    }

    /// A chip may lie anywhere beside the curve: the tag keeps clear of it, and stays between both sides of the plot. Where the
    /// curve leaves no place at all, there is no tag.
    void theTagOfThePeakKeepsClearOfChips()
    {
        const Taken nowhere = [](const QRectF&) { return false; }, everywhere = [](const QRectF&) { return true; };
        for (double left = 130; left < 700; left += 10) {
            const std::vector<QRectF> chips{{left, 16, 105, DrawList::chipHeight}};
            for (const Taken& taken : {Taken(), nowhere, everywhere}) {
                TextShaper shaper;
                DrawList list(shaper, 1);
                const PeakTag said = paintPeakTag(list, Theme::lightTheme(), {484, 14}, QStringLiteral("peak 26,624 B, step 7"),
                                                  129, 746, 241, taken, chips);
                const bool free = !taken || !taken({});
                QCOMPARE(said, free ? PeakTag::whole : PeakTag::nothing);
                QCOMPARE(test::textsOf(list).size(), free ? 1 : 0);
                if (!free) continue;
                const auto tag = std::ranges::find_if(
                    list.commands(), [](const DrawCommand& command) { return std::holds_alternative<draw::Fill>(command); });
                QVERIFY(tag != list.commands().end());
                const QRectF box = std::get<draw::Fill>(*tag).rect;
                QVERIFY(box.left() >= 128.5 && box.right() <= 746.5);
                QVERIFY2(!box.intersects(chips.front()), qPrintable(QString::number(left)));
            }
        }
    }

    /// A tag may be far from the point because the curve takes the places between: a line from the point to the tag ties them.
    /// A point out of view has none.
    void theTagOfThePeakIsTiedToItsPoint()
    {
        const Theme& theme = Theme::lightTheme();
        for (const double free : {129.0, 300.0, 470.0}) { // left of it all places are taken
            const Taken taken = [&](const QRectF& box) { return box.left() < free; };
            for (const double x : {484.0, 140.0, 100.0}) {
                TextShaper shaper;
                DrawList list(shaper, 1);
                QCOMPARE(paintPeakTag(list, theme, {x, 14}, QStringLiteral("peak 26,624 B"), 129, 746, 241, taken, {},
                                      ChipSpan{0, 746}),
                         PeakTag::whole);
                QRectF tag;
                std::vector<QPolygonF> leaders;
                for (const DrawCommand& command : list.commands()) {
                    if (const auto* fill = std::get_if<draw::Fill>(&command)) tag = fill->rect;
                    if (const auto* line = std::get_if<draw::Line>(&command)) leaders.push_back(line->points);
                }
                QCOMPARE(leaders.size(), std::size_t(x > 129 ? 1 : 0));
                if (leaders.empty()) continue;
                const QPointF from = leaders.front().front() - QPointF(x, 14), to = leaders.front().back();
                QVERIFY(std::hypot(from.x(), from.y()) < 6); // at the point's edge
                QVERIFY(tag.adjusted(-1, -1, 1, 1).contains(to) && !tag.adjusted(1, 1, -1, -1).contains(to));
            }
        }
    }

    /// A tag that has a shorter form never covers the curve: it says less, and at last nothing.
    void aTagWithAShorterFormCoversNoCurve()
    {
        const QString text = QStringLiteral("peak 26,624 B, step 7"), shorter = QStringLiteral("peak 26,624 B");
        const auto said = [&](double free) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            // Only the right end of the plot is free.
            const Taken taken = [&](const QRectF& box) { return box.left() < 746 - free; };
            paintPeakTag(list, Theme::lightTheme(), {484, 14}, text, 129, 746, 241, taken, {}, {}, shorter);
            return test::textsOf(list).join(u'|');
        };
        TextShaper shaper;
        const DrawList list(shaper, 1);
        const double whole = list.chipWidth(text), part = list.chipWidth(shorter);
        QVERIFY(part + 12 < whole);
        QCOMPARE(said(whole + 14), text);
        QCOMPARE(said(part + 14), shorter);
        QCOMPARE(said(part - 2), QString());
    }
};

QTEST_MAIN(PeakTagTest)
#include "tst_peak_tag.moc"
