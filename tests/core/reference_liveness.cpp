#include "tests/core/reference_liveness.h"

#include <algorithm>
#include <map>
#include <set>

namespace stowage::test {

namespace {

using Steps = std::vector<int>;

/// The steps of a loop, and the loop around it.
struct LoopNode {
    int parent = -1;
    int begin = 0;
    int end = 0;
};

class Reference {
public:
    Reference(const Program& program, const Lowering& lowering) : program_(program), lowering_(lowering) {}

    std::vector<std::vector<Interval>> run()
    {
        next_.push_back({}); // step 0
        const Function& main = program_.main();
        for (const TensorId input : main.body().inputs) touchAt(0, input, {0}, -1);
        const Steps last = walkRegion(0, 0, {0}, -1).lasts;
        for (const TensorId output : main.body().outputs) touchAt(0, output, main.body().ops.empty() ? Steps{0} : last, -1);
        return solve();
    }

private:
    /// A buffer within one run of the function that owns it: between two calls nothing is kept.
    struct Key {
        BufferId buffer;
        int ownerInstance;
        auto operator<=>(const Key&) const = default;
    };
    struct Ends {
        Steps firsts;
        Steps lasts;
    };
    struct Pending {
        Key key;
        Steps steps;
        int wholeLoop; ///< -1: the steps alone
    };

    const FunctionInstance& instance(int k) const { return lowering_.instances[static_cast<std::size_t>(k)]; }
    const Function& function(int k) const { return program_.functions[at(instance(k).function)]; }
    TensorBinding binding(int k, TensorId t) const { return instance(k).bindings[at(t)]; }
    bool same(int ka, TensorId a, int kb, TensorId b) const
    {
        return binding(ka, a).buffer == binding(kb, b).buffer && binding(ka, a).delta == binding(kb, b).delta;
    }

    TensorId rootOf(int k, TensorId t) const
    {
        while (function(k).tensors[at(t)].aliasOf != none) t = function(k).tensors[at(t)].aliasOf;
        return t;
    }

    /// The loop in whose iterations the tensor's bytes are made anew.
    int homeLoop(int k, TensorId t) const
    {
        t = rootOf(k, t);
        const Function& fn = function(k);
        const Tensor& tensor = fn.tensors[at(t)];
        const Region& region = fn.regions[at(tensor.region)];
        const auto position = [&](const std::vector<TensorId>& list, auto match) {
            for (std::size_t i = 0; i < list.size(); ++i)
                if (match(list[i])) return static_cast<int>(i);
            return -1;
        };
        const int in = position(region.inputs, [&](TensorId id) { return id == t; });
        const int out = position(region.outputs, [&](TensorId id) { return rootOf(k, id) == t; });
        const auto follow = [&](int outerInstance, const std::vector<TensorId>& outer, int index) -> std::optional<int> {
            if (index < 0 || static_cast<std::size_t>(index) >= outer.size()) return std::nullopt;
            const TensorId id = outer[static_cast<std::size_t>(index)];
            if (!same(k, t, outerInstance, id)) return std::nullopt;
            return homeLoop(outerInstance, id);
        };
        if (region.role == RegionRole::function) {
            if (instance(k).caller == none) return -1;
            const Op& call = function(instance(k).caller).ops[at(instance(k).callSite)];
            if (const auto home = follow(instance(k).caller, call.inputs, in)) return *home;
            if (const auto home = follow(instance(k).caller, call.outputs, out)) return *home;
        } else {
            const Op& owner = fn.ops[at(region.owner)];
            const bool carried =
                std::any_of(owner.carries.begin(), owner.carries.end(), [&](const Carry& c) { return c.to == t && c.from != t; });
            if (region.role == RegionRole::branch) {
                if (const auto home = follow(k, owner.inputs, in < 0 ? -1 : in + 1)) return *home;
                if (const auto home = follow(k, owner.outputs, out)) return *home;
            } else if (region.role == RegionRole::body && !carried) {
                if (const auto home = follow(k, owner.inputs, in)) return *home;
            } else if (owner.control == Control::exit) {
                if (const auto home = follow(k, owner.inputs, in)) return *home;
            } else if (region.role == RegionRole::condition) {
                const Region& body = fn.regions[at(owner.regions.back())];
                if (const auto home = follow(k, body.inputs, in)) return *home;
                if (static_cast<std::size_t>(in) >= body.inputs.size())
                    if (const auto home = follow(k, owner.inputs, in)) return *home;
            }
        }
        return regionLoops_.at({k, tensor.region});
    }

