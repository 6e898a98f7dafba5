// Why the C function that calls the operators of a plan in order cannot be written.
#pragma once

#include <cstdint>
#include <string>

namespace stowage::io {

struct CObstacle {
    enum class Kind : std::uint8_t {
        noOps,           ///< the input is a problem
        outsidePlan,     ///< a value that a loop is given, or a branch hands on
        unknownRotation, ///< of buffer `name`
        earlierRuns,     ///< the place of buffer `name` depends on the iterations that loop `other` ran earlier
        severalMemories, ///< of tensor `name`
        // Of op `name`, of kind `other`:
        noNumber,
        endlessLoop,
        madeInputs,
        pieces,
        unknownSize,
        exchange,
    };
    Kind kind = Kind::noOps;
    std::string name = {};
    std::string other = {};
};

/// A clause without a full stop: "op 'x' (IF) is chosen by a tensor that is no number".
[[nodiscard]] std::string toText(const CObstacle& obstacle);

} // namespace stowage::io
