// How a run of a plug-in's planner can fail. A failed run has no plan.
#pragma once

#include "core/ir/expected.h"

#include <optional>
#include <string>
#include <string_view>

namespace stowage {

enum class RunFailure : std::uint8_t {
    crashed,         ///< ended by a signal, or by an exception
    timedOut,        ///< no answer before its deadline
    tooMuchMemory,   ///< more memory than its limit
    tooMuchOutput,   ///< more bytes than its limit
    notUnderstood,   ///< the answer does not follow the format
    unknownBuffer,   ///< places a buffer that the problem does not have
    missingBuffer,   ///< leaves out a buffer of the problem
    overlap,         ///< two buffers that conflict share bytes
    outOfRange,      ///< an offset is negative, or its end is above 2^62
    cancelled,       ///< gave no plan when the user stopped it
    exitedEarly,     ///< ended by itself before it answered
    protocolVersion, ///< speaks another version of the protocol
};

/// The published code: "too-much-memory".
[[nodiscard]] std::string_view toText(RunFailure failure);

/// An error with the failure's code.
[[nodiscard]] Error runFailed(RunFailure failure, std::string message, std::string remedy = {});

/// The failure that an error stands for; nothing for an error of another kind (bad options, an unreadable file).
[[nodiscard]] std::optional<RunFailure> runFailureOf(const Error& error);

} // namespace stowage
