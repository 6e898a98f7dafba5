#include "core/exec/arena_memory.h"

#include "core/ir/checked.h"
#include "core/plan/offsets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace stowage::executing {

namespace {

constexpr Bytes guardBytes = 64;        ///< on each side of a pool
constexpr Stamp guardStamp = ~Stamp{0}; ///< a stamp that no write has

std::optional<Error> checkPlacement(const Problem& problem, const Buffer& buffer, const Placement& placement)
{
    const auto wrong = [&](std::string_view what) {
        return failure(Code::badPlacement, fmt::format("'{}' cannot be run where the plan puts it: {}", buffer.name, what), {},
                       "check the plan first");
    };
    if (placement.pool < 0 || at(placement.pool) >= problem.pools.size()) return wrong("it is in no pool");
    std::size_t wanted = placement.rotating() ? 1 : 0;
    for (const Rotation& rotation : placement.rotations) {
        const bool known = rotation.loop >= 0 && at(rotation.loop) < problem.loops.size();
        const bool unnamed =
            rotation.loop == none && placement.rotations.size() == 1; // a rotation with a loop that the problem does not name
        if (rotation.period < 1 || rotation.period == std::numeric_limits<std::int32_t>::max() || !(known || unnamed))
            return wrong("it rotates with a loop that is not there, or not at all");
        wanted *= static_cast<std::size_t>(rotation.extent());
        if (wanted > placement.offsets.size()) break;
    }
    if (placement.offsets.size() != wanted || std::max<std::size_t>(wanted, 1) < static_cast<std::size_t>(buffer.slots))
        return wrong("it has too few or too many offsets for its rotation and its slots");
    bool outside = false;
    for (const Bytes offset : offsetsOf(placement))
        outside = outside || offset < 0 || offset > maxBytes || buffer.size > maxBytes - offset;
    if (outside) return wrong("an offset is negative or beyond 2^62");
    return std::nullopt;
}

} // namespace

Expected<ArenaMemory> ArenaMemory::create(const Problem& problem, const Plan& plan, Bytes granule, Bytes limit,
                                          Diagnostics& diagnostics)
{
    if (plan.placements.size() != problem.buffers.size())
        return failure(Code::badPlacement, fmt::format("the plan places {} buffers, and there are {}", plan.placements.size(),
                                                       problem.buffers.size()));
    ArenaMemory memory;
    memory.blocks_.resize(problem.pools.size());
    Bytes common = granule;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const Buffer& buffer = problem.buffers[b];
        const Placement& placement = plan.placements[b];
        if (buffer.size == 0 && !placement.rotating()) continue;
        if (auto error = checkPlacement(problem, buffer, placement)) return *std::move(error);
        Bytes& size = memory.blocks_[at(placement.pool)].size;
        common = std::gcd(common, buffer.size);
        for (const Bytes offset : offsetsOf(placement)) {
            size = std::max(size, offset + buffer.size);
            common = std::gcd(common, offset);
        }
    }
    const auto total = [&] {
        Bytes sum = 0;
        for (const Block& block : memory.blocks_) sum = std::min(maxBytes, checkedAdd(sum, block.size).value_or(maxBytes));
        return sum;
    };
    const Bytes whole = total();
    if (whole > limit && common > 1) {
        memory.scale_ = common;
        for (Block& block : memory.blocks_) block.size /= common;
        diagnostics.push_back(
            {Severity::note,
             Code::scaled,
             fmt::format("the pools take {} bytes: one byte stands for {}, which all offsets and sizes are multiples of", whole,
                         common),
             {},
             {}});
    }
    if (const Bytes left = total(); left > limit) {
        // The lower part of each pool is represented, in proportion to its size.
        memory.whole_ = false;
        for (Block& block : memory.blocks_)
            block.size = static_cast<Bytes>(static_cast<long double>(block.size) * static_cast<long double>(limit) /
                                            static_cast<long double>(left));
        diagnostics.push_back(warning(Code::partial,
                                      fmt::format("the pools take {} bytes, and only the lowest {:.3g} % of each are checked",
                                                  whole, 100.0 * static_cast<double>(limit) / static_cast<double>(left)),
                                      {}, "raise the limit on the arena's size"));
    }
    for (std::size_t pool = 0; pool < memory.blocks_.size(); ++pool) {
        Block& block = memory.blocks_[pool];
        if (block.size == 0) continue;
        // calloc does not allocate pages that are never touched.
        block.bytes.reset(static_cast<std::byte*>(std::calloc(static_cast<std::size_t>(block.size + 2 * guardBytes), 1)));
        if (!block.bytes) return failure(Code::noMemory, fmt::format("there is no memory for an arena of {} bytes", block.size));
        const auto id = static_cast<PoolId>(pool);
        fillPattern(memory.span(id, -guardBytes, guardBytes), guardStamp, 0);
        fillPattern(memory.span(id, block.size, guardBytes), guardStamp, 0);
    }
    return memory;
}

