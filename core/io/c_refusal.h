// Plans that cannot be written as C.
#pragma once

#include "core/io/c_source_model.h"

#include <fmt/format.h>

#include <optional>

namespace stowage::io {

/// The first violation of a plan that is not valid, as an error; nothing for a plan that may be written. A capacity that is
/// exceeded is no reason: the linker says so.
inline std::optional<Error> whyNotWritten(const CSourceModel& source)
{
    for (const Violation& violation : source.run->report.verdict.violations)
        if (violation.kind != ViolationKind::overCapacity)
            return failure(Code::invalidPlan, fmt::format("{}: {}", source.name, describe(source.run->problem(), violation)), {},
                           "plan it with another planner");
    return std::nullopt;
}

} // namespace stowage::io
