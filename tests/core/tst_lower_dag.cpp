// Lowering without an order: conflicts that hold for every topological order, against all of them.
#include "core/exec/arena.h"
#include "core/ir/verify.h"
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/core/lowering_helpers.h"
#include "tests/core/random_program.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>

using namespace stowage;
using namespace stowage::test;

namespace {

std::string at(std::uint64_t seed)
{
    return "seed " + std::to_string(seed) + ": ";
}

/// Nobody reads a tensor before the op that makes it, in the region's listed order: what `verify` asks of whole storages, asked
/// of views.
bool viewsAreMade(const Function& function, RegionId region, std::set<TensorId>& made, const std::set<TensorId>& makeable)
{
    const Region& body = function.regions[static_cast<std::size_t>(region)];
    const auto ready = [&](TensorId id) { return !makeable.contains(id) || made.contains(id); };
    for (const OpId id : body.ops) {
        const Op& op = function.ops[static_cast<std::size_t>(id)];
        if (!std::all_of(op.inputs.begin(), op.inputs.end(), ready)) return false;
        for (const RegionId inner : op.regions)
            if (!viewsAreMade(function, inner, made, makeable)) return false;
        made.insert(op.outputs.begin(), op.outputs.end());
    }
    return std::all_of(body.outputs.begin(), body.outputs.end(), ready);
}

/// Is this order of ops one in which the program means the same?
bool possible(const Program& program)
{
    if (!verify(program).empty()) return false;
    for (const Function& function : program.functions) {
        std::set<TensorId> made, makeable;
        for (const Op& op : function.ops) makeable.insert(op.outputs.begin(), op.outputs.end());
        if (!viewsAreMade(function, 0, made, makeable)) return false;
    }
    return true;
}

/// All orders of the ops of a program without regions.
std::vector<Program> allOrders(const Program& program)
{
    std::vector<Program> orders;
    Program changed = program;
    std::vector<OpId>& ops = changed.functions[0].regions[0].ops;
    std::sort(ops.begin(), ops.end());
    do {
        if (possible(changed)) orders.push_back(changed);
    } while (std::next_permutation(ops.begin(), ops.end()));
    return orders;
}

/// Another order, by exchanging neighbours in any region.
Program shuffled(Program program, std::mt19937_64& random)
{
    for (int swaps = 0; swaps < 40; ++swaps) {
        Function& function = program.functions[random() % program.functions.size()];
        Region& region = function.regions[random() % function.regions.size()];
        if (region.ops.size() < 2) continue;
        const std::size_t first = random() % (region.ops.size() - 1);
        std::swap(region.ops[first], region.ops[first + 1]);
        if (!possible(program)) std::swap(region.ops[first], region.ops[first + 1]);
    }
    return program;
}

bool liveTogether(const Buffer& a, const Buffer& b)
{
    for (const Interval& x : a.live)
        for (const Interval& y : b.live)
            if (x.overlaps(y)) return true;
    return false;
}

bool inConflict(const Problem& problem, std::size_t a, std::size_t b)
{
    const auto& list = problem.buffers[a].conflicts;
    return std::binary_search(list.begin(), list.end(), static_cast<BufferId>(b));
}

RandomProgramOptions flat(std::uint64_t seed)
{
    RandomProgramOptions shape;
    shape.ops = 2 + static_cast<int>(seed % 5);
    shape.depth = 0;
    shape.calls = false;
    shape.maxSize = seed % 2 ? 3 : 40;
    return shape;
}

} // namespace

