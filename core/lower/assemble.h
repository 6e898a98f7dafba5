// The last step of a lowering: makes the buffers, and binds tensors to them.
#pragma once

#include "core/lower/merge.h"

namespace stowage::lowering {

/// Fills the problem's buffers, the bindings of all instances, the steps, the origins and the list of tensors that are left out.
/// With a partial order (it may be null), also the explicit conflicts. Errors: sizes with rounding above 2^62 bytes; those of
/// `addConflicts`. Linear in the expanded program, without the conflicts.
std::optional<Error> assemble(const Expansion& expansion, const PartialOrder* order, const Storages& storages, const Facts& facts,
                              const Merged& merged, Lowering& to);

} // namespace stowage::lowering
