#include "plugins/mlir/module_reader.h"

#include "core/io/op_kinds.h"
#include "plugins/mlir/called_functions.h"
#include "plugins/mlir/memory_spaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace stowage::mlirfile {

namespace {

/// "%packed0" at a place of the text as "packed0".
std::string nameAt(llvm::SMRange range)
{
    llvm::StringRef text(range.Start.getPointer(), static_cast<std::size_t>(range.End.getPointer() - range.Start.getPointer()));
    text.consume_front("%");
    return text
        .take_while([](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.' || c == '-';
        })
        .str();
}

ValueNames namesOf(const mlir::AsmParserState& state)
{
    ValueNames names;
    for (const auto& definition : state.getOpDefs()) {
        unsigned group = 0;
        for (const auto& results : definition.resultGroups) {
            const unsigned end = ++group < definition.resultGroups.size() ? definition.resultGroups[group].startIndex
                                                                          : definition.op->getNumResults();
            const std::string name = nameAt(results.definition.loc);
            for (unsigned i = results.startIndex; i < end; ++i)
                names[definition.op->getResult(i)] =
                    end - results.startIndex == 1 ? name : name + '#' + std::to_string(i - results.startIndex);
        }
    }
    for (const auto& block : state.getBlockDefs())
        for (const auto& [argument, definition] : llvm::zip(block.block->getArguments(), block.arguments))
            names[argument] = nameAt(definition.loc);
    return names;
}

} // namespace

Expected<ReadModule> readModule(const ParsedModule& parsed, const std::string& path, bool planIo)
{
    ReadModule read;
    const ValueNames names = namesOf(*parsed.names);
    llvm::StringMap<FunctionId> functions;
    std::vector<mlir::func::FuncOp> found;
    parsed.module.get()->walk([&](mlir::func::FuncOp function) {
        if (function.isDeclaration()) return;
        if (!function.getBody().hasOneBlock()) {
            read.diagnostics.push_back(warning(Code::notSupported,
                                               fmt::format("'{}' has several blocks, and is left out: only structured control "
                                                           "flow is read",
                                                           function.getName().str()),
                                               positionOf(function.getLoc(), path)));
            return;
        }
        functions[function.getName()] = static_cast<FunctionId>(found.size());
        found.push_back(function);
    });
    if (found.empty())
        return failure(Code::noFunctions, "no function of the module has a body", {path}, "give a module with a func.func");
    read.memrefs = std::make_shared<const MemrefRoots>(*parsed.module);
    const CalledFunctions calls(found, *read.memrefs);
    FilePlan plan{"static-memory-planner", {}};
    for (const mlir::func::FuncOp function : found) {
        FilePlan own;
        const FunctionReader::Context context{path, names, functions, *read.memrefs, calls, read.diagnostics, planIo};
        const auto id = static_cast<FunctionId>(read.program.functions.size());
        FunctionReader(context, function, read.program.functions.emplace_back(), read.functions.emplace_back(), own).read();
        for (FilePlan::Offset& offset : own.offsets) {
            offset.function = id;
            plan.offsets.push_back(std::move(offset));
        }
    }
    if (!plan.offsets.empty()) read.plans.push_back(std::move(plan));
    addMemorySpaces(read.program, read.functions);
    read.program.entry = entryOf(read);
    io::stateTraits(read.program);
    return read;
}

FunctionId entryOf(const ReadModule& module)
{
    std::vector<bool> called(module.program.functions.size());
    for (const Function& function : module.program.functions)
        for (const Op& op : function.ops)
            if (op.control == Control::call) called[at(op.callee)] = true;
    FunctionId best = 0;
    int bestRank = -1;
    for (FunctionId f = 0; at(f) < called.size(); ++f) {
        mlir::func::FuncOp function = module.functions[at(f)].function;
        const bool marked = function->hasAttr("runtime_const_args_index") || function->hasAttr("compiletime_const_args_index");
        const bool named = function.getName() == "entry" || function.getName() == "main";
        const int rank = called[at(f)] ? 0 : 8 * marked + 4 * named + 2 * function.isPublic() + 1;
        if (rank > bestRank) best = f, bestRank = rank;
    }
    return best;
}

} // namespace stowage::mlirfile
