#include "plugins/mlir/evaluation.h"

#include "plugins/mlir/scalar_body.h"

#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/DialectResourceBlobManager.h>

#include <cstring>
#include <map>

namespace stowage::mlirfile {

namespace {

/// Largest value that is computed into a literal.
constexpr std::int64_t maxComputedElements = std::int64_t{1} << 26;

bool hasStaticTensor(mlir::Type type)
{
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && elementOf(tensor.getElementType()) && !tensor.getEncoding() &&
           tensor.getNumElements() <= maxComputedElements;
}

/// An affine expression as a sum of terms; `loopToResult` says which dimension of the result a loop is.
bool addTerms(mlir::AffineExpr expression, std::int64_t factor, llvm::ArrayRef<std::int64_t> loopToResult, IndexSum& sum)
{
    if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expression)) {
        sum.constant += factor * constant.getValue();
        return true;
    }
    if (auto dimension = llvm::dyn_cast<mlir::AffineDimExpr>(expression)) {
        sum.terms.push_back({static_cast<std::int32_t>(loopToResult[dimension.getPosition()]), factor});
        return true;
    }
    auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expression);
    if (!binary) return false;
    if (binary.getKind() == mlir::AffineExprKind::Add)
        return addTerms(binary.getLHS(), factor, loopToResult, sum) && addTerms(binary.getRHS(), factor, loopToResult, sum);
    auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(binary.getRHS());
    if (!constant) return false;
    if (binary.getKind() == mlir::AffineExprKind::Mul)
        return addTerms(binary.getLHS(), factor * constant.getValue(), loopToResult, sum);
    auto dimension = llvm::dyn_cast<mlir::AffineDimExpr>(binary.getLHS());
    if (!dimension || constant.getValue() < 1) return false;
    const auto at = static_cast<std::int32_t>(loopToResult[dimension.getPosition()]);
    if (binary.getKind() == mlir::AffineExprKind::FloorDiv)
        sum.terms.push_back({at, factor, constant.getValue(), 0});
    else if (binary.getKind() == mlir::AffineExprKind::Mod)
        sum.terms.push_back({at, factor, 1, constant.getValue()});
    else
        return false;
    return true;
}

NestOperand identityOperand(std::size_t rank)
{
    NestOperand operand;
    for (std::size_t d = 0; d < rank; ++d) operand.index.push_back({0, {{static_cast<std::int32_t>(d)}}});
    return operand;
}

/// The element of the only operand.
ScalarProgram handOn()
{
    ScalarProgram program;
    program.inputs = 1;
    return program;
}

/// Loops of the result first, in its order, then those that add up, in theirs.
std::optional<Computation> ofLinalg(mlir::linalg::LinalgOp op, unsigned result, bool whole)
{
    const bool adds = op.getNumLoops() != op.getNumParallelLoops();
    if (!whole && (adds || op->getNumResults() != 1)) return std::nullopt;
    mlir::OpOperand* init = op.getDpsInitOperand(result);
    const mlir::AffineMap out = op.getMatchingIndexingMap(init);
    if (adds ? !out.isProjectedPermutation() : !out.isPermutation()) return std::nullopt;
    Computation computation;
    llvm::SmallVector<std::int64_t> loopToResult(out.getNumDims(), -1);
    for (unsigned r = 0; r < out.getNumResults(); ++r) loopToResult[out.getDimPosition(r)] = r;
    const llvm::SmallVector<std::int64_t> ranges = op.getStaticLoopRanges();
    for (unsigned loop = 0; loop < out.getNumDims(); ++loop) {
        if (loopToResult[loop] >= 0) continue;
        if (mlir::ShapedType::isDynamic(ranges[loop])) return std::nullopt;
        loopToResult[loop] = static_cast<std::int64_t>(out.getNumResults() + computation.nest.reduction.size());
        computation.nest.reduction.push_back(ranges[loop]);
    }
    ScalarBody body(op.getBlock());
    const auto add = [&](mlir::OpOperand& operand) {
        NestOperand input;
        if (llvm::isa<mlir::RankedTensorType>(operand.get().getType()))
            for (const mlir::AffineExpr expression : op.getMatchingIndexingMap(&operand).getResults())
                if (!addTerms(expression, 1, loopToResult, input.index.emplace_back())) return false;
        body.addInput(op.getMatchingBlockArgument(&operand));
        computation.nest.operands.push_back(std::move(input));
        computation.operands.push_back(operand.get());
        return true;
    };
    for (mlir::OpOperand& operand : op->getOpOperands()) {
        const bool sum = adds && op.isDpsInit(&operand);
        if (op.payloadUsesValueFromOperand(&operand) && !sum && !add(operand)) return std::nullopt;
        if (sum && &operand != init && op.payloadUsesValueFromOperand(&operand)) return std::nullopt; // sums that mix
    }
    if (adds && !add(*init)) return std::nullopt; // last: what the sum begins with
    llvm::SmallVector<mlir::Value> captured;
    if (!body.translate(loopToResult, captured, result)) return std::nullopt;
    if (adds && !captured.empty()) return std::nullopt;
    for (const mlir::Value value : captured) {
        computation.nest.operands.emplace_back();
        computation.operands.push_back(value);
    }
    computation.nest.body = std::move(body).program();
    return computation;
}

