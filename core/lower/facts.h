// Size, alignment and candidate pools of each storage.
#pragma once

#include "core/lower/lowering.h"
#include "core/lower/storage.h"

#include <map>
#include <string_view>

namespace stowage::lowering {

using PoolSet = std::int32_t; ///< into `Facts::poolSets`

/// The facts about one storage, before anything is merged into it.
struct StorageFacts {
    Bytes size = 0;      ///< without the rounding of `--alignment`
    Bytes alignment = 1; ///< the least common multiple for all tensors in it
    BufferKind kind = BufferKind::intermediate;
    bool isInput = false; ///< holds an input (output) of the entry
    bool isOutput = false;
    bool planned = true;
    LeftOutReason leftOut = LeftOutReason::none; ///< why it is not planned
    PoolSet pools = 0;
};

struct Facts {
    std::vector<StorageFacts> storages;        ///< by storage
    std::vector<std::vector<PoolId>> poolSets; ///< [0] is empty: all workspace pools
    /// By phi view, if pools are for some devices only: the pools that all users of the view reach; none: there is no such pool.
    std::vector<PoolSet> phiPools;
};

/// The pools of the problem: the target's; without a target, the program's; without these, one unbounded workspace pool.
std::vector<Pool> poolsFor(const Program& program, const LowerOptions& options);

/// Finds the facts. Warnings go to `diagnostics`. Errors: a storage without any possible pool. Linear in the expanded program.
Expected<Facts> findFacts(const Expansion& expansion, const Storages& storages, const std::vector<Pool>& pools,
                          Diagnostics& diagnostics);

/// Names for a message, the first few of many: "'a', 'b', 'c' and 7 more".
std::string listNames(const std::vector<std::string_view>& names);

} // namespace stowage::lowering
