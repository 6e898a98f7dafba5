#include "core/exec/program_run.h"

#include "core/ir/random.h"
#include "core/lower/merge.h"

#include <algorithm>

namespace stowage::executing {

namespace {

bool isKept(const Tensor& tensor)
{
    return tensor.kind == TensorKind::constant || tensor.kind == TensorKind::variable;
}

} // namespace

ProgramRun::ProgramRun(ProgramState& state, const ExecuteOptions& options) : state_(state), options_(options)
{
    const auto& instances = state.lowering().instances;
    for (std::size_t i = 1; i < instances.size(); ++i)
        callees_.emplace(key({instances[i].caller, instances[i].callSite}), static_cast<InstanceId>(i));
    countChoices();
}

void ProgramRun::countChoices()
{
    for (std::size_t i = 0; i < state_.lowering().instances.size(); ++i)
        for (const Op& op : state_.function(static_cast<InstanceId>(i)).ops) {
            if (op.control == Control::branch) branchesLeft_ += static_cast<std::int64_t>(op.regions.size());
            if (op.control == Control::exit) ++branchesLeft_, varies_ = true;
            varies_ = varies_ || op.control == Control::branch || (op.control == Control::loop && !op.tripCount);
        }
}

bool ProgramRun::run()
{
    fillBeforeStart();
    const bool done = runRegion(0, 0) && checkAtEnd();
    ++runs_;
    return done;
}

void ProgramRun::fillBeforeStart()
{
    fillKept();
    for (const TensorId input : state_.function(0).body().inputs)
        if (!isKept(state_.tensor({0, input}))) state_.make({0, input}, {});
}

bool ProgramRun::runGiven()
{
    state_.iterations().reset();
    const bool done = runRegion(0, 0) && checkAtEnd();
    ++runs_;
    return done;
}

void ProgramRun::fillKept()
{
    state_.iterations().reset();
    const auto& instances = state_.lowering().instances;
    std::vector<bool> filled(state_.program().functions.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (filled[at(instances[i].function)]) continue;
        filled[at(instances[i].function)] = true;
        const auto& tensors = state_.function(static_cast<InstanceId>(i)).tensors;
        for (std::size_t t = 0; t < tensors.size(); ++t)
            if (isKept(tensors[t]) && tensors[t].aliasOf == none)
                state_.make({static_cast<InstanceId>(i), static_cast<TensorId>(t)}, {});
    }
}

bool ProgramRun::checkAtEnd()
{
    for (const TensorId output : state_.function(0).body().outputs)
        if (!state_.read({0, output}, {})) return false;
    const auto& instances = state_.lowering().instances;
    std::vector<bool> checked(state_.program().functions.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (checked[at(instances[i].function)]) continue;
        checked[at(instances[i].function)] = true;
        const auto& tensors = state_.function(static_cast<InstanceId>(i)).tensors;
        for (std::size_t t = 0; t < tensors.size(); ++t)
            if (isKept(tensors[t]) && !state_.read({static_cast<InstanceId>(i), static_cast<TensorId>(t)}, {})) return false;
    }
    return state_.checkGuards({});
}

bool ProgramRun::mayStop()
{
    cancelled_ = cancelled_ || options_.cancel.stop_requested();
    exhausted_ = exhausted_ || opsExecuted_ >= options_.maxOps ||
                 state_.memory().bytesChecked() + state_.memory().bytesWritten() >= options_.maxBytes;
    return cancelled_ || exhausted_;
}

bool ProgramRun::runRegion(InstanceId instance, RegionId id)
{
    state_.forgetLocals(instance, id);
    for (const OpId op : region(instance, id).ops) {
        if (!runOp({instance, op})) return false;
        // Only a body lists exits: the current exit is the one that is taken.
        if (!leaving_.empty() && leaving_.back().now) break;
    }
    return true;
}

// Recursion here follows the nesting of regions and calls, which the verifier bounds.
bool ProgramRun::runOp(Actor actor)
{
    const Op& op = state_.function(actor.instance).ops[at(actor.op)];
    if (op.control != Control::leaf) {
        // The scratch of an op with regions is in use until the op ends.
        std::vector<Value> scratch;
        for (const TensorId temp : op.temps) scratch.push_back(state_.scribble({actor.instance, temp}, actor));
        const bool done = op.control == Control::branch ? runCase(actor, op)
                          : op.control == Control::call ? runCall(actor, op)
                          : op.control == Control::exit ? runExit(actor, op)
                                                        : runLoop(actor, op);
        for (std::size_t i = 0; done && i < scratch.size(); ++i)
            if (!state_.check({actor.instance, op.temps[i]}, scratch[i], actor)) return false;
        return done;
    }
    if (mayStop()) return false;
    ++opsExecuted_;
    return runLeaf(actor, op);
}

bool ProgramRun::runLeaf(Actor actor, const Op& op)
{
    state_.setCurrent(actor);
    std::vector<Value> before;
    for (const TensorId input : op.inputs) {
        if (!state_.read({actor.instance, input}, actor)) return false;
        before.push_back(state_.expected({actor.instance, input}));
    }
    std::vector<Value> scratch;
    for (const TensorId temp : op.temps) scratch.push_back(state_.scribble({actor.instance, temp}, actor));
    for (std::size_t i = 0; i < op.outputs.size(); ++i) makeOutput(actor, op, i);
    // An op may read and write at any time while it runs: its operands must not overlap, except where in-place is permitted.
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const Variable input{actor.instance, op.inputs[i]};
        for (const TensorId output : op.outputs)
            if (mayOverwrite(actor, op, op.inputs[i], output)) state_.leaveOut(before[i], input, {actor.instance, output});
        if (!state_.check(input, before[i], actor)) return false;
    }
    for (std::size_t i = 0; i < scratch.size(); ++i)
        if (!state_.check({actor.instance, op.temps[i]}, scratch[i], actor)) return false;
    for (const TensorId output : op.outputs)
        if (!state_.read({actor.instance, output}, actor)) return false;
    return true;
}

