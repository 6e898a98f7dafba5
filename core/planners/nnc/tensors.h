// Which tensors may follow which on the same bytes: the interference graph, with an order of access.
#pragma once

#include "core/ir/expected.h"
#include "core/planners/common/buffer_table.h"

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace stowage::nnc {

/// Index of a tensor, or one of the two dummies. Tensors are numbered by size, largest first, then by buffer id: the first bit of
/// a set of tensors is the largest of them.
using Node = std::int32_t;
inline constexpr Node source = -1; ///< the memory as it is handed out
inline constexpr Node sink = -2;   ///< the memory as it is given back
[[nodiscard]] constexpr bool dummy(Node node)
{
    return node < 0;
}

/// A set of tensors, 64 to a word.
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

/// A buffer as one block; the slots of a multi-buffer lie in it one after the other. A pinned multi-buffer is two: the slot at
/// the pin, and the others.
struct Tensor {
    BufferId buffer = none;
    std::int32_t firstSlot = 0; ///< of the buffer: the first one that lies in the block
    std::int32_t slots = 1;
    Bytes size = 0;      ///< of one slot
    Bytes stride = 0;    ///< from one slot to the next
    Bytes alignment = 1; ///< of the block in whatever pool, where it has several slots; else 1 (ask the table for the pool's)
    Interval hull;       ///< first to last step of its life in the order that is shown; [0, 0) where it has none

    [[nodiscard]] Bytes bytes() const { return stride * (slots - 1) + size; }
};

/// The tensors of a problem with the relation "can come before on the same bytes": not in conflict, and earlier in the order of
/// (first step, end, id). In a problem lowered from a program that is a strict order, which is transitive; in others it need not
/// be, so who relies on a chain of it asks for the conflicts again. Buffers that may share are treated as in conflict:
/// permissions to lay them across each other are not used. Buffers of size 0 are no tensors. Memory n^2 / 4 bytes: the conflicts
/// of a tensor are those that come neither before nor after it, so there is no list of them, which would take the larger part of
/// a dense problem's time.
class Tensors {
public:
    /// Largest number of buffers; their relation takes 64 MiB.
    static constexpr std::int32_t most = 16'384;

    /// Errors: more than `most` buffers, a block beyond 2^62 bytes. O(n^2 / 64 + pairs log n).
    static Expected<Tensors> of(const BufferTable& table);

    [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(all_.size()); }
    [[nodiscard]] const Tensor& operator[](Node node) const { return all_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] std::size_t words() const { return words_; }
    [[nodiscard]] Step horizon() const { return horizon_; }

    /// Tensors that can come after `node`; all of them after the source. Not for the sink.
    [[nodiscard]] std::span<const std::uint64_t> after(Node node) const
    {
        return node == source ? std::span<const std::uint64_t>(whole_) : row(after_, node);
    }
    /// Tensors that can come before `node`; all of them before the sink. Not for the source.
    [[nodiscard]] std::span<const std::uint64_t> before(Node node) const
    {
        return node == sink ? std::span<const std::uint64_t>(whole_) : row(before_, node);
    }
    [[nodiscard]] bool comesBefore(Node first, Node second) const
    {
        return first == source || second == sink || contains(row(after_, first), second);
    }
    /// Those in conflict with it that are in word `w` of a set: neither before nor after it, nor itself.
    [[nodiscard]] std::uint64_t conflictsIn(Node node, std::size_t w) const
    {
        const std::uint64_t own =
            static_cast<std::size_t>(node) / 64 == w ? std::uint64_t{1} << (static_cast<unsigned>(node) % 64) : 0;
        const std::size_t at = static_cast<std::size_t>(node) * words_ + w;
        return whole_[w] & ~(before_[at] | after_[at] | own);
    }
    /// Calls visit(other) for each of them, the largest first, until it returns false. O(n / 64 + conflicts).
    template <typename Visit>
    void eachConflict(Node node, Visit visit) const
    {
        for (std::size_t w = 0; w < words_; ++w)
            for (std::uint64_t bits = conflictsIn(node, w); bits != 0; bits &= bits - 1)
                if (!visit(static_cast<Node>(w * 64 + static_cast<std::size_t>(std::countr_zero(bits))))) return;
    }
    /// Position in the order of access.
    [[nodiscard]] std::int32_t rank(Node node) const { return rank_[static_cast<std::size_t>(node)]; }
    /// The first tensor that is no larger than `bytes`; all after it are not larger either.
    [[nodiscard]] Node firstWithin(Bytes bytes) const;
    /// The first tensor that is smaller than `node`.
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
