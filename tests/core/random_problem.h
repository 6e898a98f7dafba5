// Small random problems and plans of every kind, for tests against brute force.
#pragma once

#include "core/plan/check.h"
#include "tests/support/seed_shift.h"

#include <random>

namespace stowage::test {

/// What a random problem may have. All off: one pool, plain live ranges.
struct Kind {
    bool gaps = false;
    bool windows = false;
    bool slots = false;
    bool rotation = false; ///< loops, carried values, rotating placements
    bool nested = false;   ///< two loops, one in the other
    bool once = false;     ///< with `nested`: values that are in use in a single iteration: some carried ones, early ranges
    bool explicitConflicts = false;
    bool sharing = false;
    bool unique = false;
    bool pools = false;
    bool alignment = false;
    bool pins = false;
    bool dag = false;
    int buffers = 6;
    Step horizon = 10;
    Bytes largest = 4; ///< size of a buffer
};

/// A kind by the low 13 bits of `bits`, one for each feature.
Kind kindOf(unsigned bits);

/// True if two pinned buffers of a problem with loops overlap. Planners hold a pin in every iteration where nothing else makes
/// the buffer rotate. So pins that collide in later iterations only make their plans invalid, though one of the buffers could
/// rotate away.
bool rotatingPinsCollide(const Problem& problem, const Verdict& verdict);

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed + stowage::test::seedShift()) {}

    /// 0 … n - 1
    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }
    bool chance(int oneIn) { return below(oneIn) == 0; }

    /// A problem that `checkAndRepair` accepts.
    Problem problem(const Kind& kind);
    /// Places every buffer somewhere in [0, span): well-formed, but overlapping more or less often.
    Plan plan(const Problem& problem, Bytes span);

private:
    std::mt19937_64 random_;
};

} // namespace stowage::test
