#include "core/exec/fold_interpreter.h"

#include "core/ir/checked.h"

#include <cstring>

namespace stowage {

namespace {

std::optional<std::int64_t> elementCount(const std::vector<std::int64_t>& shape)
{
    std::optional<std::int64_t> count = 1;
    for (const std::int64_t extent : shape) {
        if (extent < 0 || !count) return std::nullopt;
        count = checkedMultiply(*count, extent);
    }
    return count;
}

Error badNest(const char* what)
{
    return failure(Code::badNest, what);
}

/// Index of an element in the operand; -1: outside.
std::int64_t placeOf(const NestOperand& operand, const std::vector<std::int64_t>& shape,
                     const std::vector<std::int64_t>& position)
{
    std::int64_t place = 0;
    for (std::size_t d = 0; d < operand.index.size(); ++d) {
        std::int64_t at_ = operand.index[d].constant;
        for (const IndexTerm& term : operand.index[d].terms) {
            std::int64_t value = position[at(term.dimension)] / term.divisor;
            if (term.modulus > 0) value %= term.modulus;
            at_ += term.coefficient * value;
        }
        if (at_ < 0 || at_ >= shape[d]) return -1;
        place = place * shape[d] + at_;
    }
    return place;
}

bool fits(const LoopNest& nest, std::span<const ConstantTensor* const> operands)
{
    if (operands.size() != nest.operands.size() || nest.body.inputs != static_cast<std::int32_t>(operands.size())) return false;
    if (!nest.reduction.empty() && operands.empty()) return false;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto count = elementCount(operands[i]->shape);
        if (!count || nest.operands[i].index.size() != operands[i]->shape.size()) return false;
        if (operands[i]->bytes.size() != at(*count) * static_cast<std::size_t>(bytesOf(operands[i]->element))) return false;
        const std::size_t loops = nest.shape.size() + (i + 1 < operands.size() ? nest.reduction.size() : 0);
        for (const IndexSum& sum : nest.operands[i].index)
            for (const IndexTerm& term : sum.terms)
                if (term.dimension < 0 || at(term.dimension) >= loops || term.divisor < 1) return false;
    }
    const auto registers = static_cast<std::int32_t>(registerCount(nest.body));
    return nest.body.result >= 0 && nest.body.result < registers;
}

/// Advances to the next position; after the last one all loops are at 0 again.
void nextPosition(std::span<std::int64_t> position, std::span<const std::int64_t> bounds)
{
    for (std::size_t d = bounds.size(); d-- > 0;) {
        if (++position[d] < bounds[d]) return;
        position[d] = 0;
    }
}

/// Reads one element of an operand; false when there is none.
bool load(const NestOperand& operand, const ConstantTensor& tensor, const std::vector<std::int64_t>& position,
          std::uint64_t& value)
{
    const std::int64_t place = placeOf(operand, tensor.shape, position);
    if (place < 0) {
        value = operand.outside.value_or(0);
        return operand.outside.has_value();
    }
    const auto width = static_cast<std::size_t>(bytesOf(tensor.element));
    value = 0;
    std::memcpy(&value, tensor.bytes.data() + at(place) * width, width);
    return true;
}

} // namespace

Expected<ConstantTensor> runNest(const LoopNest& nest, std::span<const ConstantTensor* const> operands)
{
    const auto count = elementCount(nest.shape);
    const auto width = static_cast<std::size_t>(bytesOf(nest.element));
    if (!count || !checkedMultiply(*count, static_cast<Bytes>(width))) return badNest("the result's size is not known");
    if (!fits(nest, operands)) return badNest("an operand does not fit the nest");
    const auto inner = elementCount(nest.reduction);
    if (!inner) return badNest("a loop's bound is not known");
    ConstantTensor result{nest.element, nest.shape, {}};
    result.bytes.resize(at(*count) * width);
    std::vector<std::uint64_t> registers(registerCount(nest.body));
    std::vector<std::int64_t> position(nest.shape.size() + nest.reduction.size(), 0);
    const std::span outerLoops(position.data(), nest.shape.size());
    const std::span innerLoops(position.data() + nest.shape.size(), nest.reduction.size());
    const std::size_t read = operands.size() - (nest.reduction.empty() ? 0 : 1); // operands that are read in each iteration
    constexpr auto outside = "a position is outside of an operand";
    for (std::int64_t element = 0; element < *count; ++element) {
        std::uint64_t value = 0;
        if (read < operands.size() && !load(nest.operands[read], *operands[read], position, value)) return badNest(outside);
        for (std::int64_t iteration = 0; iteration < *inner; ++iteration) {
            for (std::size_t i = 0; i < read; ++i)
                if (!load(nest.operands[i], *operands[i], position, registers[i])) return badNest(outside);
            if (read < operands.size()) registers[read] = value;
            value = runScalars(nest.body, registers, position);
            nextPosition(innerLoops, nest.reduction);
        }
        std::memcpy(result.bytes.data() + at(element) * width, &value, width);
        nextPosition(outerLoops, nest.shape);
    }
    return result;
}

} // namespace stowage
