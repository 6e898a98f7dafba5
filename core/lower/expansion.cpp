#include "core/lower/expansion.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace stowage::lowering {

namespace {

/// Calls multiply: a short file can describe a very long axis. These limits keep an expansion within a few gigabytes.
constexpr std::size_t maxSteps = std::size_t{1} << 24;
constexpr std::size_t maxEntries = std::size_t{1} << 25; ///< ops, regions and tensors over all instances

class Expander {
public:
    explicit Expander(const Program& program) : program_(program) { out_.program = &program; }

    Expected<Expansion> run()
    {
        if (auto error = tooLarge()) return *std::move(error);
        out_.steps.push_back({0, none, 0, none});
        out_.paths.push_back({});
        open(enterFunction(program_.entry, none, none), 0, 0, none);
        while (!stack_.empty()) {
            advance();
            if (out_.steps.size() > maxSteps || entries_ > maxEntries)
                return failure(Code::tooLarge,
                               fmt::format("'{}' expands to more than {} steps", program_.name, out_.steps.size() - 1), {},
                               "calls are expanded in place; plan the called functions one by one");
        }
        out_.paths[0].steps = {0, out_.horizon()};
        nameLoops();
        return std::move(out_);
    }

private:
    /// Size of the expansion of one call of a function, computed without expanding it. Saturates.
    struct Cost {
        std::size_t steps = 0;   ///< leaf ops
        std::size_t entries = 0; ///< as `entries_`
    };
    static constexpr std::size_t costLimit = maxSteps + maxEntries; ///< far from overflow

    /// The costs of the functions that the entry reaches, callees first, each once. The verifier has refused recursion; calls may
    /// be as deep as there are functions, so that there is no recursion here either. O(ops).
    [[nodiscard]] std::vector<Cost> costs() const
    {
        std::vector<Cost> costs(program_.functions.size());
        std::vector<bool> known(program_.functions.size());
        std::vector<std::pair<FunctionId, std::size_t>> stack{{program_.entry, 0}};
        while (!stack.empty()) {
            const FunctionId id = stack.back().first;
            std::size_t& next = stack.back().second;
            const Function& function = program_.functions[at(id)];
            Cost& cost = costs[at(id)];
            FunctionId waitsFor = none;
            for (; next < function.ops.size() && waitsFor == none; ++next) {
                const Op& op = function.ops[next];
                if (op.control == Control::leaf) cost.steps = std::min(costLimit, cost.steps + 1);
                if (op.control != Control::call) continue;
                if (!known[at(op.callee)]) {
                    waitsFor = op.callee;
                    break;
                }
                cost.steps = std::min(costLimit, cost.steps + costs[at(op.callee)].steps);
                cost.entries = std::min(costLimit, cost.entries + costs[at(op.callee)].entries);
            }
            if (waitsFor != none) {
                stack.emplace_back(waitsFor, 0);
                continue;
            }
            cost.entries =
                std::min(costLimit, cost.entries + function.ops.size() + function.regions.size() + function.tensors.size() + 1);
            known[at(id)] = true;
            stack.pop_back();
        }
        return costs;
    }

    /// Refuses the program before anything is expanded. The error names a call in the deepest function that exceeds the limits
    /// although its callees do not.
    [[nodiscard]] std::optional<Error> tooLarge() const
    {
        const std::vector<Cost> all = costs();
        const auto over = [&](FunctionId id) { return all[at(id)].steps >= maxSteps || all[at(id)].entries > maxEntries; };
        if (!over(program_.entry)) return std::nullopt;
        FunctionId id = program_.entry;
        for (;;) {
            const auto& ops = program_.functions[at(id)].ops;
            const auto deeper = std::find_if(ops.begin(), ops.end(),
                                             [&](const Op& op) { return op.control == Control::call && over(op.callee); });
            if (deeper == ops.end()) break;
            id = deeper->callee;
        }
        const Function& function = program_.functions[at(id)];
        const auto call =
            std::find_if(function.ops.rbegin(), function.ops.rend(), [](const Op& op) { return op.control == Control::call; });
        return failure(
            Code::tooLarge,
            fmt::format("'{}' expands to more than {} steps: calls are expanded in place, and those in '{}' alone exceed it",
                        program_.name, maxSteps, function.name),
            call == function.ops.rend() ? Position{} : call->where, "plan the called functions one by one (--function NAME)");
    }

