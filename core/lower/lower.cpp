#include "core/lower/lower.h"

#include "core/ir/checked.h"
#include "core/ir/verify.h"
#include "core/lower/assemble.h"
#include "core/lower/element_alignment.h"
#include "core/lower/hivm/hivm.h"
#include "core/lower/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace stowage {

namespace {

/// The alignment of a tensor of an instance, as in `Storages::of`.
Bytes alignmentOf(const lowering::Expansion& expansion, std::size_t element)
{
    const auto instance = std::partition_point(expansion.instances.begin(), expansion.instances.end(),
                                               [&](const lowering::Instance& i) { return i.firstTensor <= element; }) -
                          1;
    return expansion.program->functions[static_cast<std::size_t>(instance->function)]
        .tensors[element - instance->firstTensor]
        .alignment;
}

/// A value that is carried in place also has to suit its uses in the next iteration. Returns the carries for which this is
/// impossible: devices that reach different pools, or an alignment that the initial value does not have.
std::vector<std::size_t> disagreeing(lowering::Facts& facts, const lowering::Storages& storages)
{
    const auto factsOf = [&](std::int32_t storage) -> auto&
    {
        return facts.storages[static_cast<std::size_t>(storage)];
    };
    std::vector<std::size_t> found;
    for (bool changed = true; changed && found.empty();) { // an initial value may itself be carried
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

/// The storages that some op has to overwrite: no other tensor may have their address before or later.
class Forced {
public:
    Forced(const lowering::Expansion& expansion, const lowering::Storages& storages) : storages_(storages)
    {
        for (std::size_t i = 0; i < expansion.instances.size(); ++i) {
            const std::size_t first = expansion.instances[i].firstTensor;
            for (const Op& op : expansion.function(static_cast<std::int32_t>(i)).ops) {
                if (!op.inPlaceRequired) continue;
                for (const InPlace& pair : op.inPlace) {
                    add(first + static_cast<std::size_t>(pair.input), overwritten_);
                    add(first + static_cast<std::size_t>(pair.input), either_);
                    add(first + static_cast<std::size_t>(pair.output), either_);
                }
            }
        }
    }
    [[nodiscard]] bool overwrites(std::size_t element) const { return overwritten_.contains(key(element)); }
    /// Or that some op writes as such a result.
    [[nodiscard]] bool involves(std::int32_t storage) const { return either_.contains({storage, 0}); }

private:
    using Key = std::pair<std::int32_t, std::int32_t>;
    /// A storage may belong to several calls; for an element without a storage, the owner counts.
    [[nodiscard]] Key key(std::size_t element) const
    {
        const std::int32_t storage = storages_.of[element];
        return storage != none ? Key{storage, 0} : Key{storages_.owner[element], 1};
    }
    void add(std::size_t element, std::set<Key>& to) const { to.insert(key(element)); }

    const lowering::Storages& storages_;
    std::set<Key> overwritten_, either_;
};

/// The carries of tensors with obligatory in-place ops: the obligation has priority over saving a copy.
std::vector<std::size_t> obliged(const Forced& forced, const lowering::Storages& storages)
{
    std::vector<std::size_t> found;
    for (const auto& carry : storages.carries)
        if (forced.involves(carry.made) || forced.involves(carry.kept)) found.push_back(carry.source);
    for (const auto& result : storages.results)
        if (forced.involves(result.carry.made)) found.push_back(result.carry.source);
    return found;
}

/// A phi view that cannot lie where its values lie, with the reason.
struct Misplaced {
    std::size_t phi = 0;
    lowering::MoveReason reason;
};

/// A phi view lies where its values lie. This requires its own alignment, pools that suit both, and that no value is overwritten.
/// Returns the views for which this is impossible.
std::vector<Misplaced> misplaced(const lowering::Expansion& expansion, lowering::Facts& facts, const lowering::Storages& storages,
                                 const Forced& forced)
{
    std::vector<Misplaced> found;
    for (std::size_t p = 0; p < storages.phis.size(); ++p) {
        const lowering::StoragePhi& phi = storages.phis[p];
        if (forced.overwrites(phi.element) || std::any_of(phi.values.begin(), phi.values.end(), [&](lowering::Element value) {
                return value != none && forced.overwrites(static_cast<std::size_t>(value));
            })) {
            found.push_back({p, lowering::MoveReason::choiceOverwritten});
            continue;
        }
        const bool devices = !facts.phiPools.empty();
        const lowering::PoolSet reached = devices ? facts.phiPools[p] : 0;
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
        agreed = agreed && (!reference || reference->planned) && reached != none;
        for (const lowering::Element value : phi.values) {
            if (value == none || !agreed) continue;
            const std::int32_t storage = storages.of[static_cast<std::size_t>(value)];
            if (storage == none) { // itself a phi view, which is checked as such
                agreed = std::any_of(storages.phis.begin(), storages.phis.end(), [&](const auto& other) {
                    return storages.owner[static_cast<std::size_t>(value)] == static_cast<lowering::Element>(other.element);
                });
                continue;
            }
            lowering::StorageFacts& other = facts.storages[static_cast<std::size_t>(storage)];
            if (!other.planned && other.kind == BufferKind::constant) continue; // outside the plan, and only read
            if (devices && other.pools != reached) agreed = false; // all readers of the view have to reach each of its values
            const auto common = checkedLcm(other.alignment, alignment);
            agreed = agreed && other.planned && common && storages.delta[static_cast<std::size_t>(value)] % alignment == 0 &&
                     (!reference || (reference->pools == other.pools));
            if (!agreed) break;
            other.alignment = *common;
            if (!reference) reference = &other;
        }
        if (!agreed) found.push_back({p, lowering::MoveReason::unsuitedChoice});
    }
    return found;
}

/// Each value that an output of the program may be counts as an output: it must not overwrite an input of the program. A phi view
/// whose values are phi views comes after these.
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
                if (const std::int32_t storage = storages.of[static_cast<std::size_t>(value)]; storage != none)
                    facts.storages[static_cast<std::size_t>(storage)].isOutput = true;
            }
        }
    }
}

