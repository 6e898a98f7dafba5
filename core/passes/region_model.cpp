#include "core/passes/region_model.h"

#include "core/ir/region_tree.h"
#include "core/lower/partial_order.h"

#include <algorithm>
#include <map>
#include <set>

namespace stowage {

namespace {

bool liveAt(const Buffer& buffer, Step step)
{
    return std::any_of(buffer.live.begin(), buffer.live.end(), [&](const Interval& range) { return range.contains(step); });
}

class ModelMaker {
public:
    ModelMaker(const LoweredProgram& lowered, lowering::InstanceId instance, RegionId region, bool overwrites, bool relaxed,
               const std::function<bool()>& stop)
        : lowered_(lowered),
          problem_(lowered.lowering.problem),
          instance_(instance),
          function_(lowered.expansion.function(instance)),
          functionId_(lowered.expansion.instances[at(instance)].function),
          region_(function_.regions[at(region)]),
          regionId_(region),
          tree_(RegionTree::of(function_)),
          overwrites_(overwrites),
          relaxed_(relaxed),
          stop_(stop)
    {
        steps_ = lowered.expansion.regionSteps[lowered.expansion.instances[at(instance)].firstRegion + at(region)];
        for (lowering::InstanceId i = lowered.expansion.instances[at(instance)].caller; i != none;
             i = lowered.expansion.instances[at(i)].caller)
            callers_.insert(lowered.expansion.instances[at(i)].function);
    }

    RegionModel make()
    {
        RegionModel model;
        OrderProblem& out = model.problem;
        out.nodes.resize(region_.ops.size());
        findTouches();
        findEnds();
        sortBuffers(out);
        findOwnRanges();
        for (std::size_t k = 0; k < region_.ops.size(); ++k) {
            if (stop_ && stop_()) {
                model.stopped = true;
                return model;
            }
            makeNode(k, out);
        }
        makeEdges(out);
        for (Step step = steps_.begin; step < steps_.end; ++step)
            model.listedPeak = std::max(model.listedPeak, lowered_.live[static_cast<std::size_t>(step)]);

        std::vector<std::int32_t> listed(out.nodes.size());
        for (std::size_t k = 0; k < listed.size(); ++k) listed[k] = static_cast<std::int32_t>(k);
        OrderProblem plain = out;
        for (OrderProblem::Node& node : plain.nodes) node.overwrites.clear();
        const std::vector<Bytes> along = liveAlong(plain, listed);
        for (std::size_t k = 0; k < along.size(); ++k) {
            Bytes most = 0;
            const Interval own = stepsOf(region_.ops[k]);
            for (Step step = own.begin; step < own.end; ++step)
                most = std::max(most, lowered_.live[static_cast<std::size_t>(step)]);
            if (k == 0 && (regionId_ != 0 || lowered_.expansion.instances[at(instance_)].caller != none)) {
                model.atFirst = std::max<Bytes>(0, most - along[0]);
                most -= model.atFirst;
            }
            // A relaxed model may give less than the lowered program for an op with regions or calls, but no model may give more.
            model.exact &= relaxed_ && !out.nodes[k].moments.empty() ? along[k] <= most : along[k] == most;
        }
        return model;
    }

private:
    struct Use {
        std::int32_t node;
        Step step;    ///< -1: by the op itself, at no particular step
        bool scratch; ///< needs no contents before or after
        friend auto operator<=>(const Use&, const Use&) = default;
    };

    [[nodiscard]] Interval stepsOf(OpId op) const
    {
        return lowered_.expansion.opSteps[lowered_.expansion.instances[at(instance_)].firstOp + at(op)];
    }
    [[nodiscard]] Bytes bytesOf(BufferId id) const { return countedBytes(problem_, problem_.buffers[at(id)]); }

    void use(lowering::InstanceId instance, TensorId tensor, const Use& use)
    {
        const BufferId buffer = lowered_.lowering.instances[at(instance)].bindings[at(tensor)].buffer;
        if (buffer != none && bytesOf(buffer) > 0) uses_[buffer].push_back(use);
    }

