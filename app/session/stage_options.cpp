#include "app/session/stage_options.h"

#include "core/ir/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace stowage {

namespace {

/// Reads a whole text as a number. False for other text.
template <typename Number>
bool readWhole(std::string_view text, Number& to)
{
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, to);
    return read.ec == std::errc{} && read.ptr == end;
}

} // namespace

Expected<StageFactors> parseFactors(std::string_view text, std::size_t stages)
{
    StageFactors factors;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const std::size_t colon = std::min(part.find(':'), part.size());
        std::pair<std::int32_t, double> factor;
        if (colon == part.size() || !readWhole(part.substr(0, colon), factor.first) ||
            !readWhole(part.substr(colon + 1), factor.second) || factor.first < 0 || !(factor.second > 0) || factor.second > 1e6)
            return failure(Code::usage, fmt::format("'{}' is not a list of stages with factors", text), {}, "write 2:1.5,3:2");
        if (auto missing = missingStage(factor.first, stages)) return *std::move(missing);
        factors.push_back(factor);
        begin = end + 1;
    }
    return factors;
}

Expected<WantedFailure> parseFailure(std::string_view text, bool mpi)
{
    const std::size_t first = std::min(text.find(':'), text.size());
    const std::size_t second = std::min(text.find(':', first + 1), text.size());
    WantedFailure wanted;
    const std::string_view how = text.substr(std::min(second + 1, text.size()));
    wanted.crash = how == "crash";
    if (first == text.size() || !readWhole(text.substr(0, first), wanted.stage) ||
        !readWhole(text.substr(first + 1, second - first - 1), wanted.frame) || wanted.stage < 0 || wanted.frame < 0 ||
        (how != "kernel" && !(mpi && wanted.crash)))
        return failure(Code::usage, fmt::format("'{}' is not a failure", text), {},
                       mpi ? "write STAGE:FRAME:kernel or STAGE:FRAME:crash" : "write STAGE:FRAME:kernel");
    return wanted;
}

std::optional<Error> missingStage(std::int32_t stage, std::size_t stages)
{
    if (stage >= 0 && at(stage) < stages) return std::nullopt;
    return failure(Code::outOfRange, fmt::format("there is no stage {}: there are {}", stage, stages), {},
                   "stages are counted from 0");
}

std::optional<Error> missingFrame(std::int64_t frame, std::int64_t frames)
{
    if (frame >= 0 && frame < frames) return std::nullopt;
    return failure(Code::outOfRange, fmt::format("there is no frame {}: there are {}", frame, frames), {},
                   "frames are counted from 0; --frames sets their number");
}

} // namespace stowage
