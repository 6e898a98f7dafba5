#include "tests/support/network_builder.h"

#include "core/io/op_kinds.h"

#include <algorithm>
#include <utility>

namespace stowage::test {

namespace {

std::int64_t elements(const NetworkBuilder::Shape& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t extent : shape) count *= extent;
    return count;
}

std::int64_t outExtent(std::int64_t extent, std::int64_t kernel, std::int64_t stride, std::int64_t pad, bool ceil = false)
{
    return (extent + 2 * pad - kernel + (ceil ? stride - 1 : 0)) / stride + 1;
}

} // namespace

NetworkBuilder::NetworkBuilder(std::string name) : name_(std::move(name))
{
    function_.name = "main";
    function_.regions.emplace_back();
}

TensorId NetworkBuilder::add(std::string name, Shape shape, TensorKind kind)
{
    Tensor made;
    made.name = std::move(name);
    made.kind = kind;
    made.dtype = "f32";
    made.bytes = 4 * elements(shape);
    made.shape = std::move(shape);
    made.alignment = 64;
    if (kind == TensorKind::constant) made.available = Availability::compileTime;
    function_.tensors.push_back(std::move(made));
    wantsGradient_.push_back(false);
    return static_cast<TensorId>(function_.tensors.size()) - 1;
}

OpId NetworkBuilder::addOp(std::string name, std::string kind, std::vector<TensorId> inputs, std::vector<TensorId> outputs)
{
    Op made;
    made.name = std::move(name);
    made.kind = std::move(kind);
    made.inputs = std::move(inputs);
    made.outputs = std::move(outputs);
    function_.ops.push_back(std::move(made));
    const auto id = static_cast<OpId>(function_.ops.size()) - 1;
    function_.regions.front().ops.push_back(id);
    return id;
}

TensorId NetworkBuilder::input(const std::string& name, Shape shape)
{
    const TensorId id = add(name, std::move(shape), TensorKind::input);
    function_.regions.front().inputs.push_back(id);
    return id;
}

TensorId NetworkBuilder::weight(const std::string& name, Shape shape)
{
    parameters_ += elements(shape);
    return add(name, std::move(shape), TensorKind::constant);
}

std::vector<TensorId> NetworkBuilder::op(const std::string& name, const std::string& kind, const std::vector<TensorId>& inputs,
                                         const std::vector<TensorId>& weights, const std::vector<Shape>& results,
                                         const std::vector<TensorId>& saved, bool savesResults)
{
    std::vector<TensorId> all = inputs;
    all.insert(all.end(), weights.begin(), weights.end());
    std::vector<TensorId> outputs;
    for (std::size_t i = 0; i < results.size(); ++i)
        outputs.push_back(add(results.size() == 1 ? name + ":0" : name + ":" + std::to_string(i), results[i]));
    Step step;
    step.op = addOp(name, kind, std::move(all), outputs);
    step.inputs = inputs;
    step.weights = weights;
    step.saved = saved;
    if (savesResults) step.saved.insert(step.saved.end(), outputs.begin(), outputs.end());
    bool wants = !weights.empty();
    for (const TensorId id : inputs) wants = wants || wantsGradient_[at(id)];
    for (const TensorId id : outputs) wantsGradient_[at(id)] = wants;
    steps_.push_back(std::move(step));
    return outputs;
}

void NetworkBuilder::mayOverwrite(TensorId input, TensorId output)
{
    function_.ops.back().inPlace.push_back({input, output});
}

TensorId NetworkBuilder::conv(const std::string& name, TensorId x, std::int64_t channels, std::int64_t kernel,
                              std::int64_t stride, std::int64_t pad, Norm norm, std::int64_t groups)
{
    const Shape from = shape(x);
    std::vector<TensorId> weights{weight(name + "/w", {channels, from[1] / groups, kernel, kernel})};
    if (norm == Norm::bias) weights.push_back(weight(name + "/b", {channels}));
    if (norm == Norm::batch) weights.push_back(weight(name + "/bn", {2, channels}));
    return op(name, groups == 1 ? "conv2d" : "depthwise_conv2d", {x}, weights,
              {{from[0], channels, outExtent(from[2], kernel, stride, pad), outExtent(from[3], kernel, stride, pad)}}, {x})
        .front();
}

TensorId NetworkBuilder::upConv(const std::string& name, TensorId x, std::int64_t channels)
{
    const Shape from = shape(x);
    return op(name, "conv2d_transpose", {x}, {weight(name + "/w", {from[1], channels, 2, 2}), weight(name + "/b", {channels})},
              {{from[0], channels, 2 * from[2], 2 * from[3]}}, {x})
        .front();
}

TensorId NetworkBuilder::activation(const std::string& name, const std::string& kind, TensorId x, bool inPlace)
{
    // The gradients of relu, sigmoid, tanh and softmax read the result; that of gelu reads the input.
    const bool fromInput = kind == "gelu";
    const TensorId y =
        op(name, kind, {x}, {}, {shape(x)}, fromInput ? std::vector{x} : std::vector<TensorId>{}, !fromInput).front();
    if (inPlace) mayOverwrite(x, y);
    return y;
}

TensorId NetworkBuilder::normalise(const std::string& name, const std::string& kind, TensorId x, std::int64_t channels,
                                   bool inPlace)
{
    const TensorId y = op(name, kind, {x}, {weight(name + "/g", {2, channels})}, {shape(x)}, {x}).front();
    if (inPlace) mayOverwrite(x, y);
    return y;
}

