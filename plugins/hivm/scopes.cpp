#include "plugins/hivm/scopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace stowage::hivm {

namespace {

struct Chip {
    std::string_view prefix; ///< of its names, in lower case
    Bytes ub, cbuf, cc, ca, cb;
};

constexpr std::array chips{
    Chip{"ascend910b", 196608, 524288, 131072, 65536, 65536},
    Chip{"ascend910_93", 196608, 524288, 131072, 65536, 65536},
    Chip{"ascend310b", 262144, 1048576, 131072, 65536, 65536},
    Chip{"ascend950", 253952, 524288, 262144, 65536, 65536},
};

const Chip* chipOf(std::string_view target)
{
    std::string name(target);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (const Chip& chip : chips)
        if (name.starts_with(chip.prefix)) return &chip;
    return nullptr;
}

} // namespace

bool isKnownTarget(std::string_view target)
{
    return chipOf(target) != nullptr;
}

std::vector<Pool> scopesOf(std::string_view target)
{
    const Chip* chip = chipOf(target);
    std::vector<Pool> pools;
    const auto add = [&](const char* name, Bytes Chip::*capacity, Bytes alignment, const char* what) {
        Pool& pool = pools.emplace_back();
        pool.name = name;
        pool.alignment = alignment;
        pool.description = chip ? fmt::format("{} of {}", what, target) : what;
        if (chip && capacity) pool.capacity = chip->*capacity;
    };
    add("ub", &Chip::ub, 32, "unified buffer");
    add("cbuf", &Chip::cbuf, 32, "L1 buffer");
    add("cc", &Chip::cc, 512, "L0C");
    add("ca", &Chip::ca, 512, "L0A");
    add("cb", &Chip::cb, 512, "L0B");
    add("bt", nullptr, 64, "bias table");
    add("fp", nullptr, 64, "fixpipe parameters");
    return pools;
}

} // namespace stowage::hivm
