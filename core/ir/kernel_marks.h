// Names of the marks that importers of kernels set on tensors and ops, in addition to the fields of a program.
//
// Marks are attributes, so every file format and process keeps them with the program. An importer translates ops and annotations
// of its dialect to marks. The lowering to Ascend's order (core/lower/hivm) and the views read only the marks, never names of a
// dialect.
#pragma once

#include <string_view>

namespace stowage::marks {

// --- of tensors -------------------------------------------------------------------------------------------------------------

/// Its bytes are shared with no other buffer.
inline constexpr std::string_view unique = "unique";
/// Live during the whole innermost loop around its allocation.
inline constexpr std::string_view preload = "preload";
/// Tightly coupled: both the cube core and the vector core access it. The value is the number of the coupled buffer.
inline constexpr std::string_view coupled = "coupled";
/// A coupled buffer in a memory of the core that runs the function. Its partner on the other core takes the same offset.
inline constexpr std::string_view coupledOwner = "coupled-owner";
/// A coupled buffer in a memory of the other core.
inline constexpr std::string_view coupledPartner = "coupled-partner";
/// Scratch of an op: never part of an in-place pair.
inline constexpr std::string_view scratch = "scratch";
/// At run time it is one of several tensors. The value lists their names, separated by blanks. Ops that access it also list those
/// tensors.
inline constexpr std::string_view mayBe = "may-be";
/// The source fixes its addresses. The value lists them, separated by commas; it is empty if they are not constant.
inline constexpr std::string_view placed = "pointer-cast";
/// Lies in a workspace that is an argument of the function. The value is the name of the argument.
inline constexpr std::string_view workspaceArgument = "workspace-arg";
/// Allocated by a function whose mode may use only part of the unified buffer. The value is the name of the mode, for messages.
inline constexpr std::string_view vectorMode = "vf-mode";

// --- of ops -----------------------------------------------------------------------------------------------------------------

/// Each output is one of its inputs (a select, a branch): it writes no bytes.
inline constexpr std::string_view chooses = "chooses";
/// The instruction set allows its in-place pairs.
inline constexpr std::string_view inPlaceByIsa = "in-place-by-isa";
/// Moves data from global memory to the core (load), or from the core to global memory (store).
inline constexpr std::string_view load = "load";
inline constexpr std::string_view store = "store";
/// A loop whose condition is evaluated inside its body. The lowering links its carried values and results after it has visited
/// the body.
inline constexpr std::string_view linksAtEnd = "links-at-end";

} // namespace stowage::marks

/// The names of Ascend's pipes in `Op::pipe` that core compares with.
namespace stowage::pipes {

/// Moves data from global memory to the core.
inline constexpr std::string_view load = "MTE2";
/// Move data from the core to global memory: `store` from the unified buffer, `storeAccumulators` from the accumulators.
inline constexpr std::string_view store = "MTE3";
inline constexpr std::string_view storeAccumulators = "FIX";
/// The vector unit and the scalar unit.
inline constexpr std::string_view vector = "V";
inline constexpr std::string_view scalar = "S";

} // namespace stowage::pipes
