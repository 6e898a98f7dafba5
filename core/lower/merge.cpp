#include "core/lower/merge.h"

#include "core/ir/checked.h"
#include "core/lower/live_ranges.h"
#include "core/lower/merge_obstacle.h"
#include "core/lower/touches.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace stowage::lowering {

namespace {

/// A request to give two tensors of an op one address, for the instances of its function in which they lie in the same two
/// storages.
struct Request {
    std::int32_t input = none;  ///< storage
    std::int32_t output = none; ///< storage
    Bytes delta = 0;            ///< of the input in its root
    std::vector<InstanceId> instances;
    std::vector<Step> steps; ///< of the op, ascending; empty for ops that are no leaves

    [[nodiscard]] auto key() const { return std::tuple(input, output, delta); }
};

bool contains(const std::vector<Step>& steps, Step step)
{
    return std::binary_search(steps.begin(), steps.end(), step);
}

/// True when two storages are live together at most at the steps `allowed`. All lists are ascending.
bool meetOnlyAt(const std::vector<Interval>& a, const std::vector<Interval>& b, const std::vector<Step>& allowed)
{
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const Interval common = a[i].common(b[j]);
        for (Step step = common.begin; step < common.end; ++step)
            if (!contains(allowed, step)) return false;
        if (a[i].end < b[j].end)
            ++i;
        else
            ++j;
    }
    return true;
}

/// True when a write lies in `ranges`; writes by the ops at the steps `allowed` do not count.
bool hits(const std::vector<Step>& writes, const std::vector<Interval>& ranges, const std::vector<Step>& allowed)
{
    for (const Interval& range : ranges) {
        const Step end = tickOf(range.end, Phase::before);
        for (auto tick = std::lower_bound(writes.begin(), writes.end(), tickOf(range.begin, Phase::before));
             tick != writes.end() && *tick < end; ++tick)
            if (*tick % 3 != static_cast<Step>(Phase::op) || !contains(allowed, *tick / 3)) return true;
    }
    return false;
}

/// True when `step` is in one of the ranges, which are ascending.
bool covers(const std::vector<Interval>& ranges, Step step)
{
    const auto range = std::partition_point(ranges.begin(), ranges.end(), [&](const Interval& r) { return r.end <= step; });
    return range != ranges.end() && range->begin <= step;
}

class Merger {
public:
    Merger(const Expansion& expansion, const PartialOrder* order, Storages& storages, Facts& facts, const LowerOptions& options)
        : expansion_(expansion),
          order_(order),
          storages_(storages),
          facts_(facts),
          options_(options),
          instancesOf_(expansion.program->functions.size())
    {
        merged_.root.resize(storages.all.size());
        std::iota(merged_.root.begin(), merged_.root.end(), 0);
        merged_.delta.assign(storages.all.size(), 0);
        for (std::size_t i = 0; i < expansion.instances.size(); ++i)
            instancesOf_[at(expansion.instances[i].function)].push_back(static_cast<InstanceId>(i));
        for (const StorageCarry& carry : storages.carries) carried_.insert({carry.made, carry.kept});
        for (const StorageResult& result : storages.results) carried_.insert(result.carry.made);
        for (const StoragePhi& phi : storages.phis) {
            shown_.insert(storages.of[phi.element]);
            for (const Element value : phi.values) shown_.insert(value == none ? none : storages.of[at(value)]);
        }
        for (std::size_t p = 1; p < expansion.paths.size(); ++p)
            branches_[expansion.paths[p].caseSteps.begin].push_back(static_cast<PathId>(p));
    }

    Expected<Merged> run()
    {
        if (!wantsMerging(*expansion_.program, options_)) return std::move(merged_);
        const auto order = functionsInOrder();
        for (const FunctionId function : order)
            if (auto error = mergeRequired(function)) return *std::move(error);
        if (options_.views == ViewMode::merged || options_.inPlace == InPlaceMode::allowed)
            for (const FunctionId function : order) mergePermitted(function);
        for (std::size_t s = 0; s < merged_.root.size(); ++s) find(static_cast<std::int32_t>(s));
        return std::move(merged_);
    }

private:
    const Function& function(FunctionId id) const { return expansion_.program->functions[at(id)]; }
    const Tensor& owner(std::int32_t storage) const
    {
        const Storage& s = storages_.all[at(storage)];
        return expansion_.function(s.instance).tensors[at(s.tensor)];
    }

