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
    if (options.order == Order::hivm) return lowerHivm(program, options);

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
    Storages storages;
    std::optional<Facts> facts;
    for (;;) {
        storages = findStorages(*expansion, sharing, order, carries, wantsMerging(program, options));
        Diagnostics told;
        auto found = findFacts(*expansion, storages, result.problem.pools, told);
        if (!found) return std::move(found).error();
        facts = *std::move(found);
        const std::vector<std::size_t> wrong = disagreeing(*facts, storages);
        for (const std::size_t carry : wrong) carries.precise[carry].value.obstacle = "it would be in a pool or at an address that does not suit it";
        if (!wrong.empty()) continue;
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
