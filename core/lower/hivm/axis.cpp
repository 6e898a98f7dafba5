#include "core/lower/hivm/axis.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::lowering {

namespace {

constexpr Step maxNumbers = Step{1} << 24;

class AxisNumbering {
public:
    AxisNumbering(const Function& function, HivmAxis& axis) : function_(function), axis_(axis) {}

    /// Numbers the ops of a region in pre-order. False beyond `maxNumbers`. `depth`: the number of regions around it.
    bool walk(RegionId id, LoopId loop, std::int32_t depth)
    {
        axis_.regionLoops[at(id)] = loop;
        axis_.depth[at(id)] = depth;
        for (const OpId opId : function_.regions[at(id)].ops) {
            const Op& op = function_.ops[at(opId)];
            axis_.order.push_back(opId);
            axis_.ops[at(opId)] = {next(), next()};
            if (!take(opId)) return false;
            if (op.control == Control::loop) {
                const auto inner = static_cast<LoopId>(axis_.loops.size());
                axis_.loops.push_back({op.name, loop, {}, op.tripCount});
                const Step first = next();
                for (const RegionId region : op.regions)
                    if (!walk(region, inner, depth + 1)) return false;
                axis_.loops[at(inner)].live = {first, std::max(next(), first + 1)};
                if (!take(opId)) return false;
            } else if (op.control == Control::branch) {
                for (std::size_t r = 0; r < op.regions.size(); ++r) {
                    if (!walk(op.regions[r], loop, depth + 1)) return false;
                    const bool counts = r == 0 || !function_.regions[at(op.regions[r])].ops.empty();
                    if (counts && !take(opId)) return false;
                }
            }
            axis_.ops[at(opId)].end = next() - 1;
        }
        return true;
    }

private:
    Step next() const { return static_cast<Step>(axis_.steps.size()); }
    bool take(OpId op)
    {
        axis_.steps.push_back(op);
        return next() <= maxNumbers;
    }

    const Function& function_;
    HivmAxis& axis_;
};

} // namespace

Expected<HivmAxis> HivmAxis::of(const Function& function)
{
    HivmAxis axis;
    axis.ops.resize(function.ops.size());
    axis.regionLoops.assign(function.regions.size(), none);
    axis.depth.assign(function.regions.size(), 0);
    if (!AxisNumbering(function, axis).walk(0, none, 0))
        return failure(Code::tooLarge, fmt::format("'{}' has more than {} numbered ops", function.name, maxNumbers));
    return axis;
}

RegionId HivmAxis::parentOf(const Function& function, RegionId region)
{
    const OpId owner = function.regions[at(region)].owner;
    return owner == none ? none : function.ops[at(owner)].parent;
}

RegionId HivmAxis::commonRegion(const Function& function, RegionId a, RegionId b) const
{
    while (a != b) {
        RegionId& deeper = depth[at(a)] >= depth[at(b)] ? a : b;
        deeper = parentOf(function, deeper);
    }
    return a;
}

OpId HivmAxis::ancestorIn(const Function& function, OpId op, RegionId region)
{
    while (function.ops[at(op)].parent != region) op = function.regions[at(function.ops[at(op)].parent)].owner;
    return op;
}

} // namespace stowage::lowering