class TestLowerDag : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twoBuffersConflictExactlyWhenSomeOrderHasThemLiveTogether()
    {
        const LowerOptions dag = with({{"order", "dag"}});
        int programs = 0, orders = 0, freed = 0, conflicts = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(300U); ++seed) {
            const Program program = randomProgram(seed, flat(seed));
            const auto lowering = lower(program, dag);
            QVERIFY2(lowering, lowering ? "" : (at(seed) + toText(lowering.error())).c_str());
            const Problem& problem = lowering->problem;
            QCOMPARE(problem.axis, Axis::dag);
            const std::size_t count = problem.buffers.size();
            std::vector<std::vector<bool>> together(count, std::vector<bool>(count));
            const std::vector<Program> all = allOrders(program);
            for (const Program& order : all) {
                const Lowering linear = lowered(order);
                QCOMPARE(linear.problem.buffers.size(), count);
                for (std::size_t a = 0; a < count; ++a)
                    for (std::size_t b = 0; b < count; ++b)
                        if (a != b && liveTogether(linear.problem.buffers[a], linear.problem.buffers[b])) together[a][b] = true;
            }
            for (std::size_t a = 0; a < count; ++a)
                for (std::size_t b = a + 1; b < count; ++b) {
                    if (inConflict(problem, a, b) != together[a][b])
                        QFAIL((at(seed) + problem.buffers[a].name + " and " + problem.buffers[b].name +
                               (together[a][b] ? " meet in some order" : " meet in no order"))
                                  .c_str());
                    (together[a][b] ? conflicts : freed) += 1;
                }
            ++programs;
            orders += static_cast<int>(all.size());
        }
        qInfo("%d programs, %d orders, %d pairs in conflict, %d not", programs, orders, conflicts, freed);
        QVERIFY(orders > 20 * programs && conflicts > test::randomCases(1000) && freed > test::randomCases(1000));
    }

    void plansRunCleanInEveryOrder()
    {
        const auto planner = PlannerRegistry::builtIn().find("greedy-by-size");
        int merged = 0, runs = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(200U); ++seed) {
            Program program = randomProgram(seed, flat(seed));
            std::mt19937_64 random(seed + stowage::test::seedShift());
            for (Op& op : program.functions[0].ops)
                for (const TensorId input : op.inputs)
                    for (const TensorId output : op.outputs)
                        if (random() % 2 == 0) op.inPlace.push_back({input, output});
            const auto lowering = lower(program, with({{"order", "dag"}, {"inplace", "allowed"}, {"views", "merged"}}));
            QVERIFY(lowering);
            const auto plan = planner->plan(lowering->problem, {}, {});
            QVERIFY2(plan, plan ? "" : toText(plan.error()).c_str());
            QVERIFY(check(lowering->problem, *plan).valid());
            for (const BufferOrigin& origin : lowering->origins) merged += origin.members.size() > 1;
            for (const Program& order : allOrders(program)) {
                const auto result = execute(order, *lowering, *plan);
                QVERIFY2(result, result ? "" : toText(result.error()).c_str());
                if (result->corruption) QFAIL((at(seed) + describe(lowering->problem, *result->corruption)).c_str());
                ++runs;
            }
        }
        QVERIFY(merged > test::randomCases(100) && runs > test::randomCases(3000));
    }

    void plansOfNestedProgramsRunCleanInOtherOrders()
    {
        const auto planner = PlannerRegistry::builtIn().find("greedy-by-size");
        int changed = 0;
        for (std::uint64_t seed = 0; seed < test::randomCases(250U); ++seed) {
            RandomProgramOptions shape;
            shape.ops = 4 + static_cast<int>(seed % 16);
            shape.kept = false; // calls of a function with a variable keep to the listed order, which `shuffled` does not
            const Program program = randomProgram(seed, shape);
            LowerOptions options = with({{"order", "dag"}});
            if (seed % 2) options.inPlace = InPlaceMode::allowed;
            if (seed % 4 > 1) options.views = ViewMode::merged;
            if (seed % 3 > 0) options.loops = LoopMode::precise;
            const auto lowering = lower(program, options);
            QVERIFY2(lowering, lowering ? "" : (at(seed) + toText(lowering.error())).c_str());
            const auto plan = planner->plan(lowering->problem, {}, {});
            QVERIFY2(plan, plan ? "" : (at(seed) + toText(plan.error())).c_str());
            QVERIFY(check(lowering->problem, *plan).valid());
            std::mt19937_64 random(seed + stowage::test::seedShift());
            for (int round = 0; round < 4; ++round) {
                const Program order = round == 0 ? program : shuffled(program, random);
                changed += !(order == program);
                ExecuteOptions limits;
                limits.maxOps = 5000;
                limits.seed = seed;
                const auto result = execute(order, *lowering, *plan, limits);
                QVERIFY2(result, result ? "" : (at(seed) + toText(result.error())).c_str());
                if (result->corruption) QFAIL((at(seed) + describe(lowering->problem, *result->corruption)).c_str());
            }
        }
        QVERIFY(changed > test::randomCases(300));
    }

    void coversTheListedOrderAndPassesItsCheck()
    {
        for (std::uint64_t seed = 0; seed < test::randomCases(300U); ++seed) {
            const auto lowering = lower(randomProgram(seed), with({{"order", "dag"}}));
            QVERIFY(lowering);
            // Whatever is live together in listed order conflicts: nothing is left to be completed.
            Problem problem = lowering->problem;
            const Diagnostics found = checkAndRepair(problem);
            if (!found.empty()) QFAIL((at(seed) + toText(found.front())).c_str());
            QVERIFY(problem == lowering->problem);
            QCOMPARE(lowering->fingerprint.text().substr(0, 9), std::string("order=dag"));
        }
    }

    void knowsHowTwoTowersMayInterleave()
    {
        // x -> a1 -> a2 -> a3 and x -> b1 -> b2 -> b3, joined: in some order any two of different towers meet, neighbours of one
        // always do.
        ProgramBuilder b;
        const auto x = b.input("x", 1);
        TensorId ends[2];
        for (int tower = 0; tower < 2; ++tower) {
            TensorId last = x;
            for (int i = 1; i <= 3; ++i) {
                const std::string name = (tower ? "b" : "a") + std::to_string(i);
                const auto next = b.tensor(name, 8);
                b.op("op " + name, {last}, {next});
                last = next;
            }
            ends[tower] = last;
        }
        const auto z = b.tensor("z", 1);
        b.op("join", {ends[0], ends[1]}, {z});
        b.output(z);
        const Lowering result = lowered(b.program(), with({{"order", "dag"}}));
        const auto conflict = [&](const char* p, const char* q) {
            return inConflict(result.problem, static_cast<std::size_t>(find(result, p) - result.problem.buffers.data()),
                              static_cast<std::size_t>(find(result, q) - result.problem.buffers.data()));
        };
        QVERIFY(conflict("a1", "a2") && conflict("b2", "b3"));
        QVERIFY(!conflict("a1", "a3") && !conflict("b1", "b3"));
        for (const char* p : {"a1", "a2", "a3"})
            for (const char* q : {"b1", "b2", "b3"}) QVERIFY(conflict(p, q));
        // A clique: two neighbours of one tower, two of the other, and x, which waits for either tower to begin.
        QCOMPARE(lowerBound(result.problem, PoolId{0}).bytes, Bytes{33});
    }

    void keepsResourcesAndVariablesInListedOrder()
    {
        // write and read of a resource take the same handle, and nothing else connects them.
        ProgramBuilder b;
        const auto x = b.input("x", 8), handle = b.tensor("handle", 4), big = b.tensor("big", 64), got = b.tensor("got", 64);
        b.get(handle).handle = true;
        const auto z = b.tensor("z", 8);
        b.op("make", {}, {handle});
        b.op("fill", {x}, {big});
        b.op("assign", {handle, big}, {});
        b.op("read", {handle}, {got});
        b.op("last", {got}, {z});
        b.output(z);
        const auto conflict = [&] {
            const Lowering result = lowered(b.program(), with({{"order", "dag"}}));
            return inConflict(result.problem, static_cast<std::size_t>(find(result, "big") - result.problem.buffers.data()),
                              static_cast<std::size_t>(find(result, "got") - result.problem.buffers.data()));
        };
        QVERIFY(!conflict()); // big is dead when the value is read back
        b.get(handle).handle = false;
        QVERIFY(conflict());
    }

    // p dies where b is read, and y is made where b is overwritten.
    void onlyCertainOverwritesLimitTheOrders()
    {
        const auto conflict = [](bool required) {
            ProgramBuilder b;
            const auto x = b.input("x", 8), first = b.tensor("b", 8), p = b.tensor("p", 8), c = b.tensor("c", 8),
                       second = required ? b.tensor("b@2", 8) : b.view("b@2", first, 8), y = b.tensor("y", 8),
                       z = b.tensor("z", 8);
            b.op("b", {x}, {first});
            b.op("p", {x}, {p});
            b.op("c", {first, p}, {c});
            const OpId again = b.op("again", {first}, {second, y});
            if (required) b.at(again).inPlace = {{first, second}};
            b.at(again).inPlaceRequired = required;
            b.op("last", {c, second, y}, {z});
            b.output(z);
            const Lowering result = lowered(b.program(), with({{"order", "dag"}}));
            return inConflict(result.problem, static_cast<std::size_t>(find(result, "p") - result.problem.buffers.data()),
                              static_cast<std::size_t>(find(result, "y") - result.problem.buffers.data()));
        };
        QVERIFY(conflict(false)); // it may be a view, and another order may make it before p is read
        QVERIFY(!conflict(true));
    }
};

QTEST_APPLESS_MAIN(TestLowerDag)
#include "tst_lower_dag.moc"
