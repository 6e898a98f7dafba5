// The planners nnc, nnc-size-first and nnc-merge on libnnc's graphs and on published networks, in both orders and in-place modes:
// arena bytes beside the lower bound, and beside libnnc's figures where they are known. Without arguments everything; else graphs
// whose name contains the argument. No timing but the planner's own CPU time, in the last columns.
#include "core/plan/check.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/bench/shared_folder.h"
#include "tests/support/dense_dag.h"
#include "tests/support/networks.h"
#include "tests/support/nnc_figures.h"

#include <fmt/format.h>

#include <array>
#include <ctime>
#include <map>

using namespace stowage;

namespace {

constexpr std::array<const char*, 3> planners{"nnc", "nnc-size-first", "nnc-merge"};

double cpuMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

struct Totals {
    int graphs = 0;
    std::array<int, 3> close{}; ///< within 2 per cent of the bound
    int known = 0, sizeFirstNoWorse = 0, mergeNoWorse = 0;
    int invalid = 0;
};

class Table {
public:
    explicit Table(std::string wanted) : wanted_(std::move(wanted)), registry_(PlannerRegistry::builtIn())
    {
        fmt::print("{:<30} {:<6} {:<3} {:>12} | {:>12} {:>6} | {:>12} {:>6} | {:>12} {:>6} | {:>12} {:>12} | {:>7} {:>20}\n",
                   "graph", "order", "in", "bound", "nnc", "ratio", "size-first", "ratio", "merge", "ratio", "libnnc", "document",
                   "lower", "CPU ms of the three");
    }

    void row(const std::string& name, const Program& program, bool dag, bool inPlace, const test::NncFigure* figure)
    {
        if (name.find(wanted_) == std::string::npos) return;
        const double begin = cpuMilliseconds();
        const auto lowering = lower(program, test::nncLowering(dag, inPlace));
        const double lowered = cpuMilliseconds() - begin;
        if (!lowering) {
            fmt::print("{}: {}\n", name, toText(lowering.error()));
            return;
        }
        const Problem& problem = lowering->problem;
        const Bytes bound = lowerBound(problem, none).bytes;
        Totals& totals = totals_[dag];
        ++totals.graphs;
        std::array<Bytes, 3> sizes{};
        std::array<double, 3> times{};
        for (std::size_t p = 0; p < planners.size(); ++p) {
            const double start = cpuMilliseconds();
            const auto plan = registry_.find(planners[p])->plan(problem, {}, {});
            times[p] = cpuMilliseconds() - start;
            if (!plan || !check(problem, *plan).valid()) {
                ++totals.invalid;
                continue;
            }
            sizes[p] = plan->poolSize(problem, 0);
            totals.close[p] += sizes[p] * 100 <= bound * 102;
        }
        const auto ratio = [&](std::size_t p) { return double(sizes[p]) / double(bound); };
        if (figure) {
            ++totals.known;
            totals.sizeFirstNoWorse += sizes[1] <= figure->libnnc[dag];
            totals.mergeNoWorse += sizes[2] <= std::min(figure->libnnc[dag], figure->document[dag]);
        }
        const auto known = [&](const Bytes(test::NncFigure::*of)[2]) {
            return figure ? fmt::format("{}", (figure->*of)[dag]) : "-";
        };
        fmt::print("{:<30} {:<6} {:<3} {:>12} | {:>12} {:>6.3f} | {:>12} {:>6.3f} | {:>12} {:>6.3f} | {:>12} {:>12} | {:>7.1f} "
                   "{:>6.1f} {:>6.1f} {:>6.1f}\n",
                   name, dag ? "dag" : "linear", inPlace ? "on" : "off", bound, sizes[0], ratio(0), sizes[1], ratio(1), sizes[2],
                   ratio(2), known(&test::NncFigure::libnnc), known(&test::NncFigure::document), lowered, times[0], times[1],
                   times[2]);
    }

