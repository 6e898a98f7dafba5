// A fit with known figures.
#pragma once

#include "app/session/fit.h"

namespace stowage::test {

/// The figures of the design's picture (look/fit-dark.png).
inline Fit doorbell()
{
    Fit fit;
    fit.runtime = Runtime::tflm;
    fit.memory = "tensor_arena";
    fit.capacity = 98304;
    fit.bound = 55360;
    const auto row = [&](const char* planner, Bytes tensors, Bytes scratch) {
        FitRow made;
        made.planner = planner;
        made.tensors = tensors;
        made.scratch = scratch;
        made.tail = 26400;
        made.arena = tensors + scratch + 26400;
        made.overBound = double(tensors + scratch) / 55360 - 1;
        made.fits = made.arena <= 98304;
        fit.rows.push_back(made);
    };
    row("tflm-greedy", 73728, 0);
    row("tflm-linear", 259744, 100224);
    row("offline", 55296, 64);
    fit.answer = 2;
    fit.peakStep = 3;
    fit.peak = {{"pw1", 36864, false}, {"dw1", 18432, false}, {"scratch id34", 64, true}};
    fit.changes = {{"give pw1 12 channels, not 16", 73504, true}};
    fit.log = FitLog{32, 27, 73728, 26400, 100128, true};
    return fit;
}

} // namespace stowage::test
