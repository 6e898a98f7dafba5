// The interpreter of constant tensors: element by element against plain formulas, and roundings against all bit patterns.
#include "core/exec/fold_interpreter.h"

#include <QtTest/QTest>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace stowage;

namespace {

ConstantTensor floats(std::vector<std::int64_t> shape, const std::vector<float>& values)
{
    ConstantTensor tensor{Element::f32, std::move(shape), {}};
    tensor.bytes.resize(values.size() * 4);
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
}

std::vector<float> values(const ConstantTensor& tensor)
{
    std::vector<float> result(tensor.bytes.size() / 4);
    std::memcpy(result.data(), tensor.bytes.data(), tensor.bytes.size());
    return result;
}

ScalarProgram handOn()
{
    ScalarProgram program;
    program.inputs = 1;
    return program;
}

std::uint64_t one(ScalarOp op, Element type, std::uint64_t a, std::uint64_t b = 0, Element from = Element::f32,
                  std::int32_t predicate = 0)
{
    ScalarProgram program;
    program.inputs = 2;
    program.instructions = {{op, type, from, 0, 1, 0, predicate}};
    program.result = 2;
    std::vector<std::uint64_t> registers{a, b, 0};
    return runScalars(program, registers, {});
}

std::uint64_t bits(float value)
{
    return std::bit_cast<std::uint32_t>(value);
}

} // namespace

class FoldInterpreterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void packPadsAndUnpackGivesBack()
    {
        // 3 x 5 in tiles of 2 x 4: position (i, j) of tile (a, b) is (2 a + i, 4 b + j), outside it is -1.
        std::vector<float> source(15);
        for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<float>(i);
        const ConstantTensor matrix = floats({3, 5}, source);
        LoopNest nest;
        nest.shape = {2, 2, 2, 4};
        nest.operands = {{{{0, {{0, 2}, {2}}}, {0, {{1, 4}, {3}}}}, bits(-1.0f)}};
        nest.body = handOn();
        const ConstantTensor* operands[] = {&matrix};
        const auto packed = runNest(nest, operands);
        QVERIFY(bool(packed));
        const std::vector<float> tiles = values(*packed);
        for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b)
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 4; ++j) {
                        const int row = 2 * a + i, column = 4 * b + j;
                        const float expected = row < 3 && column < 5 ? static_cast<float>(5 * row + column) : -1.0f;
                        QCOMPARE(tiles[static_cast<std::size_t>(((a * 2 + b) * 2 + i) * 4 + j)], expected);
                    }
        LoopNest back;
        back.shape = {3, 5};
        back.operands = {{{{0, {{0, 1, 2, 0}}}, {0, {{1, 1, 4, 0}}}, {0, {{0, 1, 1, 2}}}, {0, {{1, 1, 1, 4}}}}, {}}};
        back.body = handOn();
        operands[0] = &*packed;
        QCOMPARE(values(*runNest(back, operands)), source);
        nest.operands[0].outside.reset(); // without padding the same positions are an error
        operands[0] = &matrix;
        QVERIFY(!runNest(nest, operands));
    }

    /// A product of matrices is summed from its first value on, in the order of compiled loops: float sums depend on it.
    void sumsRunInTheOrderOfLoops()
    {
        const std::vector<float> left{1e8f, 1, -1e8f, 0.25f, 3, 1e-3f}, right{1, 2, 3, 0.5f, 5, 6}, begin{7, 8, 9, 10};
        const ConstantTensor a = floats({2, 3}, left), b = floats({3, 2}, right), c = floats({2, 2}, begin);
        LoopNest nest;
        nest.shape = {2, 2};
        nest.reduction = {3};
        nest.operands = {{{{0, {{0}}}, {0, {{2}}}}, {}}, {{{0, {{2}}}, {0, {{1}}}}, {}}, {{{0, {{0}}}, {0, {{1}}}}, {}}};
        nest.body.inputs = 3;
        nest.body.instructions = {{ScalarOp::mulf, Element::f32, Element::f32, 0, 1},
                                  {ScalarOp::addf, Element::f32, Element::f32, 2, 3}};
        nest.body.result = 4;
        const ConstantTensor* const operands[] = {&a, &b, &c};
        const auto product = runNest(nest, operands);
        QVERIFY(bool(product));
        std::vector<float> expected;
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 2; ++j) {
                float sum = begin[2 * i + j];
                for (std::size_t k = 0; k < 3; ++k) {
                    const float part = left[3 * i + k] * right[2 * k + j];
                    sum = sum + part;
                }
                expected.push_back(sum);
            }
        QCOMPARE(values(*product), expected);
        nest.operands[2].index[0].terms[0].dimension = 2; // what a sum begins with cannot depend on its loop
        QVERIFY(!runNest(nest, operands));
        nest.operands[2].index[0].terms[0].dimension = 0;
        nest.reduction = {0}; // nothing is added
        QCOMPARE(values(*runNest(nest, operands)), begin);
    }

    void nestsThatDoNotFitAreErrors()
    {
        const ConstantTensor vector = floats({2}, {1, 2});
        const ConstantTensor* const operands[] = {&vector};
        LoopNest nest;
        nest.shape = {2};
        nest.body = handOn();
        QVERIFY(!runNest(nest, operands)); // no operand declared
        nest.operands = {{{{0, {{1}}}}, {}}};
        QVERIFY(!runNest(nest, operands)); // there is no dimension 1
        nest.operands = {{{{0, {{0}}}}, {}}};
        QVERIFY(bool(runNest(nest, operands)));
        nest.shape = {std::int64_t{1} << 40, std::int64_t{1} << 40};
        QVERIFY(!runNest(nest, operands));
    }

    /// Every bf16 and every f16 survives the way to f32 and back; halfway cases go to the even neighbour.
    void narrowFloatsRoundToNearestEven()
    {
        for (const Element element : {Element::bf16, Element::f16})
            for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
                const double value = toDouble(pattern, element);
                if (std::isnan(value)) continue;
                QCOMPARE(fromFloat(static_cast<float>(value), element), std::uint64_t{pattern});
                const double next = toDouble(pattern + 1, element);
                if ((pattern & 0x7fff) == 0x7fff || std::isnan(next) || std::isinf(next) || std::isinf(value)) continue;
                const auto halfway = static_cast<float>((value + next) / 2);
                QCOMPARE(fromFloat(halfway, element), std::uint64_t{pattern + (pattern & 1)});
            }
        QCOMPARE(fromFloat(std::numeric_limits<float>::quiet_NaN(), Element::bf16), std::uint64_t{0x7fc0});
        QCOMPARE(fromFloat(65520.0f, Element::f16), std::uint64_t{0x7c00}); // the first that rounds to infinity
        QCOMPARE(fromFloat(65519.0f, Element::f16), std::uint64_t{0x7bff});
    }

    /// Halfway between two neighbours a double goes to the even one; next to it, by the last bit of a double, to the nearer one.
    void doublesAreRoundedOnce()
    {
        const auto narrowed = [](double value, Element element) {
            return one(ScalarOp::truncf, element, std::bit_cast<std::uint64_t>(value), 0, Element::f64);
        };
        for (const Element element : {Element::bf16, Element::f16})
            for (std::uint32_t pattern = 0; pattern < 65536; ++pattern) {
                const double value = toDouble(pattern, element), next = toDouble(pattern + 1, element);
                if ((pattern & 0x7fff) == 0x7fff || !std::isfinite(value) || !std::isfinite(next)) continue;
                const double halfway = (value + next) / 2; // exact: both have at most 11 bits
                QCOMPARE(narrowed(value, element), std::uint64_t{pattern});
                QCOMPARE(narrowed(halfway, element), std::uint64_t{pattern + (pattern & 1)});
                QCOMPARE(narrowed(std::nextafter(halfway, value), element), std::uint64_t{pattern});
                QCOMPARE(narrowed(std::nextafter(halfway, next), element), std::uint64_t{pattern + 1});
            }
        // 1 + 2^-11 + 2^-40: above the middle of 1 and 1 + 2^-10, by less than a float at 1 can tell.
        QCOMPARE(narrowed(std::bit_cast<double>(std::uint64_t{0x3ff0020000001000}), Element::f16), std::uint64_t{0x3c01});
        QCOMPARE(narrowed(std::nextafter(65520.0, 0), Element::f16), std::uint64_t{0x7bff});
        QCOMPARE(narrowed(65520.0, Element::f16), std::uint64_t{0x7c00});
        const double beyond = std::ldexp(2 - std::ldexp(1.0, -8), 127); // halfway between the largest bf16 and 2^128
        QCOMPARE(narrowed(std::nextafter(beyond, 0), Element::bf16), std::uint64_t{0x7f7f});
        QCOMPARE(narrowed(beyond, Element::bf16), std::uint64_t{0x7f80});
        QCOMPARE(narrowed(1e300, Element::bf16), std::uint64_t{0x7f80});
        QCOMPARE(narrowed(-1e-300, Element::bf16), std::uint64_t{0x8000});
    }

    /// LLVM converts integers to bf16 through f32: from 2^62 on, bf16 are 2^55 apart and floats 2^39, and what is nearer to a tie
    /// than the next float is a tie.
    void integersAreRoundedToFloatsFirst()
    {
        const auto fromSigned = [](std::int64_t value, Element element) {
            return one(ScalarOp::sitofp, element, static_cast<std::uint64_t>(value), 0, Element::i64);
        };
        const std::int64_t base = std::int64_t{1} << 62, half = std::int64_t{1} << 54, floats = std::int64_t{1} << 39;
        const std::uint64_t pattern = (62 + 127) << 7; // of 2^62: the exponent with its bias, before 7 bits of zeros
        for (std::int64_t step = 0; step < 8; ++step) {
            const std::int64_t middle = base + 2 * step * half + half;
            const std::uint64_t lower = pattern + static_cast<std::uint64_t>(step);
            for (const std::int64_t sign : {1, -1}) {
                const std::uint64_t signBit = sign < 0 ? 0x8000 : 0;
                QCOMPARE(fromSigned(sign * (middle - floats), Element::bf16), signBit | lower);
                for (const std::int64_t off : {-1, 0, 1})
                    QCOMPARE(fromSigned(sign * (middle + off), Element::bf16), signBit | (lower + (lower & 1)));
                QCOMPARE(fromSigned(sign * (middle + floats), Element::bf16), signBit | (lower + 1));
            }
        }
        // 2^24 + 2^16 + 1: the nearest floats are 2 apart, and 2^24 + 2^16 is halfway between two bf16.
        QCOMPARE(one(ScalarOp::sitofp, Element::bf16, 16842753, 0, Element::i32), std::uint64_t{0x4b80});
        QCOMPARE(one(ScalarOp::uitofp, Element::bf16, 16842753, 0, Element::i32), std::uint64_t{0x4b80});
        const std::uint64_t tie = (std::uint64_t{1} << 63) + (std::uint64_t{1} << 55);
        QCOMPARE(one(ScalarOp::uitofp, Element::bf16, tie + 1, 0, Element::i64), std::uint64_t{(63 + 127) << 7});
        QCOMPARE(one(ScalarOp::uitofp, Element::bf16, tie + (std::uint64_t{1} << 40), 0, Element::i64),
                 std::uint64_t{((63 + 127) << 7) + 1});
        QCOMPARE(fromSigned(std::numeric_limits<std::int64_t>::min(), Element::bf16), std::uint64_t{0x8000 | ((63 + 127) << 7)});
        QCOMPARE(fromSigned(65519, Element::f16), std::uint64_t{0x7bff});
        QCOMPARE(fromSigned(65520, Element::f16), std::uint64_t{0x7c00});
        QCOMPARE(fromSigned(-3, Element::f32), bits(-3.0f));
    }

    void scalarsAreThoseOfTheirType()
    {
        QCOMPARE(one(ScalarOp::addi, Element::i8, 0x7f, 1), std::uint64_t{0x80});
        QCOMPARE(one(ScalarOp::muli, Element::i16, 0xffff, 2), std::uint64_t{0xfffe});
        QCOMPARE(one(ScalarOp::maxsi, Element::i8, 0x80, 1), std::uint64_t{1});
        QCOMPARE(one(ScalarOp::maxui, Element::i8, 0x80, 1), std::uint64_t{0x80});
        QCOMPARE(one(ScalarOp::extsi, Element::i32, 0x80, 0, Element::i8), std::uint64_t{0xffffff80});
        QCOMPARE(one(ScalarOp::extui, Element::i32, 0x80, 0, Element::i8), std::uint64_t{0x80});
        QCOMPARE(one(ScalarOp::sitofp, Element::f32, 0xff, 0, Element::i8), bits(-1.0f));
        QCOMPARE(one(ScalarOp::uitofp, Element::f32, 0xff, 0, Element::i8), bits(255.0f));
        QCOMPARE(one(ScalarOp::cmpi, Element::i1, 0x80, 1, Element::i8, 2), std::uint64_t{1}); // slt
        QCOMPARE(one(ScalarOp::cmpi, Element::i1, 0x80, 1, Element::i8, 6), std::uint64_t{0}); // ult
        const std::uint64_t nan = bits(std::numeric_limits<float>::quiet_NaN());
        QCOMPARE(one(ScalarOp::cmpf, Element::i1, nan, bits(1), Element::f32, 4), std::uint64_t{0});  // olt
        QCOMPARE(one(ScalarOp::cmpf, Element::i1, nan, bits(1), Element::f32, 11), std::uint64_t{1}); // ult
        QCOMPARE(one(ScalarOp::minimumf, Element::f32, bits(-0.0f), bits(0.0f)), bits(-0.0f));
        QCOMPARE(one(ScalarOp::maximumf, Element::f32, bits(-0.0f), bits(0.0f)), bits(0.0f));
        QCOMPARE(one(ScalarOp::negf, Element::f32, bits(0.0f)), bits(-0.0f));
        // 1 + 2^-8 is halfway between two bf16: the sum of 1 and 2^-8 is 1.
        QCOMPARE(one(ScalarOp::addf, Element::bf16, 0x3f80, 0x3b80), std::uint64_t{0x3f80});
    }
};

QTEST_GUILESS_MAIN(FoldInterpreterTest)
#include "tst_fold_interpreter.moc"
