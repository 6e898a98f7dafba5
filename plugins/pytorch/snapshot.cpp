#include "plugins/pytorch/snapshot.h"

#include "core/ir/checked.h"
#include "plugins/pytorch/packed.h"
#include "plugins/pytorch/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

namespace stowage::pytorch {

namespace {

using pickle::Document;
using pickle::Kind;
using pickle::Value;

constexpr Bytes smallRequest = Bytes{1} << 20; ///< kSmallSize: larger requests have other segments
/// kRoundUpPowerOfTwoIntervals: below 2 MiB, from 2 MiB, from 4 MiB, …; the last one also takes what is larger.
constexpr std::size_t sizeClasses = 16;

enum class Action : std::uint8_t { alloc, freeRequested, freeCompleted, segmentAlloc, segmentFree, other };

Action actionOf(std::string_view name)
{
    if (name == "alloc") return Action::alloc;
    if (name == "free_requested") return Action::freeRequested;
    if (name == "free_completed") return Action::freeCompleted;
    if (name == "segment_alloc" || name == "segment_map") return Action::segmentAlloc;
    if (name == "segment_free" || name == "segment_unmap") return Action::segmentFree;
    return Action::other; // snapshot, oom, and what later versions add
}

bool isActive(std::string_view state)
{
    return state == "active_allocated" || state == "active_pending_free" || state == "active_awaiting_free";
}

/// An active block at the end.
struct ActiveBlock {
    std::uint64_t address = 0;
    Bytes requested = 0;
    bool named = false; ///< some event is about it
};

/// A range of addresses that belongs to a segment at the end.
struct SegmentRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::int64_t stream = 0;
    std::int64_t pool = 0;
};

class SnapshotReader {
public:
    SnapshotReader(const Document& document, const std::string& file, std::size_t clocksUpTo)
        : document_(document), file_(file), clocksUpTo_(clocksUpTo)
    {
    }

    Expected<Snapshot> read()
    {
        const Value root = document_.root();
        snapshot_.segmentPools.emplace_back();
        Value segments = root;
        Value traces;
        if (root.kind == Kind::dict) {
            segments = document_.find(root, "segments");
            traces = document_.find(root, "device_traces");
        }
        if (segments.kind != Kind::list && segments.kind != Kind::tuple)
            return failure(Code::noSnapshot, "the pickle is no memory snapshot: it has no list of segments", {file_},
                           "write it with torch.cuda.memory._dump_snapshot");
        readRounding(document_.find(root, "allocator_settings"));
        const auto listed = document_.items(segments);
        const auto traced = document_.items(traces);
        for (const Value& segment : listed) addSegment(segment);
        for (std::size_t device = 0; device < traced.size(); ++device)
            if (!document_.items(traced[device]).empty()) ofDevice(static_cast<std::int64_t>(device)).trace = traced[device];
        for (auto& [number, rest] : byDevice_) {
            if (rest.trace.kind == Kind::none && rest.active.empty()) continue;
            addDevice(number, rest);
        }
        if (error_) return *std::move(error_);
        return std::move(snapshot_);
    }

private:
    /// What belongs to one device.
    struct OfDevice {
        Value trace;
        std::vector<ActiveBlock> active;
        std::vector<SegmentRange> segments;
        Bytes reserved = 0;
        Bytes allocated = 0;
    };

    OfDevice& ofDevice(std::int64_t device) { return byDevice_[device]; }

    void fail(std::string message)
    {
        if (!error_) error_ = failure(Code::badSnapshot, std::move(message), {file_});
    }

    /// A size; what is out of range is an error.
    Bytes bytesIn(Value dict, std::string_view key)
    {
        const std::int64_t bytes = Document::integer(document_.find(dict, key));
        if (bytes < 0 || bytes > maxBytes / 2) {
            fail(fmt::format("{} is {}, which is no size", key, bytes));
            return 0;
        }
        return bytes;
    }

    void add(Bytes& sum, Bytes bytes)
    {
        if (sum > maxBytes - bytes) return fail("the sizes add up to more than 2^62 bytes");
        sum += bytes;
    }

