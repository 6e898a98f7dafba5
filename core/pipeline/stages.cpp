#include "core/pipeline/stages.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace stowage::pipeline {

namespace {

/// Copies operators of a function into a new function, with all tensors that they touch.
class StageBuilder {
public:
    StageBuilder(const Program& program, const CutMap& map, std::size_t begin, std::size_t end)
        : program_(program), map_(map), from_(map.function()), begin_(begin), end_(end), tensors_(from_.tensors.size(), none)
    {
        stage_.begin = begin;
        stage_.end = end;
        to_.name = from_.name;
        to_.regions.emplace_back();
    }

    Stage build()
    {
        findNeeded();
        copyConstantOps();
        for (std::size_t o = begin_; o < end_; ++o) copyOp(map_.ops()[o], 0);
        addUnread();
        listOutputs();
        finish();
        return std::move(stage_);
    }

private:
    [[nodiscard]] bool isInput(TensorId id) const { return inputs_.contains(id); }

    /// Finds the tensors that the stage reads and does not make: inputs of the program in their order, then results of earlier
    /// operators in the order of these.
    void findNeeded()
    {
        std::vector<TensorId> taken;
        std::vector<TensorId> constants;
        for (std::size_t o = begin_; o < end_; ++o)
            for (const TensorId id : map_.reads(o)) {
                const Tensor& root = from_.tensors[at(map_.root(id))];
                if (const OpId op = map_.constantOp(id); op != none)
                    addConstantOp(op);
                else if (map_.travels(id) && static_cast<std::size_t>(map_.madeBy(id)) < begin_)
                    taken.push_back(id);
                else if (root.kind == TensorKind::input)
                    applications_.insert(map_.root(id));
            }
        const auto unique = [](auto& list) {
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        };
        unique(taken);
        std::stable_sort(taken.begin(), taken.end(), [&](TensorId a, TensorId b) { return map_.madeBy(a) < map_.madeBy(b); });
        for (const TensorId id : from_.body().inputs) {
            const bool unread = begin_ == 0 && map_.lastReader(id) == none;
            if (applications_.contains(id) || unread) addInput(id, from_.tensors[at(id)].name);
        }
        std::unordered_set<std::string> names;
        for (const Tensor& tensor : from_.tensors) names.insert(tensor.name);
        int next = 0;
        for (const TensorId id : taken) {
            std::string name = fmt::format("data_n_{}", next++);
            while (names.contains(name)) name += '_';
            addInput(id, std::move(name));
        }
    }

    void copyConstantOps()
    {
        for (const OpId op : constantOps_)
            if (copiedConstants_.insert(op).second) copyOp(op, 0);
    }

    /// Adds an op that makes a constant, and the ops that make its operands.
    void addConstantOp(OpId op)
    {
        std::vector<OpId> wanted{op};
        while (!wanted.empty()) {
            const OpId next = wanted.back();
            wanted.pop_back();
            if (!constantOps_.insert(next).second) continue;
            for (const TensorId id : from_.ops[at(next)].inputs)
                if (id != none && map_.constantOp(id) != none) wanted.push_back(map_.constantOp(id));
        }
    }

    void addInput(TensorId id, std::string name)
    {
        inputs_.insert(id);
        Tensor tensor = from_.tensors[at(id)];
        const bool renamed = name != tensor.name;
        if (renamed) tensor.attributes.emplace_back("from", tensor.name);
        tensor.name = std::move(name);
        tensor.kind = TensorKind::input;
        tensor.aliasOf = none;
        tensor.aliasOffset = 0;
        tensor.region = 0;
        const TensorId copy = place(id, std::move(tensor));
        to_.regions[0].inputs.push_back(copy);
        stage_.inputs.push_back({id, to_.tensors[at(copy)].name, none, 0, from_.tensors[at(id)].bytes});
    }

    /// Appends `tensor` as the copy of tensor `id`.
    TensorId place(TensorId id, Tensor tensor)
    {
        tensor.pools.clear(); // pools of the program's target; the stage has the pool of its device
        tensor.pinnedOffset.reset();
        const auto copy = static_cast<TensorId>(to_.tensors.size());
        tensors_[at(id)] = copy;
        to_.tensors.push_back(std::move(tensor));
        return copy;
    }

    /// The copy of a tensor, made on first use. The tensor whose storage a view shares is copied before the view.
    TensorId tensor(TensorId id)
    {
        if (id == none) return none;
        if (tensors_[at(id)] != none) return tensors_[at(id)];
        std::vector<TensorId> chain{id};
        while (from_.tensors[at(chain.back())].aliasOf != none && tensors_[at(from_.tensors[at(chain.back())].aliasOf)] == none)
            chain.push_back(from_.tensors[at(chain.back())].aliasOf);
        for (auto each = chain.rbegin(); each != chain.rend(); ++each) {
            Tensor copy = from_.tensors[at(*each)];
            if (copy.aliasOf != none) copy.aliasOf = tensors_[at(copy.aliasOf)];
            copy.region = region(copy.region);
            if (copy.kind == TensorKind::output) copy.kind = TensorKind::intermediate; // outputs are marked at the end
            place(*each, std::move(copy));
        }
        return tensors_[at(id)];
    }

