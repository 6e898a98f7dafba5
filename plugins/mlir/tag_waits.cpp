#include "plugins/mlir/tag_waits.h"

#include "plugins/mlir/op_facts.h"

#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/IR/AffineExpr.h>
#include <mlir/IR/AffineMap.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/CallInterfaces.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSet.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace stowage::mlirfile {

namespace {

/// The tag of a start or a wait.
struct TagOperands {
    mlir::Value memref;
    mlir::ValueRange indices;
    mlir::AffineMap map; ///< null for the dialect memref
};

bool isTagWait(mlir::Operation* op)
{
    return llvm::isa<mlir::memref::DmaWaitOp, mlir::affine::AffineDmaWaitOp>(op);
}

std::optional<TagOperands> tagOf(mlir::Operation* op)
{
    if (auto start = llvm::dyn_cast<mlir::memref::DmaStartOp>(op))
        return TagOperands{start.getTagMemRef(), start.getTagIndices(), {}};
    if (auto wait = llvm::dyn_cast<mlir::memref::DmaWaitOp>(op))
        return TagOperands{wait.getTagMemRef(), wait.getTagIndices(), {}};
    if (auto start = llvm::dyn_cast<mlir::affine::AffineDmaStartOp>(op))
        return TagOperands{start.getTagMemRef(), start.getTagIndices(), start.getTagMap()};
    if (auto wait = llvm::dyn_cast<mlir::affine::AffineDmaWaitOp>(op))
        return TagOperands{wait.getTagMemRef(), wait.getTagIndices(), wait.getTagMap()};
    return std::nullopt;
}

/// By dimension of the tag; no value if the index is not constant.
using TagIndices = llvm::SmallVector<std::optional<std::int64_t>, 2>;

TagIndices constantIndices(const TagOperands& tag)
{
    llvm::SmallVector<mlir::Attribute> operands;
    for (const mlir::Value index : tag.indices) {
        mlir::Attribute constant;
        if (!mlir::matchPattern(index, mlir::m_Constant(&constant))) constant = {};
        operands.push_back(constant);
    }
    mlir::AffineMap map = tag.map;
    if (!map) map = mlir::AffineMap::getMultiDimIdentityMap(static_cast<unsigned>(operands.size()), tag.memref.getContext());
    map = map.partialConstantFold(operands);
    TagIndices indices;
    for (const mlir::AffineExpr index : map.getResults()) {
        auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(index);
        indices.push_back(constant ? std::optional<std::int64_t>(constant.getValue()) : std::nullopt);
    }
    return indices;
}

/// A start or a wait.
struct TagOp {
    mlir::Operation* op = nullptr;
    mlir::Value memref, storage;
    TagIndices indices;
};

/// All ops with tags of one storage.
struct TagStorage {
    bool apart = false;               ///< no other storage has bytes of it, and no op of another kind may start copies on it
    llvm::SmallVector<bool, 2> fixed; ///< by dimension: constant in each op
};

/// See `TagStorage::apart`. O(uses of the storage and its views).
bool isApart(mlir::Value storage, TagWaits::StorageOf storageOf)
{
    // A view is a storage of its own at a constant offset of an arena.
    if (!llvm::isa_and_nonnull<mlir::memref::AllocOp, mlir::memref::AllocaOp, mlir::memref::ViewOp>(storage.getDefiningOp()))
        return false;
    llvm::SmallVector<mlir::Value> pending{storage};
    while (!pending.empty()) {
        for (mlir::OpOperand& use : pending.pop_back_val().getUses()) {
            mlir::Operation* user = use.getOwner();
            if (tagOf(user) || isEndOfLifetimes(user) || llvm::isa<mlir::memref::LoadOp, mlir::affine::AffineLoadOp>(user))
                continue;
            const bool written = use.getOperandNumber() > 0; // operand 0 is the value
            if (written && llvm::isa<mlir::memref::StoreOp, mlir::affine::AffineStoreOp>(user)) continue;
            if (user->getNumResults() != 1 || storageOf(user->getResult(0)) != storage) return false;
            pending.push_back(user->getResult(0));
        }
    }
    return true;
}

/// A set of elements that are counted together.
struct TagSet {
    mlir::Value allocation;            ///< null for a set by function
    std::vector<mlir::Operation*> ops; ///< all starts and waits of the set, in the order of the text; not empty
};

/// The block around all ops of the set at whose begin none of its copies is in flight: that of an allocation, which is a new one
/// in each run of the block, otherwise that of the function.
mlir::Block& homeOf(const TagSet& set)
{
    mlir::Value allocation = set.allocation; // its functions are not const
    if (allocation && llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp>(allocation.getDefiningOp())) {
        mlir::Block* made = allocation.getParentBlock();
        // Another block of the same region may use it, too.
        if (llvm::all_of(set.ops, [made](mlir::Operation* op) { return made->findAncestorOpInBlock(*op) != nullptr; }))
            return *made;
    }
    return set.ops.front()->getParentOfType<mlir::func::FuncOp>().getBody().front();
}

/// Counts the copies in flight on a set of elements.
class CopyCounter {
public:
    explicit CopyCounter(const TagSet& set)
    {
        mlir::Block& home = homeOf(set);
        for (mlir::Operation* op : set.ops)
            for (mlir::Operation* around = op;; around = around->getParentOp()) {
                std::vector<mlir::Operation*>& listed = ops_[around->getBlock()];
                if (!listed.empty() && listed.back() == around) break;
                listed.push_back(around);
                if (around->getBlock() == &home) break;
            }
        atEndOf(home, 0, true);
        for (const auto& [block, listed] : ops_) {
            mlir::Operation* next = nullptr;
            for (mlir::Operation* op : llvm::reverse(listed)) {
                nextEnd_[op] = next;
                if (isTagWait(op) && allEndedAfter(op)) next = op;
            }
        }
    }

