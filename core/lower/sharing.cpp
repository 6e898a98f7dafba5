#include "core/lower/sharing.h"

#include "core/ir/views.h"
#include "core/lower/carries.h"
#include "core/lower/choices.h"

#include <algorithm>
#include <unordered_set>

namespace stowage::lowering {

namespace {

class Builder {
public:
    Builder(const Program& program, FunctionId id, bool anyOrder, bool precise)
        : program_(program),
          function_(program.functions[at(id)]),
          entry_(id == program.entry),
          anyOrder_(anyOrder),
          precise_(precise),
          tree_(RegionTree::of(function_)),
          roots_(function_.tensors.size()),
          links_(function_.tensors.size()),
          lastUse_(function_.tensors.size()),
          regionInput_(function_.tensors.size())
    {
        for (const Region& region : function_.regions)
            for (const TensorId input : region.inputs) regionInput_[at(input)] = true;
    }

    Sharing run()
    {
        sharing_.homes.resize(function_.tensors.size());
        sharing_.formals.resize(function_.tensors.size());
        followViews();
        findLoops();
        findLastUses();
        if (precise_) findLoopEnds();
        sharing_.mayShow.resize(function_.tensors.size());
        if (precise_)
            for (const auto& [tensor, obstacle] : copyReasons(program_, function_, tree_, entry_)) {
                sharing_.mayShow[at(tensor)] = obstacle == MoveReason::none;
                if (obstacle != MoveReason::none) sharing_.notShown.emplace(tensor, obstacle);
            }
        for (std::size_t t = 0; t < roots_.size(); ++t) sharing_.homes[t] = roots_[t].owner;
        // An op comes before the ops inside it, so that the sharing of outer tensors is known.
        for (const OpId op : tree_.order) {
            if (function_.ops[at(op)].control == Control::branch) shareBranches(function_.ops[at(op)]);
            if (function_.ops[at(op)].control == Control::loop) shareLoop(function_.ops[at(op)], op);
            if (function_.ops[at(op)].control == Control::exit) shareExit(function_.ops[at(op)]);
        }
        if (!entry_) markFormals();
        sharing_.spots.resize(function_.tensors.size());
        for (std::size_t t = 0; t < roots_.size(); ++t) {
            sharing_.spots[t] = spot(static_cast<TensorId>(t));
            sharing_.homes[t] = sharing_.homes[at(roots_[t].owner)];
        }
        return std::move(sharing_);
    }

private:
    struct Use {
        std::int64_t tick = -1; ///< twice the begin of the op that reads, one before twice the end of one that writes
        std::int32_t count = 0; ///< uses at that tick
    };

    const Tensor& tensor(TensorId id) const { return function_.tensors[at(id)]; }
    const Region& region(RegionId id) const { return function_.regions[at(id)]; }
    Spot root(TensorId id) const { return roots_[at(id)]; }

    /// The owner of a tensor and its offset there; if the owner is linked to an outer tensor, the outer tensor's owner.
    Spot spot(TensorId id) const
    {
        const Spot own = root(id);
        const Spot& link = links_[at(own.owner)];
        return link.owner == none ? own : Spot{link.owner, addOffsets(link.delta, own.delta)};
    }

    void followViews()
    {
        const auto origins = viewOrigins(function_);
        for (std::size_t t = 0; t < roots_.size(); ++t) roots_[t] = {origins[t].root, origins[t].offset};
    }

    void findLoops()
    {
        sharing_.regionLoops.assign(function_.regions.size(), none);
        for (const OpId op : tree_.order)
            for (const RegionId inner : function_.ops[at(op)].regions)
                sharing_.regionLoops[at(inner)] =
                    function_.ops[at(op)].control == Control::loop ? op : sharing_.regionLoops[at(function_.ops[at(op)].parent)];
    }

    /// By owner: its last use, through any view.
    void findLastUses()
    {
        const auto use = [&](TensorId id, std::int64_t tick) {
            Use& last = lastUse_[at(root(id).owner)];
            if (tick > last.tick)
                last = {tick, 1};
            else if (tick == last.tick)
                ++last.count;
        };
        for (const OpId id : tree_.order) {
            const Op& op = function_.ops[at(id)];
            for (const TensorId input : op.inputs) use(input, 2 * tree_.ops[at(id)].begin);
            for (const TensorId output : op.outputs) use(output, 2 * tree_.ops[at(id)].end - 1);
            if (op.control == Control::exit)
                for (const Carry& carry : op.carries) use(carry.from, 2 * tree_.ops[at(id)].end);
        }
        for (std::size_t r = 0; r < function_.regions.size(); ++r)
            for (const TensorId output : function_.regions[r].outputs) use(output, 2 * tree_.regions[r].end - 1);
    }

