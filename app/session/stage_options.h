// The options of a pipeline run that name stages, as the command line and the ranks of MPI take them: --slow and --fail.
#pragma once

#include "core/ir/expected.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// Stages, with the factors on their times.
using StageFactors = std::vector<std::pair<std::int32_t, double>>;

/// A failure that the user asks for.
struct WantedFailure {
    std::int32_t stage = 0;
    std::int64_t frame = 0;
    bool crash = false; ///< the rank ends at once; otherwise its kernel reports an error
};

/// "2:1.5,3:2" as factors, each > 0 and at most 1e6; no factor for an empty text. Errors: other text, and a stage that a pipeline
/// of `stages` stages does not have.
Expected<StageFactors> parseFactors(std::string_view text, std::size_t stages);

/// "1:5:kernel", with `mpi` also "1:5:crash". Errors: other text. `missingStage` checks the stage.
Expected<WantedFailure> parseFailure(std::string_view text, bool mpi);

/// An error if a pipeline of `stages` stages has no stage of this number.
std::optional<Error> missingStage(std::int32_t stage, std::size_t stages);
/// An error if a run of `frames` frames has no frame of this number.
std::optional<Error> missingFrame(std::int64_t frame, std::int64_t frames);

} // namespace stowage
