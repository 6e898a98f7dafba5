#include "plugins/tflite/graph_check.h"

#include <algorithm>

namespace stowage::tflite {
namespace {

constexpr int maxCallDepth = 100;
constexpr Index nobody = -1;
constexpr auto remedy = "The file was written by a faulty tool: convert the model again.";

class GraphCheck {
public:
    GraphCheck(const Model& model, Index index)
        : model_(model),
          index_(index),
          graph_(model.subgraphs[at(index)]),
          writer_(graph_.tensors.size(), nobody),
          available_(graph_.tensors.size()),
          scratch_(scratchTensors(graph_))
    {
    }

    std::optional<Error> run()
    {
        for (std::size_t t = 0; t < graph_.tensors.size(); ++t)
            available_[t] = graph_.tensors[t].constant || graph_.tensors[t].variable;
        for (const Index input : graph_.inputs) {
            if (isInput(input)) return broken(here() + tensor(input) + " is listed twice as an input", graph_.byte);
            inputs_[at(input)] = true;
            available_[at(input)] = true;
        }
        if (auto error = checkWriters()) return error;
        if (auto error = checkReaders()) return error;
        for (const Index output : graph_.outputs) {
            if (!available_[at(output)])
                return failure(Code::neverWritten, here() + tensor(output) + " is an output, and nothing writes it",
                               position(graph_.byte), remedy);
        }
        return std::nullopt;
    }

private:
    using Failure = std::optional<Error>;

    std::string here() const { return "in " + describe(model_, index_) + ", "; }
    std::string tensor(Index t) const { return describeTensor(graph_, t); }
    std::string op(Index o) const { return describeOperator(graph_, o); }
    Position position(std::int64_t byte) const { return {model_.file, 0, 0, byte}; }
    Error broken(std::string message, std::int64_t byte) const
    {
        return failure(Code::badGraph, std::move(message), position(byte), remedy);
    }
    bool isInput(Index t) const { return inputs_[at(t)]; }

    Failure checkWriters()
    {
        for (std::size_t o = 0; o < graph_.operators.size(); ++o) {
            const auto index = static_cast<Index>(o);
            for (const Index t : graph_.operators[o].outputs) {
                if (t < 0 || graph_.tensors[at(t)].variable) continue;
                const std::int64_t byte = graph_.operators[o].byte;
                if (graph_.tensors[at(t)].constant) return broken(here() + op(index) + " writes the constant " + tensor(t), byte);
                if (isInput(t)) return broken(here() + op(index) + " writes the input " + tensor(t), byte);
                if (writer_[at(t)] != nobody)
                    return failure(Code::twoProducers,
                                   tensor(t) + " is written by " + op(writer_[at(t)]) + " and again by " + op(index),
                                   position(byte), remedy);
                writer_[at(t)] = index;
            }
        }
        return std::nullopt;
    }

    Failure checkReaders()
    {
        for (std::size_t o = 0; o < graph_.operators.size(); ++o) {
            const OperatorInfo& info = graph_.operators[o];
            const auto index = static_cast<Index>(o);
            for (const Index t : info.inputs) {
                const bool absent = t < 0;
                if (info.call != CallKind::none && (absent || scratch_[at(t)]))
                    return broken(here() + op(index) + " hands " +
                                      (absent ? "an absent tensor" : tensor(t) + ", which nothing writes,") + " to a sub-graph",
                                  info.byte);
                if (absent || available_[at(t)] || scratch_[at(t)]) continue;
                return failure(Code::readBeforeWrite,
                               op(index) + " reads " + tensor(t) + ", which " + op(writer_[at(t)]) + " writes only later",
                               position(info.byte), "Operators run in the order of the file: convert the model again.");
            }
            for (const Index t : info.outputs) {
                if (t >= 0) available_[at(t)] = true;
                if (t < 0 && info.call != CallKind::none) return broken(here() + op(index) + " has an absent result", info.byte);
            }
        }
        return std::nullopt;
    }

