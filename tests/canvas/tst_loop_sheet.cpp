// Loops as they are painted: every bar where its tensor is used, every piece where it lies, one colour for the same bytes.
#include "app/canvas/pictures/loops/loop_sheet.h"
#include "app/canvas/pictures/loops/loops_picture.h"
#include "app/canvas/pictures/scene_cache.h"
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/lower/lower.h"
#include "core/planners/registry.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/paths.h"
#include "tests/support/seed_shift.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>

using namespace stowage;

namespace {

/// A delay line of three, a value that is used up before its successor is made, and one that stays: repeats 4 and 1 meet in one
/// loop.
constexpr const char* delayLine = R"({"format": "stowage.program/1", "name": "delay", "entry": "main", "functions": [
 {"name": "main", "inputs": ["x0", "x1", "x2", "w"], "outputs": ["z"],
  "tensors": [{"name": "x0", "kind": "input", "bytes": 512}, {"name": "x1", "kind": "input", "bytes": 512},
              {"name": "x2", "kind": "input", "bytes": 512},
              {"name": "w", "kind": "input", "bytes": 2048}, {"name": "z", "kind": "output", "bytes": 512}],
  "ops": [{"name": "loop", "kind": "while", "inputs": ["x0", "x1", "x2"], "outputs": ["z"], "trip_count": 11,
    "carries": [{"from": "p1", "to": "p0"}, {"from": "p2", "to": "p1"}, {"from": "y", "to": "p2"}],
    "body": {"inputs": ["p0", "p1", "p2"], "outputs": ["y", "p1", "p2"],
      "tensors": [{"name": "p0", "bytes": 512}, {"name": "p1", "bytes": 512}, {"name": "p2", "bytes": 512},
                  {"name": "h", "bytes": 1024}, {"name": "y", "bytes": 512}],
      "ops": [{"name": "mix", "kind": "conv2d", "inputs": ["p0", "w"], "outputs": ["h"]},
              {"name": "out", "kind": "add", "inputs": ["h", "p0"], "outputs": ["y"]}]}}]}]})";

std::shared_ptr<const Run> planned(std::string_view text, const char* loops, const char* planner)
{
    auto read = io::readProgramJson(text, "test");
    if (!read) qFatal("%s", toText(read.error()).c_str());
    auto run = std::make_shared<Run>();
    auto program = std::make_shared<const Program>(std::move(read->value));
    run->program = program;
    LowerOptions options;
    if (auto error = options.set("loops", loops)) qFatal("%s", toText(*error).c_str());
    auto lowering = lower(*program, options);
    if (!lowering) qFatal("%s", toText(lowering.error()).c_str());
    run->lowering = std::make_shared<const Lowering>(*std::move(lowering));
    auto plan = PlannerRegistry::builtIn().find(planner)->plan(run->problem(), {}, {});
    if (!plan) qFatal("%s", toText(plan.error()).c_str());
    run->plan = *std::move(plan);
    run->report = evaluate(run->problem(), run->plan);
    return run;
}

std::string sampleText(const char* name)
{
    QFile file(QStringLiteral(STOWAGE_SOURCE_DIR "/resources/samples/%1.json").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no sample");
    return file.readAll().toStdString();
}

struct Shown {
    Shown(std::shared_ptr<const Run> made, QSizeF size, std::int64_t iteration = 0)
        : run(std::move(made)), scene(makeScene(run)), loop(loopsOf(*run->lowering).front()), picture(*loopPicture(*run, loop))
    {
        state.scene = scene.get();
        state.picture = &picture;
        state.theme = &Theme::darkTheme();
        go(iteration, size);
    }
    void go(std::int64_t iteration, QSizeF size)
    {
        state.iteration = iteration;
        state.holds = loopHolds(run->problem(), run->plan, loop, iteration);
        layout = layOut(state, size);
        fitViewport(state, layout);
    }
    [[nodiscard]] DrawList painted()
    {
        DrawList list(shaper, 1);
        paintLoop(list, state, layout);
        return list;
    }
    std::shared_ptr<const Run> run;
    std::shared_ptr<const RunScene> scene;
    LoopId loop;
    LoopPicture picture;
    LoopState state;
    LoopLayout layout;
    TextShaper shaper;
};

} // namespace

class LoopSheetTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAreWhatIsCarriedAndGoThroughTheirPlaces()
    {
        const Shown shown(planned(delayLine, "precise", "nnc-size-first"), {1200, 700});
        QCOMPARE(shown.picture.story.views.repeat, 4);
        QCOMPARE(loopColumns(shown.picture), shown.picture.story.views.iterations + 1);
        std::vector<std::string> names;
        for (const LoopRow& row : shown.picture.rows) names.push_back(row.name);
        for (const char* name : {"p0", "p1", "p2", "y"}) QVERIFY2(std::ranges::find(names, name) != names.end(), name);
        // A place is what the core says of the tensor in that iteration; one number for the same bytes.
        std::vector<std::int64_t> current(shown.run->problem().loops.size(), 0);
        for (std::size_t row = 0; row < shown.picture.rows.size(); ++row) {
            const LoopView& view = shown.picture.story.views.views[std::size_t(shown.picture.rows[row].view)];
            for (std::int64_t i = 0; i < 20; ++i) {
                current[std::size_t(shown.loop)] = i;
                const ViewPlace place = placeOf(*shown.run->lowering, shown.run->plan, view.instance, view.tensor, current, {});
                const std::int32_t index = shown.picture.rows[row].places[std::size_t(shown.picture.story.like(i))];
                QCOMPARE(shown.picture.places[std::size_t(index)], std::pair(place.pool, place.offset));
            }
        }
        // The value that a row hands on is where the next iteration reads it.
        for (const LoopRow& row : shown.picture.rows) {
            if (row.carriedTo < 0) continue;
            QVERIFY(!row.moved);
            for (std::int64_t i = 0; i < 20; ++i)
                QCOMPARE(shown.picture.rows[std::size_t(row.carriedTo)].places[std::size_t(shown.picture.story.like(i + 1))],
                         row.places[std::size_t(shown.picture.story.like(i))]);
        }
    }

    void barsStandWhereTheirStepsAre()
    {
        for (const double width : {640.0, 1000.0, 1800.0}) {
            Shown shown(planned(delayLine, "precise", "nnc"), {width, 620});
            const Interval live = shown.picture.story.live;
            for (std::int64_t iteration = 0; iteration < 12; ++iteration) {
                shown.go(iteration, {width, 620});
                // The current one is always in view, columns follow on each other without touching.
                const std::int64_t like = shown.picture.story.like(iteration);
                QVERIFY(shown.layout.firstColumn <= like &&
                        like < shown.layout.firstColumn + std::int64_t(shown.layout.columns.size()));
                for (std::size_t c = 0; c < shown.layout.columns.size(); ++c) {
                    const QRectF& box = shown.layout.columns[c];
                    QVERIFY(box.left() >= shown.layout.plotLeft - 1e-9 && box.right() <= shown.layout.plotRight + 1e-9);
                    if (c > 0) QVERIFY(box.left() > shown.layout.columns[c - 1].right());
                    for (std::size_t row = 0; row < shown.picture.rows.size(); ++row) {
                        const LoopRow& told = shown.picture.rows[row];
                        const QRectF bar = loopBar(shown.state, shown.layout, row, c);
                        const double per = box.width() / double(live.end - live.begin);
                        QVERIFY(std::abs(bar.left() - (box.left() + per * double(told.live.begin - live.begin))) < 1e-6);
                        QVERIFY(std::abs(bar.right() - (box.left() + per * double(told.live.end - live.begin))) < 1e-6);
                        if (told.carriedIn) QVERIFY(std::abs(bar.left() - box.left()) < 1e-6);
                        if (told.carriedTo >= 0) QVERIFY(std::abs(bar.right() - box.right()) < 1e-6);
                        if (row > 0) QVERIFY(bar.top() >= loopBar(shown.state, shown.layout, row - 1, c).bottom());
                    }
                }
            }
        }
    }

    void piecesOfAnIterationLieApartAsTheirBytesDo()
    {
        for (const char* planner : {"nnc", "greedy-by-size"}) {
            Shown shown(planned(sampleText("lstm_loop"), "precise", planner), {1300, 800});
            for (std::int64_t iteration = 0; iteration < 5; ++iteration) {
                shown.go(iteration, {1300, 800});
                QCOMPARE(shown.layout.strips.size(), std::size_t(1));
                QVERIFY(!shown.state.holds.empty());
                const QRectF strip = shown.layout.strips.front();
                const PixelAxis& axis = shown.state.viewport.addresses.front();
                const double perByte = strip.height() / double(axis.high() - axis.low());
                for (const LoopHold& hold : shown.state.holds) {
                    const QRectF box = loopHoldBox(shown.state, shown.layout, 0, hold);
                    QVERIFY(strip.contains(box));
                    QVERIFY(std::abs((strip.bottom() - box.bottom()) - double(hold.offset) * perByte) <=
                            0.5 + 1e-6); // whole pixels
                    for (const LoopHold& other : shown.state.holds) {
                        if (&other == &hold || !hold.live.overlaps(other.live)) continue;
                        const QRectF meets = box & loopHoldBox(shown.state, shown.layout, 0, other);
                        QVERIFY(meets.isEmpty() || meets.height() < 1e-6 || meets.width() < 1e-6);
                    }
                }
            }
        }
    }

    void fromCloseTheViewsFillTheStrip()
    {
        Shown shown(planned(sampleText("lstm_loop"), "precise", "nnc"), {1300, 800}, 2);
        Bytes low = maxBytes, high = 0, top = 0;
        for (const LoopRow& row : shown.picture.rows)
            for (const std::int32_t place : row.places) {
                low = std::min(low, shown.picture.places[std::size_t(place)].second);
                high = std::max(high, shown.picture.places[std::size_t(place)].second + row.bytes);
            }
        for (const LoopHold& hold : shown.state.holds)
            top = std::max(top, hold.offset + shown.run->problem().buffers[std::size_t(hold.buffer)].size);
        const LoopRange all = loopRange(shown.state, 0);
        QVERIFY(all.low == 0 && all.high >= top);
        shown.state.close = true;
        const LoopRange near = loopRange(shown.state, 0);
        QVERIFY(near.low <= low && near.high >= high && near.low >= 0);
        QVERIFY(near.high - near.low < 2 * (high - low));
        // What lies at such a place is whole in the strip.
        for (const LoopHold& hold : shown.state.holds)
            if (shown.picture.placeAt(hold.pool, hold.offset) >= 0)
                QVERIFY(shown.layout.strips.front().contains(loopHoldBox(shown.state, shown.layout, 0, hold)));
    }

    void whatIsHitIsWhatIsThere()
    {
        Shown shown(planned(delayLine, "precise", "nnc"), {900, 600}, 3);
        std::mt19937 random(5 + stowage::test::seedShift());
        int bars = 0, holds = 0;
        for (int n = 0; n < 4000; ++n) {
            const QPointF point(double(random() % 9000) / 10, double(random() % 6000) / 10);
            const LoopHit hit = loopHit(shown.state, shown.layout, point);
            bool onBar = false, onHold = false;
            for (std::size_t c = 0; c < shown.layout.columns.size(); ++c)
                for (std::size_t row = 0; row < shown.picture.rows.size(); ++row)
                    onBar = onBar ||
                            (shown.layout.rows.contains(point) && loopBar(shown.state, shown.layout, row, c).contains(point));
            for (const LoopHold& hold : shown.state.holds)
                for (std::size_t strip = 0; strip < shown.layout.strips.size(); ++strip)
                    onHold = onHold || (shown.layout.strips[strip].contains(point) && shown.picture.pools[strip] == hold.pool &&
                                        loopHoldBox(shown.state, shown.layout, strip, hold).contains(point));
            QCOMPARE(hit.kind == LoopHit::Kind::bar, onBar);
            QCOMPARE(hit.kind == LoopHit::Kind::hold, onHold);
            if (onBar || onHold) QVERIFY(hit.box.contains(point) && hit.buffer != none);
            bars += onBar, holds += onHold;
        }
        QVERIFY(bars > 50 && holds > 50);
    }

    void copiesAreDrawnAndSaid()
    {
        const auto dashes = [](const DrawList& list) {
            return std::ranges::count_if(list.commands(), [](const DrawCommand& command) {
                const auto* line = std::get_if<draw::Line>(&command);
                return line && line->dash == Dash::stall;
            });
        };
        Shown copied(planned(delayLine, "conservative", "greedy-by-size"), {1200, 700});
        QVERIFY(dashes(copied.painted()) > 0);
        const auto said = [](const Shown& shown) {
            std::string all;
            for (const std::string& line : loopSentences(*shown.run, shown.picture)) all += line + "\n";
            return all;
        };
        QVERIFY2(said(copied).find("1,536 bytes an iteration have to be copied") != std::string::npos,
                 said(copied).c_str()); // 3 x 512
        Shown rotated(planned(delayLine, "precise", "nnc"), {1200, 700});
        QCOMPARE(dashes(rotated.painted()), 0);
        QVERIFY2(said(rotated).find("1,536 bytes an iteration are handed on without a copy, 15,360 in all") != std::string::npos,
                 said(rotated).c_str()); // ten times
        QVERIFY2(said(rotated).find("unrolled 4 times") != std::string::npos, said(rotated).c_str());
    }

    /// The body reads "h" and "c", which lie in the buffers of the initial values "h0" and "c0" in every iteration, as what they
    /// become is copied back: rows, pieces and cards have the names of the tensors.
    void aPieceHasTheNameOfTheTensorOfItsRow()
    {
        const auto run = planned(sampleText("lstm_loop"), "conservative", "greedy-by-size");
        for (const std::int64_t iteration : {0, 1, 5}) {
            Shown shown(run, {1300, 800}, iteration);
            const QStringList texts = test::textsOf(shown.painted());
            for (const char* name : {"h", "c", "h_next", "c_next"}) // once in the row, once in the strip
                QVERIFY2(texts.count(QString::fromLatin1(name)) == 2, qPrintable(texts.join(u'|')));
            for (const char* name : {"h0", "c0"})
                QVERIFY2(!texts.contains(QString::fromLatin1(name)), qPrintable(texts.join(u'|')));
            QVERIFY(texts.contains(QStringLiteral("frames"))); // of no row: the buffer's own name
        }
        PictureSource source;
        source.run = run;
        source.program = run->program;
        source.scenes = std::make_shared<SceneCache>();
        LoopsPicture picture;
        picture.take(picture.prepare(source).make({}));
        picture.layOut({1300, 800}, 1);
        const auto bufferSaid = [](const CardText& card) {
            const auto line = std::ranges::find(card.lines, QStringLiteral("buffer"), &CardText::Line::text);
            return line == card.lines.end() ? QString() : line->value;
        };
        int compared = 0;
        for (const LoopHold& hold : picture.state().holds) {
            const std::string& buffer = run->problem().buffers[std::size_t(hold.buffer)].name;
            if (buffer != "h0" && buffer != "frames") continue;
            ++compared;
            const auto card = picture.card(picture.hit(loopHoldBox(picture.state(), picture.bands(), 0, hold).center()));
            QVERIFY(card);
            QCOMPARE(card->title, buffer == "h0" ? QStringLiteral("h") : QStringLiteral("frames"));
            QCOMPARE(bufferSaid(*card), buffer == "h0" ? QStringLiteral("h0") : QString());
            QVERIFY(card->lines.size() <= 5);
        }
        QCOMPARE(compared, 2);
        const LoopPicture& loop = *picture.story();
        const auto row = std::size_t(std::ranges::find(loop.rows, std::string("h"), &LoopRow::name) - loop.rows.begin());
        QVERIFY(row < loop.rows.size());
        const auto bar = picture.card(picture.hit(loopBar(picture.state(), picture.bands(), row, 0).center()));
        QVERIFY(bar);
        QCOMPARE(bar->title, QStringLiteral("h"));
        QCOMPARE(bufferSaid(*bar), QStringLiteral("h0"));
        QVERIFY(bar->lines.size() <= 5);
    }

    /// A piece of no row has its whole name, too, although all names begin alike.
    void everyPartHasTheSameNameOfABuffer()
    {
        QString text = QString::fromLatin1(delayLine);
        for (const char* name : {"x0", "x1", "x2", "w", "z", "p0", "p1", "p2", "h", "y"})
            text.replace(QStringLiteral("\"%1\"").arg(QLatin1String(name)),
                         QStringLiteral("\"net/%1\"").arg(QLatin1String(name)));
        Shown shown(planned(text.toStdString(), "precise", "nnc-size-first"), {1300, 800});
        QCOMPARE(shown.scene->namePrefix, std::string("net/"));
        QVERIFY(!shown.state.holds.empty());
        for (const LoopHold& hold : shown.state.holds)
            QVERIFY2(loopHoldName(shown.state, hold).starts_with("net/"), loopHoldName(shown.state, hold).c_str());
        const QStringList texts = test::textsOf(shown.painted());
        QVERIFY2(texts.contains(QStringLiteral("net/w")) && !texts.contains(QStringLiteral("w")), qPrintable(texts.join(u'|')));
    }

    void everyPartHasTheSameNameOfALoop()
    {
        const auto run = planned(delayLine, "precise", "nnc-size-first");
        const LoopId loop = loopsOf(*run->lowering).front();
        QCOMPARE(loopName(run->problem(), loop), std::string("loop"));
        QVERIFY(loopSentences(*run, *loopPicture(*run, loop)).front().starts_with("loop: "));
        Problem unnamed = run->problem();
        unnamed.loops[std::size_t(loop)].name.clear();
        const std::string called = "loop" + std::to_string(loop);
        QCOMPARE(loopName(unnamed, loop), called);
        Placement placement;
        placement.rotations = {Rotation{}};
        placement.rotations.front().loop = loop;
        QVERIFY(QString::fromStdString(rotationRules(unnamed, placement).front()).contains(QString::fromStdString(called)));
    }

    /// Names that differ at their end only stay apart in the narrow column of names.
    void namesOfRowsAreToldApart()
    {
        QString text = QString::fromLatin1(delayLine);
        for (int i = 0; i < 3; ++i)
            text.replace(QStringLiteral("\"p%1\"").arg(i), QStringLiteral("\"recurrent_state_of_the_delay_line_%1\"").arg(i));
        Shown shown(planned(text.toStdString(), "precise", "nnc-size-first"), {1200, 700});
        const QStringList names = test::textsOf(shown.painted()).filter(QStringLiteral("\u2026"));
        for (int i = 0; i < 3; ++i)
            QVERIFY2(std::ranges::count_if(names, [&](const QString& name) { return name.endsWith(QString::number(i)); }) == 1,
                     qPrintable(names.join(u'|')));
    }

    void rulesSayWhichIterationUsesWhichView()
    {
        const Shown shown(planned(delayLine, "precise", "nnc"), {1200, 700});
        int rotating = 0;
        for (const Placement& placement : shown.run->plan.placements) {
            const auto rules = rotationRules(shown.run->problem(), placement);
            QCOMPARE(rules.size(), placement.rotations.size());
            rotating += !rules.empty();
            for (std::size_t r = 0; r < rules.size(); ++r)
                QVERIFY2(rules[r].find("i mod " + std::to_string(placement.rotations[r].period)) != std::string::npos,
                         rules[r].c_str());
        }
        QVERIFY(rotating > 0);
        Problem problem;
        problem.loops.push_back({"outer", none, {0, 4}, std::nullopt});
        Placement second;
        second.rotations = {{0, 3, true}};
        QCOMPARE(rotationRules(problem, second).front(),
                 std::string("In iteration 0 of outer view 0, then in iteration i view 1 + i mod 3 (type II)"));
    }

    void everyStateIsPainted()
    {
        for (const QSizeF size : {QSizeF(300, 200), QSizeF(700, 400), QSizeF(2400, 1200)}) {
            Shown shown(planned(sampleText("lstm_loop"), "precise", "nnc"), size, 7);
            const QString plain = toText(shown.painted());
            QVERIFY(plain.contains(QStringLiteral("Iteration 7")));
            shown.state.selected = shown.state.holds.front().buffer;
            QVERIFY(toText(shown.painted()) != plain);
        }
    }
};

QTEST_MAIN(LoopSheetTest)
#include "tst_loop_sheet.moc"
