#include "core/passes/fold.h"

#include "core/ir/checked.h"
#include "core/ir/dtype.h"
#include "core/ir/region_tree.h"
#include "core/ir/views.h"
#include "core/passes/fold_roots.h"
#include "core/passes/fold_traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace stowage {

namespace {

using folding::RootSet;
using folding::RootSets;

ConstLevel join(ConstLevel a, ConstLevel b)
{
    return std::max(a, b);
}

bool isConstant(ConstLevel level)
{
    return level == ConstLevel::compileTime || level == ConstLevel::runTime;
}

/// Number of elements of a static shape; no value when a dimension is unknown.
std::optional<std::int64_t> elementsOf(const std::vector<std::int64_t>& shape)
{
    std::optional<std::int64_t> count = 1;
    for (const std::int64_t extent : shape) {
        if (extent < 0) return std::nullopt;
        count = checkedMultiply(*count, extent);
        if (!count) return std::nullopt;
    }
    return count;
}

/// Role of an op before its users are known.
enum class Role : std::uint8_t {
    stays,
    source, ///< a literal, or an op on scalars only: may be copied to every function that needs its value
    foldable,
};

class Decider {
public:
    Decider(const Program& program, FunctionId id, const FoldOptions& options)
        : function_(program.functions[at(id)]),
          options_(options),
          tree_(RegionTree::of(function_)),
          origins_(viewOrigins(function_)),
          roles_(function_.ops.size(), Role::stays),
          roots_(function_.tensors.size()),
          usable_(function_.tensors.size()),
          users_(function_.tensors.size()),
          inRegionOutputs_(function_.tensors.size()),
          overwritten_(function_.tensors.size()),
          obliged_(function_.tensors.size())
    {
        result_.function = id;
        result_.tensors.assign(function_.tensors.size(), ConstLevel::unknown);
        result_.ops.resize(function_.ops.size());
    }

    Expected<FunctionFold> run()
    {
        if (auto error = readArguments()) return *std::move(error);
        collectUsers();
        collectOverwritten();
        for (std::size_t t = 0; t < function_.tensors.size(); ++t) declare(static_cast<TensorId>(t));
        for (const OpId op : tree_.order) decide(op);
        dropUnneeded();
        for (const OpId op : tree_.order) place(op);
        placeSources();
        keepTensors();
        listArguments();
        return std::move(result_);
    }

private:
    const Tensor& tensor(TensorId id) const { return function_.tensors[at(id)]; }
    const Op& op(OpId id) const { return function_.ops[at(id)]; }
    /// The tensor whose storage a view shares; of another tensor the tensor itself.
    TensorId rootOf(TensorId id) const { return origins_[at(id)].root; }
    ConstLevel& level(TensorId id) { return result_.tensors[at(id)]; }

    std::optional<Error> readArguments()
    {
        if (!(options_.threshold > 0) || !std::isfinite(options_.threshold))
            return failure(Code::badOption, fmt::format("the threshold is {}", options_.threshold), {}, "give a number above 0");
        const auto& inputs = function_.body().inputs;
        marked_.assign(function_.tensors.size(), Availability::unknown);
        for (const auto* list : {&options_.compileTimeArguments, &options_.runTimeArguments})
            for (const std::int32_t index : *list) {
                if (index < 0 || static_cast<std::size_t>(index) >= inputs.size())
                    return failure(Code::badOption,
                                   fmt::format("there is no argument {}: '{}' has {}", index, function_.name, inputs.size()), {},
                                   "arguments are counted from 0");
                marked_[at(inputs[at(index)])] =
                    list == &options_.compileTimeArguments ? Availability::compileTime : Availability::runTime;
            }
        return std::nullopt;
    }

    void collectUsers()
    {
        for (const OpId id : tree_.order)
            for (const TensorId input : op(id).inputs)
                if (auto& users = users_[at(rootOf(input))]; users.empty() || users.back() != id) users.push_back(id);
        for (const Region& region : function_.regions)
            for (const TensorId output : region.outputs) inRegionOutputs_[at(rootOf(output))] = true;
        for (const OpId id : tree_.order) // operands that an exit hands on are read there
            for (const Carry& carry : op(id).carries) inRegionOutputs_[at(rootOf(carry.from))] = true;
    }

