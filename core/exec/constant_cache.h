// A cache of tensors that are kept between runs: a map from an index to a buffer, with a capacity.
//
// The map follows the document of constant tensor folding ("Management of cached tensors"): index -> {buffer, shape, strides}.
// Two rules are added here: each entry takes a multiple of 64 bytes, and when the capacity is exceeded, the least recently used
// tensors are evicted.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace stowage {

/// Index of a folded tensor in a cache: unique in the process, or in one compiled function.
using CacheIndex = std::int64_t;

struct CachedBuffer {
    std::span<std::byte> bytes; ///< begins at a multiple of 64
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides; ///< in elements
};

class ConstantCache {
public:
    enum Backing : bool {
        accounts, ///< counts bytes only: `CachedBuffer::bytes` is empty
        memory,
    };
    /// Without a capacity the cache is unbounded. Sizes count rounded up to 64 bytes.
    explicit ConstantCache(std::optional<Bytes> capacity = {}, Backing backing = memory) : capacity_(capacity), backing_(backing)
    {
    }

    /// The buffer of `index`, which becomes the most recently used; null when it is not in the cache. O(1).
    [[nodiscard]] const CachedBuffer* find(CacheIndex index);
    /// Adds a zeroed buffer for `index`. Evicts least recently used tensors that are not held until the buffer fits. Null when it
    /// does not fit even then, or when there is no memory. Requires an `index` that is not in the cache. O(1) plus evictions.
    const CachedBuffer* insert(CacheIndex index, Bytes size, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides);

    /// A held tensor is not evicted. An execution holds the tensors that it reads. Each `hold` needs a `release`.
    void hold(CacheIndex index);
    void release(CacheIndex index);

    [[nodiscard]] Bytes used() const { return used_; }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] std::int64_t evictions() const { return evictions_; }
    [[nodiscard]] bool contains(CacheIndex index) const { return entries_.contains(index); }

private:
    struct Free {
        void operator()(std::byte* bytes) const;
    };
    struct Entry {
        std::unique_ptr<std::byte[], Free> memory;
        CachedBuffer buffer;
        Bytes place = 0; ///< size rounded up to 64
        std::int32_t holds = 0;
        std::list<CacheIndex>::iterator use;
    };
    bool makeRoom(Bytes place);

    std::optional<Bytes> capacity_;
    Backing backing_;
    Bytes used_ = 0;
    std::int64_t evictions_ = 0;
    std::unordered_map<CacheIndex, Entry> entries_;
    std::list<CacheIndex> order_; ///< least recently used first
};

} // namespace stowage
