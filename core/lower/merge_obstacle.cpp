#include "core/lower/merge_obstacle.h"

namespace stowage::lowering {

std::string_view toText(MergeObstacle obstacle)
{
    switch (obstacle) {
    case MergeObstacle::none: break;
    case MergeObstacle::carried: return "one of them is carried round a loop in place";
    case MergeObstacle::handedOn: return "it may be a value of a phi view, the result of a branch or an exit";
    case MergeObstacle::inputTaken: return "the input has been given to another result";
    case MergeObstacle::resultIsPart: return "the result is part of another tensor";
    case MergeObstacle::sameTensor: return "both are parts of one tensor";
    case MergeObstacle::constant: return "one of them is a constant";
    case MergeObstacle::resultIsVariable: return "the result is a variable";
    case MergeObstacle::severalSlots: return "one of them has several slots";
    case MergeObstacle::resultPinned: return "the result is pinned";
    case MergeObstacle::alignmentsDiffer: return "their alignments differ";
    case MergeObstacle::resultLarger: return "the result is larger";
    case MergeObstacle::inputBecomesOutput: return "an input of the program would become its output";
    case MergeObstacle::outputsBecomeOne: return "two outputs of the program would become one";
    case MergeObstacle::inputIsVariable: return "the input is a variable";
    case MergeObstacle::notPlanned: return "one of them is not planned";
    case MergeObstacle::poolsDiffer: return "they may not lie in the same pools";
    case MergeObstacle::inputOverwritten: return "another result is written over the input";
    case MergeObstacle::inputNeeded: return "the input is still needed";
    case MergeObstacle::inputNeededInOtherOrder: return "the input may still be needed in another order";
    case MergeObstacle::sharedWithOtherInput: return "another input of the op shares the bytes";
    }
    return {};
}

std::string_view remedyOf(MergeObstacle obstacle)
{
    if (obstacle == MergeObstacle::inputNeededInOtherOrder) return "use --lower order=linear (in the window: Program, order)";
    if (obstacle == MergeObstacle::poolsDiffer) return "name a pool for both that all devices that use them reach";
    return {};
}

} // namespace stowage::lowering
