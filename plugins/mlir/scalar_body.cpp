#include "plugins/mlir/scalar_body.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Matchers.h>

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/TypeSwitch.h>

namespace stowage::mlirfile {

namespace {

/// Ops that may be undefined for some operands (integer division, float to integer, shifts) are left to the fold functions.
std::optional<ScalarOp> opOf(mlir::Operation* op)
{
    static const llvm::StringMap<ScalarOp> table = {
        {"arith.addf", ScalarOp::addf},
        {"arith.subf", ScalarOp::subf},
        {"arith.mulf", ScalarOp::mulf},
        {"arith.divf", ScalarOp::divf},
        {"arith.negf", ScalarOp::negf},
        {"math.absf", ScalarOp::absf},
        {"arith.maximumf", ScalarOp::maximumf},
        {"arith.minimumf", ScalarOp::minimumf},
        {"arith.maxnumf", ScalarOp::maxnumf},
        {"arith.minnumf", ScalarOp::minnumf},
        {"math.sqrt", ScalarOp::sqrt},
        {"math.rsqrt", ScalarOp::rsqrt},
        {"math.exp", ScalarOp::exp},
        {"math.exp2", ScalarOp::exp2},
        {"math.expm1", ScalarOp::expm1},
        {"math.log", ScalarOp::log},
        {"math.log2", ScalarOp::log2},
        {"math.log10", ScalarOp::log10},
        {"math.log1p", ScalarOp::log1p},
        {"math.sin", ScalarOp::sin},
        {"math.cos", ScalarOp::cos},
        {"math.tanh", ScalarOp::tanh},
        {"math.erf", ScalarOp::erf},
        {"math.ceil", ScalarOp::ceil},
        {"math.floor", ScalarOp::floor},
        {"math.trunc", ScalarOp::trunc},
        {"math.roundeven", ScalarOp::roundeven},
        {"math.powf", ScalarOp::powf},
        {"math.copysign", ScalarOp::copysign},
        {"arith.addi", ScalarOp::addi},
        {"arith.subi", ScalarOp::subi},
        {"arith.muli", ScalarOp::muli},
        {"arith.andi", ScalarOp::andi},
        {"arith.ori", ScalarOp::ori},
        {"arith.xori", ScalarOp::xori},
        {"arith.maxsi", ScalarOp::maxsi},
        {"arith.maxui", ScalarOp::maxui},
        {"arith.minsi", ScalarOp::minsi},
        {"arith.minui", ScalarOp::minui},
        {"arith.cmpf", ScalarOp::cmpf},
        {"arith.cmpi", ScalarOp::cmpi},
        {"arith.select", ScalarOp::select},
        {"arith.extf", ScalarOp::extf},
        {"arith.truncf", ScalarOp::truncf},
        {"arith.extsi", ScalarOp::extsi},
        {"arith.extui", ScalarOp::extui},
        {"arith.trunci", ScalarOp::trunci},
        {"arith.sitofp", ScalarOp::sitofp},
        {"arith.uitofp", ScalarOp::uitofp},
        {"arith.bitcast", ScalarOp::bitcast},
        {"arith.index_castui", ScalarOp::extui},
    };
    const auto found = table.find(op->getName().getStringRef());
    if (found != table.end()) return found->second;
    if (auto cast = llvm::dyn_cast<mlir::arith::IndexCastOp>(op)) {
        const mlir::Type to = mlir::getElementTypeOrSelf(cast.getType());
        return to.isIndex() ? ScalarOp::extsi : ScalarOp::trunci;
    }
    return std::nullopt;
}

} // namespace

std::optional<Element> elementOf(mlir::Type type)
{
    if (type.isF32()) return Element::f32;
    if (type.isBF16()) return Element::bf16;
    if (type.isF16()) return Element::f16;
    if (type.isF64()) return Element::f64;
    if (type.isInteger(1)) return Element::i1;
    if (type.isInteger(8)) return Element::i8;
    if (type.isInteger(16)) return Element::i16;
    if (type.isInteger(32)) return Element::i32;
    if (type.isInteger(64) || type.isIndex()) return Element::i64;
    return std::nullopt;
}

std::optional<std::uint64_t> bitsOfScalar(mlir::Attribute attribute)
{
    if (auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute)) {
        if (!elementOf(number.getType())) return std::nullopt;
        return number.getValue().getZExtValue();
    }
    if (auto number = llvm::dyn_cast_or_null<mlir::FloatAttr>(attribute)) {
        if (!elementOf(number.getType())) return std::nullopt;
        return number.getValue().bitcastToAPInt().getZExtValue();
    }
    return std::nullopt;
}

