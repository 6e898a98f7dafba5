#include "core/exec/scalar_program.h"

#include <bit>
#include <cmath>
#include <limits>

namespace stowage {

namespace {

float halfToFloat(std::uint16_t half)
{
    const std::uint32_t sign = std::uint32_t{half} >> 15 << 31;
    const std::uint32_t exponent = (half >> 10) & 0x1f;
    std::uint32_t mantissa = half & 0x3ff;
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000 | (mantissa << 13));
    if (exponent == 0) {
        const float value = std::ldexp(static_cast<float>(mantissa), -24);
        return sign != 0 ? -value : value;
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

std::uint16_t floatToHalf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    const std::uint32_t magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return static_cast<std::uint16_t>(sign | 0x7e00 | (magnitude >> 13 & 0x3ff)); // a quiet NaN
    if (magnitude >= 0x477ff000) return static_cast<std::uint16_t>(sign | 0x7c00); // rounds to infinity
    if (magnitude < 0x38800000) {                                                  // subnormal, or zero
        const float scaled = std::ldexp(std::bit_cast<float>(magnitude), 24);
        return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(scaled)));
    }
    const std::uint32_t rounded = magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23);
    return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

std::uint16_t floatToBfloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) return 0x7fc0;
    return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float toFloat(std::uint64_t bits, Element element)
{
    if (element == Element::f32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (element == Element::bf16) return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
    return halfToFloat(static_cast<std::uint16_t>(bits));
}

int bitsOf(Element element)
{
    return element == Element::i1 ? 1 : 8 * bytesOf(element);
}

std::uint64_t masked(std::uint64_t bits, Element element)
{
    const int width = bitsOf(element);
    return width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

std::int64_t extended(std::uint64_t bits, Element element)
{
    const int shift = 64 - bitsOf(element);
    return static_cast<std::int64_t>(bits << shift) >> shift;
}

/// -0 is less than +0, and a NaN is the result: IEEE 754-2019's maximum and minimum.
template <typename T>
T maximum(T a, T b)
{
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<T>::quiet_NaN();
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
}

template <typename T>
T unary(ScalarOp op, T x)
{
    switch (op) {
    case ScalarOp::sqrt: return std::sqrt(x);
    case ScalarOp::rsqrt: return T{1} / std::sqrt(x);
    case ScalarOp::exp: return std::exp(x);
    case ScalarOp::exp2: return std::exp2(x);
    case ScalarOp::expm1: return std::expm1(x);
    case ScalarOp::log: return std::log(x);
    case ScalarOp::log2: return std::log2(x);
    case ScalarOp::log10: return std::log10(x);
    case ScalarOp::log1p: return std::log1p(x);
    case ScalarOp::sin: return std::sin(x);
    case ScalarOp::cos: return std::cos(x);
    case ScalarOp::tanh: return std::tanh(x);
    case ScalarOp::erf: return std::erf(x);
    case ScalarOp::ceil: return std::ceil(x);
    case ScalarOp::floor: return std::floor(x);
    case ScalarOp::trunc: return std::trunc(x);
    default: return std::nearbyint(x);
    }
}

template <typename T>
T binary(ScalarOp op, T a, T b)
{
    switch (op) {
    case ScalarOp::addf: return a + b;
    case ScalarOp::subf: return a - b;
    case ScalarOp::mulf: return a * b;
    case ScalarOp::divf: return a / b;
    case ScalarOp::maximumf: return maximum(a, b);
    case ScalarOp::minimumf: return -maximum(-a, -b);
    case ScalarOp::maxnumf: return std::fmax(a, b);
    case ScalarOp::minnumf: return std::fmin(a, b);
    default: return std::pow(a, b);
    }
}

/// MLIR's numbers: 0 false, 1 oeq … 6 one, 7 ord, 8 ueq … 13 une, 14 uno, 15 true.
bool compareFloats(std::int32_t predicate, double a, double b)
{
    if (predicate == 0 || predicate == 15) return predicate == 15;
    const bool unordered = std::isnan(a) || std::isnan(b);
    if (predicate == 7) return !unordered;
    if (predicate == 14) return unordered;
    if (unordered) return predicate > 7;
    switch (predicate > 7 ? predicate - 7 : predicate) {
    case 1: return a == b;
    case 2: return a > b;
    case 3: return a >= b;
    case 4: return a < b;
    case 5: return a <= b;
    default: return a != b;
    }
}

/// MLIR's numbers: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
bool compareIntegers(std::int32_t predicate, std::uint64_t a, std::uint64_t b, Element element)
{
    const std::int64_t sa = extended(a, element), sb = extended(b, element);
    switch (predicate) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return sa < sb;
    case 3: return sa <= sb;
    case 4: return sa > sb;
    case 5: return sa >= sb;
    case 6: return a < b;
    case 7: return a <= b;
    case 8: return a > b;
    default: return a >= b;
    }
}

std::uint64_t integer(ScalarOp op, std::uint64_t a, std::uint64_t b, Element element)
{
    const std::int64_t sa = extended(a, element), sb = extended(b, element);
    switch (op) {
    case ScalarOp::addi: return a + b;
    case ScalarOp::subi: return a - b;
    case ScalarOp::muli: return a * b;
    case ScalarOp::andi: return a & b;
    case ScalarOp::ori: return a | b;
    case ScalarOp::xori: return a ^ b;
    case ScalarOp::maxsi: return sa > sb ? a : b;
    case ScalarOp::minsi: return sa < sb ? a : b;
    case ScalarOp::maxui: return a > b ? a : b;
    default: return a < b ? a : b;
    }
}

std::uint64_t signBit(Element element)
{
    return std::uint64_t{1} << (bitsOf(element) - 1);
}

// Rounding to odd: towards zero, with the last bit set where bits are lost. Rounding the result to a type with at least two bits
// less gives the same as rounding the number itself once (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums").

float roundedToOdd(double value)
{
    const auto nearest = static_cast<float>(value);
    if (std::isnan(value) || std::isinf(nearest) || static_cast<double>(nearest) == value) return nearest;
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits; // of smaller magnitude
    return std::bit_cast<float>(bits | 1);
}

/// To f16, bf16 or f32, rounded once.
std::uint64_t narrowed(double value, Element element)
{
    return fromFloat(element == Element::f32 ? static_cast<float>(value) : roundedToOdd(value), element);
}

std::uint64_t convert(const ScalarInstruction& it, std::uint64_t a)
{
    switch (it.op) {
    case ScalarOp::extf:
    case ScalarOp::truncf:
        if (it.from == Element::f64) {
            const auto value = std::bit_cast<double>(a);
            if (it.type == Element::f64) return a;
            return narrowed(value, it.type);
        }
        if (it.type == Element::f64) return std::bit_cast<std::uint64_t>(static_cast<double>(toFloat(a, it.from)));
        return fromFloat(toFloat(a, it.from), it.type);
    case ScalarOp::extsi: return masked(static_cast<std::uint64_t>(extended(a, it.from)), it.type);
    case ScalarOp::extui:
    case ScalarOp::trunci:
    case ScalarOp::bitcast: return masked(a, it.type);
    case ScalarOp::sitofp:
        if (it.type == Element::f64) return std::bit_cast<std::uint64_t>(static_cast<double>(extended(a, it.from)));
        return fromFloat(static_cast<float>(extended(a, it.from)), it.type);
    default: // uitofp
        if (it.type == Element::f64) return std::bit_cast<std::uint64_t>(static_cast<double>(a));
        return fromFloat(static_cast<float>(a), it.type);
    }
}

bool isUnary(ScalarOp op)
{
    return (op >= ScalarOp::sqrt && op <= ScalarOp::roundeven);
}

std::uint64_t floating(const ScalarInstruction& it, std::uint64_t a, std::uint64_t b)
{
    if (it.op == ScalarOp::negf) return a ^ signBit(it.type);
    if (it.op == ScalarOp::absf) return a & ~signBit(it.type);
    if (it.op == ScalarOp::copysign) return (a & ~signBit(it.type)) | (b & signBit(it.type));
    if (it.type == Element::f64) {
        const auto x = std::bit_cast<double>(a);
        return std::bit_cast<std::uint64_t>(isUnary(it.op) ? unary(it.op, x) : binary(it.op, x, std::bit_cast<double>(b)));
    }
    const float x = toFloat(a, it.type);
    return fromFloat(isUnary(it.op) ? unary(it.op, x) : binary(it.op, x, toFloat(b, it.type)), it.type);
}

} // namespace

