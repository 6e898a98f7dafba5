#include "plugins/tflite/offline_plan.h"

#include <algorithm>
#include <map>

namespace stowage::tflite {
namespace {

/// Operators between which a tensor is live, both included; -1 is the begin of the run. Empty (last < first) when nobody touches
/// it.
struct Lifetime {
    Index first = 1;
    Index last = 0;

    void touch(Index op)
    {
        if (last < first) first = last = op;
        first = std::min(first, op);
        last = std::max(last, op);
    }
};

std::vector<Lifetime> lifetimes(const Subgraph& graph)
{
    std::vector<Lifetime> lives(graph.tensors.size());
    for (const Index t : graph.inputs) lives[at(t)].touch(-1);
    for (std::size_t o = 0; o < graph.operators.size(); ++o) {
        for (const auto* list : {&graph.operators[o].inputs, &graph.operators[o].outputs}) {
            for (const Index t : *list) {
                if (t >= 0) lives[at(t)].touch(static_cast<Index>(o));
            }
        }
    }
    for (const Index t : graph.outputs) lives[at(t)].touch(static_cast<Index>(graph.operators.size()) - 1);
    return lives;
}

struct Placed {
    Bytes begin = 0;
    Bytes end = 0;
    Index tensor = 0;
};

/// Sweeps over time with the live tensors by offset. Until the first overlap they are disjoint, so neighbours suffice.
std::pair<Index, Index> firstOverlap(const Subgraph& graph, const OfflinePlan& plan, const AcceleratorArena* arena)
{
    std::vector<Lifetime> lives = lifetimes(graph);
    if (arena) {
        for (const auto& [member, offset] : arena->members) {
            Lifetime& life = lives[at(member)];
            if (life.first <= life.last) {
                lives[at(arena->tensor)].touch(life.first);
                lives[at(arena->tensor)].touch(life.last);
            }
            life = {};
        }
    }
    std::vector<Index> byStart;
    for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
        const TensorInfo& tensor = graph.tensors[t];
        const bool counts = plan.offsets[t] >= 0 && lives[t].first <= lives[t].last && tensor.bytes.value_or(0) > 0;
        if (counts && !tensor.constant && !tensor.variable) byStart.push_back(static_cast<Index>(t));
    }
    std::vector<Index> byEnd = byStart;
    std::sort(byStart.begin(), byStart.end(),
              [&](Index a, Index b) { return std::pair(lives[at(a)].first, a) < std::pair(lives[at(b)].first, b); });
    std::sort(byEnd.begin(), byEnd.end(),
              [&](Index a, Index b) { return std::pair(lives[at(a)].last, a) < std::pair(lives[at(b)].last, b); });

    std::map<Bytes, Placed> live;
    std::size_t ended = 0;
    for (const Index t : byStart) {
        for (; ended < byEnd.size() && lives[at(byEnd[ended])].last < lives[at(t)].first; ++ended)
            live.erase(plan.offsets[at(byEnd[ended])]);
        const Bytes begin = plan.offsets[at(t)];
        const Bytes end = begin + *graph.tensors[at(t)].bytes;
        const auto next = live.lower_bound(begin);
        if (next != live.end() && next->second.begin < end) return {next->second.tensor, t};
        if (next != live.begin() && std::prev(next)->second.end > begin) return {std::prev(next)->second.tensor, t};
        live.emplace(begin, Placed{begin, end, t});
    }
    return {-1, -1};
}

} // namespace

FilePlan filePlan(const Model& model, const Built& built)
{
    FilePlan plan{"OfflineMemoryAllocation", {}};
    for (std::size_t t = 0; t < model.plan->offsets.size(); ++t) {
        const TensorPlace& place = built.places[t];
        if (model.plan->offsets[t] >= 0 && place.tensor != none)
            plan.offsets.push_back({place.function, place.tensor, model.plan->offsets[t]});
    }
    return plan;
}

void warnAboutOverlap(const Model& model, const AcceleratorArena* arena, Diagnostics& diagnostics)
{
    const auto [first, second] = firstOverlap(model.subgraphs.front(), *model.plan, arena);
    if (first < 0) return;
    Diagnostic warning =
        failure(Code::planOverlap,
                "the plan that the file brings along (OfflineMemoryAllocation) puts " + describeTensor(model, 0, first) +
                    " and " + describeTensor(model, 0, second) + " on common bytes while both are live",
                {model.file, 0, 0, model.subgraphs.front().tensors[at(second)].byte},
                "Compilers for accelerators do that on purpose, where one of the two is scratch that holds the other.");
    warning.severity = Severity::warning;
    diagnostics.push_back(std::move(warning));
}

} // namespace stowage::tflite
