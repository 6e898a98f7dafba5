// Runs made by hand, for tests and benchmarks of what shows runs: no importer, no lowering, no planner.
#pragma once

#include "core/plan/run.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace stowage::test {

struct SampleOptions {
    std::size_t buffers = 40;
    Step steps = 45;
    int pools = 1; ///< buffers go to them in turn, weighted to the first
    Bytes alignment = 16;
    Bytes maximumSize = 1264;
    double longLived = 0.05;      ///< share of buffers that live for about half of all steps
    double gaps = 0;              ///< share of buffers with a second live range
    double slots = 0;             ///< share of buffers with two offsets
    bool program = true;          ///< with ops, tensors and origins
    double capacityFactor = 1.15; ///< of the resulting size; below 1 the plan does not fit; 0: unbounded
    std::uint64_t seed = 1;
};

/// Random buffers, placed first-fit in the order in which they begin. Deterministic on every platform. The report is filled by
/// this helper's own sweep. O(n log n).
[[nodiscard]] std::shared_ptr<const Run> sampleRun(const SampleOptions& options = {});

/// A model with realistic names, op kinds and sizes, 39 buffers over 45 ops, as a streaming wake-word network has.
[[nodiscard]] std::shared_ptr<const Run> wakeWordRun();

/// A run of `problem` placed first-fit by size, largest first. O(n^2).
[[nodiscard]] std::shared_ptr<const Run> runOf(Problem problem, double capacityFactor = 0);

/// MiniMalloc's CSV: id,lower,upper,size in any order of columns. Empty when the file cannot be read.
[[nodiscard]] Problem readCsv(const char* file);

} // namespace stowage::test
