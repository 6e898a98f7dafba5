// Explains the overflow of a pool of an Ascend kernel: the compiler's message, and changes that help.
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
    /// The highest level at which its addresses are allowed, given the buffers there; no value: it shares no bytes.
    std::optional<Level> level = {};
    [[nodiscard]] Bytes total() const { return bytes * slots; }
};

/// A change of the kernel, and the size of the plan with it.
struct TriedChange {
    Change change; ///< one slot for a multi-buffer, half a buffer, or half the tile of a loop
    /// Bytes needed after the change: the size of the plan if it fits, otherwise the size in the compiler's message.
    Bytes required = 0;
    bool fits = false;
};

struct Overflow {
    PoolId pool = none;
    Bytes required = 0;
    Bytes capacity = 0;
    Step step = -1;                   ///< first step with the largest number of live bytes
    Bytes live = 0;                   ///< bytes live at `step`, with all slots
    std::vector<Occupant> occupants;  ///< at `step`, largest total first
    std::vector<TriedChange> changes; ///< changes that help: those that fit first, then by `required`; at most 12

    /// Live bytes of second and further slots.
    [[nodiscard]] Bytes furtherSlots() const;
    /// Bytes above the capacity.
    [[nodiscard]] Bytes excess() const { return required - capacity; }
    /// True when no layout can fit, because more bytes are live at `step` than the capacity.
    [[nodiscard]] bool tooMuchLive() const { return live > capacity; }
};

/// Explains why `plan` does not fit. Plans again with single changes, with the same options and at most `tries` plannings: each
/// multi-buffer reduced to one slot, each of the eight largest buffers at the fullest step halved, and each loop's tile halved.
/// O(tries * planning).
[[nodiscard]] Overflow explainOverflow(const Problem& problem, const MemoryPlan& plan, const MemoryOptions& options,
                                       const PlanContext& context, int tries = 24);

/// The diagnostic "overflow": the compiler's sentence with the live buffers and their slots; the remedy names the changes that
/// help.
[[nodiscard]] Diagnostic describe(const Problem& problem, const Overflow& overflow);

} // namespace stowage::hivm
