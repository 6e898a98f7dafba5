// The plan in a file's metadata.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/tflite/accelerator_arena.h"
#include "plugins/tflite/build.h"

namespace stowage::tflite {

/// The plan of `model`, with the tensors of the program that was built from it. Requires a model with a plan.
FilePlan filePlan(const Model& model, const Built& built);

/// Adds a warning if two tensors of the main sub-graph have common bytes while both are live, and names the first such pair.
/// Compilers for accelerators place tensors like this on purpose. Tensors in `arena` (may be null) count as the arena alone. O(n
/// log n) for n tensors.
void warnAboutOverlap(const Model& model, const AcceleratorArena* arena, Diagnostics& diagnostics);

} // namespace stowage::tflite
