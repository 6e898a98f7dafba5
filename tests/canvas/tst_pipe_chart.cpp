// Pipes over time: lanes, arrows and the picture against the simulation's own spans, recomputed here one by one.
#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/map/paint_stack.h"
#include "app/canvas/pictures/map/view_state.h"
#include "app/canvas/pictures/pipes/pipe_chart.h"
#include "app/canvas/pictures/pipes/pipe_picture.h"
#include "app/canvas/pictures/replay/replay.h"
#include "app/canvas/pictures/replay/search_curve.h"
#include "app/canvas/pictures/scene_cache.h"
#include "core/planners/registry.h"
#include "tests/core/hivm_problems.h"
#include "tests/support/drawn_texts.h"
#include "tests/support/sample_run.h"
#include "tests/support/seed.h"
#include "tests/support/seed_shift.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace stowage;

namespace {

std::shared_ptr<Run> plannedRun(const Problem& problem, const char* planner = "hivm")
{
    auto run = std::make_shared<Run>();
    auto lowering = lower(problem, {});
    if (!lowering) qFatal("%s", lowering.error().message.c_str());
    run->lowering = std::make_shared<Lowering>(*std::move(lowering));
    const auto steps = std::make_shared<StepRecorder>();
    PlanContext context;
    context.recorder = steps.get();
    run->plan = *PlannerRegistry::builtIn().find(planner)->plan(run->problem(), {}, context);
    run->report = evaluate(run->problem(), run->plan);
    run->steps = steps;
    return run;
}

/// The 48-row kernel: reuse of every kind, stalls, levels 3 to 1, rollbacks.
Problem flash()
{
    return test::fromRows(test::flashAttentionVector(48), test::flashLoop, test::scope("ub", test::unifiedBuffer));
}

/// One loop of loads, vector ops and stores on few bytes.
Problem randomKernel(QRandomGenerator& random)
{
    std::vector<test::Row> rows;
    const int count = random.bounded(4, 14);
    for (int i = 0; i < count; ++i) {
        const Step first = 2 + i + random.bounded(0, 3);
        rows.push_back({"b" + std::to_string(i),
                        first,
                        first + random.bounded(0, 4),
                        32 * Bytes(random.bounded(1, 40)),
                        random.bounded(3) == 0 ? 2 : 1,
                        random.bounded(2) == 0,
                        true,
                        {}});
    }
    return test::fromRows(rows, {1, 30}, test::scope("ub", 32 * random.bounded(60, 160)));
}

struct Shown {
    std::shared_ptr<const PipeScene> scene;
    PipeState state;
    PipeLayout layout;
    TextShaper shaper;
    DrawList list{shaper, 1};

    Shown(const std::shared_ptr<const Run>& run, QSizeF size, const PipeOptions& options = {}, double ratio = 1)
        : scene(makePipeScene(run, options)), list(shaper, ratio)
    {
        state.scene = scene.get();
        state.theme = &Theme::darkTheme();
        state.ratio = ratio;
        layout = layOut(state, size);
        fitAxis(state, layout);
        paintPipes(list, state, layout, QString::fromStdString(whyNoPipes(*run)));
        paintPipesOverlay(list, state, layout);
    }
    [[nodiscard]] int says(const QString& words) const { return int(test::timesSaid(list, words)); }
};

} // namespace

class PipeChartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Each pipe's time is what its spans say: it runs them one after the other, and before each it waits first for another pipe,
    /// then for data or its slot, then for reuse.
    void lanesAreTheSpansOfTheReport()
    {
        const auto seed = testSeed();
        QRandomGenerator random(seed);
        int stalls = 0;
        for (int round = 0; round < 40; ++round) {
            const auto run = plannedRun(round == 0 ? flash() : randomKernel(random));
            if (run->report.status == Status::invalid) continue;
            const auto scene = makePipeScene(run, {.iterations = 1 + round % 6, .maxSpans = 10'000});
            QVERIFY(scene);
            const auto analysis = analysePipes(*run, {.iterations = 1 + round % 6, .maxSpans = 10'000});
            QVERIFY(analysis);
            std::size_t shown = 0;
            for (std::size_t pipe = 0; pipe < analysis->model.pipes.size(); ++pipe) {
                const auto lane = std::ranges::find(scene->lanes, std::int32_t(pipe), &PipeLane::pipe);
                std::vector<LaneOp> ops;
                std::vector<LaneGap> gaps;
                std::int64_t end = 0, stalled = 0;
                for (std::size_t s = 0; s < analysis->report.spans.size(); ++s) {
                    const PipeSpan& span = analysis->report.spans[s];
                    const PipeOp& op = analysis->model.ops[std::size_t(span.op)];
                    if (!std::ranges::binary_search(op.pipes, std::int32_t(pipe))) continue;
                    std::vector<std::pair<std::int64_t, LaneWait>> pieces{
                        {span.begin - span.stall - span.wait, LaneWait::otherPipe},
                        {span.begin - span.stall, span.cause == PipeWait::ownSlot ? LaneWait::ownSlot : LaneWait::data},
                        {span.begin, LaneWait::reuse}};
                    for (const auto& [until, cause] : pieces)
                        if (until > end) {
                            gaps.push_back({end, until, std::int32_t(s), cause});
                            if (cause == LaneWait::reuse) stalled += until - end;
                            end = until;
                        }
                    QVERIFY(span.begin >= end);
                    ops.push_back({span.begin, span.begin + op.cost, std::int32_t(s)});
                    end = span.begin + op.cost;
                }
                QCOMPARE(lane != scene->lanes.end(), !ops.empty());
                if (ops.empty()) continue;
                ++shown;
                QCOMPARE(lane->ops.size(), ops.size());
                for (std::size_t i = 0; i < ops.size(); ++i)
                    QVERIFY(lane->ops[i].begin == ops[i].begin && lane->ops[i].end == ops[i].end &&
                            lane->ops[i].span == ops[i].span);
                QCOMPARE(lane->gaps.size(), gaps.size());
                for (std::size_t i = 0; i < gaps.size(); ++i)
                    QVERIFY(lane->gaps[i].begin == gaps[i].begin && lane->gaps[i].end == gaps[i].end &&
                            lane->gaps[i].cause == gaps[i].cause && lane->gaps[i].span == gaps[i].span);
                QCOMPARE(lane->busy, analysis->report.busy[pipe]);
                QCOMPARE(lane->stall, stalled);
                stalls += stalled > 0;
            }
            QCOMPARE(scene->lanes.size(), shown);
        }
        QVERIFY(stalls > 0); // or the test shows nothing
    }

    /// An arrow leads from the end of an op to a later begin; each edge has as many as it counts, and who stands still waits for
    /// the end of one.
    void everyStallEndsWithTheArrowThatCausesIt()
    {
        const auto run = plannedRun(flash());
        const auto scene = makePipeScene(run);
        const PipeReport& report = scene->report();
        std::map<std::int32_t, std::int64_t> arrows;
        for (const Handover& handover : report.handovers) {
            QVERIFY(scene->endOf(handover.from) <= scene->span(handover.to).begin);
            const ReuseEdge& edge = report.edges[std::size_t(handover.edge)];
            QVERIFY(scene->touches(handover.from, edge.from));
            QVERIFY(std::ranges::binary_search(scene->opOf(handover.to).writes, edge.to));
            ++arrows[handover.edge];
        }
        for (std::size_t e = 0; e < report.edges.size(); ++e) QCOMPARE(arrows[std::int32_t(e)], report.edges[e].count);
        int stalled = 0;
        for (std::size_t s = 0; s < report.spans.size(); ++s) {
            const PipeSpan& span = report.spans[s];
            if (span.stall == 0) continue;
            ++stalled;
            QVERIFY(std::ranges::any_of(report.handovers, [&](const Handover& handover) {
                return handover.to == std::int32_t(s) && handover.edge == span.edge && scene->endOf(handover.from) == span.begin;
            }));
        }
        QVERIFY(stalled > 0);
        // And what a span waits for in front of that ends exactly when an access to that buffer ends.
        for (const PipeSpan& span : report.spans) {
            if (span.wait == 0) continue;
            QVERIFY(span.waitsFor != none && span.cause != PipeWait::nothing);
            const std::int64_t ready = span.begin - span.stall;
            bool met = false;
            for (std::size_t s = 0; s < report.spans.size() && !met; ++s)
                met = scene->endOf(std::int32_t(s)) == ready && scene->touches(std::int32_t(s), span.waitsFor);
            QVERIFY(met);
        }
    }

    void boxesLieWhereTheTimesAre()
    {
        for (const double ratio : {1.0, 2.0}) {
            Shown shown(plannedRun(flash()), {1200, 700}, {}, ratio);
            const PipeGeometry geometry{shown.state, shown.layout};
            const double time = double(shown.scene->report().time);
            const double width = shown.layout.plotRight - shown.layout.plotLeft;
            const auto exact = [&](std::int64_t at) { return shown.layout.plotLeft + double(at) / time * width; };
            for (std::size_t lane = 0; lane < shown.scene->lanes.size(); ++lane) {
                const QRectF& band = shown.layout.lanes[lane];
                for (const LaneOp& op : shown.scene->lanes[lane].ops) {
                    const QRectF box = geometry.box(lane, op.begin, op.end);
                    QVERIFY(std::abs(box.left() - exact(op.begin)) <= 0.51 / ratio);
                    QVERIFY(std::abs(box.right() - exact(op.end)) <= 0.51 / ratio);
                    QVERIFY(band.contains(QRectF(band.left(), box.top(), 10, box.height())));
                }
            }
            // Bands follow each other without overlap, in the picture.
            double bottom = shown.layout.summary.bottom();
            for (const QRectF& band : shown.layout.lanes) {
                QVERIFY(band.top() >= bottom);
                bottom = band.bottom();
            }
            QVERIFY(shown.layout.ruler.top() >= bottom);
            QVERIFY(shown.layout.list.bottom() <= 700);
        }
    }

    /// Every pixel of every lane against a search through all ops and gaps.
    void whatIsUnderThePointerIsWhatIsDrawnThere()
    {
        Shown shown(plannedRun(flash()), {900, 600});
        shown.state.axis.zoom(3, 200);
        std::map<int, int> met;
        for (std::size_t lane = 0; lane < shown.scene->lanes.size(); ++lane)
            for (double x = shown.layout.plotLeft; x < shown.layout.plotRight; x += 1) {
                const PipeHit hit = hitPipes(shown.state, shown.layout, {x + 0.5, shown.layout.lanes[lane].center().y()});
                const std::int64_t time = shown.state.axis.unitAt(x + 0.5 - shown.layout.plotLeft);
                const LaneOp* op = nullptr;
                const LaneGap* gap = nullptr;
                for (const LaneOp& each : shown.scene->lanes[lane].ops)
                    if (each.begin <= time && time < each.end) op = &each;
                for (const LaneGap& each : shown.scene->lanes[lane].gaps)
                    if (each.begin <= time && time < each.end) gap = &each;
                ++met[int(hit.what)];
                if (op) {
                    QCOMPARE(hit.what, PipeHit::What::op);
                    QCOMPARE(hit.span, op->span);
                } else if (hit.what == PipeHit::What::op) {
                    // A thin one nearby.
                    const double scale = shown.state.axis.scale();
                    QVERIFY(double(shown.scene->endOf(hit.span) - shown.scene->span(hit.span).begin) * scale <= 2);
                } else if (gap) {
                    QCOMPARE(hit.what, PipeHit::What::gap);
                    QCOMPARE(hit.span, gap->span);
                    QCOMPARE(hit.cause, gap->cause);
                } else {
                    QCOMPARE(hit.what, PipeHit::What::nothing);
                }
            }
        QVERIFY(met[int(PipeHit::What::op)] > 100 && met[int(PipeHit::What::gap)] > 100);
        const PipeGeometry geometry{shown.state, shown.layout};
        QVERIFY(!shown.layout.list.isEmpty());
        QCOMPARE(hitPipes(shown.state, shown.layout, geometry.row(1).center()).edge, 1);
        QCOMPARE(hitPipes(shown.state, shown.layout, {-5, -5}).what, PipeHit::What::nothing);
    }

    void thePictureSaysWhatTheReportSays()
    {
        const auto run = plannedRun(flash());
        Shown shown(run, {1500, 900}, {.iterations = 2, .maxSpans = 10'000});
        const PipeReport& report = shown.scene->report();
        QVERIFY(report.stall() > 0 && report.count(ReuseKind::breaksDoubleBuffer) > 0);
        QVERIFY(shown.says(countText(report.time)) > 0);
        QVERIFY(shown.says(countText(report.time - report.timeWithoutReuse)) > 0);
        for (const PipeLane& lane : shown.scene->lanes) {
            QVERIFY(shown.says(QString::fromStdString(lane.name)) > 0);
            QVERIFY(shown.says(shareText(double(report.busy[std::size_t(lane.pipe)]) / double(report.time))) > 0);
        }
        for (const ReuseKind kind : {ReuseKind::samePipe, ReuseKind::crossPipe, ReuseKind::breaksDoubleBuffer})
            QVERIFY(shown.says(reuseText(kind)) > 0);
        QVERIFY(shown.says(QStringLiteral(" to free ")) > 0); // a stall that says whom it waits for
        // Without reuse there is nothing to list, and the picture says so.
        Shown calm(plannedRun(test::fromRows({{"x", 1, 2, 64, 2, true, true, {}}, {"y", 2, 3, 64, 2, true, true, {}}}, {0, 5},
                                             test::scope("ub", 4096))),
                   {1000, 500});
        QCOMPARE(calm.says(QStringLiteral("No buffer takes over another one's bytes")), 1);
        QCOMPARE(calm.says(QStringLiteral(" to free ")), 0);
    }

    void arrowsFollowTheirToggles()
    {
        const auto run = plannedRun(flash());
        const auto heads = [&](std::array<bool, reuseKinds> arrows, BufferId selected) {
            Shown shown(run, {1400, 800});
            shown.state.arrows = arrows;
            shown.state.selected = selected;
            DrawList list(shown.shaper, 1);
            paintPipesOverlay(list, shown.state, shown.layout);
            return std::ranges::count_if(list.commands(),
                                         [](const DrawCommand& command) { return std::holds_alternative<draw::Area>(command); });
        };
        const auto scene = makePipeScene(run);
        std::array<std::int64_t, reuseKinds> counted{};
        for (const Handover& handover : scene->report().handovers)
            ++counted[std::size_t(scene->report().edges[std::size_t(handover.edge)].kind)];
        QCOMPARE(heads({false, false, false}, none), 0);
        QCOMPARE(heads({false, true, false}, none), counted[1]);
        QCOMPARE(heads({false, false, true}, none), counted[2]);
        QCOMPARE(heads({false, true, true}, none), counted[1] + counted[2]);
        // The selected buffer's are shown whatever the toggles say.
        const ReuseEdge& worst = scene->report().edges.front();
        const auto own = std::ranges::count_if(scene->report().handovers, [&](const Handover& handover) {
            const ReuseEdge& edge = scene->report().edges[std::size_t(handover.edge)];
            return edge.from == worst.to || edge.to == worst.to;
        });
        QVERIFY(own > 0);
        QCOMPARE(heads({false, false, false}, worst.to), own);
    }

    /// Each execution of an op that reads or writes a selected buffer is outlined, and an area lists what its ops read and write.
    void manySelectedBuffersMarkTheirExecutions()
    {
        PictureSource source;
        source.run = plannedRun(flash());
        source.scenes = std::make_shared<SceneCache>();
        PipePicture picture;
        picture.take(picture.prepare(source).make({}));
        picture.layOut({1400, 800}, 1);
        PictureMarks marks;
        std::vector<BufferId> chosen;
        for (std::size_t i = 1; i < source.run->problem().buffers.size(); ++i) chosen.push_back(BufferId(i));
        QVERIFY2(chosen.size() > 4, qPrintable(QString::number(chosen.size())));
        marks.selected = chosen.front();
        marks.selection = SharedBuffers(chosen);
        picture.setMarks(marks, false);
        TextShaper shaper;
        DrawList list(shaper, 1);
        picture.paintOverlay(list);
        std::vector<QRectF> outlines;
        for (const DrawCommand& command : list.commands())
            if (const auto* outline = std::get_if<draw::Outline>(&command);
                outline && outline->colour == picture.theme().sel && outline->width == 2)
                outlines.push_back(outline->rect);
        std::vector<QRectF> boxes;
        const auto& lanes = picture.scene()->lanes;
        for (std::size_t i = 0; i < lanes.size(); ++i)
            for (const LaneOp& op : lanes[i].ops)
                if (std::ranges::any_of(chosen, [&](BufferId id) { return picture.scene()->touches(op.span, id); })) {
                    const QRectF box = picture.geometry().box(i, op.begin, op.end, 3);
                    boxes.push_back(box.width() >= 4 ? box.adjusted(0, 0, -1, 0) : box);
                }
        QVERIFY(boxes.size() > 16);
        for (const QRectF& outline : outlines) QVERIFY(std::ranges::find(boxes, outline) != boxes.end());
        for (const QRectF& box : boxes) // executions within a pixel share an outline
            QVERIFY(std::ranges::any_of(outlines, [&](const QRectF& outline) {
                return outline.top() == box.top() && outline.left() <= box.left() && outline.right() > box.right() - 1;
            }));

        const QRectF first = picture.bands().lanes.front(), last = picture.bands().lanes.back();
        QVERIFY(!picture.endArea());
        const auto inside =
            picture.areaTo({picture.bands().plotLeft, first.top() + 2}, {picture.bands().plotRight, last.bottom() - 2});
        QVERIFY(inside && inside->empty());
        std::set<BufferId> touched;
        for (const PipeOp& op : picture.scene()->analysis.model.ops) {
            touched.insert(op.reads.begin(), op.reads.end());
            touched.insert(op.writes.begin(), op.writes.end());
        }
        const auto listed = picture.endArea();
        QVERIFY(listed);
        QCOMPARE(std::set(listed->begin(), listed->end()), touched);
    }

    /// In the map an arrow leads from one rectangle to another on bytes that both have.
    void reuseOnTheMapLiesOnSharedBytes()
    {
        const auto run = plannedRun(flash());
        ViewState view(makeScene(run), Theme::darkTheme(), defaultColouring(*run));
        StackState& state = view.state();
        state.rows = false;
        const StackLayout layout = layOut(state, {1200, 800});
        fitViewport(state, layout);
        TextShaper shaper;
        const auto tips = [&] {
            DrawList list(shaper, 1);
            paintStackOverlay(list, state, layout);
            std::vector<QPointF> found;
            for (const DrawCommand& command : list.commands())
                if (const auto* area = std::get_if<draw::Area>(&command)) found.push_back(area->points.front());
            return found;
        };
        QVERIFY(tips().empty());
        view.setReuse(true);
        const auto found = tips();
        const StackGeometry geometry{state, layout};
        const auto& edges = view.scene().pipes()->report().edges;
        QVERIFY(!found.empty());
        for (const QPointF& tip : found)
            QVERIFY(std::ranges::any_of(edges, [&](const ReuseEdge& edge) {
                const MapData& map = view.scene().pools.front().map;
                for (const std::uint32_t a : map.rectsOf(edge.from))
                    for (const std::uint32_t b : map.rectsOf(edge.to)) {
                        const QRectF from = geometry.rectOf(0, a), to = geometry.rectOf(0, b);
                        if (tip.y() >= std::max(from.top(), to.top()) - 1 && tip.y() <= std::min(from.bottom(), to.bottom()) + 1)
                            return true;
                    }
                return false;
            }));
        view.setReuse(false);
        QVERIFY(tips().empty());
    }

    void whoHasNoPipesIsTold()
    {
        const auto run = test::wakeWordRun();
        QVERIFY(!whyNoPipes(*run).empty());
        QVERIFY(!makePipeScene(run));
        Shown shown(run, {900, 500});
        QCOMPARE(shown.says(QStringLiteral("No op of this model says which pipe it runs on")), 1);
        QVERIFY(whyNoPipes(*plannedRun(flash())).empty());
    }

    /// The document's example in three sizes: C fits at level 3, at level 1 only, at level 0 only. Replay names the level, and
    /// shows an upgrade as two slots.
    void replayNamesTheLevels()
    {
        // As in the planner's own test: C on B at level 3; only on both slots of A (1); only over both of them, as it is larger
        // than one (0).
        struct Case {
            Bytes slot, b, c;
            int level;
        };
        constexpr Bytes KB = 1024;
        for (const Case& sizes :
             {Case{16 * KB, 24 * KB, 24 * KB, 3}, Case{20 * KB, 12 * KB, 18 * KB, 1}, Case{20 * KB, 12 * KB, 24 * KB, 0}}) {
            const auto run = plannedRun(test::levelsExample(sizes.slot, sizes.b, sizes.c));
            Replay replay(run);
            QVERIFY(replay.hasLevels());
            const BufferId c = 2;
            bool told = false;
            for (std::size_t i = 0; i < replay.steps(); ++i) {
                const RecordedStep& step = run->steps->steps()[i];
                replay.seek(i + 1);
                const QString text = QString::fromStdString(replay.describe());
                if (step.kind == StepKind::place && step.buffer == c) {
                    QCOMPARE(int(replay.levelOf(i).value()), sizes.level);
                    QVERIFY2(text.contains(QStringLiteral("at level %1").arg(sizes.level)), qPrintable(text));
                    QVERIFY2(text.contains(addressText(step.offset, {})), qPrintable(text)); // as it is written elsewhere
                    told = true;
                }
            }
            QVERIFY(told);
            // At the end every slot lies where the plan has it.
            replay.seek(replay.steps());
            for (std::size_t b = 0; b < 4; ++b) {
                std::vector<Bytes> expected = run->plan.placements[b].offsets, got = replay.placements()[b].offsets;
                if (expected.empty()) expected = {run->plan.placements[b].offset};
                if (got.empty()) got = {replay.placements()[b].offset};
                std::ranges::sort(expected);
                std::ranges::sort(got);
                QVERIFY(expected == got);
            }
        }
    }

    /// Slots come and go one at a time, and what is rolled back is called that, with the level that it had.
    void replayShowsRollbacks()
    {
        const auto run = plannedRun(flash());
        Replay replay(run);
        const auto levels = reuseLevels(*run);
        QCOMPARE(std::int64_t(replay.rollbacks()), levels->rollbacks);
        QVERIFY(replay.rollbacks() > 0);
        std::vector<std::vector<Bytes>> expected(run->problem().buffers.size());
        for (std::size_t i = 0; i < replay.steps(); ++i) {
            const RecordedStep& step = run->steps->steps()[i];
            auto& slots = expected[std::size_t(step.buffer)];
            if (step.kind == StepKind::place) slots.push_back(step.offset);
            if (step.kind == StepKind::remove) slots.erase(std::ranges::find(slots, step.offset));
            replay.seek(i + 1);
            const QString text = QString::fromStdString(replay.describe());
            QCOMPARE(text.startsWith(QStringLiteral("rolls back ")), step.kind == StepKind::remove);
            QCOMPARE(replay.isRollback(i), step.kind == StepKind::remove);
            if (step.kind == StepKind::remove) QVERIFY2(text.contains(QStringLiteral("placed at level ")), qPrintable(text));
        }
        // Any order of looking gives the same slots.
        QRandomGenerator random(5 + test::seedShift());
        for (int round = 0; round < 60; ++round) {
            const auto until = std::size_t(random.bounded(int(replay.steps()) + 1));
            replay.seek(until);
            std::vector<std::vector<Bytes>> there(run->problem().buffers.size());
            for (std::size_t i = 0; i < until; ++i) {
                const RecordedStep& step = run->steps->steps()[i];
                auto& slots = there[std::size_t(step.buffer)];
                if (step.kind == StepKind::place)
                    slots.push_back(step.offset);
                else
                    std::erase(slots, step.offset);
            }
            for (std::size_t b = 0; b < there.size(); ++b) {
                const Placement& placement = replay.placements()[b];
                std::vector<Bytes> got = placement.offsets;
                if (got.empty() && placement.placed()) got = {placement.offset};
                QVERIFY(got == there[b]);
            }
        }
    }

    /// The last step leaves every slot where the plan has it, also where nothing fitted and all was placed once more.
    void replayEndsWithThePlan()
    {
        for (const Bytes rows : {32, 48, 56}) {
            const auto run = plannedRun(
                test::fromRows(test::flashAttentionVector(rows), test::flashLoop, test::scope("ub", test::unifiedBuffer)));
            Replay replay(run);
            replay.seek(0);
            replay.seek(replay.steps());
            for (std::size_t b = 0; b < run->problem().buffers.size(); ++b) {
                const auto slotsOf = [](const Placement& placement) {
                    std::vector<Bytes> slots =
                        placement.offsets.empty() ? std::vector<Bytes>{placement.offset} : std::vector<Bytes>(placement.offsets);
                    std::ranges::sort(slots);
                    return slots;
                };
                QVERIFY2(slotsOf(replay.placements()[b]) == slotsOf(run->plan.placements[b]),
                         run->problem().buffers[b].name.c_str());
            }
        }
    }

    void marksOfTheCurveLieUnderTheirSteps()
    {
        std::vector<SearchSample> samples;
        for (int i = 1; i <= 10; ++i) samples.push_back({double(i), std::uint64_t(i), 1000 + 100 * i, 900});
        SearchCurve curve;
        curve.samples = samples;
        curve.xTitle = QStringLiteral("recorded step");
        const QRectF box(0, 0, 400, 200);
        const QRectF plain = searchScale(curve, box).plot;
        curve.marks = {{1, 3, false}, {2, 1, false}, {3, -1, true}, {4, 0, false}};
        const SearchScale scale = searchScale(curve, box);
        QVERIFY(scale.plot.height() < plain.height()); // room for the band
        const QRectF band = markBand(curve, scale);
        QVERIFY(band.top() >= scale.plot.bottom() && band.bottom() <= box.bottom());
        TextShaper shaper;
        DrawList list(shaper, 1);
        paintSearchCurve(list, Theme::darkTheme(), curve, box, {});
        const auto cell = [&](double at, const QColor& colour) {
            return std::ranges::any_of(list.commands(), [&](const DrawCommand& command) {
                const auto* fill = std::get_if<draw::Fill>(&command);
                return fill && fill->colour == colour && fill->rect.top() == std::round(band.top()) &&
                       std::abs(fill->rect.left() - scale.x(at - 1)) <= 1;
            });
        };
        const Theme& theme = Theme::darkTheme();
        QVERIFY(cell(1, levelColour(theme, 3)) && cell(2, levelColour(theme, 1)) && cell(3, theme.bad) &&
                cell(4, levelColour(theme, 0)));
        const auto discs = std::ranges::count_if(list.commands(), [&](const DrawCommand& command) {
            const auto* disc = std::get_if<draw::Disc>(&command);
            return disc && disc->fill == theme.bad && std::abs(disc->centre.x() - scale.x(3)) < 0.01 &&
                   std::abs(disc->centre.y() - scale.y(1300)) < 0.01;
        });
        QCOMPARE(discs, 1);
    }

    void timesOfOneAxisHaveOneUnitAndTheSameDecimals_data()
    {
        QTest::addColumn<double>("most");
        QTest::addColumn<QStringList>("times");
        QTest::newRow("seconds") << 1800.0 << QStringList{"0", "0.5 s", "1.0 s", "1.5 s"};
        QTest::newRow("minutes") << 380'000.0 << QStringList{"0", "100 s", "200 s", "300 s"};
        QTest::newRow("milliseconds") << 18.0 << QStringList{"0", "5 ms", "10 ms", "15 ms"};
        QTest::newRow("microseconds") << 0.5 << QStringList{"0", "200 µs", "400 µs"};
    }
    void timesOfOneAxisHaveOneUnitAndTheSameDecimals()
    {
        QFETCH(double, most);
        QFETCH(QStringList, times);
        const std::vector<SearchSample> samples{{most / 8, 1, 5000, 4000}, {most, 2, 4000, 4000}};
        SearchCurve curve;
        curve.samples = samples;
        curve.xTitle = QStringLiteral("time");
        for (const double height : {110.0, 200.0, 400.0, 900.0}) {
            TextShaper shaper;
            DrawList list(shaper, 1);
            paintSearchCurve(list, Theme::lightTheme(), curve, {0, 0, 480, height}, {});
            const SearchScale scale = searchScale(curve, {0, 0, 480, height});
            QStringList below;
            int beside = 0;
            for (const DrawCommand& command : list.commands()) {
                const auto* text = std::get_if<draw::Text>(&command);
                if (!text || text->face != Face::tick) continue;
                if (text->at.y() > scale.plot.bottom() + 4)
                    below << text->text;
                else
                    ++beside;
            }
            QVERIFY2(below == times, qPrintable(below.join(u'|')));
            QVERIFY2(beside >= 2 && beside <= 7, qPrintable(QString::number(beside))); // sizes, however low or tall the plot is
        }
    }
};

QTEST_MAIN(PipeChartTest)
#include "tst_pipe_chart.moc"
