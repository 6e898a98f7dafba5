// How the run of a planner of a plug-in can fail. A failed run has no plan.
#pragma once

#include "core/ir/expected.h"

#include <optional>
#include <string>
#include <string_view>

namespace stowage {

enum class RunFailure : std::uint8_t {
    crashed,         ///< ended by a signal, or by an exception
    timedOut,        ///< no answer before its deadline
    tooMuchMemory,   ///< used more memory than its limit
    tooMuchOutput,   ///< wrote more bytes than its limit
    notUnderstood,   ///< the answer does not follow the format
    unknownBuffer,   ///< places a buffer that the problem does not have
    missingBuffer,   ///< leaves out a buffer of the problem
    overlap,         ///< two buffers that conflict share bytes
    outOfRange,      ///< an offset is negative, or its end is above 2^62
    cancelled,       ///< the user stopped it, and it gave no plan
    exitedEarly,     ///< its process ended before it answered
    protocolVersion, ///< uses another version of the protocol
};

/// The published code: "too-much-memory".
[[nodiscard]] std::string_view toText(RunFailure failure);

/// An error with the failure's code.
[[nodiscard]] Error runFailed(RunFailure failure, std::string message, std::string remedy = {});

/// The failure that an error represents; no value for other errors (bad options, an unreadable file).
[[nodiscard]] std::optional<RunFailure> runFailureOf(const Error& error);

} // namespace stowage
