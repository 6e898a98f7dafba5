// Planners on 1,000 to 1,000,000 buffers with 32 live on average. Beside each time stands what std::sort takes for the same
// buffers' sizes in the same run, so that figures of different machines can be compared: `sorts` is the ratio.
#include "core/planners/registry.h"
#include "tests/support/problems.h"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

using namespace stowage;

namespace {

using Clock = std::chrono::steady_clock;

enum class Sizes { few, different }; ///< about 900 of them, or no two alike

const Problem& problemOf(std::size_t n, test::Lifetimes lifetimes, Sizes sizes)
{
    static std::map<std::tuple<std::size_t, test::Lifetimes, Sizes>, Problem> made;
    const auto key = std::tuple(n, lifetimes, sizes);
    if (!made.contains(key)) {
        made.clear(); // one at a time: a million buffers are 300 MB
        made.emplace(key, test::synthetic(n, 32, 1, lifetimes));
        if (sizes == Sizes::different) {
            std::vector<Bytes> each(n);
            std::iota(each.begin(), each.end(), Bytes(64));
            std::shuffle(each.begin(), each.end(), std::mt19937_64(1));
            for (std::size_t b = 0; b < n; ++b) made.at(key).buffers[b].size = each[b];
        }
    }
    return made.at(key);
}

double secondsToSort(const Problem& problem)
{
    std::vector<std::pair<Bytes, BufferId>> keys;
    for (const Buffer& b : problem.buffers) keys.emplace_back(b.size, static_cast<BufferId>(keys.size()));
    const auto start = Clock::now();
    std::sort(keys.begin(), keys.end());
    benchmark::DoNotOptimize(keys.data());
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double residentMebibytes()
{
    std::ifstream statm("/proc/self/statm");
    double total = 0;
    double resident = 0;
    statm >> total >> resident;
    return resident * 4096 / 1048576;
}

/// Highest resident size since the last call with `reset`, of Linux; 0 elsewhere.
void resetPeak()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}
double peakMebibytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stod(line.substr(6)) / 1024;
    return 0;
}

void plan(benchmark::State& state, const std::shared_ptr<const Planner>& planner, test::Lifetimes lifetimes, Sizes sizes)
{
    const Problem& problem = problemOf(static_cast<std::size_t>(state.range(0)), lifetimes, sizes);
    const double sort = secondsToSort(problem);
    const double before = residentMebibytes();
    resetPeak();
    double best = 1e9;
    Bytes size = 0;
    PlanContext context;
    context.threads = 2; // as the programs have it
    for (auto _ : state) {
        const auto start = Clock::now();
        const Expected<Plan> plan = planner->plan(problem, {}, context);
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
        if (!plan) return state.SkipWithError("no plan");
        state.PauseTiming();
        size = plan->poolSize(problem, 0);
        state.ResumeTiming();
    }
    state.counters["sorts"] = best / sort;
    state.counters["peakMiB"] = peakMebibytes() - before;
    state.counters["arena"] = static_cast<double>(size);
}

} // namespace

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    const PlannerRegistry registry = PlannerRegistry::builtIn();
    static const std::tuple<test::Lifetimes, Sizes, const char*> kinds[] = {
        {test::Lifetimes::even, Sizes::few, "even"},
        {test::Lifetimes::skewed, Sizes::few, "skewed"},
        {test::Lifetimes::nested, Sizes::few, "nested"},
        {test::Lifetimes::nested, Sizes::different, "nested-different"},
        {test::Lifetimes::endless, Sizes::few, "endless"}};
    for (const auto& kindOf : kinds)
        for (const auto& planner : registry.all()) {
            if (planner->info().anytime) continue; // they take what time they are given
            const auto [lifetimes, sizes, kind] = kindOf;
            const std::string name = planner->info().name + "/" + kind;
            auto* bench = benchmark::RegisterBenchmark(
                name.c_str(), [planner, of = lifetimes, with = sizes](benchmark::State& s) { plan(s, planner, of, with); });
            for (const int n : {1'000, 10'000, 100'000, 1'000'000}) bench->Arg(n);
            bench->Unit(benchmark::kMillisecond)->MinTime(0.1)->UseRealTime();
        }
    benchmark::RunSpecifiedBenchmarks();
}
