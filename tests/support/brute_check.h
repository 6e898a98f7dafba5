// Judges a plan the slow way, by writing every byte down. Shares no code with the core's checker.
#pragma once

#include "core/plan/plan.h"

#include <string>

namespace stowage::test {

/// Empty when the plan is valid, else what is wrong with it. Capacities are not judged. Meant for small problems: time and memory
/// grow with pairs of buffers, steps, iterations and bytes. Where something is carried round a loop, copies of which iterations meet is
/// left to running the plan (core/exec): judged are each buffer by itself, and explicit conflicts.
std::string objection(const Problem& problem, const Plan& plan);

} // namespace stowage::test
