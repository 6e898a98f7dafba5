// Plans that are kept beside a baseline, to show the map of a row as it was: `<suite name>.plans/<name>.problem.json`
// (stowage.problem/1) and `<name>.plan.json` (stowage.plan/1). The name is a hash of both, so that equal results share two files.
#pragma once

#include "app/session/regress/baseline.h"
#include "app/session/regress/suite.h"
#include "app/session/session.h"

#include <memory>
#include <optional>
#include <string>

namespace stowage {

/// Maximum bytes of a kept problem as JSON. Baselines are committed, and should stay small.
inline constexpr Bytes maxKeptProblem = Bytes{16} << 20;

/// "<folder><name>.plans/".
std::string keptFolder(const Suite& suite);
/// "<folder><name>.plans/<kept>.problem.json".
std::string keptProblemPath(const Suite& suite, const std::string& kept);
/// "<folder><name>.plans/<kept>.plan.json".
std::string keptPlanPath(const Suite& suite, const std::string& kept);

/// 16 hexadecimal digits; empty when the problem is larger than `maxKeptProblem`. O(size of the problem).
std::string keptName(const Run& run);
/// Writes the two files if they do not exist. Returns their name; empty for a problem that is too large. Errors: "cannot-write".
Expected<std::string> keepPlan(const Suite& suite, const Run& run);
/// The kept run of a name, checked by the core again. Errors: a name that `keptName` cannot give, a file that is missing or
/// cannot be read, and those of `io::readPlan`.
Expected<std::shared_ptr<const Run>> keptRun(const Session& session, const Suite& suite, const std::string& kept);
/// Removes the kept plans that no row of the baseline names. Other files stay.
void dropUnnamedPlans(const Suite& suite, const Baseline& baseline);

} // namespace stowage