    /// With `precise`, tensors may lie in the bytes of others: a loop's result where its initial value lies, and a phi view where
    /// its values lie.
    void findLoopEnds()
    {
        std::vector<std::int32_t> firstOf(roots_.size());
        shownThrough_.resize(roots_.size());
        const auto shows = [&](const std::vector<TensorId>& tensors) {
            for (const TensorId id : tensors) shownThrough_[at(root(id).owner)] = true;
        };
        for (const Op& op : function_.ops) {
            if (op.control == Control::branch) {
                shows(op.inputs);
                shows(op.outputs);
                for (const RegionId id : op.regions) shows(region(id).inputs), shows(region(id).outputs);
            }
            if (op.control == Control::exit)
                for (const Carry& carry : op.carries) {
                    shows({carry.from});
                    const RegionId home = tensor(root(carry.from).owner).region; // the loop's input for it
                    if (home != 0 && regionInput_[at(root(carry.from).owner)])
                        shows(function_.ops[at(region(home).owner)].inputs);
                }
            if (op.control != Control::loop) continue;
            for (const TensorId output : op.outputs) shownThrough_[at(root(output).owner)] = true;
            const Region& body = region(op.regions.back());
            for (std::size_t i = 0; i < std::min(op.inputs.size(), body.inputs.size()); ++i)
                if (std::any_of(op.carries.begin(), op.carries.end(),
                                [&](const Carry& c) { return c.to == body.inputs[i] && c.from != c.to; }))
                    if (const TensorId owner = root(op.inputs[i]).owner; ++firstOf[at(owner)] > 1)
                        shownThrough_[at(owner)] = true;
        }
    }

    /// True when size, alignment, pools, pins and slots permit one buffer for both. The inner tensor owns its storage.
    bool compatible(TensorId innerId, TensorId outerId) const
    {
        const Tensor& inner = tensor(innerId);
        const Tensor& outer = tensor(outerId);
        const Spot place = spot(outerId);
        const Tensor& owner = tensor(place.owner);
        return (!inner.bytes || inner.bytes == outer.bytes) && place.delta % inner.alignment == 0 &&
               (inner.pools.empty() || inner.pools == owner.pools) && inner.multiBuffer == 1 && !inner.pinnedOffset &&
               (inner.planned || !owner.planned);
    }

    void link(TensorId inner, TensorId outer) { links_[at(inner)] = spot(outer); }

    void shareInput(TensorId inner, TensorId outer)
    {
        if (!compatible(inner, outer)) return;
        link(inner, outer);
        sharing_.homes[at(inner)] = sharing_.homes[at(root(outer).owner)];
    }

    /// Returns the inner tensor's storage when it is now the outer one's, else none.
    TensorId shareOutput(RegionId inside, TensorId inner, TensorId outer)
    {
        const Spot own = root(inner);
        const Tensor& owner = tensor(own.owner);
        const Tensor& target = tensor(outer);
        const bool madeInside = owner.region == inside && !regionInput_[at(own.owner)] && links_[at(own.owner)].owner == none &&
                                owner.kind != TensorKind::constant && owner.kind != TensorKind::variable;
        const bool whole = own.delta == 0 && tensor(inner).bytes == owner.bytes && owner.bytes == target.bytes;
        const bool free = target.aliasOf == none && target.kind != TensorKind::variable;
        if (!madeInside || !whole || !free || !compatible(own.owner, outer)) return none;
        link(own.owner, outer);
        return own.owner;
    }

    void shareBranches(const Op& op)
    {
        for (const RegionId id : op.regions) {
            const Region& branch = region(id);
            for (std::size_t i = 0; i < branch.inputs.size(); ++i) shareInput(branch.inputs[i], op.inputs[i + 1]);
            for (std::size_t i = 0; i < op.outputs.size(); ++i)
                if (sharing_.mayShow[at(op.outputs[i])] && sharing_.mayShow[at(root(branch.outputs[i]).owner)])
                    continue; // the values are chosen one after the other
                else if (const TensorId made = shareOutput(id, branch.outputs[i], op.outputs[i]); made != none)
                    sharing_.homes[at(made)] = sharing_.homes[at(op.outputs[i])];
        }
    }

    void shareExit(const Op& op)
    {
        const Region& condition = region(op.regions.front());
        for (std::size_t i = 0; i < condition.inputs.size(); ++i) shareInput(condition.inputs[i], op.inputs[i]);
    }

