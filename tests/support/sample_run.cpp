#include "tests/support/sample_run.h"

#include "core/ir/checked.h"
#include "core/ir/random.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>

namespace stowage::test {

namespace {

/// Numbers of the kinds that a run is made of.
class Random {
public:
    explicit Random(std::uint64_t seed) : dice_(seed) {}
    std::int64_t below(std::int64_t n) { return std::int64_t(dice_() % std::uint64_t(std::max<std::int64_t>(1, n))); }
    double unit() { return double(dice_() >> 11) / 9007199254740992.0; }

private:
    Dice dice_;
};

/// First fit over time: gaps by address, buffers leave when they end. Not the smallest layout, but a valid one.
class FirstFit {
public:
    Bytes place(Bytes size, Bytes alignment)
    {
        Bytes at = 0;
        for (const auto& [low, high] : taken_) {
            if (alignUp(at, alignment) + size <= low) break;
            at = std::max(at, high);
        }
        at = alignUp(at, alignment);
        taken_.emplace(at, at + size);
        return at;
    }
    void leave(Bytes offset) { taken_.erase(offset); }

private:
    std::map<Bytes, Bytes> taken_;
};

/// Sizes, peaks and bounds by a sweep over the hulls' live ranges.
void fillReport(Run& run, double capacityFactor)
{
    auto lowering = std::make_shared<Lowering>(*run.lowering);
    Problem& problem = lowering->problem;
    const Step steps = std::accumulate(problem.buffers.begin(), problem.buffers.end(), Step{0},
                                       [](Step s, const Buffer& b) { return std::max(s, b.hull().end); });
    run.report.pools.clear();
    for (std::size_t pool = 0; pool < problem.pools.size(); ++pool) {
        PoolReport report;
        report.pool = PoolId(pool);
        std::vector<Bytes> change(std::size_t(steps) + 1, 0);
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            const Placement& placement = run.plan.placements[i];
            if (placement.pool != PoolId(pool)) continue;
            ++report.buffers;
            const Bytes slots = Bytes(std::max<std::size_t>(1, placement.offsets.size()));
            for (const Bytes offset : placement.offsets) report.size = std::max(report.size, offset + problem.buffers[i].size);
            report.size = std::max(report.size, placement.offset + problem.buffers[i].size);
            for (const Interval& live : problem.buffers[i].live) {
                change[std::size_t(live.begin)] += problem.buffers[i].size * slots;
                change[std::size_t(live.end)] -= problem.buffers[i].size * slots;
            }
        }
        Bytes live = 0;
        for (Step step = 0; step < steps; ++step) {
            live += change[std::size_t(step)];
            if (live > report.liveAtPeak) report.liveAtPeak = live, report.peakStep = step;
        }
        report.lowerBound = report.liveAtPeak;
        report.freeAtPeak = report.size - report.liveAtPeak;
        report.certificate = {PoolId(pool), report.liveAtPeak, report.peakStep, {}};
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            if (run.plan.placements[i].pool != PoolId(pool)) continue;
            for (const Interval& range : problem.buffers[i].live)
                if (range.contains(report.peakStep)) report.certificate.buffers.push_back(BufferId(i));
        }
        if (capacityFactor > 0) problem.pools[pool].capacity = Bytes(double(report.size) * capacityFactor) / 16 * 16;
        report.capacity = problem.pools[pool].capacity;
        report.excess = report.capacity ? std::max<Bytes>(0, report.size - *report.capacity) : 0;
        run.report.verdict.overCapacity |= report.excess > 0;
        run.report.pools.push_back(report);
    }
    run.report.status = run.report.verdict.overCapacity ? Status::doesNotFit : Status::feasible;
    run.lowering = std::move(lowering);
}

const std::array<const char*, 14> kinds{"conv2d",  "depthwise_conv2d", "add",     "concat", "relu", "max_pool2d",
                                        "reshape", "fully_connected",  "softmax", "slice",  "pad",  "mul",
                                        "mean",    "transpose"};

} // namespace

