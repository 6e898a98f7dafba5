// One change of a problem to try out: of a buffer, or of the tile of a loop.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/problem.h"

#include <string>
#include <vector>

namespace stowage {

struct Change {
    enum class Kind : std::uint8_t {
        size,    ///< `buffer` has `size` bytes
        live,    ///< `buffer` is live in `live` only
        inPlace, ///< `buffer` may lie on the bytes of `other`
        slots,   ///< `buffer` has `slots` slots that rotate with its loop
        scale,   ///< the size of `buffer` is multiplied by numerator / denominator
        tile,    ///< the sizes of all buffers of `loop` itself are
    };
    /// Names in place of ids, for a change that is kept while problems come and go.
    struct Names {
        std::string buffer, other;
        std::string loop; ///< its name, or its number where it has none

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
    Names names = {}; ///< empty while the ids hold

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

/// The buffers whose size a change scales, ascending: `buffer`, or those of `loop` without those of loops inside it; else empty.
[[nodiscard]] std::vector<BufferId> scaledBuffers(const Problem& problem, const Change& change);

/// The problem with the change made, not checked. Windows that no longer fit are cut or dropped; scaled sizes are at least 1 and
/// at most 2^61. Requires ids of the problem and values in range. O(problem).
[[nodiscard]] Problem applied(Problem problem, const Change& change);

/// The problem with the change made, checked and repaired. Errors: an id that does not exist, a size below 1, no live step, slots
/// or factors out of range, several slots for a buffer in no loop.
[[nodiscard]] Expected<Problem> changed(const Problem& problem, const Change& change);

/// The same change by names instead of ids. A scaled buffer becomes one of another size. Requires ids of the problem.
[[nodiscard]] Change withNames(const Problem& problem, Change change);

/// The same change by ids of `problem`, for one by names. Errors: a buffer or loop that the problem does not have.
[[nodiscard]] Expected<Change> withIds(const Problem& problem, Change change);

/// "make 'conv1' 4,096 bytes, not 8,192", "drop the multi-buffer of s", "halve the tile of loop j": what to do, for people. Ids
/// that the problem does not have are shown as "?".
[[nodiscard]] std::string describe(const Problem& problem, const Change& change);

} // namespace stowage
