// Marks that importers of kernels set on tensors and ops, in addition to the fields of a program. Each name is declared once,
// here.
//
// Marks are attributes, so they travel through every file and process with the program. An importer sets them, whatever the op or
// the annotation is called in its dialect; the lowering of Ascend's order (core/lower/hivm) and the views act on them, and ask
// for no name of a dialect.
#pragma once

#include <string_view>

namespace stowage::marks {

// --- of tensors -------------------------------------------------------------------------------------------------------------

/// Shares its bytes with no other buffer.
inline constexpr std::string_view unique = "unique";
/// Lives over the whole innermost loop around its allocation.
inline constexpr std::string_view preload = "preload";
/// Tightly coupled: reached by the cube and the vector core. The value is its number.
inline constexpr std::string_view coupled = "coupled";
/// A coupled buffer in a memory of the core that runs the function: the other core's partner lies where this one lies.
inline constexpr std::string_view coupledOwner = "coupled-owner";
/// A coupled buffer in a memory of the other core.
inline constexpr std::string_view coupledPartner = "coupled-partner";
/// Scratch of some op: takes no part in in-place.
inline constexpr std::string_view scratch = "scratch";
/// The value is one of the tensors whose names are listed, separated by blanks; the running program chooses. The ops that touch
/// it also name those tensors.
inline constexpr std::string_view mayBe = "may-be";
/// The source gives its addresses, separated by commas; empty where they are not constants.
inline constexpr std::string_view placed = "pointer-cast";
/// In a workspace that the function is handed. The value is the argument's name.
inline constexpr std::string_view workspaceArgument = "workspace-arg";
/// Allocated by a function of a mode that has only a part of the unified buffer. The value is the mode's name, for messages.
inline constexpr std::string_view vectorMode = "vf-mode";

// --- of ops -----------------------------------------------------------------------------------------------------------------

/// Its outputs are some of its inputs (a select, a branch): it writes nothing.
inline constexpr std::string_view chooses = "chooses";
/// The instruction itself allows its in-place pairs.
inline constexpr std::string_view inPlaceByIsa = "in-place-by-isa";
/// Moves data from global memory to the core; from the core to global memory.
inline constexpr std::string_view load = "load";
inline constexpr std::string_view store = "store";
/// A loop whose test is inside its body: its carried values and results are linked after the walk of the body.
inline constexpr std::string_view linksAtEnd = "links-at-end";

} // namespace stowage::marks

/// The names of Ascend's pipes in `Op::pipe` that core asks for.
namespace stowage::pipes {

/// Moves data from global memory to the core.
inline constexpr std::string_view load = "MTE2";
/// Move data from the core to global memory: from the unified buffer, and from the accumulators.
inline constexpr std::string_view store = "MTE3";
inline constexpr std::string_view storeAccumulators = "FIX";
/// The vector unit and the scalar unit.
inline constexpr std::string_view vector = "V";
inline constexpr std::string_view scalar = "S";

} // namespace stowage::pipes