    /// See `TagWaits::endOf`. O(depth).
    [[nodiscard]] mlir::Operation* endOf(mlir::Operation* start) const
    {
        for (mlir::Operation* op = start; !llvm::isa<mlir::func::FuncOp>(op); op = op->getParentOp()) {
            if (isParallelLoop(op) && allEndedAfter(op)) return op;
            if (mlir::Operation* next = nextEnd_.lookup(op)) return next;
        }
        return nullptr;
    }

private:
    /// Copies in flight; no value if the number depends on the run.
    using Count = std::optional<std::size_t>;

    [[nodiscard]] bool allEndedAfter(mlir::Operation* op) const
    {
        const auto known = inFlight_.find(op);
        return known != inFlight_.end() && known->second == 0;
    }

    /// The count at the end of the block, with `count` at its begin. `keep`: whether `inFlight_` gets the counts between.
    Count atEndOf(mlir::Block& block, std::size_t count, bool keep)
    {
        const auto listed = ops_.find(&block);
        if (listed == ops_.end()) return count;
        for (mlir::Operation* op : listed->second) {
            const Count after = afterOp(op, count, keep);
            if (!after) return std::nullopt;
            count = *after;
            if (keep) inFlight_[op] = count;
        }
        return count;
    }

    /// The count after the op, with `count` before it.
    Count afterOp(mlir::Operation* op, std::size_t count, bool keep)
    {
        if (TagWaits::isStart(op)) return count + 1;
        if (isTagWait(op)) return count > 0 ? Count(count - 1) : std::nullopt;
        const bool parallel = isParallelLoop(op), loop = llvm::isa<mlir::LoopLikeOpInterface>(op);
        // The counts of one iteration are kept only if they are those of each iteration.
        if (keep && loop && !afterOp(op, count, false)) return std::nullopt;
        llvm::SmallVector<Count, 2> ends;
        for (mlir::Region& region : op->getRegions()) {
            if (!parallel && !region.empty() && !runsInOrder(region)) return std::nullopt;
            ends.push_back(region.empty() ? Count(count) : atEndOf(region.front(), count, keep && !parallel));
        }
        const Count after = ends.front();
        return llvm::all_equal(ends) && (!loop || after == count) ? after : std::nullopt;
    }

    /// By block: ops of the set, and ops with such ops in their regions, in the order of the text.
    llvm::DenseMap<mlir::Block*, std::vector<mlir::Operation*>> ops_;
    llvm::DenseMap<mlir::Operation*, std::size_t> inFlight_;     ///< after the op, where it is known
    llvm::DenseMap<mlir::Operation*, mlir::Operation*> nextEnd_; ///< the next wait of the block after which all copies have ended
};

} // namespace

bool TagWaits::isStart(mlir::Operation* op)
{
    return llvm::isa<mlir::memref::DmaStartOp, mlir::affine::AffineDmaStartOp>(op);
}

TagWaits::TagWaits(mlir::ModuleOp module, StorageOf storageOf)
{
    std::vector<TagOp> ops;
    llvm::DenseMap<mlir::Value, TagStorage> storages;
    llvm::StringSet<> called;
    llvm::DenseSet<mlir::Operation*> calling; // functions with ops that may start copies on any tag they know
    module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
        if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) called.insert(call.getCallee());
        if (auto taken = llvm::dyn_cast<mlir::func::ConstantOp>(op)) called.insert(taken.getValue());
        if (!op->isRegistered() || llvm::isa<mlir::CallOpInterface>(op))
            if (auto function = op->getParentOfType<mlir::func::FuncOp>()) calling.insert(function.getOperation());
        const auto tag = tagOf(op);
        if (!tag) return;
        const TagOp& added = ops.emplace_back(TagOp{op, tag->memref, storageOf(tag->memref), constantIndices(*tag)});
        const auto [found, fresh] = storages.try_emplace(added.storage);
        TagStorage& storage = found->second;
        if (fresh) storage = {isApart(added.storage, storageOf), llvm::SmallVector<bool, 2>(added.indices.size(), true)};
        // The indices of a view may count from elsewhere.
        const bool comparable = added.memref == added.storage && added.indices.size() == storage.fixed.size();
        for (std::size_t i = 0; i < storage.fixed.size(); ++i)
            storage.fixed[i] = storage.fixed[i] && comparable && added.indices[i].has_value();
    });

    // By an allocation and the constant indices, or by the function for all other tags. The order of the sets does not matter.
    using SetKey = std::pair<const void*, std::vector<std::int64_t>>;
    std::map<SetKey, TagSet> sets;
    for (const TagOp& each : ops) {
        auto function = each.op->getParentOfType<mlir::func::FuncOp>();
        if (!function || !function.getBody().hasOneBlock()) continue;
        const TagStorage& storage = storages[each.storage];
        if (!storage.apart) {
            if (!calling.contains(function.getOperation()) && !called.contains(function.getName()))
                sets[SetKey(function.getOperation(), {})].ops.push_back(each.op);
            continue;
        }
        std::vector<std::int64_t> indices;
        for (std::size_t i = 0; i < storage.fixed.size(); ++i)
            if (storage.fixed[i]) indices.push_back(*each.indices[i]);
        TagSet& set = sets[SetKey(each.storage.getAsOpaquePointer(), std::move(indices))];
        set.allocation = each.storage;
        set.ops.push_back(each.op);
    }
    for (const auto& [key, set] : sets) {
        const CopyCounter counter(set);
        for (mlir::Operation* op : set.ops)
            if (isStart(op))
                if (mlir::Operation* end = counter.endOf(op)) ends_[op] = end;
    }
}

} // namespace stowage::mlirfile
