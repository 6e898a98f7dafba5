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

} // namespace stowage