std::span<std::byte> ArenaMemory::span(PoolId pool, Bytes begin, Bytes length) const
{
    return {blocks_[at(pool)].bytes.get() + guardBytes + begin, static_cast<std::size_t>(length)};
}

ArenaMemory::Range ArenaMemory::represent(Address place, Bytes length) const
{
    const Block& block = blocks_[at(place.pool)];
    if (!block.bytes || length <= 0) return {};
    const Bytes wanted = place.byte >= 0 ? place.byte / scale_ : (place.byte - scale_ + 1) / scale_;
    const Bytes begin = std::max(wanted, -guardBytes);
    const Bytes end = std::min((place.byte + length + scale_ - 1) / scale_, block.size + (whole_ ? guardBytes : 0));
    return {begin, std::max<Bytes>(end - begin, 0), begin - wanted};
}

void ArenaMemory::write(Address to, Bytes length, Stamp stamp, Bytes from)
{
    const Range range = represent(to, length);
    if (range.length == 0) return;
    written_ += range.length;
    fillPattern(span(to.pool, range.begin, range.length), stamp, from / scale_ + range.skipped);
}

std::optional<Wrong> ArenaMemory::compare(PoolId pool, const Range& range, Stamp stamp, Bytes from) const
{
    const std::span<const std::byte> bytes = span(pool, range.begin, range.length);
    const std::size_t first = checkPattern(bytes, stamp, from);
    if (first == bytes.size()) return std::nullopt;
    std::size_t end = first + 1;
    for (std::size_t i = end; i < bytes.size(); ++i) {
        i += checkPattern(bytes.subspan(i), stamp, from + static_cast<Bytes>(i));
        if (i < bytes.size()) end = i + 1;
    }
    return Wrong{pool, (range.begin + static_cast<Bytes>(first)) * scale_, (range.begin + static_cast<Bytes>(end)) * scale_};
}

void ArenaMemory::put(Address to, std::span<const std::byte> bytes)
{
    const Range range = represent(to, static_cast<Bytes>(bytes.size()));
    if (range.length == 0) return;
    written_ += range.length;
    std::memcpy(span(to.pool, range.begin, range.length).data(), bytes.data() + range.skipped, at(range.length));
}

std::vector<std::byte> ArenaMemory::get(Address from, Bytes length) const
{
    const Range range = represent(from, length);
    if (range.length == 0) return {};
    const std::span<const std::byte> bytes = span(from.pool, range.begin, range.length);
    return {bytes.begin(), bytes.end()};
}

std::optional<Wrong> ArenaMemory::check(Address place, Bytes length, Stamp stamp, Bytes from) const
{
    const Range range = represent(place, length);
    if (range.length == 0) return std::nullopt;
    checked_ += range.length;
    return compare(place.pool, range, stamp, from / scale_ + range.skipped);
}

std::optional<Wrong> ArenaMemory::checkGuards() const
{
    for (std::size_t pool = 0; pool < blocks_.size(); ++pool) {
        if (!blocks_[pool].bytes) continue;
        for (const Bytes begin : {-guardBytes, blocks_[pool].size})
            if (auto wrong = compare(static_cast<PoolId>(pool), {begin, guardBytes, 0}, guardStamp, 0)) return wrong;
    }
    return std::nullopt;
}

bool ArenaMemory::covers(Address range, Bytes length, Address byte) const
{
    if (range.pool != byte.pool) return false;
    const Range covered = represent(range, length);
    const Bytes wanted = byte.byte >= 0 ? byte.byte / scale_ : (byte.byte - scale_ + 1) / scale_;
    return covered.begin <= wanted && wanted < covered.begin + covered.length;
}

} // namespace stowage::executing