    struct Frame {
        InstanceId instance;
        RegionId region;
        PathId path;
        LoopId loop;
        std::size_t nextOp = 0;
        std::size_t nextRegion = 0;
        LoopId ownLoop = none; ///< of the current loop op of this region
    };

    const Function& function(InstanceId instance) const { return out_.function(instance); }
    Interval& opSteps(InstanceId instance, OpId op) { return out_.opSteps[out_.instances[at(instance)].firstOp + at(op)]; }
    Interval& regionSteps(InstanceId instance, RegionId region)
    {
        return out_.regionSteps[out_.instances[at(instance)].firstRegion + at(region)];
    }

    /// Appends an instance of function `id`, with entries for its ops and regions.
    InstanceId enterFunction(FunctionId id, InstanceId caller, OpId callSite)
    {
        const Function& callee = program_.functions[at(id)];
        const auto instance = static_cast<InstanceId>(out_.instances.size());
        out_.instances.push_back({id, caller, callSite, out_.opSteps.size(), out_.regionSteps.size(), out_.tensors});
        out_.opSteps.resize(out_.opSteps.size() + callee.ops.size());
        out_.callees.resize(out_.opSteps.size(), none);
        out_.regionSteps.resize(out_.regionSteps.size() + callee.regions.size());
        out_.regionLoops.resize(out_.regionSteps.size(), none);
        out_.regionPaths.resize(out_.regionSteps.size(), 0);
        out_.tensors += callee.tensors.size();
        entries_ += callee.ops.size() + callee.regions.size() + callee.tensors.size() + 1;
        return instance;
    }

    /// Begins a region at the next step, and puts it on top of the stack.
    void open(InstanceId instance, RegionId region, PathId path, LoopId loop)
    {
        regionSteps(instance, region).begin = out_.horizon();
        const std::size_t entry = out_.instances[at(instance)].firstRegion + at(region);
        out_.regionLoops[entry] = loop;
        out_.regionPaths[entry] = path;
        stack_.push_back({instance, region, path, loop});
    }

    void step(const Frame& frame, InstanceId instance, OpId op) { out_.steps.push_back({instance, op, frame.path, frame.loop}); }

    /// Advances the region on top of the stack: begins its next op, opens the next region of its current op, or ends.
    void advance()
    {
        Frame& frame = stack_.back();
        const Function& current = function(frame.instance);
        const Region& region = current.regions[at(frame.region)];
        if (frame.nextOp == region.ops.size()) {
            close();
            return;
        }
        const OpId opId = region.ops[frame.nextOp];
        const Op& op = current.ops[at(opId)];
        switch (op.control) {
        case Control::leaf:
            opSteps(frame.instance, opId) = {out_.horizon(), out_.horizon() + 1};
            step(frame, frame.instance, opId);
            ++frame.nextOp;
            break;
        case Control::call: advanceCall(frame, opId, op); break;
        case Control::loop:
        case Control::branch:
        case Control::exit: advanceRegions(frame, opId, op); break;
        }
    }

    /// The first call opens the body of the callee; the second one, after the body, ends the call. Opening one invalidates
    /// `frame`.
    void advanceCall(Frame& frame, OpId opId, const Op& op)
    {
        if (frame.nextRegion++ == 0) {
            const InstanceId caller = frame.instance;
            const PathId path = frame.path;
            const LoopId loop = frame.loop;
            opSteps(caller, opId).begin = out_.horizon();
            const InstanceId callee = enterFunction(op.callee, caller, opId);
            out_.callees[out_.instances[at(caller)].firstOp + at(opId)] = callee;
            open(callee, 0, path, loop);
            return;
        }
        finishOp(frame, opId);
    }

