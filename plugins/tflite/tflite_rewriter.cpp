#include "plugins/tflite/tflite_rewriter.h"

#include "core/ir/checked.h"
#include "core/ir/digits.h"
#include "plugins/tflite/plan_writer.h"
#include "plugins/tflite/read_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace stowage::tflite {
namespace {

/// How the model was imported: the value of `subgraphs`.
std::string_view graphsOf(const RewriteRequest& request)
{
    std::string_view graphs = "nested";
    for (const auto& [key, value] : request.options)
        if (key == "subgraphs") graphs = value;
    return graphs;
}

struct WrittenPlan {
    std::vector<std::int32_t> offsets; ///< by tensor of the file
    Bytes head = 0;                    ///< the largest end, rounded up
    std::int64_t placed = 0;
};

class Collector {
public:
    Collector(const RewriteRequest& request, const Model& model) : request_(request), model_(model) {}

    Expected<WrittenPlan> run()
    {
        WrittenPlan written;
        for (const Subgraph& graph : model_.subgraphs) written.offsets.resize(written.offsets.size() + graph.tensors.size(), -1);
        for (const PlannedFunction& planned : request_.planned)
            if (planned.function == 0)
                if (auto error = collect(planned, written)) return *std::move(error);
        return written;
    }

private:
    /// The tensors of function 0 are those of the file by their numbers, whichever graphs are in it.
    std::optional<Error> collect(const PlannedFunction& planned, WrittenPlan& written)
    {
        const Lowering& lowering = planned.lowering;
        const auto& bindings = lowering.instances.front().bindings;
        const Function& function = request_.program.functions.front();
        PoolId pool = none;
        for (std::size_t t = 0; t < std::min(bindings.size(), written.offsets.size()); ++t) {
            const Tensor& tensor = function.tensors[t];
            const TensorBinding& binding = bindings[t];
            if (binding.buffer == none || tensor.kind == TensorKind::constant || tensor.kind == TensorKind::variable ||
                tensor.bytes.value_or(0) == 0)
                continue;
            const Placement& placement = planned.plan.placements[at(binding.buffer)];
            const auto place = [&](PoolId of) { return lowering.problem.pools[at(of)].name; };
            if (pool != none && placement.pool != pool)
                return failure(Code::severalPlaces,
                               fmt::format("the plan uses the pools '{}' and '{}', and TensorFlow Lite Micro has one arena",
                                           place(pool), place(placement.pool)),
                               {request_.path}, "Plan for one pool, for example with --capacity and without --target.");
            pool = placement.pool;
            const Bytes offset = placement.offset + binding.delta;
            if (offset % runtimeAlignment != 0)
                return failure(Code::misalignedPin,
                               fmt::format("tensor {} '{}' lies at {}, which is no multiple of {}: the runtime would not take it",
                                           t, tensor.name, offset, runtimeAlignment),
                               tensor.where, fmt::format("Plan with --alignment {}.", runtimeAlignment));
            if (offset > std::numeric_limits<std::int32_t>::max())
                return failure(
                    Code::addressOverflow,
                    fmt::format("tensor {} '{}' lies at {}, and the file's offsets have 31 bits", t, tensor.name, offset),
                    tensor.where, "Such an arena is beyond any microcontroller.");
            written.offsets[t] = static_cast<std::int32_t>(offset);
            written.head = std::max(written.head, alignUp(offset + *tensor.bytes, runtimeAlignment));
            ++written.placed;
        }
        return std::nullopt;
    }

    const RewriteRequest& request_;
    const Model& model_;
};

} // namespace

Expected<Rewritten> TfliteRewriter::rewrite(const RewriteRequest& request) const
{
    if (request.pass != "plan-memory")
        return failure(Code::unknownPass, fmt::format("there is no pass '{}' for TensorFlow Lite models", request.pass),
                       {request.path}, "its pass is plan-memory");
    Diagnostics unused;
    const auto model = readModel(request.text, request.path, request.bindings, unused);
    if (!model) return model.error();
    if (model->subgraphs.size() > 1 && graphsOf(request) == "nested")
        return failure(Code::wrongOrder,
                       fmt::format("the plan is for branches and loops as such, and the runtime has one place for each tensor of "
                                   "its {} sub-graphs",
                                   model->subgraphs.size()),
                       {request.path}, "Plan with --import subgraphs=flat.");
    const auto plan = Collector(request, *model).run();
    if (!plan) return plan.error();
    auto rewritten = writeOfflinePlan(request.text, request.path, plan->offsets);
    if (!rewritten) return rewritten;
    if (model->subgraphs.size() > 1)
        rewritten->diagnostics.push_back(warning(
            Code::notSupported,
            fmt::format("the plan is for {} sub-graphs. A runtime without tflite-micro's pull request 1195 (versions of 2022 "
                        "and older) takes the offsets of sub-graph 0 for all of them, and tensors would overlap",
                        model->subgraphs.size()),
            {request.path}, "Check that its AllocationInfoBuilder goes on counting from one sub-graph to the next."));
    rewritten->diagnostics.push_back(
        {Severity::note,
         Code::notPlaced,
         fmt::format("{} of {} tensors have an offset in the file, in a head of {} bytes. Scratch that kernels ask for when they "
                     "are prepared is not in the file: TensorFlow Lite Micro's greedy planner fits it into gaps or above, so the "
                     "head may grow; its linear planner refuses the file",
                     plan->placed, plan->offsets.size(), grouped(plan->head)),
         {request.path},
         {}});
    return rewritten;
}

} // namespace stowage::tflite