    /// The functions that run, in the order of their first calls.
    std::vector<FunctionId> functionsInOrder() const
    {
        std::vector<FunctionId> order;
        for (std::size_t i = 0; i < expansion_.instances.size(); ++i)
            if (const FunctionId id = expansion_.instances[i].function;
                instancesOf_[at(id)].front() == static_cast<InstanceId>(i))
                order.push_back(id);
        return order;
    }

    /// The ops of a function in the order of their steps.
    std::vector<OpId> opsInOrder(FunctionId id) const
    {
        std::vector<OpId> order(function(id).ops.size());
        std::iota(order.begin(), order.end(), 0);
        const std::size_t first = expansion_.instances[at(instancesOf_[at(id)].front())].firstOp;
        std::stable_sort(order.begin(), order.end(), [&](OpId a, OpId b) {
            return expansion_.opSteps[first + at(a)].begin < expansion_.opSteps[first + at(b)].begin;
        });
        return order;
    }

    /// The root of a storage, with path compression.
    std::int32_t find(std::int32_t storage)
    {
        std::int32_t root = storage;
        Bytes delta = 0;
        while (merged_.root[at(root)] != root) {
            delta += merged_.delta[at(root)];
            root = merged_.root[at(root)];
        }
        while (merged_.root[at(storage)] != storage) {
            const std::int32_t next = merged_.root[at(storage)];
            const Bytes rest = delta - merged_.delta[at(storage)];
            merged_.root[at(storage)] = root;
            merged_.delta[at(storage)] = delta;
            storage = next;
            delta = rest;
        }
        return root;
    }

    /// The requests of `op` in all instances of its function; equal requests are united.
    std::vector<Request> requests(FunctionId id, OpId op, const InPlace& pair)
    {
        std::vector<Request> out;
        for (const InstanceId i : instancesOf_[at(id)]) {
            const Instance& instance = expansion_.instances[at(i)];
            const std::size_t inputElement = instance.firstTensor + at(pair.input);
            const std::size_t outputElement = instance.firstTensor + at(pair.output);
            const std::int32_t inputStorage = storages_.of[inputElement];
            const std::int32_t outputStorage = storages_.of[outputElement];
            if (inputStorage == none || outputStorage == none) continue;
            Request request;
            request.input = find(inputStorage);
            request.output = find(outputStorage);
            request.delta = merged_.delta[at(inputStorage)] + storages_.delta[inputElement];
            // A result can be merged only if it is its whole storage.
            const Bytes outputDelta = merged_.delta[at(outputStorage)] + storages_.delta[outputElement];
            if (request.input == request.output && request.delta == outputDelta) continue;
            if (outputDelta != 0) request.output = none;
            request.instances.push_back(i);
            if (function(id).ops[at(op)].control == Control::leaf)
                request.steps.push_back(expansion_.opSteps[instance.firstOp + at(op)].begin);
            out.push_back(std::move(request));
        }
        std::stable_sort(out.begin(), out.end(), [](const Request& a, const Request& b) { return a.key() < b.key(); });
        std::size_t last = 0;
        for (std::size_t i = 1; i < out.size(); ++i) {
            if (out[i].key() != out[last].key()) {
                std::swap(out[++last], out[i]);
                continue;
            }
            out[last].instances.push_back(out[i].instances.front());
            out[last].steps.insert(out[last].steps.end(), out[i].steps.begin(), out[i].steps.end());
        }
        if (!out.empty()) out.resize(last + 1);
        return out;
    }

    // --- obstacles to a merge -----------------------------------------------------

    enum class Wish : std::uint8_t { view, overwrite, requiredOverwrite };

