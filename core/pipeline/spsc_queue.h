// A bounded queue between one thread that puts and one that takes, without locks.
//
// The ring of Lamport (1983): two counters, each written by one side only. The release store of a counter publishes the slot that
// was written before it. Each side keeps what it last saw of the other's counter, so that the cache line of that counter moves
// only when the queue looks full or empty.
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace stowage::pipeline {

template <typename T>
class SpscQueue {
public:
    /// Holds up to `capacity` values, >= 1.
    explicit SpscQueue(std::size_t capacity) : slots_(capacity) {}

    /// Puts a value. False when the queue is full; then `value` is as it was. One thread only.
    bool tryPush(T& value)
    {
        const std::size_t put = put_.load(std::memory_order_relaxed);
        if (put - takenSeen_ == slots_.size()) {
            takenSeen_ = taken_.load(std::memory_order_acquire);
            if (put - takenSeen_ == slots_.size()) return false;
        }
        slots_[put % slots_.size()] = std::move(value);
        put_.store(put + 1, std::memory_order_release);
        return true;
    }
    /// Takes the oldest value; nothing when the queue is empty. One thread only.
    std::optional<T> tryPop()
    {
        const std::size_t taken = taken_.load(std::memory_order_relaxed);
        if (taken == putSeen_) {
            putSeen_ = put_.load(std::memory_order_acquire);
            if (taken == putSeen_) return std::nullopt;
        }
        std::optional<T> value(std::move(slots_[taken % slots_.size()]));
        slots_[taken % slots_.size()] = T(); // frees what the slot held
        taken_.store(taken + 1, std::memory_order_release);
        return value;
    }
    /// Whether there is room; only the thread that puts can rely on it.
    [[nodiscard]] bool hasRoom() const
    {
        return put_.load(std::memory_order_relaxed) - taken_.load(std::memory_order_acquire) < slots_.size();
    }
    /// Values inside, when neither side moves.
    [[nodiscard]] std::size_t size() const
    {
        const std::size_t taken = taken_.load(std::memory_order_acquire);
        return put_.load(std::memory_order_acquire) - taken;
    }
    [[nodiscard]] std::size_t capacity() const { return slots_.size(); }

private:
    static constexpr std::size_t cacheLine = 64;

    std::vector<T> slots_;
    alignas(cacheLine) std::atomic<std::size_t> put_{0}; ///< values that were ever put
    std::size_t takenSeen_ = 0;                          ///< of the thread that puts
    alignas(cacheLine) std::atomic<std::size_t> taken_{0};
    std::size_t putSeen_ = 0; ///< of the thread that takes
};

} // namespace stowage::pipeline
