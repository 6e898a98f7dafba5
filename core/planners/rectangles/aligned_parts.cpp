#include "core/planners/rectangles/aligned_parts.h"

#include "core/ir/random.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace stowage::exact {

namespace {
constexpr Bytes largestModulus = Bytes{1} << 14; ///< 2 KiB a part
constexpr std::size_t mostTogether = 12;         ///< parallel parts whose orders are all tried: 2^12 sets
constexpr std::size_t groupOfMore = 9;           ///< of more, so many at a time
constexpr std::uint64_t mostAttempts = 24;       ///< ways to group them
constexpr std::size_t mostRegrouped = 1000;      ///< children in all of these; 44 make 22 ways

constexpr std::uint64_t wordsOfWork = 8;

std::uint64_t attemptsFor(std::size_t children)
{
    return std::clamp<std::uint64_t>(mostRegrouped / children, 1, mostAttempts);
}

bool none(const std::vector<std::uint64_t>& bits)
{
    return !bits.empty() && std::all_of(bits.begin(), bits.end(), [](std::uint64_t word) { return word == 0; });
}

std::vector<std::int32_t> turned(const std::vector<std::int32_t>& children)
{
    return {children.rbegin(), children.rend()};
}
} // namespace

AlignedParts::AlignedParts(std::span<const Piece> pieces, const std::vector<LineGraph::Part>& parts) : parts_(parts)
{
    for (const Piece& piece : pieces) {
        if (piece.alignment > largestModulus)
            usable_ = false;
        else
            modulus_ = std::lcm(modulus_, piece.alignment);
        if (modulus_ > largestModulus) usable_ = false;
        if (!usable_) return;
    }
    begins_.resize(parts.size());
    std::vector<bool> inUse(parts.size()); // parallel parts that have melted into larger ones are not
    for (std::size_t p = parts.size(); p-- > 0;) {
        if (!parts[p].melted) inUse[p] = true;
        for (const std::int32_t child : parts[p].children)
            if (inUse[p]) inUse[at(child)] = true;
    }
    for (std::size_t p = 0; p < parts.size(); ++p) { // children come before what they melted into
        const LineGraph::Part& part = parts[p];
        if (!inUse[p]) continue;
        if (part.kind == LineGraph::Part::Kind::series) {
            for (const std::int32_t child : part.children) meet(begins_[p], begins_[at(child)]);
        } else if (part.kind == LineGraph::Part::Kind::wheel) {
            Bits mirrored = wheel(turned(part.children));
            begins_[p] = wheel(part.children);
            if (mirrored.empty()) begins_[p].clear();
            for (std::size_t w = 0; w < begins_[p].size(); ++w) begins_[p][w] |= mirrored[w];
        } else if (part.kind == LineGraph::Part::Kind::piece) {
            const Bytes alignment = pieces[p].alignment;
            if (alignment == 1) continue;
            begins_[p].assign(static_cast<std::size_t>(modulus_ / 64), 0);
            for (Bytes offset = 0; offset < modulus_; offset += alignment)
                begins_[p][static_cast<std::size_t>(offset / 64)] |= std::uint64_t{1} << (offset % 64);
        } else {
            if (part.children.size() <= mostTogether) {
                begins_[p] = stack(part.children, nullptr);
                continue;
            }
            const auto index = static_cast<std::int32_t>(p);
            Bits all = stackInGroups(shuffled(index, 0));
            const auto full = [&] {
                return std::all_of(all.begin(), all.end(), [](std::uint64_t word) { return word == ~std::uint64_t{0}; });
            };
            for (std::uint64_t attempt = 1; attempt < attemptsFor(part.children.size()) && !full(); ++attempt) {
                const Bits more = stackInGroups(shuffled(index, attempt));
                for (std::size_t w = 0; w < all.size(); ++w) all[w] |= more[w];
            }
            begins_[p] = std::move(all);
        }
    }
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const LineGraph::Part& part = parts[p];
        const bool whole =
            part.melted || part.kind != LineGraph::Part::Kind::parallel; // others may still lie between those of one that has not
        if (inUse[p] && whole && none(begins_[p]) &&
            std::none_of(part.children.begin(), part.children.end(),
                         [&](std::int32_t child) { return none(begins_[at(child)]); }))
            impossible_.push_back(static_cast<std::int32_t>(p));
    }
}