    /// The obstacle that does not depend on times. `inputBytes`: size of the input tensor, which may be a part of its storage.
    MergeObstacle obstacleOfPlace(const Request& request, Wish wish, Bytes inputBytes) const
    {
        if (carried_.contains(request.input) || carried_.contains(request.output)) return MergeObstacle::carried;
        if (shown_.contains(request.input)) return MergeObstacle::handedOn;
        if (merged_.root[at(request.input)] != request.input) return MergeObstacle::inputTaken;
        if (request.output == none || merged_.root[at(request.output)] != request.output) return MergeObstacle::resultIsPart;
        if (request.input == request.output) return MergeObstacle::sameTensor;
        const StorageFacts& in = facts_.storages[at(request.input)];
        const StorageFacts& out = facts_.storages[at(request.output)];
        if (in.kind == BufferKind::constant || out.kind == BufferKind::constant) return MergeObstacle::constant;
        if (out.kind == BufferKind::variable) return MergeObstacle::resultIsVariable;
        if (owner(request.input).multiBuffer > 1 || owner(request.output).multiBuffer > 1) return MergeObstacle::severalSlots;
        if (owner(request.output).pinnedOffset) return MergeObstacle::resultPinned;
        if (request.delta % out.alignment != 0 || !checkedLcm(in.alignment, out.alignment))
            return MergeObstacle::alignmentsDiffer;
        const bool required = wish == Wish::requiredOverwrite;
        if (out.size > inputBytes && !(required && request.delta == 0)) return MergeObstacle::resultLarger;
        // An obligatory in-place output takes the address of its input, even when the input is not planned.
        if (required) return commonPools(in, out) ? MergeObstacle::none : MergeObstacle::poolsDiffer;
        // A view has the bytes of its input, so that an input of the program keeps its contents when the view is an output.
        if (wish == Wish::overwrite && out.isOutput && in.isInput) return MergeObstacle::inputBecomesOutput;
        if (wish == Wish::overwrite && out.isOutput && in.isOutput) return MergeObstacle::outputsBecomeOne;
        if (in.kind == BufferKind::variable) return MergeObstacle::inputIsVariable;
        if (!in.planned || !out.planned) return MergeObstacle::notPlanned;
        if (in.pools != out.pools) return MergeObstacle::poolsDiffer;
        return MergeObstacle::none;
    }

    /// The pools for both, in the input's order; an empty list: all workspace pools. No value: there is no such pool. The output
    /// does not choose if one of them is not planned, or if it lies in a variable.
    std::optional<std::vector<PoolId>> commonPools(const StorageFacts& in, const StorageFacts& out) const
    {
        const std::vector<PoolId>& first = facts_.poolSets[at(in.pools)];
        const std::vector<PoolId>& second = facts_.poolSets[at(out.pools)];
        if (!in.planned || !out.planned || in.kind == BufferKind::variable || second.empty()) return first;
        if (first.empty()) return second;
        std::vector<PoolId> common;
        for (const PoolId pool : first)
            if (std::find(second.begin(), second.end(), pool) != second.end()) common.push_back(pool);
        if (common.empty()) return std::nullopt;
        return common;
    }

    /// The number of a list of pools; equal lists get the same number.
    PoolSet numberOf(const std::vector<PoolId>& pools)
    {
        const auto found = std::find(facts_.poolSets.begin(), facts_.poolSets.end(), pools);
        const auto number = static_cast<PoolSet>(found - facts_.poolSets.begin());
        if (found == facts_.poolSets.end()) facts_.poolSets.push_back(pools);
        return number;
    }

    /// The obstacle in time: another result is written over the input, or the input is needed at the op or later.
    MergeObstacle obstacleOfOverwriting(const Request& request, const Op& op, const InPlace& pair)
    {
        const Storage& in = storages_.all[at(request.input)];
        const Storage& out = storages_.all[at(request.output)];
        for (const Step step : request.steps) // also a copy into it at this step: the source of the copy is needed until then
            for (const Phase phase : {Phase::before, Phase::op, Phase::after})
                if (contains(in.writes, tickOf(step, phase))) return MergeObstacle::inputOverwritten;
        if (!meetOnlyAt(in.live, out.live, request.steps)) return MergeObstacle::inputNeeded;
        for (const Step step : request.steps)
            if (covers(in.needs, step) || coverNext(in.live, step)) return MergeObstacle::inputNeeded;
        if (order_ && !diesAt(request, op)) return MergeObstacle::inputNeededInOtherOrder;
        for (const InstanceId instance : request.instances)
            for (const TensorId other : op.inputs) {
                const std::int32_t storage = storages_.of[expansion_.instances[at(instance)].firstTensor + at(other)];
                if (other == pair.input || storage == none) continue;
                if (const std::int32_t root = find(storage); root == request.input || root == request.output)
                    return MergeObstacle::sharedWithOtherInput;
            }
        return MergeObstacle::none;
    }

