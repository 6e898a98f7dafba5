#include "core/passes/fold_split.h"

#include "core/ir/checked.h"
#include "core/ir/dtype.h"
#include "core/ir/region_tree.h"
#include "core/ir/verify.h"
#include "core/ir/views.h"
#include "core/passes/fold_traits.h"
#include "core/passes/region_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace stowage {

namespace {

/// Copies some ops of a function into a new function.
class FunctionWriter {
public:
    FunctionWriter(const Function& from, const FunctionFold& fold, std::string name)
        : from_(from), fold_(fold), tensors_(from.tensors.size(), none)
    {
        to_.name = std::move(name);
        for (const Tensor& tensor : from.tensors) names_.insert(tensor.name);
    }

    /// Makes the new entry: the ops that are not folded, with the folded tensors as arguments.
    Function entry()
    {
        keepRegions_ = true;
        to_.pools = from_.pools;
        to_.regions = from_.regions;
        for (Region& region : to_.regions) region.ops.clear();
        Region& body = to_.regions.front();
        body.inputs.clear();
        for (const TensorId id : fold_.entryArguments) addInput(take(id));
        for (const FoldedTensor& kept : fold_.folded)
            if (kept.entryReads) addFolded(kept, FoldPlace::entry);
        std::vector<OpId> movedAfter(from_.ops.size(), none); // by op: the expanding op that takes its place
        for (const Postponed& moved : fold_.postponed) movedAfter[at(moved.chain.back())] = moved.expanding;
        const RegionTree tree = RegionTree::of(from_);
        std::vector<OpId> ids(from_.ops.size(), none);
        for (const OpId id : tree.order) {
            if (movedAfter[at(id)] != none) addOp(movedAfter[at(id)]);
            const OpFold& its = fold_.ops[at(id)];
            if (!its.folded() && its.reason != FoldReason::postponed) ids[at(id)] = addOp(id);
        }
        for (std::size_t r = 0; r < to_.regions.size(); ++r) {
            Region& region = to_.regions[r];
            if (region.owner != none) region.owner = ids[at(region.owner)];
            if (r > 0)
                for (TensorId& id : region.inputs) id = take(id);
            for (TensorId& id : region.outputs) id = take(id);
        }
        return std::move(to_);
    }

    /// Makes a function that runs once: it takes roots and folded tensors, and returns folded tensors.
    Function foldFunction(FoldPlace place)
    {
        to_.regions.emplace_back();
        const std::vector<OpId> ops = opsIn(from_, fold_, place);
        const std::vector<ViewOrigin> origins = viewOrigins(from_);
        std::vector<bool> read(from_.tensors.size()); // by root
        for (const OpId id : ops)
            for (const TensorId input : inputsAfter(from_, fold_, id)) read[at(origins[at(input)].root)] = true;
        for (const TensorId id : place == FoldPlace::runTimeFold ? fold_.runTimeArguments : fold_.compileTimeArguments)
            addInput(take(id));
        for (const FoldedTensor& kept : fold_.folded)
            if (kept.madeIn != place && (place == FoldPlace::runTimeFold || kept.madeIn == FoldPlace::evaluated) &&
                read[at(kept.tensor)])
                addFolded(kept, place);
        for (const OpId id : ops) addOp(id);
        for (const FoldedTensor& kept : fold_.folded) {
            if (kept.madeIn != place) continue;
            const TensorId id = tensors_[at(kept.tensor)];
            to_.tensors[at(id)].kind = TensorKind::output;
            to_.tensors[at(id)].planned = false; // its bytes are in the persistent block
            to_.regions.front().outputs.push_back(id);
        }
        return std::move(to_);
    }

private:
    void addInput(TensorId id) { to_.regions.front().inputs.push_back(id); }

    TensorId add(Tensor tensor)
    {
        to_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(to_.tensors.size()) - 1;
    }

    TensorId take(TensorId old)
    {
        if (tensors_[at(old)] != none) return tensors_[at(old)];
        Tensor tensor = from_.tensors[at(old)];
        if (tensor.aliasOf != none) tensor.aliasOf = take(tensor.aliasOf);
        if (!keepRegions_) {
            tensor.region = 0;
            if (tensor.kind == TensorKind::output) tensor.kind = TensorKind::intermediate;
        }
        return tensors_[at(old)] = add(std::move(tensor));
    }

