// Makes a plan by allocation graphs, one for each pool: the common part of `nnc` and `nnc-size-first`.
#pragma once

#include "core/plan/planner.h"
#include "core/plan/recorder.h"
#include "core/planners/nnc/selection.h"

#include <vector>

namespace stowage::nnc {

/// Inserts tensors into the graphs of their pools. A tensor goes to the first candidate pool in which it fits within the
/// capacity, otherwise to the last one, above its capacity. Pinned tensors come first.
class Builder {
public:
    /// `table`, `tensors` and `context` must outlive the builder.
    Builder(const BufferTable& table, const Tensors& tensors, const PlanContext& context);

    /// Inserts all tensors by the rules of the document (`Selection`), pool by pool.
    void runDocument(bool strict);
    /// Inserts all tensors by `SizeClasses`: the largest first, each into the edge that `AllocationGraph::find` gives.
    void runSizeFirst();

    [[nodiscard]] Expected<Plan> finish(const PlannerInfo& info, const OptionValues& options);

private:
    [[nodiscard]] AllocationGraph& graph(PoolId p) { return graphs_[static_cast<std::size_t>(p)]; }
    [[nodiscard]] Words& pending(PoolId p) { return pending_[static_cast<std::size_t>(p)]; }
    [[nodiscard]] Bytes limit(PoolId p) const;
    [[nodiscard]] std::span<const PoolId> candidates(Node node) const;
    void placePins();
    void enlist(Node node);
    [[nodiscard]] PoolId nextPool() const;
    [[nodiscard]] bool isLast(Node node) const;
    void sendOn(Node node, PoolId from);
    [[nodiscard]] bool mayGoOn();
    /// A new edge for the tuple; none if it would end above the capacity, unless `evenAbove`.
    [[nodiscard]] Place freshPlace(PoolId p, const Tuple& tuple, bool evenAbove);
    void insert(PoolId p, const Tuple& tuple, const Place& place);
    void stopped();
    /// None for the source and the sink.
    [[nodiscard]] BufferId bufferOf(Node node) const { return node == source || node == sink ? none : tensors_[node].buffer; }
    [[nodiscard]] SizedBuffer sized(Node node) const { return {bufferOf(node), tensors_[node].bytes()}; }
    void noteSelection(PoolId p, const Candidate& candidate);
    /// Call it before the insertion, which changes the edge.
    void noteInsertion(PoolId p, const Tuple& tuple, const Edge& edge, bool fresh, Bytes offset);

    const BufferTable& table_;
    const Tensors& tensors_;
    const PlanContext& context_;
    std::vector<AllocationGraph> graphs_; ///< by pool
    std::vector<Words> pending_;          ///< by pool
    std::vector<std::int32_t> choice_;    ///< by tensor: index of its current pool among its candidates
    std::vector<PoolId> poolOf_;          ///< by tensor; none: not inserted yet
    std::vector<PoolId> pinnedTo_;        ///< by buffer: the pool of its pin
    Diagnostics diagnostics_;
    std::uint64_t inserted_ = 0;
    bool beyondAddresses_ = false;
    StoppedBy stoppedBy_ = StoppedBy::complete;
};

} // namespace stowage::nnc