    /// True when one of the ranges covers a possible next step of an execution, apart from the begin of the next iteration.
    bool coverNext(const std::vector<Interval>& ranges, Step step) const
    {
        PathId path = expansion_.steps[static_cast<std::size_t>(step)].path;
        Step next = step + 1;
        for (; path != 0 && next == expansion_.paths[at(path)].steps.end; path = expansion_.paths[at(path)].parent)
            next = expansion_.paths[at(path)].caseSteps.end;
        return coverEntry(ranges, next, path);
    }

    /// The same for an execution on `path` that reaches `step`, where a case may begin, and further cases in its branches.
    bool coverEntry(const std::vector<Interval>& ranges, Step step, PathId path) const
    {
        if (covers(ranges, step)) return true;
        if (step >= expansion_.horizon()) return false;
        const auto begun = branches_.find(step);
        if (begun == branches_.end()) return false;
        return std::any_of(begun->second.begin(), begun->second.end(), [&](PathId branch) {
            return expansion_.paths[at(branch)].parent == path &&
                   coverEntry(ranges, expansion_.paths[at(branch)].steps.begin, branch);
        });
    }

    /// True when in every order the op is the last to touch the input and the first to touch the result, in each call of its
    /// function.
    bool diesAt(const Request& request, const Op& op) const
    {
        const Storage& in = storages_.all[at(request.input)];
        const Storage& out = storages_.all[at(request.output)];
        if (op.control != Control::leaf || in.segments.empty() || out.segments.empty()) return false;
        std::vector<Point> own; // by call
        for (const InstanceId instance : request.instances) own.push_back(pointOf(instance, op));
        const auto touchedBy = [](const std::vector<Point>& segment, Point point) {
            return std::binary_search(segment.begin(), segment.end(), point);
        };
        for (const std::vector<Point>& before : in.segments) {
            std::vector<Point> here; // one point, as a rule
            std::copy_if(own.begin(), own.end(), std::back_inserter(here), [&](Point each) { return touchedBy(before, each); });
            for (const std::vector<Point>& after : out.segments) {
                const auto point = std::find_if(here.begin(), here.end(), [&](Point each) { return touchedBy(after, each); });
                if (point == here.end() ? !order_->inSeparateOps(before.front(), before.back(), after.front(), after.back())
                                        : !meetOnlyAtPoint(before, after, *point))
                    return false;
            }
        }
        return std::none_of(own.begin(), own.end(), [&](Point point) { return touchedBy(in.pointWrites, point); });
    }

    /// True when in every order in which it happens, `own` comes after all other points of `before` and before those of `after`.
    bool meetOnlyAtPoint(const std::vector<Point>& before, const std::vector<Point>& after, Point own) const
    {
        const auto touches = [&](const std::vector<Point>& points, auto ordered) {
            return std::all_of(points.begin(), points.end(),
                               [&](Point point) { return point == own || ordered(point) || order_->exclusive(point, own); });
        };
        return touches(before, [&](Point point) { return order_->before(point, own); }) &&
               touches(after, [&](Point point) { return order_->before(own, point); });
    }

    /// True when in every order all writes of the viewed storage come before the op, and no op writes or touches the view before
    /// it.
    bool mayViewInAnyOrder(const Request& request, const Op& op) const
    {
        const Storage& in = storages_.all[at(request.input)];
        const Storage& out = storages_.all[at(request.output)];
        if (request.instances.size() != 1 || out.segments.size() != 1) return false;
        const Point own = pointOf(request.instances.front(), op);
        return std::all_of(in.pointWrites.begin(), in.pointWrites.end(),
                           [&](Point point) { return order_->before(point, own); }) &&
               std::all_of(out.pointWrites.begin(), out.pointWrites.end(), [&](Point point) { return point == own; }) &&
               std::all_of(out.segments.front().begin(), out.segments.front().end(),
                           [&](Point point) { return point == own || order_->before(own, point); });
    }

