#include "plugins/host/graph_layout.h"

#include "plugins/host/import_messages.h"
#include "plugins/host/layout_messages.h"
#include "plugins/host/worker_client.h"

#include <algorithm>
#include <cmath>

namespace stowage {
namespace {

constexpr Bytes memoryLimit = Bytes{2} << 30;
constexpr Bytes outputLimit = Bytes{256} << 20;
constexpr double maxLength = 1e6;

bool isLength(double value)
{
    return std::isfinite(value) && value >= 0 && value <= maxLength;
}

std::optional<Error> check(const GraphSpec& spec)
{
    for (const GraphNode& node : spec.nodes) {
        if (!isLength(node.width) || !isLength(node.height))
            return failure(Code::badGraph, "a node has a size that is no length");
    }
    if (!isLength(spec.nodeGap) || !isLength(spec.rankGap)) return failure(Code::badGraph, "a gap is no length");
    const auto count = static_cast<std::int64_t>(spec.nodes.size());
    for (const GraphEdge& edge : spec.edges) {
        if (edge.from < 0 || edge.from >= count || edge.to < 0 || edge.to >= count)
            return failure(Code::badGraph, "an edge leads to a node that does not exist");
    }
    return std::nullopt;
}

bool fits(const GraphLayout& layout, const GraphSpec& spec)
{
    return layout.centres.size() == spec.nodes.size() && layout.curves.size() == spec.edges.size() &&
           std::all_of(layout.curves.begin(), layout.curves.end(),
                       [](const GraphCurve& curve) { return curve.points.size() % 3 == 1; });
}

} // namespace

Expected<GraphLayout> layoutGraph(const GraphSpec& spec, const std::stop_token& stop, std::chrono::milliseconds timeLimit)
{
    if (auto error = check(spec)) return std::move(*error);
    if (spec.nodes.empty()) return GraphLayout();
    const WorkerRun run{
        WorkerClient::installedWorker(), {memoryLimit, timeLimit, outputLimit}, {{frame::layoutOrder, toArchive(spec)}}};
    WorkerOutcome outcome = runWorker(run, stop);
    if (outcome.error) return std::move(*outcome.error);
    for (const Frame& answer : outcome.frames) {
        if (answer.type == frame::error) {
            if (auto error = fromArchive<Diagnostic>(answer.payload)) return std::move(*error);
        }
        if (answer.type != frame::layout) continue;
        auto layout = fromArchive<GraphLayout>(answer.payload);
        if (layout && fits(*layout, spec)) return std::move(*layout);
    }
    return failure(Code::workerGarbage, "the worker's layout cannot be understood", {},
                   "Make sure that all parts of Stowage are of the same version.");
}

} // namespace stowage
