// Which view each iteration of a loop uses: where every tensor of the body lies, iteration by iteration.
#pragma once

#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// Where a tensor's bytes are in one iteration.
struct ViewPlace {
    BufferId buffer = none; ///< none: not planned
    PoolId pool = none;
    Bytes offset = 0; ///< of the tensor, not of its buffer

    friend bool operator==(const ViewPlace&, const ViewPlace&) = default;
};

/// NNC's multi-view tensors, by how a place follows from the iteration.
enum class ViewType : std::uint8_t {
    fixed,  ///< one place
    typeI,  ///< view[i mod repeat]
    typeII, ///< other places in the first iterations, then view[i mod repeat]
    chosen  ///< a phi view: by the branch that was taken, or the exit at which a loop was left, and then as above
};

/// One tensor that the body of a loop touches.
struct LoopView {
    std::int32_t instance = 0; ///< into `Lowering::instances`
    TensorId tensor = none;
    std::string name;
    ViewType type = ViewType::fixed;
    std::vector<ViewPlace> places; ///< by iteration, `LoopViews::iterations` of them; of a phi view, for its first choice
    std::vector<std::vector<ViewPlace>> choices = {}; ///< of a phi view: the same for each choice
};

struct LoopViews {
    LoopId loop = none;
    std::string name;
    std::int32_t instance = 0;
    OpId op = none;              ///< the loop's, of the instance's function
    std::int64_t first = 0;      ///< first iterations, whose offsets do not repeat
    std::int64_t repeat = 1;     ///< from then on iteration i is like iteration i - repeat
    std::int64_t iterations = 1; ///< first + repeat: those that are shown
    std::vector<LoopView> views; ///< of the loop's inputs and outputs by region, and of what ops in it touch; by tensor
};

/// Where a tensor lies; `current` says for each loop of the problem which iteration it is in, `ran` how many it had when it ended
/// last. Both may be shorter: loops that are missing are in iteration 0, and have run once. Of phi views the first choice counts.
/// O(nesting).
[[nodiscard]] ViewPlace placeOf(const Lowering& lowering, const Plan& plan, std::int32_t instance, TensorId tensor,
                                std::span<const std::int64_t> current, std::span<const std::int64_t> ran = {});

/// The same of one binding.
[[nodiscard]] ViewPlace placeOf(const Lowering& lowering, const Plan& plan, const TensorBinding& binding,
                                std::span<const std::int64_t> current, std::span<const std::int64_t> ran = {});

/// The unrolled body of a loop with the view that each iteration uses. `around`: the iterations of the loops around it, by loop
/// of the problem; may be empty, all are in their first iteration then. Loops inside are in theirs for what is declared in them;
/// for all else they have ended, having run as often as they are known to. Nothing when the loop has no op (the input is a
/// problem). O(tensors of the body * iterations).
[[nodiscard]] std::optional<LoopViews> loopViews(const Program& program, const Lowering& lowering, const Plan& plan, LoopId loop,
                                                 std::span<const std::int64_t> around = {});

} // namespace stowage
