#include "core/exec/constant_cache.h"

#include "core/exec/folded_tensor.h"
#include "core/ir/checked.h"

#include <cstring>
#include <new>

namespace stowage {

namespace {

constexpr auto lineAlignment = static_cast<std::align_val_t>(foldedTensorAlignment);

} // namespace

void ConstantCache::Free::operator()(std::byte* bytes) const
{
    ::operator delete[](bytes, lineAlignment);
}

const CachedBuffer* ConstantCache::find(CacheIndex index)
{
    const auto found = entries_.find(index);
    if (found == entries_.end()) return nullptr;
    order_.splice(order_.end(), order_, found->second.use);
    return &found->second.buffer;
}

bool ConstantCache::makeRoom(Bytes place)
{
    if (!capacity_) return true;
    if (place > *capacity_) return false;
    for (auto oldest = order_.begin(); used_ + place > *capacity_ && oldest != order_.end();) {
        const auto entry = entries_.find(*oldest);
        if (entry->second.holds > 0) {
            ++oldest;
            continue;
        }
        used_ -= entry->second.place;
        ++evictions_;
        oldest = order_.erase(oldest);
        entries_.erase(entry);
    }
    return used_ + place <= *capacity_;
}

const CachedBuffer* ConstantCache::insert(CacheIndex index, Bytes size, std::vector<std::int64_t> shape,
                                          std::vector<std::int64_t> strides)
{
    if (size < 0 || size > maxBytes || entries_.contains(index)) return nullptr;
    Entry entry;
    entry.place = alignUp(size, foldedTensorAlignment);
    if (!makeRoom(entry.place)) return nullptr;
    if (backing_ == memory) {
        auto* bytes = static_cast<std::byte*>(::operator new[](at(entry.place), lineAlignment, std::nothrow));
        if (!bytes) return nullptr;
        entry.memory.reset(bytes);
        std::memset(bytes, 0, at(entry.place));
        entry.buffer.bytes = {bytes, at(size)};
    }
    entry.buffer.shape = std::move(shape);
    entry.buffer.strides = std::move(strides);
    used_ += entry.place;
    entry.use = order_.insert(order_.end(), index);
    return &entries_.emplace(index, std::move(entry)).first->second.buffer;
}

void ConstantCache::hold(CacheIndex index)
{
    if (const auto found = entries_.find(index); found != entries_.end()) ++found->second.holds;
}

void ConstantCache::release(CacheIndex index)
{
    if (const auto found = entries_.find(index); found != entries_.end()) --found->second.holds;
}

} // namespace stowage
