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

/// The element's place in the operand; -1: outside.
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
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const auto count = elementCount(operands[i]->shape);
        if (!count || nest.operands[i].index.size() != operands[i]->shape.size()) return false;
        if (operands[i]->bytes.size() != at(*count) * static_cast<std::size_t>(bytesOf(operands[i]->element))) return false;
        for (const IndexSum& sum : nest.operands[i].index)
            for (const IndexTerm& term : sum.terms)
                if (term.dimension < 0 || at(term.dimension) >= nest.shape.size() || term.divisor < 1) return false;
    }
    const auto registers = static_cast<std::int32_t>(registerCount(nest.body));
    return nest.body.result >= 0 && nest.body.result < registers;
}

} // namespace

Expected<ConstantTensor> runNest(const LoopNest& nest, std::span<const ConstantTensor* const> operands)
{
    const auto count = elementCount(nest.shape);
    const auto width = static_cast<std::size_t>(bytesOf(nest.element));
    if (!count || !checkedMultiply(*count, static_cast<Bytes>(width))) return badNest("the result's size is not known");
    if (!fits(nest, operands)) return badNest("an operand does not fit the nest");
    ConstantTensor result{nest.element, nest.shape, {}};
    result.bytes.resize(at(*count) * width);
    std::vector<std::uint64_t> registers(registerCount(nest.body));
    std::vector<std::int64_t> position(nest.shape.size(), 0);
    for (std::int64_t element = 0; element < *count; ++element) {
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const std::int64_t place = placeOf(nest.operands[i], operands[i]->shape, position);
            if (place < 0) {
                if (!nest.operands[i].outside) return badNest("a position is outside of an operand");
                registers[i] = *nest.operands[i].outside;
                continue;
            }
            const auto from = static_cast<std::size_t>(bytesOf(operands[i]->element));
            registers[i] = 0;
            std::memcpy(&registers[i], operands[i]->bytes.data() + at(place) * from, from);
        }
        const std::uint64_t value = runScalars(nest.body, registers, position);
        std::memcpy(result.bytes.data() + at(element) * width, &value, width);
        for (std::size_t d = position.size(); d-- > 0;) {
            if (++position[d] < nest.shape[d]) break;
            position[d] = 0;
        }
    }
    return result;
}

} // namespace stowage
