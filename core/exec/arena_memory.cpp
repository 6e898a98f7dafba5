#include "core/exec/arena_memory.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace stowage::executing {

namespace {

std::size_t at(Id id)
{
    return static_cast<std::size_t>(id);
}

/// Calls visit(offset) for each offset of a placement.
void eachOffset(const Placement& placement, const auto& visit)
{
    if (placement.offsets.empty()) visit(placement.offset);
    for (const Bytes offset : placement.offsets) visit(offset);
}

std::optional<Error> checkPlacement(const Problem& problem, const Buffer& buffer, const Placement& placement)
{
    const auto wrong = [&](std::string_view what) {
        return failure("bad-placement", fmt::format("'{}' cannot be run where the plan puts it: {}", buffer.name, what), {},
                       "check the plan first");
    };
    if (placement.pool < 0 || at(placement.pool) >= problem.pools.size()) return wrong("it is in no pool");
    std::size_t wanted = placement.rotating() ? 1 : placement.offsets.size();
    for (const Rotation& rotation : placement.rotations) {
        if (rotation.period < 1 || rotation.loop < 0 || at(rotation.loop) >= problem.loops.size())
            return wrong("it rotates with no loop, or not at all");
        wanted *= static_cast<std::size_t>(rotation.extent());
        if (wanted > placement.offsets.size()) break;
    }
    if (placement.offsets.size() != wanted) return wrong("it has too few or too many offsets for its rotation");
    bool outside = false;
    eachOffset(placement,
               [&](Bytes offset) { outside = outside || offset < 0 || offset > maxBytes || buffer.size > maxBytes - offset; });
    if (outside) return wrong("an offset is negative or beyond 2^62");
    return std::nullopt;
}

} // namespace

Expected<ArenaMemory> ArenaMemory::create(const Problem& problem, const Plan& plan, Bytes granule, Bytes limit,
                                          Diagnostics& diagnostics)
{
    if (plan.placements.size() != problem.buffers.size())
        return failure("bad-placement", fmt::format("the plan places {} buffers, and there are {}", plan.placements.size(),
                                                    problem.buffers.size()));
    ArenaMemory memory;
    memory.blocks_.resize(problem.pools.size());
    Bytes common = granule;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const Buffer& buffer = problem.buffers[b];
        const Placement& placement = plan.placements[b];
        if (buffer.size == 0) continue;
        if (auto error = checkPlacement(problem, buffer, placement)) return *std::move(error);
        Bytes& size = memory.blocks_[at(placement.pool)].size;
        common = std::gcd(common, buffer.size);
        eachOffset(placement, [&](Bytes offset) {
            size = std::max(size, offset + buffer.size);
            common = std::gcd(common, offset);
        });
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
             "scaled",
             fmt::format("the pools take {} bytes: one byte stands for {}, which all offsets and sizes are multiples of", whole,
                         common),
             {},
             {}});
    }
    if (const Bytes left = total(); left > limit) {
        // Each pool keeps its lower part, in proportion.
        for (Block& block : memory.blocks_)
            block.size = static_cast<Bytes>(static_cast<long double>(block.size) * static_cast<long double>(limit) /
                                            static_cast<long double>(left));
        diagnostics.push_back(warning("partial",
                                      fmt::format("the pools take {} bytes, and only the lowest {:.3g} % of each are checked",
                                                  whole, 100.0 * static_cast<double>(limit) / static_cast<double>(left)),
                                      {}, "raise the limit on the arena's size"));
    }
    for (Block& block : memory.blocks_) {
        if (block.size == 0) continue;
        // calloc: pages that nothing touches are never made.
        block.bytes.reset(static_cast<std::byte*>(std::calloc(static_cast<std::size_t>(block.size), 1)));
        if (!block.bytes) return failure("no-memory", fmt::format("there is no memory for an arena of {} bytes", block.size));
    }
    return memory;
}

ArenaMemory::Range ArenaMemory::represent(Address at, Bytes length) const
{
    const Bytes end = std::min((at.byte + length + scale_ - 1) / scale_, blocks_[static_cast<std::size_t>(at.pool)].size);
    const Bytes begin = at.byte / scale_;
    return {begin, std::max<Bytes>(end - begin, 0)};
}

void ArenaMemory::write(Address to, Bytes length, Stamp stamp, Bytes from)
{
    const Range range = represent(to, length);
    if (range.length == 0) return;
    fillPattern({blocks_[at(to.pool)].bytes.get() + range.begin, static_cast<std::size_t>(range.length)}, stamp, from / scale_);
}

std::optional<Address> ArenaMemory::check(Address place, Bytes length, Stamp stamp, Bytes from) const
{
    const Range range = represent(place, length);
    if (range.length == 0) return std::nullopt;
    checked_ += range.length;
    const auto size = static_cast<std::size_t>(range.length);
    const std::size_t wrong = checkPattern({blocks_[at(place.pool)].bytes.get() + range.begin, size}, stamp, from / scale_);
    if (wrong == size) return std::nullopt;
    return Address{place.pool, (range.begin + static_cast<Bytes>(wrong)) * scale_};
}

bool ArenaMemory::covers(Address range, Bytes length, Address byte) const
{
    if (range.pool != byte.pool) return false;
    const Range covered = represent(range, length);
    const Bytes wanted = byte.byte / scale_;
    return covered.begin <= wanted && wanted < covered.begin + covered.length;
}

} // namespace stowage::executing
