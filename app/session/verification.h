// Running a planned input on a real arena, for whoever has a run.
#pragma once

#include "core/exec/arena.h"
#include "core/plan/run.h"

#include <string_view>

namespace stowage {

enum class Outcome : std::uint8_t {
    clean,        ///< every read found the bytes that were written for it
    corrupted,    ///< one did not
    noPlace,      ///< a buffer has no place that it could be run at
    incomplete,   ///< a limit kept something from being run or checked; nothing wrong was found in the rest
    sizesUnknown, ///< nothing wrong was found, but most tensors have no known size, and could not be run
};
std::string_view toText(Outcome); ///< "clean", "corrupted", "no-place", "incomplete", "sizes-unknown"

struct Verification {
    Outcome outcome = Outcome::clean;
    ExecutionResult execution;
    Diagnostic obstacle;     ///< noPlace: which buffer, and why
    std::size_t unsized = 0; ///< tensors that were not run, as their size is not known
};

/// Executes the run's program, or, where the input is a problem, what its live ranges say. Errors: cancelled, no memory for the
/// arena.
Expected<Verification> verifyRun(const Run& run, const ExecuteOptions& options = {});

} // namespace stowage
