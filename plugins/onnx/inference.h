// Types, shapes and constness of every name of a model: ONNX's own shape inference, driven node by node.
//
// Only the library's rules for single operators are used, each after a check of its preconditions. The library's own loop over
// the nodes stops at the first contradiction, has no rules for operators of a runtime's own domain, and does not report which
// nodes it skipped.
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

/// Contents of a constant, as a literal for shape arithmetic and as a tensor for the library's rules.
struct Contents {
    Literal literal;
    onnx::TensorProto tensor;
};

/// Known facts of a name.
struct Value {
    onnx::TypeProto type;                     ///< not set: unknown
    bool constant = false;                    ///< an initializer, a Constant, or computed from constants only
    std::shared_ptr<const Contents> contents; ///< null: not a constant, larger than `maxLiteralElements`, or unknown
};

/// Known facts of the names and nodes of a graph.
struct GraphFacts {
    std::map<std::string, Value, std::less<>> values;                      ///< of the names that the graph itself defines
    std::vector<bool> folded;                                              ///< by node: all its outputs are constants
    bool complete = false;                                                 ///< all nodes were visited
    std::map<const onnx::GraphProto*, std::unique_ptr<GraphFacts>> bodies; ///< facts of the graphs that its nodes hold
};

/// The names that are visible in a graph.
struct Scope {
    const GraphFacts* facts = nullptr;
    const Scope* outer = nullptr;

    /// Null for an undefined name.
    [[nodiscard]] const Value* find(std::string_view name) const
    {
        for (const Scope* scope = this; scope; scope = scope->outer)
            if (const auto found = scope->facts->values.find(name); found != scope->facts->values.end()) return &found->second;
        return nullptr;
    }
};

/// Infers the facts of the main graph and of all nested graphs. `model` must have passed `checkNames`. Warnings name the nodes
/// whose outputs stay unknown because a rule failed. O(nodes * rules); a nested graph is visited once for each visit of the graph
/// around it.
GraphFacts inferModel(const Model& model, Shapes shapes, Diagnostics& diagnostics);

} // namespace stowage::onnxfile
