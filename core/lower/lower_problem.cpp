#include "core/ir/checked.h"
#include "core/lower/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace stowage {

namespace {

/// Replaces the problem's pools by the target's; buffers keep their candidates by name.
std::optional<Error> replacePools(Problem& problem, const std::vector<Pool>& pools)
{
    std::unordered_map<std::string_view, PoolId> byName;
    std::string known;
    for (std::size_t p = 0; p < pools.size(); ++p) {
        byName.emplace(pools[p].name, static_cast<PoolId>(p));
        known += fmt::format("{}'{}'", known.empty() ? "" : ", ", pools[p].name);
    }
    std::vector<PoolId> renumbered;
    for (const Pool& pool : problem.pools) {
        const auto found = byName.find(pool.name);
        renumbered.push_back(found == byName.end() ? none : found->second);
    }
    // Buffers that name no pool stay as they are, and borrowed: only to be asked they are not to be copied.
    const auto namesPools = [](const Buffer& buffer) { return !buffer.pools.empty(); };
    if (std::none_of(problem.buffers.cbegin(), problem.buffers.cend(), namesPools)) {
        problem.pools = pools;
        return std::nullopt;
    }
    for (Buffer& buffer : problem.buffers)
        for (PoolId& pool : buffer.pools) {
            const PoolId now = renumbered[static_cast<std::size_t>(pool)];
            if (now == none)
                return failure(Code::noPool,
                               fmt::format("'{}' may lie in '{}', and the target's pools are {}", buffer.name,
                                           problem.pools[static_cast<std::size_t>(pool)].name, known),
                               {}, "choose a target that has it, or add it with --pool NAME=BYTES");
            pool = now;
        }
    problem.pools = pools;
    return std::nullopt;
}

/// Makes every offset and every size a multiple of `alignment` bytes. An error where all sizes together exceed 2^62.
std::optional<Error> raiseAlignment(Problem& problem, Bytes alignment)
{
    Bytes total = 0;
    for (Buffer& buffer : problem.buffers) {
        const auto common = checkedLcm(buffer.alignment, alignment);
        const bool fits = common && buffer.size <= maxBytes - alignment;
        const auto all = fits ? checkedMultiply(alignUp(buffer.size, alignment), buffer.slots) : std::nullopt;
        const auto sum = all ? checkedAdd(total, *all) : std::nullopt;
        if (!sum || *sum > maxBytes)
            return failure(Code::tooLarge, fmt::format("all buffers up to '{}' exceed 2^62 bytes with an alignment of {}",
                                                       buffer.name, alignment));
        buffer.alignment = *common;
        buffer.size = alignUp(buffer.size, alignment);
        total = *sum;
    }
    return std::nullopt;
}

} // namespace

Expected<Lowering> lower(Problem problem, const LowerOptions& options)
{
    if (auto error = lowering::check(options)) return *std::move(error);
    if (!options.pools.empty())
        if (auto error = replacePools(problem, options.pools)) return *std::move(error);
    if (options.alignment > 1)
        if (auto error = raiseAlignment(problem, options.alignment)) return *std::move(error);
    Lowering result;
    result.problem = std::move(problem);
    result.options = options;
    result.fingerprint = Fingerprint(options, result.problem.pools, true);
    return result;
}

} // namespace stowage
