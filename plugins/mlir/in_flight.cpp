#include "plugins/mlir/in_flight.h"

#include "plugins/mlir/op_facts.h"
#include "plugins/mlir/tag_waits.h"
#include "plugins/mlir/value_sizes.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/BuiltinTypes.h>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace stowage::mlirfile {

namespace {

/// The dialects of tokens are not linked: their types are opaque.
bool isToken(mlir::Value value)
{
    auto type = llvm::dyn_cast<mlir::OpaqueType>(value.getType());
    if (!type) return false;
    const llvm::StringRef dialect = type.getDialectNamespace().getValue(), text = type.getTypeData();
    return (dialect == "async" && (text == "token" || text.starts_with("value<"))) ||
           (dialect == "gpu" && text == "async.token") || (dialect == "nvgpu" && text == "device.async.token");
}

bool hasToken(mlir::Operation* op)
{
    return llvm::any_of(op->getResults(), [](mlir::Value result) { return isToken(result); });
}

/// Whether the op returns only after the work of its tokens. `nvgpu.device_async_wait` with a number leaves some of it.
bool waitsForTokens(mlir::Operation* op)
{
    const llvm::StringRef name = op->getName().getStringRef();
    return name == "async.await" || name == "gpu.wait" || (name == "nvgpu.device_async_wait" && !op->hasAttr("numGroups"));
}

/// Whether each run that comes past `start` comes past the end of `wait` afterwards: `wait` is around it, or comes after it in
/// its block or in a block around it.
bool surelyEndsAfter(mlir::Operation* start, mlir::Operation* wait)
{
    for (mlir::Operation* from = start; from && !llvm::isa<mlir::func::FuncOp>(from); from = from->getParentOp()) {
        if (from == wait) return true;
        if (from->getBlock() == wait->getBlock()) return from->isBeforeInBlock(wait);
    }
    return false;
}

/// The op of the program that the op belongs to: itself, or the outermost op around it that is one step.
mlir::Operation* stepWith(mlir::Operation* op)
{
    mlir::Operation* step = op;
    for (mlir::Operation* around = op->getParentOp(); around && !llvm::isa<mlir::func::FuncOp>(around);
         around = around->getParentOp())
        if (!isStructured(around)) step = around;
    return step;
}

class InFlightFinder {
public:
    InFlightFinder(mlir::ModuleOp module, TagWaits::StorageOf storageOf) : storageOf_(storageOf)
    {
        const TagWaits tagWaits(module, storageOf);
        module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
            if (TagWaits::isStart(op)) {
                if (mlir::Operation* end = tagWaits.endOf(op))
                    hold(op, end);
                else
                    hold(op, {});
            } else if (hasToken(op)) {
                followTokens(op);
            }
        });
    }

    InFlight take() { return std::move(found_); }

private:
    static constexpr std::size_t maxWaits = 64;

    void followTokens(mlir::Operation* start)
    {
        llvm::SmallVector<mlir::Operation*> waits, pending{start};
        llvm::DenseSet<mlir::Operation*> seen{start};
        while (!pending.empty() && seen.size() <= maxWaits) {
            for (const mlir::Value result : pending.pop_back_val()->getResults()) {
                if (!isToken(result)) continue;
                for (mlir::Operation* user : result.getUsers()) {
                    if (!seen.insert(user).second) continue;
                    if (hasToken(user))
                        pending.push_back(user);
                    else if (waitsForTokens(user))
                        waits.push_back(user);
                }
            }
        }
        std::reverse(waits.begin(), waits.end()); // uses are listed from the last one on
        hold(start, waits);
    }

    /// The memrefs of the copy that `start` starts are in use until `waits` have run. Any of them may be the one that ends it.
    void hold(mlir::Operation* start, llvm::ArrayRef<mlir::Operation*> waits)
    {
        for (const mlir::Value value : readValues(start)) {
            if (!isMemref(value)) continue;
            mlir::Value storage = storageOf_(value);
            mlir::Region* home = storage.getParentRegion();
            bool ends = false;
            for (mlir::Operation* wait : waits) {
                // There the copy outlives the memref: the next iteration of a loop, for example, has another one.
                if (!home->isAncestor(wait->getParentRegion())) continue;
                mlir::Operation* step = stepWith(wait);
                // Otherwise the memref is inside the step, and in use as long as it runs.
                if (home->isAncestor(step->getParentRegion())) found_.heldUntil[step].push_back(storage);
                ends = ends || surelyEndsAfter(start, wait);
            }
            if (!ends) found_.unfinished.emplace_back(storage, start);
        }
    }

    TagWaits::StorageOf storageOf_;
    InFlight found_;
};

} // namespace

InFlight findInFlight(mlir::ModuleOp module, llvm::function_ref<mlir::Value(mlir::Value)> storageOf)
{
    return InFlightFinder(module, storageOf).take();
}

} // namespace stowage::mlirfile
