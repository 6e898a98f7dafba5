// Frames and reports as bytes, for their way between ranks.
#pragma once

#include "core/pipeline/stage_loop.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace stowage::stage {

using Buffer = std::vector<std::byte>;

/// A frame with its contents, as the machine holds numbers: ranks of one run have one byte order.
Buffer pack(const pipeline::Message& message);
/// Nothing when the bytes are no frame.
std::optional<pipeline::Message> unpack(std::span<const std::byte> bytes);

/// What went to the application in one frame.
struct FrameResult {
    pipeline::Ticks time = 0;
    std::vector<std::pair<std::int64_t, std::uint64_t>> digests; ///< (number among the pipeline's outputs, digest)
};

/// What a rank tells rank 0 at the end.
struct RankReport {
    pipeline::StageOutcome outcome;
    std::vector<FrameResult> results; ///< by frame
    std::vector<std::string> warnings;
};
Buffer pack(const RankReport& report);
std::optional<RankReport> unpackReport(std::span<const std::byte> bytes);

} // namespace stowage::stage