    /// A tensor that an op writes through a view has several values in a run: it is not constant. An op that only declares the
    /// view writes nothing, and neither does an op with a view of a constant as its result. The input of an obligatory
    /// in-place op is made in each run, or is a variable whose value changes.
    void collectOverwritten()
    {
        for (const OpId id : tree_.order) {
            const Op& it = op(id);
            for (const TensorId output : it.outputs) {
                const TensorId root = rootOf(output);
                if (root == output || tensor(root).kind == TensorKind::constant) continue;
                const bool declares =
                    it.control == Control::leaf && foldTraits(it).view && !it.inputs.empty() && rootOf(it.inputs.front()) == root;
                if (!declares) overwritten_[at(root)] = true;
            }
            if (!it.inPlaceRequired) continue;
            for (const InPlace& pair : it.inPlace) {
                const TensorId root = rootOf(pair.input);
                (tensor(root).kind == TensorKind::variable ? overwritten_ : obliged_)[at(root)] = true;
            }
        }
    }

    /// Sets the levels of roots and of tensors that always change from run to run. `decide` sets the levels of results.
    void declare(TensorId id)
    {
        const Tensor& it = tensor(id);
        if (overwritten_[at(rootOf(id))]) {
            level(id) = ConstLevel::notConstant;
            return;
        }
        Availability available = marked_[at(id)];
        if (available == Availability::unknown && (it.kind == TensorKind::constant || it.kind == TensorKind::input))
            available = it.available;
        if (available == Availability::unknown && it.kind == TensorKind::constant) available = Availability::compileTime;
        if (available == Availability::unknown) {
            if (it.kind == TensorKind::input || it.kind == TensorKind::variable) level(id) = ConstLevel::notConstant;
            return;
        }
        level(id) = available == Availability::compileTime ? ConstLevel::compileTime : ConstLevel::runTime;
        usable_[at(id)] = true;
        if (attribute(it.attributes, scalarAttribute)) return;
        roots_[at(id)] = sets_.add(it.bytes.value_or(0));
    }

    /// The level of an operand; for a view, the level of the tensor whose storage it shares.
    ConstLevel levelOf(TensorId id) { return level(rootOf(id)); }
    bool usable(TensorId id) const { return usable_[at(rootOf(id))]; }
    const RootSet& rootsOf(TensorId id) const { return roots_[at(rootOf(id))]; }

    void stay(OpId id, ConstLevel constness, FoldReason reason)
    {
        OpFold& fold = result_.ops[at(id)];
        fold.level = constness;
        fold.reason = reason;
        for (const TensorId output : op(id).outputs) level(output) = join(level(output), constness);
    }

    void decide(OpId id)
    {
        const Op& it = op(id);
        OpFold& fold = result_.ops[at(id)];
        if (fold.chained()) return; // was decided together with the op that was moved after it
        for (const RegionId region : it.regions)
            for (const TensorId input : function_.regions[at(region)].inputs) level(input) = ConstLevel::notConstant;
        if (it.control != Control::leaf) return stay(id, ConstLevel::notConstant, FoldReason::controlFlow);
        const FoldTraits traits = foldTraits(it);
        fold.view = traits.view;
        const bool literal =
            it.inputs.empty() && !it.outputs.empty() && tensor(it.outputs.front()).available != Availability::unknown;
        if (it.inputs.empty() && !literal && !givesConstant(it, traits))
            return stay(id, ConstLevel::notConstant, FoldReason::notPure);
        ConstLevel constness = it.inputs.empty() ? ConstLevel::compileTime : ConstLevel::unknown;
        for (const TensorId input : it.inputs) constness = join(constness, levelOf(input));
        if (constness == ConstLevel::notConstant) return stay(id, constness, FoldReason::notConstant);
        if (!traits.pure || it.outputs.empty()) return stay(id, ConstLevel::notConstant, FoldReason::notPure);
        const auto writesElsewhere = [&](TensorId output) {
            return tensor(output).aliasOf != none || tensor(output).kind == TensorKind::variable || overwritten_[at(output)];
        };
        if (std::any_of(it.outputs.begin(), it.outputs.end(), writesElsewhere))
            return stay(id, ConstLevel::notConstant, FoldReason::notPure);
        if (!isConstant(constness)) return stay(id, constness, FoldReason::notConstant);
        if (literal) return takeLiteral(id, constness);
        if (!traits.known) return stay(id, constness, FoldReason::notCovered);
        if (!std::all_of(it.inputs.begin(), it.inputs.end(), [&](TensorId input) { return usable(input); }))
            return stay(id, constness, FoldReason::operandNotFolded);
        RootSet roots;
        for (const TensorId input : it.inputs) roots = sets_.unite(roots, rootsOf(input));
        if (sets_.exhausted()) return stay(id, constness, FoldReason::limit);
        fold.rootBytes = sets_.bytes(roots);
        for (const TensorId output : it.outputs) {
            const auto& bytes = tensor(output).bytes;
            if (!bytes) return stay(id, constness, FoldReason::unknownSize);
            fold.resultBytes = std::max(fold.resultBytes, *bytes);
        }
        if (!roots) {
            stay(id, constness, FoldReason::noRoot);
            return makeSource(id);
        }
        if (!withinThreshold(fold.resultBytes, fold.rootBytes)) {
            const bool moved = options_.postpone && traits.broadcast && postpone(id, roots, constness);
            return stay(id, constness, moved ? FoldReason::postponed : FoldReason::grows);
        }
        if (std::any_of(it.outputs.begin(), it.outputs.end(), [&](TensorId output) { return obliged_[at(output)]; }))
            return stay(id, constness, FoldReason::notPure);
        stay(id, constness, FoldReason::folded);
        roles_[at(id)] = Role::foldable;
        for (const TensorId output : it.outputs) {
            usable_[at(output)] = true;
            roots_[at(output)] = roots;
        }
    }

