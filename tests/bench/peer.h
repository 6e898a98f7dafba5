// What a time is compared with, so that figures of different machines, and of a busy one, can be compared: the same run times
// something simple on the same data.
#pragma once

#include "core/ir/problem.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>
#include <vector>

namespace stowage::test {

/// Seconds of processor time of this thread: what others do on the machine does not count, as far as caches allow.
inline double processorSeconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The least processor time of `runs` calls.
template <typename Call>
double minSeconds(int runs, Call call)
{
    double least = 1e9;
    for (int i = 0; i < runs; ++i) {
        const double start = processorSeconds();
        call();
        least = std::min(least, processorSeconds() - start);
    }
    return least;
}

/// What std::sort takes for the sizes of all buffers.
inline double secondsToSort(const Problem& problem)
{
    return minSeconds(3, [&] {
        std::vector<std::pair<Bytes, BufferId>> keys;
        keys.reserve(problem.buffers.size());
        for (const Buffer& b : problem.buffers) keys.emplace_back(b.size, static_cast<BufferId>(keys.size()));
        std::sort(keys.begin(), keys.end());
        benchmark::DoNotOptimize(keys.data());
    });
}

/// Runs `call` as the benchmark's body; the counter `times` is its least processor time over that of the peer.
template <typename Call>
void against(benchmark::State& state, const char* peer, double peerSeconds, Call call)
{
    double least = 1e9;
    for (auto _ : state) {
        const double start = processorSeconds();
        call();
        least = std::min(least, processorSeconds() - start);
    }
    state.counters["ms"] = least * 1e3;
    state.counters[peer] = least / peerSeconds;
}

} // namespace stowage::test
