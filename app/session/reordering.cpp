#include "app/session/reordering.h"

#include "app/session/planning.h"

#include <algorithm>
#include <utility>

namespace stowage {

Expected<ReorderOptions> reorderOptions(const PlanRequest& request, const Program& program)
{
    auto lowering = lowerOptions(nullptr, request, &program);
    if (!lowering) return std::move(lowering).error();
    if (lowering->order != Order::linear)
        return failure(Code::usage, "reordering is for programs that run in listed order", {},
                       "choose order=linear, or leave it out");
    ReorderOptions options;
    options.lower = *std::move(lowering);
    return options;
}

Expected<Reordered> reorderFunction(const Program& program, const PlanRequest& request, const OrderLimits& limits,
                                    std::function<void(std::size_t, std::size_t)> progress)
{
    auto options = reorderOptions(request, program);
    if (!options) return std::move(options).error();
    options->limits = limits;
    options->progress = std::move(progress);
    const auto wanted = std::find_if(program.functions.begin(), program.functions.end(),
                                     [&](const Function& function) { return function.name == request.function; });
    if (request.function.empty() || wanted == program.functions.end()) return reorder(program, *options);
    Program entered = program;
    entered.entry = static_cast<FunctionId>(wanted - program.functions.begin());
    auto found = reorder(entered, *options);
    if (found) found->program.entry = program.entry;
    return found;
}

std::int64_t movedOps(const Program& before, const Program& after)
{
    std::int64_t count = 0;
    for (std::size_t f = 0; f < before.functions.size(); ++f)
        for (std::size_t r = 0; r < before.functions[f].regions.size(); ++r) {
            const auto &a = before.functions[f].regions[r].ops, &b = after.functions[f].regions[r].ops;
            for (std::size_t k = 0; k < a.size(); ++k) count += a[k] != b[k];
        }
    return count;
}

} // namespace stowage
