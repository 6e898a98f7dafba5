// MLIR text as tokens. No grammar of any op: names, values, punctuation.
#pragma once

#include "core/ir/expected.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::hivm {

enum class TokenKind : std::uint8_t {
    identifier,  ///< bare: "scf.for", "ins", "f32", "i64"
    value,       ///< "%x", "%0#1"
    block,       ///< "^bb0"
    symbol,      ///< "@name"
    attribute,   ///< "#map", "#hivm.address_space"
    type,        ///< "!llvm.ptr"
    number,      ///< "12", "-1", "0.5e+3", "0xFF"
    string,      ///< with its quotes
    punctuation, ///< one character, or "->"; "::" are two
    separator,   ///< a comment line that begins with "// -----"
    end,
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    std::uint32_t offset = 0; ///< of its first byte
    std::uint32_t line = 1;   ///< from 1

    [[nodiscard]] bool is(std::string_view wanted) const { return text == wanted; }
    [[nodiscard]] std::uint32_t endOffset() const { return offset + static_cast<std::uint32_t>(text.size()); }
};

/// All tokens of a text, an `end` after them; comments are left out. Errors: a string without its end, a character that no token
/// begins with, more than 2^31 bytes. Linear.
Expected<std::vector<Token>> tokenize(std::string_view text, const std::string& file);

/// Line and column (in bytes) of an offset in the text.
Position positionOf(std::string_view text, const std::string& file, std::size_t offset);

/// The column alone, without counting lines: bytes from the last line break, from 1; 0 when there is none in the 4096 bytes
/// before.
std::int32_t columnOf(std::string_view text, std::size_t offset);

} // namespace stowage::hivm
