// From a problem to a plan by allocation graphs, one for each pool: what `nnc` and `nnc-size-first` share.
#pragma once

#include "core/plan/planner.h"
#include "core/plan/recorder.h"
#include "core/planners/nnc/selection.h"

#include <vector>

namespace stowage::nnc {

/// Holds the graphs, and which tensors still go to which pool. A tensor begins in the first of its candidate pools; where it does
/// not fit inside the capacity it goes on to the next, and above the capacity of the last. Pins come first.
class Builder {
public:
    /// All outlive it.
    Builder(const BufferTable& table, const Tensors& tensors, const PlanContext& context);

    /// Inserts everything by the document's rules, pool by pool.
    void runDocument(bool strict);
    /// Inserts everything largest first, each tensor into the tightest edge that fits.
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
    /// New memory for the tuple, inside the capacity unless `evenAbove`; none when it would end above.
    [[nodiscard]] Place freshPlace(PoolId p, const Tuple& tuple, bool evenAbove);
    void insert(PoolId p, const Tuple& tuple, const Place& place);
    void stopped();
    /// None for the source and the sink.
    [[nodiscard]] BufferId bufferOf(Node node) const { return node == source || node == sink ? none : tensors_[node].buffer; }
    [[nodiscard]] SizedBuffer sized(Node node) const { return {bufferOf(node), tensors_[node].bytes()}; }
    void noteSelection(PoolId p, const Candidate& candidate);
    /// Before the insertion, while the edge is whole.
    void noteInsertion(PoolId p, const Tuple& tuple, const Edge& edge, bool fresh, Bytes offset);

    const BufferTable& table_;
    const Tensors& tensors_;
    const PlanContext& context_;
    std::vector<AllocationGraph> graphs_; ///< by pool
    std::vector<Words> pending_;          ///< by pool
    std::vector<std::int32_t> choice_;    ///< by tensor: index of the pool it goes to among its candidates
    std::vector<PoolId> poolOf_;          ///< by tensor; none: not inserted yet
    std::vector<PoolId> pinnedTo_;        ///< by buffer: the pool of its pin
    Diagnostics diagnostics_;
    std::uint64_t inserted_ = 0;
    bool beyondAddresses_ = false;
    StoppedBy stoppedBy_ = StoppedBy::complete;
};

} // namespace stowage::nnc
