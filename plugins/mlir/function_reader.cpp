#include "plugins/mlir/function_reader.h"

#include "core/ir/checked.h"
#include "core/ir/digits.h"
#include "core/ir/memory_spaces.h"
#include "core/ir/overwrites.h"
#include "plugins/mlir/arena_form.h"
#include "plugins/mlir/module_text.h"
#include "plugins/mlir/op_facts.h"
#include "plugins/mlir/value_sizes.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

#include <fmt/format.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <utility>

namespace stowage::mlirfile {

namespace {

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

/// Whether two allocations may lie at the same place: they have none yet, or are at the same place of an arena.
bool sharePlace(const MemrefRoots& memrefs, mlir::Operation* first, mlir::Operation* second)
{
    const bool placed = memrefs.isArenaView(first);
    if (placed != memrefs.isArenaView(second)) return false;
    return !placed || (first->getOperand(0) == second->getOperand(0) && arenaOffset(first) == arenaOffset(second));
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

TensorId FunctionReader::addTensor(mlir::Value value, RegionId region, TensorKind kind, Owns owns)
{
    const auto id = static_cast<TensorId>(to_.tensors.size());
    Tensor& made = to_.tensors.emplace_back();
    ValueSize size = sizeOf(value.getType(), owns);
    made.dtype = std::move(size.dtype);
    made.shape = std::move(size.shape);
    made.bytes = size.bytes;
    made.kind = kind;
    made.region = region;
    made.where = positionOf(value.getLoc(), context_.path);
    std::string name = nameOf(value);
    made.name = uniqueName(name.empty() ? "value" : std::move(name), tensorNames_);
    if (isStorage(value.getType()) && !size.element && unsizedTypes_.insert(made.dtype).second)
        context_.diagnostics.push_back(
            warning(Code::unknownSize,
                    fmt::format("the size of '{}' is not known: elements of type {} have no fixed size", made.name, made.dtype),
                    made.where, "use elements that are integers, floats, complex numbers, or vectors of a fixed length"));
    if (!isStorage(value.getType())) {
        made.planned = false;
        made.bytes = made.bytes.value_or(8);
        made.attributes.emplace_back(scalarAttribute, "");
    }
    if (auto memref = llvm::dyn_cast<mlir::MemRefType>(value.getType()); memref && memref.getMemorySpace()) {
        std::string space;
        llvm::raw_string_ostream(space) << memref.getMemorySpace();
        made.attributes.emplace_back(memorySpaceAttribute, space);
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
    const MemrefRoots::Values roots = context_.memrefs.rootsOf(value);
    return rootTensor(roots.size() == 1 ? roots.front() : context_.memrefs.storageOf(value));
}

TensorId FunctionReader::rootTensor(mlir::Value root)
{
    if (const auto found = tensors_.find(root); found != tensors_.end()) return found->second;
    // An empty tensor that an op reads, a value of an op that was left out, or one of several allocations: known, and without a
    // size of its own in the plan.
    const TensorId id = addTensor(root, 0, TensorKind::constant);
    Tensor& made = tensor(id);
    made.available = Availability::compileTime;
    made.planned = false;
    if (!attribute(made.attributes, scalarAttribute)) made.attributes.emplace_back(scalarAttribute, "");
    if (isMemref(root) && context_.memrefs.isAlias(root)) made.bytes.reset();
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
    if (!lasting_.empty()) {
        const OpId end = addOp(block.getTerminator(), 0, "func.return");
        op(end).inputs = lasting_;
        op(end).attributes.emplace_back(foldAttribute, "");
    }
    for (const mlir::Value value : block.getTerminator()->getOperands()) {
        const TensorId id = tensorOf(value);
        Tensor& it = tensor(id);
        if (it.kind == TensorKind::intermediate && it.region == 0) {
            it.kind = TensorKind::output;
            it.planned &= context_.planIo;
        }
        to_.regions.front().outputs.push_back(id);
        if (isMemref(value)) keepOutReturned(value);
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
    for (mlir::Operation& each : block) {
        if (!context_.memrefs.isAllocation(&each) || tensors_.count(each.getResult(0)) > 0) continue;
        const TensorId id = declareAllocation(&each, region);
        if (context_.memrefs.isLost(&each)) continue; // it begins where it is allocated
        if (mlir::Operation* first = context_.memrefs.firstTouch(&each)) madeBy_[first].push_back(id);
    }
    for (mlir::Operation& each : block.without_terminator()) {
        if (context_.memrefs.isLost(&each))
            if (const auto made = tensors_.find(each.getResult(0));
                made != tensors_.end() && tensor(made->second).region == region)
                addAllocationOp(made->second, region);
        readOp(&each, region);
    }
    if (!block.empty()) addAllocationOps(&block.back(), region); // handed out as it is
}

TensorId FunctionReader::declareAllocation(mlir::Operation* allocation, RegionId region)
{
    const TensorId id = addTensor(allocation->getResult(0), region, TensorKind::intermediate, Owns::yes);
    if (auto alignment = allocation->getAttrOfType<mlir::IntegerAttr>("alignment"); alignment && alignment.getInt() > 0)
        tensor(id).alignment = std::min<Bytes>(alignment.getInt(), maxBytes);
    else
        tensor(id).alignment = elementAlignmentOf(allocation->getResult(0).getType());
    warnOfLayout(allocation, id);
    if (keepOutUnplaceable(allocation, id)) return id;
    if (context_.memrefs.exposedBy(allocation))
        lasting_.push_back(id);
    else
        shareWithOtherBranch(allocation, id);
    if (context_.memrefs.isArenaView(allocation)) plan_.offsets.push_back({none, id, arenaOffset(allocation), {}});
    return id;
}

void FunctionReader::shareWithOtherBranch(mlir::Operation* allocation, TensorId id)
{
    auto branch = llvm::dyn_cast<mlir::scf::IfOp>(allocation->getParentOp());
    if (!branch || branch.getElseRegion().empty() || allocation->getBlock() != branch.elseBlock()) return;
    const MemrefRoots& memrefs = context_.memrefs;
    for (const auto& [there, here] : llvm::zip(branch.thenYield().getOperands(), branch.elseYield().getOperands())) {
        if (!isMemref(here) || memrefs.storageOf(here) != allocation->getResult(0)) continue;
        const mlir::Value other = memrefs.storageOf(there);
        mlir::Operation* made = other.getDefiningOp();
        const auto known = tensors_.find(other);
        if (!made || known == tensors_.end() || made->getBlock() != branch.thenBlock() || !memrefs.isAllocation(made)) continue;
        const Tensor &first = tensor(known->second), &second = tensor(id);
        const bool spaces = llvm::cast<mlir::MemRefType>(other.getType()).getMemorySpace() ==
                            llvm::cast<mlir::MemRefType>(allocation->getResult(0).getType()).getMemorySpace();
        if (!sharePlace(memrefs, made, allocation)) continue;
        if (!spaces || !first.bytes || first.bytes != second.bytes || first.region != second.region || memrefs.exposedBy(made))
            continue;
        if (!shared_.insert(known->second).second) continue; // two of the same branch may not share
        tensor(id).aliasOf = known->second;
        return;
    }
}

void FunctionReader::addAllocationOp(TensorId made, RegionId region)
{
    mlir::Operation* allocation = back_.values[at(made)].getDefiningOp();
    const OpId id = addOp(allocation, region, allocation->getName().getStringRef().str());
    op(id).outputs = {made};
    op(id).attributes.emplace_back(foldAttribute, "");
}

void FunctionReader::addAllocationOps(mlir::Operation* each, RegionId region)
{
    if (const auto made = madeBy_.find(each); made != madeBy_.end())
        for (const TensorId id : made->second) addAllocationOp(id, region);
}

void FunctionReader::keepOut(TensorId id, Code code, const std::string& why, std::string remedy)
{
    Tensor& it = tensor(id);
    if (!it.planned) return;
    const std::string bytes = it.bytes ? fmt::format(" ({} B)", grouped(*it.bytes)) : std::string();
    it.bytes.reset(); // there may be several at a time
    it.aliasOf = none;
    context_.diagnostics.push_back(
        warning(code, fmt::format("'{}'{} {}: it is not planned", it.name, bytes, why), it.where, std::move(remedy)));
}

bool FunctionReader::keepOutUnplaceable(mlir::Operation* allocation, TensorId id)
{
    if (mlir::Operation* around = unorderedAround(allocation); around && isParallelLoop(around))
        keepOut(id, Code::parallelAllocation, "is allocated in a parallel loop, once for each of its iterations",
                "allocate it before the loop, with a part for each iteration");
    else if (around)
        keepOut(id, Code::notSupported,
                fmt::format("is allocated inside '{}', and the order in which that op runs its regions is not known",
                            around->getName().getStringRef().str()));
    else if (context_.calls.runsAtOnce(function_.getName()))
        keepOut(id, Code::parallelAllocation,
                fmt::format("is allocated in '{}', which a parallel loop calls once for each of its iterations",
                            function_.getName().str()));
    else if (context_.memrefs.isCarried(allocation))
        keepOut(id, Code::severalPlaces, "is used by the next iteration of a loop, which allocates another one",
                "allocate both before the loop, and let them change places");
    else if (mlir::Operation* by = context_.memrefs.exposedBy(allocation); by && loopAround(allocation))
        keepOut(id, Code::notSupported,
                fmt::format("is allocated in a loop and given to '{}', after which its uses cannot be followed",
                            by->getName().getStringRef().str()),
                "allocate it before the loop");
    else
        return false;
    return true;
}

void FunctionReader::warnOfLayout(mlir::Operation* allocation, TensorId id)
{
    auto type = llvm::dyn_cast<mlir::MemRefType>(allocation->getResult(0).getType());
    if (!type || type.getLayout().isIdentity() || !type.hasStaticShape() || tensor(id).bytes) return;
    if (unsizedTypes_.contains(tensor(id).dtype)) return;
    std::string layout;
    llvm::raw_string_ostream out(layout);
    type.getLayout().print(out);
    context_.diagnostics.push_back(
        warning(Code::unknownSize, fmt::format("the size of '{}' is not known: its layout is {}", tensor(id).name, layout),
                tensor(id).where, "give it the default layout, or constant strides and a constant offset"));
}

void FunctionReader::keepOutReturned(mlir::Value value)
{
    const MemrefRoots::Values roots = context_.memrefs.rootsOf(value);
    if (roots.size() < 2) return;
    for (const mlir::Value root : roots) {
        mlir::Operation* made = root.getDefiningOp();
        if (!made || !context_.memrefs.isAllocation(made)) continue;
        const TensorId id = rootTensor(root);
        if (!tensor(id).bytes) continue; // named already
        keepOut(id, Code::notSupported, "is one of several allocations that the function may return");
        tensor(id).planned = context_.planIo;
    }
}

bool FunctionReader::readQuietly(mlir::Operation* each, RegionId region)
{
    const MemrefRoots& memrefs = context_.memrefs;
    if (memrefs.isAllocation(each) || memrefs.isArena(each) || isEndOfLifetimes(each)) return true;
    if (llvm::isa<mlir::arith::SelectOp>(each) && isMemref(each->getResult(0))) return true;
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
    return isEmptyTensor(each->getResult(0)) || memrefs.storageOf(each->getResult(0)) != each->getResult(0);
}

void FunctionReader::addOutputs(mlir::Operation* each, OpId id, RegionId region)
{
    for (const mlir::Value result : each->getResults()) {
        if (isMemref(result) && context_.memrefs.isAlias(result)) continue;
        const TensorId made = own(result, region);
        op(id).outputs.push_back(made);
    }
}

void FunctionReader::readOp(mlir::Operation* each, RegionId region)
{
    if (readQuietly(each, region)) return;
    // What is used after this op exists before it.
    for (mlir::Operation* allocation : context_.memrefs.leaving(each))
        addAllocationOp(declareAllocation(allocation, region), region);
    const bool structured = isStructured(each);
    auto call = llvm::dyn_cast<mlir::func::CallOp>(each);
    const bool called = call && context_.functions.count(call.getCallee()) > 0;
    if (structured || called) addAllocationOps(each, region); // the bytes exist before the regions run
    const OpId id = addOp(each, region, each->getName().getStringRef().str());
    if (llvm::isa<mlir::scf::WhileOp>(each)) return readWhile(each, id);
    if (llvm::isa<mlir::scf::IfOp>(each)) return readBranch(each, id);
    if (structured) return readLoop(each, id);
    if (called) return readCall(each, id);
    readLeaf(each, id);
}

void FunctionReader::readLeaf(mlir::Operation* each, OpId id)
{
    op(id).attributes.emplace_back(foldAttribute, toText(traitsOf(each)));
    const auto found = madeBy_.find(each);
    const llvm::SmallVector<TensorId, 1> made = found == madeBy_.end() ? llvm::SmallVector<TensorId, 1>() : found->second;
    llvm::DenseSet<TensorId> known(made.begin(), made.end());
    std::vector<mlir::Value> values = readValues(each);
    const llvm::ArrayRef<mlir::Value> held = context_.memrefs.heldUntil(each);
    values.insert(values.end(), held.begin(), held.end());
    for (const mlir::Value value : values)
        for (const mlir::Value root : context_.memrefs.rootsOf(value)) {
            const TensorId input = rootTensor(root);
            if (known.insert(input).second) op(id).inputs.push_back(input);
        }
    readInside(each, id, known);
    noteOverwrites(each, id, held);
    addOutputs(each, id, op(id).parent);
    op(id).outputs.insert(op(id).outputs.end(), made.begin(), made.end());
    for (const auto& [from, to] : overwritable(each)) {
        const TensorId input = tensorOf(from), output = tensorOf(to);
        const Tensor& old = tensor(input);
        const bool may = old.kind == TensorKind::intermediate && old.bytes && old.bytes == tensor(output).bytes;
        if (may && llvm::is_contained(op(id).inputs, input)) op(id).inPlace.push_back({input, output});
    }
}

void FunctionReader::noteOverwrites(mlir::Operation* each, OpId id, llvm::ArrayRef<mlir::Value> held)
{
    std::vector<mlir::Value> values = writtenValues(each).value_or(readValues(each));
    values.insert(values.end(), held.begin(), held.end());
    llvm::DenseSet<TensorId> written;
    for (const mlir::Value value : values)
        if (isMemref(value))
            for (const mlir::Value root : context_.memrefs.rootsOf(value))
                if (const auto known = tensors_.find(root); known != tensors_.end()) written.insert(known->second);
    std::string positions;
    for (std::size_t i = 0; i < op(id).inputs.size(); ++i)
        if (written.contains(op(id).inputs[i])) positions += fmt::format("{} ", i);
    if (!positions.empty()) op(id).attributes.emplace_back(overwritesAttribute, std::move(positions));
}

void FunctionReader::readInside(mlir::Operation* each, OpId id, llvm::DenseSet<TensorId>& known)
{
    if (each->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>()) return;
    walkOwnOps(each, [&](mlir::Operation* inner) {
        if (auto call = llvm::dyn_cast<mlir::func::CallOp>(inner); call && context_.calls.allocates(call.getCallee()))
            context_.diagnostics.push_back(
                warning(Code::notSupported,
                        fmt::format("'{}' is called inside '{}', which is one step of the plan: what it allocates is not counted "
                                    "there",
                                    call.getCallee().str(), each->getName().getStringRef().str()),
                        positionOf(inner->getLoc(), context_.path)));
        if (!context_.memrefs.isAllocation(inner)) return mlir::WalkResult::advance();
        if (const auto made = tensors_.find(inner->getResult(0)); made != tensors_.end()) { // it leaves the op
            if (known.insert(made->second).second) op(id).inputs.push_back(made->second);
            return mlir::WalkResult::advance();
        }
        const TensorId scratch = declareAllocation(inner, op(id).parent);
        op(id).temps.push_back(scratch);
        return mlir::WalkResult::advance();
    });
}

void FunctionReader::readLoop(mlir::Operation* each, OpId id)
{
    auto loop = llvm::cast<mlir::LoopLikeOpInterface>(each);
    const RegionId home = op(id).parent;
    op(id).control = Control::loop;
    std::vector<TensorId> inputs; // memrefs are followed by MemrefRoots
    for (const mlir::Value init : loop.getInits())
        if (!isMemref(init)) inputs.push_back(tensorOf(init));
    const std::size_t carried = inputs.size();
    for (const mlir::Value operand : each->getOperands()) {
        if (isMemref(operand)) continue;
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
    for (const mlir::Value argument : loop.getRegionIterArgs())
        if (!isMemref(argument)) to_.regions[at(body)].inputs.push_back(own(argument, body));
    for (const mlir::Value argument : block.getArguments())
        if (!isMemref(argument) && !tensors_.count(argument)) to_.regions[at(body)].inputs.push_back(own(argument, body));
    readBlock(block, body);
    if (llvm::isa<mlir::scf::ParallelOp>(each)) return;
    std::size_t next = 0;
    for (const mlir::Value yielded : block.getTerminator()->getOperands()) {
        if (isMemref(yielded) || next == carried) continue;
        const TensorId from = tensorOf(yielded);
        Region& region = to_.regions[at(body)];
        region.outputs.push_back(from);
        op(id).carries.push_back({from, region.inputs[next++]});
    }
}

/// `before` and `after` run one after the other: one body. What `before` hands on is the loop's result.
void FunctionReader::readWhile(mlir::Operation* each, OpId id)
{
    auto loop = llvm::cast<mlir::scf::WhileOp>(each);
    op(id).control = Control::loop;
    for (const mlir::Value init : loop.getInits()) {
        if (isMemref(init)) continue;
        const TensorId input = tensorOf(init);
        op(id).inputs.push_back(input);
    }
    addOutputs(each, id, op(id).parent);
    const RegionId body = addRegion(id, RegionRole::body);
    for (const mlir::Value argument : loop.getBeforeArguments())
        if (!isMemref(argument)) to_.regions[at(body)].inputs.push_back(own(argument, body));
    readBlock(*loop.getBeforeBody(), body);
    const auto handed = loop.getConditionOp().getArgs();
    for (const auto& [argument, value] : llvm::zip(loop.getAfterArguments(), handed)) {
        if (isMemref(value)) continue;
        const TensorId handedOn = tensorOf(value);
        tensors_[argument] = handedOn;
        to_.regions[at(body)].outputs.push_back(handedOn);
    }
    readBlock(*loop.getAfterBody(), body);
    std::size_t next = 0;
    for (const mlir::Value yielded : loop.getYieldOp()->getOperands()) {
        if (isMemref(yielded)) continue;
        const TensorId from = tensorOf(yielded);
        Region& region = to_.regions[at(body)];
        region.outputs.push_back(from);
        op(id).carries.push_back({from, region.inputs[next++]});
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
            if (isMemref(value)) continue;
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
    llvm::SetVector<TensorId> kept; // what an operand may stand for besides the tensor that is given for it
    for (const mlir::Value operand : call.getOperands()) {
        const TensorId input = tensorOf(operand);
        op(id).inputs.push_back(input);
        if (!isMemref(operand)) continue;
        for (const mlir::Value root : context_.memrefs.rootsOf(operand))
            if (const TensorId other = rootTensor(root); other != input) kept.insert(other);
    }
    for (const mlir::Value result : each->getResults()) {
        const TensorId made = own(result, op(id).parent);
        op(id).outputs.push_back(made);
        if (!isMemref(result) || !context_.memrefs.isAlias(result)) continue;
        tensor(made).planned = false; // what uses it uses the operands that it may stand for
        tensor(made).bytes.reset();
    }
    if (kept.empty()) return;
    // They are in use until the function has run.
    const OpId after = addOp(each, op(id).parent, "func.call.end");
    op(after).inputs.assign(kept.begin(), kept.end());
    op(after).attributes.emplace_back(foldAttribute, "");
}

} // namespace stowage::mlirfile
