#include "core/planners/exact/aligned_parts.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace stowage::exact {

namespace {
constexpr Bytes largestModulus = Bytes{1} << 14; ///< 2 KiB a part
constexpr std::size_t mostTogether = 9;          ///< parallel parts whose orders are all tried: 2^9 sets

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
    for (std::size_t p = 0; p < parts.size(); ++p) { // children come before what they melted into
        const LineGraph::Part& part = parts[p];
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
            for (std::size_t last = part.children.size(); last > 0;) {
                const std::size_t first = last > mostTogether ? last - mostTogether : 0;
                const std::span group(part.children.data() + first, last - first);
                Bytes size = 0;
                for (const std::int32_t child : group) size += parts[at(child)].size;
                Bits bits = stack(group, nullptr);
                meet(bits, shifted(begins_[p], size)); // the groups above it
                begins_[p] = std::move(bits);
                last = first;
            }
        }
    }
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
            Bytes next = low;
            // The groups as in the constructor: counted from the top, so that the lowest is the one that may have fewer.
            std::size_t first = 0, last = p.children.size() % mostTogether;
            if (last == 0) last = std::min(p.children.size(), mostTogether);
            for (; first < p.children.size(); first = std::exchange(last, last + mostTogether)) {
                const std::span group(p.children.data() + first, last - first);
                std::vector<Bits> bySet;
                (void)stack(group, &bySet);
                for (std::size_t set = bySet.size() - 1; set != 0;) {
                    std::size_t chosen = static_cast<std::size_t>(std::countr_zero(set));
                    for (std::size_t k = 0; k < group.size(); ++k) {
                        if (((set >> k) & 1) == 0) continue;
                        const std::size_t above = set ^ (std::size_t{1} << k);
                        if (!has(begins_[at(group[k])], next) ||
                            (above != 0 && !has(bySet[above], next + parts_[at(group[k])].size)))
                            continue;
                        chosen = k;
                        break;
                    }
                    open.emplace_back(group[chosen], next);
                    next += parts_[at(group[chosen])].size;
                    set ^= std::size_t{1} << chosen;
                }
            }
        }
    }
}

} // namespace stowage::exact
