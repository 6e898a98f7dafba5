// A planner with its options, as users write it: "hill-climb:attempts=1000:seed-order=size".
#pragma once

#include "core/plan/plan.h"

#include <string>
#include <string_view>

namespace stowage {

struct PlannerSpec {
    std::string name;
    OptionValues options; ///< in the order written; an option without "=" has an empty value
};

/// Splits the text at ":" and each option at its first "=". `checkOptions` validates the options.
PlannerSpec plannerSpec(std::string_view text);

} // namespace stowage
