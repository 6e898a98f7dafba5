// Finds the storage and the offset of views, and fields of views that have no effect.
#pragma once

#include "core/ir/diagnostic.h"
#include "core/ir/program.h"

#include <optional>
#include <vector>

namespace stowage {

/// The tensor that owns the storage of a view, and the offset of the view in it.
struct ViewOrigin {
    TensorId root = none; ///< the tensor itself if it is no view
    Bytes offset = 0;     ///< bytes; at most `maxBytes`, larger sums are clamped

    friend bool operator==(const ViewOrigin&, const ViewOrigin&) = default;
};

/// The origin of each tensor, by tensor id. Requires that views form no cycle. Linear.
std::vector<ViewOrigin> viewOrigins(const Function& function);

/// A warning if views state an offset, pools or slots that differ from those of the tensor whose storage they share: they have no
/// effect. Names the first view. Requires a verified program. Linear.
std::optional<Diagnostic> viewPlacesWithoutEffect(const Program& program);

/// min(a + b, `maxBytes`). Offsets into tensors of unknown size have no other bound.
Bytes addOffsets(Bytes a, Bytes b);

} // namespace stowage