    /// Collects the buffers that each node uses, with the steps.
    void findTouches()
    {
        for (std::size_t k = 0; k < region_.ops.size(); ++k) {
            const OpId id = region_.ops[k];
            const auto node = static_cast<std::int32_t>(k);
            const Op& op = function_.ops[at(id)];
            const bool leaf = op.control == Control::leaf;
            const Interval own = stepsOf(id);
            const Step step = leaf ? own.begin : -1;
            for (const auto* list : {&op.inputs, &op.outputs})
                for (const TensorId tensor : *list) use(instance_, tensor, {node, step, false});
            for (const TensorId tensor : op.temps) use(instance_, tensor, {node, step, true});
            if (leaf) continue;
            if (op.control == Control::exit)
                for (const Carry& carry : op.carries) use(instance_, carry.from, {node, -1, false});
            for (Step inner = own.begin; inner < own.end; ++inner) {
                const lowering::StepPlace& place = lowered_.expansion.steps[static_cast<std::size_t>(inner)];
                if (place.op == none || (place.instance == instance_ && place.op == id)) continue;
                const Op& inside = lowered_.expansion.function(place.instance).ops[at(place.op)];
                for (const auto* list : {&inside.inputs, &inside.outputs, &inside.temps})
                    for (const TensorId tensor : *list) use(place.instance, tensor, {node, inner, false});
            }
            // Adds inputs and outputs of regions and callees, and the ops that hold them.
            for (std::size_t i = 0; i < lowered_.expansion.instances.size(); ++i) {
                const auto inner = static_cast<lowering::InstanceId>(i);
                const bool here = inner == instance_;
                if (!here && !calledFrom(inner, id)) continue;
                const Function& function = lowered_.expansion.function(inner);
                const RegionTree tree = here ? tree_ : RegionTree::of(function);
                for (std::size_t r = here ? 1 : 0; r < function.regions.size(); ++r) {
                    const Region& inside = function.regions[r];
                    if (here && !(tree.regions[r].reached() && tree.ops[at(id)].contains(tree.regions[r]))) continue;
                    for (const auto* list : {&inside.inputs, &inside.outputs})
                        for (const TensorId tensor : *list) use(inner, tensor, {node, -1, false});
                    for (const OpId o : inside.ops)
                        for (const auto* list : {&function.ops[at(o)].inputs, &function.ops[at(o)].outputs})
                            for (const TensorId tensor : *list) use(inner, tensor, {node, -1, false});
                }
            }
        }
        for (auto& [buffer, uses] : uses_) {
            std::sort(uses.begin(), uses.end());
            uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
        }
    }

    /// True when instance `inner` was expanded inside op `id` of this instance.
    [[nodiscard]] bool calledFrom(lowering::InstanceId inner, OpId id) const
    {
        for (lowering::InstanceId i = inner; i != none; i = lowered_.expansion.instances[at(i)].caller) {
            const lowering::Instance& instance = lowered_.expansion.instances[at(i)];
            if (instance.caller != instance_ || instance.callSite == none) continue;
            return tree_.ops[at(id)].contains(tree_.ops[at(instance.callSite)]);
        }
        return false;
    }

    /// Finds the buffers that are live at the begin and at the end of the region in every order.
    void findEnds()
    {
        const auto note = [&](const std::vector<TensorId>& tensors, std::set<BufferId>& into) {
            for (const TensorId tensor : tensors)
                if (const BufferId buffer = lowered_.lowering.instances[at(instance_)].bindings[at(tensor)].buffer;
                    buffer != none)
                    into.insert(buffer);
        };
        note(region_.inputs, entry_);
        note(region_.outputs, exit_);
        const lowering::Instance& instance = lowered_.expansion.instances[at(instance_)];
        const bool outermost = regionId_ == 0 && instance.caller == none;
        Interval around = steps_;
        if (regionId_ != 0)
            around = stepsOf(region_.owner);
        else if (instance.caller != none)
            around =
                lowered_.expansion.opSteps[lowered_.expansion.instances[at(instance.caller)].firstOp + at(instance.callSite)];
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const auto id = static_cast<BufferId>(b);
            const Buffer& buffer = problem_.buffers[b];
            const bool always = buffer.kind == BufferKind::constant || buffer.kind == BufferKind::variable;
            if (outermost) {
                if (always || buffer.kind == BufferKind::output) exit_.insert(id);
                if (always || buffer.kind == BufferKind::input || liveAt(buffer, 0)) entry_.insert(id);
            } else if (placeOf(id) == Place::around) {
                const bool throughout = std::any_of(buffer.live.begin(), buffer.live.end(), [&](const Interval& range) {
                    return range.begin <= around.begin && around.end <= range.end;
                });
                if (throughout && (!uses_.contains(id) || insideLoop())) entry_.insert(id), exit_.insert(id);
                if (around.begin > 0 && liveAt(buffer, around.begin - 1) && liveAt(buffer, steps_.begin)) entry_.insert(id);
                if (liveAt(buffer, around.end) && liveAt(buffer, steps_.end - 1)) exit_.insert(id);
            }
        }
    }

