// Reads PyTorch's snapshot of a GPU's memory (torch.cuda.memory._dump_snapshot): the events between which each buffer was live,
// and the bytes that the allocator had reserved.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::pytorch {

inline constexpr Bytes blockMultiple = 512; ///< bytes; sizes of blocks are multiples of it (kMinBlockSize)

/// The part of the allocator that a block belongs to. PyTorch reuses bytes only between blocks of equal origin.
struct Origin {
    std::int64_t stream = 0;
    std::int64_t segmentPool = 0; ///< number of the segment's pool in `Snapshot::segmentPools`; 0: the default one
    bool small = false;           ///< requests of at most 1 MiB have segments of their own
    friend auto operator<=>(const Origin&, const Origin&) = default;
};

struct Block {
    Bytes requested = 0; ///< by the program
    Bytes rounded = 0;   ///< `requested`, rounded up to a multiple of `blockMultiple`, or by `roundup_power2_divisions`
    Step begin = 0;      ///< event that allocates it; 0: allocated before the trace
    Step end = 0;        ///< event after which its bytes may be reused (`free_completed`); the count of events: never
    std::uint64_t address = 0;
    Origin origin;
    std::int32_t frame = none; ///< into `Snapshot::frames`: the line of the program that requested it
    std::int32_t stack = none; ///< into `Snapshot::stacks`: the call stack of that line
};

/// The use of a block by each stream: the first and last event of the stream, by number, that may use it (core/io/clocks.h).
struct StreamClock {
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> last;
};

/// The trace and the final state of one device.
struct Device {
    std::int64_t number = 0;
    Step events = 0;
    std::vector<Block> blocks; ///< in order of their first event, after those allocated before the trace
    Bytes reservedAtStart = 0; ///< bytes that the allocator holds from the driver
    Bytes reservedAtEnd = 0;
    Bytes reservedPeak = 0;
    Bytes allocatedAtEnd = 0;          ///< bytes of blocks that the program has not freed
    std::size_t segments = 0;          ///< count at the end of the trace
    std::size_t fromTrace = 0;         ///< count of blocks whose allocation is in the trace
    std::size_t freedUnseen = 0;       ///< count of blocks that the trace frees but does not allocate
    std::size_t liveThroughout = 0;    ///< count of active blocks that no event names
    std::size_t holes = 0;             ///< count of allocations at an address in use, so that events are missing
    bool endStateAgrees = true;        ///< the blocks not freed in the trace are the active blocks of the snapshot
    bool traced = false;               ///< the trace has events
    std::vector<std::int64_t> streams; ///< ids of its blocks' streams, ascending
    std::vector<StreamClock> clocks;   ///< by block; empty with one stream, or if not requested
};

struct Snapshot {
    std::vector<Device> devices; ///< devices with events or active blocks, ascending by number
    std::vector<std::string> frames;
    std::vector<std::vector<std::int32_t>> stacks; ///< lists of frames, the innermost first; no list twice
    std::vector<std::string> segmentPools;         ///< [0] "": the default one; else "(1, 2)"
    bool roundingUnknown = false;                  ///< the allocator had `roundup_power2_divisions`, in a form that is not known
};

/// Reads a snapshot: a pickle, a gzip file of one, or an HTML page of torch.cuda._memory_viz that contains one. Errors: those of
/// the pickle reader, a size that is negative or beyond 2^62, a value that is not a snapshot. O(bytes + events log events).
///
/// `clocksUpTo`: for devices with several streams and at most this count of blocks, also finds the known order of events of
/// different streams, in O(events * streams). Events of one stream are ordered. Two streams are ordered where the trace shows
/// that the host has waited. First: a block that becomes reusable later than its owner frees it (`free_requested`, other events,
/// `free_completed`) was used by another stream, and that stream's work up to there is finished; with three or more streams the
/// trace does not say which stream it was. Second: returning memory to the driver (`segment_free`) waits for all streams. The
/// order of the trace is consistent with this order.
Expected<Snapshot> readSnapshot(std::string_view bytes, const std::string& file, std::size_t clocksUpTo = 0);

/// How likely it is that a file that begins with `head` is a snapshot: 0 to 100.
int claimsSnapshot(std::string_view head, std::string_view path);

} // namespace stowage::pytorch