    /// Opens the next region of an op, one at a time, and ends the op after the last one. Opening one invalidates `frame`.
    void advanceRegions(Frame& frame, OpId opId, const Op& op)
    {
        if (frame.nextRegion == 0) {
            opSteps(frame.instance, opId).begin = out_.horizon();
            if (op.control == Control::loop) {
                frame.ownLoop = static_cast<LoopId>(out_.loops.size());
                const bool exits = !exitsOf(function(frame.instance), op).empty(); // then the trip count is only an upper limit
                out_.loops.push_back({op.name, frame.loop, {out_.horizon(), 0}, exits ? std::nullopt : op.tripCount});
                out_.loopPaths.push_back(frame.path);
            }
        }
        if (frame.nextRegion < op.regions.size()) {
            const RegionId inner = op.regions[frame.nextRegion++];
            const InstanceId instance = frame.instance;
            if (op.control == Control::loop) {
                open(instance, inner, frame.path, frame.ownLoop);
            } else if (op.control == Control::exit) {
                open(instance, inner, frame.path, frame.loop);
            } else {
                const auto path = static_cast<PathId>(out_.paths.size());
                out_.paths.push_back({frame.path, out_.paths[at(frame.path)].depth + 1, {out_.horizon(), 0}, {}});
                branches_.push_back(path);
                open(instance, inner, path, frame.loop);
            }
            return;
        }
        finishOp(frame, opId);
        const Interval& steps = opSteps(frame.instance, opId);
        if (op.control == Control::loop) {
            out_.loops[at(frame.ownLoop)].live = steps;
        } else if (op.control == Control::branch) {
            // Branches of cases inside have been taken off already: what is left on top are this case's own.
            for (std::size_t i = 0; i < op.regions.size(); ++i) {
                out_.paths[at(branches_.back())].caseSteps = steps;
                branches_.pop_back();
            }
        }
        frame.ownLoop = none;
    }

    void finishOp(Frame& frame, OpId opId)
    {
        opSteps(frame.instance, opId).end = out_.horizon();
        frame.nextRegion = 0;
        ++frame.nextOp;
    }

    /// Ends the region on top. A region without steps gets a step of the op around it, or of the call, in which its outputs are
    /// live.
    void close()
    {
        const Frame frame = stack_.back();
        stack_.pop_back();
        Interval& steps = regionSteps(frame.instance, frame.region);
        const Region& region = function(frame.instance).regions[at(frame.region)];
        if (steps.begin == out_.horizon()) {
            if (region.owner != none)
                step(frame, frame.instance, region.owner);
            else if (const Instance& instance = out_.instances[at(frame.instance)]; instance.caller != none)
                step(frame, instance.caller, instance.callSite);
        }
        steps.end = out_.horizon();
        if (steps.begin == steps.end) steps.begin = 0; // an entry without ops: step 0 is the only step
        if (region.role == RegionRole::branch) out_.paths[at(frame.path)].steps = steps;
    }

    /// Loop names are unique: an op's name, and a number after it from the second expansion on.
    void nameLoops()
    {
        std::unordered_map<std::string, int> copies;
        for (Loop& loop : out_.loops) {
            const std::string base = loop.name;
            int& count = copies[base];
            while (++count > 1 && copies.contains(loop.name = fmt::format("{}~{}", base, count))) {
            }
            copies.try_emplace(loop.name, 1);
        }
    }

    const Program& program_;
    Expansion out_;
    std::vector<Frame> stack_;
    std::vector<PathId> branches_; ///< of the current cases
    std::size_t entries_ = 0;
};

} // namespace

Expected<Expansion> expand(const Program& program)
{
    return Expander(program).run();
}

void Expansion::ends(InstanceId instance, RegionId region, bool first, std::vector<Step>& to) const
{
    struct Place {
        InstanceId instance;
        RegionId region;
    };
    std::vector<Place> pending{{instance, region}};
    while (!pending.empty()) {
        const Place place = pending.back();
        pending.pop_back();
        const Function& fn = function(place.instance);
        const Instance& current = instances[at(place.instance)];
        const Region& body = fn.regions[at(place.region)];
        const Interval& range = regionSteps[current.firstRegion + at(place.region)];
        const OpId opId = body.ops.empty() ? none : first ? body.ops.front() : body.ops.back();
        if (opId == none || fn.ops[at(opId)].control == Control::leaf) {
            to.push_back(first ? range.begin : range.end - 1);
            continue;
        }
        const Op& op = fn.ops[at(opId)];
        if (op.control == Control::call)
            pending.push_back({callees[current.firstOp + at(opId)], 0});
        else if (op.control == Control::loop)
            pending.push_back({place.instance, first ? op.regions.front() : op.regions.back()});
        else // last branch first onto the stack, so that steps come out ascending
            for (auto it = op.regions.rbegin(); it != op.regions.rend(); ++it) pending.push_back({place.instance, *it});
    }
}

} // namespace stowage::lowering