    /// Does an op without operands give the same value in each run? One whose effect is not known may read a device or a state.
    static bool givesConstant(const Op& it, const FoldTraits& traits)
    {
        return it.traits.effect == OpEffect::constant || (traits.pure && attribute(it.attributes, foldAttribute));
    }

    void takeLiteral(OpId id, ConstLevel constness)
    {
        stay(id, constness, FoldReason::literal);
        makeSource(id);
        for (const TensorId output : op(id).outputs) roots_[at(output)] = sets_.add(tensor(output).bytes.value_or(0));
    }

    void makeSource(OpId id)
    {
        roles_[at(id)] = Role::source;
        for (const TensorId output : op(id).outputs) usable_[at(output)] = true;
    }

    bool withinThreshold(Bytes result, Bytes roots) const
    {
        return static_cast<double>(result) <= options_.threshold * static_cast<double>(roots);
    }

    /// An op of a chain, with what its result depends on.
    struct Link {
        OpId op = none;
        ConstLevel level = ConstLevel::unknown;
        RootSet roots;
    };

    /// True when the expanding op was moved after at least one user.
    bool postpone(OpId id, const RootSet& roots, ConstLevel constness)
    {
        const Op& expanding = op(id);
        if (expanding.outputs.size() != 1) return false;
        const Tensor& operand = tensor(expanding.inputs.front());
        const std::vector<std::int64_t> wide = tensor(expanding.outputs.front()).shape;
        if (!elementsOf(operand.shape) || !elementsOf(wide)) return false;
        const auto index = static_cast<std::int32_t>(result_.postponed.size());
        Postponed moved{id, {}, operand.shape};
        Link last{id, constness, roots};
        while (auto next = chainOp(last, wide, moved.shape)) {
            last = *std::move(next);
            OpFold& fold = result_.ops[at(last.op)];
            stay(last.op, last.level, FoldReason::folded);
            fold.move = index;
            fold.rootBytes = sets_.bytes(last.roots);
            fold.resultBytes = *tensorBytes(tensor(op(last.op).outputs.front()).dtype, moved.shape);
            roles_[at(last.op)] = Role::foldable;
            moved.chain.push_back(last.op);
        }
        if (moved.chain.empty()) return false;
        result_.ops[at(id)].move = index;
        // The expanding op now makes the wide result of the chain's last op: it is constant, and not folded.
        result_.postponed.push_back(std::move(moved));
        return true;
    }

