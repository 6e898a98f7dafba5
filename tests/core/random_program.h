// Random programs with everything that the IR can say, for tests of properties.
#pragma once

#include "core/ir/program.h"

#include <cstdint>

namespace stowage::test {

struct RandomProgramOptions {
    int ops = 20;       ///< about as many leaf ops, over all functions
    int functions = 3;  ///< at most; the entry and what it calls
    int depth = 3;      ///< of nested regions, at most
    Bytes maxSize = 96; ///< of a tensor
    bool loops = true;
    bool cases = true;
    bool calls = true;
    bool views = true;      ///< tensors that alias others, reshapes
    bool inPlace = true;    ///< permitted pairs
    bool kept = true;       ///< constants and variables
    bool mismatches = true; ///< region inputs and outputs of another size than the op's
};

/// A program that passes the verifier. The same on every machine for the same seed and options.
Program randomProgram(std::uint64_t seed, const RandomProgramOptions& options = {});

} // namespace stowage::test
