#include "plugins/mlir/plan_rewrite.h"

#include "plugins/mlir/memref_touches.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/Builders.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace stowage::mlirfile {

namespace {

/// Places the allocations of one function.
class FunctionPlanner {
public:
    FunctionPlanner(const PlannedFunction& planned, const ReadFunction& read, const std::string& path)
        : planned_(planned), read_(read), path_(path)
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
            if (auto error = add(op, binding)) return error;
        }
        for (auto& [space, arena] : arenas_) writeArena(arena);
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
        Bytes alignment = 1;
        std::vector<Place> places;
    };

    Error refusal(mlir::Operation* op, std::string what)
    {
        return failure(Code::dynamicShape, std::move(what), positionOf(op->getLoc(), path_),
                       "give it a static shape and the default layout, or leave it out of the plan");
    }

    std::optional<Error> add(mlir::Operation* op, const TensorBinding& binding)
    {
        auto type = llvm::cast<mlir::MemRefType>(op->getResult(0).getType());
        if (!type.hasStaticShape()) return refusal(op, "an allocation has a dynamic shape");
        if (!type.getLayout().isIdentity()) return refusal(op, "an allocation has a layout of its own");
        const Placement& placement = planned_.plan.placements[at(binding.buffer)];
        const Buffer& buffer = planned_.lowering.problem.buffers[at(binding.buffer)];
        std::string key;
        llvm::raw_string_ostream(key) << type.getMemorySpace();
        Arena& arena = arenas_[key];
        arena.space = type.getMemorySpace();
        arena.size = std::max(arena.size, placement.offset + buffer.size);
        arena.alignment = std::max<Bytes>({arena.alignment, buffer.alignment, 64});
        arena.places.push_back({op, placement.offset + binding.delta});
        return std::nullopt;
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
            for (mlir::Operation* user : llvm::make_early_inc_range(old.getUsers()))
                if (llvm::isa<mlir::memref::DeallocOp>(user)) user->erase();
            old.replaceAllUsesWith(view);
            place.allocation->erase();
        }
        builder.setInsertionPoint(block.getTerminator());
        builder.create<mlir::memref::DeallocOp>(location, bytes);
    }

    const PlannedFunction& planned_;
    const ReadFunction& read_;
    const std::string& path_;
    std::map<std::string, Arena> arenas_; ///< by the text of the memory space
};

/// A callee's allocations lie in its caller's arena, which it does not see.
std::optional<Error> allocatingCallee(const PlannedFunction& planned, const ReadModule& read, const std::string& path)
{
    for (std::size_t i = 1; i < planned.lowering.instances.size(); ++i) {
        const FunctionInstance& instance = planned.lowering.instances[i];
        for (const mlir::Value value : read.functions[at(instance.function)].values)
            if (mlir::Operation* op = value.getDefiningOp(); op && isAllocation(op))
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
        if (auto error = FunctionPlanner(planned, read->functions[at(planned.function)], request.path).run())
            return *std::move(error);
    }
    auto text = printModule(*parsed->module, request.path);
    if (!text) return std::move(text).error();
    return Rewritten{*std::move(text), {}};
}

} // namespace stowage::mlirfile
