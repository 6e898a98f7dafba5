#include "core/io/c_obstacle.h"

#include <fmt/format.h>

namespace stowage::io {

std::string toText(const CObstacle& obstacle)
{
    using Kind = CObstacle::Kind;
    const std::string& name = obstacle.name;
    const auto op = [&](const char* text) { return fmt::format("op '{}' ({}) {}", name, obstacle.other, text); };
    switch (obstacle.kind) {
    case Kind::noOps: break;
    case Kind::outsidePlan: return "a value that enters a loop or leaves a branch is not planned";
    case Kind::unknownRotation: return fmt::format("'{}' rotates with an unknown loop", name);
    case Kind::earlierRuns:
        return fmt::format("the address of '{}' depends on how often loop '{}' ran some iterations ago", name, obstacle.other);
    case Kind::severalPools: return fmt::format("'{}' is in one of several pools", name);
    case Kind::noNumber: return op("is selected by a tensor that is not a number");
    case Kind::endlessLoop: return op("is a loop without a known number of iterations and without a condition");
    case Kind::madeInputs: return op("makes inputs of its body itself (a counter, slices)");
    case Kind::pieces: return op("takes an input slice by slice, in an unknown order");
    case Kind::unknownSize: return op("passes on a tensor whose size is known only at run time");
    case Kind::exchange: return op("exchanges tensors between iterations, and there is no space for a temporary copy");
    }
    return "the input is a problem, which has no ops";
}

} // namespace stowage::io
