#include "core/plan/recorder.h"

#include <limits>

namespace stowage {

std::uint16_t StepRecorder::reason(StepReason reason)
{
    if (const auto known = known_.find(reason); known != known_.end()) return known->second;
    if (reasons_.size() > std::numeric_limits<std::uint16_t>::max()) return 0;
    const auto index = static_cast<std::uint16_t>(reasons_.size());
    known_.emplace(reason, index);
    reasons_.push_back(std::move(reason));
    return index;
}

std::uint16_t StepRecorder::reason(StepRule rule)
{
    std::uint16_t& index = rules_[static_cast<std::size_t>(rule)];
    if (index == 0) index = reason(StepReason(RuleApplied{rule}));
    return index;
}

std::optional<hivm::Level> StepRecorder::levelOf(std::uint16_t reason) const
{
    const auto* level = reason < reasons_.size() ? std::get_if<hivm::Level>(&reasons_[reason]) : nullptr;
    return level ? std::optional(*level) : std::nullopt;
}

void renumber(StepReason& reason, std::span<const BufferId> origins)
{
    const auto follow = [&](BufferId& buffer) {
        if (buffer != none) buffer = origins[at(buffer)];
    };
    if (auto* selection = std::get_if<EdgeSelection>(&reason)) {
        follow(selection->chosen.buffer);
        for (BufferId& other : selection->others) follow(other);
        for (SizedBuffer& larger : selection->larger) follow(larger.buffer);
    } else if (auto* insertion = std::get_if<EdgeInsertion>(&reason)) {
        follow(insertion->from);
        follow(insertion->to);
        for (SizedBuffer& member : insertion->members) follow(member.buffer);
    }
}

} // namespace stowage
