#include "app/cli/memory_flags.h"
#include "app/cli/command.h"

#include "app/session/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace stowage::cli {

namespace {

constexpr std::array<const char*, 7> propertyNames{"size-hint-bytes",
                                                   "clock-frequency-hz",
                                                   "read-bandwidth-bytes-per-cycle",
                                                   "write-bandwidth-bytes-per-cycle",
                                                   "read-latency-cycles",
                                                   "write-latency-cycles",
                                                   "target-burst-bytes"};

std::string trimmed(std::string_view text)
{
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (true) {
        const auto end = text.find(separator);
        if (std::string part = trimmed(text.substr(0, end)); !part.empty()) parts.push_back(std::move(part));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

template <typename T>
std::optional<T> numberOf(std::string_view text)
{
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Pool* find(std::vector<Pool>& pools, std::string_view name)
{
    const auto found = std::find_if(pools.begin(), pools.end(), [&](const Pool& pool) { return pool.name == name; });
    return found == pools.end() ? nullptr : &*found;
}

/// Sets the size of a pool; "-1": unbounded. False if the text is not a size.
bool setSize(Pool& pool, std::string_view text)
{
    pool.capacity.reset();
    if (text == "-1") return true;
    pool.capacity = parseBytes(text);
    return pool.capacity.has_value();
}

/// Sets one property of the released flags. False if the text is not a valid value.
bool setProperty(Pool& pool, std::size_t property, std::string_view text)
{
    const auto whole = [&](std::int64_t& to) {
        const auto value = numberOf<std::int64_t>(text);
        if (value) to = *value;
        return value && *value >= 0 && *value <= std::int64_t{1} << 53;
    };
    const auto rate = [&](double& to) {
        const auto value = numberOf<double>(text);
        if (value) to = *value;
        return value && std::isfinite(*value) && *value >= 0;
    };
    switch (property) {
    case 0: return setSize(pool, text);
    case 1: return whole(pool.clockHz);
    case 2: return rate(pool.readBytesPerCycle);
    case 3: return rate(pool.writeBytesPerCycle);
    case 4: return whole(pool.readLatencyCycles);
    case 5: return whole(pool.writeLatencyCycles);
    default: { // "target:bytes"
        const auto colon = text.rfind(':');
        if (colon == std::string_view::npos) return false;
        const std::string target = trimmed(text.substr(0, colon));
        const auto value = numberOf<std::int64_t>(text.substr(colon + 1));
        if (!value || *value < 0 || *value > std::int64_t{1} << 53) return false;
        if (std::find(pool.targets.begin(), pool.targets.end(), target) == pool.targets.end()) return false;
        std::erase_if(pool.targetBursts, [&](const auto& burst) { return burst.first == target; });
        if (*value > 0) pool.targetBursts.emplace_back(target, *value);
        return true;
    }
    }
}

} // namespace

void MemoryFlags::declare(Arguments& app, const std::function<void(const std::string& name)>& given)
{
    const std::string group = "Pools as TVM's compiler names them";
    const auto add = [&](const std::string& name, std::vector<std::string>& to, const std::string& what, const char* type) {
        app.option(name, to, what).typeName(type).group(group).oneValueEach().rare().whenGiven([given, name] { given(name); });
    };
    add("--with-workspace-buffer", workspaceBuffers_, "a workspace, in order of preference", "name=N;target=T,…;size=BYTES");
    add("--with-parameter-buffer", parameterBuffers_, "a pool for constants, in order of preference",
        "name=N;target=T,…;size=BYTES");
    for (Family* family : {&workspaces_, &constants_}) {
        add(family->prefix, family->names, "names of the pools, in order of preference", "A,B,…");
        add(family->prefix + "-targets", family->targets, "targets that can access them; required for each pool",
            "POOL:TARGET,…");
        for (std::size_t p = 0; p < propertyNames.size(); ++p)
            add(fmt::format("{}-{}", family->prefix, propertyNames[p]), family->properties[p],
                p == 0 ? "sizes of the pools; -1: no limit" : "for estimates",
                p + 1 == propertyNames.size() ? "POOL:TARGET:N,…" : "POOL:N,…");
    }
}

std::optional<Error> MemoryFlags::addBuffers(const std::string& flag, PoolKind kind, const std::vector<std::string>& texts,
                                             std::vector<Pool>& pools)
{
    for (const std::string& text : texts) {
        Pool pool;
        pool.kind = kind;
        for (const std::string& field : split(text, ';')) {
            const auto equals = field.find('=');
            const std::string key = trimmed(field.substr(0, equals));
            const std::string value = equals == std::string::npos ? std::string() : trimmed(field.substr(equals + 1));
            if (key == "name")
                pool.name = value;
            else if (key == "target")
                pool.targets = split(value, ',');
            else if (key != "size")
                return usage(fmt::format("{} \"{}\": '{}' is not name, target or size", flag, text, key));
            else if (!setSize(pool, value))
                return usage(fmt::format("{} \"{}\": '{}' is not a size", flag, text, value));
        }
        if (pool.name.empty())
            return usage(fmt::format("{} \"{}\": it has no name", flag, text), "write name=NAME;target=TARGET;size=BYTES");
        if (find(pools, pool.name))
            return usage(fmt::format("{} \"{}\": there is a pool named '{}' already", flag, text, pool.name));
        pools.push_back(std::move(pool));
    }
    return std::nullopt;
}

std::optional<Error> MemoryFlags::addFamily(const Family& family, std::vector<Pool>& pools)
{
    const std::size_t first = pools.size();
    for (const std::string& list : family.names)
        for (const std::string& name : split(list, ',')) {
            if (find(pools, name))
                return usage(fmt::format("{}={}: there is a pool named '{}' already", family.prefix, list, name));
            Pool pool;
            pool.name = name;
            pool.kind = family.kind;
            pools.push_back(std::move(pool));
        }
    const auto known = [&](const std::string& flag, const std::string& list, const std::string& name,
                           Pool*& pool) -> std::optional<Error> {
        pool = find(pools, name);
        if (pool && pool->kind == family.kind) return std::nullopt;
        return usage(fmt::format("{}={}: there is no pool '{}'", flag, list, name),
                     fmt::format("name it with {}", family.prefix));
    };
    for (const std::string& list : family.targets) {
        Pool* pool = nullptr;
        for (const std::string& entry : split(list, ',')) { // "a:c,accel,b:c": a target without a pool belongs to the last pool
            const auto colon = entry.find(':');
            if (colon != std::string::npos)
                if (auto error = known(family.prefix + "-targets", list, entry.substr(0, colon), pool)) return error;
            if (!pool)
                return usage(fmt::format("{}-targets={}: '{}' names no pool", family.prefix, list, entry), "write POOL:TARGET");
            const std::string target = colon == std::string::npos ? entry : entry.substr(colon + 1);
            if (std::find(pool->targets.begin(), pool->targets.end(), target) == pool->targets.end())
                pool->targets.push_back(target);
        }
    }
    for (std::size_t p = 0; p < propertyNames.size(); ++p)
        for (const std::string& list : family.properties[p])
            for (const std::string& entry : split(list, ',')) {
                const std::string flag = fmt::format("{}-{}", family.prefix, propertyNames[p]);
                const auto colon = entry.find(':');
                if (colon == std::string::npos)
                    return usage(fmt::format("{}={}: '{}' names no pool", flag, list, entry), "write POOL:VALUE");
                Pool* pool = nullptr;
                if (auto error = known(flag, list, entry.substr(0, colon), pool)) return error;
                if (!setProperty(*pool, p, std::string_view(entry).substr(colon + 1)))
                    return usage(fmt::format("{}={}: '{}' is not a valid value", flag, list, entry.substr(colon + 1)));
            }
    for (std::size_t p = first; p < pools.size(); ++p)
        if (pools[p].targets.empty())
            return usage(fmt::format("{}: the targets of '{}' are missing", family.prefix, pools[p].name),
                         fmt::format("add {}-targets={}:TARGET", family.prefix, pools[p].name));
    return std::nullopt;
}

Expected<std::vector<Pool>> MemoryFlags::pools() const
{
    std::vector<Pool> pools;
    if (auto error = addBuffers("--with-workspace-buffer", PoolKind::workspace, workspaceBuffers_, pools))
        return *std::move(error);
    if (auto error = addFamily(workspaces_, pools)) return *std::move(error);
    if (auto error = addBuffers("--with-parameter-buffer", PoolKind::constant, parameterBuffers_, pools))
        return *std::move(error);
    if (auto error = addFamily(constants_, pools)) return *std::move(error);
    return pools;
}

} // namespace stowage::cli
