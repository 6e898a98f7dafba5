// Plans for any order, run in every order: what has to come first is found here by itself, from who makes and who reads what.
#include "core/exec/arena.h"
#include "core/ir/verify.h"
#include "core/plan/check.h"
#include "core/planners/registry.h"
#include "tests/core/lowering_helpers.h"
#include "tests/core/random_loops.h"
#include "tests/support/instrumented.h"
#include "tests/support/seed_shift.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

using namespace stowage;
using namespace stowage::test;

namespace {

using Order = std::vector<OpId>;
using Orders = std::vector<std::vector<Order>>; ///< by region: those to be tried

/// All that an op reads, with what is inside it.
void addReads(const Function& function, OpId id, std::set<TensorId>& reads)
{
    const Op& op = function.ops[static_cast<std::size_t>(id)];
    reads.insert(op.inputs.begin(), op.inputs.end());
    for (const Carry& carry : op.carries) reads.insert(carry.from);
    for (const RegionId region : op.regions) {
        const Region& inside = function.regions[static_cast<std::size_t>(region)];
        reads.insert(inside.outputs.begin(), inside.outputs.end());
        for (const OpId inner : inside.ops) addReads(function, inner, reads);
    }
}

/// The orders in which a region's ops can run: all of them when there are no more than `most`, else that number of random ones.
std::vector<Order> ordersOf(const Function& function, const Region& region, std::size_t most, std::mt19937_64& random)
{
    const std::size_t n = region.ops.size();
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n));
    for (std::size_t b = 0; b < n; ++b) {
        std::set<TensorId> reads;
        addReads(function, region.ops[b], reads);
        for (std::size_t a = 0; a < b; ++a) {
            const Op& first = function.ops[static_cast<std::size_t>(region.ops[a])];
            const Op& second = function.ops[static_cast<std::size_t>(region.ops[b])];
            before[a][b] = first.control == Control::exit || second.control == Control::exit ||
                           std::any_of(first.outputs.begin(), first.outputs.end(), [&](TensorId t) { return reads.contains(t); });
        }
    }
    std::vector<Order> orders;
    Order order;
    std::vector<bool> done(n);
    const auto ready = [&](std::size_t v) {
        if (done[v]) return false;
        for (std::size_t u = 0; u < n; ++u)
            if (before[u][v] && !done[u]) return false;
        return true;
    };
    const std::function<void()> all = [&] {
        if (orders.size() > most) return;
        if (order.size() == n) orders.push_back(order);
        for (std::size_t v = 0; v < n; ++v) {
            if (!ready(v)) continue;
            done[v] = true;
            order.push_back(region.ops[v]);
            all();
            order.pop_back();
            done[v] = false;
        }
    };
    all();
    if (orders.size() <= most) return orders;
    std::set<Order> drawn;
    for (std::size_t i = 0; i < most; ++i) {
        order.clear();
        std::fill(done.begin(), done.end(), false);
        while (order.size() < n) {
            std::vector<std::size_t> can;
            for (std::size_t v = 0; v < n; ++v)
                if (ready(v)) can.push_back(v);
            const std::size_t v = can[random() % can.size()];
            done[v] = true;
            order.push_back(region.ops[v]);
        }
        drawn.insert(order);
    }
    return {drawn.begin(), drawn.end()};
}

struct Tally {
    std::size_t programs = 0, complete = 0, orders = 0, spoiled = 0;
};

/// Runs a plan of `lowering` in the orders that the program permits; what was first wrong, or nothing.
std::string runInAllOrders(const Program& program, const Lowering& lowering, const Plan& plan, std::uint64_t seed, Tally& tally)
{
    constexpr std::size_t most = 30;
    std::mt19937_64 random(seed + stowage::test::seedShift());
    std::vector<Orders> choices;
    std::size_t combinations = 1;
    for (const Function& function : program.functions) {
        Orders& own = choices.emplace_back();
        for (const Region& region : function.regions) {
            own.push_back(ordersOf(function, region, most, random));
            combinations = std::min<std::size_t>(combinations * own.back().size(), 1'000'000);
        }
    }
    ++tally.programs;
    tally.complete += combinations <= most;
    for (std::size_t c = 0; c < std::min(combinations, most); ++c) {
        Program other = program;
        std::size_t rest = combinations <= most ? c : random();
        for (std::size_t f = 0; f < other.functions.size(); ++f)
            for (std::size_t r = 0; r < other.functions[f].regions.size(); ++r) {
                const auto& orders = choices[f][r];
                other.functions[f].regions[r].ops =
                    orders[combinations <= most ? rest % orders.size() : random() % orders.size()];
                rest /= orders.size();
            }
        for (const Diagnostic& diagnostic : verify(other)) return "not an order: " + toText(diagnostic);
        ExecuteOptions limits;
        limits.seed = seed;
        limits.maxOps = 3'000;
        const auto result = execute(other, lowering, plan, limits);
        if (!result) return toText(result.error());
        ++tally.orders;
        if (result->corruption) return "order " + std::to_string(c) + ": " + describe(lowering.problem, *result->corruption);
    }
    return {};
}

Program programOf(std::uint64_t seed)
{
    RandomLoopOptions shape;
    shape.depth = 1 + static_cast<int>(seed % 2);
    shape.exits = seed % 4 == 1;
    shape.handsOn = seed % 4 == 2;
    shape.exchanges = seed % 5 == 0;
    return randomLoops(seed, shape);
}

} // namespace

class TestDagOrders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noOrderReadsOverwrittenBytes_data()
    {
        QTest::addColumn<QString>("planner");
        for (const char* planner : {"nnc-merge", "greedy-by-size"}) QTest::addRow("%s", planner) << planner;
    }
    void noOrderReadsOverwrittenBytes()
    {
        QFETCH(QString, planner);
        const std::uint64_t count = qEnvironmentVariableIsSet("STOWAGE_LOOP_SEEDS")
                                        ? qEnvironmentVariable("STOWAGE_LOOP_SEEDS").toULongLong()
                                        : test::randomCases(300);
        Tally tally;
        for (std::uint64_t seed = 0; seed < count; ++seed) {
            const Program program = programOf(seed);
            LowerOptions options = with({{"loops", "precise"}, {"order", "dag"}});
            if (seed % 3 == 1) options.inPlace = InPlaceMode::allowed;
            const Lowering lowering = lowered(program, options);
            const auto plan = PlannerRegistry::builtIn().find(planner.toStdString())->plan(lowering.problem, {}, {});
            QVERIFY(plan && check(lowering.problem, *plan).valid());
            if (const std::string wrong = runInAllOrders(program, lowering, *plan, seed, tally); !wrong.empty())
                QFAIL(("seed " + std::to_string(seed) + ", " + wrong).c_str());
        }
        qInfo("%zu programs, %zu of them in all their orders; %zu runs", tally.programs, tally.complete, tally.orders);
        QVERIFY(tally.complete * 15 > count && tally.orders > 10 * count);
    }

    void plansForTheListedOrderDoNotHoldInOthers()
    {
        Tally tally;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Program program = programOf(seed);
            const Lowering lowering = lowered(program, with({{"loops", "precise"}, {"order", "linear"}}));
            const Plan plan = *PlannerRegistry::builtIn().find("nnc-merge")->plan(lowering.problem, {}, {});
            tally.spoiled += !runInAllOrders(program, lowering, plan, seed, tally).empty();
        }
        QVERIFY(tally.spoiled > 10);
    }
};

QTEST_APPLESS_MAIN(TestDagOrders)
#include "tst_dag_orders.moc"