TensorId NetworkBuilder::binary(const std::string& name, const std::string& kind, TensorId a, TensorId b)
{
    const TensorId y =
        op(name, kind, {a, b}, {}, {shape(a)}, kind == "mul" ? std::vector{a, b} : std::vector<TensorId>{}).front();
    mayOverwrite(a, y);
    mayOverwrite(b, y);
    return y;
}

TensorId NetworkBuilder::pool(const std::string& name, const std::string& kind, TensorId x, std::int64_t kernel,
                              std::int64_t stride, std::int64_t pad, bool ceil)
{
    const Shape from = shape(x);
    const bool maximum = kind == "max_pool2d"; // its gradient goes where the largest was
    return op(name, kind, {x}, {},
              {{from[0], from[1], outExtent(from[2], kernel, stride, pad, ceil), outExtent(from[3], kernel, stride, pad, ceil)}},
              maximum ? std::vector{x} : std::vector<TensorId>{}, maximum)
        .front();
}

TensorId NetworkBuilder::globalPool(const std::string& name, TensorId x)
{
    return op(name, "global_avg_pool2d", {x}, {}, {{shape(x)[0], shape(x)[1]}}, {}).front();
}

TensorId NetworkBuilder::concat(const std::string& name, std::initializer_list<TensorId> parts)
{
    Shape to = shape(*parts.begin());
    to[1] = 0;
    for (const TensorId part : parts) to[1] += shape(part)[1];
    return op(name, "concat", parts, {}, {to}, {}).front();
}

TensorId NetworkBuilder::crop(const std::string& name, TensorId x, std::int64_t height, std::int64_t width)
{
    return op(name, "crop", {x}, {}, {{shape(x)[0], shape(x)[1], height, width}}, {}).front();
}

TensorId NetworkBuilder::dense(const std::string& name, TensorId x, std::int64_t units, bool flat)
{
    Shape to = shape(x);
    const std::int64_t from = flat ? elements(to) / to.front() : to.back();
    if (flat) to.resize(2);
    to.back() = units;
    return op(name, "dense", {x}, {weight(name + "/w", {units, from}), weight(name + "/b", {units})}, {to}, {x}).front();
}

TensorId NetworkBuilder::matmul(const std::string& name, TensorId a, TensorId b, Shape result)
{
    return op(name, "matmul", {a, b}, {}, {std::move(result)}, {a, b}).front();
}

Program NetworkBuilder::finish(std::vector<TensorId> outputs)
{
    for (const TensorId id : outputs) tensor(id).kind = TensorKind::output;
    function_.regions.front().outputs = std::move(outputs);
    Program program;
    program.name = name_;
    program.functions.push_back(std::move(function_));
    io::stateTraits(program);
    return program;
}

Program NetworkBuilder::inference(TensorId result)
{
    return finish({result});
}

/// The sum of what its users gave; none when nobody did.
TensorId NetworkBuilder::gradient(TensorId id, std::vector<std::vector<TensorId>>& parts)
{
    std::vector<TensorId>& own = parts[at(id)];
    if (own.empty()) return none;
    TensorId sum = own.front();
    for (std::size_t i = 1; i < own.size(); ++i) {
        const std::string name = "grad_sum" + std::to_string(i) + "/" + tensor(id).name;
        const TensorId next = add(name, tensor(id).shape);
        addOp(name, "add", {sum, own[i]}, {next});
        mayOverwrite(sum, next);
        mayOverwrite(own[i], next);
        sum = next;
    }
    return sum;
}

Program NetworkBuilder::training(TensorId result)
{
    std::vector<std::vector<TensorId>> parts(function_.tensors.size());
    const TensorId loss = add("loss", {1});
    const TensorId target = input("target", tensor(result).shape);
    const TensorId first = add("grad/" + tensor(result).name, tensor(result).shape);
    addOp("loss", "loss", {result, target}, {loss, first});
    mayOverwrite(target, first);
    parts[at(result)].push_back(first);
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
        const Op forward = function_.ops[at(step->op)];
        std::vector<TensorId> reads;
        for (const TensorId output : forward.outputs)
            if (const TensorId own = gradient(output, parts); own != none) reads.push_back(own);
        if (reads.empty()) continue;
        const std::size_t given = reads.size();
        for (const TensorId id : step->saved)
            if (std::find(reads.begin(), reads.end(), id) == reads.end()) reads.push_back(id);
        reads.insert(reads.end(), step->weights.begin(), step->weights.end());
        std::vector<TensorId> makes;
        for (const TensorId input : step->inputs) {
            if (!wantsGradient_[at(input)]) continue;
            const TensorId made = add("grad/" + forward.name + "/" + tensor(input).name, tensor(input).shape);
            makes.push_back(made);
            parts[at(input)].push_back(made);
        }
        std::vector<TensorId> weightGradients;
        for (const TensorId w : step->weights)
            weightGradients.push_back(add("grad/" + forward.name + "/" + tensor(w).name, tensor(w).shape));
        std::vector<TensorId> all = makes;
        all.insert(all.end(), weightGradients.begin(), weightGradients.end());
        if (all.empty()) continue;
        addOp("grad/" + forward.name, forward.kind + "_grad", reads, all);
        // Element by element: the gradient of the input may lie over that of the result.
        if (given == 1 && makes.size() == 1 && step->weights.empty() &&
            tensor(makes.front()).shape == tensor(reads.front()).shape && step->inputs.size() == 1 && !forward.inPlace.empty())
            mayOverwrite(reads.front(), makes.front());
        if (!weightGradients.empty()) addOp("apply/" + forward.name, "sgd", weightGradients, {});
    }
    return finish({loss});
}

} // namespace stowage::test
