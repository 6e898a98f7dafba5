// Judges a plan the slow way, by writing every byte down. Shares no code with the core's checker.
#pragma once

#include "core/plan/plan.h"

#include <string>

namespace stowage::test {

/// Empty when the plan is valid, else what is wrong with it. Capacities are not judged. Meant for small problems: time and memory
/// grow with pairs of buffers, steps, iterations and bytes. Where something is carried round a loop, or early in one, every
/// moment of a run is looked at: each step in each iteration of the loops around it, and behind a loop every number of iterations
/// that it may have run, up to `maxIterations`. That shows everything as long as periods and distances multiply to no more than
/// that.
std::string objection(const Problem& problem, const Plan& plan, std::int64_t maxIterations = 8);

} // namespace stowage::test
