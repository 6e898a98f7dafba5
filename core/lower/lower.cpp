#include "core/lower/lower.h"

#include "core/ir/checked.h"
#include "core/ir/verify.h"
#include "core/lower/assemble.h"
#include "core/lower/hivm.h"
#include "core/lower/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace stowage {

namespace {

/// The alignment of a tensor of an instance, as in `Storages::of`.
Bytes alignmentOf(const lowering::Expansion& expansion, std::size_t element)
{
    const auto instance = std::partition_point(expansion.instances.begin(), expansion.instances.end(), [&](const lowering::Instance& i) { return i.firstTensor <= element; }) - 1;
    return expansion.program->functions[static_cast<std::size_t>(instance->function)].tensors[element - instance->firstTensor].alignment;
}

/// What is carried without being moved lies where the next iteration needs it, too. Returns the carries for which that cannot be: devices
/// that reach different pools, an alignment that the first value does not have.
std::vector<std::size_t> disagreeing(lowering::Facts& facts, const lowering::Storages& storages)
{
    const auto factsOf = [&](std::int32_t storage) -> auto& { return facts.storages[static_cast<std::size_t>(storage)]; };
    std::vector<std::size_t> found;
    for (bool changed = true; changed && found.empty();) { // what is a first value may be carried itself
        changed = false;
        for (const lowering::StorageCarry& carry : storages.carries) {
            const lowering::StorageFacts& kept = factsOf(carry.kept);
            const auto take = [&](std::int32_t storage, Bytes delta) {
                if (storage == none) return true;
                lowering::StorageFacts& other = factsOf(storage);
                const auto alignment = checkedLcm(other.alignment, kept.alignment);
                const bool elsewhere = !other.planned || other.kind == BufferKind::constant; // and only read there
                if (elsewhere) return true;
                if (!alignment || delta % kept.alignment != 0 || other.pools != kept.pools) return false;
                changed = changed || other.alignment != *alignment;
                other.alignment = *alignment;
                return true;
            };
            bool agreed = kept.planned && factsOf(carry.made).planned && take(carry.made, 0);
            for (const lowering::StorageCarry::Place& place : carry.initials) agreed = agreed && take(place.storage, place.delta);
            if (!agreed) found.push_back(carry.source);
        }
    }
    return found;
}

/// A phi view lies where its values do, at its own alignment, in pools that suit both. Returns the views for which that cannot be.
std::vector<std::size_t> misplaced(const lowering::Expansion& expansion, lowering::Facts& facts, const lowering::Storages& storages)
{
    std::vector<std::size_t> found;
    for (std::size_t p = 0; p < storages.phis.size(); ++p) {
        const lowering::StoragePhi& phi = storages.phis[p];
        Bytes alignment = 1;
        bool agreed = true;
        for (std::size_t e = 0; e < storages.owner.size() && agreed; ++e) {
            if (storages.owner[e] != static_cast<lowering::Element>(phi.element)) continue;
            const auto common = checkedLcm(alignment, alignmentOf(expansion, e));
            agreed = common.has_value();
            alignment = common.value_or(1);
        }
        const std::int32_t own = storages.of[phi.element];
        const lowering::StorageFacts* reference = own == none ? nullptr : &facts.storages[static_cast<std::size_t>(own)];
        agreed = agreed && (!reference || reference->planned);
        for (const lowering::Element value : phi.values) {
            if (value == none || !agreed) continue;
            const std::int32_t storage = storages.of[static_cast<std::size_t>(value)];
            if (storage == none) { // a phi view itself, which is looked at as one
                agreed = std::any_of(storages.phis.begin(), storages.phis.end(), [&](const auto& other) { return storages.owner[static_cast<std::size_t>(value)] == static_cast<lowering::Element>(other.element); });
                continue;
            }
            lowering::StorageFacts& other = facts.storages[static_cast<std::size_t>(storage)];
            if (!other.planned && other.kind == BufferKind::constant) continue; // outside the plan, and only read
            const auto common = checkedLcm(other.alignment, alignment);
            agreed = other.planned && common && storages.delta[static_cast<std::size_t>(value)] % alignment == 0 &&
                     (!reference || (reference->pools == other.pools));
            if (!agreed) break;
            other.alignment = *common;
            if (!reference) reference = &other;
        }
        if (!agreed) found.push_back(p);
    }
    return found;
}

/// What an output of the program may be counts as one: no input of the program takes its place. Views of views come behind one another.
void markShownOutputs(const lowering::Expansion& expansion, const lowering::Storages& storages, lowering::Facts& facts)
{
    const std::vector<TensorId>& outputs = expansion.function(0).body().outputs;
    std::set<lowering::Element> given(outputs.begin(), outputs.end());
    for (bool changed = true; changed;) {
        changed = false;
        for (const lowering::StoragePhi& phi : storages.phis) {
            if (!given.contains(static_cast<lowering::Element>(phi.element))) continue;
            for (const lowering::Element value : phi.values) {
                if (value == none || !given.insert(storages.owner[static_cast<std::size_t>(value)]).second) continue;
                changed = true;
                if (const std::int32_t storage = storages.of[static_cast<std::size_t>(value)]; storage != none) facts.storages[static_cast<std::size_t>(storage)].isOutput = true;
            }
        }
    }
}

/// Says once for each loop which values are moved in it, and why.
void tellMoves(const lowering::Expansion& expansion, const lowering::Carries& carries, Lowering& to)
{
    std::set<std::tuple<FunctionId, OpId, TensorId>> told;
    std::set<std::pair<FunctionId, OpId>> loops;
    for (const lowering::MovedCarry& moved : carries.moved) {
        const FunctionId id = expansion.instances[static_cast<std::size_t>(moved.instance)].function;
        if (!told.insert({id, moved.op, moved.carry.to}).second) continue;
        const Function& function = expansion.function(moved.instance);
        const auto tensor = [&](TensorId t) -> const Tensor& { return function.tensors[static_cast<std::size_t>(t)]; };
        to.transfers.push_back({id, moved.op, moved.carry.from, moved.carry.to, tensor(moved.carry.to).bytes.value_or(0), std::string(moved.reason)});
        if (!loops.insert({id, moved.op}).second) continue;
        const Op& op = function.ops[static_cast<std::size_t>(moved.op)];
        to.diagnostics.push_back({Severity::note, "loop-moves",
                                  fmt::format("loop '{}' moves '{}' to '{}' after each iteration, and is taken conservatively there: {}", op.name,
                                              tensor(moved.carry.from).name, tensor(moved.carry.to).name, moved.reason),
                                  op.where, {}});
    }
}

/// The moves where regions and calls begin and end, each once.
void listMoves(const lowering::Expansion& expansion, const lowering::Storages& storages, Lowering& to)
{
    std::set<std::tuple<FunctionId, OpId, TensorId, TensorId>> told;
    for (const lowering::Copying& copy : storages.copies) {
        const lowering::Instance& instance = expansion.instances[static_cast<std::size_t>(copy.instance)];
        const auto after = [&](lowering::Element element) {
            return std::partition_point(expansion.instances.begin(), expansion.instances.end(), [&](const lowering::Instance& i) {
                return i.firstTensor <= static_cast<std::size_t>(element);
            });
        };
        const auto tensor = [&](lowering::Element element) {
            return static_cast<TensorId>(static_cast<std::size_t>(element) - (after(element) - 1)->firstTensor);
        };
        const TensorId from = tensor(copy.from), target = tensor(copy.to);
        if (!told.insert({instance.function, copy.op, from, target}).second) continue;
        const Tensor& written = expansion.function(copy.instance).tensors[static_cast<std::size_t>(target)];
        to.transfers.push_back({instance.function, copy.op, from, target, written.bytes.value_or(0), "the two are different places"});
    }
}

} // namespace