/// The children of a parallel part in an order of its own for each attempt.
std::vector<std::int32_t> AlignedParts::shuffled(std::int32_t part, std::uint64_t attempt) const
{
    std::vector<std::int32_t> children = parts_[at(part)].children;
    Dice dice(static_cast<std::uint64_t>(part) * mostAttempts + attempt);
    for (std::size_t k = children.size(); k > 1; --k) std::swap(children[k - 1], children[dice.below(k)]);
    return children;
}

/// The offsets from which the first nine of the children, in any order, can lie below the next nine and so on.
AlignedParts::Bits AlignedParts::stackInGroups(std::span<const std::int32_t> children) const
{
    Bits bits;
    for (std::size_t end = children.size(); end > 0;) {
        const std::size_t first = (end - 1) / groupOfMore * groupOfMore;
        const auto group = children.subspan(first, end - first);
        Bytes size = 0;
        for (const std::int32_t child : group) size += parts_[at(child)].size;
        Bits lower = stack(group, nullptr);
        meet(lower, shifted(bits, size)); // the groups above it
        bits = std::move(lower);
        end = first;
    }
    return bits;
}

bool AlignedParts::has(const Bits& bits, Bytes offset) const
{
    const Bytes rest = offset % modulus_;
    return bits.empty() || ((bits[static_cast<std::size_t>(rest / 64)] >> (rest % 64)) & 1) != 0;
}

bool AlignedParts::canBegin(std::int32_t part, Bytes offset) const
{
    return has(begins_[at(part)], offset);
}

Bytes AlignedParts::nextBegin(std::int32_t part, Bytes from, Bytes end) const
{
    const Bytes last = std::min(end, from + modulus_);
    if (from < last && begins_[at(part)].empty()) return from;
    for (Bytes offset = from; offset < last; ++offset)
        if (canBegin(part, offset)) return offset;
    return end;
}

void AlignedParts::meet(Bits& bits, const Bits& other) const
{
    if (bits.empty()) bits = other;
    for (std::size_t w = 0; w < bits.size() && !other.empty(); ++w) bits[w] &= other[w];
}

/// The offsets from which one `by` higher is in the set.
AlignedParts::Bits AlignedParts::shifted(const Bits& bits, Bytes by) const
{
    if (bits.empty()) return bits;
    const std::size_t words = bits.size();
    const auto wordShift = static_cast<std::size_t>(by % modulus_ / 64);
    const int bitShift = static_cast<int>(by % 64);
    Bits result(words);
    for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t low = bits[(w + wordShift) % words], high = bits[(w + wordShift + 1) % words];
        result[w] = bitShift == 0 ? low : (low >> bitShift) | (high << (64 - bitShift));
    }
    return result;
}

/// The offsets from which the children of a wheel can lie in this order.
AlignedParts::Bits AlignedParts::wheel(std::span<const std::int32_t> children) const
{
    Bits bits;
    const std::array<Bytes, 5> offsets = wheelOffsets(sizesOf(children));
    for (std::size_t k = 0; k < children.size(); ++k) meet(bits, shifted(begins_[at(children[k])], offsets[k]));
    return bits;
}

std::array<Bytes, 5> AlignedParts::sizesOf(std::span<const std::int32_t> wheel) const
{
    std::array<Bytes, 5> sizes{};
    for (std::size_t k = 0; k < wheel.size(); ++k) sizes[k] = parts_[at(wheel[k])].size;
    return sizes;
}

