// The pass that puts ops into the order in which the fewest bytes are live at once.
#pragma once

#include "core/lower/lower.h"
#include "core/passes/op_order.h"

#include <functional>
#include <string>
#include <vector>

namespace stowage {

struct ReorderOptions {
    LowerOptions
        lower; ///< which views and in-place results share their bytes, and how sizes are rounded; the order is always `linear`
    OrderLimits limits; ///< of each region
    std::function<void(std::size_t done, std::size_t regions)> progress;
};

/// One region that has more than one op.
struct RegionOrder {
    FunctionId function = none;
    RegionId region = 0;
    std::size_t ops = 0;
    Bytes before = 0; ///< the most bytes live while it runs, in listed order
    Bytes after = 0;
    Bytes bound = 0;     ///< no order of its ops has less, its inner regions being as they are
    bool proved = false; ///< `after` is the least
    std::size_t states = 0;
};

struct Reordered {
    Program program;  ///< ops and tensors keep their ids; only the regions list them in another order
    Bytes before = 0; ///< the most bytes live at one step, of what may lie in a workspace pool, with `ReorderOptions::lower`
    Bytes after = 0;
    Bytes bound = 0;                  ///< no order of any region has less; 0 when that is not known
    bool proved = false;              ///< `after` is the least over all orders of all regions
    bool stopped = false;             ///< by `limits.stop`
    std::vector<RegionOrder> regions; ///< of all functions that the entry calls, inner ones first
};

/// Reorders the ops of every region that the entry comes to, inner regions first. Ops keep the order in which they write what
/// others read or write, touch resources, or call functions with variables (core/lower/partial_order.h); an op that holds regions
/// or calls moves as one. The result never has a larger peak than the program: orders that turn out worse after lowering are
/// taken back. A region keeps its order where none is better. Errors: those of `lower`; the lowering has to be of a listed order.
Expected<Reordered> reorder(const Program& program, const ReorderOptions& options = {});

} // namespace stowage
