#include "core/explain/pipe_model.h"

#include "core/ir/checked.h"
#include "core/ir/kernel_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

namespace stowage {

namespace {

constexpr std::int64_t longest = std::int64_t{1} << 40;

/// The buffers that an op reads, or those that it writes, with the number of bytes of each.
using MovedBytes = std::map<BufferId, Bytes>;

void addTo(MovedBytes& moved, BufferId buffer, Bytes bytes)
{
    Bytes& sum = moved[buffer];
    sum = std::min(maxBytes, checkedAdd(sum, bytes).value_or(maxBytes));
}

void list(const MovedBytes& moved, std::vector<BufferId>& buffers, std::vector<Bytes>& bytes)
{
    for (const auto& [buffer, count] : moved) {
        buffers.push_back(buffer);
        bytes.push_back(count);
    }
}

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
        // A loop is listed after its parent; of loops of equal length the later one is the inner one.
        if (live.contains(step) && (found == none || live.length() <= length)) {
            found = static_cast<LoopId>(l);
            length = live.length();
        }
    }
    return found;
}

/// By buffer: the size that its tensors need. The size in the problem differs if the user changed it.
std::vector<Bytes> sizesAskedFor(const Program& program, const Lowering& lowering)
{
    std::vector<Bytes> sizes;
    for (std::size_t b = 0; b < lowering.problem.buffers.size(); ++b) {
        const Buffer& buffer = lowering.problem.buffers[b];
        sizes.push_back(buffer.size);
        if (lowering.problem.axis != Axis::hivm || b >= lowering.origins.size() || lowering.origins[b].function == none) continue;
        Bytes largest = 0;
        for (const TensorId member : lowering.origins[b].members) {
            const Tensor& tensor = program.functions[at(lowering.origins[b].function)].tensors[at(member)];
            if (tensor.planned && tensor.aliasOf == none) largest = std::max(largest, tensor.bytes.value_or(0));
        }
        if (largest > 0 && largest <= maxBytes - buffer.alignment) sizes.back() = alignUp(largest, buffer.alignment);
    }
    return sizes;
}

/// Scales bytes of a buffer that has `size` bytes and whose tensors need `asked` bytes.
Bytes bytesOf(const Tensor& tensor, Bytes size, Bytes asked)
{
    const Bytes own = std::min(tensor.bytes.value_or(asked), asked);
    if (size == asked || asked <= 0) return std::min(own, size);
    const auto scaled = checkedMultiply(own, size);
    return scaled ? *scaled / asked + (*scaled % asked != 0 ? 1 : 0) : size;
}

std::optional<std::int64_t> nanoseconds(const Op& op)
{
    if (op.cost.empty() || !std::isfinite(op.cost.front().microseconds)) return std::nullopt;
    return std::clamp<std::int64_t>(std::llround(std::min(op.cost.front().microseconds * 1e3, 1e12)), 1, longest);
}

} // namespace

std::int64_t costInBytes(const PipeOp& op)
{
    const auto sum = [](const std::vector<Bytes>& bytes) {
        Bytes total = 0;
        for (const Bytes each : bytes) total = std::min(maxBytes, checkedAdd(total, each).value_or(maxBytes));
        return total;
    };
    return std::clamp<std::int64_t>(std::max(sum(op.readBytes), sum(op.writeBytes)), 1, longest);
}

PipeModel pipeModel(const Program& program, const Lowering& lowering)
{
    PipeModel model;
    model.fromProgram = true;
    bool timed = true;
    std::vector<std::int64_t> times;
    const std::vector<Bytes> asked = sizesAskedFor(program, lowering);
    for (std::size_t t = 0; t < lowering.steps.size(); ++t) {
        const StepInfo& info = lowering.steps[t];
        if (info.op == none || info.function == none || info.instance == none) continue;
        const Function& function = program.functions[at(info.function)];
        const Op& op = function.ops[at(info.op)];
        if (op.control != Control::leaf || op.pipe.empty()) continue;
        const FunctionInstance& instance = lowering.instances[at(info.instance)];
        PipeOp made;
        const auto touch = [&](const std::vector<TensorId>& tensors, MovedBytes& moved, bool counts) {
            for (const TensorId id : tensors) {
                if (id == none || at(id) >= instance.bindings.size()) continue;
                const BufferId buffer = instance.bindings[at(id)].buffer;
                if (buffer == none) continue;
                addTo(moved, buffer,
                      counts ? bytesOf(function.tensors[at(id)], lowering.problem.buffers[at(buffer)].size, asked[at(buffer)])
                             : 0);
            }
        };
        MovedBytes in, out;
        touch(op.inputs, in, true);
        touch(op.outputs, out, true);
        touch(op.temps, out, false);
        if (in.empty() && out.empty()) continue;
        list(in, made.reads, made.readBytes);
        list(out, made.writes, made.writeBytes);
        made.name = op.name;
        made.pipes = pipesNamed(model, op.pipe);
        made.cost = costInBytes(made);
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
        // A buffer that is live in one step only is a temp: it is written and not read.
        for (const BufferId b : touched.ends)
            if (std::find(touched.begins.begin(), touched.begins.end(), b) == touched.begins.end()) op.reads.push_back(b);
        const auto all = [&](const std::vector<BufferId>& ids, bool Buffer::*mark) {
            return std::all_of(ids.begin(), ids.end(), [&](BufferId b) { return problem.buffers[at(b)].*mark; });
        };
        const std::string_view pipe = op.reads.empty() && all(op.writes, &Buffer::dma)                    ? pipes::load
                                      : op.writes.empty() && all(op.reads, &Buffer::dma)                  ? pipes::store
                                      : all(op.writes, &Buffer::scalar) && all(op.reads, &Buffer::scalar) ? pipes::scalar
                                                                                                          : pipes::vector;
        for (const BufferId b : op.reads) op.readBytes.push_back(problem.buffers[at(b)].size);
        for (const BufferId b : op.writes) op.writeBytes.push_back(problem.buffers[at(b)].size);
        op.name = fmt::format("step {}", step);
        op.pipes = {pipeNamed(model, pipe)};
        op.cost = costInBytes(op);
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
