// Makes a program from a parsed module, with the ops and values that its ids stand for.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/mlir/function_reader.h"
#include "plugins/mlir/memref_roots.h"
#include "plugins/mlir/module_text.h"

#include <memory>

namespace stowage::mlirfile {

struct ReadModule {
    Program program;
    std::vector<ReadFunction> functions;        ///< by function id
    std::shared_ptr<const MemrefRoots> memrefs; ///< of the module as it was read
    std::vector<FilePlan> plans;
    Diagnostics diagnostics;
};

/// Reads all functions that have a body of one block. Constant arguments are those that the function lists in
/// `compiletime_const_args_index` and `runtime_const_args_index`, and those with an attribute named `constant` or `….constant`
/// ("compile-time", else run-time). `planIo`: whether arguments and results are planned. Allocations that are not planned
/// although they are no results are warnings. Errors: "no-functions".
Expected<ReadModule> readModule(const ParsedModule& parsed, const std::string& path, bool planIo);

/// The function to plan by default: the one with constant arguments, or named "entry" or "main", otherwise the first public one
/// that no other calls.
FunctionId entryOf(const ReadModule& module);

} // namespace stowage::mlirfile
