#include "core/plan/recorder.h"

#include <limits>

namespace stowage {

std::uint16_t StepRecorder::reason(std::string text)
{
    if (const auto known = known_.find(text); known != known_.end()) return known->second;
    if (reasons_.size() > std::numeric_limits<std::uint16_t>::max()) return 0;
    const auto index = static_cast<std::uint16_t>(reasons_.size());
    known_.emplace(text, index);
    reasons_.push_back(std::move(text));
    return index;
}

std::uint16_t StepRecorder::reason(hivm::Level level)
{
    if (const auto known = levels_.find(level); known != levels_.end()) return known->second;
    if (reasons_.size() > std::numeric_limits<std::uint16_t>::max()) return 0;
    const auto index = static_cast<std::uint16_t>(reasons_.size());
    levels_.emplace(level, index);
    reasons_.emplace_back();
    return index;
}

std::uint16_t StepRecorder::reason(const StepRecorder& from, std::uint16_t index)
{
    if (const auto level = from.levelOf(index)) return reason(*level);
    return reason(from.reasons()[index]);
}

std::optional<hivm::Level> StepRecorder::levelOf(std::uint16_t reason) const
{
    for (const auto& [level, index] : levels_)
        if (index == reason) return level;
    return std::nullopt;
}

} // namespace stowage
