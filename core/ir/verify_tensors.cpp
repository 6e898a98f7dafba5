#include "core/ir/checked.h"
#include "core/ir/duplicate_names.h"
#include "core/ir/limits.h"
#include "core/ir/verify_parts.h"

#include <fmt/format.h>

#include <string_view>

namespace stowage::verifying {

namespace {

/// By tensor: whether the region that declares it lists it as an input or output.
struct Listed {
    std::vector<bool> asInput;
    std::vector<bool> asOutput;

    explicit Listed(const Function& function) : asInput(function.tensors.size()), asOutput(function.tensors.size())
    {
        for (std::size_t r = 0; r < function.regions.size(); ++r) {
            const auto own = [&](TensorId id) { return at(function.tensors[at(id)].region) == r; };
            for (const TensorId id : function.regions[r].inputs)
                if (own(id)) asInput[at(id)] = true;
            for (const TensorId id : function.regions[r].outputs)
                if (own(id)) asOutput[at(id)] = true;
        }
    }
};

void checkNumbers(const Function& function, const Tensor& tensor, Findings& findings)
{
    const auto wrong = [&](const char* what, std::int64_t value) {
        findings.error(Code::outOfRange, fmt::format("{} of {} is {}", what, describe(function, tensor), value), tensor.where);
    };
    if (tensor.bytes && (*tensor.bytes < 0 || *tensor.bytes > maxBytes)) wrong("the size", *tensor.bytes);
    if (tensor.alignment < 1 || tensor.alignment > maxBytes) wrong("the alignment", tensor.alignment);
    if (tensor.multiBuffer < 1 || tensor.multiBuffer > maxSlots) wrong("the number of slots", tensor.multiBuffer);
    if (tensor.pinnedOffset && (*tensor.pinnedOffset < 0 || *tensor.pinnedOffset > maxBytes))
        wrong("the pinned offset", *tensor.pinnedOffset);
    for (const std::int64_t extent : tensor.shape)
        if (extent < -1) wrong("an extent", extent);
}

/// Checks that the viewed tensor is visible where the view is declared, and large enough.
void checkView(const Function& function, const Tensor& view, const RegionTree& tree, Findings& findings)
{
    const Tensor& viewed = function.tensors[at(view.aliasOf)];
    if (!tree.inside(view.region, viewed.region))
        findings.error(Code::notVisible,
                       fmt::format("{} views '{}', which is declared in another region", describe(function, view), viewed.name),
                       view.where);
    if (view.aliasOffset < 0 || view.aliasOffset > maxBytes) {
        findings.error(Code::outOfRange,
                       fmt::format("{} begins at {} in '{}'", describe(function, view), view.aliasOffset, viewed.name),
                       view.where);
        return;
    }
    if (view.bytes && viewed.bytes && *view.bytes <= maxBytes && view.aliasOffset + *view.bytes > *viewed.bytes)
        findings.error(Code::viewOutside,
                       fmt::format("{} covers bytes [{}, {}) of '{}', which has {}", describe(function, view), view.aliasOffset,
                                   view.aliasOffset + *view.bytes, viewed.name, *viewed.bytes),
                       view.where);
}

/// Reports cycles of views. O(tensors).
void checkViewCircles(const Function& function, Findings& findings)
{
    // Number, from 1, of the walk that visited a tensor first; 0: not visited.
    std::vector<std::size_t> seenBy(function.tensors.size(), 0);
    for (std::size_t t = 0; t < function.tensors.size(); ++t) {
        std::size_t tensor = t;
        while (seenBy[tensor] == 0 && function.tensors[tensor].aliasOf != none) {
            seenBy[tensor] = t + 1;
            tensor = at(function.tensors[tensor].aliasOf);
        }
        if (seenBy[tensor] == t + 1)
            findings.error(Code::viewCircle, fmt::format("{} is a view of itself", describe(function, function.tensors[tensor])),
                           function.tensors[tensor].where);
        seenBy[tensor] = t + 1;
    }
}

} // namespace

void checkTensors(const Function& function, const RegionTree& tree, Findings& findings)
{
    const Listed listed(function);
    const auto duplicates =
        duplicateNames(function.tensors.size(), [&](std::size_t t) -> std::string_view { return function.tensors[t].name; });
    auto duplicate = duplicates.begin();
    for (std::size_t t = 0; t < function.tensors.size(); ++t) {
        const Tensor& tensor = function.tensors[t];
        if (tensor.name.empty()) {
            findings.error(Code::unnamed, fmt::format("{} has no name", describe(function, tensor)), tensor.where);
        } else if (duplicate != duplicates.end() && duplicate->number == t) {
            ++duplicate;
            findings.error(Code::duplicateName, fmt::format("two tensors of '{}' are named '{}'", function.name, tensor.name),
                           tensor.where);
        }
        checkNumbers(function, tensor, findings);
        if (tensor.aliasOf != none) checkView(function, tensor, tree, findings);
        const Region& region = function.regions[at(tensor.region)];
        if (tensor.kind == TensorKind::input && !listed.asInput[t])
            findings.error(Code::notListed,
                           fmt::format("{} is of kind input, and {} does not list it", describe(function, tensor),
                                       describe(function, region)),
                           tensor.where, "add it to \"inputs\", or change its kind");
        if (tensor.kind == TensorKind::output && !listed.asOutput[t])
            findings.error(Code::notListed,
                           fmt::format("{} is of kind output, and {} does not list it", describe(function, tensor),
                                       describe(function, region)),
                           tensor.where, "add it to \"outputs\", or change its kind");
    }
    checkViewCircles(function, findings);
}

} // namespace stowage::verifying
