// Remembers the states that a search has refuted, so that it does not search them again.
#pragma once

#include "core/ir/random.h"

#include <cstdint>
#include <vector>

namespace stowage::exact {

/// A set of 128-bit keys with a bounded size. When it is full, a new key replaces an older one; this costs time, not soundness.
/// Two different states have equal keys with a probability of about 2^-128, which the search accepts.
class SeenStates {
public:
    struct Key {
        std::uint64_t low = 0, high = 0;
        friend bool operator==(const Key&, const Key&) = default;
        /// Adds a part of a state; the order of the parts does not matter.
        void add(std::uint64_t part)
        {
            low += mix64(part ^ 0x9e3779b97f4a7c15U);
            high += mix64(part * 0xd6e8feb86659fd93U + 0xa0761d6478bd642fU);
        }
    };

    void clear() { slots_.assign(slots_.size(), {}); }
    [[nodiscard]] bool contains(const Key& key) const
    {
        return !slots_.empty() && (slots_[place(key)] == key || slots_[place(key) ^ 1] == key);
    }
    /// Adds a key. Each pair of slots keeps its last two keys. Grows up to 2^20 slots (16 MiB).
    void insert(const Key& key)
    {
        if (used_ >= slots_.size() / 2 && slots_.size() < maxSlots) grow();
        Key& slot = slots_[place(key)];
        if (slot == Key{})
            ++used_;
        else
            slots_[place(key) ^ 1] = slot;
        slot = key;
    }

private:
    static constexpr std::size_t maxSlots = std::size_t{1} << 20;
    [[nodiscard]] std::size_t place(const Key& key) const { return key.low & (slots_.size() - 1); }
    void grow()
    {
        std::vector<Key> old(slots_.empty() ? 1024 : slots_.size() * 4);
        old.swap(slots_);
        used_ = 0;
        for (const Key& key : old)
            if (!(key == Key{})) insert(key);
    }

    std::vector<Key> slots_;
    std::size_t used_ = 0;
};

} // namespace stowage::exact
