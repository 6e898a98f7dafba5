// Reads problems and writes solutions in the open JSON format for dynamic storage allocation (schema version 1, of dsa-solver and
// PyPTO). plugins/external/dsa.h calls external solvers with it.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"
#include "core/plan/plan.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage::io {

struct DsaRead {
    Problem problem; ///< with the name of the document's instance
    std::string profile;
    std::string instance;
    /// By buffer of the document: its id in the document, and its buffer in `problem`.
    std::vector<std::pair<std::int64_t, BufferId>> buffers;
    std::vector<std::int64_t> pools; ///< by pool: its id in the document
};

/// Reads a document. Separations become conflicts. Colocated buffers become one buffer of the largest size. Reserved ranges
/// become pinned buffers that are live at all steps. Temporal exclusions become permissions to share. Reuse penalties become
/// penalties. A buffer with a pin that is exclusive for all time becomes unique. Errors: invalid JSON, with the position; unknown
/// or repeated ids; pairs that must lie both together and apart. Unknown fields are ignored. O(n log n).
[[nodiscard]] Expected<DsaRead> readDsaProblem(std::string_view text, const std::string& file);

/// The solution of a document: a placement for each of its buffers, and the fingerprint of the document (64-bit FNV-1a of its
/// canonical text, with the metadata {} if it has none). `planned` is the problem that the plan is for: the one that
/// `readDsaProblem` made, also with the pools of a target, of which those that the plan uses have the names of the document's
/// pools. Errors: those of `readDsaProblem`; a plan of another number of buffers; a buffer without a place, or in a pool whose
/// name the document does not have. O(n log n).
[[nodiscard]] Expected<std::string> writeDsaSolution(std::string_view document, const std::string& file, const Problem& planned,
                                                     const Plan& plan);

} // namespace stowage::io