    /// True when the region is repeated by a loop: buffers that are live around the loop then stay live.
    [[nodiscard]] bool insideLoop() const
    {
        return lowered_.expansion.regionLoops[lowered_.expansion.instances[at(instance_)].firstRegion + at(regionId_)] != none;
    }

    enum class Place { here, around, inside };
    /// Finds where each buffer is declared, relative to the region.
    [[nodiscard]] Place placeOf(BufferId id) const
    {
        const BufferOrigin& origin = lowered_.lowering.origins[at(id)];
        if (origin.function == none || callers_.contains(origin.function)) return Place::around;
        if (origin.function != functionId_) return Place::inside;
        const RegionId region = function_.tensors[at(origin.tensor)].region;
        if (region == regionId_) return Place::here;
        return tree_.inside(region, regionId_) ? Place::inside : Place::around;
    }

    /// Makes a storage for each buffer whose lifetime depends on the order; buffers that are always live are added to the base.
    void sortBuffers(OrderProblem& out)
    {
        storageOf_.assign(problem_.buffers.size(), none);
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const auto id = static_cast<BufferId>(b);
            const Bytes bytes = bytesOf(id);
            if (bytes == 0 || placeOf(id) == Place::inside) continue;
            const bool entry = entry_.contains(id), exit = exit_.contains(id);
            const auto uses = uses_.find(id);
            if (entry && exit) {
                if (liveAt(problem_.buffers[b], steps_.begin)) out.base += bytes;
                always_.insert(id);
                continue;
            }
            if (uses == uses_.end()) {
                // Live in the region although no op of it uses the buffer: it is live across the region.
                if (liveAt(problem_.buffers[b], steps_.begin) && liveAt(problem_.buffers[b], steps_.end - 1) && entry)
                    out.base += bytes;
                continue;
            }
            if (!entry && !exit &&
                std::all_of(uses->second.begin(), uses->second.end(), [](const Use& use) { return use.scratch; }))
                continue;
            storageOf_[b] = static_cast<std::int32_t>(out.storages.size());
            out.storages.push_back({bytes, entry, exit});
        }
        for (const auto& [buffer, uses] : uses_)
            if (const std::int32_t storage = storageOf_[at(buffer)]; storage != none)
                for (const Use& use : uses) out.nodes[at(use.node)].touches.push_back(storage);
        for (OrderProblem::Node& node : out.nodes) {
            std::sort(node.touches.begin(), node.touches.end());
            node.touches.erase(std::unique(node.touches.begin(), node.touches.end()), node.touches.end());
        }
    }

    /// A live range of a buffer that is live inside nodes, and is neither a storage of the region nor always live.
    struct OwnRange {
        Interval live;
        BufferId buffer;
    };