std::optional<std::uint64_t> constantBits(mlir::Value value)
{
    mlir::Attribute attribute;
    if (!mlir::matchPattern(value, mlir::m_Constant(&attribute))) return std::nullopt;
    return bitsOfScalar(attribute);
}

void ScalarBody::addInput(mlir::Value argument)
{
    registers_[argument] = program_.inputs++;
}

bool ScalarBody::translate(llvm::ArrayRef<std::int64_t> loopToResult, llvm::SmallVectorImpl<mlir::Value>& captured,
                           unsigned result)
{
    const auto isPosition = [&](mlir::Value value) {
        return llvm::any_of(positions_, [&](const auto& position) { return position.first == value; });
    };
    // Inputs first, then constants: all registers before the first instruction have to be known.
    llvm::SetVector<mlir::Value> outside;
    for (mlir::Operation& op : *block_)
        for (const mlir::Value operand : op.getOperands()) {
            mlir::Operation* maker = operand.getDefiningOp();
            const bool constant = constantBits(operand).has_value();
            if (!registers_.count(operand) && !isPosition(operand) && (constant || !maker || maker->getBlock() != block_))
                outside.insert(operand);
        }
    for (mlir::Value value : outside)
        if (!constantBits(value)) {
            if (llvm::isa<mlir::BlockArgument>(value) && value.getParentBlock() == block_) return false;
            if (!elementOf(value.getType())) return false;
            addInput(value);
            captured.push_back(value);
        }
    for (const mlir::Value value : outside)
        if (const auto bits = constantBits(value)) {
            registers_[value] = program_.inputs + static_cast<std::int32_t>(program_.constants.size());
            program_.constants.push_back(*bits);
        }
    for (const auto& [argument, dimension] : positions_) {
        registers_[argument] = static_cast<std::int32_t>(registerCount(program_));
        program_.instructions.push_back({ScalarOp::index, Element::i64, Element::i64, dimension});
    }
    for (mlir::Operation& op : block_->without_terminator())
        if (!op.hasTrait<mlir::OpTrait::ConstantLike>() && !add(&op, loopToResult)) return false;
    mlir::Operation* yield = block_->getTerminator();
    if (yield->getNumOperands() <= result || !registers_.count(yield->getOperand(result))) return false;
    program_.result = registers_[yield->getOperand(result)];
    return true;
}

bool ScalarBody::translateOp(mlir::Operation* op)
{
    program_.inputs = static_cast<std::int32_t>(op->getNumOperands());
    for (unsigned i = 0; i < op->getNumOperands(); ++i) registers_[op->getOperand(i)] = static_cast<std::int32_t>(i);
    if (!add(op, {})) return false;
    program_.result = registers_[op->getResult(0)];
    return true;
}

bool ScalarBody::add(mlir::Operation* op, llvm::ArrayRef<std::int64_t> loopToResult)
{
    if (op->getNumResults() != 1 || op->getNumRegions() > 0) return false;
    ScalarInstruction instruction;
    const auto type = elementOf(mlir::getElementTypeOrSelf(op->getResult(0).getType()));
    if (!type) return false;
    instruction.type = instruction.from = *type;
    if (auto index = llvm::dyn_cast<mlir::linalg::IndexOp>(op)) {
        instruction.op = ScalarOp::index;
        instruction.a = static_cast<std::int32_t>(loopToResult[index.getDim()]);
    } else {
        const auto scalarOp = opOf(op);
        if (!scalarOp || op->getNumOperands() == 0 || op->getNumOperands() > 3) return false;
        instruction.op = *scalarOp;
        const auto from = elementOf(mlir::getElementTypeOrSelf(op->getOperand(0).getType()));
        if (!from) return false;
        instruction.from = *from;
        std::int32_t* const operands[] = {&instruction.a, &instruction.b, &instruction.c};
        for (unsigned i = 0; i < op->getNumOperands(); ++i) {
            const auto found = registers_.find(op->getOperand(i));
            if (found == registers_.end()) return false;
            *operands[i] = found->second;
        }
        if (auto compare = llvm::dyn_cast<mlir::arith::CmpFOp>(op))
            instruction.predicate = static_cast<std::int32_t>(compare.getPredicate());
        if (auto compare = llvm::dyn_cast<mlir::arith::CmpIOp>(op))
            instruction.predicate = static_cast<std::int32_t>(compare.getPredicate());
    }
    registers_[op->getResult(0)] = static_cast<std::int32_t>(registerCount(program_));
    program_.instructions.push_back(instruction);
    return true;
}

} // namespace stowage::mlirfile
