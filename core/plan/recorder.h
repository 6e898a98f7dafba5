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

/// One recorded step. It has a fixed size, so recording is fast.
struct RecordedStep {
    StepKind kind = StepKind::place;
    std::uint16_t reason = 0; ///< index into `StepRecorder::reasons`
    BufferId buffer = none;
    PoolId pool = none;
    Bytes offset = 0; ///< bytes. place: the offset; improve: the new total size
};

/// Records the steps of a planner, up to a budget. Later steps are dropped, and `truncated` is true.
class StepRecorder {
public:
    /// Keeps as many steps as fit into `byteBudget` bytes; reasons do not count.
    explicit StepRecorder(std::size_t byteBudget = std::size_t{64} << 20) : limit_(byteBudget / sizeof(RecordedStep)) {}

    /// Appends a step; if the budget is used up, only counts it. Amortised O(1).
    void add(const RecordedStep& step)
    {
        if (steps_.size() < limit_)
            steps_.push_back(step);
        else
            ++dropped_;
    }
    /// The index of a reason, which is registered on first use. 0 (no reason stated) if there are already 65,536 reasons. O(log
    /// reasons).
    std::uint16_t reason(StepReason reason);
    /// The same for a rule without a number. O(1) after the first time.
    std::uint16_t reason(StepRule rule);

    [[nodiscard]] const std::vector<RecordedStep>& steps() const { return steps_; }
    [[nodiscard]] const std::vector<StepReason>& reasons() const { return reasons_; }
    /// The level, if the reason is one; no value for other reasons. O(1).
    [[nodiscard]] std::optional<hivm::Level> levelOf(std::uint16_t reason) const;
    /// True if steps were dropped: `steps` contains only the first ones.
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