    void findOwnRanges()
    {
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            const auto buffer = static_cast<BufferId>(b);
            if (storageOf_[b] != none || always_.contains(buffer) || bytesOf(buffer) == 0) continue;
            if (placeOf(buffer) != Place::inside && !uses_.contains(buffer)) continue;
            for (const Interval& range : problem_.buffers[b].live) ownRanges_.push_back({range, buffer});
        }
        std::ranges::stable_sort(ownRanges_, {}, [](const OwnRange& range) { return range.live.begin; });
    }

    /// The buffers of `ownRanges_` that are live at a step of `own`, ascending. Requires ascending `own` in successive calls: the
    /// steps of the nodes are in listed order. A call looks only at ranges that have begun and are not over.
    [[nodiscard]] std::vector<BufferId> liveInside(const Interval& own)
    {
        std::erase_if(begun_, [&](const OwnRange& range) { return range.live.end <= own.begin; });
        for (; nextRange_ < ownRanges_.size() && ownRanges_[nextRange_].live.begin < own.end; ++nextRange_)
            if (ownRanges_[nextRange_].live.end > own.begin) begun_.push_back(ownRanges_[nextRange_]);
        std::vector<BufferId> inside;
        for (const OwnRange& range : begun_) inside.push_back(range.buffer);
        std::ranges::sort(inside);
        inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
        return inside;
    }

    void makeNode(std::size_t k, OrderProblem& out)
    {
        const OpId id = region_.ops[k];
        const Op& op = function_.ops[at(id)];
        OrderProblem::Node& node = out.nodes[k];
        const Interval own = stepsOf(id);
        const bool leaf = op.control == Control::leaf;
        if (leaf && overwrites_ && !op.inPlaceRequired)
            for (const InPlace& pair : op.inPlace) addOverwrite(pair, node);
        const std::vector<BufferId> inside = liveInside(own);
        if (leaf) {
            for (const BufferId buffer : inside) node.own += bytesOf(buffer);
            return;
        }
        for (Step step = own.begin; step < own.end; ++step) {
            OrderProblem::Moment moment;
            for (const BufferId buffer : inside)
                if (relaxed_ ? touchedAt(buffer, static_cast<std::int32_t>(k), step) : liveAt(problem_.buffers[at(buffer)], step))
                    moment.own += bytesOf(buffer);
            for (const std::int32_t storage : node.touches) moment.touched.push_back(touchOf(storage, k, step));
            if (node.moments.empty() || !(same(node.moments.back(), moment))) node.moments.push_back(std::move(moment));
        }
    }

    static bool same(const OrderProblem::Moment& a, const OrderProblem::Moment& b)
    {
        return a.own == b.own && std::equal(a.touched.begin(), a.touched.end(), b.touched.begin(), b.touched.end(),
                                            [](const auto& x, const auto& y) {
                                                return x.storage == y.storage && x.ifLast == y.ifLast && x.ifNot == y.ifNot;
                                            });
    }

    [[nodiscard]] bool touchedAt(BufferId buffer, std::int32_t node, Step step) const
    {
        const auto uses = uses_.find(buffer);
        return uses != uses_.end() && std::any_of(uses->second.begin(), uses->second.end(),
                                                  [&](const Use& use) { return use.node == node && use.step == step; });
    }

    /// Sets whether a storage is live at a step inside node `k`. The case that occurs in the listed order is read from the
    /// lowering; for the other case, only what holds in every order is set.
    OrderProblem::TouchedStorage touchOf(std::int32_t storage, std::size_t k, Step step)
    {
        if (bufferOf_.empty()) {
            for (std::size_t b = 0; b < storageOf_.size(); ++b)
                if (storageOf_[b] != none) bufferOf_.push_back(static_cast<BufferId>(b));
        }
        const BufferId buffer = bufferOf_[at(storage)];
        const auto& uses = uses_.at(buffer);
        const bool touched = touchedAt(buffer, static_cast<std::int32_t>(k), step);
        if (relaxed_) return {storage, touched, touched};
        const bool live = liveAt(problem_.buffers[at(buffer)], step);
        const bool last = uses.back().node == static_cast<std::int32_t>(k) && !exit_.contains(buffer);
        if (last) return {storage, live, true};
        const bool first = uses.front().node == static_cast<std::int32_t>(k) && !entry_.contains(buffer);
        return {storage, first ? live : touched, live};
    }

    void addOverwrite(const InPlace& pair, OrderProblem::Node& node) const
    {
        const auto& bindings = lowered_.lowering.instances[at(instance_)].bindings;
        const BufferId input = bindings[at(pair.input)].buffer, output = bindings[at(pair.output)].buffer;
        if (input == none || output == none || input == output || bindings[at(pair.output)].delta != 0) return;
        const std::int32_t in = storageOf_[at(input)], out = storageOf_[at(output)];
        const BufferKind kind = problem_.buffers[at(input)].kind;
        if (in == none || out == none || kind == BufferKind::constant || kind == BufferKind::variable) return;
        if (kind == BufferKind::input && problem_.buffers[at(output)].kind == BufferKind::output) return;
        node.overwrites.push_back({in, out});
    }

    void makeEdges(OrderProblem& out)
    {
        std::map<OpId, std::int32_t> nodeOf;
        for (std::size_t k = 0; k < region_.ops.size(); ++k) nodeOf[region_.ops[k]] = static_cast<std::int32_t>(k);
        const auto all = lowering::dependencies(*lowered_.program, functionId_, lowering::Effects::possible);
        for (const auto& [first, second] : all[at(regionId_)]) out.edges.emplace_back(nodeOf.at(first), nodeOf.at(second));
        // The dependencies keep the position of an op with an obligatory in-place output relative to the users of its input. Here
        // follow the users of the same buffer: the lowering may have put further tensors into it.
        for (std::size_t k = 0; k < region_.ops.size(); ++k) {
            const Op& op = function_.ops[at(region_.ops[k])];
            if (!op.inPlaceRequired) continue;
            for (const InPlace& pair : op.inPlace)
                for (const TensorId tensor : {pair.input, pair.output}) {
                    const BufferId buffer = lowered_.lowering.instances[at(instance_)].bindings[at(tensor)].buffer;
                    if (buffer == none || !uses_.contains(buffer)) continue;
                    for (const Use& use : uses_.at(buffer))
                        if (use.node < static_cast<std::int32_t>(k))
                            out.edges.emplace_back(use.node, static_cast<std::int32_t>(k));
                        else if (use.node > static_cast<std::int32_t>(k))
                            out.edges.emplace_back(static_cast<std::int32_t>(k), use.node);
                }
        }
        std::sort(out.edges.begin(), out.edges.end());
        out.edges.erase(std::unique(out.edges.begin(), out.edges.end()), out.edges.end());
    }

    const LoweredProgram& lowered_;
    const Problem& problem_;
    lowering::InstanceId instance_;
    const Function& function_;
    FunctionId functionId_;
    const Region& region_;
    RegionId regionId_;
    RegionTree tree_;
    bool overwrites_, relaxed_;
    const std::function<bool()>& stop_;
    Interval steps_;
    std::set<FunctionId> callers_;
    std::map<BufferId, std::vector<Use>> uses_;
    std::set<BufferId> entry_, exit_, always_;
    std::vector<std::int32_t> storageOf_; ///< by buffer
    std::vector<BufferId> bufferOf_;      ///< by storage
    std::vector<OwnRange> ownRanges_;     ///< ascending by begin
    std::size_t nextRange_ = 0;           ///< the first of `ownRanges_` that begins after the nodes so far
    std::vector<OwnRange> begun_;         ///< those before it that are not over
};

} // namespace

