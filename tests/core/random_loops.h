// Random programs whose loops carry values: delay lines, nested loops, conditions, cases inside, inputs that are needed after the
// loop.
#pragma once

#include "core/ir/program.h"

#include <cstdint>

namespace stowage::test {

struct RandomLoopOptions {
    int depth = 2;          ///< of nested loops
    bool conditions = true; ///< loops that are tested, and those without a known number of iterations
    bool cases = true;
    bool calls = true;      ///< of one function with a loop, from several places
    bool allResults = true; ///< bodies that give out all that they carry, as TFLite's do
    bool exchanges = true;  ///< inputs that change places, and bodies that hand an input on: their bytes have to move
    bool exits = false;     ///< loops that are left in the middle, at one of several places
    bool handsOn = false;   ///< branches that give out what was there before them, cases with two results
};

/// A program that passes the verifier. The same on every machine for the same seed and options.
Program randomLoops(std::uint64_t seed, const RandomLoopOptions& options = {});

} // namespace stowage::test