void ProgramRun::makeOutput(Actor actor, const Op& op, std::size_t index)
{
    const Variable output{actor.instance, op.outputs[index]};
    if (index == 0 && isView(op)) {
        const Variable input{actor.instance, op.inputs.front()};
        if (state_.root(input) == state_.root(output)) return; // a declared view: it has the bytes already
        if (state_.tensor(input).bytes == state_.tensor(output).bytes && state_.sameBytes(input, output)) {
            const Transfer whole{input, output};
            transfers_.assign(1, whole);
            if (state_.transfer(transfers_, actor)) return; // nothing is copied, so that nothing can fail
        }
    }
    state_.make(output, actor);
    if (!op.inPlaceRequired) return;
    for (const InPlace& pair : op.inPlace) { // a result that is written over a variable becomes the variable's value
        const Variable kept{actor.instance, pair.input};
        const TensorKind kind = state_.tensor({actor.instance, state_.root(kept)}).kind;
        if (pair.output == output.tensor && kind == TensorKind::variable) state_.update(kept, output);
    }
}

bool ProgramRun::mayOverwrite(Actor actor, const Op& op, TensorId input, TensorId output) const
{
    const Variable in{actor.instance, input};
    const Variable out{actor.instance, output};
    if (state_.oneTensor(in, out)) return true;
    if (std::find(op.inPlace.begin(), op.inPlace.end(), InPlace{input, output}) != op.inPlace.end() && state_.sameBytes(in, out))
        return true;
    const BufferId buffer = state_.binding(in).buffer;
    if (buffer == none) return true;
    const auto& partners = state_.lowering().problem.buffers[at(buffer)].mayShare;
    return std::find(partners.begin(), partners.end(), state_.binding(out).buffer) != partners.end();
}

// --- regions and calls -------------------------------------------------------------------------------------------------

