// Writes `stowage.problem/1`.
#include "core/io/json_writer.h"
#include "core/io/loop_names.h"
#include "core/io/pool_json.h"
#include "core/io/problem_names.h"
#include "core/io/text.h"

#include <fmt/format.h>

#include <unordered_set>

namespace stowage::io {

namespace {

void writeSteps(JsonWriter& out, const Interval& steps)
{
    out.array([&] {
        out.value(steps.begin);
        out.value(steps.end);
    });
}

void writeIteration(JsonWriter& out, const std::vector<std::string>& loops, const LoopIteration& when)
{
    if (when.loop == none) return;
    out.object("turn", JsonWriter::compact, [&] {
        out.field("loop", loops[static_cast<std::size_t>(when.loop)]);
        out.field("iteration", when.iteration);
    });
}

void writeBuffer(JsonWriter& out, const Problem& problem, const std::vector<std::string>& loops, const Buffer& buffer)
{
    out.field("name", buffer.name);
    out.field("size", buffer.size);
    if (buffer.alignment != 1) out.field("alignment", buffer.alignment);
    if (!buffer.live.empty() || buffer.conflicts.empty())
        out.array("live", [&] {
            for (const Interval& live : buffer.live) writeSteps(out, live);
        });
    if (!buffer.windows.empty())
        out.array("windows", [&] {
            for (const Window& window : buffer.windows)
                out.object([&] {
                    out.key("live");
                    writeSteps(out, window.live);
                    out.key("bytes");
                    writeSteps(out, {window.low, window.high});
                });
        });
    if (!buffer.carried.empty())
        out.array("carried", [&] {
            for (const Carried& carried : buffer.carried)
                out.object([&] {
                    out.field("distance", carried.distance);
                    out.key("live");
                    writeSteps(out, carried.live);
                    if (carried.loop != none) out.field("loop", loops[static_cast<std::size_t>(carried.loop)]);
                    writeIteration(out, loops, carried.when);
                });
        });
    if (!buffer.early.empty())
        out.array("early", [&] {
            for (const Early& early : buffer.early)
                out.object([&] {
                    out.key("live");
                    writeSteps(out, early.live);
                    writeIteration(out, loops, early.when);
                });
        });
    const auto names = [&](std::string_view key, const auto& ids, const auto& things) {
        if (ids.empty()) return;
        out.array(key, [&] {
            for (const Id id : ids) out.value(things[static_cast<std::size_t>(id)].name);
        });
    };
    names("conflicts", buffer.conflicts, problem.buffers);
    names("pools", buffer.pools, problem.pools);
    if (buffer.pin) out.field("offset", *buffer.pin);
    if (buffer.kind != BufferKind::intermediate) out.field("kind", problem::kindNames[static_cast<std::size_t>(buffer.kind)]);
    if (buffer.slots != 1) out.field("slots", buffer.slots);
    if (buffer.loop != none) out.field("loop", loops[static_cast<std::size_t>(buffer.loop)]);
    for (const auto& [key, flag] :
         {std::pair("dma", buffer.dma), std::pair("scalar", buffer.scalar), std::pair("unique", buffer.unique)})
        if (flag) out.field(key, true);
    if (!buffer.members.empty())
        out.array("members", [&] {
            for (const BufferMember& member : buffer.members)
                out.object(JsonWriter::compact, [&] {
                    out.field("bytes", member.bytes);
                    out.field("begin", member.begin);
                    for (const auto& [key, flag] :
                         {std::pair("dma", member.dma), std::pair("scalar", member.scalar), std::pair("unique", member.unique)})
                        if (flag) out.field(key, true);
                });
        });
    if (buffer.coupled != none) out.field("coupled", buffer.coupled);
    names("may_share", buffer.mayShare, problem.buffers);
    if (buffer.scope != none) out.field("scope", problem.scopes[static_cast<std::size_t>(buffer.scope)].name);
    if (buffer.traffic != Traffic{}) // also bytes without counts, so that reading gives the same problem
        out.object("traffic", JsonWriter::compact, [&] {
            out.field("read_bytes", buffer.traffic.read);
            out.field("written_bytes", buffer.traffic.written);
            out.field("reads", buffer.traffic.reads);
            out.field("writes", buffer.traffic.writes);
        });
}

} // namespace

std::vector<std::string> loopNames(const Problem& problem)
{
    std::vector<std::string> names;
    std::unordered_set<std::string> taken;
    for (std::size_t l = 0; l < problem.loops.size(); ++l) {
        std::string name = problem.loops[l].name;
        if (name.empty()) name = fmt::format("loop{}", l);
        while (!taken.insert(name).second) name += fmt::format("#{}", l);
        names.push_back(std::move(name));
    }
    return names;
}

std::string writeProblemJson(const Problem& problem)
{
    const std::vector<std::string> loops = loopNames(problem);
    JsonWriter out;
    out.object([&] {
        out.field("format", problem::formatName);
        out.field("name", problem.name);
        out.field("step_axis", problem::axisNames[static_cast<std::size_t>(problem.axis)]);
        out.key("pools");
        writePools(out, problem.pools);
        if (!problem.loops.empty())
            out.array("loops", [&] {
                for (std::size_t l = 0; l < loops.size(); ++l)
                    out.object(JsonWriter::compact, [&] {
                        const Loop& loop = problem.loops[l];
                        out.field("name", loops[l]);
                        if (loop.parent != none) out.field("parent", loops[static_cast<std::size_t>(loop.parent)]);
                        out.key("live");
                        writeSteps(out, loop.live);
                        if (loop.tripCount) out.field("trip_count", *loop.tripCount);
                    });
            });
        if (!problem.scopes.empty())
            out.array("scopes", [&] {
                for (const Scope& scope : problem.scopes)
                    out.object(JsonWriter::compact, [&] {
                        out.field("name", scope.name);
                        out.array("live", [&] {
                            for (const Interval& steps : scope.live) writeSteps(out, steps);
                        });
                    });
            });
        out.array("buffers", [&] {
            for (const Buffer& buffer : problem.buffers)
                out.object(JsonWriter::compact, [&] { writeBuffer(out, problem, loops, buffer); });
        });
        if (!problem.penalties.empty())
            out.array("penalties", [&] {
                for (const ReusePenalty& penalty : problem.penalties)
                    out.object(JsonWriter::compact, [&] {
                        out.field("first", problem.buffers[at(penalty.first)].name);
                        out.field("second", problem.buffers[at(penalty.second)].name);
                        out.field("cost", penalty.cost);
                    });
            });
        if (!problem.unknownSizes.empty())
            out.array("unknown_sizes", [&] {
                for (const std::string& name : problem.unknownSizes) out.value(name);
            });
    });
    return std::move(out).text();
}

} // namespace stowage::io
