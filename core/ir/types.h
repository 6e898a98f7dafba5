// Units and small value types that every layer shares.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace stowage {

/// A size, an offset or an address, in bytes. Signed, so that differences cannot wrap; never negative in checked values.
using Bytes = std::int64_t;

/// A position on the time axis (see `Problem::axis`). Step 0 is the entry of the program; leaf op i runs at step i + 1.
using Step = std::int64_t;

/// Index of an element in the vector that owns it; `none` (-1) for no element.
using Id = std::int32_t;
using BufferId = Id;   ///< into `Problem::buffers`
using PoolId = Id;     ///< into `Problem::pools`
using LoopId = Id;     ///< into `Problem::loops`
using ScopeId = Id;    ///< into `Problem::scopes`
using FunctionId = Id; ///< into `Program::functions`
using TensorId = Id;   ///< into `Function::tensors`
using OpId = Id;       ///< into `Function::ops`
using RegionId = Id;   ///< into `Function::regions`
inline constexpr Id none = -1;

/// `id` as an index of a vector. Requires `id` >= 0.
[[nodiscard]] constexpr std::size_t at(std::int32_t id)
{
    return static_cast<std::size_t>(id);
}
[[nodiscard]] constexpr std::size_t at(std::int64_t id)
{
    return static_cast<std::size_t>(id);
}

/// A half-open range of steps [begin, end). Empty when end <= begin.
struct Interval {
    Step begin = 0;
    Step end = 0;

    friend constexpr bool operator==(const Interval&, const Interval&) = default;
    [[nodiscard]] constexpr bool empty() const { return end <= begin; }
    [[nodiscard]] constexpr Step length() const { return empty() ? 0 : end - begin; }
    [[nodiscard]] constexpr bool contains(Step step) const { return begin <= step && step < end; }
    [[nodiscard]] constexpr bool overlaps(const Interval& other) const { return begin < other.end && other.begin < end; }
    /// The steps in both; [0, 0) if there are none.
    [[nodiscard]] constexpr Interval common(const Interval& other) const
    {
        const Interval both{std::max(begin, other.begin), std::min(end, other.end)};
        return both.empty() ? Interval{} : both;
    }
};

} // namespace stowage
