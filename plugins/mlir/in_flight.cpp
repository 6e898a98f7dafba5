#include "plugins/mlir/in_flight.h"

#include "plugins/mlir/op_facts.h"
#include "plugins/mlir/value_sizes.h"

#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>

namespace stowage::mlirfile {

namespace {

/// An element of a tag.
struct TagElement {
    mlir::Value memref;
    mlir::ValueRange indices;
    mlir::AffineMap map; ///< null for the dialect memref
};

/// Equal for ops of one block with the same element.
using TagKey = std::vector<const void*>;

TagKey keyOf(mlir::Operation* op, const TagElement& tag)
{
    TagKey key{op->getBlock(), tag.memref.getAsOpaquePointer(), tag.map.getAsOpaquePointer()};
    for (const mlir::Value index : tag.indices) key.push_back(index.getAsOpaquePointer());
    return key;
}

std::optional<TagElement> startedTag(mlir::Operation* op)
{
    if (auto start = llvm::dyn_cast<mlir::memref::DmaStartOp>(op))
        return TagElement{start.getTagMemRef(), start.getTagIndices(), {}};
    if (auto start = llvm::dyn_cast<mlir::affine::AffineDmaStartOp>(op))
        return TagElement{start.getTagMemRef(), start.getTagIndices(), start.getTagMap()};
    return std::nullopt;
}

std::optional<TagElement> awaitedTag(mlir::Operation* op)
{
    if (auto wait = llvm::dyn_cast<mlir::memref::DmaWaitOp>(op)) return TagElement{wait.getTagMemRef(), wait.getTagIndices(), {}};
    if (auto wait = llvm::dyn_cast<mlir::affine::AffineDmaWaitOp>(op))
        return TagElement{wait.getTagMemRef(), wait.getTagIndices(), wait.getTagMap()};
    return std::nullopt;
}

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

/// Whether an op runs after another one.
enum class Runs : std::uint8_t { never, maybe, surely, nextIteration };

struct RunOrder {
    Runs runs = Runs::never;
    mlir::Operation* loop = nullptr; ///< of `nextIteration`: the innermost loop around both
};

RunOrder orderOf(mlir::Operation* start, mlir::Operation* wait)
{
    for (mlir::Operation* from = start; from && !llvm::isa<mlir::func::FuncOp>(from); from = from->getParentOp()) {
        mlir::Operation* to = from->getBlock() ? from->getBlock()->findAncestorOpInBlock(*wait) : nullptr;
        if (!to) continue;
        if (from != to && from->isBeforeInBlock(to)) return {to == wait ? Runs::surely : Runs::maybe, nullptr};
        mlir::Operation* loop = llvm::isa<mlir::LoopLikeOpInterface>(from) && from == to ? from : loopAround(from);
        if (loop) return {Runs::nextIteration, loop};
        return {};
    }
    return {};
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

using StorageOf = llvm::function_ref<mlir::Value(mlir::Value)>;

class InFlightFinder {
public:
    InFlightFinder(mlir::ModuleOp module, StorageOf storageOf) : storageOf_(storageOf)
    {
        module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
            const auto awaited = awaitedTag(op), started = startedTag(op);
            if (awaited) {
                waits_[storageOf_(awaited->memref)].push_back(op);
                count(op, groups_[keyOf(op, *awaited)]);
            }
            if (started) groups_[keyOf(op, *started)].starts.push_back(op);
            if (started || hasToken(op)) starts_.push_back(op);
        });
        for (mlir::Operation* start : starts_) {
            if (const auto tag = startedTag(start))
                followTag(start, *tag);
            else
                followTokens(start);
        }
    }

    InFlight take() { return std::move(found_); }

private:
    static constexpr std::size_t maxWaits = 64;

    /// Copies of one block on one element that may be in flight together, and the waits among them. A wait ends one of the
    /// copies, and does not tell which one.
    struct Group {
        std::vector<mlir::Operation*> starts, waits;
    };

    /// All copies of the group have ended after as many waits. A wait without a start in its block is for one of another block.
    void count(mlir::Operation* wait, Group& group)
    {
        if (group.starts.empty()) return;
        group.waits.push_back(wait);
        if (group.waits.size() < group.starts.size()) return;
        for (mlir::Operation* start : group.starts) lastWait_[start] = wait;
        group = {};
    }

    void followTag(mlir::Operation* start, const TagElement& tag)
    {
        if (mlir::Operation* wait = lastWait_.lookup(start)) return hold(start, wait);
        llvm::SmallVector<mlir::Operation*> waits;
        const auto known = waits_.find(storageOf_(tag.memref));
        const Group& group = groups_[keyOf(start, tag)];
        if (known != waits_.end() && known->second.size() <= maxWaits)
            llvm::copy_if(known->second, std::back_inserter(waits),
                          [&](mlir::Operation* wait) { return !llvm::is_contained(group.waits, wait); });
        hold(start, waits);
    }

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

    /// The memrefs of the copy that `start` starts are in use until `waits` have run.
    void hold(mlir::Operation* start, llvm::ArrayRef<mlir::Operation*> waits)
    {
        for (const mlir::Value value : readValues(start)) {
            if (!isMemref(value)) continue;
            mlir::Value storage = storageOf_(value);
            mlir::Region* home = storage.getParentRegion();
            bool ends = false;
            for (mlir::Operation* wait : waits) {
                const RunOrder order = orderOf(start, wait);
                if (order.runs == Runs::never || !home->isAncestor(wait->getParentRegion())) continue;
                // A memref of this iteration is another one in the next.
                if (order.loop && order.loop->isAncestor(home->getParentOp())) continue;
                mlir::Operation* step = stepWith(wait);
                // Otherwise the memref is inside the step, and in use as long as it runs.
                if (home->isAncestor(step->getParentRegion())) found_.heldUntil[step].push_back(storage);
                ends = ends || order.runs == Runs::surely;
            }
            if (!ends) found_.unfinished.emplace_back(storage, start);
        }
    }

    StorageOf storageOf_;
    llvm::DenseMap<mlir::Value, std::vector<mlir::Operation*>> waits_; ///< by storage of the tag, in the order of the text
    std::map<TagKey, Group> groups_;                                   ///< those that lack waits
    llvm::DenseMap<mlir::Operation*, mlir::Operation*> lastWait_;      ///< by start of a copy: after it, the copy has ended
    std::vector<mlir::Operation*> starts_;
    InFlight found_;
};

} // namespace

InFlight findInFlight(mlir::ModuleOp module, StorageOf storageOf)
{
    return InFlightFinder(module, storageOf).take();
}

} // namespace stowage::mlirfile