    /// Inputs of the body that no carry writes share the loop's inputs. Carried inputs that are copied overwrite the loop's
    /// inputs where this is permitted. The condition shares the body's inputs, and the body's outputs are made in the loop's
    /// outputs.
    void shareLoop(const Op& op, OpId opId)
    {
        const RegionId bodyId = op.regions.back();
        const Region& body = region(bodyId);
        std::unordered_set<TensorId> carried;
        std::unordered_set<TensorId> inPlace; // inputs that lie where the previous iteration made them
        for (const Carry& carry : op.carries) {
            if (carry.from != carry.to) carried.insert(carry.to);
            if (precise_ && carry.from != carry.to && followCarry(program_, function_, op, carry).obstacle == MoveReason::none)
                inPlace.insert(carry.to);
        }
        const std::size_t matched = std::min(op.inputs.size(), body.inputs.size());
        for (std::size_t i = 0; i < matched; ++i) {
            if (!carried.contains(body.inputs[i]))
                shareInput(body.inputs[i], op.inputs[i]);
            else if (!inPlace.contains(body.inputs[i]) && mayOverwrite(op, opId, op.inputs[i]) &&
                     compatible(body.inputs[i], op.inputs[i]))
                link(body.inputs[i], op.inputs[i]);
        }
        if (op.regions.size() == 2) {
            const Region& condition = region(op.regions.front());
            for (std::size_t i = 0; i < condition.inputs.size(); ++i)
                shareInput(condition.inputs[i], i < matched ? body.inputs[i] : op.inputs[i]);
        }
        // Unlike an output of a branch, an output of a body counts as made inside: each iteration makes it anew.
        for (std::size_t i = 0; i < op.outputs.size(); ++i) shareOutput(bodyId, body.outputs[i], op.outputs[i]);
    }

    /// A loop may overwrite its input when the input is no longer needed: it is declared in the same region as the loop, the loop
    /// is its last use and uses it once, and no caller relies on it. Inputs of the entry may be overwritten.
    bool mayOverwrite(const Op& op, OpId opId, TensorId input) const
    {
        const Spot own = root(input);
        const Tensor& owner = tensor(own.owner);
        const Use& last = lastUse_[at(own.owner)];
        const bool dies = last.tick == 2 * tree_.ops[at(opId)].begin && last.count == 1;
        const bool beside = owner.region == op.parent && links_[at(own.owner)].owner == none;
        const bool ours = !regionInput_[at(own.owner)] || (entry_ && owner.region == 0);
        const bool wholeAndPlain = own.delta == 0 && tensor(input).bytes == owner.bytes && owner.bytes.has_value() &&
                                   owner.planned && owner.multiBuffer == 1;
        const bool perishable = owner.kind == TensorKind::intermediate || owner.kind == TensorKind::input;
        const bool hidden = !precise_ || !shownThrough_[at(own.owner)];
        return dies && beside && ours && wholeAndPlain && perishable && hidden && !anyOrder_;
    }

    /// Sets the tensors that lie in the caller's storage: the inputs, and outputs that are made as a whole here, each at its
    /// first position in the list.
    void markFormals()
    {
        const Region& body = function_.body();
        for (std::size_t i = 0; i < body.inputs.size(); ++i)
            sharing_.formals[at(body.inputs[i])] = {Formal::Kind::input, static_cast<std::int32_t>(i)};
        for (std::size_t i = 0; i < body.outputs.size(); ++i) {
            const Spot own = root(body.outputs[i]);
            const Tensor& owner = tensor(own.owner);
            Formal& formal = sharing_.formals[at(own.owner)];
            const bool whole = own.delta == 0 && tensor(body.outputs[i]).bytes == owner.bytes;
            const bool made = owner.kind != TensorKind::constant && owner.kind != TensorKind::variable;
            if (whole && made && formal.kind == Formal::Kind::none) formal = {Formal::Kind::output, static_cast<std::int32_t>(i)};
        }
    }

    const Program& program_;
    const Function& function_;
    bool entry_;
    bool anyOrder_;
    bool precise_;
    RegionTree tree_;
    std::vector<Spot> roots_;        ///< by tensor: the tensor at the end of its chain of views
    std::vector<Spot> links_;        ///< by root: its spot in the outer tensor whose bytes it shares
    std::vector<Use> lastUse_;       ///< by root
    std::vector<bool> regionInput_;  ///< by tensor
    std::vector<bool> shownThrough_; ///< by root, with `precise_`: other tensors may lie in its bytes, or it in those of others
    Sharing sharing_;
};

} // namespace

Sharing Sharing::of(const Program& program, FunctionId function, bool anyOrder, bool precise)
{
    return Builder(program, function, anyOrder, precise).run();
}

} // namespace stowage::lowering
