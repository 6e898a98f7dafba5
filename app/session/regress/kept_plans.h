// Plans beside a baseline, so that the map of a row can be shown as it was: `<suite name>.plans/<name>.problem.json`
// (stowage.problem/1) and `<name>.plan.json` (stowage.plan/1). The name is a hash of both: equal results share two files.
#pragma once

#include "app/session/regress/baseline.h"
#include "app/session/regress/suite.h"
#include "app/session/session.h"

#include <memory>
#include <optional>
#include <string>

namespace stowage {

/// Problems of more bytes as JSON are not kept: a baseline is there to be committed.
inline constexpr Bytes maxKeptProblem = Bytes{16} << 20;

/// "<folder><name>.plans/".
std::string keptFolder(const Suite& suite);
/// "<folder><name>.plans/<kept>.problem.json".
std::string keptProblemPath(const Suite& suite, const std::string& kept);
/// "<folder><name>.plans/<kept>.plan.json".
std::string keptPlanPath(const Suite& suite, const std::string& kept);

/// 16 hexadecimal digits; empty when the problem is larger than `maxKeptProblem`. O(size of the problem).
std::string keptName(const Run& run);
/// Writes the two files, unless they are there. Returns their name, empty for a problem that is too large. Errors:
/// "cannot-write".
Expected<std::string> keepPlan(const Suite& suite, const Run& run);
/// The run that was kept under a name, judged by the core again. Errors: the name is none of `keptName`, a file that is missing
/// or cannot be read, and those of `io::readPlan`.
Expected<std::shared_ptr<const Run>> keptRun(const Session& session, const Suite& suite, const std::string& kept);
/// Removes the files of the folder that no row of the baseline names. Other files stay.
void dropUnnamedPlans(const Suite& suite, const Baseline& baseline);

} // namespace stowage
