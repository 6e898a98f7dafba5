// The cost of an op on a device: measured, stated by the model, or estimated from shapes.
#pragma once

#include "core/ir/program.h"
#include "core/pipeline/devices.h"

#include <map>
#include <string>
#include <vector>

namespace stowage::pipeline {

/// Contents of a file of measurements (`stowage.costs/1`): the time in µs, by name of the op, then by name or kind of the device.
using Measurements = std::map<std::string, std::map<std::string, double, std::less<>>, std::less<>>;

enum class CostSource : std::uint8_t {
    measured,  ///< from the file of measurements
    given,     ///< `cost_us` of the op
    estimated, ///< from shapes
};
std::string_view toText(CostSource);

/// Formula for the number of floating-point operations of an op. A multiplication with an addition counts as two operations.
enum class FlopRule : std::uint8_t {
    convolution, ///< 2 x output elements x weight elements / output channels
    dense,       ///< 2 x output elements x length of the inner dimension
    pooling,     ///< input elements
    softmax,     ///< 5 x output elements
    elementwise, ///< output elements
    moving,      ///< 0: reshape, concatenate, transpose, pad, …
    nested,      ///< sum over the ops inside; for a loop, times its trip count
};
/// "2 x output elements x weight elements / output channels"
std::string_view formulaOf(FlopRule);
/// The rule that follows from `Op::traits`; `nested` for ops with regions and for calls.
FlopRule flopRule(const Op& op);

/// The work of an op, independent of the device.
struct WorkEstimate {
    FlopRule rule = FlopRule::elementwise;
    double flops = 0;
    double bytes = 0; ///< bytes of inputs and outputs, constants included
};
/// Tensors of unknown size count as 0 bytes and 0 elements. Linear in the op and the ops inside it.
WorkEstimate workOf(const Program& program, const Function& function, const Op& op);

struct OpCost {
    Ticks ticks = 0;
    CostSource source = CostSource::estimated;
};

/// The cost of `op`, an op of `function`, on `device`. The first of these that exists counts: the measurement for the device's
/// name; the measurement for its kind; the op's `cost_us` for the name, for the kind, for any device. Otherwise the cost is
/// estimated as `start_us + max(flops / flops_per_us, bytes / bytes_per_us)`.
OpCost costOf(const Program& program, const Function& function, const Op& op, const Device& device,
              const Measurements& measurements);

} // namespace stowage::pipeline
