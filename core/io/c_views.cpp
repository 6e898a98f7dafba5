#include "core/io/c_views.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::io {

namespace {

/// An expression that is `values[i]` if the variable is i, and the last value for larger numbers; a single value if all are
/// equal. Empty if a value is empty.
std::string choose(const std::string& variable, const std::vector<std::string>& values)
{
    if (std::any_of(values.begin(), values.end(), [](const std::string& value) { return value.empty(); })) return {};
    if (std::all_of(values.begin(), values.end(), [&](const std::string& value) { return value == values.front(); }))
        return values.front();
    std::string text = "(";
    for (std::size_t i = 0; i + 1 < values.size(); ++i) text += fmt::format("{} == {}u ? {} : ", variable, i, values[i]);
    return text + values.back() + ")";
}

} // namespace

struct CViews::Count {
    bool known = false;
    std::int64_t number = 0; ///< the number, or the addend to the variable
    std::string variable;

    /// This number of iterations plus `more`.
    [[nodiscard]] Count plus(std::int64_t more) const { return {known, number + more, variable}; }
    [[nodiscard]] std::string text() const
    {
        if (known) return fmt::format("{}u", number);
        if (number == 0) return variable;
        return number > 0 ? fmt::format("({} + {}u)", variable, number) : fmt::format("({} - {}u)", variable, -number);
    }
};

std::string CViews::iterationOf(LoopId loop)
{
    return fmt::format("iteration_{}", loop);
}
std::string CViews::ranOf(LoopId loop)
{
    return fmt::format("ran_{}", loop);
}
std::string CViews::chosenOf(std::int32_t instance, OpId op)
{
    return fmt::format("chosen_{}_{}", instance, op);
}

bool CViews::varies(const TensorBinding& binding) const
{
    if (!binding.choices.empty() || binding.distance != 0) return true;
    return binding.buffer != none && run_.plan.placements[at(binding.buffer)].rotating();
}

bool CViews::active() const
{
    return std::any_of(run_.lowering->instances.begin(), run_.lowering->instances.end(), [&](const FunctionInstance& instance) {
        return std::any_of(instance.bindings.begin(), instance.bindings.end(),
                           [&](const TensorBinding& binding) { return varies(binding); });
    });
}

bool CViews::isInside(LoopId loop, LoopId around) const
{
    while (loop != none && loop != around) loop = run_.problem().loops[at(loop)].parent;
    return loop == around;
}

std::string CViews::refuse(CObstacle obstacle)
{
    if (!obstacle_) obstacle_ = std::move(obstacle);
    return {};
}

std::string CViews::address(const TensorBinding& binding, const CMoment& moment)
{
    if (!binding.choices.empty()) {
        const std::pair by{binding.chosenBy.instance, binding.chosenBy.op};
        if (const auto known = moment.chosen.find(by); known != moment.chosen.end())
            return address(binding.choices[std::min(known->second, binding.choices.size() - 1)], moment);
        std::vector<std::string> values;
        for (const TensorBinding& choice : binding.choices) values.push_back(address(choice, moment));
        return choose(chosenOf(by.first, by.second), values);
    }
    return binding.distance > 0 ? carried(binding, moment) : place(binding, moment);
}

CViews::Count CViews::countOf(const TensorBinding& binding, const CMoment& moment) const
{
    const bool next = binding.loop == moment.nextOf;
    const bool afterLoop = binding.after && !next;
    const auto& known = afterLoop ? moment.ran : moment.current;
    Count count;
    if (const auto number = known.find(binding.loop); number != known.end()) {
        count.known = true;
        count.number = number->second;
    } else {
        count.variable = afterLoop ? ranOf(binding.loop) : iterationOf(binding.loop);
    }
    if (next) ++count.number;
    return count;
}

