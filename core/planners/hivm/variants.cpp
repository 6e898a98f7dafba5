#include "core/planners/hivm/variants.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage::hivm {

Problem withSlots(Problem problem, BufferId buffer, std::int32_t slots)
{
    problem.buffers[static_cast<std::size_t>(buffer)].slots = std::max(slots, 1);
    return problem;
}

Problem withScaledSizes(Problem problem, std::span<const BufferId> buffers, std::int32_t numerator, std::int32_t denominator)
{
    for (const BufferId b : buffers) {
        Buffer& buffer = problem.buffers[static_cast<std::size_t>(b)];
        if (buffer.size == 0) continue;
        const Bytes scaled = checkedMultiply(buffer.size, numerator).value_or(maxBytes);
        buffer.size = std::clamp<Bytes>(scaled / denominator + (scaled % denominator != 0 ? 1 : 0), 1, maxBytes / 2);
        buffer.windows.clear(); // parts of the old size
    }
    return problem;
}

std::vector<BufferId> tileOf(const Problem& problem, LoopId loop)
{
    std::vector<BufferId> buffers;
    for (std::size_t b = 0; b < problem.buffers.size(); ++b)
        if (problem.buffers[b].loop == loop) buffers.push_back(static_cast<BufferId>(b));
    return buffers;
}

} // namespace stowage::hivm
