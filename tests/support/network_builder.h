// Programs of neural networks, layer by layer, with their backward passes.
#pragma once

#include "core/ir/program.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace stowage::test {

/// Builds one function of f32 tensors, 64-byte aligned. Weights are compile-time constants, normalisation folded into two values
/// for each channel, so that the parameters can be counted. What may work in place says so. Every op remembers what its gradient
/// needs.
class NetworkBuilder {
public:
    using Shape = std::vector<std::int64_t>;

    explicit NetworkBuilder(std::string name);

    TensorId input(const std::string& name, Shape shape);
    [[nodiscard]] const Shape& shape(TensorId id) const { return tensor(id).shape; }

    enum class Norm : std::uint8_t {
        bias,
        batch,
        plain
    }; ///< what is added to a convolution: a bias, a scale and a shift, nothing
    /// NCHW. `groups` = channels: depthwise.
    TensorId conv(const std::string& name, TensorId x, std::int64_t channels, std::int64_t kernel, std::int64_t stride = 1,
                  std::int64_t pad = 0, Norm norm = Norm::batch, std::int64_t groups = 1);
    /// Transposed convolution that doubles height and width.
    TensorId upConv(const std::string& name, TensorId x, std::int64_t channels);
    /// One input, same shape. `inPlace`: it may be written over its input.
    TensorId activation(const std::string& name, const std::string& kind, TensorId x, bool inPlace = true);
    TensorId relu(const std::string& name, TensorId x) { return activation(name, "relu", x); }
    /// Scale, shift and an activation on another tensor than the input, which goes on to be used.
    TensorId normalise(const std::string& name, const std::string& kind, TensorId x, std::int64_t channels, bool inPlace);
    /// Sum or product of two of one shape; may be written over either.
    TensorId binary(const std::string& name, const std::string& kind, TensorId a, TensorId b);
    TensorId pool(const std::string& name, const std::string& kind, TensorId x, std::int64_t kernel, std::int64_t stride,
                  std::int64_t pad = 0, bool ceil = false);
    TensorId globalPool(const std::string& name, TensorId x);
    TensorId concat(const std::string& name, std::initializer_list<TensorId> parts);
    /// The middle of height and width.
    TensorId crop(const std::string& name, TensorId x, std::int64_t height, std::int64_t width);
    /// x W + b over the last dimension, or over all but the batch with `flat`.
    TensorId dense(const std::string& name, TensorId x, std::int64_t units, bool flat = false);
    TensorId matmul(const std::string& name, TensorId a, TensorId b, Shape result);
    /// Weights that several ops share.
    TensorId weight(const std::string& name, Shape shape);
    /// An op of any kind: `weights` are constants among the inputs, `saved` what its gradient reads.
    std::vector<TensorId> op(const std::string& name, const std::string& kind, const std::vector<TensorId>& inputs,
                             const std::vector<TensorId>& weights, const std::vector<Shape>& results,
                             const std::vector<TensorId>& saved, bool savesResults = false);
    /// Permits `output` to lie over `input` in the op added last.
    void mayOverwrite(TensorId input, TensorId output);

    /// The inference program that gives `result`.
    Program inference(TensorId result);
    /// Forward, loss, then the gradients in reverse, which read the activations kept since; each weight's gradient is applied at
    /// once.
    Program training(TensorId result);
    /// Elements of all weights.
    [[nodiscard]] std::int64_t parameters() const { return parameters_; }

private:
    struct Step {
        OpId op = none;
        std::vector<TensorId> inputs; ///< that are no weights
        std::vector<TensorId> weights;
        std::vector<TensorId> saved;
    };

    [[nodiscard]] const Tensor& tensor(TensorId id) const { return function_.tensors[static_cast<std::size_t>(id)]; }
    [[nodiscard]] Tensor& tensor(TensorId id) { return function_.tensors[static_cast<std::size_t>(id)]; }
    TensorId add(std::string name, Shape shape, TensorKind kind = TensorKind::intermediate);
    OpId addOp(std::string name, std::string kind, std::vector<TensorId> inputs, std::vector<TensorId> outputs);
    TensorId gradient(TensorId id, std::vector<std::vector<TensorId>>& parts);
    Program finish(std::vector<TensorId> outputs);

    std::string name_;
    Function function_;
    std::vector<Step> steps_;
    std::vector<bool> wantsGradient_; ///< by tensor: made from the input by an op
    std::int64_t parameters_ = 0;
};

} // namespace stowage::test
