#include "core/ir/views.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage {

Bytes addOffsets(Bytes a, Bytes b)
{
    return std::min(checkedAdd(a, b).value_or(maxBytes), maxBytes);
}

std::vector<ViewOrigin> viewOrigins(const Function& function)
{
    std::vector<ViewOrigin> origins(function.tensors.size());
    std::vector<std::size_t> chain;
    for (std::size_t t = 0; t < origins.size(); ++t) {
        std::size_t tensor = t;
        chain.clear();
        while (origins[tensor].root == none && function.tensors[tensor].aliasOf != none) {
            chain.push_back(tensor);
            tensor = static_cast<std::size_t>(function.tensors[tensor].aliasOf);
        }
        if (origins[tensor].root == none) origins[tensor] = {static_cast<TensorId>(tensor), 0};
        ViewOrigin reached = origins[tensor];
        for (auto view = chain.rbegin(); view != chain.rend(); ++view) {
            reached.offset = addOffsets(reached.offset, function.tensors[*view].aliasOffset);
            origins[*view] = reached;
        }
    }
    return origins;
}

} // namespace stowage
