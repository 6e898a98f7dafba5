// One change of a problem, to see its effect: a change of a buffer, or of the tile of a loop.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"

#include <span>
#include <string>
#include <vector>

namespace stowage {

struct Change {
    enum class Kind : std::uint8_t {
        size,    ///< sets the size of `buffer` to `size`
        live,    ///< sets the live ranges of `buffer` to `live`
        inPlace, ///< allows `buffer` to share the bytes of `other`
        slots,   ///< sets the number of slots of `buffer`, which rotate with its loop, to `slots`
        scale,   ///< multiplies the size of `buffer` by numerator / denominator
        tile,    ///< multiplies the sizes of the buffers of `loop`, without those of inner loops, by numerator / denominator
    };
    /// Names in place of ids, for a change that is applied to several problems with different ids.
    struct Names {
        std::string buffer, other;
        std::string loop; ///< its name; its number if it has no name

        friend bool operator==(const Names&, const Names&) = default;
    };

    Kind kind = Kind::size;
    BufferId buffer = none;
    Bytes size = 0;                  ///< >= 1
    std::vector<Interval> live = {}; ///< not empty
    BufferId other = none;
    std::int32_t slots = 1; ///< 1 to 64
    LoopId loop = none;
    std::int32_t numerator = 1; ///< 1 to 64; scaled sizes are rounded up
    std::int32_t denominator = 1;
    Names names = {}; ///< empty if the change refers to ids

    friend bool operator==(const Change&, const Change&) = default;

    static Change ofSize(BufferId buffer, Bytes size) { return {.kind = Kind::size, .buffer = buffer, .size = size}; }
    static Change ofLive(BufferId buffer, std::vector<Interval> live)
    {
        return {.kind = Kind::live, .buffer = buffer, .live = std::move(live)};
    }
    static Change inPlaceOf(BufferId buffer, BufferId other) { return {.kind = Kind::inPlace, .buffer = buffer, .other = other}; }
    static Change ofSlots(BufferId buffer, std::int32_t slots) { return {.kind = Kind::slots, .buffer = buffer, .slots = slots}; }
    static Change scaled(BufferId buffer, std::int32_t numerator, std::int32_t denominator)
    {
        return {.kind = Kind::scale, .buffer = buffer, .numerator = numerator, .denominator = denominator};
    }
    static Change scaledTile(LoopId loop, std::int32_t numerator, std::int32_t denominator)
    {
        return {.kind = Kind::tile, .loop = loop, .numerator = numerator, .denominator = denominator};
    }
};

/// The buffers whose sizes a change scales, ascending: `buffer` (scale), the buffers of `loop` without those of inner loops
/// (tile), none for other changes.
[[nodiscard]] std::vector<BufferId> scaledBuffers(const Problem& problem, const Change& change);

/// Applies the change without checking the result. Windows are cut to the new size, or removed. Scaled sizes are clamped to [1,
/// 2^61]. Requires ids of the problem and values in range. O(problem).
[[nodiscard]] Problem applied(Problem problem, const Change& change);

/// Applies the change, and checks and repairs the result. Errors: an unknown id, a size below 1, no live step, slots or factors
/// out of range, several slots for a buffer outside of loops.
[[nodiscard]] Expected<Problem> changed(const Problem& problem, const Change& change);

/// The same change with names in place of ids. A change that scales one buffer becomes a change that sets its size. Requires ids
/// of the problem.
[[nodiscard]] Change withNames(const Problem& problem, Change change);

/// The same change with ids of `problem` in place of names. Errors: a name that the problem does not have.
[[nodiscard]] Expected<Change> withIds(const Problem& problem, Change change);

/// The change as an instruction to the user: "halve the size of 'conv1' to 4,096 bytes", "shorten 'conv1' to steps 8 to 9", "drop
/// the multi-buffer of s", "halve the tile of loop j". Unknown ids are shown as "?".
[[nodiscard]] std::string describe(const Problem& problem, const Change& change);

/// Whether the change gives a buffer of the problem half of its size, rounded up.
[[nodiscard]] bool isHalf(const Problem& problem, const Change& change);

/// The steps of ranges in words, the last ones included: "step 8", "steps 3 to 5 and 8".
[[nodiscard]] std::string stepWords(std::span<const Interval> live);

} // namespace stowage
