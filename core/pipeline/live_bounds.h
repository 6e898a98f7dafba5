// Lower bounds on the memory of every stage that a split may have, without planning.
//
// In listed order, the set of tensors that lie in the arena while an op runs does not depend on the planner: tensors that earlier
// ops of the stage made and that later ops or other stages read, inputs of the stage that are still read, and the operands of the
// op itself. The sum of their sizes is a lower bound for every plan, and most plans reach it. A split is therefore chosen by
// these bounds, and only the stages of the chosen split are planned.
#pragma once

#include "core/pipeline/cuts.h"

#include <algorithm>
#include <vector>

namespace stowage::pipeline {

class LiveBounds {
public:
    /// `map` has to outlive the bounds. `alignment` (>= 1) holds for every offset. `inOrder`: stages are lowered in listed order,
    /// and no two storages share bytes on purpose; otherwise the bound of an arena is the largest storage that some op touches.
    /// `enough`: bounds above this number of bytes need not be told apart, so that the computation of a row ends there.
    LiveBounds(const CutMap& map, Bytes alignment, bool inOrder, Bytes enough);

    /// Lower bound, in bytes, on the memory of the stage of operators [begin, end): its arena, plus the constants and variables
    /// that it reads, each counted once. Requires begin < end <= number of operators.
    [[nodiscard]] Bytes operator()(std::size_t begin, std::size_t end)
    {
        const Row& bounds = row(begin);
        const std::size_t place = std::min(end - begin, bounds.arena.size()) - 1;
        return bounds.arena[place] + bounds.kept[place];
    }

private:
    /// Bounds of the stages that begin at one operator; index i is the stage of i + 1 operators.
    struct Row {
        std::vector<Bytes> arena;
        std::vector<Bytes> kept;
    };
    /// The row of `begin`, computed on the first call. O(reads of the operators after `begin`), plus O(operators) for each read
    /// of a tensor that comes from another stage.
    const Row& row(std::size_t begin);
    void fill(std::size_t begin, Row& row);
    /// The tensors in the arena at one time. Offsets are multiples of the alignment, so that every buffer except the topmost
    /// takes its size rounded up.
    struct Live {
        Bytes sum = 0;   ///< sum of the sizes, each rounded up
        Bytes slack = 0; ///< largest number of bytes that rounding added to one of the sizes

        [[nodiscard]] Bytes minBytes() const { return sum - slack; }
    };
    void add(Live& live, TensorId id) const;
    [[nodiscard]] Bytes payload(TensorId id) const;
    [[nodiscard]] bool lies(TensorId root) const;

    const CutMap& map_;
    Bytes enough_;
    Bytes alignment_;
    bool inOrder_;
    std::vector<bool> apart_; ///< by operator: its inputs may be dead when its outputs are written, because it has regions or may
                              ///< write in place
    std::vector<std::int32_t> firstWrite_; ///< by root: the first operator that writes it
    std::vector<std::int32_t>
        lastUse_;                     ///< by root: the last operator that reads a view of it; the number of operators for outputs
    std::vector<std::int32_t> seen_;  ///< by tensor: the last operator that read it, in the row being filled
    std::vector<std::size_t> seenBy_; ///< by tensor: the row to which `seen_` belongs, plus one
    std::vector<std::vector<TensorId>> begins_; ///< by operator: the roots of which it is the first writer
    std::vector<std::vector<TensorId>> keptOf_; ///< by operator: roots of the constants and variables that it reads
    std::vector<Row> rows_;
    std::size_t stored_ = 0; ///< entries of all rows
};

} // namespace stowage::pipeline