std::shared_ptr<const Run> sampleRun(const SampleOptions& options)
{
    Random random(options.seed);
    auto lowering = std::make_shared<Lowering>();
    Problem& problem = lowering->problem;
    problem.name = "sample";
    for (int i = 0; i < options.pools; ++i) {
        Pool pool;
        pool.name = options.pools == 1 ? "sram" : std::array{"dtcm", "axi_sram", "sdram", "psram"}[std::size_t(i) % 4];
        pool.alignment = options.alignment;
        problem.pools.push_back(pool);
    }
    Run run;
    run.plan.planner = "first-fit";
    struct Start {
        Step begin;
        Step end;
    };
    std::vector<Start> starts(options.buffers);
    for (Start& start : starts) {
        const bool isLong = random.unit() < options.longLived;
        const Step most = std::max<Step>(1, isLong ? options.steps / 2 : std::min<Step>(options.steps / 4, 24));
        start.begin = random.below(options.steps);
        start.end = std::min(options.steps, start.begin + 1 + random.below(most));
    }
    std::stable_sort(starts.begin(), starts.end(), [](const Start& a, const Start& b) { return a.begin < b.begin; });
    std::vector<FirstFit> memory(std::size_t(options.pools));
    std::multimap<Step, std::pair<std::size_t, Bytes>> leaving; // end -> pool, offset
    problem.buffers.reserve(options.buffers);
    for (std::size_t i = 0; i < options.buffers; ++i) {
        const Start start = starts[i];
        while (!leaving.empty() && leaving.begin()->first <= start.begin) {
            memory[leaving.begin()->second.first].leave(leaving.begin()->second.second);
            leaving.erase(leaving.begin());
        }
        Buffer buffer;
        const Step length = start.end - start.begin;
        buffer.name = "block_" + std::to_string(i / 4) + "/" + kinds[i % kinds.size()] + "/out_" + std::to_string(i);
        const double scale = random.unit();
        buffer.size = 1 + Bytes(scale * scale * double(options.maximumSize - 1));
        buffer.alignment = options.alignment;
        buffer.live = {{start.begin, start.end}};
        if (length >= 4 && random.unit() < options.gaps)
            buffer.live = {{start.begin, start.begin + length / 2}, {start.begin + length / 2 + 1, start.end}};
        const std::size_t pool = options.pools == 1 || random.unit() < 0.5 ? 0 : std::size_t(random.below(options.pools));
        const Bytes offset = memory[pool].place(buffer.size, options.alignment);
        leaving.emplace(start.end, std::pair(pool, offset));
        Placement placement;
        placement.pool = PoolId(pool);
        placement.offset = offset;
        if (random.unit() < options.slots) {
            const Bytes second = memory[pool].place(buffer.size, options.alignment);
            leaving.emplace(start.end, std::pair(pool, second));
            placement.offsets = {offset, second};
            if (problem.loops.empty()) problem.loops.push_back({"loop", none, {0, options.steps}, 4});
            placement.rotations = {{0, 2, false}};
            buffer.slots = 2;
            buffer.loop = 0;
        }
        run.plan.placements.push_back(placement);
        problem.buffers.push_back(std::move(buffer));
    }
    if (options.program) {
        auto program = std::make_shared<Program>();
        Function function;
        function.name = "main";
        function.regions.emplace_back();
        for (Step step = 1; step < options.steps; ++step) {
            Op op;
            op.name = "op_" + std::to_string(step);
            op.kind = kinds[std::size_t(step * 7 + step / 3) % kinds.size()];
            function.regions[0].ops.push_back(OpId(function.ops.size()));
            function.ops.push_back(op);
        }
        lowering->steps.push_back({0, none, 0});
        for (std::size_t i = 0; i < function.ops.size(); ++i) lowering->steps.push_back({0, OpId(i), 0});
        for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
            const Buffer& buffer = problem.buffers[i];
            Tensor tensor;
            tensor.name = buffer.name;
            tensor.bytes = buffer.size;
            BufferOrigin origin;
            origin.function = 0;
            origin.tensor = TensorId(i);
            origin.producer = buffer.live.front().begin > 0 ? OpId(buffer.live.front().begin - 1) : none;
            if (origin.producer == none) {
                tensor.kind = TensorKind::input;
                problem.buffers[i].kind = BufferKind::input;
            } else {
                function.ops[std::size_t(origin.producer)].outputs.push_back(origin.tensor);
            }
            const Step last = buffer.hull().end - 1;
            if (last > buffer.hull().begin) {
                origin.consumers.push_back(OpId(last - 1));
                function.ops[std::size_t(last - 1)].inputs.push_back(origin.tensor);
            }
            origin.members = {origin.tensor};
            function.tensors.push_back(std::move(tensor));
            lowering->origins.push_back(std::move(origin));
        }
        program->functions.push_back(std::move(function));
        run.program = std::move(program);
    }
    run.lowering = std::move(lowering);
    fillReport(run, options.capacityFactor);
    return std::make_shared<const Run>(std::move(run));
}

