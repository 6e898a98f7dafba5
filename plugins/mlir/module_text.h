// Text to module and back, with limits on what a text may ask for.
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

/// Regions, parentheses and brackets inside each other. MLIR's parser and printer recurse on them.
inline constexpr int maxTextNesting = 600;
/// Bytes of one literal written as a string of hexadecimal digits. All literals of a file are read into memory.
inline constexpr std::int64_t maxLiteralBytes = std::int64_t{512} << 20;

/// A parsed module that verifies, with the places where its values are named in the text.
struct ParsedModule {
    std::unique_ptr<mlir::MLIRContext> context;
    std::unique_ptr<llvm::SourceMgr> sources; ///< owns the text that `names` point into
    std::unique_ptr<mlir::AsmParserState> names;
    mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Parses and verifies. Ops of unknown dialects are kept. Errors, with line and column: "too-deep", "too-large" for a literal,
/// "syntax".
Expected<ParsedModule> parseModule(std::string_view text, const std::string& path);
/// The text of a module that verifies; "fold-not-valid" (with MLIR's message) otherwise.
Expected<std::string> printModule(mlir::ModuleOp module, const std::string& path);

/// The place of a location in the file; unknown parts are 0.
Position positionOf(mlir::Location location, const std::string& path);

} // namespace stowage::mlirfile
