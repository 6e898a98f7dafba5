// Random damage to a text: readers have to survive it.
#pragma once

#include "tests/support/seed_shift.h"

#include <QTest>

#include <random>
#include <string>
#include <string_view>

namespace stowage::test {

/// Calls judge(text) for `rounds` variants of `text` with one to four bytes changed, inserted, removed or moved; fails the test
/// where it says no.
template <typename Judge>
void mutate(const std::string& text, std::string_view alphabet, int rounds, Judge judge)
{
    const unsigned seed = 20261120;
    std::mt19937 random(seed + stowage::test::seedShift());
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    for (int round = 0; round < rounds; ++round) {
        std::string mutated = text;
        for (std::size_t changes = 1 + below(4); changes > 0 && !mutated.empty(); --changes) {
            const std::size_t at = below(mutated.size());
            switch (below(5)) {
            case 0: mutated[at] = alphabet[below(alphabet.size())]; break;
            case 1: mutated.insert(at, 1, alphabet[below(alphabet.size())]); break;
            case 2: mutated.erase(at, 1 + below(8)); break;
            case 3: mutated.insert(below(mutated.size()), mutated.substr(at, 1 + below(20))); break;
            default: mutated.resize(at); break;
            }
        }
        if (!judge(mutated))
            QFAIL(("seed " + std::to_string(seed) + " round " + std::to_string(round) + ":\n" + mutated).c_str());
    }
}

} // namespace stowage::test
