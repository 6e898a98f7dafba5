#include "plugins/mlir/memref_roots.h"

#include "plugins/mlir/op_facts.h"

#include <mlir/Dialect/Affine/IR/AffineOps.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Bufferization/IR/Bufferization.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Interfaces/ControlFlowInterfaces.h>
#include <mlir/Interfaces/ViewLikeInterface.h>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringMap.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace stowage::mlirfile {

namespace {

/// The op whose result the value is, or whose region it is an argument of.
mlir::Operation* opAround(mlir::Value value)
{
    if (mlir::Operation* op = value.getDefiningOp()) return op;
    return llvm::cast<mlir::BlockArgument>(value).getOwner()->getParentOp();
}

/// Whether `root` may be used where `value` is. False for values that are made inside the op that hands out `value`.
bool isVisible(mlir::Value root, mlir::Value value)
{
    mlir::Operation* made = root.getDefiningOp();
    if (made && opAround(value)->isProperAncestor(made)) return false;
    return root.getParentRegion()->isAncestor(value.getParentRegion());
}

template <typename Range>
void appendMemrefs(const Range& values, llvm::SmallVectorImpl<mlir::Value>& to)
{
    for (const mlir::Value value : values)
        if (isMemref(value)) to.push_back(value);
}

} // namespace

/// Finds where each memref may come from: collects the single steps, op by op, then takes each root along them.
class MemrefRoots::Follower {
public:
    Follower(MemrefRoots& to, mlir::ModuleOp module) : to_(to)
    {
        module->walk([&](mlir::func::FuncOp function) {
            if (!function.isDeclaration() && function.getBody().hasOneBlock()) functions_[function.getName()] = function;
        });
        module->walk([&](mlir::Operation* op) { collect(op); });
        for (const auto& [value, start] : to_.inFlight_.unfinished) exposures_.push_back({value, start});
        propagate();
        settle(module);
    }

private:
    using Roots = llvm::SmallSetVector<mlir::Value, 4>;

    /// A use after which the storage of `value` cannot be followed; `severalOnly`: if `value` has one root, it can.
    struct Exposure {
        mlir::Value value;
        mlir::Operation* op = nullptr;
        bool severalOnly = false;
    };

    // --- single steps ----------------------------------------------------------------------------------------------------------

    /// `to` may have the bytes of `from`.
    void flow(mlir::Value from, mlir::Value to)
    {
        from = to_.storageOf(from);
        if (from != to) flows_[from].push_back(to);
        targets_.insert(to);
    }

    /// Each of `to` may have the bytes of each of `from`. `to` must not be empty.
    void flowAll(llvm::ArrayRef<mlir::Value> from, llvm::ArrayRef<mlir::Value> to)
    {
        for (const mlir::Value source : from) flow(source, to.front());
        for (const mlir::Value target : to.drop_front()) flow(to.front(), target);
    }

    void collect(mlir::Operation* op)
    {
        noteExposed(op);
        for (mlir::Block* next : op->getSuccessors()) {
            Values from, to;
            appendMemrefs(op->getOperands(), from);
            appendMemrefs(next->getArguments(), to);
            if (!to.empty()) flowAll(from, to);
        }
        if (to_.isAllocation(op) || op->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>()) return;
        if (auto select = llvm::dyn_cast<mlir::arith::SelectOp>(op)) {
            if (!isMemref(op->getResult(0))) return;
            flow(select.getTrueValue(), op->getResult(0));
            flow(select.getFalseValue(), op->getResult(0));
        } else if (llvm::isa<mlir::memref::LoadOp, mlir::affine::AffineLoadOp>(op)) {
            if (isMemref(op->getResult(0))) targets_.insert(op->getResult(0)); // what was stored there, which is exposed
        } else if (auto call = llvm::dyn_cast<mlir::func::CallOp>(op)) {
            collectCall(call);
        } else if (auto branch = llvm::dyn_cast<mlir::RegionBranchOpInterface>(op)) {
            collectRegions(branch);
        } else {
            collectUnknown(op, !llvm::isa<mlir::UnrealizedConversionCastOp>(op));
        }
    }