    /// The element-wise op that is the only user of the result of `last` and can work on the shape before the expansion; none if
    /// there is no such op. Its other operands may be constant at another level: the op then folds at the higher one.
    std::optional<Link> chainOp(const Link& last, const std::vector<std::int64_t>& wide, const std::vector<std::int64_t>& small)
    {
        const TensorId value = op(last.op).outputs.front();
        if (inRegionOutputs_[at(value)] || users_[at(value)].size() != 1) return std::nullopt;
        Link next{users_[at(value)].front(), last.level, last.roots};
        const Op& user = op(next.op);
        if (user.control != Control::leaf || user.parent != op(last.op).parent || user.outputs.size() != 1) return std::nullopt;
        const FoldTraits traits = foldTraits(user);
        if (!traits.elementWise || !traits.pure || !traits.known) return std::nullopt;
        const Tensor& result = tensor(user.outputs.front());
        if (result.shape != wide || result.aliasOf != none || overwritten_[at(user.outputs.front())]) return std::nullopt;
        for (const TensorId input : user.inputs) {
            if (input == value) continue;
            const Tensor& other = tensor(input);
            const bool anyShape = attribute(other.attributes, scalarAttribute) || attribute(other.attributes, splatAttribute) ||
                                  (other.kind == TensorKind::constant && elementsOf(other.shape) == 1);
            // Only tensors that are usable already: an op between this one and the user has not been decided yet.
            if (!anyShape || !isConstant(levelOf(input)) || !usable(input)) return std::nullopt;
            next.level = join(next.level, levelOf(input));
            next.roots = sets_.unite(next.roots, rootsOf(input));
        }
        const auto bytes = tensorBytes(result.dtype, small);
        if (sets_.exhausted() || !bytes || !withinThreshold(*bytes, sets_.bytes(next.roots))) return std::nullopt;
        return next;
    }

    /// A foldable op whose results only dead ops read stays in the entry and is dead there.
    void dropUnneeded()
    {
        std::vector<bool> needed(function_.ops.size());
        for (auto id = tree_.order.rbegin(); id != tree_.order.rend(); ++id) {
            if (roles_[at(*id)] == Role::stays) continue;
            for (const TensorId output : op(*id).outputs) {
                if (inRegionOutputs_[at(output)]) needed[at(*id)] = true;
                for (const OpId user : users_[at(output)])
                    if (roles_[at(user)] == Role::stays || needed[at(user)]) needed[at(*id)] = true;
            }
        }
        // A chain is not taken apart: the op that was moved after it makes its last value.
        for (const Postponed& moved : result_.postponed) {
            const bool last = needed[at(moved.chain.back())];
            for (const OpId id : moved.chain) needed[at(id)] = last;
        }
        for (std::size_t i = 0; i < roles_.size(); ++i)
            if (roles_[i] == Role::foldable && !needed[i]) {
                roles_[i] = Role::stays;
                result_.ops[i].reason = FoldReason::unused;
                result_.ops[i].move = none;
            }
        std::erase_if(result_.postponed, [&](const Postponed& moved) {
            OpFold& expanding = result_.ops[at(moved.expanding)];
            const bool dead = roles_[at(moved.chain.front())] == Role::stays;
            if (dead) expanding.reason = FoldReason::grows, expanding.move = none;
            return dead;
        });
        for (std::size_t m = 0; m < result_.postponed.size(); ++m) {
            const Postponed& moved = result_.postponed[m];
            result_.ops[at(moved.expanding)].move = static_cast<std::int32_t>(m);
            for (const OpId id : moved.chain) result_.ops[at(id)].move = static_cast<std::int32_t>(m);
        }
    }

    void place(OpId id)
    {
        // A source that can be computed is known in every function that has a copy of it.
        if (roles_[at(id)] == Role::source && options_.mode == FoldMode::evaluate) (void)canEvaluate(id);
        if (roles_[at(id)] != Role::foldable) return;
        OpFold& fold = result_.ops[at(id)];
        if (options_.mode == FoldMode::runTime || fold.level == ConstLevel::runTime)
            fold.place = FoldPlace::runTimeFold;
        else
            fold.place =
                options_.mode == FoldMode::evaluate && canEvaluate(id) ? FoldPlace::evaluated : FoldPlace::compileTimeFold;
    }

    /// True when all operands are literals or evaluated values, and the interpreter supports the op.
    bool canEvaluate(OpId id)
    {
        const Op& it = op(id);
        if (!foldTraits(it).evaluable) return false;
        const bool known = std::all_of(it.inputs.begin(), it.inputs.end(), [&](TensorId input) {
            return attribute(tensor(input).attributes, literalAttribute) || evaluated_.contains(input);
        });
        if (!known) return false;
        for (const TensorId output : it.outputs) evaluated_.insert(output);
        return true;
    }

