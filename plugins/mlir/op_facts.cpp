#include "plugins/mlir/op_facts.h"

#include "plugins/mlir/evaluation.h"

#include <llvm/ADT/SetVector.h>
#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/Tensor/IR/Tensor.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/Interfaces/DestinationStyleOpInterface.h>
#include <mlir/Interfaces/LoopLikeInterface.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Transforms/RegionUtils.h>

namespace stowage::mlirfile {

namespace {

bool hasIndexOp(mlir::Operation* op)
{
    return op->walk([](mlir::linalg::IndexOp) { return mlir::WalkResult::interrupt(); }).wasInterrupted();
}

bool isElementWise(mlir::Operation* op)
{
    if (op->getNumResults() != 1 || !llvm::isa<mlir::RankedTensorType>(op->getResult(0).getType())) return false;
    if (op->hasTrait<mlir::OpTrait::Elementwise>()) return true;
    auto linalgOp = llvm::dyn_cast<mlir::linalg::LinalgOp>(op);
    if (!linalgOp || linalgOp.getNumLoops() != linalgOp.getNumParallelLoops() || hasIndexOp(op)) return false;
    const auto identity = [](mlir::AffineMap map) { return map.isIdentity(); };
    return llvm::all_of(linalgOp.getIndexingMapsArray(), identity) && isUnreadDestination(*linalgOp.getDpsInitOperand(0));
}

bool isView(mlir::Operation* op)
{
    return llvm::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp, mlir::tensor::ReshapeOp, mlir::tensor::CastOp>(
        op);
}

} // namespace

bool isEmptyTensor(mlir::Value value)
{
    return value.getDefiningOp<mlir::tensor::EmptyOp>() != nullptr;
}

bool isUnreadDestination(mlir::OpOperand& operand)
{
    mlir::Operation* op = operand.getOwner();
    auto destinationStyle = llvm::dyn_cast<mlir::DestinationStyleOpInterface>(op);
    if (!destinationStyle || !destinationStyle.isDpsInit(&operand)) return false;
    if (!llvm::isa<mlir::RankedTensorType>(operand.get().getType())) return false;
    if (llvm::isa<mlir::tensor::PackOp, mlir::tensor::UnPackOp>(op)) return true;
    auto linalgOp = llvm::dyn_cast<mlir::linalg::LinalgOp>(op);
    return linalgOp && !linalgOp.payloadUsesValueFromOperand(&operand);
}

std::vector<mlir::Value> readValues(mlir::Operation* op)
{
    llvm::SetVector<mlir::Value> values;
    for (mlir::OpOperand& operand : op->getOpOperands())
        if (!isUnreadDestination(operand)) values.insert(operand.get());
    if (op->getNumRegions() > 0) mlir::getUsedValuesDefinedAbove(op->getRegions(), values);
    return {values.begin(), values.end()};
}

std::optional<std::vector<mlir::Value>> writtenValues(mlir::Operation* op)
{
    const auto effects = mlir::getEffectsRecursively(op);
    if (!effects) return std::nullopt;
    std::vector<mlir::Value> written;
    for (const mlir::MemoryEffects::EffectInstance& effect : *effects) {
        if (!llvm::isa<mlir::MemoryEffects::Write, mlir::MemoryEffects::Free>(effect.getEffect())) continue;
        if (!effect.getValue()) return std::nullopt;
        written.push_back(effect.getValue());
    }
    return written;
}

std::vector<std::pair<mlir::Value, mlir::Value>> overwritable(mlir::Operation* op)
{
    std::vector<std::pair<mlir::Value, mlir::Value>> pairs;
    auto destinationStyle = llvm::dyn_cast<mlir::DestinationStyleOpInterface>(op);
    if (!destinationStyle) return pairs;
    for (mlir::OpOperand& operand : op->getOpOperands())
        if (destinationStyle.isDpsInit(&operand) && llvm::isa<mlir::RankedTensorType>(operand.get().getType()) &&
            !isUnreadDestination(operand))
            pairs.emplace_back(operand.get(), destinationStyle.getTiedOpResult(&operand));
    return pairs;
}

std::optional<llvm::SmallVector<std::int64_t>> broadcastDimensions(mlir::Operation* op)
{
    if (auto broadcast = llvm::dyn_cast<mlir::linalg::BroadcastOp>(op)) {
        if (broadcast->getNumResults() != 1) return std::nullopt;
        return llvm::SmallVector<std::int64_t>(broadcast.getDimensions());
    }
    auto generic = llvm::dyn_cast<mlir::linalg::GenericOp>(op);
    if (!generic || generic->getNumResults() != 1 || generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1 ||
        generic.getNumLoops() != generic.getNumParallelLoops())
        return std::nullopt;
    mlir::Block& body = generic.getRegion().front();
    auto yielded = llvm::dyn_cast<mlir::BlockArgument>(body.getTerminator()->getOperand(0));
    const auto maps = generic.getIndexingMapsArray();
    if (body.getOperations().size() != 1 || !yielded || yielded.getArgNumber() != 0 || !maps[1].isIdentity() ||
        !maps[0].isProjectedPermutation())
        return std::nullopt;
    llvm::SmallVector<std::int64_t> added;
    std::int64_t next = 0;
    for (unsigned i = 0; i < maps[0].getNumResults(); ++i) {
        const auto dimension = static_cast<std::int64_t>(maps[0].getDimPosition(i));
        if (dimension < next) return std::nullopt; // it permutes as well
        for (; next < dimension; ++next) added.push_back(next);
        next = dimension + 1;
    }
    for (; next < static_cast<std::int64_t>(maps[0].getNumDims()); ++next) added.push_back(next);
    if (added.empty()) return std::nullopt;
    return added;
}

bool isStructured(mlir::Operation* op)
{
    if (llvm::isa<mlir::scf::ParallelOp>(op)) return op->getNumResults() == 0; // with results it reduces
    return llvm::isa<mlir::scf::ForOp, mlir::scf::WhileOp, mlir::scf::IfOp, mlir::affine::AffineForOp>(op);
}

bool isParallelLoop(mlir::Operation* op)
{
    return llvm::isa<mlir::scf::ParallelOp, mlir::scf::ForallOp, mlir::affine::AffineParallelOp>(op);
}

bool runsInOrder(mlir::Region& region)
{
    return region.hasOneBlock() &&
           llvm::isa<mlir::scf::ForOp, mlir::scf::WhileOp, mlir::scf::IfOp, mlir::scf::IndexSwitchOp, mlir::scf::ExecuteRegionOp,
                     mlir::affine::AffineForOp, mlir::affine::AffineIfOp, mlir::memref::AllocaScopeOp>(region.getParentOp());
}

mlir::Operation* unorderedAround(mlir::Operation* op)
{
    for (mlir::Operation* around = op->getParentOp(); around && !llvm::isa<mlir::func::FuncOp>(around);
         around = op->getParentOp()) {
        if (!runsInOrder(*op->getParentRegion())) return around;
        op = around;
    }
    return nullptr;
}

mlir::Operation* loopAround(mlir::Operation* op)
{
    for (mlir::Operation* around = op->getParentOp(); around && !llvm::isa<mlir::func::FuncOp>(around);
         around = around->getParentOp())
        if (llvm::isa<mlir::LoopLikeOpInterface>(around)) return around;
    return nullptr;
}

bool isEndOfLifetimes(mlir::Operation* op)
{
    if (llvm::isa<mlir::bufferization::DeallocOp>(op)) return op->getNumResults() == 0;
    return llvm::isa<mlir::memref::DeallocOp>(op);
}

mlir::WalkResult walkOwnOps(mlir::Operation* root, llvm::function_ref<mlir::WalkResult(mlir::Operation*)> visit)
{
    for (mlir::Region& region : root->getRegions()) {
        const mlir::WalkResult walked = region.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
            return op->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>() ? mlir::WalkResult::skip() : visit(op);
        });
        if (walked.wasInterrupted()) return walked;
    }
    return mlir::WalkResult::advance();
}

FoldTraits traitsOf(mlir::Operation* op)
{
    FoldTraits traits;
    traits.pure = op->getName().isRegistered() && mlir::isMemoryEffectFree(op);
    const llvm::StringRef dialect = op->getName().getDialectNamespace();
    traits.known =
        dialect == "linalg" || dialect == "tensor" || dialect == "arith" || dialect == "math" || dialect == "bufferization";
    traits.elementWise = isElementWise(op);
    traits.broadcast = broadcastDimensions(op).has_value();
    traits.view = isView(op);
    traits.evaluable = canEvaluate(op);
    return traits;
}

} // namespace stowage::mlirfile
