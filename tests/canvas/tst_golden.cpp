// What is drawn, against the plan: bars, curve, lines and ops are computed here from the run once more. And a few small pictures,
// which have been looked at, against what is painted now: `tst_golden --write` paints them anew, to be looked at again.
#include "app/canvas/axis/op_codes.h"
#include "app/canvas/export/render.h"
#include "app/canvas/pictures/map/paint_stack.h"
#include "app/canvas/pictures/map/view_state.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/golden_main.h"
#include "tests/support/paths.h"
#include "tests/support/sample_run.h"

#include <QDir>
#include <QFileInfo>
#include <QFontInfo>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

using namespace stowage;

namespace {

bool writing = false;

struct Shown {
    std::shared_ptr<const RunScene> scene;
    ViewState view;
    StackLayout layout;
    TextShaper shaper;
    DrawList list;

    Shown(std::shared_ptr<const Run> run, bool map, QSizeF size = {1088, 690})
        : scene(makeScene(std::move(run))), view(scene, Theme::lightTheme(), defaultColouring(*scene->run)), list(shaper, 1)
    {
        view.state().map = map;
        layout = layOut(view.state(), size);
        fitViewport(view.state(), layout);
        paintStack(list, view.state(), layout, BodyMode::vector);
    }
    template <typename Command>
    [[nodiscard]] std::vector<Command> all() const
    {
        std::vector<Command> found;
        for (const DrawCommand& command : list.commands())
            if (const auto* c = std::get_if<Command>(&command)) found.push_back(*c);
        return found;
    }
    [[nodiscard]] double perStep() const { return (1088.0 - 128 - 14) / double(scene->steps); }
};

/// Bytes live at a step, by asking every buffer.
Bytes liveAt(const Run& run, Step step)
{
    Bytes sum = 0;
    for (const Buffer& b : run.problem().buffers)
        if (std::any_of(b.live.begin(), b.live.end(),
                        [&](const Interval& live) { return live.begin <= step && step < live.end; }))
            sum += b.size;
    return sum;
}

std::string groupOf(const Run& run, std::size_t buffer)
{
    const BufferOrigin& origin = run.lowering->origins[buffer];
    if (origin.producer != none)
        return kindInWords(run.program->functions[std::size_t(origin.function)].ops[std::size_t(origin.producer)].kind);
    switch (run.problem().buffers[buffer].kind) {
    case BufferKind::input: return "Input";
    case BufferKind::output: return "Output";
    case BufferKind::constant: return "Constant";
    case BufferKind::variable: return "Variable";
    case BufferKind::intermediate: break;
    }
    return "Buffer";
}

} // namespace