bool ProgramRun::bindInput(Actor actor, TensorId inner, TensorId outer)
{
    const Variable to{actor.instance, inner};
    const Variable from{actor.instance, outer};
    if (state_.sameBytes(to, from)) {
        state_.refer(to, from);
        return true;
    }
    state_.detach(to);
    const Transfer copy{from, to};
    return state_.transfer({&copy, 1}, actor);
}

bool ProgramRun::copyOut(Actor actor, InstanceId inside, const std::vector<TensorId>& from, const std::vector<TensorId>& to)
{
    transfers_.clear();
    for (std::size_t i = 0; i < to.size(); ++i) transfers_.push_back({{inside, from[i]}, {actor.instance, to[i]}});
    return state_.transfer(transfers_, actor);
}

/// Visits take the branches in turn until all have been taken, also inside loops; later visits take pseudo-random ones.
std::size_t ProgramRun::choose(Actor actor, std::size_t count)
{
    std::uint64_t& visits = visits_[key(actor)];
    const std::uint64_t own = mix64(key(actor) + options_.seed + 1);
    const std::uint64_t visit = visits++;
    if (visit < count) {
        --branchesLeft_;
        return static_cast<std::size_t>(((own >> 33U) + visit) % count);
    }
    const std::uint64_t mixed = mix64(own ^ visit);
    return static_cast<std::size_t>((mixed >> 33U) % count);
}

/// Skips the loops of a region that is not executed. Recursion follows the nesting of regions and calls.
void ProgramRun::skipLoops(InstanceId instance, RegionId id)
{
    for (const OpId opId : region(instance, id).ops) {
        const Actor inner{instance, opId};
        const Op& op = state_.function(instance).ops[at(opId)];
        if (op.control == Control::loop) state_.iterations().skip(loopOf(inner), true);
        if (op.control == Control::call) skipLoops(callees_.at(key(inner)), 0);
        if (op.control == Control::branch)
            for (const RegionId branch : op.regions) skipLoops(instance, branch);
    }
}

bool ProgramRun::runCase(Actor actor, const Op& op)
{
    if (!state_.read({actor.instance, op.inputs.front()}, actor)) return false;
    const std::size_t choice = choose(actor, op.regions.size());
    const RegionId chosen = op.regions[choice];
    for (const RegionId other : op.regions)
        if (other != chosen) skipLoops(actor.instance, other);
    const Region& branch = region(actor.instance, chosen);
    for (std::size_t i = 0; i < branch.inputs.size(); ++i)
        if (!bindInput(actor, branch.inputs[i], op.inputs[i + 1])) return false;
    if (!runRegion(actor.instance, chosen)) return false;
    state_.choose(actor, choice);
    return copyOut(actor, actor.instance, branch.outputs, op.outputs);
}

bool ProgramRun::runCall(Actor actor, const Op& op)
{
    const InstanceId callee = callees_.at(key(actor));
    const Region& body = state_.function(callee).body();
    for (std::size_t i = 0; i < body.inputs.size(); ++i) state_.refer({callee, body.inputs[i]}, {actor.instance, op.inputs[i]});
    return runRegion(callee, 0) && copyOut(actor, callee, body.outputs, op.outputs);
}

LoopId ProgramRun::loopOf(Actor actor) const
{
    const auto& loops = state_.lowering().instances[at(actor.instance)].loops;
    const auto found =
        std::lower_bound(loops.begin(), loops.end(), actor.op, [](const auto& entry, OpId op) { return entry.first < op; });
    return found->second;
}

std::int64_t ProgramRun::iterationsOf(const Op& op, LoopId loop)
{
    if (op.tripCount) return state_.iterations().shortened(loop, *op.tripCount);
    // Any number is possible: the first run takes many iterations, the second none, later ones various numbers.
    const std::int64_t usual = state_.iterations().usual(loop);
    return runs_ == 0 ? usual : runs_ == 1 ? 0 : (usual + runs_ + loop) % (usual + 1);
}

