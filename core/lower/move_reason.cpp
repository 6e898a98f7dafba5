#include "core/lower/move_reason.h"

namespace stowage::lowering {

std::string_view toText(MoveReason reason)
{
    switch (reason) {
    case MoveReason::none: break;
    case MoveReason::unchangedInput: return "it comes from an input that the loop does not change";
    case MoveReason::inputsChangePlaces: return "the loop only exchanges its inputs";
    case MoveReason::notMadeInBody: return "the body does not make it as a whole";
    case MoveReason::madeHasFixedPlace: return "the value that the body makes is not planned, is pinned, or has several slots";
    case MoveReason::noFirstValue: return "its initial value is not an input of the loop";
    case MoveReason::hasFixedPlace: return "it is not planned, is pinned, is a variable, or has several slots";
    case MoveReason::sizesDiffer: return "sizes differ";
    case MoveReason::poolsDiffer: return "the pools in which it may lie differ";
    case MoveReason::written: return "an op writes into it";
    case MoveReason::placeCarriedByOtherLoop: return "its address is already that of a value of another loop";
    case MoveReason::firstValueCarried: return "its initial value is another carried value of the same loop";
    case MoveReason::sourceMoved: return "another value through which it passes is copied";
    case MoveReason::keptByOuterLoop: return "an enclosing loop keeps it";
    case MoveReason::unsuitedPlace: return "it would lie in a pool or at an address that it does not permit";
    case MoveReason::overwrittenByCarry: return "an op has to write its result over it, or over another value of it";
    case MoveReason::requiredInPlace: return "an op that has to work in place could not";
    case MoveReason::choiceOverwritten: return "an op has to write its result over one of its values";
    case MoveReason::listedTwice: return "it is listed twice";
    case MoveReason::partOrConstant: return "it is part of another tensor, or a constant";
    case MoveReason::overwritten: return "an op has to write its result over it";
    case MoveReason::carriedOn: return "a loop carries it on, so that its address would depend on all earlier iterations";
    case MoveReason::firstValueOfCarry: return "it is the initial value of a carried value";
    case MoveReason::partGivenOut: return "a part of it is a result";
    case MoveReason::givenToCaller: return "it is a result of its function, and the caller determines its address";
    case MoveReason::givenByCondition: return "it is a result of a condition";
    case MoveReason::givenByBody: return "it is a result of a loop's body, and the loop's result has an address of its own";
    case MoveReason::givenByBranch: return "it is a result of a branch, and that result is copied";
    case MoveReason::tooManyPlaces: return "it could have more than 64 addresses";
    case MoveReason::valueHasFixedPlace:
        return "one of its values is not planned, is pinned, is a variable, or has several slots";
    case MoveReason::valueSizeDiffers: return "one of its values has another size";
    case MoveReason::valuePoolsDiffer: return "one of its values may lie in other pools";
    case MoveReason::valueWritten: return "an op writes into one of its values";
    case MoveReason::unsuitedChoice: return "one of its values lies in a pool or at an address that it does not permit";
    case MoveReason::placeShared: return "its address belongs to another tensor, too";
    case MoveReason::separatePlaces: return "each has an address of its own";
    }
    return {};
}

} // namespace stowage::lowering