    std::int64_t poolOf(Value segment)
    {
        const auto pair = document_.items(document_.find(segment, "segment_pool_id"));
        if (pair.size() != 2) return 0;
        const std::int64_t a = Document::integer(pair[0]);
        const std::int64_t b = Document::integer(pair[1]);
        if (a == 0 && b == 0) return 0;
        const auto [found, isNew] = poolNumbers_.try_emplace({a, b}, static_cast<std::int64_t>(snapshot_.segmentPools.size()));
        if (isNew) snapshot_.segmentPools.push_back(fmt::format("({}, {})", a, b));
        return found->second;
    }

    void addSegment(Value segment)
    {
        if (segment.kind != Kind::dict) return fail("a segment is no dictionary");
        OfDevice& device = ofDevice(Document::integer(document_.find(segment, "device")));
        const Bytes total = bytesIn(segment, "total_size");
        add(device.reserved, total);
        const auto base = static_cast<std::uint64_t>(Document::integer(document_.find(segment, "address")));
        const std::int64_t stream = Document::integer(document_.find(segment, "stream"));
        device.segments.push_back({base, base + static_cast<std::uint64_t>(total), stream, poolOf(segment)});
        std::uint64_t address = base; // old files give none: blocks lie end to end
        for (const Value& block : document_.items(document_.find(segment, "blocks"))) {
            const Value given = document_.find(block, "address");
            if (given.kind == Kind::integer) address = static_cast<std::uint64_t>(given.payload);
            const Bytes size = bytesIn(block, "size");
            const std::string_view state = document_.text(document_.find(block, "state"));
            if (isActive(state)) {
                ActiveBlock active;
                active.address = address;
                active.requested = size;
                const auto history = document_.items(document_.find(block, "history"));
                if (document_.find(block, "requested_size").kind == Kind::integer)
                    active.requested = bytesIn(block, "requested_size");
                else if (!history.empty() && document_.find(history[0], "real_size").kind == Kind::integer)
                    active.requested = bytesIn(history[0], "real_size");
                device.active.push_back(active);
                if (state == "active_allocated") add(device.allocated, size);
            }
            address += static_cast<std::uint64_t>(size);
        }
    }

    /// "roundup_power2_divisions": {"1": 0, "2": 4, "4": 4, …}: the divisions of each size class by its MiB, 0 without an entry.
    void readRounding(Value settings)
    {
        const Value given = document_.find(settings, "roundup_power2_divisions");
        if (given.kind == Kind::none) {
            const std::string_view all = document_.text(document_.find(settings, "PYTORCH_CUDA_ALLOC_CONF"));
            snapshot_.roundingUnknown = all.find("roundup_power2_divisions") != std::string_view::npos;
            return;
        }
        std::array<Bytes, sizeClasses> divisions{};
        for (std::size_t i = 0; i < sizeClasses; ++i) {
            const Value value = document_.find(given, std::to_string(1U << i));
            if (value.kind == Kind::none && given.kind == Kind::dict) continue;
            const bool power = value.payload > 0 && std::has_single_bit(static_cast<std::uint64_t>(value.payload));
            if (value.kind != Kind::integer || (value.payload != 0 && !power)) {
                snapshot_.roundingUnknown = true;
                return;
            }
            divisions[i] = value.payload;
        }
        divisions_ = divisions;
    }

    /// As the allocator does (`round_size`): the setting splits the range between two powers of two into equal parts.
    Bytes rounded(Bytes requested) const
    {
        const auto size = static_cast<std::uint64_t>(requested);
        const auto mebibytes = static_cast<std::size_t>(std::bit_width(size >> 20));
        const Bytes divisions = divisions_[std::min(std::max(mebibytes, std::size_t{1}) - 1, sizeClasses - 1)];
        if (divisions > 1 && requested / divisions >= blockMultiple && requested > blockMultiple * divisions)
            return alignUp(requested, static_cast<Bytes>(std::bit_floor(size)) / divisions);
        const Bytes up = (requested + blockMultiple - 1) / blockMultiple * blockMultiple;
        return std::max(up, blockMultiple); // also a request of nothing takes a block
    }

    Origin originOf(const OfDevice& own, std::uint64_t address, std::optional<std::int64_t> stream, Bytes requested) const
    {
        Origin origin;
        origin.small = requested <= smallRequest;
        const auto after = std::upper_bound(own.segments.begin(), own.segments.end(), address,
                                            [](std::uint64_t a, const SegmentRange& range) { return a < range.begin; });
        if (after != own.segments.begin() && address < std::prev(after)->end) {
            origin.stream = std::prev(after)->stream;
            origin.segmentPool = std::prev(after)->pool;
        }
        if (stream) origin.stream = *stream;
        return origin;
    }

