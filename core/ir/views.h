// Where views lead to.
#pragma once

#include "core/ir/program.h"

#include <vector>

namespace stowage {

/// A tensor's place in the tensor at the end of its chain of views.
struct ViewOrigin {
    TensorId root = none; ///< itself when it is no view
    Bytes offset = 0;     ///< at most `maxBytes`, where longer chains end

    friend bool operator==(const ViewOrigin&, const ViewOrigin&) = default;
};

/// By tensor. Requires that no view leads back to itself. Linear.
std::vector<ViewOrigin> viewOrigins(const Function& function);

/// a + b, at most `maxBytes`: offsets into tensors of unknown size have no other bound.
Bytes addOffsets(Bytes a, Bytes b);

} // namespace stowage
