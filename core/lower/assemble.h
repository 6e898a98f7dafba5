// The last step of a lowering: makes the buffers, and binds tensors to them.
#pragma once

#include "core/lower/merge.h"

namespace stowage::lowering {

/// Fills the problem's buffers, the bindings of all instances, steps, origins and what was left out, and with a partial order (it
/// may be null) the conflicts. An error when sizes with their rounding exceed 2^62 bytes. Linear in the expanded program,
/// conflicts aside.
std::optional<Error> assemble(const Expansion& expansion, const PartialOrder* order, const Storages& storages, const Facts& facts,
                              const Merged& merged, Lowering& to);

} // namespace stowage::lowering
