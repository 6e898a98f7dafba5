#include "core/lower/element_alignment.h"

#include "core/ir/dtype.h"

#include <algorithm>

namespace stowage::lowering {

namespace {

Bytes elementBytes(const Tensor& tensor)
{
    constexpr Bytes widest = 8; // the alignment of a complex number is the size of its parts
    return std::clamp<Bytes>(dtypeBits(tensor.dtype).value_or(8) / 8, 1, widest);
}

/// The alignment that `tensor` gets where it states none.
Bytes alignmentFor(const Function& function, const Tensor& tensor)
{
    if (tensor.alignment != 1) return tensor.alignment;
    const Bytes element = elementBytes(tensor);
    const Tensor* owner = &tensor;
    for (; owner->aliasOf != none; owner = &function.tensors[static_cast<std::size_t>(owner->aliasOf)])
        if (owner->aliasOffset % element != 0) return 1;
    return owner->pinnedOffset.value_or(0) % element == 0 ? element : 1;
}

} // namespace

std::optional<Program> withElementAlignment(const Program& program)
{
    std::optional<Program> aligned;
    for (std::size_t f = 0; f < program.functions.size(); ++f)
        for (std::size_t t = 0; t < program.functions[f].tensors.size(); ++t) {
            const Bytes alignment = alignmentFor(program.functions[f], program.functions[f].tensors[t]);
            if (alignment == program.functions[f].tensors[t].alignment) continue;
            if (!aligned) aligned = program;
            aligned->functions[f].tensors[t].alignment = alignment;
        }
    return aligned;
}

} // namespace stowage::lowering
