// The storage and the offset of views.
#pragma once

#include "core/ir/program.h"

#include <vector>

namespace stowage {

/// The tensor that owns a view's storage, and the view's offset in it.
struct ViewOrigin {
    TensorId root = none; ///< itself when it is no view
    Bytes offset = 0;     ///< larger sums are cut to `maxBytes`

    friend bool operator==(const ViewOrigin&, const ViewOrigin&) = default;
};

/// By tensor. Requires that no view leads back to itself. Linear.
std::vector<ViewOrigin> viewOrigins(const Function& function);

/// a + b, at most `maxBytes`: offsets into tensors of unknown size have no other bound.
Bytes addOffsets(Bytes a, Bytes b);

} // namespace stowage
