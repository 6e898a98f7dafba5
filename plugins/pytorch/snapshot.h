// PyTorch's record of a GPU's memory (torch.cuda.memory._dump_snapshot): which buffers were live from which event to which, and
// how much memory the allocator had reserved for them.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::pytorch {

inline constexpr Bytes blockMultiple = 512; ///< bytes; the allocator rounds every request up to a multiple (kMinBlockSize)

/// Where a buffer's address is from; PyTorch reuses memory only among equal ones.
struct Origin {
    std::int64_t stream = 0;
    std::int64_t segmentPool = 0; ///< number of the segment's pool in `Snapshot::segmentPools`; 0: the default one
    bool small = false;           ///< requests of at most 1 MiB have segments of their own
    friend auto operator<=>(const Origin&, const Origin&) = default;
};

struct Block {
    Bytes requested = 0; ///< as asked for
    Bytes rounded = 0;   ///< up to a multiple of 512
    Step begin = 0;      ///< event that allocates it; 0: it was there before the trace
    Step end = 0;        ///< event after which its bytes may be reused (`free_completed`); the number of events: never
    std::uint64_t address = 0;
    Origin origin;
    std::int32_t frame = none; ///< into `Snapshot::frames`: the line of the program that asked for it
    std::int32_t stack = none; ///< into `Snapshot::stacks`: all that led there
};

/// When a block is in use, stream by stream: numbers of events of each stream (core/io/clocks.h).
struct StreamClock {
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> last;
};

/// One device.
struct Device {
    std::int64_t number = 0;
    Step events = 0;
    std::vector<Block> blocks; ///< in order of their first event, those that were there before first
    Bytes reservedAtStart = 0; ///< bytes that the allocator had from the driver
    Bytes reservedAtEnd = 0;
    Bytes reservedPeak = 0;
    Bytes allocatedAtEnd = 0;          ///< of blocks that their owners hold
    std::size_t segments = 0;          ///< at the end
    std::size_t fromTrace = 0;         ///< blocks whose allocation is in the trace
    std::size_t freedUnseen = 0;       ///< blocks that the trace frees without having allocated them
    std::size_t liveThroughout = 0;    ///< active blocks that no event names
    std::size_t holes = 0;             ///< allocations at an address that was in use: events between are missing
    bool endStateAgrees = true;        ///< what is open at the end are the active blocks of the snapshot
    bool traced = false;               ///< there were events
    std::vector<std::int64_t> streams; ///< of its blocks, ascending
    std::vector<StreamClock> clocks;   ///< by block; empty with one stream, and unless they were asked for
};

struct Snapshot {
    std::vector<Device> devices; ///< those with events or active blocks, ascending by number
    std::vector<std::string> frames;
    std::vector<std::vector<std::int32_t>> stacks; ///< of frames, the innermost first; each list of the file once
    std::vector<std::string> segmentPools;         ///< [0] "": the default one; else "(1, 2)"
};

/// Reads a snapshot: a pickle, gzip of one, or the HTML page of torch.cuda._memory_viz that holds one. Errors: those of the
/// pickle reader, sizes that are negative or beyond 2^62, a value that is no snapshot. O(bytes + events log events).
///
/// `clocksUpTo`: of devices with several streams and at most this number of blocks, also what is known of the order of their
/// events. The order of the trace agrees with it. The events of a stream follow one another. Two streams are in step where the
/// trace shows that the host has waited: a block that is free for reuse later than its owner let go of it
/// (`free_requested`, other events, `free_completed`) was used by another stream, and what that stream had done by then is over
/// (with three streams and more the trace does not say which one it was); and memory that goes back to the driver
/// (`segment_free`) waits for all. Then O(events * streams) more.
Expected<Snapshot> readSnapshot(std::string_view bytes, const std::string& file, std::size_t clocksUpTo = 0);

/// How sure it is that a file that begins with `head` is a snapshot: 0 to 100.
int claimsSnapshot(std::string_view head, std::string_view path);

} // namespace stowage::pytorch
