// What the core measures about a plan of up to 1,000,000 buffers: the check, the report, and the use of a pool over time.
// `sorts`: how often std::sort would have sorted the same buffers by size in that time.
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/bench/peer.h"
#include "tests/support/problems.h"

#include <map>

using namespace stowage;

namespace {

struct Planned {
    Problem problem;
    Plan plan;
    double sort = 0;
};

const Planned& planned(std::size_t n, test::Lifetimes lifetimes)
{
    static std::map<std::pair<std::size_t, test::Lifetimes>, Planned> made;
    const auto key = std::pair(n, lifetimes);
    if (!made.contains(key)) {
        made.clear(); // one at a time: a million buffers are 300 MB
        Planned& it = made[key];
        it.problem = test::synthetic(n, 32, 1, lifetimes);
        static const PlannerRegistry planners = PlannerRegistry::builtIn();
        it.plan = *planners.find("greedy-by-size")->plan(it.problem, {}, {});
        it.sort = test::secondsToSort(it.problem);
    }
    return made.at(key);
}

using Measure = void (*)(const Problem&, const Plan&);

const std::pair<const char*, Measure> measures[] = {
    {"check", [](const Problem& problem, const Plan& plan) { benchmark::DoNotOptimize(check(problem, plan).valid()); }},
    {"bound", [](const Problem& problem, const Plan&) { benchmark::DoNotOptimize(lowerBound(problem, 0).bytes); }},
    {"evaluate", [](const Problem& problem, const Plan& plan) { benchmark::DoNotOptimize(evaluate(problem, plan).status); }},
    {"usage", [](const Problem& problem, const Plan& plan) { benchmark::DoNotOptimize(usage(problem, plan, 0).size()); }},
};

} // namespace

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    for (const auto& [lifetimes, kind] : {std::pair{test::Lifetimes::even, "even"}, std::pair{test::Lifetimes::skewed, "skewed"}})
        for (const int n : {10'000, 100'000, 1'000'000})
            for (const auto& [name, measure] : measures)
                benchmark::RegisterBenchmark((std::string(name) + "/" + kind).c_str(),
                                             [lifetimes = lifetimes, measure = measure](benchmark::State& state) {
                                                 const Planned& it = planned(static_cast<std::size_t>(state.range(0)), lifetimes);
                                                 test::against(state, "sorts", it.sort, [&] { measure(it.problem, it.plan); });
                                             })
                    ->Arg(n)
                    ->Unit(benchmark::kMillisecond)
                    ->MinTime(0.1);
    benchmark::RunSpecifiedBenchmarks();
}
