// Problems made from a seed, for tests and benchmarks.
#pragma once

#include "core/ir/problem.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace stowage::test {

/// Uniform numbers that are the same with every standard library (its distributions are not).
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    /// In [low, high], both included.
    std::int64_t operator()(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    bool chance(int percent) { return (*this)(1, 100) <= percent; }

private:
    std::mt19937_64 engine_;
};

/// How long the buffers of `synthetic` live.
enum class Lifetimes {
    even,    ///< uniform: 1 to 2 * averageLive - 1 steps
    skewed,  ///< most are short, a few are very long: what networks with skips and caches look like
    nested,  ///< every second one dies in the reverse order of birth, as activations do in training; averageLive is ignored
    endless, ///< live from first to last step
};

/// `n` buffers, one born at each step, sizes 64 bytes to 1 MiB, one unbounded pool; `averageLive` of them are live at a time.
Problem synthetic(std::size_t n, int averageLive, std::uint64_t seed, Lifetimes lifetimes = Lifetimes::even);

/// What a small random problem has besides sizes and live ranges.
struct Features {
    std::string name;
    bool alignment = false;
    bool gaps = false;
    bool windows = false;
    bool pins = false;
    bool pools = false;     ///< several, some of them too small, with candidates
    bool conflicts = false; ///< explicit ones beside the ranges
    bool dag = false;       ///< nothing but explicit ones
    bool slots = false;
    bool carried = false;
    bool unique = false;
    bool share = false;
    bool zero = false;     ///< sizes of 0
    bool capacity = false; ///< of the only pool
    bool scopes = false;   ///< operators with buffers of their own
};

/// One row for each feature alone, and some combinations.
std::vector<Features> allFeatures();

/// A problem of at most `largest` buffers that passes `checkAndRepair`. Pins never collide.
Problem randomProblem(const Features& features, std::uint64_t seed, int largest = 14);

/// The most bytes live at one step among the buffers for which `counts` says so; the plain lower bound. Brute force.
template <typename Counts>
Bytes maxLive(const Problem& problem, Counts counts)
{
    Bytes most = 0;
    for (Step step = 0; step < problem.horizon(); ++step) {
        Bytes live = 0;
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            if (!counts(static_cast<BufferId>(b))) continue;
            for (const Interval& r : problem.buffers[b].live) live += r.contains(step) ? problem.buffers[b].size : 0;
        }
        most = std::max(most, live);
    }
    return most;
}

} // namespace stowage::test
