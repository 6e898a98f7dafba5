// The memories of a plan, for real.
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

/// One block of memory for each pool. Where they would exceed the limit, every `scale` bytes are represented by one (when all
/// offsets and sizes are multiples of it, nothing is lost by that), and what still exceeds it is not represented at all.
class ArenaMemory {
public:
    /// `granule`: what all distances inside buffers are multiples of; 0 when there are none. Errors: a placement that is no place
    /// (missing, negative, beyond 2^62, wrong number of offsets), or no memory. What is scaled or left out is said in
    /// `diagnostics`.
    static Expected<ArenaMemory> create(const Problem& problem, const Plan& plan, Bytes granule, Bytes limit,
                                        Diagnostics& diagnostics);

    /// Bytes [from, from + length) of the stamp's stream go to `to`.
    void write(Address to, Bytes length, Stamp stamp, Bytes from);
    /// The first place in [at, at + length) that does not hold bytes [from, …) of the stamp's stream.
    [[nodiscard]] std::optional<Address> check(Address at, Bytes length, Stamp stamp, Bytes from) const;
    /// True when some of the bytes are represented together with the one at `byte`.
    [[nodiscard]] bool covers(Address range, Bytes length, Address byte) const;

    [[nodiscard]] Bytes bytesChecked() const { return checked_ * scale_; }

private:
    struct Free {
        void operator()(std::byte* block) const { std::free(block); }
    };
    struct Block {
        std::unique_ptr<std::byte, Free> bytes;
        Bytes size = 0;
    };
    /// A range of represented bytes. Empty when it lies beyond what is represented.
    struct Range {
        Bytes begin = 0;
        Bytes length = 0;
    };
    [[nodiscard]] Range represent(Address at, Bytes length) const;

    std::vector<Block> blocks_; ///< by pool
    Bytes scale_ = 1;
    mutable Bytes checked_ = 0;
};

} // namespace stowage::executing
