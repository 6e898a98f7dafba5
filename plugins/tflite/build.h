// Makes a program from a checked model, in one of three ways.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/program.h"
#include "plugins/tflite/model.h"

#include <string>
#include <vector>

namespace stowage::tflite {

struct TensorPlace {
    FunctionId function = none;
    TensorId tensor = none;
};

struct Built {
    Program program;
    /// For each tensor of the file, counted through all sub-graphs: its tensor in the program. The first copy if there are
    /// several; `none` if it is left out.
    std::vector<TensorPlace> places;
};

/// The main sub-graph alone; ops that call other sub-graphs become ordinary ops.
Built buildMain(const Model& model, const std::string& name);

/// Branches and loops hold copies of the sub-graphs that they call. Decompositions of composites, sub-graphs that run once, and
/// sub-graphs that no op calls (further entry points) become functions of their own. Errors: the program is too large after
/// copying, see `checkExpandedSize`.
Expected<Built> buildNested(const Model& model, const std::string& name);

/// All sub-graphs in one function, one copy each, with the steps of TensorFlow Lite Micro's allocator. After an op that calls,
/// each called sub-graph in turn takes a step in which its inputs become live, the steps of its ops, and a step until which its
/// outputs are live. The inputs and outputs of the calling op are live until the last of these steps. Tensor ids are the indices
/// of an offline plan. Errors: as `buildNested`.
Expected<Built> buildFlat(const Model& model, const std::string& name);

} // namespace stowage::tflite