std::shared_ptr<const Run> runOf(Problem problem, double capacityFactor)
{
    auto lowering = std::make_shared<Lowering>();
    if (problem.pools.empty()) {
        problem.pools.emplace_back();
        problem.pools[0].name = "sram";
    }
    lowering->problem = std::move(problem);
    const std::vector<Buffer>& buffers = lowering->problem.buffers;
    Run run;
    run.plan.planner = "first-fit-by-size";
    run.plan.placements.resize(buffers.size());
    std::vector<std::size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return buffers[a].size > buffers[b].size; });
    std::vector<std::size_t> placed;
    for (const std::size_t i : order) {
        std::vector<std::pair<Bytes, Bytes>> taken;
        for (const std::size_t other : placed)
            if (buffers[i].hull().overlaps(buffers[other].hull()))
                taken.emplace_back(run.plan.placements[other].offset, run.plan.placements[other].offset + buffers[other].size);
        std::sort(taken.begin(), taken.end());
        Bytes at = 0;
        for (const auto& [low, high] : taken) {
            if (alignUp(at, buffers[i].alignment) + buffers[i].size <= low) break;
            at = std::max(at, high);
        }
        run.plan.placements[i].pool = 0;
        run.plan.placements[i].offset = alignUp(at, buffers[i].alignment);
        placed.push_back(i);
    }
    run.lowering = std::move(lowering);
    fillReport(run, capacityFactor);
    return std::make_shared<const Run>(std::move(run));
}

