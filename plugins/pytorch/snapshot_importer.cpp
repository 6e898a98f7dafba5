#include "plugins/pytorch/snapshot_importer.h"

#include "core/io/clocks.h"
#include "core/ir/digits.h"
#include "plugins/pytorch/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace stowage::pytorch {

namespace {

std::string poolName(const Snapshot& snapshot, const Origin& origin)
{
    std::string name = fmt::format("stream{}.{}", origin.stream, origin.small ? "small" : "large");
    if (origin.segmentPool != 0)
        name += fmt::format(".pool{}", snapshot.segmentPools[static_cast<std::size_t>(origin.segmentPool)]);
    return name;
}

/// "forward model.py:12 #381": where it was asked for, and the number that makes it unique.
std::string bufferName(const Snapshot& snapshot, const Block& block, std::size_t index)
{
    if (block.frame == none) return fmt::format("block #{}", index);
    std::string_view frame = snapshot.frames[static_cast<std::size_t>(block.frame)];
    std::string name(frame.substr(0, frame.find(' ')));
    const auto slash = frame.rfind('/');
    const auto from = slash == std::string_view::npos ? frame.find(' ') : slash;
    return fmt::format("{} {} #{}", name, frame.substr(from + 1), index);
}

/// What of several streams is in order.
enum class Order {
    automatic, ///< what the trace shows to be in order, unless a memory has one stream only, or there are too many conflicts
    events,    ///< all events, as the host saw them
    streams    ///< what the trace shows to be in order
};

/// How the importer was asked to read.
struct Choices {
    bool split = false; ///< a pool for each stream, pool of segments and size class
    Order order = Order::automatic;