    /// Puts each source into the function that needs its value, or copies it into several functions.
    void placeSources()
    {
        for (auto id = tree_.order.rbegin(); id != tree_.order.rend(); ++id) {
            if (roles_[at(*id)] != Role::source) continue;
            OpFold& fold = result_.ops[at(*id)];
            bool entry = false;
            FoldPlace place = FoldPlace::entry;
            const auto needIn = [&](FoldPlace there) {
                if (there == FoldPlace::entry)
                    entry = true;
                else if (place != FoldPlace::runTimeFold && (place == FoldPlace::entry || there != FoldPlace::evaluated))
                    place = there;
            };
            for (const TensorId output : op(*id).outputs) {
                entry |= inRegionOutputs_[at(output)] || users_[at(output)].empty();
                for (const OpId user : users_[at(output)]) {
                    needIn(result_.ops[at(user)].place);
                    if (result_.ops[at(user)].copied) needIn(FoldPlace::runTimeFold);
                }
            }
            if (entry)
                fold.copied = place != FoldPlace::entry;
            else
                fold.place = place;
        }
    }

    /// Gives ids to tensors that one function makes and another reads.
    void keepTensors()
    {
        // An expanding op that was moved reads the last value of its chain; the chain's first op reads its former operand.
        std::vector<std::vector<OpId>> readers(function_.tensors.size()); // by root
        for (const OpId id : tree_.order)
            for (const TensorId input : inputsAfter(function_, result_, id)) readers[at(rootOf(input))].push_back(id);
        for (const OpId id : tree_.order) {
            const OpFold& fold = result_.ops[at(id)];
            if (roles_[at(id)] != Role::foldable) continue;
            for (const TensorId output : op(id).outputs) {
                FoldedTensor kept;
                kept.entryReads = inRegionOutputs_[at(output)];
                for (const OpId user : readers[at(output)]) {
                    const OpFold& its = result_.ops[at(user)];
                    kept.entryReads |= !its.folded();
                    kept.runTimeFoldReads |= its.place == FoldPlace::runTimeFold && fold.place != FoldPlace::runTimeFold;
                    // An evaluated value that an op outside `evaluated` reads is a literal there.
                    if (fold.place == FoldPlace::evaluated && its.place == FoldPlace::compileTimeFold)
                        kept.runTimeFoldReads = true;
                }
                if (!kept.entryReads && !kept.runTimeFoldReads) continue;
                keep(kept, output, fold);
            }
        }
    }

    void keep(FoldedTensor& kept, TensorId id, const OpFold& fold)
    {
        const Tensor& it = tensor(id);
        kept.id = static_cast<std::int64_t>(result_.folded.size());
        kept.tensor = id;
        kept.name = it.name;
        kept.dtype = it.dtype;
        kept.shape = it.shape;
        kept.size = it.bytes.value_or(0);
        kept.madeIn = fold.place;
        if (fold.chained()) {
            kept.shape = result_.postponed[at(fold.move)].shape;
            kept.size = fold.resultBytes;
        }
        kept.strides.assign(kept.shape.size(), 1);
        for (std::size_t d = kept.shape.size(); d-- > 1;)
            kept.strides[d - 1] = checkedMultiply(kept.strides[d], std::max<std::int64_t>(kept.shape[d], 1)).value_or(0);
        if (fold.place != FoldPlace::evaluated) {
            kept.offset = alignUp(result_.persistentBytes, foldedTensorAlignment);
            result_.persistentBytes = std::min(maxBytes, kept.offset + kept.size);
        }
        result_.folded.push_back(std::move(kept));
    }

    /// For each tensor: the function of that place reads it.
    std::vector<bool> readIn(FoldPlace place) const
    {
        std::vector<bool> read(function_.tensors.size());
        for (const OpId id : opsIn(function_, result_, place))
            for (const TensorId input : inputsAfter(function_, result_, id)) read[at(rootOf(input))] = true;
        return read;
    }