std::shared_ptr<const Run> wakeWordRun()
{
    struct Row {
        const char* name;
        const char* kind;
        Bytes size;
        Step begin;
        Step end;
        TensorKind tensor;
    };
    // A streaming keyword spotter: six ring buffers that are read early, joined with the new frame, convolved and written back.
    static constexpr std::array<Row, 33> rows{{
        {"input/frame", "input", 40, 0, 9, TensorKind::input},
        {"handle_0", "var_handle", 4, 2, 21, TensorKind::intermediate},
        {"handle_1", "var_handle", 4, 3, 24, TensorKind::intermediate},
        {"handle_2", "var_handle", 4, 4, 28, TensorKind::intermediate},
        {"handle_3", "var_handle", 4, 5, 33, TensorKind::intermediate},
        {"handle_4", "var_handle", 4, 6, 38, TensorKind::intermediate},
        {"handle_5", "var_handle", 4, 7, 43, TensorKind::intermediate},
        {"frame/reshape", "reshape", 80, 8, 16, TensorKind::intermediate},
        {"stream_1/concat/ReadVariableOp", "read_variable", 80, 9, 20, TensorKind::intermediate},
        {"stream_2/concat/ReadVariableOp", "read_variable", 480, 10, 25, TensorKind::intermediate},
        {"stream_3/concat/ReadVariableOp", "read_variable", 720, 11, 30, TensorKind::intermediate},
        {"stream_4/concat/ReadVariableOp", "read_variable", 1200, 12, 35, TensorKind::intermediate},
        {"stream_5/concat/ReadVariableOp", "read_variable", 240, 13, 40, TensorKind::intermediate},
        {"stream/concat/ReadVariableOp", "read_variable", 80, 14, 16, TensorKind::intermediate},
        {"stream/concat", "concatenation", 160, 15, 19, TensorKind::intermediate},
        {"stream/slice", "strided_slice", 40, 16, 18, TensorKind::intermediate},
        {"stream/conv", "conv_2d", 30, 18, 20, TensorKind::intermediate},
        {"stream_1/concat", "concatenation", 110, 19, 23, TensorKind::intermediate},
        {"stream_1/slice", "strided_slice", 80, 20, 22, TensorKind::intermediate},
        {"stream_1/depthwise", "depthwise_conv_2d", 30, 22, 24, TensorKind::intermediate},
        {"stream_1/conv", "conv_2d", 60, 23, 25, TensorKind::intermediate},
        {"stream_2/concat", "concatenation", 540, 24, 28, TensorKind::intermediate},
        {"stream_2/slice", "strided_slice", 480, 25, 27, TensorKind::intermediate},
        {"stream_2/depthwise", "depthwise_conv_2d", 60, 27, 29, TensorKind::intermediate},
        {"stream_2/conv", "conv_2d", 60, 28, 30, TensorKind::intermediate},
        {"stream_3/concat", "concatenation", 780, 29, 33, TensorKind::intermediate},
        {"stream_3/slice", "strided_slice", 720, 30, 32, TensorKind::intermediate},
        {"stream_3/depthwise", "depthwise_conv_2d", 60, 32, 34, TensorKind::intermediate},
        {"stream_4/concat", "concatenation", 1260, 34, 38, TensorKind::intermediate},
        {"stream_4/slice", "strided_slice", 1200, 35, 37, TensorKind::intermediate},
        {"stream_5/concat", "concatenation", 300, 39, 43, TensorKind::intermediate},
        {"stream_5/slice", "strided_slice", 240, 40, 42, TensorKind::intermediate},
        {"probability", "logistic", 1, 44, 46, TensorKind::output},
    }};
    static constexpr Step steps = 46;
    auto program = std::make_shared<Program>();
    Function function;
    function.name = "main";
    function.regions.emplace_back();
    function.ops.resize(std::size_t(steps) - 1);
    for (std::size_t i = 0; i < function.ops.size(); ++i) {
        function.ops[i].name = "op_" + std::to_string(i);
        function.ops[i].kind = "assign_variable";
        function.regions[0].ops.push_back(OpId(i));
    }
    Problem problem;
    problem.name = "wakeword";
    problem.pools.resize(1);
    problem.pools[0].name = "dram_arena";
    problem.pools[0].alignment = 16;
    problem.pools[0].capacity = 4096;
    std::vector<BufferOrigin> origins;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        Buffer buffer;
        buffer.name = row.name;
        buffer.size = row.size;
        buffer.alignment = 16;
        buffer.live = {{row.begin, row.end}};
        buffer.kind = row.tensor == TensorKind::input    ? BufferKind::input
                      : row.tensor == TensorKind::output ? BufferKind::output
                                                         : BufferKind::intermediate;
        problem.buffers.push_back(buffer);
        Tensor tensor;
        tensor.name = row.name;
        tensor.kind = row.tensor;
        tensor.bytes = row.size;
        BufferOrigin origin;
        origin.function = 0;
        origin.tensor = TensorId(i);
        origin.producer = row.begin == 0 ? none : OpId(row.begin - 1);
        if (origin.producer != none) {
            function.ops[std::size_t(origin.producer)].kind = row.kind;
            function.ops[std::size_t(origin.producer)].outputs.push_back(TensorId(i));
        }
        if (row.end < steps) {
            origin.consumers.push_back(OpId(row.end - 2));
            function.ops[std::size_t(row.end) - 2].inputs.push_back(TensorId(i));
        }
        origin.members = {origin.tensor};
        origins.push_back(std::move(origin));
        function.tensors.push_back(std::move(tensor));
    }
    program->functions.push_back(std::move(function));
    const auto placed = runOf(std::move(problem));
    Run run = *placed;
    auto lowering = std::make_shared<Lowering>(*run.lowering);
    lowering->origins = std::move(origins);
    lowering->steps.push_back({0, none, 0});
    for (Step i = 1; i < steps; ++i) lowering->steps.push_back({0, OpId(i - 1), 0});
    run.lowering = std::move(lowering);
    run.program = std::move(program);
    run.plan.planner = "greedy-by-size";
    return std::make_shared<const Run>(std::move(run));
}

Problem readCsv(const char* file)
{
    Problem problem;
    std::ifstream in(file);
    std::string line;
    std::vector<std::string> header;
    const auto split = [](const std::string& text) {
        std::vector<std::string> cells;
        std::stringstream stream(text);
        for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
        return cells;
    };
    while (std::getline(in, line)) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const std::vector<std::string> cells = split(line);
        if (header.empty()) {
            header = cells;
            continue;
        }
        Buffer buffer;
        Interval live;
        for (std::size_t i = 0; i < std::min(header.size(), cells.size()); ++i) {
            if (header[i] == "id" || header[i] == "buffer")
                buffer.name = cells[i];
            else if (header[i] == "lower" || header[i] == "start")
                live.begin = std::stoll(cells[i]);
            else if (header[i] == "upper" || header[i] == "end")
                live.end = std::stoll(cells[i]);
            else if (header[i] == "size")
                buffer.size = std::stoll(cells[i]);
        }
        if (live.empty() || buffer.size <= 0) continue;
        buffer.live = {live};
        problem.buffers.push_back(std::move(buffer));
    }
    if (problem.buffers.empty()) return problem;
    problem.pools.resize(1);
    problem.pools[0].name = "sram";
    return problem;
}

} // namespace stowage::test