    /// Largest numbers of a device for which the order of its streams is told; more have the order of the events.
    [[nodiscard]] std::size_t maxBlocks() const
    {
        if (order == Order::automatic) return split ? 0 : 20'000;
        return order == Order::events ? 0 : std::numeric_limits<std::size_t>::max();
    }
    [[nodiscard]] std::size_t maxConflicts() const { return order == Order::automatic ? 500'000 : io::maxClockConflicts; }
};

/// With `made.problem.buffers[i]` for block `blocks[i]`. More streams than one have no common order; that of the events is shown.
/// False when what is too much for the default has the order of the events alone.
Expected<bool> applyStreams(NamedProblem& made, const Device& device, const std::vector<std::size_t>& blocks,
                            const Choices& choices)
{
    std::vector<io::Clock> clocks;
    for (const std::size_t block : blocks) clocks.push_back({device.clocks[block].first, device.clocks[block].last});
    auto error = io::applyClocks(made.problem, clocks, io::ShownOrder::asGiven, choices.maxConflicts());
    if (!error) return true;
    if (choices.order == Order::streams) return *std::move(error);
    made.problem.axis = Axis::ops;
    for (Buffer& buffer : made.problem.buffers) buffer.conflicts.clear();
    return false;
}

Expected<NamedProblem> problemOf(const Snapshot& snapshot, const Device& device, const Choices& choices)
{
    const bool split = choices.split;
    NamedProblem made;
    made.name = fmt::format("device{}", device.number);
    Problem& problem = made.problem;
    problem.name = made.name;
    std::map<Origin, PoolId> pools;
    const auto addPool = [&](std::string name) {
        Pool pool;
        pool.name = std::move(name);
        pool.alignment = blockMultiple;
        problem.pools.push_back(std::move(pool));
        return static_cast<PoolId>(problem.pools.size() - 1);
    };
    if (!split) addPool(made.name);
    problem.buffers.reserve(device.blocks.size());
    made.calls.frames = snapshot.frames;
    made.calls.stacks = snapshot.stacks;
    std::vector<std::size_t> blocks;
    for (std::size_t i = 0; i < device.blocks.size(); ++i) {
        const Block& block = device.blocks[i];
        if (block.end <= block.begin) continue; // freed by the first event: it was never live in the trace
        Buffer buffer;
        buffer.name = bufferName(snapshot, block, i);
        buffer.size = block.rounded;
        buffer.live = {{block.begin, block.end}};
        if (split) {
            auto found = pools.find(block.origin);
            if (found == pools.end()) found = pools.emplace(block.origin, addPool(poolName(snapshot, block.origin))).first;
            buffer.pools = {found->second};
        }
        problem.buffers.push_back(std::move(buffer));
        made.calls.ofBuffer.push_back(block.stack);
        blocks.push_back(i);
    }
    if (snapshot.stacks.empty()) made.calls = {};
    if (!device.clocks.empty())
        if (auto applied = applyStreams(made, device, blocks, choices); !applied) return std::move(applied).error();
    return made;
}

/// The most that blocks took at an event, rounded up as the allocator does.
Bytes allocatedPeak(const Device& device)
{
    std::vector<std::pair<Step, Bytes>> changes;
    for (const Block& block : device.blocks) {
        if (block.end <= block.begin) continue;
        changes.emplace_back(block.begin, block.rounded);
        changes.emplace_back(block.end, -block.rounded);
    }
    std::sort(changes.begin(), changes.end()); // what ends goes before what begins
    Bytes live = 0;
    Bytes peak = 0;
    for (const auto& [step, bytes] : changes) peak = std::max(peak, live += bytes);
    return peak;
}

FilePlan planOf(const Device& device, std::size_t index, bool split)
{
    FilePlan plan;
    plan.name = "pytorch";
    plan.problem = static_cast<std::int32_t>(index);
    // The allocator's segments do not say which pool of ours they would be.
    if (!split) plan.sizes.emplace_back(fmt::format("device{}", device.number), device.reservedPeak);
    plan.figures = {{"reserved_at_start", device.reservedAtStart},
                    {"reserved_at_end", device.reservedAtEnd},
                    {"reserved_peak", device.reservedPeak},
                    {"allocated_peak", allocatedPeak(device)},
                    {"allocated_at_end", device.allocatedAtEnd},
                    {"events", device.events},
                    {"segments", static_cast<std::int64_t>(device.segments)}};
    return plan;
}

/// What the trace could not tell.
void tellGaps(const Device& device, const std::string& file, Diagnostics& to)
{
    const auto tell = [&](Severity severity, Code code, std::string message, std::string remedy = {}) {
        Diagnostic told = warning(code, fmt::format("device {}: {}", device.number, message), {file}, std::move(remedy));
        told.severity = severity;
        to.push_back(std::move(told));
    };
    if (!device.traced)
        return tell(Severity::warning, Code::noTrace,
                    "the snapshot has no events: every active block is taken to be live throughout",
                    "record with torch.cuda.memory._record_memory_history() before the run");
    if (device.freedUnseen + device.liveThroughout > 0)
        tell(Severity::note, Code::traceStartsLate,
             fmt::format("{} blocks were there before the trace began",
                         grouped(static_cast<std::int64_t>(device.freedUnseen + device.liveThroughout))));
    if (device.holes > 0)
        tell(Severity::warning, Code::traceHasHoles,
             fmt::format("{} blocks were allocated where one was in use: events are missing", device.holes));
    if (!device.endStateAgrees)
        tell(Severity::warning, Code::endStateDiffers,
             "blocks that the trace leaves open are not the active blocks of the snapshot");
}

/// Events have the order in which the host saw them; the device need not run them so.
Diagnostic severalStreams(const Device& device, bool partial, const Choices& choices, const std::string& file)
{
    std::string message = fmt::format("device {}: {} streams; ", device.number, device.streams.size());
    std::string remedy;
    if (partial) {
        message += "blocks share bytes only where the trace shows that one is over before the other begins";
        remedy = "--import order=events takes the order in which the host saw the events for that of the device";
    } else {
        message += "lifetimes are in the order of the events, as the host saw them";
        if (choices.order == Order::automatic) {
            message += ": too many blocks to compare in pairs";
            remedy = "--import split=streams keeps a pool for each stream, whose events have that order";
        } else {
            remedy = "--import order=streams orders only what the trace shows to be in order";
        }
    }
    Diagnostic told = warning(Code::outOfOrder, std::move(message), {file}, std::move(remedy));
    told.severity = Severity::note;
    return told;
}

} // namespace

int SnapshotImporter::claims(std::string_view head, std::string_view path) const
{
    return claimsSnapshot(head, path);
}

Expected<Imported> SnapshotImporter::import(const ImportRequest& request) const
{
    Choices choices;
    for (const auto& [name, value] : request.options) {
        if (name == "split")
            choices.split = value == "streams";
        else if (name == "order")
            choices.order = value == "streams" ? Order::streams : value == "events" ? Order::events : Order::automatic;
        else
            return failure(Code::unknownOption, fmt::format("the importer has no option \"{}\"", name), {request.path},
                           "its options are split and order");
    }
    auto snapshot = readSnapshot(request.bytes, request.path, choices.maxBlocks());
    if (!snapshot) return std::move(snapshot).error();
    std::vector<NamedProblem> problems;
    Imported imported;
    if (snapshot->roundingUnknown)
        imported.diagnostics.push_back(
            warning(Code::notUnderstood,
                    fmt::format("the allocator's setting roundup_power2_divisions has an unknown form: sizes are rounded up to "
                                "multiples of {} bytes",
                                blockMultiple),
                    {request.path}, "with the setting blocks may be larger: record without it to get exact sizes"));
    for (const Device& device : snapshot->devices) {
        auto problem = problemOf(*snapshot, device, choices);
        if (!problem) {
            Error error = std::move(problem).error();
            error.where = {request.path};
            error.remedy = "read it with order=events, or with split=streams alone, which keeps streams apart";
            return error;
        }
        if (problem->problem.buffers.empty()) continue;
        imported.plans.push_back(planOf(device, problems.size(), choices.split));
        tellGaps(device, request.path, imported.diagnostics);
        const bool apart = choices.split && choices.order == Order::automatic; // a memory has the events of one stream
        if (device.streams.size() > 1 && !apart)
            imported.diagnostics.push_back(severalStreams(device, problem->problem.axis == Axis::dag, choices, request.path));
        problems.push_back(*std::move(problem));
    }
    if (problems.empty())
        return failure(Code::nothingToPlan, "the snapshot has neither events nor active blocks", {request.path},
                       "record while the model runs: torch.cuda.memory._record_memory_history()");
    imported.content = std::move(problems);
    return imported;
}

} // namespace stowage::pytorch
