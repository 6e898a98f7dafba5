#include "plugins/mlir/plan_rewrite.h"

#include "core/ir/checked.h"
#include "plugins/mlir/memref_roots.h"
#include "plugins/mlir/op_facts.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/Builders.h>

#include <fmt/format.h>

#include <llvm/ADT/DenseSet.h>

#include <algorithm>
#include <map>
#include <utility>

namespace stowage::mlirfile {

namespace {

/// Places the allocations of one function.
class FunctionPlanner {
public:
    FunctionPlanner(const PlannedFunction& planned, const ReadModule& read, const std::string& path)
        : planned_(planned),
          function_(read.program.functions[at(planned.function)]),
          read_(read.functions[at(planned.function)]),
          memrefs_(*read.memrefs),
          path_(path)
    {
    }

    std::optional<Error> run()
    {
        const FunctionInstance& instance = planned_.lowering.instances.front();
        for (std::size_t t = 0; t < read_.values.size(); ++t) {
            mlir::Operation* op = read_.values[t].getDefiningOp();
            if (!op || !llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp>(op)) continue;
            const TensorBinding& binding = instance.bindings[t];
            if (binding.buffer == none) continue; // nobody touches it, or it is kept out of planning
            if (auto error = add(op, function_.tensors[t].name, binding)) return error;
        }
        if (auto error = findEnds()) return error;
        for (auto& [key, arena] : arenas_) writeArena(arena);
        for (mlir::Operation* end : ends_) end->erase();
        return std::nullopt;
    }

private:
    struct Place {
        mlir::Operation* allocation;
        Bytes offset;
    };
    struct Arena {
        mlir::Attribute space;
        Bytes size = 0;
        Bytes alignment = 64;
        std::vector<Place> places;
    };

    Error refusal(mlir::Operation* op, Code code, std::string what, std::string remedy)
    {
        return failure(code, std::move(what), positionOf(op->getLoc(), path_), std::move(remedy));
    }

    std::optional<Error> add(mlir::Operation* op, const std::string& name, const TensorBinding& binding)
    {
        auto type = llvm::cast<mlir::MemRefType>(op->getResult(0).getType());
        constexpr auto give = "give it a static shape and the default layout, or leave it out of the plan";
        if (!type.hasStaticShape()) return refusal(op, Code::dynamicShape, "an allocation has a dynamic shape", give);
        if (!type.getLayout().isIdentity()) return refusal(op, Code::dynamicShape, "an allocation has a layout of its own", give);
        const Placement& placement = planned_.plan.placements[at(binding.buffer)];
        const Problem& problem = planned_.lowering.problem;
        const Buffer& buffer = problem.buffers[at(binding.buffer)];
        constexpr auto conservative = "plan with --lower loops=conservative";
        if (placement.rotating() || binding.distance != 0 || !binding.first.empty())
            return refusal(op, Code::rotating,
                           fmt::format("'{}' rotates between several offsets, which one view cannot express", name),
                           conservative);
        if (!binding.choices.empty())
            return refusal(op, Code::severalPlaces,
                           fmt::format("'{}' lies in one of several buffers, which one view cannot express", name), conservative);
        std::string space;
        llvm::raw_string_ostream out(space);
        out << type.getMemorySpace();
        Arena& arena = arenas_[{placement.pool, space}];
        arena.space = type.getMemorySpace();
        const bool empty = buffer.size == 0; // whatever its pin says, it needs no byte
        if (!empty) arena.size = std::max(arena.size, placement.offset + buffer.size);
        const Bytes alignment = problem.effectiveAlignment(buffer, placement.pool);
        arena.alignment = checkedLcm(arena.alignment, alignment).value_or(std::max<Bytes>(arena.alignment, alignment));
        arena.places.push_back({op, empty ? 0 : placement.offset + binding.delta});
        placed_.insert(op);
        return std::nullopt;
    }

    /// How many of the values that `value` may stand for are placed.
    enum class Share : std::uint8_t { none, some, all };
    Share placedShare(mlir::Value value) const
    {
        const MemrefRoots::Values roots = memrefs_.rootsOf(value);
        const auto placed = [&](mlir::Value root) { return root.getDefiningOp() && placed_.contains(root.getDefiningOp()); };
        if (memrefs_.hasLostRoots(value) && !placed_.empty()) return Share::some;
        if (llvm::none_of(roots, placed)) return Share::none;
        return llvm::all_of(roots, placed) && !memrefs_.hasHiddenRoots(value) ? Share::all : Share::some;
    }

    /// Finds the ends of lifetimes of what is placed: they go, as the arena ends with the function. An op that ends a lifetime
    /// and cannot go is an error.
    std::optional<Error> findEnds()
    {
        std::optional<Error> error;
        mlir::func::FuncOp function = read_.function;
        walkOwnOps(function, [&](mlir::Operation* op) {
            if (llvm::isa<mlir::memref::DeallocOp>(op))
                error = findEnd(op);
            else if (llvm::isa<mlir::memref::ReallocOp, mlir::bufferization::DeallocOp, mlir::func::ReturnOp>(op))
                error = refuseEnd(op);
            return error ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
        });
        return error;
    }

