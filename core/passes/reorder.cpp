#include "core/passes/reorder.h"

#include "core/ir/region_tree.h"
#include "core/lower/merge.h"
#include "core/passes/region_model.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace stowage {

namespace {

struct Place {
    lowering::InstanceId instance;
    RegionId region;
};

/// The regions with at least two ops, each function's once; callees and inner regions come first.
std::vector<Place> placesToOrder(const lowering::Expansion& expansion)
{
    std::vector<Place> places;
    std::vector<std::uint8_t> seen(expansion.program->functions.size());
    std::vector<lowering::InstanceId> firsts;
    for (std::size_t i = 0; i < expansion.instances.size(); ++i)
        if (const FunctionId function = expansion.instances[i].function; !seen[at(function)]) {
            seen[at(function)] = 1;
            firsts.push_back(static_cast<lowering::InstanceId>(i));
        }
    std::reverse(firsts.begin(), firsts.end()); // before this, callers come before callees
    for (const lowering::InstanceId instance : firsts) {
        const Function& function = expansion.function(instance);
        const RegionTree tree = RegionTree::of(function);
        std::vector<RegionId> regions;
        for (std::size_t r = 0; r < function.regions.size(); ++r)
            if (function.regions[r].ops.size() > 1 && (r == 0 || tree.regions[r].reached()))
                regions.push_back(static_cast<RegionId>(r));
        std::stable_sort(regions.begin(), regions.end(),
                         [&](RegionId a, RegionId b) { return tree.depth[at(a)] > tree.depth[at(b)]; });
        for (const RegionId region : regions) places.push_back({instance, region});
    }
    return places;
}

/// True when the listed order is the only one that respects the edges: there is an edge from each op to the next.
bool onlyOneOrder(const OrderProblem& problem)
{
    for (std::int32_t v = 0; v + 1 < static_cast<std::int32_t>(problem.nodes.size()); ++v)
        if (!std::binary_search(problem.edges.begin(), problem.edges.end(), std::pair(v, v + 1))) return false;
    return true;
}

class Pass {
public:
    explicit Pass(const ReorderOptions& options) : options_(options) { options_.lower.order = Order::linear; }

    Expected<Reordered> run(const Program& program)
    {
        result_.program = program;
        const auto before = peak(program);
        if (!before) return before.error();
        result_.before = result_.after = *before;
        auto lowered = LoweredProgram::of(result_.program, options_.lower);
        if (!lowered) return std::move(lowered).error();
        const std::vector<Place> places = placesToOrder(lowered->expansion);
        for (std::size_t k = 0; k < places.size() && !result_.stopped; ++k) {
            if (options_.progress) options_.progress(k, places.size());
            if (options_.limits.stop && options_.limits.stop()) {
                result_.stopped = true;
                break;
            }
            const auto changed = orderRegion(*lowered, places[k]);
            if (!changed) return changed.error();
            if (!*changed) continue;
            lowered = LoweredProgram::of(result_.program, options_.lower);
            if (!lowered) return std::move(lowered).error();
        }
        bound(*lowered);
        result_.partial = std::ranges::any_of(lowered->lowering.leftOut,
                                              [&](const LeftOut& left) { return isOfUnknownSize(left, result_.program); });
        return std::move(result_);
    }

private:
    [[nodiscard]] Expected<Bytes> peak(const Program& program) const
    {
        const auto lowered = lower(program, options_.lower);
        if (!lowered) return lowered.error();
        return peakBytes(lowered->problem);
    }

