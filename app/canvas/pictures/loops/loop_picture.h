// What a picture of a loop shows, made from a run: the ops of its body, the tensors that rotate or are carried, where they lie.
// No Qt.
#pragma once

#include "core/explain/loop_story.h"
#include "core/plan/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/// A tensor that is carried round the loop, or lies elsewhere from iteration to iteration.
struct LoopRow {
    std::int32_t view = 0; ///< into the story's views
    std::string name;
    ViewType type = ViewType::fixed;
    Bytes bytes = 0;
    Interval live; ///< inside one pass: from its first use (or the beginning, when it is carried in) to its last (or the end)
    std::int32_t carriedTo = -1; ///< row that has its value in the next iteration
    bool carriedIn = false;
    bool moved = false;               ///< carried, and its bytes have to be copied for that
    std::vector<std::int32_t> places; ///< by iteration of the story: into `LoopPicture::places`
};

struct LoopPicture {
    LoopStory story;
    std::vector<LoopRow> rows;                    ///< what is carried in the order of the program, then what rotates besides
    std::size_t still = 0;                        ///< other tensors of the body: each in one place
    std::vector<std::pair<PoolId, Bytes>> places; ///< those of the rows, in order of appearance
    std::vector<PoolId> pools;                    ///< in which the body holds anything, ascending

    /// Which of `places` that is, or -1.
    [[nodiscard]] std::int32_t placeAt(PoolId pool, Bytes offset) const;
    /// How many different places a row goes through.
    [[nodiscard]] std::size_t viewsOf(std::size_t row) const;
};

/// Nothing when the run has no program, or the loop no op. O(tensors of the body * iterations + steps).
[[nodiscard]] std::optional<LoopPicture> loopPicture(const Run& run, LoopId loop);

/// The loop in sentences: how it repeats, what is copied and what is not, how many views there are.
[[nodiscard]] std::vector<std::string> loopSentences(const Run& run, const LoopPicture& picture);

/// How a rotating placement follows from the iterations, one sentence for each loop: "in iteration i of lstm the offset number i
/// mod 2".
[[nodiscard]] std::vector<std::string> rotationRules(const Problem& problem, const Placement& placement);

} // namespace stowage
