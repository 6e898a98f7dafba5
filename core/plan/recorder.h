// The recorded steps of a planner, for replay and explanation.
#pragma once

#include "core/plan/plan.h"
#include "core/plan/step_reason.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace stowage {

enum class StepKind : std::uint8_t { place, remove, improve, reject, note };

/// One recorded step. Fixed size, so that recording costs a store.
struct RecordedStep {
    StepKind kind = StepKind::place;
    std::uint16_t reason = 0; ///< index into `StepRecorder::reasons`
    BufferId buffer = none;
    PoolId pool = none;
    Bytes offset = 0; ///< place: where; improve: the new total size
};

/// Append-only, with a budget. Beyond it nothing more is kept, and `truncated` says so.
class StepRecorder {
public:
    /// Keeps as many steps as `byteBudget` bytes hold; reasons do not count.
    explicit StepRecorder(std::size_t byteBudget = std::size_t{64} << 20) : limit_(byteBudget / sizeof(RecordedStep)) {}

    /// Appends a step, or only counts it where the budget is used up. Amortised O(1).
    void add(const RecordedStep& step)
    {
        if (steps_.size() < limit_)
            steps_.push_back(step);
        else
            ++dropped_;
    }
    /// Registers a reason once; returns its index. 0, the reason that states nothing, when there are 65,536 already. O(log
    /// reasons).
    std::uint16_t reason(StepReason reason);
    /// The same for a rule without a number. O(1) after the first time.
    std::uint16_t reason(StepRule rule);

    [[nodiscard]] const std::vector<RecordedStep>& steps() const { return steps_; }
    [[nodiscard]] const std::vector<StepReason>& reasons() const { return reasons_; }
    /// The level that a reason is; nothing for others. O(1).
    [[nodiscard]] std::optional<hivm::Level> levelOf(std::uint16_t reason) const;
    /// Steps were dropped for the budget: `steps` is a beginning.
    [[nodiscard]] bool truncated() const { return dropped_ > 0; }
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

private:
    std::size_t limit_;
    std::uint64_t dropped_ = 0;
    std::vector<RecordedStep> steps_;
    std::vector<StepReason> reasons_{StepReason()};
    std::map<StepReason, std::uint16_t> known_{{StepReason(), 0}};
    std::array<std::uint16_t, static_cast<std::size_t>(StepRule::count)> rules_{}; ///< 0: not registered yet
};

} // namespace stowage