    void listArguments()
    {
        const auto entry = readIn(FoldPlace::entry), evaluated = readIn(FoldPlace::evaluated);
        const auto compileTime = readIn(FoldPlace::compileTimeFold), runTime = readIn(FoldPlace::runTimeFold);
        for (const TensorId id : function_.body().inputs) {
            const bool constant = isConstant(level(id));
            if (!constant || entry[at(id)] || inRegionOutputs_[at(id)] || !result_.any()) result_.entryArguments.push_back(id);
            if (constant && compileTime[at(id)]) result_.compileTimeArguments.push_back(id);
            if (constant && runTime[at(id)]) result_.runTimeArguments.push_back(id);
        }
        for (std::size_t t = 0; t < function_.tensors.size(); ++t) {
            const Tensor& it = function_.tensors[t];
            const bool root = it.kind == TensorKind::constant || isArgument(it);
            // A literal that only evaluated ops read is no longer in the program.
            const bool held = compileTime[t] || runTime[t] || (evaluated[t] && entry[t]);
            if (!held || !root || attribute(it.attributes, scalarAttribute)) continue;
            result_.heldTwiceBytes = std::min(maxBytes, result_.heldTwiceBytes + it.bytes.value_or(0));
        }
        for (const OpId id : tree_.order) // literals that ops make
            if (result_.ops[at(id)].reason == FoldReason::literal)
                for (const TensorId output : op(id).outputs)
                    if (compileTime[at(output)] || runTime[at(output)])
                        result_.heldTwiceBytes = std::min(maxBytes, result_.heldTwiceBytes + tensor(output).bytes.value_or(0));
    }

    static bool isArgument(const Tensor& tensor) { return tensor.kind == TensorKind::input; }

    const Function& function_;
    const FoldOptions& options_;
    const RegionTree tree_;
    const std::vector<ViewOrigin> origins_; ///< by tensor
    FunctionFold result_;
    RootSets sets_;
    std::vector<Role> roles_;
    std::vector<RootSet> roots_;           ///< by tensor
    std::vector<bool> usable_;             ///< by tensor: a fold function may read it
    std::vector<std::vector<OpId>> users_; ///< by root: ops that read it or a view of it
    std::vector<bool> inRegionOutputs_;    ///< by root: it, or a view of it, is an output of a region, or is carried
    std::vector<bool> overwritten_;        ///< by root: an op writes it through a view
    std::vector<bool> obliged_;            ///< by root: an op must write its result over it
    std::vector<Availability> marked_;     ///< by tensor: the availability that the options give it
    std::set<TensorId> evaluated_;
};

} // namespace

std::vector<OpId> opsIn(const Function& function, const FunctionFold& fold, FoldPlace place)
{
    const RegionTree tree = RegionTree::of(function);
    const std::vector<ViewOrigin> origins = viewOrigins(function);
    std::vector<OpId> ops;
    std::vector<bool> needed(function.tensors.size()); // by root
    for (auto id = tree.order.rbegin(); id != tree.order.rend(); ++id) {
        const OpFold& its = fold.ops[at(*id)];
        const auto& outputs = function.ops[at(*id)].outputs;
        const bool copy = place != FoldPlace::entry && its.source() &&
                          std::any_of(outputs.begin(), outputs.end(), [&](TensorId output) { return needed[at(output)]; });
        if (its.place != place && !copy) continue;
        ops.push_back(*id);
        for (const TensorId input : inputsAfter(function, fold, *id)) needed[at(origins[at(input)].root)] = true;
    }
    std::reverse(ops.begin(), ops.end());
    return ops;
}

std::vector<TensorId> inputsAfter(const Function& function, const FunctionFold& fold, OpId op)
{
    std::vector<TensorId> inputs = function.ops[at(op)].inputs;
    if (fold.ops[at(op)].move == none) return inputs;
    const Postponed& moved = fold.postponed[at(fold.ops[at(op)].move)];
    const Op& expanding = function.ops[at(moved.expanding)];
    if (op == moved.expanding) inputs.front() = function.ops[at(moved.chain.back())].outputs.front();
    if (op == moved.chain.front())
        for (TensorId& input : inputs)
            if (input == expanding.outputs.front()) input = expanding.inputs.front();
    return inputs;
}

std::vector<FunctionId> foldableFunctions(const Program& program)
{
    std::vector<bool> called(program.functions.size());
    for (const Function& function : program.functions)
        for (const Op& op : function.ops)
            if (op.control == Control::call) called[at(op.callee)] = true;
    const auto folds = [&](FunctionId f) {
        const std::string_view name = program.functions[at(f)].name;
        return !called[at(f)] && !name.ends_with(runTimeFoldName) && !name.ends_with(compileTimeFoldName);
    };
    std::vector<FunctionId> functions;
    if (folds(program.entry)) functions.push_back(program.entry);
    for (FunctionId f = 0; at(f) < called.size(); ++f)
        if (f != program.entry && folds(f)) functions.push_back(f);
    return functions;
}

Expected<FunctionFold> decideFolds(const Program& program, FunctionId function, const FoldOptions& options)
{
    return Decider(program, function, options).run();
}

} // namespace stowage
