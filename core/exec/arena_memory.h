// Real memory for the pools of a plan.
#pragma once

#include "core/exec/execution.h"
#include "core/exec/pattern.h"
#include "core/ir/expected.h"
#include "core/plan/plan.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

namespace stowage::executing {

/// An address in a pool, in bytes of the plan (before scaling).
struct Address {
    PoolId pool = none;
    Bytes byte = 0;
};

/// A range of bytes, [low, high), of which the first and the last are wrong.
struct Wrong {
    PoolId pool = none;
    Bytes low = 0;
    Bytes high = 0;
};

/// One block of memory for each pool, of the size that the plan needs, between guard bytes. When the blocks would exceed the
/// limit, each `scale` bytes of the plan are represented by one byte; no error is missed by that if all offsets and sizes are
/// multiples of `scale`. Pools that still exceed the limit are not represented.
class ArenaMemory {
public:
    /// `granule`: a common divisor of all distances inside buffers, in bytes; 0 when there are none. `limit`: maximum bytes of
    /// all blocks. `diagnostics` receives a message for each pool that is scaled or left out. Errors: a placement that is
    /// missing, negative, beyond 2^62, or has a wrong number of offsets; no memory.
    static Expected<ArenaMemory> create(const Problem& problem, const Plan& plan, Bytes granule, Bytes limit,
                                        Diagnostics& diagnostics);

    /// Writes bytes [from, from + length) of the stamp's stream to `to`. Bytes outside the pool and its guard bytes are dropped.
    void write(Address to, Bytes length, Stamp stamp, Bytes from);
    /// Copies bytes into the pool or out of it; bytes outside the pool are ignored. Requires a scale of 1.
    void put(Address to, std::span<const std::byte> bytes);
    [[nodiscard]] std::vector<std::byte> get(Address from, Bytes length) const;
    /// The range of wrong bytes if [at, at + length) does not hold bytes [from, from + length) of the stamp's stream.
    [[nodiscard]] std::optional<Wrong> check(Address at, Bytes length, Stamp stamp, Bytes from) const;
    /// The guard bytes that were overwritten; those below the pool have negative addresses.
    [[nodiscard]] std::optional<Wrong> checkGuards() const;
    /// True when one of the bytes [range, range + length) is represented by the same real byte as `byte`.
    [[nodiscard]] bool covers(Address range, Bytes length, Address byte) const;

    [[nodiscard]] Bytes bytesChecked() const { return checked_ * scale_; }
    [[nodiscard]] Bytes bytesWritten() const { return written_ * scale_; }
    /// False when some pool is not represented.
    [[nodiscard]] bool whole() const { return whole_; }

private:
    struct Free {
        void operator()(std::byte* block) const { std::free(block); }
    };
    struct Block {
        std::unique_ptr<std::byte, Free> bytes; ///< guard, pool, guard
        Bytes size = 0;                         ///< of the pool
    };
    /// The represented part of a range of bytes; `skipped` is the number of bytes of the range below that part. Empty when no
    /// byte is represented.
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
