#include "core/ir/views.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace stowage {

namespace {

/// True if the fields of a view state no other place than those of the tensor whose storage it shares.
bool samePlace(const Tensor& view, const Tensor& root, Bytes offset)
{
    if (view.pinnedOffset && (!root.pinnedOffset || *view.pinnedOffset != addOffsets(*root.pinnedOffset, offset))) return false;
    return (view.pools.empty() || view.pools == root.pools) && (view.multiBuffer == 1 || view.multiBuffer == root.multiBuffer);
}

} // namespace

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

std::optional<Diagnostic> viewPlacesWithoutEffect(const Program& program)
{
    const Tensor* first = nullptr;
    const Tensor* viewed = nullptr;
    std::size_t count = 0;
    for (const Function& function : program.functions) {
        const std::vector<ViewOrigin> origins = viewOrigins(function);
        for (std::size_t t = 0; t < origins.size(); ++t) {
            const Tensor& view = function.tensors[t];
            const Tensor& root = function.tensors[at(origins[t].root)];
            if (view.aliasOf == none || samePlace(view, root, origins[t].offset) || count++ > 0) continue;
            first = &view;
            viewed = &root;
        }
    }
    if (!first) return std::nullopt;
    const std::string more = count == 1 ? "" : fmt::format(" (views like this: {})", count);
    return warning(Code::badValue,
                   fmt::format("'{}' is a view and lies in '{}': its 'offset', 'pools' and 'multi_buffer' have no effect{}",
                               first->name, viewed->name, more),
                   first->where, "state them for the viewed tensor");
}

} // namespace stowage
