// Loops unrolled for planning: one buffer for each iteration of a repeat, and the way back to placements that rotate.
//
// The idea is that of NNC's tensor allocation: unroll a body until its carried values need not move, plan the unrolled body, and
// use the offsets of its buffers iteration by iteration.
#pragma once

#include "core/ir/problem.h"
#include "core/plan/plan.h"

#include <optional>

namespace stowage {

/// A problem without carried values. Its axis contains a loop's body once for each iteration of the loop's repeat, and a buffer
/// that rotates becomes one buffer for each of these iterations.
struct Unrolled {
    Problem problem;
    std::vector<std::int32_t> repeats; ///< by loop of the original: number of times that its body is on the axis, >= 1
    /// By buffer of the original: the loops with which it rotates (the loops around it with a repeat above 1), outermost first,
    /// and the buffers of their iterations; the outermost loop varies slowest. A buffer that does not rotate has one buffer and
    /// no loop.
    std::vector<std::vector<LoopId>> loops;
    std::vector<std::vector<BufferId>> buffersOf;
    std::vector<BufferId> origins; ///< by buffer of `problem`: the original buffer; for united buffers, the first of them
};

/// True when some buffer has carried values or early ranges. Otherwise there is nothing to unroll.
bool needsUnrolling(const Problem& problem);

/// Unrolls a problem. The repeat of a loop is the smallest number of iterations with which two values of one buffer that are in
/// use together never have the same address. It is 1 if each carried value is dead before its successor is made; 2 if `x <= y`
/// and the two are in use together; k + 1 for a delay line of length k whose result is made while its input is read. An initial
/// value is united with the buffer that replaces it in later iterations, if both are of one kind and never in use together. No
/// value when there would be more than `maxBuffers` buffers or an axis of more than 2^62 steps, or when a buffer with several
/// slots is carried. Requires a checked problem. O(buffers^2) for buffers with early ranges or carried values, near-linear for
/// the others; with `Axis::dag` O(conflicts * repeats^2).
std::optional<Unrolled> unroll(const Problem& problem, std::size_t maxBuffers = std::size_t{1} << 20);

/// The plan for the original problem. A buffer rotates if the buffers of its iterations have different offsets; otherwise it has
/// one offset. No value when the buffers of one original lie in different pools. Claims and diagnostics are left out, because
/// they refer to buffers of the unrolled problem.
std::optional<Plan> foldPlan(const Unrolled& unrolled, const Problem& problem, const Plan& plan);

} // namespace stowage
