// Loops unrolled for planning: one buffer for each iteration of a repeat, and the way back to placements that rotate.
//
// The idea is that of NNC's tensor allocation: unroll a body until its carried values need not move, plan the unrolled body, and
// use the offsets of its buffers iteration by iteration.
#pragma once

#include "core/ir/problem.h"
#include "core/plan/plan.h"

#include <optional>

namespace stowage {

/// A problem without anything carried: a buffer that rotates is a buffer of its own in each iteration, on an axis on which a
/// loop's body stands once for each iteration of its repeat.
struct Unrolled {
    Problem problem;
    std::vector<std::int32_t> repeats; ///< by loop of the original: how often its body stands there, >= 1
    /// By buffer of the original: the loops that it rotates with (those around it with a repeat above 1), outermost first, and
    /// the buffers of their iterations, the outermost loop varying slowest. One buffer and no loop where it stays in one place.
    std::vector<std::vector<LoopId>> loops;
    std::vector<std::vector<BufferId>> buffersOf;
    std::vector<BufferId> origins; ///< by buffer of `problem`: the original one (of several that were put together the first)
};

/// True when a buffer of the problem is carried round a loop, or early in one: else there is nothing to unroll.
bool needsUnrolling(const Problem& problem);

/// Unrolls. The repeat of a loop is the least with which no two values of one buffer that are in use together would be in one
/// place: 1 when what is carried is used up before its successor is made, 2 for `x <= y` where the two meet, k + 1 for a delay
/// line of length k whose result is made while its input is read. What a loop is given is put together with the buffer that takes
/// its place in later iterations, where the two are of one kind and never in use together. Nothing when it would have more than
/// `maxBuffers` buffers, or where a buffer of several slots is carried. Requires a checked problem. O(buffers^2) for those that
/// are early or carried, near-linear for the rest; with an axis of `dag` O(conflicts * repeats^2).
std::optional<Unrolled> unroll(const Problem& problem, std::size_t maxBuffers = std::size_t{1} << 20);

/// The plan for the original problem: offsets by iteration where the buffers of its iterations lie apart, one offset where they
/// do not. Nothing when those of one buffer are in different pools. Claims and diagnostics are left out, as they speak of other
/// buffers.
std::optional<Plan> foldPlan(const Unrolled& unrolled, const Problem& problem, const Plan& plan);

} // namespace stowage
