#include "core/io/plan_tables.h"

#include "core/io/json_writer.h"
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/ir/parsed_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace stowage::io {

namespace {

/// The number in a name like "arena1".
std::optional<std::int64_t> numberOf(std::string_view name, std::string_view prefix)
{
    if (!name.starts_with(prefix)) return std::nullopt;
    const auto number = parsedNumber<std::int64_t>(name.substr(prefix.size()));
    return number && *number >= 0 ? number : std::nullopt;
}

Error notFrom(std::string_view runtime, std::string_view what, std::string_view name)
{
    return failure(
        Code::notSupported, fmt::format("the {} '{}' is not one of {}", what, name, runtime), {},
        fmt::format("This form is for files that were opened as {}; export others as c-header, or with plan --format json.",
                    runtime));
}

Error wrongMemory(std::string_view pool)
{
    return failure(
        Code::outOfRange,
        fmt::format("the pool '{}' is named after a memory id of ExecuTorch that is not in 1 to {}", pool, maxExecutorchMemories),
        {}, "Name the pools after the memory ids of the program: arena1, arena2, …");
}

struct TablePlace {
    std::int64_t memory = 0;
    Bytes offset = 0;
    Bytes bytes = 0;
};

/// The places by value; a buffer with several names ("t257+t271") is the place of each of them.
Expected<std::map<std::int64_t, TablePlace>> placesByValue(const Run& run)
{
    std::map<std::int64_t, TablePlace> places;
    const Problem& problem = run.problem();
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const Placement& placement = run.plan.placements[b];
        if (!placement.placed()) continue;
        const Pool& pool = problem.pools[at(placement.pool)];
        const auto memory = numberOf(pool.name, "arena");
        if (!memory) return notFrom("ExecuTorch", "memory", pool.name);
        if (*memory < 1 || *memory > maxExecutorchMemories) return wrongMemory(pool.name);
        for (std::string_view rest = problem.buffers[b].name; !rest.empty();) {
            const auto plus = rest.find('+');
            const auto value = numberOf(rest.substr(0, plus), "t");
            if (!value) return notFrom("ExecuTorch", "buffer", problem.buffers[b].name);
            places[*value] = {*memory, placement.offset, problem.buffers[b].size};
            rest = plus == std::string_view::npos ? std::string_view() : rest.substr(plus + 1);
        }
    }
    return places;
}

} // namespace

Expected<std::string> writeExecutorchTable(std::span<const FunctionRun> methods)
{
    JsonWriter out;
    std::optional<Error> wrong;
    out.object([&] {
        for (const FunctionRun& method : methods) {
            const auto places = placesByValue(*method.run);
            if (!places) {
                wrong = places.error();
                return;
            }
            std::vector<Bytes> sizes{0};
            Bytes alignment = 1;
            for (const PoolReport& pool : method.run->report.pools) {
                const Pool& named = method.run->problem().pools[at(pool.pool)];
                const std::int64_t number = numberOf(named.name, "arena").value_or(0);
                if (number > maxExecutorchMemories) {
                    wrong = wrongMemory(named.name);
                    return;
                }
                const std::size_t memory = at(number);
                sizes.resize(std::max(sizes.size(), memory + 1));
                sizes[memory] = alignUp(pool.size, named.alignment);
                alignment = std::max(alignment, named.alignment);
            }
            out.object(method.name, [&] {
                out.field("alignment", alignment);
                out.array("sizes", JsonWriter::compact, [&] {
                    for (const Bytes size : sizes) out.value(size);
                });
                out.object("tensors", [&] {
                    for (const auto& placed : *places)
                        out.object(std::to_string(placed.first), JsonWriter::compact, [&] {
                            out.field("mem_id", placed.second.memory);
                            out.field("offset", placed.second.offset);
                            out.field("bytes", placed.second.bytes);
                        });
                });
            });
        }
    });
    if (wrong) return *std::move(wrong);
    return std::move(out).text();
}

Expected<std::string> writeIreeOffsets(std::span<const FunctionRun> packs)
{
    std::string text;
    for (const FunctionRun& pack : packs) {
        const Problem& problem = pack.run->problem();
        std::map<std::int64_t, Bytes> offsets; // by slice
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            if (problem.buffers[b].name == ireeBaseName) continue;
            const auto slice = numberOf(problem.buffers[b].name, "slice");
            if (!slice) return notFrom("IREE", "buffer", problem.buffers[b].name);
            offsets[*slice] = pack.run->plan.placements[b].offset;
        }
        if (packs.size() > 1) text += fmt::format("// {}\n", pack.name);
        text += fmt::format("{}\n", pack.run->report.totalSize());
        for (const auto& [slice, offset] : offsets) text += fmt::format("slice {} = {}\n", slice, offset);
    }
    return text;
}

} // namespace stowage::io
