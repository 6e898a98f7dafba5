// Straight-line programs on single elements, bit-exact: the body of an element-wise op.
//
// Values are bit patterns of their element type. Arithmetic on f32 and f64 is that of the machine. f16 and bf16 are computed in
// f32 and rounded to nearest even after each op, as compilers lower them for machines without such arithmetic; a NaN that is
// rounded to bf16 becomes 0x7fc0. A conversion of f64 rounds once; one of an integer goes through f32, because LLVM converts
// integers so, and may round twice on its way to bf16. Mathematical functions are those of the C library, in the precision of
// the element type.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <span>
#include <vector>

namespace stowage {

enum class Element : std::uint8_t { i1, i8, i16, i32, i64, f16, bf16, f32, f64 };

/// Bytes of one element in memory; an `i1` takes one byte.
[[nodiscard]] int bytesOf(Element element);

enum class ScalarOp : std::uint8_t {
    addf,
    subf,
    mulf,
    divf,
    negf,
    absf,
    maximumf,
    minimumf,
    maxnumf,
    minnumf,
    sqrt,
    rsqrt,
    exp,
    exp2,
    expm1,
    log,
    log2,
    log10,
    log1p,
    sin,
    cos,
    tanh,
    erf,
    ceil,
    floor,
    trunc,
    roundeven,
    powf,
    copysign,
    addi,
    subi,
    muli,
    andi,
    ori,
    xori,
    maxsi,
    maxui,
    minsi,
    minui,
    cmpf,
    cmpi,
    select,
    extf,
    truncf,
    extsi,
    extui,
    trunci,
    sitofp,
    uitofp,
    bitcast,
    index, ///< the loop's position in dimension `a`
};

/// One instruction. `a`, `b` and `c` are registers; registers are numbered from the inputs, over the constants, to the results of
/// the instructions in order.
struct ScalarInstruction {
    ScalarOp op = ScalarOp::addf;
    Element type = Element::f32; ///< of the result; of `cmpf`, `cmpi`: i1
    Element from = Element::f32; ///< of the first operand
    std::int32_t a = 0, b = 0, c = 0;
    std::int32_t predicate = 0; ///< of `cmpf` and `cmpi`: the number that MLIR gives the predicate
};

struct ScalarProgram {
    std::int32_t inputs = 0;
    std::vector<std::uint64_t> constants;
    std::vector<ScalarInstruction> instructions;
    std::int32_t result = 0; ///< the register that holds the element
};

/// Executes the program and returns the result's bits. `registers` holds the inputs at its begin and has `registerCount(program)`
/// elements; `position` is the position of the loops.
std::uint64_t runScalars(const ScalarProgram& program, std::span<std::uint64_t> registers,
                         std::span<const std::int64_t> position);
[[nodiscard]] inline std::size_t registerCount(const ScalarProgram& program)
{
    return at(program.inputs) + program.constants.size() + program.instructions.size();
}

/// Converts bit patterns to numbers and back, rounding to nearest even.
[[nodiscard]] double toDouble(std::uint64_t bits, Element element);
[[nodiscard]] std::uint64_t fromFloat(float value, Element element); ///< f16, bf16, f32

} // namespace stowage
