// The cost of an op on a device: measured, from a file, or estimated from shapes.
#pragma once

#include "core/ir/program.h"
#include "core/pipeline/devices.h"

#include <map>
#include <string>
#include <vector>

namespace stowage::pipeline {

/// A file of measurements (`stowage.costs/1`): µs by the op's name, then by the name or the kind of the device.
using Measurements = std::map<std::string, std::map<std::string, double, std::less<>>, std::less<>>;

enum class CostSource : std::uint8_t {
    measured,  ///< from the file of measurements
    given,     ///< `cost_us` of the op
    estimated, ///< from shapes
};
std::string_view toText(CostSource);

/// How the floating-point operations of an op are counted. Multiply and add count as two.
enum class FlopRule : std::uint8_t {
    convolution, ///< 2 x output elements x weight elements / output channels
    dense,       ///< 2 x output elements x length of the inner dimension
    pooling,     ///< input elements
    softmax,     ///< 5 x output elements
    elementwise, ///< output elements
    moving,      ///< none: reshape, concatenate, transpose, pad, …
    nested,      ///< the ops inside; of a loop, times its trip count
};
/// "2 x output elements x weight elements / output channels"
std::string_view formulaOf(FlopRule);
/// By `Op::traits`; `nested` for ops with regions and calls.
FlopRule flopRule(const Op& op);

/// The work of an op, whatever the device.
struct WorkEstimate {
    FlopRule rule = FlopRule::elementwise;
    double flops = 0;
    double bytes = 0; ///< of inputs and outputs, constants included
};
/// Linear in the op and the ops inside. Unknown sizes count as nothing.
WorkEstimate workOf(const Program& program, const Function& function, const Op& op);

struct OpCost {
    Ticks ticks = 0;
    CostSource source = CostSource::estimated;
};

/// The cost of an op of `function` on `device`: measured by the device's name, then its kind; else the op's own for the name, the
/// kind, or any device; else `start_us + max(flops / flops_per_us, bytes / bytes_per_us)`.
OpCost costOf(const Program& program, const Function& function, const Op& op, const Device& device,
              const Measurements& measurements);

} // namespace stowage::pipeline
