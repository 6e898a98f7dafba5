// Types, shapes and constness of every name of a model: ONNX's own shape inference, driven node by node.
//
// The library's driver stops at the first contradiction, knows no operator of a runtime's own domain and tells nobody which node
// it gave up on; so only its rules for single operators are used, after checks of their preconditions.
#pragma once

#include "plugins/onnx/literal.h"
#include "plugins/onnx/model.h"
#include "plugins/onnx/shapes.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::onnxfile {

/// Contents of a constant, in both forms in which they are asked for.
struct Contents {
    Literal literal;
    onnx::TensorProto tensor;
};

/// What is known of a name.
struct Value {
    onnx::TypeProto type;                     ///< without a value where nothing is known
    bool constant = false;                    ///< an initializer, a Constant, or computed from constants only
    std::shared_ptr<const Contents> contents; ///< of a small constant, where known
};

/// What is known of the names and nodes of a graph.
struct GraphFacts {
    std::map<std::string, Value, std::less<>> values;                      ///< of the names that the graph itself defines
    std::vector<bool> folded;                                              ///< by node: all its outputs are constants
    bool complete = false;                                                 ///< all nodes were gone through
    std::map<const onnx::GraphProto*, std::unique_ptr<GraphFacts>> bodies; ///< of the graphs that its nodes hold
};

/// The names that are visible in a graph.
struct Scope {
    const GraphFacts* facts = nullptr;
    const Scope* outer = nullptr;

    /// Nothing for a name that is not defined.
    [[nodiscard]] const Value* find(std::string_view name) const
    {
        for (const Scope* scope = this; scope; scope = scope->outer)
            if (const auto found = scope->facts->values.find(name); found != scope->facts->values.end()) return &found->second;
        return nullptr;
    }
};

/// Runs over the main graph and all graphs inside. `model` must have passed `checkNames`. Warnings name the nodes whose outputs
/// stay unknown because a rule failed. O(nodes * rules); a nested graph is run once for each run of the graph around it.
GraphFacts inferModel(const Model& model, Shapes shapes, Diagnostics& diagnostics);

} // namespace stowage::onnxfile