    Point pointOf(InstanceId instance, const Op& op) const
    {
        return order_->begin(instance, static_cast<OpId>(&op - expansion_.function(instance).ops.data()));
    }

    /// True when neither storage is written while the other is live; writes of the op itself into the view do not count.
    bool mayView(const Request& request, const Op& op) const
    {
        if (order_ && !mayViewInAnyOrder(request, op)) return false;
        const Storage& in = storages_.all[at(request.input)];
        const Storage& out = storages_.all[at(request.output)];
        return !hits(in.writes, out.live, {}) && !hits(out.writes, in.live, request.steps);
    }

    /// Merges the result's storage into the input's, with its live ranges and facts. The former is empty afterwards.
    void unify(const Request& request)
    {
        Storage& in = storages_.all[at(request.input)];
        Storage& out = storages_.all[at(request.output)];
        StorageFacts& facts = facts_.storages[at(request.input)];
        const StorageFacts& taken = facts_.storages[at(request.output)];
        takeEarly(in, out);
        if (shown_.contains(request.output)) shown_.insert(request.input);
        merged_.root[at(request.output)] = request.input;
        merged_.delta[at(request.output)] = request.delta;
        extend(in.live, out.live);
        const auto middle = static_cast<std::ptrdiff_t>(in.writes.size());
        const bool inOrder = in.writes.empty() || out.writes.empty() || in.writes.back() <= out.writes.front();
        in.writes.insert(in.writes.end(), out.writes.begin(), out.writes.end());
        if (!inOrder) std::inplace_merge(in.writes.begin(), in.writes.begin() + middle, in.writes.end());
        if (!out.needs.empty()) in.needs = unite(in.needs, out.needs);
        if (order_) {
            joinSegments(in, out);
            append(in.pointWrites, out.pointWrites);
        }
        out = Storage{out.instance, out.tensor, {}, {}, {}, {}, {}, {}};
        facts.size = std::max(facts.size, request.delta + taken.size);
        facts.alignment = *checkedLcm(facts.alignment, taken.alignment);
        facts.isInput = facts.isInput || taken.isInput;
        facts.isOutput = facts.isOutput || taken.isOutput;
        if (facts.pools != taken.pools)
            if (const auto common = commonPools(facts, taken)) facts.pools = numberOf(*common);
        if (facts.kind == BufferKind::intermediate) facts.kind = taken.kind;
    }

    /// Adds the points of the result to the segment of the input that has a point in common, the op; each call has its own.
    static void joinSegments(Storage& in, const Storage& out)
    {
        if (in.segments.size() == 1 && out.segments.size() == 1) return append(in.segments.front(), out.segments.front());
        for (const std::vector<Point>& points : out.segments) {
            const auto same = std::find_if(in.segments.begin(), in.segments.end(), [&](const std::vector<Point>& segment) {
                return std::any_of(points.begin(), points.end(),
                                   [&](Point point) { return std::binary_search(segment.begin(), segment.end(), point); });
            });
            if (same == in.segments.end())
                in.segments.push_back(points);
            else
                append(*same, points);
        }
    }

    /// Steps that are early for one of the two, and at which the other one is not live.
    static void takeEarly(Storage& in, const Storage& out)
    {
        const auto keep = [](std::vector<Early> early, const Storage& other) {
            std::erase_if(early, [&](const Early& e) {
                return std::any_of(other.live.begin(), other.live.end(),
                                   [&](const Interval& live) { return live.overlaps(e.live); });
            });
            return early;
        };
        std::vector<Early> both = keep(in.early, out);
        const std::vector<Early> more = keep(out.early, in);
        both.insert(both.end(), more.begin(), more.end());
        in.early = std::move(both);
    }

    static void append(std::vector<Point>& points, const std::vector<Point>& more)
    {
        points.insert(points.end(), more.begin(), more.end());
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
    }

