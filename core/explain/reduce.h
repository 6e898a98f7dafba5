// Reduces a problem that has a property to a small one that still has it.
#pragma once

#include "core/ir/problem.h"

#include <cstdint>
#include <functional>
#include <span>

namespace stowage {

/// What is asked of each smaller problem, which has been checked. Has to give the same answer for the same problem each time.
using Shows = std::function<bool(const Problem&)>;

struct ReduceOptions {
    std::uint64_t tests = 0;    ///< questions asked at most; 0: no limit
    bool simplify = true;       ///< also drop what single buffers have: pins, gaps, windows, conflicts, alignment, slots, choices
    std::function<bool()> stop; ///< asked before each question
    std::function<void(std::size_t buffers, std::uint64_t tests)> progress; ///< after each question
};

struct ReduceResult {
    Problem problem;
    std::uint64_t tests = 0; ///< questions asked
    bool minimal = false;    ///< without any single buffer it does not show any more
    bool stopped = false;    ///< by `stop` or the number of questions
};

/// The problem with the buffers `keep` only (ids, ascending), what refers to others taken out; pools, loops and scopes stay.
Problem subproblem(const Problem& problem, std::span<const BufferId> keep);

/// Delta debugging: leaves out ever smaller parts of the buffers, those that begin at about the same time together, for as long
/// as the rest still shows, until no single one can go (Zeller & Hildebrandt, ddmin, 2002); then makes the buffers simpler one
/// property at a time, leaves out pools that no buffer names, and at last renumbers the steps so that each one is where something
/// begins or ends. Each step that does not show is taken back, so the result always shows what the problem does. Requires that
/// `problem` shows it. Deterministic when `shows` is. Asks O(n^2) questions at worst, O(k log n) where k of n buffers are needed
/// and each is by itself.
ReduceResult reduceProblem(const Problem& problem, const Shows& shows, const ReduceOptions& options = {});

} // namespace stowage
