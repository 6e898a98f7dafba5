// The fields of lowerings and plans, for the archive.
#pragma once

#include "core/lower/lower.h"
#include "core/plan/plan.h"
#include "plugins/host/archive_ir.h"

namespace stowage {

namespace lowering {
constexpr LeftOutReason lastEnumerator(LeftOutReason)
{
    return LeftOutReason::neverWritten;
}
constexpr MoveReason lastEnumerator(MoveReason)
{
    return MoveReason::separatePlaces;
}
} // namespace lowering
constexpr Change::Kind lastEnumerator(Change::Kind)
{
    return Change::Kind::tile;
}
constexpr Order lastEnumerator(Order)
{
    return Order::hivm;
}
constexpr LoopMode lastEnumerator(LoopMode)
{
    return LoopMode::precise;
}
constexpr ViewMode lastEnumerator(ViewMode)
{
    return ViewMode::merged;
}
constexpr InPlaceMode lastEnumerator(InPlaceMode)
{
    return InPlaceMode::off;
}
constexpr MemPlanMode lastEnumerator(MemPlanMode)
{
    return MemPlanMode::workspace;
}
namespace hivm {
constexpr Level lastEnumerator(Level)
{
    return Level::pinned;
}
} // namespace hivm
constexpr StoppedBy lastEnumerator(StoppedBy)
{
    return StoppedBy::cancelled;
}

// --- lowering -------------------------------------------------------------------------------------------------------------

template <typename Archive, SameAs<LowerOptions> T>
void fields(Archive& archive, T& value)
{
    auto& [order, loops, views, inPlace, isaInPlace, memPlan, simtBytes, coupledApart, alignment, pools] = value;
    archive(order, loops, views, inPlace, isaInPlace, memPlan, simtBytes, coupledApart, alignment, pools);
}

template <typename Archive, SameAs<Change> T>
void fields(Archive& archive, T& value)
{
    auto& [kind, buffer, size, live, other, slots, loop, numerator, denominator, names] = value;
    archive(kind, buffer, size, live, other, slots, loop, numerator, denominator);
    archive(names.buffer, names.other, names.loop);
}

template <typename Archive, SameAs<PinRequest> T>
void fields(Archive& archive, T& value)
{
    auto& [buffer, pool, offset] = value;
    archive(buffer, pool, offset);
}

template <typename Archive, SameAs<Fingerprint> T>
void fields(Archive& archive, T& value)
{
    auto& [options, given, changes, pins, aliases, withScratch] = value;
    archive(options, given, changes, pins, aliases, withScratch);
}

template <typename Archive, SameAs<TensorBinding> T>
void fields(Archive& archive, T& value)
{
    auto& [buffer, delta, distance, loop, after, first, choices, chosenBy] =
        value; // `first` nests as loops do, `choices` as branches do
    archive(buffer, delta, distance, loop, after, first, choices, chosenBy.instance, chosenBy.op);
}

template <typename Archive, SameAs<StepInfo> T>
void fields(Archive& archive, T& value)
{
    auto& [function, op, instance] = value;
    archive(function, op, instance);
}

template <typename Archive, SameAs<FunctionInstance> T>
void fields(Archive& archive, T& value)
{
    auto& [function, caller, callSite, bindings, loops] = value;
    archive(function, caller, callSite, bindings, loops);
}

template <typename Archive, SameAs<BufferOrigin> T>
void fields(Archive& archive, T& value)
{
    auto& [function, tensor, producer, consumers, members] = value;
    archive(function, tensor, producer, consumers, members);
}

template <typename Archive, SameAs<LeftOut> T>
void fields(Archive& archive, T& value)
{
    auto& [function, tensor, bytes, reason] = value;
    archive(function, tensor, bytes, reason);
}

template <typename Archive, SameAs<DataTransfer> T>
void fields(Archive& archive, T& value)
{
    auto& [function, op, from, to, bytes, reason] = value;
    archive(function, op, from, to, bytes, reason);
}

template <typename Archive, SameAs<Lowering> T>
void fields(Archive& archive, T& value)
{
    auto& [problem, options, steps, instances, origins, leftOut, transfers, diagnostics, fingerprint] = value;
    archive(problem, options, steps, instances, origins, leftOut, transfers, diagnostics, fingerprint);
}

// --- plan -----------------------------------------------------------------------------------------------------------------

template <typename Archive, SameAs<Rotation> T>
void fields(Archive& archive, T& value)
{
    auto& [loop, period, hasFirst] = value;
    archive(loop, period, hasFirst);
}

template <typename Archive, SameAs<Placement> T>
void fields(Archive& archive, T& value)
{
    auto& [pool, offset, offsets, rotations] = value;
    archive(pool, offset, offsets, rotations);
}

template <typename Archive, SameAs<CliqueCertificate> T>
void fields(Archive& archive, T& value)
{
    auto& [pool, bytes, step, buffers] = value;
    archive(pool, bytes, step, buffers);
}

template <typename Archive, SameAs<SearchCertificate> T>
void fields(Archive& archive, T& value)
{
    auto& [pool, bytes, infeasible, by, nodes, core, irreducible] = value;
    archive(pool, bytes, infeasible, by, nodes, core, irreducible);
}

template <typename Archive, SameAs<ForeignClaim> T>
void fields(Archive& archive, T& value)
{
    auto& [pool, bytes, statement] = value;
    archive(pool, bytes, statement);
}

template <typename Archive, SameAs<Plan> T>
void fields(Archive& archive, T& value)
{
    auto& [planner, options, seed, placements, levels, claims, diagnostics, stoppedBy, work] = value;
    archive(planner, options, seed, placements, levels, claims, diagnostics, stoppedBy, work);
}

} // namespace stowage
