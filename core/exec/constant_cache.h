// Tensors that are kept between runs: a map from an index to a buffer, with a capacity.
//
// The map is the one of the document of constant tensor folding ("Management of cached tensors"): index -> {buffer, shape,
// strides}. What it leaves open is decided here: places are multiples of 64 bytes, and when the capacity does not take all, the
// tensor that was used longest ago leaves.
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
        accounts, ///< counts bytes and has none: `CachedBuffer::bytes` are empty
        memory,
    };
    /// Nothing: unbounded. The capacity counts places, which are rounded up to 64 bytes.
    explicit ConstantCache(std::optional<Bytes> capacity = {}, Backing backing = memory) : capacity_(capacity), backing_(backing)
    {
    }

    /// The buffer, which counts as used now; null when it is not there. O(1).
    [[nodiscard]] const CachedBuffer* find(CacheIndex index);
    /// A zeroed buffer for `index`, which is not there yet. Tensors that were used longest ago leave until it fits; those that
    /// are held do not. Null when it does not fit all the same, or when there is no memory. O(1) but for what leaves.
    const CachedBuffer* insert(CacheIndex index, Bytes size, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides);

    /// A held tensor does not leave: an execution holds what it reads.
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
    std::list<CacheIndex> order_; ///< used longest ago first
};

} // namespace stowage