    /// Any result and any argument of a region may have the bytes of any operand, and of what the regions hand out. `owns`: the
    /// results may also have bytes of their own.
    void collectUnknown(mlir::Operation* op, bool owns)
    {
        Values from, to;
        for (const mlir::Value result : op->getResults())
            if (isMemref(result) && !to_.viewedBy(result)) to.push_back(result);
        const std::size_t results = to.size();
        for (mlir::Region& region : op->getRegions())
            for (mlir::Block& block : region) appendMemrefs(block.getArguments(), to);
        if (to.empty()) return;
        appendMemrefs(op->getOperands(), from);
        for (mlir::Region& region : op->getRegions())
            for (mlir::Block& block : region)
                if (!block.empty()) appendMemrefs(block.back().getOperands(), from);
        if (from.empty()) return;
        flowAll(from, to);
        if (owns) own_.insert(own_.end(), to.begin(), to.begin() + static_cast<std::ptrdiff_t>(results));
    }

    void collectCall(mlir::func::CallOp call)
    {
        const auto found = functions_.find(call.getCallee());
        if (found == functions_.end()) return collectUnknown(call, true);
        mlir::func::FuncOp callee = found->second;
        mlir::Operation& end = callee.getBody().front().back();
        if (end.getNumOperands() != call->getNumResults() || callee.getNumArguments() != call->getNumOperands())
            return collectUnknown(call, true); // another function of that name, in a module inside
        for (const mlir::OpResult result : call->getResults()) {
            const mlir::Value returned = end.getOperand(result.getResultNumber());
            if (!isMemref(result) || !isMemref(returned)) continue;
            targets_.insert(result);
            returned_[to_.storageOf(returned)].push_back(result);
        }
    }

