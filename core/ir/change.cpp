#include "core/ir/change.h"

#include "core/ir/checked.h"
#include "core/ir/digits.h"
#include "core/ir/occupied.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr std::int32_t maxFactor = 64;

bool inRange(std::int32_t value)
{
    return value >= 1 && value <= maxFactor;
}

template <typename List>
bool has(const List& all, Id id)
{
    return id >= 0 && at(id) < all.size();
}

std::string nameOf(const Problem& problem, BufferId id)
{
    return has(problem.buffers, id) ? problem.buffers[at(id)].name : "?";
}

std::string nameOfLoop(const Problem& problem, LoopId id)
{
    if (!has(problem.loops, id)) return "?";
    const std::string& name = problem.loops[at(id)].name;
    return name.empty() ? std::to_string(id) : name;
}

std::string times(const Change& change)
{
    if (change.numerator == 1 && change.denominator == 2) return "halve";
    if (change.numerator == 2 && change.denominator == 1) return "double";
    return fmt::format("take {}/{} of", change.numerator, change.denominator);
}

void scaleSize(Buffer& buffer, const Change& change)
{
    if (buffer.size == 0) return;
    const Bytes product = checkedMultiply(buffer.size, change.numerator).value_or(maxBytes);
    buffer.size = std::clamp<Bytes>(product / change.denominator + (product % change.denominator != 0 ? 1 : 0), 1, maxBytes / 2);
    dropWindows(buffer); // windows are parts of the old size
}

std::optional<Error> check(const Problem& problem, const Change& change)
{
    const auto noBuffer = [] { return failure(Code::noBuffer, "the change names a buffer that the problem does not have"); };
    if (change.kind == Change::Kind::tile) {
        if (!has(problem.loops, change.loop))
            return failure(Code::noLoop, "the change names a loop that the problem does not have");
    } else if (!has(problem.buffers, change.buffer)) {
        return noBuffer();
    }
    switch (change.kind) {
    case Change::Kind::size:
        if (change.size < 1)
            return failure(Code::badSize, fmt::format("'{}' cannot have {} bytes", nameOf(problem, change.buffer), change.size),
                           {}, "give it at least 1");
        break;
    case Change::Kind::live:
        if (change.live.empty())
            return failure(Code::badRange, fmt::format("'{}' would never be live", nameOf(problem, change.buffer)), {},
                           "give it at least one step");
        break;
    case Change::Kind::inPlace:
        if (!has(problem.buffers, change.other) || change.other == change.buffer) return noBuffer();
        break;
    case Change::Kind::slots:
        if (!inRange(change.slots) || (change.slots > 1 && problem.buffers[at(change.buffer)].loop == none))
            return failure(Code::badSlots, fmt::format("'{}' cannot have {} slots", nameOf(problem, change.buffer), change.slots),
                           {}, "slots are 1 to 64, and rotate with a loop");
        break;
    case Change::Kind::scale:
    case Change::Kind::tile:
        if (!inRange(change.numerator) || !inRange(change.denominator))
            return failure(Code::badFactor, "sizes are scaled by numbers from 1 to 64");
        break;
    }
    return std::nullopt;
}

} // namespace

std::vector<BufferId> scaledBuffers(const Problem& problem, const Change& change)
{
    if (change.kind == Change::Kind::scale) return {change.buffer};
    std::vector<BufferId> buffers;
    for (std::size_t b = 0; change.kind == Change::Kind::tile && b < problem.buffers.size(); ++b)
        if (problem.buffers[b].loop == change.loop) buffers.push_back(static_cast<BufferId>(b));
    return buffers;
}

Problem applied(Problem problem, const Change& change)
{
    const auto buffer = [&]() -> Buffer& { return problem.buffers[at(change.buffer)]; };
    switch (change.kind) {
    case Change::Kind::size: resize(buffer(), change.size); break;
    case Change::Kind::live: setLive(buffer(), change.live); break;
    case Change::Kind::inPlace: {
        Buffer& other = problem.buffers[at(change.other)];
        eraseEqual(buffer().conflicts, change.other);
        eraseEqual(other.conflicts, change.buffer);
        buffer().mayShare.push_back(change.other);
        other.mayShare.push_back(change.buffer);
        break;
    }
    case Change::Kind::slots: buffer().slots = std::max(change.slots, 1); break;
    case Change::Kind::scale:
    case Change::Kind::tile:
        for (const BufferId id : scaledBuffers(problem, change)) scaleSize(problem.buffers[at(id)], change);
        break;
    }
    return problem;
}