/// The offsets from which the children can be stacked; by set of children in `bySet`, if wanted.
AlignedParts::Bits AlignedParts::stack(std::span<const std::int32_t> children, std::vector<Bits>* bySet) const
{
    const bool anywhere =
        std::all_of(children.begin(), children.end(), [&](std::int32_t child) { return begins_[at(child)].empty(); });
    if (anywhere && !bySet) return {};
    const std::size_t sets = std::size_t{1} << children.size();
    work_ += sets * children.size() * static_cast<std::size_t>(modulus_ / 64) / wordsOfWork;
    std::vector<Bits> stacked(sets);
    const Bits none(static_cast<std::size_t>(modulus_ / 64), 0);
    for (std::size_t set = 1; set < sets; ++set) {
        Bits sum = none;
        bool all = false;
        for (std::size_t k = 0; k < children.size() && !all; ++k) { // the lowest of them
            if (((set >> k) & 1) == 0) continue;
            const std::size_t above = set ^ (std::size_t{1} << k);
            Bits one = above == 0 ? Bits() : shifted(stacked[above], parts_[at(children[k])].size);
            meet(one, begins_[at(children[k])]);
            all = one.empty();
            for (std::size_t w = 0; w < one.size(); ++w) sum[w] |= one[w];
        }
        if (!all) stacked[set] = std::move(sum);
    }
    Bits result = stacked.back();
    if (bySet) *bySet = std::move(stacked);
    return result;
}

void AlignedParts::place(std::int32_t index, Bytes offset, std::vector<Bytes>& offsets) const
{
    std::vector<std::pair<std::int32_t, Bytes>> open{{index, offset}};
    while (!open.empty()) {
        const auto [part, low] = open.back();
        open.pop_back();
        const LineGraph::Part& p = parts_[at(part)];
        if (p.kind == LineGraph::Part::Kind::piece) {
            if (at(part) < offsets.size()) offsets[at(part)] = low;
        } else if (p.kind == LineGraph::Part::Kind::series) {
            for (const std::int32_t child : p.children) open.emplace_back(child, low);
        } else if (p.kind == LineGraph::Part::Kind::wheel) {
            const std::vector<std::int32_t> children = has(wheel(p.children), low) ? p.children : turned(p.children);
            const std::array<Bytes, 5> above = wheelOffsets(sizesOf(children));
            for (std::size_t k = 0; k < children.size(); ++k) open.emplace_back(children[k], low + above[k]);
        } else {
            if (p.children.size() <= mostTogether) {
                placeGroup(p.children, low, open);
                continue;
            }
            std::vector<std::int32_t> children;
            for (std::uint64_t attempt = 0; attempt < attemptsFor(p.children.size()); ++attempt) {
                children = shuffled(part, attempt);
                if (has(stackInGroups(children), low)) break;
            }
            Bytes next = low;
            for (std::size_t first = 0; first < children.size(); first += groupOfMore)
                next = placeGroup(std::span(children).subspan(first, std::min(groupOfMore, children.size() - first)), next, open);
        }
    }
}

/// Appends the offset of each of the children, stacked from `low` on in an order in which they can lie there; returns where they
/// end.
Bytes AlignedParts::placeGroup(std::span<const std::int32_t> children, Bytes low,
                               std::vector<std::pair<std::int32_t, Bytes>>& placed) const
{
    std::vector<Bits> bySet;
    (void)stack(children, &bySet);
    for (std::size_t set = bySet.size() - 1; set != 0;) {
        auto chosen = static_cast<std::size_t>(std::countr_zero(set));
        for (std::size_t k = 0; k < children.size(); ++k) {
            if (((set >> k) & 1) == 0) continue;
            const std::size_t above = set ^ (std::size_t{1} << k);
            if (!has(begins_[at(children[k])], low) || (above != 0 && !has(bySet[above], low + parts_[at(children[k])].size)))
                continue;
            chosen = k;
            break;
        }
        placed.emplace_back(children[chosen], low);
        low += parts_[at(children[chosen])].size;
        set ^= std::size_t{1} << chosen;
    }
    return low;
}

} // namespace stowage::exact
