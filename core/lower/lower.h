// The only place where a program becomes a problem.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/ir/program.h"
#include "core/lower/lowering.h"

#include <span>

namespace stowage {

/// Lowers a program: verifies it, expands calls and regions into one axis, finds which tensors share storage (the rules are in
/// core/lower/sharing.h) and when each storage is live, and merges what the options allow (core/lower/merge.h). Errors: what the
/// verifier finds, an obligatory in-place pair that is impossible, a tensor that no pool may take, an option that is not
/// available, more than 2^24 steps. Near-linear in the expanded program.
Expected<Lowering> lower(const Program& program, const LowerOptions& options);

/// The same for an input that is a problem already (CSV, problem JSON): applies `options.alignment` and, where `options.pools` is
/// not empty, the target's pools (candidates are kept by name; an unknown name is an error). No bindings, no origins.
Expected<Lowering> lower(Problem problem, const LowerOptions& options);

/// Whether the tensor was left out because its size is unknown. `program` is the one that was lowered. O(1).
[[nodiscard]] bool isOfUnknownSize(const LeftOut& left, const Program& program);

} // namespace stowage
