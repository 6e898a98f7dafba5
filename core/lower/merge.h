// Optional sharing: results written over inputs that are no longer needed, and views in the storage of their inputs.
#pragma once

#include "core/lower/facts.h"
#include "core/lower/storage.h"

namespace stowage::lowering {

/// Where each storage lies after merging.
struct Merged {
    std::vector<std::int32_t> root; ///< by storage: the storage in which it lies; itself when it was not merged
    std::vector<Bytes> delta;       ///< by storage: offset in its root
};

/// Merges storages; `storages` and `facts` are valid for roots afterwards, and unspecified for merged storages. Obligatory
/// in-place pairs come first. Then, op by op, views (`ViewMode::merged`) and permitted in-place pairs (`InPlaceMode::allowed`).
/// Errors: an obligatory pair that is impossible.
///
/// A result may overwrite its input if both are live together only at the op, and the input is not needed afterwards: by no op
/// that can follow, no copy at the end of a region, no later iteration, and not by the caller. A view may lie in its input if
/// neither is written while the other is live. An input of the program is never overwritten by an output of it, nor one output by
/// another. Constants, variables, pinned and multi-buffered tensors are not merged; an obligatory in-place output of a variable,
/// or of a tensor that is not planned, takes its address. The two of another obligatory pair lie in a pool that both may lie in.
/// With a partial order (it may be null) these conditions have to hold in every order. Near-linear in the expanded program.
Expected<Merged> merge(const Expansion& expansion, const PartialOrder* order, Storages& storages, Facts& facts,
                       const LowerOptions& options);

/// True when some op has an obligatory pair, or the options allow merging. `merge` then needs `Storage::writes` and
/// `Storage::needs`.
bool wantsMerging(const Program& program, const LowerOptions& options);

} // namespace stowage::lowering
