// Why the C function that calls the operators of a plan in order cannot be generated.
#pragma once

#include <cstdint>
#include <string>

namespace stowage::io {

struct CObstacle {
    enum class Kind : std::uint8_t {
        noOps,           ///< the input is a problem, which has no ops
        outsidePlan,     ///< a value that enters a loop or leaves a branch is not planned
        unknownRotation, ///< buffer `name` rotates with an unknown loop
        earlierRuns,     ///< the address of buffer `name` depends on the number of iterations that loop `other` ran earlier
        severalPools,    ///< tensor `name` may lie in one of several pools
        // The following refer to op `name` of kind `other`.
        noNumber,    ///< the selector of a branch is not a number
        endlessLoop, ///< a loop without a trip count and without a condition
        madeInputs,  ///< the loop makes inputs of its body itself (a counter, slices)
        pieces,      ///< the loop passes slices of an input, and it is unknown which slice when
        unknownSize, ///< the size of a passed tensor is known only at run time
        exchange,    ///< tensors are exchanged between iterations, and there is no space for a temporary copy
    };
    Kind kind = Kind::noOps;
    std::string name = {};
    std::string other = {};
};

/// The obstacle as a clause without a full stop: "op 'x' (IF) is selected by a tensor that is not a number".
[[nodiscard]] std::string toText(const CObstacle& obstacle);

} // namespace stowage::io
