// A pipeline as it is painted: numbers and words that all frames, stages and connections have or none, and the largest ones
// before the small ones.
#include "app/canvas/pictures/pipeline/gantt.h"
#include "app/canvas/pictures/pipeline/op_strip.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"
#include "core/pipeline/simulate.h"
#include "tests/support/drawn_texts.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace stowage;
using pipeline::Ticks;

namespace {

constexpr std::int64_t frameCount = 8;

/// A chain of stages, each with ops of equal cost, on devices of their own. `transfers`: in µs, one less than stages.
PipelineData chain(const std::vector<double>& costs, const std::vector<std::size_t>& ops, const std::vector<double>& transfers)
{
    PipelineData data;
    data.name = "chain";
    for (std::size_t s = 0; s < costs.size(); ++s) {
        pipeline::StageModel stage;
        stage.device = "npu" + std::to_string(s);
        stage.resource = std::int32_t(s);
        stage.cost = pipeline::toTicks(costs[s]);
        if (s > 0) stage.inputs = {std::int32_t(s) - 1};
        if (s + 1 < costs.size()) stage.outputs = {std::int32_t(s)};
        data.model.stages.push_back(stage);
        StageFigures figures;
        figures.device = stage.device;
        figures.ops.assign(ops[s], StageOp{"op", "conv2d", stage.cost / Ticks(ops[s])});
        data.stages.push_back(figures);
    }
    for (std::size_t c = 0; c + 1 < costs.size(); ++c) {
        pipeline::ConnectionModel connection;
        connection.from = std::int32_t(c);
        connection.to = std::int32_t(c) + 1;
        connection.transfer = pipeline::toTicks(transfers[c]);
        connection.transferBytes = Bytes{4096} << (c % 3);
        connection.link = std::int32_t(c);
        data.model.connections.push_back(connection);
    }
    data.model.resources = std::int32_t(costs.size());
    data.model.links = std::int32_t(costs.size()) - 1;
    pipeline::SimulateOptions options;
    options.frames = frameCount;
    auto run = pipeline::simulate(data.model, options);
    if (!run) qFatal("%s", toText(run.error()).c_str());
    data.predicted = *std::move(run);
    return data;
}

std::vector<draw::Text> textsIn(const DrawList& list)
{
    std::vector<draw::Text> texts;
    for (const DrawCommand& command : list.commands())
        if (const auto* text = std::get_if<draw::Text>(&command)) texts.push_back(*text);
    return texts;
}

/// Where a text lies from left to right.
std::pair<double, double> spanOf(const DrawList& list, const draw::Text& text)
{
    const double width = list.width(text.face, text.text);
    const double left = text.at.x() - (text.align == draw::Text::Align::left     ? 0
                                       : text.align == draw::Text::Align::centre ? width / 2
                                                                                 : width);
    return {left, left + width};
}

struct Lanes {
    Lanes(const PipelineData& data, QSizeF size) : list(shaper, 1)
    {
        state.data = &data;
        state.theme = &Theme::lightTheme();
        layout = layOut(state, {QPointF(), size});
        fitAxis(state, layout);
        paintGantt(list, state, layout);
    }
    TextShaper shaper;
    DrawList list;
    GanttState state;
    GanttLayout layout;
};

} // namespace

class PipelineSheetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A narrow digit does not give one frame of a lane its number alone, nor its time; 12 px are enough for a digit.
    void framesOfAStageHaveTheirNumbersAllOrNone()
    {
        const PipelineData data = chain({238, 69.1, 251.7}, {8, 3, 10}, {9, 9});
        bool narrow = false;
        for (double width = 220; width <= 1200; width += 3) {
            const Lanes shown(data, {width, 240});
            const double perTick = (shown.layout.plotRight - shown.layout.plotLeft) / double(data.predicted.total) * 64 / 65;
            for (std::size_t s = 0; s < data.stages.size(); ++s) {
                std::vector<QString> numbers;
                std::size_t times = 0;
                for (const draw::Text& text : textsIn(shown.list)) {
                    if (text.at.x() < shown.layout.plotLeft || !shown.layout.lanes[s].contains(text.at)) continue;
                    bool whole = false;
                    (void)text.text.toInt(&whole);
                    if (whole) numbers.push_back(text.text);
                    times += text.text == microText(data.model.stages[s].cost);
                }
                const QString told = QStringLiteral("stage %1 at %2: %3").arg(s).arg(width).arg(numbers.size());
                QVERIFY2(numbers.empty() || numbers.size() == std::size_t(frameCount), qPrintable(told));
                for (std::size_t f = 0; f < numbers.size(); ++f) QCOMPARE(numbers[f], QString::number(f));
                QVERIFY2(times == 0 || times == std::size_t(frameCount), qPrintable(told));
                const double frame = perTick * double(data.model.stages[s].cost);
                if (frame >= 12) QVERIFY2(!numbers.empty(), qPrintable(told));
                narrow = narrow || (frame >= 12 && frame < 14);
            }
        }
        QVERIFY(narrow);
    }

    /// A frame that a side of the zoomed view cuts has its number in the part in view, or no number: a cut one is another number.
    void aFrameAtASideOfTheViewHasAWholeNumberOrNone()
    {
        const PipelineData data = chain({238, 69.1, 251.7}, {8, 3, 10}, {9, 9});
        Lanes shown(data, {900, 240});
        const AxisRange all = shown.state.axis.range();
        const double plotLeft = shown.layout.plotLeft, plotRight = shown.layout.plotRight;
        std::size_t with = 0, without = 0; // of the cut ones
        for (int n = 0; n < 400; ++n) {
            shown.state.axis.show({all.begin.plus(all.span * (0.1 + n * 0.0015)), all.span / 4});
            DrawList list(shown.shaper, 1);
            paintGantt(list, shown.state, shown.layout);
            const auto x = [&](Ticks time) { return plotLeft + shown.state.axis.toPixel(time / 1000); };
            const std::vector<draw::Text> texts = textsIn(list);
            for (std::size_t s = 0; s < data.stages.size(); ++s) {
                const QRectF& lane = shown.layout.lanes[s];
                const auto& frames = data.predicted.stages[s].frames;
                for (std::size_t f = 0; f < frames.size(); ++f) {
                    const double left = x(frames[f].start), right = x(frames[f].finish);
                    const auto number = std::ranges::find_if(texts, [&](const draw::Text& text) {
                        return text.text == QString::number(f) && lane.top() <= text.at.y() && text.at.y() <= lane.bottom();
                    });
                    const bool said = number != texts.end();
                    const bool outside = right < plotLeft || left > plotRight;
                    if (outside) QVERIFY(!said);
                    if (!outside && (left < plotLeft - 1 || right > plotRight + 1)) ++(said ? with : without);
                    if (!said) continue;
                    const auto [first, last] = spanOf(list, *number);
                    QVERIFY2(first >= std::max(left, plotLeft) - 1 && last <= std::min(right, plotRight) + 1,
                             qPrintable(QStringLiteral("frame %1 of stage %2 in view %3").arg(f).arg(s).arg(n)));
                }
            }
        }
        QVERIFY(with > 0 && without > 0);
    }

    /// Lanes of one line have no shares, so that there is no head over them either.
    void theHeadOfTheSharesIsThereWithThem()
    {
        const PipelineData data = chain({238, 69.1, 251.7}, {8, 3, 10}, {9, 9});
        bool with = false, without = false;
        for (double height = 140; height <= 300; height += 10) {
            const Lanes shown(data, {700, height});
            const bool shares = test::timesSaid(shown.list, QStringLiteral(" %")) > 0;
            QCOMPARE(test::timesSaid(shown.list, QStringLiteral("busy")), qsizetype(shares ? 1 : 0));
            (shares ? with : without) = true;
        }
        QVERIFY(with && without);
    }

    /// The legend of waits says what its numbers are, and leaves out small waits before large ones.
    void theLegendKeepsTheLargestWaits()
    {
        PipelineData data = chain({238, 69.1}, {8, 3}, {9});
        for (pipeline::StageRun& stage : data.predicted.stages) stage.stalls = {};
        data.predicted.stages[0].stalls.input = pipeline::toTicks(3107.2);
        data.predicted.stages[1].stalls.output = pipeline::toTicks(2651.5);
        data.predicted.stages[1].stalls.link = pipeline::toTicks(47.3);
        const QStringList largestFirst{QStringLiteral("input 3,107.2"), QStringLiteral("output full 2,651.5"),
                                       QStringLiteral("link 47.3"), QStringLiteral("device busy 0.0")};
        GanttState state;
        state.data = &data;
        state.theme = &Theme::lightTheme();
        TextShaper shaper;
        qsizetype before = 0;
        for (double width = 20; width <= 700; width += 4) {
            DrawList list(shaper, 1);
            paintWaits(list, state, 100, 100 + width, 13);
            const QStringList texts = test::textsOf(list);
            const QString told = QStringLiteral("%1: %2").arg(width).arg(texts.join(u'|'));
            for (const draw::Text& text : textsIn(list)) QVERIFY2(spanOf(list, text).first >= 100, qPrintable(told));
            const bool titled = texts.contains(QStringLiteral("waits, µs"));
            const qsizetype kinds = texts.size() - (titled ? 1 : 0);
            QVERIFY2(titled == (kinds > 0), qPrintable(told));
            for (qsizetype i = 0; i < 4; ++i) QVERIFY2(texts.contains(largestFirst[i]) == (i < kinds), qPrintable(told));
            QVERIFY2(kinds >= before, qPrintable(told));
            if (width >= waitsWidth(list, state)) QVERIFY2(kinds >= 3, qPrintable(told));
            before = kinds;
        }
        QCOMPARE(before, qsizetype(4));
    }

    /// One op in a row of small ones, the first of its stage: its number reaches over the columns beside it, up to the border.
    void theLargestCostHasItsNumber()
    {
        PipelineData data = chain({834.8, 1411.5, 44}, {19, 8, 4}, {26, 21});
        const Ticks most = pipeline::toTicks(1415.9);
        data.stages[2].ops.front().cost = most;
        for (double width = 420; width <= 1500; width += 8)
            for (const double height : {104.0, 150.0}) {
                const OpStripLayout layout = layOutOps(data, {0, 0, width, height});
                TextShaper shaper;
                DrawList list(shaper, 1);
                paintOps(list, Theme::lightTheme(), data, layout, none, none, nullptr);
                bool said = false;
                for (const draw::Text& text : textsIn(list)) {
                    if (text.face != Face::code || text.at.y() > layout.plot.bottom()) continue;
                    const auto [left, right] = spanOf(list, text);
                    QVERIFY(left >= layout.plot.left() - 0.5 && right <= layout.plot.right() + 0.5);
                    for (const double border : layout.borders) QVERIFY(right < border || left > border);
                    said = said || text.text == u"1,415.9" || text.text == u"1,416";
                }
                QVERIFY2(said, qPrintable(QString::number(width)));
            }
    }

    /// Both devices of a connection keep the part that differs.
    void devicesOfConnectionsAreToldApart()
    {
        PipelineData data = chain({100, 100, 100}, {4, 4, 4}, {40, 40});
        for (std::size_t s = 0; s < data.stages.size(); ++s)
            data.stages[s].device = "neural-processing-accelerator-" + std::to_string(s + 3);
        const Lanes shown(data, {700, 420});
        const QString arrow = QStringLiteral(" \u2192 ");
        QStringList pairs;
        for (const draw::Text& text : textsIn(shown.list)) {
            if (!text.text.contains(arrow)) continue;
            pairs << text.text;
            QVERIFY2(spanOf(shown.list, text).first >= 0, qPrintable(text.text));
        }
        QCOMPARE(pairs.size(), qsizetype(2));
        for (int c = 0; c < 2; ++c) {
            const QStringList both = pairs[c].split(arrow);
            QVERIFY2(both.front().endsWith(QString::number(c + 3)) && both.back().endsWith(QString::number(c + 4)),
                     qPrintable(pairs[c]));
        }
        const QStringList texts = test::textsOf(shown.list);
        for (int s = 3; s < 6; ++s) // in the lanes, which have more room
            QVERIFY(std::ranges::any_of(texts, [&](const QString& text) {
                return !text.contains(arrow) && text.contains(QChar(0x2026)) && text.endsWith(QString::number(s));
            }));
    }

    /// A part of a box, or of a connection, is there for all of them or for none, and numbers between boxes have their unit.
    void partsOfTheGraphAreThereForAllOrNone()
    {
        PipelineData data = chain({238, 251.7, 265, 69.1}, {8, 10, 9, 3}, {35.2, 7.1, 9.1});
        for (const bool planned : {false, true}) {
            for (std::size_t s = 0; s < data.stages.size(); ++s) {
                data.stages[s].planned = planned;
                data.stages[s].memory.arena = 100'000 + 10 * Bytes(s);
                data.stages[s].limit = Bytes{131'072} << (2 * s);
            }
            std::vector<std::size_t> most(5, 0);
            for (double width = 380; width <= 1500; width += 7) {
                const StageGraphLayout layout = layOutStages(data, {0, 0, width, stageGraphHeight});
                TextShaper shaper;
                DrawList list(shaper, 1);
                paintStages(list, Theme::lightTheme(), {}, data, layout, none);
                std::size_t ops = 0, notes = 0, bytes = 0, times = 0, memories = 0;
                for (const draw::Text& text : textsIn(list)) {
                    const bool between = std::ranges::none_of(layout.stages, [&](const QRectF& box) {
                        return box.left() <= text.at.x() && text.at.x() <= box.right();
                    });
                    ops += text.text.endsWith(QStringLiteral(" ops"));
                    notes += text.face == Face::label &&
                             (text.text.contains(u'%') || text.text == u"sets the period" || text.text == u"slowest");
                    memories += text.text.startsWith(QStringLiteral("100,0"));
                    if (!between || text.face != Face::tick) continue;
                    const bool time = text.text.endsWith(QStringLiteral(" µs"));
                    times += time;
                    bytes += !time;
                    QVERIFY2(time || text.text.endsWith(QStringLiteral(" B")) || text.text.endsWith(QStringLiteral(" K")),
                             qPrintable(text.text));
                    const auto [left, right] = spanOf(list, text);
                    for (const QRectF& box : layout.stages)
                        QVERIFY2(right <= box.left() - 2.5 || left >= box.right() + 2.5, qPrintable(text.text));
                }
                const std::vector<std::size_t> counts{ops, notes, bytes, times, memories};
                const std::vector<std::size_t> full{4, 4, 3, 3, planned ? 4U : 0U};
                for (std::size_t i = 0; i < counts.size(); ++i) {
                    QVERIFY2(counts[i] == 0 || counts[i] == full[i],
                             qPrintable(QStringLiteral("part %1 at %2: %3").arg(i).arg(width).arg(counts[i])));
                    most[i] = std::max(most[i], counts[i]);
                }
            }
            QCOMPARE(most, (std::vector<std::size_t>{4, 4, 3, 3, planned ? 4U : 0U}));
        }
    }
};

QTEST_MAIN(PipelineSheetTest)
#include "tst_pipeline_sheet.moc"
