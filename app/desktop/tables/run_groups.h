// Groups of runs by the edits before their planning, and the differences between these setups in words.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/session/run_order.h"
#include "core/lower/fingerprint.h"

#include <QString>

#include <cstdint>

namespace stowage {

/// A request, and its problem once it is planned: then the pools are known, also the model's own.
struct SetupOf {
    const PlanRequest* request = nullptr; ///< never null
    const Problem* problem = nullptr;     ///< null: not planned yet
};

/// The differences of `theirs` from `ours`: "dtcm 8,000 B (now 16,384 B)", "inplace=allowed", "a pinned at 0x0010"; at most
/// three, then a count. Empty if the setups are the same.
[[nodiscard]] QString setupDifference(const SetupOf& theirs, const SetupOf& ours, const NumberFormat& numbers);

/// The fields of the fingerprint `other` that differ from `shown`: "inplace=allowed order=dag"; if `other` only lacks some,
/// "without aliases". Pools are no fields.
[[nodiscard]] QString loweringDifference(const Fingerprint& other, const Fingerprint& shown);

/// Columns that the tables of runs have in common.
enum class RunColumn : std::uint8_t { planner, verdict, bar, time, remark };
/// The sentence that explains such a column, for the tool tip of its title.
[[nodiscard]] QString runColumnTip(RunColumn column);

/// The tool tip of a title of `Table`, which numbers these columns in its own way. Empty for its other columns.
template <typename Table>
[[nodiscard]] QString runHeaderTip(int section)
{
    switch (section) {
    case Table::Planner: return runColumnTip(RunColumn::planner);
    case Table::Checker: return runColumnTip(RunColumn::verdict);
    case Table::Bar: return runColumnTip(RunColumn::bar);
    case Table::Time: return runColumnTip(RunColumn::time);
    case Table::Remark: return runColumnTip(RunColumn::remark);
    default: return {};
    }
}

} // namespace stowage
