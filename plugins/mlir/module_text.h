// Parses and prints modules, with limits on the size of the input.
#pragma once

#include "core/ir/expected.h"

#include <llvm/Support/SourceMgr.h>
#include <mlir/AsmParser/AsmParserState.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/OwningOpRef.h>

#include <memory>
#include <string>
#include <string_view>

namespace stowage::mlirfile {

/// Maximum nesting of regions, parentheses and brackets. MLIR's parser and printer recurse on them.
inline constexpr int maxTextNesting = 600;
/// Maximum bytes of one literal that is written as a string of hexadecimal digits. All literals of a file are read into memory.
inline constexpr std::int64_t maxLiteralBytes = std::int64_t{512} << 20;

/// A parsed and verified module, with the places of its values' names in the text.
struct ParsedModule {
    std::unique_ptr<mlir::MLIRContext> context;
    std::unique_ptr<llvm::SourceMgr> sources; ///< owns the text that `names` point into
    std::unique_ptr<mlir::AsmParserState> names;
    mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Parses and verifies a module. Ops of unknown dialects are kept. Errors, with line and column: "too-deep" (nesting),
/// "too-large" (literal), "syntax".
Expected<ParsedModule> parseModule(std::string_view text, const std::string& path);
/// The text of a module. Errors: "fold-not-valid", with MLIR's message, if the module does not verify.
Expected<std::string> printModule(mlir::ModuleOp module, const std::string& path);

/// The position in the file of a location of MLIR; unknown parts are 0.
Position positionOf(mlir::Location location, const std::string& path);

} // namespace stowage::mlirfile
