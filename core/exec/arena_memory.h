// The bytes of the pools of a plan.
#pragma once

#include "core/exec/arena.h"
#include "core/exec/pattern.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

namespace stowage::executing {

/// A place in a pool, in real bytes (before any scaling).
struct Address {
    PoolId pool = none;
    Bytes byte = 0;
};

/// The range from the first wrong byte to the last.
struct Wrong {
    PoolId pool = none;
    Bytes low = 0;
    Bytes high = 0;
};

/// One block of memory for each pool, as large as the plan makes it, between guard bytes. Where the blocks would exceed the
/// limit, every `scale` bytes are represented by one (when all offsets and sizes are multiples of it, nothing is lost by that),
/// and what still exceeds it is not represented at all.
class ArenaMemory {
public:
    /// `granule`: a common divisor of all distances inside buffers, in bytes; 0 when there are none. Errors: a placement that is
    /// no place (missing, negative, beyond 2^62, wrong number of offsets), or no memory. `diagnostics` name the pools that are
    /// scaled or left out.
    static Expected<ArenaMemory> create(const Problem& problem, const Plan& plan, Bytes granule, Bytes limit,
                                        Diagnostics& diagnostics);

    /// Bytes [from, from + length) of the stamp's stream go to `to`. Bytes beyond the guard bytes are dropped.
    void write(Address to, Bytes length, Stamp stamp, Bytes from);
    /// Copies bytes into the pool, or out of it; bytes outside the pool are dropped. Requires a scale of 1.
    void put(Address to, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> get(Address from, Bytes length) const;
    /// The places in [at, at + length) that do not hold bytes [from, …) of the stamp's stream.
    [[nodiscard]] std::optional<Wrong> check(Address at, Bytes length, Stamp stamp, Bytes from) const;
    /// The guard bytes that were written over; below the pool's begin they have negative addresses.
    [[nodiscard]] std::optional<Wrong> checkGuards() const;
    /// True when some of the bytes are represented together with the one at `byte`.
    [[nodiscard]] bool covers(Address range, Bytes length, Address byte) const;

    [[nodiscard]] Bytes bytesChecked() const { return checked_ * scale_; }
    [[nodiscard]] Bytes bytesWritten() const { return written_ * scale_; }
    /// False when a part of the pools is not represented.
    [[nodiscard]] bool whole() const { return whole_; }

private:
    struct Free {
        void operator()(std::byte* block) const { std::free(block); }
    };
    struct Block {
        std::unique_ptr<std::byte, Free> bytes; ///< guard, pool, guard
        Bytes size = 0;                         ///< of the pool
    };
    /// A range of represented bytes, and the number of the bytes asked for that lie below it. Empty when nothing is represented.
    struct Range {
        Bytes begin = 0;
        Bytes length = 0;
        Bytes skipped = 0;
    };
    [[nodiscard]] Range represent(Address at, Bytes length) const;
    [[nodiscard]] std::span<std::byte> span(PoolId pool, Bytes begin, Bytes length) const;
    [[nodiscard]] std::optional<Wrong> compare(PoolId pool, const Range& range, Stamp stamp, Bytes from) const;

    std::vector<Block> blocks_; ///< by pool
    Bytes scale_ = 1;
    bool whole_ = true;
    mutable Bytes checked_ = 0;
    Bytes written_ = 0;
};

} // namespace stowage::executing
