#include "core/passes/fold_roots.h"

#include "core/ir/checked.h"

#include <algorithm>
#include <bit>

namespace stowage::folding {

RootSet RootSets::add(Bytes bytes)
{
    const std::size_t root = bytesOf_.size();
    bytesOf_.push_back(bytes);
    words_ += root / 64 + 1;
    if (exhausted()) return nullptr;
    std::vector<std::uint64_t> words(root / 64 + 1);
    words.back() = std::uint64_t{1} << (root % 64);
    return std::make_shared<const std::vector<std::uint64_t>>(std::move(words));
}

RootSet RootSets::unite(const RootSet& a, const RootSet& b)
{
    if (!a || a == b) return b;
    if (!b) return a;
    const auto& larger = a->size() >= b->size() ? *a : *b;
    const auto& smaller = a->size() >= b->size() ? *b : *a;
    bool contained = true;
    for (std::size_t i = 0; i < smaller.size() && contained; ++i) contained = (smaller[i] & ~larger[i]) == 0;
    if (contained) return a->size() >= b->size() ? a : b;
    words_ += larger.size();
    if (exhausted()) return nullptr;
    std::vector<std::uint64_t> words = larger;
    for (std::size_t i = 0; i < smaller.size(); ++i) words[i] |= smaller[i];
    return std::make_shared<const std::vector<std::uint64_t>>(std::move(words));
}

Bytes RootSets::bytes(const RootSet& set) const
{
    Bytes sum = 0;
    if (!set) return sum;
    for (std::size_t i = 0; i < set->size(); ++i)
        for (std::uint64_t word = (*set)[i]; word != 0; word &= word - 1)
            sum = std::min(maxBytes, sum + bytesOf_[i * 64 + static_cast<std::size_t>(std::countr_zero(word))]);
    return sum;
}

} // namespace stowage::folding
