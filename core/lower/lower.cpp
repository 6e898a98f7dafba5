#include "core/lower/lower.h"

#include "core/ir/checked.h"
#include "core/ir/verify.h"
#include "core/lower/assemble.h"
#include "core/lower/hivm.h"
#include "core/lower/options.h"

namespace stowage {

namespace {

/// A value that is carried in place lies where the next iteration needs it, too.
std::optional<Error> agree(lowering::Facts& facts, const lowering::StorageCarry& carry)
{
    const auto factsOf = [&](std::int32_t storage) -> auto& { return facts.storages[static_cast<std::size_t>(storage)]; };
    const lowering::StorageFacts& kept = factsOf(carry.kept);
    for (const std::int32_t storage : {carry.made, carry.initial}) {
        const auto alignment = checkedLcm(factsOf(storage).alignment, kept.alignment);
        if (alignment) factsOf(storage).alignment = *alignment;
        const bool elsewhere = !factsOf(storage).planned || factsOf(storage).kind == BufferKind::constant; // and only read there
        if (alignment && (factsOf(storage).pools == kept.pools || elsewhere)) continue;
        return failure("not-available", "a value is carried in place between devices that reach different pools", {},
                       "use --lower loops=conservative");
    }
    return std::nullopt;
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
    Storages storages = findStorages(*expansion, sharing, order, precise, wantsMerging(program, options));
    auto facts = findFacts(*expansion, storages, result.problem.pools, result.diagnostics);
    if (!facts) return std::move(facts).error();
    for (const StorageCarry& carry : storages.carries)
        if (auto error = agree(*facts, carry)) return *std::move(error);
    const auto merged = merge(*expansion, order, storages, *facts, options);
    if (!merged) return merged.error();
    if (auto error = assemble(*expansion, order, storages, *facts, *merged, result)) return *std::move(error);
    return result;
}

} // namespace stowage
