// Loops whose values are never moved: repeats, views of both types, nested loops, conditions, and what happens when a rotation is
// wrong.
#include "core/plan/loop_views.h"
#include "core/plan/unroll.h"
#include "tests/core/loop_programs.h"
#include "tests/core/planned_and_run.h"
#include "tests/core/random_loops.h"
#include "tests/support/instrumented.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <random>

using namespace stowage;
using namespace stowage::test;

class TestLoops : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aConvolutionInALoopHasTwoViewsAndMovesNothing()
    {
        // x = conv(x): x and its successor meet, so the body is unrolled once; x itself takes the place that its second successor
        // has.
        for (const std::optional<std::int64_t> trips :
             {std::optional<std::int64_t>(10), std::optional<std::int64_t>(11), std::optional<std::int64_t>()}) {
            DelayLine line(1, false, trips);
            const Outcome out = outcomeOf(line.b.program());
            QCOMPARE(unroll(out.lowering.problem)->repeats, std::vector<std::int32_t>{2});
            const Placement& y = out.plan.placements[static_cast<std::size_t>(bound(out.lowering, line.y).buffer)];
            QCOMPARE(y.rotations, (std::vector<Rotation>{{0, 2, false}}));
            QVERIFY(y.offsets[0] != y.offsets[1]);
            QCOMPARE(out.size, Bytes{128});
            QCOMPARE(out.result.transfers, std::int64_t{0});
            QVERIFY(out.lowering.transfers.empty());
        }
    }

    void aDelayLineHasAViewMoreThanItsLength_data()
    {
        QTest::addColumn<int>("length");
        QTest::addColumn<bool>("all");
        for (int length = 2; length <= 6; ++length)
            for (const bool all : {false, true})
                QTest::addRow("%d %s", length, all ? "all results" : "one result") << length << all;
    }
    void aDelayLineHasAViewMoreThanItsLength()
    {
        QFETCH(int, length);
        QFETCH(bool, all);
        for (const std::optional<std::int64_t> trips :
             {std::optional<std::int64_t>(50), std::optional<std::int64_t>(2), std::optional<std::int64_t>()}) {
            DelayLine line(length, all, trips);
            const Outcome out = outcomeOf(line.b.program());
            if (!trips || *trips > length) {
                QCOMPARE(unroll(out.lowering.problem)->repeats, std::vector<std::int32_t>{length + 1});
                const Placement& y = out.plan.placements[static_cast<std::size_t>(bound(out.lowering, line.y).buffer)];
                std::vector<Bytes> places = y.offsets;
                std::sort(places.begin(), places.end());
                QCOMPARE(std::unique(places.begin(), places.end()) - places.begin(), std::ptrdiff_t{length + 1});
                if (trips || !all) QCOMPARE(out.size, Bytes{64} * (length + 1)); // the first values lie where later ones will
            }
            // In iteration i the oldest input is what the loop was given, as long as there is such.
            const TensorBinding oldest = bound(out.lowering, line.inputs.front());
            QCOMPARE(oldest.distance, length);
            for (int i = 0; i < length; ++i)
                QCOMPARE(oldest.first[static_cast<std::size_t>(i)].buffer,
                         bound(out.lowering, line.first[static_cast<std::size_t>(i)]).buffer);
            QCOMPARE(out.result.transfers, std::int64_t{0});
            QVERIFY(out.lowering.transfers.empty());
        }
    }

    void anLstmCellMovesNothing()
    {
        for (const int layers : {1, 3}) {
            ProgramBuilder b;
            std::vector<TensorId> states, results, inputs, outputs;
            for (int i = 0; i < 2 * layers; ++i) states.push_back(b.input("x" + std::to_string(i), 256));
            for (int i = 0; i < 2 * layers; ++i) results.push_back(b.tensor("z" + std::to_string(i), 256));
            const auto w = b.tensor("w", 4096, TensorKind::constant);
            const auto loop = b.loop("loop", states, results);
            b.begin(loop, RegionRole::body);
            for (int i = 0; i < 2 * layers; ++i) inputs.push_back(b.input("p" + std::to_string(i), 256));
            TensorId below = none;
            for (int l = 0; l < layers; ++l) {
                const auto n = std::to_string(l);
                const auto h = inputs[static_cast<std::size_t>(2 * l)], c = inputs[static_cast<std::size_t>(2 * l) + 1];
                const auto gates = b.tensor("gates" + n, 1024), kept = b.tensor("kept" + n, 256),
                           added = b.tensor("added" + n, 256), cell = b.tensor("cell" + n, 256),
                           squashed = b.tensor("squashed" + n, 256), hidden = b.tensor("hidden" + n, 256);
                ProgramBuilder::Tensors read{h, w};
                if (below != none) read.push_back(below);
                b.op("gates" + n, read, {gates});
                b.op("forget" + n, {gates, c}, {kept});
                b.op("input" + n, {gates}, {added});
                b.op("cell" + n, {kept, added}, {cell});
                b.op("tanh" + n, {cell}, {squashed});
                b.op("output" + n, {gates, squashed}, {hidden});
                outputs.insert(outputs.end(), {hidden, cell});
                below = hidden;
            }
            for (const TensorId t : outputs) b.output(t);
            b.end();
            for (std::size_t i = 0; i < outputs.size(); ++i) b.at(loop).carries.push_back({outputs[i], inputs[i]});
            b.at(loop).tripCount = 20;
            for (const TensorId z : results) b.output(z);
            const Outcome out = outcomeOf(b.program());
            QCOMPARE(out.result.transfers, std::int64_t{0});
            QVERIFY(out.lowering.transfers.empty());
            // h is used up before its successor is made, and c too: each state has one place, and the loop's inputs lie in them.
            QCOMPARE(unroll(out.lowering.problem)->repeats, std::vector<std::int32_t>{1});
            QCOMPARE(std::count_if(out.plan.placements.begin(), out.plan.placements.end(),
                                   [](const Placement& p) { return p.rotating(); }),
                     0);
        }
    }

    void nestedLoopsMoveNothing_data()
    {
        QTest::addColumn<int>("outer");
        QTest::addColumn<int>("inner");
        QTest::addColumn<bool>("between");
        for (const int outer : {-1, 1, 3, 4})
            for (const int inner : {-1, 1, 2, 3})
                for (const bool between : {false, true})
                    QTest::addRow("%d x %d%s", outer, inner, between ? ", an op between" : "") << outer << inner << between;
    }
    void nestedLoopsMoveNothing()
    {
        QFETCH(int, outer);
        QFETCH(int, inner);
        QFETCH(bool, between);
        const auto trips = [](int n) { return n < 0 ? std::nullopt : std::optional<std::int64_t>(n); };
        Nested made(trips(outer), trips(inner), between);
        const Outcome out = outcomeOf(made.b.program());
        // An inner loop that runs no iteration hands its input on, which has to be moved then: no rotation knows how often that
        // happens.
        if (inner > 0) QCOMPARE(out.result.transfers, std::int64_t{0});
        QVERIFY(out.lowering.transfers.empty());
        QVERIFY(out.size <=
                (inner < 0 ? 4 : 3) * 64); // what the outer loop is given counts as in use as long as the inner one runs first
        for (const char* order : {"linear", "dag"}) outcomeOf(made.b.program(), with({{"loops", "precise"}, {"order", order}}));
    }

    void aLoopInputThatIsNeededAfterwardsIsKept()
    {
        DelayLine line(1, false, 9);
        const auto sum = line.b.tensor("sum", 64);
        line.b.op("add", {line.first.front(), line.results.front()}, {sum});
        line.b.output(sum);
        const Outcome out = outcomeOf(line.b.program());
        // A view of type II: the loop's input in iteration 0, two places in turn after that.
        const TensorBinding p = bound(out.lowering, line.inputs.front());
        const Placement& y = out.plan.placements[static_cast<std::size_t>(p.buffer)];
        const Placement& x = out.plan.placements[static_cast<std::size_t>(p.first.front().buffer)];
        QCOMPARE(y.offsets.size(), std::size_t{2});
        QVERIFY(x.offset != y.offsets[0] && x.offset != y.offsets[1]);
        QCOMPARE(out.result.transfers, std::int64_t{0});
    }

    void tellsWhichViewEachIterationUses()
    {
        DelayLine line(2, false, 9);
        const auto sum = line.b.tensor("sum", 64);
        line.b.op("add", {line.first.front(), line.results.front()}, {sum}); // keeps the first input, not the second
        line.b.output(sum);
        const Outcome out = outcomeOf(line.b.program());
        const auto views = loopViews(line.b.program(), out.lowering, out.plan, 0);
        QVERIFY(views);
        QCOMPARE(views->op, line.loop);
        QCOMPARE(views->first, std::int64_t{2});
        QCOMPARE(views->repeat, std::int64_t{3});
        const auto viewOf = [&](TensorId tensor) {
            return *std::find_if(views->views.begin(), views->views.end(), [&](const LoopView& v) { return v.tensor == tensor; });
        };
        const LoopView older = viewOf(line.inputs[0]), newer = viewOf(line.inputs[1]), made = viewOf(line.y);
        QVERIFY(made.type == ViewType::typeI && older.type == ViewType::typeII);
        for (std::size_t i = 0; i + 1 < older.places.size(); ++i) {
            QCOMPARE(older.places[i + 1], newer.places[i]); // what is newer now is older then
            QCOMPARE(newer.places[i + 1], made.places[i]);
        }
        QCOMPARE(older.places[0].buffer, bound(out.lowering, line.first[0]).buffer);
        QCOMPARE(older.places[1].buffer, bound(out.lowering, line.first[1]).buffer);
        for (std::size_t i = 0; i < made.places.size(); ++i) // nothing that is in use in an iteration lies on anything else
            QVERIFY(made.places[i].offset != older.places[i].offset && made.places[i].offset != newer.places[i].offset &&
                    older.places[i].offset != newer.places[i].offset);
    }

    void whatALoopInsideMadeIsSeenAfterItsLastIteration()
    {
        // for i: { for 3 times: y = f(x), x <= y }; z = g(y's last); z is carried on.
        ProgramBuilder b;
        const auto in = b.input("in", 64), out = b.tensor("out", 64);
        const OpId outer = b.loop("outer", {in}, {out});
        b.at(outer).tripCount = 5;
        b.begin(outer, RegionRole::body);
        const auto p = b.input("p", 64), last = b.tensor("last", 64), z = b.tensor("z", 64);
        const OpId inner = b.loop("inner", {p}, {last});
        b.at(inner).tripCount = 3;
        b.begin(inner, RegionRole::body);
        const auto x = b.input("x", 64), y = b.tensor("y", 64);
        b.op("f", {x}, {y});
        b.output(y);
        b.end();
        b.at(inner).carries = {{y, x}};
        b.op("g", {last, p}, {z});
        b.output(z);
        b.end();
        b.at(outer).carries = {{z, p}};
        b.output(out);
        const Outcome done = outcomeOf(b.program());
        const auto loopNamed = [&](std::string_view name) {
            const auto& loops = done.lowering.problem.loops;
            return static_cast<LoopId>(std::find_if(loops.begin(), loops.end(), [&](const Loop& l) { return l.name == name; }) -
                                       loops.begin());
        };
        const LoopId outside = loopNamed("outer"), inside = loopNamed("inner");
        const auto views = loopViews(b.program(), done.lowering, done.plan, outside);
        QVERIFY(views);
        const auto seen =
            std::find_if(views->views.begin(), views->views.end(), [&](const LoopView& v) { return v.tensor == last; });
        QVERIFY(seen != views->views.end());
        const auto made =
            std::find_if(views->views.begin(), views->views.end(), [&](const LoopView& v) { return v.tensor == y; });
        QVERIFY(made != views->views.end());
        for (std::int64_t i = 0; i < views->iterations; ++i) {
            std::vector<std::int64_t> current(done.lowering.problem.loops.size(), 0);
            current[static_cast<std::size_t>(outside)] = i;
            current[static_cast<std::size_t>(inside)] = 2; // the third and last one made it
            QCOMPARE(seen->places[static_cast<std::size_t>(i)], placeOf(done.lowering, done.plan, 0, y, current));
            current[static_cast<std::size_t>(inside)] = 0; // what is inside is shown in its first iteration
            QCOMPARE(made->places[static_cast<std::size_t>(i)], placeOf(done.lowering, done.plan, 0, y, current));
        }
        const Placement& turns = done.plan.placements[static_cast<std::size_t>(seen->places.front().buffer)];
        QVERIFY(turns.offsets.size() >= 2 && std::count(turns.offsets.begin(), turns.offsets.end(), turns.offsets.front()) <
                                                 static_cast<std::ptrdiff_t>(turns.offsets.size()));
    }

    void whatIsCarriedSurvivesItsFile()
    {
        for (const std::optional<std::int64_t> trips : {std::optional<std::int64_t>(3), std::optional<std::int64_t>()}) {
            Nested nest(trips, trips, false);
            const Problem problem = lowered(nest.b.program(), precise).problem;
            QVERIFY(std::any_of(problem.buffers.begin(), problem.buffers.end(), [](const Buffer& b) {
                return std::any_of(b.carried.begin(), b.carried.end(),
                                   [](const Carried& c) { return c.loop != none && c.when.loop != none; });
            }));
            const auto read = io::readProblemJson(io::writeProblemJson(problem), "p.json");
            QVERIFY2(read, read ? "" : toText(read.error()).c_str());
            QVERIFY(read->value == problem);
        }
    }

    void aTestedLoopMovesNothing_data()
    {
        QTest::addColumn<bool>("meets");
        QTest::addColumn<bool>("kept");
        for (const bool meets : {false, true})
            for (const bool kept : {false, true})
                QTest::addRow("%s%s", meets ? "unrolled" : "in place", kept ? ", input kept" : "") << meets << kept;
    }
    void aTestedLoopMovesNothing()
    {
        QFETCH(bool, meets);
        QFETCH(bool, kept);
        ProgramBuilder b;
        const auto x = b.input("x", 64), c = b.input("c", 4), z = b.tensor("z", 64), n = b.tensor("n", 4);
        const auto loop = b.loop("loop", {c, x}, {n, z});
        b.begin(loop, RegionRole::condition);
        const auto qc = b.input("qc", 4), qx = b.input("qx", 64), scratch = b.tensor("scratch", 32), test = b.tensor("test", 1);
        (void)qx;
        b.op("less", {qc}, {test}, {scratch});
        b.output(test);
        b.end();
        b.begin(loop, RegionRole::body);
        const auto pc = b.input("pc", 4), px = b.input("px", 64), next = b.tensor("next", 4), y = b.tensor("y", 64);
        b.op("count", {pc}, {next});
        if (meets) {
            b.op("conv", {px}, {y});
        } else {
            const auto t = b.tensor("t", 64);
            b.op("first", {px}, {t});
            b.op("second", {t}, {y});
        }
        b.output(next);
        b.output(y);
        b.end();
        b.at(loop).carries = {{next, pc}, {y, px}};
        if (kept) b.op("keep", {x}, {b.tensor("k", 1)});
        b.output(z);
        const Outcome out = outcomeOf(b.program());
        QCOMPARE(bound(out.lowering, px).distance, 1);
        QCOMPARE(bound(out.lowering, qx), bound(out.lowering, px));
        QVERIFY(bound(out.lowering, z).after);
        QCOMPARE(out.result.transfers, std::int64_t{0}); // not even where no iteration is run: then z is x
        QVERIFY(out.result.runs > 2);
    }

    void aFunctionCalledSeveralTimesHasLoopsOfItsOwnEachTime()
    {
        ProgramBuilder b;
        const auto f = b.function("f");
        const auto fx = b.input("fx", 64), fz = b.tensor("fz", 64);
        const auto loop = b.loop("loop", {fx}, {fz});
        b.begin(loop, RegionRole::body);
        const auto p = b.input("p", 64), y = b.tensor("y", 64);
        b.op("conv", {p}, {y});
        b.output(y);
        b.end();
        b.at(loop).carries = {{y, p}};
        b.at(loop).tripCount = 5;
        b.output(fz);
        b.use(0);
        const auto x = b.input("x", 64), m = b.tensor("m", 64), z = b.tensor("z", 64);
        b.call("one", f, {x}, {m});
        b.call("two", f, {m}, {z});
        b.output(z);
        const Outcome out = outcomeOf(b.program());
        QCOMPARE(bound(out.lowering, p, 1).distance, 1);
        QCOMPARE(bound(out.lowering, p, 2).distance, 1);
        QVERIFY(bound(out.lowering, p, 1).loop != bound(out.lowering, p, 2).loop);
        QCOMPARE(out.result.transfers, std::int64_t{0});
        QCOMPARE(out.size, Bytes{128});
    }

    void saysWhichLoopMovesAndWhy()
    {
        ProgramBuilder b; // two inputs that change places
        const auto x = b.input("x", 8), y = b.input("y", 8), z = b.tensor("z", 8);
        const auto loop = b.loop("swap", {x, y}, {z});
        b.begin(loop, RegionRole::body);
        const auto p = b.input("p", 8), q = b.input("q", 8), t = b.tensor("t", 8);
        b.op("use", {p, q}, {t});
        b.output(t);
        b.output(p);
        b.output(q);
        b.end();
        b.at(loop).carries = {{q, p}, {p, q}};
        b.at(loop).tripCount = 4;
        b.output(z);
        const Outcome out = outcomeOf(b.program());
        QCOMPARE(out.lowering.transfers.size(), std::size_t{2});
        QCOMPARE(out.lowering.transfers.front().op, loop);
        QCOMPARE(out.lowering.transfers.front().bytes, Bytes{8});
        QCOMPARE(out.lowering.diagnostics.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(out.lowering.diagnostics.front().message),
                 QStringLiteral("loop 'swap' copies 'q' to 'p' after each iteration: the loop only exchanges its inputs"));
        QCOMPARE(out.result.transfers, out.result.opsExecuted * 2); // one op in each iteration
    }

    void whatIsNotCarriedTurnsToo()
    {
        // t lives beside p, and is dead when y is made: it may have the place that y takes, which is another one each time.
        ProgramBuilder b;
        const auto x = b.input("x", 64), z = b.tensor("z", 64);
        const auto loop = b.loop("loop", {x}, {z});
        b.begin(loop, RegionRole::body);
        const auto p = b.input("p", 64), t = b.tensor("t", 64), u = b.tensor("u", 1), y = b.tensor("y", 64);
        b.op("a", {p}, {t});
        b.op("b", {p, t}, {u});
        b.op("c", {p, u}, {y});
        b.output(y);
        b.end();
        b.at(loop).carries = {{y, p}};
        b.at(loop).tripCount = 12;
        b.output(z);
        const Outcome out = outcomeOf(b.program());
        QCOMPARE(out.size, Bytes{129});
        QVERIFY(out.plan.placements[static_cast<std::size_t>(bound(out.lowering, t).buffer)].rotating());
    }

    void aWrongRotationIsCaught_data()
    {
        QTest::addColumn<int>("kind");
        int kind = 0;
        for (const char* name : {"one view on another", "views in another order", "a view too few", "always the first view",
                                 "another period", "a first view of its own where there is none", "without the first view",
                                 "a distance too short", "a distance too long", "the outer loop's views exchanged",
                                 "the inner loop's views exchanged", "the two loops exchanged"})
            QTest::addRow("%s", name) << kind++;
    }
    void aWrongRotationIsCaught()
    {
        QFETCH(int, kind);
        DelayLine line(2, false, 40);
        const auto sum = line.b.tensor("sum", 64); // the loop's inputs are kept, so that they are views of their own
        line.b.op("add", {line.first[0], line.first[1], line.results.back()}, {sum});
        line.b.output(sum);
        Nested nest(4, 3, false);
        Nested open(std::nullopt, std::nullopt, false);
        const Program& program = kind < 9 ? line.b.program() : kind == 10 ? open.b.program() : nest.b.program();
        // Every slot of everything that rotates apart, so that no view is another one by chance.
        Lowering lowering = lowered(program, precise);
        Plan plan = planned(lowering.problem);
        std::vector<std::size_t> turning;
        Bytes top = 0;
        const auto unrolled = unroll(lowering.problem);
        QVERIFY(unrolled);
        for (std::size_t b = 0; b < plan.placements.size(); ++b) {
            Placement& at = plan.placements[b];
            at.rotations.clear();
            at.offsets.clear();
            for (const LoopId loop : unrolled->loops[b])
                at.rotations.push_back({loop, unrolled->repeats[static_cast<std::size_t>(loop)], false});
            for (std::size_t i = 0; i < unrolled->buffersOf[b].size(); ++i, top += 64) at.offsets.push_back(top);
            at.offset = at.offsets.front();
            if (at.rotations.empty()) at.offsets.clear();
            if (at.rotating() && !lowering.problem.buffers[b].carried.empty()) turning.push_back(b);
        }
        QVERIFY(check(lowering.problem, plan).valid());
        QVERIFY(!run(program, lowering, plan).corruption);
        QVERIFY(!turning.empty());
        Placement& at = plan.placements[turning.front()];
        // In the way back from the plan: the checker does not see that.
        const auto bindingOf = [&](TensorId tensor) -> TensorBinding& {
            return lowering.instances.front().bindings[static_cast<std::size_t>(tensor)];
        };
        bool inPlan = true;
        switch (kind) {
        case 0: at.offsets[1] = at.offsets[0]; break;
        case 1: // the loop's first input lies where the first result is put
            at.offsets[0] =
                plan.placements[static_cast<std::size_t>(bound(lowering, line.inputs.front()).first.front().buffer)].offset;
            at.offset = at.offsets[0];
            break;
        case 2:
            at.offsets.pop_back();
            at.rotations.front().period = 2;
            break;
        case 3: at.offsets.assign(at.offsets.size(), at.offset); break;
        case 4:
            at.offsets = {at.offsets[0], at.offsets[1], at.offsets[2], at.offsets[1]};
            at.rotations.front().period = 4;
            break;
        case 5: // iteration 0 in the place of the loop's second input, which iteration 1 reads
            at.rotations.front().hasFirst = true;
            at.offsets.insert(
                at.offsets.begin(),
                plan.placements[static_cast<std::size_t>(bound(lowering, line.inputs.back()).first.front().buffer)].offset);
            at.offset = at.offsets.front();
            break;
        case 6: // iteration 0 reads what iteration 1 should
            bindingOf(line.inputs.front()).first.front() = bindingOf(line.inputs.front()).first.back();
            inPlan = false;
            break;
        case 7:
            bindingOf(line.inputs.front()).distance = 1;
            inPlan = false;
            break;
        case 8:
            bindingOf(line.inputs.back()).distance = 2;
            bindingOf(line.inputs.back()).first.push_back(bindingOf(line.inputs.back()).first.front());
            inPlan = false;
            break;
        default: {
            QCOMPARE(at.rotations.size(), std::size_t{2});
            const auto inner = static_cast<std::size_t>(at.rotations.back().extent());
            if (kind == 9) at.offsets[inner] = at.offsets[0]; // iteration 1 of the outer loop on what it reads
            if (kind == 10) at.offsets[inner + 1] = at.offsets[inner];
            if (kind == 11) std::swap(at.rotations.front().loop, at.rotations.back().loop);
        }
        }
        const bool judged = !check(lowering.problem, plan).valid();
        QCOMPARE(judged, inPlan);
        const auto found = execute(program, lowering, plan);
        if (kind == 11) return; // rotations in another order than that of the loops: there is no running that
        QVERIFY(found);
        QVERIFY(found->corruption);
        QVERIFY(!found->corruption->reader.empty() && found->corruption->buffer != none);
        if (inPlan) {
            QVERIFY(found->corruption->overwrittenBy != none);
            const auto byRanges = execute(lowering.problem, plan);
            QVERIFY(byRanges && byRanges->corruption);
        }
    }

    void randomLoopsRunCleanly_data()
    {
        QTest::addColumn<QString>("order");
        QTest::addColumn<QString>("planner");
        for (const char* order : {"linear", "dag"})
            for (const char* planner : {"greedy-by-size", "best-fit-decreasing", "nnc", "nnc-size-first", "nnc-merge"})
                QTest::addRow("%s %s", order, planner) << order << planner;
    }
    void randomLoopsRunCleanly()
    {
        QFETCH(QString, order);
        QFETCH(QString, planner);
        const std::uint64_t count = qEnvironmentVariableIsSet("STOWAGE_LOOP_SEEDS")
                                        ? qEnvironmentVariable("STOWAGE_LOOP_SEEDS").toULongLong()
                                        : test::randomCases(200);
        const std::uint64_t from = qEnvironmentVariable("STOWAGE_LOOP_FROM").toULongLong();
        std::size_t rotating = 0, nested = 0, firsts = 0, carried = 0;
        for (std::uint64_t seed = from; seed < from + count; ++seed) {
            const std::string where = "seed " + std::to_string(seed) + ": ";
            RandomLoopOptions shape;
            shape.exchanges = seed % 3 == 0;
            const Program program = randomLoops(seed, shape);
            for (const Diagnostic& diagnostic : verify(program)) QFAIL((where + toText(diagnostic)).c_str());
            LowerOptions options = with({{"loops", "precise"}, {"order", order.toLatin1().constData()}});
            if (seed % 4 == 1) options.inPlace = InPlaceMode::allowed;
            if (seed % 5 == 1) options.alignment = 16;
            const auto lowering = lower(program, options);
            QVERIFY2(lowering, lowering ? "" : (where + toText(lowering.error())).c_str());
            Problem problem = lowering->problem;
            if (const auto found = checkAndRepair(problem); !found.empty()) QFAIL((where + toText(found.front())).c_str());
            QVERIFY(problem == lowering->problem);
            const Plan plan = planned(problem, planner.toStdString());
            if (const Verdict verdict = check(problem, plan); !verdict.valid())
                QFAIL((where + describe(problem, verdict.violations.front())).c_str());
            ExecuteOptions limits;
            limits.maxOps = 20'000;
            limits.seed = seed;
            const auto result = execute(program, *lowering, plan, limits);
            QVERIFY2(result, result ? "" : (where + toText(result.error())).c_str());
            if (result->corruption) QFAIL((where + describe(problem, *result->corruption)).c_str());
            const auto byRanges = execute(problem, plan, limits);
            QVERIFY(byRanges);
            if (byRanges->corruption) QFAIL((where + describe(problem, *byRanges->corruption)).c_str());
            for (const Placement& placement : plan.placements) {
                rotating += placement.rotating();
                nested += placement.rotations.size() > 1;
            }
            for (const FunctionInstance& instance : lowering->instances)
                for (const TensorBinding& binding : instance.bindings) {
                    carried += binding.distance > 0;
                    firsts += binding.distance > 1;
                }
        }
        qInfo("%zu tensors carried, %zu of them further than one iteration; %zu placements rotate, %zu with two loops", carried,
              firsts, rotating, nested);
        if (count >= 200 && from == 0) QVERIFY(carried > 500 && firsts > 100 && rotating > 300 && nested > 5);
    }

    /// A body of 2^60 steps is laid out twice. Twice a little more than 2^61 steps, or 2^62, are more than an axis has.
    void anAxisBeyondTheLargestStepIsNotUnrolled()
    {
        for (const Step end : {Step{1} << 60, (Step{1} << 61) + 1, Step{1} << 62}) {
            Problem problem;
            problem.pools.push_back({.name = "p"});
            problem.loops.push_back({.name = "l", .live = {0, end}});
            Buffer& x = problem.buffers.emplace_back(); // the older value is in use beside the newer one
            x.name = "x";
            x.size = 1;
            x.live = {{0, end}};
            x.loop = 0;
            x.carried.push_back({1, {0, end}});
            QVERIFY(checkAndRepair(problem).empty());
            QCOMPARE(unroll(problem).has_value(), end == Step{1} << 60);
        }
    }

    void randomLoopsMoveNothing()
    {
        // Loops that run at least once, whose inputs do not change places: nothing is left that would have to be moved.
        std::size_t carried = 0;
        constexpr std::uint64_t count = test::randomCases(300);
        for (std::uint64_t seed = 0; seed < count; ++seed) {
            RandomLoopOptions shape;
            shape.exchanges = shape.conditions = shape.allResults = false;
            const Program program = randomLoops(seed, shape);
            const Lowering lowering = lowered(program, precise);
            for (const DataTransfer& t : lowering.transfers) {
                const Function& f = program.functions[static_cast<std::size_t>(t.function)];
                QFAIL(qPrintable(QStringLiteral("seed %1: %2 moves %3: %4")
                                     .arg(seed)
                                     .arg(QString::fromStdString(f.ops[static_cast<std::size_t>(t.op)].name),
                                          QString::fromStdString(f.tensors[static_cast<std::size_t>(t.to)].name),
                                          QString::fromStdString(std::string(toText(t.reason))))));
            }
            ExecuteOptions limits;
            limits.maxOps = 20'000;
            const auto result = execute(program, lowering, planned(lowering.problem), limits);
            QVERIFY(result && !result->corruption);
            QVERIFY2(result->transfers == 0, qPrintable(QStringLiteral("seed %1: %2 moves").arg(seed).arg(result->transfers)));
            for (const TensorBinding& binding : lowering.instances.front().bindings) carried += binding.distance > 0;
        }
        QVERIFY(carried > count);
    }
};

QTEST_APPLESS_MAIN(TestLoops)
#include "tst_loops.moc"
