#include "core/exec/program_state.h"

#include <algorithm>
#include <unordered_map>

namespace stowage::executing {

namespace {

std::size_t at(Id id)
{
    return static_cast<std::size_t>(id);
}

/// How an actor is called in reports.
std::string nameOf(const ProgramState& state, Actor actor)
{
    return actor.op == none ? std::string("the caller") : state.function(actor.instance).ops[at(actor.op)].name;
}

} // namespace

ProgramState::ProgramState(const Program& program, const Lowering& lowering, const Plan& plan, ArenaMemory& memory,
                           std::uint64_t seed, std::optional<Address> watch)
    : program_(program),
      lowering_(lowering),
      plan_(plan),
      memory_(memory),
      seed_(seed),
      origins_(program.functions.size()),
      iterations_(lowering.problem.loops.size(), 0),
      watch_(watch)
{
    std::size_t tensors = 0;
    first_.reserve(lowering.instances.size());
    for (const FunctionInstance& instance : lowering.instances) {
        first_.push_back(tensors);
        tensors += instance.bindings.size();
        if (origins_[at(instance.function)].empty())
            origins_[at(instance.function)] = viewOrigins(program.functions[at(instance.function)]);
    }
    values_.resize(tensors);
    cells_.resize(tensors);
    for (std::size_t i = 0; i < tensors; ++i) cells_[i] = {i, 0};

    // What a function keeps between its calls is one thing, whichever call looks at it.
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
    const TensorBinding first = binding(a);
    const TensorBinding second = binding(b);
    return first.buffer == second.buffer && (first.buffer == none || first.delta == second.delta);
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

std::optional<Address> ProgramState::address(Variable v, LoopId nextIterationOf) const
{
    const TensorBinding bound = binding(v);
    if (bound.buffer == none || !tensor(v).bytes) return std::nullopt;
    const Placement& placement = plan_.placements[at(bound.buffer)];
    if (!placement.rotating()) return Address{placement.pool, placement.offset + bound.delta};
    std::vector<std::int64_t> iterations;
    for (const Rotation& rotation : placement.rotations)
        iterations.push_back(iterations_[at(rotation.loop)] + (rotation.loop == nextIterationOf ? 1 : 0));
    return Address{placement.pool, placement.at(iterations) + bound.delta};
}

Value ProgramState::expected(Variable v) const
{
    const Cell where = cell(v);
    return values_[where.value].slice(where.offset, addOffsets(where.offset, tensor(v).bytes.value_or(0)));
}

Stamp ProgramState::nextStamp()
{
    // Any sequence without repetition would do: the pattern mixes it.
    return (seed_ << 40U) + ++writes_;
}

void ProgramState::store(Variable v, const Value& value, Address to, Actor writer)
{
    for (const Segment& segment : value.segments()) {
        const Address place{to.pool, to.byte + segment.begin};
        memory_.write(place, segment.end - segment.begin, segment.stamp, segment.from);
        if (watch_ && memory_.covers(place, segment.end - segment.begin, *watch_)) {
            lastBuffer_ = binding(v).buffer;
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
            report(v, *wrong, reader);
            return false;
        }
    }
    return true;
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
        // What stays where it is has not to be alive at this moment: nobody looks at it.
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
        if (pending[i].moves && pending[i].to) store(target, pending[i].value, *pending[i].to, actor);
    }
    for (std::size_t i = 0; i < transfers.size(); ++i)
        if (pending[i].moves && pending[i].to && !intact(transfers[i].to, pending[i].value, *pending[i].to, actor)) return false;
    return true;
}

void ProgramState::report(Variable v, Address wrong, Actor reader)
{
    Corruption& found = corruption_.emplace();
    corruptedAt_ = wrong;
    found.reader = nameOf(*this, reader);
    found.tensor = tensor(v).name;
    found.buffer = binding(v).buffer;
    found.pool = wrong.pool;
    found.address = wrong.byte;
    found.overwrittenBy = lastBuffer_;
    if (lastBuffer_ != none) found.writer = nameOf(*this, lastWriter_);
    if (reader.op == none) {
        found.step = static_cast<Step>(lowering_.steps.size()) - 1;
        return;
    }
    const auto step = std::find_if(lowering_.steps.begin(), lowering_.steps.end(), [&](const StepInfo& info) {
        return info.op == current_.op && info.instance == current_.instance;
    });
    if (step == lowering_.steps.end()) return;
    found.step = step - lowering_.steps.begin();
    for (std::size_t loop = 0; loop < lowering_.problem.loops.size(); ++loop) // loops come before those inside them
        if (lowering_.problem.loops[loop].live.contains(found.step)) found.iterations.push_back(iterations_[loop]);
}

} // namespace stowage::executing
