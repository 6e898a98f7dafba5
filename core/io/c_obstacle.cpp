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
    case Kind::outsidePlan: return "what a loop is given, or a branch hands on, lies outside of the plan";
    case Kind::unknownRotation: return fmt::format("'{}' rotates, and nothing says with which loop", name);
    case Kind::earlierRuns:
        return fmt::format("where '{}' lies depends on how often loop '{}' ran some iterations ago", name, obstacle.other);
    case Kind::severalMemories: return fmt::format("'{}' is in one of several pools", name);
    case Kind::noNumber: return op("is chosen by a tensor that is no number");
    case Kind::endlessLoop: return op("is a loop of which neither the number of iterations nor a condition is known");
    case Kind::madeInputs: return op("makes inputs of its body itself (a counter, slices)");
    case Kind::pieces: return op("takes an input piece by piece: which piece when is not known here");
    case Kind::unknownSize: return op("hands on a tensor whose size is known only when it runs");
    case Kind::exchange: return op("exchanges tensors between iterations, and there is no room for a copy");
    }
    return "the input is a problem, which has no ops";
}

} // namespace stowage::io
