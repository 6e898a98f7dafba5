// Lower bounds on the memory of every stage that a split may have, without planning.
//
// In listed order, what an op of a stage finds in the arena does not depend on a planner: what earlier ops of the stage made and
// later ones or other stages take, what the stage takes in and still reads, and what the op itself touches. Their sum is a bound
// for every plan, and most plans reach it; so the stages of a split are chosen by it, and only those of the answer are planned.
#pragma once

#include "core/pipeline/cuts.h"

#include <algorithm>
#include <vector>

namespace stowage::pipeline {

class LiveBounds {
public:
    /// `alignment` of every offset, >= 1. `inOrder`: stages are lowered in listed order, and each storage has bytes of its own;
    /// else only the largest storage that some op touches counts. The map has to outlive the bounds.
    /// `enough`: where a stage needs more, larger ones are not told from it.
    LiveBounds(const CutMap& map, Bytes alignment, bool inOrder, Bytes enough);

    /// No plan of the stage [begin, end) takes less: its arena with the constants and variables that it reads, each once.
    [[nodiscard]] Bytes operator()(std::size_t begin, std::size_t end)
    {
        const Row& bounds = row(begin);
        const std::size_t place = std::min(end - begin, bounds.arena.size()) - 1;
        return bounds.arena[place] + bounds.kept[place];
    }

private:
    /// Of the stages that begin at one op, by the number of their ops less one.
    struct Row {
        std::vector<Bytes> arena;
        std::vector<Bytes> kept;
    };
    /// Filled when it is first asked for, in O(reads of the ops after `begin`) unless stages take much in: a tensor that the
    /// stage takes in costs O(ops) once more each time it is read.
    const Row& row(std::size_t begin);
    void fill(std::size_t begin, Row& row);
    /// What is in the arena at once. Offsets are multiples of the alignment, so every buffer but the one on top takes its size
    /// rounded up.
    struct Live {
        Bytes sum = 0;   ///< of sizes rounded up
        Bytes slack = 0; ///< the most that rounding raised one of them

        [[nodiscard]] Bytes least() const { return sum - slack; }
    };
    void add(Live& live, TensorId id) const;
    [[nodiscard]] Bytes payload(TensorId id) const;
    [[nodiscard]] bool lies(TensorId root) const;

    const CutMap& map_;
    Bytes enough_;
    Bytes alignment_;
    bool inOrder_;
    std::vector<bool> apart_; ///< by op: what it reads may be gone when it writes (it has regions, or writes in place)
    std::vector<std::int32_t> firstWrite_; ///< by root: the first operator that writes it
    std::vector<std::int32_t> lastUse_;    ///< by root: the last operator that reads a view of it; the number of ops for outputs
    std::vector<std::int32_t> seen_;       ///< by tensor: the op of the row being filled that read it last
    std::vector<std::size_t> seenBy_;      ///< by tensor: row that `seen_` is of, plus one
    std::vector<std::vector<TensorId>> begins_; ///< by op: roots that it is the first to write
    std::vector<std::vector<TensorId>> keptOf_; ///< by op: roots of constants and variables that it reads
    std::vector<Row> rows_;
    std::size_t stored_ = 0; ///< entries of all rows
};

} // namespace stowage::pipeline
