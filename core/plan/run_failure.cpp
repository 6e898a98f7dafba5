#include "core/plan/run_failure.h"

#include <algorithm>
#include <array>

namespace stowage {

namespace {

/// The code of each failure, by enumerator.
constexpr std::array codes{Code::crashed,       Code::timedOut,      Code::tooMuchMemory, Code::tooMuchOutput,
                           Code::notUnderstood, Code::unknownBuffer, Code::missingBuffer, Code::overlap,
                           Code::outOfRange,    Code::cancelled,     Code::exitedEarly,   Code::protocolVersion};

} // namespace

std::string_view toText(RunFailure failure)
{
    return toText(codes[static_cast<std::size_t>(failure)]);
}

Error runFailed(RunFailure failed, std::string message, std::string remedy)
{
    return failure(codes[static_cast<std::size_t>(failed)], std::move(message), {}, std::move(remedy));
}

std::optional<RunFailure> runFailureOf(const Error& error)
{
    const auto found = std::find(codes.begin(), codes.end(), error.code);
    if (found == codes.end()) return std::nullopt;
    return static_cast<RunFailure>(found - codes.begin());
}

} // namespace stowage
