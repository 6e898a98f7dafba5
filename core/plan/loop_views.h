// The placements of the tensors of a loop body, iteration by iteration.
#pragma once

#include "core/lower/lower.h"
#include "core/plan/plan.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage {

/// The place of a tensor in one iteration.
struct ViewPlace {
    BufferId buffer = none; ///< none: not planned
    PoolId pool = none;
    Bytes offset = 0; ///< offset of the tensor (not of its buffer) in the pool

    friend bool operator==(const ViewPlace&, const ViewPlace&) = default;
};

/// How the place of a tensor depends on the iteration: the types of NNC's multi-view tensors.
enum class ViewType : std::uint8_t {
    fixed,  ///< the same place in all iterations
    typeI,  ///< place i mod repeat in iteration i
    typeII, ///< other places in the first iterations, then like `typeI`
    chosen  ///< a phi view: depends on the branch that was taken or on the exit of a loop, and then on the iteration as above
};

/// A tensor that the body of a loop accesses.
struct LoopView {
    std::int32_t instance = 0; ///< into `Lowering::instances`
    TensorId tensor = none;
    std::string name;
    ViewType type = ViewType::fixed;
    std::vector<ViewPlace> places; ///< by iteration, `LoopViews::iterations` elements; of a phi view, for its first choice
    std::vector<std::vector<ViewPlace>> choices = {}; ///< of a phi view: the same for each choice
};

struct LoopViews {
    LoopId loop = none;
    std::string name;
    std::int32_t instance = 0;
    OpId op = none;              ///< op of the loop, in the function of the instance
    std::int64_t first = 0;      ///< number of first iterations whose offsets do not repeat
    std::int64_t repeat = 1;     ///< after these, iteration i uses the places of iteration i - repeat
    std::int64_t iterations = 1; ///< first + repeat: number of iterations listed
    std::vector<LoopView> views; ///< the inputs and outputs of its regions, and the tensors that its ops access; by tensor
};

/// The place of a tensor. By loop of the problem, `current` is the current iteration, and `ran` the number of iterations when the
/// loop ended last. Both may be shorter: missing loops are in iteration 0 and have run once. Of phi views it gives the first
/// choice. O(nesting).
[[nodiscard]] ViewPlace placeOf(const Lowering& lowering, const Plan& plan, std::int32_t instance, TensorId tensor,
                                std::span<const std::int64_t> current, std::span<const std::int64_t> ran = {});

/// The same for a binding.
[[nodiscard]] ViewPlace placeOf(const Lowering& lowering, const Plan& plan, const TensorBinding& binding,
                                std::span<const std::int64_t> current, std::span<const std::int64_t> ran = {});

/// The tensors of a loop body with their places in each iteration. `around`: the current iterations of the outer loops, by loop
/// of the problem; missing loops are in iteration 0. For tensors declared in inner loops, these are in their first iteration; for
/// other tensors, they have ended after their trip count. No value if the loop has no op (the input is a problem). O(tensors of
/// the body * iterations).
[[nodiscard]] std::optional<LoopViews> loopViews(const Program& program, const Lowering& lowering, const Plan& plan, LoopId loop,
                                                 std::span<const std::int64_t> around = {});

} // namespace stowage
