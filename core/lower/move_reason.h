// Reasons why a value has to be copied.
#pragma once

#include <cstdint>
#include <string_view>

namespace stowage::lowering {

/// `none`: no copy is needed. The program tests the values; the texts are for the user only.
enum class MoveReason : std::uint8_t {
    none,
    unchangedInput,          ///< it comes from an input that the loop does not change
    inputsChangePlaces,      ///< the loop only exchanges its inputs
    notMadeInBody,           ///< the body does not make it as a whole
    madeHasFixedPlace,       ///< the value that the body makes is not planned, is pinned, or has several slots
    noFirstValue,            ///< its initial value is not an input of the loop
    hasFixedPlace,           ///< it is not planned, is pinned, is a variable, or has several slots
    sizesDiffer,             ///< sizes differ
    poolsDiffer,             ///< the pools in which it may lie differ
    written,                 ///< an op writes into it
    placeCarriedByOtherLoop, ///< its address is already that of a value of another loop
    firstValueCarried,       ///< its initial value is another carried value of the same loop
    sourceMoved,             ///< another value through which it passes is copied
    keptByOuterLoop,         ///< an enclosing loop keeps it
    unsuitedPlace,           ///< it would lie in a pool or at an address that it does not permit
    overwrittenByCarry,      ///< an op has to write its result over it, or over another value of it
    requiredInPlace,         ///< an op that has to work in place could not
    choiceOverwritten,       ///< an op has to write its result over one of its values
    listedTwice,             ///< it is listed twice
    partOrConstant,          ///< it is part of another tensor, or a constant
    overwritten,             ///< an op has to write its result over it
    carriedOn,               ///< a loop carries it on, so that its address would depend on all earlier iterations
    firstValueOfCarry,       ///< it is the initial value of a carried value
    partGivenOut,            ///< a part of it is a result
    givenToCaller,           ///< it is a result of its function, and the caller determines its address
    givenByCondition,        ///< it is a result of a condition
    givenByBody,             ///< it is a result of a loop's body, and the loop's result has an address of its own
    givenByBranch,           ///< it is a result of a branch, and that result is copied
    tooManyPlaces,           ///< it could have more than 64 addresses
    valueHasFixedPlace,      ///< one of its values is not planned, is pinned, is a variable, or has several slots
    valueSizeDiffers,        ///< one of its values has another size
    valuePoolsDiffer,        ///< one of its values may lie in other pools
    valueWritten,            ///< an op writes into one of its values
    unsuitedChoice,          ///< one of its values lies in a pool or at an address that it does not permit
    placeShared,             ///< its address belongs to another tensor, too
    separatePlaces,          ///< each has an address of its own
};

/// The reason as a clause: "sizes differ". Empty for `none`.
[[nodiscard]] std::string_view toText(MoveReason reason);

} // namespace stowage::lowering