    Key keyOf(int k, TensorId t) const
    {
        const BufferId buffer = binding(k, t).buffer;
        const FunctionId owner = lowering_.origins[at(buffer)].function;
        while (instance(k).function != owner) k = instance(k).caller;
        return {buffer, k};
    }

    void touchAt(int k, TensorId t, const Steps& steps, int loop)
    {
        if (binding(k, t).buffer == none) return;
        const int home = homeLoop(k, t);
        int whole = -1;
        for (int l = loop; l != home && l >= 0; l = loops_[static_cast<std::size_t>(l)].parent) whole = l;
        pending_.push_back({keyOf(k, t), steps, whole});
    }
    void touchLoop(int k, TensorId t, int loop)
    {
        if (binding(k, t).buffer == none) return;
        const int home = homeLoop(k, t);
        int whole = loop;
        if (home != loop)
            for (int l = loops_[static_cast<std::size_t>(loop)].parent; l != home && l >= 0;
                 l = loops_[static_cast<std::size_t>(l)].parent)
                whole = l;
        pending_.push_back({keyOf(k, t), {}, whole});
    }

    int newStep(const Steps& from)
    {
        const int step = static_cast<int>(next_.size());
        next_.push_back({});
        for (const int f : from) next_[static_cast<std::size_t>(f)].push_back(step);
        return step;
    }

    int calleeInstance(int k, OpId op) const
    {
        for (std::size_t i = 0; i < lowering_.instances.size(); ++i)
            if (lowering_.instances[i].caller == k && lowering_.instances[i].callSite == op) return static_cast<int>(i);
        return -1;
    }

    Ends walkRegion(int k, RegionId id, const Steps& from, int loop)
    {
        regionLoops_[{k, id}] = loop;
        Ends ends{{}, from};
        for (const OpId op : function(k).regions[at(id)].ops) {
            const Ends inner = walkOp(k, op, ends.lasts, loop);
            if (ends.firsts.empty()) ends.firsts = inner.firsts;
            ends.lasts = inner.lasts;
        }
        if (ends.firsts.empty() && !(k == 0 && id == 0)) {
            const int step = newStep(from);
            ends = {{step}, {step}};
        }
        return ends;
    }

    Ends walkOp(int k, OpId id, const Steps& from, int loop)
    {
        const Op& op = function(k).ops[at(id)];
        const int firstStep = static_cast<int>(next_.size());
        Ends ends;
        switch (op.control) {
        case Control::leaf: {
            const int step = newStep(from);
            ends = {{step}, {step}};
            for (const TensorId input : op.inputs) touchAt(k, input, {step}, loop);
            for (const TensorId output : op.outputs) touchAt(k, output, {step}, loop);
            break;
        }
        case Control::call: {
            const int callee = calleeInstance(k, id);
            ends = walkRegion(callee, 0, from, loop);
            copyOut(callee, function(callee).body(), k, op, ends.lasts, loop, loop);
            break;
        }
        case Control::branch: ends = walkCase(k, op, from, loop); break;
        case Control::loop: ends = walkLoop(k, id, from, loop); break;
        case Control::exit: ends = walkExit(k, op, from, loop); break;
        }
        for (const TensorId temp : op.temps) {
            if (binding(k, temp).buffer == none) continue;
            for (int step = firstStep; step < static_cast<int>(next_.size()); ++step)
                scratch_[binding(k, temp).buffer].insert(step);
        }
        return ends;
    }