/// Each element is what the body makes of its position.
std::optional<Computation> ofGenerate(mlir::tensor::GenerateOp op)
{
    if (!op.getType().hasStaticShape()) return std::nullopt;
    mlir::Block& block = op.getBody().front();
    Computation computation;
    ScalarBody body(&block);
    for (unsigned i = 0; i < block.getNumArguments(); ++i) body.addPosition(block.getArgument(i), static_cast<std::int32_t>(i));
    llvm::SmallVector<mlir::Value> captured;
    if (!body.translate({}, captured) || !captured.empty()) return std::nullopt;
    computation.nest.body = std::move(body).program();
    return computation;
}

std::optional<Computation> ofElementWise(mlir::Operation* op)
{
    Computation computation;
    ScalarBody body(nullptr);
    const std::size_t rank = shapeOf(op->getResult(0).getType()).size();
    for (const mlir::Value operand : op->getOperands()) {
        const bool tensor = llvm::isa<mlir::RankedTensorType>(operand.getType());
        computation.nest.operands.push_back(identityOperand(tensor ? rank : 0));
        computation.operands.push_back(operand);
    }
    if (!body.translateOp(op)) return std::nullopt;
    computation.nest.body = std::move(body).program();
    return computation;
}

std::optional<Computation> ofPack(mlir::tensor::PackOp op)
{
    Computation computation;
    NestOperand source;
    const auto permutation = op.getOuterDimsPerm();
    const auto rank = static_cast<std::int64_t>(op.getSourceRank());
    for (std::int64_t d = 0; d < rank; ++d) {
        std::int64_t outer = d;
        for (std::size_t p = 0; p < permutation.size(); ++p)
            if (permutation[p] == d) outer = static_cast<std::int64_t>(p);
        source.index.push_back({0, {{static_cast<std::int32_t>(outer)}}});
    }
    for (std::size_t k = 0; k < op.getInnerDimsPos().size(); ++k) {
        const std::int64_t tile = op.getStaticInnerTiles()[k];
        if (mlir::ShapedType::isDynamic(tile)) return std::nullopt;
        auto& terms = source.index[static_cast<std::size_t>(op.getInnerDimsPos()[k])].terms;
        terms.front().coefficient = tile;
        terms.push_back({static_cast<std::int32_t>(rank + static_cast<std::int64_t>(k))});
    }
    if (const mlir::Value padding = op.getPaddingValue()) {
        const auto bits = constantBits(padding);
        if (!bits) return std::nullopt;
        source.outside = *bits;
    }
    computation.nest.operands = {std::move(source)};
    computation.operands = {op.getSource()};
    computation.nest.body = handOn();
    return computation;
}