    /// Adds a folded tensor as an argument, or as a constant if it was evaluated.
    void addFolded(const FoldedTensor& kept, FoldPlace place)
    {
        const OpFold& maker = fold_.ops[at(makerOf(kept.tensor))];
        const bool lastOfChain = maker.chained() && place == FoldPlace::entry;
        Tensor tensor = from_.tensors[at(kept.tensor)];
        tensor.kind = TensorKind::variable;
        tensor.available = kept.madeIn == FoldPlace::runTimeFold ? Availability::runTime : Availability::compileTime;
        tensor.shape = kept.shape;
        tensor.bytes = kept.size;
        tensor.region = 0;
        tensor.planned = true;
        tensor.alignment = foldedTensorAlignment;
        tensor.attributes.emplace_back("folded-id", std::to_string(kept.id));
        if (kept.madeIn == FoldPlace::evaluated)
            tensor.kind = TensorKind::constant;
        else
            tensor.pinnedOffset = kept.offset;
        if (lastOfChain) tensor.name = freshName(tensor.name + "_folded");
        const bool argument = kept.madeIn != FoldPlace::evaluated;
        const TensorId id = add(std::move(tensor));
        if (argument) addInput(id);
        if (lastOfChain)
            small_.emplace_back(kept.tensor, id);
        else
            tensors_[at(kept.tensor)] = id;
    }

    OpId makerOf(TensorId tensor)
    {
        if (makers_.empty()) {
            makers_.assign(from_.tensors.size(), none);
            for (std::size_t i = 0; i < from_.ops.size(); ++i)
                for (const TensorId output : from_.ops[i].outputs) makers_[at(output)] = static_cast<OpId>(i);
        }
        return makers_[at(tensor)];
    }

    std::string freshName(std::string name)
    {
        while (!names_.insert(name).second) name += '_';
        return name;
    }

    OpId addOp(OpId old)
    {
        Op op = from_.ops[at(old)];
        const OpFold& fold = fold_.ops[at(old)];
        const auto after = inputsAfter(from_, fold_, old);
        const bool expanding = keepRegions_ && fold.reason == FoldReason::postponed;
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (expanding && i == 0)
                op.inputs[i] = smallOf(after[i]);
            else
                op.inputs[i] = fold.chained() ? takeSmall(after[i], fold.move) : take(after[i]);
        }
        for (TensorId& id : op.outputs) {
            id = take(expanding ? after.front() : id);
            if (fold.chained()) shrink(to_.tensors[at(id)], fold.move);
        }
        for (TensorId& id : op.temps) id = take(id);
        // An obligation stays. The decision neither moves its op nor keeps its input between runs.
        if (!op.inPlaceRequired)
            std::erase_if(op.inPlace, [&](const InPlace& pair) { return expanding || fold.chained() || gone(pair); });
        for (InPlace& pair : op.inPlace) pair = {take(pair.input), take(pair.output)};
        for (Carry& carry : op.carries) carry = {take(carry.from), take(carry.to)};
        if (!keepRegions_) op.parent = 0;
        const auto id = static_cast<OpId>(to_.ops.size());
        to_.regions[at(op.parent)].ops.push_back(id);
        to_.ops.push_back(std::move(op));
        return id;
    }

    /// Removes in-place permissions that would overwrite a tensor that is kept between runs.
    bool gone(const InPlace& pair) const
    {
        TensorId input = tensors_[at(pair.input)];
        if (input == none) return false;
        while (to_.tensors[at(input)].aliasOf != none) input = to_.tensors[at(input)].aliasOf;
        const TensorKind kind = to_.tensors[at(input)].kind;
        return kind == TensorKind::variable || kind == TensorKind::constant;
    }

    TensorId smallOf(TensorId last) const
    {
        for (const auto& [tensor, small] : small_)
            if (tensor == last) return small;
        return none;
    }

    void shrink(Tensor& tensor, std::int32_t move) const
    {
        tensor.shape = fold_.postponed[at(move)].shape;
        tensor.bytes = tensorBytes(tensor.dtype, tensor.shape);
    }

    /// An operand of a chained op: a constant with equal elements gets the shape before the expansion as well.
    TensorId takeSmall(TensorId old, std::int32_t move)
    {
        const Tensor& it = from_.tensors[at(old)];
        const bool splat = attribute(it.attributes, splatAttribute) && !attribute(it.attributes, scalarAttribute);
        if (!splat) return take(old);
        Tensor tensor = it;
        tensor.region = 0;
        tensor.name = freshName(tensor.name + "_small");
        shrink(tensor, move);
        return add(std::move(tensor));
    }

