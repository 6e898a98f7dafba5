#include "app/session/reordering.h"

#include "app/session/planning.h"
#include "core/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
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
    Program entered = program;
    if (!request.function.empty() && wanted != program.functions.end())
        entered.entry = static_cast<FunctionId>(wanted - program.functions.begin());
    auto found = reorder(entered, *options);
    if (!found) return found;
    found->program.entry = program.entry;
    if (found->partial) found->bound = 0, found->proved = false;
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

std::optional<std::vector<ListedOps>> changedOrder(const Program& before, const Program& after)
{
    if (before.functions.size() != after.functions.size()) return std::nullopt;
    std::vector<ListedOps> regions;
    for (std::size_t f = 0; f < before.functions.size(); ++f) {
        const Function &old = before.functions[f], &now = after.functions[f];
        if (old.regions.size() != now.regions.size() || old.ops != now.ops || old.tensors != now.tensors) return std::nullopt;
        for (std::size_t r = 0; r < old.regions.size(); ++r) {
            if (old.regions[r].ops == now.regions[r].ops) continue;
            std::vector<OpId> listed = old.regions[r].ops, moved = now.regions[r].ops;
            std::ranges::sort(listed);
            std::ranges::sort(moved);
            if (listed != moved) return std::nullopt;
            ListedOps& region = regions.emplace_back();
            region.function = now.name;
            region.region = static_cast<std::int64_t>(r);
            for (const OpId op : now.regions[r].ops) region.ops.push_back(now.ops[static_cast<std::size_t>(op)].name);
        }
    }
    return regions;
}

Expected<Program> withOrder(Program program, std::span<const ListedOps> regions)
{
    for (const ListedOps& wanted : regions) {
        const auto function = std::ranges::find(program.functions, wanted.function, &Function::name);
        if (function == program.functions.end() || wanted.region < 0 ||
            static_cast<std::size_t>(wanted.region) >= function->regions.size())
            return failure(Code::noSuchFunction,
                           fmt::format("there is no region {} of a function named '{}'", wanted.region, wanted.function));
        std::vector<OpId>& listed = function->regions[static_cast<std::size_t>(wanted.region)].ops;
        std::unordered_map<std::string_view, OpId> ids;
        for (const OpId op : listed) ids.emplace(function->ops[static_cast<std::size_t>(op)].name, op);
        std::vector<OpId> ordered;
        for (const std::string& name : wanted.ops)
            if (const auto id = ids.find(name); id != ids.end()) {
                ordered.push_back(id->second);
                ids.erase(id); // each once
            }
        if (ordered.size() != listed.size() || wanted.ops.size() != listed.size())
            return failure(Code::contradiction,
                           fmt::format("region {} of function '{}' lists other ops", wanted.region, wanted.function));
        listed = std::move(ordered);
    }
    if (const Diagnostics errors = verify(program); !errors.empty()) return errors.front();
    return program;
}

} // namespace stowage
