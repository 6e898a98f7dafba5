// Finds the dependencies between the ops of a region.
#include "core/ir/overwrites.h"
#include "core/ir/region_tree.h"
#include "core/ir/views.h"
#include "core/lower/partial_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace stowage::lowering {

namespace {

/// State that ops share without passing it: variables, by function, the state of all handles together (`none`), and the state of
/// all stateful ops together (`hiddenState`).
using States = std::set<FunctionId>;
constexpr FunctionId hiddenState = none - 1;

/// Adds the state of each function that `function` calls, directly or through others. Calls are not recursive.
class StateFinder {
public:
    StateFinder(const Program& program, Effects effects) : program_(program), effects_(effects) {}

    const States& of(FunctionId id)
    {
        if (const auto known = known_.find(id); known != known_.end()) return known->second;
        States states;
        const Function& function = program_.functions[at(id)];
        for (const Tensor& tensor : function.tensors)
            if (tensor.kind == TensorKind::variable) states.insert(id);
        for (const Op& op : function.ops) add(function, op, states);
        return known_.emplace(id, std::move(states)).first->second;
    }

    /// Adds the state of one op, without the ops in its regions.
    void add(const Function& function, const Op& op, States& states)
    {
        for (const auto* list : {&op.inputs, &op.outputs})
            for (const TensorId id : *list)
                if (function.tensors[at(id)].handle) states.insert(none);
        if (effects_ == Effects::possible && op.traits.effect == OpEffect::stateful) states.insert(hiddenState);
        if (op.control != Control::call) return;
        const States& called = of(op.callee);
        states.insert(called.begin(), called.end());
    }

private:
    const Program& program_;
    Effects effects_;
    std::map<FunctionId, States> known_;
};

/// Finds the tensors whose bytes an op overwrites where it makes no tensor for the new value, or makes one that is an alias or an
/// obligatory in-place output. With `Effects::certain` only such outputs count, in the op itself and in callees: a loop may copy
/// its inputs.
class OverwriteFinder {
public:
    OverwriteFinder(const Program& program, Effects effects) : program_(program), possible_(effects == Effects::possible) {}

    /// By input of an op of function `id`: true if the op, or an op inside it, overwrites it. Empty: none.
    std::vector<bool> inputsOf(FunctionId id, const Op& op)
    {
        if (op.control == Control::call) {
            std::vector<bool> inputs(op.inputs.size());
            const std::vector<bool>& inside = of(op.callee);
            const std::vector<TensorId>& formals = program_.functions[at(op.callee)].body().inputs;
            for (std::size_t i = 0; i < std::min(inputs.size(), formals.size()); ++i) inputs[i] = inside[at(formals[i])];
            return inputs;
        }
        if (!possible_) return {};
        return holdsRegions(op) ? throughRegions(program_.functions[at(id)], op, of(id)) : overwrittenInputs(op);
    }

    /// By tensor of a function: true if an op overwrites bytes of it. Set for tensors that are no views. O(ops * log functions).
    const std::vector<bool>& of(FunctionId id)
    {
        if (const auto known = known_.find(id); known != known_.end()) return known->second;
        const Function& function = program_.functions[at(id)];
        const std::vector<ViewOrigin> origins = viewOrigins(function);
        std::vector<bool> overwritten(function.tensors.size());
        const auto mark = [&](TensorId tensor) { overwritten[at(origins[at(tensor)].root)] = true; };
        const auto markInputs = [&](const Op& op, const std::vector<bool>& inputs) {
            for (std::size_t i = 0; i < inputs.size(); ++i)
                if (inputs[i]) mark(op.inputs[i]);
        };
        for (const Op& op : function.ops) {
            if (op.inPlaceRequired)
                for (const InPlace& pair : op.inPlace) mark(pair.input);
            if (possible_ && !isView(op))
                for (const TensorId output : op.outputs)
                    if (function.tensors[at(output)].aliasOf != none) mark(output);
            if (!holdsRegions(op)) markInputs(op, inputsOf(id, op));
        }
        if (possible_) {
            const std::vector<OpId> order = RegionTree::of(function).order;
            for (auto each = order.rbegin(); each != order.rend(); ++each) // inner ops before those around them
                if (const Op& op = function.ops[at(*each)]; holdsRegions(op))
                    markInputs(op, throughRegions(function, op, overwritten));
        }
        return known_.emplace(id, std::move(overwritten)).first->second;
    }

private:
    static bool holdsRegions(const Op& op) { return op.control == Control::loop || op.control == Control::branch; }

    /// By input of an op with regions: true if it is overwritten under the name that a region gives it.
    static std::vector<bool> throughRegions(const Function& function, const Op& op, const std::vector<bool>& overwritten)
    {
        std::vector<bool> inputs(op.inputs.size());
        const std::size_t selector = op.control == Control::branch ? 1 : 0;
        for (const RegionId region : op.regions) {
            const std::vector<TensorId>& inner = function.regions[at(region)].inputs;
            for (std::size_t k = 0; k < inner.size() && k + selector < inputs.size(); ++k)
                if (overwritten[at(inner[k])]) inputs[k + selector] = true;
        }
        return inputs;
    }

    const Program& program_;
    bool possible_;
    std::map<FunctionId, std::vector<bool>> known_;
};

class DependencyFinder {
public:
    DependencyFinder(const Program& program, FunctionId id, Effects effects)
        : id_(id),
          effects_(effects),
          function_(program.functions[at(id)]),
          tree_(RegionTree::of(function_)),
          origins_(viewOrigins(function_)),
          states_(program, effects),
          overwrites_(program, effects),
          accesses_(function_.ops.size()),
          touched_(function_.ops.size())
    {
    }

