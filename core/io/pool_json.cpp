#include "core/io/pool_json.h"

#include "core/ir/checked.h"

#include <core_memories.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace stowage::io {

namespace {

constexpr std::array<std::string_view, 3> kindNames{"workspace", "constant", "persistent"};
constexpr std::array<std::string_view, 4> coreNames{"outside", "unified", "listed", "operand"};
constexpr std::int64_t most = std::int64_t{1} << 53; // largest fact: a double represents it exactly

/// Reads a number, or an object by target, in which "" stands for all other targets.
void readBursts(JsonReader& in, Pool& pool)
{
    if (in.type() != JsonType::object) return in.read(pool.burstBytes, 0, most);
    in.object([&](std::string_view key) {
        std::int64_t bytes = 0;
        in.read(bytes, 0, most);
        if (key.empty())
            pool.burstBytes = bytes;
        else if (bytes > 0)
            pool.targetBursts.emplace_back(key, bytes);
    });
}

Pool readPool(JsonReader& in)
{
    Pool pool;
    std::size_t bursts = 0;
    bool core = false;
    in.object({"name"}, [&](std::string_view key) {
        if (key == "name")
            in.read(pool.name);
        else if (key == "capacity")
            in.read(pool.capacity, 0, maxBytes);
        else if (key == "alignment")
            in.read(pool.alignment, 1, maxBytes);
        else if (key == "kind")
            in.read(pool.kind, kindNames);
        else if (key == "core")
            core = true, in.read(pool.core, coreNames);
        else if (key == "targets")
            in.array([&] { pool.targets.emplace_back(in.string()); });
        else if (key == "clock_hz")
            in.read(pool.clockHz, 0, most);
        else if (key == "read_bytes_per_cycle")
            in.read(pool.readBytesPerCycle);
        else if (key == "write_bytes_per_cycle")
            in.read(pool.writeBytesPerCycle);
        else if (key == "read_latency_cycles")
            in.read(pool.readLatencyCycles, 0, most);
        else if (key == "write_latency_cycles")
            in.read(pool.writeLatencyCycles, 0, most);
        else if (key == "burst_bytes") {
            bursts = in.offset();
            readBursts(in, pool);
        } else if (key == "internal")
            in.read(pool.internal);
        else if (key == "description")
            in.read(pool.description);
    });
    if (!core) pool.core = coreMemoryNamed(pool.name);
    if (!in.ok() || pool.targets.empty()) return pool; // every target can access it
    for (const auto& [target, bytes] : pool.targetBursts)
        if (std::find(pool.targets.begin(), pool.targets.end(), target) == pool.targets.end()) {
            in.failAt(bursts, Code::unknownTarget,
                      fmt::format("'{}' has a burst, and is none of the targets of pool '{}'", target, pool.name),
                      "list it under \"targets\"");
            break;
        }
    return pool;
}

} // namespace

CoreMemory coreMemoryNamed(std::string_view name)
{
    const auto found =
        std::find_if(coreMemories.begin(), coreMemories.end(), [&](const CoreMemoryName& memory) { return memory.name == name; });
    return found == coreMemories.end() ? CoreMemory::outside : found->kind;
}

std::vector<Pool> readPools(JsonReader& in)
{
    std::vector<Pool> pools;
    std::unordered_set<std::string> known;
    in.array([&] {
        const std::size_t at = in.offset();
        Pool pool = readPool(in);
        if (!in.ok()) return;
        if (pool.name.empty()) in.failAt(at, Code::badValue, "a pool needs a name");
        if (!known.insert(pool.name).second)
            in.failAt(at, Code::duplicateName, fmt::format("there are two pools named '{}'", pool.name),
                      "give each its own name");
        pools.push_back(std::move(pool));
    });
    return pools;
}

void writePools(JsonWriter& out, std::span<const Pool> pools)
{
    out.array([&] {
        for (const Pool& pool : pools)
            out.object(JsonWriter::compact, [&] {
                out.field("name", pool.name);
                if (pool.capacity) out.field("capacity", *pool.capacity);
                if (pool.alignment != 1) out.field("alignment", pool.alignment);
                if (pool.kind != PoolKind::workspace) out.field("kind", kindNames[static_cast<std::size_t>(pool.kind)]);
                if (pool.core != coreMemoryNamed(pool.name)) out.field("core", coreNames[static_cast<std::size_t>(pool.core)]);
                if (!pool.targets.empty())
                    out.array("targets", [&] {
                        for (const std::string& target : pool.targets) out.value(target);
                    });
                const auto fact = [&](std::string_view key, auto value) {
                    if (value != 0) out.field(key, value);
                };
                fact("clock_hz", pool.clockHz);
                fact("read_bytes_per_cycle", pool.readBytesPerCycle);
                fact("write_bytes_per_cycle", pool.writeBytesPerCycle);
                fact("read_latency_cycles", pool.readLatencyCycles);
                fact("write_latency_cycles", pool.writeLatencyCycles);
                if (pool.targetBursts.empty())
                    fact("burst_bytes", pool.burstBytes);
                else
                    out.object("burst_bytes", JsonWriter::compact, [&] {
                        if (pool.burstBytes != 0) out.field("", pool.burstBytes);
                        for (const auto& [target, bytes] : pool.targetBursts) out.field(target, bytes);
                    });
                if (pool.internal) out.field("internal", true);
                if (!pool.description.empty()) out.field("description", pool.description);
            });
    });
}

} // namespace stowage::io
