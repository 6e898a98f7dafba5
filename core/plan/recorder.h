// The recorded steps of a planner, for replay and explanation.
#pragma once

#include "core/plan/plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
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
    explicit StepRecorder(std::size_t byteBudget = std::size_t{64} << 20) : limit_(byteBudget / sizeof(RecordedStep)) {}

    void add(const RecordedStep& step)
    {
        if (steps_.size() < limit_)
            steps_.push_back(step);
        else
            ++dropped_;
    }
    /// Registers a reason once; returns its index. 0, the empty reason, when there are 65,536 already.
    std::uint16_t reason(std::string text);
    /// The same for a level of Ascend's planner. Its text in `reasons` is empty: it is made where it is shown.
    std::uint16_t reason(hivm::Level level);
    /// The same for a reason of another recorder.
    std::uint16_t reason(const StepRecorder& from, std::uint16_t index);

    [[nodiscard]] const std::vector<RecordedStep>& steps() const { return steps_; }
    [[nodiscard]] const std::vector<std::string>& reasons() const { return reasons_; }
    /// The level that a reason is; nothing for others.
    [[nodiscard]] std::optional<hivm::Level> levelOf(std::uint16_t reason) const;
    [[nodiscard]] bool truncated() const { return dropped_ > 0; }
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

private:
    std::size_t limit_;
    std::uint64_t dropped_ = 0;
    std::vector<RecordedStep> steps_;
    std::vector<std::string> reasons_{""};
    std::unordered_map<std::string, std::uint16_t> known_{{"", 0}};
    std::map<hivm::Level, std::uint16_t> levels_;
};

} // namespace stowage
