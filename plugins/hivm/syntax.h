// The structure of MLIR text: operations, the regions that they hold, and where each stands. What an op means is none of this
// file's business.
#pragma once

#include "plugins/hivm/lexer.h"

#include <span>

namespace stowage::hivm {

struct Operation;

/// A value that a block is handed, with its type as text.
struct Argument {
    std::string_view name;
    std::string_view type;
};

struct Block {
    std::string_view label; ///< "^bb0"; empty for the first one without a label
    std::vector<Argument> arguments;
    std::vector<Operation> operations;
};

struct SyntaxRegion {
    std::uint32_t open = 0;  ///< offset of its "{"
    std::uint32_t close = 0; ///< offset of its "}"
    std::vector<Block> blocks;
};

/// "%0:2" is one result with a count of 2.
struct Result {
    std::string_view name;
    std::int32_t count = 1;
};

struct Operation {
    std::string_view kind; ///< "hivm.hir.load", "return"; of the generic form without its quotes
    std::vector<Result> results;
    std::vector<Token> header; ///< its tokens after the kind, without those of its regions
    std::vector<SyntaxRegion> regions;
    std::uint32_t begin = 0; ///< offset of its first token, results included
    std::uint32_t kindOffset = 0;
    std::uint32_t end = 0;  ///< offset after its last token
    std::uint32_t line = 1; ///< of the kind
};

/// A module of its own: text between lines that begin with "// -----".
struct Chunk {
    std::vector<Operation> operations; ///< of its outermost level: `module`, or functions without one
};

/// Deepest nesting of regions that is read.
inline constexpr int maxRegions = 200;

/// The structure of a whole text. A statement ends where the next "%x =", op, label or closing brace begins; an op is a bare word
/// with a dot, a few words without one (`return`, `call @f`), or a string before a parenthesis. `text` has to outlive the result.
/// Errors: brackets that do not match, nesting deeper than `maxRegions`, a statement that begins like none, more than 4096 values
/// in one result. Linear.
Expected<std::vector<Chunk>> parseSyntax(std::string_view text, const std::string& file);

/// "%a: T {attributes}, %b: T": what stands between two of `tokens`. Linear.
std::vector<Argument> parseArguments(std::string_view text, std::span<const Token> tokens, std::size_t from, std::size_t to);

} // namespace stowage::hivm