/// Makes the inputs of the body without a matching input of the loop; a carried input is made for the first iteration only.
void ProgramRun::makeOwnInputs(Actor actor, const Op& op, bool first)
{
    const Region& body = region(actor.instance, op.regions.back());
    for (std::size_t i = op.inputs.size(); i < body.inputs.size(); ++i)
        if (first || !std::any_of(op.carries.begin(), op.carries.end(), [&](const Carry& c) { return c.to == body.inputs[i]; }))
            state_.make({actor.instance, body.inputs[i]}, actor);
}

bool ProgramRun::runLoop(Actor actor, const Op& op)
{
    const LoopId loop = loopOf(actor);
    Iterations& iterations = state_.iterations();
    iterations.begin(loop, 0);
    state_.choose(actor, 0);
    if (!enterLoop(actor, op)) return false;
    const std::int64_t count = iterationsOf(op, loop);
    chooseExit(actor, op, count);
    const bool done = runIterations(actor, op, loop, count);
    leaving_.pop_back();
    return done;
}

bool ProgramRun::runIterations(Actor actor, const Op& op, LoopId loop, std::int64_t count)
{
    const bool tested = op.regions.size() == 2;
    Iterations& iterations = state_.iterations();
    for (std::int64_t iteration = 0; iteration < count; ++iteration) {
        if (mayStop()) return false;
        iterations.begin(loop, iteration);
        if (tested && !testCondition(actor, op)) return false;
        makeOwnInputs(actor, op, iteration == 0);
        if (!runRegion(actor.instance, op.regions.back())) return false;
        if (leaving_.back().now) return true;
        if (!endIteration(actor, op, loop, iteration)) return false;
    }
    if (tested) {
        iterations.set(loop, count); // values of the last iteration of loops inside are still read
        if (!testCondition(actor, op)) return false;
    }
    iterations.end(loop, count);
    if (count == 0) iterations.skip(loop, false);
    return count > 0 || skipLoop(actor, op);
}

/// Chooses the exit: the first visit runs the loop to its end; later visits leave it at each exit in turn, in the first iteration
/// or in others.
void ProgramRun::chooseExit(Actor actor, const Op& op, std::int64_t count)
{
    Leaving& next = leaving_.emplace_back();
    const std::vector<OpId> exits = exitsOf(state_.function(actor.instance), op);
    if (exits.empty() || count == 0) return;
    const std::uint64_t visit = visits_[key(actor)]++;
    const std::uint64_t each = exits.size() + 1;
    if (visit % each == 0) return;
    next.exit = exits[static_cast<std::size_t>(visit % each) - 1];
    if (visit < each) --branchesLeft_;
    const std::uint64_t mixed = mix64(key(actor) + options_.seed + visit);
    const std::uint64_t round = visit / each;
    next.iteration = static_cast<std::int64_t>(round == 0   ? std::min<std::uint64_t>(1, static_cast<std::uint64_t>(count) - 1)
                                               : round == 1 ? 0
                                                            : (mixed >> 33U) % static_cast<std::uint64_t>(count));
}

bool ProgramRun::runExit(Actor actor, const Op& op)
{
    const Region& condition = region(actor.instance, op.regions.front());
    for (std::size_t i = 0; i < condition.inputs.size(); ++i)
        if (!bindInput(actor, condition.inputs[i], op.inputs[i])) return false;
    if (!runRegion(actor.instance, op.regions.front()) || !state_.read({actor.instance, condition.outputs.front()}, actor))
        return false;
    const Actor loop{actor.instance, region(actor.instance, op.parent).owner};
    Leaving& leaving = leaving_.back();
    leaving.now = leaving.exit == actor.op && leaving.iteration == state_.iterations().current(loopOf(loop));
    return !leaving.now || leaveLoop(actor, op);
}

