#include "core/pipeline/costs.h"

#include "core/ir/dtype.h"

#include <algorithm>
#include <array>

namespace stowage::pipeline {

namespace {

double elementsOf(const Tensor& tensor)
{
    if (!tensor.shape.empty()) {
        double elements = 1;
        for (const std::int64_t dimension : tensor.shape) elements *= static_cast<double>(std::max<std::int64_t>(dimension, 1));
        return elements;
    }
    const auto bits = dtypeBits(tensor.dtype);
    const double bytes = static_cast<double>(tensor.bytes.value_or(0));
    return bits && *bits > 0 ? bytes * 8 / static_cast<double>(*bits) : bytes;
}

const Tensor& tensorOf(const Function& function, TensorId id)
{
    return function.tensors[at(id)];
}

double outputElements(const Function& function, const Op& op)
{
    double elements = 0;
    for (const TensorId output : op.outputs) elements += elementsOf(tensorOf(function, output));
    return elements;
}

/// The weights of an op: its largest constant input by elements; without a constant, its second input.
const Tensor* weightsOf(const Function& function, const Op& op)
{
    const Tensor* weights = nullptr;
    for (std::size_t i = 1; i < op.inputs.size(); ++i) {
        const Tensor& tensor = tensorOf(function, op.inputs[i]);
        if (tensor.kind == TensorKind::constant && (!weights || elementsOf(tensor) > elementsOf(*weights))) weights = &tensor;
    }
    if (!weights && op.inputs.size() > 1) weights = &tensorOf(function, op.inputs[1]);
    return weights;
}

/// Number of weights that one output element depends on. Output channels are the first dimension of the weights; in TFLite's
/// depthwise convolution they are the last one.
double weightsPerOutput(const Function& function, const Op& op)
{
    const Tensor* weights = weightsOf(function, op);
    if (!weights) return 1;
    double channels = 1;
    if (!weights->shape.empty()) {
        const bool depthwise = op.traits.work == OpWork::depthwiseConvolution && weights->shape.front() == 1;
        channels = static_cast<double>(std::max<std::int64_t>(depthwise ? weights->shape.back() : weights->shape.front(), 1));
    }
    return elementsOf(*weights) / channels;
}

double innerLength(const Function& function, const Op& op)
{
    if (op.traits.work == OpWork::product) {
        if (op.inputs.empty() || tensorOf(function, op.inputs.front()).shape.empty()) return 1;
        return static_cast<double>(std::max<std::int64_t>(tensorOf(function, op.inputs.front()).shape.back(), 1));
    }
    return weightsPerOutput(function, op);
}

double flopsOf(FlopRule rule, const Function& function, const Op& op)
{
    switch (rule) {
    case FlopRule::convolution: return 2 * outputElements(function, op) * weightsPerOutput(function, op);
    case FlopRule::dense: return 2 * outputElements(function, op) * innerLength(function, op);
    case FlopRule::pooling: return op.inputs.empty() ? 0 : elementsOf(tensorOf(function, op.inputs.front()));
    case FlopRule::softmax: return 5 * outputElements(function, op);
    case FlopRule::elementwise: return outputElements(function, op);
    case FlopRule::moving:
    case FlopRule::nested: break;
    }
    return 0;
}

double bytesOf(const Function& function, const Op& op)
{
    double bytes = 0;
    for (const TensorId id : op.inputs) bytes += static_cast<double>(tensorOf(function, id).bytes.value_or(0));
    for (const TensorId id : op.outputs) bytes += static_cast<double>(tensorOf(function, id).bytes.value_or(0));
    return bytes;
}

/// Recursion follows the nesting of regions and calls, which the verifier bounds.
template <typename Visit>
void eachInside(const Program& program, const Function& function, const Op& op, double times, Visit&& visit)
{
    if (op.control == Control::loop) times *= static_cast<double>(std::max<std::int64_t>(op.tripCount.value_or(1), 0));
    if (op.control == Control::branch) times /= static_cast<double>(std::max<std::size_t>(op.regions.size(), 1));
    const auto region = [&](const Function& in, RegionId id) {
        for (const OpId inner : in.regions[at(id)].ops) visit(in, in.ops[at(inner)], times);
    };
    if (op.control == Control::call)
        region(program.functions[at(op.callee)], 0);
    else
        for (const RegionId id : op.regions) region(function, id);
}

const double* find(const std::map<std::string, double, std::less<>>& costs, std::string_view key)
{
    const auto found = costs.find(key);
    return found == costs.end() ? nullptr : &found->second;
}

const double* measured(const Measurements& measurements, const std::string& op, const Device& device)
{
    const auto found = measurements.find(op);
    if (found == measurements.end()) return nullptr;
    if (const double* cost = find(found->second, device.name)) return cost;
    return device.kind.empty() ? nullptr : find(found->second, device.kind);
}

const double* given(const Op& op, const Device& device)
{
    const auto by = [&](std::string_view name) -> const double* {
        for (const DeviceCost& cost : op.cost)
            if (cost.device == name) return &cost.microseconds;
        return nullptr;
    };
    if (const double* cost = by(device.name)) return cost;
    if (const double* cost = device.kind.empty() ? nullptr : by(device.kind)) return cost;
    return by("");
}

} // namespace

Device plainDevice(std::size_t index)
{
    Device device;
    device.name = "device" + std::to_string(index);
    device.kind = "cpu";
    device.flopsPerUs = 8000;
    device.bytesPerUs = 4000;
    device.startUs = 1;
    return device;
}

std::string_view toText(CostSource source)
{
    constexpr std::array<std::string_view, 3> names{"measured", "given", "estimated"};
    return names[static_cast<std::size_t>(source)];
}

std::string_view formulaOf(FlopRule rule)
{
    constexpr std::array<std::string_view, 7> formulas{"2 x output elements x weight elements / output channels",
                                                       "2 x output elements x length of the inner dimension",
                                                       "input elements",
                                                       "5 x output elements",
                                                       "output elements",
                                                       "0",
                                                       "sum over the ops inside, x trip count, / number of branches"};
    return formulas[static_cast<std::size_t>(rule)];
}

FlopRule flopRule(const Op& op)
{
    if (op.control != Control::leaf) return FlopRule::nested;
    switch (op.traits.work) {
    case OpWork::convolution:
    case OpWork::depthwiseConvolution: return FlopRule::convolution;
    case OpWork::dense:
    case OpWork::product: return FlopRule::dense;
    case OpWork::pooling: return FlopRule::pooling;
    case OpWork::softmax: return FlopRule::softmax;
    case OpWork::moving: return FlopRule::moving;
    case OpWork::elementWise: break;
    }
    return FlopRule::elementwise;
}

WorkEstimate workOf(const Program& program, const Function& function, const Op& op)
{
    WorkEstimate work;
    work.rule = flopRule(op);
    if (work.rule != FlopRule::nested) {
        work.flops = flopsOf(work.rule, function, op);
        work.bytes = bytesOf(function, op);
        return work;
    }
    eachInside(program, function, op, 1, [&](const Function& in, const Op& inner, double times) {
        const WorkEstimate each = workOf(program, in, inner);
        work.flops += times * each.flops;
        work.bytes += times * each.bytes;
    });
    return work;
}

OpCost costOf(const Program& program, const Function& function, const Op& op, const Device& device,
              const Measurements& measurements)
{
    if (const double* cost = measured(measurements, op.name, device)) return {toTicks(*cost), CostSource::measured};
    if (const double* cost = given(op, device)) return {toTicks(*cost), CostSource::given};
    if (op.control != Control::leaf) {
        double ticks = static_cast<double>(toTicks(device.startUs));
        eachInside(program, function, op, 1, [&](const Function& in, const Op& inner, double times) {
            ticks += times * static_cast<double>(costOf(program, in, inner, device, measurements).ticks);
        });
        return {toTicks(ticks / static_cast<double>(ticksPerMicrosecond)), CostSource::estimated};
    }
    const WorkEstimate work = workOf(program, function, op);
    const double computing = device.flopsPerUs > 0 ? work.flops / device.flopsPerUs : 0;
    const double moving = device.bytesPerUs > 0 ? work.bytes / device.bytesPerUs : 0;
    return {toTicks(device.startUs + std::max(computing, moving)), CostSource::estimated};
}

} // namespace stowage::pipeline