Expected<Lowering> lower(const Program& program, const LowerOptions& options)
{
    using namespace lowering;
    if (auto error = check(options)) return *std::move(error);
    for (Diagnostic& diagnostic : verify(program))
        if (diagnostic.severity == Severity::error) return std::move(diagnostic);
    if (options.order == Order::hivm) {
        for (const Function& function : program.functions)
            for (const Op& op : function.ops)
                if (op.control == Control::exit)
                    return failure("exit", fmt::format("op '{}' of '{}' leaves a loop in the middle, which the order 'hivm' does not know", op.name, function.name),
                                   op.where, "use --lower order=linear or order=dag");
        return lowerHivm(program, options);
    }

    auto expansion = expand(program);
    if (!expansion) return std::move(expansion).error();
    const bool precise = options.loops == LoopMode::precise;
    std::vector<Sharing> sharing(program.functions.size());
    for (const Instance& instance : expansion->instances)
        if (Sharing& own = sharing[static_cast<std::size_t>(instance.function)]; own.spots.empty())
            own = Sharing::of(program, instance.function, options.order == Order::dag, precise);
    std::optional<PartialOrder> partial;
    if (options.order == Order::dag) {
        auto found = PartialOrder::of(*expansion);
        if (!found) return std::move(found).error();
        partial = *std::move(found);
    }
    const PartialOrder* order = partial ? &*partial : nullptr;

    Lowering result;
    result.options = options;
    result.fingerprint = fingerprint(options);
    result.problem.pools = poolsFor(program, options);
    Carries carries = precise ? findCarries(*expansion) : Carries{};
    // What devices reach is known of a tensor, not of all the places where it may be.
    const bool anywhere = std::all_of(result.problem.pools.begin(), result.problem.pools.end(), [](const Pool& pool) { return pool.targets.empty(); });
    std::vector<PhiView> phis = precise && anywhere ? findPhiViews(*expansion, sharing) : std::vector<PhiView>{};
    Storages storages;
    std::optional<Facts> facts;
    for (;;) {
        storages = findStorages(*expansion, sharing, order, carries, phis, wantsMerging(program, options));
        Diagnostics told;
        auto found = findFacts(*expansion, storages, result.problem.pools, told);
        if (!found) return std::move(found).error();
        facts = *std::move(found);
        const std::vector<std::size_t> wrong = disagreeing(*facts, storages);
        for (const std::size_t carry : wrong) carries.precise[carry].value.obstacle = "it would be in a pool or at an address that does not suit it";
        const std::vector<std::size_t> apart = misplaced(*expansion, *facts, storages);
        for (auto phi = apart.rbegin(); phi != apart.rend(); ++phi) phis.erase(phis.begin() + static_cast<std::ptrdiff_t>(*phi));
        if (!wrong.empty() || !apart.empty()) continue;
        markShownOutputs(*expansion, storages, *facts);
        result.diagnostics = std::move(told);
        break;
    }
    tellMoves(*expansion, carries, result);
    listMoves(*expansion, storages, result);
    const auto merged = merge(*expansion, order, storages, *facts, options);
    if (!merged) return merged.error();
    if (auto error = assemble(*expansion, order, storages, *facts, *merged, result)) return *std::move(error);
    return result;
}

} // namespace stowage
