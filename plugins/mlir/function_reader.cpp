#include "plugins/mlir/function_reader.h"

#include "core/ir/checked.h"
#include "core/ir/dtype.h"
#include "plugins/mlir/arena_form.h"
#include "plugins/mlir/memref_touches.h"
#include "plugins/mlir/op_facts.h"

#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

#include <algorithm>

namespace stowage::mlirfile {

namespace {

/// The element type by the project's name. MLIR keeps a bit in a byte of its own.
std::string dtypeOf(mlir::Type type)
{
    if (type.isInteger(1)) return "bool";
    std::string name;
    llvm::raw_string_ostream out(name);
    type.print(out);
    return name;
}

struct Size {
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::optional<Bytes> bytes;
};

Size sizeOf(mlir::Type type)
{
    Size size;
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
    const mlir::Type element = shaped ? shaped.getElementType() : type;
    size.dtype = dtypeOf(element);
    if (shaped && !shaped.hasRank()) return size;
    if (shaped)
        for (const std::int64_t extent : shaped.getShape())
            size.shape.push_back(mlir::ShapedType::isDynamic(extent) ? -1 : extent);
    const auto bits = dtypeBits(size.dtype);
    std::optional<Bytes> bytes = bits ? std::optional<Bytes>((*bits + 7) / 8) : std::nullopt;
    for (const std::int64_t extent : size.shape) bytes = bytes && extent >= 0 ? checkedMultiply(*bytes, extent) : std::nullopt;
    if (bytes && *bytes <= maxBytes) size.bytes = bytes;
    return size;
}

bool isStorage(mlir::Type type)
{
    return llvm::isa<mlir::RankedTensorType, mlir::UnrankedTensorType, mlir::BaseMemRefType>(type);
}

/// Which constant an argument is.
Availability availabilityOf(mlir::func::FuncOp function, unsigned index)
{
    const auto lists = [&](llvm::StringRef name) {
        const mlir::Attribute attribute = function->getAttr(name);
        if (auto array = llvm::dyn_cast_or_null<mlir::ArrayAttr>(attribute))
            return llvm::any_of(array, [&](mlir::Attribute each) {
                auto number = llvm::dyn_cast<mlir::IntegerAttr>(each);
                return number && number.getInt() == static_cast<std::int64_t>(index);
            });
        if (auto array = llvm::dyn_cast_or_null<mlir::DenseI32ArrayAttr>(attribute))
            return llvm::is_contained(array.asArrayRef(), static_cast<std::int32_t>(index));
        if (auto array = llvm::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(attribute))
            return llvm::is_contained(array.asArrayRef(), static_cast<std::int64_t>(index));
        return false;
    };
    if (lists("compiletime_const_args_index")) return Availability::compileTime;
    if (lists("runtime_const_args_index")) return Availability::runTime;
    for (const mlir::NamedAttribute& attribute : mlir::function_interface_impl::getArgAttrs(function, index))
        if (attribute.getName() == "constant" || attribute.getName().strref().ends_with(".constant")) {
            auto text = llvm::dyn_cast<mlir::StringAttr>(attribute.getValue());
            return text && text.getValue() == "compile-time" ? Availability::compileTime : Availability::runTime;
        }
    return Availability::unknown;
}

std::optional<std::int64_t> constantOf(std::optional<mlir::OpFoldResult> value)
{
    return value ? mlir::getConstantIntValue(*value) : std::nullopt;
}

} // namespace

std::string FunctionReader::nameOf(mlir::Value value) const
{
    const auto found = context_.names.find(value);
    return found == context_.names.end() ? std::string() : found->second;
}

std::string FunctionReader::uniqueName(std::string name, llvm::StringMap<int>& used)
{
    for (;;) {
        int& count = used[name];
        if (count++ == 0) return name;
        name += '_' + std::to_string(count);
    }
}

OpId FunctionReader::addOp(mlir::Operation* op, RegionId region, const std::string& kind)
{
    const auto id = static_cast<OpId>(to_.ops.size());
    Op& added = to_.ops.emplace_back();
    added.kind = kind;
    added.parent = region;
    added.where = positionOf(op->getLoc(), context_.path);
    const std::string result = op->getNumResults() > 0 ? nameOf(op->getResult(0)) : std::string();
    const bool numbered =
        result.empty() || std::all_of(result.begin(), result.end(), [](char c) { return c >= '0' && c <= '9'; });
    const std::string number = result.empty() ? std::to_string(added.where.line) : result;
    added.name = uniqueName(numbered ? kind + ' ' + number : result, opNames_);
    to_.regions[at(region)].ops.push_back(id);
    back_.ops.push_back(op);
    return id;
}

RegionId FunctionReader::addRegion(OpId owner, RegionRole role)
{
    const auto id = static_cast<RegionId>(to_.regions.size());
    Region& region = to_.regions.emplace_back();
    region.role = role;
    region.owner = owner;
    op(owner).regions.push_back(id);
    return id;
}

TensorId FunctionReader::addTensor(mlir::Value value, RegionId region, TensorKind kind)
{
    const auto id = static_cast<TensorId>(to_.tensors.size());
    Tensor& made = to_.tensors.emplace_back();
    Size size = sizeOf(value.getType());
    made.dtype = std::move(size.dtype);
    made.shape = std::move(size.shape);
    made.bytes = size.bytes;
    made.kind = kind;
    made.region = region;
    made.where = positionOf(value.getLoc(), context_.path);
    std::string name = nameOf(value);
    made.name = uniqueName(name.empty() ? "value" : std::move(name), tensorNames_);
    if (!isStorage(value.getType())) {
        made.planned = false;
        made.bytes = made.bytes.value_or(8);
        made.attributes.emplace_back(scalarAttribute, "");
    }
    if (auto memref = llvm::dyn_cast<mlir::MemRefType>(value.getType()); memref && memref.getMemorySpace()) {
        std::string space;
        llvm::raw_string_ostream(space) << memref.getMemorySpace();
        made.attributes.emplace_back("memory-space", space);
    }
    back_.values.push_back(value);
    tensors_[value] = id;
    return id;
}

TensorId FunctionReader::own(mlir::Value value, RegionId region)
{
    return addTensor(value, region, TensorKind::intermediate);
}

TensorId FunctionReader::tensorOf(mlir::Value value)
{
    value = storageOf(value);
    if (const auto found = tensors_.find(value); found != tensors_.end()) return found->second;
    // An empty tensor that an op reads, or a value of an op that was left out: known, and without a size of its own in the plan.
    const TensorId id = addTensor(value, 0, TensorKind::constant);
    tensor(id).available = Availability::compileTime;
    tensor(id).planned = false;
    if (!attribute(tensor(id).attributes, scalarAttribute)) tensor(id).attributes.emplace_back(scalarAttribute, "");
    return id;
}

void FunctionReader::read()
{
    to_.name = function_.getName().str();
    to_.regions.emplace_back();
    back_.function = function_;
    readArguments();
    mlir::Block& block = function_.getBody().front();
    readBlock(block, 0);
    for (const mlir::Value value : block.getTerminator()->getOperands()) {
        const TensorId id = tensorOf(value);
        Tensor& it = tensor(id);
        if (it.kind == TensorKind::intermediate && it.region == 0) {
            it.kind = TensorKind::output;
            it.planned &= context_.planIo;
        }
        to_.regions.front().outputs.push_back(id);
    }
}

void FunctionReader::readArguments()
{
    for (mlir::BlockArgument argument : function_.getArguments()) {
        const TensorId id = addTensor(argument, 0, TensorKind::input);
        Tensor& it = tensor(id);
        it.available = availabilityOf(function_, argument.getArgNumber());
        if (it.available != Availability::unknown) it.kind = TensorKind::constant;
        it.planned &= context_.planIo;
        to_.regions.front().inputs.push_back(id);
    }
}

void FunctionReader::readBlock(mlir::Block& block, RegionId region)
{
    for (mlir::Operation& each : block)
        if (isAllocation(&each)) declareAllocation(&each, region);
    for (mlir::Operation& each : block.without_terminator()) readOp(&each, region);
}

void FunctionReader::declareAllocation(mlir::Operation* allocation, RegionId region)
{
    const TensorId id = own(allocation->getResult(0), region);
    if (isArenaView(allocation)) plan_.offsets.push_back({none, id, arenaOffset(allocation), {}});
    if (auto alignment = allocation->getAttrOfType<mlir::IntegerAttr>("alignment"); alignment && alignment.getInt() > 0)
        tensor(id).alignment = std::min<Bytes>(alignment.getInt(), maxBytes);
    if (mlir::Operation* first = firstTouch(allocation)) madeBy_[first].push_back(id);
}

bool FunctionReader::readQuietly(mlir::Operation* each, RegionId region)
{
    if (isAllocation(each) || isArena(each) || llvm::isa<mlir::memref::DeallocOp>(each)) return true;
    if (each->hasTrait<mlir::OpTrait::ConstantLike>()) {
        const TensorId id = addTensor(each->getResult(0), region, TensorKind::constant);
        Tensor& it = tensor(id);
        it.available = Availability::compileTime;
        mlir::Attribute value;
        if (mlir::matchPattern(each, mlir::m_Constant(&value))) {
            it.attributes.emplace_back(literalAttribute, "");
            if (llvm::isa<mlir::SplatElementsAttr>(value)) it.attributes.emplace_back(splatAttribute, "");
        }
        return true;
    }
    if (auto global = llvm::dyn_cast<mlir::memref::GetGlobalOp>(each)) {
        const TensorId id = addTensor(global.getResult(), region, TensorKind::constant);
        tensor(id).available = Availability::compileTime;
        return true;
    }
    if (each->getNumResults() != 1) return false;
    return isEmptyTensor(each->getResult(0)) || storageOf(each->getResult(0)) != each->getResult(0);
}

void FunctionReader::addOutputs(mlir::Operation* each, OpId id, RegionId region)
{
    for (const mlir::Value result : each->getResults()) {
        const TensorId made = own(result, region);
        op(id).outputs.push_back(made);
    }
}

void FunctionReader::readOp(mlir::Operation* each, RegionId region)
{
    if (readQuietly(each, region)) return;
    const auto made = madeBy_.find(each);
    const bool structured =
        llvm::isa<mlir::scf::ForOp, mlir::scf::WhileOp, mlir::scf::IfOp, mlir::affine::AffineForOp>(each) ||
        (llvm::isa<mlir::scf::ParallelOp>(each) && each->getNumResults() == 0); // with results it reduces: a leaf
    auto call = llvm::dyn_cast<mlir::func::CallOp>(each);
    const bool called = call && context_.functions.count(call.getCallee()) > 0;
    if ((structured || called) && made != madeBy_.end()) {
        // The bytes exist before the regions run: an op for the allocation itself.
        for (const TensorId tensorId : made->second) {
            mlir::Operation* allocation = back_.values[at(tensorId)].getDefiningOp();
            const OpId id = addOp(allocation, region, allocation->getName().getStringRef().str());
            op(id).outputs = {tensorId};
            op(id).attributes.emplace_back(foldAttribute, "");
        }
    }
    const OpId id = addOp(each, region, each->getName().getStringRef().str());
    if (llvm::isa<mlir::scf::WhileOp>(each)) return readWhile(each, id);
    if (llvm::isa<mlir::scf::IfOp>(each)) return readBranch(each, id);
    if (structured) return readLoop(each, id);
    if (called) return readCall(each, id);
    op(id).attributes.emplace_back(foldAttribute, toText(traitsOf(each)));
    for (const mlir::Value value : readValues(each)) {
        const TensorId input = tensorOf(value);
        auto& inputs = op(id).inputs;
        const bool makes = made != madeBy_.end() && llvm::is_contained(made->second, input);
        if (!makes && !llvm::is_contained(inputs, input)) inputs.push_back(input);
    }
    addOutputs(each, id, region);
    if (made != madeBy_.end()) op(id).outputs.insert(op(id).outputs.end(), made->second.begin(), made->second.end());
    for (const auto& [from, to] : overwritable(each)) {
        const TensorId input = tensorOf(from), output = tensorOf(to);
        const Tensor& old = tensor(input);
        const bool may = old.kind == TensorKind::intermediate && old.bytes && old.bytes == tensor(output).bytes;
        if (may && llvm::is_contained(op(id).inputs, input)) op(id).inPlace.push_back({input, output});
    }
}

void FunctionReader::readLoop(mlir::Operation* each, OpId id)
{
    auto loop = llvm::cast<mlir::LoopLikeOpInterface>(each);
    const RegionId home = op(id).parent;
    op(id).control = Control::loop;
    std::vector<TensorId> inputs;
    for (const mlir::Value init : loop.getInits()) inputs.push_back(tensorOf(init));
    const std::size_t carried = inputs.size();
    for (const mlir::Value operand : each->getOperands()) {
        const TensorId input = tensorOf(operand); // bounds and steps: known outside the loop
        if (std::find(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(carried), input) ==
            inputs.begin() + static_cast<std::ptrdiff_t>(carried))
            inputs.push_back(input);
    }
    op(id).inputs = inputs;
    addOutputs(each, id, home);
    const auto lower = constantOf(loop.getSingleLowerBound()), upper = constantOf(loop.getSingleUpperBound()),
               step = constantOf(loop.getSingleStep());
    if (lower && upper && step && *step > 0) op(id).tripCount = *upper > *lower ? (*upper - *lower + *step - 1) / *step : 0;
    const RegionId body = addRegion(id, RegionRole::body);
    mlir::Block& block = loop.getLoopRegions().front()->front();
    for (const mlir::Value argument : loop.getRegionIterArgs()) to_.regions[at(body)].inputs.push_back(own(argument, body));
    for (const mlir::Value argument : block.getArguments())
        if (!tensors_.count(argument)) to_.regions[at(body)].inputs.push_back(own(argument, body));
    readBlock(block, body);
    if (llvm::isa<mlir::scf::ParallelOp>(each)) return;
    mlir::Operation* terminator = block.getTerminator();
    for (unsigned i = 0; i < terminator->getNumOperands() && i < carried; ++i) {
        const TensorId from = tensorOf(terminator->getOperand(i));
        Region& region = to_.regions[at(body)];
        region.outputs.push_back(from);
        op(id).carries.push_back({from, region.inputs[i]});
    }
}

/// `before` and `after` run one after the other: one body. What `before` hands on is the loop's result.
void FunctionReader::readWhile(mlir::Operation* each, OpId id)
{
    auto loop = llvm::cast<mlir::scf::WhileOp>(each);
    op(id).control = Control::loop;
    for (const mlir::Value init : loop.getInits()) {
        const TensorId input = tensorOf(init);
        op(id).inputs.push_back(input);
    }
    addOutputs(each, id, op(id).parent);
    const RegionId body = addRegion(id, RegionRole::body);
    for (const mlir::Value argument : loop.getBeforeArguments()) to_.regions[at(body)].inputs.push_back(own(argument, body));
    readBlock(*loop.getBeforeBody(), body);
    const auto handed = loop.getConditionOp().getArgs();
    for (const auto& [argument, value] : llvm::zip(loop.getAfterArguments(), handed)) {
        const TensorId handedOn = tensorOf(value);
        tensors_[argument] = handedOn;
        to_.regions[at(body)].outputs.push_back(handedOn);
    }
    readBlock(*loop.getAfterBody(), body);
    const auto yields = loop.getYieldOp().getOperands();
    for (unsigned i = 0; i < yields.size(); ++i) {
        const TensorId from = tensorOf(yields[i]);
        Region& region = to_.regions[at(body)];
        region.outputs.push_back(from);
        op(id).carries.push_back({from, region.inputs[i]});
    }
}

void FunctionReader::readBranch(mlir::Operation* each, OpId id)
{
    auto branch = llvm::cast<mlir::scf::IfOp>(each);
    op(id).control = Control::branch;
    const TensorId condition = tensorOf(branch.getCondition());
    op(id).inputs = {condition};
    addOutputs(each, id, op(id).parent);
    for (mlir::Region* region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
        const RegionId inner = addRegion(id, RegionRole::branch);
        if (region->empty()) continue;
        readBlock(region->front(), inner);
        for (const mlir::Value value : region->front().getTerminator()->getOperands()) {
            const TensorId output = tensorOf(value);
            to_.regions[at(inner)].outputs.push_back(output);
        }
    }
}

void FunctionReader::readCall(mlir::Operation* each, OpId id)
{
    auto call = llvm::cast<mlir::func::CallOp>(each);
    op(id).control = Control::call;
    op(id).callee = context_.functions.find(call.getCallee())->second;
    for (const mlir::Value operand : call.getOperands()) {
        const TensorId input = tensorOf(operand);
        op(id).inputs.push_back(input);
    }
    addOutputs(each, id, op(id).parent);
}

} // namespace stowage::mlirfile
