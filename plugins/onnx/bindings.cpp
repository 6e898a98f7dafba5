#include "plugins/onnx/bindings.h"

#include "core/ir/parsed_number.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace stowage::onnxfile {

namespace {

constexpr int lastAxis = 63;

/// "input.0" as an input's name and an axis. The name may have dots itself; the last one counts.
struct AxisName {
    std::string_view input;
    int axis = -1;
};

std::optional<AxisName> axisNameOf(std::string_view text)
{
    const auto dot = text.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const int axis = parsedNumber<int>(text.substr(dot + 1)).value_or(-1);
    if (axis < 0 || axis > lastAxis) return std::nullopt;
    return AxisName{text.substr(0, dot), axis};
}

bool isFree(const onnx::TensorShapeProto::Dimension& dim)
{
    return !dim.has_dim_value() || dim.dim_value() < 0;
}

class Binder {
public:
    Binder(Model& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics)
    {
        const auto& graph = model.proto.graph();
        std::set<std::string_view> initialized;
        for (const auto& tensor : graph.initializer()) initialized.insert(tensor.name());
        for (auto& input : *model.proto.mutable_graph()->mutable_input())
            if (initialized.count(input.name()) == 0 && input.type().has_tensor_type()) inputs_.push_back(&input);
        // No rule infers the outputs of operators of other domains: what the file declares of them is all that is known.
        std::set<std::string_view> foreign;
        for (const auto& node : graph.node())
            if (!node.domain().empty() && node.domain() != "ai.onnx") foreign.insert(node.output().begin(), node.output().end());
        for (auto& output : *model.proto.mutable_graph()->mutable_output())
            if (foreign.contains(output.name()) && output.type().has_tensor_type()) foreignOutputs_.push_back(&output);
        where_.file = model.file;
        free_ = freeDimensions();
    }

    std::optional<Error> bind(const std::string& name, std::int64_t size, bool everywhere)
    {
        if (size < 0)
            return failure(Code::negativeDimension, fmt::format("'{}' cannot be bound to {}", name, size), where_,
                           "give a size of 0 or more");
        std::size_t bound = 0;
        for (const auto* list : {&inputs_, &foreignOutputs_})
            for (auto* info : *list) bound += bindNamed(*info, name, size);
        if (everywhere) bound += bindGraph(*model_.proto.mutable_graph(), name, size);
        if (bound > 0) return std::nullopt;
        if (const auto axis = axisNameOf(name))
            for (auto* input : inputs_)
                if (input->name() == axis->input) return bindAxis(*input, axis->axis, name, size);
        const std::string list = fmt::format("{}", fmt::join(free_, ", "));
        return failure(Code::unknownBinding, fmt::format("no free dimension is named '{}'", name),
                       inputs_.empty() ? where_ : positionOf(model_, *inputs_.front()),
                       free_.empty() ? "this model has no free dimension; leave the binding out" : "free are: " + list);
    }

    void report()
    {
        const auto open = freeDimensions();
        if (!open.empty())
            diagnostics_.push_back({Severity::warning, Code::freeDimension,
                                    fmt::format("{} of the inputs{} {} free: {}", open.size() == 1 ? "a dimension" : "dimensions",
                                                foreignOutputs_.empty() ? "" : " and outputs", open.size() == 1 ? "is" : "are",
                                                fmt::join(open, ", ")),
                                    where_, fmt::format("give sizes (--bind {}=1; in the window: Program)", open.front())});
    }

    /// As `bind` takes them.
    [[nodiscard]] std::vector<std::string> freeDimensions() const
    {
        std::vector<std::string> open;
        std::set<std::string> seen;
        for (const auto* input : inputs_) {
            const auto& tensor = input->type().tensor_type();
            if (!tensor.has_shape()) open.push_back(input->name() + ".0");
            for (int axis = 0; axis < tensor.shape().dim_size(); ++axis) {
                const auto& dim = tensor.shape().dim(axis);
                if (!isFree(dim)) continue;
                auto label = dim.dim_param().empty() ? fmt::format("{}.{}", input->name(), axis) : dim.dim_param();
                if (seen.insert(label).second) open.push_back(std::move(label));
            }
        }
        for (const auto* output : foreignOutputs_)
            for (const auto& dim : output->type().tensor_type().shape().dim())
                if (isFree(dim) && !dim.dim_param().empty() && seen.insert(dim.dim_param()).second)
                    open.push_back(dim.dim_param());
        return open;
    }