    /// live := live | more. Constant time for the common case, a result that begins where the input ends.
    static void extend(std::vector<Interval>& live, const std::vector<Interval>& more)
    {
        if (more.size() == 1 && !live.empty() && live.back().begin <= more.front().begin && more.front().begin <= live.back().end)
            live.back().end = std::max(live.back().end, more.front().end);
        else
            live = unite(live, more);
    }

    // --- the two passes ------------------------------------------------------------------------------------------------

    /// Returns an error for the first op that has to work in place and cannot.
    std::optional<Error> mergeRequired(FunctionId id)
    {
        for (const OpId opId : opsInOrder(id)) {
            const Op& op = function(id).ops[at(opId)];
            if (!op.inPlaceRequired) continue;
            for (const InPlace& pair : op.inPlace)
                for (const Request& request : requests(id, opId, pair))
                    if (const MergeObstacle why = overwrite(id, op, pair, request); why != MergeObstacle::none)
                        return failure(Code::inPlaceImpossible,
                                       fmt::format("op '{}' of '{}' has to write '{}' over '{}', which is not possible: {}",
                                                   op.name, function(id).name, function(id).tensors[at(pair.output)].name,
                                                   function(id).tensors[at(pair.input)].name, toText(why)),
                                       op.where, std::string(remedyOf(why)));
        }
        return std::nullopt;
    }

    /// Merges, or returns the obstacle.
    MergeObstacle overwrite(FunctionId id, const Op& op, const InPlace& pair, const Request& request)
    {
        const auto& bytes = function(id).tensors[at(pair.input)].bytes;
        if (const auto why =
                obstacleOfPlace(request, op.inPlaceRequired ? Wish::requiredOverwrite : Wish::overwrite, bytes.value_or(0));
            why != MergeObstacle::none)
            return why;
        if (const auto why = obstacleOfOverwriting(request, op, pair); why != MergeObstacle::none) return why;
        unify(request);
        return MergeObstacle::none;
    }

    void mergePermitted(FunctionId id)
    {
        for (const OpId opId : opsInOrder(id)) {
            const Op& op = function(id).ops[at(opId)];
            if (options_.views == ViewMode::merged && isView(op)) mergeView(id, opId, op);
            if (options_.inPlace == InPlaceMode::allowed && !op.inPlaceRequired)
                for (const InPlace& pair : op.inPlace)
                    for (const Request& request : requests(id, opId, pair)) overwrite(id, op, pair, request);
        }
    }

    void mergeView(FunctionId id, OpId opId, const Op& op)
    {
        const InPlace pair{op.inputs.front(), op.outputs.front()};
        const Tensor& input = function(id).tensors[at(pair.input)];
        const Tensor& output = function(id).tensors[at(pair.output)];
        if (!input.bytes || input.bytes != output.bytes) return;
        for (const Request& request : requests(id, opId, pair))
            if (obstacleOfPlace(request, Wish::view, *input.bytes) == MergeObstacle::none &&
                facts_.storages[at(request.output)].size == *output.bytes && mayView(request, op))
                unify(request);
    }

    const Expansion& expansion_;
    const PartialOrder* order_; ///< null: the listed order
    Storages& storages_;
    Facts& facts_;
    const LowerOptions& options_;
    std::vector<std::vector<InstanceId>> instancesOf_; ///< by function
    std::unordered_set<std::int32_t> carried_;         ///< storages that rotate with a loop, or are the `kept` of one that does
    std::unordered_set<std::int32_t> shown_;           ///< storages of phi views, and of their values
    std::unordered_map<Step, std::vector<PathId>> branches_; ///< of the cases that begin at a step
    Merged merged_;
};

} // namespace

Expected<Merged> merge(const Expansion& expansion, const PartialOrder* order, Storages& storages, Facts& facts,
                       const LowerOptions& options)
{
    return Merger(expansion, order, storages, facts, options).run();
}

bool wantsMerging(const Program& program, const LowerOptions& options)
{
    if (options.views == ViewMode::merged || options.inPlace == InPlaceMode::allowed) return true;
    for (const Function& function : program.functions)
        for (const Op& op : function.ops)
            if (op.inPlaceRequired) return true;
    return false;
}

} // namespace stowage::lowering