/// Lists the values that loops copy, and adds one note for each loop, which gives the first value and the reason.
void tellMoves(const lowering::Expansion& expansion, const lowering::Carries& carries, Lowering& to)
{
    std::set<std::tuple<FunctionId, OpId, TensorId>> told;
    std::set<std::pair<FunctionId, OpId>> loops;
    for (const lowering::MovedCarry& moved : carries.moved) {
        const FunctionId id = expansion.instances[static_cast<std::size_t>(moved.instance)].function;
        if (!told.insert({id, moved.op, moved.carry.to}).second) continue;
        const Function& function = expansion.function(moved.instance);
        const auto tensor = [&](TensorId t) -> const Tensor& { return function.tensors[static_cast<std::size_t>(t)]; };
        to.transfers.push_back(
            {id, moved.op, moved.carry.from, moved.carry.to, tensor(moved.carry.to).bytes.value_or(0), moved.reason});
        if (!loops.insert({id, moved.op}).second) continue;
        const Op& op = function.ops[static_cast<std::size_t>(moved.op)];
        to.diagnostics.push_back({Severity::note,
                                  Code::loopMoves,
                                  fmt::format("loop '{}' copies '{}' to '{}' after each iteration: {}", op.name,
                                              tensor(moved.carry.from).name, tensor(moved.carry.to).name, toText(moved.reason)),
                                  op.where,
                                  {}});
    }
}

/// Reasons for which outputs of cases and of loops with exits are copied, by function and tensor.
using Copied = std::map<std::pair<FunctionId, TensorId>, lowering::MoveReason>;

/// Lists the copies at begins and ends of regions and calls, each once, and adds a note for each copied output of a case or of a
/// loop with exits.
void listMoves(const lowering::Expansion& expansion, const lowering::Storages& storages, const Copied& copied, Lowering& to)
{
    std::set<std::tuple<FunctionId, OpId, TensorId, TensorId>> told;
    std::set<std::pair<FunctionId, TensorId>> noted;
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
        const auto why = copied.find({instance.function, target});
        const bool chosen = why != copied.end();
        to.transfers.push_back({instance.function, copy.op, from, target, written.bytes.value_or(0),
                                chosen ? why->second : lowering::MoveReason::separatePlaces});
        if (!chosen || !noted.insert(why->first).second) continue;
        const Op& op = expansion.function(copy.instance).ops[static_cast<std::size_t>(copy.op)];
        to.diagnostics.push_back(
            {Severity::note,
             Code::choiceMoves,
             fmt::format("'{}' copies a value to its result '{}': {}", op.name, written.name, toText(why->second)),
             op.where,
             {}});
    }
}

} // namespace

