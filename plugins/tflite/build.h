// From a checked model to a program, in one of three ways.
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
    /// Where each tensor of the file went, all sub-graphs counted through; the first copy where there are several, none where it
    /// is left out.
    std::vector<TensorPlace> places;
};

/// The main graph alone: calls are operators like any other.
Built buildMain(const Model& model, const std::string& name);

/// Branches and loops hold copies of the sub-graphs that they call; what runs once, and sub-graphs that nobody calls (other
/// entries), are functions of their own. An error when copies of copies grow beyond all measure.
Expected<Built> buildNested(const Model& model, const std::string& name);

/// All sub-graphs in one function, one copy each, on the time line of TensorFlow Lite Micro's allocator: after an operator
/// that calls, each sub-graph in turn is entered (its inputs come to life), runs, and is left (its outputs live until then); what
/// the call reads and writes lives until the last one is left. Tensor ids are the indices of an offline plan.
Expected<Built> buildFlat(const Model& model, const std::string& name);

} // namespace stowage::tflite