    std::int32_t numberOf(Value frame)
    {
        std::string text =
            fmt::format("{} {}:{}", document_.text(document_.find(frame, "name")),
                        document_.text(document_.find(frame, "filename")), Document::integer(document_.find(frame, "line")));
        const auto [number, isNew] =
            frameNumbers_.try_emplace(std::move(text), static_cast<std::int32_t>(snapshot_.frames.size()));
        if (isNew) snapshot_.frames.push_back(number->first);
        return number->second;
    }

    /// The whole stack, and of it the innermost frame of the user's own Python code, else the innermost one; none without frames.
    /// Lists of frames are shared, so each is looked at once.
    std::pair<std::int32_t, std::int32_t> framesOf(Value event)
    {
        const Value list = document_.find(event, "frames");
        const auto all = document_.items(list);
        if (all.empty()) return {none, none};
        const auto [found, isNew] = framesOfList_.try_emplace(all.data(), none, none);
        if (!isNew) return found->second;
        const Value* chosen = nullptr;
        std::vector<std::int32_t> stack;
        for (const Value& frame : all) {
            stack.push_back(numberOf(frame));
            const std::string_view name = document_.text(document_.find(frame, "filename"));
            if (!chosen && name.ends_with(".py") && name.find("/torch/") == std::string_view::npos) chosen = &frame;
        }
        const std::int32_t top = chosen ? stack[static_cast<std::size_t>(chosen - all.data())] : stack.front();
        found->second = {top, static_cast<std::int32_t>(snapshot_.stacks.size())};
        snapshot_.stacks.push_back(std::move(stack));
        return found->second;
    }