std::optional<Computation> ofUnpack(mlir::tensor::UnPackOp op)
{
    Computation computation;
    NestOperand source;
    const auto permutation = op.getOuterDimsPerm();
    const auto rank = static_cast<std::int64_t>(op.getDestRank());
    std::vector<std::int64_t> tiles(static_cast<std::size_t>(rank), 1);
    for (std::size_t k = 0; k < op.getInnerDimsPos().size(); ++k) {
        const std::int64_t tile = op.getStaticInnerTiles()[k];
        if (mlir::ShapedType::isDynamic(tile)) return std::nullopt;
        tiles[static_cast<std::size_t>(op.getInnerDimsPos()[k])] = tile;
    }
    for (std::int64_t p = 0; p < rank; ++p) {
        const std::int64_t d = permutation.empty() ? p : permutation[static_cast<std::size_t>(p)];
        source.index.push_back({0, {{static_cast<std::int32_t>(d), 1, tiles[static_cast<std::size_t>(d)], 0}}});
    }
    for (const std::int64_t d : op.getInnerDimsPos())
        source.index.push_back({0, {{static_cast<std::int32_t>(d), 1, 1, tiles[static_cast<std::size_t>(d)]}}});
    computation.nest.operands = {std::move(source)};
    computation.operands = {op.getSource()};
    computation.nest.body = handOn();
    return computation;
}

std::optional<Computation> ofSlice(mlir::tensor::ExtractSliceOp op)
{
    const auto dynamic = [](std::int64_t value) { return mlir::ShapedType::isDynamic(value); };
    if (llvm::any_of(op.getStaticOffsets(), dynamic) || llvm::any_of(op.getStaticStrides(), dynamic)) return std::nullopt;
    if (op.getSourceType().getRank() != op.getType().getRank()) return std::nullopt; // dimensions of one element are dropped
    Computation computation;
    NestOperand source;
    for (std::size_t d = 0; d < op.getStaticOffsets().size(); ++d)
        source.index.push_back({op.getStaticOffsets()[d], {{static_cast<std::int32_t>(d), op.getStaticStrides()[d]}}});
    computation.nest.operands = {std::move(source)};
    computation.operands = {op.getSource()};
    computation.nest.body = handOn();
    return computation;
}

mlir::ElementsAttr attributeOf(const ConstantTensor& tensor, mlir::RankedTensorType type)
{
    const auto* data = reinterpret_cast<const char*>(tensor.bytes.data());
    if (tensor.element != Element::i1) return mlir::DenseElementsAttr::getFromRawBuffer(type, {data, tensor.bytes.size()});
    llvm::SmallVector<bool> bits;
    for (const std::byte byte : tensor.bytes) bits.push_back(byte != std::byte{0});
    return mlir::DenseElementsAttr::get(type, llvm::ArrayRef<bool>(bits));
}

} // namespace

std::vector<std::int64_t> shapeOf(mlir::Type type)
{
    auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
    return tensor ? std::vector<std::int64_t>(tensor.getShape()) : std::vector<std::int64_t>();
}

std::optional<Computation> computationOf(mlir::Operation* op, unsigned result, bool whole)
{
    if (op->getNumResults() <= result || (!whole && op->getNumResults() != 1)) return std::nullopt;
    const mlir::Type type = op->getResult(result).getType();
    if (!hasStaticTensor(type) && !(whole && elementOf(type))) return std::nullopt;
    for (const mlir::Value operand : op->getOperands())
        if (llvm::isa<mlir::RankedTensorType>(operand.getType()) && !hasStaticTensor(operand.getType())) return std::nullopt;
    std::optional<Computation> computation;
    if (auto linalgOp = llvm::dyn_cast<mlir::linalg::LinalgOp>(op))
        computation = ofLinalg(linalgOp, result, whole);
    else if (auto pack = llvm::dyn_cast<mlir::tensor::PackOp>(op))
        computation = ofPack(pack);
    else if (auto unpack = llvm::dyn_cast<mlir::tensor::UnPackOp>(op))
        computation = ofUnpack(unpack);
    else if (auto slice = llvm::dyn_cast<mlir::tensor::ExtractSliceOp>(op))
        computation = ofSlice(slice);
    else if (auto generate = llvm::dyn_cast<mlir::tensor::GenerateOp>(op); generate && whole)
        computation = ofGenerate(generate);
    else if (llvm::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp, mlir::tensor::CastOp>(op))
        computation = Computation{{}, {op->getOperand(0)}, true};
    else if (op->hasTrait<mlir::OpTrait::Elementwise>())
        computation = ofElementWise(op);
    if (!computation) return std::nullopt;
    computation->nest.shape = shapeOf(type);
    computation->nest.element = *elementOf(mlir::getElementTypeOrSelf(type));
    return computation;
}

