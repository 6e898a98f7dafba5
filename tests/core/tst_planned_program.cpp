// Program in, program out: what is written with its plan, read and planned again lies where it lay.
#include "core/io/text.h"
#include "core/lower/lower.h"
#include "core/plan/check.h"
#include "core/plan/planned_program.h"
#include "core/planners/registry.h"
#include "tests/core/program_builder.h"
#include "tests/core/random_program.h"

#include <QTest>

#include <algorithm>
#include <utility>

using namespace stowage;

namespace {

LowerOptions memories()
{
    LowerOptions options;
    options.pools = {{.name = "quick", .capacity = 200, .alignment = 4},
                     {.name = "slow", .alignment = 8},
                     {.name = "kept", .kind = PoolKind::persistent},
                     {.name = "flash", .alignment = 2, .kind = PoolKind::constant}};
    return options;
}

Run planned(const Program& program, const LowerOptions& options, const char* planner)
{
    Run run;
    auto lowering = lower(program, options);
    if (!lowering) qFatal("%s", toText(lowering.error()).c_str());
    run.program = std::make_shared<Program>(program);
    run.lowering = std::make_shared<Lowering>(*std::move(lowering));
    auto plan = PlannerRegistry::builtIn().find(planner)->plan(run.problem(), {}, {});
    if (!plan) qFatal("%s", toText(plan.error()).c_str());
    run.plan = *std::move(plan);
    run.report = evaluate(run.problem(), run.plan);
    return run;
}

} // namespace

class TestPlannedProgram : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readBackItGivesTheSamePlan_data()
    {
        QTest::addColumn<QString>("planner");
        for (const char* planner : {"greedy-by-size", "usmp-greedy-by-conflicts", "local-first"})
            QTest::addRow("%s", planner) << planner;
    }
    void readBackItGivesTheSamePlan()
    {
        QFETCH(QString, planner);
        int compared = 0;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            const Run run = planned(test::randomProgram(seed), memories(), planner.toUtf8());
            const Program program = plannedProgram(run);
            const auto read = io::readProgramJson(io::writeProgramJson(program), "planned.json");
            QVERIFY2(read, read ? "" : qPrintable(QString("seed %1: %2").arg(seed).arg(toText(read.error()).c_str())));
            for (std::size_t f = 0; f < program.functions.size(); ++f)
                QVERIFY(read->value.functions[f].pools == program.functions[f].pools);
            if (std::ranges::any_of(run.plan.placements, &Placement::rotating)) continue;
            // The pools come from the file now, and the planner is another one.
            const Run again = planned(read->value, {}, "naive");
            QCOMPARE(again.problem().buffers.size(), run.problem().buffers.size());
            for (std::size_t b = 0; b < run.plan.placements.size(); ++b) {
                // Files list tensors region by region, so buffers may come in another order.
                const auto same = std::find_if(again.problem().buffers.begin(), again.problem().buffers.end(),
                                               [&](const Buffer& other) { return other.name == run.problem().buffers[b].name; });
                QVERIFY(same != again.problem().buffers.end());
                const Placement& theirs = again.plan.placements[static_cast<std::size_t>(same - again.problem().buffers.begin())];
                const Placement& ours = run.plan.placements[b];
                QVERIFY2(ours.offset == theirs.offset && run.problem().pools[static_cast<std::size_t>(ours.pool)].name ==
                                                             again.problem().pools[static_cast<std::size_t>(theirs.pool)].name,
                         qPrintable(QString("seed %1, %2: %3 instead of %4")
                                        .arg(seed)
                                        .arg(same->name.c_str())
                                        .arg(theirs.offset)
                                        .arg(ours.offset)));
            }
            QVERIFY(check(again.problem(), again.plan).valid());
            ++compared;
        }
        qInfo("%d programs", compared);
        QVERIFY(compared > 60);
    }

    /// A function is handed the pools of what it touches, and of what it calls.
    void functionsTakePools()
    {
        test::ProgramBuilder b;
        const auto x = b.input("x", 16);
        const auto y = b.tensor("y", 16);
        const auto w = b.tensor("w", 4, TensorKind::output);
        const auto z = b.tensor("z", 8);
        b.get(z).pools = {"slow"};
        const FunctionId inner = b.function("inner");
        const auto in = b.input("in", 16);
        const auto t = b.tensor("t", 40);
        b.get(t).pools = {"slow"};
        const auto out = b.tensor("out", 16, TensorKind::output);
        b.op("use", {in}, {t});
        b.op("make", {t}, {out});
        b.output(out);
        const FunctionId leaf = b.function("leaf");
        const auto from = b.input("from", 16);
        const auto to = b.tensor("to", 8, TensorKind::output);
        b.op("cut", {from}, {to});
        b.output(to);
        b.use(0);
        b.call("inner", inner, {x}, {y});
        b.call("leaf", leaf, {x}, {z});
        b.op("end", {z, y}, {w});
        b.output(w);
        Program program = b.program();
        LowerOptions options;
        options.pools = {{.name = "quick"}, {.name = "slow"}, {.name = "unused"}};
        const Program planned_ = plannedProgram(planned(program, options, "greedy-by-size"));
        QVERIFY(planned_.functions[0].pools == (std::vector<std::string>{"quick", "slow"}));
        QVERIFY(planned_.functions[static_cast<std::size_t>(inner)].pools == (std::vector<std::string>{"quick", "slow"}));
        QVERIFY(planned_.functions[static_cast<std::size_t>(leaf)].pools == (std::vector<std::string>{"quick", "slow"}));
        QCOMPARE(
            planned_.functions[static_cast<std::size_t>(inner)].tensors[static_cast<std::size_t>(t)].pinnedOffset.has_value(),
            true);
        QVERIFY(planned_.pools.size() == 3);
    }

    /// A program has no offset for a buffer with several slots, and a pin of a problem is one of the first slot.
    void slotsWithoutAnOffsetAreCounted()
    {
        Run run;
        run.plan.placements = {{.pool = 0, .offset = 8}};
        for (const bool program : {false, true}) QVERIFY(!slotsNotSaid(run, program));
        for (const auto& [count, said] : {std::pair(1, "1 buffer with several slots "), {2, "2 buffers with several slots "}}) {
            Placement& slots = run.plan.placements.emplace_back();
            slots.pool = 0;
            slots.offsets = {0, 4};
            slots.rotations = {{}};
            for (const bool program : {false, true}) {
                const auto told = slotsNotSaid(run, program);
                QVERIFY2(told && told->message.starts_with(said), qPrintable(QString::number(count)));
                QVERIFY(told->severity == Severity::warning && !told->remedy.empty());
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestPlannedProgram)
#include "tst_planned_program.moc"