    /// True when everything was valid and as wanted.
    bool finish()
    {
        bool good = true;
        for (const auto& [dag, totals] : totals_) {
            fmt::print("\n{} order: of {} graphs within 2 % of the bound: nnc {}, nnc-size-first {}, nnc-merge {}\n",
                       dag ? "any" : "listed", totals.graphs, totals.close[0], totals.close[1], totals.close[2]);
            fmt::print("  libnnc's figure is known of {}: nnc-size-first is no larger on {}, nnc-merge no larger than both on "
                       "{}; invalid plans {}\n",
                       totals.known, totals.sizeFirstNoWorse, totals.mergeNoWorse, totals.invalid);
            good = good && totals.invalid == 0 && totals.sizeFirstNoWorse == totals.known && totals.mergeNoWorse == totals.known;
            if (!dag) good = good && totals.close[2] * 10 >= totals.graphs * 9;
        }
        return good;
    }

private:
    std::string wanted_;
    PlannerRegistry registry_;
    std::map<bool, Totals> totals_; ///< by order: listed, any
};

/// As wide and deep as asked for: `layers` encoder layers of 14 ops, what libnnc takes seconds for.
Program deepTransformer(int layers)
{
    Program program;
    Function& function = program.functions.emplace_back();
    program.name = function.name = "main";
    function.regions.emplace_back();
    const auto tensor = [&](Bytes bytes, TensorKind kind) {
        Tensor& made = function.tensors.emplace_back();
        made.name = fmt::format("t{}", function.tensors.size());
        made.bytes = bytes;
        made.kind = kind;
        made.alignment = 64;
        return static_cast<TensorId>(function.tensors.size()) - 1;
    };
    const auto op = [&](std::vector<TensorId> inputs, Bytes bytes, bool inPlace) {
        const TensorId output = tensor(bytes, TensorKind::intermediate);
        Op& made = function.ops.emplace_back();
        made.name = fmt::format("o{}", function.ops.size());
        if (inPlace)
            for (const TensorId input : inputs) made.inPlace.push_back({input, output});
        made.inputs = std::move(inputs);
        made.outputs = {output};
        function.regions[0].ops.push_back(static_cast<OpId>(function.ops.size()) - 1);
        return output;
    };
    constexpr Bytes d = 786'432;
    TensorId x = tensor(d, TensorKind::input);
    function.regions[0].inputs = {x};
    for (int layer = 0; layer < layers; ++layer) {
        const TensorId h = op({x}, d, false);
        const TensorId q = op({h}, d, false), k = op({h}, d, false), v = op({h}, d, false);
        const TensorId soft = op({op({q, k}, 4 * d, false)}, 4 * d, true);
        const TensorId y = op({op({op({soft, v}, d, false)}, d, false), x}, d, true);
        const TensorId wide = op({op({op({y}, d, false)}, 4 * d, false)}, 4 * d, true);
        x = op({op({wide}, d, false), y}, d, true);
    }
    function.tensors[static_cast<std::size_t>(x)].kind = TensorKind::output;
    function.regions[0].outputs = {x};
    return program;
}

} // namespace

int main(int argc, char** argv)
{
    Table table(argc > 1 ? argv[1] : "");
    const std::string folder = bench::sharedFolder() + "/bench/nnc";
    const auto figures = test::nncFigures(folder);
    if (figures.empty()) fmt::print("{} is absent: only the networks made here\n", folder);
    for (const bool dag : {false, true}) {
        for (const test::NncFigure& figure : figures)
            if (const auto program = test::nncGraph(folder, figure.graph))
                table.row(figure.graph, *program, dag, figure.inPlace, &figure);
        for (const test::NetworkMaker& maker : test::networks())
            for (const bool training : {false, true}) {
                const Program program = maker.make({.training = training}).program;
                for (const bool inPlace : {false, true})
                    table.row(std::string(maker.name) + (training ? " training" : ""), program, dag, inPlace, nullptr);
            }
        for (const int reach : {0, 200}) // nearly all meet nearly all others: what takes the most time
            table.row(reach == 0 ? "dense dag of 3,200 ops" : "band dag of 3,200 ops", test::denseDag(3200, reach, 7), dag, false,
                      nullptr);
        const Program deep = deepTransformer(229); // 3,206 ops
        for (const bool inPlace : {false, true}) table.row("transformer of 3,206 ops", deep, dag, inPlace, nullptr);
    }
    return table.finish() ? 0 : 1;
}
