#include "core/explain/pipe_model.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

namespace stowage {

namespace {

constexpr std::int64_t longest = std::int64_t{1} << 40;

std::int64_t costOf(Bytes bytes) { return std::clamp<std::int64_t>(bytes, 1, longest); }

void sortUnique(std::vector<Id>& ids)
{
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

std::int32_t pipeNamed(PipeModel& model, std::string_view name)
{
    const auto number = static_cast<std::int32_t>(std::find(model.pipes.begin(), model.pipes.end(), name) - model.pipes.begin());
    if (at(number) == model.pipes.size()) model.pipes.emplace_back(name);
    return number;
}

/// "MTE2+MTE3" as two of the model's pipes.
std::vector<std::int32_t> pipesNamed(PipeModel& model, std::string_view names)
{
    std::vector<std::int32_t> pipes;
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find('+'));
        names.remove_prefix(std::min(name.size() + 1, names.size()));
        if (!name.empty()) pipes.push_back(pipeNamed(model, name));
    }
    sortUnique(pipes);
    return pipes;
}

LoopId innermostAt(const Problem& problem, Step step)
{
    LoopId found = none;
    Step length = 0;
    for (std::size_t l = 0; l < problem.loops.size(); ++l) {
        const Interval& live = problem.loops[l].live;
        // A loop is listed behind the one around it; of equal lengths the later one is the inner one.
        if (live.contains(step) && (found == none || live.length() <= length)) {
            found = static_cast<LoopId>(l);
            length = live.length();
        }
    }
    return found;
}

Bytes bytesOf(const Tensor& tensor, Bytes ofBuffer) { return tensor.bytes ? std::min(*tensor.bytes, ofBuffer) : ofBuffer; }

std::optional<std::int64_t> nanoseconds(const Op& op)
{
    if (op.cost.empty() || !std::isfinite(op.cost.front().microseconds)) return std::nullopt;
    return std::clamp<std::int64_t>(std::llround(std::min(op.cost.front().microseconds * 1e3, 1e12)), 1, longest);
}

} // namespace

PipeModel pipeModel(const Program& program, const Lowering& lowering)
{
    PipeModel model;
    model.fromProgram = true;
    bool timed = true;
    std::vector<std::int64_t> times;
    for (std::size_t t = 0; t < lowering.steps.size(); ++t) {
        const StepInfo& info = lowering.steps[t];
        if (info.op == none || info.function == none || info.instance == none) continue;
        const Function& function = program.functions[at(info.function)];
        const Op& op = function.ops[at(info.op)];
        if (op.control != Control::leaf || op.pipe.empty()) continue;
        const FunctionInstance& instance = lowering.instances[at(info.instance)];
        PipeOp made;
        const auto touch = [&](const std::vector<TensorId>& tensors, std::vector<BufferId>& to) {
            Bytes moved = 0;
            for (const TensorId tensor : tensors) {
                if (tensor == none || at(tensor) >= instance.bindings.size()) continue;
                const BufferId buffer = instance.bindings[at(tensor)].buffer;
                if (buffer == none) continue;
                to.push_back(buffer);
                moved = std::min(maxBytes, moved + bytesOf(function.tensors[at(tensor)], lowering.problem.buffers[at(buffer)].size));
            }
            return moved;
        };
        const Bytes in = touch(op.inputs, made.reads);
        const Bytes out = touch(op.outputs, made.writes);
        touch(op.temps, made.writes);
        if (made.reads.empty() && made.writes.empty()) continue;
        sortUnique(made.reads);
        sortUnique(made.writes);
        made.name = op.name;
        made.pipes = pipesNamed(model, op.pipe);
        made.cost = costOf(std::max(in, out));
        made.step = static_cast<Step>(t);
        made.loop = innermostAt(lowering.problem, made.step);
        made.function = info.function;
        made.op = info.op;
        const auto time = nanoseconds(op);
        timed = timed && time;
        times.push_back(time.value_or(1));
        model.ops.push_back(std::move(made));
    }
    if (timed && !model.ops.empty()) {
        model.unit = CostUnit::nanoseconds;
        for (std::size_t i = 0; i < times.size(); ++i) model.ops[i].cost = times[i];
    }
    return model;
}

PipeModel pipeModel(const Problem& problem)
{
    PipeModel model;
    struct Touched {
        std::vector<BufferId> begins, ends;
    };
    std::map<Step, Touched> steps;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        for (const Interval& range : problem.buffers[b].live) {
            if (range.empty() || problem.buffers[b].size == 0) continue;
            steps[range.begin].begins.push_back(static_cast<BufferId>(b));
            steps[range.end - 1].ends.push_back(static_cast<BufferId>(b));
        }
    for (auto& [step, touched] : steps) {
        PipeOp op;
        op.writes = touched.begins;
        // What lives in one step only is a temp: written, and read by nobody.
        for (const BufferId b : touched.ends)
            if (std::find(touched.begins.begin(), touched.begins.end(), b) == touched.begins.end()) op.reads.push_back(b);
        const auto all = [&](const std::vector<BufferId>& ids, bool Buffer::*mark) {
            return std::all_of(ids.begin(), ids.end(), [&](BufferId b) { return problem.buffers[at(b)].*mark; });
        };
        const std::string_view pipe = op.reads.empty() && all(op.writes, &Buffer::dma)    ? "MTE2"
                                      : op.writes.empty() && all(op.reads, &Buffer::dma)  ? "MTE3"
                                      : all(op.writes, &Buffer::scalar) && all(op.reads, &Buffer::scalar) ? "S"
                                                                                 : "V";
        const auto sum = [&](const std::vector<BufferId>& ids) {
            Bytes total = 0;
            for (const BufferId b : ids) total = std::min(maxBytes, total + problem.buffers[at(b)].size);
            return total;
        };
        op.name = fmt::format("step {}", step);
        op.pipes = {pipeNamed(model, pipe)};
        op.cost = costOf(std::max(sum(op.reads), sum(op.writes)));
        op.step = step;
        op.loop = innermostAt(problem, step);
        model.ops.push_back(std::move(op));
    }
    return model;
}

PipeModel pipeModelOf(const Program* program, const Lowering& lowering)
{
    if (program && !lowering.instances.empty())
        if (PipeModel model = pipeModel(*program, lowering); !model.ops.empty()) return model;
    return pipeModel(lowering.problem);
}

} // namespace stowage
