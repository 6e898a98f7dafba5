// Runs a planned input on a real arena and checks the bytes that its ops read.
#pragma once

#include "core/exec/arena.h"
#include "core/plan/run.h"

#include <string_view>

namespace stowage {

enum class Outcome : std::uint8_t {
    clean,        ///< every read found the bytes that were written for it
    corrupted,    ///< a read found other bytes
    noPlace,      ///< a buffer has no placement to run it at
    incomplete,   ///< a limit left ops or bytes unchecked; the others are clean
    sizesUnknown, ///< most tensors have no known size and did not run; the others are clean
};
std::string_view toText(Outcome); ///< "clean", "corrupted", "no-place", "incomplete", "sizes-unknown"

struct Verification {
    Outcome outcome = Outcome::clean;
    ExecutionResult execution;
    Diagnostic obstacle;     ///< only for `noPlace`: the buffer and the reason
    std::size_t unsized = 0; ///< count of tensors or buffers that did not run, because their size is unknown
};

/// Executes the run's program; for a problem, writes and reads each buffer in its live ranges. Errors: cancelled, not enough
/// memory for the arena.
Expected<Verification> verifyRun(const Run& run, const ExecuteOptions& options = {});

} // namespace stowage
