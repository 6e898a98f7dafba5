// The data of the picture of a loop, computed from a run: the ops of its body, the tensors that rotate or are carried, and their
// placements. No Qt.
#pragma once

#include "app/canvas/axis/names_apart.h"
#include "core/explain/loop_story.h"
#include "core/plan/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/// A tensor that is carried to the next iteration, or whose offset differs between iterations.
struct LoopRow {
    std::int32_t view = 0; ///< into the story's views
    std::string name;
    ViewType type = ViewType::fixed;
    Bytes bytes = 0;
    Interval live;               ///< in one iteration: from its first use (or the begin, if carried in) to its last (or the end)
    std::int32_t carriedTo = -1; ///< row of the tensor that has its value in the next iteration
    bool carriedIn = false;
    bool moved = false;               ///< carried by a copy of its bytes
    std::vector<std::int32_t> places; ///< by iteration of the story: into `LoopPicture::places`
};

struct LoopPicture {
    LoopStory story;
    std::vector<LoopRow> rows;                    ///< carried tensors in the order of the program, then the others that rotate
    NamesApart names;                             ///< of the rows
    std::size_t still = 0;                        ///< count of other tensors of the body, which have one offset each
    std::vector<std::pair<PoolId, Bytes>> places; ///< pools and offsets of the rows, in order of appearance
    std::vector<PoolId> pools;                    ///< pools that the body uses, ascending

    /// The index in `places`, or -1.
    [[nodiscard]] std::int32_t placeAt(PoolId pool, Bytes offset) const;
    /// Count of different places of a row.
    [[nodiscard]] std::size_t viewsOf(std::size_t row) const;
};

/// The picture of a loop; no value if the run has no program, or the loop no op. O(tensors of the body * iterations + steps).
[[nodiscard]] std::optional<LoopPicture> loopPicture(const Run& run, LoopId loop);

/// The name of a loop; of a loop without one the name that it gets in a file, "loop0".
[[nodiscard]] std::string loopName(const Problem& problem, LoopId loop);

/// Sentences about the loop: its repetition, the copies that are made and avoided, the count of views.
[[nodiscard]] std::vector<std::string> loopSentences(const Run& run, const LoopPicture& picture);

/// The rule for the offsets of a rotating placement, one sentence for each loop: "in iteration i of lstm the offset number i mod
/// 2".
[[nodiscard]] std::vector<std::string> rotationRules(const Problem& problem, const Placement& placement);

} // namespace stowage
