#include "plugins/hivm/program_builder.h"

#include "plugins/hivm/function_builder.h"
#include "plugins/hivm/scopes.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::hivm {

namespace {

/// Functions with a body, in the order of the text; and the target that a module around them names.
void collect(const std::vector<Operation>& operations, std::vector<const Operation*>& functions, std::string& target)
{
    for (const Operation& operation : operations) {
        if (operation.kind == "func.func") {
            if (!operation.regions.empty()) functions.push_back(&operation);
            continue;
        }
        for (std::size_t i = 0; i + 2 < operation.header.size(); ++i)
            if (operation.header[i].is("#hacc.target") && operation.header[i + 1].is("<") &&
                operation.header[i + 2].kind == TokenKind::string && target.empty())
                target = operation.header[i + 2].text.substr(1, operation.header[i + 2].text.size() - 2);
        for (const SyntaxRegion& region : operation.regions)
            for (const Block& block : region.blocks) collect(block.operations, functions, target);
    }
}

std::string nameOf(const Operation& function)
{
    for (const Token& token : function.header) {
        if (token.kind != TokenKind::symbol) continue;
        std::string_view name = token.text;
        if (name.starts_with('@')) name.remove_prefix(1);
        if (name.size() >= 2 && name.front() == '"') name = name.substr(1, name.size() - 2);
        return std::string(name);
    }
    return "function";
}

bool hasBuffers(const Function& function)
{
    return std::any_of(function.tensors.begin(), function.tensors.end(),
                       [](const Tensor& tensor) { return tensor.planned && tensor.aliasOf == none; });
}

} // namespace

Expected<Built> buildProgram(std::string_view text, const std::string& file, const std::vector<Chunk>& chunks)
{
    Built built;
    std::vector<const Operation*> sources;
    for (const Chunk& chunk : chunks) collect(chunk.operations, sources, built.target);
    if (sources.empty())
        return failure(Code::noFunctions, "there is no function with a body", {file, 0, 0, -1}, "func.func @name(…) { … }");
    FilePlan plan{"pointer_cast", {}};
    std::unordered_set<std::string> names;
    for (const Operation* source : sources) {
        const auto id = static_cast<FunctionId>(built.program.functions.size());
        Function& function = built.program.functions.emplace_back();
        const std::string base = nameOf(*source);
        function.name = base;
        for (int copy = 2; !names.insert(function.name).second; ++copy) function.name = fmt::format("{}~{}", base, copy);
        FunctionBuilder builder(text, file, function, built.diagnostics);
        if (!builder.build(*source)) return std::move(builder.error());
        for (FilePlan::Offset& offset : builder.offsets()) {
            offset.function = id;
            plan.offsets.push_back(std::move(offset));
        }
    }
    const auto& functions = built.program.functions;
    const auto entry = std::find_if(functions.begin(), functions.end(), hasBuffers);
    built.program.entry = entry == functions.end() ? 0 : static_cast<FunctionId>(entry - functions.begin());
    built.program.pools = scopesOf(built.target);
    built.program.lowering = {{"order", "hivm"}, {"inplace", plan.offsets.empty() ? "allowed" : "off"}};
    if (!built.target.empty() && !isKnownTarget(built.target)) {
        built.diagnostics.push_back(warning(Code::unknownTarget,
                                            fmt::format("the target '{}' is not known: its pools have no capacity", built.target),
                                            {file, 0, 0, -1}, "name one with --target"));
    }
    if (!plan.offsets.empty()) built.plans.push_back(std::move(plan));
    return built;
}

} // namespace stowage::hivm
