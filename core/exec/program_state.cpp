#include "core/exec/program_state.h"

#include <algorithm>
#include <unordered_map>

namespace stowage::executing {

namespace {

/// The name of an actor in messages.
std::string nameOf(const ProgramState& state, Actor actor)
{
    return actor.op == none ? std::string("the caller") : state.function(actor.instance).ops[at(actor.op)].name;
}

/// By region: the tensors that it creates.
std::vector<std::vector<TensorId>> localsOf(const Function& function)
{
    std::vector<bool> given(function.tensors.size());
    for (const Region& region : function.regions)
        for (const TensorId input : region.inputs) given[at(input)] = true;
    std::vector<std::vector<TensorId>> locals(function.regions.size());
    for (std::size_t t = 0; t < function.tensors.size(); ++t) {
        const Tensor& tensor = function.tensors[t];
        const bool kept = tensor.kind == TensorKind::constant || tensor.kind == TensorKind::variable;
        if (!kept && !given[t] && tensor.aliasOf == none) locals[at(tensor.region)].push_back(static_cast<TensorId>(t));
    }
    return locals;
}

} // namespace

ProgramState::ProgramState(const Program& program, const Lowering& lowering, const Plan& plan, ArenaMemory& memory,
                           const ExecuteOptions& options, std::optional<Address> watch)
    : program_(program),
      lowering_(lowering),
      plan_(plan),
      memory_(memory),
      base_(options.seed << 40U),
      origins_(program.functions.size()),
      locals_(program.functions.size()),
      iterations_(lowering.problem, plan, options.iterations),
      watch_(watch)
{
    std::size_t tensors = 0;
    first_.reserve(lowering.instances.size());
    for (const FunctionInstance& instance : lowering.instances) {
        first_.push_back(tensors);
        tensors += instance.bindings.size();
        if (!locals_[at(instance.function)].empty()) continue;
        origins_[at(instance.function)] = viewOrigins(program.functions[at(instance.function)]);
        locals_[at(instance.function)] = localsOf(program.functions[at(instance.function)]);
    }
    values_.resize(tensors);
    cells_.resize(tensors);
    for (std::size_t i = 0; i < tensors; ++i) cells_[i] = {i, 0};

    // A variable of a function is the same for all its calls.
    std::unordered_map<FunctionId, std::size_t> firstInstance;
    for (std::size_t i = 0; i < lowering.instances.size(); ++i) {
        const FunctionInstance& instance = lowering.instances[i];
        const auto [known, fresh] = firstInstance.emplace(instance.function, i);
        if (fresh) continue;
        const auto& all = program.functions[at(instance.function)].tensors;
        for (std::size_t t = 0; t < all.size(); ++t)
            if (all[t].kind == TensorKind::constant || all[t].kind == TensorKind::variable)
                cells_[first_[i] + t] = {first_[known->second] + t, 0};
    }
}

const Function& ProgramState::function(InstanceId instance) const
{
    return program_.functions[at(lowering_.instances[at(instance)].function)];
}

TensorBinding ProgramState::binding(Variable v) const
{
    return lowering_.instances[at(v.instance)].bindings[at(v.tensor)];
}

TensorId ProgramState::root(Variable v) const
{
    return origins_[at(lowering_.instances[at(v.instance)].function)][at(v.tensor)].root;
}

bool ProgramState::sameBytes(Variable a, Variable b) const
{
    return binding(a) == binding(b);
}

ProgramState::Cell ProgramState::cell(Variable v) const
{
    const ViewOrigin& origin = origins_[at(lowering_.instances[at(v.instance)].function)][at(v.tensor)];
    const Cell& root = cells_[rootIndex(v)];
    return {root.value, root.offset + origin.offset};
}

void ProgramState::refer(Variable inner, Variable outer)
{
    cells_[rootIndex(inner)] = cell(outer);
}

void ProgramState::detach(Variable v)
{
    const std::size_t own = rootIndex(v);
    cells_[own] = {own, 0};
    values_[own].clear();
}

void ProgramState::forget(Variable v)
{
    const Cell where = cell(v);
    if (const auto bytes = tensor(v).bytes) values_[where.value].replace(where.offset, addOffsets(where.offset, *bytes), {});
}

void ProgramState::forgetLocals(InstanceId instance, RegionId region)
{
    const std::size_t first = first_[at(instance)];
    for (const TensorId local : locals_[at(lowering_.instances[at(instance)].function)][at(region)])
        values_[first + at(local)].clear();
}

const TensorBinding& ProgramState::bindingNow(Variable v, LoopId nextIterationOf) const
{
    const TensorBinding* bound = &chosenBinding(v);
    while (bound->distance > 0) {
        const std::int64_t iteration = countFor(*bound, nextIterationOf);
        if (iteration >= bound->distance) break;
        bound = &chosenOf(bound->first[static_cast<std::size_t>(iteration)]);
    }
    return *bound;
}

const TensorBinding& ProgramState::chosenBinding(Variable v) const
{
    return chosenOf(lowering_.instances[at(v.instance)].bindings[at(v.tensor)]);
}

const TensorBinding& ProgramState::chosenOf(const TensorBinding& bound) const
{
    const TensorBinding* each = &bound;
    while (!each->choices.empty()) {
        const auto chosen = chosen_.find(keyOf({each->chosenBy.instance, each->chosenBy.op}));
        each = &each->choices[chosen == chosen_.end() ? 0 : std::min(chosen->second, each->choices.size() - 1)];
    }
    return *each;
}

/// The iteration that determines the slot of a tensor.
std::int64_t ProgramState::countFor(const TensorBinding& bound, LoopId nextIterationOf) const
{
    if (bound.after && bound.loop != nextIterationOf) return iterations_.ran(bound.loop);
    return iterations_.current(bound.loop) + (bound.loop == nextIterationOf ? 1 : 0);
}

std::optional<Address> ProgramState::address(Variable v, LoopId nextIterationOf) const
{
    const TensorBinding& bound = bindingNow(v, nextIterationOf);
    if (bound.buffer == none || !tensor(v).bytes) return std::nullopt;
    const Placement& placement = plan_.placements[at(bound.buffer)];
    if (!placement.rotating()) return Address{placement.pool, placement.offset + bound.delta};
    std::size_t index = 0;
    if (bound.distance > 0)
        index = iterations_.index(placement, bound.loop,
                                  iterations_.current(bound.loop) - countFor(bound, nextIterationOf) + bound.distance);
    else
        index = iterations_.index(placement, nextIterationOf, -1);
    return Address{placement.pool, placement.offsets[index] + bound.delta};
}

Value ProgramState::expected(Variable v) const
{
    const Cell where = cell(v);
    return values_[where.value].slice(where.offset, addOffsets(where.offset, tensor(v).bytes.value_or(0)));
}

Stamp ProgramState::nextStamp()
{
    // Any sequence without repetition is sufficient: the pattern mixes it.
    return base_ + ++writes_;
}

void ProgramState::store(Variable v, const Value& value, Address to, Actor writer)
{
    for (const Segment& segment : value.segments()) {
        const Address place{to.pool, to.byte + segment.begin};
        memory_.write(place, segment.end - segment.begin, segment.stamp, segment.from);
        if (watch_ && memory_.covers(place, segment.end - segment.begin, *watch_)) {
            lastBuffer_ = bindingNow(v).buffer;
            lastWriter_ = writer;
        }
    }
}

void ProgramState::make(Variable v, Actor writer)
{
    const auto bytes = tensor(v).bytes;
    if (!bytes || *bytes == 0) return;
    Value fresh;
    fresh.write(0, *bytes, nextStamp());
    const Cell where = cell(v);
    values_[where.value].replace(where.offset, where.offset + *bytes, fresh);
    if (const auto to = address(v)) store(v, fresh, *to, writer);
}

void ProgramState::give(Variable v, const std::vector<Segment>& contents, std::span<const std::byte> bytes)
{
    const Bytes size = tensor(v).bytes.value_or(0);
    const Value value = Value::of(contents).slice(0, size);
    const Cell where = cell(v);
    values_[where.value].replace(where.offset, addOffsets(where.offset, size), value);
    const auto to = address(v);
    if (!to) return;
    if (bytes.empty())
        store(v, value, *to, {});
    else
        memory_.put(*to, bytes.first(std::min(bytes.size(), at(size))));
}

std::optional<std::vector<std::byte>> ProgramState::copy(Variable v) const
{
    const auto from = address(v);
    if (!from) return std::nullopt;
    return memory_.get(*from, tensor(v).bytes.value_or(0));
}

void ProgramState::update(Variable kept, Variable v)
{
    const Value now = expected(v);
    const Cell where = cell(kept);
    const Bytes length = std::min(tensor(kept).bytes.value_or(0), tensor(v).bytes.value_or(0));
    values_[where.value].replace(where.offset, addOffsets(where.offset, length), now);
}

Value ProgramState::scribble(Variable v, Actor writer)
{
    Value fresh;
    fresh.write(0, tensor(v).bytes.value_or(0), nextStamp());
    if (const auto to = address(v)) store(v, fresh, *to, writer);
    return fresh;
}

bool ProgramState::intact(Variable v, const Value& expected, Address from, Actor reader)
{
    for (const Segment& segment : expected.segments()) {
        const Address place{from.pool, from.byte + segment.begin};
        if (const auto wrong = memory_.check(place, segment.end - segment.begin, segment.stamp, segment.from)) {
            Corruption& found = report(*wrong, reader);
            found.tensor = tensor(v).name;
            found.buffer = bindingNow(v).buffer;
            return false;
        }
    }
    return true;
}

void ProgramState::leaveOut(Value& contents, Variable v, Variable written) const
{
    const auto mine = address(v);
    const auto other = address(written);
    if (!mine || !other || mine->pool != other->pool) return;
    const Bytes begin = std::max<Bytes>(other->byte - mine->byte, 0);
    const Bytes end = std::min(other->byte + *tensor(written).bytes - mine->byte, *tensor(v).bytes);
    if (begin < end) contents.replace(begin, end, {});
}

bool ProgramState::checkGuards(Actor actor)
{
    const auto wrong = memory_.checkGuards();
    if (!wrong) return true;
    Corruption& found = report(*wrong, actor);
    found.buffer = found.overwrittenBy;
    return false;
}

bool ProgramState::check(Variable v, const Value& expected, Actor reader)
{
    const auto from = address(v);
    return !from || intact(v, expected, *from, reader);
}

bool ProgramState::read(Variable v, Actor reader)
{
    const auto from = address(v);
    return !from || intact(v, expected(v), *from, reader);
}

bool ProgramState::transfer(std::span<const Transfer> transfers, Actor actor)
{
    struct Pending {
        Value value;
        std::optional<Address> to;
        bool moves = false;
    };
    std::vector<Pending> pending;
    pending.reserve(transfers.size());
    for (const Transfer& each : transfers) {
        Pending& next = pending.emplace_back();
        next.value = expected(each.from);
        next.to = address(each.to, each.nextIterationOf);
        const auto from = address(each.from);
        if (next.to) next.to->byte += each.part;
        next.moves =
            next.to.has_value() != from.has_value() || (from && (from->pool != next.to->pool || from->byte != next.to->byte));
        // A value that stays in place is not read here, so that it is not checked.
        if (next.moves && from && !intact(each.from, next.value, *from, actor)) return false;
    }
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        const Variable target = transfers[i].to;
        const Cell where = cell(target);
        const Bytes room = tensor(target).bytes.value_or(0) - transfers[i].part;
        const Bytes length = std::min(tensor(transfers[i].from).bytes.value_or(0), room);
        if (length <= 0) continue;
        const Bytes begin = where.offset + transfers[i].part;
        pending[i].value = pending[i].value.slice(0, length);
        values_[where.value].replace(begin, begin + length, pending[i].value);
        if (!transfers[i].keeps) values_[where.value].replace(begin + length, begin + room, {});
        if (!pending[i].moves || !pending[i].to) continue;
        ++transfers_;
        bytesTransferred_ += length;
        store(target, pending[i].value, *pending[i].to, actor);
    }
    for (std::size_t i = 0; i < transfers.size(); ++i)
        if (pending[i].moves && pending[i].to && !intact(transfers[i].to, pending[i].value, *pending[i].to, actor)) return false;
    return true;
}

Corruption& ProgramState::report(const Wrong& wrong, Actor reader)
{
    Corruption& found = corruption_.emplace();
    corruptedAt_ = {wrong.pool, wrong.low};
    found.reader = nameOf(*this, reader);
    found.pool = wrong.pool;
    found.low = wrong.low;
    found.high = wrong.high;
    found.overwrittenBy = lastBuffer_;
    if (lastBuffer_ != none) found.writer = nameOf(*this, lastWriter_);
    if (reader.op == none) {
        found.step = static_cast<Step>(lowering_.steps.size()) - 1;
        return found;
    }
    const auto step = std::find_if(lowering_.steps.begin(), lowering_.steps.end(), [&](const StepInfo& info) {
        return info.op == current_.op && info.instance == current_.instance;
    });
    if (step == lowering_.steps.end()) return found;
    found.step = step - lowering_.steps.begin();
    for (std::size_t loop = 0; loop < lowering_.problem.loops.size(); ++loop) // loops come before the loops inside them
        if (lowering_.problem.loops[loop].live.contains(found.step))
            found.iterations.push_back(iterations_.current(static_cast<LoopId>(loop)));
    return found;
}

} // namespace stowage::executing