    void collectRegions(mlir::RegionBranchOpInterface branch)
    {
        Values handled;
        appendMemrefs(branch->getResults(), handled);
        for (const mlir::Value result : handled) targets_.insert(result);
        const auto connect = [&](mlir::ValueRange from, mlir::ValueRange to) {
            for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i)
                if (isMemref(from[i]) && isMemref(to[i])) flow(from[i], to[i]);
        };
        llvm::SmallVector<mlir::RegionSuccessor> successors;
        branch.getSuccessorRegions(mlir::RegionBranchPoint::parent(), successors);
        for (const mlir::RegionSuccessor& next : successors)
            connect(branch.getEntrySuccessorOperands(next), next.getSuccessorInputs());
        for (mlir::Region& region : branch->getRegions()) {
            if (region.empty()) continue;
            successors.clear();
            branch.getSuccessorRegions(region, successors);
            for (mlir::Block& block : region) {
                if (block.empty()) continue;
                auto end = llvm::dyn_cast<mlir::RegionBranchTerminatorOpInterface>(&block.back());
                if (!end) continue;
                for (const mlir::RegionSuccessor& next : successors)
                    connect(end.getSuccessorOperands(next), next.getSuccessorInputs());
            }
        }
    }

    void noteExposed(mlir::Operation* op)
    {
        if (llvm::isa<mlir::memref::ExtractAlignedPointerAsIndexOp>(op)) {
            exposures_.push_back({op->getOperand(0), op});
        } else if (llvm::isa<mlir::memref::StoreOp, mlir::affine::AffineStoreOp>(op)) { // a memref of memrefs
            if (isMemref(op->getOperand(0))) exposures_.push_back({op->getOperand(0), op});
        } else if (llvm::isa<mlir::UnrealizedConversionCastOp>(op)) {
            if (llvm::all_of(op->getResults(), [](mlir::Value result) { return isMemref(result); })) return;
            for (const mlir::Value operand : op->getOperands())
                if (isMemref(operand)) exposures_.push_back({operand, op});
        } else if (llvm::isa<mlir::bufferization::ToTensorOp>(op)) {
            exposures_.push_back({op->getOperand(0), op, true});
        }
    }

    // --- roots -----------------------------------------------------------------------------------------------------------------

    void propagate()
    {
        for (const auto& [from, next] : flows_)
            if (!targets_.contains(from)) // nothing flows there: it is a root
                for (const mlir::Value to : next) pending_.emplace_back(to, from);
        for (const mlir::Value own : own_) pending_.emplace_back(own, own);
        for (const auto& [returned, results] : returned_)
            if (!targets_.contains(returned))
                for (const mlir::Value result : results) handOut(returned, result);
        while (!pending_.empty()) {
            const std::pair<mlir::Value, mlir::Value> step = pending_.back();
            pending_.pop_back();
            const mlir::Value value = step.first, root = step.second;
            if (!noteRoot(value, root)) continue;
            if (const auto next = flows_.find(value); next != flows_.end())
                for (const mlir::Value to : next->second) pending_.emplace_back(to, root);
            if (const auto results = returned_.find(value); results != returned_.end())
                for (const mlir::Value result : results->second) handOut(root, result);
        }
    }

    /// Whether the root is new for `value`. A null root stands for allocations that are left out beyond the limit.
    bool noteRoot(mlir::Value value, mlir::Value root)
    {
        Roots& roots = found_[value];
        mlir::Operation* made = root ? root.getDefiningOp() : nullptr;
        if (!made || !to_.isAllocation(made) || roots.size() < maxRoots || roots.contains(root)) return roots.insert(root);
        if (to_.lost_.insert(made).second) to_.exposed_.try_emplace(made, opAround(value));
        if (roots.insert(mlir::Value())) pending_.emplace_back(value, mlir::Value());
        return false;
    }

    /// A function may return the value `root`; `result` is a result of a call of the function. The caller gives the arguments,
    /// and gets memory that the function has made as its own.
    void handOut(mlir::Value root, mlir::Value result)
    {
        mlir::Operation* call = result.getDefiningOp();
        if (root && root.getDefiningOp<mlir::memref::GetGlobalOp>()) return; // a constant of the module
        const auto argument = llvm::dyn_cast_or_null<mlir::BlockArgument>(root);
        if (!argument || !llvm::isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp())) {
            pending_.emplace_back(result, result);
            return;
        }
        const mlir::Value from = to_.storageOf(call->getOperand(argument.getArgNumber()));
        if (from == result || !given_.insert({from, result}).second) return;
        flows_[from].push_back(result);
        if (!targets_.contains(from)) {
            pending_.emplace_back(result, from);
            return;
        }
        if (const auto known = found_.find(from); known != found_.end())
            for (const mlir::Value each : known->second) pending_.emplace_back(result, each);
    }

    // --- what follows from them ------------------------------------------------------------------------------------------------

    void settle(mlir::ModuleOp module)
    {
        for (const auto& [value, roots] : found_) {
            Values& visible = to_.roots_[value];
            for (const mlir::Value root : roots) {
                if (!root) {
                    to_.crowded_.insert(value);
                    to_.hidden_.insert(value);
                    continue;
                }
                mlir::Operation* made = root.getDefiningOp();
                const bool allocation = made && to_.isAllocation(made);
                if (allocation) noteLeaving(value, made);
                if (allocation || isVisible(root, value))
                    visible.push_back(root);
                else
                    to_.hidden_.insert(value);
            }
        }
        for (const mlir::Value target : targets_) to_.roots_.try_emplace(target);
        for (const Exposure& exposure : exposures_) {
            const Values roots = to_.rootsOf(exposure.value);
            if (exposure.severalOnly && roots.size() < 2) continue;
            for (const mlir::Value root : roots)
                if (mlir::Operation* made = root.getDefiningOp(); made && to_.isAllocation(made))
                    to_.exposed_.try_emplace(made, exposure.op);
        }
        for (const auto& [allocation, by] : to_.exposed_) noteLasting(allocation);
        module->walk([&](mlir::Operation* op) { // in the order of the text
            if (const auto left = outermost_.find(op); left != outermost_.end()) to_.leaving_[left->second].push_back(op);
        });
    }

    /// `value` may stand for the allocation.
    void noteLeaving(mlir::Value value, mlir::Operation* allocation)
    {
        mlir::Operation* around = opAround(value);
        if (!around->isProperAncestor(allocation)) return;
        // `scf.while` hands values from its first region to the second one in the same iteration.
        const auto argument = llvm::dyn_cast<mlir::BlockArgument>(value);
        auto loop = llvm::dyn_cast<mlir::scf::WhileOp>(around);
        if (argument && !(loop && argument.getOwner() == loop.getAfterBody())) to_.carried_.insert(allocation);
        mlir::Operation*& outermost = outermost_[allocation];
        if (!outermost || around->isProperAncestor(outermost)) outermost = around;
    }

    /// The allocation is used until its function ends.
    void noteLasting(mlir::Operation* allocation)
    {
        auto function = allocation->getParentOfType<mlir::func::FuncOp>();
        if (!function || !function.getBody().hasOneBlock() || loopAround(allocation)) return;
        mlir::Operation* outermost = function.getBody().front().findAncestorOpInBlock(*allocation);
        if (outermost && outermost != allocation) outermost_[allocation] = outermost;
    }

    MemrefRoots& to_;
    llvm::StringMap<mlir::func::FuncOp> functions_; ///< with a body of one block
    // Maps that are gone through keep the order of the text: ids of tensors must not depend on addresses.
    llvm::MapVector<mlir::Value, Values> flows_;
    llvm::MapVector<mlir::Value, Values> returned_; ///< by storage that a function returns: the results of its calls
    llvm::DenseSet<mlir::Value> targets_;           ///< memrefs that stand for other values
    std::vector<mlir::Value> own_;                  ///< targets that may also have bytes of their own
    std::vector<Exposure> exposures_;
    llvm::DenseSet<std::pair<mlir::Value, mlir::Value>> given_; ///< steps from an argument of a call to its result
    std::vector<std::pair<mlir::Value, mlir::Value>> pending_;  ///< a memref, and a root that it is to get
    llvm::MapVector<mlir::Value, Roots> found_;
    llvm::DenseMap<mlir::Operation*, mlir::Operation*> outermost_; ///< by allocation: the outermost op that it leaves
};

