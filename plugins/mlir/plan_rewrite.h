// Writes a plan into a module: one arena for each pool, and views of it at constant offsets (see arena_form.h).
#pragma once

#include "plugins/api/rewriter.h"
#include "plugins/mlir/module_reader.h"

namespace stowage::mlirfile {

/// The module's text with the allocations of the planned functions replaced. If a pool holds allocations of several memory
/// spaces, each of them gets an arena. The ends of lifetimes of what lies in an arena go. Allocations outside of the plan stay.
///
/// Errors, with the position of the op: "dynamic-shape" for an allocation that cannot become a view (dynamic shape, a non-default
/// layout); "rotating" and "several-places" for one whose bytes move while the function runs; "not-supported" for a function
/// whose callees allocate, and for an op that may free or hand out an allocation of the plan.
Expected<Rewritten> rewritePlanned(const RewriteRequest& request);

} // namespace stowage::mlirfile