/// When an exit is taken, the loop's results are the values that the exit lists.
bool ProgramRun::leaveLoop(Actor actor, const Op& op)
{
    const Actor holder{actor.instance, region(actor.instance, op.parent).owner};
    const Op& loop = state_.function(holder.instance).ops[at(holder.op)];
    const std::vector<OpId> exits = exitsOf(state_.function(holder.instance), loop);
    state_.choose(holder, static_cast<std::size_t>(std::find(exits.begin(), exits.end(), actor.op) - exits.begin()) + 1);
    const LoopId left = loopOf(holder);
    state_.iterations().end(left, state_.iterations().current(left) + 1);
    std::vector<Transfer> moves;
    for (const Carry& carry : op.carries) moves.push_back({{actor.instance, carry.from}, {actor.instance, carry.to}});
    return state_.transfer(moves, actor);
}

bool ProgramRun::enterLoop(Actor actor, const Op& op)
{
    const Region& body = region(actor.instance, op.regions.back());
    std::vector<TensorId> carried;
    for (const Carry& carry : op.carries)
        if (carry.from != carry.to) carried.push_back(carry.to);
    std::sort(carried.begin(), carried.end());
    std::vector<Transfer> first;
    for (std::size_t i = 0; i < body.inputs.size(); ++i) {
        const Variable inner{actor.instance, body.inputs[i]};
        if (i >= op.inputs.size())
            state_.detach(inner);
        else if (!std::binary_search(carried.begin(), carried.end(), body.inputs[i])) {
            if (!bindInput(actor, body.inputs[i], op.inputs[i])) return false;
        } else {
            state_.detach(inner);
            first.push_back({{actor.instance, op.inputs[i]}, inner});
        }
    }
    // A result that collects values of all iterations starts undefined.
    for (const TensorId output : op.outputs) state_.forget({actor.instance, output});
    return state_.transfer(first, actor);
}

bool ProgramRun::testCondition(Actor actor, const Op& op)
{
    const Region& condition = region(actor.instance, op.regions.front());
    const Region& body = region(actor.instance, op.regions.back());
    for (std::size_t i = 0; i < condition.inputs.size(); ++i)
        if (!bindInput(actor, condition.inputs[i], i < body.inputs.size() ? body.inputs[i] : op.inputs[i])) return false;
    return runRegion(actor.instance, op.regions.front()) && state_.read({actor.instance, condition.outputs.front()}, actor);
}

bool ProgramRun::endIteration(Actor actor, const Op& op, LoopId loop, std::int64_t iteration)
{
    const Region& body = region(actor.instance, op.regions.back());
    std::vector<Transfer> moves;
    for (const Carry& carry : op.carries)
        if (carry.from != carry.to) moves.push_back({{actor.instance, carry.from}, {actor.instance, carry.to}, loop, 0});
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        Transfer result{{actor.instance, body.outputs[i]}, {actor.instance, op.outputs[i]}};
        // The result is larger than the value of one iteration: it takes the values one after the other.
        const Bytes piece = state_.tensor(result.from).bytes.value_or(0);
        const Bytes whole = state_.tensor(result.to).bytes.value_or(0);
        if (piece > 0 && whole / 2 >= piece) {
            result.part = iteration % (whole / piece) * piece;
            result.keeps = true;
        }
        if (const TensorBinding& bound = state_.chosenBinding(result.to); bound.after && bound.loop == loop)
            result.nextIterationOf = loop;
        moves.push_back(result);
    }
    return state_.transfer(moves, actor);
}

/// Without an iteration, a carried result is its initial value, and other results are undefined.
bool ProgramRun::skipLoop(Actor actor, const Op& op)
{
    const Region& body = region(actor.instance, op.regions.back());
    std::vector<Transfer> moves;
    for (std::size_t i = 0; i < op.outputs.size(); ++i)
        for (const Carry& carry : op.carries)
            if (carry.from == body.outputs[i]) {
                moves.push_back({{actor.instance, carry.to}, {actor.instance, op.outputs[i]}});
                break;
            }
    return state_.transfer(moves, actor);
}

} // namespace stowage::executing