    void addDevice(std::int64_t number, OfDevice& own)
    {
        std::sort(own.segments.begin(), own.segments.end(),
                  [](const SegmentRange& a, const SegmentRange& b) { return a.begin < b.begin; });
        Device device;
        device.number = number;
        device.segments = own.segments.size();
        device.reservedAtEnd = own.reserved;
        device.allocatedAtEnd = own.allocated;
        const auto events = document_.items(own.trace);
        device.events = static_cast<Step>(events.size());
        device.traced = !events.empty();

        std::unordered_map<std::uint64_t, std::size_t> activeAt; // address -> own.active
        for (std::size_t i = 0; i < own.active.size(); ++i) activeAt.emplace(own.active[i].address, i);
        std::unordered_map<std::uint64_t, std::size_t> open; // address -> device.blocks
        // Blocks allocated before the trace whose owner frees them in it, until they are reusable: address -> requested size.
        std::map<std::uint64_t, Bytes> leaving;
        const auto addUnseen = [&](std::uint64_t address, std::optional<std::int64_t> stream, Bytes size, Step end) {
            device.blocks.push_back({size, rounded(size), 0, end, address, originOf(own, address, stream, size), none, none});
            ++device.freedUnseen;
        };
        const auto name = [&](std::uint64_t address) {
            if (const auto found = activeAt.find(address); found != activeAt.end()) own.active[found->second].named = true;
        };
        Bytes reservedSince = 0; // what segments grew by over the whole trace
        for (std::size_t i = 0; i < events.size() && !error_; ++i) {
            const Value event = events[i];
            const auto step = static_cast<Step>(i);
            const Action action = actionOf(document_.text(document_.find(event, "action")));
            if (action == Action::other || action == Action::freeRequested) {
                if (action == Action::other) continue;
                const auto address = static_cast<std::uint64_t>(Document::integer(document_.find(event, "addr")));
                name(address);
                if (!open.contains(address)) leaving.emplace(address, bytesIn(event, "size"));
                continue;
            }
            const Bytes size = bytesIn(event, "size");
            if (action == Action::segmentAlloc || action == Action::segmentFree) {
                reservedSince += action == Action::segmentAlloc ? size : -size;
                if (reservedSince > maxBytes || reservedSince < -maxBytes) fail("the segments add up to more than 2^62 bytes");
                continue;
            }
            const auto address = static_cast<std::uint64_t>(Document::integer(document_.find(event, "addr")));
            const Value streamValue = document_.find(event, "stream");
            const auto stream = streamValue.kind == Kind::integer ? std::optional(streamValue.payload) : std::nullopt;
            name(address);
            const auto found = open.find(address);
            const auto unseen = leaving.extract(address);
            if (action == Action::alloc) {
                if (found != open.end()) { // its end was not recorded
                    device.blocks[found->second].end = step;
                    ++device.holes;
                } else if (!unseen.empty()) {
                    addUnseen(address, {}, unseen.mapped(), step);
                    ++device.holes;
                }
                open[address] = device.blocks.size();
                const auto [frame, stack] = framesOf(event);
                device.blocks.push_back(
                    {size, rounded(size), step, device.events, address, originOf(own, address, stream, size), frame, stack});
                ++device.fromTrace;
            } else if (found != open.end()) {
                device.blocks[found->second].end = step;
                open.erase(found);
            } else {
                addUnseen(address, stream, size, step);
            }
        }
        for (const auto& [address, size] : leaving) { // another stream still uses them at the end
            open.emplace(address, device.blocks.size());
            addUnseen(address, {}, size, device.events);
        }
        // What is open now has to be an active block, and the other way round.
        std::size_t openAndActive = 0;
        for (const auto& [address, index] : open) {
            const auto found = activeAt.find(address);
            const bool agrees = found != activeAt.end() && own.active[found->second].requested == device.blocks[index].requested;
            openAndActive += agrees ? 1 : 0;
        }
        device.endStateAgrees = openAndActive == open.size();
        for (const ActiveBlock& active : own.active) {
            if (active.named) continue;
            device.blocks.push_back({active.requested, rounded(active.requested), 0, device.events, active.address,
                                     originOf(own, active.address, std::nullopt, active.requested), none, none});
            ++device.liveThroughout;
        }
        std::stable_sort(device.blocks.begin(), device.blocks.end(),
                         [](const Block& a, const Block& b) { return a.begin < b.begin; });

        for (const Block& block : device.blocks) device.streams.push_back(block.origin.stream);
        std::sort(device.streams.begin(), device.streams.end());
        device.streams.erase(std::unique(device.streams.begin(), device.streams.end()), device.streams.end());
        if (device.streams.size() > 1 && device.blocks.size() <= clocksUpTo_) addClocks(device, events);

        device.reservedAtStart = device.reservedAtEnd - reservedSince;
        device.reservedPeak = std::max(device.reservedAtStart, device.reservedAtEnd);
        Bytes reserved = device.reservedAtStart;
        for (const Value& event : events) {
            const Action action = actionOf(document_.text(document_.find(event, "action")));
            if (action != Action::segmentAlloc && action != Action::segmentFree) continue;
            reserved += action == Action::segmentAlloc ? bytesIn(event, "size") : -bytesIn(event, "size");
            device.reservedPeak = std::max(device.reservedPeak, reserved);
        }
        snapshot_.devices.push_back(std::move(device));
    }

