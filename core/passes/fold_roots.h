// The constant tensors that a value depends on, as sets.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace stowage::folding {

/// The roots that a value depends on, one bit each. Values with the same roots share one set; null: none.
using RootSet = std::shared_ptr<const std::vector<std::uint64_t>>;

/// Makes sets and adds up their bytes. Bounded: an input that would need more than `wordLimit` words of sets in all gets no more
/// of them, and says so.
class RootSets {
public:
    static constexpr std::size_t wordLimit = std::size_t{1} << 24; ///< 128 MiB

    /// A root of its own.
    RootSet add(Bytes bytes);
    /// Null when both are. Requires `!exhausted()` to be right.
    RootSet unite(const RootSet& a, const RootSet& b);
    [[nodiscard]] Bytes bytes(const RootSet& set) const;
    [[nodiscard]] bool exhausted() const { return words_ > wordLimit; }

private:
    std::vector<Bytes> bytesOf_;
    std::size_t words_ = 0;
};

} // namespace stowage::folding
