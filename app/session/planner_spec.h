// A planner with options of its own, as people write it: "hill-climb:attempts=1000:seed-order=size".
#pragma once

#include "core/plan/plan.h"

#include <string>
#include <string_view>

namespace stowage {

struct PlannerSpec {
    std::string name;
    OptionValues options; ///< in the order written; what stands without "=" has an empty value
};

/// Splits at ":" and at the first "=" of each option. Knows no planner: `checkOptions` judges the options.
PlannerSpec plannerSpec(std::string_view text);

} // namespace stowage
