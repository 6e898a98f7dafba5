// Colours of buffers: classes by kind or by measure, their legend, and groups by the same properties for the timeline. No Qt.
#pragma once

#include "core/plan/run.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// `difference` needs two plans (app/canvas/axis/difference_colours.h) and cannot be chosen by the user.
enum class ColourBy : std::uint8_t { opKind, kind, pool, scope, source, size, lifetime, slack, difference };
inline constexpr std::array<ColourBy, 8> allColourings{ColourBy::opKind, ColourBy::kind, ColourBy::pool,     ColourBy::scope,
                                                       ColourBy::source, ColourBy::size, ColourBy::lifetime, ColourBy::slack};
/// "op kind", …; `scope` is "operator": the operator to whose scope a buffer belongs.
[[nodiscard]] std::string_view toText(ColourBy);
/// False for op kinds if the run has no program, for operators if no buffer belongs to a scope, and for sources if no buffer has
/// one.
[[nodiscard]] bool hasColouring(const Run& run, ColourBy by);
/// The source line of a buffer of a memory snapshot, from its name: "forward model.py:12" of "forward model.py:12 #381"; empty
/// for other names.
[[nodiscard]] std::string_view sourceOf(std::string_view name);
/// Name of the class of buffers without a known source line.
inline constexpr std::string_view unknownSource = "Not known";
/// Name of the class of buffers that belong to no scope.
inline constexpr std::string_view betweenOperators = "Between operators";
[[nodiscard]] std::optional<ColourBy> colourByFrom(std::string_view text);
/// Size, lifetime and slack are ordered: six classes on the sequential ramp; the others are categories.
[[nodiscard]] constexpr bool ordered(ColourBy by)
{
    return by >= ColourBy::size && by <= ColourBy::slack;
}

/// Categories of buffers. `names`: largest sum of bytes x steps first.
struct Categories {
    std::vector<std::string> names;
    std::vector<std::int32_t> of; ///< by buffer: into `names`
};
[[nodiscard]] Categories categories(const Run& run, ColourBy by); ///< opKind, kind, pool, scope or source

inline constexpr std::size_t colourClasses = 10; ///< with more categories the last class is "Other"
inline constexpr std::size_t orderedClasses = 6;

/// A class of the legend.
struct ColourClass {
    std::string name;
    std::size_t buffers = 0;
    bool hatched = false; ///< hatched in the ink colour of the class, like scratch
};

/// The colour class of every buffer.
struct Colouring {
    ColourBy by = ColourBy::opKind;
    std::vector<ColourClass> classes;
    std::vector<std::uint8_t> of; ///< by buffer: into `classes`
};

/// The colouring of a run. O(buffers); O(n log n) for slack.
[[nodiscard]] Colouring colouring(const Run& run, ColourBy by);
/// By op kind if the run has a program, else by source line if names have one, else by size.
[[nodiscard]] ColourBy defaultColouring(const Run& run);

/// The classes of op kinds, for all views of a run: those of the map, and after them the kinds that make no buffer, in the order
/// of the steps, then of the program. Kinds without a class of their own are in the last one, "Other", as in the map.
struct OpKindClasses {
    std::vector<ColourClass> classes;
    std::map<std::string, std::uint8_t> of; ///< by kind in words, for all ops of the program: into `classes`
};
/// `byKind`: the colouring of the run by op kind. O(steps + ops).
[[nodiscard]] OpKindClasses opKindClasses(const Run& run, const Colouring& byKind);

/// By buffer: bytes by which it could grow upwards without moving another buffer, in all its live steps and up to the size of its
/// pool; 0 if not placed. O(n log n).
[[nodiscard]] std::vector<Bytes> growthRoom(const Run& run);

} // namespace stowage
