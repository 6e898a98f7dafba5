// Splits MLIR text into tokens: names, values, punctuation. It knows no grammar of ops.
#pragma once

#include "core/ir/expected.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::hivm {

enum class TokenKind : std::uint8_t {
    identifier,  ///< a word without a prefix: "scf.for", "ins", "f32", "i64"
    value,       ///< "%x", "%0#1"
    block,       ///< "^bb0"
    symbol,      ///< "@name"
    attribute,   ///< "#map", "#hivm.address_space"
    type,        ///< "!llvm.ptr"
    number,      ///< "12", "-1", "0.5e+3", "0xFF"
    string,      ///< quotes included
    punctuation, ///< one character, or "->"; "::" is two tokens
    separator,   ///< a comment line that begins with "// -----"
    end,         ///< of the text
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    std::uint32_t offset = 0; ///< of its first byte
    std::uint32_t line = 1;   ///< from 1

    [[nodiscard]] bool is(std::string_view wanted) const { return text == wanted; }
    [[nodiscard]] std::uint32_t endOffset() const { return offset + static_cast<std::uint32_t>(text.size()); }
};

/// All tokens of a text, then an `end`; comments are left out. Errors: a string without an end; a character with which no token
/// begins; more than 2^31 bytes. O(text).
Expected<std::vector<Token>> tokenize(std::string_view text, const std::string& file);

/// Line and column (in bytes) of an offset in the text.
Position positionOf(std::string_view text, const std::string& file, std::size_t offset);

/// The column only, without counting lines: number of bytes since the last line break, from 1; 0 if there is no line break in the
/// 4,096 bytes before. O(1).
std::int32_t columnOf(std::string_view text, std::size_t offset);

} // namespace stowage::hivm