    std::optional<Error> findEnd(mlir::Operation* op)
    {
        const mlir::Value freed = op->getOperand(0);
        // The clone is freed, not the memref that it may share its bytes with.
        if (memrefs_.storageOf(freed).getDefiningOp<mlir::bufferization::CloneOp>()) return std::nullopt;
        const Share share = placedShare(freed);
        if (share == Share::all) ends_.push_back(op);
        if (share != Share::some) return std::nullopt;
        return refusal(op, Code::notSupported,
                       "this frees one of several memrefs, and some of them lie in the arena, which is freed as a whole",
                       "free each allocation under its own name");
    }

    std::optional<Error> refuseEnd(mlir::Operation* op)
    {
        const auto placed = [&](mlir::Value operand) { return isMemref(operand) && placedShare(operand) != Share::none; };
        if (llvm::none_of(op->getOperands(), placed)) return std::nullopt;
        if (llvm::isa<mlir::func::ReturnOp>(op))
            return refusal(op, Code::notSupported, "an allocation of the plan is returned, and its arena ends with the function",
                           "plan with --import io=excluded");
        std::string remedy = "expand it first (mlir-opt --expand-realloc)";
        if (auto dealloc = llvm::dyn_cast<mlir::bufferization::DeallocOp>(op)) {
            const auto share = [&](Share wanted) {
                return [this, wanted](mlir::Value freed) { return placedShare(freed) == wanted; };
            };
            if (isEndOfLifetimes(op) && llvm::all_of(dealloc.getMemrefs(), share(Share::all))) {
                ends_.push_back(op);
                return std::nullopt;
            }
            remedy = "plan before it is inserted (mlir-opt --ownership-based-buffer-deallocation)";
            if (llvm::none_of(dealloc.getMemrefs(), share(Share::some)))
                remedy += ", or lower it first (mlir-opt --bufferization-lower-deallocations)";
        }
        return refusal(
            op, Code::notSupported,
            fmt::format("'{}' may free an allocation of the plan, which lies in the arena", op->getName().getStringRef().str()),
            std::move(remedy));
    }

    void writeArena(const Arena& arena)
    {
        mlir::func::FuncOp function = read_.function;
        mlir::Block& block = function.getBody().front();
        mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&block);
        const mlir::Location location = function.getLoc();
        auto type = mlir::MemRefType::get({arena.size}, builder.getI8Type(), mlir::MemRefLayoutAttrInterface(), arena.space);
        const mlir::Value bytes =
            builder.create<mlir::memref::AllocOp>(location, type, builder.getI64IntegerAttr(arena.alignment));
        for (const Place& place : arena.places) {
            builder.setInsertionPoint(place.allocation);
            const mlir::Location here = place.allocation->getLoc();
            const mlir::Value offset = builder.create<mlir::arith::ConstantIndexOp>(here, place.offset);
            mlir::Value old = place.allocation->getResult(0);
            const mlir::Value view = builder.create<mlir::memref::ViewOp>(here, llvm::cast<mlir::MemRefType>(old.getType()),
                                                                          bytes, offset, mlir::ValueRange());
            old.replaceAllUsesWith(view);
            place.allocation->erase();
        }
        builder.setInsertionPoint(block.getTerminator());
        builder.create<mlir::memref::DeallocOp>(location, bytes);
    }

    const PlannedFunction& planned_;
    const Function& function_;
    const ReadFunction& read_;
    const MemrefRoots& memrefs_;
    const std::string& path_;
    std::map<std::pair<PoolId, std::string>, Arena> arenas_; ///< by pool, and the text of the memory space
    llvm::DenseSet<mlir::Operation*> placed_;
    std::vector<mlir::Operation*> ends_; ///< of lifetimes in arenas
};

/// A callee's allocations lie in its caller's arena, which it does not see.
std::optional<Error> allocatingCallee(const PlannedFunction& planned, const ReadModule& read, const std::string& path)
{
    for (std::size_t i = 1; i < planned.lowering.instances.size(); ++i) {
        const FunctionInstance& instance = planned.lowering.instances[i];
        for (const mlir::Value value : read.functions[at(instance.function)].values)
            if (mlir::Operation* op = value.getDefiningOp(); op && read.memrefs->isAllocation(op))
                return failure(Code::notSupported, "a called function allocates: its caller's arena cannot be handed to it",
                               positionOf(op->getLoc(), path), "inline it first (mlir-opt --inline)");
    }
    return std::nullopt;
}

} // namespace

Expected<Rewritten> rewritePlanned(const RewriteRequest& request)
{
    auto parsed = parseModule(request.text, request.path);
    if (!parsed) return std::move(parsed).error();
    auto read = readModule(*parsed, request.path, true);
    if (!read) return std::move(read).error();
    for (const PlannedFunction& planned : request.planned) {
        if (auto error = allocatingCallee(planned, *read, request.path)) return *std::move(error);
        if (auto error = FunctionPlanner(planned, *read, request.path).run()) return *std::move(error);
    }
    auto text = printModule(*parsed->module, request.path);
    if (!text) return std::move(text).error();
    return Rewritten{*std::move(text), {}};
}

} // namespace stowage::mlirfile
