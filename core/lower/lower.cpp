#include "core/lower/lower.h"

#include "core/ir/verify.h"
#include "core/lower/assemble.h"
#include "core/lower/options.h"

namespace stowage {

Expected<Lowering> lower(const Program& program, const LowerOptions& options)
{
    using namespace lowering;
    if (auto error = checkAvailable(options)) return *std::move(error);
    if (auto error = check(options)) return *std::move(error);
    for (Diagnostic& diagnostic : verify(program))
        if (diagnostic.severity == Severity::error) return std::move(diagnostic);

    auto expansion = expand(program);
    if (!expansion) return std::move(expansion).error();
    std::vector<Sharing> sharing(program.functions.size());
    for (const Instance& instance : expansion->instances)
        if (Sharing& own = sharing[static_cast<std::size_t>(instance.function)]; own.spots.empty())
            own = Sharing::of(program, instance.function, options.order == Order::dag);
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
    Storages storages = findStorages(*expansion, sharing, order, wantsMerging(program, options));
    auto facts = findFacts(*expansion, storages, result.problem.pools, result.diagnostics);
    if (!facts) return std::move(facts).error();
    const auto merged = merge(*expansion, order, storages, *facts, options);
    if (!merged) return merged.error();
    if (auto error = assemble(*expansion, order, storages, *facts, *merged, result)) return *std::move(error);
    return result;
}

} // namespace stowage
