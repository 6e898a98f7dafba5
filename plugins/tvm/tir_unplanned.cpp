#include "plugins/tvm/tir_unplanned.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace stowage::tvm {

namespace {

/// The storage scope that an allocation names; empty: none, which is "global".
std::string scopeOf(const Expression& call)
{
    if (const Expression* given = call.keyword("scope")) return textOf(given);
    return call.callee() == "allocate_const" ? std::string() : textOf(call.argument(2));
}

void keepOutOtherScopes(TirProgram& program, const std::string& file)
{
    struct Found {
        std::size_t count = 0;
        Place first;
    };
    std::map<std::string, Found> found;
    for (const Allocation& allocation : program.allocations) {
        const std::string scope = scopeOf(*allocation.call);
        Tensor& tensor = program.program.functions[allocation.function].tensors[at(allocation.tensor)];
        const bool pooled = scope.starts_with("global.") && !tensor.pools.empty();
        if (scope.empty() || scope == "global" || pooled) continue;
        tensor.planned = false;
        Found& of = found[scope];
        if (of.count++ == 0) of.first = allocation.target->where;
    }
    for (const auto& [scope, of] : found) {
        const std::string buffers = of.count == 1 ? "1 buffer" : fmt::format("{} buffers", of.count);
        program.diagnostics.push_back(
            {Severity::note,
             Code::notSupported,
             fmt::format("{} of scope '{}' {} not planned: the scope is a memory of its own", buffers, scope,
                         of.count == 1 ? "is" : "are"),
             {file, of.first.line, of.first.column, -1},
             scope.starts_with("global.") ? "to plan them, name this memory in their candidate_memory_pools" : ""});
    }
}

/// By function: whether several calls of it may run at once.
std::vector<bool> runningAtOnce(std::size_t functions, const std::vector<FunctionCall>& calls)
{
    std::vector<std::vector<std::size_t>> callees(functions);
    std::vector<std::size_t> pending;
    for (const FunctionCall& call : calls) {
        callees[call.caller].push_back(call.callee);
        if (call.parallel) pending.push_back(call.callee);
    }
    std::vector<bool> atOnce(functions);
    while (!pending.empty()) {
        const std::size_t function = pending.back();
        pending.pop_back();
        if (atOnce[function]) continue;
        atOnce[function] = true;
        pending.insert(pending.end(), callees[function].begin(), callees[function].end());
    }
    return atOnce;
}

} // namespace

void keepOutUnplaceable(TirProgram& program, const std::vector<FunctionCall>& calls, const std::string& file)
{
    keepOutOtherScopes(program, file);
    const std::vector<bool> atOnce = runningAtOnce(program.program.functions.size(), calls);
    for (const Allocation& allocation : program.allocations) {
        if (!atOnce[allocation.function]) continue;
        Function& function = program.program.functions[allocation.function];
        Tensor& tensor = function.tensors[at(allocation.tensor)];
        if (!tensor.planned || tensor.kind == TensorKind::constant) continue;
        tensor.planned = false;
        program.diagnostics.push_back(
            warning(Code::parallelAllocation,
                    fmt::format("'{}' is allocated in '{}', which a parallel loop calls once for each of its threads: it is not "
                                "planned",
                                tensor.name, function.name),
                    tensor.where, "allocate it before the loop, with a part for each thread"));
    }
    for (Function& function : program.program.functions)
        for (Tensor& tensor : function.tensors)
            if (tensor.aliasOf != none && !function.tensors[at(tensor.aliasOf)].planned) tensor.planned = false;
}

} // namespace stowage::tvm