    const Function& from_;
    const FunctionFold& fold_;
    Function to_;
    bool keepRegions_ = false;
    std::vector<TensorId> tensors_; ///< by old tensor: its copy
    std::vector<std::pair<TensorId, TensorId>>
        small_; ///< pairs (last tensor of a chain, folded tensor that the expanding op reads)
    std::vector<OpId> makers_;
    std::unordered_set<std::string> names_;
};

void addPools(Program& program)
{
    const auto persistent = [](const Pool& pool) { return pool.kind == PoolKind::persistent; };
    if (program.pools.empty()) program.pools.push_back({"arena"});
    if (std::none_of(program.pools.begin(), program.pools.end(), persistent)) {
        Pool pool{"persistent"};
        pool.kind = PoolKind::persistent;
        pool.alignment = foldedTensorAlignment;
        program.pools.push_back(std::move(pool));
    }
}

/// `program` is changed for the computation and restored, because copying a large program would take as long as the computation.
Expected<Bytes> peakOf(Program& program, FunctionId function)
{
    LowerOptions options;
    for (const auto& [key, value] : program.lowering)
        if (auto error = options.set(key, value)) return *std::move(error);
    options.views = ViewMode::merged;
    options.inPlace = InPlaceMode::allowed;
    const FunctionId entry = std::exchange(program.entry, function);
    const auto lowering = lower(program, options);
    program.entry = entry;
    if (!lowering) return lowering.error();
    return peakBytes(lowering->problem);
}

std::optional<Error> costsOf(FoldedProgram& folded, SplitFunction& split)
{
    FoldCosts& costs = split.costs;
    const FunctionTraffic before = functionTraffic(folded.before.functions[at(split.entry)], false);
    const FunctionTraffic after = functionTraffic(folded.program.functions[at(split.entry)], false);
    costs.opsBefore = before.ops;
    costs.opsAfter = after.ops;
    costs.movedBefore = before.bytes;
    costs.movedAfter = after.bytes;
    if (split.runTimeFold != none)
        costs.movedByFold = functionTraffic(folded.program.functions[at(split.runTimeFold)], true).bytes;
    if (costs.savedBytes() > 0)
        costs.breakEvenRuns = std::max<std::int64_t>(1, (costs.movedByFold + costs.savedBytes() - 1) / costs.savedBytes());
    const auto peak = [&](Program& program, FunctionId function, Bytes& to) -> std::optional<Error> {
        if (function == none) return std::nullopt;
        auto bytes = peakOf(program, function);
        if (!bytes) return std::move(bytes).error();
        to = *bytes;
        return std::nullopt;
    };
    if (auto error = peak(folded.before, split.entry, costs.peakBefore)) return error;
    if (auto error = peak(folded.program, split.entry, costs.peakAfter)) return error;
    if (auto error = peak(folded.program, split.compileTimeFold, costs.compileTimeFoldPeak)) return error;
    return peak(folded.program, split.runTimeFold, costs.runTimeFoldPeak);
}

} // namespace

FunctionTraffic functionTraffic(const Function& function, bool copiesViews)
{
    FunctionTraffic traffic;
    std::vector<bool> returned(function.tensors.size());
    if (!function.regions.empty())
        for (const TensorId id : function.body().outputs) returned[at(id)] = true;
    const auto scalar = [&](TensorId id) { return attribute(function.tensors[at(id)].attributes, scalarAttribute) != nullptr; };
    const auto bytes = [&](TensorId id) { return scalar(id) ? 0 : function.tensors[at(id)].bytes.value_or(0); };
    const auto add = [&](Bytes more) { traffic.bytes = std::min(maxBytes, traffic.bytes + more); };
    std::vector<std::size_t> readBy(function.tensors.size(), 0); // the op after which it was counted last, plus 1
    for (std::size_t i = 0; i < function.ops.size(); ++i) {
        const Op& op = function.ops[i];
        if (op.control != Control::leaf) continue;
        const bool literal = op.inputs.empty() && !op.outputs.empty() &&
                             function.tensors[at(op.outputs.front())].available != Availability::unknown;
        if (literal || (!op.outputs.empty() && std::all_of(op.outputs.begin(), op.outputs.end(), scalar))) continue;
        if (foldTraits(op).view) {
            if (copiesViews)
                for (const TensorId output : op.outputs)
                    if (returned[at(output)]) add(2 * std::min(bytes(output), maxBytes / 2));
            continue;
        }
        ++traffic.ops;
        for (const TensorId input : op.inputs)
            if (std::exchange(readBy[at(input)], i + 1) != i + 1) add(bytes(input));
        for (const TensorId output : op.outputs) add(bytes(output));
    }
    return traffic;
}

