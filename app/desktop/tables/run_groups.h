// Runs by what was edited before they were planned: which belong together, and the difference in words.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/session/run_order.h"
#include "core/lower/fingerprint.h"

#include <QString>

namespace stowage {

/// What was asked for, and, once it is planned, the problem that came of it: its memories are known then, also those of the
/// model.
struct SetupOf {
    const PlanRequest* request = nullptr; ///< never null
    const Problem* problem = nullptr;     ///< null: not planned yet
};

/// What differs in `theirs` from `ours`: "dtcm 8,000 B, not 16,384 B", "inplace=safe", "a pinned at 0x0010"; at most three
/// differences, then a count. Empty when the setups are the same.
[[nodiscard]] QString setupDifference(const SetupOf& theirs, const SetupOf& ours, const NumberFormat& numbers);

/// The keys of a lowering's fingerprint that are not the same in `shown`, as they are in `other`: "inplace=safe order=dag".
[[nodiscard]] QString loweringDifference(const Fingerprint& other, const Fingerprint& shown);

} // namespace stowage