std::optional<ConstantTensor> tensorOf(mlir::Attribute attribute, const std::vector<std::int64_t>* shape)
{
    ConstantTensor tensor;
    if (const auto bits = bitsOfScalar(attribute)) {
        tensor.element = *elementOf(llvm::cast<mlir::TypedAttr>(attribute).getType());
        tensor.bytes.resize(static_cast<std::size_t>(bytesOf(tensor.element)));
        std::memcpy(tensor.bytes.data(), &*bits, tensor.bytes.size());
        return tensor;
    }
    auto elements = llvm::dyn_cast_or_null<mlir::ElementsAttr>(attribute);
    if (!elements) return std::nullopt;
    const auto element = elementOf(elements.getElementType());
    if (!element) return std::nullopt;
    tensor.element = *element;
    const auto width = static_cast<std::size_t>(bytesOf(*element));
    const auto own = elements.getShapedType().getShape();
    auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(attribute);
    if (dense && dense.isSplat() && shape) // it takes any shape
        tensor.shape = *shape;
    else
        tensor.shape.assign(own.begin(), own.end());
    std::size_t count = 1;
    for (const std::int64_t extent : tensor.shape) count *= static_cast<std::size_t>(extent);
    tensor.bytes.resize(count * width);
    if (!dense) {
        auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(attribute);
        mlir::AsmResourceBlob* blob = resource ? resource.getRawHandle().getBlob() : nullptr;
        if (!blob || blob->getData().size() != tensor.bytes.size() || *element == Element::i1) return std::nullopt;
        std::memcpy(tensor.bytes.data(), blob->getData().data(), tensor.bytes.size());
        return tensor;
    }
    if (*element == Element::i1) {
        std::size_t i = 0;
        if (dense.isSplat())
            std::fill(tensor.bytes.begin(), tensor.bytes.end(), std::byte(dense.getSplatValue<bool>()));
        else
            for (const bool bit : dense.getValues<bool>()) tensor.bytes[i++] = std::byte(bit);
        return tensor;
    }
    const auto raw = dense.getRawData();
    if (!dense.isSplat() && raw.size() != tensor.bytes.size()) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(tensor.bytes.data() + i * width, raw.data() + (dense.isSplat() ? 0 : i * width), width);
    return tensor;
}

bool canEvaluate(mlir::Operation* op)
{
    return computationOf(op, 0, false).has_value();
}

Expected<mlir::ElementsAttr> evaluate(mlir::Operation* op, const std::function<mlir::Attribute(mlir::Value)>& valueOf,
                                      const llvm::SmallVector<std::int64_t>* shape)
{
    const auto fail = [&](const char* what) {
        return failure(Code::notSupported, std::string(what) + ": " + op->getName().getStringRef().str(), {},
                       "fold with --mode split, which leaves it to a function");
    };
    auto computation = computationOf(op, 0, false);
    if (!computation) return fail("the interpreter does not know the op");
    std::vector<std::int64_t> small;
    if (shape) {
        small.assign(shape->begin(), shape->end());
        computation->nest.shape = small;
        for (NestOperand& operand : computation->nest.operands)
            if (!operand.index.empty()) operand = identityOperand(small.size());
    }
    std::vector<ConstantTensor> tensors;
    for (const mlir::Value operand : computation->operands) {
        auto tensor = tensorOf(valueOf(operand), shape ? &small : nullptr);
        if (!tensor) return fail("an operand's value is not known");
        tensors.push_back(*std::move(tensor));
    }
    auto type = llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType());
    if (shape) type = mlir::RankedTensorType::get(*shape, type.getElementType());
    if (computation->copies) return attributeOf(tensors.front(), type);
    std::vector<const ConstantTensor*> operands;
    for (const ConstantTensor& tensor : tensors) operands.push_back(&tensor);
    const auto result = runNest(computation->nest, operands);
    if (!result) return fail(result.error().message.c_str());
    return attributeOf(*result, type);
}

} // namespace stowage::mlirfile
