#include "core/lower/move_reason.h"

namespace stowage::lowering {

std::string_view toText(MoveReason reason)
{
    switch (reason) {
    case MoveReason::none: break;
    case MoveReason::unchangedInput: return "it comes from an input that the loop does not change";
    case MoveReason::inputsChangePlaces: return "inputs only change places";
    case MoveReason::notMadeInBody: return "it is not made whole inside the body";
    case MoveReason::madeHasFixedPlace: return "it is not planned, pinned, or has several slots";
    case MoveReason::noFirstValue: return "the loop makes its first value itself";
    case MoveReason::hasFixedPlace: return "it is not planned, pinned, a variable, or has several slots";
    case MoveReason::sizesDiffer: return "sizes differ";
    case MoveReason::poolsDiffer: return "the pools that it may be in differ";
    case MoveReason::written: return "something writes into it";
    case MoveReason::placeCarriedByOtherLoop: return "its place is carried round another loop";
    case MoveReason::firstValueCarried: return "its first value is carried round the same loop";
    case MoveReason::sourceMoved: return "what it comes through is moved";
    case MoveReason::keptByOuterLoop: return "a loop around it keeps it";
    case MoveReason::unsuitedPlace: return "it would be in a pool or at an address that does not suit it";
    case MoveReason::overwrittenByCarry: return "an op has to write its result over it, or over another value";
    case MoveReason::requiredInPlace: return "an op that has to work in place could not do so";
    case MoveReason::choiceOverwritten: return "an op has to write its result over what it would be";
    case MoveReason::listedTwice: return "it is listed twice";
    case MoveReason::partOrConstant: return "it is a part of another tensor, or a constant";
    case MoveReason::overwritten: return "an op has to write its result over it";
    case MoveReason::carriedOn: return "a loop carries it on, and where it lay would depend on all iterations before";
    case MoveReason::firstValueOfCarry: return "it is the first value of what a loop carries";
    case MoveReason::partGivenOut: return "a part of it is given out";
    case MoveReason::givenToCaller: return "its function gives it to whoever calls it, at a place of theirs";
    case MoveReason::givenByCondition: return "a condition gives it out";
    case MoveReason::givenByBody: return "the body of a loop gives it out, as a result with a place of its own";
    case MoveReason::givenByBranch: return "a branch gives it out, as a result that is copied";
    case MoveReason::tooManyPlaces: return "it may be in more than 64 places";
    case MoveReason::valueHasFixedPlace: return "what it would be is not planned, pinned, a variable, or has several slots";
    case MoveReason::valueSizeDiffers: return "what it would be has another size";
    case MoveReason::valuePoolsDiffer: return "what it would be lies in other pools";
    case MoveReason::valueWritten: return "something writes into what it would be";
    case MoveReason::unsuitedChoice: return "what it would be is in a pool or at an address that does not suit it";
    case MoveReason::placeShared: return "its place is another tensor's too";
    case MoveReason::separatePlaces: return "each has a place of its own";
    }
    return {};
}

} // namespace stowage::lowering