    void copyOut(int inner, const Region& region, int outer, const Op& op, const Steps& lasts, int innerLoop, int outerLoop)
    {
        for (std::size_t i = 0; i < op.outputs.size(); ++i) {
            if (bound(inner, region.outputs[i]) && bound(outer, op.outputs[i]) &&
                same(inner, region.outputs[i], outer, op.outputs[i]))
                continue;
            touchAt(inner, region.outputs[i], lasts, innerLoop);
            touchAt(outer, op.outputs[i], lasts, outerLoop);
        }
    }
    bool bound(int k, TensorId t) const { return binding(k, t).buffer != none; }

    Ends walkCase(int k, const Op& op, const Steps& from, int loop)
    {
        Ends ends;
        std::size_t mapped = 0;
        for (const RegionId id : op.regions) mapped = std::max(mapped, function(k).regions[at(id)].inputs.size());
        for (const RegionId id : op.regions) {
            const Region& branch = function(k).regions[at(id)];
            const Ends inner = walkRegion(k, id, from, loop);
            ends.firsts.insert(ends.firsts.end(), inner.firsts.begin(), inner.firsts.end());
            ends.lasts.insert(ends.lasts.end(), inner.lasts.begin(), inner.lasts.end());
            touchAt(k, op.inputs[0], inner.firsts, loop);
            for (std::size_t i = mapped + 1; i < op.inputs.size(); ++i) touchAt(k, op.inputs[i], inner.firsts, loop);
            for (std::size_t i = 0; i < branch.inputs.size(); ++i) {
                if (same(k, branch.inputs[i], k, op.inputs[i + 1])) continue;
                touchAt(k, op.inputs[i + 1], inner.firsts, loop);
                touchAt(k, branch.inputs[i], inner.firsts, loop);
            }
            copyOut(k, branch, k, op, inner.lasts, loop, loop);
        }
        return ends;
    }

    /// Where the loop is left its results are written.
    Ends walkExit(int k, const Op& op, const Steps& from, int loop)
    {
        const Region& test = function(k).regions[at(op.regions.front())];
        const Ends ends = walkRegion(k, op.regions.front(), from, loop);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            touchAt(k, op.inputs[i], ends.firsts, loop);
            if (i < test.inputs.size() && !same(k, test.inputs[i], k, op.inputs[i]))
                touchAt(k, test.inputs[i], ends.firsts, loop);
        }
        touchAt(k, test.outputs[0], ends.lasts, loop);
        for (const Carry& carry : op.carries) {
            if (bound(k, carry.from) && bound(k, carry.to) && same(k, carry.from, k, carry.to)) continue;
            touchAt(k, carry.from, ends.lasts, loop);
            touchAt(k, carry.to, ends.lasts, loop);
        }
        return ends;
    }

    Ends walkLoop(int k, OpId id, const Steps& from, int around)
    {
        const Op& op = function(k).ops[at(id)];
        const int loop = static_cast<int>(loops_.size());
        loops_.push_back({around, static_cast<int>(next_.size()), 0});
        for (const RegionId region : op.regions) regionLoops_[{k, region}] = loop;
        const Region& body = function(k).regions[at(op.regions.back())];
        Ends ends;
        Steps inside = from;
        Ends condition;
        if (op.regions.size() == 2) {
            condition = walkRegion(k, op.regions.front(), from, loop);
            ends.firsts = condition.firsts;
            inside = condition.lasts;
        }
        const Ends inner = walkRegion(k, op.regions.back(), inside, loop);
        if (ends.firsts.empty()) ends.firsts = inner.firsts;
        ends.lasts = inner.lasts;
        loops_[static_cast<std::size_t>(loop)].end = static_cast<int>(next_.size());

        for (const TensorId input : op.inputs) touchLoop(k, input, loop);
        std::set<TensorId> carried, toThemselves;
        for (const Carry& carry : op.carries) {
            if (carry.from == carry.to) toThemselves.insert(carry.to);
            if (carry.from == carry.to) continue;
            carried.insert(carry.to);
            touchLoop(k, carry.from, loop);
            touchLoop(k, carry.to, loop);
        }
        for (std::size_t i = 0; i < body.inputs.size(); ++i) {
            if (carried.count(body.inputs[i]) > 0) continue;
            if (i >= op.inputs.size() && toThemselves.count(body.inputs[i]) > 0)
                touchLoop(k, body.inputs[i], loop); // made once, kept round the loop
            else if (i >= op.inputs.size())
                touchAt(k, body.inputs[i], inner.firsts, loop);
            else if (!same(k, body.inputs[i], k, op.inputs[i]))
                touchLoop(k, body.inputs[i], loop);
        }
        if (op.regions.size() == 2) {
            const Region& test = function(k).regions[at(op.regions.front())];
            for (std::size_t i = 0; i < test.inputs.size(); ++i) {
                const TensorId source = i < body.inputs.size() ? body.inputs[i] : op.inputs[i];
                if (!same(k, test.inputs[i], k, source)) touchAt(k, test.inputs[i], condition.firsts, loop);
            }
            touchAt(k, test.outputs[0], condition.lasts, loop);
        }
        copyOut(k, body, k, op, inner.lasts, loop, around);
        for (std::size_t i = 0; i < op.outputs.size(); ++i) {
            const bool collects = function(k).tensors[at(op.outputs[i])].bytes != function(k).tensors[at(body.outputs[i])].bytes;
            if (op.regions.size() == 2 || collects) touchLoop(k, op.outputs[i], loop);
        }
        return ends;
    }

