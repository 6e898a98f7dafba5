// STOWAGE_SEED for generators of random tests.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>

namespace stowage::test {

/// Is added to the seed of every generator of random test data: 0 by default, so that a run of the tests is repeatable; the
/// number in STOWAGE_SEED; with STOWAGE_SEED=random a number that is drawn once for the process. Printed when it is not 0.
inline std::uint32_t seedShift()
{
    static const std::uint32_t shift = [] {
        const char* wanted = std::getenv("STOWAGE_SEED"); // NOLINT(concurrency-mt-unsafe): set before the tests begin
        if (!wanted) return std::uint32_t{0};
        const std::uint32_t value = std::string_view(wanted) == "random"
                                        ? std::uint32_t{std::random_device{}()}
                                        : static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10));
        if (value != 0) std::fprintf(stderr, "STOWAGE_SEED=%u\n", value);
        return value;
    }();
    return shift;
}

} // namespace stowage::test
