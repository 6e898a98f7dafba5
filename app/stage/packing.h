// Frames and reports as bytes, to send them between ranks.
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

/// A frame with its contents, in the byte order of this machine, which all ranks of a run have.
Buffer pack(const pipeline::Message& message);
/// No value if the bytes are not a frame.
std::optional<pipeline::Message> unpack(std::span<const std::byte> bytes);

/// The outputs to the application in one frame.
struct FrameResult {
    pipeline::Ticks time = 0;
    std::vector<std::pair<std::int64_t, std::uint64_t>> digests; ///< (index of the pipeline's output, digest)
};

/// The report of a rank to rank 0 at the end.
struct RankReport {
    pipeline::StageOutcome outcome;
    std::vector<FrameResult> results; ///< by frame
    std::vector<std::string> warnings;
};
Buffer pack(const RankReport& report);
std::optional<RankReport> unpackReport(std::span<const std::byte> bytes);

} // namespace stowage::stage