    /// A step is live when some touch leads to it and some touch can be reached from it.
    std::vector<std::vector<Interval>> solve() const
    {
        const std::size_t count = next_.size();
        std::map<Key, std::vector<char>> touched;
        for (const Pending& pending : pending_) {
            auto& steps = touched.try_emplace(pending.key, count, char{0}).first->second;
            if (pending.wholeLoop < 0)
                for (const int step : pending.steps) steps[static_cast<std::size_t>(step)] = 1;
            else
                for (int step = loops_[static_cast<std::size_t>(pending.wholeLoop)].begin;
                     step < loops_[static_cast<std::size_t>(pending.wholeLoop)].end; ++step)
                    steps[static_cast<std::size_t>(step)] = 1;
        }
        std::vector<std::vector<char>> live(lowering_.problem.buffers.size(), std::vector<char>(count, 0));
        for (const auto& [key, steps] : touched) {
            std::vector<char> before = steps;
            for (std::size_t s = 0; s < count; ++s) // edges lead forward
                if (before[s])
                    for (const int n : next_[s]) before[static_cast<std::size_t>(n)] = 1;
            std::vector<char> after = steps;
            for (std::size_t s = count; s-- > 0;)
                for (const int n : next_[s])
                    if (after[static_cast<std::size_t>(n)]) after[s] = 1;
            for (std::size_t s = 0; s < count; ++s)
                if (before[s] && after[s]) live[at(key.buffer)][s] = 1;
        }
        for (const auto& [buffer, steps] : scratch_)
            for (const int step : steps) live[at(buffer)][static_cast<std::size_t>(step)] = 1;
        std::vector<std::vector<Interval>> ranges(live.size());
        for (std::size_t b = 0; b < live.size(); ++b) {
            const BufferKind kind = lowering_.problem.buffers[b].kind;
            if (kind == BufferKind::constant || kind == BufferKind::variable) {
                ranges[b] = {{0, static_cast<Step>(count)}};
                continue;
            }
            for (std::size_t s = 0; s < count; ++s) {
                if (!live[b][s]) continue;
                if (ranges[b].empty() || ranges[b].back().end != static_cast<Step>(s))
                    ranges[b].push_back({static_cast<Step>(s), static_cast<Step>(s)});
                ranges[b].back().end = static_cast<Step>(s) + 1;
            }
        }
        return ranges;
    }

    const Program& program_;
    const Lowering& lowering_;
    std::vector<Steps> next_;
    std::vector<LoopNode> loops_;
    std::map<std::pair<int, RegionId>, int> regionLoops_;
    std::vector<Pending> pending_;
    std::map<BufferId, std::set<int>> scratch_;
};

} // namespace

std::vector<std::vector<Interval>> referenceLiveness(const Program& program, const Lowering& lowering)
{
    return Reference(program, lowering).run();
}

} // namespace stowage::test
