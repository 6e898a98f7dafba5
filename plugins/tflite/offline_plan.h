// The plan that a file brings along.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/tflite/build.h"

namespace stowage::tflite {

/// The plan of `model` (which has one) in terms of what was built from it.
FilePlan filePlan(const Model& model, const Built& built);

/// A warning when two tensors of the main graph lie on common bytes while both are live: an accelerator's compiler does that on
/// purpose. Names the first such pair. O(n log n) for n tensors, up to that pair.
void warnAboutOverlap(const Model& model, Diagnostics& diagnostics);

} // namespace stowage::tflite
