// Sets of roots: the constant tensors that a value depends on.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace stowage::folding {

/// The roots that a value depends on, one bit for each. Values with equal roots share one set. Null: no root.
using RootSet = std::shared_ptr<const std::vector<std::uint64_t>>;

/// Makes sets and sums up their bytes. The memory of all sets is limited to `wordLimit` words; beyond that no set is made, and
/// `exhausted` is true.
class RootSets {
public:
    static constexpr std::size_t wordLimit = std::size_t{1} << 24; ///< 128 MiB

    /// A set with one new root of `bytes` bytes.
    RootSet add(Bytes bytes);
    /// The union. Null when both are null. The result is right only while `exhausted` is false.
    RootSet unite(const RootSet& a, const RootSet& b);
    [[nodiscard]] Bytes bytes(const RootSet& set) const;
    [[nodiscard]] bool exhausted() const { return words_ > wordLimit; }

private:
    std::vector<Bytes> bytesOf_;
    std::size_t words_ = 0;
};

} // namespace stowage::folding
