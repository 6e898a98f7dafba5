// Reasons why a result may not be written over its input.
#pragma once

#include <cstdint>
#include <string_view>

namespace stowage::lowering {

enum class MergeObstacle : std::uint8_t {
    none,                    ///< it may
    carried,                 ///< one of them is carried round a loop in place
    handedOn,                ///< it may be a value of a phi view, the result of a branch or an exit
    inputTaken,              ///< the input has been given to another result
    resultIsPart,            ///< the result is part of another tensor
    sameTensor,              ///< both are parts of one tensor
    constant,                ///< one of them is a constant
    resultIsVariable,        ///< the result is a variable
    severalSlots,            ///< one of them has several slots
    resultPinned,            ///< the result is pinned
    alignmentsDiffer,        ///< their alignments differ
    resultLarger,            ///< the result is larger
    inputBecomesOutput,      ///< an input of the program would become its output
    outputsBecomeOne,        ///< two outputs of the program would become one
    inputIsVariable,         ///< the input is a variable
    notPlanned,              ///< one of them is not planned
    poolsDiffer,             ///< they may not lie in the same pools
    inputOverwritten,        ///< another result is written over the input
    inputNeeded,             ///< the input is still needed
    inputNeededInOtherOrder, ///< the input may still be needed in another order
    sharedWithOtherInput,    ///< another input of the op shares the bytes
};

/// The obstacle as a clause: "the result is pinned". Empty for `none`.
[[nodiscard]] std::string_view toText(MergeObstacle obstacle);

/// What the user can do about an obligatory in-place output with this obstacle; empty if there is nothing of general use.
[[nodiscard]] std::string_view remedyOf(MergeObstacle obstacle);

} // namespace stowage::lowering
