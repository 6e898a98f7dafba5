// The pass that reorders ops so that the peak of live bytes is smallest.
#pragma once

#include "core/lower/lower.h"
#include "core/passes/op_order.h"

#include <functional>
#include <string>
#include <vector>

namespace stowage {

struct ReorderOptions {
    LowerOptions
        lower; ///< decides which views and in-place results share bytes, and how sizes are rounded; the order is always `linear`
    OrderLimits limits; ///< of each region
    std::function<void(std::size_t done, std::size_t regions)> progress;
};

/// One region that has more than one op.
struct RegionOrder {
    FunctionId function = none;
    RegionId region = 0;
    std::size_t ops = 0;
    Bytes before = 0; ///< largest number of bytes live while the region runs, in listed order
    Bytes after = 0;
    Bytes bound = 0;     ///< lower bound on `after` for every order of its ops, with inner regions unchanged
    bool proved = false; ///< `after` is the least
    std::size_t states = 0;
};

struct Reordered {
    Program program;  ///< ops and tensors keep their ids; only the lists of ops in regions change
    Bytes before = 0; ///< largest number of bytes live at one step, of buffers that may lie in a workspace pool, lowered with
                      ///< `ReorderOptions::lower`
    Bytes after = 0;
    Bytes bound = 0;                  ///< lower bound over all orders of all regions; 0 when none is known
    bool proved = false;              ///< `after` is proved smallest over all orders of all regions
    bool stopped = false;             ///< a model or a search was stopped by `limits.stop`
    bool partial = false;             ///< tensors of unknown size are left out: sizes, bounds and proofs are of the others alone
    std::vector<RegionOrder> regions; ///< of all functions that the entry reaches, inner regions first
};

/// Reorders the ops of every region that the entry reaches, inner regions first. The order of two ops is kept when one may write
/// bytes that the other reads or writes, when both use resources, when both are stateful, or when both call functions with
/// variables (`Effects::possible`, core/lower/partial_order.h). An op that holds regions or calls a function moves as a whole.
/// The peak never grows: an order that is worse after lowering is undone, and a region without a better order keeps its own.
/// Errors: those of `lower`; options whose order is not a listed one.
Expected<Reordered> reorder(const Program& program, const ReorderOptions& options = {});

} // namespace stowage