    void addClocks(Device& device, std::span<const Value> events)
    {
        const std::size_t count = device.streams.size();
        const auto entryOf = [&](std::int64_t stream) {
            return static_cast<std::size_t>(std::lower_bound(device.streams.begin(), device.streams.end(), stream) -
                                            device.streams.begin());
        };
        // By event: the blocks that it allocates and frees. Those that are never freed end with the trace.
        std::unordered_map<Step, std::size_t> allocated;
        std::unordered_map<Step, std::size_t> freed;
        device.clocks.resize(device.blocks.size());
        for (std::size_t b = 0; b < device.blocks.size(); ++b) {
            const Block& block = device.blocks[b];
            device.clocks[b].first.assign(count, 0);
            if (block.end < device.events) freed[block.end] = b;
            const Action action =
                block.begin < device.events && device.traced
                    ? actionOf(document_.text(document_.find(events[static_cast<std::size_t>(block.begin)], "action")))
                    : Action::other;
            const auto address = [&](Step step) {
                return static_cast<std::uint64_t>(
                    Document::integer(document_.find(events[static_cast<std::size_t>(step)], "addr")));
            };
            if (action == Action::alloc && address(block.begin) == block.address) allocated[block.begin] = b;
        }
        struct Asked {
            std::size_t event = 0;               ///< of `free_requested`
            std::vector<std::int64_t> done = {}; ///< what every stream had been given by then
        };
        std::unordered_map<std::uint64_t, Asked> asked;
        std::vector<std::int64_t> now(count, 0);  ///< events of each stream so far
        std::vector<std::int64_t> over(count, 0); ///< of them, those that the host knows to be over
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Action action = actionOf(document_.text(document_.find(events[i], "action")));
            const auto step = static_cast<Step>(i);
            if (action == Action::segmentFree) over = now; // the driver waits for the device
            const auto address = static_cast<std::uint64_t>(Document::integer(document_.find(events[i], "addr")));
            if (action == Action::freeRequested) asked[address] = {i, now};
            // An allocation where a block was in use frees that one first.
            if (const auto gone = freed.find(step); gone != freed.end()) {
                const Block& block = device.blocks[gone->second];
                const std::size_t own = entryOf(block.origin.stream);
                StreamClock& clock = device.clocks[gone->second];
                clock.last = clock.first;
                const auto request = asked.find(address);
                const bool waited = request != asked.end() && request->second.event + 1 < i;
                if (waited) { // another stream used it until now: any, where there are several
                    clock.last = now;
                    if (count == 2) over[1 - own] = std::max(over[1 - own], request->second.done[1 - own]);
                }
                clock.last[own] = ++now[own];
                if (request != asked.end()) asked.erase(request);
            }
            if (const auto made = allocated.find(step); made != allocated.end()) {
                const std::size_t own = entryOf(device.blocks[made->second].origin.stream);
                ++now[own];
                device.clocks[made->second].first = over;
                device.clocks[made->second].first[own] = now[own];
            }
        }
        for (std::size_t b = 0; b < device.blocks.size(); ++b) {
            StreamClock& clock = device.clocks[b];
            if (!clock.last.empty()) continue;
            clock.last = now;
            for (std::int64_t& entry : clock.last) ++entry; // after everything
        }
    }

    const Document& document_;
    const std::string& file_;
    std::size_t clocksUpTo_;
    Snapshot snapshot_;
    std::array<Bytes, sizeClasses> divisions_{}; ///< by size class; 0 and 1: multiples of `blockMultiple`
    std::map<std::int64_t, OfDevice> byDevice_;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> poolNumbers_;
    std::unordered_map<const Value*, std::pair<std::int32_t, std::int32_t>> framesOfList_; ///< by the list's elements
    std::unordered_map<std::string, std::int32_t> frameNumbers_;
    std::optional<Error> error_;
};

bool isPickle(std::string_view bytes)
{
    return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

} // namespace

Expected<Snapshot> readSnapshot(std::string_view bytes, const std::string& file, std::size_t clocksUpTo)
{
    std::string unpacked;
    if (isGzip(bytes)) {
        auto whole = unzipped(bytes, file);
        if (!whole) return std::move(whole).error();
        unpacked = *std::move(whole);
        bytes = unpacked;
    }
    std::string decoded;
    if (!isPickle(bytes)) {
        auto inside = pickleInPage(bytes, file);
        if (!inside) return std::move(inside).error();
        decoded = *std::move(inside);
        bytes = decoded;
    }
    const auto document = Document::read(bytes, file);
    if (!document) return document.error();
    return SnapshotReader(*document, file, clocksUpTo).read();
}

int claimsSnapshot(std::string_view head, std::string_view path)
{
    const auto named = [&](std::initializer_list<std::string_view> suffixes) {
        return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view suffix) { return path.ends_with(suffix); });
    };
    if (isPickle(head)) {
        if (head.find("segments") != std::string_view::npos || head.find("device_traces") != std::string_view::npos) return 95;
        return named({".pickle", ".pkl"}) ? 60 : 30;
    }
    if (isGzip(head)) {
        const std::string inside = unzippedHead(head);
        const int claim = isPickle(inside) ? claimsSnapshot(inside, path) : 0;
        return named({".pkl.gz", ".pickle.gz"}) ? std::max(claim, 80) : claim;
    }
    return head.find("_memory_viz") != std::string_view::npos || head.find("snapshot.pickle") != std::string_view::npos ? 80 : 0;
}

} // namespace stowage::pytorch
