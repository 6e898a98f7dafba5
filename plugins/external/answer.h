// Checks the answer of a foreign planner: it places each buffer of the problem once and no other buffer, all offsets are in
// range, and no two buffers in conflict share a byte. An answer without a fault becomes a plan, which the core's checker judges
// again.
#pragma once

#include "core/plan/plan.h"
#include "core/plan/run_failure.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stowage::external {

/// An offset in an answer.
struct AnsweredOffset {
    enum class Kind { value, outOfRange, notANumber };
    Kind kind = Kind::notANumber;
    Bytes value = 0;
};
/// Reads a whole number in decimal digits. A number that does not fit into 64 bits is `outOfRange`.
[[nodiscard]] AnsweredOffset parseOffset(std::string_view text);

/// Collects the placements of an answer, one by one.
class Answer {
public:
    /// `problem` must outlive the answer.
    explicit Answer(const Problem& problem);

    /// Adds the placement of a buffer, by names. An empty `pool` means the only pool. The first fault becomes `error`; later
    /// calls change nothing.
    void place(std::string_view buffer, std::string_view pool, const std::vector<AnsweredOffset>& offsets);
    void fail(Error error);
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    /// The plan of all placements so far. Errors: `error`; two buffers in conflict that share a byte; without `partial`, a buffer
    /// that is not placed. O(n log n).
    [[nodiscard]] Expected<Plan> plan(bool partial) const;

private:
    const Problem& problem_;
    std::unordered_map<std::string_view, BufferId> buffers_;
    std::unordered_map<std::string_view, PoolId> pools_;
    std::vector<Placement> placements_;
    std::optional<Error> error_;
};

/// The error "not-understood"; `message` names the fault.
[[nodiscard]] Error answerNotUnderstood(const std::string& message);

/// The error of a plan that leaves a buffer out, or in which two buffers in conflict share a byte; otherwise no value. Requires
/// one placement for each buffer. O(n log n).
[[nodiscard]] std::optional<Error> judged(const Problem& problem, const Plan& plan);

/// Reads MiniMalloc's CSV with offsets. Only the columns `id` and `offset` are used; columns may be in any order. Errors of
/// `RunFailure`. O(n log n).
[[nodiscard]] Expected<Plan> readCsvAnswer(std::string_view text, const Problem& problem);

} // namespace stowage::external