/// The address of a carried value: in the first iterations, that of an initial value.
std::string CViews::carried(const TensorBinding& binding, const CMoment& moment)
{
    const Count count = countOf(binding, moment);
    if (count.known)
        return count.number >= binding.distance ? place(binding, moment)
                                                : address(binding.first[static_cast<std::size_t>(count.number)], moment);
    std::vector<std::string> values;
    for (std::int64_t i = count.number; i < binding.distance; ++i)
        values.push_back(address(binding.first[static_cast<std::size_t>(i)], moment));
    values.push_back(place(binding, moment));
    return choose(count.variable, values);
}

std::string CViews::place(const TensorBinding& binding, const CMoment& moment)
{
    if (binding.buffer == none || !run_.plan.placements[at(binding.buffer)].placed())
        return refuse({CObstacle::Kind::outsidePlan});
    const Placement& placement = run_.plan.placements[at(binding.buffer)];
    std::string text = model_.pools[at(placement.pool)].name + " + ";
    if (placement.rotating()) {
        const std::string number = index(binding, placement, moment);
        if (number.empty()) return {};
        tables_.insert(binding.buffer);
        text += fmt::format("{}_views_{}[{}]", model_.name, binding.buffer, number);
    } else {
        text += model_.bufferMacros[at(binding.buffer)] + "_OFFSET";
    }
    if (binding.delta != 0) text += fmt::format(" + {}", binding.delta);
    return text;
}

std::string CViews::index(const TensorBinding& binding, const Placement& placement, const CMoment& moment)
{
    std::string text;
    for (const Rotation& rotation : placement.rotations) {
        const std::string& name = run_.problem().buffers[at(binding.buffer)].name;
        if (rotation.loop == none) return refuse({CObstacle::Kind::unknownRotation, name});
        Count count;
        if (binding.distance > 0 && rotation.loop == binding.loop) {
            count = countOf(binding, moment).plus(-binding.distance);
        } else if (binding.distance > 0 && isInside(rotation.loop, binding.loop)) {
            const auto& trips = run_.problem().loops[at(rotation.loop)].tripCount;
            if (!trips) return refuse({CObstacle::Kind::earlierRuns, name, run_.problem().loops[at(rotation.loop)].name});
            count = {true, std::max<std::int64_t>(*trips, 1) - 1, {}};
        } else if (const auto known = moment.current.find(rotation.loop); known != moment.current.end()) {
            count = {true, known->second, {}};
        } else {
            count.variable = iterationOf(rotation.loop);
        }
        std::string digit;
        if (count.known)
            digit = fmt::format("{}u", rotation.index(count.number));
        else if (rotation.hasFirst)
            digit = fmt::format("({0} == 0 ? 0u : 1u + {1} % {2}u)", count.text(), count.plus(-1).text(), rotation.period);
        else
            digit = fmt::format("{} % {}u", count.text(), rotation.period);
        text = text.empty() ? digit : fmt::format("({}) * {}u + {}", text, rotation.extent(), digit);
    }
    return text;
}

void CViews::extent(const TensorBinding& binding, Bytes length, PoolId& pool, Bytes& begin, Bytes& end) const
{
    bool several = false;
    const auto add = [&](const auto& self, const TensorBinding& each) -> void {
        for (const TensorBinding& early : each.first) self(self, early);
        for (const TensorBinding& choice : each.choices) self(self, choice);
        if (!each.choices.empty() || each.buffer == none || !run_.plan.placements[at(each.buffer)].placed()) return;
        const Placement& placement = run_.plan.placements[at(each.buffer)];
        const auto [low, high] = placement.rotating() ? std::minmax_element(placement.offsets.begin(), placement.offsets.end())
                                                      : std::pair(placement.offsets.end(), placement.offsets.end());
        const Bytes first = (placement.rotating() ? *low : placement.offset) + each.delta;
        const Bytes last = (placement.rotating() ? *high : placement.offset) + each.delta + length;
        if (pool == none) pool = placement.pool, begin = first, end = last;
        several = several || pool != placement.pool;
        begin = std::min(begin, first);
        end = std::max(end, last);
    };
    add(add, binding);
    if (several) pool = none;
}

LoopId CLoopState::loopOf(std::int32_t instance, OpId op) const
{
    for (const auto& [loop, number] : run_.lowering->instances[at(instance)].loops)
        if (loop == op) return number;
    return none;
}

