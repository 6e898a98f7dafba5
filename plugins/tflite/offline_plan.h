// The plan that a file brings along.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/tflite/accelerator_arena.h"
#include "plugins/tflite/build.h"

namespace stowage::tflite {

/// The plan of `model` (which has one) in terms of what was built from it.
FilePlan filePlan(const Model& model, const Built& built);

/// A warning when two tensors of the main graph lie on common bytes while both are live: an accelerator's compiler does that on
/// purpose. What lies in `arena` (may be null) counts as the arena alone. Names the first such pair. O(n log n) for n tensors, up
/// to that pair.
void warnAboutOverlap(const Model& model, const AcceleratorArena* arena, Diagnostics& diagnostics);

} // namespace stowage::tflite