Bytes countedBytes(const Problem& problem, const Buffer& buffer)
{
    for (const PoolId pool : problem.candidates(buffer))
        if (problem.pools[at(pool)].kind == PoolKind::workspace) return buffer.size * buffer.slots;
    return 0;
}

Bytes peakBytes(const Problem& problem)
{
    std::vector<std::pair<Step, Bytes>> changes;
    for (const Buffer& buffer : problem.buffers)
        for (const Interval& range : buffer.live) {
            changes.emplace_back(range.begin, countedBytes(problem, buffer));
            changes.emplace_back(range.end, -countedBytes(problem, buffer));
        }
    std::sort(changes.begin(), changes.end()); // at one step, ends come before begins
    Bytes live = 0, peak = 0;
    for (const auto& [step, by] : changes) peak = std::max(peak, live += by);
    return peak;
}

Expected<LoweredProgram> LoweredProgram::of(const Program& program, LowerOptions options)
{
    options.order = Order::linear;
    options.inPlace = InPlaceMode::off;
    auto lowered = lower(program, options);
    if (!lowered) return std::move(lowered).error();
    auto expansion = lowering::expand(program);
    if (!expansion) return std::move(expansion).error();
    LoweredProgram result{&program, *std::move(lowered), *std::move(expansion), {}};
    result.live.assign(static_cast<std::size_t>(result.expansion.horizon()) + 1, 0);
    for (const Buffer& buffer : result.lowering.problem.buffers)
        for (const Interval& range : buffer.live) {
            result.live[static_cast<std::size_t>(range.begin)] += countedBytes(result.lowering.problem, buffer);
            result.live[static_cast<std::size_t>(range.end)] -= countedBytes(result.lowering.problem, buffer);
        }
    for (std::size_t step = 1; step < result.live.size(); ++step) result.live[step] += result.live[step - 1];
    return result;
}

RegionModel regionModel(const LoweredProgram& lowered, lowering::InstanceId instance, RegionId region, bool overwrites,
                        bool relaxed, const std::function<bool()>& stop)
{
    return ModelMaker(lowered, instance, region, overwrites, relaxed, stop).make();
}

} // namespace stowage
