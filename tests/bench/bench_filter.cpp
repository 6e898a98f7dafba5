// Filters and searches at 1,000,000 buffers, by the clock: a person waits for them. Each text of the search field is applied as a
// filter (`filter`) and looked up while typing (`search`); `rows` lists the rows of the table of buffers that a filter leaves.
#include "app/desktop/buffer_filter.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/tables/sources.h"
#include "tests/support/sample_run.h"

#include <benchmark/benchmark.h>

#include <QCoreApplication>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace stowage;

namespace {

constexpr std::size_t buffers = 1'000'000;

/// Names as converters make them: some thirty letters, all begin alike.
std::shared_ptr<const Run> namedRun()
{
    static std::shared_ptr<const Run> made;
    if (made) return made;
    test::SampleOptions options;
    options.buffers = buffers;
    options.steps = Step(buffers / 5);
    options.longLived = 0;
    options.program = false;
    made = test::sampleRun(options);
    auto named = std::make_shared<Run>(*made);
    auto lowering = std::make_shared<Lowering>(*made->lowering);
    for (std::size_t i = 0; i < lowering->problem.buffers.size(); ++i)
        lowering->problem.buffers[i].name = "model/stage" + std::to_string(i % 4) + "/block" + std::to_string(i % 17) + "/conv" +
                                            std::to_string(i) + (i % 3 == 0 ? "/Relu6" : "/BiasAdd");
    named->lowering = lowering;
    return made = named;
}

struct Text {
    const char* name;
    const char* typed;
};
constexpr Text texts[] = {
    {"name", "conv77"},
    {"everyName", "model/"},
    {"noName", "softmax"},
    {"regex", "/conv\\d+9/"},
    {"everyRegex", "/^model.*/"},
    {"noRegex", "/^stage\\d$/"},
    {"size", "size>4K"},
    {"steps", "step:1000-2000"},
    {"lifetime", "life>=10"},
    {"address", "0x1f40"},
    {"everything", "relu size>1K step:0-100000"},
};

/// The median and the longest of the calls, in ms.
template <typename Call>
void timed(benchmark::State& state, const Call& call)
{
    std::vector<double> times;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        call();
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        state.SetIterationTime(times.back() / 1e3);
    }
    std::ranges::sort(times);
    state.counters["median_ms"] = times[times.size() / 2];
    state.counters["worst_ms"] = times.back();
}

void filter(benchmark::State& state, const Text& text)
{
    const auto run = namedRun();
    timed(state, [&] {
        benchmark::DoNotOptimize(applyFilter(run->problem(), parseSearch(QString::fromLatin1(text.typed)).filter).count);
    });
}

void search(benchmark::State& state, const Text& text)
{
    const auto run = namedRun();
    timed(state, [&] { benchmark::DoNotOptimize(findBuffers(*run, parseSearch(QString::fromLatin1(text.typed)), 10).count); });
}

void rows(benchmark::State& state)
{
    const auto source = bufferRows(namedRun());
    const BufferMask mask = applyFilter(namedRun()->problem(), parseSearch(QStringLiteral("relu")).filter);
    timed(state, [&] { benchmark::DoNotOptimize(orderRows(*source, -1, Qt::AscendingOrder, &mask.shown).size()); });
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    for (const Text& text : texts) {
        const auto add = [&](const char* kind, void (*body)(benchmark::State&, const Text&)) {
            benchmark::RegisterBenchmark((std::string(kind) + '/' + text.name + "/1000000").c_str(),
                                         [body, &text](benchmark::State& state) { body(state, text); })
                ->Iterations(15)
                ->UseManualTime()
                ->Unit(benchmark::kMillisecond);
        };
        if (std::string(text.name) != "address") add("filter", filter); // an address finds, and hides nothing
        add("search", search);
    }
    benchmark::RegisterBenchmark("rows/1000000", rows)->Iterations(15)->UseManualTime()->Unit(benchmark::kMillisecond);
    benchmark::RunSpecifiedBenchmarks();
}
