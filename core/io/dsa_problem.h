// The open JSON of dynamic storage allocation problems (schema version 1, as dsa-solver and PyPTO have it): problems in,
// solutions out. (For solvers that are programs: plugins/external/dsa.h.)
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
    Problem problem; ///< named as the document's instance
    std::string profile;
    std::string instance;
    std::vector<std::pair<std::int64_t, BufferId>> buffers; ///< by buffer of the document: its id, and the one it is here
    std::vector<std::int64_t> pools;                        ///< by pool: its id
};

/// Separations become conflicts, colocated buffers one buffer of the largest size, reserved ranges pinned buffers that are live
/// throughout, pairs without a conflict in time may share, pins stay, and reuse penalties are what `pipe-aware=price` weighs. A
/// pin that is exclusive for all time makes its buffer share with nothing. Errors: those of JSON with their place, ids that are
/// not there or come twice, pairs that are to lie together and apart. Unknown fields are passed over. O(n log n).
[[nodiscard]] Expected<DsaRead> readDsaProblem(std::string_view text, const std::string& file);

/// A solution of the document: a placement for each of its buffers, and the document's fingerprint (FNV-1a, 64 bits, of its
/// canonical text). Requires a plan of `readDsaProblem`'s problem in which every buffer is placed.
[[nodiscard]] Expected<std::string> writeDsaSolution(std::string_view document, const std::string& file, const Plan& plan);

} // namespace stowage::io
