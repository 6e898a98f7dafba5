#include "plugins/hivm/scopes.h"

#include "core/io/json_reader.h"
#include "core/io/pool_json.h"
#include "plugins/hivm/target_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace stowage::hivm {

namespace {

std::string lowered(std::string_view text)
{
    std::string low(text);
    std::transform(low.begin(), low.end(), low.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return low;
}

struct Chip {
    std::vector<std::string> prefixes; ///< of its names, in lower case
    std::vector<Pool> pools;
};

Chip readChip(std::string_view text)
{
    Chip chip;
    io::JsonReader in(text, "target");
    in.object({"pools"}, [&](std::string_view key) {
        if (key == "found_as")
            in.array([&] { chip.prefixes.push_back(lowered(in.string())); });
        else if (key == "pools")
            chip.pools = io::readPools(in);
        else
            (void)in.string();
    });
    if (!in.finish()) return {}; // which a test of the targets finds
    return chip;
}

std::optional<Chip> chipOf(std::string_view target)
{
    const std::string name = lowered(target);
    for (const std::string_view text : targetFiles) {
        Chip chip = readChip(text);
        if (std::any_of(chip.prefixes.begin(), chip.prefixes.end(),
                        [&](const std::string& prefix) { return name.starts_with(prefix); }))
            return chip;
    }
    return std::nullopt;
}

} // namespace

bool isKnownTarget(std::string_view target)
{
    return chipOf(target).has_value();
}

std::vector<Pool> scopesOf(std::string_view target)
{
    std::optional<Chip> chip = chipOf(target);
    std::vector<Pool> pools = chip ? std::move(chip->pools) : readChip(targetFiles.front()).pools;
    for (Pool& pool : pools) {
        if (chip)
            pool.description += fmt::format(" of {}", target);
        else
            pool.capacity.reset();
    }
    return pools;
}

} // namespace stowage::hivm