    [[nodiscard]] RegionId region(RegionId id) const
    {
        const auto found = regions_.find(id);
        return found == regions_.end() ? 0 : found->second;
    }

    /// Recursion follows the nesting of regions, which the verifier bounds.
    OpId copyOp(OpId id, RegionId parent)
    {
        const Op& old = from_.ops[at(id)];
        const auto copyId = static_cast<OpId>(to_.ops.size());
        to_.ops.push_back(old);
        to_.regions[at(parent)].ops.push_back(copyId);
        Op copy = old;
        copy.parent = parent;
        for (RegionId& each : copy.regions) each = copyRegion(each, copyId);
        for (TensorId& each : copy.inputs) each = tensor(each);
        for (TensorId& each : copy.outputs) each = tensor(each);
        for (TensorId& each : copy.temps) each = tensor(each);
        for (InPlace& each : copy.inPlace) each = {tensor(each.input), tensor(each.output)};
        for (Carry& each : copy.carries) each = {tensor(each.from), tensor(each.to)};
        to_.ops[at(copyId)] = std::move(copy);
        return copyId;
    }

    RegionId copyRegion(RegionId id, OpId owner)
    {
        const auto copyId = static_cast<RegionId>(to_.regions.size());
        regions_.emplace(id, copyId);
        to_.regions.emplace_back();
        const Region& old = from_.regions[at(id)];
        to_.regions[at(copyId)].role = old.role;
        to_.regions[at(copyId)].owner = owner;
        for (const TensorId each : old.inputs) {
            const TensorId copy = tensor(each);
            to_.regions[at(copyId)].inputs.push_back(copy);
        }
        for (const OpId op : old.ops) copyOp(op, copyId);
        for (const TensorId each : old.outputs) {
            const TensorId copy = tensor(each);
            to_.regions[at(copyId)].outputs.push_back(copy);
        }
        return copyId;
    }

    /// The operator whose stage provides an output of the program: the one that makes it; for a variable that no operator writes,
    /// the first one that reads it; otherwise the first operator.
    [[nodiscard]] std::size_t homeOf(TensorId id) const
    {
        if (map_.madeBy(id) != none) return static_cast<std::size_t>(map_.madeBy(id));
        if (from_.tensors[at(map_.root(id))].kind == TensorKind::variable)
            for (std::size_t o = 0; o < map_.size(); ++o)
                for (const TensorId read : map_.reads(o))
                    if (map_.root(read) == map_.root(id)) return o;
        return 0;
    }
    [[nodiscard]] bool livesHere(TensorId id) const
    {
        const std::size_t home = homeOf(id);
        return (home >= begin_ && home < end_) || (begin_ == 0 && home == 0);
    }

    /// Adds outputs of the program that no operator of the stage touches: inputs, constants, and views.
    void addUnread()
    {
        for (const TensorId id : from_.body().outputs) {
            if (tensors_[at(id)] != none || !livesHere(id)) continue;
            if (const OpId op = map_.constantOp(id); op != none) {
                addConstantOp(op);
                copyConstantOps();
            }
            const TensorId root = map_.root(id);
            if (from_.tensors[at(root)].kind == TensorKind::input && tensors_[at(root)] == none)
                addInput(root, from_.tensors[at(root)].name);
            tensor(id);
        }
    }

    /// Lists the tensors that later stages or the application read, in the order in which they are made.
    void listOutputs()
    {
        std::unordered_map<TensorId, std::int32_t> globals;
        const auto& outputs = from_.body().outputs;
        for (std::size_t i = outputs.size(); i-- > 0;) globals[outputs[i]] = static_cast<std::int32_t>(i);
        std::vector<TensorId> given;
        for (std::size_t t = 0; t < tensors_.size(); ++t) {
            const auto id = static_cast<TensorId>(t);
            if (tensors_[t] == none || from_.tensors[t].region != 0 || isInputOnly(id)) continue;
            const bool later = ownedHere(id) && map_.lastReader(id) != none && readLater(id);
            if ((globals.contains(id) && livesHere(id)) || later) given.push_back(id);
        }
        // A view that only a later stage reads has not been copied yet.
        for (std::size_t t = 0; t < tensors_.size(); ++t) {
            const auto id = static_cast<TensorId>(t);
            if (tensors_[t] != none || from_.tensors[t].region != 0 || !map_.travels(id) || !ownedHere(id)) continue;
            if (map_.lastReader(id) != none && readLater(id)) {
                tensor(id);
                given.push_back(id);
            }
        }
        std::stable_sort(given.begin(), given.end(),
                         [&](TensorId a, TensorId b) { return std::pair(map_.madeBy(a), a) < std::pair(map_.madeBy(b), b); });
        for (const TensorId id : given) {
            Tensor& copy = to_.tensors[at(tensors_[at(id)])];
            if (copy.kind == TensorKind::intermediate) copy.kind = TensorKind::output;
            to_.regions[0].outputs.push_back(tensors_[at(id)]);
            const auto global = globals.find(id);
            stage_.outputs.push_back({id, copy.name, global == globals.end() ? none : global->second, copy.bytes});
        }
    }

