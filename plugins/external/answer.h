// What a foreign planner answered, held against the problem: every buffer of it once and no other, offsets in range, and no two
// that conflict on a common byte. What passes is a plan; the core's checker still judges it.
#pragma once

#include "core/plan/plan.h"
#include "core/plan/run_failure.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stowage::external {

/// An offset as an answer has it, exactly.
struct AnsweredOffset {
    enum class Kind { value, outOfRange, notANumber };
    Kind kind = Kind::notANumber;
    Bytes value = 0;
};
/// A whole number in decimal digits; one that no int64 holds is out of range.
[[nodiscard]] AnsweredOffset parseOffset(std::string_view text);

/// Takes placements one by one.
class Answer {
public:
    /// `problem` outlives it.
    explicit Answer(const Problem& problem);

    /// Places a buffer: in the only pool when `pool` is empty. The first thing wrong sticks, and the rest is ignored.
    void place(std::string_view buffer, std::string_view pool, const std::vector<AnsweredOffset>& offsets);
    void fail(Error error);
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    /// The plan so far: partial answers may leave buffers out. An error for overlaps as well, once for each call. O(n log n).
    [[nodiscard]] Expected<Plan> plan(bool partial) const;

private:
    const Problem& problem_;
    std::unordered_map<std::string_view, BufferId> buffers_;
    std::unordered_map<std::string_view, PoolId> pools_;
    std::vector<Placement> placements_;
    std::optional<Error> error_;
};

/// "not-understood", with what is wrong.
[[nodiscard]] Error answerNotUnderstood(const std::string& message);

/// Why a plan of one placement for each buffer cannot be taken: a buffer of the problem is left out, or two overlap. O(n log n).
[[nodiscard]] std::optional<Error> judged(const Problem& problem, const Plan& plan);

/// MiniMalloc's CSV with offsets: the columns `id` and `offset` count, whatever their order.
[[nodiscard]] Expected<Plan> readCsvAnswer(std::string_view text, const Problem& problem);

} // namespace stowage::external
