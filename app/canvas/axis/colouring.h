// What colours of buffers mean: classes by kind or by measure, their legend, and groups of the same for the timeline. No Qt.
#pragma once

#include "core/plan/run.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// `difference` is made from two plans (app/canvas/axis/difference_colours.h); it is none of those that can be chosen.
enum class ColourBy : std::uint8_t { opKind, kind, pool, scope, source, size, lifetime, slack, difference };
inline constexpr std::array<ColourBy, 8> allColourings{ColourBy::opKind, ColourBy::kind, ColourBy::pool,     ColourBy::scope,
                                                       ColourBy::source, ColourBy::size, ColourBy::lifetime, ColourBy::slack};
[[nodiscard]] std::string_view toText(ColourBy); ///< "op kind", …; `scope` is "operator": the one inside which a buffer lives
/// False for op kinds without a program, operators where no buffer lives inside one, and sources where no buffer has one.
[[nodiscard]] bool hasColouring(const Run& run, ColourBy by);
/// The line of a program that asked for a buffer: "forward model.py:12" of "forward model.py:12 #381", as the names of memory
/// snapshots have it; empty for other names.
[[nodiscard]] std::string_view sourceOf(std::string_view name);
/// What buffers are called together that no line is known of.
inline constexpr std::string_view unknownSource = "Not known";
/// What buffers are called together that live inside no operator.
inline constexpr std::string_view betweenOperators = "Between operators";
[[nodiscard]] std::optional<ColourBy> colourByFrom(std::string_view text);
/// Size, lifetime and slack are ordered: six classes on the sequential ramp; the others are categories.
[[nodiscard]] constexpr bool ordered(ColourBy by)
{
    return by >= ColourBy::size && by <= ColourBy::slack;
}

/// Categories of buffers: names, heaviest (bytes x steps) first, and which one each buffer is of.
struct Categories {
    std::vector<std::string> names;
    std::vector<std::int32_t> of; ///< by buffer: into `names`
};
[[nodiscard]] Categories categories(const Run& run, ColourBy by); ///< opKind, kind, pool, scope or source

inline constexpr std::size_t colourClasses = 10; ///< the last is "Other" when there are more categories
inline constexpr std::size_t orderedClasses = 6;

/// A class of the legend.
struct ColourClass {
    std::string name;
    std::size_t buffers = 0;
    bool hatched = false; ///< in the ink of the class, as scratch is
};

/// The colour class of every buffer.
struct Colouring {
    ColourBy by = ColourBy::opKind;
    std::vector<ColourClass> classes;
    std::vector<std::uint8_t> of; ///< by buffer: into `classes`
};

/// O(buffers), or O(n log n) for slack.
[[nodiscard]] Colouring colouring(const Run& run, ColourBy by);
/// By op kind when the run has a program, else by source line where names have one, else by size.
[[nodiscard]] ColourBy defaultColouring(const Run& run);

/// By how many bytes each buffer could grow upwards without moving anything: the free bytes above it over its whole life, up to
/// the size of its pool; 0 for what is not placed. By one sweep over time, O(n log n).
[[nodiscard]] std::vector<Bytes> growthRoom(const Run& run);

} // namespace stowage
