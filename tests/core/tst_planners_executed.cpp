// Every planner's plans are run on real arenas: random programs with loops, cases, calls, views and devices, in several memories
// with little room.
#include "core/exec/arena.h"
#include "core/lower/lower.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/core/random_program.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace stowage;

namespace {

constexpr int programs = stowage::test::instrumented ? 75 : 300; // fewer, and the share of those that fit says little

/// Memories of a small machine; some have little room. `fast` is the processor's alone, as long as there are devices.
std::vector<Pool> machine(std::mt19937_64& random)
{
    const auto below = [&](int n) { return static_cast<Bytes>(random() % static_cast<std::uint64_t>(n)); };
    std::vector<Pool> pools{{.name = "fast", .capacity = 16 + below(300), .alignment = Bytes{1} << below(4), .targets = {"cpu"}},
                            {.name = "shared", .alignment = Bytes{1} << below(4), .targets = {"cpu", "npu"}},
                            {.name = "slow", .alignment = 16}};
    if (below(3) == 0) pools[1].capacity = 64 + below(600);
    if (below(6) == 0) pools[2].capacity = 64 + below(400);
    if (below(5) == 0) pools.resize(1); // one memory for all
    if (pools.size() == 1) pools[0].targets.clear();
    if (below(2) == 0)
        pools.push_back({.name = "flash",
                         .capacity = below(2) == 0 ? std::optional(40 + below(200)) : std::nullopt,
                         .kind = PoolKind::constant});
    if (below(4) == 0) pools.push_back({.name = "retained", .kind = PoolKind::persistent});
    return pools;
}

/// Gives ops a device, and some tensors the memories that they may lie in.
void assign(Program& program, const std::vector<Pool>& pools, std::mt19937_64& random)
{
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
    const bool shared = pools.size() > 1 && pools[1].name == "shared";
    for (Function& function : program.functions) {
        for (Op& op : function.ops)
            if (op.control == Control::leaf && shared && below(3) == 0) op.device = below(2) == 0 ? "npu" : "cpu";
        for (Tensor& tensor : function.tensors)
            if (shared && tensor.kind == TensorKind::intermediate && tensor.aliasOf == none && below(4) == 0)
                tensor.pools = below(2) == 0 ? std::vector<std::string>{"shared", "fast"}
                                             : std::vector<std::string>{"2", "slow"}; // the second is "shared"
    }
}

struct Count {
    int executed = 0;
    int overflowed = 0;
};

/// Plans, checks and runs one problem; what is wrong as a text.
std::string judge(const Planner& planner, const Program& program, const Lowering& lowering, std::uint64_t seed, Count& count)
{
    const Problem& problem = lowering.problem;
    PlanContext context;
    context.seed = seed;
    context.threads = 2;
    context.workLimit = 20'000;
    const auto plan = planner.plan(problem, {}, context);
    if (!plan) return toText(plan.error());
    if (plan->placements.size() != problem.buffers.size()) return "it places not every buffer";
    const Verdict verdict = check(problem, *plan);
    if (!verdict.valid()) return describe(problem, verdict.violations.front());
    if (verdict.overCapacity) {
        ++count.overflowed;
        for (std::size_t p = 0; p < problem.pools.size(); ++p) {
            const Pool& pool = problem.pools[p];
            if (!pool.capacity || plan->poolSize(problem, static_cast<PoolId>(p)) <= *pool.capacity) continue;
            const bool named = std::any_of(plan->diagnostics.begin(), plan->diagnostics.end(), [&](const Diagnostic& d) {
                return d.code == Code::overflow && d.message.find(pool.name) != std::string::npos &&
                       (d.message.find("short") != std::string::npos || d.message.find("requires") != std::string::npos);
            });
            if (named || plan->stoppedBy != StoppedBy::complete) continue; // a limit stopped it before it could tell
            std::string said;
            for (const Diagnostic& d : plan->diagnostics) said += "\n" + toText(d);
            return pool.name + " overflows, and nothing says so" + said;
        }
        return {};
    }
    ExecuteOptions limits;
    limits.maxOps = 3'000;
    limits.seed = seed;
    const auto run = execute(program, lowering, *plan, limits);
    if (!run) return toText(run.error());
    if (run->corruption) return describe(problem, *run->corruption);
    if (run->opsExecuted == 0) return "nothing was executed";
    ++count.executed;
    return {};
}

} // namespace

class PlannersExecutedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPlannersPlansRunClean_data()
    {
        QTest::addColumn<QString>("name");
        const PlannerRegistry registry = PlannerRegistry::builtIn();
        for (const auto& planner : registry.all()) {
            const std::string& name = planner->info().name;
            if (stowage::test::threadSanitizer && name != "auto") continue; // the others have one thread
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
        }
    }
    void everyPlannersPlansRunClean()
    {
        QFETCH(QString, name);
        const auto planner = PlannerRegistry::builtIn().find(name.toStdString());
        Count count;
        int refused = 0;
        for (std::uint64_t seed = 1; seed <= std::uint64_t{programs}; ++seed) {
            std::mt19937_64 random(seed + stowage::test::seedShift());
            stowage::test::RandomProgramOptions options;
            options.ops = 6 + static_cast<int>(random() % 18);
            Program program = stowage::test::randomProgram(seed, options);
            LowerOptions lowering;
            for (const auto& [key, value] : planner->info().lowering) QVERIFY(!lowering.set(key, value));
            lowering.pools = machine(random);
            assign(program, lowering.pools, random);
            if (seed % 3 == 0) lowering.inPlace = InPlaceMode::allowed;
            if (seed % 4 == 0) lowering.views = ViewMode::merged;
            if (seed % 5 == 0) lowering.alignment = 8;
            auto lowered = lower(program, lowering);
            if (!lowered && lowering.loops == LoopMode::precise) { // it says why, and what to take instead
                QVERIFY(lowered.error().message.find("loops=conservative") != std::string::npos ||
                        lowered.error().remedy.find("loops=conservative") != std::string::npos);
                lowering.loops = LoopMode::conservative;
                lowered = lower(program, lowering);
            }
            QVERIFY2(lowered, lowered ? "" : (std::to_string(seed) + ": " + toText(lowered.error())).c_str());
            if (const auto obstacle = checkCapabilities(planner->info(), lowered->problem)) {
                QVERIFY(!obstacle->message.empty());
                ++refused;
                continue;
            }
            const std::string wrong = judge(*planner, program, *lowered, seed, count);
            QVERIFY2(wrong.empty(), ("seed " + std::to_string(seed) + ": " + wrong).c_str());
        }
        qInfo("%d executed, %d did not fit, %d refused", count.executed, count.overflowed, refused);
        QVERIFY2(5 * count.executed > programs,
                 name.toLatin1()); // hivm gives each buffer to one memory: of the others' plans three in four fit
    }
};

QTEST_GUILESS_MAIN(PlannersExecutedTest)
#include "tst_planners_executed.moc"