    [[nodiscard]] bool isInputOnly(TensorId id) const { return isInput(id) && map_.travels(id); }
    [[nodiscard]] bool ownedHere(TensorId id) const
    {
        const std::int32_t made = map_.madeBy(id);
        return map_.travels(id) && static_cast<std::size_t>(made) >= begin_ && static_cast<std::size_t>(made) < end_;
    }
    [[nodiscard]] bool readLater(TensorId id) const
    {
        const std::int32_t last = map_.lastReader(id);
        if (static_cast<std::size_t>(last) < map_.size()) return static_cast<std::size_t>(last) >= end_;
        for (std::size_t o = end_; o < map_.size(); ++o)
            if (std::binary_search(map_.reads(o).begin(), map_.reads(o).end(), id)) return true;
        return false;
    }

    void finish()
    {
        stage_.program.name = program_.name;
        stage_.program.lowering = program_.lowering;
        stage_.program.functions.push_back(std::move(to_));
        copyCallees();
        const KeptBytes kept = keptBytes(CutMap(stage_.program));
        stage_.constants = kept.constants;
        stage_.variables = kept.variables;
    }

    /// Copies the functions that the stage calls, directly or through others.
    void copyCallees()
    {
        std::unordered_map<FunctionId, FunctionId> copies;
        auto& functions = stage_.program.functions;
        for (std::size_t f = 0; f < functions.size(); ++f)
            for (std::size_t o = 0; o < functions[f].ops.size(); ++o) {
                const FunctionId callee = functions[f].ops[o].callee;
                if (callee == none) continue;
                const auto [known, fresh] = copies.emplace(callee, static_cast<FunctionId>(functions.size()));
                functions[f].ops[o].callee = known->second;
                if (fresh) functions.push_back(program_.functions[at(callee)]);
            }
        for (std::size_t f = 1; f < functions.size(); ++f)
            for (Tensor& tensor : functions[f].tensors) {
                tensor.pools.clear();
                tensor.pinnedOffset.reset();
            }
    }

    const Program& program_;
    const CutMap& map_;
    const Function& from_;
    std::size_t begin_;
    std::size_t end_;
    std::vector<TensorId> tensors_; ///< by tensor of the program: its copy
    std::unordered_map<RegionId, RegionId> regions_{{0, 0}};
    std::unordered_set<TensorId> inputs_;
    std::unordered_set<TensorId> applications_; ///< inputs of the program that are read here
    std::set<OpId> constantOps_;                ///< ascending, so that each op comes after those that make its operands
    std::set<OpId> copiedConstants_;
    Function to_;
    Stage stage_;
};

} // namespace

KeptBytes keptBytes(const CutMap& map)
{
    const std::vector<Tensor>& tensors = map.function().tensors;
    KeptBytes kept;
    const auto add = [&](Bytes& sum, const Tensor& tensor) {
        sum = std::min(sum + std::min(tensor.bytes.value_or(0), maxStageBytes), maxStageBytes);
    };
    for (const Tensor& tensor : tensors) {
        if (tensor.aliasOf != none) continue;
        if (tensor.kind == TensorKind::constant) add(kept.constants, tensor);
        if (tensor.kind == TensorKind::variable) add(kept.variables, tensor);
    }
    std::set<TensorId> made; // by ops
    for (std::size_t o = 0; o < map.size(); ++o)
        for (const TensorId id : map.reads(o))
            if (map.constantOp(id) != none && made.insert(map.root(id)).second) add(kept.constants, tensors[at(map.root(id))]);
    return kept;
}

Bytes waitingBytes(std::int64_t frames, Bytes bytes)
{
    return std::min(checkedMultiply(frames, bytes).value_or(maxStageBytes), maxStageBytes);
}

Stage stageOf(const Program& program, const CutMap& map, std::size_t begin, std::size_t end)
{
    return StageBuilder(program, map, begin, end).build();
}

std::vector<Stage> splitAt(const Program& program, const CutMap& map, std::span<const std::size_t> cuts)
{
    std::vector<Stage> stages;
    std::size_t begin = 0;
    for (std::size_t s = 0; s <= cuts.size(); ++s) {
        const std::size_t end = s < cuts.size() ? cuts[s] : map.size();
        stages.push_back(stageOf(program, map, begin, end));
        stages.back().program.name = fmt::format("{}.stage{}", program.name, s);
        begin = end;
    }
    std::unordered_map<TensorId, std::pair<std::int32_t, std::int32_t>> givers;
    for (std::size_t s = 0; s < stages.size(); ++s)
        for (std::size_t i = 0; i < stages[s].outputs.size(); ++i)
            givers.emplace(stages[s].outputs[i].tensor, std::pair(static_cast<std::int32_t>(s), static_cast<std::int32_t>(i)));
    for (std::size_t s = 0; s < stages.size(); ++s)
        for (StageInput& input : stages[s].inputs)
            if (const auto giver = givers.find(input.tensor); map.travels(input.tensor) && giver != givers.end())
                std::tie(input.stage, input.output) = giver->second;
    return stages;
}

} // namespace stowage::pipeline