    /// By region: pairs of its ops of which the first has to end before the second begins.
    std::vector<std::vector<std::pair<OpId, OpId>>> run()
    {
        for (const OpId op : tree_.order) collect(op);
        for (std::size_t r = 1; r < function_.regions.size(); ++r)
            for (const TensorId output : function_.regions[r].outputs)
                note(function_.regions[r].owner, static_cast<RegionId>(r), output, false, false);
        std::vector<std::vector<std::pair<OpId, OpId>>> edges(function_.regions.size());
        for (std::size_t r = 0; r < function_.regions.size(); ++r) edges[r] = edgesOf(function_.regions[r]);
        return edges;
    }

private:
    /// An access of an op, or of an op inside it, to a part of a tensor that is declared outside.
    struct Access {
        TensorId root = none;
        Bytes low = 0;
        Bytes high = 0;
        TensorId tensor = none;
        bool writes = false;
        bool makes = false; ///< the op makes the tensor: it writes it, or makes it as a view
    };

    /// Records the tensors that an op reads, writes and makes, and the state that it touches, also for the ops around it.
    void collect(OpId id)
    {
        const Op& op = function_.ops[at(id)];
        const std::vector<bool> overwritten = overwrites_.inputsOf(id_, op);
        for (std::size_t i = 0; i < op.inputs.size(); ++i)
            note(id, none, op.inputs[i], i < overwritten.size() && overwritten[i], false);
        for (const TensorId output : op.outputs) {
            const bool aliases = function_.tensors[at(output)].aliasOf != none &&
                                 std::any_of(op.inputs.begin(), op.inputs.end(), [&](TensorId input) {
                                     return origins_[at(input)].root == origins_[at(output)].root;
                                 });
            note(id, none, output, !aliases || (effects_ == Effects::possible && !isView(op)), true);
        }
        if (op.inPlaceRequired) // the output may be larger than the part of a tensor that it overwrites: all of it counts
            for (const InPlace& pair : op.inPlace) note(id, none, origins_[at(pair.input)].root, true, false);
        if (op.control == Control::exit)
            for (const Carry& carry : op.carries) note(id, none, carry.from, false, false);
        States states;
        states_.add(function_, op, states);
        for (OpId around = id; around != none; around = function_.regions[at(function_.ops[at(around)].parent)].owner)
            touched_[at(around)].insert(states.begin(), states.end());
    }

    /// Notes an access for `op`, and for all ops around it that the tensor is declared outside of. `from`: the region of the op
    /// that it happens in; none: by the op itself.
    void note(OpId op, RegionId from, TensorId tensor, bool writes, bool makes)
    {
        const ViewOrigin& origin = origins_[at(tensor)];
        const Bytes high = addOffsets(origin.offset, function_.tensors[at(tensor)].bytes.value_or(Bytes{1} << 61));
        const Access access{origin.root, origin.offset, high, tensor, writes, makes};
        for (RegionId region = from; op != none;) {
            if (region != none && tree_.inside(function_.tensors[at(origin.root)].region, region)) return;
            accesses_[at(op)].push_back(access);
            region = function_.ops[at(op)].parent;
            op = function_.regions[at(region)].owner;
        }
    }

    /// Accesses to common bytes stay in listed order unless both are reads; a tensor is used after the op that makes it; ops
    /// with common state stay in listed order; no op passes an exit. O(accesses^2) for accesses to one root.
    std::vector<std::pair<OpId, OpId>> edgesOf(const Region& region) const
    {
        struct Earlier {
            OpId op;
            const Access* access;
        };
        struct History {
            std::vector<Earlier> writes;
            std::vector<Earlier> reads;
        };
        std::vector<std::pair<OpId, OpId>> edges;
        std::unordered_map<TensorId, History> histories; // by root
        std::unordered_map<TensorId, OpId> makers;
        std::map<FunctionId, OpId> lastOf; // by state
        OpId left = none;                  // the last exit so far: ops do not move past an exit
        for (std::size_t k = 0, since = 0; k < region.ops.size(); ++k) {
            const OpId op = region.ops[k];
            if (left != none) edges.emplace_back(left, op);
            if (function_.ops[at(op)].control == Control::exit) {
                for (; since < k; ++since) edges.emplace_back(region.ops[since], op);
                left = op;
            }
            for (const Access& access : accesses_[at(op)]) {
                History& history = histories[access.root];
                const auto wait = [&](const std::vector<Earlier>& earlier) {
                    for (const Earlier& other : earlier)
                        if (other.op != op && other.access->low < access.high && access.low < other.access->high)
                            edges.emplace_back(other.op, op);
                };
                wait(history.writes);
                if (access.writes) wait(history.reads);
                (access.writes ? history.writes : history.reads).push_back({op, &access});
                if (const auto maker = makers.find(access.tensor); maker != makers.end() && maker->second != op)
                    edges.emplace_back(maker->second, op);
            }
            for (const Access& access : accesses_[at(op)])
                if (access.makes) makers[access.tensor] = op;
            for (const FunctionId state : touched_[at(op)]) {
                const auto [last, fresh] = lastOf.try_emplace(state, op);
                if (!fresh) edges.emplace_back(last->second, op);
                last->second = op;
            }
        }
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        return edges;
    }

    FunctionId id_;
    Effects effects_;
    const Function& function_;
    RegionTree tree_;
    std::vector<ViewOrigin> origins_;
    StateFinder states_;
    OverwriteFinder overwrites_;
    std::vector<std::vector<Access>> accesses_; ///< by op
    std::vector<States> touched_;               ///< by op
};

} // namespace

std::vector<std::vector<std::pair<OpId, OpId>>> dependencies(const Program& program, FunctionId function, Effects effects)
{
    return DependencyFinder(program, function, effects).run();
}

} // namespace stowage::lowering