int bytesOf(Element element)
{
    switch (element) {
    case Element::i1:
    case Element::i8: return 1;
    case Element::i16:
    case Element::f16:
    case Element::bf16: return 2;
    case Element::i32:
    case Element::f32: return 4;
    case Element::i64:
    case Element::f64: break;
    }
    return 8;
}

double toDouble(std::uint64_t bits, Element element)
{
    return element == Element::f64 ? std::bit_cast<double>(bits) : static_cast<double>(toFloat(bits, element));
}

std::uint64_t fromFloat(float value, Element element)
{
    if (element == Element::f32) return std::bit_cast<std::uint32_t>(value);
    return element == Element::bf16 ? floatToBfloat(value) : floatToHalf(value);
}

std::uint64_t runScalars(const ScalarProgram& program, std::span<std::uint64_t> registers, std::span<const std::int64_t> position)
{
    std::size_t next = at(program.inputs);
    for (const std::uint64_t constant : program.constants) registers[next++] = constant;
    for (const ScalarInstruction& it : program.instructions) {
        const std::uint64_t a = it.op == ScalarOp::index ? 0 : registers[at(it.a)];
        const std::uint64_t b = registers.empty() || it.op == ScalarOp::index ? 0 : registers[at(it.b)];
        std::uint64_t value = 0;
        if (it.op == ScalarOp::index)
            value = static_cast<std::uint64_t>(position[at(it.a)]);
        else if (it.op == ScalarOp::select)
            value = a != 0 ? b : registers[at(it.c)];
        else if (it.op == ScalarOp::cmpf)
            value = compareFloats(it.predicate, toDouble(a, it.from), toDouble(b, it.from)) ? 1 : 0;
        else if (it.op == ScalarOp::cmpi)
            value = compareIntegers(it.predicate, a, b, it.from) ? 1 : 0;
        else if (it.op >= ScalarOp::extf)
            value = convert(it, a);
        else if (it.op >= ScalarOp::addi)
            value = masked(integer(it.op, a, b, it.type), it.type);
        else
            value = floating(it, a, b);
        registers[next++] = value;
    }
    return registers[at(program.result)];
}

} // namespace stowage
