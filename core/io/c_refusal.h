// Refuses to write plans as C that are not valid.
#pragma once

#include "core/io/c_source_model.h"

#include <fmt/format.h>

#include <optional>

namespace stowage::io {

/// The first violation of the plan, as an error; no value if the plan may be written. An exceeded capacity is accepted, because
/// the linker reports it.
inline std::optional<Error> whyNotWritten(const CSourceModel& source)
{
    for (const Violation& violation : source.run->report.verdict.violations)
        if (violation.kind != ViolationKind::overCapacity)
            return failure(Code::invalidPlan, fmt::format("{}: {}", source.name, describe(source.run->problem(), violation)), {},
                           "plan it with another planner");
    return std::nullopt;
}

} // namespace stowage::io