    /// Of inputs that have no shape in the file and got one, the axis after the last: they may have more, so it is no lack.
    [[nodiscard]] std::vector<std::string> furtherAxes() const
    {
        std::vector<std::string> names;
        for (auto* input : inputs_)
            if (const int axes = input->type().tensor_type().shape().dim_size(); shapeless_.contains(input) && axes <= lastAxis)
                names.push_back(fmt::format("{}.{}", input->name(), axes));
        return names;
    }

private:
    static std::size_t bindNamed(onnx::ValueInfoProto& info, const std::string& name, std::int64_t size)
    {
        std::size_t bound = 0;
        if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape()) return 0;
        for (auto& dim : *info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
            if (!dim.has_dim_param() || dim.dim_param() != name) continue;
            dim.set_dim_value(size);
            ++bound;
        }
        return bound;
    }

    static std::size_t bindGraph(onnx::GraphProto& graph, const std::string& name, std::int64_t size)
    {
        std::size_t bound = 0;
        for (auto& info : *graph.mutable_input()) bound += bindNamed(info, name, size);
        for (auto& info : *graph.mutable_output()) bound += bindNamed(info, name, size);
        for (auto& info : *graph.mutable_value_info()) bound += bindNamed(info, name, size);
        for (auto& node : *graph.mutable_node())
            for (auto& attribute : *node.mutable_attribute()) {
                if (attribute.has_g()) bound += bindGraph(*attribute.mutable_g(), name, size);
                for (auto& body : *attribute.mutable_graphs()) bound += bindGraph(body, name, size);
            }
        return bound;
    }

    std::optional<Error> bindAxis(onnx::ValueInfoProto& input, int axis, const std::string& name, std::int64_t size)
    {
        auto& tensor = *input.mutable_type()->mutable_tensor_type();
        // An input without a shape gets as many dimensions as are bound.
        if (!tensor.has_shape()) shapeless_.insert(&input);
        auto& shape = *tensor.mutable_shape();
        if (axis >= shape.dim_size()) {
            if (shapeless_.count(&input) == 0)
                return failure(Code::noSuchAxis,
                               fmt::format("'{}': the input '{}' has {} dimensions", name, input.name(), shape.dim_size()),
                               positionOf(model_, input), "axes count from 0");
            while (shape.dim_size() <= axis) shape.add_dim();
        }
        auto& dim = *shape.mutable_dim(axis);
        if (!isFree(dim) && dim.dim_value() != size)
            return failure(Code::fixedDimension,
                           fmt::format("'{}' cannot be bound to {}: it is {} already", name, size, dim.dim_value()),
                           positionOf(model_, input), "leave this binding out");
        if (const std::string shared = dim.dim_param(); !shared.empty())
            for (const auto* list : {&inputs_, &foreignOutputs_})
                for (auto* other : *list) bindNamed(*other, shared, size);
        dim.set_dim_value(size);
        return std::nullopt;
    }

    Model& model_;
    Diagnostics& diagnostics_;
    Position where_;
    std::vector<onnx::ValueInfoProto*> inputs_;         ///< those that are not initializers
    std::vector<onnx::ValueInfoProto*> foreignOutputs_; ///< outputs of the graph that an operator of another domain makes
    std::set<const onnx::ValueInfoProto*> shapeless_;
    std::vector<std::string> free_; ///< in the file, before anything is bound
};

} // namespace

std::optional<Error> bindDimensions(Model& model, Bindings bindings, bool everywhere, Diagnostics& diagnostics,
                                    std::vector<FreeDimension>& open)
{
    Binder binder(model, diagnostics);
    for (const auto& [name, size] : bindings)
        if (auto error = binder.bind(name, size, everywhere)) return error;
    binder.report();
    for (std::string& name : binder.freeDimensions()) open.push_back({std::move(name), 0});
    for (std::string& name : binder.furtherAxes()) open.push_back({std::move(name), 0});
    return std::nullopt;
}

} // namespace stowage::onnxfile
