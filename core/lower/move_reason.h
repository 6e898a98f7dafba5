// Reasons why a value has to be copied.
#pragma once

#include <cstdint>
#include <string_view>

namespace stowage::lowering {

/// `none`: nothing stands against it. Values are tested; the text is for the user.
enum class MoveReason : std::uint8_t {
    none,
    unchangedInput,          ///< it comes from an input that the loop does not change
    inputsChangePlaces,      ///< inputs only change places
    notMadeInBody,           ///< it is not made whole inside the body
    madeHasFixedPlace,       ///< it is not planned, pinned, or has several slots
    noFirstValue,            ///< the loop makes its first value itself
    hasFixedPlace,           ///< it is not planned, pinned, a variable, or has several slots
    sizesDiffer,             ///< sizes differ
    poolsDiffer,             ///< the pools that it may be in differ
    written,                 ///< something writes into it
    placeCarriedByOtherLoop, ///< its place is carried round another loop
    firstValueCarried,       ///< its first value is carried round the same loop
    sourceMoved,             ///< what it comes through is moved
    keptByOuterLoop,         ///< a loop around it keeps it
    unsuitedPlace,           ///< it would be in a pool or at an address that does not suit it
    overwrittenByCarry,      ///< an op has to write its result over it, or over another value
    requiredInPlace,         ///< an op that has to work in place could not do so
    choiceOverwritten,       ///< an op has to write its result over what it would be
    listedTwice,             ///< it is listed twice
    partOrConstant,          ///< it is a part of another tensor, or a constant
    overwritten,             ///< an op has to write its result over it
    carriedOn,               ///< a loop carries it on, and where it lay would depend on all iterations before
    firstValueOfCarry,       ///< it is the first value of what a loop carries
    partGivenOut,            ///< a part of it is given out
    givenToCaller,           ///< its function gives it to whoever calls it, at a place of theirs
    givenByCondition,        ///< a condition gives it out
    givenByBody,             ///< the body of a loop gives it out, as a result with a place of its own
    givenByBranch,           ///< a branch gives it out, as a result that is copied
    tooManyPlaces,           ///< it may be in more than 64 places
    valueHasFixedPlace,      ///< what it would be is not planned, pinned, a variable, or has several slots
    valueSizeDiffers,        ///< what it would be has another size
    valuePoolsDiffer,        ///< what it would be lies in other pools
    valueWritten,            ///< something writes into what it would be
    unsuitedChoice,          ///< what it would be is in a pool or at an address that does not suit it
    placeShared,             ///< its place is another tensor's too
    separatePlaces,          ///< each has a place of its own
};

/// The reason as a clause: "sizes differ". Empty for `none`.
[[nodiscard]] std::string_view toText(MoveReason reason);

} // namespace stowage::lowering