Bytes refoldBytes(const FoldedProgram& folded, const SplitFunction& split, std::span<const std::int64_t> ids)
{
    Bytes bytes = 0;
    for (const auto& [id, place] :
         {std::pair(split.compileTimeFold, FoldPlace::compileTimeFold), std::pair(split.runTimeFold, FoldPlace::runTimeFold)}) {
        if (id == none) continue;
        Function part = folded.program.functions[at(id)]; // the ops that make the wanted tensors, which are its only results
        const std::vector<ViewOrigin> origins = viewOrigins(part);
        std::vector<bool> wanted(part.tensors.size()), there(part.tensors.size()); // by root
        std::vector<TensorId>& outputs = part.regions.front().outputs;
        std::vector<TensorId> returned;
        std::size_t next = 0;
        for (const FoldedTensor& kept : split.fold.folded) {
            if (kept.madeIn != place) continue;
            const TensorId output = outputs[next++];
            const bool again = std::binary_search(ids.begin(), ids.end(), kept.id);
            (again ? wanted : there)[at(output)] = true;
            if (again) returned.push_back(output);
        }
        outputs = std::move(returned);
        std::vector<Op> needed;
        for (std::size_t i = part.ops.size(); i-- > 0;) {
            const Op& op = part.ops[i];
            const auto makes = [&](TensorId output) { return wanted[at(output)] && !there[at(output)]; };
            if (std::none_of(op.outputs.begin(), op.outputs.end(), makes)) continue;
            for (const TensorId input : op.inputs) wanted[at(origins[at(input)].root)] = true;
            needed.push_back(op);
        }
        part.ops.assign(needed.rbegin(), needed.rend());
        bytes = std::min(maxBytes, bytes + functionTraffic(part, true).bytes);
    }
    return bytes;
}

Expected<FoldedProgram> foldProgram(const Program& program, std::span<const FunctionId> functions, const FoldOptions& options)
{
    FoldedProgram folded{program, program, {}};
    for (const FunctionId id : functions) {
        FoldOptions own = options;
        if (id != program.entry) own.compileTimeArguments.clear(), own.runTimeArguments.clear();
        auto fold = decideFolds(program, id, own);
        if (!fold) return std::move(fold).error();
        folded.functions.push_back({*std::move(fold), id, none, none, {}});
    }
    const auto changed =
        std::count_if(folded.functions.begin(), folded.functions.end(), [](const SplitFunction& s) { return s.fold.any(); });
    if (changed > 0) addPools(folded.program);
    std::unordered_set<std::string> names;
    for (const Function& function : program.functions) names.insert(function.name);
    for (SplitFunction& split : folded.functions) {
        const Function& from = program.functions[at(split.entry)];
        Function& before = folded.before.functions[at(split.entry)];
        for (const Op& op : before.ops)
            for (const TensorId output : op.outputs)
                if (before.tensors[at(output)].available != Availability::unknown) before.tensors[at(output)].planned = true;
        if (!split.fold.any()) {
            folded.program.functions[at(split.entry)] = before;
        } else {
            folded.program.functions[at(split.entry)] = FunctionWriter(before, split.fold, from.name).entry();
            const auto add = [&](FoldPlace place, std::string_view suffix) {
                const auto made = [&](const FoldedTensor& kept) { return kept.madeIn == place; };
                if (std::none_of(split.fold.folded.begin(), split.fold.folded.end(), made)) return none;
                std::string name = changed > 1 ? fmt::format("{}_{}", from.name, suffix) : std::string(suffix);
                while (!names.insert(name).second) name += '_';
                folded.program.functions.push_back(FunctionWriter(before, split.fold, name).foldFunction(place));
                return static_cast<FunctionId>(folded.program.functions.size()) - 1;
            };
            split.compileTimeFold = add(FoldPlace::compileTimeFold, compileTimeFoldName);
            split.runTimeFold = add(FoldPlace::runTimeFold, runTimeFoldName);
        }
    }
    const Diagnostics wrong = verify(folded.program);
    for (const Diagnostic& each : wrong)
        if (each.severity == Severity::error)
            return failure(Code::foldNotValid, "the folded program does not verify: " + each.message, each.where, "report it");
    for (SplitFunction& split : folded.functions)
        if (auto error = costsOf(folded, split)) return *std::move(error);
    return folded;
}

} // namespace stowage
