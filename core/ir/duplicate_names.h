// Finds names that occur more than once.
#pragma once

#include "core/ir/sorted_by.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace stowage {

/// A name that equals an earlier name. Both are given by their numbers.
struct DuplicateName {
    std::uint32_t number = 0;
    std::uint32_t first = 0; ///< number of the first occurrence
};

/// All numbers i < `count` for which nameOf(i), a std::string_view, equals nameOf(j) of some j < i; ascending. Empty names are
/// ignored.
///
/// Sorts the hashes of the names, and compares only names with equal hashes. A hash set would need an allocation and two cache
/// misses for each name, and three times as long for a million names. Names with equal hashes are sorted by their characters, so
/// that names chosen to collide cost no more than O(n log n) comparisons.
template <typename NameOf>
std::vector<DuplicateName> duplicateNames(std::size_t count, NameOf nameOf)
{
    std::vector<std::uint32_t> hashes(count); // 32 bits: among a million names about a hundred pairs collide by chance
    for (std::size_t i = 0; i < count; ++i) hashes[i] = static_cast<std::uint32_t>(std::hash<std::string_view>{}(nameOf(i)));
    std::vector<std::uint32_t> order = sortedBy(count, [&](std::size_t i) { return hashes[i]; });
    std::vector<DuplicateName> found;
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
        for (end = begin + 1; end < count && hashes[order[end]] == hashes[order[begin]]; ++end) {
        }
        if (end - begin == 1) continue;
        const auto from = order.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto to = order.begin() + static_cast<std::ptrdiff_t>(end);
        std::stable_sort(from, to, [&](std::uint32_t a, std::uint32_t b) { return nameOf(a) < nameOf(b); });
        for (std::size_t i = begin + 1, first = begin; i < end; ++i) {
            if (nameOf(order[i]) != nameOf(order[first]))
                first = i;
            else if (!nameOf(order[i]).empty())
                found.push_back({order[i], order[first]});
        }
    }
    std::sort(found.begin(), found.end(), [](const DuplicateName& a, const DuplicateName& b) { return a.number < b.number; });
    return found;
}

} // namespace stowage
