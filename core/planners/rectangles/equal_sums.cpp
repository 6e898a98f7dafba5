#include "core/planners/rectangles/equal_sums.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace stowage::exact {

namespace {

constexpr std::size_t mostFound = 2000;

} // namespace

std::vector<SetSum> setSums(std::span<const Bytes> sizes, std::size_t most, bool& complete)
{
    std::vector<SetSum> all{{0, 0}};
    const auto nextMember = [](const SetSum& sum) { return static_cast<std::size_t>(std::bit_width(sum.members)); };
    for (std::size_t from = 0, to = 1; from < to; from = std::exchange(to, all.size())) {
        std::size_t more = 0;
        for (std::size_t k = from; k < to; ++k) more += sizes.size() - nextMember(all[k]);
        if (all.size() + more > most) {
            complete = false;
            break;
        }
        for (std::size_t k = from; k < to; ++k)
            for (std::size_t m = nextMember(all[k]); m < sizes.size(); ++m)
                all.push_back({all[k].bytes + sizes[m], all[k].members | (std::uint64_t{1} << m)});
    }
    all.erase(all.begin());
    std::sort(all.begin(), all.end(),
              [](const SetSum& a, const SetSum& b) { return a.bytes != b.bytes ? a.bytes < b.bytes : a.members < b.members; });
    return all;
}

double binomial(std::size_t n, std::size_t k)
{
    double result = 1;
    for (std::size_t i = 0; i < k; ++i) result *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    return result;
}

namespace {

std::vector<std::int32_t> placesIn(std::uint64_t members)
{
    std::vector<std::int32_t> places;
    for (; members != 0; members &= members - 1) places.push_back(std::countr_zero(members));
    return places;
}

struct Pair {
    std::uint64_t ends, begins;
    Bytes bytes;
};

} // namespace

EqualSumsFound findEqualSums(std::span<const Bytes> ends, std::span<const Bytes> begins, std::size_t mostSums)
{
    EqualSumsFound found;
    if (ends.size() > 63 || begins.size() > 63) {
        found.complete = false;
        return found;
    }
    const auto endSums = setSums(ends, mostSums, found.complete), beginSums = setSums(begins, mostSums, found.complete);
    std::vector<Pair> candidates, kept;
    for (auto e = endSums.begin(), b = beginSums.begin(); e != endSums.end() && b != beginSums.end();) {
        if (e->bytes != b->bytes) {
            ++(e->bytes < b->bytes ? e : b);
            continue;
        }
        const Bytes bytes = e->bytes;
        const auto firstB = b;
        for (; e != endSums.end() && e->bytes == bytes; ++e)
            for (b = firstB; b != beginSums.end() && b->bytes == bytes; ++b) {
                if (candidates.size() < mostFound)
                    candidates.push_back({e->members, b->members, bytes});
                else
                    found.complete = false;
            }
    }
    const auto pieces = [](const Pair& pair) { return std::popcount(pair.ends) + std::popcount(pair.begins); };
    std::stable_sort(candidates.begin(), candidates.end(), [&](const Pair& a, const Pair& b) { return pieces(a) < pieces(b); });
    for (const Pair& one : candidates) {
        const auto inside = [&](const Pair& smaller) {
            return (smaller.ends & ~one.ends) == 0 && (smaller.begins & ~one.begins) == 0;
        };
        if (std::any_of(kept.begin(), kept.end(), inside)) continue;
        kept.push_back(one);
        EqualSums sums{placesIn(one.ends), placesIn(one.begins), one.bytes, 0};
        sums.chance = binomial(ends.size(), sums.ends.size()) * binomial(begins.size(), sums.begins.size()) /
                      static_cast<double>(one.bytes);
        found.sums.push_back(std::move(sums));
    }
    return found;
}

} // namespace stowage::exact
