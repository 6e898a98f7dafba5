// Refuses to write plans as C that are not valid, or that C cannot express.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stowage::io {

/// The first violation of the plan, as an error; no value if the plan may be written. An exceeded capacity is accepted, because
/// the linker reports it.
inline std::optional<Error> whyNotWritten(std::string_view model, const Run& run)
{
    for (const Violation& violation : run.report.verdict.violations)
        if (violation.kind != ViolationKind::overCapacity)
            return failure(Code::invalidPlan, fmt::format("{}: {}", model, describe(run.problem(), violation)), {},
                           "plan it with another planner");
    return std::nullopt;
}

/// Why a pool cannot be an array with this alignment in bytes; no value if it can. C aligns to powers of two only.
inline std::optional<Error> whyNoArray(std::string_view model, std::string_view pool, Bytes alignment)
{
    if (std::has_single_bit(static_cast<std::uint64_t>(alignment))) return std::nullopt;
    return failure(Code::notSupported,
                   fmt::format("{}: the array of '{}' would be aligned to {} bytes, and C aligns to powers of two only", model,
                               pool, alignment),
                   {}, "give the pool and its buffers alignments that are powers of two");
}

} // namespace stowage::io
