// Explains an overflow of a memory of an Ascend kernel: the compiler's message, and changes that help.
#pragma once

#include "core/ir/change.h"
#include "core/plan/plan.h"
#include "core/planners/hivm/memory_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace stowage::hivm {

/// "ub overflow, requires 1639168 bits while 1572864 bits available! (…)", as AscendNPU-IR prints it. `required` and
/// `available` in bytes.
[[nodiscard]] std::string overflowText(std::string_view scope, Bytes required, Bytes available);

/// A buffer that is live at the fullest step.
struct Occupant {
    BufferId buffer = none;
    Bytes bytes = 0; ///< of one slot, rounded up to the alignment
    std::int32_t slots = 1;
    std::optional<Level> level =
        {}; ///< the highest level at which its addresses would be allowed beside the buffers there; nothing: it shares no bytes
    [[nodiscard]] Bytes total() const { return bytes * slots; }
};

/// A change of the kernel, and the size of the plan with it.
struct Remedy {
    Change change;      ///< one slot for a multi-buffer, half a buffer, or half the tile of a loop
    Bytes required = 0; ///< bytes needed after it: those of the plan when it fits, else those in the compiler's message
    bool fits = false;
};

struct Overflow {
    PoolId pool = none;
    Bytes required = 0;
    Bytes capacity = 0;
    Step step = -1;                  ///< the first at which most bytes are live
    Bytes live = 0;                  ///< then, all slots together
    std::vector<Occupant> occupants; ///< at `step`, largest total first
    std::vector<Remedy> remedies;    ///< changes that help: those that fit first, then by `required`; at most 12

    /// Of the live bytes: those of second and further slots.
    [[nodiscard]] Bytes furtherSlots() const;
    /// Bytes above the capacity.
    [[nodiscard]] Bytes excess() const { return required - capacity; }
    /// Even a perfect layout would not fit: more is live at `step` than there is room.
    [[nodiscard]] bool tooMuchLive() const { return live > capacity; }
};

/// Why `plan`, which does not fit, does not. Tries dropping each multi-buffer and halving each of the eight largest buffers that
/// are live at the fullest step, and each loop's tile, by planning anew, with the same options and at most `tries` plannings.
/// O(tries * planning).
[[nodiscard]] Overflow explainOverflow(const Problem& problem, const MemoryPlan& plan, const MemoryOptions& options,
                                       const PlanContext& context, int tries = 24);

/// The diagnostic "overflow": the compiler's sentence with the live buffers and their slots; the remedy names the changes that
/// help.
[[nodiscard]] Diagnostic describe(const Problem& problem, const Overflow& overflow);

} // namespace stowage::hivm
