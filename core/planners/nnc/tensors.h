// The interference graph of tensors, with an order of access: which tensor may follow which on the same bytes.
#pragma once

#include "core/ir/expected.h"
#include "core/planners/common/buffer_table.h"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage::nnc {

/// Index of a tensor, or one of the two dummies. Tensors are numbered by descending size, then by buffer id, so the first member
/// of a set is its largest tensor.
using Node = std::int32_t;
inline constexpr Node source = -1; ///< dummy: the pool before the run
inline constexpr Node sink = -2;   ///< dummy: the pool after the run
[[nodiscard]] constexpr bool dummy(Node node)
{
    return node < 0;
}

/// A set of tensors as a bit set of 64-bit words.
using Words = std::vector<std::uint64_t>;
[[nodiscard]] inline bool contains(std::span<const std::uint64_t> set, Node node)
{
    return (set[static_cast<std::size_t>(node) / 64] >> (static_cast<unsigned>(node) % 64) & 1U) != 0;
}
inline void add(std::span<std::uint64_t> set, Node node)
{
    set[static_cast<std::size_t>(node) / 64] |= std::uint64_t{1} << (static_cast<unsigned>(node) % 64);
}
inline void remove(std::span<std::uint64_t> set, Node node)
{
    set[static_cast<std::size_t>(node) / 64] &= ~(std::uint64_t{1} << (static_cast<unsigned>(node) % 64));
}
/// Calls visit(node) for each member, ascending, until it returns false.
template <typename Visit>
void forEach(std::span<const std::uint64_t> set, Visit visit)
{
    for (std::size_t w = 0; w < set.size(); ++w)
        for (std::uint64_t bits = set[w]; bits != 0; bits &= bits - 1)
            if (!visit(static_cast<Node>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits))))) return;
}

/// A buffer as one block of bytes that contains all its slots, one after the other. A pinned buffer with several slots is two
/// tensors: the slot at the pin, and the others.
struct Tensor {
    BufferId buffer = none;
    std::int32_t firstSlot = 0; ///< the first slot of the buffer in this block
    std::int32_t slots = 1;
    Bytes size = 0;      ///< of one slot
    Bytes stride = 0;    ///< from one slot to the next
    Bytes alignment = 1; ///< of a block with several slots, for all pools; otherwise 1, and the table has the alignment in a pool
    Interval hull;       ///< from its first to its last step; [0, 0) without live ranges

    [[nodiscard]] Bytes bytes() const { return stride * (slots - 1) + size; }
};

/// The tensors of a problem with the relation "comes before, on the same bytes": without a conflict, and earlier in the order of
/// (first step, end, id). For a problem lowered from a program the relation is a strict partial order. For other problems it may
/// not be transitive, so code that uses chains of it must check conflicts again. Buffers that may share count as in conflict;
/// permissions to share are not used. Buffers of size 0 are left out. Memory: n^2 / 4 bytes. There is no list of conflicts, which
/// would dominate the time of dense problems: a tensor conflicts with all tensors neither before nor after it.
class Tensors {
public:
    /// Largest number of tensors; with it the relation takes 64 MiB.
    static constexpr std::int32_t maxTensors = 16'384;

    /// Errors: more than `maxTensors` tensors; a block of more than 2^62 bytes. O(n^2 / 64 + pairs log n).
    static Expected<Tensors> of(const BufferTable& table);

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(all_.size()); }
    [[nodiscard]] const Tensor& operator[](Node node) const { return all_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] Step horizon() const { return horizon_; }

    /// The tensors that can come after `node`; for the source, all tensors. Requires a node other than the sink.
    [[nodiscard]] std::span<const std::uint64_t> after(Node node) const
    {
        return node == source ? std::span<const std::uint64_t>(whole_) : row(after_, node);
    }
    /// The tensors that can come before `node`; for the sink, all tensors. Requires a node other than the source.
    [[nodiscard]] std::span<const std::uint64_t> before(Node node) const
    {
        return node == sink ? std::span<const std::uint64_t>(whole_) : row(before_, node);
    }
    [[nodiscard]] bool comesBefore(Node first, Node second) const
    {
        return first == source || second == sink || contains(row(after_, first), second);
    }
    /// Word `w` of the set of tensors in conflict with `node`: those that come neither before nor after it.
    [[nodiscard]] std::uint64_t conflictsIn(Node node, std::size_t w) const
    {
        const std::uint64_t own =
            static_cast<std::size_t>(node) / 64 == w ? std::uint64_t{1} << (static_cast<unsigned>(node) % 64) : 0;
        const std::size_t at = static_cast<std::size_t>(node) * words_ + w;
        return whole_[w] & ~(before_[at] | after_[at] | own);
    }
    /// Calls visit(other) for each tensor in conflict with `node`, the largest first, until it returns false. O(n / 64 +
    /// conflicts).
    template <typename Visit>
    void eachConflict(Node node, Visit visit) const
    {
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t bits = conflictsIn(node, w); bits != 0; bits &= bits - 1)
                if (!visit(static_cast<Node>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits))))) return;
    }
    /// Position in the order of access.
    [[nodiscard]] std::int32_t rank(Node node) const { return rank_[static_cast<std::size_t>(node)]; }
    /// The first tensor, in order of number, with at most `bytes` bytes.
    [[nodiscard]] Node firstWithin(Bytes bytes) const;
    /// The first tensor, in order of number, that is smaller than `node`.
    [[nodiscard]] Node classEnd(Node node) const { return classEnd_[static_cast<std::size_t>(node)]; }

private:
    [[nodiscard]] std::span<const std::uint64_t> row(const Words& matrix, Node node) const
    {
        return std::span(matrix).subspan(static_cast<std::size_t>(node) * words_, words_);
    }
    std::optional<Error> collect(const BufferTable& table);
    void relate(const BufferTable& table);

    std::vector<Tensor> all_;
    std::size_t words_ = 0;
    Step horizon_ = 0;
    Words whole_, after_, before_;
    std::vector<std::int32_t> rank_;
    std::vector<Node> classEnd_;
};

} // namespace stowage::nnc