MemrefRoots::MemrefRoots(mlir::ModuleOp module) : arenas_(module)
{
    inFlight_ = findInFlight(module, [this](mlir::Value value) { return storageOf(value); });
    const Follower follower(*this, module);
    findFirstTouches(module);
}

mlir::Value MemrefRoots::viewedBy(mlir::Value value) const
{
    mlir::Operation* op = value.getDefiningOp();
    if (!op || isArenaView(op)) return {};
    if (llvm::isa<mlir::bufferization::ToTensorOp>(op)) return op->getOperand(0);
    if (!isMemref(value)) return {};
    if (auto view = llvm::dyn_cast<mlir::ViewLikeOpInterface>(op)) return view.getViewSource();
    if (llvm::isa<mlir::memref::TransposeOp, mlir::bufferization::ToMemrefOp>(op)) return op->getOperand(0);
    return {};
}

bool MemrefRoots::isAllocation(mlir::Operation* op) const
{
    return isArenaView(op) || (llvm::isa<mlir::memref::AllocOp, mlir::memref::AllocaOp>(op) && !isArena(op));
}

mlir::Value MemrefRoots::storageOf(mlir::Value value) const
{
    // Ops that no run reaches may be views of each other: a value that comes again ends the search (Brent's cycle detection).
    mlir::Value mark = value;
    for (std::size_t steps = 1, power = 1; const mlir::Value source = viewedBy(value); ++steps) {
        value = source;
        if (value == mark) break;
        if (steps < power) continue;
        mark = value;
        power *= 2;
        steps = 0;
    }
    return value;
}

MemrefRoots::Values MemrefRoots::rootsOf(mlir::Value value) const
{
    value = storageOf(value);
    const auto found = roots_.find(value);
    if (found != roots_.end()) return found->second;
    return {value};
}

bool MemrefRoots::isAlias(mlir::Value value) const
{
    if (viewedBy(value)) return true;
    const auto found = roots_.find(value);
    return found != roots_.end() && !llvm::is_contained(found->second, value);
}

llvm::ArrayRef<mlir::Operation*> MemrefRoots::leaving(mlir::Operation* op) const
{
    const auto found = leaving_.find(op);
    if (found == leaving_.end()) return {};
    return found->second;
}

llvm::ArrayRef<mlir::Value> MemrefRoots::heldUntil(mlir::Operation* op) const
{
    const auto found = inFlight_.heldUntil.find(op);
    if (found == inFlight_.heldUntil.end()) return {};
    return found->second;
}

bool MemrefRoots::isQuiet(mlir::Operation* op) const
{
    if (isEndOfLifetimes(op)) return true;
    return op->getNumResults() == 1 && (viewedBy(op->getResult(0)) || llvm::isa<mlir::arith::SelectOp>(op));
}

void MemrefRoots::findFirstTouches(mlir::ModuleOp module)
{
    module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
        if (isQuiet(op)) return;
        for (const mlir::Value operand : op->getOperands()) {
            if (!isStorage(operand.getType())) continue;
            const mlir::Value storage = storageOf(operand);
            const auto found = roots_.find(storage);
            const llvm::ArrayRef<mlir::Value> roots = found != roots_.end() ? llvm::ArrayRef(found->second) : storage;
            for (const mlir::Value root : roots) {
                mlir::Operation* made = root.getDefiningOp();
                if (!made || firstTouch_.contains(made) || !isAllocation(made)) continue;
                // Ops come in the order of the text: the first one is in the first op of the block.
                if (mlir::Operation* top = made->getBlock()->findAncestorOpInBlock(*op)) firstTouch_[made] = top;
            }
        }
    });
}

} // namespace stowage::mlirfile