class TestGolden : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Beside an address, sizes and capacities lose their unit or are rounded, but no part of a number is cut off. Addresses of a
    /// map alone name their own unit.
    void figuresOfAGutterAreWhole()
    {
        const NumberFormat words{.unit = NumberFormat::Unit::words, .hexAddresses = true};
        static const QRegularExpression capacity(QStringLiteral("^of [\\d,]+( words)?$"));
        int whole = 0, withoutUnit = 0;
        for (double height = 240; height < 520; height += 4) {
            Shown shown(test::sampleRun({.buffers = 60, .pools = 3}), true, {1088, height});
            shown.view.state().numbers = words;
            DrawList list(shown.shaper, 1);
            paintStack(list, shown.view.state(), shown.layout, BodyMode::vector);
            for (const DrawCommand& command : list.commands()) {
                const auto* text = std::get_if<draw::Text>(&command);
                if (!text || text->face != Face::label || text->at.x() >= shown.layout.plotLeft ||
                    text->at.y() < shown.layout.strips.front().top() || text->at.y() > shown.layout.strips.back().bottom())
                    continue;
                const bool number = std::ranges::any_of(text->text, [](QChar letter) { return letter.isDigit(); });
                QVERIFY2(!number || !text->text.endsWith(QChar(0x2026)), qPrintable(text->text));
                if (const auto match = capacity.match(text->text); match.hasMatch())
                    ++(match.captured(1).isEmpty() ? withoutUnit : whole);
            }
        }
        QVERIFY(whole > 0 && withoutUnit > 0);
        Shown alone(test::sampleRun({.buffers = 60}), true);
        alone.view.state().numbers = words;
        DrawList list(alone.shaper, 1);
        paintStack(list, alone.view.state(), alone.layout, BodyMode::vector);
        QVERIFY(test::textsOf(list).contains(QStringLiteral("0x0000 B")));
    }

    void rowsOfTheTimelineAreTheLiveRangesOfThePlan()
    {
        const Shown shown(test::wakeWordRun(), false);
        const Run& run = *shown.scene->run;
        // Groups by what they hold in bytes x steps, the heaviest first; members by their first step.
        struct Group {
            double weight = 0;
            std::string name;
            std::vector<std::size_t> members;
        };
        std::map<std::string, Group> byName;
        for (std::size_t i = 0; i < run.problem().buffers.size(); ++i) {
            Group& group = byName[groupOf(run, i)];
            group.name = groupOf(run, i);
            group.members.push_back(i);
            for (const Interval& live : run.problem().buffers[i].live)
                group.weight += double(run.problem().buffers[i].size) * double(live.end - live.begin);
        }
        std::vector<Group> groups;
        for (auto& [name, group] : byName) groups.push_back(group);
        std::sort(groups.begin(), groups.end(),
                  [](const Group& a, const Group& b) { return std::pair(-a.weight, a.name) < std::pair(-b.weight, b.name); });
        const auto fills = shown.all<draw::Fill>();
        const Palette palette = paletteOf(Theme::lightTheme(), ColourBy::opKind);
        double top = shown.layout.rows.top();
        std::size_t checked = 0;
        for (Group& group : groups) {
            top += 14;
            std::sort(group.members.begin(), group.members.end(), [&](std::size_t a, std::size_t b) {
                return std::pair(run.problem().buffers[a].live.front().begin, a) <
                       std::pair(run.problem().buffers[b].live.front().begin, b);
            });
            for (const std::size_t member : group.members) {
                if (top + 12 > shown.layout.rows.bottom()) break;
                const Interval live = run.problem().buffers[member].live.front();
                const double left = 128 + double(live.begin) * shown.perStep(),
                             right = 128 + double(live.end) * shown.perStep() - 1;
                const QColor colour = palette.fills[shown.view.colouring().of[member]];
                const bool drawn = std::any_of(fills.begin(), fills.end(), [&](const draw::Fill& fill) {
                    return fill.colour == colour && std::abs(fill.rect.left() - left) <= 0.51 &&
                           std::abs(fill.rect.right() - right) <= 0.51 && std::abs(fill.rect.top() - (top + 1.5)) < 0.01 &&
                           std::abs(fill.rect.height() - 8) < 0.01;
                });
                QVERIFY2(drawn, run.problem().buffers[member].name.c_str());
                ++checked;
                top += 12;
            }
        }
        QVERIFY(checked >= 30);
    }

    void theCurveIsTheSumOfWhatIsLive()
    {
        const Shown shown(test::wakeWordRun(), true);
        const Run& run = *shown.scene->run;
        const PoolReport& pool = run.report.pools.front();
        Bytes most = 0;
        for (Step step = 0; step < shown.scene->steps; ++step) most = std::max(most, liveAt(run, step));
        Bytes scale = std::max(most, pool.lowerBound);
        if (pool.capacity && double(*pool.capacity) <= 2.5 * double(most)) scale = std::max(scale, *pool.capacity);
        // The band is 80 high: 6 below the curve, 14 above the highest line.
        const auto y = [&](Bytes bytes) { return 74 - double(bytes) / double(scale) * 60; };
        const auto lines = shown.all<draw::Line>();
        const auto curve = std::find_if(lines.begin(), lines.end(), [](const draw::Line& line) {
            return line.colour == Theme::lightTheme().accent && line.points.size() > 10;
        });
        QVERIFY(curve != lines.end());
        for (Step step = 0; step < shown.scene->steps; ++step) {
            const double x = 128 + (double(step) + 0.5) * shown.perStep();
            double drawn = -1;
            for (qsizetype i = 0; i + 1 < curve->points.size(); ++i)
                if (curve->points[i].x() <= x && x <= curve->points[i + 1].x()) drawn = curve->points[i].y();
            QVERIFY2(std::abs(drawn - y(liveAt(run, step))) <= 1.3,
                     qPrintable(QStringLiteral("step %1: %2").arg(step).arg(drawn)));
        }
    }

    void aCurveOfManyCornersReachesOverEachColumnWhatThePlanReachesThere()
    {
        for (const bool dense : {false, true}) {
            test::SampleOptions sample;
            sample.buffers = dense ? 30000 : 900;
            sample.steps = dense ? 9000 : 800;
            sample.program = false;
            sample.capacityFactor = 0;
            const Shown shown(test::sampleRun(sample), true);
            const auto columns = shown.all<draw::Columns>();
            QCOMPARE(columns.size(), std::size_t(dense ? 3 : 2)); // area, band between most and least, line
            std::vector<Bytes> live(std::size_t(shown.scene->steps), 0);
            for (const Buffer& b : shown.scene->run->problem().buffers)
                for (const Interval& range : b.live)
                    for (Step step = range.begin; step < range.end; ++step) live[std::size_t(step)] += b.size;
            const Bytes scale =
                std::max(*std::max_element(live.begin(), live.end()), shown.scene->run->report.pools.front().lowerBound);
            const auto& spans = columns.front().spans;
            QCOMPARE(spans.size(), std::size_t(1088 - 128 - 14));
            for (std::size_t x = 0; x < spans.size(); ++x) {
                // The steps whose column meets this pixel, a rounding of half a pixel to each side left open.
                const auto from = std::size_t(std::max(0.0, (double(x) - 0.51) / shown.perStep()));
                const auto to = std::min(live.size() - 1, std::size_t((double(x) + 1.51) / shown.perStep()));
                const auto [least, most] =
                    std::minmax_element(live.begin() + std::ptrdiff_t(from), live.begin() + std::ptrdiff_t(to) + 1);
                const auto y = [&](Bytes bytes) { return 74 - double(bytes) / double(scale) * 60; };
                QVERIFY2(spans[x].first >= y(*most) - 0.51 && spans[x].first <= y(*least) + 0.51, qPrintable(QString::number(x)));
                QCOMPARE(spans[x].second, 74.0);
            }
        }
    }

    void capacityBoundAndTopAreWhereTheirBytesAre()
    {
        const Shown shown(test::wakeWordRun(), true);
        const PoolReport& pool = shown.scene->run->report.pools.front();
        QVERIFY(pool.capacity);
        const QRectF band = shown.layout.strips[0];
        const double perByte = band.height() / double(addressLimit(shown.scene->pools[0].map));
        const auto y = [&](Bytes bytes) { return band.bottom() - double(bytes) * perByte; };
        const auto fills = shown.all<draw::Fill>();
        const auto line = [&](const QColor& colour, double at, double width) {
            return std::any_of(fills.begin(), fills.end(), [&](const draw::Fill& fill) {
                return fill.colour == colour && fill.rect.height() == width && fill.rect.width() > 900 &&
                       std::abs(fill.rect.center().y() - at) <= 1.6;
            });
        };
        QVERIFY(line(Theme::lightTheme().bad, y(*pool.capacity), 1.5));
        QVERIFY(line(Theme::lightTheme().text2, y(pool.size), 1));
        const auto lines = shown.all<draw::Line>();
        QVERIFY(std::any_of(lines.begin(), lines.end(), [&](const draw::Line& l) {
            return l.colour == Theme::lightTheme().ok && l.dash == Dash::bound && l.points.first().y() > band.top() &&
                   std::abs(l.points.first().y() - y(pool.lowerBound)) <= 1.3;
        }));
    }

    void everyOpHasItsCodeOverItsStep()
    {
        const Shown shown(test::wakeWordRun(), true);
        const auto& steps = shown.scene->run->lowering->steps;
        const auto texts = shown.all<draw::Text>();
        std::size_t ops = 0;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].op == none) continue;
            ++ops;
            const double middle = 128 + (double(i) + 0.5) * shown.perStep();
            QVERIFY2(std::any_of(texts.begin(), texts.end(),
                                 [&](const draw::Text& text) {
                                     return text.face == Face::code && std::abs(text.at.x() - middle) <= 1.6;
                                 }),
                     qPrintable(QString::number(i)));
        }
        QCOMPARE(std::size_t(
                     std::count_if(texts.begin(), texts.end(), [](const draw::Text& text) { return text.face == Face::code; })),
                 ops);
    }

    void notesArePaintedAtTheirPlace()
    {
        Shown shown(test::wakeWordRun(), true);
        StackState& state = shown.view.state();
        const MapNote note{1, shown.scene->pools[0].map.poolName, 20, 1024, QStringLiteral("why is this here")};
        state.notes = {note, {2, "elsewhere", 20, 1024, QStringLiteral("no such memory")}};
        const QRectF box = noteBox(state, shown.layout, note);
        const QRectF band = shown.layout.strips[0];
        QVERIFY(std::abs(box.left() + 2 - (128 + 20 * shown.perStep())) <= 1);
        QVERIFY(std::abs(box.bottom() - 2 -
                         (band.bottom() - 1024 * band.height() / double(addressLimit(shown.scene->pools[0].map)))) <= 1.5);
        QVERIFY(noteBox(state, shown.layout, state.notes[1]).isNull());
        DrawList overlay(shown.shaper, 1);
        paintStackOverlay(overlay, state, shown.layout);
        QVERIFY(toText(overlay).contains(QStringLiteral("why is this here")));
        QVERIFY(!toText(overlay).contains(QStringLiteral("no such memory")));
    }

    void smallPicturesLookAsTheyDid_data()
    {
        QTest::addColumn<QString>("view");
        QTest::addColumn<int>("pools");
        QTest::addColumn<bool>("dark");
        QTest::addColumn<double>("scale");
        QTest::newRow("map-dark") << QStringLiteral("memory-map") << 1 << true << 1.0;
        QTest::newRow("timeline-light") << QStringLiteral("liveness") << 1 << false << 1.0;
        QTest::newRow("pools-light-2x") << QStringLiteral("memory-map") << 3 << false << 2.0;
    }

    void smallPicturesLookAsTheyDid()
    {
        QFETCH(QString, view);
        QFETCH(int, pools);
        QFETCH(bool, dark);
        QFETCH(double, scale);
        if (QFontInfo(uiFont(11)).family() != u"Inter")
            QSKIP("the pictures are made with the font Inter, which is not installed");
        test::SampleOptions sample;
        sample.buffers = 60;
        sample.steps = 40;
        sample.pools = pools;
        sample.slots = 0.1;
        sample.capacityFactor = 0.92; // something lies above it
        RenderOptions options;
        options.size = scale > 1 ? QSize(360, 280) : QSize(520, 360);
        options.scale = scale;
        options.dark = dark;
        const QString name = QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".png");
        const QString kept = QStringLiteral(STOWAGE_SOURCE_DIR "/tests/canvas/golden/") + name;
        QTemporaryDir folder;
        const QString painted = writing ? kept : folder.filePath(name);
        if (writing) QDir().mkpath(QFileInfo(kept).path());
        const auto done = renderToFile({pools == 1 ? test::wakeWordRun() : test::sampleRun(sample)}, view, options, painted);
        QVERIFY2(done, done ? "" : done.error().message.c_str());
        if (writing) return;
        const QImage now = QImage(painted).convertToFormat(QImage::Format_RGB32);
        const QImage before = QImage(kept).convertToFormat(QImage::Format_RGB32);
        QVERIFY2(!before.isNull(), qPrintable(kept));
        QCOMPARE(now.size(), before.size());
        QImage difference(now.size(), QImage::Format_RGB32);
        double sum = 0;
        int far = 0;
        for (int y = 0; y < now.height(); ++y)
            for (int x = 0; x < now.width(); ++x) {
                const QRgb a = now.pixel(x, y), b = before.pixel(x, y);
                const int most =
                    std::max({std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
                sum += most;
                far += most > 48;
                difference.setPixel(x, y, qRgb(most, most, most));
            }
        // Another version of the font's rasteriser may shade letters otherwise; it moves and hides nothing.
        const double pixels = double(now.width()) * now.height();
        if (sum / pixels > 1.5 || far / pixels > 0.01) {
            const QString saved = QDir::temp().filePath(QStringLiteral("stowage-difference-") + name);
            difference.save(saved);
            QFAIL(qPrintable(QStringLiteral("mean difference %1, %2 pixels far off; the difference is in %3")
                                 .arg(sum / pixels)
                                 .arg(far)
                                 .arg(saved)));
        }
    }
};

int main(int argc, char** argv)
{
    return test::goldenMain<TestGolden>(argc, argv, writing);
}

#include "tst_golden.moc"