Expected<Problem> changed(const Problem& problem, const Change& change)
{
    if (auto error = check(problem, change)) return *std::move(error);
    Problem result = applied(problem, change);
    for (Diagnostic& diagnostic : checkAndRepair(result))
        if (diagnostic.severity == Severity::error) return Error(std::move(diagnostic));
    return result;
}

Change withNames(const Problem& problem, Change change)
{
    if (change.kind == Change::Kind::scale) {
        const Problem scaled = applied(problem, change);
        change = Change::ofSize(change.buffer, scaled.buffers[at(change.buffer)].size);
    }
    if (change.buffer != none) change.names.buffer = nameOf(problem, std::exchange(change.buffer, none));
    if (change.other != none) change.names.other = nameOf(problem, std::exchange(change.other, none));
    if (change.loop != none) change.names.loop = nameOfLoop(problem, std::exchange(change.loop, none));
    return change;
}

Expected<Change> withIds(const Problem& problem, Change change)
{
    const auto find = [&](const std::string& name, BufferId& id) {
        if (name.empty()) return true;
        const auto found = std::find_if(problem.buffers.begin(), problem.buffers.end(),
                                        [&](const Buffer& buffer) { return buffer.name == name; });
        id = found == problem.buffers.end() ? none : static_cast<BufferId>(found - problem.buffers.begin());
        return id != none;
    };
    if (!find(change.names.buffer, change.buffer) || !find(change.names.other, change.other))
        return failure(Code::noBuffer, "there is no such buffer in this lowering");
    if (!change.names.loop.empty()) {
        change.loop = none;
        for (LoopId loop = 0; has(problem.loops, loop) && change.loop == none; ++loop)
            if (nameOfLoop(problem, loop) == change.names.loop) change.loop = loop;
        if (change.loop == none) return failure(Code::noLoop, "the change names a loop that the problem does not have");
    }
    change.names = {};
    return change;
}

std::string describe(const Problem& problem, const Change& change)
{
    const std::string name = nameOf(problem, change.buffer);
    switch (change.kind) {
    case Change::Kind::size:
        if (isHalf(problem, change))
            return fmt::format("halve the size of '{}' to {} {}", name, grouped(change.size),
                               change.size == 1 ? "byte" : "bytes");
        return fmt::format("make '{}' {} {}, not {}", name, grouped(change.size), change.size == 1 ? "byte" : "bytes",
                           grouped(has(problem.buffers, change.buffer) ? problem.buffers[at(change.buffer)].size : 0));
    case Change::Kind::inPlace: return fmt::format("let '{}' be written in place of '{}'", name, nameOf(problem, change.other));
    case Change::Kind::slots:
        return change.slots == 1 ? fmt::format("drop the multi-buffer of {}", name)
                                 : fmt::format("{} slots for {}", change.slots, name);
    case Change::Kind::scale: return fmt::format("{} {}", times(change), name);
    case Change::Kind::tile: return fmt::format("{} the tile of loop {}", times(change), nameOfLoop(problem, change.loop));
    case Change::Kind::live: break;
    }
    const auto stepsIn = [](const auto& ranges) {
        std::int64_t steps = 0;
        for (const Interval& range : ranges) steps += range.length();
        return steps;
    };
    const bool shorter =
        has(problem.buffers, change.buffer) && stepsIn(change.live) < stepsIn(problem.buffers[at(change.buffer)].live);
    return shorter ? fmt::format("shorten '{}' to {}", name, stepWords(change.live))
                   : fmt::format("let '{}' be live at {}", name, stepWords(change.live));
}

bool isHalf(const Problem& problem, const Change& change)
{
    if (change.kind != Change::Kind::size || !has(problem.buffers, change.buffer)) return false;
    const Bytes size = problem.buffers[at(change.buffer)].size;
    return change.size < size && change.size == size - size / 2;
}

std::string stepWords(std::span<const Interval> live)
{
    bool several = live.size() > 1;
    std::string words;
    for (std::size_t i = 0; i < live.size(); ++i) {
        const Interval& range = live[i];
        if (i > 0) words += i + 1 < live.size() ? ", " : " and ";
        words += range.length() == 1 ? fmt::format("{}", range.begin) : fmt::format("{} to {}", range.begin, range.end - 1);
        several |= range.length() > 1;
    }
    return (several ? "steps " : "step ") + words;
}

} // namespace stowage
