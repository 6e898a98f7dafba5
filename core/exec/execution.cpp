#include "core/exec/execution.h"

#include <fmt/format.h>

namespace stowage {

std::string describe(const Problem& problem, const Corruption& corruption)
{
    const auto buffer = [&](BufferId id) -> const std::string& { return problem.buffers[static_cast<std::size_t>(id)].name; };
    const std::string& pool = problem.pools[static_cast<std::size_t>(corruption.pool)].name;
    std::string text;
    if (corruption.tensor.empty())
        text = fmt::format("the bytes beyond the end of {} changed", pool);
    else if (corruption.reader.empty())
        text = fmt::format("'{}' lost bytes in {}", corruption.tensor, pool);
    else
        text = fmt::format("'{}' reads '{}' in {}", corruption.reader, corruption.tensor, pool);
    const std::string by = corruption.writer.empty() ? "there is" : fmt::format("'{}' wrote", corruption.writer);
    if (corruption.overwrittenBy == none)
        text += ", where nothing was written";
    else if (corruption.overwrittenBy == corruption.buffer && !corruption.tensor.empty())
        text += fmt::format(", where {} another value of '{}'", by, buffer(corruption.buffer));
    else
        text += fmt::format(", where {} '{}'", by, buffer(corruption.overwrittenBy));
    const auto hex = [](Bytes address) {
        return address < 0 ? fmt::format("-0x{:x}", -address) : fmt::format("0x{:x}", address);
    };
    text += fmt::format(", on [{}, {})", hex(corruption.low), hex(corruption.high));
    if (corruption.step >= 0) text += fmt::format(", at step {}", corruption.step);
    for (std::size_t i = 0; i < corruption.iterations.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? " in iteration " : "/", corruption.iterations[i]);
    return text;
}

} // namespace stowage
