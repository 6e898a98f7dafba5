// The fields of programs, problems and diagnostics, for the archive.
#pragma once

#include "core/ir/diagnostic.h"
#include "core/ir/problem.h"
#include "core/ir/program.h"
#include "plugins/host/archive.h"

namespace stowage {

constexpr Severity lastEnumerator(Severity)
{
    return Severity::error;
}
constexpr Code lastEnumerator(Code)
{
    return static_cast<Code>(static_cast<int>(Code::count) - 1);
}
constexpr TensorKind lastEnumerator(TensorKind)
{
    return TensorKind::variable;
}
constexpr Availability lastEnumerator(Availability)
{
    return Availability::runTime;
}
constexpr Control lastEnumerator(Control)
{
    return Control::exit;
}
constexpr OpEffect lastEnumerator(OpEffect)
{
    return OpEffect::stateful;
}
constexpr OpWork lastEnumerator(OpWork)
{
    return OpWork::moving;
}
constexpr RegionRole lastEnumerator(RegionRole)
{
    return RegionRole::branch;
}
constexpr CoreMemory lastEnumerator(CoreMemory)
{
    return CoreMemory::operand;
}
constexpr PoolKind lastEnumerator(PoolKind)
{
    return PoolKind::persistent;
}
constexpr BufferKind lastEnumerator(BufferKind)
{
    return BufferKind::variable;
}
constexpr Axis lastEnumerator(Axis)
{
    return Axis::dag;
}

template <typename Archive, SameAs<Position> T>
void fields(Archive& archive, T& value)
{
    auto& [file, line, column, byte] = value;
    archive(file, line, column, byte);
}

template <typename Archive, SameAs<Diagnostic> T>
void fields(Archive& archive, T& value)
{
    auto& [severity, code, message, where, remedy, foreign] = value;
    archive(severity, code, message, where, remedy, foreign.name);
}

// --- program --------------------------------------------------------------------------------------------------------------

template <typename Archive, SameAs<Tensor> T>
void fields(Archive& archive, T& value)
{
    auto& [name, kind, available, dtype, shape, bytes, alignment, pools, multiBuffer, aliasOf, aliasOffset, region, planned,
           pinnedOffset, handle, attributes, where] = value;
    archive(name, kind, available, dtype, shape, bytes, alignment, pools, multiBuffer, aliasOf, aliasOffset, region, planned,
            pinnedOffset, handle, attributes, where);
}

template <typename Archive, SameAs<Carry> T>
void fields(Archive& archive, T& value)
{
    auto& [from, to] = value;
    archive(from, to);
}

template <typename Archive, SameAs<InPlace> T>
void fields(Archive& archive, T& value)
{
    auto& [input, output] = value;
    archive(input, output);
}

template <typename Archive, SameAs<DeviceCost> T>
void fields(Archive& archive, T& value)
{
    auto& [device, microseconds] = value;
    archive(device, microseconds);
}

template <typename Archive, SameAs<OpTraits> T>
void fields(Archive& archive, T& value)
{
    auto& [effect, work, choosesByTruth] = value;
    archive(effect, work, choosesByTruth);
}

template <typename Archive, SameAs<Op> T>
void fields(Archive& archive, T& value)
{
    auto& [name, kind, traits, control, inputs, outputs, temps, inPlace, inPlaceRequired, pipe, device, cost, parent, regions,
           tripCount, carries, callee, attributes, where] = value;
    archive(name, kind, traits, control, inputs, outputs, temps, inPlace, inPlaceRequired, pipe, device, cost, parent, regions,
            tripCount, carries, callee, attributes, where);
}

template <typename Archive, SameAs<Region> T>
void fields(Archive& archive, T& value)
{
    auto& [role, owner, inputs, outputs, ops] = value;
    archive(role, owner, inputs, outputs, ops);
}

template <typename Archive, SameAs<Function> T>
void fields(Archive& archive, T& value)
{
    auto& [name, tensors, ops, regions, pools] = value;
    archive(name, tensors, ops, regions, pools);
}

template <typename Archive, SameAs<Pool> T>
void fields(Archive& archive, T& value)
{
    auto& [name, capacity, alignment, kind, core, targets, clockHz, readBytes, writeBytes, readLatency, writeLatency, burst,
           targetBursts, internal, description] = value;
    archive(name, capacity, alignment, kind, core, targets, clockHz, readBytes, writeBytes, readLatency, writeLatency, burst,
            targetBursts, internal, description);
}

template <typename Archive, SameAs<Program> T>
void fields(Archive& archive, T& value)
{
    auto& [name, entry, pools, functions, lowering] = value;
    archive(name, entry, pools, functions, lowering);
}

// --- problem --------------------------------------------------------------------------------------------------------------

template <typename Archive, SameAs<Interval> T>
void fields(Archive& archive, T& value)
{
    auto& [begin, end] = value;
    archive(begin, end);
}

template <typename Archive, SameAs<Window> T>
void fields(Archive& archive, T& value)
{
    auto& [live, low, high] = value;
    archive(live, low, high);
}

template <typename Archive, SameAs<LoopIteration> T>
void fields(Archive& archive, T& value)
{
    auto& [loop, iteration] = value;
    archive(loop, iteration);
}

template <typename Archive, SameAs<Carried> T>
void fields(Archive& archive, T& value)
{
    auto& [distance, live, loop, when] = value;
    archive(distance, live, loop, when);
}

template <typename Archive, SameAs<Early> T>
void fields(Archive& archive, T& value)
{
    auto& [live, when] = value;
    archive(live, when);
}

template <typename Archive, SameAs<Loop> T>
void fields(Archive& archive, T& value)
{
    auto& [name, parent, live, tripCount] = value;
    archive(name, parent, live, tripCount);
}

template <typename Archive, SameAs<Scope> T>
void fields(Archive& archive, T& value)
{
    auto& [name, live] = value;
    archive(name, live);
}

template <typename Archive, SameAs<Traffic> T>
void fields(Archive& archive, T& value)
{
    auto& [read, written, reads, writes] = value;
    archive(read, written, reads, writes);
}

template <typename Archive, SameAs<BufferMember> T>
void fields(Archive& archive, T& value)
{
    auto& [bytes, begin, dma, scalar, unique] = value;
    archive(bytes, begin, dma, scalar, unique);
}

template <typename Archive, SameAs<Lifetime> T>
void fields(Archive& archive, T& value)
{
    auto& [live, windows, carried, early, loop] = value;
    archive(live, windows, carried, early, loop);
}

template <typename Archive, SameAs<PlaceRules> T>
void fields(Archive& archive, T& value)
{
    auto& [alignment, pools, pin, slots] = value;
    archive(alignment, pools, pin, slots);
}

template <typename Archive, SameAs<SharingRules> T>
void fields(Archive& archive, T& value)
{
    auto& [conflicts, mayShare, unique, scope] = value;
    archive(conflicts, mayShare, unique, scope);
}

template <typename Archive, SameAs<KernelFacts> T>
void fields(Archive& archive, T& value)
{
    auto& [members, dma, scalar, coupled] = value;
    archive(members, dma, scalar, coupled);
}

/// `Base` of a buffer, constant as the buffer is.
template <typename Base, typename T>
auto& baseOf(T& value)
{
    return static_cast<std::conditional_t<std::is_const_v<T>, const Base, Base>&>(value);
}

template <typename Archive, SameAs<Buffer> T>
void fields(Archive& archive, T& value)
{
    archive(baseOf<Lifetime>(value), baseOf<PlaceRules>(value), baseOf<SharingRules>(value), baseOf<KernelFacts>(value));
    archive(value.name, value.size, value.kind, value.traffic);
}

template <typename Archive, SameAs<ReusePenalty> T>
void fields(Archive& archive, T& value)
{
    auto& [first, second, cost] = value;
    archive(first, second, cost);
}

template <typename Archive, SameAs<Problem> T>
void fields(Archive& archive, T& value)
{
    auto& [name, axis, pools, buffers, loops, scopes, penalties, unknownSizes] = value;
    archive(name, axis, pools, buffers, loops, scopes, penalties, unknownSizes);
}

} // namespace stowage
