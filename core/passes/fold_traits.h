// Facts about an op that decide whether constant folding may execute it once instead of in every run.
//
// An importer that knows its ops states the facts in an attribute named "fold" (`foldAttribute`), a list of the words below,
// separated by blanks. The MLIR importer does so for every op. For programs of other importers the facts follow from
// `Op::traits`.
#pragma once

#include "core/ir/program.h"

#include <string_view>

namespace stowage {

struct FoldTraits {
    bool pure = false;        ///< "pure": the results depend on the operands only, and there are no side effects
    bool known = false;       ///< "known": of a dialect or operator set that folding covers
    bool elementWise = false; ///< "element-wise": result element i depends on element i of each operand only
    bool broadcast = false;   ///< "broadcast": the result repeats the elements of the first operand
    bool view = false;        ///< "view": the result is the operand's bytes in the same order; no byte moves
    bool evaluable = false;   ///< "evaluable": the interpreter of core/exec computes it

    friend bool operator==(const FoldTraits&, const FoldTraits&) = default;
};

/// Name of the attribute of an op that lists its traits.
inline constexpr std::string_view foldAttribute = "fold";
/// Attribute of a tensor whose elements all have the same known value ("splat"); such a tensor can be given any shape.
inline constexpr std::string_view splatAttribute = "splat";
/// Attribute of a tensor that stands for a scalar of the source ("scalar"); it contributes no root bytes.
inline constexpr std::string_view scalarAttribute = "scalar";
/// Attribute of a constant tensor whose value is in the file, where the importer's rewriter can read it.
inline constexpr std::string_view literalAttribute = "literal";

/// The traits of a leaf op: those of `foldAttribute` if it is set, otherwise those that follow from `Op::traits`. Linear in the
/// attributes.
[[nodiscard]] FoldTraits foldTraits(const Op& op);
/// The text of `foldAttribute` for these traits.
[[nodiscard]] std::string toText(const FoldTraits& traits);

} // namespace stowage