Expected<Lowering> lower(const Program& given, const LowerOptions& options)
{
    using namespace lowering;
    if (auto error = check(options)) return *std::move(error);
    for (Diagnostic& diagnostic : verify(given))
        if (diagnostic.severity == Severity::error) return std::move(diagnostic);
    if (options.order == Order::hivm) {
        for (const Function& function : given.functions)
            for (const Op& op : function.ops)
                if (op.control == Control::exit)
                    return failure(
                        Code::exit,
                        fmt::format("op '{}' of '{}' leaves a loop in the middle, which the order 'hivm' does not know", op.name,
                                    function.name),
                        op.where, "use --lower order=linear or order=dag (in the window: Program, order)");
        return lowerHivm(given, options);
    }

    const std::optional<Program> aligned = options.alignment == elementAlignment ? withElementAlignment(given) : std::nullopt;
    const Program& program = aligned ? *aligned : given;
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
    result.problem.pools = poolsFor(program, options);
    result.fingerprint = Fingerprint(options, result.problem.pools);
    Carries carries = precise ? findCarries(*expansion) : Carries{};
    PhiViews chosen = precise ? findPhiViews(*expansion, sharing) : PhiViews{};
    std::vector<PhiView>& phis = chosen.views;
    Copied copied;
    for (const CopiedChoice& choice : chosen.copied) copied.emplace(std::pair(choice.function, choice.tensor), choice.reason);
    Storages storages;
    std::optional<Facts> facts;
    std::optional<Merged> merged;
    const auto copyView = [&](std::size_t p, MoveReason reason) {
        copied.emplace(std::pair(expansion->instances[static_cast<std::size_t>(phis[p].instance)].function, phis[p].tensor),
                       reason);
        phis.erase(phis.begin() + static_cast<std::ptrdiff_t>(p));
    };
    while (!merged) {
        storages = findStorages(*expansion, sharing, order, carries, phis, wantsMerging(program, options));
        Diagnostics told;
        auto found = findFacts(*expansion, storages, result.problem.pools, told);
        if (!found) return std::move(found).error();
        facts = *std::move(found);
        const std::vector<std::size_t> wrong = disagreeing(*facts, storages);
        for (const std::size_t carry : wrong) carries.precise[carry].value.obstacle = MoveReason::unsuitedPlace;
        const Forced forced(*expansion, storages);
        const std::vector<std::size_t> duties = obliged(forced, storages);
        for (const std::size_t carry : duties) carries.precise[carry].value.obstacle = MoveReason::overwrittenByCarry;
        const std::vector<Misplaced> apart = misplaced(*expansion, *facts, storages, forced);
        for (auto phi = apart.rbegin(); phi != apart.rend(); ++phi) copyView(phi->phi, phi->reason);
        if (!wrong.empty() || !duties.empty() || !apart.empty()) continue;
        markShownOutputs(*expansion, storages, *facts);
        auto joined = merge(*expansion, order, storages, *facts, options);
        if (joined) {
            merged = *std::move(joined);
        } else if (carries.precise.empty() && phis.empty()) {
            return std::move(joined).error();
        } else { // obligatory in-place ops have priority over saved copies
            constexpr MoveReason why = MoveReason::requiredInPlace;
            for (PreciseCarry& carry : carries.precise) carry.value.obstacle = why;
            while (!phis.empty()) copyView(phis.size() - 1, why);
        }
        result.diagnostics = std::move(told);
    }
    tellMoves(*expansion, carries, result);
    listMoves(*expansion, storages, copied, result);
    if (auto error = assemble(*expansion, order, storages, *facts, *merged, result)) return *std::move(error);
    return result;
}

bool isOfUnknownSize(const LeftOut& left, const Program& program)
{
    if (left.function == none || left.tensor == none) return false;
    const Tensor& tensor =
        program.functions[static_cast<std::size_t>(left.function)].tensors[static_cast<std::size_t>(left.tensor)];
    return !tensor.bytes && tensor.planned;
}

} // namespace stowage