    /// True when the order of the region has changed.
    Expected<bool> orderRegion(const LoweredProgram& lowered, const Place& place)
    {
        const bool overwrites = options_.lower.inPlace == InPlaceMode::allowed;
        const RegionModel model = regionModel(lowered, place.instance, place.region, overwrites, false, options_.limits.stop);
        if (model.stopped) {
            result_.stopped = true;
            return false;
        }
        const FunctionId function = lowered.expansion.instances[at(place.instance)].function;
        RegionOrder report{function, place.region, model.problem.nodes.size(), 0, 0, 0, false, 0};
        const bool single = onlyOneOrder(model.problem);
        if (!single && (place.region != 0 || lowered.expansion.instances[at(place.instance)].caller != none)) innerChoice_ = true;
        OrderLimits limits = options_.limits;
        if (single) limits.states = limits.beamStates = 0;
        const OrderResult found = smallestPeak(model.problem, limits);
        result_.stopped |= found.stopped;
        std::vector<std::int32_t> listedOrder(found.order.size());
        std::iota(listedOrder.begin(), listedOrder.end(), 0);
        const auto withFirst = [&](const std::vector<std::int32_t>& order, Bytes peak) {
            return order.empty() ? peak : std::max(peak, liveAlong(model.problem, order).front() + model.atFirst);
        };
        report.before = withFirst(listedOrder, found.listed);
        report.after = withFirst(found.order, found.peak);
        report.bound = single ? report.after : found.bound;
        report.proved = model.exact && report.bound >= report.after;
        report.states = found.states;
        if (place.instance == 0 && place.region == 0) outermost_ = report;
        bool changed = false;
        if (found.peak < found.listed) {
            std::vector<OpId>& ops = result_.program.functions[at(function)].regions[at(place.region)].ops;
            const std::vector<OpId> listed = ops;
            for (std::size_t k = 0; k < ops.size(); ++k) ops[k] = listed[at(found.order[k])];
            const auto now = peak(result_.program);
            // An order that cannot be lowered, or that is worse for a reason outside the model, is undone.
            if (now && *now <= result_.after) {
                result_.after = *now;
                changed = true;
            } else {
                ops = listed;
                report.after = report.before;
                report.proved = model.exact && report.bound >= report.after;
            }
        }
        result_.regions.push_back(report);
        return changed;
    }

    /// Computes the bound over all orders of all regions from the entry's own region. If no inner region has several orders, the
    /// region's own bound is used; otherwise the bound of a relaxed model. No bound if a stop came before the end of the entry's
    /// own region, which comes last: a model may take long, and other regions may have several orders as well.
    void bound(const LoweredProgram& lowered)
    {
        if (result_.stopped && !outermost_) return;
        // After a stop of the region's search the model is made to its end: the bound of the listed order needs a whole model.
        const std::function<bool()> stop = result_.stopped ? std::function<bool()>() : options_.limits.stop;
        const RegionModel model = regionModel(lowered, 0, 0, options_.lower.inPlace == InPlaceMode::allowed, innerChoice_, stop);
        result_.stopped |= model.stopped;
        if (model.stopped || !model.exact || !viewsAreMerged(lowered)) return;
        if (!innerChoice_ && outermost_) {
            result_.bound = outermost_->bound;
        } else {
            OrderLimits limits = options_.limits;
            if (result_.stopped) limits.states = 0;
            limits.beamStates = 0; // only the bound is needed
            result_.bound = smallestPeak(model.problem, limits).bound;
        }
        // The bytes that are live at step 0, before the first op, are the same in every order. They include inputs without a
        // reader.
        result_.bound = std::min(std::max(result_.bound, lowered.live.front()), result_.after);
        result_.proved = result_.bound == result_.after;
    }

    /// If some view cannot share its bytes, that may depend on the order; then there is no bound.
    [[nodiscard]] bool viewsAreMerged(const LoweredProgram& lowered) const
    {
        if (options_.lower.views != ViewMode::merged) return true;
        for (const FunctionInstance& instance : lowered.lowering.instances) {
            const Function& function = lowered.program->functions[at(instance.function)];
            for (const Op& op : function.ops) {
                if (!isView(op)) continue;
                const TensorBinding& in = instance.bindings[at(op.inputs.front())];
                const TensorBinding& out = instance.bindings[at(op.outputs.front())];
                const auto& inBytes = function.tensors[at(op.inputs.front())].bytes;
                const auto& outBytes = function.tensors[at(op.outputs.front())].bytes;
                if (in.buffer != none && out.buffer != none && in.buffer != out.buffer && inBytes && inBytes == outBytes)
                    return false;
            }
        }
        return true;
    }

    ReorderOptions options_;
    Reordered result_;
    bool innerChoice_ = false;             ///< some inner region has more than one order
    std::optional<RegionOrder> outermost_; ///< the entry's own region
};

} // namespace

Expected<Reordered> reorder(const Program& program, const ReorderOptions& options)
{
    return Pass(options).run(program);
}

} // namespace stowage
