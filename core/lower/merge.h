// Optional sharing: results written over inputs that are no longer needed, and views in the storage of their inputs.
#pragma once

#include "core/lower/facts.h"
#include "core/lower/storage.h"

namespace stowage::lowering {

/// Where each storage lies after merging.
struct Merged {
    std::vector<std::int32_t> root; ///< by storage: the one that it lies in; itself when nothing took it
    std::vector<Bytes> delta;       ///< by storage: from the root's begin
};

/// Merges into `storages` and `facts` (of roots; the others' are spent). Obligatory in-place pairs come first, an error where one
/// is impossible; then, op by op, views (`ViewMode::merged`) and permitted in-place pairs (`InPlaceMode::allowed`).
///
/// A result may take its input's place when the two are live together at the op alone, and nothing needs the input after it: no
/// op that can come next, no copy where a region ends, no later iteration, not the caller. A view may lie in its input for as
/// long as nothing is written to either while the other is live. Inputs of the program are never written over with its outputs,
/// nor one output with another; constants, variables, pinned and multi-buffered tensors keep their places (what has to be written
/// over a variable, or over something that is not planned, lies there). Near-linear in the expanded program. With a partial order
/// (it may be null) all that is said of what comes later or earlier has to hold in every order.
Expected<Merged> merge(const Expansion& expansion, const PartialOrder* order, Storages& storages, Facts& facts,
                       const LowerOptions& options);

/// True when some op has obligatory pairs, or the options allow merging: `merge` then needs the storages' writes.
bool wantsMerging(const Program& program, const LowerOptions& options);

} // namespace stowage::lowering
