// Reading and writing the text formats, up to 1,000,000 buffers. `parses`: time over that of simdjson alone, which finds all
// values of the same text and gives them to nobody; `scans`: over that of counting the text's lines, which reads every byte once.
#include "core/io/text.h"
#include "core/planners/registry.h"
#include "tests/bench/peer.h"
#include "tests/support/problems.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

using namespace stowage;

namespace {

/// A chain in which each op reads the results of the two before it.
Program chain(std::size_t tensors)
{
    Program program;
    program.name = "chain";
    Function& main = program.functions.emplace_back();
    main.name = "main";
    main.regions.emplace_back();
    for (std::size_t i = 0; i < tensors; ++i) {
        Tensor& tensor = main.tensors.emplace_back();
        tensor.name = "t" + std::to_string(i);
        tensor.dtype = "f32";
        tensor.shape = {1, 8, static_cast<std::int64_t>(1 + i % 97), 16};
        tensor.bytes = 4 * 8 * tensor.shape[2] * 16;
        const auto id = static_cast<TensorId>(i);
        if (i == 0) {
            tensor.kind = TensorKind::input;
            main.regions[0].inputs = {id};
            continue;
        }
        Op& op = main.ops.emplace_back();
        op.name = "op" + std::to_string(i);
        op.kind = "add";
        op.inputs = i > 1 ? std::vector<TensorId>{id - 1, id - 2} : std::vector<TensorId>{id - 1};
        op.outputs = {id};
        main.regions[0].ops.push_back(static_cast<OpId>(main.ops.size() - 1));
    }
    main.regions[0].outputs = {static_cast<TensorId>(tensors - 1)};
    main.tensors.back().kind = TensorKind::output;
    return program;
}

/// Everything that is read, made once for each size.
struct Texts {
    std::shared_ptr<Run> run;
    std::string problem, table, program, plan;
    double parseProblem = 0, parseProgram = 0, parsePlan = 0, scanTable = 0;
};

/// simdjson's own document of the text: the least that a reader of JSON can take.
double secondsToParse(const std::string& text)
{
    const simdjson::padded_string padded(text);
    simdjson::dom::parser parser;
    return test::minSeconds(3, [&] { benchmark::DoNotOptimize(parser.parse(padded).error()); });
}

const Texts& texts(std::size_t n)
{
    static std::map<std::size_t, Texts> made;
    if (!made.contains(n)) {
        made.clear();
        Texts& it = made[n];
        auto lowering = std::make_shared<Lowering>();
        lowering->problem = test::synthetic(n, 32, 1);
        static const PlannerRegistry planners = PlannerRegistry::builtIn();
        it.run = std::make_shared<Run>();
        it.run->plan = *planners.find("greedy-by-size")->plan(lowering->problem, {}, {});
        it.run->lowering = lowering;
        it.problem = io::writeProblemJson(lowering->problem);
        it.table = *io::writeProblemCsv(lowering->problem, nullptr);
        it.program = io::writeProgramJson(chain(n));
        it.plan = io::writePlanJson(*it.run);
        it.parseProblem = secondsToParse(it.problem);
        it.parseProgram = secondsToParse(it.program);
        it.parsePlan = secondsToParse(it.plan);
        it.scanTable = test::minSeconds(3, [&] { benchmark::DoNotOptimize(std::count(it.table.begin(), it.table.end(), '\n')); });
    }
    return made.at(n);
}

using Body = void (*)(benchmark::State&, const Texts&);

template <typename T>
void expectRead(const Expected<T>& read)
{
    if (!read) std::abort(); // a benchmark of an error would be a fine figure
}

const std::pair<const char*, Body> bodies[] = {
    {"read problem json",
     [](benchmark::State& state, const Texts& it) {
         test::against(state, "parses", it.parseProblem, [&] { expectRead(io::readProblemJson(it.problem, "p.json")); });
         state.counters["MB"] = static_cast<double>(it.problem.size()) / 1e6;
     }},
    {"read problem csv",
     [](benchmark::State& state, const Texts& it) {
         test::against(state, "scans", it.scanTable, [&] { expectRead(io::readProblemCsv(it.table, "p.csv")); });
         state.counters["MB"] = static_cast<double>(it.table.size()) / 1e6;
     }},
    {"read program json",
     [](benchmark::State& state, const Texts& it) {
         test::against(state, "parses", it.parseProgram, [&] { expectRead(io::readProgramJson(it.program, "p.json")); });
         state.counters["MB"] = static_cast<double>(it.program.size()) / 1e6;
     }},
    {"read plan json",
     [](benchmark::State& state, const Texts& it) {
         test::against(state, "parses", it.parsePlan, [&] { expectRead(io::readPlan(it.plan, "p.json", it.run->problem())); });
         state.counters["MB"] = static_cast<double>(it.plan.size()) / 1e6;
     }},
    {"write problem json",
     [](benchmark::State& state, const Texts& it) {
         test::against(state, "parses", it.parseProblem,
                       [&] { benchmark::DoNotOptimize(io::writeProblemJson(it.run->problem()).size()); });
     }},
    {"write plan json",
     [](benchmark::State& state, const Texts& it) {
         test::against(state, "parses", it.parsePlan, [&] { benchmark::DoNotOptimize(io::writePlanJson(*it.run).size()); });
     }},
};

} // namespace

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    for (const int n : {10'000, 100'000, 1'000'000})
        for (const auto& [name, body] : bodies)
            benchmark::RegisterBenchmark(
                name, [body = body](benchmark::State& state) { body(state, texts(static_cast<std::size_t>(state.range(0)))); })
                ->Arg(n)
                ->Unit(benchmark::kMillisecond)
                ->MinTime(0.1);
    benchmark::RunSpecifiedBenchmarks();
}