std::vector<LoopId> CLoopState::inside(LoopId around) const
{
    std::vector<LoopId> found;
    const std::vector<Loop>& loops = run_.problem().loops;
    for (std::size_t l = 0; l < loops.size(); ++l)
        for (LoopId loop = loops[l].parent; loop != none; loop = loops[at(loop)].parent)
            if (loop == around) found.push_back(static_cast<LoopId>(l));
    return found;
}

void CLoopState::begin(LoopId loop, const std::string& iteration, int depth)
{
    if (!active_) return;
    line(depth, fmt::format("{} = {};", CViews::iterationOf(loop), iteration));
    for (const LoopId inner : inside(loop)) line(depth, fmt::format("{} = 0;", CViews::iterationOf(inner)));
}

void CLoopState::ended(LoopId loop, const std::string& count, int depth)
{
    if (!active_) return;
    if (count.empty()) {
        line(depth, fmt::format("{} = 0;", CViews::ranOf(loop)));
        for (const LoopId inner : inside(loop)) skip(inner, depth);
        return;
    }
    line(depth, fmt::format("{0} = {1}, {2} = {1} > 0 ? {1} - 1 : 0;", CViews::ranOf(loop), count, CViews::iterationOf(loop)));
    const std::size_t before = lines_.size();
    line(depth, fmt::format("if ({} == 0) {{", count));
    for (const LoopId inner : inside(loop)) skip(inner, depth + 1);
    if (lines_.size() == before + 1)
        lines_.pop_back();
    else
        line(depth, "}");
}

void CLoopState::skip(LoopId loop, int depth)
{
    if (const auto trips = run_.problem().loops[at(loop)].tripCount)
        line(depth, fmt::format("{} = {}u, {} = {}u;", CViews::iterationOf(loop), std::max<std::int64_t>(*trips - 1, 0),
                                CViews::ranOf(loop), *trips));
}

void CLoopState::chose(std::int32_t instance, OpId op, std::size_t choice, int depth)
{
    if (!active_) return;
    const std::string name = CViews::chosenOf(instance, op);
    choices_.insert(name);
    line(depth, fmt::format("{} = {}u;", name, choice));
}

// Recursion follows the nesting of regions and calls, which the verifier bounds.
void CLoopState::skipRegion(std::int32_t instance, RegionId region, int depth)
{
    if (!active_) return;
    const auto& instances = run_.lowering->instances;
    const Function& function = run_.program->functions[at(instances[at(instance)].function)];
    for (const OpId id : function.regions[at(region)].ops) {
        const Op& op = function.ops[at(id)];
        if (op.control == Control::loop) {
            const LoopId loop = loopOf(instance, id);
            skip(loop, depth);
            for (const LoopId inner : inside(loop)) skip(inner, depth);
        }
        if (op.control == Control::call)
            for (std::size_t i = 1; i < instances.size(); ++i)
                if (instances[i].caller == instance && instances[i].callSite == id)
                    skipRegion(static_cast<std::int32_t>(i), 0, depth);
        if (op.control == Control::branch)
            for (const RegionId branch : op.regions) skipRegion(instance, branch, depth);
    }
}

void CLoopState::declare()
{
    if (!active_) return;
    std::vector<std::string> names(choices_.begin(), choices_.end());
    for (std::size_t l = 0; l < run_.problem().loops.size(); ++l) {
        names.push_back(CViews::iterationOf(static_cast<LoopId>(l)));
        names.push_back(CViews::ranOf(static_cast<LoopId>(l)));
    }
    std::vector<CLine> lines;
    for (const std::string& name : names) lines.push_back({0, std::nullopt, fmt::format("uint64_t {} = 0;", name)});
    for (const std::string& name : names)
        lines.push_back({0, std::nullopt, fmt::format("(void){};", name)}); // some variables are not read
    lines_.insert(lines_.begin(), lines.begin(), lines.end());
}

} // namespace stowage::io
