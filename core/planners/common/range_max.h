// The largest value in a range of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

/// Answers in O(64 + 1) from O(n / 64 log n) memory beside the values: blocks of 64 are scanned, and between them a table of
/// powers of two is looked up.
class RangeMax {
public:
    explicit RangeMax(std::vector<std::uint64_t> values);

    /// Index of the first of the largest values in [begin, end). Requires begin < end.
    [[nodiscard]] std::size_t operator()(std::size_t begin, std::size_t end) const;
    [[nodiscard]] std::uint64_t value(std::size_t i) const { return values_[i]; }

private:
    static constexpr std::size_t block = 64;
    [[nodiscard]] std::size_t better(std::size_t a, std::size_t b) const;
    [[nodiscard]] std::size_t scan(std::size_t begin, std::size_t end) const;

    std::vector<std::uint64_t> values_;
    std::vector<std::vector<std::uint32_t>> best_; ///< [k][i]: of blocks i to i + 2^k - 1
};

} // namespace stowage