    const Model& model_;
    Index index_;
    const Subgraph& graph_;
    std::vector<Index> writer_;   ///< by tensor; variables are not asked
    std::vector<bool> available_; ///< by tensor: holds data by now
    std::vector<bool> scratch_;   ///< by tensor
    std::vector<bool> inputs_ = std::vector<bool>(graph_.tensors.size());
};

/// Arguments and results are handed over by position.
std::optional<Error> checkCall(const Model& model, Index caller, Index opIndex)
{
    const OperatorInfo& op = model.subgraphs[at(caller)].operators[at(opIndex)];
    for (std::size_t c = 0; c < op.callees.size(); ++c) {
        const Subgraph& callee = model.subgraphs[at(op.callees[c])];
        const bool condition = op.call == CallKind::loop && c == 0;
        const std::size_t selector = choosesCallee(op.call) ? 1 : 0;
        const std::size_t arguments = op.inputs.size() - std::min(op.inputs.size(), selector);
        const std::size_t results = condition ? 1 : op.outputs.size();
        const bool same = arguments == callee.inputs.size() && results == callee.outputs.size() && op.inputs.size() >= selector &&
                          (op.call != CallKind::loop || op.inputs.size() == op.outputs.size());
        if (same) continue;
        return failure(Code::badCall,
                       describeOperator(model, caller, opIndex) + " hands over " + std::to_string(arguments) +
                           " tensors and takes " + std::to_string(results) + ", and " + describe(model, op.callees[c]) + " has " +
                           std::to_string(callee.inputs.size()) + " inputs and " + std::to_string(callee.outputs.size()) +
                           " outputs",
                       {model.file, 0, 0, op.byte}, remedy);
    }
    return std::nullopt;
}

class CallCheck {
public:
    explicit CallCheck(const Model& model) : model_(model), state_(model.subgraphs.size()), height_(model.subgraphs.size()) {}

    std::optional<Error> run()
    {
        for (std::size_t g = 0; g < model_.subgraphs.size(); ++g) {
            if (auto error = visit(static_cast<Index>(g), 0)) return error;
        }
        return std::nullopt;
    }

private:
    enum class State : std::uint8_t { unseen, open, done };

    std::optional<Error> visit(Index g, int depth)
    {
        if (state_[at(g)] == State::done && depth + height_[at(g)] <= maxCallDepth) return std::nullopt;
        if (depth > maxCallDepth || state_[at(g)] == State::done)
            return failure(Code::tooDeep,
                           "sub-graphs call each other more than " + std::to_string(maxCallDepth) + " deep, at " +
                               describe(model_, g),
                           {model_.file, 0, 0, model_.subgraphs[at(g)].byte}, remedy);
        state_[at(g)] = State::open;
        const Subgraph& graph = model_.subgraphs[at(g)];
        for (std::size_t o = 0; o < graph.operators.size(); ++o) {
            const OperatorInfo& op = graph.operators[o];
            if (op.call == CallKind::none) continue;
            for (const Index callee : op.callees) {
                if (state_[at(callee)] == State::open)
                    return failure(Code::recursion,
                                   describeOperator(model_, g, static_cast<Index>(o)) + " calls " + describe(model_, callee) +
                                       (callee == g ? ", which it is part of" : ", which leads back to it"),
                                   {model_.file, 0, 0, op.byte}, "A static plan needs calls that end. " + std::string(remedy));
                if (auto error = visit(callee, depth + 1)) return error;
                height_[at(g)] = std::max(height_[at(g)], height_[at(callee)] + 1);
            }
            if (auto error = checkCall(model_, g, static_cast<Index>(o))) return error;
        }
        state_[at(g)] = State::done;
        return std::nullopt;
    }

    const Model& model_;
    std::vector<State> state_;
    std::vector<int> height_; ///< of the calls below a sub-graph
};

} // namespace

std::vector<bool> scratchTensors(const Subgraph& graph)
{
    std::vector<bool> scratch(graph.tensors.size());
    for (const OperatorInfo& op : graph.operators) {
        for (const Index t : op.inputs) {
            if (t >= 0 && !graph.tensors[at(t)].constant && !graph.tensors[at(t)].variable) scratch[at(t)] = true;
        }
    }
    for (const Index t : graph.inputs) scratch[at(t)] = false;
    for (const OperatorInfo& op : graph.operators) {
        for (const Index t : op.outputs) {
            if (t >= 0) scratch[at(t)] = false;
        }
    }
    return scratch;
}

std::optional<Error> checkGraphs(const Model& model)
{
    for (std::size_t g = 0; g < model.subgraphs.size(); ++g) {
        if (auto error = GraphCheck(model, static_cast<Index>(g)).run()) return error;
    }
    return CallCheck(model).run();
}

} // namespace stowage::tflite
